//! What the search of a pane knows of a cell.

use super::super::cell_facts::{CellFacts, CellRequest, expansion_order};
use super::super::rerun::Rerun;
use super::{BuiltPlanner, Searcher, caught};
use throng_grid::Cell;
use throng_plan::{Cancel, Query};

impl Searcher {
    /// What the search of a pane knows of a cell; `None` where the query was cancelled.
    pub(super) fn cell(
        &mut self,
        request: CellRequest,
        (from, to): (Cell, Cell),
        cancel: &Cancel,
    ) -> Option<CellFacts> {
        let CellRequest { task, pane, .. } = request;
        let mut facts = CellFacts::of_ground(request, &self.ground);
        if pane >= self.seats.len() {
            return Some(facts);
        }
        let Ok(BuiltPlanner { planner, .. }) = self.planner(pane) else { return Some(facts) };
        let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
        let (ground, seat) = (&*self.ground, &mut self.seats[pane]);
        if self.order.as_ref().is_none_or(|(of, seat, _)| (*of, *seat) != (task, pane)) {
            let scratch = &mut self.scratch;
            let order = caught(|| expansion_order(&*planner, ground, &query, scratch));
            let Ok(Ok(order)) = order else { return Some(facts) };
            self.order = Some((task, pane, order?));
        }
        let order = self.order.as_ref().map_or(&[][..], |(_, _, order)| order);
        // What a planner that fails does not tell is left out: its pane says why.
        if caught(|| facts.search(&mut seat.rerun, &*planner, ground, &query, order)).is_err() {
            seat.rerun = Rerun::default();
        }
        (!cancel.is_cancelled()).then_some(facts)
    }
}
