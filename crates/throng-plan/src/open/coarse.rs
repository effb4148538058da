//! A coarse bucket queue: the open list of searches in rounds, whose priorities may fall.

use super::lists::{BUCKETS, BucketLists};
use throng_grid::Cell;

/// The bucket of all priorities that lie beyond the others.
pub(crate) const LAST_BUCKET: u32 = BUCKETS as u32 - 1;

/// Cells by the bucket of their priority, first the lowest, and of one bucket the cell that came last.
///
/// A bucket holds 2^shift priorities, so that all that may come fit; [`Coarse::widen`] makes room for more. Push is O(1),
/// pop too but for a look at the bitmap of the buckets in use.
#[derive(Debug)]
pub(crate) struct Coarse {
    lists: BucketLists,
    /// The lowest priority.
    base: u64,
    shift: u32,
    /// No cell but `top` is in a lower bucket.
    least: u32,
    /// The cell that came last, where no other is in a lower bucket: the next to go.
    top: Option<Cell>,
}

impl Default for Coarse {
    fn default() -> Self {
        Self { lists: BucketLists::default(), base: 0, shift: 0, least: LAST_BUCKET, top: None }
    }
}

impl Coarse {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.lists.bytes()
    }

    /// Empties the queue; priorities from `base` to `base + span` and a few more shall have buckets of their own.
    pub(crate) fn restart(&mut self, base: u64, span: u64) {
        self.drain(|_| ());
        self.base = base;
        self.shift = (span / (BUCKETS as u64 - 1)).checked_ilog2().map_or(0, |log| log + 1);
    }

    /// The bucket of a priority, which is not below the base.
    #[inline]
    pub(crate) fn bucket(&self, priority: u64) -> u32 {
        debug_assert!(priority >= self.base);
        ((priority - self.base) >> self.shift).min(u64::from(LAST_BUCKET)) as u32
    }

    /// Adds a cell; it may be in the queue already.
    #[inline]
    pub(crate) fn push(&mut self, bucket: u32, mut cell: Cell) {
        let mut place = bucket;
        if bucket <= self.least {
            let older = self.top.replace(cell);
            let older_place = std::mem::replace(&mut self.least, bucket);
            let Some(older) = older else { return };
            (cell, place) = (older, older_place);
        }
        self.lists.push(place as usize % BUCKETS, cell);
    }

    /// Takes a cell of the lowest bucket.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Cell)> {
        if let Some(cell) = self.top.take() {
            return Some((self.least, cell));
        }
        if self.lists.is_empty() {
            self.least = LAST_BUCKET;
            return None;
        }
        let (bucket, cell) = self.lists.pop(self.least as usize % BUCKETS);
        self.least = bucket as u32;
        Some((self.least, cell))
    }

    /// Makes the buckets eight times as wide, where only the last one has any cells: `priority` tells where they go.
    pub(crate) fn widen(&mut self, priority: impl Fn(Cell) -> u64) {
        self.shift += 3;
        self.least = 0;
        let (base, shift) = (self.base, self.shift);
        let bucket = |cell: Cell| ((priority(cell) - base) >> shift).min(u64::from(LAST_BUCKET)) as usize;
        self.lists.spread(LAST_BUCKET as usize, bucket);
        if let Some(cell) = self.top.take() {
            self.lists.push(bucket(cell), cell);
        }
    }

    /// Takes all cells, those of the lowest bucket first.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(Cell)) {
        if let Some(cell) = self.top.take() {
            take(cell);
        }
        self.lists.drain(take);
        self.least = LAST_BUCKET;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a sorted list: lowest bucket first, of equals the last; priorities fall and rise.
        #[test]
        fn pops_the_lowest_bucket_and_of_equals_the_last(
            steps in prop::collection::vec((0_u64..200_000, prop::bool::weighted(0.6)), 1..400), span in 0_u64..300_000,
        ) {
            let mut queue = Coarse::default();
            for base in [7, 100_000] {
                queue.restart(base, span);
                let mut oracle: Vec<(u32, Cell)> = Vec::new();
                for (i, &(rise, push)) in steps.iter().enumerate() {
                    if push {
                        let bucket = queue.bucket(base + rise);
                        queue.push(bucket, Cell(i as u32));
                        oracle.push((bucket, Cell(i as u32)));
                    } else {
                        let lowest = oracle.iter().map(|&(bucket, _)| bucket).min();
                        let expected = lowest.and_then(|lowest| oracle.iter().rposition(|&(b, _)| b == lowest)).map(|i| oracle.remove(i));
                        prop_assert_eq!(queue.pop(), expected);
                    }
                }
                let mut left = Vec::new();
                queue.drain(|cell| left.push(cell));
                left.sort();
                prop_assert_eq!(left, oracle.into_iter().map(|(_, cell)| cell).collect::<Vec<_>>());
                prop_assert_eq!(queue.pop(), None);
            }
        }
    }

    #[test]
    fn widening_keeps_all_cells() {
        let mut queue = Coarse::default();
        queue.restart(0, 8191);
        let far = |cell: Cell| 9000 + u64::from(cell.0) * 10_000;
        for i in 0..200 {
            queue.push(queue.bucket(far(Cell(i))), Cell(i));
        }
        let mut seen = Vec::new();
        while let Some((bucket, cell)) = queue.pop() {
            if bucket == LAST_BUCKET {
                queue.push(bucket, cell);
                queue.widen(far);
            } else {
                seen.push(cell.0);
            }
        }
        assert!(seen.is_sorted_by_key(|cell| cell / 50));
        seen.sort_unstable();
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }
}
