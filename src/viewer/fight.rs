//! A battle in a window: the newest state of the simulation, slid along between two ticks.

use super::camera::Camera;
use super::fallen::Fallen;
use super::hud::{self, Status};
use super::input::{self, Command};
use super::layers::{Crowd, Layers};
use super::motion::Motion;
use super::shell::{Content, Shell};
use super::simulation::{Runner, Speed};
use super::{Scene, Shown, ViewError};
use ggez::winit::event::KeyEvent;
use std::time::Instant;

pub(super) struct Fight {
    layers: Layers,
    camera: Camera,
    runner: Runner,
    motion: Motion,
    fallen: Fallen,
    title: String,
    step: f32,
    speed: Speed,
    paused: bool,
    failure: Option<String>,
    result_told: bool,
    /// The first state has come.
    arrived: bool,
    rate: Rate,
    last: Instant,
}

/// Ticks a second, over the last half second.
struct Rate {
    since: Instant,
    tick: u64,
    ticks_per_second: f32,
}

impl Rate {
    fn count(&mut self, now: Instant, tick: u64) {
        let seconds = (now - self.since).as_secs_f32();
        if seconds >= 0.5 {
            self.ticks_per_second = tick.saturating_sub(self.tick) as f32 / seconds;
            (self.since, self.tick) = (now, tick);
        }
    }
}

impl Fight {
    pub fn new(shell: &Shell, scene: Scene) -> Result<Self, ViewError> {
        let layers = Layers::new(&shell.graphics.gfx, &scene.grid);
        let camera = Camera::new(scene.grid.lattice().size(), shell.size(), hud::TAKEN * shell.scale());
        let speed = Speed::REAL;
        let runner = Runner::start(scene.simulation, speed.interval(scene.step))
            .map_err(|error| ViewError::Thread { found: error.to_string() })?;
        let now = Instant::now();
        Ok(Self {
            layers,
            camera,
            runner,
            motion: Motion::default(),
            fallen: Fallen::default(),
            title: scene.title,
            step: scene.step,
            speed,
            paused: false,
            failure: None,
            result_told: false,
            arrived: false,
            rate: Rate { since: now, tick: 0, ticks_per_second: 0.0 },
            last: now,
        })
    }

    /// The last state that was shown.
    pub fn end(self, frames: u64) -> Shown {
        Shown { frames, last: self.runner.frames.front().clone(), failure: self.failure }
    }
}

impl Content for Fight {
    fn camera(&mut self) -> &mut Camera {
        &mut self.camera
    }

    fn key(&mut self, shell: &mut Shell, event: &KeyEvent) {
        match input::command(event) {
            Some(Command::Pause) => {
                self.paused = !self.paused;
                self.runner.set_paused(self.paused);
                shell.tell(if self.paused { "paused" } else { "running" });
            }
            Some(Command::Tick) => {
                if !self.paused {
                    self.paused = true;
                    self.runner.set_paused(true);
                }
                self.runner.single_tick();
                shell.tell("single tick");
            }
            Some(command @ (Command::Faster | Command::Slower)) => {
                self.speed = if command == Command::Faster { self.speed.faster() } else { self.speed.slower() };
                self.runner.set_interval(self.speed.interval(self.step));
                shell.tell(&format!("speed {}", self.speed));
            }
            None => {}
        }
    }

    fn follow(&mut self, shell: &mut Shell) {
        let now = Instant::now();
        self.motion.advance((now - self.last).as_secs_f32());
        self.last = now;
        if self.runner.frames.is_fresh() {
            self.motion.leave(self.runner.frames.front());
            self.arrived = self.runner.frames.take();
            shell.touched = true;
            let frame = self.runner.frames.front();
            self.motion.enter(frame, self.speed.interval(self.step).as_secs_f32());
            self.fallen.add(&frame.fallen, frame.time);
            if self.paused {
                shell.tell(&format!("tick {}", frame.tick));
            }
        }
        self.rate.count(now, self.runner.frames.front().tick);
        if self.failure.is_none() {
            self.failure = self.runner.failure();
            if let Some(failure) = &self.failure {
                shell.tell(&format!("failure {failure}"));
            }
        }
        if let Some(result) = hud::result(self.runner.frames.front()).filter(|_| !self.result_told) {
            self.result_told = true;
            shell.tell(&format!("result {result}"));
        }
    }

    fn is_still(&self) -> bool {
        let stopped = self.paused || self.failure.is_some() || self.runner.frames.front().verdict.is_some();
        stopped && self.motion.is_done()
    }

    fn draw(&mut self, shell: &mut Shell) -> ggez::GameResult {
        // The shell lends its canvas and its words at once.
        let notice = shell.notice().map(str::to_owned);
        let status = Status {
            title: &self.title,
            frames_per_second: shell.frames_per_second,
            ticks_per_second: self.rate.ticks_per_second,
            speed: self.speed,
            paused: self.paused,
            help: shell.help,
            failure: self.failure.as_deref(),
            notice: notice.as_deref(),
        };
        let crowd = Crowd { frame: self.runner.frames.front(), motion: &self.motion, fallen: &self.fallen };
        self.layers.draw(&mut shell.graphics, &self.camera, &crowd, &status)
    }

    fn greeting(&mut self) -> Option<String> {
        let agents = self.runner.frames.front().id.len();
        self.arrived.then(|| format!("zoom {:.3} agents {agents}", self.camera.zoom))
    }

    fn progress(&self) -> String {
        format!("tick {} ticks/s {:.1}", self.runner.frames.front().tick, self.rate.ticks_per_second)
    }

    fn moment(&self) -> u64 {
        self.runner.frames.front().tick
    }
}
