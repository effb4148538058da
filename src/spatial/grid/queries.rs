//! Questions about places: bodies within a distance, and the nearest ones.

use super::DenseGrid;
use super::layout::Window;
use crate::simd::{Kernel, Lanes, Level, SLACK};
use crate::spatial::{Bodies, queries};
use crate::volume::distance_squared;
use std::ops::ControlFlow;

/// Bodies tested between two looks at the room left.
const STRETCH: usize = 64;
/// Findings between two rounds of visits.
const ROUND: usize = 2 * STRETCH + SLACK;
/// Findings that fit the buffer of a search for the k nearest of one place.
const ROOM: usize = 256;
/// The most that are found in a [`ROOM`].
const FEW: usize = 64;

impl DenseGrid {
    pub(super) fn visit_within(
        &self,
        level: Level,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 || radius.is_nan() || radius <= 0.0 {
            return ControlFlow::Continue(());
        }
        let point = self.layout.turn(point);
        let window = self.layout.around(point, radius);
        let mut next = Next { row: window.top, done: 0 };
        let mut found = [0; ROUND];
        while next.row <= window.bottom {
            let squared = radius * radius;
            let kernel = Within { grid: self, window, next: &mut next, point, squared, found: &mut found };
            let count = level.run(kernel);
            for &finding in &found[..count] {
                visit(finding as u32, f32::from_bits((finding >> 32) as u32))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Ring after ring of buckets.
    pub(super) fn nearest_by_rings(
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

    #[allow(clippy::too_many_arguments, reason = "those of the query and the level")]
    pub(super) fn find_k_nearest(
        &self,
        level: Level,
        bodies: Bodies<2>,
        point: [f32; 2],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        found.clear();
        if k == 0 || self.count == 0 || reach.is_nan() || reach <= 0.0 {
            return;
        }
        let near =
            Nearest { grid: self, ids: bodies.id, point: self.layout.turn(point), k, reach, accept: &mut accept };
        if k > FEW || level.run(near.into_vec(found)).is_none() {
            queries::k_nearest(self, bodies, point, k, reach, accept, found);
        }
    }

    /// How far to look for `k` bodies, before anything is known.
    pub(super) fn first_guess(&self, k: usize) -> f32 {
        self.layout.side * (k as f32 * 0.5).sqrt()
    }
}

/// Where a search goes on: a row of buckets, and how many of its bodies are done.
struct Next {
    row: u32,
    done: usize,
}

struct Within<'a> {
    grid: &'a DenseGrid,
    window: Window,
    next: &'a mut Next,
    point: [f32; 2],
    squared: f32,
    found: &'a mut [u64; ROUND],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for Within<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { grid, window, next, point, squared, found } = self;
        let mut count = 0;
        while next.row <= window.bottom {
            let places = grid.places(next.row, window.left, window.right);
            let mut first = places.start + next.done;
            while first < places.end {
                let end = places.end.min(first + STRETCH);
                if count + (end - first) + SLACK > ROUND {
                    next.done = first - places.start;
                    return count;
                }
                count = lanes.nearer(&grid.point[first..end], &grid.row[first..end], point, squared, found, count);
                first = end;
            }
            (next.row, next.done) = (next.row + 1, 0);
        }
        count
    }
}

/// What there is no room for is left out by `keep`, or the search given up where that is 0.
pub(super) struct Gather<'a> {
    pub(super) grid: &'a DenseGrid,
    pub(super) ids: &'a [u32],
    pub(super) keep: usize,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Gather<'_> {
    /// Writes all bodies nearer than `reach` to `found`; where that would be more than there is room for, at least the
    /// `keep` nearest and all as near as the furthest of these, or nothing where `keep` is 0.
    #[inline(always)]
    pub(super) fn run<L: Lanes>(&self, lanes: L, point: [f32; 2], reach: f32, found: &mut [u64]) -> Option<usize> {
        let grid = self.grid;
        let window = grid.layout.around(point, reach);
        let (mut count, squared) = (0, reach * reach);
        for row in window.top..=window.bottom {
            let mut places = grid.places(row, window.left, window.right);
            while places.start < places.end {
                let end = places.end.min(places.start + STRETCH);
                if count + (end - places.start) + SLACK > found.len() {
                    if self.keep == 0 {
                        return None;
                    }
                    count = self.shrink(&mut found[..count]);
                }
                let (points, rows) = (&grid.point[places.start..end], &grid.row[places.start..end]);
                count = lanes.nearer(points, rows, point, squared, found, count);
                places.start = end;
            }
        }
        Some(count)
    }

    #[cold]
    fn shrink(&self, found: &mut [u64]) -> usize {
        // By id where equally near, so that what is kept does not depend on the order of the places.
        found.select_nth_unstable_by_key(self.keep, |&finding| by_id(self.ids, finding));
        self.keep + 1
    }
}

/// What findings are sorted by: squared distance, then id.
#[inline]
fn by_id(ids: &[u32], finding: u64) -> (u64, u32) {
    (finding >> 32, ids[finding as u32 as usize])
}

/// Sorts findings by distance, then id.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
pub(super) fn sort<L: Lanes>(lanes: L, ids: &[u32], found: &mut [u64]) {
    if lanes.sort(found) {
        sort_ties(ids, found);
    }
}

#[cold]
fn sort_ties(ids: &[u32], found: &mut [u64]) {
    found.sort_unstable_by_key(|&finding| by_id(ids, finding));
}

/// The k nearest that are accepted.
struct Nearest<'a, A> {
    grid: &'a DenseGrid,
    ids: &'a [u32],
    point: [f32; 2],
    k: usize,
    reach: f32,
    accept: &'a mut A,
}

impl<'a, A> Nearest<'a, A> {
    fn into_vec(self, found: &'a mut Vec<(u32, f32)>) -> NearestInto<'a, A> {
        NearestInto { search: self, found }
    }
}

struct NearestInto<'a, A> {
    search: Nearest<'a, A>,
    found: &'a mut Vec<(u32, f32)>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<A: FnMut(u32) -> bool> Kernel for NearestInto<'_, A> {
    /// Nothing where there was no room.
    type Output = Option<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<()> {
        let Nearest { grid, ids, point, k, reach, accept } = self.search;
        let mut found = [0; ROOM];
        let gather = Gather { grid, ids, keep: 0 };
        let mut look = grid.first_guess(k).min(reach);
        loop {
            let seen = gather.run(lanes, point, look, &mut found)?;
            let mut count = 0;
            for i in 0..seen {
                found[count] = found[i];
                count += usize::from(accept(found[i] as u32));
            }
            if count >= k || look >= reach || seen == grid.count {
                let found = &mut found[..count];
                sort(lanes, ids, found);
                let nearest = found.iter().take(k);
                self.found.extend(nearest.map(|&f| (f as u32, f32::from_bits((f >> 32) as u32))));
                return Some(());
            }
            look = (look * if count == 0 { 2.0 } else { 1.4 }).min(reach);
        }
    }
}
