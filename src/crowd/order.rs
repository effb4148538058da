//! The canonical order of the rows.

use crate::geom::Vec2;
use crate::grid::Lattice;
use rayon::prelude::*;

/// Memory that [`cell_order`] needs, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct OrderScratch {
    cell: Vec<u32>,
    start: Vec<u32>,
    /// Cell above slot of each row, or slot above row by cell.
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
    position.par_iter().with_min_len(PIECE).map(|&position| lattice.at(position).0).collect_into_vec(cell);
    let key = |row: usize| u64::from(cell[row]) << 32 | u64::from(slot[row]);
    if (1..n).into_par_iter().with_min_len(PIECE).all(|row| key(row - 1) <= key(row)) {
        order.clear();
        order.extend(0..n as u32);
        return false;
    }
    if lattice.len() > 8 * n + 1024 {
        keys.clear();
        keys.extend((0..n).map(key));
        order.clear();
        order.extend(0..n as u32);
        order.sort_by_key(|&row| keys[row as usize]);
        return true;
    }
    start.clear();
    start.resize(lattice.len() + 1, 0);
    for &cell in cell.iter() {
        start[cell as usize] += 1;
    }
    let mut sum = 0;
    for start in start.iter_mut() {
        sum += *start;
        *start = sum;
    }
    keys.resize(n, 0);
    for (row, (&cell, &slot)) in cell.iter().zip(slot).enumerate().rev() {
        let start = &mut start[cell as usize];
        *start -= 1;
        keys[*start as usize] = u64::from(slot) << 32 | row as u64;
    }
    sort_cells(keys, start, 0);
    keys.par_iter().with_min_len(PIECE).map(|&key| key as u32).collect_into_vec(order);
    true
}

/// Rows that are worth a thread.
const PIECE: usize = 4096;

/// Sorts the keys of each cell: `start` tells where each begins and where the last ends, counted from `first`. They are a
/// few each, mostly in order.
fn sort_cells(keys: &mut [u64], start: &[u32], first: u32) {
    let cells = start.len() - 1;
    if keys.len() > PIECE && cells > 1 {
        let middle = start[cells / 2];
        let (low, high) = keys.split_at_mut((middle - first) as usize);
        rayon::join(|| sort_cells(low, &start[..=cells / 2], first), || sort_cells(high, &start[cells / 2..], middle));
        return;
    }
    for bounds in start.windows(2) {
        let keys = &mut keys[(bounds[0] - first) as usize..(bounds[1] - first) as usize];
        for i in 1..keys.len() {
            let own = keys[i];
            let mut place = i;
            while place > 0 && keys[place - 1] > own {
                keys[place] = keys[place - 1];
                place -= 1;
            }
            keys[place] = own;
        }
    }
}
