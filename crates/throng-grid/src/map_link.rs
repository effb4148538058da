//! Links as files name them: from point to point, in seconds.

use crate::geom::Vec2;
use crate::{Cell, Lattice};

/// A way from one point of a map to another that is no step: a door, a jump, a drop, a ferry.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Lattice, MapLink};
/// let jump = MapLink { both_ways: true, ..MapLink::new(Vec2::new(1.5, 2.5), Vec2::new(6.5, 2.5), 0.8) };
/// let lattice = Lattice::new(8, 8, 1.0)?;
/// assert_eq!(jump.cells(lattice), Some((lattice.cell(1, 2), lattice.cell(6, 2))));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapLink {
    /// Name; empty where it has none.
    pub name: String,
    /// Where it starts (m).
    pub from: Vec2,
    /// Where it ends (m).
    pub to: Vec2,
    /// How long one takes to cross it (s).
    pub seconds: f32,
    /// Whether it leads back too.
    pub both_ways: bool,
    /// False while it cannot be used, as a door that is shut.
    pub is_open: bool,
}

impl MapLink {
    /// The least and the most that crossing takes (s).
    pub const SECONDS: (f32, f32) = (0.01, 10_000.0);

    /// An open link without a name that leads one way.
    pub fn new(from: Vec2, to: Vec2, seconds: f32) -> Self {
        Self { name: String::new(), from, to, seconds, both_ways: false, is_open: true }
    }

    /// The cells in which it starts and ends; `None` where one is off the map, or both are one.
    pub fn cells(&self, lattice: Lattice) -> Option<(Cell, Cell)> {
        let (from, to) = (lattice.at(self.from), lattice.at(self.to));
        (lattice.covers(self.from) && lattice.covers(self.to) && from != to).then_some((from, to))
    }

    /// The same link on a map whose cells are `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        Self { from: self.from * factor, to: self.to * factor, ..self }
    }
}
