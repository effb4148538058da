//! Space that wraps around.

use super::bodies::{ULPS, axis_name, union};
use super::queries::widen;
use super::{Bodies, SpatialError, SpatialIndex};
use crate::volume::Aabb;
use std::array::from_fn;
use std::ops::ControlFlow;

/// An index over space that wraps around in every axis: a torus, as in cellular automata and simulations of artificial
/// life.
///
/// Positions and points may lie anywhere: they are taken into the base cell, from 0 to below the period on each axis. The
/// distance of two points is that of their nearest images (the minimum image convention: Allen and Tildesley, *Computer
/// Simulation of Liquids*, 1987; see [`distance_squared`](Self::distance_squared)). Every index gives the same answers.
///
/// The torus keeps columns of its own, O(n), and asks the index within about a question's images, each of which is at most
/// one period wide. Only images that meet the base cell are asked for: mostly one. `rebuild` adds O(n) to that of the index.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::{Bodies, Index, IndexKind, Torus};
/// // A world of 100 m by 50 m; the last body is beyond its right border, so it is at x = 1 m.
/// let position = [[99.5, 10.0], [50.0, 10.0], [101.0, 10.0]];
/// let mut torus = Torus::new([100.0, 50.0], Index::new(IndexKind::Grid))?;
/// torus.rebuild(Bodies::new(&position, &[1.0; 3], &[0, 1, 2]))?;
/// let mut pairs = Vec::new();
/// torus.pairs(|i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(0, 2)]);
/// assert_eq!(torus.nearest([0.0, 10.0], 5.0, |_| true), Some((0, 0.25)));
/// assert_eq!(torus.offset(position[0], position[2]), [1.5, 0.0]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Torus<const D: usize, I> {
    period: [f32; D],
    index: I,
    /// In the base cell.
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    resting: Vec<bool>,
    /// Around the bounds of all bodies, with those parts that stick out of the base cell.
    hull: Aabb<D>,
}

/// By how many periods an image is away from the base cell, on each axis: -1, 0 or 1.
type Shift<const D: usize> = [i8; D];

impl<const D: usize, I: SpatialIndex<D>> Torus<D, I> {
    /// An empty torus with a period (m) on each axis, over an index of any kind.
    ///
    /// # Errors
    /// [`SpatialError::Period`] where a period is no number, not above 0 or greater than
    /// [`Bodies::MAX_EXTENT_M`].
    ///
    /// ```
    /// use throng_spatial::{Bvh, Torus};
    /// let error = Torus::new([100.0, 0.0], Bvh::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "the period along y is 0 m: expected a number above 0 and of at most 1e18 m");
    /// ```
    pub fn new(period: [f32; D], index: I) -> Result<Self, SpatialError> {
        for (axis, found) in period.into_iter().enumerate() {
            if !(found > 0.0 && found <= Bodies::<D>::MAX_EXTENT_M) {
                return Err(SpatialError::Period { axis: axis_name(axis), found });
            }
        }
        let (position, radius, id, resting) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { period, index, position, radius, id, resting, hull: Aabb { low: [0.0; D], high: period } })
    }

    /// The length of the world on each axis (m).
    pub fn period(&self) -> [f32; D] {
        self.period
    }

    /// The index below, which was built of [`bodies`](Self::bodies): it knows nothing of images.
    pub fn index(&self) -> &I {
        &self.index
    }

    /// The bodies of the last [`rebuild`](Self::rebuild) or [`update`](Self::update), in the base cell.
    pub fn bodies(&self) -> Bodies<'_, D> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id, resting: &self.resting }
    }

    /// The image of a point (m) in the base cell: from 0 to below the period on each axis. A coordinate that is not finite
    /// becomes no number.
    pub fn wrap(&self, point: [f32; D]) -> [f32; D] {
        from_fn(|axis| wrapped(point[axis], self.period[axis]))
    }

    /// The shortest way from one point to an image of another (m), axis by axis. Where both ways round are equally long,
    /// it is the one within the base cell.
    pub fn offset(&self, from: [f32; D], to: [f32; D]) -> [f32; D] {
        let (from, to) = (self.wrap(from), self.wrap(to));
        from_fn(|axis| nearest_image(from[axis], to[axis], self.period[axis]).0)
    }

    /// The squared distance between the nearest images of two points (m²): the definition for all answers.
    ///
    /// In `f32`, with d = |a - b| in the base cell: the squares of min(d, period - d) are summed axis by axis. It is the
    /// same from either point, and that of [`crate::volume::distance_squared`] where no border is nearer.
    pub fn distance_squared(&self, a: [f32; D], b: [f32; D]) -> f32 {
        length_squared(self.offset(a, b))
    }

    /// Forgets everything and indexes `bodies`. O(n), and what the index needs.
    ///
    /// # Errors
    /// As [`SpatialIndex::rebuild`], with bounds of the index compared to the base cell. The torus is empty then.
    pub fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.build(bodies, I::rebuild)
    }

    /// Indexes `bodies` as they are now, by [`SpatialIndex::update`].
    ///
    /// # Errors
    /// As [`rebuild`](Self::rebuild).
    pub fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.build(bodies, I::update)
    }

    fn build(
        &mut self,
        bodies: Bodies<D>,
        build: fn(&mut I, Bodies<D>) -> Result<(), SpatialError>,
    ) -> Result<(), SpatialError> {
        self.clear();
        let checked = bodies.check();
        if checked.is_ok() {
            let period = self.period;
            self.position
                .extend(bodies.position.iter().map(|at| -> [f32; D] { from_fn(|i| wrapped(at[i], period[i])) }));
            self.radius.extend_from_slice(bodies.radius);
            self.id.extend_from_slice(bodies.id);
            self.resting.extend_from_slice(bodies.resting);
            let kept = self.bodies();
            let base = Aabb { low: [0.0; D], high: self.period };
            self.hull = (0..kept.len()).fold(base, |hull, row| union(&hull, &kept.bounds(row)));
        }
        let (position, radius, id, resting) = (&self.position, &self.radius, &self.id, &self.resting);
        // Where bodies were refused, the index is emptied as well.
        let built = checked.and(build(&mut self.index, Bodies { position, radius, id, resting }));
        if built.is_err() {
            self.clear();
        }
        built
    }

    fn clear(&mut self) {
        self.position.clear();
        self.radius.clear();
        self.id.clear();
        self.resting.clear();
    }

    /// Calls `visit(i, j)` with i < j once for each pair of rows whose nearest images overlap (distance < sum of radii), in
    /// no particular order, but for two that rest. A body is no pair with its own image. Returns how many pairs were tested.
    ///
    /// Costs what [`SpatialIndex::pairs`] does, and a question to the index for each image of a body that reaches over a
    /// border.
    pub fn pairs(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let bodies = self.bodies();
        let mut flow = ControlFlow::Continue(());
        let mut tests = self.index.pairs(bodies, |i, j| {
            flow = visit(i, j);
            flow
        });
        for row in 0..bodies.len() {
            if flow.is_break() {
                break;
            }
            if self.reaches_over(row) {
                flow = self.pairs_over_borders(row, &mut tests, &mut visit);
            }
        }
        tests
    }

    /// The pairs of a body, over a border, that the index did not find. Each is found once: by the nearest image, and by
    /// the body that reaches over a border, or by the first one where both do.
    fn pairs_over_borders(
        &self,
        row: usize,
        tests: &mut u64,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bodies = self.bodies();
        let (centre, radius) = (bodies.position[row], bodies.radius[row]);
        self.images(centre, radius, &self.hull, |shift, region| {
            if *shift == [0; D] {
                return ControlFlow::Continue(());
            }
            self.index.touching(bodies, region, |found| {
                let other = found as usize;
                if other == row
                    || (bodies.rests(row) && bodies.rests(other))
                    || (other < row && self.reaches_over(other))
                {
                    return ControlFlow::Continue(());
                }
                let Some(squared) = self.seen_from(centre, shift, other) else { return ControlFlow::Continue(()) };
                *tests += 1;
                let reach = radius + bodies.radius[other];
                if squared < reach * reach && !bodies.overlap(row, other) {
                    visit((row as u32).min(found), (row as u32).max(found))
                } else {
                    ControlFlow::Continue(())
                }
            })
        })
    }

    /// Calls `visit(row, squared distance)` once for each body nearer than `radius` (m) to `point`, by their nearest
    /// images, in no particular order.
    pub fn within(
        &self,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let limit = radius.max(0.0) * radius;
        self.around(self.wrap(point), radius, |row, squared| {
            if squared < limit { visit(row, squared) } else { ControlFlow::Continue(()) }
        })
    }

    /// The nearest body that `accept` takes and that is nearer than `reach` (m): its row and squared distance (m²). Ties go
    /// to the smaller id.
    pub fn nearest(&self, point: [f32; D], reach: f32, mut accept: impl FnMut(u32) -> bool) -> Option<(u32, f32)> {
        let point = self.wrap(point);
        // Bits of the squared distance (they order like the distance), id, row.
        let mut best: Option<(u32, u32, u32)> = None;
        widen(self.id.len(), self.index.spacing(), reach, |radius| {
            let mut seen = 0;
            let _ = self.around(point, radius, |row, squared| {
                seen += 1;
                let candidate = (squared.to_bits(), self.id[row as usize], row);
                if squared < reach * reach && best.is_none_or(|best| candidate < best) && accept(row) {
                    best = Some(candidate);
                }
                ControlFlow::Continue(())
            });
            (best.is_some_and(|(squared, ..)| f32::from_bits(squared) < radius * radius), seen)
        });
        best.map(|(squared, _, row)| (row, f32::from_bits(squared)))
    }

    /// Writes `found`: the `k` nearest bodies that `accept` takes and that are nearer than `reach` (m), each with its
    /// squared distance (m²), sorted by distance, then id.
    pub fn k_nearest(
        &self,
        point: [f32; D],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        found.clear();
        if k == 0 {
            return;
        }
        let point = self.wrap(point);
        let first = self.index.spacing() * libm::powf(k as f32, 1.0 / D as f32);
        widen(self.id.len(), first, reach, |radius| {
            found.clear();
            let (mut near, mut seen) = (0, 0);
            let _ = self.around(point, radius, |row, squared| {
                seen += 1;
                if squared < reach * reach && accept(row) {
                    found.push((row, squared));
                    near += usize::from(squared < radius * radius);
                }
                ControlFlow::Continue(())
            });
            (near >= k, seen)
        });
        found.sort_unstable_by_key(|&(row, squared)| (squared.to_bits(), self.id[row as usize]));
        found.truncate(k);
    }

    /// Calls `visit(row, squared distance)` once for each body nearer than `radius` to a point of the base cell, and perhaps
    /// for some others.
    fn around(
        &self,
        point: [f32; D],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let base = Aabb { low: [0.0; D], high: self.period };
        self.images(point, radius, &base, |shift, region| {
            self.index.touching(self.bodies(), region, |row| {
                self.seen_from(point, shift, row as usize)
                    .map_or(ControlFlow::Continue(()), |squared| visit(row, squared))
            })
        })
    }

    /// The squared distance of a body from an image of a point, if none is nearer: a body counts at one image only.
    fn seen_from(&self, point: [f32; D], shift: &Shift<D>, row: usize) -> Option<f32> {
        let mut offset = [0.0; D];
        for axis in 0..D {
            let (along, image) = nearest_image(point[axis], self.position[row][axis], self.period[axis]);
            if image != shift[axis] {
                return None;
            }
            offset[axis] = along;
        }
        Some(length_squared(offset))
    }

    /// Calls `ask` with each image of a ball in the base cell that meets a region, and the box around that image.
    fn images(
        &self,
        centre: [f32; D],
        radius: f32,
        region: &Aabb<D>,
        mut ask: impl FnMut(&Shift<D>, &Aabb<D>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mut first, mut last) = ([0; D], [0; D]);
        for axis in 0..D {
            let meets = |&shift: &i8| {
                let [low, high] = self.interval(axis, centre[axis], radius, shift);
                low <= region.high[axis] && region.low[axis] <= high
            };
            // The images that meet a region follow one another.
            let (Some(least), Some(most)) = ((-1..=1).find(meets), (-1..=1).rev().find(meets)) else {
                return ControlFlow::Continue(());
            };
            (first[axis], last[axis]) = (least, most);
        }
        let mut shift = first;
        loop {
            let sides: [[f32; 2]; D] = from_fn(|axis| self.interval(axis, centre[axis], radius, shift[axis]));
            ask(&shift, &Aabb { low: sides.map(|[low, _]| low), high: sides.map(|[_, high]| high) })?;
            // The next one: counts up, the first axis fastest.
            let Some(axis) = (0..D).find(|&axis| shift[axis] < last[axis]) else { return ControlFlow::Continue(()) };
            shift[..axis].copy_from_slice(&first[..axis]);
            shift[axis] += 1;
        }
    }

    /// Where an image of a ball lies on an axis, but at most half a period to either side: what is farther is nearer to
    /// another image.
    ///
    /// Rounding in [`nearest_image`] and in the sums here costs fewer than 8 ulps of the period (of 2⁻²⁴), and the slack is
    /// 32 of them. The bounds of the other ball have a slack of their own, for what its radius costs ([`Bodies::bounds`]).
    #[inline]
    fn interval(&self, axis: usize, centre: f32, radius: f32, shift: i8) -> [f32; 2] {
        let period = self.period[axis];
        let (centre, reach) = (centre + f32::from(shift) * period, radius.max(0.0).min(0.5 * period));
        let slack = 4.0 * ULPS * period;
        [centre - reach - slack, centre + reach + slack]
    }

    /// True where a body reaches over a border of the base cell, or nearly. Of two that overlap over a border, one does.
    #[inline]
    fn reaches_over(&self, row: usize) -> bool {
        (0..D).any(|axis| {
            let [low, high] = self.interval(axis, self.position[row][axis], self.radius[row], 0);
            low < 0.0 || high > self.period[axis]
        })
    }
}

/// The image of a coordinate from 0 to below the period.
#[inline]
fn wrapped(x: f32, period: f32) -> f32 {
    // The remainder is exact; one that is a little below 0 may be rounded up to the period.
    let rest = x % period;
    let rest = if rest < 0.0 { rest + period } else { rest.abs() };
    if rest >= period { 0.0 } else { rest }
}

/// The way between two coordinates in the base cell, to the nearest image: how long it is, and the image of `from` that it
/// begins at.
#[inline]
fn nearest_image(from: f32, to: f32, period: f32) -> (f32, i8) {
    let way = to - from;
    let round = period - way.abs();
    if way.abs() <= round {
        (way, 0)
    } else if way > 0.0 {
        (-round, 1)
    } else {
        (round, -1)
    }
}

#[inline]
fn length_squared<const D: usize>(offset: [f32; D]) -> f32 {
    let mut sum = 0.0;
    for along in offset {
        sum += along * along;
    }
    sum
}

#[cfg(test)]
mod tests;
