//! A battle in a window: the newest state of the simulation, slid along between two ticks.

use super::camera::Camera;
use super::fallen::Fallen;
use super::hud::{self, Status};
use super::input::{self, Command};
use super::layers::{Crowd, Layers};
use super::motion::Motion;
use super::shell::{Content, Shell};
use super::simulation::{Runner, Seen, Speed};
use super::{Scene, Shown, ViewError, time_line};
use crate::world::Frame;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton};
use std::time::Instant;

#[allow(clippy::struct_excessive_bools)] // they are independent of one another
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
    /// The mouse holds the time line.
    dragging: bool,
    /// The tick that it asked for last.
    asked: Option<u64>,
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
            dragging: false,
            asked: None,
        })
    }

    fn newest(&self) -> &Frame {
        &self.runner.frames.front().frame
    }

    /// Stays where one goes to.
    fn pause(&mut self) {
        if !self.paused {
            self.paused = true;
            self.runner.set_paused(true);
        }
    }

    /// Goes to where the mouse is on the time line.
    fn drag(&mut self, shell: &Shell) {
        if let (true, Some(span)) = (self.dragging, self.runner.span) {
            let tick = time_line::tick_at(shell.pointer.at.x / shell.scale(), shell.size().x / shell.scale(), span);
            if self.asked != Some(tick) {
                self.asked = Some(tick);
                self.runner.go_to(tick);
            }
        }
    }

    /// The last state that was shown.
    pub fn end(self, frames: u64) -> Shown {
        Shown { frames, last: self.newest().clone(), failure: self.failure }
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
                self.pause();
                self.runner.single_tick();
                shell.tell("single tick");
            }
            Some(Command::Back) if self.runner.span.is_some() => {
                self.pause();
                self.runner.go_to(self.newest().tick.saturating_sub(1));
                shell.tell("back");
            }
            Some(command @ (Command::Faster | Command::Slower)) => {
                self.speed = if command == Command::Faster { self.speed.faster() } else { self.speed.slower() };
                self.runner.set_interval(self.speed.interval(self.step));
                shell.tell(&format!("speed {}", self.speed));
            }
            Some(Command::Back) | None => {}
        }
    }

    fn button(&mut self, shell: &mut Shell, button: MouseButton, state: ElementState) {
        if button == MouseButton::Left {
            let scale = shell.scale();
            let on_line = time_line::is_on((shell.pointer.at / scale).into(), shell.size().y / scale);
            self.dragging = state == ElementState::Pressed && on_line;
            self.asked = None;
            self.drag(shell);
        }
    }

    fn moved(&mut self, shell: &mut Shell) {
        self.drag(shell);
    }

    fn follow(&mut self, shell: &mut Shell) {
        let now = Instant::now();
        self.motion.advance((now - self.last).as_secs_f32());
        self.last = now;
        if self.runner.frames.is_fresh() {
            self.motion.leave(&self.runner.frames.front().frame);
            self.arrived = self.runner.frames.take();
            shell.touched = true;
            let Seen { frame, jumped } = self.runner.frames.front();
            self.motion.enter(frame, self.speed.interval(self.step).as_secs_f32());
            if *jumped {
                self.fallen.clear();
            }
            // Of those who fell long ago it is not known when.
            self.fallen.add(&frame.fallen, if *jumped { f64::NEG_INFINITY } else { frame.time });
            if self.paused || *jumped {
                shell.tell(&format!("tick {}", frame.tick));
            }
        }
        self.rate.count(now, self.newest().tick);
        if self.failure.is_none() {
            self.failure = self.runner.failure();
            if let Some(failure) = &self.failure {
                shell.tell(&format!("failure {failure}"));
            }
        }
        if let Some(result) = hud::result(self.newest()).filter(|_| !self.result_told) {
            self.result_told = true;
            shell.tell(&format!("result {result}"));
        }
    }

    fn is_still(&self) -> bool {
        let newest = self.newest();
        let over = self.runner.span.map_or(newest.verdict.is_some(), |[_, last]| newest.tick >= last);
        let stopped = self.paused || self.failure.is_some() || over;
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
            span: self.runner.span,
        };
        let frame = &self.runner.frames.front().frame;
        let crowd = Crowd { frame, motion: &self.motion, fallen: &self.fallen, step: self.step };
        self.layers.draw(&mut shell.graphics, &self.camera, &crowd, &status)
    }

    fn greeting(&mut self) -> Option<String> {
        let agents = self.newest().id.len();
        self.arrived.then(|| format!("zoom {:.3} agents {agents}", self.camera.zoom))
    }

    fn progress(&self) -> String {
        format!("tick {} ticks/s {:.1}", self.newest().tick, self.rate.ticks_per_second)
    }

    fn moment(&self) -> u64 {
        self.newest().tick
    }
}
