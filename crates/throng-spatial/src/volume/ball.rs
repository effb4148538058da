//! Circles and spheres.

use super::distance_squared;

/// A ball: a circle for `D` = 2, a sphere for `D` = 3.
///
/// ```
/// use throng_spatial::volume::Ball;
/// let one = Ball { centre: [0.0, 0.0], radius: 1.0 };
/// let two = Ball { centre: [2.0, 0.0], radius: 1.0 };
/// assert!(!one.overlaps(&two), "they only touch");
/// assert_eq!(one.distance([4.0, 0.0]), 3.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<const D: usize> {
    /// Centre (m).
    pub centre: [f32; D],
    /// Radius (m).
    pub radius: f32,
}

impl<const D: usize> Ball<D> {
    /// True where the balls share more than one point of their borders.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius;
        distance_squared(self.centre, other.centre) < reach * reach
    }

    /// True where a point (m) lies inside, not on the border.
    #[inline]
    pub fn contains(&self, point: [f32; D]) -> bool {
        distance_squared(self.centre, point) < self.radius * self.radius
    }

    /// How far a point (m) is from the ball (m): 0 inside.
    #[inline]
    pub fn distance(&self, point: [f32; D]) -> f32 {
        (distance_squared(self.centre, point).sqrt() - self.radius).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "exact by construction")]
    use super::*;

    #[test]
    fn touching_is_not_overlap() {
        let a = Ball { centre: [0.0, 0.0, 0.0], radius: 2.0 };
        let b = Ball { centre: [0.0, 3.0, 0.0], radius: 1.0 };
        assert!(!a.overlaps(&b) && !b.overlaps(&a));
        assert!(a.overlaps(&Ball { radius: 1.001, ..b }));
        assert!(!a.contains([2.0, 0.0, 0.0]));
        assert!(a.contains([1.999, 0.0, 0.0]));
    }

    #[test]
    fn distance_is_zero_inside() {
        let ball = Ball { centre: [1.0, 1.0], radius: 5.0 };
        assert_eq!(ball.distance([2.0, 2.0]), 0.0);
        assert_eq!(ball.distance([1.0, 9.0]), 3.0);
    }

    #[test]
    fn a_point_ball_overlaps_nothing() {
        let point = Ball { centre: [1.0, 1.0], radius: 0.0 };
        assert!(!point.overlaps(&point));
        assert!(!point.contains([1.0, 1.0]));
    }
}
