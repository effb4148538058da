//! The world model: cells, layers over them, and the map.
//!
//! A [`Grid`] says which cells are open, and of what terrain. A [`Ground`] is the grid as one kind of unit sees it: which
//! steps are legal, what they cost, which regions hang together. Planners search a ground; everything that moves is kept out of the closed cells by
//! the functions of `walls`.

mod area;
pub mod clearance;
pub(crate) mod cost;
mod crowding;
mod error;
mod files;
pub mod generate;
mod graph;
mod ground;
mod lattice;
mod layer;
mod links;
mod open;
mod outline;
mod regions;
mod sight;
mod skyline;
mod slope;
mod steps;
mod terrain;
pub mod walls;

pub use area::Area;
pub use cost::{Cost, DIAGONAL, STRAIGHT};
pub use crowding::Crowding;
pub use error::MapError;
pub use files::{Colours, MapFile, MapFormat, MapLoss, MapOptions, Polygons, Problem, Scen};
pub use graph::{GridGraph, Step};
pub use ground::{Ground, GroundError, Mobility};
pub use lattice::{Cell, Lattice, LatticeError};
pub use layer::Layer;
pub use links::{Link, Links};
pub(crate) use open::SavedGrid;
pub use open::{Edit, Grid};
pub(crate) use outline::Outlines;
pub use sight::Sight;
pub use skyline::{Landing, Skyline};
pub use slope::{STEEPEST, pace};
pub use steps::{Corners, Steps};
pub use terrain::{PLAIN, SWAMP, TerrainCosts, WATER};

/// The eight directions of a step, in the order of the bits of a mask of legal moves.
///
/// ```
/// use throng::grid::Direction;
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
