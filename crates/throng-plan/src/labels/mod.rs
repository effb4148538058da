//! Exact routes from labels: tables that know the way.

mod block_builder;
mod block_rows;
mod blocks;
mod budget;
mod chains;
mod hubs;
mod label_entry;
mod order;
mod pruned_search;
mod query;
mod subgoals;
mod tables;
mod walk;

use crate::jps::bitmaps::JumpBitmaps;
use crate::jps::jump;
use crate::jps::place::Place;
use crate::{
    Cancel, Capabilities, Capability, Guarantee, Octile, Outcome, Path, PlanError, Planner, Progress, Query, Rank,
    Scratch, Status, search as plan_search,
};
use budget::Budget;
use query::LabelSearch;
use std::sync::Arc;
use tables::Tables;
use throng_grid::{Cell, Ground};
use walk::Terrain;

/// Cheapest routes read from tables, without a search: hub labels over subgoals, shared by blocks of cells.
///
/// The cells at the corners of walls are subgoals: shortest routes turn only there (T. Uras, S. Koenig, C. Hernández, ICAPS
/// 2013). Every subgoal has a label: the costs to its hubs, so chosen that two subgoals always have one on a shortest way
/// in common (T. Akiba, Y. Iwata, Y. Yoshida, SIGMOD 2013; the order of hubs by D. Delling and others, ESA 2014). The
/// labels of the cells of a block of 8 × 8 are merged into one list. A query is one pass over two such lists, and the ways
/// to the hub are read from the trees that the searches left.
///
/// - **Ground**: eight neighbours, no corner cut, no terrain costs, no links; one cell as the goal. Asking for more is an
///   error. A planner belongs to one ground. Tables are made for a map as it was loaded: once it was edited, jump point
///   search finds the routes, at once and exactly, so that an edit costs what it costs [`Jps`](crate::Jps).
/// - **Result**: a cheapest route (bound 1). It counts as one expansion.
/// - **Complexity**: O(entries of two blocks + turns + cells of the route): 0.5 to 3 µs where the tables are in the
///   processor's cache, 3 to 11 µs where they are not. Beforehand 0.02 to 2 s of processor time and 5 to 40 bytes a cell on
///   maps of games. Corners are counted first. The work is counted and limited, the same for every map: where it would
///   take more than some 2 s, the planner gives its tables up.
/// - **Memory**: at most [`Labels::MOST_BYTES_A_CELL`] or [`Labels::MOST_BYTES_OF_SMALL_MAPS`], and never more than
///   [`Labels::MOST_BYTES`]. Where the tables would need more memory or more work, as on ground strewn with single walls,
///   there are none, and jump point search finds the routes, as
///   [`Jps`](crate::Jps) does: [`Labels::has_tables`] and [`Planner::remark`] tell, and a trace is among the capabilities.
/// - **Ties**: of equal routes the one over the hub that comes first. The tables are the same for any number of threads.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Labels, Path, Query, Scratch, plan};
/// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// for y in 0..60 {
///     grid.set_open(grid.lattice().cell(32, y), false);
/// }
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let planner = Labels::new(&ground)?;
/// let query = Query::new(ground.lattice().cell(8, 8), ground.lattice().cell(56, 8));
/// let mut path = Path::default();
/// let outcome = plan(&planner, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert!((path.length(ground.lattice()) - 125.054).abs() < 0.001);
/// assert!(planner.has_tables() && outcome.expanded == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Labels {
    ground: u64,
    most_bytes: usize,
    method: Method,
}

/// How routes are found.
#[derive(Clone, Debug)]
enum Method {
    Labels(Tables),
    /// There are no tables.
    Jumps(JumpBitmaps, Reason),
}

/// The reason why there are no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// They would cost too much memory or work.
    Large,
    /// The map was edited.
    Edited,
}

impl Labels {
    const NAME: &str = "labels";

    /// The most that the tables may take on a large map (bytes for each cell of the map).
    pub const MOST_BYTES_A_CELL: usize = 96;

    /// The most that they may take on any map, where that is more.
    pub const MOST_BYTES_OF_SMALL_MAPS: usize = 4 << 20;

    /// The most that tables, and what is there only while they are made, may each take (bytes).
    pub const MOST_BYTES: usize = budget::MAX_BYTES;

    /// The planner for a ground. On all cores; most of the time goes into the blocks.
    ///
    /// # Errors
    /// [`PlanError::Cannot`] where steps go to four neighbours or cut corners, terrain has costs, or there are links.
    pub fn new(ground: &Ground) -> Result<Self, PlanError> {
        let bytes = (ground.lattice().len() * Self::MOST_BYTES_A_CELL).max(Self::MOST_BYTES_OF_SMALL_MAPS);
        Self::within(ground, bytes.min(Self::MOST_BYTES))
    }

    /// The planner for a ground whose tables take at most so many bytes.
    ///
    /// # Errors
    /// As [`Labels::new`].
    pub fn within(ground: &Ground, most_bytes: usize) -> Result<Self, PlanError> {
        jump::require(Self::NAME, ground)?;
        // An updated planner has no tables: so one that is made for the map after edits has none either.
        let method = if ground.grid().revision() > 0 {
            Method::Jumps(JumpBitmaps::new(ground), Reason::Edited)
        } else {
            match Tables::new(ground, Budget::of(most_bytes), cores()) {
                Some(tables) => Method::Labels(tables),
                None => Method::Jumps(JumpBitmaps::new(ground), Reason::Large),
            }
        };
        Ok(Self { ground: ground.id(), most_bytes, method })
    }

    /// False where the tables would have been too large or the map was edited, and jump point search finds the routes.
    pub fn has_tables(&self) -> bool {
        matches!(self.method, Method::Labels(_))
    }
}

/// Threads that make tables.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Planner for Labels {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn capabilities(&self) -> Capabilities {
        match self.method {
            Method::Labels(_) => Capabilities { guarantee: Guarantee::Optimal, can: &[Capability::Pause] },
            Method::Jumps(..) => jump::CAPABILITIES,
        }
    }

    fn bytes(&self) -> usize {
        match &self.method {
            Method::Labels(tables) => tables.bytes(),
            Method::Jumps(bitmaps, _) => bitmaps.bytes(),
        }
    }

    fn remark(&self) -> Option<String> {
        let megabytes = self.most_bytes as f64 / 1e6;
        match self.method {
            Method::Labels(_) => None,
            Method::Jumps(_, Reason::Large) => Some(format!(
                "its tables would cost too much on this map (at most {megabytes:.1} MB, {} corners of walls, some 2 s of \
                 work): jump point search finds its routes",
                u16::MAX
            )),
            Method::Jumps(_, Reason::Edited) => {
                Some("the map was edited, and its tables are not made anew: jump point search finds its routes".into())
            }
        }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        match &self.method {
            Method::Jumps(bitmaps, _) => jump::begin(self, bitmaps, ground, query, scratch),
            Method::Labels(_) if self.ground != ground.id() => {
                // As after every other error, nothing is told of the search before.
                scratch.reset(ground.lattice());
                Err(PlanError::OtherGround { planner: Self::NAME })
            }
            Method::Labels(_) => {
                plan_search::begin(self, ground, query, scratch)?;
                scratch.memory::<LabelSearch>().forget();
                Ok(())
            }
        }
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let tables = match &self.method {
            Method::Labels(tables) => tables,
            Method::Jumps(bitmaps, _) => return jump::advance(bitmaps, query, scratch, expansions),
        };
        let Scratch { goals, state, memories } = scratch;
        if let Some(outcome) = state.outcome {
            return Progress::Done(outcome);
        }
        let (search, goal) = (memories.of::<LabelSearch>(), goals.first());
        let stride = ground.lattice().stride;
        let from = Place::new(query.from, stride);
        let work = u64::from(goal != query.from);
        let (status, cost) = if query.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            (Status::Cancelled, 0)
        } else if work > query.limits.expansions {
            search.stay(from);
            (Status::Partial, 0)
        } else if work > expansions {
            return Progress::Running;
        } else {
            state.counters.expanded = work;
            let cost = search.search(tables, Terrain::new(ground), from, Place::new(goal, stride));
            cost.map_or((Status::NoRoute, 0), |cost| (Status::Found, cost))
        };
        state.end = match status {
            Status::Found => Some(goal),
            Status::Partial => Some(query.from),
            _ => None,
        };
        let outcome = Outcome { status, cost: cost.into(), bound: 1.0, expanded: state.counters.expanded };
        state.outcome = Some(outcome);
        Progress::Done(outcome)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        match self.method {
            Method::Labels(_) => None,
            Method::Jumps(..) => plan_search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + h),
        }
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        path.cells.clear();
        match (&self.method, scratch.memory_of::<LabelSearch>(), scratch.state.outcome) {
            (Method::Jumps(..), ..) => jump::way_to(ground, scratch, cell, path),
            (Method::Labels(_), Some(search), Some(outcome)) if scratch.state.end == Some(cell) => {
                search.write_cells(outcome.cost as u32, ground.lattice().stride, path);
            }
            _ => {}
        }
    }

    fn updated(&self, ground: &Arc<Ground>, dirty: &[Cell]) -> Result<Option<Arc<dyn Planner>>, PlanError> {
        if dirty.is_empty() {
            return Ok(Some(Arc::new(Self::within(ground, self.most_bytes)?)));
        }
        jump::require(Self::NAME, ground)?;
        let bitmaps = match &self.method {
            Method::Jumps(bitmaps, _) => bitmaps.updated(ground, dirty),
            Method::Labels(_) => JumpBitmaps::new(ground),
        };
        Ok(Some(Arc::new(Self { ground: ground.id(), method: Method::Jumps(bitmaps, Reason::Edited), ..*self })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};

    /// Rooms of 16 cells with doors, and rubble in some.
    fn rooms() -> Ground {
        let mut grid = Grid::open_plain(Lattice::new(150, 110, 1.0).unwrap());
        let lattice = grid.lattice();
        for cell in lattice.cells() {
            let (x, y) = lattice.column_row(cell);
            let is_wall = (x % 16 == 0 && y % 16 != 5) || (y % 16 == 0 && x % 16 != 9);
            let is_rubble = (x / 16 + y / 16) % 3 == 0 && (x * 7 + y * 13) % 11 == 0;
            grid.set_open(cell, !is_wall && !is_rubble);
        }
        Ground::new(grid.into(), 0.4).unwrap()
    }

    #[test]
    fn tables_are_the_same_whatever_the_number_of_threads() {
        let ground = rooms();
        let alone = Tables::new(&ground, Budget::NONE, 1).unwrap();
        for threads in [2, 3, 16] {
            assert!(Tables::new(&ground, Budget::NONE, threads).unwrap() == alone, "{threads} threads");
        }
    }

    #[test]
    fn a_limit_of_memory_holds_to_the_byte_whatever_the_number_of_threads() {
        let ground = rooms();
        let bytes = Tables::new(&ground, Budget::NONE, 1).unwrap().bytes();
        for threads in [1, 3] {
            assert!(
                Tables::new(&ground, Budget { bytes, ..Budget::NONE }, threads)
                    .is_some_and(|tables| tables.bytes() == bytes)
            );
            for limit in [bytes - 1, bytes / 2, 100, 0] {
                assert!(
                    Tables::new(&ground, Budget { bytes: limit, ..Budget::NONE }, threads).is_none(),
                    "{limit} bytes"
                );
            }
        }
    }

    /// The work of making tables is the same however many threads make them, and is limited to the unit.
    #[test]
    fn a_limit_of_work_holds_whatever_the_number_of_threads() {
        let ground = rooms();
        let fits = |work, threads| Tables::new(&ground, Budget { work, ..Budget::NONE }, threads).is_some();
        let (mut less, mut enough) = (0_u64, 1_u64 << 40);
        while enough - less > 1 {
            let middle = less.midpoint(enough);
            if fits(middle, 1) { enough = middle } else { less = middle }
        }
        for threads in [1, 3] {
            assert!(fits(enough, threads) && !fits(less, threads), "{enough}");
        }
    }
}
