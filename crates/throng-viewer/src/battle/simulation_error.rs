//! Why a simulation cannot do what the window asks of it.

use std::error::Error;
use throng_record::RecordingError;
use throng_sim::world::WorldError;

/// Why a [`Simulation`](crate::Simulation) cannot go on, go back or be changed. Every message is in words for the user.
///
/// ```
/// use throng_viewer::SimulationError;
/// assert_eq!(SimulationError::ReadOnly.to_string(), "a recording cannot be changed");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The world refuses it.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The next frame of a recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// Frames of a recording that cannot be read.
    #[error("{ticks} cannot be read: {source}")]
    Unreadable {
        /// The ticks, in words.
        ticks: String,
        /// The error.
        source: RecordingError,
    },
    /// The rest of a recording cannot be read.
    #[error("{ticks} cannot be read, and nothing follows: {source}")]
    Ends {
        /// The ticks, in words.
        ticks: String,
        /// The error of the first of them.
        source: Box<SimulationError>,
    },
    /// It takes no commands.
    #[error("a recording cannot be changed")]
    ReadOnly,
    /// It takes no snapshots.
    #[error("it goes back to no snapshot")]
    NoSnapshots,
    /// An error of a simulation from outside.
    #[error(transparent)]
    Other(#[from] Box<dyn Error + Send + Sync>),
}
