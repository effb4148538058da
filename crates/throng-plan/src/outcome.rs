//! How a search ended.

use super::Cost;

/// How a search ended.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
/// (0..9).for_each(|y| grid.set_open(grid.lattice().cell(4, y), false));
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(7, 1));
/// let status = plan(&AStar(Octile), &ground, &query, &mut Scratch::default(), &mut Path::default())?.status;
/// assert_eq!(status, Status::NoRoute);
/// assert_eq!(status.to_string(), "no route: the goal is in another part of the map");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The route reaches the goal.
    Found,
    /// The route ends short of the goal: a limit was reached, and it leads to the expanded cell nearest to the goal by the
    /// planner's estimate; or [`Goal::Nearest`](super::Goal::Nearest) cannot be reached, and it leads as near as possible.
    Partial,
    /// There is no route.
    NoRoute,
    /// Stopped from outside.
    Cancelled,
}

impl std::fmt::Display for Status {
    /// In words, for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Status::Found => "found",
            Status::Partial => "partial: the route ends short of the goal",
            Status::NoRoute => "no route: the goal is in another part of the map",
            Status::Cancelled => "cancelled",
        })
    }
}

/// The result of a search; the cells are in the caller's [`Path`](super::Path).
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let at = |x, y| ground.lattice().cell(x, y);
/// use throng_plan::{Outcome, Path, Query, STRAIGHT, Scratch, Status, WeightedAStar, plan};
/// let query = Query::new(at(1, 1), at(5, 1));
/// let outcome = plan(&WeightedAStar::new(1.0, 2.0)?, &ground, &query, &mut Scratch::default(), &mut Path::default())?;
/// assert_eq!((outcome.status, outcome.cost, outcome.bound), (Status::Found, u64::from(4 * STRAIGHT), 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Cost of the route; 0 without one.
    pub cost: Cost,
    /// The cost is at most this many times the optimal one; 1 for exact planners.
    pub bound: f64,
    /// Nodes expanded.
    pub expanded: u64,
}

/// Reports of [`Planner::advance`](super::Planner::advance).
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Planner, Progress, Query, Scratch, Status};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(14, 5));
/// let (planner, mut scratch) = (AStar(Octile), Scratch::default());
/// planner.begin(&ground, &query, &mut scratch)?;
/// let mut pieces = 1;
/// let outcome = loop {
///     match planner.advance(&ground, &query, &mut scratch, 4) {
///         Progress::Done(outcome) => break outcome,
///         _ => pieces += 1,
///     }
/// };
/// assert!(outcome.status == Status::Found && pieces > 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// The budget is spent and the search is not at its end.
    Running,
    /// There is a better route than before, or the first part of one: [`Planner::path`](super::Planner::path) writes it. The search goes on with
    /// the next [`Planner::advance`](super::Planner::advance).
    Route(Outcome),
    /// The search is at its end.
    Done(Outcome),
}
