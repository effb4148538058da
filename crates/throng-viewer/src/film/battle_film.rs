//! A film of a whole battle, made on a thread of its own while the window goes on.

use super::screenshot::free_name;
use crate::Theme;
use crate::battle::simulation::Course;
use crate::battle::simulation_error::SimulationError;
use crate::shell::event::Event;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use throng_grid::Grid;
use throng_record::RecordError;
use throng_record::{Film, RenderOptions, Sink as _};
use throng_sim::world::Frame;

/// The longer side of a film (pixels), as that of `throng run`.
const LONGER_SIDE_PX: u32 = 768;

/// What the thread tells, and is told.
#[derive(Default)]
struct FilmProgress {
    tick: AtomicU64,
    stop: AtomicBool,
}

/// A film that is being made.
pub(crate) struct BattleFilm {
    progress: Arc<FilmProgress>,
    /// The first and the last tick.
    span: [u64; 2],
    thread: JoinHandle<Event>,
}

impl BattleFilm {
    /// Begins a film of what `course` receives, from its first tick to its last; the name of its file. `grid` is any map of the
    /// battle.
    ///
    /// # Errors
    /// Where the system has no thread left, in words.
    pub fn begin(
        course: Receiver<Course>,
        (grid, theme, span): (Arc<Grid>, Theme, [u64; 2]),
    ) -> Result<(Self, PathBuf), String> {
        let path = free_name(Path::new("throng-battle"), span[1], &[".gif"]);
        let progress = Arc::new(FilmProgress::default());
        progress.tick.store(span[0], Ordering::Relaxed);
        let (theirs, file) = (Arc::clone(&progress), path.clone());
        let work = move || match make(&course, &file, (&grid, theme), &theirs) {
            Ok(Some(path)) => Event::Film { path },
            Ok(None) => Event::notice("the film is cancelled"),
            Err(error) => Event::notice(format!("no film: {error}")),
        };
        let thread = std::thread::Builder::new().name("battle film".into()).spawn(work);
        let thread = thread.map_err(|error| error.to_string())?;
        Ok((Self { progress, span, thread }, path))
    }

    /// How much of the battle has been fought again: 0 to 1. What is left then is to paint and to write it.
    pub fn share(&self) -> f32 {
        let [first, last] = self.span;
        let done = self.progress.tick.load(Ordering::Relaxed).saturating_sub(first);
        (done as f64 / last.saturating_sub(first).max(1) as f64).min(1.0) as f32
    }

    /// Stops it: no file is written.
    pub fn cancel(&self) {
        self.progress.stop.store(true, Ordering::Relaxed);
    }

    /// True where [`end`](Self::end) does not wait.
    pub fn is_done(&self) -> bool {
        self.thread.is_finished()
    }

    /// What has become of it; waits for that.
    pub fn end(self) -> Event {
        self.thread.join().unwrap_or_else(|_| Event::notice("no film: its thread has failed"))
    }
}

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
enum FilmError {
    #[error("this battle cannot be fought again")]
    OnlyOnce,
    #[error(transparent)]
    Battle(#[from] SimulationError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Fights the battle again and films it; `None` where that was cancelled.
fn make(
    course: &Receiver<Course>,
    path: &Path,
    (grid, theme): (&Grid, Theme),
    progress: &FilmProgress,
) -> Result<Option<PathBuf>, FilmError> {
    let mut course = course.recv().map_err(|_| FilmError::OnlyOnce)?;
    let mut frame = Frame::default();
    course.frame(&mut frame, false);
    let first = frame.grid.clone();
    let options = RenderOptions { theme: theme.of_films(), ..RenderOptions::new(LONGER_SIDE_PX) };
    let mut film = Box::new(Film::with_options(path, first.as_deref().unwrap_or(grid), options));
    loop {
        film.frame(&frame)?;
        progress.tick.store(frame.tick, Ordering::Relaxed);
        if progress.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if frame.tick >= course.last() || course.is_over(&frame) {
            return Ok(Some(film.finish()?));
        }
        course.tick()?;
        course.frame(&mut frame, false);
    }
}
