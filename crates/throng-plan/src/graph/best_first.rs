//! Dijkstra's algorithm, A* and weighted A*: one loop, three orders.

use super::scratch::GraphScratch;
use super::trip::Trip;
use super::{Distance, GraphError, GraphOutcome, Heuristic, Positions};
use crate::Status;
use petgraph::visit::{EdgeRef, IntoEdges, NodeIndexable};

/// Expands nodes in the order of w1·g + w2·h.
///
/// Up to w2 = w1 closed nodes are opened again where a better way is found: so the result is optimal for every admissible
/// estimate. Beyond that the bound holds without (for consistent ones), and much work is saved.
pub(super) fn search<G, D, H>(
    mut trip: Trip<'_, G, D, H>,
    w1: f64,
    w2: f64,
    scratch: &mut GraphScratch<G::NodeId>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let GraphScratch { sides: [side, _], path, .. } = scratch;
    let [(start, from), (goal, _)] = trip.ends;
    let (reopen, bound) = (w2 <= w1, (w2 / w1).max(1.0));
    side.begin(trip.len, start, from, trip.to_goal(from)?);
    side.push(0.0, 0.0, start);
    while let Some(index) = side.pop() {
        let node = *side.node(index);
        if node.closed != 0 {
            continue;
        }
        if index == goal {
            side.trace(goal, path);
            path.reverse();
            return Ok(trip.found(node.g, bound));
        }
        if let Some(status) = trip.stop() {
            return Ok(trip.missed(status, bound, side, path));
        }
        side.node(index).closed = 1;
        trip.expand(index, node.h);
        for edge in trip.graph.edges(node.id) {
            let to = trip.indexed(edge.target());
            if !reopen && side.seen(to.0).is_some_and(|node| node.closed != 0) {
                continue;
            }
            let g = node.g + trip.cost(edge)?;
            if let Some(next) = side.improve(to, g, index, || trip.to_goal(to.1))? {
                next.closed = 0;
                let h = next.h;
                side.push(w1 * g + w2 * h, h, to.0);
            }
        }
    }
    Ok(trip.missed(Status::NoRoute, bound, side, path))
}
