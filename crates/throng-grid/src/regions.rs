//! Where a unit can stand, and which of these cells hang together.

use super::clearance::eroded;
use super::{Cell, Corners, Grid, Lattice, Layer, Steps};

/// Where a unit can stand: one bit a cell.
#[derive(Debug)]
pub(super) struct Passable {
    lattice: Lattice,
    bits: Box<[u64]>,
}

impl Passable {
    /// The cells on whose centre the body of a unit of `radius` metres is clear of every wall. The weight of their
    /// class of terrain is not 0.
    pub(super) fn new(grid: &Grid, radius: f32, weights: Option<&[u16; 256]>) -> Self {
        let lattice = grid.lattice();
        let mut passable = Self { lattice, bits: grid.words().into() };
        if is_wide(lattice, radius) {
            let clearance = grid.clearance();
            passable.retain(|cell| clearance[cell] >= radius);
        }
        if let Some(weights) = weights {
            passable.retain(|cell| weights[usize::from(grid.terrain(cell))] != 0);
        }
        passable
    }

    /// The same without costs of terrain, by bits where the body is not much wider than a cell: without a layer of clearances.
    pub(super) fn eroded(grid: &Grid, radius: f32) -> Self {
        match eroded(grid, radius) {
            Some(bits) => Self { lattice: grid.lattice(), bits },
            None => Self::new(grid, radius, None),
        }
    }

    fn retain(&mut self, keep: impl Fn(Cell) -> bool) {
        for (word, first) in self.bits.iter_mut().zip((0_u32..).step_by(64)) {
            let mut bits = *word;
            while bits != 0 {
                let bit = bits & bits.wrapping_neg();
                if !keep(Cell(first + bit.trailing_zeros())) {
                    *word &= !bit;
                }
                bits ^= bit;
            }
        }
    }

    pub(super) fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// How many cells there are.
    pub(super) fn count(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The cells, in order.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        self.bits.iter().zip((0_u32..).step_by(64)).flat_map(|(&word, first)| {
            std::iter::successors(Some(word), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| Cell(first + bits.trailing_zeros()))
        })
    }

    /// The cells before, at and after `i` as bits 0 to 2.
    #[inline]
    fn three(&self, i: usize) -> u8 {
        let (word, shift) = ((i - 1) / 64, (i - 1) % 64);
        let low = self.bits[word] >> shift;
        let high = if shift > 61 { self.bits.get(word + 1).map_or(0, |bits| bits << (64 - shift)) } else { 0 };
        ((low | high) & 0b111) as u8
    }

    /// The free ones of a cell's neighbours, in the order of [`Direction`](super::Direction).
    #[inline]
    pub(super) fn around(&self, cell: Cell) -> u8 {
        let (i, stride) = (cell.index(), self.lattice.stride as usize);
        let [above, beside, below] = [self.three(i - stride), self.three(i), self.three(i + stride)];
        above >> 1 & 1
            | (beside >> 2 & 1) << 1
            | (below >> 1 & 1) << 2
            | (beside & 1) << 3
            | (above >> 2 & 1) << 4
            | (below >> 2 & 1) << 5
            | (below & 1) << 6
            | (above & 1) << 7
    }
}

/// True where a body of `radius` metres on a cell's centre reaches beyond the cell.
pub(super) fn is_wide(lattice: Lattice, radius: f32) -> bool {
    radius > lattice.cell_size * 0.5
}

/// The cells that hang together.
#[derive(Debug, PartialEq)]
pub(super) struct Regions {
    /// Labels from 1 in the order of the regions' first cells; 0 for cells that are not passable.
    pub(super) labels: Layer<u32>,
    /// The first cell of each region.
    pub(super) firsts: Vec<Cell>,
}

/// A stretch of cells of a row: first and one past the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The runs of passable cells, and a set for each that is named by its first run: a forest in which parents come before their
/// children.
///
/// Runs are joined row by row in a forest of disjoint sets: O(cells / 64 + runs · α). A. Rosenfeld,
/// J. L. Pfaltz: Sequential operations in digital picture processing. Journal of the ACM 13(4), 1966.
fn joined(passable: &Passable, steps: Steps) -> (Vec<Run>, Vec<u32>) {
    let lattice = passable.lattice;
    // Where a diagonal step needs a free cell beside it, straight steps go round, and diagonals join nothing.
    let slant = u32::from(steps == Steps::Eight(Corners::Always));
    let mut runs: Vec<Run> = Vec::new();
    // A set is named by its first run, and so by its first cell.
    let mut parent: Vec<u32> = Vec::new();
    let (mut above, mut here) = (0, 0);
    for row in 1..=lattice.height {
        let first = row * lattice.stride;
        find_runs(&passable.bits, first, first + lattice.stride, &mut runs);
        let mut upper = above;
        for i in here..runs.len() {
            parent.push(i as u32);
            let Run { start, end } = runs[i];
            while upper < here && runs[upper].end + lattice.stride + slant <= start {
                upper += 1;
            }
            let mut touching = upper;
            while touching < here && runs[touching].start + lattice.stride < end + slant {
                join(&mut parent, touching as u32, i as u32);
                touching += 1;
            }
        }
        (above, here) = (here, runs.len());
    }
    (runs, parent)
}

/// How many cells each region has, in the order of their first cells. O(cells / 64 + runs · α).
pub(super) fn region_sizes(passable: &Passable, steps: Steps) -> Vec<u64> {
    let (runs, mut parent) = joined(passable, steps);
    let mut sizes: Vec<u64> = Vec::new();
    // From here on a run's place holds the number of its set.
    for (i, run) in runs.iter().enumerate() {
        let root = parent[i] as usize;
        parent[i] = if root == i { sizes.len() as u32 } else { parent[root] };
        if root == i {
            sizes.push(0);
        }
        sizes[parent[i] as usize] += u64::from(run.end - run.start);
    }
    sizes
}

/// Labels the regions. O(cells + runs · α).
pub(super) fn regions(passable: &Passable, steps: Steps) -> Regions {
    let (runs, mut parent) = joined(passable, steps);
    let mut labels = Layer::new(passable.lattice, 0_u32);
    let mut firsts = Vec::new();
    // From here on a run's place holds the label of its set, and parents come before their children.
    for (i, run) in runs.iter().enumerate() {
        let root = parent[i] as usize;
        parent[i] = if root == i {
            firsts.push(Cell(run.start));
            firsts.len() as u32
        } else {
            parent[root]
        };
        labels.cells[run.start as usize..run.end as usize].fill(parent[i]);
    }
    Regions { labels, firsts }
}

/// Adds the runs of cells in `first..end` whose bits are set; the cell at `end` is closed.
pub(super) fn find_runs(bits: &[u64], first: u32, end: u32, runs: &mut Vec<Run>) {
    // Cells from `i` on, as far as the word goes, in the lowest bits.
    let word = |i: u32| (bits[i as usize / 64] >> (i % 64), 64 - i % 64);
    let mut i = first;
    while i < end {
        let (bits, rest) = word(i);
        let closed = bits.trailing_zeros().min(rest);
        i += closed;
        if closed == rest || i >= end {
            continue;
        }
        let start = i;
        loop {
            let (bits, rest) = word(i);
            let open = bits.trailing_ones().min(rest);
            i += open;
            // The padding at the end of each row is closed, so no run goes beyond it.
            if open < rest {
                break;
            }
        }
        runs.push(Run { start, end: i });
    }
}

fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}

/// Joins two sets under the earlier run.
fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

/// The greatest number of steps from the first cell of each region to another of its cells: a breadth-first search in
/// each.
pub(super) fn depths(moves: &Layer<u8>, regions: &Layer<u32>) -> Vec<u64> {
    let lattice = moves.lattice;
    let offsets = lattice.offsets();
    let mut seen = Layer::new(lattice, false);
    let mut depths = Vec::new();
    let (mut wave, mut next) = (Vec::new(), Vec::new());
    for start in lattice.cells() {
        if regions[start] == 0 || seen[start] {
            continue;
        }
        seen[start] = true;
        wave.push(start);
        let mut depth = 0;
        while !wave.is_empty() {
            for cell in wave.drain(..) {
                let mut mask = moves[cell];
                while mask != 0 {
                    let d = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let to = Cell(cell.0.wrapping_add_signed(offsets[d]));
                    if !seen[to] {
                        seen[to] = true;
                        next.push(to);
                    }
                }
            }
            std::mem::swap(&mut wave, &mut next);
            depth += 1;
        }
        depths.push(depth);
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A map with this share of walls (%).
    fn noise(width: u32, height: u32, walls: u64, seed: u64) -> Grid {
        let mut grid = Grid::closed(Lattice::new(width, height, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            let hash = (u64::from(cell.0) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            grid.set_open(cell, (hash >> 40) % 100 >= walls);
        }
        grid
    }

    proptest! {
        /// Against a flood fill over the legal steps, in the order of the cells.
        #[test]
        fn regions_are_those_of_a_flood_fill(
            (width, height) in (1_u32..150, 1_u32..20), walls in 0_u64..100, seed in any::<u64>(),
            steps in prop::sample::select(vec![
                Steps::Four, Steps::Eight(Corners::Never), Steps::Eight(Corners::OneSide), Steps::Eight(Corners::Always),
            ]),
        ) {
            let grid = noise(width, height, walls, seed);
            let lattice = grid.lattice();
            let passable = Passable::new(&grid, 0.4, None);
            let Regions { labels, firsts } = regions(&passable, steps);
            let mut expected = Layer::new(lattice, 0_u32);
            let mut found = 0;
            for start in lattice.cells().filter(|&cell| grid.is_open(cell)) {
                if expected[start] != 0 {
                    continue;
                }
                found += 1;
                expected[start] = found;
                let mut stack = vec![start];
                while let Some(cell) = stack.pop() {
                    let mut free = 0;
                    for (d, offset) in lattice.offsets().into_iter().enumerate() {
                        free |= u8::from(grid.is_open(Cell(cell.0.wrapping_add_signed(offset)))) << d;
                    }
                    prop_assert_eq!(free, passable.around(cell));
                    for (d, offset) in lattice.offsets().into_iter().enumerate() {
                        let to = Cell(cell.0.wrapping_add_signed(offset));
                        if steps.mask(free) >> d & 1 == 1 && expected[to] == 0 {
                            expected[to] = found;
                            stack.push(to);
                        }
                    }
                }
            }
            prop_assert_eq!(&labels, &expected);
            prop_assert_eq!(firsts.len(), found as usize);
            let count = |label: u32| labels.cells.iter().filter(|&&found| found == label).count() as u64;
            prop_assert_eq!(region_sizes(&passable, steps), (1..=found).map(count).collect::<Vec<_>>());
            for (label, &first) in (1..).zip(&firsts) {
                prop_assert_eq!(lattice.cells().find(|&cell| labels[cell] == label), Some(first));
            }
            prop_assert_eq!(passable.cells().count() as u64, passable.count());
        }
    }
}
