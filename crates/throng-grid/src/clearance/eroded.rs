//! Cells that are so far from all walls, 64 at a time.

use super::{half_cell, metres};
use crate::Grid;

/// Bodies that reach over more cells are measured by distances.
const MAX_REACH_CELLS: usize = 24;

/// The bits of the cells whose [clearance](super::clearance) is at least `radius` (m), as [`Grid::words`] has them; `None` where that
/// takes more than some steps. O(cells / 64 * steps), where the radius is so many cells.
///
/// Walls grow sideways by a cell at a time, and what has grown so far is laid over the rows above and below, as a disc is wide there.
pub fn eroded(grid: &Grid, radius: f32) -> Option<Box<[u64]>> {
    let (lattice, half) = (grid.lattice(), half_cell(grid.lattice()));
    let is_near = |x: usize, y: usize| {
        let squared = |cells: usize| (2 * cells as i64 - 1).max(0).pow(2);
        metres(squared(x) + squared(y), half) < radius
    };
    // A cell is always near itself, unless the radius is 0.
    let reach = (0..=MAX_REACH_CELLS).find(|&rows| !is_near(0, rows))?;
    let mut wide: Vec<u64> = grid.words().iter().map(|word| !word).collect();
    let closed = wide.clone();
    let mut near = vec![0_u64; wide.len()];
    let mut grown = 0;
    // From the widest row on to the widest of all, the middle one.
    for rows in (0..reach).rev() {
        let across = (0..=MAX_REACH_CELLS).find(|&columns| !is_near(columns + 1, rows))?;
        while grown < across {
            grown += 1;
            lay(&mut wide, &closed, grown);
        }
        let bits = rows * lattice.stride as usize;
        lay(&mut near, &wide, bits);
    }
    Some(near.iter().zip(grid.words()).map(|(near, word)| word & !near).collect())
}

/// Sets all bits of `onto` that are so many places before or after a bit of `from`.
fn lay(onto: &mut [u64], from: &[u64], places: usize) {
    let (words, shift) = (places / 64, places % 64);
    let word = |at: Option<usize>| at.and_then(|at| from.get(at)).copied().unwrap_or(0);
    for (at, onto) in onto.iter_mut().enumerate() {
        let (before, after) = (at.checked_sub(words), at + words);
        let up = match shift {
            0 => word(before),
            _ => word(before) << shift | word(before.and_then(|at| at.checked_sub(1))) >> (64 - shift),
        };
        let down = match shift {
            0 => word(Some(after)),
            _ => word(Some(after)) >> shift | word(Some(after + 1)) << (64 - shift),
        };
        *onto |= up | down;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clearance::clearance;
    use crate::{Grid, Lattice};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_those_of_the_layer(
            (width, height) in (1_u32..90, 1_u32..60), size in 0.05_f32..3.0, radius in 0.0_f32..3.0, walls in 0_u32..60, seed in any::<u32>(),
        ) {
            let mut grid = Grid::open_plain(Lattice::new(width, height, size).unwrap());
            let lattice = grid.lattice();
            for cell in lattice.cells() {
                grid.set_open(cell, (cell.0 ^ seed).wrapping_mul(0x9e37_79b9) >> 8 & 1023 >= walls);
            }
            let Some(bits) = eroded(&grid, radius) else { return Ok(()) };
            let layer = clearance(&grid);
            for cell in lattice.cells() {
                let is_set = bits[cell.index() / 64] >> (cell.index() % 64) & 1 == 1;
                prop_assert_eq!(is_set, grid.is_open(cell) && layer[cell] >= radius, "{:?}", cell);
            }
            prop_assert_eq!(bits.iter().map(|word| word.count_ones()).sum::<u32>(), lattice.cells().filter(|&cell| layer[cell] >= radius && grid.is_open(cell)).count() as u32);
        }
    }
}
