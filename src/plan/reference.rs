//! A* and Dijkstra of the `pathfinding` crate, to compare with.

use super::moves::{General, Moves, Plain, START};
use super::search::begin;
use super::{
    Capabilities, Capability, Cost, Guarantee, Octile, Outcome, Path, PlanError, Planner, Progress, Query, Scratch,
    Status,
};
use crate::grid::{Cell, Ground};
use std::cell::RefCell;

/// A* of the `pathfinding` crate, with the octile estimate.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(n log n) for n cells seen; a hash map of nodes is made anew for each query.
/// - **Ties**: those of the crate, of equal f the deepest cell first; the same on every machine.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. It does look at the query's
///   limits and cancel switch. The [`Scratch`] holds the route and no trace.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{AStar, Octile, Path, PathfindingAStar, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let theirs = plan(&PathfindingAStar, &ground, &query, &mut scratch, &mut path)?;
/// let ours = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!(theirs.cost, ours.cost);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathfindingAStar;

/// Dijkstra's algorithm of the `pathfinding` crate.
///
/// As [`PathfindingAStar`], without the estimate: a cheapest route (bound 1), O(n log n), cannot be paused, no trace.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{Path, PathfindingDijkstra, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(3, 2));
/// let mut path = Path::default();
/// plan(&PathfindingDijkstra, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathfindingDijkstra;

impl Planner for PathfindingAStar {
    fn name(&self) -> &'static str {
        "pathfinding-astar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |estimate, successors, success| {
            pathfinding::prelude::astar(&query.from, successors, estimate, success)
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}

impl Planner for PathfindingDijkstra {
    fn name(&self) -> &'static str {
        "pathfinding-dijkstra"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |_, successors, success| {
            pathfinding::prelude::dijkstra(&query.from, successors, success)
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}

/// What the reference planners can do: they take their steps from the same place as ours.
const CAN: &[Capability] = &[
    Capability::FourNeighbours,
    Capability::CutCorners,
    Capability::Terrain,
    Capability::Links,
    Capability::Radius,
    Capability::GoalSets,
];

type Estimated<'a> = &'a dyn Fn(&Cell) -> Cost;
type Successors<'a> = &'a mut dyn FnMut(&Cell) -> Vec<(Cell, Cost)>;
type Success<'a> = &'a mut dyn FnMut(&Cell) -> bool;

/// Runs one of the crate's searches to its end, over the moves that suit ground and query.
fn advance(
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    run: impl Fn(Estimated, Successors, Success) -> Option<(Vec<Cell>, Cost)>,
) -> Progress {
    let target = std::mem::take(&mut scratch.target);
    let progress = if Plain::fits(ground, query, &target) {
        run_to_end(&Plain::new(ground, target.first()), query, scratch, run)
    } else {
        run_to_end(&General::<Octile>::new(ground, query, &target), query, scratch, run)
    };
    scratch.target = target;
    progress
}

/// Runs one of the crate's searches to its end.
///
/// The crate's searches end on the cell that satisfies a test. So a limit or the cancel switch ends one by satisfying it;
/// the route to the expanded cell nearest to the goal then comes from a second run, which does the same up to that cell.
fn run_to_end(
    moves: &impl Moves,
    query: &Query,
    scratch: &mut Scratch,
    run: impl Fn(Estimated, Successors, Success) -> Option<(Vec<Cell>, Cost)>,
) -> Progress {
    if let Some(outcome) = scratch.outcome {
        return Progress::Done(outcome);
    }
    let estimate = |cell: &Cell| Cost::from(moves.estimate(*cell));
    let successors = |cell: Cell| {
        let mut steps = Vec::with_capacity(8);
        moves.each(cell, START, |to, cost, _| steps.push((to, cost.into())));
        steps
    };
    // Written by the successors, read by the test.
    let tally = RefCell::new(std::mem::take(&mut scratch.tally));
    let mut stopped = None;
    let found = run(
        &estimate,
        &mut |&cell| {
            tally.borrow_mut().expand(cell, moves.estimate(cell));
            successors(cell)
        },
        &mut |&cell| {
            let expanded = tally.borrow().expanded;
            if !moves.is_goal(cell)
                && expanded.is_multiple_of(1024)
                && query.cancel.as_ref().is_some_and(super::Cancel::is_cancelled)
            {
                stopped = Some(Status::Cancelled);
            } else if !moves.is_goal(cell) && expanded >= query.limits.expansions {
                stopped = Some(Status::Partial);
            }
            moves.is_goal(cell) || stopped.is_some()
        },
    );
    scratch.tally = tally.into_inner();
    let nearest = scratch.tally.nearest.map_or(query.from, |(_, cell)| cell);
    let (status, found) = match stopped {
        Some(Status::Partial) => {
            (Status::Partial, run(&estimate, &mut |&cell| successors(cell), &mut |&cell| cell == nearest))
        }
        Some(status) => (status, None),
        None => (if found.is_some() { Status::Found } else { Status::NoRoute }, found),
    };
    let (route, cost) = found.unwrap_or_default();
    let status = if status == Status::Found && moves.is_short_of_goal() { Status::Partial } else { status };
    scratch.route = route;
    let outcome = Outcome { status, cost, bound: 1.0, expanded: scratch.tally.expanded };
    scratch.outcome = Some(outcome);
    Progress::Done(outcome)
}
