//! Two panes while an agent walks: what D* Lite has expanded for the newest walls, and what A* expands anew.

use super::pane_result::{PaneFigure, time};
use super::replanner::{Effort, Replan};
use super::trace::Trace;
use crate::draw::pen::grouped;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Lattice};

/// What one of these panes shows in place of its own search.
#[derive(Clone, Debug)]
pub(super) struct WalkPane {
    pub name: &'static str,
    pub note: &'static str,
    pub effort: Effort,
    pub trace: Trace,
    /// The route (m).
    pub route: Vec<Vec2>,
}

/// D* Lite and A* anew, after the newest search.
pub(super) fn walk_panes(replan: &Replan, lattice: Lattice) -> [WalkPane; 2] {
    let route = replan.cells.iter().map(|&cell: &Cell| lattice.centre(cell)).collect();
    let note = if replan.is_repair { "repair after the newest wall" } else { "first search" };
    let [repair, anew] = replan.traces.clone();
    [
        WalkPane { name: "D* Lite", note, effort: replan.effort, trace: repair, route },
        WalkPane {
            name: "A* anew",
            note: "from where the agent stands",
            effort: replan.anew,
            trace: anew,
            route: replan.anew_route.clone(),
        },
    ]
}

impl WalkPane {
    /// Time and expansions, measured by the greater of both panes.
    pub fn figures(&self, both: &[Self]) -> Vec<PaneFigure> {
        let most = both.iter().map(|pane| pane.effort.expanded).max().unwrap_or(0).max(1) as f32;
        let longest = both.iter().map(|pane| pane.effort.time.as_secs_f32()).fold(f32::MIN_POSITIVE, f32::max);
        vec![
            PaneFigure {
                label: "time",
                value: time(self.effort.time),
                share: self.effort.time.as_secs_f32() / longest,
            },
            PaneFigure {
                label: "expanded",
                value: grouped(self.effort.expanded),
                share: self.effort.expanded as f32 / most,
            },
        ]
    }
}
