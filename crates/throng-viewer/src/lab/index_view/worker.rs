//! The trial on a thread of its own: the window never waits for a slow index.

use super::IndexTrial;
use super::growth::Growth;
use super::trial::{Trial, TrialState};
use crate::ViewError;
use crate::shell::worker::{Desk, Next, Requests, StepClock, Worker};
use std::sync::mpsc::SendError;
use std::time::Duration;
use throng_grid::geom::Vec2;

/// Time between two frames while the number of discs grows: quick, but slow enough to be watched.
const GROWTH_INTERVAL: Duration = Duration::from_millis(8);

/// The window's requests to the trial.
pub(super) struct TrialRequests {
    clock: StepClock,
    /// Another trial in place of the one that runs.
    trial: Option<IndexTrial>,
    /// Starts or stops the growth of the number of discs.
    grows: Option<bool>,
    /// The region whose cells are shown, and whether it is another one than before.
    region: Option<[Vec2; 2]>,
    moves: bool,
}

impl Requests for TrialRequests {}

impl AsMut<StepClock> for TrialRequests {
    fn as_mut(&mut self) -> &mut StepClock {
        &mut self.clock
    }
}

/// A point of a curve: the trial, and the median of the time of its frames (µs).
pub(super) type CurvePoint = (IndexTrial, f64);

/// The trial's thread. Its news are the points of curves.
pub(super) type TrialWorker = Worker<TrialRequests, TrialState, CurvePoint>;

impl TrialWorker {
    /// Starts the thread.
    ///
    /// # Errors
    /// As [`Worker::start`].
    pub fn run(trial: IndexTrial, interval: Duration) -> Result<Self, ViewError> {
        // Frames that are late are not made up for.
        let clock = StepClock::new(interval, Duration::ZERO);
        let requests = TrialRequests { clock, trial: None, grows: None, region: None, moves: false };
        Self::start("index", requests, move |desk| run(desk, Trial::new(trial)))
    }

    /// Replaces the trial; a growth stops.
    pub fn set_trial(&self, trial: IndexTrial) {
        self.request(|requests| (requests.trial, requests.grows) = (Some(trial), None));
    }

    /// Lets the number of discs grow from the least to the most, or stops that.
    pub fn grow(&self, grows: bool) {
        self.request(|requests| requests.grows = Some(grows));
    }

    /// Shows with each state the cells in a region (m), or none.
    pub fn show_cells(&self, region: Option<[Vec2; 2]>) {
        self.request(|requests| {
            requests.moves |= requests.region != region;
            requests.region = region;
        });
    }
}

/// The next thing to do.
enum TrialStep {
    Frame,
    Replace(IndexTrial),
    Grow(bool),
    Show,
}

fn run(mut desk: Desk<TrialRequests, TrialState, CurvePoint>, mut trial: Trial) -> Result<(), SendError<CurvePoint>> {
    let mut growth: Option<Growth> = None;
    loop {
        let region = desk.read(|requests| requests.region);
        let state = desk.states.back();
        trial.show(region, state);
        state.grows = growth.is_some();
        desk.states.publish(|_, _| ());
        let Some(step) = desk.wait(|requests| next_step(requests, growth.is_some())) else { return Ok(()) };
        match step {
            TrialStep::Frame => {
                let took = trial.step();
                let Some((grown, micros)) = growth.as_mut().zip(took) else { continue };
                let Some(micros) = grown.add(micros) else { continue };
                desk.news.send((trial.of(), micros))?;
                let discs = grown.discs();
                if grown.is_over() {
                    growth = None;
                } else {
                    trial.change(IndexTrial { discs, ..trial.of() });
                }
            }
            TrialStep::Replace(other) => {
                growth = None;
                trial.change(other);
            }
            TrialStep::Grow(grows) => {
                growth = grows.then(Growth::default);
                if let Some(growth) = &growth {
                    trial.change(IndexTrial { discs: growth.discs(), ..trial.of() });
                }
            }
            TrialStep::Show => {}
        }
    }
}

/// A growth is not paused.
fn next_step(requests: &mut TrialRequests, grows: bool) -> Next<TrialStep> {
    if let Some(trial) = requests.trial.take() {
        return Next::Step(TrialStep::Replace(trial));
    }
    if let Some(grows) = requests.grows.take() {
        return Next::Step(TrialStep::Grow(grows));
    }
    if std::mem::take(&mut requests.moves) {
        return Next::Step(TrialStep::Show);
    }
    let interval = if grows { GROWTH_INTERVAL } else { requests.clock.interval };
    requests.clock.next(interval, requests.clock.paused && !grows).map(|()| TrialStep::Frame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_spatial::IndexKind;

    #[test]
    fn it_grows_pauses_steps_and_takes_another_index() {
        let mut worker = TrialWorker::run(IndexTrial::default(), Duration::ZERO).unwrap();
        worker.set_paused(true);
        worker.grow(true);
        let mut points = Vec::new();
        while points.len() < 9 {
            assert_eq!(worker.failure(), None);
            points.extend(worker.news());
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(points.windows(2).all(|pair| pair[0].0.discs < pair[1].0.discs && pair[1].1 > 0.0));
        assert_eq!(points[8].0.discs, IndexTrial::MAX_DISCS);
        worker.set_trial(IndexTrial { index: IndexKind::Bvh.into(), discs: 60, ..IndexTrial::default() });
        worker.single_step();
        worker.show_cells(Some([Vec2::ZERO, Vec2::splat(100.0)]));
        let is_done = |state: &TrialState| state.frame == 1 && state.trial.discs == 60 && !state.cells.is_empty();
        while !is_done(worker.states.front()) {
            assert_eq!(worker.failure(), None);
            worker.states.take();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!worker.states.front().grows);
    }
}
