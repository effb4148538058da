//! The loop that all best-first searches share.

use super::moves::{Moves, START};
use super::scratch::{Nodes, Scratch, Tally};
use super::{Goal, Outcome, Path, PlanError, Progress, Query, Status};
use crate::grid::{Cell, Ground};

/// An open list.
pub(super) trait Queue {
    /// The order of the cells, lowest first.
    type Priority: Copy;

    /// Holds this cell and no other.
    fn restart(&mut self, priority: Self::Priority, cell: Cell);

    /// Adds a cell; it may be in the queue already.
    fn push(&mut self, priority: Self::Priority, cell: Cell);

    /// Takes a cell of the lowest priority.
    fn pop(&mut self) -> Option<(Self::Priority, Cell)>;
}

/// Why [`expand`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    /// The goal has the lowest priority.
    Goal,
    /// Nothing is open.
    Exhausted,
    /// As many nodes are expanded as were asked for.
    Stop,
}

/// Expansions between two looks at the cancel switch.
const SLICE: u64 = 1024;

/// The cell that the query wants to reach.
pub(super) fn goal(query: &Query) -> Cell {
    let Goal::Cell(cell) = query.goal;
    cell
}

/// Starts a search in `scratch`, the queue apart: `true` where there is something to search, `false` where the goal lies
/// in another region and the answer is known.
///
/// # Errors
/// Where the start or the goal is off the map or closed.
pub(super) fn begin(ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<bool, PlanError> {
    scratch.reset(ground.lattice());
    let (from, to) = (query.from, goal(query));
    check(ground, "start", from)?;
    check(ground, "goal", to)?;
    if ground.region(from) != ground.region(to) {
        scratch.outcome = Some(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 0 });
        return Ok(false);
    }
    scratch.nodes.start(from);
    Ok(true)
}

pub(super) fn check(ground: &Ground, end: &'static str, cell: Cell) -> Result<(), PlanError> {
    if !ground.lattice().contains(cell) {
        return Err(PlanError::OffMap { end });
    }
    if !ground.is_passable(cell) {
        let (x, y) = ground.lattice().column_row(cell);
        return Err(PlanError::Closed { end, x, y });
    }
    Ok(())
}

/// Goes on with a search over one of the queues of `scratch` for up to `expansions` nodes.
pub(super) fn advance<Q: Queue>(
    scratch: &mut Scratch,
    queue: impl Fn(&mut Scratch) -> (&mut Nodes, &mut Q, &mut Tally),
    query: &Query,
    moves: &impl Moves,
    priority: impl Fn(u32, Cell) -> Q::Priority,
    bound: f64,
    expansions: u64,
) -> Progress {
    let goal = goal(query);
    let limit = query.limits.expansions;
    let end = scratch.tally.expanded.saturating_add(expansions).min(limit);
    while scratch.outcome.is_none() {
        let expanded = scratch.tally.expanded;
        let halt = if query.cancel.as_ref().is_some_and(super::Cancel::is_cancelled) {
            None
        } else {
            let (nodes, open, tally) = queue(scratch);
            let stop = end.min(expanded.saturating_add(SLICE));
            Some(expand(moves, &priority, goal, limit != u64::MAX, nodes, open, tally, stop))
        };
        let expanded = scratch.tally.expanded;
        let (status, end) = match halt {
            Some(Halt::Goal) => (Status::Found, Some(goal)),
            Some(Halt::Exhausted) => (Status::NoRoute, None),
            Some(Halt::Stop) if expanded >= limit => {
                (Status::Partial, Some(scratch.tally.nearest.map_or(query.from, |(_, cell)| cell)))
            }
            Some(Halt::Stop) if expanded >= end => return Progress::Running,
            Some(Halt::Stop) => continue,
            None => (Status::Cancelled, None),
        };
        let cost = end.and_then(|cell| scratch.cost(cell)).unwrap_or(0);
        scratch.end = end;
        scratch.outcome = Some(Outcome { status, cost, bound, expanded });
    }
    scratch.outcome.map_or(Progress::Running, Progress::Done)
}

/// Expands nodes, those of the lowest priority first, until `tally.expanded` is `stop`.
///
/// A cell to which a better way is found is queued once more; the older entry comes out later and is dropped, since the
/// cell is closed by then.
#[expect(clippy::too_many_arguments)]
fn expand<Q: Queue>(
    moves: &impl Moves,
    priority: &impl Fn(u32, Cell) -> Q::Priority,
    goal: Cell,
    limited: bool,
    nodes: &mut Nodes,
    open: &mut Q,
    tally: &mut Tally,
    stop: u64,
) -> Halt {
    while let Some((rank, cell)) = open.pop() {
        let Some(node) = nodes.close(cell) else { continue };
        if cell == goal {
            return Halt::Goal;
        }
        if tally.expanded == stop {
            nodes.reopen(cell);
            open.push(rank, cell);
            return Halt::Stop;
        }
        if limited {
            tally.expand(cell, moves.estimate(cell));
        } else {
            tally.expanded += 1;
        }
        moves.each(cell, node.arrival(), |to, cost, arrival| {
            let Some(g) = node.g().checked_add(cost) else { return };
            if nodes.improve(to, g, arrival) {
                open.push(priority(g, to), to);
            }
        });
    }
    Halt::Exhausted
}

/// Writes the cells of the route that a search in `scratch` has found.
pub(super) fn path(ground: &Ground, scratch: &Scratch, path: &mut Path) {
    path.cells.clear();
    let Some(mut cell) = scratch.end else { return };
    let offsets = ground.lattice().offsets();
    path.cells.push(cell);
    loop {
        let arrival = scratch.nodes.arrival(cell);
        if arrival == START {
            break;
        }
        cell = Cell(cell.0.wrapping_add_signed(-offsets[usize::from(arrival) % 8]));
        path.cells.push(cell);
    }
    path.cells.reverse();
}
