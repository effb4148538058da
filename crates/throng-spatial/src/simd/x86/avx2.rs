//! The lanes of AVX2.

use super::{Avx2, SWAP, two};
use crate::simd::findings::{nearer_plain, place, sort_plain};
use crate::simd::lanes::{LANES, Lanes, NO_KEY, check_places, check_room};
use crate::simd::plain::Plain;
#[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
use std::arch::x86_64::*;

/// Sixteen numbers; only made where there are the instructions.
#[derive(Clone, Copy)]
pub struct Halves([__m256; 2]);

/// A choice of sixteen lanes: all bits of those chosen.
#[derive(Clone, Copy)]
pub struct Masks([__m256; 2]);

operators! {
    Halves(a, b)
    Add add = [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])];
    Sub sub = [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])];
    Mul mul = [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])];
    Div div = [_mm256_div_ps(a[0], b[0]), _mm256_div_ps(a[1], b[1])];
}

operators! {
    Masks(a, b)
    BitAnd bitand = [_mm256_and_ps(a[0], b[0]), _mm256_and_ps(a[1], b[1])];
    BitOr bitor = [_mm256_or_ps(a[0], b[0]), _mm256_or_ps(a[1], b[1])];
}

impl std::ops::Neg for Halves {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: there are numbers, hence the instructions.
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            Self([_mm256_xor_ps(self.0[0], sign), _mm256_xor_ps(self.0[1], sign)])
        }
    }
}

impl std::ops::Not for Masks {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: there is a mask, hence the instructions.
        unsafe {
            let all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            Self([_mm256_xor_ps(self.0[0], all), _mm256_xor_ps(self.0[1], all)])
        }
    }
}

impl Avx2 {
    /// The precondition of single loads: all places are in a column of so many.
    #[inline(always)]
    fn check_places(self, column: usize, at: &[u32; LANES]) {
        let places = self.load_keys(at);
        let end = u32::try_from(column).unwrap_or(u32::MAX);
        // SAFETY: below.
        let beyond = unsafe {
            let limit = _mm256_set1_epi32(end as i32);
            // Not less than the end: the greater of both is the place.
            let half = |half: usize| _mm256_cmpeq_epi32(_mm256_max_epu32(places[half], limit), places[half]);
            _mm256_movemask_epi8(_mm256_or_si256(half(0), half(1)))
        };
        if beyond != 0 {
            check_places(end as usize, at);
        }
    }
}

/// SAFETY of all blocks below: where there is an `Avx2` there are its instructions; arrays are as long as the loaded
/// vector.
impl Lanes for Avx2 {
    type Numbers = Halves;
    type Mask = Masks;
    type Keys = [__m256i; 2];

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_set1_ps(number); 2]) }
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers.as_ptr().add(8))]) }
    }

    #[inline(always)]
    fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
        let mut array = [0.0; LANES];
        // SAFETY: above.
        unsafe {
            _mm256_storeu_ps(array.as_mut_ptr(), numbers.0[0]);
            _mm256_storeu_ps(array.as_mut_ptr().add(8), numbers.0[1]);
        }
        array
    }

    #[inline(always)]
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers) {
        // SAFETY: above.
        unsafe {
            let at: *const f32 = points.as_ptr().cast();
            let half = |at: *const f32| {
                let (a, b) = (_mm256_loadu_ps(at), _mm256_loadu_ps(at.add(8)));
                // The shuffles work on halves; the permutation puts their quarters in order.
                let order = |v| _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(_mm256_castps_pd(v)));
                (order(_mm256_shuffle_ps::<0x88>(a, b)), order(_mm256_shuffle_ps::<0xDD>(a, b)))
            };
            let ((x0, y0), (x1, y1)) = (half(at), half(at.add(16)));
            (Halves([x0, x1]), Halves([y0, y1]))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_sqrt_ps(a.0[0]), _mm256_sqrt_ps(a.0[1])]) }
    }

    #[inline(always)]
    fn abs(self, a: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe {
            Halves([_mm256_andnot_ps(_mm256_set1_ps(-0.0), a.0[0]), _mm256_andnot_ps(_mm256_set1_ps(-0.0), a.0[1])])
        }
    }

    #[inline(always)]
    fn less(self, a: Self::Numbers, b: Self::Numbers) -> Self::Mask {
        // SAFETY: above.
        unsafe { Masks([_mm256_cmp_ps::<_CMP_LT_OQ>(a.0[0], b.0[0]), _mm256_cmp_ps::<_CMP_LT_OQ>(a.0[1], b.0[1])]) }
    }

    #[inline(always)]
    fn at_most(self, a: Self::Numbers, b: Self::Numbers) -> Self::Mask {
        // SAFETY: above.
        unsafe { Masks([_mm256_cmp_ps::<_CMP_LE_OQ>(a.0[0], b.0[0]), _mm256_cmp_ps::<_CMP_LE_OQ>(a.0[1], b.0[1])]) }
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> Self::Mask {
        // SAFETY: above.
        unsafe {
            let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let half = |bits: u16| {
                let own = _mm256_and_si256(_mm256_set1_epi32(i32::from(bits)), bit);
                _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, bit))
            };
            Masks([half(bits & 0xFF), half(bits >> 8)])
        }
    }

    #[inline(always)]
    fn bits(self, mask: Self::Mask) -> u16 {
        // SAFETY: above.
        unsafe { (_mm256_movemask_ps(mask.0[0]) | _mm256_movemask_ps(mask.0[1]) << 8) as u16 }
    }

    #[inline(always)]
    fn select(self, mask: Self::Mask, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_blendv_ps(b.0[0], a.0[0], mask.0[0]), _mm256_blendv_ps(b.0[1], a.0[1], mask.0[1])]) }
    }

    #[inline(always)]
    fn keys(self, mask: Self::Mask, numbers: Self::Numbers, name: u8) -> Self::Keys {
        // SAFETY: above.
        unsafe {
            let (low, name) = (_mm256_set1_epi32(0xFF), _mm256_set1_epi32(i32::from(name)));
            let key = |half: usize| {
                let key = _mm256_or_si256(_mm256_andnot_si256(low, _mm256_castps_si256(numbers.0[half])), name);
                let none = _mm256_set1_epi32(NO_KEY.cast_signed());
                _mm256_blendv_epi8(none, key, _mm256_castps_si256(mask.0[half]))
            };
            [key(0), key(1)]
        }
    }

    #[inline(always)]
    fn load_keys(self, keys: &[u32; LANES]) -> Self::Keys {
        // SAFETY: above.
        unsafe { [_mm256_loadu_si256(keys.as_ptr().cast()), _mm256_loadu_si256(keys.as_ptr().add(8).cast())] }
    }

    #[inline(always)]
    fn store_keys(self, keys: Self::Keys) -> [u32; LANES] {
        let mut array = [0; LANES];
        // SAFETY: above.
        unsafe {
            _mm256_storeu_si256(array.as_mut_ptr().cast(), keys[0]);
            _mm256_storeu_si256(array.as_mut_ptr().add(8).cast(), keys[1]);
        }
        array
    }

    #[inline(always)]
    fn order(self, a: Self::Keys, b: Self::Keys) -> (Self::Keys, Self::Keys) {
        // SAFETY: above.
        unsafe {
            (
                [_mm256_min_epu32(a[0], b[0]), _mm256_min_epu32(a[1], b[1])],
                [_mm256_max_epu32(a[0], b[0]), _mm256_max_epu32(a[1], b[1])],
            )
        }
    }

    #[inline(always)]
    fn alike(self, a: Self::Keys, b: Self::Keys) -> u16 {
        // SAFETY: above.
        unsafe {
            let names = _mm256_set1_epi32(0xFF);
            let half = |half: usize| {
                let same = _mm256_cmpeq_epi32(_mm256_or_si256(a[half], names), _mm256_or_si256(b[half], names));
                _mm256_movemask_ps(_mm256_castsi256_ps(same))
            };
            (half(0) | half(1) << 8) as u16
        }
    }

    #[inline(always)]
    fn gather(self, column: &[f32], at: &[u32; LANES]) -> Self::Numbers {
        self.load(&Plain.store(Plain.gather(column, at)))
    }

    #[inline(always)]
    fn gather_points(self, column: &[[f32; 2]], at: &[u32; LANES]) -> (Self::Numbers, Self::Numbers) {
        self.check_places(column.len(), at);
        // SAFETY: above; the places are in the column.
        unsafe {
            // Lanes 0, 1 and 4, 5, which the shuffles, working on halves, bring into order.
            let a = _mm256_set_m128d(two(column, at, 4), two(column, at, 0));
            let b = _mm256_set_m128d(two(column, at, 6), two(column, at, 2));
            let c = _mm256_set_m128d(two(column, at, 12), two(column, at, 8));
            let d = _mm256_set_m128d(two(column, at, 14), two(column, at, 10));
            let (a, b, c, d) = (_mm256_castpd_ps(a), _mm256_castpd_ps(b), _mm256_castpd_ps(c), _mm256_castpd_ps(d));
            (
                Halves([_mm256_shuffle_ps::<0x88>(a, b), _mm256_shuffle_ps::<0x88>(c, d)]),
                Halves([_mm256_shuffle_ps::<0xDD>(a, b), _mm256_shuffle_ps::<0xDD>(c, d)]),
            )
        }
    }

    #[inline(always)]
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_min_ps(a.0[0], b.0[0]), _mm256_min_ps(a.0[1], b.0[1])]) }
    }

    #[inline(always)]
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        // SAFETY: above.
        unsafe { Halves([_mm256_max_ps(a.0[0], b.0[0]), _mm256_max_ps(a.0[1], b.0[1])]) }
    }

    #[inline(always)]
    fn whole(self, numbers: Self::Numbers) -> [u32; LANES] {
        let mut array = [0; LANES];
        // SAFETY: above.
        unsafe {
            _mm256_storeu_si256(array.as_mut_ptr().cast(), _mm256_cvttps_epi32(numbers.0[0]));
            _mm256_storeu_si256(array.as_mut_ptr().add(8).cast(), _mm256_cvttps_epi32(numbers.0[1]));
        }
        array
    }

    #[inline(always)]
    fn squeeze(
        self,
        mask: Self::Mask,
        numbers: Self::Numbers,
        names: &[u32; LANES],
        to: &mut [f32; LANES],
        named: &mut [u32; LANES],
    ) -> usize {
        let bits = usize::from(self.bits(mask));
        let mut count = 0;
        // SAFETY: above; at most eight are counted before the second half is written.
        unsafe {
            for (half, numbers) in numbers.0.into_iter().enumerate() {
                let hits = bits >> (8 * half) & 0xFF;
                let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(EIGHT[hits] as i64));
                let names = _mm256_loadu_si256(names.as_ptr().add(8 * half).cast());
                _mm256_storeu_ps(to.as_mut_ptr().add(count), _mm256_permutevar8x32_ps(numbers, order));
                _mm256_storeu_si256(named.as_mut_ptr().add(count).cast(), _mm256_permutevar8x32_epi32(names, order));
                count += hits.count_ones() as usize;
            }
        }
        count
    }

    #[inline(always)]
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
        // SAFETY: above.
        unsafe {
            let pitch = _mm256_set1_epi32(pitch as i32);
            for (half, cells) in cells.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let row = _mm256_mullo_epi32(_mm256_cvttps_epi32(row.0[half]), pitch);
                let cell = _mm256_add_epi32(row, _mm256_cvttps_epi32(column.0[half]));
                _mm256_storeu_si256(cells.as_mut_ptr().cast(), _mm256_add_epi32(cell, _mm256_set1_epi32(1)));
            }
        }
    }

    #[inline(always)]
    fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        Plain.pairs(hits, a, b, low, high);
    }

    /// Four points at a time.
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
        let (whole, rest) = points.as_chunks::<4>();
        let (whole_names, rest_names) = names.as_chunks::<4>();
        // SAFETY: above. Four points are eight numbers; a row of the table is eight numbers; the store as for `Avx512`.
        unsafe {
            let (x, y) = (centre[0], centre[1]);
            let middle = _mm256_setr_ps(x, y, x, y, x, y, x, y);
            let limit = _mm256_set1_ps(squared);
            for (four, names) in whole.iter().zip(whole_names) {
                let pairs = _mm256_loadu_ps(four.as_ptr().cast());
                let difference = _mm256_sub_ps(pairs, middle);
                let square = _mm256_mul_ps(difference, difference);
                let distance = _mm256_add_ps(square, _mm256_permute_ps::<SWAP>(square));
                let near = _mm256_cmp_ps::<_CMP_LT_OQ>(distance, limit);
                let hits = _mm256_movemask_pd(_mm256_castps_pd(near)) as usize;
                let name = _mm256_cvtepu32_epi64(_mm_loadu_si128(names.as_ptr().cast()));
                let finding = _mm256_blend_epi32::<0x55>(_mm256_castps_si256(distance), name);
                let order = _mm256_loadu_si256(FRONT[hits].as_ptr().cast());
                let squeezed = _mm256_permutevar8x32_epi32(finding, order);
                _mm256_storeu_si256(found.as_mut_ptr().add(count).cast(), squeezed);
                count += hits.count_ones() as usize;
            }
        }
        nearer_plain(rest, rest_names, centre, squared, found, count)
    }

    #[inline(always)]
    fn sort(self, findings: &mut [u64]) -> bool {
        let n = findings.len();
        if !(2..=LANES).contains(&n) {
            return sort_plain(findings);
        }
        let (mut number, mut upper, mut rank) = ([0; LANES], [0_i32; LANES], [0_i32; LANES]);
        number[..n].copy_from_slice(findings);
        for (upper, &number) in upper.iter_mut().zip(&number) {
            *upper = (number >> 32) as i32;
        }
        // SAFETY: above.
        unsafe {
            let a = _mm256_loadu_si256(upper.as_ptr().cast());
            let b = _mm256_loadu_si256(upper.as_ptr().add(8).cast());
            let (mut sum_a, mut sum_b) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for &other in &upper[..n] {
                let other = _mm256_set1_epi32(other);
                sum_a = _mm256_sub_epi32(sum_a, _mm256_cmpgt_epi32(a, other));
                sum_b = _mm256_sub_epi32(sum_b, _mm256_cmpgt_epi32(b, other));
            }
            _mm256_storeu_si256(rank.as_mut_ptr().cast(), sum_a);
            _mm256_storeu_si256(rank.as_mut_ptr().add(8).cast(), sum_b);
        }
        place(findings, &number, &rank, rank[..n].iter().sum())
    }
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

/// For each set of eight hits: the order of lanes that brings them to the front, a byte each.
const EIGHT: [u64; 256] = {
    let mut table = [0; 256];
    let mut hits = 0;
    while hits < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 8 {
            if hits >> lane & 1 == 1 {
                table[hits] |= lane << (8 * to);
                to += 1;
            }
            lane += 1;
        }
        hits += 1;
    }
    table
};
