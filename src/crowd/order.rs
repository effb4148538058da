//! The canonical order of the rows.

use crate::geom::Vec2;
use crate::grid::Lattice;

/// Memory that [`cell_order`] needs, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct OrderScratch {
    cell: Vec<u32>,
    start: Vec<u32>,
    keys: Vec<u64>,
}

impl OrderScratch {
    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (self.cell.capacity() + self.start.capacity()) * size_of::<u32>() + self.keys.capacity() * size_of::<u64>()
    }
}

/// Writes `order`: the rows sorted by the cell of `lattice` they stand on, then by slot. New row i is old row
/// `order[i]`. Returns true where that changes anything.
///
/// The order depends on nothing but the positions and the slots. Positions off the lattice count as on its border.
/// O(n) where the rows are in order already, else O(n + cells), or O(n log n) where there are many more cells than rows.
///
/// ```
/// use throng::crowd::order::{OrderScratch, cell_order};
/// use throng::geom::Vec2;
/// use throng::grid::Lattice;
/// let position = [Vec2::new(9.0, 0.5), Vec2::new(0.5, 0.5), Vec2::new(0.2, 0.2)];
/// let mut order = Vec::new();
/// let changed = cell_order(Lattice::new(5, 5, 2.0)?, &position, &[0, 7, 4], &mut order, &mut OrderScratch::default());
/// assert!(changed);
/// assert_eq!(order, [2, 1, 0]);
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
pub fn cell_order(
    lattice: Lattice,
    position: &[Vec2],
    slot: &[u32],
    order: &mut Vec<u32>,
    scratch: &mut OrderScratch,
) -> bool {
    let n = position.len();
    let OrderScratch { cell, start, keys } = scratch;
    cell.clear();
    cell.extend(position.iter().map(|&position| lattice.at(position).0));
    order.clear();
    order.extend(0..n as u32);
    let key = |row: usize| u64::from(cell[row]) << 32 | u64::from(slot[row]);
    if (1..n).all(|row| key(row - 1) <= key(row)) {
        return false;
    }
    if lattice.len() > 8 * n + 1024 {
        keys.clear();
        keys.extend((0..n).map(key));
        order.sort_by_key(|&row| keys[row as usize]);
        return true;
    }
    start.clear();
    start.resize(lattice.len(), 0);
    for &cell in cell.iter() {
        start[cell as usize] += 1;
    }
    let mut sum = 0;
    for start in start.iter_mut() {
        sum += *start;
        *start = sum;
    }
    for (row, &cell) in cell.iter().enumerate().rev() {
        let start = &mut start[cell as usize];
        *start -= 1;
        order[*start as usize] = row as u32;
    }
    // Inside the cells by slot: they hold a few rows each, mostly in order.
    for i in 1..n {
        let row = order[i];
        let own = key(row as usize);
        let mut place = i;
        while place > 0 && key(order[place - 1] as usize) > own {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = row;
    }
    true
}
