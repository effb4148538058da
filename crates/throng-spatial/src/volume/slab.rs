//! Cylinders against oriented boxes.

use super::calipers::{convex_hull, turn, unit_of, whole};
use super::cylinder::plane_squared;
use super::obb::dot;
use super::{Cylinder, Obb};

/// A box has 8 corners, and each of the two planes of a slab cuts at most its 12 edges.
const MAX_CUT_POINTS: usize = 8 + 2 * 12;

impl Cylinder {
    /// True where a box and the cylinder share more than points of their borders.
    ///
    /// The part of the box between the heights of the cylinder is convex, and so is the part of the plane below it: the
    /// hull of at most 32 points. They overlap where the circle overlaps the hull. Exact but for the rounding of the
    /// points, to 10⁻¹² of how far they are from the cylinder, and that of the axes of the box.
    pub fn overlaps_obb(&self, obb: &Obb<3>) -> bool {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let [x, y] = self.centre.map(f64::from);
        // Most boxes are nowhere near: cheap, and with room for rounding.
        let half = obb.half.map(f64::from);
        let reach = f64::from(self.radius) + dot(&half, &half).sqrt() * (1.0 + 1e-2);
        if plane_squared(self.centre, [obb.centre[0], obb.centre[1]]) > reach * reach {
            return false;
        }
        let corners: [[f64; 3]; 8] = std::array::from_fn(|corner| {
            let mut point = obb.centre.map(f64::from);
            for (j, (axis, &half)) in obb.axes.iter().zip(&obb.half).enumerate() {
                let half = f64::from(if corner >> j & 1 == 0 { -half } else { half });
                for (x, &a) in point.iter_mut().zip(axis) {
                    *x += half * f64::from(a);
                }
            }
            [point[0] - x, point[1] - y, point[2]] // the circle is around the origin
        });
        let heights = corners.map(|corner| corner[2]);
        let lowest = heights.iter().fold(f64::INFINITY, |least, &z| least.min(z));
        let highest = heights.iter().fold(f64::NEG_INFINITY, |most, &z| most.max(z));
        let beside = lowest < high && low < highest;
        let flat = lowest == highest && low < lowest && lowest < high;
        if !(beside || flat) {
            return false;
        }
        let mut points = [[0.0; 2]; MAX_CUT_POINTS];
        let mut count = 0;
        let mut add = |x: f64, y: f64| {
            points[count] = [x, y];
            count += 1;
        };
        for (i, from) in corners.iter().enumerate() {
            if low <= from[2] && from[2] <= high {
                add(from[0], from[1]);
            }
            for to in (0..3).filter(|j| i >> j & 1 == 0).map(|j| corners[i | 1 << j]) {
                for plane in [low, high] {
                    if (from[2] < plane) != (to[2] < plane) && from[2] != plane && to[2] != plane {
                        let share = (plane - from[2]) / (to[2] - from[2]);
                        add(from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]));
                    }
                }
            }
        }
        let unit = unit_of(&points[..count]);
        let mut places = points.map(|point| whole(point, unit));
        let mut hull = [[0; 2]; MAX_CUT_POINTS + 1];
        let corners = convex_hull(&mut places[..count], &mut hull);
        let radius = f64::from(self.radius) / unit;
        origin_squared(&hull[..corners]) < radius * radius
    }
}

/// The squared distance from the origin to a convex hull: 0 inside.
fn origin_squared(hull: &[[i64; 2]]) -> f64 {
    let mut inside = hull.len() > 2;
    let mut least = f64::INFINITY;
    for (i, &from) in hull.iter().enumerate() {
        let to = hull[(i + 1) % hull.len()];
        inside &= turn(from, to, [0; 2]) >= 0;
        let (from, to) = (from.map(|x| x as f64), to.map(|x| x as f64));
        let edge = [to[0] - from[0], to[1] - from[1]];
        let length = edge[0] * edge[0] + edge[1] * edge[1];
        let share = if length > 0.0 { -(from[0] * edge[0] + from[1] * edge[1]) / length } else { 0.0 };
        let share = share.clamp(0.0, 1.0);
        let (x, y) = (from[0] + share * edge[0], from[1] + share * edge[1]);
        least = least.min(x * x + y * y);
    }
    if inside { 0.0 } else { least }
}
