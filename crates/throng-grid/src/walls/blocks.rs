//! The walls around a place, as a few boxes.

use super::{closed_near, free_radius, square};
use crate::geom::Vec2;
use crate::{Grid, Lattice, Layer};
use std::ops::ControlFlow;

/// An axis-aligned piece of wall: closed cells side by side, or the ground beyond an edge of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Block {
    /// Lower corner (m).
    pub low: Vec2,
    /// Upper corner (m).
    pub high: Vec2,
    /// Squared distance from the place that was asked for (m²).
    squared: f32,
}

/// The walls around a place: closed cells gathered into boxes, the nearest first. Room to be used again and again.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance, walls::Blocks};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
/// for x in 2..7 {
///     grid.set_open(grid.lattice().cell(x, 2), false);
/// }
/// let mut blocks = Blocks::default();
/// blocks.find(&grid, &clearance(&grid), Vec2::new(4.5, 4.0), 2.0);
/// let [wall] = blocks.all() else { panic!("{blocks:?}") };
/// assert_eq!((wall.low.y, wall.high.y), (2.0, 3.0), "five cells in a row are one box");
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: [Block; Blocks::MAX_BOXES],
    len: usize,
}

impl Default for Blocks {
    fn default() -> Self {
        Self { blocks: [Block::default(); Self::MAX_BOXES], len: 0 }
    }
}

impl Blocks {
    /// The most boxes that are kept: the nearest ones.
    pub const MAX_BOXES: usize = 24;

    /// Finds the walls nearer than `reach` (m) to a place; true where there are any. `clearance` must be that of `grid`
    /// ([`clearance`](crate::clearance::clearance)).
    ///
    /// Boxes end where they are out of reach along both axes. Constant time far from walls; else O(cells within reach).
    #[inline]
    pub fn find(&mut self, grid: &Grid, clearance: &Layer<f32>, place: Vec2, reach: f32) -> bool {
        self.len = 0;
        if free_radius(clearance, place) < reach && place.is_finite() {
            self.gather(grid, place, reach);
        }
        self.len > 0
    }

    /// Those found, the nearest first.
    pub fn all(&self) -> &[Block] {
        &self.blocks[..self.len]
    }

    fn gather(&mut self, grid: &Grid, place: Vec2, reach: f32) {
        let lattice = grid.lattice();
        // First column, column beyond the last, row; no run yet.
        let mut run = (0, 0, 0);
        let _ = closed_near(grid, place, place, reach, |column, row| {
            if (column, row) == (run.1, run.2) {
                run.1 += 1;
            } else {
                self.take(lattice, run, place);
                run = (column, column + 1, row);
            }
            ControlFlow::Continue(())
        });
        self.take(lattice, run, place);
        // Beyond the edges of the map.
        let (size, far) = (lattice.size(), Vec2::splat(2.0 * reach));
        let (low, high) = (place - far, place + far);
        if low.x < 0.0 {
            self.keep(low, Vec2::new(0.0, high.y), place);
        }
        if low.y < 0.0 {
            self.keep(low, Vec2::new(high.x, 0.0), place);
        }
        if high.x > size.x {
            self.keep(Vec2::new(size.x, low.y), high, place);
        }
        if high.y > size.y {
            self.keep(Vec2::new(low.x, size.y), high, place);
        }
        self.blocks[..self.len].sort_by(|a, b| a.squared.total_cmp(&b.squared));
        self.len = self.all().partition_point(|block| block.squared < reach * reach);
    }

    /// Takes in a run of closed cells: on to the box above it if that is as wide.
    fn take(&mut self, lattice: Lattice, (left, right, row): (u32, u32, u32), place: Vec2) {
        if left == right {
            return;
        }
        let low = square(lattice, left, row).0;
        let high = square(lattice, right - 1, row).1;
        let above = |block: &&mut Block| block.low.x == low.x && block.high.x == high.x && block.high.y == low.y;
        if let Some(block) = self.blocks[..self.len].iter_mut().find(above) {
            block.high.y = high.y;
            block.squared = block.squared.min(place.distance_squared(place.max(low).min(high)));
            return;
        }
        self.keep(low, high, place);
    }

    fn keep(&mut self, low: Vec2, high: Vec2, place: Vec2) {
        let block = Block { low, high, squared: place.distance_squared(place.max(low).min(high)) };
        if self.len < Self::MAX_BOXES {
            self.blocks[self.len] = block;
            self.len += 1;
        } else if let Some(far) = self.blocks.iter_mut().max_by(|a, b| a.squared.total_cmp(&b.squared))
            && far.squared > block.squared
        {
            *far = block;
        }
    }
}
