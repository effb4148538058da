//! What has happened in a battle, in few numbers: strengths over time, and events.

use super::samples::{AtTick, Samples};
use std::sync::{Arc, Mutex, PoisonError};
use throng_sim::world::{ArmyCount, Frame};

/// The greatest number of events; later ones are left out, but for the verdict.
const MAX_EVENTS: usize = 1000;

/// The armies at a tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub tick: u64,
    /// The time (s).
    pub time: f64,
    /// Living, routed, left, dead and coming, by army.
    pub armies: Vec<[u32; 5]>,
}

impl AtTick for Sample {
    fn tick(&self) -> u64 {
        self.tick
    }
}

impl Sample {
    fn of(frame: &Frame) -> Self {
        let counts = |army: &ArmyCount| [army.alive, army.routed, army.left, army.dead, army.coming];
        Self { tick: frame.tick, time: frame.time, armies: frame.armies.iter().map(counts).collect() }
    }

    /// The living of an army.
    pub fn alive(&self, army: usize) -> u32 {
        self.armies.get(army).map_or(0, |counts| counts[0])
    }

    /// The dead of all armies.
    pub fn dead(&self) -> u64 {
        self.armies.iter().map(|counts| u64::from(counts[3])).sum()
    }
}

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    Breach,
    Trigger,
    Squad,
    Command,
    Verdict,
}

/// An event of a battle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimedEvent {
    pub tick: u64,
    pub kind: Happening,
    pub text: String,
}

/// The last state that was noted.
#[derive(Clone, Debug, Default)]
struct Last {
    tick: u64,
    ramparts: usize,
    enlisted: Vec<u32>,
    fired: Vec<u32>,
    decided: bool,
}

/// Strengths over time and events, of bounded size whatever the length of the battle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chronicle {
    samples: Samples<Sample>,
    pub events: Vec<TimedEvent>,
    last: Option<Last>,
}

impl Chronicle {
    /// Takes in the next state, and how often each trigger has fired. O(armies + squads), now and then O(samples).
    pub fn note<'a>(&mut self, frame: &Frame, triggers: impl Iterator<Item = (&'a str, u32)>) {
        if self.last.as_ref().is_some_and(|last| frame.tick <= last.tick) {
            return;
        }
        self.samples.note(Sample::of(frame));
        self.note_events(frame, triggers);
    }

    fn note_events<'a>(&mut self, frame: &Frame, triggers: impl Iterator<Item = (&'a str, u32)>) {
        let before = self.last.take();
        let mut now = Last {
            tick: frame.tick,
            ramparts: frame.ramparts.len(),
            enlisted: frame.enlisted.clone(),
            fired: Vec::new(),
            decided: frame.verdict.is_some(),
        };
        let named = |squad: usize| {
            let count = frame.squads.get(squad);
            let army = count.and_then(|count| frame.armies.get(count.army.index())).map(|army| army.name.as_str());
            let unit = count.and_then(|count| frame.units.get(count.unit.index())).map(String::as_str);
            match (army, unit) {
                (Some(army), Some(unit)) => format!("{} {unit} of {army} came", now.enlisted[squad]),
                _ => format!("a squad of {} came", now.enlisted[squad]),
            }
        };
        let mut news = Vec::new();
        for (number, (name, fired)) in triggers.enumerate() {
            let old = before.as_ref().and_then(|last| last.fired.get(number)).copied();
            if old.unwrap_or(if before.is_some() { 0 } else { fired }) < fired {
                news.push((Happening::Trigger, format!("trigger {name} fired")));
            }
            now.fired.push(fired);
        }
        if let Some(last) = &before {
            let broken = last.ramparts.saturating_sub(now.ramparts);
            if broken > 0 {
                let text = if broken == 1 { "a wall broke".to_owned() } else { format!("{broken} walls broke") };
                news.push((Happening::Breach, text));
            }
            let old = |squad: usize| last.enlisted.get(squad).copied().unwrap_or(0);
            let came = (0..now.enlisted.len()).filter(|&squad| old(squad) == 0 && now.enlisted[squad] > 0);
            news.extend(came.map(|squad| (Happening::Squad, named(squad))));
            if now.decided && !last.decided {
                news.push((Happening::Verdict, super::hud::result(frame).unwrap_or_default()));
            }
        }
        for (kind, text) in news {
            self.add(frame.tick, kind, text);
        }
        self.last = Some(now);
    }

    /// Adds an event at a tick, after those before it.
    pub fn add(&mut self, tick: u64, kind: Happening, text: String) {
        if self.events.len() < MAX_EVENTS || kind == Happening::Verdict {
            self.events.push(TimedEvent { tick, kind, text });
        }
    }

    /// Notes that walls and squads are others by a command, which is an event of its own: `frame` is the state after it.
    pub fn accept(&mut self, frame: &Frame) {
        if let Some(last) = &mut self.last {
            last.ramparts = frame.ramparts.len();
            last.enlisted.clone_from(&frame.enlisted);
        }
        self.samples.note(Sample::of(frame));
    }

    /// Forgets all that has happened after a tick; `frame` is the state there.
    pub fn forget_after<'a>(&mut self, frame: &Frame, triggers: impl Iterator<Item = (&'a str, u32)>) {
        self.samples.forget_after(frame.tick);
        self.samples.note(Sample::of(frame));
        self.events.retain(|event| event.tick <= frame.tick);
        self.last = Some(Last {
            tick: frame.tick,
            ramparts: frame.ramparts.len(),
            enlisted: frame.enlisted.clone(),
            fired: triggers.map(|(_, fired)| fired).collect(),
            decided: frame.verdict.is_some(),
        });
    }

    /// The samples in their order, the newest state last.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter()
    }

    /// The last sample at a tick or before it. O(log samples).
    pub fn at(&self, tick: u64) -> Option<&Sample> {
        self.samples.at(tick)
    }
}

/// A chronicle that one thread writes and another reads.
#[derive(Clone, Default)]
pub(crate) struct SharedChronicle(Arc<Mutex<Arc<Chronicle>>>);

impl SharedChronicle {
    /// As it is now.
    pub fn read(&self) -> Arc<Chronicle> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes it; copies it where the one before is being read.
    pub fn write<T>(&self, change: impl FnOnce(&mut Chronicle) -> T) -> T {
        change(Arc::make_mut(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::Verdict;

    fn frame(tick: u64, alive: u32) -> Frame {
        let army = ArmyCount { alive, dead: 1000 - alive, ..ArmyCount::default() };
        Frame { tick, time: tick as f64 * 0.1, armies: vec![army], enlisted: vec![1000, 0], ..Frame::default() }
    }

    #[test]
    fn events_are_told_once_and_forgotten_with_the_future() {
        let mut chronicle = Chronicle::default();
        let triggers = |fired: u32| [("relief", fired)].into_iter();
        chronicle.note(&frame(0, 1000), triggers(0));
        chronicle.note(&frame(1, 999), triggers(1));
        chronicle.note(&Frame { enlisted: vec![1000, 40], ..frame(2, 998) }, triggers(1));
        let last = Frame { enlisted: vec![1000, 40], verdict: Some(Verdict::Draw), ..frame(3, 997) };
        chronicle.note(&last, triggers(1));
        chronicle.note(&last, triggers(1));
        let told: Vec<(u64, &str)> = chronicle.events.iter().map(|event| (event.tick, event.text.as_str())).collect();
        assert_eq!(told, [(1, "trigger relief fired"), (2, "a squad of 40 came"), (3, "draw")]);
        chronicle.forget_after(&frame(1, 999), triggers(1));
        assert_eq!((chronicle.events.len(), chronicle.samples().count()), (1, 2));
        chronicle.note(&frame(2, 900), triggers(1));
        assert_eq!((chronicle.at(9).unwrap().alive(0), chronicle.events.len()), (900, 1));
    }
}
