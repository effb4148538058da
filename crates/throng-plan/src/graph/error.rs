//! Errors of searches over graphs.

/// A search over a graph that cannot be answered.
///
/// Nodes are told by their index, that of [`NodeIndexable`](petgraph::visit::NodeIndexable).
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_plan::graph::{EdgeWeight, Graph, GraphScratch, PathFinder, Zero};
/// let mut graph = Graph::<Vec2>::default();
/// let (a, b) = (graph.add_node(Vec2::ZERO), graph.add_node(Vec2::X));
/// graph.add_edge(a, b, -3.0);
/// let error = PathFinder::new(EdgeWeight, Zero).dijkstra(&graph, a, b, &mut GraphScratch::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the edge from node 0 to node 1 costs -3; an edge must cost a finite number, not below 0 and at most 1e200"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The node was removed from the graph, or is one of another graph.
    #[error("the {end} is no node of the graph")]
    NoNode {
        /// "start", "goal", or the end of an edge.
        end: &'static str,
    },
    /// More nodes than a search can number.
    #[error("the graph has room for {found} nodes; a search can number {limit}")]
    TooManyNodes {
        /// One more than the greatest index of a node.
        found: usize,
        /// The most.
        limit: usize,
    },
    /// The [`Distance`](super::Distance) of an edge is no number, infinite, negative or too great.
    #[error(
        "the edge from node {from} to node {to} costs {found}; \
         an edge must cost a finite number, not below 0 and at most {limit:e}"
    )]
    EdgeCost {
        /// Where the edge starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// Its cost.
        found: f64,
        /// The greatest cost.
        limit: f64,
    },
    /// The [`Heuristic`](super::Heuristic) is no number, infinite, negative or too great.
    #[error(
        "the estimate for node {node} is {found}; \
         an estimate must be a finite number, not below 0 and at most {limit:e}"
    )]
    Estimate {
        /// The node.
        node: usize,
        /// Its estimate.
        found: f64,
        /// The greatest estimate.
        limit: f64,
    },
    /// Weights that are no numbers, negative, or leave nothing to search by.
    #[error(
        "the weights must be finite and not negative, w1 above 0, both at most {limit}; found w1 = {w1}, w2 = {w2}"
    )]
    Weights {
        /// Weight of the cost so far.
        w1: f64,
        /// Weight of the estimate.
        w2: f64,
        /// The greatest weight.
        limit: f64,
    },
    /// Weights of the rounds of an anytime search that do not fall, or fall below 1.
    #[error(
        "the weights of the rounds must fall from each to the next, from at most {limit} to at least 1; found {found:?}"
    )]
    Rounds {
        /// The weights.
        found: Vec<f64>,
        /// The greatest weight.
        limit: f64,
    },
}
