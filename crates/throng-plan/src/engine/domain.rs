//! The space of a search.

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
