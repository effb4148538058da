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
