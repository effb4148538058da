//! How a search over a graph ended.

use crate::Status;

/// How a search over a graph ended; the nodes are in [`GraphScratch::path`](super::GraphScratch::path).
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_plan::Status;
/// use throng_plan::graph::{EdgeWeight, Graph, GraphScratch, PathFinder, Zero};
/// let mut graph = Graph::<Vec2>::default();
/// let [a, b] = [0.0, 1.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
/// let outcome = PathFinder::new(EdgeWeight, Zero).dijkstra(&graph, a, b, &mut GraphScratch::default())?;
/// assert_eq!((outcome.status, outcome.cost), (Status::NoRoute, 0.0));
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphOutcome {
    /// How it ended.
    pub status: Status,
    /// Cost of the route; 0 without one.
    pub cost: f64,
    /// The cost is at most this many times the optimal one, where the estimate keeps its promise.
    pub bound: f64,
    /// Nodes expanded; a node that is expanded again counts again.
    pub expanded: u64,
}
