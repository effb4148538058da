//! A bitmap of the cells of a lattice: 64 unset cells are passed over at once.

use throng_grid::Lattice;

/// One bit for each cell of a lattice, row by row. Each row begins with a word of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct CellBitmap {
    width: usize,
    /// Words of a row.
    words: usize,
    bits: Vec<u64>,
}

impl CellBitmap {
    /// Unsets all cells of a lattice.
    pub fn clear(&mut self, lattice: Lattice) {
        self.width = lattice.width as usize;
        self.words = self.width.div_ceil(64);
        self.bits.clear();
        self.bits.resize(self.words * lattice.height as usize, 0);
    }

    pub fn set(&mut self, column: usize, row: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// The set columns of a row from `column` on, in ascending order.
    pub fn from(&self, column: usize, row: usize) -> impl Iterator<Item = usize> {
        let words = &self.bits[row * self.words..][..self.words];
        let first = column / 64;
        let words = words.iter().enumerate().skip(first).map(move |(i, &word)| {
            let hidden = if i == first { (1 << (column % 64)) - 1 } else { 0 };
            (i, word & !hidden)
        });
        words.flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * i + bit as usize)
            })
        })
    }

    /// The set columns of a row before `column`, in descending order.
    pub fn before(&self, column: usize, row: usize) -> impl Iterator<Item = usize> {
        let words = &self.bits[row * self.words..][..column.div_ceil(64).min(self.words)];
        let last = column / 64;
        let words = words.iter().enumerate().rev().map(move |(i, &word)| {
            let shown = if i == last { (1 << (column % 64)) - 1 } else { u64::MAX };
            (i, word & shown)
        });
        words.flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                let bit = 63_u32.checked_sub(word.leading_zeros())?;
                word &= !(1 << bit);
                Some(64 * i + bit as usize)
            })
        })
    }

    /// True where a cell of these columns and rows, the last ones included, is set.
    pub fn any(&self, columns: (usize, usize), rows: (usize, usize)) -> bool {
        (rows.0..=rows.1).any(|row| self.from(columns.0, row).next().is_some_and(|column| column <= columns.1))
    }

    pub fn bytes(&self) -> usize {
        self.bits.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_list_of_cells(width in 1_u32..200, cells in prop::collection::vec((0_usize..200, 0_usize..5), 0..60), column in 0_usize..200) {
            let lattice = Lattice::new(width, 5, 4.0).unwrap();
            let mut bitmap = CellBitmap::default();
            bitmap.clear(lattice);
            let cells: std::collections::BTreeSet<_> = cells.into_iter().map(|(x, y)| (y, x % width as usize)).collect();
            for &(y, x) in &cells {
                bitmap.set(x, y);
            }
            let column = column.min(width as usize - 1);
            for row in 0..5 {
                let all: Vec<usize> = cells.iter().filter(|cell| cell.0 == row).map(|cell| cell.1).collect();
                let (before, from): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&x| x < column);
                prop_assert_eq!(bitmap.from(column, row).collect::<Vec<_>>(), from);
                prop_assert_eq!(bitmap.before(column, row).collect::<Vec<_>>(), before.into_iter().rev().collect::<Vec<_>>());
                let last = (column + 3).min(width as usize - 1);
                let any = cells.iter().any(|&(y, x)| y >= row && (column..=last).contains(&x));
                prop_assert_eq!(bitmap.any((column, last), (row, 4)), any);
            }
        }
    }
}
