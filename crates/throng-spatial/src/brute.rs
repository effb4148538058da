//! Every body against every other one.

use super::bodies::meet;
use super::runs::{Columns, Runs};
use super::{Bodies, SpatialError, SpatialIndex};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// No index at all: every question looks at every body. Costs O(n) a query and O(n²) for all pairs.
///
/// The other indices are tested against this one. Below some fifty bodies it is also the fastest.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, BruteForce, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [0.8, 0.0]], &[0.5, 0.5], &[7, 3]);
/// let mut index = BruteForce;
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// let tests = index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!((tests, pairs), (1, vec![(0, 1)]));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl<const D: usize> SpatialIndex<D> for BruteForce {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        bodies.check()
    }

    fn pairs(&self, bodies: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let columns = Columns {
            centre: bodies.position,
            radius: bodies.radius,
            mark: bytemuck::cast_slice(bodies.resting),
            row: &[],
            low: &[],
            high: &[],
        };
        let mut runs = Runs::new(columns, visit);
        let n = bodies.len();
        for i in 0..n {
            if runs.push(i, i + 1, n).is_break() {
                return runs.tests();
            }
        }
        runs.finish()
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

    /// Every search sees all bodies at once.
    fn spacing(&self) -> f32 {
        f32::INFINITY
    }

    fn bytes(&self) -> usize {
        0
    }
}
