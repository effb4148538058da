//! Pairs in the plane, sixteen bodies at a time.

use super::pairs::Round;
use super::{HashGrid, NONE};
use crate::simd::{Kernel, LANES, Lanes, Level};
use std::ops::{ControlFlow, Range};

/// Bodies tested between two looks at the findings.
const CHUNK_BODIES: usize = 32;
/// Cells of a block along an axis.
const BLOCK_CELLS: i32 = HashGrid::<2>::BLOCK_CELLS;

impl HashGrid<2> {
    /// Shows the pairs of small bodies, which must not be further apart than a block is wide.
    ///
    /// Sixteen consecutive ones of a row of cells are tested with those behind them in this row, and with those near them
    /// in the rows after, each with all sixteen.
    pub(super) fn pairs_by_batches(&self, level: Level, round: &mut Round<'_>) -> ControlFlow<()> {
        level.run(PairsByBatch { grid: self, round })
    }
}

struct PairsByBatch<'a, 'r> {
    grid: &'a HashGrid<2>,
    round: &'a mut Round<'r>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for PairsByBatch<'_, '_> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> ControlFlow<()> {
        let Self { grid, round } = self;
        match (grid.radius.is_empty(), grid.resting.is_empty()) {
            (true, true) => run::<L, false, false>(lanes, grid, round),
            (true, false) => run::<L, false, true>(lanes, grid, round),
            (false, true) => run::<L, true, false>(lanes, grid, round),
            (false, false) => run::<L, true, true>(lanes, grid, round),
        }
    }
}

/// A block and those beside it and below it, from left to right; [`NONE`] where there is none.
struct Around {
    beside: [u32; 3],
    below: [u32; 3],
}

/// The blocks are sorted, row after row: those below the next one come after those below this one.
#[inline]
fn around(grid: &HashGrid<2>, number: usize, below: &mut usize) -> Around {
    let [x, y] = grid.block[number];
    let known = |number: usize, block: [i32; 2]| {
        if grid.block.get(number) == Some(&block) { number as u32 } else { NONE }
    };
    while grid.block.get(*below).is_some_and(|block| (block[1], block[0]) < (y + 1, x - 1)) {
        *below += 1;
    }
    let left = known(*below, [x - 1, y + 1]);
    let next = *below + usize::from(left != NONE);
    let middle = known(next, [x, y + 1]);
    let right = known(next + usize::from(middle != NONE), [x + 1, y + 1]);
    Around {
        beside: [known(number.wrapping_sub(1), [x - 1, y]), number as u32, known(number + 1, [x + 1, y])],
        below: [left, middle, right],
    }
}

/// The places of the bodies in columns `left..=right` of a row of cells of a block, but not beyond it.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn cells(grid: &HashGrid<2>, block: u32, row: i32, left: i32, right: i32) -> Range<usize> {
    let (left, right) = (left.max(0), right.min(BLOCK_CELLS - 1));
    if block == NONE || left > right {
        return 0..0;
    }
    let line = block as usize * HashGrid::<2>::CELLS + (row * BLOCK_CELLS) as usize;
    grid.start[line + left as usize] as usize..grid.start[line + right as usize + 1] as usize
}

/// The `N` elements from `at` on.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn window<T>(column: &[T], at: usize) -> &[T; LANES] {
    let (window, _) = column[at..at + LANES].as_chunks();
    &window[0]
}

#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn window_mut<T>(column: &mut [T], at: usize) -> &mut [T; LANES] {
    let (window, _) = column[at..at + LANES].as_chunks_mut();
    &mut window[0]
}

/// The lowest `count` lanes.
#[inline]
fn first_lanes(count: usize) -> u16 {
    ((1_u32 << count.min(LANES)) - 1) as u16
}

/// Sixteen bodies.
struct Own<'a, L: Lanes> {
    x: L::Numbers,
    y: L::Numbers,
    radius: L::Numbers,
    row: &'a [u32; LANES],
    place: usize,
    /// The lanes that are looked at, and those that rest.
    alive: u16,
    rests: u16,
}

#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn run<L: Lanes, const MIXED: bool, const REST: bool>(
    lanes: L,
    grid: &HashGrid<2>,
    round: &mut Round<'_>,
) -> ControlFlow<()> {
    let apart = grid.apart;
    let limit = lanes.splat(grid.sizes.limit);
    let mut below = 0;
    for number in 0..grid.block.len() {
        let Around { beside, below } = around(grid, number, &mut below);
        let corner = grid.block[number][0] * BLOCK_CELLS;
        for row in 0..BLOCK_CELLS {
            let line = cells(grid, number as u32, row, 0, BLOCK_CELLS - 1);
            for place in line.clone().step_by(LANES) {
                let end = line.end.min(place + LANES);
                let (x, y) = lanes.split(window(&grid.point, place));
                let radius = if MIXED { lanes.load(window(&grid.radius, place)) } else { limit };
                let mut alive = first_lanes(end - place);
                if MIXED {
                    alive &= !lanes.below(limit, radius);
                }
                let rests = if REST { resting(window(&grid.resting, place)) } else { 0 };
                let own = Own { x, y, radius, row: window(&grid.row, place), place, alive, rests };
                let left = grid.along(0, grid.point[place][0]) - corner - apart;
                let right = grid.along(0, grid.point[end - 1][0]) - corner + apart;
                let here = cells(grid, number as u32, row, 0, right);
                meet::<L, MIXED, REST, true>(lanes, grid, &own, place + 1..here.end, round)?;
                let there = cells(grid, beside[2], row, 0, right - BLOCK_CELLS);
                meet::<L, MIXED, REST, false>(lanes, grid, &own, there, round)?;
                for row in row + 1..=row + apart {
                    let (blocks, row) = if row < BLOCK_CELLS { (beside, row) } else { (below, row - BLOCK_CELLS) };
                    for (block, offset) in blocks.into_iter().zip([-BLOCK_CELLS, 0, BLOCK_CELLS]) {
                        let others = cells(grid, block, row, left - offset, right - offset);
                        meet::<L, MIXED, REST, false>(lanes, grid, &own, others, round)?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// A bit for each body that rests.
#[inline]
fn resting(rests: &[bool; LANES]) -> u16 {
    (0..LANES).fold(0, |bits, lane| bits | u16::from(rests[lane]) << lane)
}

/// Tests sixteen bodies with each of some places; where these are `BEHIND` the first of the sixteen in the same row, only
/// with those before each.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn meet<L: Lanes, const MIXED: bool, const REST: bool, const BEHIND: bool>(
    lanes: L,
    grid: &HashGrid<2>,
    own: &Own<'_, L>,
    mut others: Range<usize>,
    round: &mut Round<'_>,
) -> ControlFlow<()> {
    let widest = grid.extent.widest;
    let same = lanes.splat((widest + widest) * (widest + widest));
    let mut hits = [0_u32; CHUNK_BODIES];
    while others.start < others.end {
        round.make_room()?;
        let chunk = others.start..others.end.min(others.start + CHUNK_BODIES);
        others.start = chunk.end;
        let (mut found, mut tests) = (0, 0);
        for (k, other) in grid.point[chunk.clone()].iter().enumerate() {
            let (dx, dy) = (own.x - lanes.splat(other[0]), own.y - lanes.splat(other[1]));
            let squared = dx * dx + dy * dy;
            let mut tested = own.alive;
            if BEHIND {
                tested &= first_lanes(chunk.start + k - own.place);
            }
            let limit = if MIXED {
                let radius = grid.radius[chunk.start + k];
                if radius > grid.sizes.limit {
                    tested = 0;
                }
                let reach = own.radius + lanes.splat(radius);
                reach * reach
            } else {
                same
            };
            if REST && grid.resting[chunk.start + k] {
                tested &= !own.rests;
            }
            let mask = lanes.below(squared, limit) & tested;
            hits[found % CHUNK_BODIES] = (k as u32) << 16 | u32::from(mask);
            found += usize::from(mask != 0);
            tests += tested.count_ones();
        }
        round.tests += u64::from(tests);
        for &hit in &hits[..found] {
            let other = grid.row[chunk.start + (hit >> 16) as usize];
            let (low, high) = (window_mut(&mut round.low, round.count), window_mut(&mut round.high, round.count));
            lanes.pairs_with(hit as u16, own.row, other, low, high);
            round.count += (hit as u16).count_ones() as usize;
        }
    }
    ControlFlow::Continue(())
}
