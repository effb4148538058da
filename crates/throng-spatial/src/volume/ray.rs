//! Rays, and their hits.

use super::Ball;
use super::wide::{along, dot, minus, narrow, unit, widen};

/// A straight way: a ray without an end, or with one, a segment.
///
/// Times count lengths of `along`: on a ray of unit direction they are metres, on the ray of a segment they run from
/// 0 to 1.
///
/// ```
/// use throng_spatial::volume::{Ball, Ray};
/// let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
/// let ball = Ball { centre: [5.0, 0.0], radius: 1.0 };
/// let hit = ray.hit_ball(&ball).unwrap();
/// assert_eq!((hit.time, hit.point, hit.normal), (4.0, [4.0, 0.0], [-1.0, 0.0]));
/// assert_eq!(Ray::between([0.0, 0.0], [3.0, 0.0]).hit_ball(&ball), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<const D: usize> {
    /// Where it starts (m).
    pub from: [f64; D],
    /// Where it is at time 1, seen from where it starts (m).
    pub along: [f64; D],
    /// The time at which it ends: infinite for a ray, 1 for a segment.
    pub until: f64,
}

/// A hit: when, where, and which way the surface faces there.
///
/// A ray or ball that hits from outside has a normal of length 1 that points from the target to it. One that starts
/// inside hits at time 0; the normal is said with each test.
///
/// ```
/// use throng_spatial::volume::{Ball, Sweep};
/// let shot = Sweep::new(&Ball { centre: [0.0, 0.0], radius: 0.5 }, [20_000.0, 0.0]);
/// let hit = shot.hit_ball(&Ball { centre: [10.0, 0.0], radius: 0.5 }).unwrap();
/// assert_eq!(hit.time, 9.0 / 20_000.0);
/// assert_eq!(hit.point, [9.5, 0.0]);
/// assert_eq!(hit.normal, [-1.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit<const D: usize> {
    /// When (in lengths of the motion).
    pub time: f64,
    /// Where on the target (m).
    pub point: [f32; D],
    /// Which way the target faces there.
    pub normal: [f32; D],
}

impl<const D: usize> Ray<D> {
    /// The ray from a point (m) in a direction, without an end.
    #[inline]
    pub fn new(from: [f32; D], direction: [f32; D]) -> Self {
        Self { from: widen(from), along: widen(direction), until: f64::INFINITY }
    }

    /// The way from one point to another (m), in time 1.
    #[inline]
    pub fn between(from: [f32; D], to: [f32; D]) -> Self {
        let from = widen(from);
        Self { from, along: minus(widen(to), from), until: 1.0 }
    }

    /// Where it is at a time (m).
    #[inline]
    pub fn at(&self, time: f64) -> [f64; D] {
        along(self.from, time, self.along)
    }

    /// When the point first comes nearer than `reach` (m) to `centre` (m): 0 where it starts nearer, `None` where it
    /// only touches that distance or ends there.
    ///
    /// The quadratic formula in the form that loses nothing where the ray starts far away: the distance from the
    /// centre is taken at the nearest point of the line (Haines, Günther, Akenine-Möller 2019).
    #[inline]
    pub fn time_to(&self, centre: [f32; D], reach: f64) -> Option<f64> {
        let offset = minus(self.from, widen(centre));
        let beyond = dot(offset, offset) - reach * reach;
        if beyond < 0.0 {
            return Some(0.0);
        }
        let closing = -dot(offset, self.along);
        if closing <= 0.0 {
            return None;
        }
        let squared = dot(self.along, self.along);
        let nearest = along(offset, closing / squared, self.along);
        let within = reach * reach - dot(nearest, nearest);
        let time = beyond / (closing + (squared * within).sqrt());
        (within > 0.0 && time < self.until).then_some(time)
    }

    /// Where it first enters a ball. A ray that starts inside hits at once; the normal then points away from the
    /// centre. A ray that only touches the ball, or starts on it and leads away, does not hit it.
    pub fn hit_ball(&self, ball: &Ball<D>) -> Option<Hit<D>> {
        let radius = f64::from(ball.radius);
        self.time_to(ball.centre, radius).map(|time| self.on_ball(time, ball))
    }

    /// The hit on a ball at a time: its normal points from the ball's centre to where the ray is then, or against the
    /// motion where that is the centre itself.
    pub(super) fn on_ball(&self, time: f64, ball: &Ball<D>) -> Hit<D> {
        let centre = widen(ball.centre);
        let normal = self.facing(minus(self.at(time), centre));
        Hit { time, point: narrow(along(centre, f64::from(ball.radius), normal)), normal: narrow(normal) }
    }

    /// `away` scaled to length 1, or where it is zero the direction against the motion.
    pub(super) fn facing(&self, away: [f64; D]) -> [f64; D] {
        let normal = unit(away);
        if normal == [0.0; D] { unit(self.along.map(|x| -x)) } else { normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_is_no_hit() {
        let ball = Ball { centre: [0.0, 0.0], radius: 1.0 };
        let time = |from: [f32; 2], to: [f32; 2]| Ray::between(from, to).hit_ball(&ball).map(|hit| hit.time);
        assert_eq!(time([-3.0, 1.0], [3.0, 1.0]), None, "along the rim");
        assert_eq!(time([-3.0, 0.0], [-1.0, 0.0]), None, "ends on it");
        assert_eq!(time([-1.0, 0.0], [-3.0, 0.0]), None, "starts on it, leads away");
        assert_eq!(time([-1.0, 0.0], [-1.0, 4.0]), None, "starts on it, leads along it");
        assert_eq!(time([-1.0, 0.0], [3.0, 0.5]), Some(0.0), "starts on it, leads into it");
        assert_eq!(time([0.5, 0.0], [9.0, 0.0]), Some(0.0), "starts inside");
        assert_eq!(time([0.5, 0.0], [0.5, 0.0]), Some(0.0), "inside, without motion");
        assert_eq!(time([5.0, 0.0], [5.0, 0.0]), None, "outside, without motion");
        assert_eq!(time([5.0, 0.0], [9.0, 0.0]), None, "leads away");
        assert_eq!(time([f32::NAN, 0.0], [9.0, 0.0]), None);
        assert_eq!(time([-9.0, 0.0], [f32::NAN, 0.0]), None);
    }

    #[test]
    fn from_the_centre_the_normal_is_against_the_motion() {
        let ball = Ball { centre: [2.0, 2.0], radius: 1.0 };
        let hit = Ray::new([2.0, 2.0], [3.0, 0.0]).hit_ball(&ball).unwrap();
        assert_eq!((hit.time, hit.normal, hit.point), (0.0, [-1.0, 0.0], [1.0, 2.0]));
        assert_eq!(Ray::new([2.0, 2.0], [0.0, 0.0]).hit_ball(&ball).unwrap().normal, [0.0, 0.0]);
    }
}
