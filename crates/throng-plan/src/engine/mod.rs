//! Best-first search, written once for the grid and for general graphs: a loop over a [`Domain`].
//!
//! Bidirectional A*, ARA* and fringe search are written for the grid and for graphs apart. The first two take turns, end, and
//! order their open lists by other rules there, so that one loop would change which nodes they expand. The grid's fringe
//! search keeps its cells in two stacks, which took 61 % more instructions on a graph than the linked list there.

mod best_first;

pub(crate) use best_first::best_first;

use throng_grid::Cell;

/// The space of a search: nodes, the steps between them, and a label for each node. The domain decides costs and ties,
/// and whether a closed node is opened again when a better way to it is found.
pub(crate) trait Domain {
    /// A node.
    type Node: Copy;
    /// The label of a node.
    type Label: Copy;
    /// Cost of a way, and an estimate.
    type Cost: Copy;
    /// Why a node cannot be expanded.
    type Error;

    /// Nodes expanded.
    fn expanded(&self) -> u64;

    /// True where the search may end.
    fn is_goal(&self, node: Self::Node) -> bool;

    /// Closes an open node; `None` where it is closed already.
    fn close(&mut self, node: Self::Node) -> Option<Self::Label>;

    /// Opens a node again that was closed.
    fn reopen(&mut self, node: Self::Node);

    /// Expands a node that was closed with this label: calls `reached(to, g, h)` for each node to which the way is better
    /// than what was known, with its cost and the estimate of the rest.
    fn expand(
        &mut self,
        node: Self::Node,
        label: Self::Label,
        reached: impl FnMut(Self::Node, Self::Cost, Self::Cost),
    ) -> Result<(), Self::Error>;
}

/// Why a search came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt<N = Cell> {
    /// This node, a goal, has the lowest priority.
    Goal(N),
    /// The searches from both ends have met in this node, from where the way to the goal costs `rest`.
    Met { cell: N, rest: u32 },
    /// Nothing is open.
    Exhausted,
    /// As many nodes are expanded as were asked for.
    Stop,
}
