//! Sixteen lanes at a time, in each instruction set: what the kernels are written in.

/// How many lanes there are.
pub const LANES: usize = 16;

/// Sixteen numbers and what one does with them. A value of the type is the right to use its instructions.
///
/// All sets give the same bits. The functions are compiled anew inside each kernel, which has the instructions.
pub trait Lanes: Copy {
    /// Sixteen f32.
    type Numbers: Copy;

    /// The same number in all lanes.
    fn splat(self, number: f32) -> Self::Numbers;
    /// The numbers of an array.
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers;
    /// The numbers as an array.
    fn store(self, numbers: Self::Numbers) -> [f32; LANES];
    /// All first coordinates and all second ones.
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers);
    fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// A bit for each lane where a < b.
    fn below(self, a: Self::Numbers, b: Self::Numbers) -> u16;
    /// The lesser of two numbers; neither may be NaN.
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// The greater of two numbers; neither may be NaN.
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// `row * pitch + column + 1` of numbers that are not negative, cut to whole ones.
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]);
    /// Writes the pairs (a, b) of the lanes in `hits`, in order, the lesser to `low` and the greater to `high`. May
    /// overwrite all sixteen places.
    fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]);
    /// As [`Lanes::pairs`] with the same b in all.
    fn pairs_with(self, hits: u16, a: &[u32; LANES], b: u32, low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        self.pairs(hits, a, &[b; LANES], low, high);
    }
}

/// Without any instruction set: says what is computed.
#[derive(Clone, Copy)]
pub struct Plain;

impl Lanes for Plain {
    type Numbers = [f32; LANES];

    #[inline]
    fn splat(self, number: f32) -> Self::Numbers {
        [number; LANES]
    }

    #[inline]
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
        *numbers
    }

    #[inline]
    fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
        numbers
    }

    #[inline]
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers) {
        (points.map(|point| point[0]), points.map(|point| point[1]))
    }

    #[inline]
    fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline]
    fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|lane| a[lane] - b[lane])
    }

    #[inline]
    fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|lane| a[lane] * b[lane])
    }

    #[inline]
    fn below(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
        (0..LANES).fold(0, |hits, lane| hits | u16::from(a[lane] < b[lane]) << lane)
    }

    #[inline]
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }

    #[inline]
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        std::array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }

    #[inline]
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
        for lane in 0..LANES {
            cells[lane] = (row[lane] as u32).wrapping_mul(pitch).wrapping_add(column[lane] as u32).wrapping_add(1);
        }
    }

    #[inline]
    fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        let mut left = hits;
        for place in 0..LANES {
            if left == 0 {
                break;
            }
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            (low[place], high[place]) = (a[lane].min(b[lane]), a[lane].max(b[lane]));
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that not every machine has; loads and stores go through pointers")]
#[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel, which has the instructions")]
mod x86 {
    use super::{LANES, Lanes, Plain};
    #[allow(clippy::wildcard_imports, reason = "some forty names of instructions")]
    use std::arch::x86_64::*;

    /// AVX2: two halves of eight lanes.
    #[derive(Clone, Copy)]
    pub struct Avx2(());

    /// AVX-512.
    #[derive(Clone, Copy)]
    pub struct Avx512(());

    impl Avx2 {
        /// # Safety
        /// The machine has AVX2.
        #[inline(always)]
        pub unsafe fn new() -> Self {
            Self(())
        }
    }

    impl Avx512 {
        /// # Safety
        /// The machine has AVX-512 F, BW, DQ and VL.
        #[inline(always)]
        pub unsafe fn new() -> Self {
            Self(())
        }
    }

    /// SAFETY of all blocks below: who has an `Avx2` has its instructions; arrays are as long as what is loaded.
    impl Lanes for Avx2 {
        type Numbers = [__m256; 2];

        #[inline(always)]
        fn splat(self, number: f32) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_set1_ps(number); 2] }
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers.as_ptr().add(8))] }
        }

        #[inline(always)]
        fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
            let mut array = [0.0; LANES];
            // SAFETY: above.
            unsafe {
                _mm256_storeu_ps(array.as_mut_ptr(), numbers[0]);
                _mm256_storeu_ps(array.as_mut_ptr().add(8), numbers[1]);
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
                ([x0, x1], [y0, y1])
            }
        }

        #[inline(always)]
        fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
        }

        #[inline(always)]
        fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_sub_ps(a[0], b[0]), _mm256_sub_ps(a[1], b[1])] }
        }

        #[inline(always)]
        fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
        }

        #[inline(always)]
        fn below(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
            // SAFETY: above.
            let half = |i: usize| unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a[i], b[i])) };
            (half(0) | half(1) << 8) as u16
        }

        #[inline(always)]
        fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_min_ps(a[0], b[0]), _mm256_min_ps(a[1], b[1])] }
        }

        #[inline(always)]
        fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] }
        }

        #[inline(always)]
        fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
            // SAFETY: above.
            unsafe {
                let pitch = _mm256_set1_epi32(pitch as i32);
                for (half, cells) in cells.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    let row = _mm256_mullo_epi32(_mm256_cvttps_epi32(row[half]), pitch);
                    let cell = _mm256_add_epi32(row, _mm256_cvttps_epi32(column[half]));
                    _mm256_storeu_si256(cells.as_mut_ptr().cast(), _mm256_add_epi32(cell, _mm256_set1_epi32(1)));
                }
            }
        }

        #[inline(always)]
        fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]) {
            Plain.pairs(hits, a, b, low, high);
        }
    }

    /// SAFETY of all blocks below: who has an `Avx512` has its instructions; arrays are as long as what is loaded.
    impl Lanes for Avx512 {
        type Numbers = __m512;

        #[inline(always)]
        fn splat(self, number: f32) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_set1_ps(number) }
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
        }

        #[inline(always)]
        fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
            let mut array = [0.0; LANES];
            // SAFETY: above.
            unsafe { _mm512_storeu_ps(array.as_mut_ptr(), numbers) };
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
                (_mm512_permutex2var_ps(a, even, b), _mm512_permutex2var_ps(a, odd, b))
            }
        }

        #[inline(always)]
        fn add(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_add_ps(a, b) }
        }

        #[inline(always)]
        fn sub(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_sub_ps(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_mul_ps(a, b) }
        }

        #[inline(always)]
        fn below(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
            // SAFETY: above.
            unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b) }
        }

        #[inline(always)]
        fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_min_ps(a, b) }
        }

        #[inline(always)]
        fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
            // SAFETY: above.
            unsafe { _mm512_max_ps(a, b) }
        }

        #[inline(always)]
        fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
            // SAFETY: above.
            unsafe {
                let row = _mm512_mullo_epi32(_mm512_cvttps_epi32(row), _mm512_set1_epi32(pitch as i32));
                let cell = _mm512_add_epi32(row, _mm512_cvttps_epi32(column));
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
    }
}
