//! The spatial hash of a bounded world: a dense grid of buckets, filled by counting sort.

mod layout;
mod lists;
mod pairs;
mod part;
mod queries;
mod sort;
#[cfg(test)]
mod tests;

use super::extent::Extent;
use super::{Bodies, NearRows, Pairs, SpatialError, SpatialIndex, Tuning, middle, nearby};
use crate::simd::Level;
use crate::volume::Aabb;
use layout::Layout;
pub(super) use sort::threads_for;
use std::ops::ControlFlow;

/// A grid of buckets over the bodies, in compressed rows: the bodies are stored bucket after bucket, row of buckets
/// after row of buckets, so that all bodies near a place are a few contiguous stretches.
///
/// `rebuild` is a counting sort, O(n + buckets) with at most some 4 buckets a body, and keeps the order of the input
/// inside a bucket. A query costs O(bodies in the buckets it meets). Bodies may have any mix of radii, but a few very
/// large ones make finding pairs slow ([`TwoLevelGrid`](super::TwoLevelGrid) is for these). A few that are very far from
/// all others do not: buckets are laid where most bodies are, and those on the border hold all that is beyond. Where more
/// than some 3 % are far out on one side, or bounds far wider than the crowd are given, buckets are as large as the world
/// asks for. With bounds, bodies outside are an error.
///
/// Pairs are found sixteen bodies at a time: 16 consecutive ones against those 1, 2, 3 … places further on in the same row
/// of buckets, and then against each one near them in the rows after. That makes some 24 tests a body where the buckets
/// alone would ask for 5, but hardly a branch or a load a test. `rebuild` and `collect_pairs` use the threads of the
/// current rayon pool from 50,000 bodies on. The order of the pairs depends on the bodies alone, not on threads or the
/// instruction set. At 100,000 discs that cover 15 % of the ground, one thread with AVX-512 takes about 7 ns a body for
/// both, three fifths of it for pairs (`benches/pairs.rs`).
///
/// Queries may run on many threads at once.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, DenseGrid, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0]], &[0.5, 0.5], &[0, 1]);
/// let mut index = DenseGrid::default();
/// index.rebuild(bodies)?;
/// let mut found = Vec::new();
/// let _ = index.within(bodies, [0.0, 1.0], 2.0, |row, squared| {
///     found.push((row, squared));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(0, 1.0)]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct DenseGrid {
    /// Wanted side of a bucket (m).
    wanted: Option<f32>,
    bounds: Option<Aabb<2>>,
    layout: Layout,
    /// How many bodies there are; their columns are longer, as the kernels want them.
    count: usize,
    /// `start[b]..start[b + 1]` are the places of the bodies of bucket b. The buckets of a row are numbered from 1; number
    /// 0 of each row is empty.
    start: Vec<u32>,
    /// Positions (turned) and rows of the bodies, by bucket.
    point: Vec<[f32; 2]>,
    row: Vec<u32>,
    /// Radii by bucket; empty where all are the same.
    radius: Vec<f32>,
    /// Which bodies rest, by bucket; empty where none does.
    resting: Vec<bool>,
    deal: sort::Deal,
    /// The greatest radius (m).
    widest: f32,
    /// The rounding that may be added to the bounds of a body (m).
    slack: f32,
}

impl DenseGrid {
    /// An empty grid with the cells, reach and bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let mut grid = tuning.reach.map_or_else(Self::default, Self::tuned);
        if let Some(side) = tuning.cell {
            grid = grid.with_cell(side);
        }
        grid.bounds = tuning.bounds;
        grid
    }

    /// A grid for questions about `reach` metres: its buckets are half as wide. The answers are the same.
    pub fn tuned(reach: f32) -> Self {
        Self { wanted: (reach.is_finite() && reach > 0.0).then_some(reach * 0.5), ..Self::default() }
    }

    /// The same grid with buckets over `bounds` whatever the positions of the bodies.
    #[must_use]
    pub fn with_bounds(mut self, bounds: Aabb<2>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// The same grid with buckets of a given side (m), or larger where they would be too many.
    #[must_use]
    pub fn with_cell(mut self, side: f32) -> Self {
        self.wanted = (side.is_finite() && side > 0.0).then_some(side);
        self
    }

    fn rebuild_at(&mut self, level: Level, threads: usize, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.count = 0;
        let extent = Extent::checked(level, bodies)?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        if !bodies.is_empty() {
            self.fill(level, threads, bodies, &extent, &[]);
        }
        Ok(())
    }

    /// Holds the bodies but for those of some rows, which rise. `extent` is the box of all, and the radii of those held.
    /// There must be one at least.
    pub(super) fn fill(&mut self, level: Level, threads: usize, bodies: Bodies<2>, extent: &Extent<2>, not: &[u32]) {
        let hull = self.bounds.unwrap_or(extent.hull);
        self.widest = extent.widest;
        self.count = bodies.len() - not.len();
        let furthest = hull.low.iter().chain(&hull.high).fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
        self.slack = (furthest + self.widest) * 1e-6;
        let ground = if self.bounds.is_some() { hull } else { layout::ground(bodies.position, &hull) };
        let crowding = middle::crowding(bodies.position, &ground);
        self.layout = Layout::new(ground, self.count, self.wanted, self.widest, crowding);
        self.sort(level, bodies, not, threads);
        self.sort_rest(bodies, extent.narrowest == extent.widest);
    }

    /// How many rows of buckets there are where there are bodies.
    fn rows_of_buckets(&self) -> usize {
        if self.count == 0 { 0 } else { self.layout.cells.count[1] as usize }
    }

    /// The places of the bodies in columns `left..=right` of a row of buckets.
    #[inline]
    fn places(&self, row: u32, left: u32, right: u32) -> std::ops::Range<usize> {
        let line = &self.start[row as usize * self.layout.cells.pitch()..];
        line[left as usize + 1] as usize..line[right as usize + 2] as usize
    }
}

impl SpatialIndex<2> for DenseGrid {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.rebuild_at(Level::detect(), threads_for(bodies.len()), bodies)
    }

    fn pairs(&self, _: Bodies<2>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.visit_pairs(Level::detect(), visit)
    }

    fn collect_pairs(&self, _: Bodies<2>, found: &mut Pairs) -> u64 {
        self.collect(Level::detect(), threads_for(self.count), found)
    }

    fn touching(
        &self,
        _: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 {
            return ControlFlow::Continue(());
        }
        let reach = self.widest + self.slack;
        let region = self.layout.turn_box(region);
        let window = self.layout.window(region.low.map(|x| x - reach), region.high.map(|x| x + reach));
        for bucket_row in window.top..=window.bottom {
            for place in self.places(bucket_row, window.left, window.right) {
                visit(self.row[place])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.count == 0 {
            return ControlFlow::Continue(());
        }
        let (origin, side) = (self.layout.cells.origin, self.layout.side);
        let region = self.layout.turn_box(region);
        let window = self.layout.window(region.low, region.high);
        for row in window.top..=window.bottom {
            for column in window.left..=window.right {
                let held = self.places(row, column, column).len();
                if held > 0 {
                    let low = [origin[0] + column as f32 * side, origin[1] + row as f32 * side];
                    let cell = Aabb { low, high: low.map(|x| x + side) };
                    visit(&self.layout.turn_box(&cell), held)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.layout.side
    }

    fn bytes(&self) -> usize {
        (self.start.capacity() + self.row.capacity()) * size_of::<u32>()
            + self.point.capacity() * size_of::<[f32; 2]>()
            + self.radius.capacity() * size_of::<f32>()
            + self.resting.capacity()
            + self.deal.bytes()
    }

    fn within(
        &self,
        _: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_within(Level::detect(), point, radius, visit)
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        self.nearest_by_rings(bodies, point, reach, accept)
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
        self.write_lists(Level::detect(), bodies, first, reach, near);
    }
}
