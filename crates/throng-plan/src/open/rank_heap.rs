//! A binary heap: the open list of searches over graphs.

use super::OpenList;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two numbers by which nodes are ordered, the first before the second.
pub(crate) type Rank = (u64, u64);

/// Nodes by rank, first the lowest, and of equals the smaller number.
///
/// That of the standard library: for ranks of 16 bytes it takes fewer instructions than the 4-ary [`Heap`](super::Heap),
/// which is for those of 8. Push and pop O(log n).
#[derive(Clone, Debug, Default)]
pub(crate) struct RankHeap(BinaryHeap<Reverse<(u64, u64, u32)>>);

impl RankHeap {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(u64, u64, u32)>()
    }

    /// Entries in the queue.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Empties the queue.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The rank of the first node.
    #[inline]
    pub(crate) fn least(&self) -> Option<Rank> {
        self.0.peek().map(|&Reverse((first, second, _))| (first, second))
    }

    /// The nodes in the queue, in no particular order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|&Reverse((_, _, node))| node)
    }

    /// Gives every node another rank, or drops it where it has none. O(n).
    pub(crate) fn reorder(&mut self, mut rank: impl FnMut(u32) -> Option<Rank>) {
        let mut entries = std::mem::take(&mut self.0).into_vec();
        entries.retain_mut(|Reverse((first, second, node))| rank(*node).map(|new| (*first, *second) = new).is_some());
        self.0 = entries.into();
    }
}

impl OpenList<u32> for RankHeap {
    type Priority = Rank;

    fn restart(&mut self, rank: Rank, node: u32) {
        self.0.clear();
        self.push(rank, node);
    }

    #[inline]
    fn push(&mut self, (first, second): Rank, node: u32) {
        self.0.push(Reverse((first, second, node)));
    }

    #[inline]
    fn pop(&mut self) -> Option<(Rank, u32)> {
        self.0.pop().map(|Reverse((first, second, node))| ((first, second), node))
    }
}
