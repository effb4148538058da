//! The spatial hash of a bounded world: a dense grid of buckets, filled by counting sort.

mod layout;
mod pairs;
mod sort;
#[cfg(test)]
mod tests;

use super::{Bodies, NearRows, Pairs, SpatialError, SpatialIndex, Tuning};
use crate::simd::{self, Level};
use crate::volume::{Aabb, distance_squared};
use layout::Layout;
use std::ops::ControlFlow;

/// A grid of buckets over the bodies, in compressed rows: the bodies are stored bucket after bucket, row of buckets
/// after row of buckets, so that all bodies near a place are a few contiguous stretches.
///
/// `rebuild` is a counting sort, O(n + buckets) with at most some 4 buckets a body, and keeps the order of the input
/// inside a bucket. A query costs O(bodies in the buckets it meets). Bodies may have any mix of radii, but a few very
/// large ones make finding pairs slow. Where bounds are given, bodies outside are an error.
///
/// Queries may run on many threads at once.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng::spatial::{Bodies, DenseGrid, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [3.0, 4.0]], &[0.5, 0.5], &[0, 1]);
/// let mut index = DenseGrid::default();
/// index.rebuild(bodies)?;
/// let mut found = Vec::new();
/// let _ = index.within(bodies, [0.0, 1.0], 2.0, |row, squared| {
///     found.push((row, squared));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(0, 1.0)]);
/// # Ok::<(), throng::spatial::SpatialError>(())
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
    /// Who rests, by bucket; empty where nobody does.
    resting: Vec<bool>,
    /// Bucket of each row; only used while rebuilding.
    bucket: Vec<u32>,
    /// The greatest radius (m).
    widest: f32,
    /// What rounding may add to the bounds of a body (m).
    slack: f32,
}

/// Candidates that fit the buffer of a search for the k nearest.
const ROOM: usize = 1024;
/// Candidates looked at before room is made.
const STRETCH: usize = 256;

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

    fn rebuild_at(&mut self, level: Level, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.count = 0;
        bodies.check()?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        let far = Bodies::<2>::FURTHEST;
        let hull = simd::ranges(level, bodies.position.as_flattened(), far);
        let radii = simd::ranges(level, bodies.radius, far);
        let (Some([x, y]), Some([even, odd]), false) = (hull, radii, bodies.is_empty()) else {
            return Ok(());
        };
        let bounds = self.bounds.unwrap_or(Aabb { low: [x[0], y[0]], high: [x[1], y[1]] });
        self.widest = even[1].max(odd[1]);
        let equal = even[0].min(odd[0]) == self.widest;
        let furthest = bounds.low.iter().chain(&bounds.high).fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
        self.slack = (furthest + self.widest) * 1e-6;
        let crowding = layout::crowding(bodies.position, &bounds);
        self.layout = Layout::new(bounds, bodies.len(), self.wanted, self.widest, crowding);
        self.sort(level, bodies);
        self.sort_rest(bodies, equal);
        self.count = bodies.len();
        Ok(())
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

    /// Appends to `found` all bodies nearer than `reach`, as [`simd::nearer`] does; where that would be more than there
    /// is room for, at least the `k` nearest and all as near as the furthest of these.
    fn collect(
        &self,
        level: Level,
        ids: &[u32],
        point: [f32; 2],
        reach: f32,
        k: usize,
        found: &mut [u64; ROOM],
    ) -> usize {
        let window = self.layout.around(point, reach);
        let (mut count, limit) = (0, reach * reach);
        for bucket_row in window.top..=window.bottom {
            let mut places = self.places(bucket_row, window.left, window.right);
            while !places.is_empty() {
                let stretch = places.start..places.end.min(places.start + STRETCH);
                if count + STRETCH + simd::SLACK > ROOM {
                    // By id where equally near, so that what is kept does not depend on the order of the places.
                    let by_id = |finding: &u64| (finding >> 32, ids[self.row[*finding as u32 as usize] as usize]);
                    found[..count].select_nth_unstable_by_key(k, by_id);
                    count = k + 1;
                }
                places.start = stretch.end;
                let first = stretch.start as u32;
                count = simd::nearer(level, &self.point[stretch], first, point, limit, found, count);
            }
        }
        count
    }
}

impl SpatialIndex<2> for DenseGrid {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.rebuild_at(Level::detect(), bodies)
    }

    fn pairs(&self, _: Bodies<2>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.visit_pairs(Level::detect(), visit)
    }

    fn collect_pairs(&self, _: Bodies<2>, found: &mut Pairs) -> u64 {
        self.collect_rows(Level::detect(), 0..self.rows_of_buckets(), found)
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
        (self.start.capacity() + self.row.capacity() + self.bucket.capacity()) * size_of::<u32>()
            + self.point.capacity() * size_of::<[f32; 2]>()
            + self.radius.capacity() * size_of::<f32>()
            + self.resting.capacity()
    }

    fn within(
        &self,
        _: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 || radius.is_nan() || radius <= 0.0 {
            return ControlFlow::Continue(());
        }
        let (level, limit) = (Level::detect(), radius * radius);
        let point = self.layout.turn(point);
        let window = self.layout.around(point, radius);
        let mut found = [0; STRETCH + simd::SLACK];
        for bucket_row in window.top..=window.bottom {
            let places = self.places(bucket_row, window.left, window.right);
            for first in places.clone().step_by(STRETCH) {
                let stretch = first..places.end.min(first + STRETCH);
                let count = simd::nearer(level, &self.point[stretch], first as u32, point, limit, &mut found, 0);
                for &finding in &found[..count] {
                    visit(self.row[finding as u32 as usize], f32::from_bits((finding >> 32) as u32))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn nearest(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        if self.count == 0 || reach.is_nan() || reach <= 0.0 {
            return None;
        }
        let layout = &self.layout;
        let point = layout.turn(point);
        let window = layout.around(point, reach);
        let centre = [layout.cells.step(0, point[0]), layout.cells.step(1, point[1])];
        // The best so far: squared distance, row, id.
        let mut best: Option<(f32, u32, u32)> = None;
        let mut limit = reach * reach;
        let mut scan = |places: std::ops::Range<usize>| {
            for place in places {
                let squared = distance_squared(self.point[place], point);
                // Beyond the first finding equally near ones still compete by id.
                let rival = best.is_some_and(|best| squared.to_bits() == best.0.to_bits());
                if squared < limit || rival {
                    let row = self.row[place];
                    let id = bodies.id[row as usize];
                    if (!rival || best.is_some_and(|best| id < best.2)) && accept(row) {
                        best = Some((squared, row, id));
                        limit = squared;
                    }
                }
            }
            limit
        };
        let mut ring = 0;
        loop {
            let (left, right) = (centre[0].saturating_sub(ring).max(window.left), (centre[0] + ring).min(window.right));
            let (top, bottom) = (centre[1].saturating_sub(ring).max(window.top), (centre[1] + ring).min(window.bottom));
            let mut limit = f32::INFINITY;
            for row in top..=bottom {
                if row + ring == centre[1] || row == centre[1] + ring {
                    limit = scan(self.places(row, left, right));
                } else {
                    if left + ring == centre[0] {
                        limit = scan(self.places(row, left, left));
                    }
                    if right == centre[0] + ring {
                        limit = scan(self.places(row, right, right));
                    }
                }
            }
            let bound = layout.bound(point, centre, ring);
            let whole = left == window.left && right == window.right && top == window.top && bottom == window.bottom;
            // Strictly further: equally near ones compete by id.
            if whole || (bound > 0.0 && bound * bound > limit) {
                return best.map(|(squared, row, _)| (row, squared));
            }
            ring += 1;
        }
    }

    fn neighbours(&self, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        if near.k == 0 || reach.is_nan() || reach <= 0.0 {
            near.count.fill(0);
            return;
        }
        let level = Level::detect();
        let mut found = [0; ROOM];
        // Looking no further than needed is faster; what was needed last time is a good guess.
        let mut guess = reach;
        for (i, (count, rows)) in near.count.iter_mut().zip(near.rows.chunks_mut(near.k)).enumerate() {
            let own = (first + i) as u32;
            let point = self.layout.turn(bodies.position[own as usize]);
            let mut look = guess.min(reach);
            // One more than k, since a body finds itself.
            let mut hits = self.collect(level, bodies.id, point, look, near.k + 1, &mut found);
            while hits <= near.k && look < reach {
                look = (look * 1.4).min(reach);
                hits = self.collect(level, bodies.id, point, look, near.k + 1, &mut found);
            }
            let found = &mut found[..hits];
            simd::sort(level, found);
            if found.windows(2).any(|pair| pair[0] >> 32 == pair[1] >> 32) {
                found.sort_unstable_by_key(|f| (f >> 32, bodies.id[self.row[*f as u32 as usize] as usize]));
            }
            let others = found.iter().map(|&finding| self.row[finding as u32 as usize]).filter(|&row| row != own);
            let mut written = 0;
            for (place, row) in rows.iter_mut().zip(others) {
                *place = row;
                written += 1;
            }
            *count = written;
            let needed = found.get(near.k).map_or(reach, |&f| f32::from_bits((f >> 32) as u32).sqrt() * 1.15);
            guess = ((guess.min(needed * 2.0) + needed) * 0.5).max(1e-3);
        }
    }
}
