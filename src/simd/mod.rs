//! Kernels that use the vector instructions of the machine at hand; the only room with `unsafe`.
//!
//! Each kernel exists once in plain Rust, which says what it computes, and once for each instruction set that makes it
//! faster. Which one runs is decided at run time ([`Level::detect`]). All give the same bits: no fused multiply-add,
//! no estimates.

mod cells;
mod lanes;
mod pairs;
mod prefetch;
mod range;
mod runs;

pub use cells::{CellGrid, cells};
pub use pairs::{CellRows, PADDING, PAIR_ROOM, PairCursor, pairs};
pub use prefetch::prefetch;
pub use range::ranges;
pub use runs::{Discs, overlapping};

/// An instruction set that the kernels know and this machine has.
///
/// ```
/// use throng::simd::Level;
/// assert!(Level::available().contains(&Level::detect()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Set);

/// Private, so that no one names a set that the machine lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best level of this machine. Cheap: the answer is remembered.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            if avx2 {
                return Self(if avx512 { Set::Avx512 } else { Set::Avx2 });
            }
        }
        Self(Set::Plain)
    }

    /// The levels of this machine, the plainest first.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let all = [Set::Plain, Set::Avx2, Set::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let all = [Set::Plain];
        all.into_iter().map(Self).filter(|&level| level <= Self::detect()).collect()
    }
}

/// Room that [`nearer`] needs in its output beyond one place a point.
pub const SLACK: usize = 8;

/// Finds the points that are nearer than a distance to `centre`, by squared distance (m²).
///
/// Appends to `found` at `count` and returns the new count. A finding holds the bits of the squared distance in its
/// upper half and `first` plus the index of the point in its lower half, so findings order by distance, then index.
/// Points with a coordinate that is no number are never found.
///
/// # Panics
/// Where `found` has no room for all points and [`SLACK`] more.
///
/// ```
/// use throng::simd::{Level, SLACK, nearer};
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
    assert!(found.len() >= count + points.len() + SLACK, "no room for {} findings", points.len());
    match level.0 {
        Set::Plain => nearer_plain(points, first, centre, squared, found, count),
        // SAFETY: a level is only made from what `detect` saw, and there is room for a vector after every finding.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        Set::Avx2 => unsafe { x86::nearer_256(points, first, centre, squared, found, count) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        Set::Avx512 => unsafe { x86::nearer_512(points, first, centre, squared, found, count) },
    }
}

/// What [`nearer`] computes.
#[inline]
fn nearer_plain(
    points: &[[f32; 2]],
    first: u32,
    centre: [f32; 2],
    squared: f32,
    found: &mut [u64],
    mut count: usize,
) -> usize {
    for (i, point) in points.iter().enumerate() {
        let (dx, dy) = (point[0] - centre[0], point[1] - centre[1]);
        let distance = dx * dx + dy * dy;
        // Always written, counted only where near enough: no branch to mispredict.
        found[count] = u64::from(distance.to_bits()) << 32 | u64::from(first + i as u32);
        count += usize::from(distance < squared);
    }
    count
}

/// Sorts findings of [`nearer`], which are all different.
///
/// Up to 32 are put straight to their places, which are the numbers of smaller ones: O(n²) comparisons, but no branch to
/// mispredict and a vector of them at a time. More are sorted as usual.
///
/// ```
/// use throng::simd::{Level, sort};
/// let mut findings = [30, 10, 20];
/// sort(Level::detect(), &mut findings);
/// assert_eq!(findings, [10, 20, 30]);
/// ```
#[inline]
pub fn sort(level: Level, findings: &mut [u64]) {
    match (level.0, findings.len()) {
        (_, 0..=1) => {}
        // SAFETY: a level is only made from what `detect` saw.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        (Set::Avx2, 2..=16) => unsafe { x86::sort_256::<16>(findings) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        (Set::Avx512, 2..=16) => unsafe { x86::sort_512::<16>(findings) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
        (Set::Avx512, 17..=32) => unsafe { x86::sort_512::<32>(findings) },
        _ => findings.sort_unstable(),
    }
}

/// Sorts up to `N` different numbers below 2⁶³ by rank.
#[cfg(any(target_arch = "x86_64", test))]
#[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
#[inline(always)]
fn sort_by_rank<const N: usize>(findings: &mut [u64]) {
    // Signed, since not every instruction set compares unsigned numbers.
    let mut number = [i64::MAX; N];
    for (number, &finding) in number.iter_mut().zip(&*findings) {
        *number = finding as i64;
    }
    let mut rank = [0_i64; N];
    for &other in &number[..findings.len().min(N)] {
        for (rank, &number) in rank.iter_mut().zip(&number) {
            *rank += i64::from(other < number);
        }
    }
    for (&number, &rank) in number.iter().zip(&rank).take(findings.len()) {
        findings[rank as usize] = number as u64;
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "loads and stores of vectors go through pointers")]
mod x86 {
    #[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
    use std::arch::x86_64::*;

    /// Swaps the two numbers of each pair.
    const SWAP: i32 = 0b10_11_00_01;

    /// Eight points at a time: a pair of coordinates becomes one 64-bit finding, and the hits are squeezed together.
    ///
    /// # Safety
    /// `found` has room for `count + points.len() + SLACK` findings.
    #[target_feature(enable = "avx512f,popcnt")]
    pub unsafe fn nearer_512(
        points: &[[f32; 2]],
        first: u32,
        centre: [f32; 2],
        squared: f32,
        found: &mut [u64],
        mut count: usize,
    ) -> usize {
        let (x, y) = (centre[0], centre[1]);
        let centre = _mm512_setr_ps(x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y);
        let limit = _mm512_set1_ps(squared);
        let mut index =
            _mm512_add_epi64(_mm512_set1_epi64(i64::from(first)), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
        let mut done = 0;
        while done < points.len() {
            let left = (points.len() - done).min(8);
            let lanes = ((1_u32 << (2 * left)) - 1) as u16;
            // SAFETY: lanes beyond the last point are masked, so they are not read.
            let pairs = unsafe { _mm512_maskz_loadu_ps(lanes, points.as_ptr().add(done).cast()) };
            let difference = _mm512_sub_ps(pairs, centre);
            let square = _mm512_mul_ps(difference, difference);
            // Both numbers of a pair hold the sum; the lower one makes room for the index.
            let distance = _mm512_add_ps(square, _mm512_permute_ps::<SWAP>(square));
            let near = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(lanes & 0xAAAA, distance, limit);
            let finding = _mm512_mask_blend_epi32(0x5555, _mm512_castps_si512(distance), index);
            let squeezed = _mm512_maskz_compress_epi32(near | near >> 1, finding);
            // SAFETY: at most `done` findings were counted so far, and there is room for eight after every one.
            unsafe { _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), squeezed) };
            count += near.count_ones() as usize;
            index = _mm512_add_epi64(index, _mm512_set1_epi64(8));
            done += 8;
        }
        count
    }

    /// The plain code, compiled for wider vectors.
    #[target_feature(enable = "avx512f")]
    pub fn sort_512<const N: usize>(findings: &mut [u64]) {
        super::sort_by_rank::<N>(findings);
    }

    /// The plain code, compiled for wider vectors.
    #[target_feature(enable = "avx2")]
    pub fn sort_256<const N: usize>(findings: &mut [u64]) {
        super::sort_by_rank::<N>(findings);
    }

    /// For each set of four hits: the order of 32-bit lanes that brings them to the front.
    const FRONT: [[i32; 8]; 16] = {
        let mut table = [[0; 8]; 16];
        let mut hits = 0;
        while hits < 16 {
            let (mut lane, mut to) = (0, 0);
            while lane < 4 {
                if hits >> lane & 1 == 1 {
                    table[hits][2 * to] = 2 * lane;
                    table[hits][2 * to + 1] = 2 * lane + 1;
                    to += 1;
                }
                lane += 1;
            }
            hits += 1;
        }
        table
    };

    /// Four points at a time.
    ///
    /// # Safety
    /// `found` has room for `count + points.len() + SLACK` findings.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn nearer_256(
        points: &[[f32; 2]],
        first: u32,
        centre: [f32; 2],
        squared: f32,
        found: &mut [u64],
        mut count: usize,
    ) -> usize {
        let (x, y) = (centre[0], centre[1]);
        let middle = _mm256_setr_ps(x, y, x, y, x, y, x, y);
        let limit = _mm256_set1_ps(squared);
        let mut index = _mm256_add_epi64(_mm256_set1_epi64x(i64::from(first)), _mm256_setr_epi64x(0, 1, 2, 3));
        let (whole, rest) = points.as_chunks::<4>();
        for four in whole {
            // SAFETY: four points are eight numbers.
            let pairs = unsafe { _mm256_loadu_ps(four.as_ptr().cast()) };
            let difference = _mm256_sub_ps(pairs, middle);
            let square = _mm256_mul_ps(difference, difference);
            let distance = _mm256_add_ps(square, _mm256_permute_ps::<SWAP>(square));
            let near = _mm256_cmp_ps::<_CMP_LT_OQ>(distance, limit);
            let hits = _mm256_movemask_pd(_mm256_castps_pd(near)) as usize;
            let finding = _mm256_blend_epi32::<0x55>(_mm256_castps_si256(distance), index);
            // SAFETY: a row of the table is eight numbers; the store as in `nearer_512`.
            unsafe {
                let order = _mm256_loadu_si256(FRONT[hits].as_ptr().cast());
                let squeezed = _mm256_permutevar8x32_epi32(finding, order);
                _mm256_storeu_si256(found.as_mut_ptr().add(count).cast(), squeezed);
            }
            count += hits.count_ones() as usize;
            index = _mm256_add_epi64(index, _mm256_set1_epi64x(4));
        }
        let first = first + 4 * whole.len() as u32;
        super::nearer_plain(rest, first, centre, squared, found, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => -20.0..20.0_f32,
            2 => (-4..4_i8).prop_map(f32::from),
            1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -0.0, 1e-30]),
        ]
    }

    proptest! {
        #[test]
        fn all_levels_give_the_same_bits(
            points in prop::collection::vec([coordinate(), coordinate()], 0..40),
            centre in [coordinate(), coordinate()],
            squared in prop_oneof![0.0..500.0_f32, Just(f32::INFINITY), Just(f32::NAN), Just(-1.0)],
            first in 0..1000_u32,
        ) {
            let mut expected = vec![0; points.len() + 3 + SLACK];
            let count = nearer_plain(&points, first, centre, squared, &mut expected, 3);
            for level in Level::available() {
                let mut found = vec![0; points.len() + 3 + SLACK];
                prop_assert_eq!(nearer(level, &points, first, centre, squared, &mut found, 3), count);
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
                    sort(level, &mut shuffled);
                    prop_assert_eq!(&shuffled, &expected, "{:?}", level);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "no room for 2 findings")]
    fn room_is_checked() {
        nearer(Level::detect(), &[[0.0; 2]; 2], 0, [0.0; 2], 1.0, &mut [0; SLACK + 1], 0);
    }
}
