//! The loop that all best-first searches share.

use super::engine::{Halt, best_first};
use super::estimate::{Estimate, Octile};
use super::goal_set::check;
use super::grid_domain::GridDomain;
use super::open::{Buckets, Heap, OpenList};
use super::requirements::require;
use super::scratch::{Scratch, SearchState};
use super::successors::{Canonical, General, LINK, Plain, START, Successors};
use super::{Cost, Outcome, Path, PlanError, Planner, Progress, Query, Rank, Status};
use std::any::TypeId;
use throng_grid::{Cell, Ground};

/// Expansions between two looks at the cancel switch.
pub(super) const CANCEL_CHECK_EXPANSIONS: u64 = 1024;

impl Scratch {
    /// Starts a search: forgets the last one, checks the query, and finds the goals that can be reached from the start.
    /// Every planner calls it in [`Planner::begin`]. `false` where no goal can be reached, so that the answer is
    /// [`Status::NoRoute`] without a search.
    ///
    /// # Errors
    /// Where the planner lacks a capability that the query needs, or the start or the goal is off the map or closed.
    pub fn begin(&mut self, planner: &dyn Planner, ground: &Ground, query: &Query) -> Result<bool, PlanError> {
        begin(planner, ground, query, self)
    }
}

/// Starts a search in `scratch`, the queue apart: `true` where there is something to search, `false` where no goal lies
/// in a region that can be reached, so that the answer is known.
///
/// # Errors
/// Where the planner lacks a capability that the query needs, or the start or the goal is off the map or closed.
pub(super) fn begin(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<bool, PlanError> {
    scratch.reset(ground.lattice());
    if !(query.radius.is_finite() && query.radius >= 0.0) {
        return Err(PlanError::Radius { radius: query.radius });
    }
    require(planner, ground, query)?;
    check(ground, "start", query.from, query.radius)?;
    if !scratch.goals.resolve(ground, query)? {
        scratch.state.outcome = Some(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 0 });
        return Ok(false);
    }
    scratch.state.nodes.start(query.from);
    Ok(true)
}

/// True where one step raises the cost and the estimate by no more than [`Buckets`](super::open::Buckets) allow.
pub(super) fn buckets_fit(ground: &Ground) -> bool {
    ground.is_uniform() && ground.links().is_empty()
}

/// Starts a search that expands cells in the order of `rank(g, h)`, where that never falls along a route: A* and
/// Dijkstra's algorithm.
///
/// # Errors
/// As [`begin`].
pub(super) fn begin_exact<E: Estimate>(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    rank: impl Fn(u32, u32) -> u64,
) -> Result<(), PlanError> {
    if begin(planner, ground, query, scratch)? {
        let first = rank(0, General::<E>::new(ground, query, &scratch.goals).estimate(query.from));
        if buckets_fit(ground) {
            scratch.memory::<Buckets>().restart(first as u32, query.from);
        } else {
            scratch.memory::<Heap>().restart(first, query.from);
        }
    }
    Ok(())
}

/// Goes on with a search that [`begin_exact`] started with the same rank.
pub(super) fn advance_exact<E: Estimate>(
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    rank: impl Fn(u32, u32) -> u64,
    expansions: u64,
) -> Progress {
    let Scratch { goals, state, memories } = scratch;
    // A wide body's way may cost more than was checked for the ground's own.
    let in_bucket = |g: u32, h: u32| rank(g, h).min(u64::from(u32::MAX)) as u32;
    if TypeId::of::<E>() == TypeId::of::<Octile>() && Plain::fits(ground, query, goals) {
        let moves = Canonical(Plain::new(ground, goals.first()));
        let rank = |g: u32, h: u32| rank(g, h) as u32;
        return advance(state, memories.of::<Buckets>(), query, &moves, rank, 1.0, expansions);
    }
    let moves = General::<E>::new(ground, query, goals);
    if buckets_fit(ground) {
        advance(state, memories.of::<Buckets>(), query, &moves, in_bucket, 1.0, expansions)
    } else {
        advance(state, memories.of::<Heap>(), query, &moves, rank, 1.0, expansions)
    }
}

/// Goes on with a best-first search in the order of `priority(g, h)` for up to `expansions` nodes.
pub(super) fn advance<Q: OpenList>(
    state: &mut SearchState,
    open: &mut Q,
    query: &Query,
    moves: &impl Successors,
    priority: impl Fn(u32, u32) -> Q::Priority,
    bound: f64,
    expansions: u64,
) -> Progress {
    drive(state, query, moves.reached(), bound, expansions, |state, stop| {
        let Ok(halt) = best_first(&mut GridDomain::new(moves, query, state), open, &priority, stop);
        halt
    })
}

/// Goes on with a search in stretches, for up to `expansions` nodes or as far as its limits go, and says how it ended.
/// Before each stretch it looks at the cancel switch. Coming to the goal means `reached`. `run` searches until
/// `counters.expanded` is what it is given.
pub(super) fn drive(
    state: &mut SearchState,
    query: &Query,
    reached: Status,
    bound: f64,
    expansions: u64,
    mut run: impl FnMut(&mut SearchState, u64) -> Halt,
) -> Progress {
    let limit = query.limits.expansions;
    let end = state.counters.expanded.saturating_add(expansions).min(limit);
    while state.outcome.is_none() {
        let expanded = state.counters.expanded;
        let cancelled = query.cancel.as_ref().is_some_and(super::Cancel::is_cancelled);
        let halt = (!cancelled).then(|| run(state, end.min(expanded.saturating_add(CANCEL_CHECK_EXPANSIONS))));
        let expanded = state.counters.expanded;
        let (status, end, rest) = match halt {
            Some(Halt::Goal(cell)) => (reached, Some(cell), 0),
            Some(Halt::Met { cell, rest }) => (reached, Some(cell), rest.into()),
            Some(Halt::Exhausted) => (Status::NoRoute, None, 0),
            Some(Halt::Stop) if expanded >= limit => (Status::Partial, Some(state.counters.nearest_or(query.from)), 0),
            Some(Halt::Stop) if expanded >= end => return Progress::Running,
            Some(Halt::Stop) => continue,
            None => (Status::Cancelled, None, 0),
        };
        let cost = end.and_then(|cell| state.nodes.of(cell)).map_or(0, |node| Cost::from(node.g()) + rest);
        state.end = end;
        state.outcome = Some(Outcome { status, cost, bound, expanded });
    }
    state.outcome.map_or(Progress::Running, Progress::Done)
}

/// The estimate of a cell that the search has come to from the start, and its rank by `f(g, h)`.
pub(super) fn rank<E: Estimate>(
    ground: &Ground,
    query: &Query,
    scratch: &Scratch,
    cell: Cell,
    f: impl FnOnce(f64, f64) -> f64,
) -> Option<Rank> {
    let g = scratch.cost(cell)?;
    let h = Cost::from(General::<E>::new(ground, query, &scratch.goals).estimate(cell));
    Some(Rank { h, f: f(g as f64, h as f64) })
}

/// Writes the way by which the start's side of a search came to a cell; none where it did not.
pub(super) fn way_to(ground: &Ground, scratch: &Scratch, mut cell: Cell, path: &mut Path) {
    path.cells.clear();
    if scratch.state.nodes.of(cell).is_none() {
        return;
    }
    let offsets = ground.lattice().offsets();
    path.cells.push(cell);
    loop {
        cell = match scratch.state.nodes.incoming_step(cell) {
            START => break,
            LINK.. => ground.links().all()[usize::from(scratch.state.nodes.incoming_step(cell) - LINK)].from,
            step => Cell(cell.0.wrapping_add_signed(-offsets[usize::from(step) % 8])),
        };
        path.cells.push(cell);
    }
    path.cells.reverse();
}
