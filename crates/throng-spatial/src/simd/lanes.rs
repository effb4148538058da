//! Sixteen lanes at a time, in each instruction set: the language of kernels.

use super::findings::{SLACK, sort_plain};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// How many lanes there are.
pub const LANES: usize = 16;

/// The key of nothing, above all others: infinity.
pub const NO_KEY: u32 = f32::INFINITY.to_bits();

/// Work that uses the vector instructions of the machine at hand.
///
/// `run` and the functions it calls with `lanes` must be `#[inline(always)]`, and not closures: only then are they
/// compiled anew for each instruction set. Other functions are slow, but right.
///
/// ```
/// use throng_spatial::simd::{Kernel, LANES, Lanes, Level};
/// struct Sum<'a>(&'a [[f32; LANES]]);
/// impl Kernel for Sum<'_> {
///     type Output = f32;
///     #[inline(always)]
///     fn run<L: Lanes>(self, lanes: L) -> f32 {
///         let mut sum = lanes.splat(0.0);
///         for numbers in self.0 {
///             sum = sum + lanes.load(numbers);
///         }
///         lanes.store(sum).iter().sum()
///     }
/// }
/// assert_eq!(Level::detect().run(Sum(&[[1.0; LANES], [2.0; LANES]])), 48.0);
/// ```
pub trait Kernel {
    /// Its result.
    type Output;
    /// Does the work.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Sixteen numbers and their operations. A value of the type is the right to use its instructions.
///
/// All sets give the same bits. The functions are compiled anew inside each kernel, which has the instructions.
pub trait Lanes: Copy {
    /// Sixteen f32.
    type Numbers: Copy
        + Add<Output = Self::Numbers>
        + Sub<Output = Self::Numbers>
        + Mul<Output = Self::Numbers>
        + Div<Output = Self::Numbers>
        + Neg<Output = Self::Numbers>;
    /// A choice of lanes.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;
    /// Sixteen u32, of use for sorting numbers with a name each.
    type Keys: Copy;

    /// The same number in all lanes.
    fn splat(self, number: f32) -> Self::Numbers;
    /// The numbers of an array.
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers;
    /// The numbers as an array.
    fn store(self, numbers: Self::Numbers) -> [f32; LANES];
    /// All first coordinates and all second ones.
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers);
    /// The square root.
    fn sqrt(self, a: Self::Numbers) -> Self::Numbers;
    /// a without its sign.
    fn abs(self, a: Self::Numbers) -> Self::Numbers;
    /// The lanes where a < b.
    fn less(self, a: Self::Numbers, b: Self::Numbers) -> Self::Mask;
    /// The lanes where a ≤ b.
    fn at_most(self, a: Self::Numbers, b: Self::Numbers) -> Self::Mask;
    /// The lanes of the bits.
    fn mask(self, bits: u16) -> Self::Mask;
    /// A bit for each lane.
    fn bits(self, mask: Self::Mask) -> u16;
    /// a in the lanes of the mask, b in the others.
    fn select(self, mask: Self::Mask, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// A bit for each lane where a < b.
    #[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
    #[inline(always)]
    fn below(self, a: Self::Numbers, b: Self::Numbers) -> u16 {
        self.bits(self.less(a, b))
    }
    /// a where a < b, else b: the lesser of two numbers, b where they are equal or one is NaN.
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// a where a > b, else b: the greater of two numbers, b where they are equal or one is NaN.
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// Finite numbers that are not negative with a name each: their bits, the lowest eight replaced by those of the name, so that
    /// they order by number as far as 16 bits of it tell. [`NO_KEY`] beyond the mask.
    fn keys(self, mask: Self::Mask, numbers: Self::Numbers, name: u8) -> Self::Keys;
    /// The keys of an array.
    fn load_keys(self, keys: &[u32; LANES]) -> Self::Keys;
    /// The keys as an array.
    fn store_keys(self, keys: Self::Keys) -> [u32; LANES];
    /// The lesser and the greater keys.
    fn order(self, a: Self::Keys, b: Self::Keys) -> (Self::Keys, Self::Keys);
    /// A bit for each lane where two keys differ in nothing but the name.
    fn alike(self, a: Self::Keys, b: Self::Keys) -> u16;
    /// Of sixteen lists of `k`, one behind the other, writes the first of each, the second of each, and so on.
    ///
    /// # Panics
    /// Where there are not so many lists, or `ranks` has fewer than `k` places.
    #[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
    #[inline(always)]
    fn ranks(self, lists: &[u32], k: usize, ranks: &mut [[u32; LANES]]) {
        ranks_plain(lists, k, ranks);
    }
    /// Those of a column at sixteen places.
    ///
    /// # Panics
    /// Where a place is beyond the column.
    fn gather(self, column: &[f32], at: &[u32; LANES]) -> Self::Numbers;
    /// The first and the second coordinates of the points at sixteen places of a column.
    ///
    /// # Panics
    /// Where a place is beyond the column.
    fn gather_points(self, column: &[[f32; 2]], at: &[u32; LANES]) -> (Self::Numbers, Self::Numbers);
    /// Numbers that are not negative, cut to whole ones.
    fn whole(self, numbers: Self::Numbers) -> [u32; LANES];
    /// Writes the numbers and the names of the lanes of the mask, in order, and says how many they are. May overwrite all
    /// sixteen places.
    fn squeeze(
        self,
        mask: Self::Mask,
        numbers: Self::Numbers,
        names: &[u32; LANES],
        to: &mut [f32; LANES],
        named: &mut [u32; LANES],
    ) -> usize;
    /// `row * pitch + column + 1` of numbers that are not negative, cut to whole ones.
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]);
    /// Writes the pairs (a, b) of the lanes in `hits`, in order, the lesser to `low` and the greater to `high`. May
    /// overwrite all sixteen places.
    fn pairs(self, hits: u16, a: &[u32; LANES], b: &[u32; LANES], low: &mut [u32; LANES], high: &mut [u32; LANES]);
    /// As [`Lanes::pairs`] with the same b in all.
    fn pairs_with(self, hits: u16, a: &[u32; LANES], b: u32, low: &mut [u32; LANES], high: &mut [u32; LANES]) {
        self.pairs(hits, a, &[b; LANES], low, high);
    }

    /// Finds the points that are nearer than a distance to `centre`, by squared distance (m²).
    ///
    /// Appends to `found` at `count` and returns the new count. A finding holds the bits of the squared distance in its
    /// upper half and the name of the point in its lower half, so findings order by distance, then name. Points with a
    /// coordinate that is no number are never found.
    ///
    /// # Panics
    /// Where `found` has no room for all points and [`SLACK`] more, or there are not as many names as points.
    fn nearer(
        self,
        points: &[[f32; 2]],
        names: &[u32],
        centre: [f32; 2],
        squared: f32,
        found: &mut [u64],
        count: usize,
    ) -> usize;

    /// Sorts findings of [`Lanes::nearer`], which are all different; true where two are equally far. Fast up to 32.
    fn sort(self, findings: &mut [u64]) -> bool {
        sort_plain(findings)
    }
}

/// As [`Lanes::ranks`].
#[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
#[inline(always)]
pub(super) fn ranks_plain(lists: &[u32], k: usize, ranks: &mut [[u32; LANES]]) {
    let ranks = &mut ranks[..k];
    for lane in 0..LANES {
        for (rank, &name) in ranks.iter_mut().zip(&lists[lane * k..][..k]) {
            rank[lane] = name;
        }
    }
}

/// The precondition of vectors that reach beyond the last point.
#[inline]
pub(super) fn check_room(points: &[[f32; 2]], names: &[u32], found: &[u64], count: usize) {
    assert!(found.len() >= count + points.len() + SLACK, "no room for {} findings", points.len());
    assert!(points.len() == names.len(), "as many names as points");
}

/// The precondition of single loads, where it may not hold.
#[cfg(target_arch = "x86_64")]
#[cold]
pub(super) fn check_places(column: usize, at: &[u32; LANES]) {
    let furthest = at.iter().fold(0, |furthest, &place| place.max(furthest));
    assert!((furthest as usize) < column, "place {furthest} of a column of {column}");
}

#[cfg(test)]
mod tests;
