//! An index in a window: what the user wants goes to the worker, its newest state is drawn.

use super::curves::Curves;
use super::keys::{self, Command};
use super::panel::{self, Asked, Facts, Wish};
use super::picture::Picture;
use super::trial::Moment;
use super::worker::Worker;
use super::{IndexCurve, IndexTrial, graph};
use crate::ViewError;
use crate::area::Area;
use crate::camera::Camera;
use crate::shell::{Content, Shell};
use crate::speed::Speed;
use ggez::GameResult;
use ggez::winit::event::KeyEvent;
use throng_grid::geom::Vec2;
use throng_spatial::Discs;

#[allow(clippy::struct_excessive_bools)] // they are independent of one another
pub(crate) struct IndexContent {
    picture: Picture,
    camera: Camera,
    /// The part of the window that the panels leave (pixels).
    free: Area,
    worker: Worker,
    /// What was asked for last.
    trial: IndexTrial,
    curves: Curves,
    speed: Speed,
    paused: bool,
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

impl IndexContent {
    pub fn new(shell: &Shell, trial: IndexTrial) -> Result<Self, ViewError> {
        let trial = IndexTrial { discs: trial.discs.clamp(1, IndexTrial::MOST), ..trial };
        let (speed, window) = (Speed::REAL, shell.size());
        Ok(Self {
            picture: Picture::new(&shell.graphics.gfx),
            camera: Camera::new(Vec2::ONE, window, 0.0),
            free: Area::whole(window.x as u32, window.y as u32),
            worker: Worker::start(trial, speed.interval(Discs::STEP))
                .map_err(|error| ViewError::Thread { found: error.to_string() })?,
            trial,
            curves: Curves::default(),
            speed,
            paused: false,
            cells: true,
            side: true,
            grows: false,
            grown: false,
            size: Vec2::ONE,
            arrived: false,
        })
    }

    /// What was measured.
    pub fn end(self) -> Vec<IndexCurve> {
        self.curves.0
    }

    fn moment(&self) -> &Moment {
        self.worker.moments.front()
    }

    fn obey(&mut self, shell: &mut Shell, command: Command) {
        shell.touched = true;
        match command {
            Command::Pause => {
                self.paused = !self.paused;
                self.worker.set_paused(self.paused);
                shell.tell(if self.paused { "paused" } else { "running" });
            }
            Command::Step => {
                if !self.paused {
                    self.paused = true;
                    self.worker.set_paused(true);
                }
                self.worker.single_frame();
                shell.tell("single frame");
            }
            Command::Faster | Command::Slower => {
                self.speed = if command == Command::Faster { self.speed.faster() } else { self.speed.slower() };
                self.worker.set_interval(self.speed.interval(Discs::STEP));
                shell.tell(&format!("speed {}", self.speed));
            }
            Command::Cells => {
                self.cells = !self.cells;
                shell.tell(if self.cells { "cells shown" } else { "cells hidden" });
            }
            Command::Panel => {
                self.side = !self.side;
                shell.tell(if self.side { "panel shown" } else { "panel hidden" });
            }
            Command::Grow => {
                self.grows = !self.grows;
                self.grown |= self.grows;
                self.worker.grow(self.grows);
                shell.tell(if self.grows { "growing" } else { "stopped growing" });
            }
            Command::Clear => {
                self.curves = Curves::default();
                shell.tell("cleared");
            }
        }
    }

    fn grant(&mut self, shell: &mut Shell, wish: Wish) {
        match wish {
            Wish::Do(command) => self.obey(shell, command),
            Wish::Try(trial) if trial == self.trial => {}
            Wish::Try(trial) => {
                self.trial = trial;
                (self.grows, self.grown) = (false, false);
                self.worker.set_trial(trial);
                shell.touched = true;
                shell.tell(&format!("tries {} {} {}", trial.index, trial.arrangement, trial.discs));
            }
        }
    }

    /// Asks for the panels, does what the user wants by them, and follows the room they leave.
    fn lay_out(&mut self, shell: &mut Shell) {
        let mut asked = Asked::default();
        let speed = self.speed.to_string();
        let facts = Facts {
            trial: &self.trial,
            moment: self.worker.moments.front(),
            paused: self.paused,
            cells: self.cells,
            speed: &speed,
            frames_per_second: shell.frames_per_second,
        };
        let (side, curves) = (self.side, &self.curves);
        shell.ui.lay_out(shell.graphics.gfx.window(), |ui| {
            // egui may lay out twice.
            asked = Asked::default();
            if side {
                panel::lay_out(ui, &facts, &mut asked);
                graph::lay_out(ui, &facts, curves, &mut asked);
            }
        });
        shell.tell_places(&asked.places);
        for wish in asked.wishes {
            self.grant(shell, wish);
        }
        let [corner, size] = shell.ui.free().map(|of| of.max(Vec2::ZERO));
        let [left, top, right, bottom] =
            [corner.x, corner.y, corner.x + size.x, corner.y + size.y].map(|edge| edge.round() as u32);
        let free = Area { left, top, right, bottom };
        if free != self.free {
            self.free = free;
            self.camera.resize(Vec2::new(free.width() as f32, free.height() as f32));
        }
    }
}

impl Content for IndexContent {
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
        if let Some(command) = keys::command(event) {
            self.obey(shell, command);
        }
    }

    fn follow(&mut self, shell: &mut Shell) {
        for (trial, micros) in self.worker.points() {
            self.curves.add(&trial, micros);
            shell.touched = true;
            shell.tell(&format!("point {} {} {micros:.1}", trial.index, trial.discs));
            if self.grows && trial.discs == IndexTrial::MOST {
                self.grows = false;
                shell.tell(&format!("grown {}", trial.index));
            }
        }
        if self.worker.moments.take() {
            let Moment { size, trial, grows, frame, figures, cells, position, .. } = self.worker.moments.front();
            self.arrived |= !position.is_empty();
            shell.touched = true;
            if self.grown {
                self.trial.discs = trial.discs;
            }
            if *size != self.size && size.min_element() > 0.0 {
                self.size = *size;
                self.picture.enclose(*size);
                self.camera = Camera::new(*size, Vec2::new(self.free.width() as f32, self.free.height() as f32), 0.0);
            }
            if self.paused && !grows {
                let (tests, hits, cells) = (figures.tests, figures.hits, cells.len());
                let (index, discs) = (trial.index, trial.discs);
                shell.tell(&format!("frame {frame} {index} discs {discs} tests {tests} hits {hits} cells {cells}"));
            }
        }
        self.worker.look(self.cells.then(|| self.camera.view()));
    }

    fn is_still(&self) -> bool {
        self.paused && !self.grows
    }

    fn draw(&mut self, shell: &mut Shell) -> GameResult {
        self.lay_out(shell);
        self.picture.draw(shell, &self.camera, self.free, self.worker.moments.front())
    }

    fn greeting(&mut self) -> Option<String> {
        let IndexTrial { index, discs, .. } = self.trial;
        self.arrived.then(|| format!("zoom {:.3} index {index} discs {discs}", self.camera.zoom))
    }

    fn progress(&self) -> String {
        format!("frame {}", self.moment().frame)
    }

    fn moment(&self) -> u64 {
        Self::moment(self).frame
    }
}
