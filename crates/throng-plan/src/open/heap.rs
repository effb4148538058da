//! A 4-ary heap: the open list of searches whose priorities may fall.

use super::OpenList;
use crate::memory::SearchMemory;
use throng_grid::Cell;

/// Cells by priority, first the lowest, and of equals the one with the smaller number.
///
/// Four children a node make the heap half as deep as a binary one. Push O(log n), pop O(log n). The order of the cells
/// that come out depends on the entries alone, not on the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    entries: Vec<(u64, Cell)>,
}

impl Heap {
    /// Empties the queue.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// The content of the queue, in no particular order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, Cell)> {
        self.entries.iter().copied()
    }
}

impl SearchMemory for Heap {
    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(u64, Cell)>()
    }
}

impl OpenList for Heap {
    type Priority = u64;

    fn restart(&mut self, priority: u64, cell: Cell) {
        self.entries.clear();
        self.push(priority, cell);
    }

    #[inline]
    fn push(&mut self, priority: u64, cell: Cell) {
        let entry = (priority, cell);
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, Cell)> {
        let last = self.entries.pop()?;
        let Some(&first) = self.entries.first() else { return Some(last) };
        let entries = self.entries.as_mut_slice();
        let mut hole = 0;
        loop {
            let child = 4 * hole + 1;
            let Some(children) = entries.get(child..entries.len().min(child + 4)) else { break };
            let Some((nearest, &least)) = children.iter().enumerate().min_by_key(|&(_, entry)| entry) else { break };
            if last <= least {
                break;
            }
            entries[hole] = least;
            hole = child + nearest;
        }
        entries[hole] = last;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a sorted list.
        #[test]
        fn pops_by_priority_then_cell(steps in prop::collection::vec((0_u64..20, 0_u32..20, prop::bool::weighted(0.6)), 1..300)) {
            let mut queue = Heap::default();
            let mut oracle = std::collections::BinaryHeap::new();
            for (priority, cell, push) in steps {
                if push {
                    queue.push(priority, Cell(cell));
                    oracle.push(std::cmp::Reverse((priority, Cell(cell))));
                } else {
                    prop_assert_eq!(queue.pop(), oracle.pop().map(|entry| entry.0));
                }
            }
        }
    }
}
