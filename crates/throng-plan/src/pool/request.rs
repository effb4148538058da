//! A trip that a pool is asked for.

use super::Priority;
use crate::{Planner, Query};
use std::sync::Arc;
use throng_grid::Ground;

/// A trip that a [`Pool`](super::Pool) is asked for.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Pool, Priority, Query, Request};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?);
/// let at = |x, y| ground.lattice().cell(x, y);
/// let request = |to| Request::new(Arc::new(AStar(Octile)), ground.clone(), Query::new(at(1, 1), to));
/// let mut pool = Pool::new(1)?;
/// let first = pool.ask(request(at(9, 3)));
/// let urgent = pool.ask(Request { priority: Priority::High, ..request(at(3, 9)) });
/// let mut answered = Vec::new();
/// pool.deliver(u64::MAX, |answer| answered.push(answer.ticket));
/// assert_eq!(answered, [urgent, first]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The planner that searches.
    pub planner: Arc<dyn Planner>,
    /// Where.
    pub ground: Arc<Ground>,
    /// From where to where.
    pub query: Query,
    /// How soon.
    pub priority: Priority,
}

impl Request {
    /// A request of normal priority.
    pub fn new(planner: Arc<dyn Planner>, ground: Arc<Ground>, query: Query) -> Self {
        Self { planner, ground, query, priority: Priority::Normal }
    }

    /// True where one search answers both. A query that can be cancelled from outside has a search of its own.
    pub(super) fn asks_the_same(&self, other: &Self) -> bool {
        let key = |query: &Query| (query.from, query.goal.clone(), query.radius, query.limits.expansions);
        Arc::ptr_eq(&self.planner, &other.planner)
            && Arc::ptr_eq(&self.ground, &other.ground)
            && self.query.cancel.is_none()
            && other.query.cancel.is_none()
            && key(&self.query) == key(&other.query)
    }
}
