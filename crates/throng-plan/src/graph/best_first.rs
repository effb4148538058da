//! Dijkstra's algorithm, A* and weighted A* over graphs.

use super::domain::best_first;
use super::graph_query::GraphQuery;
use super::{Distance, GraphError, GraphOutcome, GraphScratch, Heuristic, PathFinder, Positions, Zero};
use petgraph::visit::{IntoEdges, NodeIndexable};

impl<D, H> PathFinder<D, H> {
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
        let query = GraphQuery::new(self, &Zero, graph, from, to, scratch)?;
        best_first(query, (1.0, 0.0), scratch)
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
        let query = GraphQuery::new(self, &self.heuristic, graph, from, to, scratch)?;
        best_first(query, (1.0, 1.0), scratch)
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
        let query = GraphQuery::new(self, &self.heuristic, graph, from, to, scratch)?;
        best_first(query, (w1, w2), scratch)
    }
}
