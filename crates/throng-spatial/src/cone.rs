//! View cones.

use super::bodies::around;
use crate::volume::{Aabb, distance_squared};

/// A view cone: all points nearer than `range` whose direction from the apex is within
/// `half_angle` of `direction`. A sector in 2-D.
///
/// ```
/// use throng_spatial::Cone;
/// let cone = Cone { apex: [0.0, 0.0], direction: [1.0, 0.0], half_angle: 0.5, range: 10.0 };
/// assert!(cone.contains([9.0, 1.0]));
/// assert!(!cone.contains([1.0, 1.0]), "45 degrees are 0.79");
/// assert!(!cone.contains([10.0, 0.0]), "the range is not reached");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone<const D: usize> {
    /// Where the viewer is (m).
    pub apex: [f32; D],
    /// The direction of view: any length but zero.
    pub direction: [f32; D],
    /// The greatest angle to the direction (radians): π and more is all round, and an angle below 0 counts as 0.
    pub half_angle: f32,
    /// How far the view reaches (m).
    pub range: f32,
}

impl<const D: usize> Cone<D> {
    /// Whether a point (m) is inside. The apex is, where the range is not 0.
    pub fn contains(&self, point: [f32; D]) -> bool {
        let squared = distance_squared(self.apex, point);
        squared < self.range.max(0.0) * self.range && self.faces(point, squared)
    }

    /// Whether the way to a point deviates little enough from the direction.
    fn faces(&self, point: [f32; D], squared: f32) -> bool {
        let (mut along, mut length) = (0.0_f64, 0.0_f64);
        for (axis, &x) in point.iter().enumerate() {
            let way = f64::from(x) - f64::from(self.apex[axis]);
            along += way * f64::from(self.direction[axis]);
            length += f64::from(self.direction[axis]) * f64::from(self.direction[axis]);
        }
        squared == 0.0
            || self.half_angle >= std::f32::consts::PI
            || along >= libm::cos(f64::from(self.half_angle.max(0.0))) * (f64::from(squared) * length).sqrt()
    }

    /// A box around the cone.
    pub fn bounds(&self) -> Aabb<D> {
        let ball = around(self.apex, self.range);
        // In f64, where no square of an f32 is infinite or lost.
        let length = self.direction.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
        if length.is_nan() || length <= 0.0 || self.half_angle >= std::f32::consts::PI {
            return ball;
        }
        let half_angle = self.half_angle.max(0.0);
        let (sin, cos) = (libm::sinf(half_angle), libm::cosf(half_angle));
        let mut hull = ball;
        for axis in 0..D {
            let along = ((f64::from(self.direction[axis]) / length) as f32).clamp(-1.0, 1.0);
            // How far the cone goes each way, as a share of its range: where the axis itself is inside, all of it.
            let across = (1.0 - along * along).max(0.0).sqrt();
            let share = |along: f32| {
                if along >= cos { 1.0 } else { (along * cos + across * sin + 1e-5).clamp(0.0, 1.0) }
            };
            let (up, down) = (share(along), share(-along));
            let (apex, slack) = (self.apex[axis], (self.apex[axis].abs() + self.range) * 1e-6);
            hull.high[axis] = ball.high[axis].min(apex + self.range * up + slack);
            hull.low[axis] = ball.low[axis].max(apex - self.range * down - slack);
        }
        hull
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meets(bounds: &Aabb<3>, point: [f32; 3]) -> bool {
        (0..3).all(|axis| (bounds.low[axis]..=bounds.high[axis]).contains(&point[axis]))
    }

    proptest! {
        #[test]
        fn bounds_hold_all_that_is_inside(
            apex in [-50.0..50.0_f32, -50.0..50.0_f32, -50.0..50.0_f32],
            way in [-1.0..1.0_f32, -1.0..1.0_f32, -1.0..1.0_f32],
            scale in prop::sample::select(vec![1.0, 1e-30, 1e-22, 1e20, 3e38_f32]),
            half_angle in prop_oneof![-1.0..4.0_f32, Just(0.0)],
            range in prop_oneof![0.0..30.0_f32, Just(f32::INFINITY)],
            others in prop::collection::vec([-40.0..40.0_f32, -40.0..40.0_f32, -40.0..40.0_f32], 60),
        ) {
            let cone = Cone { apex, direction: way.map(|x| x * scale), half_angle, range };
            let bounds = cone.bounds();
            let ahead = (1..20_u8).map(|step| {
                let far = f32::from(step) * 1.5;
                std::array::from_fn(|axis| apex[axis] + way[axis] * far)
            });
            for point in others.into_iter().chain(ahead).filter(|&point| cone.contains(point)) {
                prop_assert!(meets(&bounds, point), "{cone:?} {point:?} {bounds:?}");
            }
        }
    }

    #[test]
    fn long_directions_and_angles_below_zero() {
        let cone = Cone { apex: [0.0; 3], direction: [1e20, 0.0, 0.0], half_angle: 0.1, range: 10.0 };
        assert!(cone.contains([9.0, 0.0, 0.0]) && meets(&cone.bounds(), [9.0, 0.0, 0.0]));
        let narrow = Cone { half_angle: -0.5, ..cone };
        assert!(narrow.contains([9.0, 0.0, 0.0]) && !narrow.contains([9.0, 1.0, 0.0]));
    }
}
