//! The map as one kind of unit sees it.

use super::sight::ClosedBefore;
use super::{Cell, DIAGONAL, Direction, Grid, Lattice, Layer, clearance};
use std::sync::{Arc, OnceLock};

/// A ground that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// A route on this map could cost more than a node of a search can hold.
    #[error(
        "this map is too winding: a route of {steps} steps is possible, the limit is {limit}; \
         split the map or use larger cells"
    )]
    Winding {
        /// The most steps a shortest route may have.
        steps: u64,
        /// The most that can be held.
        limit: u64,
    },
}

/// The map as one kind of unit sees it: which steps are legal, and which cells hang together.
///
/// A step goes to one of the eight neighbours; a diagonal one is legal only where both cells beside it are open too,
/// so that no corner is cut. A unit wider than a cell may only stand where its whole body is clear of walls.
///
/// Grounds are immutable and shared by all searches. Making one costs O(cells).
///
/// ```
/// use std::sync::Arc;
/// use throng::grid::{Grid, Ground, Lattice};
/// let grid = Arc::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?));
/// let ground = Ground::new(grid, 0.4)?;
/// let corner = ground.lattice().cell(0, 0);
/// assert_eq!(ground.moves(corner).count_ones(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ground {
    grid: Arc<Grid>,
    radius: f32,
    moves: Layer<u8>,
    regions: Layer<u32>,
    region_count: u32,
    /// Made by the first that looks along lines.
    closed_before: OnceLock<ClosedBefore>,
}

impl Ground {
    /// The ground for units of `radius` metres on `grid`.
    ///
    /// # Errors
    /// [`GroundError::Winding`] where the cost of a shortest route might not fit a node.
    pub fn new(grid: Arc<Grid>, radius: f32) -> Result<Self, GroundError> {
        let lattice = grid.lattice();
        let passable = passable(&grid, radius);
        let moves = legal_moves(&passable);
        let (regions, region_count, depth) = regions(lattice, &passable, &moves);
        // Two cells of a region are at most two depths apart, and no step costs more than a diagonal one. A search
        // never looks at a node more than three diagonal steps beyond the goal's cost.
        let steps = 2 * u64::from(depth);
        let limit = u64::from(u32::MAX) / u64::from(DIAGONAL) - 3;
        if steps > limit {
            return Err(GroundError::Winding { steps, limit });
        }
        Ok(Self { grid, radius, moves, regions, region_count, closed_before: OnceLock::new() })
    }

    /// The map this ground was made from.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The geometry.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        self.moves.lattice
    }

    /// Radius (m) of the units this ground was made for.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The legal steps from a cell: bit `d` is set where [`Direction`] `d` is legal.
    #[inline]
    pub fn moves(&self, cell: Cell) -> u8 {
        self.moves[cell]
    }

    /// The mask of legal steps of every cell.
    pub fn moves_layer(&self) -> &Layer<u8> {
        &self.moves
    }

    /// True where a unit of this ground's radius may stand on the cell's centre.
    #[inline]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.regions[cell] != 0
    }

    /// The region of a cell: two cells are joined by a route exactly where their regions are equal and not 0, the
    /// region of closed cells.
    #[inline]
    pub fn region(&self, cell: Cell) -> u32 {
        self.regions[cell]
    }

    /// Where there is no wall in a box; made on the first call, O(cells), 4 bytes a cell.
    pub(super) fn closed_before(&self) -> &ClosedBefore {
        self.closed_before.get_or_init(|| ClosedBefore::new(self))
    }

    /// How many regions there are.
    pub fn region_count(&self) -> u32 {
        self.region_count
    }

    /// The passable cell whose centre is nearest to a point (m), ties by the smaller cell.
    pub fn nearest_passable(&self, point: crate::geom::Vec2) -> Option<Cell> {
        self.grid.nearest(point, |cell| self.is_passable(cell))
    }
}

/// Where the body of a unit of `radius` metres is clear of every wall while it stands on a cell's centre.
fn passable(grid: &Grid, radius: f32) -> Layer<bool> {
    let lattice = grid.lattice();
    let mut passable = Layer::new(lattice, false);
    let wide = radius > lattice.cell_size * 0.5;
    let clearance = wide.then(|| clearance::clearance(grid));
    for cell in lattice.cells() {
        passable[cell] = match &clearance {
            Some(clearance) => clearance[cell] >= radius,
            None => grid.is_open(cell),
        };
    }
    passable
}

/// Bit `d` of a cell is set where the step in direction `d` is legal.
fn legal_moves(passable: &Layer<bool>) -> Layer<u8> {
    let lattice = passable.lattice;
    let offsets = lattice.offsets();
    let mut moves = Layer::new(lattice, 0_u8);
    for cell in lattice.cells() {
        if !passable[cell] {
            continue;
        }
        let free = |d: Direction| passable.cells[cell.index().wrapping_add_signed(offsets[d as usize] as isize)];
        let mut mask = 0;
        for d in Direction::ALL {
            let beside = match d {
                Direction::NorthEast => free(Direction::North) && free(Direction::East),
                Direction::SouthEast => free(Direction::South) && free(Direction::East),
                Direction::SouthWest => free(Direction::South) && free(Direction::West),
                Direction::NorthWest => free(Direction::North) && free(Direction::West),
                _ => true,
            };
            mask |= u8::from(beside && free(d)) << d as u8;
        }
        moves[cell] = mask;
    }
    moves
}

/// Labels the regions from 1 by breadth-first search in the order of the cells; returns the labels, how many there
/// are, and the greatest number of steps from the first cell of a region to another of its cells.
fn regions(lattice: Lattice, passable: &Layer<bool>, moves: &Layer<u8>) -> (Layer<u32>, u32, u32) {
    let offsets = lattice.offsets();
    let mut labels = Layer::new(lattice, 0_u32);
    let (mut count, mut deepest) = (0, 0);
    let (mut wave, mut next) = (Vec::new(), Vec::new());
    for start in lattice.cells() {
        if !passable[start] || labels[start] != 0 {
            continue;
        }
        count += 1;
        labels[start] = count;
        wave.push(start);
        let mut depth = 0;
        while !wave.is_empty() {
            for cell in wave.drain(..) {
                let mut mask = moves[cell];
                while mask != 0 {
                    let d = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let to = Cell(cell.0.wrapping_add_signed(offsets[d]));
                    if labels[to] == 0 {
                        labels[to] = count;
                        next.push(to);
                    }
                }
            }
            std::mem::swap(&mut wave, &mut next);
            depth += 1;
        }
        deepest = deepest.max(depth);
    }
    (labels, count, deepest)
}
