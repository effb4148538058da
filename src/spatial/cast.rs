//! Moving balls: whom they hit first.

use super::bodies::around;
use crate::volume::{Aabb, Ball};

/// A ball that moves straight from one place to another; with radius 0 a segment, such as a line of sight.
///
/// ```
/// use throng::spatial::Cast;
/// use throng::volume::Ball;
/// let shot = Cast { from: [0.0, 0.0], to: [100.0, 0.0], radius: 0.0 };
/// assert_eq!(shot.time(&Ball { centre: [50.0, 3.0], radius: 5.0 }), Some(0.46));
/// assert_eq!(shot.time(&Ball { centre: [50.0, 5.0], radius: 5.0 }), None, "grazing is no hit");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast<const D: usize> {
    /// Where the centre starts (m).
    pub from: [f32; D],
    /// Where it ends (m).
    pub to: [f32; D],
    /// Radius of the ball (m).
    pub radius: f32,
}

/// Whom a [`Cast`] hits first.
///
/// ```
/// let hit = throng::spatial::Hit { row: 3, time: 0.25 };
/// assert_eq!(hit.row, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Row of the body.
    pub row: u32,
    /// When, as a share of the way: 0 where they overlap from the start.
    pub time: f64,
}

impl<const D: usize> Cast<D> {
    /// When the moving ball begins to overlap one at rest, as a share of the way in [0, 1], if it does. In `f64`, so that
    /// no speed makes it miss.
    #[inline]
    pub fn time(&self, ball: &Ball<D>) -> Option<f64> {
        let reach = f64::from(self.radius) + f64::from(ball.radius);
        // |start + t way|² = reach², with half the usual b.
        let (mut a, mut b, mut c) = (0.0, 0.0, -reach * reach);
        for axis in 0..D {
            let start = f64::from(self.from[axis]) - f64::from(ball.centre[axis]);
            let way = f64::from(self.to[axis]) - f64::from(self.from[axis]);
            a += way * way;
            b += start * way;
            c += start * start;
        }
        if c < 0.0 {
            return Some(0.0);
        }
        let discriminant = b * b - a * c;
        // Moving away, or past.
        if b >= 0.0 || discriminant <= 0.0 {
            return None;
        }
        // Not (-b - root) / a, where two numbers that are nearly equal may be subtracted.
        let time = c / (-b + discriminant.sqrt());
        (time <= 1.0).then_some(time)
    }

    /// Where the centre is at a time in [0, 1] (m).
    #[inline]
    pub fn at(&self, time: f64) -> [f32; D] {
        std::array::from_fn(|axis| {
            let (from, to) = (f64::from(self.from[axis]), f64::from(self.to[axis]));
            (from + (to - from) * time) as f32
        })
    }

    /// Length of the way (m).
    pub fn length(&self) -> f64 {
        let square = |axis: usize| (f64::from(self.to[axis]) - f64::from(self.from[axis])).powi(2);
        (0..D).map(square).sum::<f64>().sqrt()
    }

    /// A box around the ball between two times.
    pub fn bounds(&self, start: f64, end: f64) -> Aabb<D> {
        let (a, b) = (around(self.at(start), self.radius), around(self.at(end), self.radius));
        Aabb {
            low: std::array::from_fn(|axis| a.low[axis].min(b.low[axis])),
            high: std::array::from_fn(|axis| a.high[axis].max(b.high[axis])),
        }
    }
}
