//! The memory of a search.

use super::ara::state::AraState;
use super::bidirectional::ReverseSearch;
use super::breadth_first::Fifo;
use super::bucket::Buckets;
use super::dijkstra::WavefrontDijkstra;
use super::flow::{FieldRepair, FlowField};
use super::fringe::Fringe;
use super::goal_set::GoalSet;
use super::heap::Heap;
use super::jps::jump::JumpSearch;
use super::successors::START;
use super::wave::Waves;
use super::{Cost, Outcome};
use throng_grid::{Cell, Lattice};

/// What a search writes: one a thread, used for one search after the other. Starting a search clears nothing, and once
/// the memory has grown to the largest map and search it has seen, none is allocated; but every 65 535 searches the nodes
/// are fetched anew from the operating system, since numbers of searches begin again.
///
/// After a search, and between two calls of [`Planner::advance`](super::Planner::advance), it is the trace of that
/// search: which cells are open, which are closed, and what it costs to get there. (The reference planners of
/// [`PathfindingAStar`](super::PathfindingAStar) and [`PathfindingDijkstra`](super::PathfindingDijkstra) keep no trace.)
///
/// It holds 8 bytes a cell, which the operating system provides page by page when a search first reaches them: on a map
/// of 4096 x 4096 cells 134 MB are reserved, and a search that stays in one corner uses a few of them. Searches at any angle
/// take 4 bytes more.
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
    pub(super) nodes: Nodes,
    pub(super) buckets: Buckets,
    pub(super) heap: Heap,
    pub(super) rounds: AraState,
    pub(super) waves: Waves,
    pub(super) front: WavefrontDijkstra,
    pub(super) repair_state: FieldRepair,
    /// The field of [`FlowFieldPlanner`](super::FlowFieldPlanner).
    pub(super) field: Option<FlowField>,
    /// What a search from the goal writes, where there is one.
    pub(super) back: Option<Box<ReverseSearch>>,
    pub(super) fringe: Fringe,
    pub(super) fifo: Fifo,
    pub(super) jumps: JumpSearch,
    pub(super) counters: SearchCounters,
    /// Where the search shall end.
    pub(super) goals: GoalSet,
    /// The memory of hierarchical searches.
    pub(super) hpa: Box<super::hpa::Memory>,
    /// How the search ended, once it has.
    pub(super) outcome: Option<Outcome>,
    /// Where the route ends, once there is one.
    pub(super) end: Option<Cell>,
    /// The route of a planner that keeps no trace.
    pub(super) route: Vec<Cell>,
    /// The cells before those that an any-angle search has seen, on the way from the start; whatever is there for others.
    pub(super) parents: Vec<u32>,
}

impl Scratch {
    /// True where the last search has found a way to the cell and not expanded it.
    pub fn is_open(&self, cell: Cell) -> bool {
        if self.jumps.in_use {
            return self.jumps.is_open(cell);
        }
        let open = |nodes: &Nodes| nodes.of(cell).is_some_and(|node| !node.closed());
        !self.is_closed(cell) && (open(&self.nodes) || self.back().is_some_and(|back| open(&back.nodes)))
    }

    /// True where the last search has expanded the cell, or ended on it.
    pub fn is_closed(&self, cell: Cell) -> bool {
        if self.jumps.in_use {
            return self.jumps.is_closed(cell);
        }
        let closed = |nodes: &Nodes| nodes.of(cell).is_some_and(Node::closed);
        closed(&self.nodes) || self.back().is_some_and(|back| closed(&back.nodes))
    }

    /// The search from the goal, where the last search had one.
    fn back(&self) -> Option<&ReverseSearch> {
        self.back.as_deref().filter(|back| back.used)
    }

    /// Cost of the best route that the last search has found over the cell.
    pub(super) fn cost_over(&self, cell: Cell) -> Option<Cost> {
        let rest = self.back().and_then(|back| back.rest(cell)).map_or(0, Cost::from);
        self.cost(cell).map(|cost| cost + rest)
    }

    /// Cost of the best way from the start to the cell that the last search has found.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        if self.jumps.in_use { self.jumps.cost(cell) } else { self.nodes.of(cell).map(|node| node.g().into()) }
    }

    /// How many nodes the last search has expanded.
    pub fn expanded(&self) -> u64 {
        self.counters.expanded
    }

    /// Bytes of memory, reserved ones included.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.buckets.bytes()
            + self.heap.bytes()
            + self.rounds.bytes()
            + self.hpa.bytes()
            + self.fifo.bytes()
            + self.jumps.bytes()
            + self.waves.bytes()
            + self.repair_state.bytes()
            + self.field.as_ref().map_or(0, FlowField::bytes)
            + self.route.capacity() * size_of::<Cell>()
            + size_of_val(self.parents.as_slice())
            + self.goals.bytes()
            + self.fringe.bytes()
            + self.back.as_ref().map_or(0, |back| back.bytes())
    }

    /// Makes room for the parents of an any-angle search from a cell: none is cleared.
    pub(super) fn start_parents(&mut self, lattice: Lattice, start: Cell) {
        if self.parents.len() < lattice.len() {
            self.parents = vec![0; lattice.len()];
        }
        self.parents[start.index()] = start.0;
    }

    /// The parts of a search with a bucket queue.
    #[inline]
    pub(super) fn by_bucket(&mut self) -> (&mut Nodes, &mut Buckets, &mut SearchCounters) {
        (&mut self.nodes, &mut self.buckets, &mut self.counters)
    }

    /// The parts of a search with a heap.
    #[inline]
    pub(super) fn by_heap(&mut self) -> (&mut Nodes, &mut Heap, &mut SearchCounters) {
        (&mut self.nodes, &mut self.heap, &mut self.counters)
    }

    /// The parts of a search with a queue in the order of arrival.
    #[inline]
    pub(super) fn by_fifo(&mut self) -> (&mut Nodes, &mut Fifo, &mut SearchCounters) {
        (&mut self.nodes, &mut self.fifo, &mut self.counters)
    }

    /// Forgets the last search.
    pub(super) fn reset(&mut self, lattice: Lattice) {
        self.nodes.reset(lattice.len());
        self.jumps.in_use = false;
        self.counters = SearchCounters::default();
        if let Some(back) = &mut self.back {
            back.used = false;
        }
        self.outcome = None;
        self.end = None;
        self.route.clear();
    }
}

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchCounters {
    /// Nodes expanded.
    pub(super) expanded: u64,
    /// The expanded cell nearest to the goal with its estimate, of equals the first; kept where a limit may need it.
    pub(super) nearest: Option<(u32, Cell)>,
}

impl SearchCounters {
    /// Counts the expansion of a cell with this estimate.
    pub(super) fn expand(&mut self, cell: Cell, estimate: u32) {
        self.expanded += 1;
        if self.nearest.is_none_or(|(least, _)| estimate < least) {
            self.nearest = Some((estimate, cell));
        }
    }
}

/// A cell as a search sees it, 8 bytes. From the top bit:
///
/// - 16 bits of stamp, the number of the search that wrote this;
/// - 1 bit that is set once the node was expanded;
/// - 32 bits of g, the cost of the best way found so far, all of them flipped;
/// - 15 bits for the last step here: its direction, [`START`], or [`LINK`](super::successors::LINK) and the number of a link.
///
/// So the greater node is the one to keep: a later search before an earlier one, closed before open, the cheaper way before
/// the dearer one. One comparison tells them all, where three branches would be guessed wrong in turn. All zero is a cell
/// that no search has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Node(pub(super) u64);

impl Node {
    pub(super) const CLOSED: u64 = 1 << 47;

    /// An open node, reached by direction 0.
    #[inline]
    pub(super) fn open(stamp: u16, g: u32) -> Self {
        Self(u64::from(stamp) << 48 | u64::from(!g) << 15)
    }

    #[inline]
    pub(super) fn stamp(self) -> u16 {
        (self.0 >> 48) as u16
    }

    /// True once it was expanded.
    #[inline]
    pub(super) fn closed(self) -> bool {
        self.0 & Self::CLOSED != 0
    }

    /// Cost of the best way found so far.
    #[inline]
    pub(super) fn g(self) -> u32 {
        !((self.0 >> 15) as u32)
    }

    /// Direction of the last step here, [`START`], or a link.
    #[inline]
    pub(super) fn incoming_step(self) -> u16 {
        self.0 as u16 & 0x7fff
    }

    /// The same, expanded.
    #[inline]
    pub(super) fn to_closed(self) -> Self {
        Self(self.0 | Self::CLOSED)
    }

    /// An open node behind an open one, by a step of direction 0 that costs `cost`. The sum must not overflow.
    #[inline]
    pub(super) fn after(self, cost: u32) -> Self {
        Self((self.0 & !0x7fff) - (u64::from(cost) << 15))
    }
}

/// The nodes of all cells. A node belongs to the running search where it bears its stamp; all others count as unseen, so
/// that nothing is cleared between searches.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    pub(super) nodes: Vec<Node>,
    pub(super) stamp: u16,
}

impl Nodes {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }

    /// Starts a search over `len` cells: all are unseen.
    pub(super) fn reset(&mut self, len: usize) {
        if self.nodes.len() < len || self.stamp == u16::MAX {
            // All stamps are used up, or the map has grown. Zeroed memory comes from the operating system untouched;
            // clearing the old would touch every page of it. The old is dropped first, so that both never coexist.
            let len = len.max(self.nodes.len());
            self.nodes = Vec::new();
            self.nodes = bytemuck::zeroed_vec(len);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// The node of a cell that the running search has seen.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> Option<Node> {
        self.nodes.get(cell.index()).copied().filter(|node| node.stamp() == self.stamp)
    }

    /// Opens the cell in which a search starts.
    pub(super) fn start(&mut self, cell: Cell) {
        self.improve(cell, 0, START);
    }

    /// Notes a way to `cell` that costs `g`; false where one as good is known, or the cell is closed.
    #[inline]
    pub(super) fn improve(&mut self, cell: Cell, g: u32, incoming_step: u16) -> bool {
        let node = &mut self.nodes[cell.index()];
        let better = Node::open(self.stamp, g);
        if better <= *node {
            return false;
        }
        node.0 = better.0 | u64::from(incoming_step);
        true
    }

    /// Notes a way to `cell` that costs `g`, and opens the cell again where it was closed; false where one as good is known.
    #[inline]
    pub(super) fn improve_or_reopen(&mut self, cell: Cell, g: u32, incoming_step: u16) -> bool {
        let node = &mut self.nodes[cell.index()];
        if node.stamp() == self.stamp && node.g() <= g {
            return false;
        }
        node.0 = Node::open(self.stamp, g).0 | u64::from(incoming_step);
        true
    }

    /// True where the running search knows a way to the cell.
    #[inline]
    pub(super) fn is_seen(&self, cell: Cell) -> bool {
        self.nodes[cell.index()].stamp() == self.stamp
    }

    /// Closes an open cell; `None` where it is closed already.
    #[inline]
    pub(super) fn close(&mut self, cell: Cell) -> Option<Node> {
        let node = &mut self.nodes[cell.index()];
        let open = *node;
        if open.closed() {
            return None;
        }
        node.0 = open.0 | Node::CLOSED;
        Some(open)
    }

    /// Writes the cost of a cell that is closed: what was promised when it was opened did not hold.
    pub(super) fn correct(&mut self, cell: Cell, g: u32) {
        self.nodes[cell.index()].0 = Node::open(self.stamp, g).0 | Node::CLOSED;
    }

    /// Opens a cell again that was closed.
    pub(super) fn reopen(&mut self, cell: Cell) {
        self.nodes[cell.index()].0 &= !Node::CLOSED;
    }

    /// Direction of the last step to a cell, [`START`], or a link.
    pub(super) fn incoming_step(&self, cell: Cell) -> u16 {
        self.nodes[cell.index()].incoming_step()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_eight_bytes() {
        assert_eq!(size_of::<Node>(), 8);
    }

    #[test]
    fn a_search_sees_nothing_of_the_ones_before_even_after_all_stamps() {
        let mut nodes = Nodes::default();
        for search in 0..70_000 {
            nodes.reset(4);
            assert!((0..4).all(|cell| nodes.of(Cell(cell)).is_none()), "search {search}");
            let cell = Cell(search % 4);
            nodes.start(cell);
            nodes.close(cell);
        }
    }

    #[test]
    fn a_larger_map_grows_the_nodes_and_a_smaller_one_keeps_them() {
        let mut nodes = Nodes::default();
        for (len, expected) in [(10, 10), (20, 20), (5, 20)] {
            nodes.reset(len);
            assert_eq!(nodes.nodes.len(), expected);
            assert!(nodes.of(Cell(3)).is_none());
            nodes.start(Cell(3));
        }
    }

    #[test]
    fn closed_cells_are_not_improved() {
        let mut nodes = Nodes::default();
        nodes.reset(4);
        assert!(nodes.improve(Cell(1), 10, 0));
        assert!(!nodes.improve(Cell(1), 10, 1));
        assert!(nodes.improve(Cell(1), 9, 2));
        assert_eq!(nodes.close(Cell(1)).map(Node::incoming_step), Some(2));
        assert!(nodes.close(Cell(1)).is_none());
        assert!(!nodes.improve(Cell(1), 5, 3));
        assert_eq!(nodes.of(Cell(1)).unwrap().g(), 9);
    }
}
