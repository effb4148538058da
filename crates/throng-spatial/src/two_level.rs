//! Two grids, for bodies of very different sizes.

use super::extent::Extent;
use super::grid::threads_for;
use super::nearby::{self, Nearby, Sink};
use super::sizes::Sizes;
use super::{Bodies, DenseGrid, NearRows, Pairs, SpatialError, SpatialIndex, Tuning};
use crate::simd::{Lanes, Level};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// A fine grid of the small bodies and a coarse one of the large ones.
///
/// In one grid a few large bodies make all look far: cells must be large, or many. Here small ones are tested with
/// small ones, large ones with large ones, each in a [`DenseGrid`] that suits them. Each large one is also tested with
/// the small ones in the fine cells that it covers. The border of small is chosen at each `rebuild`, so that the fewest
/// tests are to be expected; where all are of about one size there is one grid.
///
/// `rebuild` is O(n); pairs take as long as in the two grids, and O(small ones covered) for each large one. With more than
/// two very different sizes the cost grows with the largest of each level. Where bounds are given, bodies outside are an
/// error.
///
/// Grids of several levels by size: C. Ericson, "Real-Time Collision Detection", 2005, section 7.2.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, SpatialIndex, TwoLevelGrid};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 0.0], [25.0, 0.0]], &[1.0, 1.0, 23.0], &[0, 1, 2]);
/// let mut index = TwoLevelGrid::default();
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(1, 2)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TwoLevelGrid {
    bounds: Option<Aabb<2>>,
    fine: DenseGrid,
    coarse: DenseGrid,
    /// Rows of the large bodies; none where there is one grid.
    large: Vec<u32>,
    /// The large bodies; only used while rebuilding.
    columns: Columns,
}

/// Columns of some of the bodies.
#[derive(Clone, Debug, Default)]
struct Columns {
    position: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    resting: Vec<bool>,
}

impl Columns {
    fn pick(&mut self, bodies: Bodies<2>, rows: &[u32]) {
        let rows = || rows.iter().map(|&row| row as usize);
        self.position.clear();
        self.position.extend(rows().map(|row| bodies.position[row]));
        self.radius.clear();
        self.radius.extend(rows().map(|row| bodies.radius[row]));
        // Grids do not look at ids while they are built.
        self.id.resize(rows().len(), 0);
        self.resting.clear();
        if !bodies.resting.is_empty() {
            self.resting.extend(rows().map(|row| bodies.resting[row]));
        }
    }

    fn bodies(&self) -> Bodies<'_, 2> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id, resting: &self.resting }
    }
}

impl TwoLevelGrid {
    /// An empty index: cells and reach of `tuning` are those of the fine grid.
    pub fn new(tuning: &Tuning) -> Self {
        let fine = DenseGrid::new(&Tuning { bounds: None, ..*tuning });
        Self { bounds: tuning.bounds, fine, ..Self::default() }
    }

    /// Calls `visit` with the pairs of a large body and a small one.
    fn across(
        &self,
        bodies: Bodies<2>,
        tests: &mut u64,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // The large ones by bucket, so that consecutive ones look at the same places.
        self.fine.overlapping(Level::detect(), bodies, self.coarse.held(), tests, |large, small| {
            visit(large.min(small), large.max(small))
        })
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.large.clear();
        let none = Bodies::new(&[], &[], &[]);
        // No bodies cannot be wrong.
        let _ = (self.fine.rebuild(none), self.coarse.rebuild(none));
    }
}

impl SpatialIndex<2> for TwoLevelGrid {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.clear();
        let level = Level::detect();
        let extent = Extent::checked(level, bodies)?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        if bodies.is_empty() {
            return Ok(());
        }
        let [narrowest, widest] = Sizes::sort_out(bodies, &extent, &mut self.large);
        // The fine grid takes the columns as they are, so that only the few large ones are copied.
        let threads = threads_for(bodies.len());
        self.fine.fill(level, threads, bodies, &Extent { widest, narrowest, ..extent }, &self.large);
        if !self.large.is_empty() {
            self.columns.pick(bodies, &self.large);
            self.coarse.rebuild(self.columns.bodies())?;
            self.coarse.rename(&self.large);
        }
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        if self.across(bodies, &mut tests, &mut visit).is_break() {
            return tests;
        }
        let mut flow = ControlFlow::Continue(());
        for grid in [&self.coarse, &self.fine] {
            tests += grid.pairs(bodies, |i, j| {
                flow = visit(i, j);
                flow
            });
            if flow.is_break() {
                break;
            }
        }
        tests
    }

    fn collect_pairs(&self, bodies: Bodies<2>, found: &mut Pairs) -> u64 {
        let mut tests = self.fine.collect_pairs(bodies, found);
        let mut push = |i, j| {
            found.push(i, j);
            ControlFlow::Continue(())
        };
        let _ = self.across(bodies, &mut tests, &mut push);
        tests + self.coarse.pairs(bodies, push)
    }

    fn touching(
        &self,
        bodies: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.fine.touching(bodies, region, &mut visit)?;
        self.coarse.touching(bodies, region, visit)
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        self.fine.cells(region, &mut visit)?;
        self.coarse.cells(region, visit)
    }

    fn spacing(&self) -> f32 {
        self.fine.spacing()
    }

    fn bytes(&self) -> usize {
        let Columns { position, radius, id, resting } = &self.columns;
        self.fine.bytes()
            + self.coarse.bytes()
            + (self.large.capacity() + id.capacity() + radius.capacity()) * size_of::<u32>()
            + position.capacity() * size_of::<[f32; 2]>()
            + resting.capacity()
    }

    fn within(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.fine.within(bodies, point, radius, &mut visit)?;
        self.coarse.within(bodies, point, radius, visit)
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        nearby::nearest(self, Level::detect(), bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        nearby::k_nearest(self, Level::detect(), bodies, point, k, reach, accept, found);
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        nearby::neighbours(self, Level::detect(), bodies, first, reach, near);
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Nearby<2> for TwoLevelGrid {
    fn count(&self) -> usize {
        self.fine.count() + self.large.len()
    }

    fn first_look(&self, k: usize) -> f32 {
        self.fine.first_look(k)
    }

    #[inline(always)]
    fn show<L: Lanes, S: Sink<2>>(&self, lanes: L, point: [f32; 2], reach: f32, sink: &mut S) -> ControlFlow<()> {
        self.fine.show(lanes, point, reach, sink)?;
        self.coarse.show(lanes, point, reach, sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use crate::SceneKind;
    use crate::tests::suite;

    #[test]
    fn agrees_with_brute_force() {
        let mut cells = [None, Some(0.4), Some(30.0)].iter().cycle();
        suite::<2, _>("two levels", || {
            TwoLevelGrid::new(&Tuning { cell: *cells.next().unwrap(), ..Tuning::default() })
        });
    }

    #[test]
    fn large_ones_are_kept_apart() {
        let scene = Scene::new(SceneKind::Mixed, 3000, 0.15, 1).unwrap();
        let (mut two, mut one) = (TwoLevelGrid::default(), DenseGrid::default());
        two.rebuild(scene.bodies()).unwrap();
        one.rebuild(scene.bodies()).unwrap();
        assert_eq!(two.large.len(), 30);
        let (mut found, mut expected) = (Pairs::default(), Pairs::default());
        let few = two.collect_pairs(scene.bodies(), &mut found);
        let many = one.collect_pairs(scene.bodies(), &mut expected);
        assert!(few * 2 < many, "{few} tests, {many} in one grid");
        let [found, expected] = [&found, &expected].map(|pairs| {
            let mut pairs: Vec<_> = pairs.iter().collect();
            pairs.sort_unstable();
            pairs
        });
        assert_eq!(found, expected);
    }
}
