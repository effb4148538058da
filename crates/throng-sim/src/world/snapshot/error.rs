//! Errors of snapshots.

use crate::world::WorldError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::PathBuf;
use throng_grid::Grid;

/// Tells maps apart: their sizes, and a checksum of their cells.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::MapMark;
/// let mut grid = Grid::open_plain(Lattice::new(64, 32, 1.0)?);
/// let plain = MapMark::of(&grid);
/// grid.set_open(grid.lattice().cell(3, 3), false);
/// assert_ne!(MapMark::of(&grid), plain);
/// assert!(plain.to_string().starts_with("64 x 32 cells with the checksum "));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MapMark {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Checksum (CRC-32) of the geometry, the walls and the terrain.
    pub checksum: u32,
}

impl MapMark {
    /// The mark of a map. O(cells).
    pub fn of(grid: &Grid) -> Self {
        let lattice = grid.lattice();
        Self { width: lattice.width, height: lattice.height, checksum: grid.checksum() }
    }
}

impl fmt::Display for MapMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x {} cells with the checksum {:08x}", self.width, self.height, self.checksum)
    }
}

/// A snapshot that cannot be written, or that a world cannot be made of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The system would not let us read the file.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The system would not let us write the file.
    #[error("{}: the snapshot cannot be written: {source}; one that was there before is as it was", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file of another program.
    #[error(
        "{}: is no snapshot of throng: it begins with \"{}\", expected \"{}\"; name a file that throng run --snapshot wrote",
        file.display(), found.escape_ascii(), expected.escape_ascii()
    )]
    Foreign {
        /// The file.
        file: PathBuf,
        /// Its first bytes.
        found: Vec<u8>,
        /// The first bytes of a snapshot.
        expected: &'static [u8],
    },
    /// A snapshot in another format.
    #[error(
        "{}: is a snapshot of format {found}, written by throng {program}; this throng {} reads format {expected}: go on \
         with the throng that wrote it, or start anew",
        file.display(), env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The version of the program that wrote it.
        program: String,
        /// The format that is read.
        expected: u32,
    },
    /// A part of a file, or more than one.
    #[error("{}: has {found} bytes, expected {expected}: it was cut short or added to; copy it again", file.display())]
    Length {
        /// The file.
        file: PathBuf,
        /// Bytes that there are.
        found: u64,
        /// Bytes that there should be.
        expected: u64,
    },
    /// Some bytes differ from the written ones.
    #[error(
        "{}: is damaged: its checksum is {found:08x}, expected {expected:08x}; copy it again, or go on from another",
        file.display()
    )]
    Checksum {
        /// The file.
        file: PathBuf,
        /// Of the bytes that there are.
        found: u32,
        /// Checksum of the written bytes.
        expected: u32,
    },
    /// The bytes are as they were written, and are no world.
    #[error("{}: is no world, though its checksum is right: {what}; go on from another", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// A message about the part that does not fit.
        what: String,
    },
    /// Another map than the one it is to go on with.
    #[error(
        "{}: was made with another map: {found}, expected {expected}; go on with the map it was made with",
        file.display()
    )]
    Map {
        /// The file.
        file: PathBuf,
        /// The map it was made with, before any edit.
        found: MapMark,
        /// The map it is to go on with.
        expected: MapMark,
    },
    /// The world found neighbours by an index from outside, and none is given to go on with.
    #[error(
        "{}: was made with the index {name:?}, which is not one of throng's; go on with it, or with another index: results do not \
         depend on it",
        file.display()
    )]
    Index {
        /// The file.
        file: PathBuf,
        /// The name of the index.
        name: String,
    },
    /// Agents avoided each other by a model from outside, and that is not given to go on with.
    #[error("{}: was made with the model of avoidance {name:?}, which is not one of throng's; go on with it", file.display())]
    Model {
        /// The file.
        file: PathBuf,
        /// The name of the model.
        name: String,
    },
    /// The world had another stage of the caller's own than is given to go on with, or none.
    #[error(
        "{}: was made with {}, and goes on with the same; set Resume::stage", file.display(),
        .name.as_ref().map_or("no stage of one's own".to_owned(), |name| format!("the stage {name:?}, which is not one of throng's"))
    )]
    Stage {
        /// The file.
        file: PathBuf,
        /// The name of its stage.
        name: Option<String>,
    },
    /// The world would not be made.
    #[error("{}: no world can be made of it: {source}", file.display())]
    World {
        /// The file.
        file: PathBuf,
        /// Why.
        source: WorldError,
    },
}

/// A world that cannot be made of its pieces.
#[derive(Debug)]
pub(super) enum Failure {
    /// They do not fit together.
    Content(String),
    /// It would not be made.
    World(WorldError),
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        Self::World(error)
    }
}
