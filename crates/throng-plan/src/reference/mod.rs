//! A*, Dijkstra and fringe search of the `pathfinding` crate, to compare with.

pub(crate) mod petgraph;

use crate::goal_set::GoalSet;
use crate::scratch::SearchCounters;
use crate::search::begin;
use crate::successors::{General, Plain, START, Successors};
use crate::{
    Capabilities, Capability, Cost, Goal, Guarantee, Limits, Octile, Outcome, Path, PlanError, Planner, Progress,
    Query, Scratch, Status,
};
use std::cell::RefCell;
use throng_grid::{Cell, Ground};

/// A* of the `pathfinding` crate, with the octile estimate.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(n log n) for n cells seen; a hash map of nodes is made anew for each query.
/// - **Ties**: those of the crate, of equal f the deepest cell first; the same on every machine.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. It does look at the query's
///   limits and cancel switch; a partial route comes from a second search. The [`Scratch`] holds the route and no trace.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, PathfindingAStar, Query, Scratch, plan};
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
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, PathfindingDijkstra, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(3, 2));
/// let mut path = Path::default();
/// plan(&PathfindingDijkstra, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathfindingDijkstra;

/// Fringe search of the `pathfinding` crate, with the octile estimate.
///
/// As [`PathfindingAStar`]: a cheapest route (bound 1), cannot be paused, no trace.
///
/// - **Complexity**: one pass over the open cells for each different f; and where a better way to an open cell is found,
///   the crate looks for it in a list: O(open cells) each time.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, PathfindingFringe, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(3, 2));
/// let mut path = Path::default();
/// plan(&PathfindingFringe, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathfindingFringe;

impl Planner for PathfindingAStar {
    fn name(&self) -> &'static str {
        "pathfinding-astar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn search_bytes(&self, _scratch: &Scratch) -> Option<usize> {
        None
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |from, watched| {
            let estimate = |&cell: &Cell| watched.estimate(cell);
            pathfinding::prelude::astar(&from, successors(watched), estimate, |&cell| watched.ends(cell))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}

impl Planner for PathfindingDijkstra {
    fn name(&self) -> &'static str {
        "pathfinding-dijkstra"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn search_bytes(&self, _scratch: &Scratch) -> Option<usize> {
        None
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |from, watched| {
            pathfinding::prelude::dijkstra(&from, successors(watched), |&cell| watched.ends(cell))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}

impl Planner for PathfindingFringe {
    fn name(&self) -> &'static str {
        "pathfinding-fringe"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: CAN }
    }

    fn search_bytes(&self, _scratch: &Scratch) -> Option<usize> {
        None
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(self, ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |from, watched| {
            let estimate = |&cell: &Cell| watched.estimate(cell);
            pathfinding::prelude::fringe(&from, successors(watched), estimate, |&cell| watched.ends(cell))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.state.route);
    }
}

/// The capabilities of these planners: they take their steps from the same place as ours.
const CAN: &[Capability] = &[
    Capability::FourNeighbours,
    Capability::CutCorners,
    Capability::Terrain,
    Capability::Heights,
    Capability::Crowds,
    Capability::Links,
    Capability::Radius,
    Capability::GoalSets,
];

/// The steps out of a cell, as the crate wants them.
fn successors(watched: &dyn Watched) -> impl FnMut(&Cell) -> Vec<(Cell, Cost)> + use<'_> {
    |&cell| {
        watched.expand(cell);
        watched.steps(cell)
    }
}

/// A search that is not ours, as it sees the grid, and is counted and stopped by us.
pub(crate) trait Watched {
    /// A bound below the cost of the rest.
    fn estimate(&self, cell: Cell) -> Cost;

    /// The steps out of a cell and their costs.
    fn steps(&self, cell: Cell) -> Vec<(Cell, Cost)>;

    /// Counts an expansion.
    fn expand(&self, cell: Cell);

    /// True where the route shall end.
    fn is_goal(&self, cell: Cell) -> bool;

    /// True where the search shall end: on a goal, at a limit, or when the cancel switch is set.
    fn ends(&self, cell: Cell) -> bool;
}

/// A search over these moves.
struct Watch<'a, M> {
    moves: &'a M,
    query: &'a Query,
    /// Its counts, and the reason why it was stopped.
    count: RefCell<(SearchCounters, Option<Status>)>,
}

impl<M: Successors> Watched for Watch<'_, M> {
    fn estimate(&self, cell: Cell) -> Cost {
        self.moves.estimate(cell).into()
    }

    fn steps(&self, cell: Cell) -> Vec<(Cell, Cost)> {
        let mut steps = Vec::with_capacity(8);
        self.moves.each(cell, START, |to, cost, _| steps.push((to, cost.into())));
        steps
    }

    fn expand(&self, cell: Cell) {
        self.count.borrow_mut().0.expand(cell, self.moves.estimate(cell));
    }

    fn is_goal(&self, cell: Cell) -> bool {
        self.moves.is_goal(cell)
    }

    fn ends(&self, cell: Cell) -> bool {
        if self.is_goal(cell) {
            return true;
        }
        let (counters, stopped) = &mut *self.count.borrow_mut();
        let cancel = self.query.cancel.as_ref();
        if counters.expanded.is_multiple_of(1024) && cancel.is_some_and(crate::Cancel::is_cancelled) {
            *stopped = Some(Status::Cancelled);
        } else if counters.expanded >= self.query.limits.expansions {
            *stopped = Some(Status::Partial);
        }
        stopped.is_some()
    }
}

/// A route and its cost.
type Route = (Vec<Cell>, Cost);

/// Runs a search that is not ours to its end. Where it reaches the limit, a second one finds the route to the expanded
/// cell nearest to the goal.
pub(crate) fn advance(
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    run: impl Fn(Cell, &dyn Watched) -> Option<Route>,
) -> Progress {
    let Scratch { goals, state, .. } = scratch;
    if let Some(outcome) = state.outcome {
        return Progress::Done(outcome);
    }
    if query.cancel.as_ref().is_some_and(crate::Cancel::is_cancelled) {
        // Looked at first, as by all planners: the start may be a goal.
        let outcome = Outcome { status: Status::Cancelled, cost: 0, bound: 1.0, expanded: 0 };
        state.outcome = Some(outcome);
        return Progress::Done(outcome);
    }
    let (mut status, mut route, counters) = search(ground, query, goals, &run);
    if status == Status::Partial && route.is_none() {
        let nearest = counters.nearest_or(query.from);
        let query = Query { goal: Goal::Cell(nearest), limits: Limits::default(), ..query.clone() };
        if goals.resolve(ground, &query).is_ok() {
            let again;
            (again, route, _) = search(ground, &query, goals, &run);
            status = if again == Status::Found { status } else { again };
        }
    }
    let (route, cost) = route.unwrap_or_default();
    let outcome = Outcome { status, cost, bound: 1.0, expanded: counters.expanded };
    (state.route, state.counters, state.outcome) = (route, counters, Some(outcome));
    Progress::Done(outcome)
}

/// Runs a search over the moves that suit ground and query; no route where it was stopped.
fn search(
    ground: &Ground,
    query: &Query,
    goals: &GoalSet,
    run: &impl Fn(Cell, &dyn Watched) -> Option<Route>,
) -> (Status, Option<Route>, SearchCounters) {
    if Plain::fits(ground, query, goals) {
        search_over(&Plain::new(ground, goals.first()), query, run)
    } else {
        search_over(&General::<Octile>::new(ground, query, goals), query, run)
    }
}

fn search_over(
    moves: &impl Successors,
    query: &Query,
    run: &impl Fn(Cell, &dyn Watched) -> Option<Route>,
) -> (Status, Option<Route>, SearchCounters) {
    let watch = Watch { moves, query, count: RefCell::default() };
    let route = run(query.from, &watch);
    let (counters, stopped) = watch.count.into_inner();
    if let Some(status) = stopped {
        return (status, None, counters);
    }
    let status = match route {
        None => Status::NoRoute,
        Some(_) => moves.reached(),
    };
    (status, route, counters)
}
