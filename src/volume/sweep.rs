//! Continuous tests: what a moving ball hits, and when.

use super::wide::{minus, narrow, widen};
use super::{Aabb, Ball, Hit, Ray};

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
}
