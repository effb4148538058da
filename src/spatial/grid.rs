//! The spatial hash of a bounded world: a dense grid of buckets, filled by counting sort.

use super::{Bodies, NearRows, SpatialError, SpatialIndex, Tuning};
use crate::simd::{self, Level};
use crate::volume::{Aabb, distance_squared};
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
    buckets: Buckets,
    /// `start[b]..start[b + 1]` are the places of the bodies of bucket b.
    start: Vec<u32>,
    /// Positions and rows of the bodies, by bucket.
    position: Vec<[f32; 2]>,
    row: Vec<u32>,
    /// Bucket of each row; only used while rebuilding.
    bucket: Vec<u32>,
    /// The greatest radius (m).
    widest: f32,
    /// What rounding may add to the bounds of a body (m).
    slack: f32,
}

/// The geometry of the buckets.
#[derive(Clone, Copy, Debug, Default)]
struct Buckets {
    origin: [f32; 2],
    side: f32,
    /// 1 / side.
    scale: f32,
    columns: u32,
    rows: u32,
}

/// A rectangle of buckets, its borders included.
#[derive(Clone, Copy)]
struct Window {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

impl Buckets {
    /// At most this many buckets a body, and [`Buckets::SPARE`] more.
    const PER_BODY: usize = 4;
    const SPARE: usize = 64;

    /// Buckets over `bounds` for `bodies` bodies with sides of `wanted` metres, or larger where they would be too many.
    fn new(bounds: Aabb<2>, bodies: usize, wanted: Option<f32>, widest: f32) -> Self {
        // In f64, where the width of any box of f32 is finite.
        let [width, height] = [0, 1].map(|axis| {
            let side = f64::from(bounds.high[axis]) - f64::from(bounds.low[axis]);
            if side.is_finite() { side.max(0.0) } else { 0.0 }
        });
        let limit = (Self::PER_BODY * bodies + Self::SPARE) as f64;
        let mut side = wanted.map_or_else(
            || {
                // About one body a bucket; contacts in adjacent buckets where that costs little.
                let side = (width * height / bodies.max(1) as f64).sqrt();
                let diameter = 2.0 * f64::from(widest);
                if diameter < 2.0 * side { side.max(diameter) } else { side }
            },
            f64::from,
        );
        side = side.max(width.max(height) / limit).max(1e-6);
        let count = |side: f64| ((width / side).floor() + 1.0, (height / side).floor() + 1.0);
        while count(side).0 * count(side).1 > limit {
            side *= 1.2;
        }
        let (columns, rows) = count(side);
        let side = side as f32;
        Self { origin: bounds.low, side, scale: 1.0 / side, columns: columns as u32, rows: rows as u32 }
    }

    /// The column or row of a coordinate (m). Never falls as the coordinate grows; what lies outside, and NaN, goes to
    /// the border.
    #[inline]
    fn along(&self, axis: usize, x: f32) -> u32 {
        let count = if axis == 0 { self.columns } else { self.rows };
        // `as` saturates: negative and NaN become 0.
        (((x - self.origin[axis]) * self.scale) as u32).min(count - 1)
    }

    #[inline]
    fn of(&self, point: [f32; 2]) -> u32 {
        self.along(1, point[1]) * self.columns + self.along(0, point[0])
    }

    /// The buckets that can hold points whose coordinates differ from those of `point` by less than `reach`: exactly,
    /// since rounding never changes the order of numbers.
    #[inline]
    fn window(&self, point: [f32; 2], reach: f32) -> Window {
        Window {
            left: self.along(0, point[0] - reach),
            right: self.along(0, point[0] + reach),
            top: self.along(1, point[1] - reach),
            bottom: self.along(1, point[1] + reach),
        }
    }

    /// A distance (m) that no body outside the buckets up to `ring` around `centre` can come below.
    fn bound(&self, point: [f32; 2], centre: [u32; 2], ring: u32) -> f32 {
        let mut bound = f32::INFINITY;
        for axis in 0..2 {
            let count = if axis == 0 { self.columns } else { self.rows };
            // Rounding may put a body on the wrong side of a border by a little.
            let magnitude = self.origin[axis].abs() + point[axis].abs() + self.side * count as f32;
            let slack = magnitude * 1e-6;
            if centre[axis] > ring {
                let border = self.origin[axis] + (centre[axis] - ring) as f32 * self.side;
                bound = bound.min(point[axis] - border - slack);
            }
            if centre[axis] + ring + 1 < count {
                let border = self.origin[axis] + (centre[axis] + ring + 1) as f32 * self.side;
                bound = bound.min(border - point[axis] - slack);
            }
        }
        bound
    }
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

    /// The places of the bodies in columns `left..=right` of a row of buckets.
    #[inline]
    fn places(&self, row: u32, left: u32, right: u32) -> std::ops::Range<usize> {
        let first = (row * self.buckets.columns) as usize;
        self.start[first + left as usize] as usize..self.start[first + right as usize + 1] as usize
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
        let window = self.buckets.window(point, reach);
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
                count = simd::nearer(level, &self.position[stretch], first, point, limit, found, count);
            }
        }
        count
    }
}

impl SpatialIndex<2> for DenseGrid {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.position.clear();
        self.row.clear();
        bodies.check()?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        let n = bodies.len();
        self.widest = bodies.radius.iter().fold(0.0, |widest, &radius| radius.max(widest));
        let origin = Aabb { low: [0.0; 2], high: [0.0; 2] };
        let bounds = self.bounds.or_else(|| Aabb::of(bodies.position)).unwrap_or(origin);
        let furthest = bounds.low.iter().chain(&bounds.high).fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
        self.slack = (furthest + self.widest) * 1e-6;
        let buckets = Buckets::new(bounds, n, self.wanted, self.widest);
        self.buckets = buckets;
        self.start.clear();
        self.start.resize((buckets.columns * buckets.rows) as usize + 1, 0);
        self.bucket.clear();
        self.bucket.extend(bodies.position.iter().map(|&position| buckets.of(position)));
        for &bucket in &self.bucket {
            self.start[bucket as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.position.resize(n, [0.0; 2]);
        self.row.resize(n, 0);
        // From the end of each bucket backwards: keeps the order, and leaves the starts behind.
        for (row, &bucket) in self.bucket.iter().enumerate().rev() {
            let start = &mut self.start[bucket as usize];
            *start -= 1;
            self.position[*start as usize] = bodies.position[row];
            self.row[*start as usize] = row as u32;
        }
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        for place in 0..self.position.len() {
            let (point, row) = (self.position[place], self.row[place]);
            let (radius, rests) = (bodies.radius[row as usize], bodies.rests(row as usize));
            let window = self.buckets.window(point, radius + self.widest);
            let bucket_row = self.buckets.along(1, point[1]);
            // Each pair once: only bodies at later places, in this row of buckets and those below.
            for below in bucket_row..=window.bottom {
                let places = self.places(below, window.left, window.right);
                for other in places.start.max(place + 1)..places.end {
                    let other_row = self.row[other];
                    if rests && bodies.rests(other_row as usize) {
                        continue;
                    }
                    tests += 1;
                    let reach = radius + bodies.radius[other_row as usize];
                    if distance_squared(point, self.position[other]) < reach * reach
                        && visit(row.min(other_row), row.max(other_row)).is_break()
                    {
                        return tests;
                    }
                }
            }
        }
        tests
    }

    fn touching(
        &self,
        _: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.position.is_empty() {
            return ControlFlow::Continue(());
        }
        let reach = self.widest + self.slack;
        let along = |axis: usize, x: f32| self.buckets.along(axis, x);
        let (left, right) = (along(0, region.low[0] - reach), along(0, region.high[0] + reach));
        for bucket_row in along(1, region.low[1] - reach)..=along(1, region.high[1] + reach) {
            for place in self.places(bucket_row, left, right) {
                visit(self.row[place])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.position.is_empty() {
            return ControlFlow::Continue(());
        }
        let along = |axis: usize, x: f32| self.buckets.along(axis, x);
        let (origin, side) = (self.buckets.origin, self.buckets.side);
        for row in along(1, region.low[1])..=along(1, region.high[1]) {
            for column in along(0, region.low[0])..=along(0, region.high[0]) {
                let held = self.places(row, column, column).len();
                if held > 0 {
                    let low = [origin[0] + column as f32 * side, origin[1] + row as f32 * side];
                    visit(&Aabb { low, high: low.map(|x| x + side) }, held)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.buckets.side
    }

    fn bytes(&self) -> usize {
        (self.start.capacity() + self.row.capacity() + self.bucket.capacity()) * size_of::<u32>()
            + self.position.capacity() * size_of::<[f32; 2]>()
    }

    fn within(
        &self,
        _: Bodies<2>,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.position.is_empty() || radius.is_nan() || radius <= 0.0 {
            return ControlFlow::Continue(());
        }
        let (level, limit) = (Level::detect(), radius * radius);
        let window = self.buckets.window(point, radius);
        let mut found = [0; STRETCH + simd::SLACK];
        for bucket_row in window.top..=window.bottom {
            let places = self.places(bucket_row, window.left, window.right);
            for first in places.clone().step_by(STRETCH) {
                let stretch = first..places.end.min(first + STRETCH);
                let count = simd::nearer(level, &self.position[stretch], first as u32, point, limit, &mut found, 0);
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
        if self.position.is_empty() || reach.is_nan() || reach <= 0.0 {
            return None;
        }
        let buckets = &self.buckets;
        let window = buckets.window(point, reach);
        let centre = [buckets.along(0, point[0]), buckets.along(1, point[1])];
        // The best so far: squared distance, row, id.
        let mut best: Option<(f32, u32, u32)> = None;
        let mut limit = reach * reach;
        let mut scan = |places: std::ops::Range<usize>| {
            for place in places {
                let squared = distance_squared(self.position[place], point);
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
            let bound = buckets.bound(point, centre, ring);
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
            let point = bodies.position[own as usize];
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
