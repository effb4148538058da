//! A comparison in a window: the mouse changes the board, the searches follow.

mod film;
mod news;
mod panels;
mod pointing;

use super::board::{Board, BoardDrag};
use super::captions::END_MARK_RADIUS_PX;
use super::cell_facts::{CellFacts, CellRequest};
use super::costs::Costs;
use super::keys;
use super::layout::{Layout, Part};
use super::pane_result::PaneResult;
use super::panel;
use super::panes::{ComparisonFrame, Panes};
use super::playback::{Length, Playback};
use super::race_film::RaceFilm;
use super::trace::Trace;
use super::walk_panes::WalkPane;
use super::walker::Walker;
use super::worker::SearchWorker;
use super::{Compared, Comparison, transport};
use crate::ViewError;
use crate::draw::map_image::MapImage;
use crate::shell::camera::Camera;
use crate::shell::event::{ContentInfo, Event};
use crate::shell::{Content, Shell};
use ggez::GameResult;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use std::sync::Arc;
use std::time::Instant;
use throng_compare::Trip;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground, Lattice, Steps};
use throng_plan::PlannerChoice;

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
        planners.truncate(Comparison::MAX_PLANNERS);
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
