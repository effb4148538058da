//! Which discs of runs overlap.

use super::level::{Level, Set};
use std::ops::ControlFlow;

/// Has an item of a column fetched into the cache, if there is one. Changes nothing but how soon it can be read.
///
/// ```
/// let column = [1, 2, 3];
/// throng_spatial::simd::prefetch(&column, 2);
/// // Beyond the end there is nothing to fetch, and nothing happens.
/// throng_spatial::simd::prefetch(&column, 99);
/// ```
#[inline]
pub fn prefetch<T>(column: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = column.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all machines of this kind have the instruction, and it never faults.
        #[expect(unsafe_code, reason = "the hint takes a pointer")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (column, index);
}

/// Discs in columns, for [`overlapping`].
#[derive(Clone, Copy, Debug, Default)]
pub struct DiscColumns<'a> {
    /// Centres (m).
    pub centre: &'a [[f32; 2]],
    /// Radii (m).
    pub radius: &'a [f32],
    /// Two discs whose marks have a bit in common are not tested. Empty where none is marked.
    pub mark: &'a [u8],
    /// The names of the discs in findings. Empty where they are named by their index.
    pub row: &'a [u32],
    /// Their lower edges along an axis, in order within a run, and their upper ones: a run ends with the first disc that
    /// begins beyond the end of the one tested. Empty where runs are tested whole.
    pub low: &'a [f32],
    /// See `low`.
    pub high: &'a [f32],
}

/// Tests one disc against a run of others, and that many times: `[a, first, end]` stands for disc a against those from
/// first to before end. Calls `visit` with the rows of each pair that overlaps, the smaller one first, in the order of
/// the tests, and counts the tests.
///
/// Vectors are read whole: discs near the end of the columns are tested one by one.
///
/// # Panics
/// Where columns are not equally long, or a run goes beyond them.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_spatial::simd::{DiscColumns, Level, overlapping};
/// let discs = DiscColumns { centre: &[[0.0, 0.0], [9.0, 0.0], [1.5, 0.0]], radius: &[1.0; 3], ..DiscColumns::default() };
/// let (mut tests, mut pairs) = (0, Vec::new());
/// let _ = overlapping(Level::detect(), &discs, &[[0, 1, 3], [1, 2, 3]], &mut tests, &mut |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!((tests, pairs), (3, vec![(0, 2)]));
/// ```
pub fn overlapping(
    level: Level,
    discs: &DiscColumns<'_>,
    runs: &[[u32; 3]],
    tests: &mut u64,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let n = discs.centre.len();
    let optional = [discs.mark.len(), discs.row.len(), discs.low.len(), discs.high.len()];
    assert!(discs.radius.len() == n && optional.iter().all(|&len| len == 0 || len == n), "columns differ in length");
    assert!(discs.low.len() == discs.high.len(), "columns differ in length");
    assert!(runs.iter().all(|&[a, _, end]| (a as usize) < n && end as usize <= n), "a run beyond {n} discs");
    let mut hits = Hits { lesser: [0; BUFFERED_HITS + 16], greater: [0; BUFFERED_HITS + 16], count: 0 };
    let mut at = Stop { run: 0, from: 0 };
    while at.run < runs.len() {
        hits.count = 0;
        at = match level.0 {
            Set::Plain => overlapping_plain(discs, runs, at, &mut hits, tests),
            // SAFETY: a level is only made from what `detect` saw; columns and runs are checked.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
            Set::Avx2 => unsafe { x86_discs::overlapping_256(discs, runs, at, &mut hits, tests) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
            Set::Avx512 => unsafe {
                if discs.low.is_empty() {
                    x86_discs::overlapping_512::<false>(discs, runs, at, &mut hits, tests)
                } else {
                    x86_discs::overlapping_512::<true>(discs, runs, at, &mut hits, tests)
                }
            },
        };
        for (&i, &j) in hits.lesser.iter().zip(&hits.greater).take(hits.count) {
            visit(i, j)?;
        }
    }
    ControlFlow::Continue(())
}

/// Hits that are gathered before they are told.
const BUFFERED_HITS: usize = 512;

/// Pairs of rows, the smaller one first, and room for a vector more.
struct Hits {
    lesser: [u32; BUFFERED_HITS + 16],
    greater: [u32; BUFFERED_HITS + 16],
    count: usize,
}

/// Where the tests go on: in which run, and from where on in it, unless that is 0.
#[derive(Clone, Copy)]
struct Stop {
    run: usize,
    from: usize,
}

/// The portable version of [`overlapping`], until there are many hits or all is done.
fn overlapping_plain(discs: &DiscColumns<'_>, runs: &[[u32; 3]], at: Stop, hits: &mut Hits, tests: &mut u64) -> Stop {
    for (run, &[a, first, end]) in runs.iter().enumerate().skip(at.run) {
        let first = if run == at.run { at.from.max(first as usize) } else { first as usize };
        for b in first..end as usize {
            if !discs.test(a as usize, b, hits, tests) {
                break;
            }
            if hits.count >= BUFFERED_HITS {
                return Stop { run, from: b + 1 };
            }
        }
    }
    Stop { run: runs.len(), from: 0 }
}

impl DiscColumns<'_> {
    /// Tests a pair, if it is to be tested. False where the run ends here.
    #[inline]
    fn test(&self, a: usize, b: usize, hits: &mut Hits, tests: &mut u64) -> bool {
        if !self.low.is_empty() && self.low[b] > self.high[a] {
            return false;
        }
        if self.mark.is_empty() || self.mark[a] & self.mark[b] == 0 {
            *tests += 1;
            let ([x, y], [other_x, other_y]) = (self.centre[a], self.centre[b]);
            let (dx, dy, reach) = (x - other_x, y - other_y, self.radius[a] + self.radius[b]);
            if dx * dx + dy * dy < reach * reach {
                hits.push(self.name(a), self.name(b));
            }
        }
        true
    }

    #[inline]
    fn name(&self, a: usize) -> u32 {
        if self.row.is_empty() { a as u32 } else { self.row[a] }
    }
}

impl Hits {
    #[inline]
    fn push(&mut self, i: u32, j: u32) {
        self.lesser[self.count] = i.min(j);
        self.greater[self.count] = i.max(j);
        self.count += 1;
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "loads and stores of vectors go through pointers")]
mod x86_discs {
    use super::{BUFFERED_HITS, DiscColumns, Hits, Stop};
    #[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
    use std::arch::x86_64::*;

    /// Sixteen discs at a time. `SORTED` where the columns of edges are there.
    ///
    /// # Safety
    /// Columns are equally long or empty, and no run goes beyond them.
    #[target_feature(enable = "avx512f,popcnt")]
    pub unsafe fn overlapping_512<const SORTED: bool>(
        discs: &DiscColumns<'_>,
        runs: &[[u32; 3]],
        at: Stop,
        found: &mut Hits,
        tests: &mut u64,
    ) -> Stop {
        const LANES: usize = 16;
        let n = discs.centre.len();
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
        let steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let (mut count, mut made, mut from) = (0, 0_u64, at.from);
        for (run, &[a, first, end]) in runs.iter().enumerate().skip(at.run) {
            let (a, mut b, end) = (a as usize, from.max(first as usize), end as usize);
            from = 0;
            // SAFETY: `a` is a disc, and as long as b + 16 <= n all of a vector of discs from b on are as well. There is room
            // for a vector of hits after `BUFFERED_HITS`, and `count` is below that.
            unsafe {
                let centre = *discs.centre.get_unchecked(a);
                let (x, y) = (_mm512_set1_ps(centre[0]), _mm512_set1_ps(centre[1]));
                let radius = _mm512_set1_ps(*discs.radius.get_unchecked(a));
                let mark = if discs.mark.is_empty() { 0 } else { *discs.mark.get_unchecked(a) };
                let high = _mm512_set1_ps(if SORTED { *discs.high.get_unchecked(a) } else { 0.0 });
                while b < end && b + LANES <= n {
                    let mut lanes = if end - b >= LANES { u16::MAX } else { ((1_u32 << (end - b)) - 1) as u16 };
                    if SORTED {
                        let low = _mm512_loadu_ps(discs.low.as_ptr().add(b));
                        lanes = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(lanes, low, high);
                    }
                    // Where runs end early, a vector that is not whole is the last.
                    let next = if lanes == u16::MAX { b + LANES } else { end };
                    if mark != 0 {
                        let marks = _mm_loadu_si128(discs.mark.as_ptr().add(b).cast());
                        let common = _mm_and_si128(marks, _mm_set1_epi8(mark as i8));
                        lanes &= _mm_movemask_epi8(_mm_cmpeq_epi8(common, _mm_setzero_si128())) as u16;
                    }
                    let one = _mm512_loadu_ps(discs.centre.as_ptr().add(b).cast());
                    let two = _mm512_loadu_ps(discs.centre.as_ptr().add(b + 8).cast());
                    let dx = _mm512_sub_ps(x, _mm512_permutex2var_ps(one, even, two));
                    let dy = _mm512_sub_ps(y, _mm512_permutex2var_ps(one, odd, two));
                    let squared = _mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy));
                    let reach = _mm512_add_ps(radius, _mm512_loadu_ps(discs.radius.as_ptr().add(b)));
                    let hits = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(lanes, squared, _mm512_mul_ps(reach, reach));
                    made += u64::from(lanes.count_ones());
                    // Rare where runs are tested whole, else a branch that would be mispredicted.
                    if SORTED || hits != 0 {
                        let (name, names) = if discs.row.is_empty() {
                            (a as u32, _mm512_add_epi32(_mm512_set1_epi32(b as i32), steps))
                        } else {
                            (*discs.row.get_unchecked(a), _mm512_loadu_si512(discs.row.as_ptr().add(b).cast()))
                        };
                        let (name, names) = (_mm512_set1_epi32(name as i32), _mm512_maskz_compress_epi32(hits, names));
                        let (lesser, greater) = (_mm512_min_epu32(name, names), _mm512_max_epu32(name, names));
                        _mm512_storeu_si512(found.lesser.as_mut_ptr().add(count).cast(), lesser);
                        _mm512_storeu_si512(found.greater.as_mut_ptr().add(count).cast(), greater);
                        count += hits.count_ones() as usize;
                    }
                    b = next;
                    if count >= BUFFERED_HITS {
                        found.count = count;
                        *tests += made;
                        return Stop { run, from: b };
                    }
                }
            }
            if b < end {
                // Fewer than a vector are left before the end of the columns.
                found.count = count;
                while b < end && discs.test(a, b, found, tests) {
                    b += 1;
                }
                count = found.count;
                if count >= BUFFERED_HITS {
                    *tests += made;
                    return Stop { run: run + 1, from: 0 };
                }
            }
        }
        found.count = count;
        *tests += made;
        Stop { run: runs.len(), from: 0 }
    }

    /// Eight discs at a time.
    ///
    /// # Safety
    /// Columns are equally long or empty, and no run goes beyond them.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn overlapping_256(
        discs: &DiscColumns<'_>,
        runs: &[[u32; 3]],
        at: Stop,
        found: &mut Hits,
        tests: &mut u64,
    ) -> Stop {
        const LANES: usize = 8;
        /// Numbers 0, 2, 1, 3 of four pairs.
        const TURN: i32 = 0b11_01_10_00;
        let n = discs.centre.len();
        let mut from = at.from;
        for (run, &[a, first, end]) in runs.iter().enumerate().skip(at.run) {
            let (a, mut b, end) = (a as usize, from.max(first as usize), end as usize);
            from = 0;
            let (centre, radius) = (discs.centre[a], _mm256_set1_ps(discs.radius[a]));
            let (x, y) = (_mm256_set1_ps(centre[0]), _mm256_set1_ps(centre[1]));
            let mark = discs.mark.get(a).copied().unwrap_or(0);
            let high = _mm256_set1_ps(discs.high.get(a).copied().unwrap_or(f32::INFINITY));
            while b < end && b + LANES <= n {
                let left = (end - b).min(LANES);
                let mut lanes = (1_u32 << left) - 1;
                // SAFETY: b + 8 <= n, so that all of a vector of discs from b on are in the columns that are not empty.
                let hits = unsafe {
                    if !discs.low.is_empty() {
                        let low = _mm256_loadu_ps(discs.low.as_ptr().add(b));
                        lanes &= _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(low, high)) as u32;
                    }
                    let one = _mm256_loadu_ps(discs.centre.as_ptr().add(b).cast());
                    let two = _mm256_loadu_ps(discs.centre.as_ptr().add(b + 4).cast());
                    let xs = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(one, two));
                    let ys = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(one, two));
                    let dx = _mm256_sub_ps(x, _mm256_castpd_ps(_mm256_permute4x64_pd::<TURN>(xs)));
                    let dy = _mm256_sub_ps(y, _mm256_castpd_ps(_mm256_permute4x64_pd::<TURN>(ys)));
                    let squared = _mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy));
                    let reach = _mm256_add_ps(radius, _mm256_loadu_ps(discs.radius.as_ptr().add(b)));
                    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(squared, _mm256_mul_ps(reach, reach))) as u32
                };
                let next = if lanes == 0xFF { b + LANES } else { end };
                if mark != 0 {
                    for lane in 0..left {
                        lanes &= !(u32::from(discs.mark[b + lane] & mark != 0) << lane);
                    }
                }
                *tests += u64::from(lanes.count_ones());
                let mut hits = hits & lanes;
                while hits != 0 {
                    found.push(discs.name(a), discs.name(b + hits.trailing_zeros() as usize));
                    hits &= hits - 1;
                }
                b = next;
                if found.count >= BUFFERED_HITS {
                    return Stop { run, from: b };
                }
            }
            // Fewer than a vector are left before the end of the columns.
            while b < end && discs.test(a, b, found, tests) {
                b += 1;
            }
            if found.count >= BUFFERED_HITS {
                return Stop { run: run + 1, from: 0 };
            }
        }
        Stop { run: runs.len(), from: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::coordinate;
    use proptest::prelude::*;

    #[test]
    fn more_hits_than_are_kept_at_a_time_are_told_once_each() {
        let (centre, radius) = ([[1.0, 2.0]; 1500], [0.5; 1500]);
        let discs = DiscColumns { centre: &centre, radius: &radius, ..DiscColumns::default() };
        for level in Level::available().into_iter().chain([Level(Set::Plain)]) {
            let (mut tests, mut pairs) = (0, Vec::new());
            let _ = overlapping(level, &discs, &[[0, 1, 1500], [7, 8, 1200]], &mut tests, &mut |i, j| {
                pairs.push((i, j));
                ControlFlow::Continue(())
            });
            let expected: Vec<_> = (1..1500).map(|j| (0, j)).chain((8..1200).map(|j| (7, j))).collect();
            assert_eq!((tests, pairs == expected), (2691, true), "{level:?}");
        }
    }

    proptest! {
        #[test]
        fn all_levels_find_the_same_pairs(
            discs in prop::collection::vec(([coordinate(), coordinate()], 0.0..6.0_f32, 0..4_u8), 1..70),
            runs in prop::collection::vec([0..70_u32, 0..70_u32, 0..71_u32], 0..30),
            marked in prop::bool::ANY,
            named in prop::bool::ANY,
            sorted in prop::bool::ANY,
        ) {
            let mut discs = discs;
            discs.sort_by(|a, b| (a.0[0] - a.1).total_cmp(&(b.0[0] - b.1)));
            let n = discs.len() as u32;
            let runs: Vec<[u32; 3]> = runs.into_iter().map(|[a, first, end]| [a % n, first % n, end % (n + 1)]).collect();
            let centre: Vec<_> = discs.iter().map(|disc| disc.0).collect();
            let radius: Vec<_> = discs.iter().map(|disc| disc.1).collect();
            let mark: Vec<_> = discs.iter().filter(|_| marked).map(|disc| disc.2).collect();
            let row: Vec<_> = (0..n).filter(|_| named).map(|i| i ^ 5).collect();
            let low: Vec<_> = discs.iter().filter(|_| sorted).map(|disc| disc.0[0] - disc.1).collect();
            let high: Vec<_> = discs.iter().filter(|_| sorted).map(|disc| disc.0[0] + disc.1).collect();
            let ordered = low.windows(2).all(|pair| pair[0] <= pair[1]);
            prop_assume!(ordered);
            let discs =
                DiscColumns { centre: &centre, radius: &radius, mark: &mark, row: &row, low: &low, high: &high };
            let find = |level| {
                let (mut tests, mut pairs) = (0, Vec::new());
                let _ = overlapping(level, &discs, &runs, &mut tests, &mut |i, j| {
                    pairs.push((i, j));
                    ControlFlow::Continue(())
                });
                (pairs, tests)
            };
            let expected = find(Level(Set::Plain));
            for level in Level::available() {
                prop_assert_eq!(&find(level), &expected, "{:?}", level);
                let mut calls = 0;
                let flow = overlapping(level, &discs, &runs, &mut 0, &mut |_, _| {
                    calls += 1;
                    ControlFlow::Break(())
                });
                prop_assert_eq!((calls, flow.is_break()), (expected.0.len().min(1), !expected.0.is_empty()));
            }
        }
    }
}
