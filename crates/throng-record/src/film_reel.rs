//! The frames of a film in memory, and how they become a file.

use super::apng_writer::ApngWriter;
use super::frame_deltas::FrameDeltas;
use super::planes::Planes;
use super::y4m_writer::Y4mWriter;
use super::{ColourTable, GifWriter, Picture, RecordError};
use std::path::Path;

/// The frames of a film, all of one size and of the colours of one table.
#[derive(Debug)]
pub(super) struct FilmReel {
    deltas: FrameDeltas,
    table: ColourTable,
    /// The colours in it that armies have of their own.
    armies: Vec<Option<[u8; 3]>>,
    /// A pixel stays while its new colour is so many steps of grey away.
    tolerance: u8,
}

impl FilmReel {
    pub fn new(table: ColourTable, tolerance: u8) -> Self {
        Self { deltas: FrameDeltas::default(), table, armies: Vec::new(), tolerance }
    }

    /// Gives armies the colours that they have of their own.
    pub fn set_armies(&mut self, colours: &[Option<[u8; 3]>]) {
        if self.armies != colours {
            self.armies = colours.to_vec();
            self.table = self.table.clone().with_armies(colours);
        }
    }

    pub fn table(&self) -> &ColourTable {
        &self.table
    }

    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    /// Adds a frame, of the size of the first.
    pub fn push(&mut self, picture: &Picture) {
        self.deltas.push((picture.width, picture.height), &picture.pixels);
    }

    /// Takes frames off the end.
    pub fn truncate(&mut self, len: usize) {
        self.deltas.truncate(len);
    }

    /// Forgets every second frame, from the second on.
    pub fn halve(&mut self) {
        self.deltas.halve();
    }

    /// Writes all frames to a video and forgets them.
    ///
    /// # Errors
    /// [`RecordError`] where they cannot be written.
    pub fn finish_video(&mut self, video: &mut Y4mWriter) -> Result<(), RecordError> {
        let deltas = std::mem::take(&mut self.deltas);
        let (width, height) = deltas.size();
        deltas.try_play(1, |pixels| {
            let picture = Picture { width, height, pixels: pixels.to_vec() };
            video.frame(&Planes::indexed(&picture, &self.table))
        })
    }

    /// Writes every `step`-th frame and the end, as an animated PNG where the name says so, else as a GIF. `delays`, of the
    /// frames and of the end, are in hundredths of a second.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be written.
    pub fn write(&self, path: &Path, end: &Picture, step: usize, delays: [u16; 2]) -> Result<(), RecordError> {
        let [delay, last_delay] = delays;
        let (width, height) = (end.width, end.height);
        let picture = |pixels: &[u8]| Picture { width, height, pixels: pixels.to_vec() };
        let is_png = |ending: &std::ffi::OsStr| ["apng", "png"].iter().any(|png| ending.eq_ignore_ascii_case(png));
        if path.extension().is_some_and(is_png) {
            let count = self.deltas.len().div_ceil(step) + 1;
            let mut writer = ApngWriter::create(path, (width, height), count, &self.table, self.tolerance)?;
            self.deltas.try_play(step, |pixels| writer.frame(&picture(pixels), delay, false))?;
            writer.frame(end, last_delay, true)?;
            writer.finish()
        } else {
            let mut writer = GifWriter::with_table(path, width, height, &self.table, self.tolerance)?;
            self.deltas.try_play(step, |pixels| writer.frame(&picture(pixels), delay))?;
            writer.exact_frame(end, last_delay)?;
            writer.finish()
        }
    }
}
