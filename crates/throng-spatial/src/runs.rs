//! Tests of pairs, gathered so that a vector of them is made at a time.

use crate::simd::{self, DiscColumns, Level};
use crate::volume::distance_squared;
use std::ops::ControlFlow;

/// Bodies in columns, in an order of the structure's own.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a, const D: usize> {
    pub centre: &'a [[f32; D]],
    pub radius: &'a [f32],
    /// Two bodies whose marks have a bit in common are not tested. Empty where none is marked.
    pub mark: &'a [u8],
    /// Empty where a body's index is its row.
    pub row: &'a [u32],
    /// The edges along an axis: a run ends with the first body that begins beyond the end of the one tested. Empty where
    /// runs are tested whole.
    pub low: &'a [f32],
    pub high: &'a [f32],
}

/// As many runs wait.
const WAITING_RUNS: usize = 256;

/// Runs of bodies that one body each is to be tested against: they wait here until there are many.
pub(super) struct Runs<'a, const D: usize, V> {
    columns: Columns<'a, D>,
    level: Level,
    /// The body, and from where to where it is tested.
    waiting: [[u32; 3]; WAITING_RUNS],
    count: usize,
    tests: u64,
    visit: V,
}

impl<'a, const D: usize, V: FnMut(u32, u32) -> ControlFlow<()>> Runs<'a, D, V> {
    pub(super) fn new(columns: Columns<'a, D>, visit: V) -> Self {
        Self { columns, level: Level::detect(), waiting: [[0; 3]; WAITING_RUNS], count: 0, tests: 0, visit }
    }

    /// Tests body `a` against those from `first` to before `end`, now or later.
    #[inline]
    pub(super) fn push(&mut self, a: usize, first: usize, end: usize) -> ControlFlow<()> {
        self.push_if(true, a, first, end)
    }

    /// The same where a condition holds: without a branch on it.
    #[inline]
    pub(super) fn push_if(&mut self, due: bool, a: usize, first: usize, end: usize) -> ControlFlow<()> {
        self.waiting[self.count] = [a as u32, first as u32, end as u32];
        self.count += usize::from(due);
        if self.count == WAITING_RUNS { self.flush() } else { ControlFlow::Continue(()) }
    }

    /// How many tests were made so far.
    pub(super) fn tests(&self) -> u64 {
        self.tests
    }

    /// Makes the tests that wait. How many there were in all.
    pub(super) fn finish(mut self) -> u64 {
        let _ = self.flush();
        self.tests
    }

    #[inline(never)]
    fn flush(&mut self) -> ControlFlow<()> {
        let runs = &self.waiting[..self.count];
        self.count = 0;
        let Columns { centre, radius, mark, row, low, high } = self.columns;
        if D == 2
            && let Ok(centre) = bytemuck::try_cast_slice(centre)
        {
            let discs = DiscColumns { centre, radius, mark, row, low, high };
            return simd::overlapping(self.level, &discs, runs, &mut self.tests, &mut self.visit);
        }
        for run in runs {
            let [a, first, end] = run.map(|place| place as usize);
            for b in first..end {
                if !low.is_empty() && low[b] > high[a] {
                    break;
                }
                if !mark.is_empty() && mark[a] & mark[b] != 0 {
                    continue;
                }
                self.tests += 1;
                let reach = radius[a] + radius[b];
                if distance_squared(centre[a], centre[b]) < reach * reach {
                    let (i, j) = if row.is_empty() { (a as u32, b as u32) } else { (row[a], row[b]) };
                    (self.visit)(i.min(j), i.max(j))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{Crowd, Lie, Size, sorted_pairs};
    use crate::{BruteForce, Bvh, ClosestPair, Sort, SpatialIndex, SweepAndPrune};

    /// Crowds large enough for many bands and deep trees, which the general tests are not.
    fn agree_on_many<const D: usize, I: SpatialIndex<D>>(make: impl Fn() -> I) {
        for (seed, (lie, size)) in [
            (Lie::Uniform, Size::Giants),
            (Lie::Sparse, Size::Mixed),
            (Lie::Clustered, Size::Equal),
            (Lie::Line(1), Size::Mixed),
        ]
        .into_iter()
        .enumerate()
        {
            let mut crowd = Crowd::<D>::new(lie, size, 1200, seed as u64);
            let mut index = make();
            index.rebuild(crowd.bodies()).unwrap();
            for turn in 0..25 {
                assert_eq!(
                    sorted_pairs(&index, crowd.bodies()).0,
                    sorted_pairs(&BruteForce, crowd.bodies()).0,
                    "{lie:?} {size:?} after {turn} updates"
                );
                crowd.stir();
                if turn % 9 == 8 {
                    // Another crowd of the same size, all at once.
                    let other = Crowd::<D>::new(Lie::Line(0), size, crowd.position.len(), 77);
                    index.update(other.bodies()).unwrap();
                    assert_eq!(sorted_pairs(&index, other.bodies()).0, sorted_pairs(&BruteForce, other.bodies()).0);
                }
                index.update(crowd.bodies()).unwrap();
            }
        }
    }

    #[test]
    fn large_crowds() {
        agree_on_many::<2, _>(SweepAndPrune::default);
        agree_on_many::<3, _>(SweepAndPrune::default);
        agree_on_many::<2, _>(|| ClosestPair::default().with_sort(Sort::RecursiveInsertion));
        agree_on_many::<3, _>(|| ClosestPair::default().with_sort(Sort::Bubble));
        agree_on_many::<2, _>(Bvh::default);
        agree_on_many::<3, _>(Bvh::default);
    }
}
