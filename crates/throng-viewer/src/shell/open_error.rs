//! Why a file cannot be shown.

use std::error::Error;
use std::path::PathBuf;
use throng_grid::MapError;
use throng_record::RecordingError;
use throng_scenario::{NewBattleError, ScenarioError};

/// Why a window cannot show a file that was dropped on it, chosen or made for a new battle. Every message is in words for the user.
///
/// ```
/// use throng_viewer::OpenError;
/// let error = OpenError::Nothing { file: "a.throng".into(), missing: "frames" };
/// assert_eq!(error.to_string(), "a.throng: has no frames to show");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A scenario that cannot be read or built.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A map that cannot be read.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A recording that cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A new battle that cannot be made.
    #[error(transparent)]
    NewBattle(#[from] NewBattleError),
    /// A recording without something that a window needs.
    #[error("{}: has no {missing} to show", .file.display())]
    Nothing {
        /// The file.
        file: PathBuf,
        /// "frames" or "map".
        missing: &'static str,
    },
    /// The thread that read it is gone.
    #[error("{}: reading it has failed", .file.display())]
    Failed {
        /// The file.
        file: PathBuf,
    },
    /// An error of an [`Opener`](crate::Opener) from outside.
    #[error(transparent)]
    Other(#[from] Box<dyn Error + Send + Sync>),
}
