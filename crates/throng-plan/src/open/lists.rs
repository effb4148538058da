//! Lists of cells by bucket, in one pool: the parts of the bucket queues.

use throng_grid::Cell;

/// Buckets of a queue.
pub(super) const BUCKETS: usize = 8192;

/// The end of a list.
const END: u32 = u32::MAX;

/// A list of cells for each bucket, the last cell first, with a bitmap of the buckets in use.
///
/// All lists lie in one pool whose places are used again, so that the pool is no longer than all lists together ever were.
/// Pushing and popping are O(1) and compare nothing; emptying touches the buckets in use and no others.
#[derive(Debug)]
pub(super) struct BucketLists {
    head: Box<[u32; BUCKETS]>,
    used: Box<[u64; BUCKETS / 64]>,
    pool: Vec<Entry>,
    /// First place of the pool that is free again.
    free: u32,
    len: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: Cell,
    next: u32,
}

impl Default for BucketLists {
    #[expect(clippy::large_stack_arrays, reason = "32 KiB, once a thread")]
    fn default() -> Self {
        Self { head: Box::new([END; BUCKETS]), used: Box::new([0; BUCKETS / 64]), pool: Vec::new(), free: END, len: 0 }
    }
}

impl BucketLists {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.head) + size_of_val(&*self.used) + self.pool.capacity() * size_of::<Entry>()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Places that the pool has.
    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        self.pool.len()
    }

    /// Puts a cell before the others of its bucket.
    #[inline]
    pub(super) fn push(&mut self, bucket: usize, cell: Cell) {
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

    /// Takes the first cell of the next bucket in use from the word of `start` on, and round; something must be there,
    /// and nothing in that word before `start`.
    #[inline]
    pub(super) fn pop(&mut self, start: usize) -> (usize, Cell) {
        let mut word = start / 64;
        let mut bits = self.used[word];
        while bits == 0 {
            word = (word + 1) % (BUCKETS / 64);
            bits = self.used[word];
        }
        let bucket = word * 64 + bits.trailing_zeros() as usize;
        self.len -= 1;
        let place = self.head[bucket];
        let entry = &mut self.pool[place as usize];
        let Entry { cell, next } = *entry;
        entry.next = self.free;
        self.free = place;
        self.head[bucket] = next;
        // No branch: whether a list ends here cannot be predicted.
        self.used[word] &= !(u64::from(next == END) << (bucket % 64));
        (bucket, cell)
    }

    /// Takes all cells, those of the lowest bucket first.
    pub(super) fn drain(&mut self, mut take: impl FnMut(Cell)) {
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
        self.forget();
    }

    /// Empties all lists.
    pub(super) fn clear(&mut self) {
        for (word, bits) in self.used.iter_mut().enumerate().filter(|_| self.len > 0) {
            while *bits != 0 {
                self.head[word * 64 + bits.trailing_zeros() as usize] = END;
                *bits &= *bits - 1;
            }
        }
        self.forget();
    }

    fn forget(&mut self) {
        self.pool.clear();
        self.free = END;
        self.len = 0;
    }

    /// Spreads the cells of one bucket, while all others are empty: `bucket` tells where each goes.
    pub(super) fn spread(&mut self, from: usize, bucket: impl Fn(Cell) -> usize) {
        let mut place = std::mem::replace(&mut self.head[from], END);
        self.used[from / 64] = 0;
        while place != END {
            let Entry { cell, next } = self.pool[place as usize];
            let bucket = bucket(cell);
            self.used[bucket / 64] |= 1 << (bucket % 64);
            self.pool[place as usize].next = self.head[bucket];
            self.head[bucket] = place;
            place = next;
        }
    }
}
