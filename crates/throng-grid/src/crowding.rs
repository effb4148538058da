//! How crowded it is where.

use super::{Cell, Grid, Lattice, Layer};
use crate::geom::Vec2;
use std::sync::Arc;

/// Blocks have at least this side (m): as wide as a queue before a gate, so that a few bodies more or less are no jam.
const MIN_BLOCK_SIDE_M: f32 = 4.0;

/// A count of the crowd: how full of bodies the blocks of a map are.
///
/// A block is a square of cells, a power of two of them on a side, of at least 4 m. It is full where the squares around its
/// bodies cover its open cells. The count is in whole square centimetres, so that the order of the bodies cannot matter.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Crowding, Grid, Lattice};
/// let grid = Grid::open_plain(Lattice::new(16, 16, 1.0)?);
/// let crowding = Crowding::new(&grid)?.counted([(Vec2::new(1.0, 1.0), 1.0), (Vec2::new(3.0, 2.0), 1.0)]);
/// // Two bodies of 2 m x 2 m on a block of 4 m x 4 m.
/// assert_eq!(crowding.fullness(grid.lattice().cell(3, 3)), 127);
/// assert_eq!(crowding.fullness(grid.lattice().cell(4, 3)), 0);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Crowding {
    /// The geometry of the map.
    lattice: Lattice,
    /// The side of a block is 2 to the power of this (cells).
    shift: u32,
    /// The open ground of each block (cm²).
    room: Arc<Layer<u64>>,
    /// 255 = full.
    fullness: Layer<u8>,
}

impl Crowding {
    /// An empty map: no agent anywhere. O(cells).
    ///
    /// # Errors
    /// Where the blocks of the map are larger than a lattice may have them.
    pub fn new(grid: &Grid) -> Result<Self, super::LatticeError> {
        let lattice = grid.lattice();
        let side = (MIN_BLOCK_SIDE_M / lattice.cell_size).ceil().clamp(1.0, Lattice::MAX_SIDE as f32) as u32;
        let shift = side.next_power_of_two().trailing_zeros();
        let blocks = |cells: u32| cells.div_ceil(1 << shift);
        let side = lattice.cell_size * (1_u32 << shift) as f32;
        let coarse = Lattice::new(blocks(lattice.width), blocks(lattice.height), side)?;
        let mut room = Layer::new(coarse, 0);
        let cell_room = area(lattice.cell_size);
        for cell in lattice.cells().filter(|&cell| grid.is_open(cell)) {
            room[block(lattice, coarse, shift, cell)] += cell_room;
        }
        Ok(Self { lattice, shift, room: Arc::new(room), fullness: Layer::new(coarse, 0) })
    }

    /// The same map with these bodies: where they are and their radii (m). O(n + blocks).
    #[must_use]
    pub fn counted(&self, bodies: impl IntoIterator<Item = (Vec2, f32)>) -> Self {
        let coarse = self.fullness.lattice;
        let mut taken = Layer::new(coarse, 0_u64);
        for (at, radius) in bodies {
            taken[self.block(self.lattice.at(at))] += area(2.0 * radius);
        }
        let mut fullness = Layer::new(coarse, 0);
        for block in coarse.cells().filter(|&block| taken[block] > 0) {
            fullness[block] = (255 * taken[block]).checked_div(self.room[block]).unwrap_or(255).min(255) as u8;
        }
        Self { lattice: self.lattice, shift: self.shift, room: Arc::clone(&self.room), fullness }
    }

    /// How full the block of a cell is, 255 where bodies take all of its open ground.
    #[inline]
    pub fn fullness(&self, cell: Cell) -> u8 {
        self.fullness[self.block(cell)]
    }

    /// The cells of the blocks that are not as full as in another count of this map.
    pub fn changed<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Cell> + 'a {
        self.lattice.cells().filter(|&cell| self.fullness(cell) != other.fullness(cell))
    }

    /// The stored state: how full each block is.
    pub fn blocks(&self) -> &[u8] {
        &self.fullness.cells
    }

    /// The count of which this was stored; `None` where it was of another map.
    pub fn with_blocks(mut self, blocks: &[u8]) -> Option<Self> {
        if blocks.len() != self.fullness.cells.len() {
            return None;
        }
        self.fullness.cells.copy_from_slice(blocks);
        Some(self)
    }

    #[inline]
    fn block(&self, cell: Cell) -> Cell {
        block(self.lattice, self.fullness.lattice, self.shift, cell)
    }
}

#[inline]
fn block(lattice: Lattice, coarse: Lattice, shift: u32, cell: Cell) -> Cell {
    let (x, y) = lattice.column_row(cell);
    coarse.cell(x >> shift, y >> shift)
}

/// A square's area (cm²) by its side (m), which counts as a kilometre at most: so all of a crowd fits into a sum.
fn area(side: f32) -> u64 {
    let side = (100.0 * side).round().min(1e5) as u64;
    side * side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_gate_is_full_sooner_than_a_square() {
        let mut grid = Grid::open_plain(Lattice::new(20, 10, 0.5).unwrap());
        let lattice = grid.lattice();
        for y in 0..8 {
            (0..8).filter(|&x| x != 4).for_each(|x| grid.set_open(lattice.cell(x, y), false));
        }
        let bodies = [(Vec2::new(2.2, 1.0), 0.25), (Vec2::new(2.2, 2.0), 0.25), (Vec2::new(6.0, 2.0), 0.25)];
        let crowding = Crowding::new(&grid).unwrap().counted(bodies);
        let fullness = |x, y| crowding.fullness(lattice.cell(x, y));
        assert_eq!((fullness(0, 0), fullness(7, 7), fullness(8, 0), fullness(19, 9)), (63, 63, 3, 0));
        assert_eq!(crowding, Crowding::new(&grid).unwrap().counted(bodies.into_iter().rev()));
        let empty = Crowding::new(&grid).unwrap();
        assert_eq!(crowding.changed(&empty).count(), 2 * 64);
        let packed = empty.counted((0..100).map(|i| (Vec2::new(4.5 + 0.03 * i as f32, 1.0), 0.4)));
        assert_eq!(packed.fullness(lattice.cell(12, 3)), 255);
        let large = empty.counted([(Vec2::new(6.0, 2.0), 0.75)]);
        assert_eq!(large.fullness(lattice.cell(12, 3)), 35, "2.25 of 16 m²");
    }

    #[test]
    fn a_stored_count_is_read_again_on_its_own_map_alone() {
        let grid = |width| Grid::open_plain(Lattice::new(width, 10, 0.5).unwrap());
        let empty = Crowding::new(&grid(20)).unwrap();
        let crowding = empty.counted([(Vec2::new(2.2, 1.0), 1.0)]);
        assert_eq!(empty.with_blocks(crowding.blocks()), Some(crowding.clone()));
        assert_eq!(Crowding::new(&grid(60)).unwrap().with_blocks(crowding.blocks()), None);
    }

    #[test]
    fn cells_and_bodies_may_be_of_any_size() {
        let grid = Grid::open_plain(Lattice::new(3, 3, 1e30).unwrap());
        let crowding = Crowding::new(&grid).unwrap().counted([(Vec2::ZERO, 1e20)]);
        assert_eq!(crowding.fullness(grid.lattice().cell(0, 0)), 255);
        assert_eq!(crowding.fullness(grid.lattice().cell(1, 1)), 0);
    }
}
