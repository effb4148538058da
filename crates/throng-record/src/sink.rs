//! Where the frames of a run go.

use super::RecordError;
use std::path::PathBuf;
use throng_sim::world::Frame;

/// A record of a run that becomes a file.
///
/// It is shown the state before the first tick and the state after each, or after every n-th, as the caller chooses.
/// Nothing appears under the file's name before [`Sink::finish`], and a sink that is dropped before leaves nothing
/// behind. The exception is a [`Recorder`](super::Recorder): its file is kept however the run ends.
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
}
