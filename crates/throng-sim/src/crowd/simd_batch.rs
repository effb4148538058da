//! Sixteen agents side by side: what the kernels of this room are written in.

use rayon::prelude::*;
use std::ops::{Add, Div, Mul, Sub};
use throng_spatial::Near;
use throng_spatial::simd::{LANES, Lanes};

/// Agents that one thread works on before it takes the next ones: enough that what is set up for them costs little.
pub(super) const BATCH_AGENTS: usize = 512;

/// Sixteen vectors.
#[derive(Clone, Copy)]
pub(super) struct Vectors<L: Lanes> {
    pub(super) x: L::Numbers,
    pub(super) y: L::Numbers,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<L: Lanes> Vectors<L> {
    #[inline(always)]
    pub(super) fn load(lanes: L, of: &[[f32; LANES]; 2]) -> Self {
        Self { x: lanes.load(&of[0]), y: lanes.load(&of[1]) }
    }

    #[inline(always)]
    pub(super) fn store(self, lanes: L) -> [[f32; LANES]; 2] {
        [lanes.store(self.x), lanes.store(self.y)]
    }

    /// Writes as many points as there is room for.
    #[inline(always)]
    pub(super) fn write(self, lanes: L, points: &mut [[f32; 2]]) {
        let [x, y] = self.store(lanes);
        for (point, (x, y)) in points.iter_mut().zip(x.into_iter().zip(y)) {
            *point = [x, y];
        }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> L::Numbers {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    pub(super) fn cross(self, other: Self) -> L::Numbers {
        self.x * other.y - self.y * other.x
    }

    /// This in the lanes of the mask, `other` elsewhere.
    #[inline(always)]
    pub(super) fn or(self, lanes: L, mask: L::Mask, other: Self) -> Self {
        Self { x: lanes.select(mask, self.x, other.x), y: lanes.select(mask, self.y, other.y) }
    }

    /// As [`clamp_length`](throng_grid::geom::clamp_length).
    #[inline(always)]
    pub(super) fn clamp_length(self, lanes: L, limit: L::Numbers) -> Self {
        let squared = self.dot(self);
        let long = lanes.less(limit * limit, squared);
        (self * (limit / lanes.sqrt(squared))).or(lanes, long, self)
    }
}

#[allow(clippy::inline_always, reason = "as above")]
impl<L: Lanes> Add for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

#[allow(clippy::inline_always, reason = "as above")]
impl<L: Lanes> Sub for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

#[allow(clippy::inline_always, reason = "as above")]
impl<L: Lanes> Mul<L::Numbers> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: L::Numbers) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }
}

#[allow(clippy::inline_always, reason = "as above")]
impl<L: Lanes> Div<L::Numbers> for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, by: L::Numbers) -> Self {
        Self { x: self.x / by, y: self.y / by }
    }
}

/// Sixteen of a column, or as many as there are and zeros.
#[inline]
pub(super) fn batch_of<T: Copy + Default>(column: &[T], first: usize, len: usize) -> [T; LANES] {
    let mut batch = [T::default(); LANES];
    if let Some(whole) = column[first..].first_chunk() {
        batch = *whole;
    } else {
        batch[..len].copy_from_slice(&column[first..first + len]);
    }
    batch
}

/// A bit for each of `len` lanes for which something is true.
#[inline]
pub(super) fn lanes_where(len: usize, is: impl Fn(usize) -> bool) -> u16 {
    (0..len).fold(0, |bits, lane| bits | u16::from(is(lane)) << lane)
}

/// The neighbours of sixteen agents: by rank, then lane.
pub(super) struct Lists<const K: usize> {
    pub(super) rows: [[u32; LANES]; K],
    /// A bit for each lane that has a neighbour of this rank.
    pub(super) has: [u16; K],
    /// The most that one of them has.
    pub(super) len: usize,
}

impl<const K: usize> Lists<K> {
    pub(super) fn new() -> Self {
        Self { rows: [[0; LANES]; K], has: [0; K], len: 0 }
    }

    /// An agent without a neighbour of some rank is its own.
    #[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
    #[inline(always)]
    pub(super) fn fill<L: Lanes>(&mut self, lanes: L, near: &Near, first: usize, len: usize) {
        // In a crowd all lists are full, as a rule.
        if len == LANES
            && let Some(lists) = near.full(first, len)
        {
            self.len = near.k();
            self.has[..self.len].fill(u16::MAX);
            lanes.ranks(lists, self.len, &mut self.rows);
            return;
        }
        self.fill_uneven(near, first, len);
    }

    /// Fills the lists where some are shorter than others.
    fn fill_uneven(&mut self, near: &Near, first: usize, len: usize) {
        let longest = (first..first + len).map(|row| near.of(row).len()).max().unwrap_or(0);
        self.has[..longest].fill(u16::MAX);
        for lane in 0..LANES {
            let own = first + lane.min(len - 1);
            let list = if lane < len { near.of(own) } else { &[] };
            for (rows, &other) in self.rows.iter_mut().zip(list) {
                rows[lane] = other;
            }
            let lacks = list.len()..longest;
            for (rows, has) in self.rows[lacks.clone()].iter_mut().zip(&mut self.has[lacks]) {
                rows[lane] = own as u32;
                *has &= !(1 << lane);
            }
        }
        self.len = longest;
    }
}

/// True where all of a column are the same.
pub(super) fn alike<T: Copy + PartialEq + Send + Sync>(column: &[T]) -> bool {
    let Some(&first) = column.first() else { return true };
    // Without a branch for each.
    let is_first = |values: &[T]| values.iter().filter(|&&value| value != first).count() == 0;
    column.par_chunks(LONG_PIECE).all(|piece| piece.chunks(256).all(is_first))
}

/// Values that are worth a thread where little is done with each.
const LONG_PIECE: usize = 32_768;
