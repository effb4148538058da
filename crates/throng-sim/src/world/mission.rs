//! What armies are to do to win, besides killing all their enemies.

use super::parts::army_mask;
use super::{Area, ArmyId, SquadId, Verdict, World, WorldError, seconds};
use crate::battle::{Order, Relation, Relations};
use serde::{Deserialize, Serialize};

/// How often it is looked who is in an area (s).
const LOOK_EVERY: f32 = 1.0;

/// The most missions of all armies.
const MAX_MISSIONS: usize = 1000;

/// The longest time of a mission (s).
const LONGEST: f32 = 1e6;

/// What an army is to do.
///
/// See [`Mission`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Objective {
    /// Hold an area for so long (s). It is taken by whoever is in it, or has allies in it, without an enemy. The time runs while
    /// it is taken and no enemy is in it, whether anybody stays there or not; it begins anew once enemies have been in it without
    /// anybody of the army and its allies.
    Hold {
        /// Where.
        area: Area,
        /// How long.
        seconds: f32,
    },
    /// Kill everybody of a squad: the king, say. It does not matter who does it.
    Kill {
        /// The squad.
        squad: SquadId,
    },
    /// Have somebody left so long (s) after the beginning.
    Survive {
        /// How long.
        seconds: f32,
    },
    /// Put all enemies to rout: nobody of them is left but those who run, and none are still to come.
    Rout,
}

impl Objective {
    /// Its key in scenarios.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hold { .. } => "hold",
            Self::Kill { .. } => "kill",
            Self::Survive { .. } => "survive",
            Self::Rout => "rout",
        }
    }
}

/// An objective of an army, and how far it has come. An army has won when all its missions are done.
///
/// ```
/// use throng_sim::battle::Unit;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Muster, Objective, Settings, Verdict, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let soldier = world.add_unit(Unit::default())?;
/// for (name, x) in [("red", 10.0), ("blue", 50.0)] {
///     let army = world.add_army(name)?;
///     world.muster(Muster::new(army, soldier, &[Vec2::new(x, 30.0)]))?;
/// }
/// let blue = throng_sim::world::ArmyId(1);
/// world.add_mission(blue, Objective::Survive { seconds: 2.0 })?;
/// while world.verdict().is_none() {
///     world.tick()?;
/// }
/// assert_eq!((world.verdict(), world.ticks()), (Some(Verdict::Winner(blue)), 40));
/// assert!(world.missions()[0].is_done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mission {
    /// Whose it is.
    pub army: ArmyId,
    /// What is to be done.
    pub objective: Objective,
    /// An area: true while it is taken.
    pub is_held: bool,
    /// An area: ticks that it was held; a squad: how many of it live; a rout: how many enemies stand; else ticks that have passed.
    pub count: u64,
    /// Done, once and for all.
    pub is_done: bool,
}

impl Mission {
    /// What is left to do where a tick is `step` seconds long: a time (s), or soldiers of a squad or of all enemies.
    pub fn left(&self, step: f32) -> f64 {
        let passed = seconds(self.count, step);
        match self.objective {
            _ if self.is_done => 0.0,
            Objective::Hold { seconds, .. } | Objective::Survive { seconds } => (f64::from(seconds) - passed).max(0.0),
            Objective::Kill { .. } | Objective::Rout => self.count as f64,
        }
    }
}

impl World {
    /// Gives an army something to do. Whoever has done all that he has to do has won; killing all enemies wins as ever.
    ///
    /// # Errors
    /// Where there is no such army or squad, the squad is one of the army's own or nobody of it lives, a number is out of range, or
    /// there are a thousand missions.
    pub fn add_mission(&mut self, army: ArmyId, objective: Objective) -> Result<(), WorldError> {
        if self.state.missions.len() == MAX_MISSIONS {
            return Err(WorldError::TooMany { what: "missions", limit: MAX_MISSIONS });
        }
        check(&objective, army, self)?;
        let mut count = 0;
        if let Objective::Kill { squad } = objective {
            count = self.living(squad);
            let other = self.state.squads[squad.0 as usize].army;
            if count == 0 || self.state.relations.of(army.0, other) != Relation::Enemy {
                let (field, expected) = ("the squad to be killed", "one of an enemy, of which somebody lives");
                return Err(WorldError::Setting { field, expected, found: squad.0.into() });
            }
        }
        if objective == Objective::Rout {
            count = self.standing_enemies(army);
        }
        self.state.missions.push(Mission { army, objective, is_held: false, count, is_done: false });
        Ok(())
    }

    /// What the armies are to do, in the order in which they were told.
    pub fn missions(&self) -> &[Mission] {
        &self.state.missions
    }

    pub(super) fn living(&self, squad: SquadId) -> u64 {
        let members = self.state.squads.get(squad.0 as usize).map_or(&[][..], |squad| &squad.members);
        members.iter().filter(|&&id| self.state.crowd.row(id).is_some() && !self.is_dead(id.slot)).count() as u64
    }

    /// How many enemies of an army do not run. O(agents).
    fn standing_enemies(&self, army: ArmyId) -> u64 {
        let hostile = self.state.relations.enemies(army.0);
        let rows = self.state.crowd.slot.iter().zip(&self.state.crowd.army);
        let is_to_run = |slot: usize| {
            let squad = self.state.squads.get(self.state.crowd.squad[slot] as usize);
            squad.is_some_and(|squad| squad.order == Order::Flee)
        };
        let runs = |slot: usize| self.state.soldiers.flees(slot) || is_to_run(slot);
        let stands = |slot: u32| !runs(slot as usize) && !self.is_dead(slot);
        rows.filter(|&(&slot, &army)| hostile >> army & 1 == 1 && stands(slot)).count() as u64
    }

    /// Brings the missions up to this tick, and says which armies have done all of theirs (a bit each).
    pub(super) fn advance_missions(&mut self) -> u16 {
        let mut missions = std::mem::take(&mut self.state.missions);
        let every = ((LOOK_EVERY / self.settings.step).round() as u64).max(1);
        let ticks = |seconds: f32| (f64::from(seconds) / f64::from(self.settings.step)).ceil() as u64;
        for mission in missions.iter_mut().filter(|mission| !mission.is_done) {
            match &mission.objective {
                Objective::Hold { area, seconds } => {
                    if !self.state.tick.is_multiple_of(every) {
                        continue;
                    }
                    let there = self.armies_in(area);
                    let ours = there & self.state.relations.allies(mission.army.0) != 0;
                    let theirs = there & self.state.relations.enemies(mission.army.0) != 0;
                    match (ours, theirs) {
                        (true, false) => mission.is_held = true,
                        (false, true) => (mission.is_held, mission.count) = (false, 0),
                        _ => {}
                    }
                    mission.count += if mission.is_held && !theirs { every } else { 0 };
                    mission.is_done = mission.count >= ticks(*seconds);
                }
                &Objective::Kill { squad } => {
                    let died =
                        |death: &&crate::battle::Death| self.state.crowd.squad[death.who.slot as usize] == squad.0;
                    mission.count -= (self.state.events.deaths.iter().filter(died).count() as u64).min(mission.count);
                    mission.is_done = mission.count == 0;
                }
                Objective::Rout => {
                    if !self.state.tick.is_multiple_of(every) {
                        continue;
                    }
                    mission.count = self.standing_enemies(mission.army);
                    let (coming, is_known) = self.armies_to_come();
                    let is_over = coming & self.state.relations.enemies(mission.army.0) == 0 && is_known;
                    mission.is_done = mission.count == 0 && is_over;
                }
                Objective::Survive { seconds } => {
                    mission.count = self.state.tick;
                    mission.is_done =
                        self.state.tick >= ticks(*seconds) && self.state.armies[usize::from(mission.army.0)].alive > 0;
                }
            }
        }
        self.state.missions = missions;
        let has_done = |army: u8| {
            let mut own = self.state.missions.iter().filter(|mission| mission.army.0 == army).peekable();
            own.peek().is_some() && own.all(|mission| mission.is_done)
        };
        let lives = |&army: &usize| self.state.armies[army].alive > 0;
        army_mask((0..self.state.armies.len()).filter(lives).filter(|&army| has_done(army as u8)))
    }

    /// True once two armies that are enemies have each had an agent. Before that there is no fight that could be won, lost or
    /// be a draw, however long the world ticks.
    pub fn has_opponents(&self) -> bool {
        let manned = (0..self.state.armies.len()).filter(|&army| self.state.armies[army].spawned > 0);
        self.state.relations.has_enmity(army_mask(manned))
    }

    /// The armies of which somebody is in an area (a bit each).
    pub(super) fn armies_in(&self, area: &Area) -> u16 {
        let crowd = &self.state.crowd;
        let rows = crowd.position.iter().zip(&crowd.army).zip(&crowd.slot);
        let there = rows.filter(|((at, _), slot)| area.contains(**at) && !self.is_dead(**slot));
        there.fold(0, |mask, ((_, army), _)| mask | 1 << army)
    }
}

/// Who has won by what was done; `None` where nobody has.
pub(super) fn winner(done: u16, relations: &Relations) -> Option<Verdict> {
    let first = done.trailing_zeros() as u8;
    match done {
        0 => None,
        // Both at once.
        _ if relations.has_enmity(done) => Some(Verdict::Draw),
        _ => Some(Verdict::Winner(ArmyId(first))),
    }
}

/// What an army may be told to do in a world.
pub(super) fn check(objective: &Objective, army: ArmyId, world: &World) -> Result<(), WorldError> {
    if usize::from(army.0) >= world.state.armies.len() {
        return Err(WorldError::NoSuch { what: "army", id: army.0.into() });
    }
    let long = |seconds: f32| {
        if seconds > 0.0 && seconds <= LONGEST {
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
            let is_there = (squad.0 as usize) < world.state.squads.len();
            if is_there { Ok(()) } else { Err(WorldError::NoSuch { what: "squad", id: squad.0 as usize }) }
        }
    }
}
