//! Jump point search.

pub(crate) mod bitmaps;
pub(crate) mod jump;
pub(crate) mod nodes;
pub(crate) mod place;
pub(crate) mod plus;

use crate::jps::bitmaps::JumpBitmaps;
use crate::{Capabilities, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use std::sync::Arc;
use throng_grid::{Cell, Ground};

/// Jump point search: A* that expands only the cells beside which a wall ends, where a shortest route can turn, and finds
/// them by scans of bitmaps, 64 cells at a look.
///
/// D. Harabor, A. Grastien: Online graph pruning for pathfinding on grid maps. AAAI 2011. D. Harabor, A. Grastien:
/// Improving jump point search. ICAPS 2014: scans by blocks of cells, and no nodes for the turns from diagonal to straight.
/// Three things are done beforehand, once for a ground: the stops of all scans lie in bitmaps along their directions, so
/// that a scan reads one of them; jumps that find nothing are marked and not made; and a diagonal stops only where a
/// straight jump to a side finds something. The search ends when it expands a node that sees the goal. On ground strewn
/// with single walls there are jump points everywhere, and [`AStar`](crate::AStar) is as fast or faster.
///
/// - **Ground**: eight neighbours, no corner cut, no terrain costs, no links; one cell as the goal. Asking for more is an
///   error. A planner belongs to one ground; after an edit, [`Planner::updated`] makes the next one.
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: at most four expansions a cell, each O(1) but for the scans; usually one for some hundred of A*'s. O(cells)
///   beforehand, 2 bytes a cell; O(columns + rows) for an edit, after copying. In the [`Scratch`] 16 bytes a node.
/// - **Ties**: of equal f the node that was found last comes first, and of equal ways to a node the one found first
///   stays. Straight jumps are made before diagonal ones, in the order of [`Direction`](throng_grid::Direction).
/// - **Route**: from node to node first diagonal, then straight.
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Jps, Path, Query, Scratch, plan};
/// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// for y in 0..60 {
///     grid.set_open(grid.lattice().cell(32, y), false);
/// }
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(8, 8), ground.lattice().cell(56, 8));
/// let mut path = Path::default();
/// let outcome = plan(&Jps::new(&ground)?, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert!((path.length(ground.lattice()) - 125.054).abs() < 0.001);
/// assert!(outcome.expanded < 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jps {
    bitmaps: JumpBitmaps,
}

impl Jps {
    /// The planner for a ground.
    ///
    /// # Errors
    /// [`PlanError::Cannot`] where steps go to four neighbours or cut corners, terrain has costs, or there are links.
    pub fn new(ground: &Ground) -> Result<Self, PlanError> {
        jump::require("jps", ground)?;
        Ok(Self { bitmaps: JumpBitmaps::new(ground) })
    }
}

impl Planner for Jps {
    fn name(&self) -> &'static str {
        "jps"
    }

    fn capabilities(&self) -> Capabilities {
        jump::CAPABILITIES
    }

    fn bytes(&self) -> usize {
        self.bitmaps.bytes()
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        jump::begin(self, &self.bitmaps, ground, query, scratch)
    }

    fn advance(&self, _ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        jump::advance(&self.bitmaps, query, scratch, expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        crate::search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        jump::way_to(ground, scratch, cell, path);
    }

    fn updated(&self, ground: &Arc<Ground>, dirty: &[Cell]) -> Result<Option<Arc<dyn Planner>>, PlanError> {
        jump::require("jps", ground)?;
        Ok(Some(Arc::new(Self { bitmaps: self.bitmaps.updated(ground, dirty) })))
    }
}
