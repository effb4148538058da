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

use petgraph::Undirected;
use throng_grid::geom::DVec2;

mod anytime;
mod best_first;
mod better;
mod bidirectional;
mod domain;
mod error;
mod fringe;
mod graph_query;
mod metric;
mod outcome;
mod path_finder;
mod place;
mod scratch;

pub use better::Better;
pub use error::GraphError;
/// The graphs and the traits, in the version that the searches take.
pub use petgraph;

pub use metric::{Distance, EdgeWeight, Euclidean, Heuristic, Hops, Manhattan, Octile, Scaled, Weight, Zero};
pub use outcome::GraphOutcome;
pub use path_finder::PathFinder;
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
