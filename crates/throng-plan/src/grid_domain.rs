//! The grid as a domain of searches.

use super::Query;
use super::engine::Domain;
use super::nodes::{Node, Nodes};
use super::scratch::{SearchCounters, SearchState};
use super::successors::Successors;
use std::convert::Infallible;
use throng_grid::Cell;

/// The cells of a ground, with the steps, the goals and the estimate of some [`Successors`]. A closed cell stays
/// closed.
pub(super) struct GridDomain<'a, S> {
    moves: &'a S,
    nodes: &'a mut Nodes,
    counters: &'a mut SearchCounters,
    /// The expanded cell nearest to the goal may be asked for.
    is_limited: bool,
}

impl<'a, S: Successors> GridDomain<'a, S> {
    #[inline]
    pub(super) fn new(moves: &'a S, query: &Query, state: &'a mut SearchState) -> Self {
        let SearchState { nodes, counters, .. } = state;
        Self { moves, nodes, counters, is_limited: query.limits.expansions != u64::MAX }
    }
}

impl<S: Successors> Domain for GridDomain<'_, S> {
    type Node = Cell;
    type Label = Node;
    type Cost = u32;
    type Error = Infallible;

    #[inline]
    fn expanded(&self) -> u64 {
        self.counters.expanded
    }

    #[inline]
    fn is_goal(&self, cell: Cell) -> bool {
        self.moves.is_goal(cell)
    }

    #[inline]
    fn close(&mut self, cell: Cell) -> Option<Node> {
        self.nodes.close(cell)
    }

    #[inline]
    fn reopen(&mut self, cell: Cell) {
        self.nodes.reopen(cell);
    }

    #[inline]
    fn expand(&mut self, cell: Cell, node: Node, mut reached: impl FnMut(Cell, u32, u32)) -> Result<(), Infallible> {
        if self.is_limited {
            self.counters.expand(cell, self.moves.estimate(cell));
        } else {
            self.counters.expanded += 1;
        }
        let (moves, nodes) = (self.moves, &mut *self.nodes);
        moves.each(cell, node.incoming_step(), |to, cost, incoming_step| {
            let Some(g) = node.g().checked_add(cost) else { return };
            if S::FIRST_WAY_STAYS && nodes.is_seen(to) {
                return;
            }
            if nodes.improve(to, g, incoming_step) {
                reached(to, g, moves.estimate(to));
            }
        });
        Ok(())
    }
}
