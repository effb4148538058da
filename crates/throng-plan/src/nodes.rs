//! Labels of the cells in a search.

use super::successors::START;
use throng_grid::Cell;

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

    /// Writes the cost of a cell that is closed: the promise when it was opened did not hold.
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
