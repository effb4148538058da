//! The course on a thread of its own.

use super::VolumeTrial;
use super::course::{CourseError, VolumeCourse, course};
use super::state::VolumeState;
use crate::ViewError;
use crate::shell::worker::{Desk, Next, Requests, StepClock, Worker};
use std::time::Duration;

/// The window's requests to the course.
pub(super) struct VolumeRequests {
    clock: StepClock,
    /// Another trial in place of the one that runs.
    trial: Option<VolumeTrial>,
}

impl Requests for VolumeRequests {}

impl AsMut<StepClock> for VolumeRequests {
    fn as_mut(&mut self) -> &mut StepClock {
        &mut self.clock
    }
}

/// The thread of a course. It has no news.
pub(super) type VolumeWorker = Worker<VolumeRequests, VolumeState, ()>;

impl VolumeWorker {
    /// Starts the thread.
    ///
    /// # Errors
    /// As [`Worker::start`].
    pub fn run(trial: VolumeTrial, interval: Duration) -> Result<Self, ViewError> {
        let requests = VolumeRequests { clock: StepClock::new(interval, Duration::ZERO), trial: None };
        Self::start("volumes", requests, move |desk| run(desk, trial))
    }

    /// Replaces the trial.
    pub fn set_trial(&self, trial: VolumeTrial) {
        self.request(|requests| requests.trial = Some(trial));
    }
}

/// The next thing to do.
enum VolumeStep {
    Part,
    Whole,
    Change(VolumeTrial),
}

fn next_step(requests: &mut VolumeRequests) -> Next<VolumeStep> {
    if let Some(trial) = requests.trial.take() {
        return Next::Step(VolumeStep::Change(trial));
    }
    let (interval, paused) = (requests.clock.interval, requests.clock.paused);
    // A step that is asked for while all stand still is a whole one.
    requests.clock.next(interval, paused).map(|()| if paused { VolumeStep::Whole } else { VolumeStep::Part })
}

/// True where the same volley goes on.
fn is_same(one: &VolumeTrial, other: &VolumeTrial) -> bool {
    (one.space, one.shapes, one.seed) == (other.space, other.shapes, other.seed)
}

fn run(mut desk: Desk<VolumeRequests, VolumeState, ()>, mut trial: VolumeTrial) -> Result<(), CourseError> {
    let mut running: Box<dyn VolumeCourse> = course(trial)?;
    loop {
        running.show(desk.states.back());
        desk.states.publish(|_, _| ());
        let Some(step) = desk.wait(next_step) else { return Ok(()) };
        match step {
            VolumeStep::Part => running.go_on()?,
            VolumeStep::Whole => running.finish()?,
            VolumeStep::Change(other) => {
                if is_same(&trial, &other) {
                    running.set(other)?;
                } else {
                    running = course(other)?;
                }
                trial = other;
            }
        }
    }
}
