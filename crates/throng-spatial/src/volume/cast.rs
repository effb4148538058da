//! Targets of a ray other than balls.

use super::frame::{Frame, Impact};
use super::interval::{RayInterval, interval_in_box};
use super::wide::{along, dot, minus, narrow, unit, widen};
use super::{Aabb, Cylinder, Hit, Obb, PosedTree, Ray, Segment, Sweep};

impl<const D: usize> Ray<D> {
    /// Where it first enters a box, by its slabs (Kay & Kajiya 1986). A ray that starts inside hits at once, where it
    /// starts; the normal is then against its motion. A ray that only touches the box, runs along a face or starts on
    /// it and leads away does not hit it. A box that is flat is hit where it is crossed, by a ray that starts on it as
    /// well.
    ///
    /// ```
    /// use throng_spatial::volume::{Aabb, Ray};
    /// let square = Aabb { low: [0.0, 0.0], high: [2.0, 2.0] };
    /// let hit = Ray::between([-2.0, 1.0], [6.0, 1.0]).hit_aabb(&square).unwrap();
    /// assert_eq!((hit.time, hit.point, hit.normal), (0.25, [0.0, 1.0], [-1.0, 0.0]));
    /// assert_eq!(Ray::between([-2.0, 2.0], [6.0, 2.0]).hit_aabb(&square), None, "along its upper side");
    /// ```
    pub fn hit_aabb(&self, target: &Aabb<D>) -> Option<Hit<D>> {
        self.enter_box(widen(target.low), widen(target.high)).map(Impact::rounded)
    }

    /// Where it first enters an oriented box, as [`Ray::hit_aabb`].
    ///
    /// ```
    /// use throng_spatial::volume::{Obb, Ray};
    /// let gate = Obb::turned([4.0, 0.0], [1.0, 1.0], 45.0);
    /// let hit = Ray::between([0.0, 0.0], [8.0, 0.0]).hit_obb(&gate).unwrap();
    /// assert!((hit.time * 8.0 - (4.0 - 2_f64.sqrt())).abs() < 1e-6);
    /// ```
    pub fn hit_obb(&self, target: &Obb<D>) -> Option<Hit<D>> {
        let (frame, half) = (Frame::of(target), widen(target.half));
        let impact = frame.inward(self).enter_box(half.map(|x| -x), half)?;
        Some(frame.outward(impact).rounded())
    }

    /// Which leaf of a sphere tree it enters first, and where, as [`Sweep::hit_tree`].
    pub fn hit_tree(&self, target: &PosedTree<D>) -> Option<(u32, Hit<D>)> {
        Sweep::from(*self).hit_tree(target)
    }

    fn enter_box(&self, low: [f64; D], high: [f64; D]) -> Option<Impact<D>> {
        let inside = interval_in_box(self, low, high)?;
        let time = inside.hit(self.until)?;
        let mut point = self.at(time);
        let RayInterval { enter: 0.0.., axis: Some(axis), .. } = inside else {
            return Some(Impact { time, point, normal: self.facing([0.0; D]) });
        };
        for axis in 0..D {
            point[axis] = point[axis].max(low[axis]).min(high[axis]);
        }
        point[axis] = if self.along[axis] > 0.0 { low[axis] } else { high[axis] };
        let mut normal = [0.0; D];
        normal[axis] = -self.along[axis].signum();
        Some(Impact { time, point, normal })
    }
}

impl Ray<3> {
    /// Where it first enters an upright cylinder, through its side or a cap. A ray that starts inside hits at once,
    /// where it starts; the normal is then against its motion. A ray that only touches it does not hit it.
    ///
    /// ```
    /// use throng_spatial::volume::{Cylinder, Ray};
    /// let man = Cylinder { centre: [5.0, 0.0], radius: 0.5, low: 0.0, high: 2.0 };
    /// let hit = Ray::new([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).hit_cylinder(&man).unwrap();
    /// assert_eq!((hit.time, hit.normal), (4.5, [-1.0, 0.0, 0.0]));
    /// let hit = Ray::new([5.0, 0.0, 9.0], [0.0, 0.0, -1.0]).hit_cylinder(&man).unwrap();
    /// assert_eq!((hit.time, hit.normal), (7.0, [0.0, 0.0, 1.0]));
    /// ```
    pub fn hit_cylinder(&self, target: &Cylinder) -> Option<Hit<3>> {
        let inside = self.in_cylinder(target, 0.0)?;
        let time = inside.hit(self.until)?;
        let point = self.at(time);
        let normal = match inside {
            RayInterval { enter: 0.0.., axis: Some(2), .. } => [0.0, 0.0, -self.along[2].signum()],
            RayInterval { enter: 0.0.., .. } => {
                let [x, y] = minus([point[0], point[1]], widen(target.centre));
                unit([x, y, 0.0])
            }
            _ => self.facing([0.0; 3]),
        };
        Some(Impact { time, point, normal }.rounded())
    }

    /// The stretch of it inside a cylinder that is larger by `reach` on all sides, with a sharp rim.
    pub(super) fn in_cylinder(&self, target: &Cylinder, reach: f64) -> Option<RayInterval> {
        let radius = f64::from(target.radius) + reach;
        let [x, y] = widen(target.centre);
        let (offset, motion) = ([self.from[0] - x, self.from[1] - y], [self.along[0], self.along[1]]);
        let beyond = dot(offset, offset) - radius * radius;
        let (closing, squared) = (-dot(offset, motion), dot(motion, motion));
        let disc = if squared > 0.0 {
            let nearest = along(offset, closing / squared, motion);
            let within = radius * radius - dot(nearest, nearest);
            // No difference of nearly equal numbers: a ray that starts on the side comes in, or goes out, at 0.
            let half = (squared * within).sqrt();
            let (enter, leave) = if closing > 0.0 {
                (beyond / (closing + half), (closing + half) / squared)
            } else {
                ((closing - half) / squared, beyond / (closing - half))
            };
            (within > 0.0).then_some(RayInterval { enter, leave, ..RayInterval::ALL })
        } else {
            (beyond < 0.0).then_some(RayInterval::ALL)
        };
        let slab = [f64::from(target.low) - reach, f64::from(target.high) + reach];
        disc?.within(2, [self.from[2], self.along[2]], slab)
    }
}

impl Ray<2> {
    /// Where it crosses a segment. A ray that starts on the segment hits it at once, one that ends on it does not, so
    /// none is passed between two ticks; and where segments share an end none slips through between them. A ray along
    /// the segment does not hit it. The normal is at right angles to the segment, towards where the ray comes from.
    ///
    /// ```
    /// use throng_spatial::volume::{Ray, Segment};
    /// let wall = Segment { from: [3.0, -1.0], to: [3.0, 1.0] };
    /// let hit = Ray::between([0.0, 0.0], [4.0, 0.0]).hit_segment(&wall).unwrap();
    /// assert_eq!((hit.time, hit.point, hit.normal), (0.75, [3.0, 0.0], [-1.0, 0.0]));
    /// ```
    pub fn hit_segment(&self, target: &Segment<2>) -> Option<Hit<2>> {
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let (a, b) = (widen(target.from), widen(target.to));
        let span = minus(b, a);
        // On which side of the segment it starts and ends: from the same points as the ticks before and after.
        let start = cross(span, minus(self.from, a));
        let speed = cross(span, self.along);
        let crosses = if self.until.is_finite() {
            let end = cross(span, minus(self.at(self.until), a));
            start == 0.0 && end != 0.0 || start * end < 0.0
        } else {
            start * speed <= 0.0 && speed != 0.0
        };
        // On which side of the ray the ends are: for a shared end the same for both segments.
        let (left, right) = (cross(self.along, minus(a, self.from)), cross(self.along, minus(b, self.from)));
        if !crosses || left * right > 0.0 || left == right {
            return None;
        }
        let point = along(a, left / (left - right), span);
        let time = (dot(minus(point, self.from), self.along) / dot(self.along, self.along)).max(0.0);
        let facing = if speed > 0.0 { [span[1], -span[0]] } else { [-span[1], span[0]] };
        Some(Hit { time, point: narrow(point), normal: narrow(self.facing(facing)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Ball;

    #[test]
    fn a_box_from_its_faces_and_along_them() {
        let square = Aabb { low: [0.0, 0.0], high: [2.0, 2.0] };
        let hit = |from: [f32; 2], to: [f32; 2]| Ray::between(from, to).hit_aabb(&square).map(|hit| hit.time);
        assert_eq!(hit([-1.0, 0.0], [3.0, 0.0]), None, "along the lower side");
        assert_eq!(hit([0.0, -1.0], [0.0, 3.0]), None, "along the left side");
        assert_eq!(hit([1.0, 2.0], [2.0, 2.0]), None, "on a side, along it");
        assert_eq!(hit([0.0, 1.0], [-1.0, 1.0]), None, "from a side, away");
        assert_eq!(hit([0.0, 1.0], [-0.0, 1.0]), None, "on a side, without motion");
        assert_eq!(hit([0.0, 1.0], [1.0, 1.0]), Some(0.0), "from a side, inwards");
        assert_eq!(hit([-1.0, 1.0], [0.0, 1.0]), None, "ends on a side");
        assert_eq!(hit([-1.0, 1.0], [1.0, 1.0]), Some(0.5), "ends inside");
        assert_eq!(hit([-1.0, 1.0], [1.0, -1.0]), None, "past a corner");
        assert_eq!(hit([-1.0, -1.0], [3.0, 3.0]), Some(0.25), "through two corners");
        assert_eq!(hit([1.0, 1.0], [1.0, 1.0]), Some(0.0), "inside, without motion");
        assert_eq!(hit([1.0, 1.0], [9.0, 1.0]), Some(0.0), "from inside");
        let inside = Ray::between([1.0, 1.0], [9.0, 1.0]).hit_aabb(&square).unwrap();
        assert_eq!((inside.point, inside.normal), ([1.0, 1.0], [-1.0, 0.0]));
    }

    #[test]
    fn a_flat_box_is_crossed() {
        let sheet = Aabb { low: [1.0, 0.0, 0.0], high: [1.0, 2.0, 2.0] };
        let hit = |from: [f32; 3], to: [f32; 3]| Ray::between(from, to).hit_aabb(&sheet).map(|hit| hit.time);
        assert_eq!(hit([0.0, 1.0, 1.0], [4.0, 1.0, 1.0]), Some(0.25));
        assert_eq!(hit([4.0, 1.0, 1.0], [0.0, 1.5, 1.0]), Some(0.75));
        assert_eq!(hit([0.0, 1.0, 1.0], [1.0, 1.0, 1.0]), None, "ends on it");
        assert_eq!(hit([1.0, 1.0, 1.0], [2.0, 1.0, 1.0]), Some(0.0), "starts on it");
        assert_eq!(hit([1.0, -1.0, 1.0], [1.0, 9.0, 1.0]), None, "along it");
        assert_eq!(hit([0.0, 3.0, 1.0], [4.0, 3.0, 1.0]), None, "beside it");
        assert_eq!(hit([2.0, 1.0, 1.0], [4.0, 1.0, 1.0]), None, "behind it");
    }

    #[test]
    fn a_cylinder_from_its_side_and_caps() {
        let man = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: 0.0, high: 2.0 };
        let hit = |from: [f32; 3], to: [f32; 3]| {
            Ray::between(from, to).hit_cylinder(&man).map(|hit| (hit.time, hit.point, hit.normal))
        };
        let side = (0.5, [-1.0, 0.0, 1.0], [-1.0, 0.0, 0.0]);
        assert_eq!(hit([-3.0, 0.0, 1.0], [1.0, 0.0, 1.0]), Some(side));
        let cap = (0.25, [0.5, 0.0, 2.0], [0.0, 0.0, 1.0]);
        assert_eq!(hit([0.5, 0.0, 3.0], [0.5, 0.0, -1.0]), Some(cap));
        assert_eq!(hit([0.5, 0.0, -2.0], [0.5, 0.0, 2.0]).unwrap().2, [0.0, 0.0, -1.0]);
        assert_eq!(hit([1.0, 0.0, 3.0], [1.0, 0.0, -1.0]), None, "down its side");
        assert_eq!(hit([-3.0, 0.0, 2.0], [3.0, 0.0, 2.0]), None, "along a cap");
        assert_eq!(hit([-3.0, 1.0, 1.0], [3.0, 1.0, 1.0]), None, "past its side");
        assert_eq!(hit([-1.0, 0.0, 1.0], [-2.0, 0.0, 1.0]), None, "from its side, away");
        assert_eq!(hit([-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]), Some((0.0, [-1.0, 0.0, 1.0], [-1.0, 0.0, 0.0])));
        assert_eq!(hit([0.0, 0.0, 1.0], [1.0, 0.0, 1.0]), Some((0.0, [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0])));
        assert_eq!(hit([-3.0, 0.0, 5.0], [3.0, 0.0, 3.0]), None, "above it");
    }

    #[test]
    fn none_slips_through_where_walls_meet() {
        // The same point of a ray on two walls, and rays through their joint from all sides.
        let joint = [0.3, 0.7];
        let walls = [[4.0, 0.1], [-3.0, 2.2]].map(|end| Segment { from: end, to: joint });
        for i in 0..1000_u16 {
            let way = super::super::obb::direction(f32::from(i) * 0.36);
            let from = [joint[0] - 5.0 * way[0], joint[1] - 5.0 * way[1]];
            let to = [joint[0] + 5.0 * way[0], joint[1] + 5.0 * way[1]];
            // Balls that come from between the walls leave between them, or pass one.
            let side = |p: [f32; 2]| {
                let wall = |w: &Segment<2>| {
                    (w.to[0] - w.from[0]) * (p[1] - w.from[1]) - (w.to[1] - w.from[1]) * (p[0] - w.from[0])
                };
                (wall(&walls[0]) > 0.0) && (wall(&walls[1]) < 0.0)
            };
            if side(from) != side(to) {
                let ray = Ray::between(from, to);
                assert!(walls.iter().any(|wall| ray.hit_segment(wall).is_some()), "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn a_segment_from_its_line() {
        let wall = Segment { from: [0.0, 0.0], to: [4.0, 0.0] };
        let hit =
            |from: [f32; 2], to: [f32; 2]| Ray::between(from, to).hit_segment(&wall).map(|hit| (hit.time, hit.normal));
        assert_eq!(hit([1.0, 1.0], [1.0, -3.0]), Some((0.25, [0.0, 1.0])));
        assert_eq!(hit([1.0, -1.0], [1.0, 3.0]), Some((0.25, [0.0, -1.0])));
        assert_eq!(hit([1.0, 1.0], [1.0, 0.0]), None, "ends on it");
        assert_eq!(hit([1.0, 0.0], [1.0, -3.0]), Some((0.0, [0.0, 1.0])), "starts on it");
        assert_eq!(hit([-1.0, 0.0], [9.0, 0.0]), None, "along it");
        assert_eq!(hit([5.0, 1.0], [5.0, -1.0]), None, "beside it");
        let endless = Ray::new([1.0, 2.0], [0.0, -1.0]).hit_segment(&wall).unwrap();
        assert_eq!((endless.time, endless.point), (2.0, [1.0, 0.0]));
        assert_eq!(Ray::new([1.0, 2.0], [0.0, 1.0]).hit_segment(&wall), None, "leads away");
    }

    #[test]
    fn what_is_no_number_hits_nothing() {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        let square = Aabb { low: [0.0; 3], high: [2.0; 3] };
        let man = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: 0.0, high: 2.0 };
        let wall = Segment { from: [0.0, 0.0, 0.0], to: [4.0, 0.0, 0.0] };
        for (odd, axis) in odd.into_iter().flat_map(|odd| [0, 1, 2].map(|axis| (odd, axis))) {
            let mut from = [-1.0_f32, -0.9, -0.8];
            from[axis] = odd;
            let ball = Ball { centre: from, radius: 0.5 };
            let mut way = [4.0_f32, 4.0, 4.0];
            let start = Sweep::new(&ball, way);
            way[axis] = odd;
            let sweep = Sweep::new(&Ball { centre: [-1.0, -0.9, -0.8], ..ball }, way);
            for sweep in [start, sweep, Sweep { radius: 0.0, ..sweep }, Sweep { radius: f32::NAN, ..sweep }] {
                assert_eq!(sweep.hit_ball(&Ball { centre: [1.0; 3], radius: 1.0 }), None);
                assert_eq!(sweep.hit_aabb(&square), None, "{sweep:?}");
                assert_eq!(sweep.hit_obb(&Obb::from(square)), None, "{sweep:?}");
                assert_eq!(sweep.hit_cylinder(&man), None, "{sweep:?}");
                assert_eq!(sweep.hit_segment(&wall), None, "{sweep:?}");
            }
        }
    }
}
