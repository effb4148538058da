//! One value a cell.

use super::{Cell, Lattice};
use std::ops::{Index, IndexMut};

/// One `T` for each cell of a [`Lattice`], padding included.
///
/// ```
/// use throng_grid::{Lattice, Layer};
/// let lattice = Lattice::new(4, 3, 1.0)?;
/// let mut visits = Layer::new(lattice, 0_u32);
/// visits[lattice.cell(1, 1)] += 1;
/// assert_eq!(visits.cells.iter().sum::<u32>(), 1);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layer<T> {
    /// The geometry.
    pub lattice: Lattice,
    /// The values; `cells[cell.index()]` belongs to `cell`.
    pub cells: Box<[T]>,
}

impl<T: Clone> Layer<T> {
    /// A layer that holds `value` everywhere, padding included.
    pub fn new(lattice: Lattice, value: T) -> Self {
        Self { lattice, cells: vec![value; lattice.len()].into_boxed_slice() }
    }
}

impl<T> Index<Cell> for Layer<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: Cell) -> &T {
        &self.cells[cell.index()]
    }
}

impl<T> IndexMut<Cell> for Layer<T> {
    #[inline]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.cells[cell.index()]
    }
}
