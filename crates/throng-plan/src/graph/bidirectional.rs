//! Bidirectional A*, with balanced work and no second visit: NBA*.

use super::graph_query::GraphQuery;
use super::scratch::{GraphScratch, Side};
use super::{Distance, GraphError, GraphOutcome, Heuristic, PathFinder, Positions};
use crate::Status;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::visit::{EdgeRef, IntoEdgesDirected, NodeIndexable};

impl<D, H> PathFinder<D, H> {
    /// Bidirectional A* (NBA*): two searches, from the start and from the goal, which share the nodes between them: each
    /// node is expanded by one of them at most, and not at all where the other's progress proves that no better route leads
    /// over it. With [`Zero`](super::Zero) it is the bidirectional form of Dijkstra's algorithm.
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
        let query = GraphQuery::new(self, &self.heuristic, graph, from, to, scratch)?;
        search(query, scratch)
    }
}

/// The names are those of the paper: L is `best`, F1 and F2 are `floor`; a node is in M until one side closes it.
fn search<G, D, H>(
    mut query: GraphQuery<'_, G, D, H>,
    scratch: &mut GraphScratch<G::NodeId>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdgesDirected + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let GraphScratch { sides, path, .. } = scratch;
    let estimates = [query.to_goal(query.ends[0].1)?, query.since_start(query.ends[1].1)?];
    for ((side, (index, id)), h) in sides.iter_mut().zip(query.ends).zip(estimates) {
        side.begin(query.len, index, id, h);
        side.push(h, h, index);
    }
    let mut floor = estimates;
    let (mut best, mut meeting) = (f64::INFINITY, None);
    if query.ends[0].0 == query.ends[1].0 {
        (best, meeting) = (0.0, Some(query.ends[0].0));
    }
    loop {
        let near = usize::from(sides[1].open.len() < sides[0].open.len());
        let Some(index) = sides[near].pop() else { break };
        if closed(&sides[near], index) || closed(&sides[1 - near], index) {
            continue;
        }
        let node = *sides[near].labels.node(index);
        let behind = if near == 0 { query.since_start(node.id)? } else { query.to_goal(node.id)? };
        let worth = node.g + node.h < best && node.g + floor[1 - near] - behind < best;
        if worth && let Some(status) = query.stop() {
            return Ok(query.missed(status, 1.0, &sides[0].labels, path));
        }
        sides[near].labels.node(index).closed = 1;
        if worth {
            if near == 0 {
                query.expand(index, node.h);
            } else {
                query.expanded += 1;
            }
            for edge in query.graph.edges_directed(node.id, if near == 0 { Outgoing } else { Incoming }) {
                let to = query.indexed(if near == 0 { edge.target() } else { edge.source() });
                if closed(&sides[near], to.0) || closed(&sides[1 - near], to.0) {
                    continue;
                }
                let g = node.g + query.cost(edge)?;
                let estimate = || if near == 0 { query.to_goal(to.1) } else { query.since_start(to.1) };
                let Some(next) = sides[near].labels.improve(to, g, index, estimate)? else { continue };
                let h = next.h;
                sides[near].push(g + h, h, to.0);
                if let Some(met) = sides[1 - near].labels.seen(to.0)
                    && g + met.g < best
                {
                    (best, meeting) = (g + met.g, Some(to.0));
                }
            }
        }
        floor[near] = sides[near].least().unwrap_or(floor[near]);
    }
    let Some(meeting) = meeting else { return Ok(query.missed(Status::NoRoute, 1.0, &sides[0].labels, path)) };
    sides[0].labels.trace(meeting, path);
    path.reverse();
    path.pop();
    sides[1].labels.trace(meeting, path);
    Ok(query.found(best, 1.0))
}

fn closed<N: Copy>(side: &Side<N>, index: u32) -> bool {
    side.labels.seen(index).is_some_and(|node| node.closed != 0)
}
