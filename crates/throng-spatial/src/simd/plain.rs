//! The lanes of machines without wide vectors: written so that the compiler makes narrow ones of it.

use super::findings::nearer_plain;
use super::lanes::{LANES, Lanes, NO_KEY, check_room};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Sixteen f32 without any instruction set.
#[derive(Clone, Copy)]
pub struct Array([f32; LANES]);

/// All bits of a lane set where it is chosen, none where it is not. One bit a lane would have to be spread out before each use,
/// for which the baseline of x86-64 has no instruction: neighbours took twice as long.
#[derive(Clone, Copy)]
pub struct Choice([u32; LANES]);

/// Makes an operator of what it does to one lane.
macro_rules! operators {
    ($of:ident: $($operator:ident $name:ident $symbol:tt;)*) => {$(
        impl $operator for $of {
            type Output = Self;

            #[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(std::array::from_fn(|lane| self.0[lane] $symbol other.0[lane]))
            }
        }
    )*};
}

operators! {
    Array:
    Add add +;
    Sub sub -;
    Mul mul *;
    Div div /;
}

operators! {
    Choice:
    BitAnd bitand &;
    BitOr bitor |;
}

impl Not for Choice {
    type Output = Self;

    #[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|lane| !lane))
    }
}

impl Choice {
    /// The lanes where a test holds.
    #[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
    #[inline(always)]
    fn of(test: impl Fn(usize) -> bool) -> Self {
        Self(std::array::from_fn(|lane| if test(lane) { u32::MAX } else { 0 }))
    }
}

impl Neg for Array {
    type Output = Self;

    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|number| -number))
    }
}

/// Without any instruction set: says what is computed.
#[derive(Clone, Copy)]
pub struct Plain;

#[allow(clippy::inline_always, reason = "must be compiled anew inside each kernel")]
impl Lanes for Plain {
    type Numbers = Array;
    type Mask = Choice;
    type Keys = Array;

    #[inline(always)]
    fn splat(self, number: f32) -> Self::Numbers {
        Array([number; LANES])
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; LANES]) -> Self::Numbers {
        Array(*numbers)
    }

    #[inline(always)]
    fn store(self, numbers: Self::Numbers) -> [f32; LANES] {
        numbers.0
    }

    #[inline(always)]
    fn split(self, points: &[[f32; 2]; LANES]) -> (Self::Numbers, Self::Numbers) {
        (Array(points.map(|point| point[0])), Array(points.map(|point| point[1])))
    }

    #[inline(always)]
    fn sqrt(self, a: Self::Numbers) -> Self::Numbers {
        Array(a.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn abs(self, a: Self::Numbers) -> Self::Numbers {
        Array(a.0.map(f32::abs))
    }

    #[inline(always)]
    fn less(self, a: Self::Numbers, b: Self::Numbers) -> Choice {
        Choice::of(|lane| a.0[lane] < b.0[lane])
    }

    #[inline(always)]
    fn at_most(self, a: Self::Numbers, b: Self::Numbers) -> Choice {
        Choice::of(|lane| a.0[lane] <= b.0[lane])
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> Choice {
        Choice::of(|lane| bits & (1 << lane) != 0)
    }

    #[inline(always)]
    fn bits(self, mask: Choice) -> u16 {
        (0..LANES).fold(0, |bits, lane| bits | mask.0[lane] & (1 << lane)) as u16
    }

    #[inline(always)]
    fn select(self, mask: Choice, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        let pick = |lane: usize| mask.0[lane] & a.0[lane].to_bits() | !mask.0[lane] & b.0[lane].to_bits();
        Array(std::array::from_fn(|lane| f32::from_bits(pick(lane))))
    }

    #[inline(always)]
    fn keys(self, mask: Choice, numbers: Self::Numbers, name: u8) -> Self::Keys {
        let key = |lane: usize| numbers.0[lane].to_bits() & !0xFF | u32::from(name);
        let pick = |lane: usize| mask.0[lane] & key(lane) | !mask.0[lane] & NO_KEY;
        Array(std::array::from_fn(|lane| f32::from_bits(pick(lane))))
    }

    #[inline(always)]
    fn load_keys(self, keys: &[u32; LANES]) -> Self::Keys {
        Array(keys.map(f32::from_bits))
    }

    #[inline(always)]
    fn store_keys(self, keys: Self::Keys) -> [u32; LANES] {
        keys.0.map(f32::to_bits)
    }

    // As numbers, which order as their bits do: the baseline of x86-64 can tell the lesser of two numbers, not of two whole ones.
    #[inline(always)]
    fn order(self, a: Self::Keys, b: Self::Keys) -> (Self::Keys, Self::Keys) {
        (self.min(a, b), self.max(a, b))
    }

    #[inline(always)]
    fn alike(self, a: Self::Keys, b: Self::Keys) -> u16 {
        self.bits(Choice::of(|lane| (a.0[lane].to_bits() ^ b.0[lane].to_bits()) < 256))
    }

    #[inline(always)]
    fn gather(self, column: &[f32], at: &[u32; LANES]) -> Self::Numbers {
        Array(at.map(|place| column[place as usize]))
    }

    #[inline(always)]
    fn gather_points(self, column: &[[f32; 2]], at: &[u32; LANES]) -> (Self::Numbers, Self::Numbers) {
        let axis = |axis: usize| Array(at.map(|place| column[place as usize][axis]));
        (axis(0), axis(1))
    }

    #[inline(always)]
    fn min(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        Array(std::array::from_fn(|lane| if a.0[lane] < b.0[lane] { a.0[lane] } else { b.0[lane] }))
    }

    #[inline(always)]
    fn max(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers {
        Array(std::array::from_fn(|lane| if a.0[lane] > b.0[lane] { a.0[lane] } else { b.0[lane] }))
    }

    #[inline(always)]
    fn whole(self, numbers: Self::Numbers) -> [u32; LANES] {
        numbers.0.map(|number| number as u32)
    }

    #[inline(always)]
    fn squeeze(
        self,
        mask: Choice,
        numbers: Self::Numbers,
        names: &[u32; LANES],
        to: &mut [f32; LANES],
        named: &mut [u32; LANES],
    ) -> usize {
        let (mut count, numbers) = (0, numbers.0);
        for lane in 0..LANES {
            // Always written, counted only where it is chosen: no branch to mispredict.
            (to[count], named[count]) = (numbers[lane], names[lane]);
            count += (mask.0[lane] & 1) as usize;
        }
        count
    }

    #[inline(always)]
    fn cells(self, row: Self::Numbers, column: Self::Numbers, pitch: u32, cells: &mut [u32; LANES]) {
        let (row, column) = (row.0, column.0);
        for lane in 0..LANES {
            cells[lane] = (row[lane] as u32).wrapping_mul(pitch).wrapping_add(column[lane] as u32).wrapping_add(1);
        }
    }

    #[inline(always)]
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

    #[inline(always)]
    fn nearer(
        self,
        points: &[[f32; 2]],
        names: &[u32],
        centre: [f32; 2],
        squared: f32,
        found: &mut [u64],
        count: usize,
    ) -> usize {
        check_room(points, names, found, count);
        nearer_plain(points, names, centre, squared, found, count)
    }
}
