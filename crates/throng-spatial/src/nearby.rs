//! The nearest bodies, and those within a distance, of an index that keeps bodies near a place together in columns.

use super::{Bodies, NearRows, SpatialIndex, queries};
use crate::simd::{Kernel, Lanes, Level, SLACK};
use crate::volume::distance_squared;
use std::ops::ControlFlow;

/// Bodies tested between two looks at the room left.
const RUN_BODIES: usize = 64;
/// Findings between two rounds of visits.
const ROUND_FINDINGS: usize = 2 * RUN_BODIES + SLACK;
/// Findings that fit the buffer of a search for the k nearest of one body or of many.
const SEARCH_FINDINGS: usize = 256;
pub(super) const LIST_FINDINGS: usize = 1024;
/// The most that are found in a [`SEARCH_FINDINGS`].
const MAX_BUFFERED_K: usize = 64;
/// How often a search that finds no room looks less far, before it is given up.
const MAX_SHRINKS: usize = 6;

/// An index that shows the bodies near a point as stretches of its columns.
pub(super) trait Nearby<const D: usize>: SpatialIndex<D> + Sized {
    /// How many bodies there are.
    fn count(&self) -> usize;

    /// How far to look for `k` bodies (m), before anything is known; above 0.
    fn first_look(&self, k: usize) -> f32;

    /// Shows each body nearer than `reach` (m, above 0) to `point` once, and perhaps others. Must be
    /// `#[inline(always)]`, as all that is called in a kernel.
    fn show<L: Lanes, S: Sink<D>>(&self, lanes: L, point: [f32; D], reach: f32, sink: &mut S) -> ControlFlow<()>;
}

/// A visitor of bodies.
pub(super) trait Sink<const D: usize> {
    /// Takes a stretch of positions and rows, and the point as the positions have it.
    fn take<L: Lanes>(&mut self, lanes: L, points: &[[f32; D]], rows: &[u32], point: [f32; D]) -> ControlFlow<()>;
}

/// Calls `visit` with each body nearer than `radius` (m) and its squared distance.
pub(super) fn within<const D: usize, I: Nearby<D>>(
    index: &I,
    level: Level,
    point: [f32; D],
    radius: f32,
    visit: impl FnMut(u32, f32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if index.count() == 0 || radius.is_nan() || radius <= 0.0 {
        return ControlFlow::Continue(());
    }
    level.run(Within { index, point, radius, visit })
}

/// The nearest body that `accept` takes: see [`SpatialIndex::nearest`].
pub(super) fn nearest<const D: usize, I: Nearby<D>>(
    index: &I,
    level: Level,
    bodies: Bodies<D>,
    point: [f32; D],
    reach: f32,
    accept: impl FnMut(u32) -> bool,
) -> Option<(u32, f32)> {
    if index.count() == 0 || reach.is_nan() || reach <= 0.0 {
        return None;
    }
    level.run(Nearest { index, ids: bodies.id, point, reach, accept })
}

/// See [`SpatialIndex::k_nearest`].
#[allow(clippy::too_many_arguments, reason = "those of the query and the level")]
pub(super) fn k_nearest<const D: usize, I: Nearby<D>>(
    index: &I,
    level: Level,
    bodies: Bodies<D>,
    point: [f32; D],
    k: usize,
    reach: f32,
    mut accept: impl FnMut(u32) -> bool,
    found: &mut Vec<(u32, f32)>,
) {
    found.clear();
    if k == 0 || index.count() == 0 || reach.is_nan() || reach <= 0.0 {
        return;
    }
    let kernel = KNearest { index, ids: bodies.id, point, k, reach, accept: &mut accept, into: found };
    if k > MAX_BUFFERED_K || level.run(kernel).is_none() {
        queries::k_nearest(index, bodies, point, k, reach, accept, found);
    }
}

/// See [`SpatialIndex::neighbours`].
pub(super) fn neighbours<const D: usize, I: Nearby<D>>(
    index: &I,
    level: Level,
    bodies: Bodies<D>,
    first: usize,
    reach: f32,
    near: NearRows<'_>,
) {
    if near.k == 0 || index.count() == 0 || reach.is_nan() || reach <= 0.0 {
        near.count.fill(0);
        return;
    }
    level.run(Lists { index, bodies, first, reach, near });
}

/// As [`Lanes::nearer`], with vectors in the plane.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
pub(super) fn nearer<L: Lanes, const D: usize>(
    lanes: L,
    points: &[[f32; D]],
    rows: &[u32],
    point: [f32; D],
    squared: f32,
    found: &mut [u64],
    mut count: usize,
) -> usize {
    if D == 2 {
        let (points, _) = points.as_flattened().as_chunks();
        return lanes.nearer(points, rows, [point[0], point[D - 1]], squared, found, count);
    }
    for (&other, &row) in points.iter().zip(rows) {
        let distance = distance_squared(other, point);
        found[count] = u64::from(distance.to_bits()) << 32 | u64::from(row);
        count += usize::from(distance < squared);
    }
    count
}

/// The squared distance of a finding (m²).
#[inline]
fn squared(finding: u64) -> f32 {
    f32::from_bits((finding >> 32) as u32)
}

/// The key by which findings are sorted: squared distance, then id.
#[inline]
fn by_id(ids: &[u32], finding: u64) -> (u64, u32) {
    (finding >> 32, ids[finding as u32 as usize])
}

/// Sorts findings by distance, then id.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn sort<L: Lanes>(lanes: L, ids: &[u32], found: &mut [u64]) {
    if lanes.sort(found) {
        sort_ties(ids, found);
    }
}

#[cold]
fn sort_ties(ids: &[u32], found: &mut [u64]) {
    found.sort_unstable_by_key(|&finding| by_id(ids, finding));
}

/// Calls a visitor, many findings at a time: hardly a branch to mispredict.
struct Visits<V> {
    squared: f32,
    visit: V,
    found: [u64; ROUND_FINDINGS],
    count: usize,
}

impl<V: FnMut(u32, f32) -> ControlFlow<()>> Visits<V> {
    #[inline]
    fn end(&mut self) -> ControlFlow<()> {
        let count = std::mem::take(&mut self.count);
        self.found[..count].iter().try_for_each(|&finding| (self.visit)(finding as u32, squared(finding)))
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, V: FnMut(u32, f32) -> ControlFlow<()>> Sink<D> for Visits<V> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, points: &[[f32; D]], rows: &[u32], point: [f32; D]) -> ControlFlow<()> {
        let mut first = 0;
        while first < rows.len() {
            let end = rows.len().min(first + RUN_BODIES);
            if self.count + (end - first) + SLACK > ROUND_FINDINGS {
                self.end()?;
            }
            let (points, rows) = (&points[first..end], &rows[first..end]);
            self.count = nearer(lanes, points, rows, point, self.squared, &mut self.found, self.count);
            first = end;
        }
        ControlFlow::Continue(())
    }
}

struct Within<'a, I, V, const D: usize> {
    index: &'a I,
    point: [f32; D],
    radius: f32,
    visit: V,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, I: Nearby<D>, V: FnMut(u32, f32) -> ControlFlow<()>> Kernel for Within<'_, I, V, D> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> ControlFlow<()> {
        let Self { index, point, radius, visit } = self;
        let mut visits = Visits { squared: radius * radius, visit, found: [0; ROUND_FINDINGS], count: 0 };
        index.show(lanes, point, radius, &mut visits)?;
        visits.end()
    }
}

/// Keeps the nearest one that is accepted.
struct Best<'a, A> {
    ids: &'a [u32],
    accept: A,
    /// Squared distance, id, row.
    leader: Option<(u32, u32, u32)>,
    /// Bodies are looked for up to here (m²): just above the best, as those equally far compete by id.
    end: f32,
    /// How many were shown.
    shown: usize,
    found: [u64; RUN_BODIES + SLACK],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, A: FnMut(u32) -> bool> Sink<D> for Best<'_, A> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, points: &[[f32; D]], rows: &[u32], point: [f32; D]) -> ControlFlow<()> {
        self.shown += rows.len();
        for (points, rows) in points.chunks(RUN_BODIES).zip(rows.chunks(RUN_BODIES)) {
            let count = nearer(lanes, points, rows, point, self.end, &mut self.found, 0);
            for &finding in &self.found[..count] {
                let (row, bits) = (finding as u32, (finding >> 32) as u32);
                if self.leader.is_some_and(|best| bits > best.0) {
                    continue;
                }
                let candidate = (bits, self.ids[row as usize], row);
                if self.leader.is_none_or(|best| candidate < best) && (self.accept)(row) {
                    self.leader = Some(candidate);
                    self.end = squared(finding).next_up();
                }
            }
        }
        ControlFlow::Continue(())
    }
}

struct Nearest<'a, I, A, const D: usize> {
    index: &'a I,
    ids: &'a [u32],
    point: [f32; D],
    reach: f32,
    accept: A,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, I: Nearby<D>, A: FnMut(u32) -> bool> Kernel for Nearest<'_, I, A, D> {
    type Output = Option<(u32, f32)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<(u32, f32)> {
        let Self { index, ids, point, reach, accept } = self;
        let found = [0; RUN_BODIES + SLACK];
        let mut sink = Best { ids, accept, leader: None, end: reach * reach, shown: 0, found };
        let mut look = index.first_look(1).min(reach);
        loop {
            sink.shown = 0;
            let _ = index.show(lanes, point, look, &mut sink);
            let best = sink.leader.map(|(bits, _, row)| (row, f32::from_bits(bits)));
            if best.is_some_and(|(_, squared)| squared < look * look) || look >= reach || sink.shown == index.count() {
                return best;
            }
            look = match best {
                // All that could be nearer, or equally far, are not further than that.
                Some((_, squared)) => (squared.sqrt() * 1.0001).max(look * 1.4).min(reach),
                None => (look * 2.0).min(reach),
            };
        }
    }
}

/// Gathers findings in a room of fixed size: findings without room are left out by `keep`, or all given up where that
/// is 0.
struct Gather<'a> {
    ids: &'a [u32],
    keep: usize,
    squared: f32,
    found: &'a mut [u64],
    count: usize,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<'a> Gather<'a> {
    /// Writes all bodies nearer than `reach` to `found`; where that would be more than there is room for, at least the
    /// `keep` nearest and all as near as the furthest of these, or nothing where `keep` is 0.
    #[inline(always)]
    fn run<L: Lanes, const D: usize, I: Nearby<D>>(
        lanes: L,
        index: &I,
        point: [f32; D],
        reach: f32,
        (ids, keep): (&'a [u32], usize),
        found: &'a mut [u64],
    ) -> Option<usize> {
        let mut gather = Gather { ids, keep, squared: reach * reach, found, count: 0 };
        match index.show(lanes, point, reach, &mut gather) {
            ControlFlow::Continue(()) => Some(gather.count),
            ControlFlow::Break(()) => None,
        }
    }

    #[cold]
    fn shrink(&mut self) {
        // By id where equally near, so that the kept ones do not depend on the order of the places.
        let ids = self.ids;
        self.found[..self.count].select_nth_unstable_by_key(self.keep, |&finding| by_id(ids, finding));
        self.count = self.keep + 1;
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize> Sink<D> for Gather<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, points: &[[f32; D]], rows: &[u32], point: [f32; D]) -> ControlFlow<()> {
        let mut first = 0;
        while first < rows.len() {
            let end = rows.len().min(first + RUN_BODIES);
            if self.count + (end - first) + SLACK > self.found.len() {
                if self.keep == 0 {
                    return ControlFlow::Break(());
                }
                self.shrink();
            }
            let (points, rows) = (&points[first..end], &rows[first..end]);
            self.count = nearer(lanes, points, rows, point, self.squared, self.found, self.count);
            first = end;
        }
        ControlFlow::Continue(())
    }
}

/// The k nearest that are accepted.
struct KNearest<'a, I, A, const D: usize> {
    index: &'a I,
    ids: &'a [u32],
    point: [f32; D],
    k: usize,
    reach: f32,
    accept: &'a mut A,
    into: &'a mut Vec<(u32, f32)>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, I: Nearby<D>, A: FnMut(u32) -> bool> Kernel for KNearest<'_, I, A, D> {
    /// Nothing where there was no room.
    type Output = Option<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<()> {
        let Self { index, ids, point, k, reach, accept, into } = self;
        let mut found = [0; SEARCH_FINDINGS];
        let mut look = index.first_look(k).min(reach);
        // Too few are nearer than the one, too many nearer than the other.
        let (mut few, mut many, mut less) = (0.0, f32::INFINITY, 0);
        loop {
            let Some(seen) = Gather::run(lanes, index, point, look, (ids, 0), &mut found) else {
                (many, less) = (look, less + 1);
                look = few + (many - few) * 0.5;
                if less > MAX_SHRINKS {
                    return None;
                }
                continue;
            };
            let mut count = 0;
            for i in 0..seen {
                found[count] = found[i];
                count += usize::from(accept(found[i] as u32));
            }
            if count >= k || look >= reach || seen == index.count() {
                let found = &mut found[..count];
                sort(lanes, ids, found);
                into.extend(found.iter().take(k).map(|&finding| (finding as u32, squared(finding))));
                return Some(());
            }
            few = look;
            look = (look * if count == 0 { 2.0 } else { 1.4 }).min(reach);
            if look >= many {
                (look, less) = (few + (many - few) * 0.5, less + 1);
                if less > MAX_SHRINKS {
                    return None;
                }
            }
        }
    }
}

struct Lists<'a, I, const D: usize> {
    index: &'a I,
    bodies: Bodies<'a, D>,
    first: usize,
    reach: f32,
    near: NearRows<'a>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize, I: Nearby<D>> Kernel for Lists<'_, I, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { index, bodies, first, reach, near } = self;
        let k = near.k;
        let mut found = [0; LIST_FINDINGS];
        // Looking no further than needed is faster; the distance needed last time is a good guess.
        let mut guess = index.first_look(k + 1).min(reach);
        for (i, (count, rows)) in near.count.iter_mut().zip(near.rows.chunks_mut(k)).enumerate() {
            let (written, needed) = write_list(lanes, index, bodies, first + i, [guess, reach], &mut found, rows);
            *count = written as u8;
            guess = next_look(guess, needed, reach);
        }
    }
}

/// How far to look after a look that had better been `needed` metres.
#[inline]
pub(super) fn next_look(look: f32, needed: f32, reach: f32) -> f32 {
    ((look.min(needed * 2.0) + needed) * 0.5).clamp(1e-3, reach.max(1e-3))
}

/// Writes the list of a body, looking as far as a guess, and further up to `reach` where that is too near. How many there
/// are, and how far it had better look.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
pub(super) fn write_list<L: Lanes, const D: usize, I: Nearby<D>>(
    lanes: L,
    index: &I,
    bodies: Bodies<D>,
    own: usize,
    [guess, reach]: [f32; 2],
    found: &mut [u64; LIST_FINDINGS],
    rows: &mut [u32],
) -> (usize, f32) {
    let k = rows.len();
    let (point, own) = (bodies.position[own], own as u32);
    let mut look = guess.min(reach);
    let hits = loop {
        // One more than k, since a body finds itself.
        let hits = Gather::run(lanes, index, point, look, (bodies.id, k + 1), found).unwrap_or(0);
        if hits > k || look >= reach || hits == index.count() {
            break hits;
        }
        look = (look * 1.4).min(reach);
    };
    let found = &mut found[..hits];
    sort(lanes, bodies.id, found);
    // The body itself is the first one, unless another is at the same place.
    let own_place = found.iter().position(|&finding| finding as u32 == own).unwrap_or(hits);
    let written = k.min(hits - usize::from(own_place < hits));
    for (place, row) in rows[..written].iter_mut().enumerate() {
        *row = found[place + usize::from(place >= own_place)] as u32;
    }
    let needed = found.get(k).map_or(look * 1.4, |&finding| squared(finding).sqrt() * 1.15);
    (written, needed)
}

#[cfg(test)]
mod tests;
