//! Open lists: what is to be expanded, in the order of its priority.
//!
//! | list | order | for priorities that |
//! |---|---|---|
//! | [`Buckets`] | exact, of equals the last | never fall, and rise by less than a window |
//! | [`TwoLevel`] | exact, of equals the last | never fall, and rise by more |
//! | [`Coarse`] | by ranges, of one range the last | fall too, where their order need not be exact |
//! | [`Heap`] | exact, of equals the smaller cell | fall too |
//! | [`Fifo`] | as they came | – |

mod bucket;
mod coarse;
mod fifo;
mod heap;
mod lists;
mod two_level;

pub(crate) use bucket::Buckets;
pub(crate) use coarse::{Coarse, LAST_BUCKET};
pub(crate) use fifo::Fifo;
pub(crate) use heap::Heap;
pub(crate) use two_level::TwoLevel;

use crate::memory::SearchMemory;
use throng_grid::Cell;

/// An open list.
pub(crate) trait OpenList: SearchMemory + Default {
    /// The order of the cells, lowest first.
    type Priority: Copy;

    /// Holds this cell and no other.
    fn restart(&mut self, priority: Self::Priority, cell: Cell);

    /// Adds a cell; it may be in the queue already.
    fn push(&mut self, priority: Self::Priority, cell: Cell);

    /// Takes a cell of the lowest priority.
    fn pop(&mut self) -> Option<(Self::Priority, Cell)>;

    /// Gives the cell back that was taken last: it comes first again.
    fn put_back(&mut self, priority: Self::Priority, cell: Cell) {
        self.push(priority, cell);
    }
}
