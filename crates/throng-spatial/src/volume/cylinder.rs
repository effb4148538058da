//! Upright cylinders.

use super::{Aabb, Ball};

/// An upright cylinder: a circle in the plane and a range of heights.
///
/// ```
/// use throng_spatial::volume::{Ball, Cylinder};
/// let man = Cylinder { centre: [0.0, 0.0], radius: 0.4, low: 0.0, high: 1.8 };
/// assert!(man.overlaps_ball(&Ball { centre: [0.5, 0.0, 1.0], radius: 0.2 }));
/// assert!(!man.overlaps_ball(&Ball { centre: [0.5, 0.0, 1.95], radius: 0.17 }), "past the rim");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Centre of the circle (m).
    pub centre: [f32; 2],
    /// Radius of the circle (m).
    pub radius: f32,
    /// Where it begins (m along z).
    pub low: f32,
    /// Where it ends (m along z), not below `low`.
    pub high: f32,
}

impl Cylinder {
    /// The smallest upright cylinder around some points (m): the smallest circle around them in the plane
    /// ([`Ball::of`]) and the range of their heights. Points with a coordinate that is not finite are left out; `None`
    /// where none remains.
    ///
    /// ```
    /// use throng_spatial::volume::Cylinder;
    /// let points = [[0.0, 0.0, 5.0], [4.0, 0.0, 2.0], [1.0, 1.0, 3.0]];
    /// assert_eq!(Cylinder::of(&points), Some(Cylinder { centre: [2.0, 0.0], radius: 2.0, low: 2.0, high: 5.0 }));
    /// ```
    pub fn of(points: &[[f32; 3]]) -> Option<Self> {
        let mut plane = Vec::with_capacity(points.len());
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for &[x, y, z] in points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
            plane.push([x, y]);
            (low, high) = (low.min(z), high.max(z));
        }
        let circle = Ball::<2>::of(&plane)?;
        Some(Self { centre: circle.centre, radius: circle.radius, low, high })
    }

    /// True where the cylinders share more than points of their borders.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low < other.high && other.low < self.high && {
            let reach = f64::from(self.radius) + f64::from(other.radius);
            plane_squared(self.centre, other.centre) < reach * reach
        }
    }

    /// True where a ball and the cylinder share more than one point of their borders.
    #[inline]
    pub fn overlaps_ball(&self, ball: &Ball<3>) -> bool {
        self.distance_squared(ball.centre) < f64::from(ball.radius) * f64::from(ball.radius)
    }

    /// True where a box and the cylinder share more than points of their borders.
    #[inline]
    pub fn overlaps_aabb(&self, aabb: &Aabb<3>) -> bool {
        self.low < aabb.high[2] && aabb.low[2] < self.high && {
            let closest = [0, 1].map(|i| self.centre[i].max(aabb.low[i]).min(aabb.high[i]));
            plane_squared(closest, self.centre) < f64::from(self.radius) * f64::from(self.radius)
        }
    }

    /// True where a point (m) lies inside, not on the border.
    #[inline]
    pub fn contains(&self, point: [f32; 3]) -> bool {
        self.low < point[2]
            && point[2] < self.high
            && plane_squared(self.centre, [point[0], point[1]]) < f64::from(self.radius) * f64::from(self.radius)
    }

    /// The squared distance from a point (m) to the cylinder (m²): 0 inside and on the border.
    #[inline]
    pub fn distance_squared(&self, point: [f32; 3]) -> f64 {
        self.gap_squared(point.map(f64::from))
    }

    /// The squared distance from a point.
    #[inline]
    pub(super) fn gap_squared(&self, point: [f64; 3]) -> f64 {
        let (x, y) = (point[0] - f64::from(self.centre[0]), point[1] - f64::from(self.centre[1]));
        let beside = ((x * x + y * y).sqrt() - f64::from(self.radius)).max(0.0);
        let above = (f64::from(self.low) - point[2]).max(point[2] - f64::from(self.high)).max(0.0);
        beside * beside + above * above
    }
}

/// The squared distance in the plane.
#[inline]
pub(super) fn plane_squared(a: [f32; 2], b: [f32; 2]) -> f64 {
    let (x, y) = (f64::from(a[0]) - f64::from(b[0]), f64::from(a[1]) - f64::from(b[1]));
    x * x + y * y
}
