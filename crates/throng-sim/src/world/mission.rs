//! Objectives of armies, besides killing all their enemies.

use super::parts::{State, army_mask};
use super::state::mission::{Mission, Objective};
use super::time::ticks_above;
use super::{Area, ArmyId, Command, Settings, SquadId, World, WorldError};
use crate::battle::{Death, Relation};

/// The time between two looks at the agents in an area (s).
const LOOK_EVERY: f32 = 1.0;

/// The most missions of all armies.
const MAX_MISSIONS: usize = 1000;

/// The longest time of a mission (s).
const MAX_SECONDS: f32 = 1e6;

impl World {
    /// Gives an army something to do. An army that has done all of its missions has won; killing all enemies wins as ever.
    ///
    /// # Errors
    /// Where there is no such army or squad, the squad is one of the army's own or has no living agent, a number is out of
    /// range, or there are a thousand missions.
    pub fn add_mission(&mut self, army: ArmyId, objective: Objective) -> Result<(), WorldError> {
        self.log(|| Command::AddMission { army, objective: objective.clone() });
        if self.state.missions.len() == MAX_MISSIONS {
            return Err(WorldError::TooMany { what: "missions", limit: MAX_MISSIONS });
        }
        check(&objective, army, self)?;
        let mut count = 0;
        if let Objective::Kill { squad } = objective {
            count = self.state.living(squad);
            let other = self.state.squads[squad.index()].army;
            if count == 0 || self.state.relations.of(army, other) != Relation::Enemy {
                let (field, expected) = ("the squad to be killed", "one of an enemy, with a living member");
                return Err(WorldError::Setting { field, expected, found: squad.0.into() });
            }
        }
        if objective == Objective::Rout {
            count = self.state.standing_enemies(army);
        }
        self.state.missions.push(Mission { army, objective, is_held: false, count, is_done: false });
        Ok(())
    }

    /// The missions of the armies, in the order in which they were given.
    pub fn missions(&self) -> &[Mission] {
        &self.state.missions
    }

    /// True once two armies that are enemies have each had an agent. Before that there is no fight that could be won, lost or
    /// be a draw, however long the world ticks.
    pub fn has_opponents(&self) -> bool {
        self.state.has_opponents()
    }
}

impl State {
    /// How many of a squad live.
    pub(super) fn living(&self, squad: SquadId) -> u64 {
        let members = self.squads.get(squad.index()).map_or(&[][..], |squad| &squad.members);
        members.iter().filter(|&&id| self.living_row(id).is_some()).count() as u64
    }

    /// How many enemies of an army do not run. O(agents).
    fn standing_enemies(&self, army: ArmyId) -> u64 {
        let hostile = self.relations.enemies(army);
        let rows = self.crowd.rows.slot.iter().zip(&self.crowd.rows.army);
        let stands = |slot: u32| !self.escapes(slot as usize) && !self.is_dead(slot);
        rows.filter(|&(&slot, &army)| hostile >> army & 1 == 1 && stands(slot)).count() as u64
    }

    /// Brings the missions up to this tick, and says which armies have done all of theirs (a bit each).
    pub(super) fn advance_missions(&mut self, settings: &Settings) -> u16 {
        let every = ((LOOK_EVERY / settings.step).round() as u64).max(1);
        let ticks = |seconds: f32| ticks_above(seconds, settings.step);
        for m in 0..self.missions.len() {
            let Mission { army, is_done, mut is_held, mut count, .. } = self.missions[m];
            if is_done {
                continue;
            }
            let is_done = match &self.missions[m].objective {
                Objective::Hold { area, seconds } => {
                    if !self.tick.is_multiple_of(every) {
                        continue;
                    }
                    let there = self.armies_in(area);
                    let ours = there & self.relations.allies(army) != 0;
                    let theirs = there & self.relations.enemies(army) != 0;
                    match (ours, theirs) {
                        (true, false) => is_held = true,
                        (false, true) => (is_held, count) = (false, 0),
                        _ => {}
                    }
                    count += if is_held && !theirs { every } else { 0 };
                    count >= ticks(*seconds)
                }
                &Objective::Kill { squad } => {
                    let died = |death: &&Death| self.crowd.slots.squad[death.who.slot as usize] == squad.0;
                    count -= (self.events.deaths.iter().filter(died).count() as u64).min(count);
                    count == 0
                }
                Objective::Rout => {
                    if !self.tick.is_multiple_of(every) {
                        continue;
                    }
                    count = self.standing_enemies(army);
                    let (coming, is_known) = self.armies_to_come(settings);
                    count == 0 && coming & self.relations.enemies(army) == 0 && is_known
                }
                Objective::Survive { seconds } => {
                    count = self.tick;
                    self.tick >= ticks(*seconds) && self.armies[army.index()].alive > 0
                }
            };
            let mission = &mut self.missions[m];
            (mission.is_held, mission.count, mission.is_done) = (is_held, count, is_done);
        }
        let has_done = |army: u8| {
            let mut own = self.missions.iter().filter(|mission| mission.army.0 == army).peekable();
            own.peek().is_some() && own.all(|mission| mission.is_done)
        };
        let lives = |&army: &usize| self.armies[army].alive > 0;
        army_mask((0..self.armies.len()).filter(lives).filter(|&army| has_done(army as u8)))
    }

    pub(super) fn has_opponents(&self) -> bool {
        let manned = (0..self.armies.len()).filter(|&army| self.armies[army].spawned > 0);
        self.relations.has_enmity(army_mask(manned))
    }

    /// The armies of which an agent is in an area (a bit each).
    pub(super) fn armies_in(&self, area: &Area) -> u16 {
        let crowd = &self.crowd;
        let rows = crowd.rows.position.iter().zip(&crowd.rows.army).zip(&crowd.rows.slot);
        let there = rows.filter(|((at, _), slot)| area.contains(**at) && !self.is_dead(**slot));
        there.fold(0, |mask, ((_, army), _)| mask | 1 << army)
    }
}

/// Checks that an army may be given an objective in a world.
pub(super) fn check(objective: &Objective, army: ArmyId, world: &World) -> Result<(), WorldError> {
    if army.index() >= world.state.armies.len() {
        return Err(WorldError::NoSuch { what: "army", id: army.0.into() });
    }
    let long = |seconds: f32| {
        if seconds > 0.0 && seconds <= MAX_SECONDS {
            return Ok(());
        }
        let (field, expected) = ("the time of a mission", "above 0 and at most 1000000 (s)");
        Err(WorldError::Setting { field, expected, found: seconds.into() })
    };
    match objective {
        Objective::Hold { area, seconds } => {
            area.check()?;
            long(*seconds)
        }
        Objective::Survive { seconds } => long(*seconds),
        Objective::Rout => Ok(()),
        &Objective::Kill { squad } => {
            let is_there = (squad.index()) < world.state.squads.len();
            if is_there { Ok(()) } else { Err(WorldError::NoSuch { what: "squad", id: squad.index() }) }
        }
    }
}
