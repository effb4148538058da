//! The cell under the pointer: asked for, and told.

use super::super::cell_facts::{CellFacts, CellRequest};
use super::super::layout::Part;
use super::ComparisonView;
use crate::shell::Shell;
use crate::shell::event::Event;
use throng_grid::Cell;

impl ComparisonView {
    /// Asks for what is known of the cell under the pointer.
    pub(super) fn point_out(&mut self, shell: &mut Shell) {
        let at = shell.pointer.at;
        let free = self.told == self.task && self.board.hold().is_none() && !shell.ui.covers(at);
        let pane = self.layout.at(at).filter(|(_, part)| free && *part == Part::Map).map(|(pane, _)| pane);
        // What the walk shows is no search of the pane's planner.
        let pane = pane.filter(|&pane| pane >= self.walk.len());
        let request = pane.and_then(|pane| {
            let (point, lattice) = (self.point(pane, at), self.lattice());
            let place = self.looks.1.get(pane).copied().flatten();
            lattice.covers(point).then(|| CellRequest { task: self.task, pane, cell: lattice.at(point), at: place })
        });
        if request == self.pointed {
            return;
        }
        shell.touched = true;
        let same = |facts: &CellFacts| {
            request.is_some_and(|request| {
                let old = facts.request;
                (request.task, request.pane, request.cell) == (old.task, old.pane, old.cell)
            })
        };
        // While a search is played, what was known a moment ago stays until the new is there.
        if !self.facts.as_deref().is_some_and(same) {
            self.facts = None;
        }
        self.pointed = request;
        if let Some(request) = request {
            self.worker.show_cell(request);
        }
    }

    /// What is known of a cell, as it is told.
    pub(super) fn cell_event(&self, facts: &CellFacts) -> Event {
        let place = |cell: Cell| <[u32; 2]>::from(self.lattice().column_row(cell));
        let cells = |cost: f64| cost / f64::from(throng_grid::STRAIGHT);
        Event::CellFacts {
            pane: facts.request.pane + 1,
            cell: place(facts.request.cell),
            state: facts.state.name().to_owned(),
            g: facts.g.map(|g| cells(g as f64)),
            h: facts.rank.map(|rank| cells(rank.h as f64)),
            f: facts.rank.map(|rank| cells(rank.f)),
            order: facts.order,
            parent: facts.parent.map(place),
        }
    }
}
