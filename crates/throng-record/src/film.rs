//! A run as an animation.

use super::battle_footage::BattleFootage;
use super::battle_scene::BattleScene;
use super::film_reel::FilmReel;
use super::frame_renderer::FrameRenderer;
use super::planes::Planes;
use super::y4m_writer::Y4mWriter;
use super::{ColourTable, Picture, RecordError, RenderOptions, Sink, Still, Theme};
use std::io::Write;
use std::path::{Path, PathBuf};
use throng_grid::Grid;
use throng_sim::world::Frame;

/// The greatest number of frames of a film of unknown length.
const MAX_FRAMES: usize = 100;

/// The greatest size (bytes) of a film whose longer side has at most `MAX_BYTES_SIDE` pixels; larger ones in proportion.
const MAX_BYTES: u64 = 2_000_000;
const MAX_BYTES_SIDE: u32 = 768;

/// As [`MAX_BYTES`], of a film in the theme of battles.
const MAX_BATTLE_BYTES: u64 = 5_000_000;

/// Hundredths of a second that a frame is shown.
const DEFAULT_DELAY_CS: u16 = 8;

/// Hundredths of a second that the last frame is shown.
const LAST_DELAY_CS: u16 = 250;

/// An animation of a run of unknown length: at most 100 frames spread evenly over it, and less than 2 MB (more where its
/// longer side has more than 768 pixels). A file named `.apng` or `.png` becomes an animated PNG, one named `.y4m` raw video
/// of any size, any other a GIF.
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
    /// Every `every`-th state from the first on.
    footage: Footage,
    every: u64,
    seen: u64,
    whole: bool,
    delay: u16,
    /// Raw video, if it is that.
    video: Option<Y4mWriter>,
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
        let is_video = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("y4m"));
        let video = is_video.then(|| Y4mWriter::new(path, None, DEFAULT_DELAY_CS));
        Self::of(path, video, grid, options)
    }

    /// Raw video (YUV4MPEG2, 4:2:0) that is written to a stream, as a pipe to an encoder, frame by frame. Errors name it `-`, and
    /// that is what [`finish`](Sink::finish) returns. With [`whole`](Self::whole) its memory does not grow with its length.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{Film, RenderOptions, Sink};
    /// use throng_sim::world::Frame;
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let mut film = Film::stream(std::io::sink(), &grid, RenderOptions::new(256)).with_delay(5).whole();
    /// film.frame(&Frame::default())?;
    /// Box::new(film).finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(out: impl Write + Send + 'static, grid: &Grid, options: RenderOptions) -> Self {
        let path = Path::new("-");
        Self::of(path, Some(Y4mWriter::new(path, Some(Box::new(out)), DEFAULT_DELAY_CS)), grid, options)
    }

    fn of(path: &Path, video: Option<Y4mWriter>, grid: &Grid, options: RenderOptions) -> Self {
        let footage = match options.theme {
            Theme::Battle | Theme::Building => {
                Footage::Battle(Box::new(BattleFootage::new(BattleScene::new(grid, options))))
            }
            Theme::Plan | Theme::Dark => Footage::Plan {
                renderer: Box::new(FrameRenderer::new(grid, options)),
                reel: FilmReel::new(ColourTable::of(options.theme), 0),
                last: Box::default(),
            },
        };
        Self { path: path.to_path_buf(), footage, every: 1, seen: 0, whole: false, delay: DEFAULT_DELAY_CS, video }
    }

    /// Tells a [`whole`](Self::whole) film beforehand what it will be shown, state by state: of a battle, the ground that all armies
    /// will use is in the picture, and worn, from the start. Without this, that of the first 64 frames is.
    pub fn preview(&mut self, frame: &Frame) {
        if let Footage::Battle(footage) = &mut self.footage {
            footage.preview(frame);
        }
    }

    /// A picture of the end of the same run. Both must be shown the same states from now on, the film first: what is known of a
    /// battle is then kept once, in half the time and memory of a [`Still`] of its own.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{Film, RenderOptions, Sink};
    /// use throng_sim::world::Frame;
    /// # let folder = tempfile::tempdir()?;
    /// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let film = Film::new(folder.path().join("run.gif"), &grid, 128);
    /// let still = film.still(folder.path().join("run.png"), &grid, RenderOptions::new(256));
    /// let mut sinks: [Box<dyn Sink>; 2] = [Box::new(film), Box::new(still)];
    /// sinks.iter_mut().try_for_each(|sink| sink.frame(&Frame::default()))?;
    /// sinks.into_iter().try_for_each(|sink| sink.finish().map(drop))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn still(&self, path: impl AsRef<Path>, grid: &Grid, options: RenderOptions) -> Still {
        match &self.footage {
            Footage::Battle(footage) if !options.theme.is_plan() => {
                Still::of_scene(path.as_ref(), footage.fork(options))
            }
            _ => Still::with_options(path, grid, options),
        }
    }

    /// Shows each frame for `delay` hundredths of a second, 8 where nothing is said; browsers slow down those below 2.
    #[must_use]
    pub fn with_delay(mut self, delay: u16) -> Self {
        self.delay = delay;
        if let Some(video) = &mut self.video {
            video.set_delay(delay);
        }
        self
    }

    /// Keeps all frames that it is shown, however many bytes that makes.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }
}

/// The frames of a film.
#[derive(Debug)]
enum Footage {
    /// Drawn when they are shown, or when the next one is; `last` is the state that was shown last.
    Plan { renderer: Box<FrameRenderer>, reel: FilmReel, last: Box<Frame> },
    /// Painted when the film is written.
    Battle(Box<BattleFootage>),
}

impl Footage {
    fn len(&self) -> usize {
        match self {
            Self::Plan { reel, .. } => reel.len(),
            Self::Battle(footage) => footage.len(),
        }
    }

    /// Takes in a state of the run, whether it becomes a frame or not.
    fn show(&mut self, frame: &Frame) {
        match self {
            Self::Plan { renderer, reel, last } => {
                renderer.show(frame);
                reel.set_armies(&frame.colours);
                last.as_mut().clone_from(frame);
            }
            Self::Battle(footage) => footage.show(frame),
        }
    }

    /// Adds the state that was shown last as a frame.
    fn push(&mut self) {
        match self {
            Self::Plan { renderer, reel, last } => reel.push(&renderer.draw(last)),
            Self::Battle(footage) => footage.push(),
        }
    }

    fn halve(&mut self) {
        match self {
            Self::Plan { reel, .. } => reel.halve(),
            Self::Battle(footage) => footage.halve(),
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            Self::Plan { reel, .. } => reel.truncate(len),
            Self::Battle(footage) => footage.truncate(len),
        }
    }

    /// All frames, and the state that was shown last as the end.
    fn finish(&mut self) -> (&FilmReel, Picture) {
        match self {
            Self::Plan { renderer, reel, last } => (reel, renderer.draw(last)),
            Self::Battle(footage) => footage.finish(),
        }
    }

    /// Of a film of any length: makes less of the frames that have gathered, which takes less memory.
    fn settle(&mut self, video: Option<&mut Y4mWriter>) -> Result<(), RecordError> {
        match (self, video) {
            (Self::Plan { reel, .. }, Some(video)) => reel.finish_video(video),
            (Self::Plan { .. }, None) => Ok(()),
            (Self::Battle(footage), video) => footage.settle(video),
        }
    }

    /// Writes the frames that have gathered to a video, and returns the state that was shown last as its end.
    fn finish_video(&mut self, video: &mut Y4mWriter) -> Result<Planes, RecordError> {
        match self {
            Self::Plan { renderer, reel, last } => {
                reel.finish_video(video)?;
                Ok(Planes::indexed(&renderer.draw(last), reel.table()))
            }
            Self::Battle(footage) => footage.finish_video(video),
        }
    }

    /// The greatest size (bytes) of a film whose longer side has at most [`MAX_BYTES_SIDE`] pixels.
    fn max_bytes(&self) -> u64 {
        match self {
            Self::Plan { .. } => MAX_BYTES,
            // Where the camera moves, all pixels change.
            Self::Battle(footage) if footage.moves() => 4 * MAX_BATTLE_BYTES,
            Self::Battle(_) => MAX_BATTLE_BYTES,
        }
    }
}

impl Sink for Film {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if self.whole && self.seen > 0 {
            // Not before the next one comes: the last is the end.
            self.footage.push();
            self.footage.settle(self.video.as_mut())?;
        }
        self.footage.show(frame);
        if !self.whole && self.seen.is_multiple_of(self.every) {
            if self.footage.len() == MAX_FRAMES {
                self.footage.halve();
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.footage.push();
            }
        }
        self.seen += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        if !self.whole {
            // The end needs room.
            self.footage.truncate(MAX_FRAMES - 1);
        }
        if let Some(mut video) = self.video {
            let end = self.footage.finish_video(&mut video)?;
            (0..video.frames_in(LAST_DELAY_CS)).try_for_each(|_| video.frame(&end))?;
            return video.finish();
        }
        let max_bytes = self.footage.max_bytes();
        let (reel, end) = self.footage.finish();
        let larger = f64::from(end.width.max(end.height).max(MAX_BYTES_SIDE)) / f64::from(MAX_BYTES_SIDE);
        let most = (max_bytes as f64 * larger * larger) as u64;
        let mut step = 1;
        loop {
            reel.write(&self.path, &end, step, [self.delay, LAST_DELAY_CS])?;
            let bytes = std::fs::metadata(&self.path).map_err(RecordError::write(&self.path))?.len();
            if self.whole || bytes < most || step >= reel.len() {
                return Ok(self.path);
            }
            // The frames that are left differ more from each other: the file shrinks by less than their number.
            step = (step + 1).max((step as u64 * bytes / most) as usize);
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
            assert!(film.footage.len() <= MAX_FRAMES);
            assert!(film.footage.len() as u64 >= (ticks + 1).min(50), "{} of {ticks}", film.footage.len());
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
