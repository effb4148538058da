//! Performs the user's actions in a comparison.

use super::Comparison;
use super::action::CompareAction;
use super::comparison_view::ComparisonView;
use super::pane_result::PaneResult;
use super::walker::Walker;
use crate::shell::event::Event;
use crate::shell::{Content as _, Shell};

impl ComparisonView {
    /// Performs an action of the user.
    pub(super) fn perform(&mut self, shell: &mut Shell, action: CompareAction) {
        shell.touched = true;
        let last = self.last();
        match action {
            CompareAction::Planner(pane, planner) => {
                let Some(seat) = self.planners.get_mut(pane).filter(|seat| **seat != planner) else { return };
                *seat = planner;
                self.replaced(shell, pane);
            }
            CompareAction::NextPlanner(pane) => self.turn(shell, pane, false),
            CompareAction::More => {
                let fresh = self.known.iter().find(|known| !self.planners.contains(known));
                let Some(planner) = fresh.filter(|_| self.planners.len() < Comparison::MAX_PLANNERS) else { return };
                self.planners.push(planner.clone());
                self.results.push(PaneResult::default());
                self.recount(shell);
            }
            CompareAction::Less(pane) if pane < self.planners.len() && self.planners.len() > 1 => {
                self.planners.remove(pane);
                self.results.remove(pane);
                self.recount(shell);
            }
            CompareAction::Less(_) => {}
            CompareAction::Steps(steps) => {
                self.steps = steps;
                self.changed = true;
                shell.tell(&Event::Steps { steps: format!("{steps:?}") });
            }
            CompareAction::Costs(costs) => {
                let (terrain, links, crowds) = (costs.terrain.is_some(), costs.links, costs.crowds);
                self.costs = costs;
                self.changed = true;
                shell.tell(&Event::Costs { terrain, links, crowds });
            }
            CompareAction::Scatter => {
                self.board.scatter(&self.ground);
                self.changed = true;
                shell.tell(&Event::RandomTrip);
            }
            CompareAction::Restore => {
                self.board.restore();
                self.changed = true;
                shell.tell(&Event::MapRestored);
            }
            CompareAction::Undo => {
                let undone = self.board.undo();
                self.changed |= undone;
                shell.tell(&if undone { Event::Undone { name: "stroke".to_owned() } } else { Event::NothingToUndo });
            }
            CompareAction::Redo => {
                let redone = self.board.redo();
                self.changed |= redone;
                shell.tell(&if redone { Event::Redone { name: "stroke".to_owned() } } else { Event::NothingToRedo });
            }
            CompareAction::Panel => {
                self.side = !self.side;
                self.resized(shell.size());
                shell.tell(&Event::Panel { shown: self.side });
            }
            CompareAction::Walk => {
                self.walker = match self.walker.take() {
                    Some(_) => None,
                    None => self.board.trip().map(|(from, _)| Walker::new(from)),
                };
                let shown = std::mem::take(&mut self.walk).len();
                (0..shown).for_each(|pane| self.show(shell, pane));
                self.changed = true;
                shell.tell(&Event::Walks { walks: self.walker.is_some() });
            }
            CompareAction::Problem(next) => self.another_problem(shell, next),
            CompareAction::Play => {
                self.playback.toggle();
                let (playing, at) = (self.playback.playing, self.playback.place(last));
                shell.tell(&Event::Playback { playing, at, last });
            }
            CompareAction::Step(on) => self.playback.step(on, last),
            CompareAction::Jump(at) => self.playback.jump(at, last),
            CompareAction::Faster(faster) => {
                self.playback.change_speed(faster, last);
                shell.tell(&Event::Speed { speed: self.playback.speed(last).to_string() });
            }
            CompareAction::Film => self.film(shell),
            CompareAction::PlaybackPace(pace) => {
                self.playback.pace = pace;
                shell.tell(&Event::Pace { pace: format!("{pace:?}") });
            }
            CompareAction::Leave => self.leaves = Some(true),
        }
    }

    /// The next problem of the bundle, or the one before: the last is followed by the first.
    fn another_problem(&mut self, shell: &mut Shell, next: bool) {
        let count = self.problems.len();
        if count == 0 {
            shell.say(&Event::notice("no bundle of problems: start with --scen FILE"));
            return;
        }
        self.problem = (self.problem + if next { 1 } else { count - 1 }) % count;
        let problem = self.problems[self.problem];
        self.board.travel((problem.from, problem.to));
        self.changed = true;
        shell.tell(&Event::Problem { number: self.problem + 1, count });
    }

    /// Puts the next planner, or the one before, into a pane.
    pub(super) fn turn(&mut self, shell: &mut Shell, pane: usize, back: bool) {
        let Some(planner) = self.planners.get_mut(pane) else { return };
        let count = self.known.len();
        let at = self.known.iter().position(|known| known == planner).unwrap_or(0);
        *planner = self.known[(at + if back { count - 1 } else { 1 }) % count].clone();
        self.replaced(shell, pane);
    }

    /// Follows another number of panes.
    fn recount(&mut self, shell: &mut Shell) {
        let (count, lattice) = (self.planners.len(), self.lattice());
        // Results under way are for the panes as they were.
        self.results.iter_mut().for_each(|result| result.task = self.task);
        self.walk.truncate(count);
        self.panes.resize(&shell.graphics.gfx, lattice, count);
        (0..count).for_each(|pane| self.show(shell, pane));
        self.held = 0;
        self.board.release();
        self.changed = true;
        self.resized(shell.size());
        shell.tell(&Event::Panes { count });
    }
}
