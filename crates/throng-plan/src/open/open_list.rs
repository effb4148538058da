//! What every open list can do.

use throng_grid::Cell;

/// An open list.
pub(crate) trait OpenList<N = Cell> {
    /// The order of the nodes, lowest first.
    type Priority: Copy;

    /// Holds this node and no other.
    fn restart(&mut self, priority: Self::Priority, node: N);

    /// Adds a node; it may be in the queue already.
    fn push(&mut self, priority: Self::Priority, node: N);

    /// Takes a node of the lowest priority.
    fn pop(&mut self) -> Option<(Self::Priority, N)>;

    /// Gives the node back that was taken last: it comes first again.
    fn put_back(&mut self, priority: Self::Priority, node: N) {
        self.push(priority, node);
    }
}
