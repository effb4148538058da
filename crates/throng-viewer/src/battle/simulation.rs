//! The simulation on a thread of its own.

use super::chronicle::SharedChronicle;
use super::command::Command;
use super::inspect::{InspectReply, InspectRequest};
use super::measuring::{Measurements, NumberedArea};
use super::simulation_error::SimulationError;
use crate::ViewError;
use crate::shell::event::Event;
use crate::shell::worker::{Requests, StepClock, Worker};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use throng_sim::world::{Frame, Snapshot, SquadId, SquadSpec, World};

mod command_history;
mod course;
mod snapshots;
mod thread;

use command_history::HistoryStep;
pub(super) use command_history::Placed;
pub(crate) use course::Course;

/// A source of frames for a window: it ticks, and its state can be copied out.
///
/// ```
/// use throng_viewer::{Simulation, SimulationError};
/// use throng_sim::world::Frame;
///
/// struct Clock(u64);
///
/// impl Simulation for Clock {
///     fn tick(&mut self) -> Result<(), SimulationError> {
///         self.0 += 1;
///         Ok(())
///     }
///
///     fn frame(&self, frame: &mut Frame) {
///         frame.tick = self.0;
///     }
/// }
///
/// // It has no time line, and nothing of it can be changed.
/// let mut clock = Clock(0);
/// assert_eq!((clock.span(), clock.is_live()), (None, false));
/// let halt = throng_viewer::Command::Order(Vec::new());
/// assert_eq!(clock.perform(&halt).unwrap_err().to_string(), "a recording cannot be changed");
/// ```
pub trait Simulation: Send {
    /// Advances by one step, to the tick after.
    ///
    /// # Errors
    /// If the simulation cannot go on; unless it can [skip](Simulation::skip) what is wrong, the window shows the message and stops
    /// ticking.
    fn tick(&mut self) -> Result<(), SimulationError>;

    /// Writes the state into `frame`, which may hold an older one.
    fn frame(&self, frame: &mut Frame);

    /// The first and the last tick, if the simulation by itself can go to any tick between them. The window goes back in one that
    /// takes [snapshots](Simulation::snapshot), too. Either has a time line.
    fn span(&self) -> Option<[u64; 2]> {
        None
    }

    /// True where commands change it: then the window has the tools for that.
    fn is_live(&self) -> bool {
        false
    }

    /// A copy of its state; `None` where it takes none.
    fn snapshot(&self) -> Option<Snapshot> {
        None
    }

    /// Goes back, or on, to the state of a snapshot.
    ///
    /// # Errors
    /// Where that is not possible; then it stays as it is.
    fn restore(&mut self, _snapshot: &Snapshot) -> Result<(), SimulationError> {
        Err(SimulationError::NoSnapshots)
    }

    /// The same recording once more, from its first frame on, to be read beside this one; `None` for what takes snapshots.
    fn again(&self) -> Option<Box<dyn Simulation>> {
        None
    }

    /// Tells the name of each trigger, and how often it has fired.
    fn triggers(&self, _tell: &mut dyn FnMut(&str, u32)) {}

    /// A message about frames left out before the first one; requested once. That frame is then as after
    /// [`Simulation::go_to`].
    fn left_out(&mut self) -> Option<String> {
        None
    }

    /// Executes a command at once and returns its inverse, where it has one.
    ///
    /// # Errors
    /// Where it cannot be done, in words for the user; then nothing has changed.
    fn perform(&mut self, _command: &Command) -> Result<Option<Command>, SimulationError> {
        Err(SimulationError::ReadOnly)
    }

    /// A squad as it is now.
    fn squad_spec(&self, _squad: SquadId) -> Option<SquadSpec> {
        None
    }

    /// Answers a request; `reply` may hold an older answer.
    fn inspect(&self, _request: &InspectRequest, _reply: &mut InspectReply) {}

    /// Goes to a tick of [`Simulation::span`], or the nearest before it that there is. The fallen of the next frame are
    /// then all deaths so far. Returns a message about missing parts, where there are any.
    ///
    /// # Errors
    /// Where it cannot be gone there, in words for the user; then it stays where it is.
    fn go_to(&mut self, _tick: u64) -> Result<Option<String>, SimulationError> {
        Ok(None)
    }

    /// Goes on after a tick that has failed with `error`, as after [`Simulation::go_to`]; what was left out, in words for the user.
    ///
    /// # Errors
    /// Where that is not possible; then it stays where it is.
    fn skip(&mut self, error: SimulationError) -> Result<String, SimulationError> {
        Err(error)
    }
}

impl Simulation for World {
    fn tick(&mut self) -> Result<(), SimulationError> {
        Ok(World::tick(self)?)
    }

    fn frame(&self, frame: &mut Frame) {
        World::frame(self, frame);
    }

    fn is_live(&self) -> bool {
        true
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Some(World::snapshot(self))
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimulationError> {
        *self = Self::from_snapshot(snapshot)?;
        Ok(())
    }

    fn triggers(&self, tell: &mut dyn FnMut(&str, u32)) {
        World::triggers(self).for_each(|(name, fired)| tell(name, fired));
    }

    fn perform(&mut self, command: &Command) -> Result<Option<Command>, SimulationError> {
        Ok(command.perform(self)?)
    }

    fn squad_spec(&self, squad: SquadId) -> Option<SquadSpec> {
        World::squad_spec(self, squad)
    }

    fn inspect(&self, request: &InspectRequest, reply: &mut InspectReply) {
        reply.inspect(self, request);
    }
}

/// The window's requests to the simulation.
pub(super) struct BattleRequests {
    clock: StepClock,
    /// The tick to go to next; the latest request counts.
    go_to: Option<u64>,
    /// It is to begin anew, without the commands after its first tick.
    restart: bool,
    /// Where to send another of the same, from its first tick on.
    film: Option<Sender<Course>>,
    /// The next steps through the history, in order.
    history: Vec<HistoryStep>,
    inspect: InspectRequest,
    /// It differs from the request that was answered last.
    inspects: bool,
    /// Armies have no colours of their own.
    distinct: bool,
    /// The areas to measure.
    areas: Arc<[NumberedArea]>,
}

impl Requests for BattleRequests {}

impl AsMut<StepClock> for BattleRequests {
    fn as_mut(&mut self) -> &mut StepClock {
        &mut self.clock
    }
}

/// A state of the battle on its way to the window.
#[derive(Default)]
pub(super) struct BattleState {
    pub frame: Frame,
    /// It does not follow the one before: its fallen are all there are.
    pub jumped: bool,
    /// None follows, unless the user goes back.
    pub over: bool,
    /// The first and the last tick that can be gone to, where there is a time line; of a live battle the last one moves.
    pub span: Option<[u64; 2]>,
    /// The tick that is being gone to, while it is not reached.
    pub target: Option<u64>,
    pub reply: InspectReply,
    /// The changes of the user to how the battle begins.
    pub placed: Arc<Placed>,
    pub measured: Measurements,
}

/// A simulation's thread. Its news say what became of commands, and which frames could not be shown.
pub(super) type BattleWorker = Worker<BattleRequests, BattleState, Event>;

impl BattleWorker {
    /// Starts a thread that hands over the state at once, and then after each tick, and writes into `chronicle` what happens.
    ///
    /// # Errors
    /// As [`Worker::start`].
    pub fn simulate(
        simulation: Box<dyn Simulation>,
        interval: Duration,
        chronicle: SharedChronicle,
    ) -> Result<Self, ViewError> {
        let requests = BattleRequests {
            clock: StepClock::new(interval, thread::MAX_DELAY),
            go_to: None,
            restart: false,
            film: None,
            history: Vec::new(),
            inspect: InspectRequest::default(),
            inspects: false,
            distinct: false,
            areas: Arc::default(),
        };
        Self::start("simulation", requests, |desk| thread::run(Course::new(simulation, chronicle), desk))
    }

    /// Goes to a tick. A request before it that is not yet done is forgotten.
    pub fn go_to(&self, tick: u64) {
        self.request(|requests| requests.go_to = Some(tick));
    }

    /// Goes to the first tick and forgets all after it.
    pub fn restart(&self) {
        self.request(|requests| (requests.restart, requests.go_to) = (true, None));
    }

    /// Sends another of the same, from its first tick on, once it comes to that. Where there can be none, the sender is dropped.
    pub fn send_again(&self, to: Sender<Course>) {
        self.request(|requests| requests.film = Some(to));
    }

    /// Executes a command between two ticks.
    pub fn execute(&self, command: Command) {
        self.request(|requests| requests.history.push(HistoryStep::Execute(command)));
    }

    /// Undoes the last command.
    pub fn undo(&self) {
        self.request(|requests| requests.history.push(HistoryStep::Undo));
    }

    /// Redoes the command that was undone last.
    pub fn redo(&self) {
        self.request(|requests| requests.history.push(HistoryStep::Redo));
    }

    /// Measures these areas in each state from now on.
    pub fn measure(&self, areas: &[NumberedArea]) {
        self.request(|requests| (requests.areas, requests.inspects) = (areas.into(), true));
    }

    /// Answers this request with each state; leaves out the armies' own colours where these are to be `distinct`.
    pub fn inspect(&self, inspect: InspectRequest, distinct: bool) {
        self.request(|requests| {
            requests.inspects |= (requests.inspect, requests.distinct) != (inspect, distinct);
            (requests.inspect, requests.distinct) = (inspect, distinct);
        });
    }
}

#[cfg(test)]
mod tests;
