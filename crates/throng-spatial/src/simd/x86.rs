//! The lanes of x86-64: AVX2 and AVX-512.
#![expect(unsafe_code, reason = "instructions that not every machine has; loads and stores go through pointers")]
#![allow(clippy::inline_always, reason = "must be compiled anew inside each kernel, which has the instructions")]

/// Makes operators of instructions on the content of a type.
macro_rules! operators {
    ($of:ident($a:ident, $b:ident) $($operator:ident $name:ident = $value:expr;)*) => {$(
        impl std::ops::$operator for $of {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                // SAFETY: there is a value of the type, which is only made where there are the instructions.
                unsafe { Self($value) }
            }
        }
    )*};
}

mod avx2;
mod avx512;

use super::lanes::{Kernel, LANES};
use std::arch::x86_64::{__m128d, _mm_load_sd, _mm_loadh_pd};

/// AVX2: two halves of eight lanes. Only made where the instructions are switched on.
#[derive(Clone, Copy)]
pub struct Avx2(());

/// AVX-512. Only made where the instructions are switched on.
#[derive(Clone, Copy)]
pub struct Avx512(());

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn run_256<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub fn run_512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// The points of a lane and the next one, each as one f64.
///
/// # Safety
/// Their places must be in the column.
#[inline(always)]
unsafe fn two(column: &[[f32; 2]], at: &[u32; LANES], lane: usize) -> __m128d {
    // SAFETY: as said; a point is as wide as an f64, and all machines of this kind have the instructions. The places are
    // read anew (volatile), as they would else be taken out of a vector that was checked, one by one, which is slower.
    unsafe {
        let [first, second] = [lane, lane + 1].map(|lane| std::ptr::from_ref(&at[lane]).read_volatile() as usize);
        _mm_loadh_pd(_mm_load_sd(column.as_ptr().add(first).cast()), column.as_ptr().add(second).cast())
    }
}

/// Swaps the two numbers of each pair.
const SWAP: i32 = 0b10_11_00_01;
