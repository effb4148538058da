//! Moving volumes in a window: the user's actions go to the worker, its newest state is drawn.

use super::keys::{self, HELP, VisibleLayers, VolumeAction};
use super::paint::Canvas;
use super::panel::{self, VolumeFacts};
use super::projection::Projection;
use super::state::VolumeState;
use super::worker::VolumeWorker;
use super::{VolumeTally, VolumeTrial};
use crate::ViewError;
use crate::draw::int_rect::IntRect;
use crate::draw::overlay;
use crate::draw::palette::DESK;
use crate::draw::pipeline::field_pass;
use crate::lab::step_control::StepControl;
use crate::shell::camera::Camera;
use crate::shell::event::{ContentInfo, Event};
use crate::shell::{Content, Shell};
use egui::{Rect, pos2};
use ggez::GameResult;
use ggez::winit::event::KeyEvent;
use throng_grid::geom::Vec2;

/// Time of a part of a step (s).
const PART_TIME_S: f32 = 1.0 / 30.0;
/// How far a cube is turned at first, and in a frame (radians).
const FIRST_ANGLE_RAD: f32 = 0.6;
const TURN_PER_FRAME_RAD: f32 = 0.0015;

pub(crate) struct VolumeView {
    camera: Camera,
    /// The part of the window that the panel leaves (pixels).
    free: IntRect,
    worker: VolumeWorker,
    /// The trial that was requested last.
    trial: VolumeTrial,
    layers: VisibleLayers,
    control: StepControl,
    /// The panel is shown.
    side: bool,
    /// Side of the picture that the camera was made for (m).
    size: f32,
}

impl VolumeView {
    pub fn new(shell: &Shell, trial: VolumeTrial) -> Result<Self, ViewError> {
        let trial = VolumeTrial {
            shapes: trial.shapes.clamp(2, VolumeTrial::MAX_SHAPES),
            substeps: trial.substeps.clamp(1, VolumeTrial::MAX_SUBSTEPS),
            ..trial
        };
        let (control, window) = (StepControl::new(PART_TIME_S), shell.size());
        Ok(Self {
            camera: Camera::new(Vec2::ONE, window, 0.0),
            free: IntRect::whole(window.x as u32, window.y as u32),
            worker: VolumeWorker::run(trial, control.interval())?,
            trial,
            layers: VisibleLayers::default(),
            control,
            side: true,
            size: 0.0,
        })
    }

    /// The results since the trial was changed last.
    pub fn end(self) -> VolumeTally {
        self.state().tally
    }

    fn state(&self) -> &VolumeState {
        self.worker.states.front()
    }

    fn perform(&mut self, shell: &mut Shell, action: VolumeAction) {
        shell.touched = true;
        match action {
            VolumeAction::Steps(action) => self.control.perform(shell, &self.worker, action),
            VolumeAction::Toggle(layer) => {
                self.layers.toggle(layer);
                shell.tell(&Event::Layer { name: layer.name().to_owned(), shown: self.layers.has(layer) });
            }
            VolumeAction::Panel => {
                self.side = !self.side;
                shell.tell(&Event::Panel { shown: self.side });
            }
            VolumeAction::Space => {
                let trial = VolumeTrial { space: !self.trial.space, ..self.trial };
                self.perform(shell, VolumeAction::Try(trial));
            }
            VolumeAction::Try(trial) if trial == self.trial => {}
            VolumeAction::Try(trial) => {
                self.trial = trial;
                self.worker.set_trial(trial);
                let VolumeTrial { space, shapes, speed, substeps, tunnels, .. } = trial;
                let response = trial.response.to_string();
                shell.tell(&Event::Volumes { space, shapes, speed, substeps, response, tunnels });
            }
        }
    }

    /// Lays out the panel and the picture, performs the user's actions, and follows the area that the panel leaves.
    fn lay_out(&mut self, shell: &mut Shell) {
        let (speed, scale) = (self.control.speed.to_string(), shell.scale());
        let trouble = self.worker.failure();
        let state = self.worker.states.front();
        let facts =
            VolumeFacts { trial: &self.trial, state, layers: self.layers, paused: self.control.paused, speed: &speed };
        let (camera, free, side, layers) = (&self.camera, self.free, self.side, self.layers);
        let angle = FIRST_ANGLE_RAD + TURN_PER_FRAME_RAD * (state.frame % 100_000) as f32;
        let actions = shell.lay_out(&HELP, |ui, output| {
            if side {
                panel::lay_out(ui, &facts, output);
            }
            if let Some(trouble) = &trouble {
                overlay::trouble(ui, ui.available_rect_before_wrap(), trouble);
            }
            if state.side == 0.0 {
                return;
            }
            let corner = free.corner();
            let [low, high] = [corner, corner + free.size()].map(|at| at / scale);
            let area = Rect { min: pos2(low.x, low.y), max: pos2(high.x, high.y) };
            let canvas = Canvas {
                painter: ui.painter_at(area),
                projection: Projection::new(state.side, state.trial.space, angle),
                place: &|at| (camera.to_pixel(at) + corner) / scale,
                zoom: camera.zoom / scale,
            };
            canvas.paint(state, layers);
        });
        for action in actions {
            self.perform(shell, action);
        }
        let free = IntRect::rounded(shell.ui.free());
        if free != self.free {
            self.free = free;
            shell.touched = true;
            self.camera.resize(free.size());
        }
    }
}

impl Content for VolumeView {
    fn camera(&mut self) -> &mut Camera {
        &mut self.camera
    }

    fn corner(&self, _: Vec2) -> Vec2 {
        self.free.corner()
    }

    fn resized(&mut self, _: Vec2) {
        // The panel has to be laid out first.
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        if let Some(action) = keys::action(event) {
            self.perform(shell, action);
        }
    }

    fn follow(&mut self, shell: &mut Shell) {
        if !self.worker.states.take() {
            return;
        }
        shell.touched = true;
        let VolumeState { side, trial, tally, seen, .. } = self.worker.states.front();
        let size = Projection::new(*side, trial.space, 0.0).size();
        if self.control.paused {
            let VolumeTally { steps, hits, tunnelled, .. } = *tally;
            shell.tell(&Event::VolumeStep { step: steps, hits, tunnelled, seen: *seen });
        }
        if size != self.size && size > 0.0 {
            self.size = size;
            self.camera = Camera::new(Vec2::splat(size), self.free.size(), 0.0);
        }
    }

    fn is_still(&self) -> bool {
        self.control.paused
    }

    fn draw(&mut self, shell: &mut Shell) -> GameResult {
        self.lay_out(shell);
        let graphics = &mut shell.graphics;
        graphics.begin_frame()?;
        let target = graphics.gfx.frame().wgpu().clone();
        if let Some(encoder) = graphics.gfx.commands() {
            drop(field_pass(encoder, &target, DESK));
        }
        shell.ui.paint(graphics);
        graphics.end_frame()
    }

    fn greeting(&mut self) -> Option<ContentInfo> {
        let VolumeTrial { space, shapes, .. } = self.trial;
        (self.size > 0.0).then_some(ContentInfo::Volumes { space, shapes })
    }

    fn moment(&self) -> u64 {
        self.state().frame
    }
}
