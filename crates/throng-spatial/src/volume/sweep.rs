//! Continuous tests: the hits of a moving ball, and their times.

use super::approach::first_within;
use super::frame::{Frame, Impact};
use super::interval::interval_in_box;
use super::wide::{along, dot, minus, narrow, widen};
use super::{Aabb, Ball, Cylinder, Hit, Obb, PosedTree, Ray, Segment, Shape2, Shape3};
use std::cell::Cell;
use std::ops::ControlFlow;

/// A ball that moves along a straight way during a tick: time 0 is its start, time 1 its end.
///
/// Of two moving balls one is looked at from the other ([`Sweep::relative`]). All arithmetic is in `f64`. A hit is the
/// first moment from which on the two overlap: balls that pass and only touch do not hit. Neither does one that touches
/// at the start and moves away, or touches only at the end. (At the start of the next tick it touches, and hits if it
/// still comes nearer.)
///
/// ```
/// use throng_spatial::volume::{Ball, Sweep};
/// let (one, two) = (Ball { centre: [0.0, 0.0], radius: 1.0 }, Ball { centre: [10.0, 0.0], radius: 1.0 });
/// assert_eq!(Sweep::new(&one, [16.0, 0.0]).time_to_ball(&two), Some(0.5));
/// // Both move; they meet half way.
/// assert_eq!(Sweep::relative(&one, [8.0, 0.0], [-8.0, 0.0]).time_to_ball(&two), Some(0.5));
/// assert_eq!(Sweep::new(&one, [0.0, 16.0]).time_to_ball(&two), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep<const D: usize> {
    /// The way of the centre.
    pub ray: Ray<D>,
    /// Radius (m).
    pub radius: f32,
}

impl<const D: usize> Sweep<D> {
    /// A ball and how far it moves (m).
    #[inline]
    pub fn new(ball: &Ball<D>, motion: [f32; D]) -> Self {
        Self { ray: Ray { from: widen(ball.centre), along: widen(motion), until: 1.0 }, radius: ball.radius }
    }

    /// A ball and how far it moves (m), seen from a target that moves as well: test it against the target where that
    /// is at time 0. Points of hits are those of the target at time 0 too.
    #[inline]
    pub fn relative(ball: &Ball<D>, motion: [f32; D], target_motion: [f32; D]) -> Self {
        let along = minus(widen(motion), widen(target_motion));
        Self { ray: Ray { from: widen(ball.centre), along, until: 1.0 }, radius: ball.radius }
    }

    /// The ball at a time.
    #[inline]
    pub fn at(&self, time: f64) -> Ball<D> {
        Ball { centre: narrow(self.ray.at(time)), radius: self.radius }
    }

    /// The smallest box around all the ball passes (m), rounded outwards. A body without a common point with it is not
    /// hit.
    pub fn bounds(&self) -> Aabb<D> {
        let radius = f64::from(self.radius);
        let end = |axis: usize| {
            // A ray without an end stays where it is on the axes on which it does not move.
            let along = self.ray.along[axis];
            if along == 0.0 { self.ray.from[axis] } else { self.ray.from[axis] + self.ray.until * along }
        };
        Aabb {
            low: std::array::from_fn(|axis| ((self.ray.from[axis].min(end(axis)) - radius) as f32).next_down()),
            high: std::array::from_fn(|axis| ((self.ray.from[axis].max(end(axis)) + radius) as f32).next_up()),
        }
    }

    /// When the balls begin to overlap: 0 where they do at the start.
    #[inline]
    pub fn time_to_ball(&self, ball: &Ball<D>) -> Option<f64> {
        self.ray.time_to(ball.centre, f64::from(self.radius) + f64::from(ball.radius))
    }

    /// Where it first hits a ball. Where they overlap at the start the normal still points from the centre of the
    /// ball to that of the moving one; where these coincide, against the motion.
    pub fn hit_ball(&self, ball: &Ball<D>) -> Option<Hit<D>> {
        self.time_to_ball(ball).map(|time| self.ray.on_ball(time, ball))
    }

    /// Where it first hits a box: the box grown by the radius, its edges and corners rounded (Ericson 2005, § 5.5.7).
    /// Where they overlap at the start the normal still points from the nearest point of the box to the centre of the
    /// ball; where that is inside, against the motion. A ball of radius 0 hits what [`Ray::hit_aabb`] hits.
    ///
    /// ```
    /// use throng_spatial::volume::{Aabb, Ball, Sweep};
    /// let sheet = Aabb { low: [5.0, 0.0], high: [5.001, 9.0] };
    /// let shot = Sweep::new(&Ball { centre: [0.0, 1.0], radius: 0.5 }, [9000.0, 0.0]);
    /// assert_eq!(shot.hit_aabb(&sheet).unwrap().time, 4.5 / 9000.0);
    /// ```
    pub fn hit_aabb(&self, target: &Aabb<D>) -> Option<Hit<D>> {
        if self.radius == 0.0 {
            return self.ray.hit_aabb(target);
        }
        let impact = self.ray.near_box(f64::from(self.radius), widen(target.low), widen(target.high))?;
        Some(impact.rounded())
    }

    /// Where it first hits an oriented box, as [`Sweep::hit_aabb`].
    ///
    /// ```
    /// use throng_spatial::volume::{Ball, Obb, Sweep};
    /// let gate = Obb::turned([4.0, 0.0], [1.0, 1.0], 45.0);
    /// let hit = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [8.0, 0.0]).hit_obb(&gate).unwrap();
    /// assert!((hit.time * 8.0 - (3.5 - 2_f64.sqrt())).abs() < 1e-6, "a corner comes first");
    /// ```
    pub fn hit_obb(&self, target: &Obb<D>) -> Option<Hit<D>> {
        if self.radius == 0.0 {
            return self.ray.hit_obb(target);
        }
        let (frame, half) = (Frame::of(target), widen(target.half));
        let impact = frame.inward(&self.ray).near_box(f64::from(self.radius), half.map(|x| -x), half)?;
        Some(frame.outward(impact).rounded())
    }

    /// Where it first hits a segment: a capsule, seen from the centre. Where they overlap at the start the normal
    /// still points from the nearest point of the segment to the centre of the ball; where that lies on it, against
    /// the motion. A ball of radius 0 hits in the plane what [`Ray::hit_segment`] hits; in space it hits nothing.
    ///
    /// ```
    /// use throng_spatial::volume::{Ball, Segment, Sweep};
    /// let wall = Segment { from: [5.0, -1.0], to: [5.0, 1.0] };
    /// let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [9000.0, 0.0]);
    /// assert_eq!(shot.hit_segment(&wall).unwrap().time, 4.5 / 9000.0);
    /// ```
    pub fn hit_segment(&self, target: &Segment<D>) -> Option<Hit<D>> {
        let reach = f64::from(self.radius);
        if reach == 0.0 {
            return self.crosses(target);
        }
        let (from, to) = (widen(target.from), widen(target.to));
        let around = interval_in_box(
            &self.ray,
            std::array::from_fn(|axis| from[axis].min(to[axis]) - reach),
            std::array::from_fn(|axis| from[axis].max(to[axis]) + reach),
        )?;
        let start = around.hit(self.ray.until)?;
        Some(first_within(&self.ray, start, reach, |point| target.closest_wide(point))?.rounded())
    }

    /// Which leaf of a sphere tree it hits first, and where. Of leaves that are hit at the same time it is the one with
    /// the least number. Looks only below those balls that are hit before the first leaf so far.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_spatial::volume::{Ball, Pose, PosedTree, SphereTree, Sweep};
    /// let spine: Vec<_> = (0..64).map(|i| Ball { centre: [i as f32, 0.0], radius: 1.0 }).collect();
    /// let snake = PosedTree { tree: Arc::new(SphereTree::new(&spine)?), pose: Pose::turned([10.0, 0.0], 90.0) };
    /// let shot = Sweep::new(&Ball { centre: [0.0, 30.0], radius: 0.5 }, [9000.0, 0.0]);
    /// let (leaf, hit) = shot.hit_tree(&snake).unwrap();
    /// assert_eq!(leaf, 30);
    /// assert!((hit.time * 9000.0 - 8.5).abs() < 1e-5);
    /// # Ok::<(), throng_spatial::volume::VolumeError>(())
    /// ```
    pub fn hit_tree(&self, target: &PosedTree<D>) -> Option<(u32, Hit<D>)> {
        let radius = f64::from(self.radius);
        let first: Cell<Option<(f64, u32, Ball<D>)>> = Cell::new(None);
        target.walk(
            |centre, reach| {
                let time = self.ray.time_to(centre, reach + radius);
                time.is_some_and(|time| first.get().is_none_or(|(before, ..)| time <= before))
            },
            |leaf, ball| {
                if let Some(time) = self.time_to_ball(&ball)
                    && first.get().is_none_or(|(before, other, _)| (time, leaf) < (before, other))
                {
                    first.set(Some((time, leaf, ball)));
                }
                ControlFlow::Continue(())
            },
        );
        first.get().map(|(time, leaf, ball)| (leaf, self.ray.on_ball(time, &ball)))
    }

    /// Where a point crosses a segment, in the plane.
    fn crosses(&self, target: &Segment<D>) -> Option<Hit<D>> {
        if D != 2 {
            return None;
        }
        let (from, along) = ([self.ray.from[0], self.ray.from[1]], [self.ray.along[0], self.ray.along[1]]);
        let flat = Segment { from: [target.from[0], target.from[1]], to: [target.to[0], target.to[1]] };
        let hit = Ray { from, along, until: self.ray.until }.hit_segment(&flat)?;
        let as_here = |v: [f32; 2]| std::array::from_fn(|axis| v[axis]);
        Some(Hit { time: hit.time, point: as_here(hit.point), normal: as_here(hit.normal) })
    }
}

impl<const D: usize> From<Ray<D>> for Sweep<D> {
    /// A ball of radius 0.
    fn from(ray: Ray<D>) -> Self {
        Self { ray, radius: 0.0 }
    }
}

impl Sweep<2> {
    /// Where it first hits a volume of any kind, by the test for that kind.
    pub fn hit_shape(&self, target: &Shape2) -> Option<Hit<2>> {
        match target {
            Shape2::Ball(target) => self.hit_ball(target),
            Shape2::Aabb(target) => self.hit_aabb(target),
            Shape2::Obb(target) => self.hit_obb(target),
            Shape2::Tree(target) => self.hit_tree(target).map(|(_, hit)| hit),
        }
    }
}

impl Sweep<3> {
    /// Where it first hits a volume of any kind, by the test for that kind.
    pub fn hit_shape(&self, target: &Shape3) -> Option<Hit<3>> {
        match target {
            Shape3::Ball(target) => self.hit_ball(target),
            Shape3::Aabb(target) => self.hit_aabb(target),
            Shape3::Obb(target) => self.hit_obb(target),
            Shape3::Cylinder(target) => self.hit_cylinder(target),
            Shape3::Tree(target) => self.hit_tree(target).map(|(_, hit)| hit),
        }
    }

    /// Where it first hits an upright cylinder: the cylinder grown by the radius, with a rounded rim. Where they
    /// overlap at the start the normal still points from the nearest point of the cylinder to the centre of the ball;
    /// where that is inside, against the motion. A ball of radius 0 hits what [`Ray::hit_cylinder`] hits.
    ///
    /// ```
    /// use throng_spatial::volume::{Ball, Cylinder, Sweep};
    /// let man = Cylinder { centre: [5.0, 0.0], radius: 0.5, low: 0.0, high: 1.8 };
    /// let ball = Ball { centre: [0.0, 0.0, 2.0], radius: 0.25 };
    /// let hit = Sweep::new(&ball, [9000.0, 0.0, 0.0]).hit_cylinder(&man).unwrap();
    /// assert!((hit.time * 9000.0 - 4.35).abs() < 1e-6, "over the rim: 0.2 up, so 0.15 aside");
    /// ```
    pub fn hit_cylinder(&self, target: &Cylinder) -> Option<Hit<3>> {
        if self.radius == 0.0 {
            return self.ray.hit_cylinder(target);
        }
        let reach = f64::from(self.radius);
        let start = self.ray.in_cylinder(target, reach)?.hit(self.ray.until)?;
        let (centre, radius) = (widen(target.centre), f64::from(target.radius));
        let (low, high) = (f64::from(target.low), f64::from(target.high));
        let impact = first_within(&self.ray, start, reach, |[x, y, z]| {
            let offset = minus([x, y], centre);
            let far = dot(offset, offset).sqrt();
            let [x, y] = if far > radius { along(centre, radius / far, offset) } else { [x, y] };
            [x, y, z.max(low).min(high)]
        })?;
        Some(impact.rounded())
    }
}

impl<const D: usize> Ray<D> {
    /// Where it comes nearer than `reach` to a box.
    fn near_box(&self, reach: f64, low: [f64; D], high: [f64; D]) -> Option<Impact<D>> {
        let around = interval_in_box(self, low.map(|x| x - reach), high.map(|x| x + reach))?;
        first_within(self, around.hit(self.until)?, reach, |point| {
            std::array::from_fn(|axis| point[axis].max(low[axis]).min(high[axis]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graze_is_no_hit() {
        let at = |centre: [f32; 3], motion: [f32; 3]| Sweep::new(&Ball { centre, radius: 1.0 }, motion);
        let block = Aabb { low: [-1.0; 3], high: [1.0; 3] };
        let man = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: -1.0, high: 1.0 };
        for (beside, hits) in [(2.0, false), (1.999_999, true), (2.000_001, false)] {
            for sweep in [at([-9.0, beside, 0.0], [18.0, 0.0, 0.0]), at([-9.0, 0.0, beside], [18.0, 0.0, 0.0])] {
                assert_eq!(sweep.hit_aabb(&block).is_some(), hits, "{beside}");
                assert_eq!(sweep.hit_obb(&Obb::from(block)).is_some(), hits, "{beside}");
                assert_eq!(sweep.hit_cylinder(&man).is_some(), hits, "{beside}");
            }
            let wall = Segment { from: [-1.0, 1.0, 0.0], to: [1.0, 1.0, 0.0] };
            assert_eq!(at([-9.0, 1.0, beside - 1.0], [18.0, 0.0, 0.0]).hit_segment(&wall).is_some(), hits);
        }
    }

    #[test]
    fn from_where_they_touch() {
        let at = |motion: [f32; 2]| Sweep::new(&Ball { centre: [-2.0, 0.0], radius: 1.0 }, motion);
        let block = Aabb { low: [-1.0; 2], high: [1.0; 2] };
        let wall = Segment { from: [-1.0, -5.0], to: [-1.0, 5.0] };
        for away in [[-1.0, 0.0], [0.0, 1.0], [-3.0, 9.0], [0.0, 0.0]] {
            assert_eq!(at(away).hit_aabb(&block), None, "{away:?}");
            assert_eq!(at(away).hit_segment(&wall), None, "{away:?}");
        }
        let hit = Hit { time: 0.0, point: [-1.0, 0.0], normal: [-1.0, 0.0] };
        assert_eq!(at([1.0, 5.0]).hit_aabb(&block), Some(hit));
        assert_eq!(at([1.0, 5.0]).hit_segment(&wall), Some(hit));
    }

    #[test]
    fn from_inside() {
        let at = |centre: [f32; 2], motion: [f32; 2]| Sweep::new(&Ball { centre, radius: 1.0 }, motion);
        let block = Aabb { low: [-1.0; 2], high: [1.0; 2] };
        let hit = at([-1.5, 0.0], [-9.0, 0.0]).hit_aabb(&block);
        assert_eq!(hit, Some(Hit { time: 0.0, point: [-1.0, 0.0], normal: [-1.0, 0.0] }), "overlaps, though it leaves");
        let hit = at([0.5, 0.25], [0.0, 9.0]).hit_aabb(&block);
        assert_eq!(hit, Some(Hit { time: 0.0, point: [0.5, 0.25], normal: [0.0, -1.0] }), "its centre inside");
        let hit = at([0.5, 0.25], [0.0, 0.0]).hit_aabb(&block);
        assert_eq!(hit, Some(Hit { time: 0.0, point: [0.5, 0.25], normal: [0.0, 0.0] }), "without motion");
        assert_eq!(at([2.5, 0.25], [0.0, 0.0]).hit_aabb(&block), None);
    }

    #[test]
    fn over_the_rim_of_a_cylinder() {
        // 3 and 4 and 5: at the rim when the centre is 0.3 beside and 0.4 above.
        let man = Cylinder { centre: [0.0, 0.0], radius: 1.0, low: 0.0, high: 2.0 };
        let ball = Ball { centre: [-9.0, 0.0, 2.4], radius: 0.5 };
        let hit = Sweep::new(&ball, [10.0, 0.0, 0.0]).hit_cylinder(&man).unwrap();
        assert!((hit.time - 0.77).abs() < 1e-7, "{hit:?}");
        assert!((hit.normal[0] + 0.6).abs() < 1e-6 && (hit.normal[2] - 0.8).abs() < 1e-6, "{hit:?}");
        // Past the sharp corner of its cross-section, though inside the grown cylinder without the rounding.
        let past = Sweep::new(&Ball { centre: [-1.8, 0.0, 2.1], radius: 0.5 }, [0.8, 0.0, 0.8]);
        assert_eq!(past.hit_cylinder(&man), None);
    }
}
