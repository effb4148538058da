//! Continuous tests: what a moving ball hits, and when.

use super::approach::first_within;
use super::slabs::stretch;
use super::wide::{Frame, Impact, along, dot, minus, narrow, widen};
use super::{Aabb, Ball, Cylinder, Hit, Obb, Ray, Segment};

/// A ball that moves along a straight way during a tick: time 0 is its start, time 1 its end.
///
/// Of two moving balls one is looked at from the other ([`Sweep::relative`]). All arithmetic is in `f64`. A hit is the
/// first moment from which on the two overlap: balls that pass and only touch do not hit, and neither does one that
/// touches at the start and moves away, or touches only at the end (at the start of the next tick it touches, and
/// hits if it still comes nearer).
///
/// ```
/// use throng::volume::{Ball, Sweep};
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

    /// The smallest box around all the ball passes (m), rounded outwards. What does not share a point with it is not
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
    /// use throng::volume::{Aabb, Ball, Sweep};
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
    /// use throng::volume::{Ball, Obb, Sweep};
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
    /// use throng::volume::{Ball, Segment, Sweep};
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
        let around = stretch(
            &self.ray,
            std::array::from_fn(|axis| from[axis].min(to[axis]) - reach),
            std::array::from_fn(|axis| from[axis].max(to[axis]) + reach),
        )?;
        let start = around.hit(self.ray.until)?;
        Some(first_within(&self.ray, start, reach, |point| target.closest_wide(point))?.rounded())
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

impl Sweep<3> {
    /// Where it first hits an upright cylinder: the cylinder grown by the radius, with a rounded rim. Where they
    /// overlap at the start the normal still points from the nearest point of the cylinder to the centre of the ball;
    /// where that is inside, against the motion. A ball of radius 0 hits what [`Ray::hit_cylinder`] hits.
    ///
    /// ```
    /// use throng::volume::{Ball, Cylinder, Sweep};
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
        let around = stretch(self, low.map(|x| x - reach), high.map(|x| x + reach))?;
        first_within(self, around.hit(self.until)?, reach, |point| {
            std::array::from_fn(|axis| point[axis].max(low[axis]).min(high[axis]))
        })
    }
}
