//! Triggers: orders and reinforcements that follow an event.

mod fire;
mod wave;

pub(super) use fire::{detect, fire};

use super::state::triggers::{Act, Armed, Cause, Effect, Trigger};
use super::time::ticks_above;
use super::{Area, Command, SquadId, SquadSpec, World, WorldError};
use std::collections::BTreeMap;
use throng_grid::Cell;

/// The most triggers of a world.
const MAX_TRIGGERS: usize = 1000;

/// The longest time of a trigger (s).
const MAX_SECONDS: f32 = 1e6;

impl Cause {
    /// The squad that it looks at.
    fn squad(&self) -> Option<SquadId> {
        match *self {
            Self::Lost { squad, .. } | Self::Sees { squad } | Self::Near { squad, .. } => Some(squad),
            Self::At { .. } | Self::After { .. } | Self::Enters { .. } | Self::Breached { .. } => None,
        }
    }

    /// Checks its numbers, in a world that has, or will have, so many squads and triggers.
    pub(super) fn check(&self, world: &World, squads: usize, triggers: usize) -> Result<(), WorldError> {
        let within = |what, id: usize, count| if id < count { Ok(()) } else { Err(WorldError::NoSuch { what, id }) };
        let setting = |field, expected, found: f32, fits: bool| {
            if fits { Ok(()) } else { Err(WorldError::Setting { field, expected, found: found.into() }) }
        };
        self.squad().map_or(Ok(()), |squad| within("squad", squad.index(), squads))?;
        match self {
            &Self::At { seconds } => time("the time of a trigger", seconds),
            &Self::After { trigger, delay } => {
                within("trigger", trigger.0 as usize, triggers)?;
                time("the delay of a trigger", delay)
            }
            &Self::Lost { share, .. } => {
                setting("the share that is lost", "above 0 and at most 1", share, share > 0.0 && share <= 1.0)
            }
            Self::Enters { army, area } => {
                within("army", army.0.into(), world.state.armies.len())?;
                area.check()
            }
            Self::Sees { .. } => Ok(()),
            &Self::Near { metres, .. } => {
                let fits = (0.0..=10_000.0).contains(&metres);
                setting("how near an enemy is", "between 0 and 10000 (m)", metres, fits)
            }
            Self::Breached { area } => area.as_ref().map_or(Ok(()), Area::check),
        }
    }
}

fn time(field: &'static str, found: f32) -> Result<(), WorldError> {
    if (0.0..=MAX_SECONDS).contains(&found) {
        return Ok(());
    }
    Err(WorldError::Setting { field, expected: "between 0 and 1000000 (s)", found: found.into() })
}

impl World {
    /// Adds triggers, all at once, so that they may name each other. The squads of their waves are there from now on, in the
    /// order of the waves, without members: their ids are returned. The later waves of a trigger that repeats are squads
    /// of their own, which get their ids when they come.
    ///
    /// Times are kept to the tick; other causes are looked for every 0.4 s, after the fighting, and what they bring about
    /// is done at the beginning of the next tick. Each trigger fires once, or as often as it [repeats](super::Repeat).
    ///
    /// No battle [ends](World::verdict) by the death of an army while a wave of it is sure to come: at a time, by repetition, after a
    /// trigger that is sure to fire, or as soon as there is room. Waves that wait for anything else are not waited for, but
    /// causes are looked for once more before.
    ///
    /// # Errors
    /// Where a trigger names what is not there, a number is out of range, a wave cannot be [spawned](World::spawn_squad), nothing can
    /// be broken where it waits for a breach, triggers wait for each other, or there are a thousand; then none is added.
    pub fn add_triggers(&mut self, triggers: Vec<Trigger>) -> Result<Vec<SquadId>, WorldError> {
        self.log(|| Command::AddTriggers { triggers: triggers.clone() });
        let squads = self.state.squads.len();
        let armed = self.arm(triggers);
        let armed = match armed {
            Ok(armed) => armed,
            Err(error) => {
                self.state.squads.truncate(squads);
                return Err(error);
            }
        };
        self.state.triggers.armed.extend(armed);
        Ok((squads..self.state.squads.len()).map(|squad| SquadId(squad as u32)).collect())
    }

    /// The name of each trigger, and how often it has fired, in the order in which they were added.
    pub fn triggers(&self) -> impl Iterator<Item = (&str, u32)> {
        self.state.triggers.armed.iter().map(|armed| (armed.name.as_str(), armed.fired))
    }

    /// How often the trigger of a name has fired; `None` where there is none.
    pub fn fired(&self, name: &str) -> Option<u32> {
        self.state.triggers.armed.iter().find(|armed| armed.name == name).map(|armed| armed.fired)
    }

    fn arm(&mut self, triggers: Vec<Trigger>) -> Result<Vec<Armed>, WorldError> {
        let before = self.state.triggers.armed.len();
        let count = before + triggers.len();
        if count > MAX_TRIGGERS {
            return Err(WorldError::TooMany { what: "triggers", limit: MAX_TRIGGERS });
        }
        let waves = triggers.iter().map(waves_of).sum::<usize>();
        let squads = self.state.squads.len() + waves;
        // The trigger whose wave a squad is.
        let of: BTreeMap<usize, usize> = (self.state.squads.len()..)
            .zip(
                triggers.iter().enumerate().flat_map(|(t, trigger)| std::iter::repeat_n(before + t, waves_of(trigger))),
            )
            .collect();
        let waits = |when: &Cause| match *when {
            Cause::After { trigger, .. } => Some(trigger.0 as usize),
            _ => when.squad().and_then(|squad| of.get(&(squad.index())).copied()),
        };
        let wrong = |name: &str| {
            let name = name.to_owned();
            move |source| WorldError::Trigger { name, source: Box::new(source) }
        };
        for trigger in &triggers {
            trigger.when.check(self, squads, count).map_err(wrong(&trigger.name))?;
        }
        let known = self.state.triggers.armed.iter().map(|_| None);
        let waiting: Vec<Option<usize>> = known.chain(triggers.iter().map(|trigger| waits(&trigger.when))).collect();
        if let Some(cycle) = cycle(&waiting) {
            let names: Vec<&str> = cycle.iter().map(|&t| triggers[t - before].name.as_str()).collect();
            return Err(WorldError::TriggerCycle { cycle: names.join(" → ") });
        }
        let mut armed = Vec::with_capacity(triggers.len());
        for trigger in triggers {
            let name = trigger.name.clone();
            armed.push(self.arm_one(trigger, squads, &armed).map_err(wrong(&name))?);
        }
        Ok(armed)
    }

    fn arm_one(&mut self, trigger: Trigger, squads: usize, others: &[Armed]) -> Result<Armed, WorldError> {
        let Trigger { name, when, then, repeat } = trigger;
        if repeat.times != 1 {
            let times = "between 1 and 10000 (times)";
            if !(1..=10_000).contains(&repeat.times) {
                let found = repeat.times.into();
                return Err(WorldError::Setting { field: "how often a trigger repeats", expected: times, found });
            }
            if !(0.1..=MAX_SECONDS).contains(&repeat.every) {
                let (field, expected) = ("the time from one repetition to the next", "between 0.1 and 1000000 (s)");
                return Err(WorldError::Setting { field, expected, found: repeat.every.into() });
            }
        }
        let mut acts = Vec::with_capacity(then.len());
        for effect in then {
            acts.push(match effect {
                Effect::Order { squad, order } => {
                    let id = squad.index();
                    if id >= squads {
                        return Err(WorldError::NoSuch { what: "squad", id });
                    }
                    self.check_order(id, order)?;
                    Act::Order { squad, order }
                }
                Effect::SpawnSquad(spec) => {
                    // The squad that comes first is the mould of the others, and has carried out its orders by then.
                    if repeat.times > 1 && !spec.queue.is_empty() {
                        let field = "orders that follow of a squad that comes more than once";
                        let found = spec.queue.len() as f64;
                        return Err(WorldError::Setting { field, expected: "none", found });
                    }
                    let squad = self.empty_squad(&spec)?;
                    self.state.squads.push(squad);
                    let squad = SquadId(self.state.squads.len() as u32 - 1);
                    let SquadSpec { positions, facing, order, .. } = spec;
                    Act::SpawnSquad { squad, positions, facing, order }
                }
                Effect::SetLink { link, is_open } => {
                    if link.index() >= self.state.links.all.len() {
                        return Err(WorldError::NoSuch { what: "link", id: link.index() });
                    }
                    Act::SetLink { link, is_open }
                }
            });
        }
        let mut cells = Vec::new();
        if let Cause::Breached { area } = &when {
            let lattice = self.grid.lattice();
            let there = |&cell: &Cell| area.as_ref().is_none_or(|area| area.contains(lattice.centre(cell)));
            cells.extend(self.state.ramparts.iter().map(|(cell, _)| cell).filter(there));
            if cells.is_empty() {
                let (field, expected) = ("what can be broken where a breach is waited for", "a cell or more");
                return Err(WorldError::Setting { field, expected, found: 0.0 });
            }
        }
        let mut due = None;
        match when {
            Cause::At { seconds } => due = Some(ticks_above(seconds, self.settings.step)),
            Cause::After { trigger, delay } => {
                // It may have fired long ago: then the time runs from now on.
                let other = self.state.triggers.armed.iter().chain(others).nth(trigger.0 as usize);
                if other.is_some_and(|other| other.fired > 0) {
                    due = Some(self.state.tick + ticks_above(delay, self.settings.step));
                }
            }
            _ => {}
        }
        let most = match when {
            Cause::Lost { squad, .. } => self.state.living(squad) as u32,
            _ => 0,
        };
        Ok(Armed { name, when, then: acts, repeat, due, performed: 0, fired: 0, most, cells })
    }
}

/// How many squads a trigger spawns.
fn waves_of(trigger: &Trigger) -> usize {
    trigger.then.iter().filter(|effect| matches!(effect, Effect::SpawnSquad(_))).count()
}

/// Triggers that wait for each other in a ring, the first of them once more at the end; each waits for one at most.
pub fn cycle(waits: &[Option<usize>]) -> Option<Vec<usize>> {
    // Steps that others have gone need not be gone again.
    let mut seen = vec![usize::MAX; waits.len()];
    for start in 0..waits.len() {
        let mut at = start;
        while seen[at] == usize::MAX {
            seen[at] = start;
            let Some(next) = waits[at] else { break };
            if seen[next] == start {
                let mut ring = vec![next];
                let mut at = waits[next];
                while let Some(one) = at.filter(|&one| one != next) {
                    ring.push(one);
                    at = waits[one];
                }
                ring.push(next);
                return Some(ring);
            }
            at = next;
        }
    }
    None
}

/// Checks that the triggers fit a world.
pub(super) fn check(world: &World) -> Result<(), WorldError> {
    let (squads, triggers) = (world.state.squads.len(), world.state.triggers.armed.len());
    for armed in &world.state.triggers.armed {
        armed.when.check(world, squads, triggers)?;
        for act in &armed.then {
            let (squad, order) = match act {
                Act::Order { squad, order } | Act::SpawnSquad { squad, order, .. } => (squad, order),
                Act::SetLink { link, .. } if link.index() >= world.state.links.all.len() => {
                    return Err(WorldError::NoSuch { what: "link", id: link.index() });
                }
                Act::SetLink { .. } => continue,
            };
            if squad.index() >= squads {
                return Err(WorldError::NoSuch { what: "squad", id: squad.index() });
            }
            world.check_order(squad.index(), *order)?;
            if let Act::SpawnSquad { positions, .. } = act
                && let Some((index, at)) = positions.iter().enumerate().find(|(_, at)| !at.is_finite())
            {
                return Err(WorldError::Blocked { index, x: at.x, y: at.y, radius: world.derived.widest });
            }
        }
        let off_map = armed.cells.iter().find(|&&cell| !world.grid.lattice().contains(cell));
        if let Some(&cell) = off_map {
            return Err(WorldError::NoWall { cell });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rings_are_found_and_nothing_else(waits in prop::collection::vec(prop::option::of(0_usize..12), 12)) {
            // A chain with more steps than triggers runs into a ring.

            let is_endless = |start: usize| (0..12).try_fold(start, |at, _| waits[at]).is_some();
            let found = cycle(&waits);
            prop_assert_eq!(found.is_some(), (0..12).any(is_endless));
            if let Some(ring) = found {
                prop_assert_eq!(ring.first(), ring.last());
                prop_assert!(ring.len() > 1 && ring.windows(2).all(|pair| waits[pair[0]] == Some(pair[1])));
            }
        }
    }
}
