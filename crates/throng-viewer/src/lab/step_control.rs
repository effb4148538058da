//! The user's control over steps on a thread of their own: stop, one step, faster, slower.

use crate::shell::Shell;
use crate::shell::event::Event;
use crate::shell::speed::Speed;
use crate::shell::worker::{Requests, StepClock, Worker};
use ggez::winit::keyboard::{Key, NamedKey};
use std::time::Duration;

/// What a user does with the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepAction {
    /// Stop or go on.
    Pause,
    /// Do one step, and pause.
    Step,
    /// Twice as fast.
    Faster,
    /// Half as fast.
    Slower,
}

impl StepAction {
    /// The action of a key.
    pub fn of_key(key: &Key) -> Option<Self> {
        match key.as_ref() {
            Key::Named(NamedKey::Space) | Key::Character(" ") => Some(Self::Pause),
            Key::Character(".") => Some(Self::Step),
            Key::Character("]") => Some(Self::Faster),
            Key::Character("[") => Some(Self::Slower),
            _ => None,
        }
    }

    /// True where it is done again while its key is held down.
    pub fn repeats(self) -> bool {
        self != Self::Pause
    }
}

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

    /// Does what the user wants, and tells of it.
    pub fn perform<R: Requests + AsMut<StepClock>, S, N>(
        &mut self,
        shell: &mut Shell,
        worker: &Worker<R, S, N>,
        action: StepAction,
    ) {
        match action {
            StepAction::Pause => {
                self.paused = !self.paused;
                worker.set_paused(self.paused);
                shell.tell(&Event::Paused { paused: self.paused });
            }
            StepAction::Step => {
                if !self.paused {
                    self.paused = true;
                    worker.set_paused(true);
                }
                worker.single_step();
                shell.tell(&Event::Step { back: false });
            }
            StepAction::Faster | StepAction::Slower => {
                self.speed = if action == StepAction::Faster { self.speed.faster() } else { self.speed.slower() };
                worker.set_interval(self.interval());
                shell.tell(&Event::Speed { speed: self.speed.to_string() });
            }
        }
    }
}
