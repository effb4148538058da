//! Which cells are open.

use super::{Cell, Lattice};
use crate::geom::Vec2;

/// The map: one bit a cell, set where the cell is open. The padding is closed.
///
/// ```
/// use throng::grid::{Grid, Lattice};
/// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let wall = grid.lattice().cell(3, 3);
/// grid.set_open(wall, false);
/// assert!(!grid.is_open(wall));
/// assert_eq!(grid.open_cells(), 63);
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    lattice: Lattice,
    open: Box<[u64]>,
}

impl Grid {
    /// A map without an open cell.
    pub fn closed(lattice: Lattice) -> Self {
        Self { lattice, open: vec![0; lattice.len().div_ceil(64)].into_boxed_slice() }
    }

    /// A map on which every cell is open.
    pub fn open_plain(lattice: Lattice) -> Self {
        let mut grid = Self::closed(lattice);
        for cell in lattice.cells() {
            grid.set_open(cell, true);
        }
        grid
    }

    /// The geometry.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The same map with cells of another size (m).
    #[must_use]
    pub fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.lattice.cell_size = cell_size;
        self
    }

    /// True where a cell is open. The padding is not.
    #[inline]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.open[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    /// Opens or closes a cell of the map.
    pub fn set_open(&mut self, cell: Cell, open: bool) {
        debug_assert!(self.lattice.contains(cell), "{cell:?} is padding");
        let bit = 1 << (cell.index() % 64);
        if open {
            self.open[cell.index() / 64] |= bit;
        } else {
            self.open[cell.index() / 64] &= !bit;
        }
    }

    /// How many cells are open.
    pub fn open_cells(&self) -> u32 {
        self.open.iter().map(|word| word.count_ones()).sum()
    }

    /// The bits, 64 cells a word, in the order of the cells.
    pub fn words(&self) -> &[u64] {
        &self.open
    }

    /// The open cell whose centre is nearest to a point (m), ties by the smaller cell; `None` where nothing is open.
    ///
    /// Looks at rings of cells around the point, so it costs O(d²) for the distance d in cells.
    pub fn nearest_open(&self, point: Vec2) -> Option<Cell> {
        self.nearest(point, |cell| self.is_open(cell))
    }

    /// As [`Grid::nearest_open`], among the cells that `accept` takes.
    ///
    /// A point further off the map than the map is wide counts as one on the way there: so far away, rounding would make
    /// all cells equally near.
    pub fn nearest(&self, point: Vec2, accept: impl Fn(Cell) -> bool) -> Option<Cell> {
        let lattice = self.lattice;
        let point = point.clamp(-lattice.size(), lattice.size() * 2.0);
        let (column, row) = lattice.column_row(lattice.at(point));
        let (column, row) = (i64::from(column), i64::from(row));
        let mut best: Option<(f32, Cell)> = None;
        for ring in 0..i64::from(lattice.width.max(lattice.height)) {
            // Every cell of a further ring is at least this far away.
            let bound = (ring - 1).max(0) as f32 * lattice.cell_size;
            if best.is_some_and(|(distance, _)| distance < bound * bound) {
                break;
            }
            for y in row - ring..=row + ring {
                let whole_row = (y - row).abs() == ring;
                let step = if whole_row || ring == 0 { 1 } else { 2 * ring };
                for x in (column - ring..=column + ring).step_by(step as usize) {
                    let Some(cell) = lattice.checked_cell(x, y).filter(|&cell| accept(cell)) else { continue };
                    let candidate = (lattice.centre(cell).distance_squared(point), cell);
                    if best.is_none_or(|best| candidate < best) {
                        best = Some(candidate);
                    }
                }
            }
        }
        best.map(|(_, cell)| cell)
    }
}
