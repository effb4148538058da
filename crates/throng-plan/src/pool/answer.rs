//! What a pool hands out.

use super::{Request, Ticket};
use crate::{Outcome, PlanError};
use throng_grid::Cell;

/// Whether an answer is the last one to its request.
///
/// See [`Answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerKind {
    /// A route to set out on; a better one, or the rest of it, follows.
    Interim,
    /// The last answer.
    Final,
}

/// An answer that [`Pool::deliver`](super::Pool::deliver) hands out.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Ara, Pool, Query, Request, AnswerKind};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(60, 40));
/// let mut pool = Pool::new(1)?;
/// pool.ask(Request::new(Arc::new(Ara::default()), ground, query));
/// let mut kinds = Vec::new();
/// pool.deliver(u64::MAX, |answer| kinds.push((answer.kind, answer.result.is_ok())));
/// assert_eq!(kinds.last(), Some(&(AnswerKind::Final, true)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// The ticket that [`Pool::ask`](super::Pool::ask) returned.
    pub ticket: Ticket,
    /// The request.
    pub request: &'a Request,
    /// Whether more follows.
    pub kind: AnswerKind,
    /// How the search ended, or the route that it has so far.
    pub result: Result<Outcome, PlanError>,
    /// The cells at which the route changes direction, start and goal included; empty where there is no route.
    pub turns: &'a [Cell],
}
