//! Pairs of bodies that overlap.

use super::{HashGrid, Window};
use crate::Bodies;
use crate::nearby::nearer;
use crate::simd::{Kernel, Lanes, Level, PAIR_ROOM, SLACK};
use crate::volume::distance_squared;
use std::any::Any;
use std::ops::{ControlFlow, Range};

/// Pairs between two rounds of visits.
const ROUND_PAIRS: usize = 4 * PAIR_ROOM;
/// Bodies tested between two looks at the findings.
const RUN_BODIES: usize = 64;

/// A visitor of pairs: the lesser rows and the greater ones.
pub(super) type Show<'a> = &'a mut dyn FnMut(&[u32], &[u32]) -> ControlFlow<()>;

/// Pairs that were found and not yet shown.
pub(super) struct Round<'a> {
    pub low: [u32; ROUND_PAIRS],
    pub high: [u32; ROUND_PAIRS],
    pub count: usize,
    /// How many pairs were tested.
    pub tests: u64,
    show: Show<'a>,
}

impl Round<'_> {
    /// Makes room for [`PAIR_ROOM`].
    #[inline]
    pub fn make_room(&mut self) -> ControlFlow<()> {
        if self.count + PAIR_ROOM > ROUND_PAIRS { self.end() } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn push(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        self.make_room()?;
        (self.low[self.count], self.high[self.count]) = (i.min(j), i.max(j));
        self.count += 1;
        ControlFlow::Continue(())
    }

    fn end(&mut self) -> ControlFlow<()> {
        let count = std::mem::take(&mut self.count);
        (self.show)(&self.low[..count], &self.high[..count])
    }
}

impl<const D: usize> HashGrid<D> {
    /// Shows all pairs; returns how many were tested. Their order does not depend on the level.
    pub(super) fn visit_pairs(&self, level: Level, bodies: Bodies<D>, show: Show<'_>) -> u64 {
        let mut round = Round { low: [0; ROUND_PAIRS], high: [0; ROUND_PAIRS], count: 0, tests: 0, show };
        if self.len() > 0 {
            let _ = self.find_pairs(level, bodies, &mut round);
        }
        round.tests
    }

    fn find_pairs(&self, level: Level, bodies: Bodies<D>, round: &mut Round<'_>) -> ControlFlow<()> {
        let plane = (self as &dyn Any).downcast_ref::<HashGrid<2>>();
        match plane.filter(|plane| plane.apart <= HashGrid::<2>::BLOCK_CELLS) {
            Some(plane) => plane.pairs_by_batches(level, round)?,
            None => self.pairs_of_small(round)?,
        }
        if self.sizes.count < self.len() {
            level.run(Large { grid: self, bodies, round })?;
        }
        round.end()
    }

    /// The pairs of small bodies, one after the other: each cell with the later ones near it.
    fn pairs_of_small(&self, round: &mut Round<'_>) -> ControlFlow<()> {
        for number in 0..self.block.len() {
            let corner = self.block[number].map(|x| x << Self::BLOCK_BITS);
            let mut first = self.start[number * Self::CELLS] as usize;
            for local in 0..Self::CELLS {
                let own = first..self.start[number * Self::CELLS + local + 1] as usize;
                if own.is_empty() {
                    continue;
                }
                first = own.end;
                let at: [i32; D] =
                    std::array::from_fn(|axis| (local >> (Self::BLOCK_BITS as usize * axis)) as i32 & Self::BLOCK_MASK);
                let window = Window {
                    low: std::array::from_fn(|axis| corner[axis] + at[axis] - self.apart),
                    high: std::array::from_fn(|axis| corner[axis] + at[axis] + self.apart),
                };
                // In this block all rows before are done; in others nothing is.
                let mut here = window;
                here.low[D - 1] = corner[D - 1] + at[D - 1];
                for places in self.place_runs(number, &here) {
                    self.meet(own.clone(), places, round)?;
                }
                if at.iter().any(|&x| x < self.apart || x + self.apart > Self::BLOCK_MASK) {
                    for number in self.blocks(&window).filter(|&other| other > number) {
                        for places in self.place_runs(number, &window) {
                            self.meet(own.clone(), places, round)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Tests small bodies with the later small ones of some places.
    #[inline]
    fn meet(&self, own: Range<usize>, places: Range<usize>, round: &mut Round<'_>) -> ControlFlow<()> {
        for one in own.filter(|&one| self.radius(one) <= self.sizes.limit) {
            let rests = !self.resting.is_empty() && self.resting[one];
            for other in places.start.max(one + 1)..places.end {
                if self.radius(other) > self.sizes.limit || rests && self.resting[other] {
                    continue;
                }
                round.tests += 1;
                let reach = self.radius(one) + self.radius(other);
                if distance_squared(self.point[one], self.point[other]) < reach * reach {
                    round.push(self.row[one], self.row[other])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Pairs of large bodies with all others: each with all small ones and the large ones of later rows.
struct Large<'a, 'r, const D: usize> {
    grid: &'a HashGrid<D>,
    bodies: Bodies<'a, D>,
    round: &'a mut Round<'r>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize> Kernel for Large<'_, '_, D> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> ControlFlow<()> {
        let Self { grid, bodies, round } = self;
        let limit = grid.sizes.limit;
        let mut found = [0; RUN_BODIES + SLACK];
        for place in 0..grid.len() {
            let radius = grid.radius(place);
            if radius <= limit {
                continue;
            }
            let (row, rests) = (grid.row[place], bodies.rests(grid.row[place] as usize));
            let (point, reach) = (grid.point[place], radius + grid.extent.widest);
            let window = grid.window(point, point, reach);
            for number in grid.blocks(&window) {
                for mut places in grid.place_runs(number, &window) {
                    round.tests += tests(grid, places.clone(), row, rests);
                    while places.start < places.end {
                        let run = places.start..places.end.min(places.start + RUN_BODIES);
                        places.start = run.end;
                        let (points, rows) = (&grid.point[run.clone()], &grid.row[run]);
                        let count = nearer(lanes, points, rows, point, reach * reach, &mut found, 0);
                        for &finding in &found[..count] {
                            // As near as the widest body would have to be.
                            let (other, squared) = (finding as u32, f32::from_bits((finding >> 32) as u32));
                            let wide = bodies.radius[other as usize];
                            let left_out = wide > limit && other <= row || rests && bodies.rests(other as usize);
                            if squared < (radius + wide) * (radius + wide) && !left_out {
                                round.push(row, other)?;
                            }
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// How many bodies at some places a large one is tested with.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn tests<const D: usize>(grid: &HashGrid<D>, places: Range<usize>, row: u32, rests: bool) -> u64 {
    let limit = grid.sizes.limit;
    let other = |place: usize| grid.radius(place) <= limit || grid.row[place] > row;
    places.map(|place| u64::from(other(place) && !(rests && grid.resting[place]))).sum()
}
