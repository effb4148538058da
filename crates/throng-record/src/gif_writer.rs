//! GIFs.

use super::frame_change::{FrameChange, Screen};
use super::{ColourTable, Picture, RecordError, lzw};
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// Frames that are packed at a time, on as many threads as there are.
const BATCH: usize = 16;

/// Writes pictures as the frames of a GIF that plays for ever.
///
/// The file appears under its name only with [`GifWriter::finish`]; a writer that is dropped before leaves nothing. Frames are
/// packed on several threads, sixteen at a time; the file is the same for any number of threads.
///
/// ```
/// use throng_record::{GifWriter, Picture, palette};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.gif");
/// let mut writer = GifWriter::create(&path, 64, 64)?;
/// for army in 0..3 {
///     writer.frame(&Picture::new(64, 64, palette::army(army)), 10)?;
/// }
/// writer.finish()?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GifWriter {
    encoder: gif::Encoder<WholeFile>,
    path: PathBuf,
    size: (u32, u32),
    screen: Screen,
    keep: u8,
    /// Frames that are not written yet.
    waiting: Vec<FrameChange>,
}

impl std::fmt::Debug for GifWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GifWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl GifWriter {
    /// Starts an animation of `width` x `height` pixels, in the colours of plans.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be made or the size is more than a GIF can have.
    pub fn create(path: impl AsRef<Path>, width: u32, height: u32) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref(), (width, height), &ColourTable::plan(), 0)
    }

    /// Starts an animation of `width` x `height` pixels, in the colours of a table. A pixel stays as it is shown while its new
    /// colour is at most `tolerance` steps of grey away from that (0: it stays only if it is equal); this makes smaller files.
    ///
    /// ```
    /// use throng_record::{ColourTable, GifWriter, Picture};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.gif");
    /// let table = ColourTable::new(vec![[90, 106, 70], [255, 79, 18]]);
    /// let mut writer = GifWriter::with_table(&path, 64, 64, &table, 2)?;
    /// writer.frame(&Picture::new(64, 64, 1), 10)?;
    /// writer.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be made or the size is more than a GIF can have.
    pub fn with_table(
        path: impl AsRef<Path>,
        width: u32,
        height: u32,
        table: &ColourTable,
        tolerance: u8,
    ) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref(), (width, height), table, tolerance)
    }

    fn create_at(path: &Path, size: (u32, u32), table: &ColourTable, tolerance: u8) -> Result<Self, RecordError> {
        let path = path.to_path_buf();
        let (Ok(columns @ 1..), Ok(rows @ 1..)) = (u16::try_from(size.0), u16::try_from(size.1)) else {
            return Err(RecordError::Size { file: path, width: size.0, height: size.1 });
        };
        let attempt = || -> io::Result<_> {
            let out = WholeFile::create(&path)?;
            let mut encoder = gif::Encoder::new(out, columns, rows, &table.flat()).map_err(as_io)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(as_io)?;
            Ok(encoder)
        };
        let encoder = attempt().map_err(RecordError::write(&path))?;
        let screen = Screen::new(table, tolerance);
        Ok(Self { encoder, path, size, screen, keep: table.keep(), waiting: Vec::new() })
    }

    /// Adds a frame that is shown for `delay` hundredths of a second; browsers slow down those below 2.
    ///
    /// # Errors
    /// [`RecordError`] where this or an earlier frame cannot be written or the picture has another size than the animation.
    pub fn frame(&mut self, picture: &Picture, delay: u16) -> Result<(), RecordError> {
        self.add(picture, delay, false)
    }

    /// Adds a frame of which no pixel stays that has another colour, whatever the tolerance.
    ///
    /// # Errors
    /// As [`frame`](Self::frame).
    pub fn exact_frame(&mut self, picture: &Picture, delay: u16) -> Result<(), RecordError> {
        self.add(picture, delay, true)
    }

    fn add(&mut self, picture: &Picture, delay: u16, exact: bool) -> Result<(), RecordError> {
        let (found, expected) = ((picture.width, picture.height), self.size);
        if found != expected {
            return Err(RecordError::FrameSize { file: self.path.clone(), found, expected });
        }
        self.waiting.push(self.screen.change(picture, delay, exact));
        if self.waiting.len() == BATCH {
            self.flush().map_err(RecordError::write(&self.path))?;
        }
        Ok(())
    }

    /// Packs and writes the frames that wait.
    fn flush(&mut self) -> io::Result<()> {
        let keep = self.keep;
        let packed: Vec<gif::Frame<'static>> = self.waiting.par_drain(..).map(|change| pack(&change, keep)).collect();
        packed.iter().try_for_each(|frame| self.encoder.write_lzw_pre_encoded_frame(frame)).map_err(as_io)
    }

    /// Ends the animation and gives the file its name.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let mut attempt = || self.flush();
        attempt().map_err(RecordError::write(&self.path))?;
        let Self { encoder, path, .. } = self;
        let attempt = || {
            let mut out = encoder.into_inner().map_err(as_io)?;
            out.flush()?;
            out.finish()
        };
        attempt().map_err(RecordError::write(&path))
    }
}

fn pack(change: &FrameChange, keep: u8) -> gif::Frame<'static> {
    gif::Frame {
        delay: change.delay,
        transparent: (!change.is_first).then_some(keep),
        left: change.left as u16,
        top: change.top as u16,
        width: change.width as u16,
        height: change.height as u16,
        buffer: Cow::Owned(lzw::encode(&change.pixels, keep)),
        ..gif::Frame::default()
    }
}

fn as_io(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gif_is_the_same_for_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let write = |threads: usize| {
            let path = folder.path().join(format!("{threads}.gif"));
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                let table = ColourTable::new((0..200).map(|step| [step, step / 2, 255 - step]).collect());
                let mut writer = GifWriter::with_table(&path, 60, 40, &table, 3).unwrap();
                for step in 0..37_u32 {
                    let mut picture = Picture::new(60, 40, 7);
                    for (pixel, i) in picture.pixels.iter_mut().zip(0..) {
                        *pixel = ((i * i / 7 + step * (i % 5)) % 200) as u8;
                    }
                    writer.frame(&picture, 4).unwrap();
                }
                writer.finish().unwrap();
            });
            std::fs::read(path).unwrap()
        };
        assert_eq!(write(1), write(3));
    }
}
