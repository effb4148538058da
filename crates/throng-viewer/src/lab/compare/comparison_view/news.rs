//! What the searches are asked and what they answer.

use super::super::pane_result::PaneResult;
use super::super::replanner::Replan;
use super::super::rerun::PartialSearch;
use super::super::searcher::{SearchNews, Task};
use super::super::walk_panes::walk_panes;
use super::super::walker::Walker;
use super::ComparisonView;
use crate::draw::map_painter::repaint;
use crate::shell::Shell;
use crate::shell::event::Event;
use std::sync::Arc;
use std::time::Instant;
use throng_grid::Cell;
use throng_plan::Status;

impl ComparisonView {
    /// Lets the playback go on, and asks for looks at the searches where it is.
    pub(super) fn play(&mut self, shell: &mut Shell) {
        let elapsed = self.followed.elapsed();
        self.followed = Instant::now();
        if self.walker.as_mut().is_some_and(|walker| walker.follow(elapsed)) {
            shell.tell(&Event::Arrived);
        }
        shell.touched |= self.walker.as_ref().is_some_and(Walker::walks);
        self.playback.follow(elapsed, self.last());
        let wanted = (self.task, self.playback.places(&self.lengths()));
        if self.told < self.task || wanted == self.looks {
            return;
        }
        for (pane, place) in wanted.1.iter().enumerate() {
            if place.is_none() && self.results[pane].look.take().is_some() {
                self.show(shell, pane);
            }
        }
        shell.touched = true;
        self.worker.show_moments(self.task, wanted.1.clone());
        self.looks = wanted;
        self.tell_look(shell);
    }

    /// True where all searches are shown where the playback is.
    pub(super) fn is_shown(&self) -> bool {
        let shown = |(result, place): (&PaneResult, &Option<u64>)| result.look.as_ref().map(|look| look.at) == *place;
        self.looks.0 != self.task || self.results.iter().zip(&self.looks.1).all(shown)
    }

    /// Takes what the worker has found.
    pub(super) fn take_news(&mut self, shell: &mut Shell) {
        self.worker.cancel_outdated();
        let news: Vec<SearchNews> = self.worker.news().collect();
        for news in news {
            shell.touched = true;
            match news {
                SearchNews::Ground(ground) => {
                    self.ground = ground;
                    // The first open cells of a map that had none.
                    self.changed |= self.board.trip().is_none();
                }
                SearchNews::Search { pane, task, result } => {
                    // The result of a planner that was replaced is no newer than the replacement.
                    let Some(known) = self.results.get_mut(pane).filter(|known| known.task < task) else {
                        continue;
                    };
                    let (time, first) = result.as_ref().map(|found| (found.time, found.first)).unwrap_or_default();
                    *known = PaneResult { task, result: Some(result), time, first, look: None };
                    self.show(shell, pane);
                }
                SearchNews::Time { pane, task, time, first } => {
                    if let Some(result) = self.results.get_mut(pane).filter(|result| result.task == task) {
                        (result.time, result.first) = (time, first);
                    }
                }
                SearchNews::PartialSearch { pane, task, look } => {
                    let wanted = self.looks.1.get(pane).copied().flatten();
                    let result = self.results.get_mut(pane).filter(|result| result.task == task);
                    // One that comes late is better than none while it plays.
                    if let Some(result) = result.filter(|_| wanted.is_some()) {
                        result.look = Some(look);
                        self.show(shell, pane);
                        self.tell_look(shell);
                    }
                }
                SearchNews::Replan { task, result } => self.replanned(shell, task, result),
                SearchNews::Cell(facts) if self.pointed == Some(facts.request) => {
                    if !self.playback.playing {
                        shell.tell(&self.cell_event(&facts));
                    }
                    self.facts = Some(facts);
                }
                SearchNews::Optimum { task, length } => self.optimum = Some((task, length)),
                SearchNews::Cell(_) | SearchNews::GivenUp => {}
            }
        }
    }

    /// Paints the map anew where it was changed, and asks for searches.
    pub(super) fn ask(&mut self, shell: &mut Shell) {
        let dirty = self.board.take_dirty();
        let Self { board, image, panes, .. } = self;
        repaint(image, board.grid(), &dirty, |image, areas| panes.repaint(&shell.graphics.gfx, image, areas));
        if !dirty.is_empty() {
            self.grid = Arc::new(self.board.grid().clone());
        }
        if self.board.trip().is_none() {
            self.board.scatter(&self.ground);
        }
        if let Some(walker) = &mut self.walker {
            match self.board.trip() {
                Some((from, _)) if from != walker.start => *walker = Walker::new(from),
                _ => walker.wait(),
            }
        }
        self.task += 1;
        self.changed = false;
        self.playback.end();
        self.looks = (self.task, vec![None; self.planners.len()]);
        self.worker.set_task(Task {
            number: self.task,
            grid: Arc::clone(&self.grid),
            trip: self.board.trip(),
            planners: self.planners.clone(),
            steps: self.steps,
            costs: self.costs.clone(),
            walker: self.walker.as_ref().map(Walker::at),
        });
    }

    /// Takes the route of the agent that walks.
    pub(super) fn replanned(&mut self, shell: &mut Shell, task: u64, result: Result<Box<Replan>, String>) {
        let Some(walker) = self.walker.as_mut().filter(|_| task == self.task) else { return };
        if let Ok(replan) = &result {
            let Replan { cells, is_repair, effort, anew, .. } = &**replan;
            let (expanded, anew) = (effort.expanded, anew.expanded);
            self.walk = walk_panes(replan, self.ground.lattice()).into_iter().take(self.planners.len()).collect();
            for (pane, walk) in self.walk.iter().enumerate() {
                self.panes.show_walk(&shell.graphics.gfx, pane, walk);
            }
            shell.tell(&Event::Replanned { repair: *is_repair, cells: cells.len(), expanded, anew });
        }
        walker.take(result.map(|replan| *replan));
    }

    /// Tells where the searches are, once all are shown there and the playback stands.
    pub(super) fn tell_look(&self, shell: &mut Shell) {
        if !self.playback.playing && self.is_shown() {
            let last = self.last();
            let count = |look: &PartialSearch| look.trace.as_ref().map_or(0, |trace| trace.count);
            let seen = self.results.iter().map(|result| result.look.as_deref().map(count)).collect();
            shell.tell(&Event::Moment { at: self.playback.place(last), last, seen });
        }
    }

    /// Tells what all panes have come to, once they have.
    pub(super) fn tell_results(&mut self, shell: &mut Shell) {
        if self.told == self.task
            && self.optimum_told < self.task
            && let Some((_, length)) = self.optimum.filter(|(task, _)| *task == self.task)
        {
            self.optimum_told = self.task;
            shell.tell(&Event::Optimum { length });
        }
        if self.told == self.task || self.results.iter().any(|result| result.task < self.task) {
            return;
        }
        self.told = self.task;
        for ((pane, result), planner) in (1..).zip(&self.results).zip(&self.planners) {
            let found = result.found().filter(|found| found.outcome.status == Status::Found);
            let found = found.map(|found| (found.length, found.outcome.expanded));
            shell.tell(&Event::PaneResult { pane, planner: planner.to_string(), found, reason: result.words() });
        }
        let place = |cell: Cell| <[u32; 2]>::from(self.lattice().column_row(cell));
        let trip = self.board.trip().map(|(from, to)| [place(from), place(to)]);
        shell.tell(&Event::Task { number: self.task, trip });
    }
}
