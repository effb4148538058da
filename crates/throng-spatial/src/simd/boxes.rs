//! Boxes near a point.

use super::{Kernel, LANES, Lanes, Level};

/// Sixteen boxes, column by column (m): their low and their high sides, axis by axis.
pub type Sides<const D: usize> = [[[f32; LANES]; 2]; D];

/// A bit for each of sixteen boxes whose squared distance to `point` is below `limit` (m²). The steps are those of
/// [`distance_squared`](crate::volume::distance_squared), so that it is never more than that of any point in the box.
///
/// ```
/// use throng_spatial::simd::{Level, boxes_near};
/// let mut sides = [[[f32::INFINITY; 16], [f32::NEG_INFINITY; 16]]; 2];
/// for axis in &mut sides {
///     (axis[0][3], axis[1][3]) = (3.0, 4.0);
///     (axis[0][5], axis[1][5]) = (4.0, 9.0);
/// }
/// assert_eq!(boxes_near(Level::detect(), &sides, [0.0, 0.0], 18.5), 1 << 3);
/// ```
#[inline]
pub fn boxes_near<const D: usize>(level: Level, sides: &Sides<D>, point: [f32; D], limit: f32) -> u16 {
    level.run(BoxesNear { sides, point, limit })
}

struct BoxesNear<'a, const D: usize> {
    sides: &'a Sides<D>,
    point: [f32; D],
    limit: f32,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize> Kernel for BoxesNear<'_, D> {
    type Output = u16;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u16 {
        let zero = lanes.splat(0.0);
        let mut sum = zero;
        for ([low, high], &x) in self.sides.iter().zip(&self.point) {
            let x = lanes.splat(x);
            let outside = lanes.max(lanes.load(low) - x, x - lanes.load(high));
            let outside = lanes.max(outside, zero);
            sum = sum + outside * outside;
        }
        lanes.below(sum, lanes.splat(self.limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Aabb;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_levels_agree_with_the_distance_of_each_box(
            corners in prop::collection::vec([-9.0..9.0_f32, -9.0..9.0_f32, -9.0..9.0_f32, -9.0..9.0_f32], 0..16),
            point in [-9.0..9.0_f32, -9.0..9.0_f32],
            limit in prop_oneof![0.0..200.0_f32, Just(f32::INFINITY), Just(f32::NAN), Just(-1.0)],
        ) {
            let mut sides = [[[f32::INFINITY; 16], [f32::NEG_INFINITY; 16]]; 2];
            let mut expected = 0;
            for (lane, &[a, b, c, d]) in corners.iter().enumerate() {
                let bounds = Aabb { low: [a.min(b), c.min(d)], high: [a.max(b), c.max(d)] };
                for (axis, [low, high]) in sides.iter_mut().enumerate() {
                    (low[lane], high[lane]) = (bounds.low[axis], bounds.high[axis]);
                }
                expected |= u16::from(bounds.distance_squared(point) < limit) << lane;
            }
            for level in Level::available() {
                prop_assert_eq!(boxes_near(level, &sides, point, limit), expected, "{:?}", level);
            }
        }
    }
}
