//! The canonical order of the rows.

use super::PIECE;
use rayon::prelude::*;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// Writes `order`: the rows sorted by the cell of `lattice` they stand on, then by slot. New row i is old row
/// `order[i]`. Returns true where that changes anything; where it does not, `order` is of no use.
///
/// The order depends on nothing but the positions and the slots. Positions off the lattice count as on its border.
/// `keys` and `start` are memory to work with, `order` and `keys` as long as the columns.
/// O(n) where the rows are in order already, else O(n + cells), or O(n log n) where there are many more cells than rows.
///
/// ```
/// use throng_sim::crowd::order::cell_order;
/// use throng_grid::geom::Vec2;
/// use throng_grid::Lattice;
/// let position = [Vec2::new(9.0, 0.5), Vec2::new(0.5, 0.5), Vec2::new(0.2, 0.2)];
/// let (mut order, mut keys, mut start) = ([0; 3], [[0; 2]; 3], Vec::new());
/// assert!(cell_order(Lattice::new(5, 5, 2.0)?, &position, &[0, 7, 4], &mut order, &mut keys, &mut start));
/// assert_eq!(order, [2, 1, 0]);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
///
/// # Panics
/// Where the columns differ in length.
pub fn cell_order(
    lattice: Lattice,
    position: &[Vec2],
    slot: &[u32],
    order: &mut [u32],
    keys: &mut [[u32; 2]],
    start: &mut Vec<u32>,
) -> bool {
    let n = position.len();
    assert!([slot.len(), order.len(), keys.len()] == [n; 3], "columns differ in length");
    // Until the rows are known, their place is that of the cells.
    let cell = &mut *order;
    let places = cell.par_iter_mut().zip(position).with_min_len(PIECE);
    places.for_each(|(cell, &position)| *cell = lattice.at(position).0);
    let key = |row: usize| (cell[row], slot[row]);
    if (1..n).into_par_iter().with_min_len(PIECE).all(|row| key(row - 1) <= key(row)) {
        return false;
    }
    if lattice.len() > 8 * n + 1024 {
        for (key, (&cell, &slot)) in keys.iter_mut().zip(cell.iter().zip(slot)) {
            *key = [cell, slot];
        }
        for (row, place) in (0..).zip(&mut *order) {
            *place = row;
        }
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
    for (row, (&cell, &slot)) in cell.iter().zip(slot).enumerate().rev() {
        let start = &mut start[cell as usize];
        *start -= 1;
        keys[*start as usize] = [slot, row as u32];
    }
    sort_cells(keys, start, 0);
    order.par_iter_mut().zip(keys).with_min_len(PIECE).for_each(|(order, key)| *order = key[1]);
    true
}

/// Sorts the keys of each cell by slot: `start` tells where each begins and where the last ends, counted from `first`. They are a
/// few each, mostly in order.
fn sort_cells(keys: &mut [[u32; 2]], start: &[u32], first: u32) {
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
            while place > 0 && keys[place - 1][0] > own[0] {
                keys[place] = keys[place - 1];
                place -= 1;
            }
            keys[place] = own;
        }
    }
}
