//! The memory of searches.

use super::goal_set::GoalSet;
use super::memory::{Memories, SearchMemory};
use super::nodes::{Node, Nodes};
use super::{Cost, Outcome};
use throng_grid::{Cell, Lattice};

/// The memory of searches: one a thread, used for one search after the other.
///
/// It holds the data that all planners share: the goals, the counts, the result, and a label for each cell. Other
/// memory of a planner is a [`SearchMemory`] of its own, which it asks for by type ([`Scratch::memory`]) and finds
/// again in the next search. So planners from outside this crate have memory as those of this crate do.
///
/// Starting a search clears nothing, and once the memory has grown to the largest map and search it has seen, none is
/// allocated; but every 65 535 searches the labels are fetched anew from the operating system, since the numbers of
/// searches begin again.
///
/// After a search, and between two calls of [`Planner::advance`](super::Planner::advance), it is the trace of that search: which cells are open,
/// which are closed, and the costs to get there. (The reference planners of
/// [`PathfindingAStar`](super::PathfindingAStar) and [`PathfindingDijkstra`](super::PathfindingDijkstra) keep no trace.)
///
/// The labels take 8 bytes a cell, which the operating system provides page by page when a search first reaches them: on a
/// map of 4096 x 4096 cells 134 MB are reserved, and a search that stays in one corner uses a few of them. Searches at any
/// angle take 4 bytes more.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(1, 1), ground.lattice().cell(9, 5));
/// let mut scratch = Scratch::default();
/// let outcome = plan(&AStar(Octile), &ground, &Query::new(from, to), &mut scratch, &mut Path::default())?;
/// assert!(scratch.is_closed(from));
/// assert_eq!(scratch.cost(to), Some(outcome.cost));
/// assert_eq!(scratch.expanded(), outcome.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    /// Where the search shall end.
    pub(super) goals: GoalSet,
    pub(super) state: SearchState,
    /// The memories of single planners.
    pub(super) memories: Memories,
}

/// The data that every search writes.
#[derive(Debug, Default)]
pub(super) struct SearchState {
    pub(super) nodes: Nodes,
    pub(super) counters: SearchCounters,
    /// How the search ended, once it has.
    pub(super) outcome: Option<Outcome>,
    /// Where the route ends, once there is one.
    pub(super) end: Option<Cell>,
    /// The route of a planner that keeps no trace.
    pub(super) route: Vec<Cell>,
}

impl Scratch {
    /// The planner's own memory: that of the last search which asked for this type, or a new one. O(types in use).
    pub fn memory<M: SearchMemory + Default>(&mut self) -> &mut M {
        self.memories.of()
    }

    /// The same without changing anything; `None` where no search has asked for it.
    pub fn memory_of<M: SearchMemory>(&self) -> Option<&M> {
        self.memories.find()
    }

    /// Says that the memory `M` knows which cells this search has opened and closed.
    pub fn traced_by<M: SearchMemory>(&mut self) {
        self.memories.traced_by::<M>();
    }

    /// The cells in which the search may end, in order. Only those that can be reached from the start are left.
    pub fn goals(&self) -> &[Cell] {
        self.goals.cells()
    }

    /// Counts nodes that the search has expanded.
    pub fn count(&mut self, expanded: u64) {
        self.state.counters.expanded += expanded;
    }

    /// True where the last search has found a way to the cell and not expanded it.
    pub fn is_open(&self, cell: Cell) -> bool {
        let labelled = self.state.nodes.of(cell).is_some_and(|node| !node.closed());
        !self.is_closed(cell) && (labelled || self.memories.trace().is_some_and(|memory| memory.is_open(cell)))
    }

    /// True where the last search has expanded the cell, or ended on it.
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.state.nodes.of(cell).is_some_and(Node::closed)
            || self.memories.trace().is_some_and(|memory| memory.is_closed(cell))
    }

    /// Cost of the best way from the start to the cell that the last search has found.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let labelled = self.state.nodes.of(cell).map(|node| node.g().into());
        labelled.or_else(|| self.memories.trace()?.cost(cell))
    }

    /// The cell that the last search has expanded last. It is kept only where the query has a limit, however high, and by
    /// planners that expand cells and leave a [trace](super::Capability::Trace).
    pub fn last_expanded(&self) -> Option<Cell> {
        self.state.counters.last
    }

    /// How many nodes the last search has expanded.
    pub fn expanded(&self) -> u64 {
        self.state.counters.expanded
    }

    /// Bytes of memory, reserved ones included.
    pub fn bytes(&self) -> usize {
        self.state.nodes.bytes()
            + self.state.route.capacity() * size_of::<Cell>()
            + self.goals.bytes()
            + self.memories.bytes()
    }

    /// Forgets the last search.
    pub(super) fn reset(&mut self, lattice: Lattice) {
        let state = &mut self.state;
        state.nodes.reset(lattice.len());
        state.counters = SearchCounters::default();
        (state.outcome, state.end) = (None, None);
        state.route.clear();
        self.memories.forget_trace();
    }
}

/// The counters of a search so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchCounters {
    /// Nodes expanded.
    pub(super) expanded: u64,
    /// The expanded cell nearest to the goal with its estimate, of equals the first; kept where a limit may need it.
    pub(super) nearest: Option<(u32, Cell)>,
    /// The cell expanded last; kept where a limit may need `nearest`.
    pub(super) last: Option<Cell>,
}

impl SearchCounters {
    /// Counts the expansion of a cell with this estimate.
    pub(super) fn expand(&mut self, cell: Cell, estimate: u32) {
        self.expanded += 1;
        self.last = Some(cell);
        if self.nearest.is_none_or(|(least, _)| estimate < least) {
            self.nearest = Some((estimate, cell));
        }
    }

    /// The expanded cell nearest to the goal, or `from` where none was expanded.
    pub(super) fn nearest_or(&self, from: Cell) -> Cell {
        self.nearest.map_or(from, |(_, cell)| cell)
    }
}
