//! Open lists: nodes to expand, in the order of their priority.
//!
//! | list | order | for priorities that |
//! |---|---|---|
//! | [`Buckets`] | exact, of equals the last | never fall, and rise by less than a window |
//! | [`TwoLevel`] | exact, of equals the last | never fall, and rise by more |
//! | [`Coarse`] | by ranges, of one range the last | fall too, where their order need not be exact |
//! | [`Heap`] | exact, of equals the smaller cell | fall too |
//! | `RankHeap` | exact, of equals the smaller node | fall too, and are longer than 8 bytes: on graphs |
//! | [`Fifo`] | as they came | – |

mod bucket;
mod coarse;
mod fifo;
mod heap;
mod lists;
mod open_list;
#[cfg(feature = "petgraph")]
mod rank_heap;
mod two_level;

pub(crate) use bucket::Buckets;
pub(crate) use coarse::{Coarse, LAST_BUCKET};
pub(crate) use fifo::Fifo;
pub(crate) use heap::Heap;
pub(crate) use open_list::OpenList;
#[cfg(feature = "petgraph")]
pub(crate) use rank_heap::{Rank, RankHeap};
pub(crate) use two_level::TwoLevel;
