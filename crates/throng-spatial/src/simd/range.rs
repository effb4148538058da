//! The least and the greatest of many numbers.

use super::{Kernel, LANES, Lanes, Level};

/// The least and the greatest number at even places and the same at odd places, or `None` where a number is NaN,
/// infinite or not within `-far..=far`. Where there are no numbers at even or at odd places, their least one is above their greatest one.
///
/// ```
/// use throng_spatial::simd::{Level, ranges};
/// assert_eq!(ranges(Level::detect(), &[3.0, 0.5, -2.0, 0.25], 1e18), Some([[-2.0, 3.0], [0.25, 0.5]]));
/// assert_eq!(ranges(Level::detect(), &[3.0, f32::NAN], 1e18), None);
/// ```
pub fn ranges(level: Level, numbers: &[f32], far: f32) -> Option<[[f32; 2]; 2]> {
    level.run(Ranges { numbers, far })
}

struct Ranges<'a> {
    numbers: &'a [f32],
    far: f32,
}

impl Kernel for Ranges<'_> {
    type Output = Option<[[f32; 2]; 2]>;

    #[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<[[f32; 2]; 2]> {
        let Self { numbers, far } = self;
        let far = far.min(f32::MAX);
        let (mut low, mut high) = (lanes.splat(f32::INFINITY), lanes.splat(f32::NEG_INFINITY));
        // Not NaN, since min and max are free to drop one: counted apart.
        let mut numbers_seen = u16::MAX;
        let (whole, rest) = numbers.as_chunks::<LANES>();
        for batch in whole {
            let batch = lanes.load(batch);
            numbers_seen &= lanes.below(batch, lanes.splat(f32::INFINITY));
            low = lanes.min(low, batch);
            high = lanes.max(high, batch);
        }
        let (low, high) = (lanes.store(low), lanes.store(high));
        let mut ranges = [[f32::INFINITY, f32::NEG_INFINITY]; 2];
        for lane in 0..LANES {
            let range = &mut ranges[lane % 2];
            *range = [range[0].min(low[lane]), range[1].max(high[lane])];
        }
        for (place, &number) in rest.iter().enumerate() {
            if !number.is_finite() {
                return None;
            }
            let range = &mut ranges[place % 2];
            *range = [range[0].min(number), range[1].max(number)];
        }
        let fits = ranges.iter().all(|range| range[0] > range[1] || (range[0] >= -far && range[1] <= far));
        (fits && numbers_seen == u16::MAX).then_some(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_levels_see_every_number(
            numbers in prop::collection::vec(-9.0..9.0_f32, 0..70),
            odd in prop::option::of((0..70_usize, prop::sample::select(
                vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -20.0, 20.0_f32.next_up(), -0.0],
            ))),
            far in prop::sample::select(vec![20.0, f32::MAX, f32::INFINITY]),
        ) {
            let mut numbers = numbers;
            if let Some((place, number)) = odd
                && let Some(there) = numbers.get_mut(place)
            {
                *there = number;
            }
            let fits = numbers.iter().all(|x| x.is_finite() && x.abs() <= far);
            let range = |parity: usize| {
                let numbers = numbers.iter().skip(parity).step_by(2);
                numbers.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &x| [low.min(x), high.max(x)])
            };
            for level in Level::available() {
                prop_assert_eq!(ranges(level, &numbers, far), fits.then(|| [range(0), range(1)]), "{:?}", level);
            }
        }
    }
}
