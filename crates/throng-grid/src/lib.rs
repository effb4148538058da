//! Grid maps of open and closed cells, with their terrain, heights, clearance and lines of sight.
//!
//! - A [`Lattice`] is the geometry: rows and columns of square [`Cell`]s, y down, distances in metres. A [`Layer`] holds
//!   one value a cell.
//! - A [`Grid`] is the map: it says which cells are open, and of what terrain and height. [`Grid::edit`] changes it,
//!   [`Grid::load`] reads it from a file, and [`generate`](mod@generate) makes one of a seed.
//! - A [`Ground`] is the grid as one size of body sees it: which steps are legal, what they cost, and which cells hang
//!   together. [`Mobility`] says how that body moves. Planners search a ground.
//! - [`Grid::clearance`] is the distance from each cell to the nearest wall. [`LineOfSight`] tells which cells see each other,
//!   and a [`HeightField`] where a projectile comes down.
//! - The functions of [`walls`] keep round bodies out of closed cells, and [`geom`] has vectors and angles.
//!
//! ```
//! use throng_grid::{Grid, Ground, Lattice, LineOfSight};
//!
//! // A yard of 20 m x 10 m in cells of 0.5 m. A wall comes down from its upper side and leaves 2 m open.
//! let mut grid = Grid::open_plain(Lattice::new(40, 20, 0.5)?);
//! let lattice = grid.lattice();
//! for y in 0..16 {
//!     grid.set_open(lattice.cell(20, y), false);
//! }
//! let (west, east) = (lattice.cell(14, 10), lattice.cell(30, 10));
//! assert_eq!(grid.clearance()[west], 2.75, "metres to the wall");
//!
//! // The same map as bodies of two radii see it.
//! for (name, radius) in [("person", 0.4), ("wagon", 1.5)] {
//!     let ground = Ground::new(grid.clone().into(), radius)?;
//!     let gets_across = ground.region(west) == ground.region(east);
//!     let sees_across = LineOfSight::new(&ground).sees(west, east);
//!     println!("{name}: a route to the east: {gets_across}, a straight line: {sees_across}");
//!     assert_eq!((gets_across, sees_across), (name == "person", false));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `generators` | yes | maps made of a seed: the module `generate` |
//! | `save` | yes | maps written to files, whole or not at all: `Grid::save_map`, `Grid::save_ascii` |
//! | `formats` | | all of the next three, and `MapFormat` to choose one by the ending of a name |
//! | `images` | | PNG, BMP, GIF, JPEG, WebP and PGM pictures as maps, those of robots too; tables of the meaning of colours |
//! | `polygons` | | floor plans: WKT and `GeoJSON` polygons |
//! | `tiled` | | maps made with the Tiled editor |
//! | `petgraph` | | a ground as a graph of the `petgraph` crate: `GridGraph` |
//! | `serde` | | serde's traits for the types that are stored; `SavedGrid` stores a whole grid |
//!
//! Moving AI maps (`.map`) and text maps (`.txt`) are read without any feature.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod geom;
#[cfg(feature = "save")]
pub mod whole_file;

mod area;
pub mod clearance;
mod closed_before;
mod cost;
mod crowding;
mod error;
mod files;
#[cfg(feature = "generators")]
pub mod generate;
#[cfg(feature = "petgraph")]
mod graph;
mod ground;
mod height_field;
mod lattice;
mod layer;
mod line_of_sight;
mod links;
mod map_link;
mod map_warning;
mod open;
mod outline;
#[cfg(feature = "petgraph")]
mod place;
mod reach;
mod regions;
mod slope;
mod steps;
mod survey;
mod terrain;
pub mod walls;

pub use area::Area;
pub use cost::{Cost, DIAGONAL, STRAIGHT, line_cost};
pub use crowding::Crowding;
pub use error::MapError;
#[cfg(feature = "images")]
pub use files::Colours;
#[cfg(feature = "polygons")]
pub use files::Polygons;
pub use files::{MapFile, MapOptions, Problem, Scen};
#[cfg(feature = "formats")]
pub use files::{MapFormat, MapLoss};
#[cfg(feature = "petgraph")]
pub use graph::{GridGraph, Step};
pub use ground::{Ground, GroundError, Mobility};
pub use height_field::{HeightField, Landing};
pub use lattice::{Cell, Lattice, LatticeError};
pub use layer::Layer;
pub use line_of_sight::LineOfSight;
pub use links::{Link, Links};
pub use map_link::MapLink;
pub use map_warning::MapWarning;
#[cfg(feature = "serde")]
pub use open::SavedGrid;
pub use open::{Edit, Grid};
pub use outline::Outlines;
#[cfg(feature = "petgraph")]
pub use place::{Located, Position, Positions};
pub use slope::{STEEPEST, pace};
pub use steps::{Corners, Steps};
pub use survey::Survey;
pub use terrain::{PLAIN, SWAMP, TerrainCosts, WATER};

/// The eight directions of a step, in the order of the bits of a mask of legal moves.
///
/// ```
/// use throng_grid::Direction;
/// assert_eq!(Direction::ALL[Direction::SouthEast as usize].step(), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Up.
    North,
    /// Right.
    East,
    /// Down.
    South,
    /// Left.
    West,
    /// Up and right.
    NorthEast,
    /// Down and right.
    SouthEast,
    /// Down and left.
    SouthWest,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// All eight, in order.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::East,
        Direction::South,
        Direction::West,
        Direction::NorthEast,
        Direction::SouthEast,
        Direction::SouthWest,
        Direction::NorthWest,
    ];

    /// Change of column and row.
    pub const fn step(self) -> (i32, i32) {
        [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)][self as usize]
    }

    /// True for the four that change column and row.
    pub fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }
}
