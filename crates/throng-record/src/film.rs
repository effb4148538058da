//! A run as an animation, and its end as a picture.

use super::animation::play_apng;
use super::frame_deltas::FrameDeltas;
use super::frame_renderer::FrameRenderer;
use super::{GifWriter, Picture, RecordError, RenderOptions, Sink};
use std::path::{Path, PathBuf};
use throng_grid::Grid;
use throng_sim::world::Frame;

/// The greatest number of frames of a film of unknown length.
const MAX_FRAMES: usize = 100;

/// The greatest size (bytes) of a film whose longer side has at most `MAX_BYTES_SIDE` pixels; larger ones in proportion.
const MAX_BYTES: u64 = 2_000_000;
const MAX_BYTES_SIDE: u32 = 768;

/// Hundredths of a second that a frame is shown.
const DEFAULT_DELAY_CS: u16 = 8;

/// Hundredths of a second that the last frame is shown.
const LAST_DELAY_CS: u16 = 250;

/// An animation of a run of unknown length: at most 100 frames spread evenly over it, and less than 2 MB (more where its
/// longer side has more than 768 pixels). A file named `.apng` or `.png` becomes an animated PNG, any other a GIF.
///
/// Keeps the changes from frame to frame in memory; whenever there are too many, every second one is forgotten.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_record::{Film, Sink};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// let mut film = Film::new(folder.path().join("run.gif"), &grid, 128);
/// film.frame(&Frame::default())?;
/// assert!(Box::new(film).finish()?.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Film {
    path: PathBuf,
    renderer: FrameRenderer,
    /// Every `every`-th state from the first on.
    deltas: FrameDeltas,
    every: u64,
    seen: u64,
    whole: bool,
    delay: u16,
    /// The state that was shown last, for the end.
    last: Frame,
}

impl Film {
    /// A film of the whole map, whose longer side has at most `longest` pixels.
    pub fn new(path: impl AsRef<Path>, grid: &Grid, longest: u32) -> Self {
        Self::new_at(path.as_ref(), grid, longest)
    }

    fn new_at(path: &Path, grid: &Grid, longest: u32) -> Self {
        Self::with_options(path, grid, RenderOptions::new(longest))
    }

    /// A film with other options.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{Film, RenderOptions, Overlays, Sink};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let options = RenderOptions { overlays: Overlays { density: true, ..Overlays::default() }, ..RenderOptions::new(256) };
    /// let mut film = Film::with_options(folder.path().join("run.apng"), &grid, options).with_delay(4).whole();
    /// film.frame(&Frame::default())?;
    /// assert!(Box::new(film).finish()?.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(path: impl AsRef<Path>, grid: &Grid, options: RenderOptions) -> Self {
        Self::with_options_at(path.as_ref(), grid, options)
    }

    fn with_options_at(path: &Path, grid: &Grid, options: RenderOptions) -> Self {
        Self {
            path: path.to_path_buf(),
            renderer: FrameRenderer::new(grid, options),
            deltas: FrameDeltas::default(),
            every: 1,
            seen: 0,
            whole: false,
            delay: DEFAULT_DELAY_CS,
            last: Frame::default(),
        }
    }

    /// Shows each frame for `delay` hundredths of a second, 8 where nothing is said; browsers slow down those below 2.
    #[must_use]
    pub fn with_delay(mut self, delay: u16) -> Self {
        self.delay = delay;
        self
    }

    /// Keeps all frames that it is shown, however many bytes that makes.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// Writes every `step`-th picture of the deltas, and the end.
    fn write(&self, end: &Picture, step: usize) -> Result<(), RecordError> {
        let is_png = |ending: &std::ffi::OsStr| ["apng", "png"].iter().any(|png| ending.eq_ignore_ascii_case(png));
        if self.path.extension().is_some_and(is_png) {
            let count = self.deltas.len().div_ceil(step) + 1;
            play_apng(&self.path, (end.width, end.height), count, |show| {
                self.deltas.play(step, |picture| show(picture, self.delay))?;
                show(end, LAST_DELAY_CS)
            })
        } else {
            let mut writer = GifWriter::create(&self.path, end.width, end.height)?;
            self.deltas.play(step, |picture| writer.frame(picture, self.delay))?;
            writer.frame(end, LAST_DELAY_CS)?;
            writer.finish()
        }
    }
}

impl Sink for Film {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.renderer.show(frame);
        if self.seen.is_multiple_of(self.every) {
            if self.deltas.len() == MAX_FRAMES && !self.whole {
                self.deltas.halve();
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.deltas.push(&self.renderer.draw(frame));
            }
        }
        self.seen += 1;
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        let end = self.renderer.draw(&self.last);
        if self.whole {
            // The end is there already, for a shorter time.
            self.deltas.truncate(self.deltas.len().saturating_sub(1));
            self.write(&end, 1)?;
            return Ok(self.path);
        }
        // Room for the last one, which is always shown.
        self.deltas.truncate(MAX_FRAMES - 1);
        let larger = f64::from(end.width.max(end.height).max(MAX_BYTES_SIDE)) / f64::from(MAX_BYTES_SIDE);
        let most = (MAX_BYTES as f64 * larger * larger) as u64;
        let mut step = 1;
        loop {
            self.write(&end, step)?;
            let bytes = std::fs::metadata(&self.path).map_err(RecordError::write(&self.path))?;
            if bytes.len() < most || step >= self.deltas.len() {
                return Ok(self.path);
            }
            step += 1;
        }
    }
}

/// A PNG of the last state of a run.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_record::{Sink, Still};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// let mut still = Still::new(folder.path().join("run.png"), &grid, 256);
/// still.frame(&Frame::default())?;
/// assert!(Box::new(still).finish()?.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Still {
    path: PathBuf,
    renderer: FrameRenderer,
    last: Frame,
}

impl Still {
    /// A picture of the whole map, whose longer side has at most `longest` pixels.
    pub fn new(path: impl AsRef<Path>, grid: &Grid, longest: u32) -> Self {
        Self::new_at(path.as_ref(), grid, longest)
    }

    fn new_at(path: &Path, grid: &Grid, longest: u32) -> Self {
        Self::with_options(path, grid, RenderOptions::new(longest))
    }

    /// A picture with other options.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{RenderOptions, MeasurementArea, Sink, Still};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("gate.png");
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let view = Some(MeasurementArea::wide(Vec2::new(20.0, 20.0), 16.0));
    /// let mut still = Still::with_options(&path, &grid, RenderOptions { view, legend: false, ..RenderOptions::new(1024) });
    /// still.frame(&Frame::default())?;
    /// Box::new(still).finish()?;
    /// // The width and the height in the header of the PNG.
    /// let bytes = std::fs::read(&path)?;
    /// assert_eq!((&bytes[16..20], &bytes[20..24]), (&1024_u32.to_be_bytes()[..], &768_u32.to_be_bytes()[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_options(path: impl AsRef<Path>, grid: &Grid, options: RenderOptions) -> Self {
        Self { path: path.as_ref().to_path_buf(), renderer: FrameRenderer::new(grid, options), last: Frame::default() }
    }
}

impl Sink for Still {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.renderer.show(frame);
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        let picture = self.renderer.draw(&self.last);
        picture.write_png(&self.path)?;
        Ok(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette;
    use throng_grid::Lattice;
    use throng_grid::geom::Vec2;

    #[test]
    fn a_film_of_any_length_stays_short() {
        let grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
        for ticks in [0, 1, 99, 100, 101, 1000] {
            let folder = tempfile::tempdir().unwrap();
            let mut film = Film::new(folder.path().join("a.gif"), &grid, 80);
            for tick in 0..=ticks {
                film.frame(&Frame { tick, ..Frame::default() }).unwrap();
            }
            assert!(film.deltas.len() <= MAX_FRAMES);
            assert!(film.deltas.len() as u64 >= (ticks + 1).min(50), "{} of {ticks}", film.deltas.len());
            let path = Box::new(film).finish().unwrap();
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::Indexed);
            let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
            let mut frames = 0;
            while decoder.next_frame_info().unwrap().is_some() {
                frames += 1;
            }
            assert!(frames <= MAX_FRAMES);
        }
    }

    #[test]
    fn the_fallen_stay_in_the_picture() {
        let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        let mut still = Still::new("unused.png", &grid, 8);
        still.frame(&Frame { fallen: vec![Vec2::new(2.5, 3.5), Vec2::new(-1e9, 1e9)], ..Frame::default() }).unwrap();
        still.frame(&Frame::default()).unwrap();
        assert_eq!(still.renderer.draw(&still.last).pixels[3 * 8 + 2], palette::FALLEN);
    }
}
