//! Searches over graphs: road networks, waypoints, meshes, maps in space.
//!
//! A [`PathFinder`] runs on every graph of the `petgraph` crate whose nodes have [`Positions`], and on the grid as a
//! [`GridGraph`](throng_grid::GridGraph). Its type parameters are a [`Distance`], the cost of an edge, and a
//! [`Heuristic`], the estimate of the rest. So both are compiled into the search.
//!
//! | search | cost of the route | the estimate must be |
//! |---|---|---|
//! | [`dijkstra`](PathFinder::dijkstra) | optimal | – |
//! | [`astar`](PathFinder::astar) | optimal | admissible |
//! | [`weighted_astar`](PathFinder::weighted_astar) | at most w2/w1 times the optimal one | consistent |
//! | [`anytime`](PathFinder::anytime) | better and better, each with its bound, at last optimal | consistent |
//! | [`bidirectional`](PathFinder::bidirectional) | optimal | consistent |
//! | [`fringe`](PathFinder::fringe) | optimal | admissible |
//!
//! Costs are `f64`, so that edges may weigh metres, seconds or counts: integers below 2^53 are exact, others are rounded at
//! each sum, and "optimal" means up to that rounding. The order is total and of equals the node with the smaller index comes
//! first, so the same graph gives the same route on every machine.

use super::{Cancel, Limits, Status};
use petgraph::Undirected;
use petgraph::visit::{IntoEdges, IntoEdgesDirected, NodeIndexable};
use std::ops::ControlFlow;
use throng_grid::geom::DVec2;
use trip::Trip;

mod anytime;
mod bidirectional;
mod domain;
mod error;
mod fringe;
mod metric;
mod place;
mod scratch;
mod trip;

pub use error::GraphError;
/// The graphs and the traits, in the version that the searches take.
pub use petgraph;

pub use metric::{Distance, EdgeWeight, Euclidean, Heuristic, Hops, Manhattan, Octile, Scaled, Weight, Zero};
pub use place::{Located, Position, Positions, find_closest};
pub use scratch::GraphScratch;

/// The graph for most uses: nodes that are points, edges that weigh their cost, passable both ways. It is that of
/// `petgraph`; with [`Directed`](petgraph::Directed) as the third parameter edges go one way.
///
/// Points are of two `f64`, so that coordinates of a country's grid, as UTM, are exact to a nanometre. A `Graph<Vec2>` takes
/// half the memory for them and holds 7 digits: half a metre at 5,400,000 m. Count such positions from a place near by.
///
/// ```
/// use glam::DVec2;
/// use throng_plan::graph::{EdgeWeight, Euclidean, Graph, GraphScratch, PathFinder};
/// let mut graph: Graph = Graph::default();
/// let corner = DVec2::new(500_000.0, 5_400_000.0);
/// let [a, b, c] = [(0.0, 0.0), (3.0, 4.0), (6.0, 0.0)].map(|(x, y)| graph.add_node(corner + DVec2::new(x, y)));
/// graph.extend_with_edges([(a, b, 5.0), (b, c, 5.0), (a, c, 11.0)]);
/// let mut scratch = GraphScratch::default();
/// let outcome = PathFinder::new(EdgeWeight, Euclidean).astar(&graph, a, c, &mut scratch)?;
/// assert_eq!((outcome.cost, scratch.path()), (10.0, [a, b, c].as_slice()));
/// # Ok::<(), throng_plan::graph::GraphError>(())
/// ```
pub type Graph<P = DVec2, E = f64, Ty = Undirected> = petgraph::Graph<P, E, Ty>;

/// How a search over a graph ended; the nodes are in [`GraphScratch::path`].
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

/// Finds routes on graphs: edges cost what the [`Distance`] `D` says, the rest is estimated by the [`Heuristic`] `H`.
///
/// Every search takes the graph (a reference to it), the two ends and the memory, and ends in [`Status::Found`],
/// [`Status::NoRoute`], or as `limits` and `cancel` say:
///
/// - [`Status::Partial`] after so many expansions: the route leads to the expanded node with the least estimate, of equals
///   the last one; [`anytime`](Self::anytime) gives its best route instead, once it has one.
/// - [`Status::Cancelled`], seen every 1024 expansions: no route, but again the best one of an anytime search.
///
/// # Errors
/// All searches: [`GraphError::NoNode`] where an end is not in the graph, [`GraphError::EdgeCost`] and
/// [`GraphError::Estimate`] where a number is seen that no search can use, [`GraphError::TooManyNodes`] from 2^32 − 1 nodes
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
    pub const MAX_COST: f64 = trip::MAX_COST;

    /// The greatest weight of [`weighted_astar`](Self::weighted_astar) and [`anytime`](Self::anytime).
    pub const MAX_WEIGHT: f64 = 1e6;

    /// The finder without limits.
    pub fn new(distance: D, heuristic: H) -> Self {
        Self { distance, heuristic, limits: Limits::default(), cancel: None }
    }

    /// Dijkstra's algorithm: expands nodes in the order of their cost from the start, until the goal's turn comes.
    ///
    /// E. W. Dijkstra: A note on two problems in connexion with graphs. Numerische Mathematik 1, 1959.
    ///
    /// - **Result**: a cheapest route (bound 1). The heuristic is not asked.
    /// - **Complexity**: O((n + m) log m) for n nodes and m edges nearer than the goal.
    /// - **Ties**: of equal cost the node with the smaller index; of two equal ways to a node the one found first stays.
    ///
    /// # Errors
    /// See [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// let graph = petgraph::graph::UnGraph::<(), u32>::from_edges([(0, 1, 5), (1, 2, 5), (0, 2, 11)]);
    /// let finder = PathFinder::new(EdgeWeight, Zero);
    /// assert_eq!(finder.dijkstra(&graph, 0.into(), 2.into(), &mut GraphScratch::default())?.cost, 10.0);
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn dijkstra<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdges + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
    {
        let trip = Trip::new(self, &Zero, graph, from, to, scratch)?;
        domain::best_first(trip, (1.0, 0.0), scratch)
    }

    /// A*: expands nodes in the order of f = g + h, where g is the cost so far and h the estimate of the rest.
    ///
    /// P. E. Hart, N. J. Nilsson, B. Raphael: A formal basis for the heuristic determination of minimum cost paths. IEEE
    /// Transactions on Systems Science and Cybernetics 4(2), 1968.
    ///
    /// - **Result**: a cheapest route (bound 1) where the estimate is admissible.
    /// - **Complexity**: O((n + m) log m) for n nodes expanded and m edges seen. With a consistent estimate each node is
    ///   expanded once; else nodes are opened again, in the worst case exponentially often.
    /// - **Ties**: of equal f the node with the lesser h, then the smaller index; of two equal ways to a node the one found
    ///   first stays.
    ///
    /// # Errors
    /// See [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// # use glam::Vec2;
    /// let mut graph = Graph::<Vec2, ()>::default();
    /// let nodes = [0.0, 1.0, 2.0, -1.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
    /// graph.extend_with_edges([(nodes[0], nodes[1]), (nodes[1], nodes[2]), (nodes[0], nodes[3])]);
    /// let finder = PathFinder::new(Euclidean, Euclidean);
    /// let outcome = finder.astar(&graph, nodes[0], nodes[2], &mut GraphScratch::default())?;
    /// assert_eq!((outcome.cost, outcome.expanded), (2.0, 2));
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn astar<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdges + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
        H: Heuristic<G::Position>,
    {
        let trip = Trip::new(self, &self.heuristic, graph, from, to, scratch)?;
        domain::best_first(trip, (1.0, 1.0), scratch)
    }

    /// Weighted A*: expands nodes in the order of f = w1·g + w2·h. The greater w2 is against w1, the more it is drawn to the
    /// goal; w2 = 0 is Dijkstra's algorithm, w2 = w1 is A*.
    ///
    /// I. Pohl: Heuristic search viewed as path finding in a graph. Artificial Intelligence 1, 1970.
    ///
    /// - **Result**: a route that costs at most max(1, w2/w1) times the optimal one where the estimate is consistent. (Up to
    ///   w2 = w1 it is optimal where the estimate is admissible.)
    /// - **Complexity** and **ties**: as [`astar`](Self::astar); for w2 > w1 each node is expanded at most once.
    ///
    /// # Errors
    /// [`GraphError::Weights`] where `w1` is not above 0, `w2` is negative, one of them is no number or above
    /// [`MAX_WEIGHT`](Self::MAX_WEIGHT); else see [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// # use glam::Vec2;
    /// let mut graph = Graph::<Vec2>::default();
    /// let (a, b) = (graph.add_node(Vec2::ZERO), graph.add_node(Vec2::X));
    /// graph.add_edge(a, b, 1.5);
    /// let (finder, mut scratch) = (PathFinder::new(EdgeWeight, Euclidean), GraphScratch::default());
    /// assert_eq!(finder.weighted_astar(&graph, a, b, (1.0, 2.0), &mut scratch)?.bound, 2.0);
    /// assert!(finder.weighted_astar(&graph, a, b, (0.0, 2.0), &mut scratch).is_err());
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn weighted_astar<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        (w1, w2): (f64, f64),
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdges + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
        H: Heuristic<G::Position>,
    {
        let limit = Self::MAX_WEIGHT;
        if !(w1 > 0.0 && w1 <= limit && (0.0..=limit).contains(&w2)) {
            return Err(GraphError::Weights { w1, w2, limit });
        }
        let trip = Trip::new(self, &self.heuristic, graph, from, to, scratch)?;
        domain::best_first(trip, (w1, w2), scratch)
    }

    /// Anytime repairing A* (ARA*): a quick route first, then better ones, until the optimal one is proven. Each round is a
    /// weighted A* that keeps what the rounds before have found.
    ///
    /// M. Likhachev, G. Gordon, S. Thrun: ARA*: Anytime A* with provable bounds on sub-optimality. NIPS 2003.
    ///
    /// `weights` are those of the estimate, one a round, falling; to end with an optimal route the last must be 1. `better`
    /// is called after each round, with a smaller bound each time, and ends the search with [`ControlFlow::Break`]. A round
    /// whose weight is proven already is left out.
    ///
    /// - **Result**: the last route that `better` was given, none dearer than the one before. Its bound, the lesser of the
    ///   weight and of its cost over the least g + h of what is open, is proven where the estimate is consistent; where it is
    ///   only admissible, the route of weight 1 is optimal all the same.
    /// - **Complexity**: each round expands each node at most once (more often in the last one where the estimate is
    ///   not consistent). It expands only nodes whose cost has changed or that become worth it by the smaller weight.
    /// - **Ties**: as [`astar`](Self::astar).
    ///
    /// # Errors
    /// [`GraphError::Rounds`] where there are no weights, they do not fall, or one is no number, below 1 or above
    /// [`MAX_WEIGHT`](Self::MAX_WEIGHT); else see [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// # use glam::Vec2;
    /// use std::ops::ControlFlow;
    /// let mut graph = Graph::<Vec2>::default();
    /// let [a, b, c] = [0.0, 1.0, 2.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
    /// graph.extend_with_edges([(a, b, 1.0), (b, c, 2.0), (a, c, 4.0)]);
    /// let finder = PathFinder::new(EdgeWeight, Euclidean);
    /// let mut scratch = GraphScratch::default();
    /// let mut bounds = Vec::new();
    /// let outcome = finder.anytime(&graph, a, c, &[3.0, 2.0, 1.5, 1.0], &mut scratch, |better| {
    ///     bounds.push(better.bound);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((outcome.cost, outcome.bound), (3.0, 1.0));
    /// assert!(bounds.is_sorted_by(|a, b| a > b));
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn anytime<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        weights: &[f64],
        scratch: &mut GraphScratch<G::NodeId>,
        better: impl FnMut(Better<'_, G::NodeId>) -> ControlFlow<()>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdges + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
        H: Heuristic<G::Position>,
    {
        let limit = Self::MAX_WEIGHT;
        let in_range = weights.iter().all(|weight| (1.0..=limit).contains(weight));
        if weights.is_empty() || !in_range || !weights.is_sorted_by(|a, b| a > b) {
            return Err(GraphError::Rounds { found: weights.to_vec(), limit });
        }
        let trip = Trip::new(self, &self.heuristic, graph, from, to, scratch)?;
        anytime::search(trip, weights, scratch, better)
    }

    /// Bidirectional A* (NBA*): two searches, from the start and from the goal, which share the nodes between them: each
    /// node is expanded by one of them at most, and not at all where the other's progress proves that no better route leads
    /// over it. With [`Zero`] it is the bidirectional form of Dijkstra's algorithm.
    ///
    /// W. Pijls, H. Post: Yet another bidirectional algorithm for finding the shortest path. Econometric Institute Report
    /// EI 2009-10, 2009.
    ///
    /// - **Result**: a cheapest route (bound 1) where the estimate is consistent; that of the search from the goal is the
    ///   estimate between the start and a node.
    /// - **Complexity**: O((n + m) log m) for n nodes expanded and m edges seen, each node at most once.
    /// - **Ties**: the side with fewer open nodes goes on, of equals the one from the start; within a side as
    ///   [`astar`](Self::astar).
    /// - **Limits**: a partial route comes from the search from the start.
    ///
    /// # Errors
    /// See [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// # use glam::Vec2;
    /// let mut graph = Graph::<Vec2, f64, petgraph::Directed>::default();
    /// let [a, b, c] = [0.0, 1.0, 2.0].map(|x| graph.add_node(Vec2::new(x, 0.0)));
    /// graph.extend_with_edges([(a, b, 1.0), (b, c, 2.0), (a, c, 4.0)]);
    /// let mut scratch = GraphScratch::default();
    /// let outcome = PathFinder::new(EdgeWeight, Euclidean).bidirectional(&graph, a, c, &mut scratch)?;
    /// assert_eq!((outcome.cost, scratch.path()), (3.0, [a, b, c].as_slice()));
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn bidirectional<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdgesDirected + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
        H: Heuristic<G::Position>,
    {
        let trip = Trip::new(self, &self.heuristic, graph, from, to, scratch)?;
        bidirectional::search(trip, scratch)
    }

    /// Fringe search: passes over a list of open nodes, which is never sorted; each pass expands the nodes whose f = g + h is
    /// not above a limit and sets the limit of the next.
    ///
    /// Y. Björnsson, M. Enzenberger, R. C. Holte, J. Schaeffer: Fringe search: beating A* at pathfinding on game maps. IEEE
    /// Symposium on Computational Intelligence and Games, 2005.
    ///
    /// - **Result**: a cheapest route (bound 1) where the estimate is admissible.
    /// - **Complexity**: O(passes · open nodes + edges seen). There is one pass for each different f below the cost of the
    ///   route: few where costs are small integers, as many as nodes are expanded where they are arbitrary numbers, and then
    ///   A* is the better choice.
    /// - **Ties**: depth first; of two equal ways to a node the one found first stays.
    ///
    /// # Errors
    /// See [`PathFinder`].
    ///
    /// ```
    /// # use throng_plan::graph::*;
    /// let graph = petgraph::graph::UnGraph::<(), u32>::from_edges([(0, 1, 5), (1, 2, 5), (0, 2, 11)]);
    /// let finder = PathFinder::new(EdgeWeight, Zero);
    /// assert_eq!(finder.fringe(&graph, 0.into(), 2.into(), &mut GraphScratch::default())?.cost, 10.0);
    /// # Ok::<(), GraphError>(())
    /// ```
    pub fn fringe<G>(
        &self,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<GraphOutcome, GraphError>
    where
        G: IntoEdges + NodeIndexable + Positions,
        D: Distance<G::Position, G::EdgeWeight>,
        H: Heuristic<G::Position>,
    {
        let trip = Trip::new(self, &self.heuristic, graph, from, to, scratch)?;
        fringe::search(trip, scratch)
    }
}
