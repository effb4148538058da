//! The question to a planner.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use throng_grid::Cell;
use throng_grid::geom::Vec2;

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
    /// On this cell. Where it is closed or cannot be reached, on the reachable cell nearest to it by straight distance
    /// between centres, and of equally near ones on the one of least cost. Then the outcome is
    /// [`Status::Partial`](super::Status::Partial).
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
