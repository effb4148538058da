//! A method of finding routes.

use super::promise::{self, Watch};
use super::{Capabilities, Cost, Hierarchy, Outcome, Path, PlanError, Progress, Query, Scratch};
use std::sync::Arc;
use throng_grid::{Cell, Ground};

/// The place of a cell in the order in which a search expands cells: the lowest f first.
///
/// See [`Planner::rank`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// The estimate of the cost from the cell to the goal; 0 of searches without one.
    pub h: Cost,
    /// What the search makes of the cost so far, g, and of h, in the unit of costs: g + h of A*, h of greedy search.
    pub f: f64,
}

/// A method of finding routes.
///
/// Planners are immutable during a search and shared by all threads; a search writes into its [`Scratch`].
///
/// A planner from outside this crate is as good as those in it: it calls [`Scratch::begin`] first, keeps what it writes in
/// a [`SearchMemory`](super::SearchMemory) of its own, and is named by [`PlannerChoice::Custom`](super::PlannerChoice) in
/// comparisons, pools and worlds. It promises:
///
/// - **Determinism**: the same ground and query give the same route, outcome and counts on every machine and thread, in
///   whatever pieces the search is run. So no clock, no iteration over hash maps, no random numbers without a fixed seed,
///   and nothing that an earlier search has left in the memory.
/// - **Counts**: each expanded node is told to [`Scratch::count`] before `advance` comes back. Routes fall due by them.
/// - **End**: a search comes to an end, and its route leads from the start to the goal over cells that can be stood on. A
///   search that breaks this ends with [`PlanError::BrokenPromise`]: one that expands more than a hundred times the cells of the
///   map, or none in a thousand calls. Nothing ends a call of `advance` that does not come back.
/// - **Budget**: with [`Capability::Pause`](super::Capability::Pause), `advance` comes back after so many expansions.
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

    /// Its capabilities. Asking for more is an error.
    fn capabilities(&self) -> Capabilities;

    /// Bytes of the tables that it keeps.
    fn bytes(&self) -> usize {
        0
    }

    /// Bytes that the searches in `scratch` have taken so far. `None` where they are out of sight, as those of another crate,
    /// which allocates them for itself in each search.
    fn search_bytes(&self, scratch: &Scratch) -> Option<usize> {
        Some(scratch.bytes())
    }

    /// What a user should know of this planner on its ground, in words: that its tables would be too large, and how it finds
    /// routes instead. `None` where there is nothing to tell.
    fn remark(&self) -> Option<String> {
        None
    }

    /// The clusters and doors that it plans over, where it does.
    fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        None
    }

    /// Starts a search: the memory of the last one in `scratch` is dropped.
    ///
    /// # Errors
    /// Where the planner lacks a capability that the query needs, or the start or the goal is off the map or closed.
    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError>;

    /// Expands up to `expansions` more nodes of the search that [`Planner::begin`] started with the same arguments.
    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress;

    /// Writes the cells of the route that the search in `scratch` has found, start and goal included; none where
    /// there is no route.
    ///
    /// A planner that writes its route otherwise than as the [way to](Planner::way_to) its end overrides this.
    fn path(&self, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clear();
        if let Some(end) = scratch.state.end {
            self.way_to(ground, query, scratch, end, path);
        }
    }

    /// The rank of a cell that the search in `scratch` has come to from the start: to look at, since the search itself keeps
    /// what it needs of it in its queue. `None` where the planner orders cells otherwise, or has not come to the cell. O(links).
    fn rank(&self, _ground: &Ground, _query: &Query, _scratch: &Scratch, _cell: Cell) -> Option<Rank> {
        None
    }

    /// Writes the way by which the search in `scratch` came to a cell, from the start on: the parents of the cell, or of
    /// searches at any angle the turning points. None where it has not come there, or keeps no
    /// [trace](super::Capability::Trace).
    fn way_to(&self, _ground: &Ground, _query: &Query, _scratch: &Scratch, _cell: Cell, path: &mut Path) {
        path.cells.clear();
    }

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
/// Where the planner lacks a capability that the query needs, the start or the goal is off the map or closed, or a planner from
/// outside breaks its promise.
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
    let mut watch = Watch::default();
    loop {
        if let Progress::Done(outcome) = planner.advance(ground, query, scratch, u64::MAX) {
            planner.path(ground, query, scratch, path);
            promise::check(planner, ground, query, (&outcome, true), path)?;
            return Ok(outcome);
        }
        watch.goes_on(planner, ground, query, scratch)?;
    }
}

/// Writes the best way of a search that is not at its end: the last route that it has told ([`Progress::Route`]), else the way to the
/// expanded cell nearest to the goal by the octile estimate. There a [limit](super::Limits) would end it now. The nearest cell is kept
/// only where the query has a limit, however high, and its way only by planners that keep a [trace](super::Capability::Trace). Of a search
/// at its end it is the route.
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
/// path_so_far(&AStar(Octile), &ground, &query, &scratch, &mut path);
/// assert_eq!((path.cells.first(), path.cells.len()), (Some(&at(1, 1)), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn path_so_far(planner: &dyn Planner, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
    planner.path(ground, query, scratch, path);
    let nearest = scratch.state.counters.nearest.filter(|_| scratch.state.outcome.is_none());
    if let Some((_, cell)) = nearest.filter(|_| path.cells.is_empty()) {
        planner.way_to(ground, query, scratch, cell, path);
    }
}
