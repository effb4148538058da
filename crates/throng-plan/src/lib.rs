//! Planners: searches for routes over a [`Ground`].
//!
//! A [`Planner`] is shared and immutable; what a search writes lives in a [`Scratch`] that its thread owns, and the
//! route is written into the caller's [`Path`]. [`plan`] runs a search to its end, [`Planner::begin`] and
//! [`Planner::advance`] run it in pieces, and a [`Pool`] runs many on worker threads.
//!
//! ```
//! use std::sync::Arc;
//! use throng_grid::{Grid, Ground, Lattice};
//! use throng_plan::{Path, PlannerChoice, Query, Scratch, Status, plan};
//!
//! // A plain of 64 x 64 cells of 1 m. A wall parts it and leaves a gap at the lower end.
//! let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
//! let lattice = grid.lattice();
//! for y in 0..60 {
//!     grid.set_open(lattice.cell(32, y), false);
//! }
//! // The map as bodies of 0.4 m radius see it.
//! let ground = Arc::new(Ground::new(grid.into(), 0.4)?);
//!
//! let query = Query::new(lattice.cell(4, 4), lattice.cell(60, 4));
//! let (mut scratch, mut path) = (Scratch::default(), Path::default());
//! for name in ["dijkstra", "astar", "jps", "theta"] {
//!     let planner = name.parse::<PlannerChoice>()?.build(&ground)?;
//!     let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path)?;
//!     println!("{name:9} {:6.1} m, {:5} nodes expanded", path.length(lattice), outcome.expanded);
//!     assert_eq!(outcome.status, Status::Found);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`PlannerChoice`] has the table of all planners, what their routes cost and what they are good for, and makes them by
//! name; [`Planner::capabilities`] says what one can do. A planner of your own is as good as these: it implements
//! [`Planner`], keeps its memory in the [`Scratch`] as a [`SearchMemory`], and is named by [`PlannerChoice::Custom`]. A [`Query`] may ask
//! for more than a cell: a [`Goal`] of several, a wider body, [`Limits`], and a [`Cancel`] to stop the search.
//!
//! - [`DStarLite`] is for one agent on a map that changes: it keeps its search.
//! - A [`Smoother`] pulls any route straight.
//! - [`distances_from`] and [`distances_to`] tell the cost of every cell at once, and a [`FlowField`] which way to go
//!   from it.
//! - [`plan_within`] spends a given time, and tells each better route on the way.
#![cfg_attr(
    feature = "petgraph",
    doc = "- The [`PathFinder`](graph::PathFinder) of [`graph`] searches graphs beyond the grid."
)]
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | adds |
//! |---|---|
//! | `hints` | "did you mean" in errors of unknown names |
//! | `petgraph` | the module `graph`: searches over any graph of the `petgraph` crate, and the grid as one |
//! | `priority` | worker threads of a [`Pool`] give way to other threads where there are more threads than cores |
//! | `reference` | the searches of the crates `pathfinding` and `petgraph` as planners, to compare with; turns `petgraph` on |
//! | `serde` | serde's traits for the types that are stored |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, Lattice};

mod any_angle;
mod anytime;
mod ara;
mod astar;
mod bidirectional;
mod breadth_first;
mod bucket;
mod capabilities;
mod choice;
mod dijkstra;
mod distances;
mod dstar_lite;
mod error;
mod estimate;
mod flow;
mod fringe;
mod goal_set;
#[cfg(feature = "petgraph")]
pub mod graph;
mod greedy;
mod heap;
mod hpa;
mod jps;
mod memory;
mod nodes;
mod pool;
#[cfg(feature = "reference")]
mod reference;
mod rows;
mod scratch;
mod search;
mod successors;
mod wave;
mod weighted;

pub use any_angle::lazy_theta::LazyThetaStar;
pub use any_angle::smooth::Smoother;
pub use any_angle::theta::ThetaStar;
pub use anytime::plan_within;
pub use ara::Ara;
pub use astar::AStar;
pub use bidirectional::BidirectionalAStar;
pub use breadth_first::BreadthFirst;
pub use capabilities::{Capabilities, Capability, Guarantee};
pub use choice::{EstimateChoice, PlannerChoice};
pub use dijkstra::Dijkstra;
pub use distances::{UNREACHED, distances_from, distances_to};
pub use dstar_lite::DStarLite;
pub use error::PlanError;
pub use estimate::{Estimate, Euclidean, Manhattan, Octile, Zero};
pub use flow::{FlowField, FlowFieldPlanner};
pub use fringe::FringeSearch;
pub use greedy::GreedyBestFirst;
pub use hpa::{Hpa, HpaSettings, Itinerary, SeenDoor};
pub use jps::Jps;
pub use jps::plus::JpsPlus;
pub use memory::SearchMemory;
pub use pool::{Answer, AnswerKind, Counters, Pool, Priority, Request, RequestProgress, Statistics, Ticket};
#[cfg(feature = "reference")]
pub use reference::petgraph::{PetgraphAStar, PetgraphDijkstra};
#[cfg(feature = "reference")]
pub use reference::{PathfindingAStar, PathfindingDijkstra, PathfindingFringe};
pub use scratch::Scratch;
pub use throng_grid::{Cost, DIAGONAL, STRAIGHT};
pub use weighted::WeightedAStar;

/// Where a search shall end.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Goal, Octile, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(16, 16, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (from, wall, others) = (at(1, 8), at(9, 8), [at(14, 14), at(1, 3)]);
/// grid.set_open(wall, false);
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
///
/// let query = Query { goal: Goal::Nearest(wall), ..Query::new(from, wall) };
/// let outcome = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!((outcome.status, path.length(ground.lattice())), (Status::Partial, 7.0));
///
/// let query = Query { goal: Goal::AnyOf(others.into()), ..query };
/// plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?;
/// assert_eq!(path.cells.last(), Some(&others[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Goal {
    /// On this cell.
    Cell(Cell),
    /// On any cell whose centre is at most so far from a point. Closed cells do not count.
    Within {
        /// The point (m).
        centre: Vec2,
        /// How far (m).
        distance: f32,
    },
    /// On any of these cells, whichever costs least. Closed cells do not count.
    AnyOf(Arc<[Cell]>),
    /// On this cell; where it is closed or cannot be reached, on the reachable cell nearest to it by straight distance
    /// between centres, and of equally near ones on that which costs least. Then the outcome is [`Status::Partial`].
    Nearest(Cell),
}

/// When a search shall give up.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let at = |x, y| ground.lattice().cell(x, y);
/// use throng_plan::{AStar, Limits, Octile, Path, Query, Scratch, Status, plan};
/// let query = Query { limits: Limits { expansions: 3 }, ..Query::new(at(1, 1), at(14, 3)) };
/// let mut path = Path::default();
/// let outcome = plan(&AStar(Octile), &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!((outcome.status, outcome.expanded), (Status::Partial, 3));
/// assert_eq!(path.cells[0], at(1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// After this many expanded nodes.
    pub expansions: u64,
}

impl Default for Limits {
    /// Never.
    fn default() -> Self {
        Self { expansions: u64::MAX }
    }
}

/// Stops a search from another thread. Clones share one switch.
///
/// ```
/// let cancel = throng_plan::Cancel::default();
/// cancel.clone().cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks every search that holds a clone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A trip that a planner is asked for.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0)?);
/// let at = |x, y| grid.lattice().cell(x, y);
/// let (from, to, gap) = (at(1, 4), at(7, 4), at(4, 4));
/// (0..9).for_each(|y| grid.set_open(grid.lattice().cell(4, y), false));
/// grid.set_open(gap, true);
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
///
/// let query = Query::new(from, to);
/// assert_eq!(plan(&AStar(Octile), &ground, &query, &mut scratch, &mut path)?.status, Status::Found);
/// // The gap is one metre wide.
/// let wide = Query { radius: 0.8, ..query };
/// assert_eq!(plan(&AStar(Octile), &ground, &wide, &mut scratch, &mut path)?.status, Status::NoRoute);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    /// Where the trip starts.
    pub from: Cell,
    /// Where it shall end.
    pub goal: Goal,
    /// Radius (m) of the body, where it is greater than that of the ground: it keeps so far from walls at every step, so
    /// that one ground serves all sizes.
    pub radius: f32,
    /// When to give up.
    pub limits: Limits,
    /// How to stop the search from outside; `None` = it cannot be stopped.
    pub cancel: Option<Cancel>,
}

impl Query {
    /// The trip between two cells, without limits.
    pub fn new(from: Cell, to: Cell) -> Self {
        Self { from, goal: Goal::Cell(to), radius: 0.0, limits: Limits::default(), cancel: None }
    }
}

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
    /// planner's estimate; or [`Goal::Nearest`] cannot be reached, and it leads as near as possible.
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

/// The result of a search; the cells are in the caller's [`Path`].
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

/// What [`Planner::advance`] reports.
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
    /// There is a better route than before, or the first part of one: [`Planner::path`] writes it. The search goes on with
    /// the next [`Planner::advance`].
    Route(Outcome),
    /// The search is at its end.
    Done(Outcome),
}

/// A method of finding routes.
///
/// Planners are immutable during a search and shared by all threads; what a search writes lives in its [`Scratch`].
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Path, Planner, PlannerChoice, Query, Scratch, plan};
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
/// let query = Query::new(ground.lattice().cell(1, 1), ground.lattice().cell(60, 40));
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// for name in ["dijkstra", "astar", "jps"] {
///     let planner: Arc<dyn Planner> = name.parse::<PlannerChoice>()?.build(&ground)?;
///     let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path)?;
///     println!("{}: {} expanded", planner.name(), outcome.expanded);
///     assert_eq!(path.cells.len(), 60);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: Send + Sync + std::fmt::Debug {
    /// The name by which scenario files and the command line know this planner.
    fn name(&self) -> &'static str;

    /// What it can do. Asking for more is an error.
    fn capabilities(&self) -> Capabilities;

    /// Bytes of the tables that it keeps.
    fn bytes(&self) -> usize {
        0
    }

    /// The clusters and doors that it plans over, where it does.
    fn hierarchy(&self) -> Option<&Hpa> {
        None
    }

    /// Starts a search: the memory of the last one in `scratch` is dropped.
    ///
    /// # Errors
    /// Where the planner cannot do what is asked, or the start or the goal is off the map or closed.
    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError>;

    /// Expands up to `expansions` more nodes of the search that [`Planner::begin`] started with the same arguments.
    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress;

    /// Writes the cells of the route that the search in `scratch` has found, start and goal included; none where
    /// there is no route.
    fn path(&self, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path);

    /// The planner for `ground`, on which the `dirty` cells and no others are different from the ground that this one was
    /// made for: equal to one that is made anew. `None` where it keeps no tables and goes on as it is.
    ///
    /// # Errors
    /// Where it cannot plan on such a ground.
    fn updated(&self, _ground: &Arc<Ground>, _dirty: &[Cell]) -> Result<Option<Arc<dyn Planner>>, PlanError> {
        Ok(None)
    }
}

/// Runs a search to its end and writes the route into `path`.
///
/// # Errors
/// Where the planner cannot do what is asked, or the start or the goal is off the map or closed.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let at = |x, y| ground.lattice().cell(x, y);
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, plan};
/// let mut path = Path::default();
/// plan(&AStar(Octile), &ground, &Query::new(at(1, 1), at(3, 3)), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.cells, [at(1, 1), at(2, 2), at(3, 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<Outcome, PlanError> {
    path.cells.clear();
    planner.begin(ground, query, scratch)?;
    loop {
        if let Progress::Done(outcome) = planner.advance(ground, query, scratch, u64::MAX) {
            planner.path(ground, query, scratch, path);
            return Ok(outcome);
        }
    }
}

/// Writes the way of a search that is not at its end, to the expanded cell nearest to the goal by the octile estimate: where a
/// [limit](Limits) would end it now. It is kept only where the query has a limit, however high. Of planners that tell routes on the
/// way ([`Progress::Route`]) it is the last of these, none before the first; of those that keep no [trace](Capability::Trace) there is
/// none; of a search at its end it is the route.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Limits, Octile, Path, Planner, Query, Scratch, path_so_far};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let at = |x, y| ground.lattice().cell(x, y);
/// let query = Query { limits: Limits { expansions: u64::MAX - 1 }, ..Query::new(at(1, 1), at(14, 3)) };
/// let (mut scratch, mut path) = (Scratch::default(), Path::default());
/// AStar(Octile).begin(&ground, &query, &mut scratch)?;
/// AStar(Octile).advance(&ground, &query, &mut scratch, 3);
/// path_so_far(&AStar(Octile), &ground, &query, &mut scratch, &mut path);
/// assert_eq!((path.cells.first(), path.cells.len()), (Some(&at(1, 1)), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_so_far(planner: &dyn Planner, ground: &Ground, query: &Query, scratch: &mut Scratch, path: &mut Path) {
    let end = scratch.state.end;
    if scratch.state.outcome.is_none() {
        scratch.state.end = scratch.state.counters.nearest.map(|(_, cell)| cell);
    }
    planner.path(ground, query, scratch, path);
    scratch.state.end = end;
}

/// The cells of a route, start and goal included: each a neighbour of the one before, or, of searches at any angle, the
/// turning points, with straight lines between.
///
/// ```
/// use throng_grid::Lattice;
/// use throng_plan::Path;
/// let lattice = Lattice::new(8, 8, 1.0)?;
/// let path = Path { cells: vec![lattice.cell(0, 0), lattice.cell(1, 1), lattice.cell(2, 1)] };
/// assert_eq!(path.length(lattice), 1.0 + 2.0_f64.sqrt());
/// let path = Path { cells: vec![lattice.cell(0, 0), lattice.cell(3, 4)] };
/// assert_eq!(path.length(lattice), 5.0);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The cells: neighbours, or turning points.
    pub cells: Vec<Cell>,
}

impl Path {
    /// Straight and diagonal steps. Lines to cells further than the neighbours are left out.
    pub fn steps(&self, lattice: Lattice) -> (u64, u64) {
        let stride = i64::from(lattice.stride);
        let (mut straight, mut diagonal) = (0, 0);
        for pair in self.cells.windows(2) {
            let step = (i64::from(pair[1].0) - i64::from(pair[0].0)).abs();
            straight += u64::from(step == 1 || step == stride);
            diagonal += u64::from(step == stride - 1 || step == stride + 1);
        }
        (straight, diagonal)
    }

    /// Length in cells: straight steps count 1, diagonal ones √2. Times [`Lattice::cell_size`] it is in metres.
    pub fn length(&self, lattice: Lattice) -> f64 {
        let (straight, diagonal) = self.steps(lattice);
        let lines: f64 = self.lines(lattice).map(|(dx, dy)| f64::from(dx * dx + dy * dy).sqrt()).sum();
        straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2 + lines
    }

    /// Cost of all steps, and of all lines: their length × [`STRAIGHT`], each rounded up.
    pub fn cost(&self, lattice: Lattice) -> Cost {
        let (straight, diagonal) = self.steps(lattice);
        let lines: Cost = self.lines(lattice).map(|(dx, dy)| Cost::from(throng_grid::line_cost(dx, dy))).sum();
        straight * u64::from(STRAIGHT) + diagonal * u64::from(DIAGONAL) + lines
    }

    /// Columns and rows of the lines to cells further than the neighbours.
    fn lines(&self, lattice: Lattice) -> impl Iterator<Item = (i32, i32)> {
        let stride = i64::from(lattice.stride);
        self.cells.windows(2).filter_map(move |pair| {
            let step = (i64::from(pair[1].0) - i64::from(pair[0].0)).abs();
            if step <= 1 || (step - stride).abs() <= 1 {
                return None;
            }
            let [(ax, ay), (bx, by)] = [pair[0], pair[1]].map(|cell| lattice.column_row(cell));
            Some((bx as i32 - ax as i32, by as i32 - ay as i32))
        })
    }

    /// Writes the cells at which the route changes direction, start and goal included.
    pub fn turning_points(&self, points: &mut Vec<Cell>) {
        points.clear();
        for (i, &cell) in self.cells.iter().enumerate() {
            let straight_on = i > 0
                && i + 1 < self.cells.len()
                && self.cells[i + 1].0.wrapping_sub(cell.0) == cell.0.wrapping_sub(self.cells[i - 1].0);
            if !straight_on {
                points.push(cell);
            }
        }
    }
}
