//! The queries that every index has, made of the bodies that touch a region.

use super::bodies::around;
use super::nearer::Nearer;
use super::{Bodies, Cone, NearRows, SpatialIndex};
use crate::volume::{Aabb, Sweep, distance_squared};
use std::cmp::Ordering;
use std::ops::ControlFlow;

pub(super) fn within<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    point: [f32; D],
    radius: f32,
    mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let limit = radius.max(0.0) * radius;
    index.touching(bodies, &around(point, radius), |row| {
        let squared = distance_squared(bodies.position[row as usize], point);
        if squared < limit { visit(row, squared) } else { ControlFlow::Continue(()) }
    })
}

/// Looks further and further until there is enough to be found, or nothing more: calls `look(radius)`, which returns
/// whether there is enough nearer than that, and how many bodies were seen at all. An index may show bodies that are
/// further away: they count as well, so that all is known once all were seen.
pub(super) fn widen(bodies: usize, first: f32, reach: f32, mut look: impl FnMut(f32) -> (bool, usize)) {
    if reach.is_nan() || reach <= 0.0 {
        return;
    }
    let mut radius = if first > 0.0 { first.min(reach) } else { reach };
    loop {
        let (enough, seen) = look(radius);
        if enough || seen == bodies || radius >= reach {
            return;
        }
        radius = (radius * if seen == 0 { 3.0 } else { 1.6 }).min(reach);
    }
}

pub(super) fn nearest<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    point: [f32; D],
    reach: f32,
    mut accept: impl FnMut(u32) -> bool,
) -> Option<(u32, f32)> {
    // Bits of the squared distance (they order like the distance), id, row.
    let mut best: Option<(u32, u32, u32)> = None;
    widen(bodies.len(), index.spacing(), reach, |radius| {
        let mut seen = 0;
        let _ = index.touching(bodies, &around(point, radius), |row| {
            seen += 1;
            let squared = distance_squared(bodies.position[row as usize], point);
            let candidate = (squared.to_bits(), bodies.id[row as usize], row);
            if squared < reach * reach && best.is_none_or(|best| candidate < best) && accept(row) {
                best = Some(candidate);
            }
            ControlFlow::Continue(())
        });
        (best.is_some_and(|(squared, ..)| f32::from_bits(squared) < radius * radius), seen)
    });
    best.map(|(squared, _, row)| (row, f32::from_bits(squared)))
}

pub(super) fn k_nearest<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
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
    let key = |&(row, squared): &(u32, f32)| (squared.to_bits(), bodies.id[row as usize]);
    let first = index.spacing() * libm::powf(k as f32, 1.0 / D as f32);
    widen(bodies.len(), first, reach, |radius| {
        found.clear();
        let (mut near, mut seen) = (0, 0);
        let _ = index.touching(bodies, &around(point, radius), |row| {
            seen += 1;
            let squared = distance_squared(bodies.position[row as usize], point);
            if squared < reach * reach && accept(row) {
                found.push((row, squared));
                near += usize::from(squared < radius * radius);
            }
            ControlFlow::Continue(())
        });
        (near >= k, seen)
    });
    if found.len() > k {
        found.select_nth_unstable_by_key(k - 1, key);
        found.truncate(k);
    }
    found.sort_unstable_by_key(key);
}

pub(super) fn neighbours<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    first: usize,
    reach: f32,
    mut near: NearRows<'_>,
) {
    near.count.fill(0);
    if near.k == 0 {
        return;
    }
    let mut nearer = Nearer::new(near.k, bodies.id);
    // The distance needed last time is a good guess.
    let mut guess = index.spacing() * libm::powf(near.k as f32, 1.0 / D as f32);
    for i in 0..near.count.len() {
        let own = first + i;
        let point = bodies.position[own];
        widen(bodies.len(), guess, reach, |radius| {
            nearer.clear();
            let (mut count, mut seen) = (0, 0);
            let _ = index.touching(bodies, &around(point, radius), |row| {
                seen += 1;
                let squared = distance_squared(bodies.position[row as usize], point);
                if squared < reach * reach && row as usize != own {
                    nearer.push(row, squared);
                    count += usize::from(squared < radius * radius);
                }
                ControlFlow::Continue(())
            });
            (count >= near.k, seen)
        });
        if let Some(squared) = nearer.write(i, &mut near) {
            let needed = squared.sqrt() * 1.15;
            guess = (guess.min(needed * 2.0) + needed) * 0.5;
        } else {
            guess *= 1.5;
        }
        nearer.clear();
    }
}

pub(super) fn cone<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    cone: &Cone<D>,
    mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    index.touching(bodies, &cone.bounds(), |row| {
        let position = bodies.position[row as usize];
        if cone.contains(position) {
            visit(row, distance_squared(position, cone.apex))
        } else {
            ControlFlow::Continue(())
        }
    })
}

pub(super) fn cast<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    sweep: &Sweep<D>,
    accept: impl FnMut(u32) -> bool,
) -> Option<(u32, f64)> {
    first(index, bodies, sweep, |row| sweep.time_to_ball(&bodies.ball(row as usize)), accept)
}

/// The body that a moving ball hits first: `time` is the continuous test of a row.
pub(super) fn first<const D: usize, I: SpatialIndex<D> + ?Sized>(
    index: &I,
    bodies: Bodies<D>,
    sweep: &Sweep<D>,
    mut time: impl FnMut(u32) -> Option<f64>,
    mut accept: impl FnMut(u32) -> bool,
) -> Option<(u32, f64)> {
    // Bodies are in a ball of this radius around the origin: a way without an end has one behind it.
    let furthest = f64::from(Bodies::<D>::MAX_EXTENT_M) * (D as f64 + 1.0);
    let norm = |v: &[f64; D]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let speed = norm(&sweep.ray.along);
    let most = if speed > 0.0 { (norm(&sweep.ray.from) + f64::from(sweep.radius) + furthest) / speed } else { 0.0 };
    let until = sweep.ray.until.min(most);
    // Piece by piece, so that the box around each is small, and nothing behind a hit is asked for. The pieces
    // grow as the way does, so that there are few of them.
    let step = (f64::from(index.spacing()) * 4.0 / speed).max(until / 4096.0);
    let mut best: Option<(f64, u32, u32)> = None;
    let mut start = 0.0;
    loop {
        let end = (start * (1.0 + 1.0 / 64.0) + step).min(until);
        let _ = index.touching(bodies, &passed(sweep, start, end), |row| {
            if let Some(time) = time(row) {
                let candidate = (time, bodies.id[row as usize], row);
                if best.is_none_or(|best| candidate < best) && accept(row) {
                    best = Some(candidate);
                }
            }
            ControlFlow::Continue(())
        });
        // Also where there is no next piece, as for one that is no number.
        if best.is_some_and(|(time, ..)| time <= end)
            || end >= until
            || end.partial_cmp(&start) != Some(Ordering::Greater)
        {
            return best.map(|(time, _, row)| (row, time));
        }
        start = end;
    }
}

/// A box around what the ball passes between two times.
fn passed<const D: usize>(sweep: &Sweep<D>, start: f64, end: f64) -> Aabb<D> {
    let [from, to] = [start, end].map(|time| {
        let ball = sweep.at(time);
        around(ball.centre, ball.radius)
    });
    Aabb {
        low: std::array::from_fn(|axis| from.low[axis].min(to.low[axis])),
        high: std::array::from_fn(|axis| from.high[axis].max(to.high[axis])),
    }
}
