//! Divide and conquer over bodies in order along an axis.

use super::bands::Bands;
use super::runs::{Columns, Runs};
use super::{Bodies, Sort, SpatialError, SpatialIndex, Tuning};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// The closest pair by divide and conquer (Shamos & Hoey 1975, Bentley & Shamos 1976), made to find all pairs that
/// overlap.
///
/// The bodies are in order along an axis. A list is cut in half, the pairs of either half are found likewise, and the
/// largest extent of a body in it is returned up the recursion; then the strip to both sides of the cut is searched,
/// which need be no wider than that. So a few giants widen only the strips of the lists that they are in.
///
/// The axis is that along which the bodies are spread widest, chosen anew where that has changed. The world is cut into
/// bands across the next axis, in numbers and heights that the bodies ask for. All pairs of a crowd of any outline in
/// the plane take O(n log n) then, and some n · n^(1/3) in space, where a band is a slab. They take more where many
/// boxes overlap along the axis in one band, up to O(n²) for bodies on one point. An update takes O(n) where bodies
/// move little: the [`Sort`] is by choice, and works on the order of the last frame.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, ClosestPair, Sort, SpatialIndex};
/// let mut index = ClosestPair::default().with_sort(Sort::Bubble);
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
/// pairs.sort();
/// assert_eq!(pairs, [(0, 2), (1, 2)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ClosestPair<const D: usize> {
    bands: Bands<D>,
    sort: Sort,
}

/// Lists that are cut no further.
const UNDIVIDED_BODIES: usize = 12;

impl<const D: usize> ClosestPair<D> {
    /// An empty index with the sort of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        Self::default().with_sort(tuning.sort.unwrap_or_default())
    }

    /// The same index with another sort.
    #[must_use]
    pub fn with_sort(mut self, sort: Sort) -> Self {
        self.sort = sort;
        self
    }
}

/// Finds the pairs among the entries of a list. Returns the largest extent of one along the axis.
fn divide<const D: usize, V: FnMut(u32, u32) -> ControlFlow<()>>(
    columns: Columns<'_, D>,
    from: usize,
    to: usize,
    runs: &mut Runs<'_, D, V>,
) -> ControlFlow<(), f64> {
    let Columns { low, high, .. } = columns;
    if to - from <= UNDIVIDED_BODIES {
        let mut largest = 0.0_f64;
        for a in from..to {
            largest = largest.max(f64::from(high[a]) - f64::from(low[a]));
            runs.push_if(a + 1 < to && low[a + 1] <= high[a], a, a + 1, to)?;
        }
        return ControlFlow::Continue(largest);
    }
    let cut = from + (to - from) / 2;
    let left = divide(columns, from, cut, runs)?;
    let right = divide(columns, cut, to, runs)?;
    // The strip: no body of the left half that begins before it reaches the first of the right half.
    let begin = f64::from(low[cut]) - left * (1.0 + 1e-6);
    for a in (from..cut).rev() {
        if f64::from(low[a]) < begin {
            break;
        }
        runs.push_if(low[cut] <= high[a], a, cut, to)?;
    }
    ControlFlow::Continue(left.max(right))
}

impl<const D: usize> SpatialIndex<D> for ClosestPair<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bands.rebuild(bodies)
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.bands.update(bodies, self.sort)
    }

    fn pairs(&self, _: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let columns = self.bands.columns();
        let mut runs = Runs::new(columns, visit);
        for list in self.bands.lists() {
            if divide(columns, list.start, list.end, &mut runs).is_break() {
                return runs.tests();
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
    fn agrees_with_brute_force_whatever_the_sort() {
        for sort in Sort::ALL {
            suite::<2, _>(sort.name(), || ClosestPair::default().with_sort(sort));
            suite::<3, _>(sort.name(), || ClosestPair::default().with_sort(sort));
        }
    }
}
