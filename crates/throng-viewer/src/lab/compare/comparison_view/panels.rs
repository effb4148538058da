//! Lays the panels and the words of the panes out.

use super::super::captions::{self, Captions};
use super::super::keys::HELP;
use super::super::layout::Part;
use super::super::panel::{self, ComparisonFacts};
use super::super::race_film::RaceFilm;
use super::super::{Comparison, cell_tip};
use super::ComparisonView;
use crate::shell::Shell;
use throng_grid::geom::Vec2;

impl ComparisonView {
    /// Lays out the panels and performs the user's actions.
    pub(super) fn lay_out(&mut self, shell: &mut Shell) {
        let facts = ComparisonFacts {
            title: &self.title,
            planners: &self.planners,
            known: &self.known,
            results: &self.results,
            steps: self.steps,
            costs: &self.costs,
            base: &self.base,
            most: Comparison::MAX_PLANNERS,
            optimum: self.optimum(),
            problem: self.problems.get(self.problem).map(|p| (self.problem + 1, self.problems.len(), p.optimal)),
            playback: &self.playback,
            last: self.last(),
            film: self.film.as_ref().map(RaceFilm::percent),
            walker: self.walker.as_ref(),
            in_tab: self.leaves.is_some(),
        };
        let side = self.side;
        let names: Vec<String> = self.planners.iter().map(ToString::to_string).collect();
        let lattice = self.lattice();
        let links = self.ground.links().all().iter().filter(|link| link.is_open);
        let links: Vec<[Vec2; 2]> = links.map(|link| [link.from, link.to].map(|cell| lattice.centre(cell))).collect();
        let at = shell.pointer.at;
        let pointed = self.layout.at(at).filter(|(_, part)| *part == Part::Caption && !shell.ui.covers(at));
        let captions = Captions {
            layout: &self.layout,
            camera: &self.camera,
            scale: shell.scale(),
            title: &self.title,
            names: &names,
            results: &self.results,
            task: self.task,
            optimum: self.optimum(),
            trip: self.board.trip().map(|(from, to)| (self.lattice().centre(from), self.lattice().centre(to))),
            links: &links,
            walk: &self.walk,
            pointed: pointed.map(|(pane, _)| (pane, at)),
        };
        let (pointer, scale) = (shell.pointer.at, shell.scale());
        let (camera, panes, cell) = (&self.camera, &self.layout.panes, self.facts.as_deref());
        let actions = shell.lay_out(&HELP, |ui, output| {
            if side {
                panel::lay_out(ui, &facts, output);
            }
            captions::lay_out(ui, &captions);
            let pane = cell.and_then(|cell| panes.get(cell.request.pane));
            if let (Some(cell), Some(pane)) = (cell, pane) {
                cell_tip::lay_out(ui, cell, lattice, camera, pane.map, pointer, scale);
            }
        });
        for action in actions {
            self.perform(shell, action);
        }
    }
}
