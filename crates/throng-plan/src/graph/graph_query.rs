//! One search: the graph, its ends, and the finder's costs of its edges.

use super::path_finder::MAX_COST;
use super::scratch::{GraphScratch, Labels};
use super::{Distance, GraphError, GraphOutcome, Heuristic, PathFinder, Positions};
use crate::search::CANCEL_CHECK_EXPANSIONS;
use crate::{Cancel, Limits, Status};
use petgraph::visit::{EdgeRef, IntoEdges, NodeIndexable};

pub(super) struct GraphQuery<'f, G: Positions, D, H> {
    pub(super) graph: G,
    distance: &'f D,
    heuristic: &'f H,
    limits: Limits,
    cancel: Option<&'f Cancel>,
    /// Start and goal.
    pub(super) ends: [(u32, G::NodeId); 2],
    places: [G::Position; 2],
    /// How many nodes the memory must hold.
    pub(super) len: usize,
    /// Nodes expanded.
    pub(super) expanded: u64,
    /// The expanded node with the least estimate, of equals the last.
    nearest: Option<(f64, u32)>,
}

impl<'f, G, D, H> GraphQuery<'f, G, D, H>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    /// The query between two nodes; the path of the last one is forgotten.
    pub(super) fn new<I>(
        finder: &'f PathFinder<D, I>,
        heuristic: &'f H,
        graph: G,
        from: G::NodeId,
        to: G::NodeId,
        scratch: &mut GraphScratch<G::NodeId>,
    ) -> Result<Self, GraphError> {
        scratch.path.clear();
        let len = graph.node_bound();
        let limit = u32::MAX as usize;
        if len > limit {
            return Err(GraphError::TooManyNodes { found: len, limit });
        }
        let place = |node, end| graph.position(node).ok_or(GraphError::NoNode { end });
        let places = [place(from, "start")?, place(to, "goal")?];
        let ends = [from, to].map(|node| (graph.to_index(node) as u32, node));
        let (limits, cancel) = (finder.limits, finder.cancel.as_ref());
        let distance = &finder.distance;
        Ok(Self { graph, distance, heuristic, limits, cancel, ends, places, len, expanded: 0, nearest: None })
    }

    /// Cost of an edge.
    #[inline]
    pub(super) fn cost(&self, edge: G::EdgeRef) -> Result<f64, GraphError> {
        let place = |node| self.graph.position(node).ok_or(GraphError::NoNode { end: "end of an edge" });
        let cost = self.distance.distance(place(edge.source())?, place(edge.target())?, edge.weight());
        if (0.0..=MAX_COST).contains(&cost) {
            return Ok(cost);
        }
        let [from, to] = [edge.source(), edge.target()].map(|node| self.graph.to_index(node));
        Err(GraphError::EdgeCost { from, to, found: cost, limit: MAX_COST })
    }

    /// Estimate of the cost from a node to the goal.
    #[inline]
    pub(super) fn to_goal(&self, node: G::NodeId) -> Result<f64, GraphError> {
        self.estimate(node, |place| self.heuristic.estimate(place, self.places[1]))
    }

    /// Estimate of the cost from the start to a node.
    #[inline]
    pub(super) fn since_start(&self, node: G::NodeId) -> Result<f64, GraphError> {
        self.estimate(node, |place| self.heuristic.estimate(self.places[0], place))
    }

    #[inline]
    fn estimate(&self, node: G::NodeId, estimate: impl Fn(G::Position) -> f64) -> Result<f64, GraphError> {
        let place = self.graph.position(node).ok_or(GraphError::NoNode { end: "end of an edge" })?;
        let found = estimate(place);
        if (0.0..=MAX_COST).contains(&found) {
            return Ok(found + 0.0); // no -0, whose bits would not be in order
        }
        Err(GraphError::Estimate { node: self.graph.to_index(node), found, limit: MAX_COST })
    }

    /// The neighbour at the other end of an edge.
    #[inline]
    pub(super) fn indexed(&self, node: G::NodeId) -> (u32, G::NodeId) {
        (self.graph.to_index(node) as u32, node)
    }

    /// Why the search shall end before the next expansion, if it shall.
    #[inline]
    pub(super) fn stop(&self) -> Option<Status> {
        if self.expanded.is_multiple_of(CANCEL_CHECK_EXPANSIONS) && self.cancel.is_some_and(Cancel::is_cancelled) {
            return Some(Status::Cancelled);
        }
        (self.expanded >= self.limits.expansions).then_some(Status::Partial)
    }

    /// How many nodes are to be expanded before [`Self::stop`] is asked again.
    pub(super) fn next_stop(&self) -> u64 {
        (self.expanded / CANCEL_CHECK_EXPANSIONS + 1)
            .saturating_mul(CANCEL_CHECK_EXPANSIONS)
            .min(self.limits.expansions)
    }

    /// Counts an expansion of a node with this estimate.
    #[inline]
    pub(super) fn expand(&mut self, index: u32, h: f64) {
        self.expanded += 1;
        if self.nearest.is_none_or(|(least, _)| h <= least) {
            self.nearest = Some((h, index));
        }
    }

    /// The end of a search that reached the goal.
    pub(super) fn found(&self, cost: f64, bound: f64) -> GraphOutcome {
        GraphOutcome { status: Status::Found, cost, bound, expanded: self.expanded }
    }

    /// The end of a search that did not, with the route to the nearest node where that is wanted.
    pub(super) fn missed(
        &self,
        status: Status,
        bound: f64,
        labels: &Labels<G::NodeId>,
        path: &mut Vec<G::NodeId>,
    ) -> GraphOutcome {
        let mut cost = 0.0;
        if status == Status::Partial {
            let end = self.nearest.map_or(self.ends[0].0, |(_, index)| index);
            labels.trace(end, path);
            path.reverse();
            cost = labels.seen(end).map_or(0.0, |node| node.g);
        }
        GraphOutcome { status, cost, bound, expanded: self.expanded }
    }
}
