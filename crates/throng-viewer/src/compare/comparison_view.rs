//! A comparison in a window: the mouse changes the board, the searches follow.

use super::board::{Board, BoardDrag};
use super::captions::{self, Captions, END_MARK_RADIUS_PX};
use super::cell_facts::{CellFacts, CellRequest};
use super::cell_tip;
use super::costs::Costs;
use super::keys::{self, HELP};
use super::layout::{Layout, Part};
use super::pane_result::PaneResult;
use super::panel::{self, ComparisonFacts};
use super::panes::{ComparisonFrame, Panes};
use super::playback::{Length, Playback};
use super::race_film::{FilmPane, Race, RaceFilm};
use super::replanner::Replan;
use super::rerun::PartialSearch;
use super::searcher::{SearchNews, Task};
use super::trace::Trace;
use super::walk_panes::{WalkPane, walk_panes};
use super::walker::Walker;
use super::worker::SearchWorker;
use super::{Compared, Comparison, transport};
use crate::ViewError;
use crate::camera::Camera;
use crate::event::{ContentInfo, Event};
use crate::map_image::MapImage;
use crate::map_painter::repaint;
use crate::shell::{Content, Shell};
use ggez::GameResult;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use std::sync::Arc;
use std::time::Instant;
use throng_compare::Trip;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice, Steps};
use throng_plan::{PlannerChoice, Status};

/// A brush is at least so wide on the screen (logical pixels), so that walls can be seen that are painted from afar.
const MIN_BRUSH_PX: f32 = 5.0;
/// Room around a map that fits its pane (logical pixels).
const FIT_MARGIN_PX: f32 = 3.0;

pub(crate) struct ComparisonView {
    title: String,
    pub(super) panes: Panes,
    image: MapImage,
    camera: Camera,
    layout: Layout,
    scale: f32,
    /// The panels are shown.
    pub(super) side: bool,
    pub(super) board: Board,
    /// The pane in which a button was pressed.
    pub(super) held: usize,
    /// The map as the worker was told last, and the ground that it has made of the last it has taken.
    grid: Arc<Grid>,
    pub(super) ground: Arc<Ground>,
    worker: SearchWorker,
    /// A planner for each pane, and all that can be chosen.
    pub(super) planners: Vec<PlannerChoice>,
    pub(super) known: Vec<PlannerChoice>,
    /// The steps that are legal.
    pub(super) steps: Steps,
    /// What they cost beside their length, and the ground that has all that can count.
    pub(super) costs: Costs,
    base: Arc<Ground>,
    pub(super) results: Vec<PaneResult>,
    /// The trace of a pane without a search.
    clear: Trace,
    /// The newest task, and whether something has changed since.
    pub(super) task: u64,
    pub(super) changed: bool,
    /// The task whose results were reported, and the one whose shortest route was.
    told: u64,
    optimum_told: u64,
    /// Length of the shortest route of a task (cells), where there is one.
    optimum: Option<(u64, Option<f64>)>,
    pub(super) playback: Playback,
    /// The film of the race, while it is made.
    film: Option<RaceFilm>,
    /// When time passed last.
    followed: Instant,
    /// The looks at searches that were asked for last: the task, and the place in each search (expansions).
    looks: (u64, Vec<Option<u64>>),
    /// The cell under the pointer, as it was asked for, and what is known of it.
    pointed: Option<CellRequest>,
    facts: Option<Box<CellFacts>>,
    /// The bundle, and which problem of it is shown.
    pub(super) problems: Vec<Trip>,
    pub(super) problem: usize,
    /// The agent that walks to the goal while walls are drawn.
    pub(super) walker: Option<Walker>,
    /// What its search and A* have expanded: in the first panes.
    pub(super) walk: Vec<WalkPane>,
    /// In the tab of a battle: whether to go back there.
    pub(super) leaves: Option<bool>,
}

impl ComparisonView {
    pub fn new(shell: &Shell, comparison: Comparison) -> Result<Self, ViewError> {
        let Comparison { title, ground, mut planners, trip, problems, seed } = comparison;
        let trip = trip.or(problems.first().map(|problem| (problem.from, problem.to)));
        let mut known: Vec<PlannerChoice> = PlannerChoice::NAMES.iter().filter_map(|name| name.parse().ok()).collect();
        for planner in planners.iter().rev().filter(|planner| !known.contains(planner)).cloned().collect::<Vec<_>>() {
            known.insert(0, planner);
        }
        planners.truncate(Comparison::MOST);
        if planners.is_empty() {
            planners.push(PlannerChoice::default());
        }
        let lattice = ground.lattice();
        let image = MapImage::new(ground.grid());
        let (gfx, scale) = (&shell.graphics.gfx, shell.scale());
        let layout = Layout::new(planners.len(), shell.size(), scale, lattice.size(), covered(true, scale));
        Ok(Self {
            title,
            panes: Panes::new(gfx, &image, lattice, planners.len()),
            image,
            camera: Camera::new(lattice.size(), layout.size(), 0.0).with_margin(FIT_MARGIN_PX * scale),
            layout,
            scale,
            side: true,
            steps: ground.steps(),
            costs: Costs::of(&ground),
            base: Arc::clone(&ground),
            board: Board::new(&ground, trip, seed),
            held: 0,
            worker: SearchWorker::search(Arc::clone(&ground))?,
            grid: Arc::clone(ground.grid()),
            ground,
            results: planners.iter().map(|_| PaneResult::default()).collect(),
            planners,
            known,
            clear: Trace::clear(lattice),
            task: 0,
            changed: true,
            told: 0,
            optimum_told: 0,
            optimum: None,
            playback: Playback::default(),
            film: None,
            followed: Instant::now(),
            looks: (0, Vec::new()),
            pointed: None,
            facts: None,
            problems,
            problem: 0,
            walker: None,
            walk: Vec::new(),
            leaves: None,
        })
    }

    /// With a way back to a battle.
    pub fn in_tab(mut self) -> Self {
        self.leaves = Some(false);
        self
    }

    /// Ends the drag: the release of the button will not arrive.
    pub fn drop_tool(&mut self) {
        self.board.release();
    }

    /// True once after the user wanted to go back.
    pub fn takes_leave(&mut self) -> bool {
        self.leaves.as_mut().is_some_and(std::mem::take)
    }

    /// How it ended.
    pub fn end(self, frames: u64) -> Compared {
        Compared { frames, trip: self.board.trip(), planners: self.planners }
    }

    pub(super) fn lattice(&self) -> Lattice {
        self.ground.lattice()
    }

    /// The point of the map (m) that a pane shows at a pixel.
    fn point(&self, pane: usize, pixel: Vec2) -> Vec2 {
        self.camera.to_world(pixel - self.layout.panes[pane].map.corner())
    }

    /// Width of the brush (cells).
    fn brush(&self) -> u32 {
        (MIN_BRUSH_PX * self.scale / (self.camera.zoom * self.lattice().cell_size)).round().max(1.0) as u32
    }

    /// How near to its middle a mark is taken hold of (m).
    fn reach(&self) -> f32 {
        ((END_MARK_RADIUS_PX + 3.0) * self.scale / self.camera.zoom).max(0.5 * self.lattice().cell_size)
    }

    /// Clears a pane whose planner is another one now.
    pub(super) fn replaced(&mut self, shell: &mut Shell, pane: usize) {
        // Results of the other planner do not count for this one.
        self.results[pane] = PaneResult { task: self.task, ..PaneResult::default() };
        self.show(shell, pane);
        self.changed = true;
        shell.tell(&Event::PanePlanner { pane: pane + 1, planner: self.planners[pane].to_string() });
    }

    /// Sends what a pane has come to to the card.
    pub(super) fn show(&mut self, shell: &Shell, pane: usize) {
        match self.walk.get(pane) {
            Some(walk) => self.panes.show_walk(&shell.graphics.gfx, pane, walk),
            None => self.panes.show(&shell.graphics.gfx, pane, &self.results[pane], &self.clear),
        }
    }

    /// The lengths of the searches that can be played: of answers to the newest task.
    fn lengths(&self) -> Vec<Option<Length>> {
        let known = |result: &PaneResult| {
            let found = result.found().filter(|_| result.task == self.task)?;
            Some((found.end, result.time))
        };
        self.results.iter().map(known).collect()
    }

    /// The longest search (expansions).
    pub(super) fn last(&self) -> u64 {
        self.lengths().into_iter().flatten().map(|(end, _)| end).max().unwrap_or(0)
    }

    /// Length of the shortest route of the newest task (cells), where it is known.
    fn optimum(&self) -> Option<f64> {
        self.optimum.filter(|(task, _)| *task == self.task).and_then(|(_, length)| length)
    }

    /// Lets the playback go on, and asks for looks at the searches where it is.
    fn play(&mut self, shell: &mut Shell) {
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
    fn is_shown(&self) -> bool {
        let shown = |(result, place): (&PaneResult, &Option<u64>)| result.look.as_ref().map(|look| look.at) == *place;
        self.looks.0 != self.task || self.results.iter().zip(&self.looks.1).all(shown)
    }

    /// Lays out the panels and performs the user's actions.
    fn lay_out(&mut self, shell: &mut Shell) {
        let facts = ComparisonFacts {
            title: &self.title,
            planners: &self.planners,
            known: &self.known,
            results: &self.results,
            steps: self.steps,
            costs: &self.costs,
            base: &self.base,
            most: Comparison::MOST,
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

    /// Begins a film of the race, or gives up the one that is being made.
    pub(super) fn film(&mut self, shell: &mut Shell) {
        if let Some(film) = &self.film {
            film.give_up();
            return;
        }
        let Some(trip) = self.board.trip().filter(|_| self.told == self.task) else {
            shell.say(&Event::notice("no film: the searches are not over yet"));
            return;
        };
        let panes = self.results.iter().zip(&self.planners).filter_map(|(result, planner)| {
            let (planner, time) = (planner.clone(), result.time);
            Some(FilmPane { planner, result: result.result.clone()?, time })
        });
        let (ground, playback) = (Arc::clone(&self.ground), self.playback.clone());
        match RaceFilm::begin(Race { ground, trip, panes: panes.collect(), playback }, self.task) {
            Ok(film) => {
                shell.say(&Event::Filming { path: film.path.clone() });
                self.film = Some(film);
            }
            Err(error) => shell.say(&Event::notice(format!("no film: {error}"))),
        }
    }

    /// Follows the film that is being made.
    fn follow_film(&mut self, shell: &mut Shell) {
        let Some(film) = &mut self.film else { return };
        shell.touched |= film.has_come_on();
        if let Some(event) = film.news() {
            self.film = None;
            shell.say(&event);
        }
    }

    /// Asks for what is known of the cell under the pointer.
    fn point_out(&mut self, shell: &mut Shell) {
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
    fn cell_event(&self, facts: &CellFacts) -> Event {
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

    /// Takes what the worker has found.
    fn take_news(&mut self, shell: &mut Shell) {
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
    fn ask(&mut self, shell: &mut Shell) {
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
    fn replanned(&mut self, shell: &mut Shell, task: u64, result: Result<Box<Replan>, String>) {
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
    fn tell_look(&self, shell: &mut Shell) {
        if !self.playback.playing && self.is_shown() {
            let last = self.last();
            let count = |look: &PartialSearch| look.trace.as_ref().map_or(0, |trace| trace.count);
            let seen = self.results.iter().map(|result| result.look.as_deref().map(count)).collect();
            shell.tell(&Event::Moment { at: self.playback.place(last), last, seen });
        }
    }

    /// Tells what all panes have come to, once they have.
    fn tell_results(&mut self, shell: &mut Shell) {
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

impl Content for ComparisonView {
    fn camera(&mut self) -> &mut Camera {
        &mut self.camera
    }

    fn corner(&self, pixel: Vec2) -> Vec2 {
        self.layout.panes[self.layout.nearest(pixel)].map.corner()
    }

    fn resized(&mut self, size: Vec2) {
        let covered = covered(self.side, self.scale);
        self.layout = Layout::new(self.planners.len(), size, self.scale, self.lattice().size(), covered);
        self.camera.resize(self.layout.size());
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        if let Some(action) = keys::action(event, shell.modifiers.state()) {
            self.perform(shell, action);
        }
    }

    fn button(&mut self, shell: &mut Shell, button: MouseButton, state: ElementState) {
        let at = shell.pointer.at;
        match (button, state, self.layout.at(at)) {
            (MouseButton::Left, ElementState::Released, _) => self.board.release(),
            (MouseButton::Left, ElementState::Pressed, Some((pane, Part::Map))) => {
                self.held = pane;
                self.board.press(self.point(pane, at), self.reach(), self.brush());
                self.changed |= matches!(self.board.hold(), Some(BoardDrag::Brush { .. }));
                match self.board.hold() {
                    Some(BoardDrag::From) => shell.tell(&Event::HoldsStart),
                    Some(BoardDrag::To) => shell.tell(&Event::HoldsGoal),
                    Some(BoardDrag::Brush { open, last: (x, y) }) => {
                        shell.tell(&Event::Stroke { erases: open, from: [x, y] });
                    }
                    None => {}
                }
            }
            (_, ElementState::Pressed, Some((pane, Part::Caption))) => {
                self.turn(shell, pane, button != MouseButton::Left);
            }
            _ => {}
        }
    }

    fn moved(&mut self, shell: &mut Shell) {
        if self.board.hold().is_some() {
            let point = self.point(self.held, shell.pointer.at);
            self.changed |= self.board.drag(point, self.brush(), &self.ground);
        }
    }

    fn follow(&mut self, shell: &mut Shell) {
        if self.scale != shell.scale() {
            self.scale = shell.scale();
            self.resized(shell.size());
        }
        self.take_news(shell);
        if self.changed {
            self.ask(shell);
        }
        self.tell_results(shell);
        self.play(shell);
        self.point_out(shell);
        self.follow_film(shell);
    }

    fn is_still(&self) -> bool {
        self.told == self.task
            && !self.playback.playing
            && self.is_shown()
            && self.pointed == self.facts.as_ref().map(|facts| facts.request)
            && !self.walker.as_ref().is_some_and(Walker::walks)
    }

    fn draw(&mut self, shell: &mut Shell) -> GameResult {
        self.lay_out(shell);
        let lattice = self.lattice();
        let pointed = self.layout.at(shell.pointer.at).filter(|(_, part)| *part == Part::Map).map(|(pane, _)| pane);
        let brush = match self.board.hold() {
            Some(BoardDrag::From | BoardDrag::To) => None,
            Some(BoardDrag::Brush { last, .. }) => Some(last),
            None => pointed.and_then(|pane| {
                let under = self.board.under(self.point(pane, shell.pointer.at), self.reach());
                under.and_then(|hold| if let BoardDrag::Brush { last, .. } = hold { Some(last) } else { None })
            }),
        };
        let brush = brush.map(|(x, y)| {
            let (width, side) = (self.brush(), lattice.cell_size);
            let before = ((width - 1) / 2) as f32;
            (Vec2::new(x as f32 - before, y as f32 - before) * side, Vec2::splat(width as f32 * side))
        });
        let scene = ComparisonFrame {
            layout: &self.layout,
            camera: &self.camera,
            lattice,
            results: &self.results,
            brush,
            walker: self.walker.as_ref(),
        };
        self.panes.draw(shell, &scene)
    }

    fn greeting(&mut self) -> Option<ContentInfo> {
        let (panes, size) = (self.planners.len(), self.layout.size().to_array());
        (self.told == self.task).then_some(ContentInfo::Comparison { panes, size })
    }

    fn moment(&self) -> u64 {
        self.task
    }
}

/// The width that the panels cover at the left, and the height at the bottom (pixels).
pub(super) fn covered(shown: bool, scale: f32) -> Vec2 {
    if shown { (Vec2::new(panel::WIDTH_PX, transport::HEIGHT_PX) * scale).round() } else { Vec2::ZERO }
}
