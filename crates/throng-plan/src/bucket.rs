//! A circular bucket queue: the open list of searches whose priorities stay inside a small window.

use super::memory::SearchMemory;
use super::search::Queue;
use super::{Cell, DIAGONAL};

/// Buckets, one a priority, round and round.
const BUCKETS: usize = 8192;

// With a consistent estimate one step raises g + h by at most twice its own cost, so the priorities of all open cells
// lie in a window of this width, and two rounds never meet in one bucket, nor in one word of the bitmap.
const _: () = assert!(2 * (DIAGONAL as usize) < BUCKETS - 64);

/// The end of a list.
const END: u32 = u32::MAX;

/// Cells by priority, first the lowest, and of equals the one that came last (which is the deeper one).
///
/// Dial (1969), with a bitmap of the buckets in use. Push and pop are O(1) and compare nothing. Each bucket is a list in
/// one pool whose places are used again, so that the pool is no longer than the open list ever was. Emptying the queue
/// touches the buckets in use and no others.
#[derive(Debug)]
pub(super) struct Buckets {
    head: Box<[u32; BUCKETS]>,
    used: Box<[u64; BUCKETS / 64]>,
    pool: Vec<Entry>,
    /// First place of the pool that is free again.
    free: u32,
    /// No open cell has a lower priority.
    least: u32,
    len: u32,
    /// The cell that came last, where its priority is the least: it is the next to go, and never enters a bucket.
    top: Option<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: Cell,
    next: u32,
}

impl Default for Buckets {
    #[expect(clippy::large_stack_arrays, reason = "32 KiB, once a thread")]
    fn default() -> Self {
        Self {
            head: Box::new([END; BUCKETS]),
            used: Box::new([0; BUCKETS / 64]),
            pool: Vec::new(),
            free: END,
            least: 0,
            len: 0,
            top: None,
        }
    }
}

impl SearchMemory for Buckets {
    fn bytes(&self) -> usize {
        size_of_val(&*self.head) + size_of_val(&*self.used) + self.pool.capacity() * size_of::<Entry>()
    }
}

impl Queue for Buckets {
    type Priority = u32;

    fn restart(&mut self, priority: u32, cell: Cell) {
        for (word, bits) in self.used.iter_mut().enumerate().filter(|_| self.len > 0) {
            while *bits != 0 {
                self.head[word * 64 + bits.trailing_zeros() as usize] = END;
                *bits &= *bits - 1;
            }
        }
        self.pool.clear();
        self.free = END;
        self.len = 0;
        self.least = priority;
        self.top = Some(cell);
    }

    #[inline]
    fn push(&mut self, priority: u32, mut cell: Cell) {
        if priority == self.least {
            match self.top.replace(cell) {
                Some(older) => cell = older,
                None => return,
            }
        }
        debug_assert!(priority >= self.least && ((priority - self.least) as usize) < BUCKETS);
        let bucket = priority as usize % BUCKETS;
        let bit = 1 << (bucket % 64);
        self.used[bucket / 64] |= bit;
        let entry = Entry { cell, next: self.head[bucket] };
        if let Some(place) = self.pool.get_mut(self.free as usize) {
            self.head[bucket] = self.free;
            self.free = place.next;
            *place = entry;
        } else {
            self.head[bucket] = self.pool.len() as u32;
            self.pool.push(entry);
        }
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, Cell)> {
        if let Some(cell) = self.top.take() {
            return Some((self.least, cell));
        }
        if self.len == 0 {
            return None;
        }
        let start = self.least as usize % BUCKETS;
        let mut word = start / 64;
        // The word holds no bucket before `start`: that would be one of the next round, beyond the window.
        let mut bits = self.used[word];
        while bits == 0 {
            word = (word + 1) % (BUCKETS / 64);
            bits = self.used[word];
        }
        let bucket = word * 64 + bits.trailing_zeros() as usize;
        self.least += (bucket.wrapping_sub(start) % BUCKETS) as u32;
        self.len -= 1;
        let place = self.head[bucket];
        let entry = &mut self.pool[place as usize];
        let Entry { cell, next } = *entry;
        entry.next = self.free;
        self.free = place;
        self.head[bucket] = next;
        // No branch: whether a list ends here cannot be predicted.
        self.used[word] &= !(u64::from(next == END) << (bucket % 64));
        Some((self.least, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a sorted list: lowest first, of equals the last.
        #[test]
        fn pops_the_lowest_and_of_equals_the_last(steps in prop::collection::vec((0_u32..6727, prop::bool::weighted(0.6)), 1..400)) {
            let mut queue = Buckets::default();
            for start in [7, 100_000] {
                queue.restart(start, Cell(9999));
                let mut oracle = vec![(start, Cell(9999))];
                let mut least = start;
                for (i, &(rise, push)) in steps.iter().enumerate() {
                    if push {
                        queue.push(least + rise, Cell(i as u32));
                        oracle.push((least + rise, Cell(i as u32)));
                    } else {
                        let lowest = oracle.iter().map(|&(priority, _)| priority).min();
                        let expected = lowest.and_then(|lowest| oracle.iter().rposition(|&(p, _)| p == lowest)).map(|i| oracle.remove(i));
                        prop_assert_eq!(queue.pop(), expected);
                        least = expected.map_or(least, |(priority, _)| priority);
                    }
                }
            }
        }
    }

    #[test]
    fn the_pool_is_no_longer_than_the_open_list_was() {
        let mut queue = Buckets::default();
        queue.restart(0, Cell(0));
        for i in 0..10_000 {
            assert_eq!(queue.pop(), Some((i, Cell(i))));
            queue.push(i + 1, Cell(i + 1));
        }
        queue.pop();
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.pool.len(), 1);
    }
}
