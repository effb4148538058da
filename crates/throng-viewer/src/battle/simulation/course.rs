//! The course of a simulation: the present, and of a live battle the way back.

use super::command_history::{CommandHistory, HistoryStep, Placed};
use super::snapshots::Snapshots;
use super::{InspectReply, InspectRequest, Simulation};
use crate::battle::chronicle::{Happening, SharedChronicle};
use crate::battle::measuring::{Measurements, Meters, NumberedArea};
use crate::battle::simulation_error::SimulationError;
use crate::shell::event::Event;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;
use throng_sim::world::{Frame, World};

mod strengths;
#[cfg(test)]
mod tests;

use strengths::Strengths;

/// A step of the user, and the tick after which it was taken.
#[derive(Clone)]
struct Logged {
    tick: u64,
    step: HistoryStep,
}

/// What a live battle needs to go back, and on again to the same future.
#[derive(Default)]
struct LiveHistory {
    snapshots: Snapshots,
    /// The steps of the user, in order.
    log: Vec<Logged>,
    /// How many of them have been taken on the way to the present.
    taken: usize,
    /// The newest tick that was reached.
    newest: u64,
    /// Where soldiers died, with the ticks.
    fallen: Vec<(u64, Vec2)>,
    /// The tick that is being gone to.
    target: Option<u64>,
}

/// A simulation, the commands that it was given, and what has happened.
pub(crate) struct Course {
    simulation: Box<dyn Simulation>,
    commands: CommandHistory,
    chronicle: SharedChronicle,
    meters: Meters,
    /// Ticks done, of a live battle.
    tick: u64,
    /// `None` where no snapshots are taken.
    past: Option<LiveHistory>,
    /// Reads a recording on a thread of its own, for its chronicle.
    _strengths: Option<Strengths>,
}

impl Course {
    /// The course of a simulation from now on. What happens is written into `chronicle`.
    pub fn new(simulation: Box<dyn Simulation>, chronicle: SharedChronicle) -> Self {
        let strengths = simulation.again().and_then(|again| Strengths::read(again, chronicle.clone()));
        let mut course = Self {
            simulation,
            commands: CommandHistory::default(),
            chronicle,
            meters: Meters::default(),
            tick: 0,
            past: None,
            _strengths: strengths,
        };
        if let Some(snapshot) = course.simulation.snapshot() {
            course.tick = snapshot.tick();
            let mut past = LiveHistory { newest: course.tick, ..LiveHistory::default() };
            past.snapshots.add(snapshot, CommandHistory::default());
            course.past = Some(past);
        }
        course
    }

    /// Another of the same from the first tick on, that goes on to the same future.
    pub fn again(&self) -> Option<Self> {
        let (simulation, log, newest) = match &self.past {
            None => (self.simulation.again()?, Vec::new(), 0),
            Some(past) => {
                let world = World::from_snapshot(&past.snapshots.first()?.snapshot).ok()?;
                (Box::new(world) as Box<dyn Simulation>, past.log.clone(), past.newest)
            }
        };
        let mut again = Self::unobserved(simulation);
        if let Some(past) = &mut again.past {
            (past.log, past.newest) = (log, newest);
            again.take_logged();
        }
        Some(again)
    }

    /// A course that nobody looks at over time.
    fn unobserved(simulation: Box<dyn Simulation>) -> Self {
        let mut course = Self {
            simulation,
            commands: CommandHistory::default(),
            chronicle: SharedChronicle::default(),
            meters: Meters::default(),
            tick: 0,
            past: None,
            _strengths: None,
        };
        if let Some(snapshot) = course.simulation.snapshot() {
            course.tick = snapshot.tick();
            course.past = Some(LiveHistory { newest: course.tick, ..LiveHistory::default() });
        }
        course
    }

    /// The first and the last tick that can be gone to.
    pub fn span(&self) -> Option<[u64; 2]> {
        match &self.past {
            Some(past) => Some([past.snapshots.first().map_or(0, super::snapshots::Kept::tick), past.newest]),
            None => self.simulation.span(),
        }
    }

    /// True where it is a recording: only what there is can be shown.
    pub fn is_recording(&self) -> bool {
        self.past.is_none() && self.simulation.span().is_some()
    }

    /// True where no tick follows.
    pub fn is_over(&self, frame: &Frame) -> bool {
        match self.simulation.span() {
            Some([_, last]) if self.past.is_none() => frame.tick >= last,
            _ => frame.verdict.is_some(),
        }
    }

    /// The tick that is being gone to, until it is reached.
    pub fn target(&self) -> Option<u64> {
        self.past.as_ref().and_then(|past| past.target)
    }

    /// The changes of the user to how the battle begins.
    pub fn placed(&self) -> &Arc<Placed> {
        &self.commands.placed
    }

    /// As [`Simulation::left_out`].
    pub fn left_out(&mut self) -> Option<String> {
        self.simulation.left_out()
    }

    /// As [`Simulation::inspect`].
    pub fn inspect(&self, request: &InspectRequest, reply: &mut InspectReply) {
        self.simulation.inspect(request, reply);
    }

    /// Measures areas in the present state, which `frame` has; all that was measured in them so far.
    pub fn measure(&mut self, areas: &[NumberedArea], frame: &Frame, jumped: bool) -> Measurements {
        self.meters.measure(areas, frame, jumped);
        Measurements::clone(self.meters.curves())
    }

    /// Writes the state into `frame`; after a jump, with all the fallen so far. New states are noted.
    pub fn frame(&mut self, frame: &mut Frame, jumped: bool) {
        self.simulation.frame(frame);
        let Some(past) = &mut self.past else { return };
        if past.target.is_none() && frame.tick == past.newest {
            let known = past.fallen.last().is_some_and(|&(tick, _)| tick == frame.tick);
            if !known {
                past.fallen.extend(frame.fallen.iter().map(|&at| (frame.tick, at)));
            }
            let triggers = triggers(self.simulation.as_ref());
            self.chronicle.write(|chronicle| chronicle.note(frame, triggers.iter().map(pair)));
        }
        if jumped {
            let so_far = past.fallen.partition_point(|&(tick, _)| tick <= frame.tick);
            frame.fallen.clear();
            frame.fallen.extend(past.fallen[..so_far].iter().map(|&(_, at)| at));
        }
    }

    /// Does the next tick. Steps of the user that were taken after it, before time was turned back, are taken again. What was left
    /// out of a recording, in words.
    ///
    /// # Errors
    /// As [`Simulation::tick`], unless it can skip what is wrong.
    pub fn tick(&mut self) -> Result<Option<String>, SimulationError> {
        let skipped = self.simulation.tick().map(|()| None).or_else(|error| self.simulation.skip(error).map(Some))?;
        self.tick += 1;
        if let Some(past) = &mut self.past {
            past.newest = past.newest.max(self.tick);
            if past.snapshots.first().is_some()
                && past.snapshots.wants(self.tick, past.target)
                && let Some(snapshot) = self.simulation.snapshot()
            {
                past.snapshots.add(snapshot, self.commands.clone());
            }
            self.take_logged();
        }
        Ok(skipped)
    }

    /// Takes the steps of the user that were taken at this tick.
    fn take_logged(&mut self) {
        let Some(past) = &mut self.past else { return };
        while let Some(logged) = past.log.get(past.taken).filter(|logged| logged.tick == self.tick) {
            self.commands.take(self.simulation.as_mut(), logged.step.clone(), self.tick);
            past.taken += 1;
        }
    }

    /// Goes to a tick: of a recording at once, else as far as [`seek`](Self::seek) goes.
    ///
    /// # Errors
    /// As [`Simulation::go_to`] and [`Simulation::restore`]; then it stays where it is.
    pub fn go_to(&mut self, tick: u64) -> Result<Option<String>, SimulationError> {
        let Some([first, last]) = self.span() else { return Ok(None) };
        let Some(past) = &mut self.past else { return self.simulation.go_to(tick) };
        let tick = tick.clamp(first, last);
        let from = past.snapshots.before(tick);
        // From here, where that is the shorter way.
        if let Some(kept) = from.filter(|kept| self.tick > tick || self.tick < kept.tick()).cloned() {
            self.restore(&kept)?;
        }
        if let Some(past) = &mut self.past {
            past.target = (self.tick < tick).then_some(tick);
        }
        Ok(None)
    }

    fn restore(&mut self, kept: &super::snapshots::Kept) -> Result<(), SimulationError> {
        self.simulation.restore(&kept.snapshot)?;
        self.commands = kept.commands.clone();
        self.tick = kept.tick();
        if let Some(past) = &mut self.past {
            past.taken = past.log.partition_point(|logged| logged.tick < kept.tick());
        }
        self.take_logged();
        Ok(())
    }

    /// Goes on towards the tick that is being gone to, for so long at the most; true where it is reached.
    ///
    /// # Errors
    /// As [`tick`](Self::tick).
    pub fn seek(&mut self, longest: Duration) -> Result<bool, SimulationError> {
        let begun = Instant::now();
        while let Some(target) = self.target() {
            if self.tick < target {
                self.tick()?;
            }
            if self.tick >= target
                && let Some(past) = &mut self.past
            {
                past.target = None;
            } else if begun.elapsed() >= longest {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes to the first tick and forgets all after it.
    ///
    /// # Errors
    /// As [`go_to`](Self::go_to).
    pub fn restart(&mut self) -> Result<(), SimulationError> {
        let Some([first, _]) = self.span() else { return Ok(()) };
        self.go_to(first)?;
        self.forget_future();
        Ok(())
    }

    /// Forgets all that happened after this moment, if time was turned back; true where there was something.
    fn forget_future(&mut self) -> bool {
        let Some(past) = self.past.as_mut().filter(|past| past.newest > self.tick) else { return false };
        (past.newest, past.target) = (self.tick, None);
        past.snapshots.forget_after(self.tick);
        past.log.truncate(past.taken);
        past.fallen.retain(|&(tick, _)| tick <= self.tick);
        self.meters.forget_after(self.tick);
        let mut frame = Frame::default();
        self.simulation.frame(&mut frame);
        let triggers = triggers(self.simulation.as_ref());
        self.chronicle.write(|chronicle| chronicle.forget_after(&frame, triggers.iter().map(pair)));
        true
    }

    /// Takes a step of the user now. In the past it takes the place of the future, unless it is refused. What came of it.
    ///
    /// # Errors
    /// Where a refused command has left something behind in the past, and that moment cannot be returned to.
    pub(super) fn take(&mut self, step: HistoryStep) -> Result<Vec<Event>, SimulationError> {
        let event = self.commands.take(self.simulation.as_mut(), step.clone(), self.tick);
        let Some(past) = &mut self.past else { return Ok(vec![event]) };
        let mut events = Vec::new();
        match &event {
            Event::NothingToUndo | Event::NothingToRedo => return Ok(vec![event]),
            Event::Refused { .. } if past.newest > self.tick => {
                // It may have done what was waiting to be done.
                let tick = self.tick;
                if let Some(kept) = past.snapshots.before(tick).cloned() {
                    self.restore(&kept)?;
                    self.go_to(tick)?;
                    while !self.seek(Duration::MAX)? {}
                }
                return Ok(vec![event]);
            }
            _ => {}
        }
        // As refused steps are taken again, too, they do each time what they did.
        let is_turn = self.forget_future();
        let Some(past) = &mut self.past else { return Ok(events) };
        past.log.push(Logged { tick: self.tick, step });
        past.taken = past.log.len();
        let name = match &event {
            Event::Done { name } => name.clone(),
            Event::Undone { name } => format!("undone: {name}"),
            Event::Redone { name } => format!("redone: {name}"),
            _ => String::new(),
        };
        if !name.is_empty() {
            let mut frame = Frame::default();
            self.simulation.frame(&mut frame);
            self.chronicle.write(|chronicle| {
                chronicle.accept(&frame);
                chronicle.add(self.tick, Happening::Command, name);
            });
        }
        events.push(event);
        if is_turn {
            events.push(Event::notice(format!("what came after tick {} is forgotten", self.tick)));
        }
        Ok(events)
    }

    /// The newest tick that it goes to without new commands.
    pub fn last(&self) -> u64 {
        self.span().map_or(0, |[_, last]| last)
    }
}

fn triggers(simulation: &dyn Simulation) -> Vec<(String, u32)> {
    let mut triggers = Vec::new();
    simulation.triggers(&mut |name, fired| triggers.push((name.to_owned(), fired)));
    triggers
}

fn pair((name, fired): &(String, u32)) -> (&str, u32) {
    (name, *fired)
}
