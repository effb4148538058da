//! The loop that all best-first searches share.

use super::capabilities::require;
use super::estimate::{Estimate, Octile};
use super::goal_set::check;
use super::nodes::Nodes;
use super::open::{Buckets, Heap, OpenList};
use super::scratch::{Scratch, SearchCounters, SearchState};
use super::successors::{Canonical, General, LINK, Plain, START, Successors};
use super::{Cost, Outcome, Path, PlanError, Planner, Progress, Query, Status};
use std::any::TypeId;
use throng_grid::{Cell, Ground};

/// Why a stretch of a search came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// This cell, a goal, has the lowest priority.
    Goal(Cell),
    /// The searches from both ends have met in this cell, from where the way to the goal costs `rest`.
    Met { cell: Cell, rest: u32 },
    /// Nothing is open.
    Exhausted,
    /// As many nodes are expanded as were asked for.
    Stop,
}

/// Expansions between two looks at the cancel switch.
const SLICE: u64 = 1024;

/// Starts a search in `scratch`, the queue apart: `true` where there is something to search, `false` where no goal lies
/// in a region that can be reached, so that the answer is known.
///
/// # Errors
/// Where the planner cannot do what is asked, or the start or the goal is off the map or closed.
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
    if TypeId::of::<E>() == TypeId::of::<Octile>() && Plain::fits(ground, query, goals) {
        let moves = Canonical(Plain::new(ground, goals.first()));
        let rank = |g: u32, cell: Cell| rank(g, moves.estimate(cell)) as u32;
        return advance(state, memories.of::<Buckets>(), query, &moves, rank, 1.0, expansions);
    }
    let moves = General::<E>::new(ground, query, goals);
    let rank = |g: u32, cell: Cell| rank(g, moves.estimate(cell));
    if buckets_fit(ground) {
        // A wide body's way may cost more than was checked for the ground's own.
        let rank = |g: u32, cell: Cell| rank(g, cell).min(u64::from(u32::MAX)) as u32;
        advance(state, memories.of::<Buckets>(), query, &moves, rank, 1.0, expansions)
    } else {
        advance(state, memories.of::<Heap>(), query, &moves, rank, 1.0, expansions)
    }
}

/// Goes on with a search over an open list for up to `expansions` nodes.
pub(super) fn advance<Q: OpenList>(
    state: &mut SearchState,
    open: &mut Q,
    query: &Query,
    moves: &impl Successors,
    priority: impl Fn(u32, Cell) -> Q::Priority,
    bound: f64,
    expansions: u64,
) -> Progress {
    let limited = query.limits.expansions != u64::MAX;
    drive(state, query, moves.reached(), bound, expansions, |state, stop| {
        expand(moves, &priority, limited, &mut state.nodes, open, &mut state.counters, stop)
    })
}

/// Goes on with a search in stretches, with a look at the cancel switch before each, for up to `expansions` nodes or as
/// far as its limits go, and says how it ended. Coming to the goal means `reached`. `run` searches until `counters.expanded` is what it is given.
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
        let halt = (!cancelled).then(|| run(state, end.min(expanded.saturating_add(SLICE))));
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

/// Expands nodes, those of the lowest priority first, until `counters.expanded` is `stop`.
///
/// A cell to which a better way is found is queued once more; the older entry comes out later and is dropped, since the
/// cell is closed by then.
fn expand<M: Successors, Q: OpenList>(
    moves: &M,
    priority: &impl Fn(u32, Cell) -> Q::Priority,
    limited: bool,
    nodes: &mut Nodes,
    open: &mut Q,
    counters: &mut SearchCounters,
    stop: u64,
) -> Halt {
    while let Some((rank, cell)) = open.pop() {
        let Some(node) = nodes.close(cell) else { continue };
        if moves.is_goal(cell) {
            return Halt::Goal(cell);
        }
        if counters.expanded == stop {
            nodes.reopen(cell);
            open.put_back(rank, cell);
            return Halt::Stop;
        }
        if limited {
            counters.expand(cell, moves.estimate(cell));
        } else {
            counters.expanded += 1;
        }
        moves.each(cell, node.incoming_step(), |to, cost, incoming_step| {
            let Some(g) = node.g().checked_add(cost) else { return };
            if M::FIRST_WAY_STAYS && nodes.is_seen(to) {
                return;
            }
            if nodes.improve(to, g, incoming_step) {
                open.push(priority(g, to), to);
            }
        });
    }
    Halt::Exhausted
}

/// Writes the cells of the route that a search in `scratch` has found.
pub(super) fn path(ground: &Ground, scratch: &Scratch, path: &mut Path) {
    path.cells.clear();
    let Some(mut cell) = scratch.state.end else { return };
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
