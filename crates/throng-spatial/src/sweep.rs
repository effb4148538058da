//! Sweep and prune.

use super::bands::Bands;
use super::runs::Runs;
use super::{Bodies, Sort, SpatialError, SpatialIndex};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// Sweep and prune (Baraff 1992, Cohen et al. 1995): the boxes are in order of their lower edges along an axis, and each
/// is tested against those that begin before it ends.
///
/// The axis is that along which the bodies are spread widest, chosen anew where that has changed. The world is cut into
/// bands across the next axis, in numbers and heights that the bodies ask for. All pairs of a crowd of any outline in
/// the plane take O(n) then, and some n · n^(1/3) in space, where a band is a slab. They take more where many boxes
/// overlap along the axis in one band, up to O(n²) for bodies on one point. An update takes O(n) where bodies move
/// little: an insertion sort of the order of the last frame.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, SpatialIndex, SweepAndPrune};
/// let mut index = SweepAndPrune::default();
/// let mut position = vec![[0.0, 0.0], [5.0, 0.0], [0.8, 0.0]];
/// index.rebuild(Bodies::new(&position, &[0.5; 3], &[0, 1, 2]))?;
/// position[1] = [1.7, 0.0];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// index.update(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(0, 2), (1, 2)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune<const D: usize> {
    bands: Bands<D>,
}

impl<const D: usize> SpatialIndex<D> for SweepAndPrune<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bands.rebuild(bodies)
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bands.update(bodies, Sort::Insertion)
    }

    fn pairs(&self, _: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let columns = self.bands.columns();
        let mut runs = Runs::new(columns, visit);
        for list in self.bands.lists() {
            for a in list.start..list.end.saturating_sub(1) {
                if runs.push_if(columns.low[a + 1] <= columns.high[a], a, a + 1, list.end).is_break() {
                    return runs.tests();
                }
            }
        }
        runs.finish()
    }

    fn touching(&self, _: Bodies<D>, region: &Aabb<D>, visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.bands.touching(region, visit)
    }

    fn cells(&self, region: &Aabb<D>, visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        self.bands.cells(region, visit)
    }

    fn spacing(&self) -> f32 {
        self.bands.spacing()
    }

    fn bytes(&self) -> usize {
        self.bands.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::suite;

    #[test]
    fn agrees_with_brute_force() {
        suite::<2, _>("sweep", SweepAndPrune::default);
        suite::<3, _>("sweep", SweepAndPrune::default);
    }
}
