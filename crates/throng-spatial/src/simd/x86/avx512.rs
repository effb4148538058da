//! The lanes of AVX-512.

use super::{Avx512, SWAP, two};
use crate::simd::findings::{place, sort_plain};
use crate::simd::lanes::{LANES, Lanes, NO_KEY, check_places, check_room, ranks_plain};
use crate::simd::plain::Plain;
#[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
use std::arch::x86_64::*;

/// Sixteen numbers; only made where there are the instructions.
#[derive(Clone, Copy)]
pub struct Wide(__m512);

operators! {
    Wide(a, b)
    Add add = _mm512_add_ps(a, b);
    Sub sub = _mm512_sub_ps(a, b);
    Mul mul = _mm512_mul_ps(a, b);
    Div div = _mm512_div_ps(a, b);
}

impl std::ops::Neg for Wide {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: there are numbers, hence the instructions.
        unsafe { Self(_mm512_xor_ps(self.0, _mm512_set1_ps(-0.0))) }
    }
}

impl Avx512 {
    /// The precondition of single loads: all places are in a column of so many.
    #[inline(always)]
    fn check_places(self, column: usize, at: &[u32; LANES]) {
        let places = self.load_keys(at);
        let end = u32::try_from(column).unwrap_or(u32::MAX);
        // SAFETY: below.
        let inside = unsafe { _mm512_cmplt_epu32_mask(places, _mm512_set1_epi32(end as i32)) };
        if inside != u16::MAX {
            check_places(end as usize, at);
        }
    }
}

/// SAFETY of all blocks below: where there is an `Avx512` there are its instructions; arrays are as long as the loaded
/// vector.
impl Lanes for Avx512 {
    type Numbers = Wide;
    type Mask = u16;
    type Keys = __m512i;

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_set1_ps(number)) }
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_loadu_ps(numbers.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
        let mut array = [0.0; LANES];
        // SAFETY: above.
        unsafe { _mm512_storeu_ps(array.as_mut_ptr(), numbers.0) };
        array
    }

    #[inline(always)]
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers) {
        // SAFETY: above.
        unsafe {
            let at: *const f32 = points.as_ptr().cast();
            let (a, b) = (_mm512_loadu_ps(at), _mm512_loadu_ps(at.add(16)));
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            (Wide(_mm512_permutex2var_ps(a, even, b)), Wide(_mm512_permutex2var_ps(a, odd, b)))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_sqrt_ps(a.0)) }
    }

    #[inline(always)]
    fn abs(self, a: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_abs_ps(a.0)) }
    }

    #[inline(always)]
    fn less(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
        // SAFETY: above.
        unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn at_most(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
        // SAFETY: above.
        unsafe { _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a.0, b.0) }
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> u16 {
        bits
    }

    #[inline(always)]
    fn bits(self, mask: u16) -> u16 {
        mask
    }

    #[inline(always)]
    fn select(self, mask: u16, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_mask_blend_ps(mask, b.0, a.0)) }
    }

    #[inline(always)]
    fn keys(self, mask: u16, numbers: Self::Numbers, name: u8) -> Self::Keys {
        // SAFETY: above.
        unsafe {
            let name = _mm512_set1_epi32(i32::from(name));
            // Where the first has a bit, that of the second, else that of the third.
            let keys = _mm512_ternarylogic_epi32::<0xCA>(_mm512_set1_epi32(0xFF), name, _mm512_castps_si512(numbers.0));
            _mm512_mask_blend_epi32(mask, _mm512_set1_epi32(NO_KEY.cast_signed()), keys)
        }
    }

    #[inline(always)]
    fn load_keys(self, keys: &[u32; LANES]) -> Self::Keys {
        // SAFETY: above.
        unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_keys(self, keys: Self::Keys) -> [u32; LANES] {
        let mut array = [0; LANES];
        // SAFETY: above.
        unsafe { _mm512_storeu_si512(array.as_mut_ptr().cast(), keys) };
        array
    }

    #[inline(always)]
    fn order(self, a: Self::Keys, b: Self::Keys) -> (Self::Keys, Self::Keys) {
        // SAFETY: above.
        unsafe { (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b)) }
    }

    #[inline(always)]
    fn alike(self, a: Self::Keys, b: Self::Keys) -> u16 {
        // SAFETY: above.
        unsafe { _mm512_cmplt_epu32_mask(_mm512_xor_si512(a, b), _mm512_set1_epi32(256)) }
    }

    /// Eight ranks at a time, the last ones once more where `k` is no multiple. Pairs of vectors, which hold four lists, are
    /// sorted into ranks of four; then quarters of vectors.
    #[inline(always)]
    fn ranks(self, lists: &[u32], k: usize, ranks: &mut [[u32; LANES]]) {
        if k < 8 {
            return ranks_plain(lists, k, ranks);
        }
        let (lists, ranks) = (&lists[..LANES * k], &mut ranks[..k]);
        let mut done = 0;
        while done < k {
            let next = done.min(k - 8);
            // SAFETY: above; the eight ranks from `next` on are in each list and in `ranks`.
            unsafe {
                let at: *const i32 = lists.as_ptr().add(next).cast();
                // Two lists a vector.
                macro_rules! two {
                    ($i:expr) => {{
                        let low = _mm256_loadu_si256(at.add(2 * $i * k).cast());
                        let high = _mm256_loadu_si256(at.add((2 * $i + 1) * k).cast());
                        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
                    }};
                }
                let lists = [two!(0), two!(1), two!(2), two!(3), two!(4), two!(5), two!(6), two!(7)];
                let first = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
                for half in 0..2 {
                    let order = _mm512_add_epi32(first, _mm512_set1_epi32(4 * half));
                    let a = _mm512_permutex2var_epi32(lists[0], order, lists[1]);
                    let b = _mm512_permutex2var_epi32(lists[2], order, lists[3]);
                    let c = _mm512_permutex2var_epi32(lists[4], order, lists[5]);
                    let d = _mm512_permutex2var_epi32(lists[6], order, lists[7]);
                    let (low_ab, high_ab) = (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xEE>(a, b));
                    let (low_cd, high_cd) = (_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xEE>(c, d));
                    let to: *mut i32 = ranks.as_mut_ptr().add(next + 4 * half as usize).cast();
                    _mm512_storeu_si512(to.cast(), _mm512_shuffle_i32x4::<0x88>(low_ab, low_cd));
                    _mm512_storeu_si512(to.add(16).cast(), _mm512_shuffle_i32x4::<0xDD>(low_ab, low_cd));
                    _mm512_storeu_si512(to.add(32).cast(), _mm512_shuffle_i32x4::<0x88>(high_ab, high_cd));
                    _mm512_storeu_si512(to.add(48).cast(), _mm512_shuffle_i32x4::<0xDD>(high_ab, high_cd));
                }
            }
            done = next + 8;
        }
    }

    #[inline(always)]
    fn gather(self, column: &[f32], at: &[u32; LANES]) -> Self::Numbers {
        self.load(&Plain.store(Plain.gather(column, at)))
    }

    /// Single loads: the instruction that gathers is slower on many machines.
    #[inline(always)]
    fn gather_points(self, column: &[[f32; 2]], at: &[u32; LANES]) -> (Self::Numbers, Self::Numbers) {
        self.check_places(column.len(), at);
        // SAFETY: above; the places are in the column.
        unsafe {
            let a = _mm256_set_m128d(two(column, at, 2), two(column, at, 0));
            let b = _mm256_set_m128d(two(column, at, 6), two(column, at, 4));
            let c = _mm256_set_m128d(two(column, at, 10), two(column, at, 8));
            let d = _mm256_set_m128d(two(column, at, 14), two(column, at, 12));
            let a = _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b));
            let c = _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(c), d));
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            (Wide(_mm512_permutex2var_ps(a, even, c)), Wide(_mm512_permutex2var_ps(a, odd, c)))
        }
    }

    #[inline(always)]
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_min_ps(a.0, b.0)) }
    }

    #[inline(always)]
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Wide(_mm512_max_ps(a.0, b.0)) }
    }

    #[inline(always)]
    fn whole(self, numbers: Self::Numbers) -> [u32; LANES] {
        let mut array = [0; LANES];
        // SAFETY: above.
        unsafe { _mm512_storeu_si512(array.as_mut_ptr().cast(), _mm512_cvttps_epi32(numbers.0)) };
        array
    }

    #[inline(always)]
    fn squeeze(
        self,
        mask: u16,
        numbers: Self::Numbers,
        names: &[u32; LANES],
        to: &mut [f32; LANES],
        named: &mut [u32; LANES],
    ) -> usize {
        // SAFETY: above.
        unsafe {
            let names = _mm512_loadu_si512(names.as_ptr().cast());
            _mm512_storeu_ps(to.as_mut_ptr(), _mm512_maskz_compress_ps(mask, numbers.0));
            _mm512_storeu_si512(named.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask, names));
        }
        mask.count_ones() as usize
    }

    #[inline(always)]
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
        // SAFETY: above.
        unsafe {
            let row = _mm512_mullo_epi32(_mm512_cvttps_epi32(row.0), _mm512_set1_epi32(pitch as i32));
            let cell = _mm512_add_epi32(row, _mm512_cvttps_epi32(column.0));
            _mm512_storeu_si512(cells.as_mut_ptr().cast(), _mm512_add_epi32(cell, _mm512_set1_epi32(1)));
        }
    }

    #[inline(always)]
    fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        // SAFETY: above.
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            let b = _mm512_loadu_si512(b.as_ptr().cast());
            let (less, more) = (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b));
            _mm512_storeu_si512(low.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(hits, less));
            _mm512_storeu_si512(high.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(hits, more));
        }
    }

    #[inline(always)]
    fn pairs_with(self, hits: u16, a: &[u32; LANES], b: u32, low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        // SAFETY: above.
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            let b = _mm512_set1_epi32(b as i32);
            let a = _mm512_maskz_compress_epi32(hits, a);
            _mm512_storeu_si512(low.as_mut_ptr().cast(), _mm512_min_epu32(a, b));
            _mm512_storeu_si512(high.as_mut_ptr().cast(), _mm512_max_epu32(a, b));
        }
    }

    /// Eight points at a time: a pair of coordinates becomes one 64-bit finding, and the hits are squeezed together.
    #[inline(always)]
    fn nearer(
        self,
        points: &[[f32; 2]],
        names: &[u32],
        centre: [f32; 2],
        squared: f32,
        found: &mut [u64],
        mut count: usize,
    ) -> usize {
        check_room(points, names, found, count);
        // SAFETY: above. Lanes beyond the last point are masked, so they are not read; at most as many findings as points
        // seen are counted, and there is room for eight after every one.
        unsafe {
            let (x, y) = (centre[0], centre[1]);
            let centre = _mm512_setr_ps(x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y);
            let limit = _mm512_set1_ps(squared);
            let mut done = 0;
            while done < points.len() {
                let left = (points.len() - done).min(8);
                let lanes = ((1_u32 << (2 * left)) - 1) as u16;
                let pairs = _mm512_maskz_loadu_ps(lanes, points.as_ptr().add(done).cast());
                let name = _mm256_maskz_loadu_epi32(((1_u32 << left) - 1) as u8, names.as_ptr().add(done).cast());
                let difference = _mm512_sub_ps(pairs, centre);
                let square = _mm512_mul_ps(difference, difference);
                // Both numbers of a pair hold the sum; the lower one makes room for the name.
                let distance = _mm512_add_ps(square, _mm512_permute_ps::<SWAP>(square));
                let near = _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(lanes & 0xAAAA, distance, limit);
                let name = _mm512_cvtepu32_epi64(name);
                let finding = _mm512_mask_blend_epi32(0x5555, _mm512_castps_si512(distance), name);
                let squeezed = _mm512_maskz_compress_epi32(near | near >> 1, finding);
                _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), squeezed);
                count += near.count_ones() as usize;
                done += 8;
            }
        }
        count
    }

    #[inline(always)]
    fn sort(self, findings: &mut [u64]) -> bool {
        let n = findings.len();
        if !(2..=2 * LANES).contains(&n) {
            return sort_plain(findings);
        }
        let (mut number, mut upper, mut rank) = ([0; 2 * LANES], [0_i32; 2 * LANES], [0_i32; 2 * LANES]);
        number[..n].copy_from_slice(findings);
        // SAFETY: above.
        let sum = unsafe {
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            let one = _mm512_set1_epi32(1);
            let at: *const i32 = number.as_ptr().cast();
            let half = |i: usize| _mm512_loadu_si512(at.add(16 * i).cast());
            let a = _mm512_permutex2var_epi32(half(0), odd, half(1));
            _mm512_storeu_si512(upper.as_mut_ptr().cast(), a);
            let mut sum_a = _mm512_setzero_si512();
            let few = ((1_u64 << n) - 1) as u32;
            if n <= LANES {
                for &other in &upper[..n] {
                    let more = _mm512_cmpgt_epi32_mask(a, _mm512_set1_epi32(other));
                    sum_a = _mm512_mask_add_epi32(sum_a, more, sum_a, one);
                }
                _mm512_storeu_si512(rank.as_mut_ptr().cast(), sum_a);
                _mm512_mask_reduce_add_epi32(few as u16, sum_a)
            } else {
                let b = _mm512_permutex2var_epi32(half(2), odd, half(3));
                _mm512_storeu_si512(upper.as_mut_ptr().add(16).cast(), b);
                let mut sum_b = _mm512_setzero_si512();
                for &other in &upper[..n] {
                    let other = _mm512_set1_epi32(other);
                    sum_a = _mm512_mask_add_epi32(sum_a, _mm512_cmpgt_epi32_mask(a, other), sum_a, one);
                    sum_b = _mm512_mask_add_epi32(sum_b, _mm512_cmpgt_epi32_mask(b, other), sum_b, one);
                }
                _mm512_storeu_si512(rank.as_mut_ptr().cast(), sum_a);
                _mm512_storeu_si512(rank.as_mut_ptr().add(16).cast(), sum_b);
                _mm512_reduce_add_epi32(sum_a) + _mm512_mask_reduce_add_epi32((few >> 16) as u16, sum_b)
            }
        };
        place(findings, &number, &rank, sum)
    }
}
