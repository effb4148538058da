//! Why a search came back.

use throng_grid::Cell;

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
