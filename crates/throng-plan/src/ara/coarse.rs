//! A coarse bucket queue: the open list of searches in rounds, whose priorities may fall.

use crate::Cell;

/// Buckets, each for a range of priorities.
const BUCKETS: usize = 8192;

/// The bucket of all priorities that lie beyond the others.
pub(crate) const LAST: u32 = BUCKETS as u32 - 1;

/// The end of a list.
const END: u32 = u32::MAX;

/// Cells by the bucket of their priority, first the lowest, and of one bucket the cell that came last.
///
/// A bucket holds 2^shift priorities, so that all that may come fit; [`Coarse::widen`] makes room for more. Push is O(1),
/// pop too but for a look at the bitmap of the buckets in use. Each bucket is a list in one pool whose places are used
/// again.
#[derive(Debug)]
pub(crate) struct Coarse {
    head: Box<[u32; BUCKETS]>,
    used: Box<[u64; BUCKETS / 64]>,
    pool: Vec<Entry>,
    /// First place of the pool that is free again.
    free: u32,
    /// The lowest priority.
    base: u64,
    shift: u32,
    /// No cell but `top` is in a lower bucket.
    least: u32,
    len: u32,
    /// The cell that came last, where no other is in a lower bucket: the next to go.
    top: Option<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: Cell,
    next: u32,
}

impl Default for Coarse {
    #[expect(clippy::large_stack_arrays, reason = "32 KiB, once a thread")]
    fn default() -> Self {
        Self {
            head: Box::new([END; BUCKETS]),
            used: Box::new([0; BUCKETS / 64]),
            pool: Vec::new(),
            free: END,
            base: 0,
            shift: 0,
            least: LAST,
            len: 0,
            top: None,
        }
    }
}

impl Coarse {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.head) + size_of_val(&*self.used) + self.pool.capacity() * size_of::<Entry>()
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
        ((priority - self.base) >> self.shift).min(u64::from(LAST)) as u32
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
        self.link(place, cell);
    }

    #[inline]
    fn link(&mut self, bucket: u32, cell: Cell) {
        let bucket = bucket as usize % BUCKETS;
        self.used[bucket / 64] |= 1 << (bucket % 64);
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

    /// Takes a cell of the lowest bucket.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, Cell)> {
        if let Some(cell) = self.top.take() {
            return Some((self.least, cell));
        }
        if self.len == 0 {
            self.least = LAST;
            return None;
        }
        let mut word = self.least as usize % BUCKETS / 64;
        let mut bits = self.used[word];
        while bits == 0 {
            word = (word + 1) % (BUCKETS / 64);
            bits = self.used[word];
        }
        let bucket = word * 64 + bits.trailing_zeros() as usize;
        self.least = bucket as u32;
        self.len -= 1;
        let place = self.head[bucket];
        let entry = &mut self.pool[place as usize];
        let Entry { cell, next } = *entry;
        entry.next = self.free;
        self.free = place;
        self.head[bucket] = next;
        self.used[word] &= !(u64::from(next == END) << (bucket % 64));
        Some((self.least, cell))
    }

    /// Makes the buckets eight times as wide, where only the last one has any cells: `priority` tells where they go.
    pub(crate) fn widen(&mut self, priority: impl Fn(Cell) -> u64) {
        self.shift += 3;
        let mut place = std::mem::replace(&mut self.head[LAST as usize], END);
        self.used[LAST as usize / 64] = 0;
        self.least = 0;
        let top = self.top.take();
        while place != END {
            let Entry { cell, next } = self.pool[place as usize];
            let bucket = self.bucket(priority(cell)) as usize;
            self.used[bucket / 64] |= 1 << (bucket % 64);
            self.pool[place as usize].next = self.head[bucket];
            self.head[bucket] = place;
            place = next;
        }
        if let Some(cell) = top {
            self.link(self.bucket(priority(cell)), cell);
        }
    }

    /// Takes all cells, those of the lowest bucket first.
    pub(crate) fn drain(&mut self, mut take: impl FnMut(Cell)) {
        if let Some(cell) = self.top.take() {
            take(cell);
        }
        for (word, bits) in self.used.iter_mut().enumerate().filter(|_| self.len > 0) {
            while *bits != 0 {
                let bucket = word * 64 + bits.trailing_zeros() as usize;
                let mut place = std::mem::replace(&mut self.head[bucket], END);
                while let Some(entry) = self.pool.get(place as usize) {
                    take(entry.cell);
                    place = entry.next;
                }
                *bits &= *bits - 1;
            }
        }
        self.pool.clear();
        self.free = END;
        self.len = 0;
        self.least = LAST;
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
            if bucket == LAST {
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
