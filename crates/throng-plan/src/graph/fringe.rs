//! Fringe search.

use super::graph_query::GraphQuery;
use super::scratch::{GraphScratch, NONE};
use super::{Distance, GraphError, GraphOutcome, Heuristic, PathFinder, Positions};
use crate::Status;
use petgraph::visit::{EdgeRef, IntoEdges, NodeIndexable};

impl<D, H> PathFinder<D, H> {
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
        let query = GraphQuery::new(self, &self.heuristic, graph, from, to, scratch)?;
        search(query, scratch)
    }
}

/// The passes. A node is `closed` while it is not in the fringe.
fn search<G, D, H>(
    mut query: GraphQuery<'_, G, D, H>,
    scratch: &mut GraphScratch<G::NodeId>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let GraphScratch { sides: [side, _], path, links, .. } = scratch;
    let [(start, from), (goal, _)] = query.ends;
    let mut limit = query.to_goal(from)?;
    side.begin(query.len, start, from, limit);
    let labels = &mut side.labels;
    let mut fringe = Fringe::begin(links, query.len, start);
    while fringe.first != NONE {
        let mut least = f64::INFINITY;
        let mut index = fringe.first;
        while index != NONE {
            let node = *labels.node(index);
            let f = node.g + node.h;
            if f > limit {
                least = least.min(f);
                index = fringe.after(index);
                continue;
            }
            if index == goal {
                labels.trace(goal, path);
                path.reverse();
                return Ok(query.found(node.g, 1.0));
            }
            if let Some(status) = query.stop() {
                return Ok(query.missed(status, 1.0, labels, path));
            }
            query.expand(index, node.h);
            for edge in query.graph.edges(node.id) {
                let to = query.indexed(edge.target());
                let listed = labels.seen(to.0).is_some_and(|node| node.closed == 0);
                let g = node.g + query.cost(edge)?;
                if let Some(next) = labels.improve(to, g, index, || query.to_goal(to.1))? {
                    next.closed = 0;
                    if listed {
                        fringe.remove(to.0);
                    }
                    fringe.insert_after(index, to.0);
                }
            }
            labels.node(index).closed = 1;
            let next = fringe.after(index);
            fringe.remove(index);
            index = next;
        }
        limit = least;
    }
    Ok(query.missed(Status::NoRoute, 1.0, labels, path))
}

/// The list of open nodes, linked both ways by index.
struct Fringe<'s> {
    /// The nodes before and after each.
    links: &'s mut [[u32; 2]],
    first: u32,
}

impl<'s> Fringe<'s> {
    /// The list of one node.
    fn begin(links: &'s mut Vec<[u32; 2]>, len: usize, node: u32) -> Self {
        if links.len() < len {
            links.resize(len, [NONE; 2]);
        }
        links[node as usize] = [NONE; 2];
        Self { links, first: node }
    }

    fn after(&self, node: u32) -> u32 {
        self.links[node as usize][1]
    }

    fn insert_after(&mut self, before: u32, node: u32) {
        let after = self.after(before);
        self.links[node as usize] = [before, after];
        self.links[before as usize][1] = node;
        if after != NONE {
            self.links[after as usize][0] = node;
        }
    }

    fn remove(&mut self, node: u32) {
        let [before, after] = self.links[node as usize];
        if before == NONE {
            self.first = after;
        } else {
            self.links[before as usize][1] = after;
        }
        if after != NONE {
            self.links[after as usize][0] = before;
        }
    }
}
