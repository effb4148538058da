//! A run as an animation.

use super::film_reel::FilmReel;
use super::frame_painter::{Artist, FramePainter, Sheet};
use super::frame_renderer::FrameRenderer;
use super::{ColourTable, RecordError, RenderOptions, Sink};
use std::path::{Path, PathBuf};
use throng_grid::Grid;
use throng_sim::world::Frame;

/// The greatest number of frames of a film of unknown length.
const MAX_FRAMES: usize = 100;

/// The greatest size (bytes) of a film whose longer side has at most `MAX_BYTES_SIDE` pixels; larger ones in proportion.
const MAX_BYTES: u64 = 2_000_000;
const MAX_BYTES_SIDE: u32 = 768;

/// The same of a film in true colour.
const MAX_COLOUR_BYTES: u64 = 8_000_000;

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
    artist: Artist,
    /// Every `every`-th state from the first on.
    reel: FilmReel,
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
        let artist = Artist::Plan(Box::new(FrameRenderer::new(grid, options)));
        Self::with_artist(path, artist, FilmReel::indexed(ColourTable::of(options.theme)))
    }

    /// A film in true colour: of at most 255 colours, which are chosen from its frames, or from the first 64 of a
    /// [`whole`](Self::whole) film. At most 8 MB where its longer side has at most 768 pixels, unless it is whole.
    pub fn with_painter(path: impl AsRef<Path>, painter: Box<dyn FramePainter>) -> Self {
        let reel = FilmReel::coloured(painter.required_colours());
        Self::with_artist(path.as_ref(), Artist::Painter(painter), reel)
    }

    fn with_artist(path: &Path, artist: Artist, reel: FilmReel) -> Self {
        Self {
            path: path.to_path_buf(),
            artist,
            reel,
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

    /// Writes every `step`-th picture, and the end; returns how many bytes that makes.
    fn write(&mut self, end: &Sheet, step: usize) -> Result<u64, RecordError> {
        self.reel.write(&self.path, end, step, [self.delay, LAST_DELAY_CS])?;
        Ok(std::fs::metadata(&self.path).map_err(RecordError::write(&self.path))?.len())
    }
}

impl Sink for Film {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.artist.show(frame);
        if self.seen.is_multiple_of(self.every) {
            if self.reel.len() == MAX_FRAMES && !self.whole {
                self.reel.halve();
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.reel.push(&self.artist.draw(frame));
                if self.whole {
                    self.reel.settle();
                }
            }
        }
        self.seen += 1;
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        let end = self.artist.draw(&self.last);
        self.reel.set_armies(&self.last.colours);
        if self.whole {
            // The end is there already, for a shorter time.
            self.reel.truncate(self.reel.len().saturating_sub(1));
            self.write(&end, 1)?;
            return Ok(self.path);
        }
        // Room for the last one, which is always shown.
        self.reel.truncate(MAX_FRAMES - 1);
        let (width, height) = end.size();
        let larger = f64::from(width.max(height).max(MAX_BYTES_SIDE)) / f64::from(MAX_BYTES_SIDE);
        let most = if matches!(end, Sheet::Coloured(_)) { MAX_COLOUR_BYTES } else { MAX_BYTES };
        let most = (most as f64 * larger * larger) as u64;
        let mut step = 1;
        loop {
            let bytes = self.write(&end, step)?;
            if bytes < most || step >= self.reel.len() {
                return Ok(self.path);
            }
            step += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    #[test]
    fn a_film_of_any_length_stays_short() {
        let grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
        for ticks in [0, 1, 99, 100, 101, 1000] {
            let folder = tempfile::tempdir().unwrap();
            let mut film = Film::new(folder.path().join("a.gif"), &grid, 80);
            for tick in 0..=ticks {
                film.frame(&Frame { tick, ..Frame::default() }).unwrap();
            }
            assert!(film.reel.len() <= MAX_FRAMES);
            assert!(film.reel.len() as u64 >= (ticks + 1).min(50), "{} of {ticks}", film.reel.len());
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
}
