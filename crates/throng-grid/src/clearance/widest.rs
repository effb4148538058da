//! The place that is furthest from all walls, without a layer of all clearances.

use super::{Envelope, half_cell, metres};
use crate::regions::{Run, find_runs};
use crate::{Cell, Grid, Lattice};

/// The open cell that is furthest from all walls, of equally far ones the first, and its [clearance](super::clearance) (m);
/// `None` where nothing is open.
///
/// O(cells), most of them read twice and no more: cells that are near a wall above, below or beside are passed over. Two bytes a
/// cell of memory meanwhile.
///
/// ```
/// use throng_grid::{Grid, Lattice, clearance::widest};
/// let grid = Grid::open_plain(Lattice::new(9, 5, 1.0)?);
/// assert_eq!(widest(&grid), Some((grid.lattice().cell(2, 2), 2.5)));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn widest(grid: &Grid) -> Option<(Cell, f32)> {
    let lattice = grid.lattice();
    let steps = column_steps(grid);
    let mut best: Option<Best> = None;
    let mut row_search = RowSearch::default();
    // Some rows of all parts of the map first: the greater the best, the more is passed over.
    let first = (0..lattice.height).step_by(SPARSE);
    let others = (0..lattice.height).filter(|row| !(*row as usize).is_multiple_of(SPARSE));
    for row in first.chain(others) {
        row_search.look(grid, &steps, row, &mut best);
    }
    best.map(|best| (best.cell, metres(best.halves, half_cell(lattice))))
}

/// Of so many rows one is looked at beforehand.
const SPARSE: usize = 64;

/// A row in which single cells were looked at for more than so many steps a column is worked out as a whole.
const STEPS_A_COLUMN: usize = 8;

#[derive(Clone, Copy)]
struct Best {
    cell: Cell,
    /// The square of its clearance (half cells).
    halves: i64,
}

/// The square of the distance to a cell so many rows or columns away, 0 for none (half cells).
#[inline]
fn squared(steps: i64) -> i64 {
    (2 * steps - 1).max(0).pow(2)
}

/// The bits of a byte, each as wide as a number of steps.
const MASKS: [[u16; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            masks[byte][bit] = if byte >> bit & 1 == 1 { u16::MAX } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    masks
};

/// How many rows each cell is from the nearest closed one of its column, the edge of the map included; row by row.
fn column_steps(grid: &Grid) -> Vec<u16> {
    let lattice = grid.lattice();
    let (width, words) = (lattice.width as usize, grid.words());
    let mut steps = vec![0_u16; width * lattice.height as usize];
    for row in 0..lattice.height as usize {
        let (above, here) = steps.split_at_mut(row * width);
        let first = lattice.cell(0, row as u32).index();
        let here = &mut here[..width];
        match above.rchunks_exact(width).next() {
            Some(above) => here.copy_from_slice(above),
            None => here.fill(0),
        }
        for (eight, steps) in here.chunks_mut(8).enumerate() {
            let bit = first + 8 * eight;
            let (low, high) = (words[bit / 64] >> (bit % 64), words.get(bit / 64 + 1).copied().unwrap_or(0));
            let bits = if bit % 64 > 56 { low | high << (64 - bit % 64) } else { low };
            for (step, mask) in steps.iter_mut().zip(MASKS[usize::from(bits as u8)]) {
                *step = (*step + 1) & mask;
            }
        }
    }
    let mut below = vec![0_u16; width];
    for here in steps.rchunks_exact_mut(width) {
        for (here, below) in here.iter_mut().zip(&below) {
            *here = (*here).min(below + 1);
        }
        below.copy_from_slice(here);
    }
    steps
}

/// Looks for a better cell, row by row.
#[derive(Default)]
struct RowSearch {
    runs: Vec<Run>,
    line: Vec<i64>,
    envelope: Envelope,
}

impl RowSearch {
    fn look(&mut self, grid: &Grid, steps: &[u16], row: u32, best: &mut Option<Best>) {
        let lattice = grid.lattice();
        let width = lattice.width as usize;
        let steps = &steps[row as usize * width..][..width];
        let first = lattice.cell(0, row);
        self.runs.clear();
        find_runs(grid.words(), first.0, first.0 + lattice.width, &mut self.runs);
        let mut left = STEPS_A_COLUMN * width;
        for run in &self.runs {
            let [start, end] = [run.start, run.end].map(|cell| (cell - first.0) as usize);
            let mut least = least_steps(wanted(*best, first, lattice));
            // So far from both ends of the run.
            let mut column = start + least - 1;
            while column + least <= end {
                let passed = steps[column..=end - least].iter().position(|&step| usize::from(step) >= least);
                let Some(passed) = passed else { break };
                column += passed;
                let halves = clearance_at(steps, column, wanted(*best, first, lattice), &mut left);
                if left == 0 {
                    return self.whole(lattice, steps, first, best);
                }
                if let Some(halves) = halves {
                    *best = Some(Best { cell: Cell(first.0 + column as u32), halves });
                    least = least_steps(wanted(*best, first, lattice));
                }
                column = (column + 1).max(start + least - 1);
            }
        }
    }

    /// Works out all cells of a row.
    fn whole(&mut self, lattice: Lattice, steps: &[u16], first: Cell, best: &mut Option<Best>) {
        let edge = std::iter::once(0);
        self.line.clear();
        self.line.extend(edge.clone().chain(steps.iter().map(|&step| squared(step.into()))).chain(edge));
        self.envelope.fit(&self.line);
        let (mut left, mut right) = (self.envelope.walk(), self.envelope.walk());
        for column in 1..=i64::from(lattice.width) {
            let (x, height) = (2 * column, self.line[column as usize]);
            let halves = height.min(left.at(x - 1)).min(right.at(x + 1));
            if halves >= wanted(*best, first, lattice) {
                *best = Some(Best { cell: Cell(first.0 + column as u32 - 1), halves });
            }
        }
    }
}

/// What a cell of a row must have to be better (half cells, squared): in an earlier row, as much.
fn wanted(best: Option<Best>, first: Cell, lattice: Lattice) -> i64 {
    best.map_or(1, |best| best.halves + i64::from(first.0 + lattice.width > best.cell.0))
}

/// The least number of steps whose square is not less than this.
fn least_steps(halves: i64) -> usize {
    let root = halves.isqrt();
    let root = root + i64::from(root * root < halves);
    (root / 2 + 1) as usize
}

/// The square of the clearance of a cell of a row, where it is at least so much. `left` are the steps that may be made.
fn clearance_at(steps: &[u16], column: usize, wanted: i64, left: &mut usize) -> Option<i64> {
    let mut halves = squared(steps[column].into());
    for away in 1.. {
        let aside = squared(away as i64);
        if aside >= halves || halves < wanted || *left == 0 {
            break;
        }
        *left -= 1;
        let beyond = [column.checked_sub(away), Some(column + away)];
        for place in beyond {
            let step = place.and_then(|place| steps.get(place)).copied().unwrap_or(0);
            halves = halves.min(aside + squared(step.into()));
        }
    }
    (halves >= wanted).then_some(halves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clearance::clearance;
    use proptest::prelude::*;

    #[test]
    fn a_clearance_is_looked_at_no_further_than_it_can_reach() {
        let look = |steps: u16, mut left: usize| (clearance_at(&[steps; 21], 10, 1, &mut left), left);
        // Two columns beside, then any wall is as far as the one above.
        assert_eq!(look(3, 100), (Some(25), 98));
        assert_eq!(look(3, 1).1, 0, "where no more may be looked at");
    }

    proptest! {
        /// Against the layer, on noise, rooms and slants, with ties and without.
        #[test]
        fn it_is_the_first_of_the_greatest_of_the_layer(
            (width, height) in (1_u32..150, 1_u32..150), walls in 0_u32..40, kind in 0..4, seed in any::<u32>(), side in 2_u32..30,
        ) {
            let mut grid = Grid::open_plain(Lattice::new(width, height, 0.5).unwrap());
            let lattice = grid.lattice();
            for cell in lattice.cells() {
                let (x, y) = lattice.column_row(cell);
                let noise = (cell.0 ^ seed).wrapping_mul(0x9e37_79b9) >> 8;
                let is_closed = match kind {
                    0 => noise % 100 < walls,
                    1 => x % side == 0 || y % side == 0,
                    2 => (x + y) % side == 0 || (x + height - y).is_multiple_of(side + 3),
                    _ => noise % 4000 < walls,
                };
                grid.set_open(cell, !is_closed);
            }
            let layer = clearance(&grid);
            let open = lattice.cells().filter(|&cell| grid.is_open(cell));
            let expected = open.reduce(|best, cell| if layer[cell] > layer[best] { cell } else { best });
            prop_assert_eq!(widest(&grid), expected.map(|cell| (cell, layer[cell])));
        }
    }
}
