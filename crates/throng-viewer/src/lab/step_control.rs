//! The user's control over steps on a thread of their own: stop, one step, faster, slower.

use crate::shell::Shell;
use crate::shell::event::Event;
use crate::shell::speed::Speed;
use crate::shell::worker::{Requests, StepClock, Worker};
use std::time::Duration;

/// Whether steps go on, and how fast.
pub(super) struct StepControl {
    pub paused: bool,
    pub speed: Speed,
    /// Length of a step (s).
    step: f32,
}

impl StepControl {
    /// Steps of this length (s), as fast as in life.
    pub fn new(step: f32) -> Self {
        Self { paused: false, speed: Speed::REAL, step }
    }

    /// Time between two steps.
    pub fn interval(&self) -> Duration {
        self.speed.interval(self.step)
    }

    /// Stops the steps, or lets them go on.
    pub fn pause<R: Requests + AsMut<StepClock>, S, N>(&mut self, shell: &mut Shell, worker: &Worker<R, S, N>) {
        self.paused = !self.paused;
        worker.set_paused(self.paused);
        shell.tell(&Event::Paused { paused: self.paused });
    }

    /// Stops after one more step.
    pub fn single_step<R: Requests + AsMut<StepClock>, S, N>(&mut self, shell: &mut Shell, worker: &Worker<R, S, N>) {
        if !self.paused {
            self.paused = true;
            worker.set_paused(true);
        }
        worker.single_step();
        shell.tell(&Event::Step { back: false });
    }

    /// Takes another speed.
    pub fn set_speed<R: Requests + AsMut<StepClock>, S, N>(
        &mut self,
        shell: &mut Shell,
        worker: &Worker<R, S, N>,
        speed: Speed,
    ) {
        self.speed = speed;
        worker.set_interval(self.interval());
        shell.tell(&Event::Speed { speed: speed.to_string() });
    }
}
