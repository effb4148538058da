//! Where the frames of a run go.

use super::RecordError;
use std::path::PathBuf;
use throng_sim::world::Frame;

/// A record of a run that becomes a file.
///
/// It is shown the state before the first tick and the state after each, or after every n-th, as the caller chooses.
/// Nothing appears under the file's name before [`Sink::finish`], and a sink that is dropped before leaves nothing
/// behind. The exception is a [`Recorder`](super::Recorder): its frames are kept however the run ends.
pub trait Sink: std::fmt::Debug {
    /// Takes in the state after a tick.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be written.
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError>;

    /// Ends the record, gives the file its name and returns it.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be written.
    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError>;

    /// The state by which a later run [goes on](Sink::go_on) with the file after the frames so far, to be kept with the
    /// [snapshot](throng_sim::world::World::save_with_notes) of the world. Empty where that kind of record cannot go on.
    fn state(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// Goes on with the file of the same name that an earlier run has left: takes over what it holds up to `tick`, of which
    /// `state` is the [`Sink::state`]. Call it before the first frame, and show it the frames after that tick: the file becomes
    /// that of a run in one piece, byte for byte. False where there is no such file, or where that kind of record cannot go on.
    ///
    /// O(file), and no more memory than a frame takes.
    ///
    /// # Errors
    /// [`RecordError::GoOn`] where the file is not that of the same run up to that tick; it stays as it is.
    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        let _ = (tick, state);
        Ok(false)
    }
}
