//! Errors of an experiment.

use super::CrowdKind;
use std::io;
use std::path::PathBuf;
use throng_grid::LatticeError;
use throng_sim::world::WorldError;
use throng_spatial::SpatialError;

/// An experiment that cannot be made or written.
///
/// ```
/// use throng_lab::experiment::CrowdKind;
/// let error = "ring".parse::<CrowdKind>().unwrap_err().to_string();
/// assert!(error.starts_with("unknown scene \"ring\"; known are circle, armies"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// No scene has this name.
    #[error("unknown scene {found:?}; known are {known}")]
    UnknownScene {
        /// The name.
        found: String,
        /// All names.
        known: String,
    },
    /// Too few agents for a crowd, or more than there is room for.
    #[error("the scene {scene} cannot have {found} agents; choose from 8 to {most}")]
    Agents {
        /// The scene.
        scene: CrowdKind,
        /// The number.
        found: usize,
        /// The most that it has room for.
        most: usize,
    },
    /// The world refuses the scene.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The map of the scene cannot be made.
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    /// A position is not finite.
    #[error(transparent)]
    Spatial(#[from] SpatialError),
    /// The system would not let us write the file.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// The plotting library would not draw.
    #[error("the plot cannot be drawn: {message}")]
    Plot {
        /// The message of the library.
        message: String,
    },
}
