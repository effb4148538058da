//! A finder of routes on graphs.

use crate::{Cancel, Limits};

/// The greatest cost of an edge: 2^32 of them, times the greatest weight, are finite.
pub(super) const MAX_COST: f64 = 1e200;

/// Finds routes on graphs: edges cost what the [`Distance`](super::Distance) `D` says, the rest is estimated by the [`Heuristic`](super::Heuristic) `H`.
///
/// Every search takes the graph (a reference to it), the two ends and the memory, and ends in [`Status::Found`](crate::Status::Found),
/// [`Status::NoRoute`](crate::Status::NoRoute), or as `limits` and `cancel` say:
///
/// - [`Status::Partial`](crate::Status::Partial) after so many expansions: the route leads to the expanded node with the least estimate, of equals
///   the last one; [`anytime`](Self::anytime) gives its best route instead, once it has one.
/// - [`Status::Cancelled`](crate::Status::Cancelled), seen every 1024 expansions: no route, but again the best one of an anytime search.
///
/// # Errors
/// All searches: [`GraphError::NoNode`](super::GraphError::NoNode) where an end is not in the graph, [`GraphError::EdgeCost`](super::GraphError::EdgeCost) and
/// [`GraphError::Estimate`](super::GraphError::Estimate) where a number is seen that no search can use, [`GraphError::TooManyNodes`](super::GraphError::TooManyNodes) from 2^32 − 1 nodes
/// on.
///
/// ```
/// use petgraph::graph::DiGraph;
/// use throng_plan::graph::{EdgeWeight, GraphScratch, Manhattan, PathFinder};
/// use throng_plan::{Limits, Status};
/// use glam::Vec3;
/// let mut graph = DiGraph::<Vec3, u32>::new();
/// let floor = graph.add_node(Vec3::ZERO);
/// let roof = graph.add_node(Vec3::new(0.0, 0.0, 9.0));
/// let cellar = graph.add_node(Vec3::new(0.0, 0.0, -3.0));
/// graph.extend_with_edges([(roof, floor, 9), (floor, cellar, 3)]); // one way: down
/// let finder = PathFinder::new(EdgeWeight, Manhattan);
/// let mut scratch = GraphScratch::default();
/// assert_eq!(finder.astar(&graph, roof, cellar, &mut scratch)?.cost, 12.0);
/// assert_eq!(finder.astar(&graph, floor, roof, &mut scratch)?.status, Status::NoRoute);
/// let short = PathFinder { limits: Limits { expansions: 1 }, ..finder };
/// assert_eq!(short.astar(&graph, roof, cellar, &mut scratch)?.status, Status::Partial);
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathFinder<D, H> {
    /// Costs of edges.
    pub distance: D,
    /// Estimates of the rest of a way.
    pub heuristic: H,
    /// When to give up.
    pub limits: Limits,
    /// How to stop a search from outside; `None` = it cannot be stopped.
    pub cancel: Option<Cancel>,
}

impl<D, H> PathFinder<D, H> {
    /// The greatest cost of an edge, and the greatest estimate: sums over any route stay finite.
    pub const MAX_COST: f64 = MAX_COST;

    /// The greatest weight of [`weighted_astar`](Self::weighted_astar) and [`anytime`](Self::anytime).
    pub const MAX_WEIGHT: f64 = 1e6;

    /// The finder without limits.
    pub fn new(distance: D, heuristic: H) -> Self {
        Self { distance, heuristic, limits: Limits::default(), cancel: None }
    }
}
