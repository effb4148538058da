//! The blocks of cells, and the table that knows them.

use super::{HashGrid, NONE, Window};
use std::ops::Range;

impl<const D: usize> HashGrid<D> {
    /// Where the search for a block begins. The multipliers are those of Teschner et al.; the last one spreads their bits.
    #[inline]
    fn hash(&self, block: [i32; D]) -> usize {
        const PRIMES: [u32; 4] = [73_856_093, 19_349_663, 83_492_791, 67_867_979];
        let mixed = (0..D).fold(0, |hash: u32, axis| hash ^ (block[axis] as u32).wrapping_mul(PRIMES[axis % 4]));
        let bits = self.table.len().trailing_zeros();
        (u64::from(mixed.wrapping_mul(0x9E37_79B9)) >> (32 - bits)) as usize
    }

    /// The place in the table of a block, or the free one where it belongs.
    #[inline]
    pub(super) fn slot(&self, block: [i32; D]) -> usize {
        let mut slot = self.hash(block);
        while self.table[slot] != NONE && self.block[self.table[slot] as usize] != block {
            slot = (slot + 1) & (self.table.len() - 1);
        }
        slot
    }

    /// The number of a block that may be new.
    #[inline]
    pub(super) fn number(&mut self, block: [i32; D]) -> u32 {
        let mut slot = self.slot(block);
        if self.table[slot] == NONE {
            if (self.block.len() + 1) * 2 > self.table.len() {
                let size = self.table.len() * 2;
                self.enter_all(size);
                slot = self.slot(block);
            }
            self.table[slot] = self.block.len() as u32;
            self.block.push(block);
        }
        self.table[slot]
    }

    /// Fills the table anew.
    fn enter_all(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, NONE);
        for number in 0..self.block.len() {
            let slot = self.slot(self.block[number]);
            self.table[slot] = number as u32;
        }
    }

    /// Sorts the blocks and writes into `order` what became of their numbers.
    pub(super) fn sort_blocks(&mut self) {
        self.order.clear();
        self.order.extend((0..self.block.len() as u32).map(|number| (number, 0)));
        let block = &self.block;
        self.order.sort_unstable_by(|&(a, _), &(b, _)| {
            let (a, b) = (&block[a as usize], &block[b as usize]);
            a.iter().rev().cmp(b.iter().rev())
        });
        for rank in 0..self.order.len() {
            let number = self.order[rank].0;
            self.order[number as usize].1 = rank as u32;
        }
        self.block.sort_unstable_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        for number in self.table.iter_mut().filter(|number| **number != NONE) {
            *number = self.order[*number as usize].1;
        }
    }

    /// The numbers of the blocks that meet a window, in any order.
    #[inline]
    pub(super) fn blocks(&self, window: &Window<D>) -> Blocks<'_, D> {
        let (low, high) = (window.low.map(|x| x >> Self::BLOCK_BITS), window.high.map(|x| x >> Self::BLOCK_BITS));
        let count = (0..D).fold(1.0, |count, axis| count * (f64::from(high[axis]) - f64::from(low[axis]) + 1.0));
        let none = self.block.is_empty() || (0..D).any(|axis| low[axis] > high[axis]);
        Blocks { grid: self, low, high, at: low, all: count > self.block.len() as f64, next: 0, done: none }
    }

    /// The places of the bodies in the cells of a block that meet a window: a run for each row of cells. The window
    /// must meet the block.
    #[inline]
    pub(super) fn place_runs(&self, number: usize, window: &Window<D>) -> PlaceRuns<'_, D> {
        let corner = self.block[number].map(|x| x << Self::BLOCK_BITS);
        let low = std::array::from_fn(|axis| (window.low[axis] - corner[axis]).max(0));
        let high = std::array::from_fn(|axis| (window.high[axis] - corner[axis]).min(Self::BLOCK_MASK));
        PlaceRuns { start: &self.start[number * Self::CELLS..], low, high, at: low, done: false }
    }
}

/// See [`HashGrid::blocks`].
pub(super) struct Blocks<'a, const D: usize> {
    grid: &'a HashGrid<D>,
    low: [i32; D],
    high: [i32; D],
    at: [i32; D],
    /// Whether all blocks are looked at, where these are fewer than the places where one could be; the next one.
    all: bool,
    next: usize,
    done: bool,
}

#[allow(clippy::inline_always, reason = "called in kernels")]
impl<const D: usize> Iterator for Blocks<'_, D> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while !self.done {
            if self.all {
                let number = self.next;
                let block = self.grid.block[number];
                self.next += 1;
                self.done = self.next == self.grid.block.len();
                if (0..D).all(|axis| (self.low[axis]..=self.high[axis]).contains(&block[axis])) {
                    return Some(number);
                }
                continue;
            }
            let number = self.grid.table[self.grid.slot(self.at)];
            self.done = !advance(&mut self.at, self.low, self.high, 0);
            if number != NONE {
                return Some(number as usize);
            }
        }
        None
    }
}

/// See [`HashGrid::place_runs`].
pub(super) struct PlaceRuns<'a, const D: usize> {
    /// Starts of the cells of the block.
    start: &'a [u32],
    low: [i32; D],
    high: [i32; D],
    at: [i32; D],
    done: bool,
}

#[allow(clippy::inline_always, reason = "called in kernels")]
impl<const D: usize> Iterator for PlaceRuns<'_, D> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        if self.done {
            return None;
        }
        let shift = HashGrid::<D>::BLOCK_BITS as usize;
        let line = (1..D).fold(0, |line, axis| line + ((self.at[axis] as usize) << (shift * axis)));
        let (first, end) = (self.start[line + self.low[0] as usize], self.start[line + self.high[0] as usize + 1]);
        self.done = !advance(&mut self.at, self.low, self.high, 1);
        Some(first as usize..end as usize)
    }
}

/// Counts from `low` to `high`, from some axis on; false at the end.
#[allow(clippy::inline_always, reason = "called in kernels")]
#[inline(always)]
fn advance<const D: usize>(at: &mut [i32; D], low: [i32; D], high: [i32; D], first: usize) -> bool {
    for axis in first..D {
        if at[axis] < high[axis] {
            at[axis] += 1;
            return true;
        }
        at[axis] = low[axis];
    }
    false
}
