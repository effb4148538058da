//! A recording in place of a simulation.

use super::Simulation;
use crate::record::{Recording, RecordingError};
use crate::world::Frame;
use std::error::Error;

/// The frames of a recording, one after the other or in any order.
///
/// ```
/// use throng::record::{About, Recorder, Recording, Sink};
/// use throng::viewer::{Replay, Simulation};
/// use throng::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.throng");
/// let mut sink = Recorder::create(&path, &About::default())?;
/// for tick in 0..50 {
///     sink.frame(&Frame { tick, ..Frame::default() })?;
/// }
/// Box::new(sink).finish()?;
///
/// let mut replay = Replay::new(Recording::open(&path)?, 10, 49)?;
/// replay.go_to(30)?;
/// replay.tick()?;
/// let mut frame = Frame::default();
/// replay.frame(&mut frame);
/// assert_eq!((frame.tick, replay.span()), (31, Some([10, 49])));
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    /// Numbers of the first and the last frame.
    ends: [usize; 2],
    /// Number of the frame that is shown.
    at: usize,
    frame: Frame,
}

impl Replay {
    /// Shows the frames from `first` to `last`.
    ///
    /// # Errors
    /// Where the first frame cannot be read.
    pub fn new(recording: Recording, first: usize, last: usize) -> Result<Self, RecordingError> {
        let mut replay = Self { recording, ends: [first, last], at: first, frame: Frame::default() };
        replay.jump(first)?;
        Ok(replay)
    }

    fn jump(&mut self, frame: usize) -> Result<(), RecordingError> {
        self.recording.moment(frame, &mut self.frame)?;
        self.at = frame;
        Ok(())
    }
}

impl Simulation for Replay {
    fn tick(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.at < self.ends[1] {
            self.at += 1;
            self.recording.frame(self.at, &mut self.frame)?;
        }
        Ok(())
    }

    fn frame(&self, frame: &mut Frame) {
        frame.clone_from(&self.frame);
    }

    fn span(&self) -> Option<[u64; 2]> {
        Some(self.ends.map(|frame| self.recording.tick(frame)))
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
        let [first, last] = self.ends;
        Ok(self.jump(self.recording.frame_of(tick).clamp(first, last))?)
    }
}
