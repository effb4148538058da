//! A graph as a domain of searches, and best-first search over it.

use super::graph_query::GraphQuery;
use super::scratch::{GraphScratch, Labels, Node, rank};
use super::{Distance, GraphError, GraphOutcome, Heuristic, Positions};
use crate::Status;
use crate::engine::{self, Domain, Halt};
use petgraph::visit::{EdgeRef, IntoEdges, NodeIndexable};

/// A graph, the ends of a query in it, and the labels of its nodes.
struct GraphDomain<'s, 'f, G: Positions, D, H> {
    query: GraphQuery<'f, G, D, H>,
    labels: &'s mut Labels<G::NodeId>,
    /// Closed nodes are opened again.
    reopens: bool,
}

impl<G, D, H> Domain for GraphDomain<'_, '_, G, D, H>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    type Node = u32;
    type Label = Node<G::NodeId>;
    type Cost = f64;
    type Error = GraphError;

    #[inline]
    fn expanded(&self) -> u64 {
        self.query.expanded
    }

    #[inline]
    fn is_goal(&self, index: u32) -> bool {
        index == self.query.ends[1].0
    }

    #[inline]
    fn close(&mut self, index: u32) -> Option<Node<G::NodeId>> {
        let node = self.labels.node(index);
        let open = *node;
        node.closed = 1;
        (open.closed == 0).then_some(open)
    }

    #[inline]
    fn reopen(&mut self, index: u32) {
        self.labels.node(index).closed = 0;
    }

    #[inline]
    fn expand(
        &mut self,
        index: u32,
        node: Node<G::NodeId>,
        mut reached: impl FnMut(u32, f64, f64),
    ) -> Result<(), GraphError> {
        let Self { query, labels, reopens } = self;
        query.expand(index, node.h);
        for edge in query.graph.edges(node.id) {
            let to = query.indexed(edge.target());
            if !*reopens && labels.seen(to.0).is_some_and(|node| node.closed != 0) {
                continue;
            }
            let g = node.g + query.cost(edge)?;
            if let Some(next) = labels.improve(to, g, index, || query.to_goal(to.1))? {
                next.closed = 0;
                reached(to.0, g, next.h);
            }
        }
        Ok(())
    }
}

/// Dijkstra's algorithm, A* and weighted A*: expands nodes in the order of w1·g + w2·h.
///
/// Up to w2 = w1 closed nodes are opened again where a better way is found: so the result is optimal for every admissible
/// estimate. Beyond that the bound holds without (for consistent ones), and much work is saved.
pub(super) fn best_first<G, D, H>(
    query: GraphQuery<'_, G, D, H>,
    (w1, w2): (f64, f64),
    scratch: &mut GraphScratch<G::NodeId>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let GraphScratch { sides: [side, _], path, .. } = scratch;
    let (start, from) = query.ends[0];
    side.begin(query.len, start, from, query.to_goal(from)?);
    side.push(0.0, 0.0, start);
    let domain = GraphDomain { query, labels: &mut side.labels, reopens: w2 <= w1 };
    let priority = |g: f64, h: f64| rank(w1 * g + w2 * h, h);
    run(domain, (w2 / w1).max(1.0), path, |domain, stop| engine::best_first(domain, &mut side.open, priority, stop))
}

/// Runs a search to its end, with a look at limit and cancel switch where [`GraphQuery::next_stop`] says, and writes its route.
fn run<'s, 'f, G, D, H>(
    mut domain: GraphDomain<'s, 'f, G, D, H>,
    bound: f64,
    path: &mut Vec<G::NodeId>,
    mut search: impl FnMut(&mut GraphDomain<'s, 'f, G, D, H>, u64) -> Result<Halt<u32>, GraphError>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let mut stop = 0;
    loop {
        let status = match search(&mut domain, stop)? {
            Halt::Goal(goal) | Halt::Met { cell: goal, .. } => {
                domain.labels.trace(goal, path);
                path.reverse();
                return Ok(domain.query.found(domain.labels.node(goal).g, bound));
            }
            Halt::Exhausted => Some(Status::NoRoute),
            Halt::Stop => domain.query.stop(),
        };
        if let Some(status) = status {
            return Ok(domain.query.missed(status, bound, domain.labels, path));
        }
        stop = domain.query.next_stop();
    }
}
