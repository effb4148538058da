//! Random numbers that are the same on every machine and with every version of the crates below.

use crate::geom::{Vec2, direction};
use rand::Rng;
use rand_pcg::Pcg32;

/// PCG-XSH-RR (M. E. O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
/// Number Generation*, 2014); the ways to draw from it are spelled out here, so that they never change.
pub(super) struct Dice(Pcg32);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, 0x7468_726F_6E67))
    }

    /// A number in 0..1.
    pub(super) fn share(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    /// A number in `from..to`.
    pub(super) fn range(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.share()
    }

    /// A number in -1..1 that is more often small than great.
    pub(super) fn bell(&mut self) -> f32 {
        (self.share() + self.share() + self.share()) * (2.0 / 3.0) - 1.0
    }

    /// A whole number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.0.next_u32()) * limit as u64) >> 32) as usize
    }

    /// True in `share` of all cases.
    pub(super) fn chance(&mut self, share: f32) -> bool {
        self.share() < share
    }

    /// A point of a rectangle.
    pub(super) fn point(&mut self, least: Vec2, most: Vec2) -> Vec2 {
        Vec2::new(self.range(least.x, most.x), self.range(least.y, most.y))
    }

    /// A unit vector.
    pub(super) fn turn(&mut self) -> Vec2 {
        direction(self.range(0.0, 360.0))
    }

    /// Something to seed a [`noise`](super::noise) with.
    pub(super) fn seed(&mut self) -> u32 {
        self.0.next_u32()
    }
}
