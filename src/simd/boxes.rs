//! Boxes near a point.

use super::lanes::{LANES, Lanes, Plain};
use super::{Level, Set};

/// Sixteen boxes, column by column (m): their low and their high sides, axis by axis.
pub type Sides<const D: usize> = [[[f32; LANES]; 2]; D];

/// A bit for each of sixteen boxes whose squared distance to `point` is below `limit` (m²). The steps are those of
/// [`distance_squared`](crate::volume::distance_squared), so that it is never more than that of any point in the box.
///
/// ```
/// use throng::simd::{Level, boxes_near};
/// let mut sides = [[[f32::INFINITY; 16], [f32::NEG_INFINITY; 16]]; 2];
/// for axis in &mut sides {
///     (axis[0][3], axis[1][3]) = (3.0, 4.0);
///     (axis[0][5], axis[1][5]) = (4.0, 9.0);
/// }
/// assert_eq!(boxes_near(Level::detect(), &sides, [0.0, 0.0], 18.5), 1 << 3);
/// ```
#[inline]
pub fn boxes_near<const D: usize>(level: Level, sides: &Sides<D>, point: [f32; D], limit: f32) -> u16 {
    match level.0 {
        Set::Plain => run(Plain, sides, point, limit),
        // SAFETY: a level is only made from what `detect` saw.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        Set::Avx2 => unsafe { x86::boxes_256(sides, point, limit) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        Set::Avx512 => unsafe { x86::boxes_512(sides, point, limit) },
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the right to use instructions is made where they are switched on")]
mod x86 {
    use super::{Sides, run};
    use crate::simd::lanes::{Avx2, Avx512};

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub fn boxes_256<const D: usize>(sides: &Sides<D>, point: [f32; D], limit: f32) -> u16 {
        // SAFETY: this function has the instructions.
        run(unsafe { Avx2::new() }, sides, point, limit)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    pub fn boxes_512<const D: usize>(sides: &Sides<D>, point: [f32; D], limit: f32) -> u16 {
        // SAFETY: as above.
        run(unsafe { Avx512::new() }, sides, point, limit)
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
#[inline(always)]
fn run<L: Lanes, const D: usize>(lanes: L, sides: &Sides<D>, point: [f32; D], limit: f32) -> u16 {
    let zero = lanes.splat(0.0);
    let mut sum = zero;
    for ([low, high], &x) in sides.iter().zip(&point) {
        let x = lanes.splat(x);
        let outside = lanes.max(lanes.sub(lanes.load(low), x), lanes.sub(x, lanes.load(high)));
        let outside = lanes.max(outside, zero);
        sum = lanes.add(sum, lanes.mul(outside, outside));
    }
    lanes.below(sum, lanes.splat(limit))
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
                for axis in 0..2 {
                    (sides[axis][0][lane], sides[axis][1][lane]) = (bounds.low[axis], bounds.high[axis]);
                }
                expected |= u16::from(bounds.distance_squared(point) < limit) << lane;
            }
            for level in Level::available() {
                prop_assert_eq!(boxes_near(level, &sides, point, limit), expected, "{:?}", level);
            }
        }
    }
}
