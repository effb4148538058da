//! Anytime repairing A*.

use super::graph_query::GraphQuery;
use super::scratch::{GraphScratch, Node, Side, rank};
use super::{Better, Distance, GraphError, GraphOutcome, Heuristic, PathFinder, Positions};
use crate::Status;
use crate::open::OpenList;
use petgraph::visit::{EdgeRef, IntoEdges, NodeIndexable};
use std::ops::ControlFlow;

/// A node that waits for the next round. Else `closed` is the number of the round in which the node was last expanded.
const ASIDE: u32 = u32::MAX;

impl<D, H> PathFinder<D, H> {
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
        let query = GraphQuery::new(self, &self.heuristic, graph, from, to, scratch)?;
        search(query, weights, scratch, better)
    }
}

/// ARA*: the rounds.
fn search<G, D, H>(
    mut query: GraphQuery<'_, G, D, H>,
    weights: &[f64],
    scratch: &mut GraphScratch<G::NodeId>,
    mut better: impl FnMut(Better<'_, G::NodeId>) -> ControlFlow<()>,
) -> Result<GraphOutcome, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let GraphScratch { sides: [side, _], path, aside, .. } = scratch;
    let [(start, from), (goal, _)] = query.ends;
    side.begin(query.len, start, from, query.to_goal(from)?);
    aside.clear();
    aside.push(start);
    let mut best = GraphOutcome { status: Status::Found, cost: f64::INFINITY, bound: f64::INFINITY, expanded: 0 };
    // No route costs less.
    let mut floor = 0.0_f64;
    let mut round = 0;
    for &weight in weights {
        if weight >= best.bound {
            continue;
        }
        let mut halt;
        loop {
            round += 1;
            join(side, aside, round, weight);
            halt = improve_path(&mut query, side, aside, round, weight)?;
            // With an estimate that is not consistent, nodes that were put aside may matter even in the last round.
            if halt.is_some() || weight > 1.0 || aside.is_empty() {
                break;
            }
        }
        best.expanded = query.expanded;
        if let Some(status) = halt {
            let found = best.cost.is_finite();
            return Ok(if found { best } else { query.missed(status, weight, &side.labels, path) });
        }
        if side.labels.seen(goal).is_none() {
            return Ok(query.missed(Status::NoRoute, 1.0, &side.labels, path));
        }
        // Nodes on the way may have become cheaper since the goal was reached. The goal's cost runs ahead of theirs by that, so
        // a later round may turn one of them to a way that is worse for the goal: then the route of before stays.
        let known = path.len();
        side.labels.trace(goal, path);
        path[known..].reverse();
        let cost = length(&query, &path[known..])?;
        if cost < best.cost {
            best.cost = cost;
            side.labels.node(goal).g = cost;
            path.drain(..known);
        } else {
            path.truncate(known);
        }
        floor = floor.max(least_total(side, aside));
        // Rounded up, so that the bound holds to the last digit.
        let proven = if best.cost <= floor { 1.0 } else { (best.cost / floor).next_up() };
        best.bound = best.bound.min(weight).min(proven);
        let GraphOutcome { cost, bound, expanded, .. } = best;
        if better(Better { path, cost, bound, expanded }).is_break() || bound == 1.0 {
            break;
        }
    }
    Ok(best)
}

/// The nodes put aside join the open list, which is put in the order of the new weight.
fn join<N: Copy>(side: &mut Side<N>, aside: &mut Vec<u32>, round: u32, weight: f64) {
    let Side { labels, open } = side;
    let rank = |node: &mut Node<N>| {
        node.closed = 0;
        rank(node.g + weight * node.h, node.h)
    };
    open.reorder(|index| {
        let node = labels.node(index);
        let is_open = node.closed != round - 1 && node.closed != ASIDE;
        is_open.then(|| rank(node))
    });
    for index in aside.drain(..) {
        open.push(rank(labels.node(index)), index);
    }
}

/// Expands nodes until the goal's cost is not above any priority; why the search ended earlier, if it did.
fn improve_path<G, D, H>(
    query: &mut GraphQuery<'_, G, D, H>,
    side: &mut Side<G::NodeId>,
    aside: &mut Vec<u32>,
    round: u32,
    weight: f64,
) -> Result<Option<Status>, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let goal = query.ends[1].0;
    while let Some(f) = side.least() {
        if side.labels.seen(goal).is_some_and(|goal| goal.g <= f) {
            break;
        }
        if let Some(status) = query.stop() {
            return Ok(Some(status));
        }
        let Some(index) = side.pop() else { break };
        let node = *side.labels.node(index);
        if node.closed == round || node.closed == ASIDE {
            continue;
        }
        side.labels.node(index).closed = round;
        query.expand(index, node.h);
        for edge in query.graph.edges(node.id) {
            let to = query.indexed(edge.target());
            let g = node.g + query.cost(edge)?;
            let Some(next) = side.labels.improve(to, g, index, || query.to_goal(to.1))? else { continue };
            if next.closed == round {
                next.closed = ASIDE;
                aside.push(to.0);
            } else if next.closed != ASIDE {
                let h = next.h;
                side.push(g + weight * h, h, to.0);
            }
        }
    }
    Ok(None)
}

/// The least g + h of the nodes that are open or put aside: the optimal route leads over one of them.
fn least_total<N: Copy>(side: &Side<N>, aside: &[u32]) -> f64 {
    let open = side.open.nodes();
    let totals =
        open.chain(aside.iter().copied()).filter_map(|index| side.labels.seen(index)).map(|node| node.g + node.h);
    totals.fold(f64::INFINITY, f64::min)
}

/// Cost of a route over the cheapest edges between its nodes.
fn length<G, D, H>(query: &GraphQuery<'_, G, D, H>, path: &[G::NodeId]) -> Result<f64, GraphError>
where
    G: IntoEdges + NodeIndexable + Positions,
    D: Distance<G::Position, G::EdgeWeight>,
    H: Heuristic<G::Position>,
{
    let mut length = 0.0;
    for pair in path.windows(2) {
        let mut cheapest = f64::INFINITY;
        for edge in query.graph.edges(pair[0]).filter(|edge| edge.target() == pair[1]) {
            cheapest = cheapest.min(query.cost(edge)?);
        }
        length += cheapest;
    }
    Ok(length)
}
