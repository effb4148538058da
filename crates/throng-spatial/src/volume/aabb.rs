//! Axis-aligned boxes.

use super::{Ball, distance_squared};

/// An axis-aligned box.
///
/// ```
/// use throng_spatial::volume::{Aabb, Ball};
/// let square = Aabb { low: [0.0, 0.0], high: [1.0, 1.0] };
/// assert_eq!(square.closest([3.0, 0.5]), [1.0, 0.5]);
/// assert!(square.overlaps_ball(&Ball { centre: [1.5, 0.5], radius: 0.6 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<const D: usize> {
    /// The least coordinate on each axis (m).
    pub low: [f32; D],
    /// The greatest coordinate on each axis (m).
    pub high: [f32; D],
}

impl<const D: usize> Aabb<D> {
    /// The smallest box around some points (m), or `None` where there are none. Coordinates that are not finite are
    /// left out; an axis on which none is finite spans 0 to 0.
    pub fn of(points: &[[f32; D]]) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let mut hull = Self { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] };
        for point in points {
            for (axis, &x) in point.iter().enumerate() {
                if x.is_finite() {
                    hull.low[axis] = hull.low[axis].min(x);
                    hull.high[axis] = hull.high[axis].max(x);
                }
            }
        }
        for axis in 0..D {
            if hull.low[axis] > hull.high[axis] {
                (hull.low[axis], hull.high[axis]) = (0.0, 0.0);
            }
        }
        Some(hull)
    }

    /// The point of the box that is nearest to `point` (m): the point itself inside.
    #[inline]
    pub fn closest(&self, point: [f32; D]) -> [f32; D] {
        std::array::from_fn(|axis| point[axis].max(self.low[axis]).min(self.high[axis]))
    }

    /// The squared distance from a point (m) to the box (m²): 0 inside.
    #[inline]
    pub fn distance_squared(&self, point: [f32; D]) -> f32 {
        distance_squared(self.closest(point), point)
    }

    /// True where the boxes share more than points of their borders.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..D).all(|axis| self.low[axis] < other.high[axis] && other.low[axis] < self.high[axis])
    }

    /// True where a point (m) lies inside, not on the border.
    #[inline]
    pub fn contains(&self, point: [f32; D]) -> bool {
        (0..D).all(|axis| self.low[axis] < point[axis] && point[axis] < self.high[axis])
    }

    /// True where a ball and the box share more than one point of their borders.
    #[inline]
    pub fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        self.distance_squared(ball.centre) < ball.radius * ball.radius
    }

    /// Length of the side along an axis (m).
    #[inline]
    pub fn side(&self, axis: usize) -> f32 {
        self.high[axis] - self.low[axis]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_of_points() {
        assert_eq!(Aabb::<2>::of(&[]), None);
        let hull = Aabb::of(&[[1.0, 5.0], [-2.0, f32::NAN], [0.0, 7.0], [f32::INFINITY, 6.0]]);
        assert_eq!(hull, Some(Aabb { low: [-2.0, 5.0], high: [1.0, 7.0] }));
        assert_eq!(Aabb::of(&[[f32::NAN; 2]]), Some(Aabb { low: [0.0; 2], high: [0.0; 2] }));
    }

    #[test]
    fn touching_is_not_overlap() {
        let square = Aabb { low: [0.0, 0.0], high: [2.0, 2.0] };
        assert!(!square.overlaps_ball(&Ball { centre: [3.0, 1.0], radius: 1.0 }));
        assert!(square.overlaps_ball(&Ball { centre: [3.0, 1.0], radius: 1.001 }));
        // Near a corner the diagonal counts.
        assert!(!square.overlaps_ball(&Ball { centre: [5.0, 6.0], radius: 5.0 }));
        assert!(square.overlaps_ball(&Ball { centre: [5.0, 6.0], radius: 5.01 }));
        assert!(square.overlaps_ball(&Ball { centre: [1.0, 1.0], radius: 0.1 }));
    }
}
