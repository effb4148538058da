//! Kernels that use the vector instructions of the machine at hand; the only room with `unsafe`.
//!
//! Each kernel exists once in plain Rust, which says what it computes, and once for each instruction set that makes it
//! faster. Which one runs is decided at run time ([`Level::detect`]). All give the same bits: no fused multiply-add,
//! no estimates.

mod cells;
mod lanes;
mod near;
mod pairs;
mod range;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use cells::{CellGrid, cells};
pub use lanes::{Kernel, LANES, Lanes};
pub use near::{SLACK, nearer, sort};
pub use pairs::{CellRows, PADDING, PAIR_ROOM, PairCursor, pairs};
pub use range::ranges;
use std::ops::ControlFlow;

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
<<<<<<< HEAD

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

/// Has an item of a column fetched into the cache, if there is one. Changes nothing but how soon it can be read.
///
/// ```
/// throng::simd::prefetch(&[1, 2, 3], 2);
/// throng::simd::prefetch(&[1, 2, 3], 99);
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
///
/// ```
/// use throng::simd::Discs;
/// let discs = Discs { centre: &[[0.0, 0.0]], radius: &[1.0], ..Discs::default() };
/// assert_eq!(discs.mark.len(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Discs<'a> {
    /// Centres (m).
    pub centre: &'a [[f32; 2]],
    /// Radii (m).
    pub radius: &'a [f32],
    /// Two discs whose marks have a bit in common are not tested. Empty where none is marked.
    pub mark: &'a [u8],
    /// What the discs are called in findings. Empty where it is by their index.
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
/// use throng::simd::{Discs, Level, overlapping};
/// let discs = Discs { centre: &[[0.0, 0.0], [9.0, 0.0], [1.5, 0.0]], radius: &[1.0; 3], ..Discs::default() };
/// let (mut tests, mut pairs) = (0, Vec::new());
/// let _ = overlapping(Level::detect(), &discs, &[[0, 1, 3], [1, 2, 3]], &mut tests, &mut |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// assert_eq!((tests, pairs), (3, vec![(0, 2)]));
/// ```
pub fn overlapping(
    level: Level,
    discs: &Discs<'_>,
    runs: &[[u32; 3]],
    tests: &mut u64,
    visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let n = discs.centre.len();
    let optional = [discs.mark.len(), discs.row.len(), discs.low.len(), discs.high.len()];
    assert!(discs.radius.len() == n && optional.iter().all(|&len| len == 0 || len == n), "columns differ in length");
    assert!(discs.low.len() == discs.high.len(), "columns differ in length");
    assert!(runs.iter().all(|&[a, _, end]| (a as usize) < n && end as usize <= n), "a run beyond {n} discs");
    let mut hits = Hits { lesser: [0; HITS + 16], greater: [0; HITS + 16], count: 0 };
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
const HITS: usize = 512;

/// Pairs of rows, the smaller one first, and room for a vector more.
struct Hits {
    lesser: [u32; HITS + 16],
    greater: [u32; HITS + 16],
    count: usize,
}

/// Where the tests go on: in which run, and from where on in it, unless that is 0.
#[derive(Clone, Copy)]
struct Stop {
    run: usize,
    from: usize,
}

/// What [`overlapping`] computes, until there are many hits or all is done.
fn overlapping_plain(discs: &Discs<'_>, runs: &[[u32; 3]], at: Stop, hits: &mut Hits, tests: &mut u64) -> Stop {
    for (run, &[a, first, end]) in runs.iter().enumerate().skip(at.run) {
        let first = if run == at.run { at.from.max(first as usize) } else { first as usize };
        for b in first..end as usize {
            if !discs.test(a as usize, b, hits, tests) {
                break;
            }
            if hits.count >= HITS {
                return Stop { run, from: b + 1 };
            }
        }
    }
    Stop { run: runs.len(), from: 0 }
}

impl Discs<'_> {
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
    use super::{Discs, HITS, Hits, Stop};
    #[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
    use std::arch::x86_64::*;

    /// Sixteen discs at a time. `SORTED` where the columns of edges are there.
    ///
    /// # Safety
    /// Columns are equally long or empty, and no run goes beyond them.
    #[target_feature(enable = "avx512f,popcnt")]
    pub unsafe fn overlapping_512<const SORTED: bool>(
        discs: &Discs<'_>,
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
        let (mut count, mut made, mut from) = (0, 0, at.from);
        for (run, &[a, first, end]) in runs.iter().enumerate().skip(at.run) {
            let (a, mut b, end) = (a as usize, from.max(first as usize), end as usize);
            from = 0;
            // SAFETY: `a` is a disc, and as long as b + 16 <= n all of a vector of discs from b on are as well. There is room
            // for a vector of hits after `HITS`, and `count` is below that.
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
                    made += lanes.count_ones();
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
                    if count >= HITS {
                        found.count = count;
                        *tests += u64::from(made);
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
                if count >= HITS {
                    *tests += u64::from(made);
                    return Stop { run: run + 1, from: 0 };
                }
            }
        }
        found.count = count;
        *tests += u64::from(made);
        Stop { run: runs.len(), from: 0 }
    }

    /// Eight discs at a time.
    ///
    /// # Safety
    /// Columns are equally long or empty, and no run goes beyond them.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn overlapping_256(
        discs: &Discs<'_>,
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
                if found.count >= HITS {
                    return Stop { run, from: b };
                }
            }
            // Fewer than a vector are left before the end of the columns.
            while b < end && discs.test(a, b, found, tests) {
                b += 1;
            }
            if found.count >= HITS {
                return Stop { run: run + 1, from: 0 };
            }
        }
        Stop { run: runs.len(), from: 0 }
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
                Discs { centre: &centre, radius: &radius, mark: &mark, row: &row, low: &low, high: &high };
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

    #[test]
    #[should_panic(expected = "no room for 2 findings")]
    fn room_is_checked() {
        nearer(Level::detect(), &[[0.0; 2]; 2], 0, [0.0; 2], 1.0, &mut [0; SLACK + 1], 0);
    }
}
=======
>>>>>>> grid
