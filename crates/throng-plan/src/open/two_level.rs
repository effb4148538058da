//! A two-level bucket queue: the open list of searches whose priorities never fall but may rise by much.

/// Priorities a window: buckets of the near level.
const NEAR_BUCKETS: usize = 8192;

/// Windows, round and round.
const FAR_BUCKETS: usize = 32_768;

/// The end of a list.
const END: u32 = u32::MAX;

/// Numbers by priority, first the lowest, and of equals the one that came last.
///
/// E. V. Denardo, B. L. Fox: Shortest-route methods: 1. Reaching, pruning, and buckets. Operations Research 27, 1979. The
/// near level has a bucket for each priority of the window that is being emptied, the far level one for each window after
/// it; when a window's turn comes, its bucket is spread over the near level. Push is O(1), pop O(1) and a share of the
/// spreading, which moves each entry once. All lists lie in one pool whose places are used again.
#[derive(Debug)]
pub(crate) struct TwoLevel {
    /// First places of the lists: the near buckets, then the far ones.
    heads: Box<[u32]>,
    /// A bit for each bucket in use.
    used: Box<[u64]>,
    /// A bit for each word of `used` that is not 0.
    words: [u64; 16],
    /// Entries of the near and of the far level.
    len: [usize; 2],
    pool: Vec<Entry>,
    /// First place of the pool that is free again.
    free: u32,
    /// Nothing in the queue has a lower priority.
    least: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    priority: u32,
    id: u32,
    next: u32,
}

impl Default for TwoLevel {
    fn default() -> Self {
        let heads = vec![END; NEAR_BUCKETS + FAR_BUCKETS].into();
        let used = vec![0; (NEAR_BUCKETS + FAR_BUCKETS) / 64].into();
        Self { heads, used, words: [0; 16], len: [0; 2], pool: Vec::new(), free: END, least: 0 }
    }
}

impl TwoLevel {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.heads) + size_of_val(&*self.used) + self.pool.capacity() * size_of::<Entry>()
    }

    /// Empties the queue; nothing below `least` will come.
    pub(crate) fn restart(&mut self, least: u32) {
        for (group, words) in self.words.iter_mut().enumerate() {
            while *words != 0 {
                let word = group * 64 + words.trailing_zeros() as usize;
                *words &= *words - 1;
                while self.used[word] != 0 {
                    self.heads[word * 64 + self.used[word].trailing_zeros() as usize] = END;
                    self.used[word] &= self.used[word] - 1;
                }
            }
        }
        self.len = [0; 2];
        self.pool.clear();
        self.free = END;
        self.least = least;
    }

    /// Adds a number; its priority is at least that of the last one popped, and less than `FAR_BUCKETS` windows above it.
    #[inline]
    pub(crate) fn push(&mut self, priority: u32, id: u32) {
        debug_assert!(priority >= self.least && ((priority - self.least) as usize) < (FAR_BUCKETS - 1) * NEAR_BUCKETS);
        let mut place = self.free;
        let entry = Entry { priority, id, next: END };
        if let Some(free) = self.pool.get_mut(place as usize) {
            self.free = free.next;
            *free = entry;
        } else {
            place = self.pool.len() as u32;
            self.pool.push(entry);
        }
        self.link(place);
    }

    /// Takes a number of the lowest priority.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.len[0] == 0 && !self.spread() {
            return None;
        }
        let bucket = self.next(0, NEAR_BUCKETS, self.least as usize % NEAR_BUCKETS);
        let place = self.heads[bucket];
        let entry = &mut self.pool[place as usize];
        let Entry { priority, id, next } = *entry;
        entry.next = self.free;
        self.free = place;
        self.len[0] -= 1;
        self.behead(bucket, next);
        self.least = priority;
        Some((priority, id))
    }

    /// Puts a place of the pool before the list of its bucket.
    #[inline]
    fn link(&mut self, place: u32) {
        let entry = &mut self.pool[place as usize];
        let window = entry.priority as usize / NEAR_BUCKETS;
        let is_far = window != self.least as usize / NEAR_BUCKETS;
        // Chosen without a branch: it cannot be guessed.
        let bucket = if is_far { NEAR_BUCKETS + window % FAR_BUCKETS } else { entry.priority as usize % NEAR_BUCKETS };
        self.len[usize::from(is_far)] += 1;
        self.used[bucket / 64] |= 1 << (bucket % 64);
        self.words[bucket / 4096] |= 1 << (bucket / 64 % 64);
        entry.next = std::mem::replace(&mut self.heads[bucket], place);
    }

    /// Makes the next window that is in use the near one; false where there is none.
    #[cold]
    fn spread(&mut self) -> bool {
        if self.len[1] == 0 {
            return false;
        }
        let window = self.least as usize / NEAR_BUCKETS;
        let bucket = self.next(NEAR_BUCKETS, FAR_BUCKETS, window % FAR_BUCKETS);
        let ahead = (bucket - NEAR_BUCKETS).wrapping_sub(window) % FAR_BUCKETS;
        self.least = ((window + ahead) * NEAR_BUCKETS) as u32;
        // The list is turned round first, so that of equals the one that came last is on top again.
        let (mut place, mut turned) = (self.heads[bucket], END);
        while let Some(entry) = self.pool.get_mut(place as usize) {
            (place, turned, entry.next) = (entry.next, place, turned);
            self.len[1] -= 1;
        }
        self.behead(bucket, END);
        while let Some(entry) = self.pool.get(turned as usize) {
            let next = entry.next;
            self.link(turned);
            turned = next;
        }
        true
    }

    /// The next bucket in use of the level of `count` buckets after `first`, from the `from`th on and round.
    #[inline]
    fn next(&self, first: usize, count: usize, from: usize) -> usize {
        let from = first + from;
        let mut word = from / 64;
        let mut bits = self.used[word] & (u64::MAX << (from % 64));
        if bits == 0 {
            let mut group = word / 64;
            let mut words = self.words[group] & (u64::MAX - 1) << (word % 64);
            while words == 0 {
                group += 1;
                if group == (first + count) / 4096 {
                    group = first / 4096;
                }
                words = self.words[group];
            }
            word = group * 64 + words.trailing_zeros() as usize;
            bits = self.used[word];
        }
        word * 64 + bits.trailing_zeros() as usize
    }

    /// Takes the first place off the list of a bucket; `next` is the one after.
    #[inline]
    fn behead(&mut self, bucket: usize, next: u32) {
        self.heads[bucket] = next;
        let bits = &mut self.used[bucket / 64];
        *bits &= !(u64::from(next == END) << (bucket % 64));
        self.words[bucket / 4096] &= !(u64::from(*bits == 0) << (bucket / 64 % 64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a sorted list: lowest first, of equals the last.
        #[test]
        fn pops_the_lowest_and_of_equals_the_last(
            steps in prop::collection::vec((prop_oneof![0_u32..9, 0_u32..20_000, 0_u32..200_000_000], prop::bool::weighted(0.6)), 1..400),
        ) {
            let mut queue = TwoLevel::default();
            for start in [7, 100_000] {
                queue.restart(start);
                let mut oracle = Vec::new();
                let mut least = start;
                for (i, &(rise, push)) in steps.iter().enumerate() {
                    if push {
                        let priority = least + rise;
                        queue.push(priority, i as u32);
                        oracle.push((priority, i as u32));
                    } else {
                        let lowest = oracle.iter().map(|&(priority, _)| priority).min();
                        let expected = lowest.and_then(|lowest| oracle.iter().rposition(|&(p, _)| p == lowest)).map(|i| oracle.remove(i));
                        prop_assert_eq!(queue.pop(), expected);
                        least = expected.map_or(least, |(priority, _)| priority);
                    }
                    // All in all no priority may come that does not fit.
                    if least > 3_000_000_000 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn the_pool_is_no_longer_than_the_queue_was() {
        let mut queue = TwoLevel::default();
        queue.restart(0);
        for i in 0..10_000 {
            queue.push(i * 1000, i);
            assert_eq!(queue.pop(), Some((i * 1000, i)));
        }
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.pool.len(), 1);
    }
}
