//! Instruction sets, and running a kernel with one.

use super::lanes::Kernel;
use super::plain::Plain;
#[cfg(target_arch = "x86_64")]
use super::x86;

/// An instruction set that the kernels know and this machine has.
///
/// ```
/// use throng_spatial::simd::{Level, sort};
/// // All levels give the same results.
/// for level in Level::available() {
///     let mut findings = [30, 10, 20];
///     sort(level, &mut findings);
///     assert_eq!(findings, [10, 20, 30], "{level:?}");
/// }
/// assert_eq!(Some(&Level::detect()), Level::available().last());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(pub(super) Set);

/// Private, so that no one names a set that the machine lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Set {
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

    /// Runs a kernel with the instructions of this level.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Set::Plain => kernel.run(Plain),
            // SAFETY: a level is only made from what `detect` saw.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
            Set::Avx2 => unsafe { x86::run_256(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "calls a function that needs instructions found at run time")]
            Set::Avx512 => unsafe { x86::run_512(kernel) },
        }
    }
}
