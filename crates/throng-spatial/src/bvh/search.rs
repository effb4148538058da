//! Best-first queries of the hierarchy.

use super::{Bvh, LEAF_PLACES, MAX_LEVELS};
use crate::Bodies;
use crate::volume::{Aabb, Ray, Sweep, distance_squared};

impl<const D: usize> Bvh<D> {
    /// Goes down from the root, the nearer child first: `bound` gives a number for a box that none for a body in it is
    /// less than, `leaf` looks at a leaf and returns the greatest number that still matters.
    fn descend(&self, start: f64, bound: impl Fn(&Aabb<D>) -> f64, mut leaf: impl FnMut(usize) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        let mut limit = start;
        let mut stack = [(self.root(), 0.0); MAX_LEVELS];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (at, least) = stack[height];
            if least > limit {
                continue;
            }
            if at.is_leaf() {
                limit = leaf(at.first);
                continue;
            }
            let mut children = at.children().map(|child| (child, bound(&self.nodes[child.node].bounds)));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            for child in children {
                if child.1 <= limit {
                    stack[height] = child;
                    height += 1;
                }
            }
        }
    }

    pub(super) fn best_near(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        if reach.is_nan() || reach <= 0.0 {
            return None;
        }
        // Bits of the squared distance (they order like the distance), id, row.
        let mut best: Option<(u32, u32, u32)> = None;
        // Rounding keeps the order of numbers: the squared distance of a box is never above that of a point in it.
        let bound = |bounds: &Aabb<D>| f64::from(bounds.distance_squared(point));
        self.descend(f64::from(reach * reach), bound, |leaf| {
            for place in self.places(leaf) {
                let squared = distance_squared(self.centre[place], point);
                let row = self.row[place];
                if squared < reach * reach && best.is_none_or(|best| squared.to_bits() <= best.0) {
                    let candidate = (squared.to_bits(), bodies.id[row as usize], row);
                    if best.is_none_or(|best| candidate < best) && accept(row) {
                        best = Some(candidate);
                    }
                }
            }
            f64::from(best.map_or(reach * reach, |best| f32::from_bits(best.0)))
        });
        best.map(|(squared, _, row)| (row, f32::from_bits(squared)))
    }

    pub(super) fn best_k(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        found.clear();
        if k == 0 || reach.is_nan() || reach <= 0.0 {
            return;
        }
        let key = |&(row, squared): &(u32, f32)| (squared.to_bits(), bodies.id[row as usize]);
        let mut limit = reach * reach;
        let mut full = false;
        let bound = |bounds: &Aabb<D>| f64::from(bounds.distance_squared(point));
        self.descend(f64::from(limit), bound, |leaf| {
            for place in self.places(leaf) {
                let squared = distance_squared(self.centre[place], point);
                let row = self.row[place];
                // Among those as far as the last of k the id decides.
                if squared < reach * reach && (!full || squared <= limit) && accept(row) {
                    found.push((row, squared));
                }
            }
            if found.len() > k.saturating_add(k / 2 + LEAF_PLACES) {
                found.select_nth_unstable_by_key(k - 1, key);
                found.truncate(k);
                limit = found[k - 1].1;
                full = true;
            }
            f64::from(limit)
        });
        if found.len() > k {
            found.select_nth_unstable_by_key(k - 1, key);
            found.truncate(k);
        }
        found.sort_unstable_by_key(key);
    }

    pub(super) fn first_hit(
        &self,
        bodies: Bodies<D>,
        sweep: &Sweep<D>,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f64)> {
        // Wider than what rounding may cost the exact test far from the origin.
        let furthest = sweep.ray.from.iter().fold(0.0_f64, |most, &x| most.max(x.abs()));
        let wider = f64::from(sweep.radius) + (furthest + f64::from(sweep.radius)) * 1e-6;
        let bound = |bounds: &Aabb<D>| entry(&sweep.ray, bounds, wider);
        let mut best: Option<(f64, u32, u32)> = None;
        self.descend(sweep.ray.until, bound, |leaf| {
            for place in self.places(leaf) {
                let row = self.row[place];
                if let Some(time) = sweep.time_to_ball(&bodies.ball(row as usize)) {
                    let candidate = (time, bodies.id[row as usize], row);
                    if best.is_none_or(|best| candidate < best) && accept(row) {
                        best = Some(candidate);
                    }
                }
            }
            best.map_or(sweep.ray.until, |best| best.0)
        });
        best.map(|(time, _, row)| (row, time))
    }
}

/// When a ray enters a box made wider (Kay & Kajiya 1986); infinite where it does not.
fn entry<const D: usize>(ray: &Ray<D>, bounds: &Aabb<D>, wider: f64) -> f64 {
    let (mut enter, mut leave) = (0.0_f64, ray.until);
    for axis in 0..D {
        let (from, way) = (ray.from[axis], ray.along[axis]);
        let (low, high) = (f64::from(bounds.low[axis]) - wider, f64::from(bounds.high[axis]) + wider);
        if way == 0.0 {
            if from < low || from > high {
                return f64::INFINITY;
            }
        } else {
            let (a, b) = ((low - from) / way, (high - from) / way);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    if enter <= leave { enter } else { f64::INFINITY }
}
