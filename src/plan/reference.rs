//! A*, Dijkstra and fringe search of the `pathfinding` crate, to compare with.

use super::moves::{Moves, Octile, START};
use super::scratch::Tally;
use super::search::{self, begin};
use super::{Cost, Outcome, Path, PlanError, Planner, Progress, Query, Scratch, Status};
use crate::grid::{Cell, Ground};
use std::cell::RefCell;

/// A* of the `pathfinding` crate, with the octile estimate.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: O(n log n) for n cells seen; a hash map of nodes is made anew for each query.
/// - **Ties**: those of the crate, of equal f the deepest cell first; the same on every machine.
/// - **Cannot be paused**: [`advance`](Planner::advance) runs to the end whatever its budget. It does look at the query's
///   limits and cancel switch; a partial route comes from a second search. The [`Scratch`] holds the route and no trace.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{AStar, Path, PathfindingAStar, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// let theirs = plan(&PathfindingAStar, &ground, &query, &mut scratch, &mut path)?;
/// let ours = plan(&AStar, &ground, &query, &mut scratch, &mut path)?;
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

/// Fringe search of the `pathfinding` crate, with the octile estimate.
///
/// As [`PathfindingAStar`]: a cheapest route (bound 1), cannot be paused, no trace.
///
/// - **Complexity**: one pass over the open cells for each different f; and where a better way to an open cell is found,
///   the crate looks for it in a list, so O(open cells) each time.
///
/// ```
/// use throng::grid::{Grid, Ground, Lattice};
/// use throng::plan::{Path, PathfindingFringe, Query, Scratch, plan};
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

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |moves, watch| {
            let estimate = |cell: &Cell| Cost::from(moves.estimate(*cell));
            pathfinding::prelude::astar(&query.from, successors(moves, watch), estimate, |&cell| watch.ends(cell))
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

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |moves, watch| {
            pathfinding::prelude::dijkstra(&query.from, successors(moves, watch), |&cell| watch.ends(cell))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}

impl Planner for PathfindingFringe {
    fn name(&self) -> &'static str {
        "pathfinding-fringe"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        begin(ground, query, scratch).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        advance(ground, query, scratch, |moves, watch| {
            let estimate = |cell: &Cell| Cost::from(moves.estimate(*cell));
            pathfinding::prelude::fringe(&query.from, successors(moves, watch), estimate, |&cell| watch.ends(cell))
        })
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}

/// The steps out of a cell, as the crate wants them.
fn successors<'m>(moves: &'m Octile, watch: &'m Watch) -> impl FnMut(&Cell) -> Vec<(Cell, Cost)> + use<'m> {
    |&cell| {
        watch.expand(cell, moves.estimate(cell));
        let mut steps = Vec::with_capacity(8);
        moves.each(cell, START, |to, cost, _| steps.push((to, cost.into())));
        steps
    }
}

/// Watches a search that is not ours, which ends where a test says so: the test also holds at a limit, or when the cancel
/// switch is set.
pub(super) struct Watch<'q> {
    query: &'q Query,
    /// Where the search shall end.
    pub(super) end: Cell,
    /// What it has done, and why it was stopped; `None` where nobody counts.
    count: Option<RefCell<(Tally, Option<Status>)>>,
}

impl Watch<'_> {
    /// Counts the expansion of a cell with this estimate.
    pub(super) fn expand(&self, cell: Cell, estimate: u32) {
        if let Some(count) = &self.count {
            count.borrow_mut().0.expand(cell, estimate);
        }
    }

    /// True on the cell that the search shall end on.
    pub(super) fn ends(&self, cell: Cell) -> bool {
        if cell == self.end {
            return true;
        }
        let Some(count) = &self.count else { return false };
        let (tally, stopped) = &mut *count.borrow_mut();
        let cancel = self.query.cancel.as_ref();
        if tally.expanded.is_multiple_of(1024) && cancel.is_some_and(super::Cancel::is_cancelled) {
            *stopped = Some(Status::Cancelled);
        } else if tally.expanded >= self.query.limits.expansions {
            *stopped = Some(Status::Partial);
        }
        stopped.is_some()
    }
}

/// Runs a search that is not ours to its end. Where a limit was reached, the route to the expanded cell nearest to the goal
/// comes from a second one.
pub(super) fn advance(
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    run: impl Fn(&Octile, &Watch) -> Option<(Vec<Cell>, Cost)>,
) -> Progress {
    if let Some(outcome) = scratch.outcome {
        return Progress::Done(outcome);
    }
    let goal = search::goal(query);
    let moves = Octile::new(ground, goal);
    let count = RefCell::new((std::mem::take(&mut scratch.tally), None));
    let watch = Watch { query, end: goal, count: Some(count) };
    let found = run(&moves, &watch);
    let (tally, stopped) = watch.count.map(RefCell::into_inner).unwrap_or_default();
    let (status, found) = match stopped {
        Some(Status::Partial) => {
            let nearest = tally.nearest.map_or(query.from, |(_, cell)| cell);
            (Status::Partial, run(&Octile::new(ground, nearest), &Watch { query, end: nearest, count: None }))
        }
        Some(status) => (status, None),
        None => (if found.is_some() { Status::Found } else { Status::NoRoute }, found),
    };
    let (route, cost) = found.unwrap_or_default();
    let outcome = Outcome { status, cost, bound: 1.0, expanded: tally.expanded };
    (scratch.route, scratch.tally, scratch.outcome) = (route, tally, Some(outcome));
    Progress::Done(outcome)
}
