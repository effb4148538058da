//! Every body against every other one.

use super::bodies::meet;
use super::{Bodies, SpatialError, SpatialIndex};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// No index at all: every question looks at every body. Costs O(n) a query and O(n²) for all pairs.
///
/// The other indices are tested against this one. Below some fifty bodies it is also the fastest.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng::spatial::{Bodies, BruteForce, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [0.8, 0.0]], &[0.5, 0.5], &[7, 3]);
/// let mut index = BruteForce;
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// let tests = index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!((tests, pairs), (1, vec![(0, 1)]));
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl<const D: usize> SpatialIndex<D> for BruteForce {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        bodies.check()
    }

    fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        for i in 0..bodies.len() {
            for j in i + 1..bodies.len() {
                if bodies.rests(i) && bodies.rests(j) {
                    continue;
                }
                tests += 1;
                if bodies.overlap(i, j) && visit(i as u32, j as u32).is_break() {
                    return tests;
                }
            }
        }
        tests
    }

    fn touching(
        &self,
        bodies: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (0..bodies.len()).filter(|&row| meet(&bodies.bounds(row), region)).try_for_each(|row| visit(row as u32))
    }

    fn cells(&self, _: &Aabb<D>, _: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Every search sees everybody at once.
    fn spacing(&self) -> f32 {
        f32::INFINITY
    }

    fn bytes(&self) -> usize {
        0
    }
}
