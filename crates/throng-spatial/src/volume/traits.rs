//! The common traits of volumes.

use super::obb::dot;
use super::rounding::{above_root, sum_above, sum_below};
use super::{Aabb, Ball, Cylinder, Obb};

/// A bounding volume: an index can find its neighbours and test them exactly.
///
/// ```
/// use throng_spatial::volume::{Cylinder, Volume};
/// fn room<const D: usize>(volume: &impl Volume<D>) -> f32 {
///     2.0 * volume.bounding_ball().radius
/// }
/// let man = Cylinder { centre: [3.0, 4.0], radius: 0.375, low: 0.0, high: 1.0 };
/// assert_eq!(room(&man), 1.25);
/// assert_eq!(man.bounds().high, [3.375, 4.375, 1.0]);
/// assert_eq!(man.distance([3.0, 4.0, 3.0]), 2.0);
/// ```
pub trait Volume<const D: usize> {
    /// An axis-aligned box that no point of the volume is outside: the least one, rounded outwards.
    fn bounds(&self) -> Aabb<D>;

    /// A ball that no point of the volume is outside, rounded outwards.
    fn bounding_ball(&self) -> Ball<D>;

    /// True where a point (m) lies inside, not on the border.
    fn contains(&self, point: [f32; D]) -> bool;

    /// How far a point (m) is from the volume (m): 0 inside and on the border.
    fn distance(&self, point: [f32; D]) -> f32;

    /// True where the volumes share more than points of their borders. The same whichever is asked.
    fn overlaps(&self, other: &Self) -> bool;

    /// True where a ball and the volume share more than points of their borders.
    fn overlaps_ball(&self, ball: &Ball<D>) -> bool;
}

impl<const D: usize> Volume<D> for Ball<D> {
    #[inline]
    fn bounds(&self) -> Aabb<D> {
        let (centre, radius) = (self.centre.map(f64::from), f64::from(self.radius));
        Aabb { low: centre.map(|x| sum_below(x, -radius)), high: centre.map(|x| sum_above(x, radius)) }
    }

    #[inline]
    fn bounding_ball(&self) -> Ball<D> {
        *self
    }

    #[inline]
    fn contains(&self, point: [f32; D]) -> bool {
        Self::contains(self, point)
    }

    #[inline]
    fn distance(&self, point: [f32; D]) -> f32 {
        Self::distance(self, point)
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    #[inline]
    fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        Self::overlaps(self, ball)
    }
}

impl<const D: usize> Volume<D> for Aabb<D> {
    #[inline]
    fn bounds(&self) -> Aabb<D> {
        *self
    }

    #[inline]
    fn bounding_ball(&self) -> Ball<D> {
        let centre: [f32; D] = std::array::from_fn(|i| f32::midpoint(self.low[i], self.high[i]));
        let squared: f64 = (0..D).map(|i| farther(self.low[i], centre[i], self.high[i]).powi(2)).sum();
        Ball { centre, radius: above_root(squared) }
    }

    #[inline]
    fn contains(&self, point: [f32; D]) -> bool {
        Self::contains(self, point)
    }

    #[inline]
    fn distance(&self, point: [f32; D]) -> f32 {
        Self::distance_squared(self, point).sqrt()
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    #[inline]
    fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        Self::overlaps_ball(self, ball)
    }
}

impl<const D: usize> Volume<D> for Obb<D> {
    fn bounds(&self) -> Aabb<D> {
        let slack = self.skew() * self.half.iter().map(|&half| f64::from(half)).sum::<f64>();
        let reach: [f64; D] = std::array::from_fn(|i| {
            let reach: f64 = (0..D).map(|j| f64::from(self.axes[j][i]).abs() * f64::from(self.half[j])).sum();
            reach + slack
        });
        Aabb {
            low: std::array::from_fn(|i| sum_below(f64::from(self.centre[i]), -reach[i])),
            high: std::array::from_fn(|i| sum_above(f64::from(self.centre[i]), reach[i])),
        }
    }

    #[inline]
    fn bounding_ball(&self) -> Ball<D> {
        let half = self.half.map(f64::from);
        Ball { centre: self.centre, radius: above_root(dot(&half, &half) * (1.0 + self.skew()).powi(2)) }
    }

    #[inline]
    fn contains(&self, point: [f32; D]) -> bool {
        Self::contains(self, point)
    }

    #[inline]
    fn distance(&self, point: [f32; D]) -> f32 {
        Self::distance_squared(self, point).sqrt() as f32
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    #[inline]
    fn overlaps_ball(&self, ball: &Ball<D>) -> bool {
        Self::overlaps_ball(self, ball)
    }
}

impl<const D: usize> Obb<D> {
    /// How far, in half sides, a corner may be from where perfect axes would have it: 0 for those of the world.
    fn skew(&self) -> f64 {
        let axes = self.axes.map(|axis| axis.map(f64::from));
        let mut worst = 0.0_f64;
        for i in 0..D {
            for j in i..D {
                let right = if i == j { 1.0 } else { 0.0 };
                worst = worst.max((dot(&axes[i], &axes[j]) - right).abs());
            }
        }
        2.0 * D as f64 * worst
    }
}

impl Volume<3> for Cylinder {
    #[inline]
    fn bounds(&self) -> Aabb<3> {
        let Aabb { low, high } = Ball { centre: self.centre, radius: self.radius }.bounds();
        Aabb { low: [low[0], low[1], self.low], high: [high[0], high[1], self.high] }
    }

    #[inline]
    fn bounding_ball(&self) -> Ball<3> {
        let middle = f32::midpoint(self.low, self.high);
        let squared = f64::from(self.radius).powi(2) + farther(self.low, middle, self.high).powi(2);
        Ball { centre: [self.centre[0], self.centre[1], middle], radius: above_root(squared) }
    }

    #[inline]
    fn contains(&self, point: [f32; 3]) -> bool {
        Self::contains(self, point)
    }

    #[inline]
    fn distance(&self, point: [f32; 3]) -> f32 {
        Self::distance_squared(self, point).sqrt() as f32
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        Self::overlaps(self, other)
    }

    #[inline]
    fn overlaps_ball(&self, ball: &Ball<3>) -> bool {
        Self::overlaps_ball(self, ball)
    }
}

/// The greater distance from a point between two others, which one of them rounding may have made uneven.
#[inline]
fn farther(low: f32, middle: f32, high: f32) -> f64 {
    (f64::from(high) - f64::from(middle)).max(f64::from(middle) - f64::from(low))
}
