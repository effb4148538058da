//! A queue in the order of arrival.

use super::OpenList;
use crate::memory::SearchMemory;
use std::collections::VecDeque;
use throng_grid::Cell;

/// Cells in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Fifo(VecDeque<Cell>);

impl SearchMemory for Fifo {
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Cell>()
    }
}

impl OpenList for Fifo {
    type Priority = ();

    fn restart(&mut self, _priority: (), cell: Cell) {
        self.0.clear();
        self.0.push_back(cell);
    }

    #[inline]
    fn push(&mut self, _priority: (), cell: Cell) {
        self.0.push_back(cell);
    }

    #[inline]
    fn pop(&mut self) -> Option<((), Cell)> {
        self.0.pop_front().map(|cell| ((), cell))
    }

    fn put_back(&mut self, _priority: (), cell: Cell) {
        self.0.push_front(cell);
    }
}
