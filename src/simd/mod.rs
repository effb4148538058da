//! Kernels that use the vector instructions of the machine at hand; the only room with `unsafe`.
//!
//! A [`Kernel`] is written once, in terms of [`Lanes`], and compiled for each instruction set; a few are written by hand
//! for each. Which one runs is decided at run time ([`Level::detect`]). All give the same bits: no fused multiply-add, no
//! estimates.

mod boxes;
mod cells;
mod discs;
mod lanes;
mod near;
mod pairs;
mod range;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use boxes::{Sides, boxes_near};
pub use cells::{CellGrid, cells};
pub use discs::{Discs, overlapping, prefetch};
pub use lanes::{Kernel, LANES, Lanes};
pub use near::{SLACK, nearer, sort};
pub use pairs::{CellRows, PADDING, PAIR_ROOM, PairCursor, pairs};
pub use range::ranges;

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

/// Coordinates for tests: mostly ordinary ones, some that are equal, some that are hard.
#[cfg(test)]
fn coordinate() -> impl proptest::strategy::Strategy<Value = f32> {
    use proptest::prelude::*;
    prop_oneof![
        8 => -30.0..30.0_f32,
        2 => (-4..4_i8).prop_map(f32::from),
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1e18, -0.0, 1e-30]),
    ]
}
