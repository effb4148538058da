//! An index in a window: the user's actions go to the worker, its newest state is drawn.

use super::curves::Curves;
use super::keys::{self, HELP, TrialAction};
use super::panel::{self, IndexFacts};
use super::picture::Picture;
use super::trial::TrialState;
use super::worker::TrialWorker;
use super::{IndexCurve, IndexTrial, graph};
use crate::ViewError;
use crate::draw::cells::TOO_MANY_TEXT;
use crate::draw::int_rect::IntRect;
use crate::draw::overlay;
use crate::lab::step_control::StepControl;
use crate::shell::camera::Camera;
use crate::shell::event::{ContentInfo, Event};
use crate::shell::{Content, Shell};
use ggez::GameResult;
use ggez::winit::event::KeyEvent;
use throng_grid::geom::Vec2;
use throng_spatial::Discs;

#[allow(clippy::struct_excessive_bools)] // they are independent of one another
pub(crate) struct IndexView {
    picture: Picture,
    camera: Camera,
    /// The part of the window that the panels leave (pixels).
    free: IntRect,
    worker: TrialWorker,
    /// The trial that was requested last.
    trial: IndexTrial,
    curves: Curves,
    control: StepControl,
    cells: bool,
    /// The panels are shown.
    side: bool,
    /// The number of discs grows, as far as is known.
    grows: bool,
    /// It has grown, so that the worker knows the number of discs best.
    grown: bool,
    /// The size of what the camera was made for (m).
    size: Vec2,
    /// The first state has come.
    arrived: bool,
}

impl IndexView {
    pub fn new(shell: &Shell, trial: IndexTrial) -> Result<Self, ViewError> {
        let trial = IndexTrial { discs: trial.discs.clamp(1, IndexTrial::MAX_DISCS), ..trial };
        let (control, window) = (StepControl::new(Discs::STEP), shell.size());
        Ok(Self {
            picture: Picture::new(&shell.graphics.gfx),
            camera: Camera::new(Vec2::ONE, window, 0.0),
            free: IntRect::whole(window.x as u32, window.y as u32),
            worker: TrialWorker::run(trial, control.interval())?,
            trial,
            curves: Curves::default(),
            control,
            cells: true,
            side: true,
            grows: false,
            grown: false,
            size: Vec2::ONE,
            arrived: false,
        })
    }

    /// The measured curves.
    pub fn end(self) -> Vec<IndexCurve> {
        self.curves.0
    }

    fn state(&self) -> &TrialState {
        self.worker.states.front()
    }

    fn perform(&mut self, shell: &mut Shell, action: TrialAction) {
        shell.touched = true;
        match action {
            TrialAction::Steps(action) => self.control.perform(shell, &self.worker, action),
            TrialAction::Cells => {
                self.cells = !self.cells;
                shell.tell(&Event::Cells { shown: self.cells });
            }
            TrialAction::Panel => {
                self.side = !self.side;
                shell.tell(&Event::Panel { shown: self.side });
            }
            TrialAction::Grow => {
                self.grows = !self.grows;
                self.grown |= self.grows;
                self.worker.grow(self.grows);
                shell.tell(&Event::Growth { grows: self.grows });
            }
            TrialAction::Clear => {
                self.curves = Curves::default();
                shell.tell(&Event::CurvesCleared);
            }
            TrialAction::Try(trial) if trial == self.trial => {}
            TrialAction::Try(trial) => {
                self.trial = trial;
                (self.grows, self.grown) = (false, false);
                self.worker.set_trial(trial);
                let (index, scene) = (trial.index.to_string(), trial.arrangement.to_string());
                shell.tell(&Event::Trial { index, scene, discs: trial.discs });
            }
        }
    }

    /// Lays out the panels, performs the user's actions, and follows the area that the panels leave.
    fn lay_out(&mut self, shell: &mut Shell) {
        let speed = self.control.speed.to_string();
        let facts = IndexFacts {
            trial: &self.trial,
            state: self.worker.states.front(),
            paused: self.control.paused,
            cells: self.cells,
            speed: &speed,
            frames_per_second: shell.frames_per_second,
        };
        let (side, curves) = (self.side, &self.curves);
        let actions = shell.lay_out(&HELP, |ui, output| {
            if side {
                panel::lay_out(ui, &facts, output);
                graph::lay_out(ui, &facts, curves, output);
            }
            if let Some(trouble) = trouble_of(facts.state) {
                overlay::trouble(ui, ui.available_rect_before_wrap(), trouble);
            }
        });
        for action in actions {
            self.perform(shell, action);
        }
        let free = IntRect::rounded(shell.ui.free());
        if free != self.free {
            self.free = free;
            self.camera.resize(free.size());
        }
    }
}

/// What has gone wrong, or is not shown.
fn trouble_of(state: &TrialState) -> Option<&str> {
    state.trouble.as_deref().or(state.cells_cut.then_some(TOO_MANY_TEXT))
}

impl Content for IndexView {
    fn camera(&mut self) -> &mut Camera {
        &mut self.camera
    }

    fn corner(&self, _: Vec2) -> Vec2 {
        self.free.corner()
    }

    fn resized(&mut self, _: Vec2) {
        // The panels have to be laid out first.
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        if let Some(action) = keys::action(event) {
            self.perform(shell, action);
        }
    }

    fn follow(&mut self, shell: &mut Shell) {
        for (trial, micros) in self.worker.news() {
            self.curves.add(&trial, micros);
            shell.touched = true;
            shell.tell(&Event::Point { index: trial.index.to_string(), discs: trial.discs, micros });
            if self.grows && trial.discs == IndexTrial::MAX_DISCS {
                self.grows = false;
                shell.tell(&Event::Grown { index: trial.index.to_string() });
            }
        }
        if self.worker.states.take() {
            let TrialState { size, trial, grows, frame, figures, cells, position, .. } = self.worker.states.front();
            self.arrived |= !position.is_empty();
            shell.touched = true;
            if self.grown {
                self.trial.discs = trial.discs;
            }
            if *size != self.size && size.min_element() > 0.0 {
                self.size = *size;
                self.picture.enclose(*size);
                self.camera = Camera::new(*size, self.free.size(), 0.0);
            }
            if self.control.paused && !grows {
                shell.tell(&Event::TrialFrame {
                    frame: *frame,
                    index: trial.index.to_string(),
                    discs: trial.discs,
                    tests: figures.tests,
                    hits: figures.hits,
                    cells: cells.len(),
                });
            }
        }
        self.worker.show_cells(self.cells.then(|| self.camera.view()));
    }

    fn is_still(&self) -> bool {
        self.control.paused && !self.grows
    }

    fn draw(&mut self, shell: &mut Shell) -> GameResult {
        self.lay_out(shell);
        self.picture.draw(shell, &self.camera, self.free, self.worker.states.front())
    }

    fn greeting(&mut self) -> Option<ContentInfo> {
        let IndexTrial { index, discs, .. } = self.trial;
        self.arrived.then(|| ContentInfo::Index { index: index.to_string(), discs })
    }

    fn moment(&self) -> u64 {
        self.state().frame
    }
}
