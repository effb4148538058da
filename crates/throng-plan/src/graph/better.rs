//! A route on the way to the best.

/// A route that an anytime search has found on its way to the optimal one.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng_grid::geom::Vec2;
/// use throng_plan::graph::{EdgeWeight, Euclidean, Graph, GraphScratch, PathFinder};
/// let mut graph = Graph::<Vec2>::default();
/// let [a, b, c] = [(0.0, 0.0), (3.0, 4.0), (6.0, 0.0)].map(|(x, y)| graph.add_node(Vec2::new(x, y)));
/// graph.extend_with_edges([(a, b, 5.0), (b, c, 5.0), (a, c, 11.0)]);
/// let (mut scratch, mut bounds) = (GraphScratch::default(), Vec::new());
/// PathFinder::new(EdgeWeight, Euclidean).anytime(&graph, a, c, &[3.0, 1.0], &mut scratch, |better| {
///     bounds.push(better.bound);
///     ControlFlow::Continue(())
/// })?;
/// assert!(bounds.is_sorted_by(|one, next| one > next) && bounds.last() == Some(&1.0));
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Better<'a, N> {
    /// Its nodes, start and goal included.
    pub path: &'a [N],
    /// Its cost.
    pub cost: f64,
    /// Proven: the cost is at most this many times the optimal one.
    pub bound: f64,
    /// Nodes expanded so far.
    pub expanded: u64,
}
