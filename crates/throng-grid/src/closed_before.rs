//! How many closed cells a box holds, from sums.

use super::{Cell, Lattice, Layer};

/// How many closed cells there are up to each column and row.
#[derive(Debug)]
pub(super) struct ClosedBefore(pub(super) Layer<u32>);

impl ClosedBefore {
    pub(super) fn new(lattice: Lattice, is_passable: impl Fn(Cell) -> bool) -> Self {
        let stride = lattice.stride as usize;
        let mut layer = Layer::new(lattice, 0_u32);
        for row in 1..=lattice.height as usize {
            let (above, here) = layer.cells[(row - 1) * stride..].split_at_mut(stride);
            let mut count = 0;
            for column in 1..=lattice.width as usize {
                count += u32::from(!is_passable(Cell((row * stride + column) as u32)));
                here[column] = above[column] + count;
            }
        }
        Self(layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sum_counts_the_closed_cells_up_to_its_own() {
        let lattice = Lattice::new(11, 7, 1.0).unwrap();
        let is_passable = |cell: Cell| cell.0 % 7 > 2;
        let sums = ClosedBefore::new(lattice, is_passable).0;
        for last in lattice.cells() {
            let (right, bottom) = lattice.column_row(last);
            let is_before = |&cell: &Cell| {
                let (x, y) = lattice.column_row(cell);
                x <= right && y <= bottom && !is_passable(cell)
            };
            assert_eq!(sums[last] as usize, lattice.cells().filter(is_before).count());
        }
    }
}
