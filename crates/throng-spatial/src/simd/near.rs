//! Points near a place, and their order: [`Lanes::nearer`] and [`Lanes::sort`] as functions.

use super::{Kernel, Lanes, Level};

/// The names of points without names.
const COUNTING: [u32; 64] = {
    let mut names = [0; 64];
    let mut name = 0;
    while name < 64 {
        names[name] = name as u32;
        name += 1;
    }
    names
};

/// As [`Lanes::nearer`], for few points: the name of each is `first` plus its index.
///
/// # Panics
/// Where `found` has no room for all points and [`SLACK`](super::SLACK) more.
///
/// ```
/// use throng_spatial::simd::{Level, SLACK, nearer};
/// let mut found = [0; 2 + SLACK];
/// let points = [[9.0, 9.0], [3.0, 4.0]];
/// let count = nearer(Level::detect(), &points, 100, [0.0, 0.0], 30.0, &mut found, 0);
/// assert_eq!(found[..count], [u64::from(25_f32.to_bits()) << 32 | 101]);
/// ```
#[inline]
pub fn nearer(
    level: Level,
    points: &[[f32; 2]],
    first: u32,
    centre: [f32; 2],
    squared: f32,
    found: &mut [u64],
    count: usize,
) -> usize {
    level.run(Nearer { points, first, centre, squared, found, count })
}

struct Nearer<'a> {
    points: &'a [[f32; 2]],
    first: u32,
    centre: [f32; 2],
    squared: f32,
    found: &'a mut [u64],
    count: usize,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for Nearer<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { points, mut first, centre, squared, found, mut count } = self;
        for points in points.chunks(COUNTING.len()) {
            let before = count;
            count = lanes.nearer(points, &COUNTING[..points.len()], centre, squared, found, count);
            for finding in &mut found[before..count] {
                *finding += u64::from(first);
            }
            first += points.len() as u32;
        }
        count
    }
}

/// Sorts findings of [`nearer`], which are all different.
///
/// ```
/// use throng_spatial::simd::{Level, sort};
/// let mut findings = [30, 10, 20];
/// sort(Level::detect(), &mut findings);
/// assert_eq!(findings, [10, 20, 30]);
/// ```
#[inline]
pub fn sort(level: Level, findings: &mut [u64]) {
    level.run(Sort(findings));
}

struct Sort<'a>(&'a mut [u64]);

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for Sort<'_> {
    /// Whether two are equally far.
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        lanes.sort(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, nearer};
    use crate::simd::findings::nearer_plain;
    use crate::simd::{Level, SLACK, coordinate};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_levels_give_the_same_bits(
            points in prop::collection::vec([coordinate(), coordinate()], 0..90),
            centre in [coordinate(), coordinate()],
            squared in prop_oneof![0.0..500.0_f32, Just(f32::INFINITY), Just(f32::NAN), Just(-1.0)],
        ) {
            let names: Vec<u32> = (1000..1000 + points.len() as u32).collect();
            let mut expected = vec![0; points.len() + 3 + SLACK];
            let count = nearer_plain(&points, &names, centre, squared, &mut expected, 3);
            for level in Level::available() {
                let mut found = vec![0; points.len() + 3 + SLACK];
                prop_assert_eq!(nearer(level, &points, 1000, centre, squared, &mut found, 3), count);
                prop_assert_eq!(&found[3..count], &expected[3..count], "{:?}", level);
            }
        }
    }

    proptest! {
        #[test]
        fn all_levels_sort(mut findings in prop::collection::vec(0..u64::MAX / 2, 0..70)) {
            findings.sort_unstable();
            findings.dedup();
            let expected = findings.clone();
            for level in Level::available() {
                for turn in 0..findings.len() {
                    let mut shuffled = findings.clone();
                    shuffled.rotate_left(turn);
                    shuffled[turn / 2..].reverse();
                    prop_assert!(!level.run(Sort(&mut shuffled)));
                    prop_assert_eq!(&shuffled, &expected, "{:?}", level);
                }
            }
        }

        #[test]
        fn all_levels_sort_those_equally_far(mut findings in prop::collection::vec((0..9_u64, 0..5_u64), 0..40)) {
            findings.dedup();
            let findings: Vec<u64> = findings.into_iter().map(|(upper, lower)| upper << 32 | lower).collect();
            let mut expected = findings.clone();
            expected.sort_unstable();
            let ties = expected.windows(2).any(|pair| pair[0] >> 32 == pair[1] >> 32);
            for level in Level::available() {
                let mut sorted = findings.clone();
                prop_assert_eq!(level.run(Sort(&mut sorted)), ties, "{:?}", level);
                prop_assert_eq!(&sorted, &expected, "{:?}", level);
            }
        }
    }

    #[test]
    #[should_panic(expected = "no room for 2 findings")]
    fn room_is_checked() {
        nearer(Level::detect(), &[[0.0; 2]; 2], 0, [0.0; 2], 1.0, &mut [0; SLACK + 1], 0);
    }
}
