//! A circular bucket queue: the open list of searches whose priorities stay inside a small window.

use super::OpenList;
use super::lists::{BUCKETS, BucketLists};
use crate::DIAGONAL;
use crate::memory::SearchMemory;
use throng_grid::Cell;

// With a consistent estimate one step raises g + h by at most twice its own cost. So the priorities of all open cells
// lie in a window of this width, and two rounds never meet in one bucket, nor in one word of the bitmap.
const _: () = assert!(2 * (DIAGONAL as usize) < BUCKETS - 64);

/// Cells by priority, first the lowest, and of equals the one that came last (which is the deeper one).
///
/// R. B. Dial: Algorithm 360, Communications of the ACM 12(11), 1969: a bucket a priority, round and round. Push is O(1),
/// pop too but for a look at the bitmap of the buckets in use.
#[derive(Debug, Default)]
pub(crate) struct Buckets {
    lists: BucketLists,
    /// No open cell has a lower priority.
    least: u32,
    /// The cell that came last, where its priority is the least: it is the next to go, and never enters a bucket.
    top: Option<Cell>,
}

impl SearchMemory for Buckets {
    fn bytes(&self) -> usize {
        self.lists.bytes()
    }
}

impl OpenList for Buckets {
    type Priority = u32;

    fn restart(&mut self, priority: u32, cell: Cell) {
        self.lists.clear();
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
        self.lists.push(priority as usize % BUCKETS, cell);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, Cell)> {
        if let Some(cell) = self.top.take() {
            return Some((self.least, cell));
        }
        if self.lists.is_empty() {
            return None;
        }
        let start = self.least as usize % BUCKETS;
        // The word holds no bucket before `start`: that would be one of the next round, beyond the window.
        let (bucket, cell) = self.lists.pop(start);
        self.least += (bucket.wrapping_sub(start) % BUCKETS) as u32;
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
        assert_eq!(queue.lists.places(), 1);
    }
}
