//! The blocks of cells, and the table that knows them.

use super::{HashGrid, NONE, Window};
use std::ops::{ControlFlow, Range};

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

    /// Calls `visit` with the blocks that meet a window, their number not below `from`, in any order.
    #[inline]
    pub(super) fn blocks(
        &self,
        window: &Window<D>,
        from: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if (0..D).any(|axis| window.low[axis] > window.high[axis]) {
            return ControlFlow::Continue(());
        }
        let (low, high) = (window.low.map(|x| x >> Self::SHIFT), window.high.map(|x| x >> Self::SHIFT));
        if low == high {
            return match self.table[self.slot(low)] {
                number if number != NONE && number as usize >= from => visit(number as usize),
                _ => ControlFlow::Continue(()),
            };
        }
        let count = (0..D).fold(1.0, |count, axis| count * (f64::from(high[axis]) - f64::from(low[axis]) + 1.0));
        if count > self.block.len() as f64 {
            // Fewer blocks than places where one could be.
            for number in from..self.block.len() {
                let block = self.block[number];
                if (0..D).all(|axis| (low[axis]..=high[axis]).contains(&block[axis])) {
                    visit(number)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let mut at = low;
        loop {
            let number = self.table[self.slot(at)];
            if number != NONE && number as usize >= from {
                visit(number as usize)?;
            }
            let mut axis = 0;
            while at[axis] == high[axis] {
                at[axis] = low[axis];
                axis += 1;
                if axis == D {
                    return ControlFlow::Continue(());
                }
            }
            at[axis] += 1;
        }
    }

    /// Calls `visit` with the places of the bodies in the cells of a block that meet a window: a stretch for each row.
    #[inline]
    pub(super) fn stretches(
        &self,
        number: usize,
        window: &Window<D>,
        mut visit: impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let block = self.block[number];
        let low: [i32; D] = std::array::from_fn(|axis| (window.low[axis] - (block[axis] << Self::SHIFT)).max(0));
        let high: [i32; D] =
            std::array::from_fn(|axis| (window.high[axis] - (block[axis] << Self::SHIFT)).min(Self::MASK));
        let mut at = low;
        loop {
            let line = (1..D)
                .fold(number * Self::CELLS, |line, axis| line + ((at[axis] as usize) << (Self::SHIFT as usize * axis)));
            let (first, end) = (self.start[line + low[0] as usize], self.start[line + high[0] as usize + 1]);
            visit(first as usize..end as usize)?;
            let mut axis = 1;
            loop {
                if axis >= D {
                    return ControlFlow::Continue(());
                }
                at[axis] += 1;
                if at[axis] <= high[axis] {
                    break;
                }
                at[axis] = low[axis];
                axis += 1;
            }
        }
    }
}
