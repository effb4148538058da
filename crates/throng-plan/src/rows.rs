//! Columns and rows of cells.

use throng_grid::{Cell, Lattice};

/// Column and row of cells without a division.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    stride: u32,
    /// 2^44 / stride, rounded up: exact for every cell, since cells stay below 2^29 and strides below 2^15.
    reciprocal: u64,
}

impl Rows {
    pub(super) fn new(lattice: Lattice) -> Self {
        Self { stride: lattice.stride, reciprocal: (1_u64 << 44).div_ceil(u64::from(lattice.stride)) }
    }

    /// Column and row, counted from the padding.
    #[inline]
    pub(super) fn place(self, cell: Cell) -> (u32, u32) {
        let row = ((u64::from(cell.0) * self.reciprocal) >> 44) as u32;
        (cell.0 - row * self.stride, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_divide_exactly(width in 1..=Lattice::MAX_SIDE, height in 1..=Lattice::MAX_SIDE, part in 0.0..1.0_f64) {
            let lattice = Lattice::new(width, height, 1.0).unwrap();
            let rows = Rows::new(lattice);
            let middle = (lattice.len() as f64 * part) as u32;
            for cell in [0, middle, middle / lattice.stride * lattice.stride, lattice.len() as u32 - 1] {
                prop_assert_eq!(rows.place(Cell(cell)), (cell % lattice.stride, cell / lattice.stride));
                let before = cell.saturating_sub(1);
                prop_assert_eq!(rows.place(Cell(before)), (before % lattice.stride, before / lattice.stride));
            }
        }
    }
}
