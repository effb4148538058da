//! Morale: how it falls, and when a soldier runs.
//!
//! A soldier whose unit has a [morale](super::Unit::morale) starts with that many points. Wounds, and deaths and flight beside
//! it, take some ([`MoraleLoss`]); quiet gives them back. At none it runs, until it has half of them again.

use super::soldiers::Turn;
use super::targets::within;
use super::{CombatView, DamageEvent, Relation, Soldiers, Squad, bodies, sector};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_spatial::Bodies;

/// How much morale each event costs (points).
#[derive(Clone, Copy, Debug)]
pub struct MoraleLoss;

impl MoraleLoss {
    /// To lose all one's health; less of it, less.
    pub const PAIN: f32 = 30.0;
    /// Times as much, where that comes from the side, more than 60 degrees from where one looks.
    pub const FLANK: f32 = 1.5;
    /// Times as much, where it comes from behind, more than 120 degrees from where one looks.
    pub const REAR: f32 = 2.0;
    /// The death of a friend near by.
    pub const DEATH: f32 = 5.0;
    /// The death of the leader: the first of the squad.
    pub const LEADER: f32 = 20.0;
    /// The flight of all friends near by, in a second; of fewer, less.
    pub const PANIC: f32 = 15.0;
    /// The points that return in a second without an enemy in sight; a quarter of them with one.
    pub const CALM: f32 = 2.0;
    /// An agent within this distance (m) is near by.
    pub const BESIDE: f32 = 6.0;
}

/// Writes `morale` and `flees`: first the effect of this tick's `harms` on the victims and on friends near by. Then each soldier,
/// every [`LOOK_PERIOD_S`](crate::crowd::LOOK_PERIOD_S) in a tick of its own, sees others run, and calms down. Awake agents `stood` where they were
/// indexed. `step` is the length of a tick (s). O(n / 8 + harms); nothing where no unit has a morale.
pub fn morale(
    field: &CombatView<'_>,
    stood: Bodies<'_, 2>,
    squads: &[Squad],
    harms: &[DamageEvent],
    step: f32,
    soldiers: &mut Soldiers,
) {
    if soldiers.morale.is_empty() {
        return;
    }
    debug_assert_eq!(stood.len(), bodies(field.crowd).len());
    for harm in harms {
        shake(field, stood, squads, harm, soldiers);
    }
    look_around(field, stood, step, soldiers);
}

/// Takes morale for a hit by hand or a shot: of the victim, and of its friends if it dies.
fn shake(field: &CombatView<'_>, stood: Bodies<'_, 2>, squads: &[Squad], harm: &DamageEvent, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    let Some(row) = crowd.row(harm.to.who) else { return };
    let (slot, at) = (harm.to.who.slot as usize, crowd.rows.position[row]);
    if !harm.is_fatal {
        let from = crowd.row(harm.by.who).map_or(crowd.slots.facing[slot], |by| crowd.rows.position[by] - at);
        let times = match () {
            () if sector::holds(120.0, crowd.slots.facing[slot], from) => 1.0,
            () if sector::holds(240.0, crowd.slots.facing[slot], from) => MoraleLoss::FLANK,
            () => MoraleLoss::REAR,
        };
        let health = field.units[harm.to.unit.index()].health;
        soldiers.discourage(slot, times * MoraleLoss::PAIN * harm.damage / health);
        return;
    }
    within(field, stood, at, MoraleLoss::BESIDE, &mut |other| {
        let other = other as usize;
        if other != row && field.relations.of(crowd.rows.army_of(row), crowd.rows.army_of(other)) == Relation::Ally {
            soldiers.discourage(crowd.rows.slot[other] as usize, MoraleLoss::DEATH);
        }
    });
    if let Some(squad) =
        harm.to.squad.and_then(|squad| squads.get(squad.index())).filter(|squad| squad.leader == harm.to.who)
    {
        for member in squad.members.iter().filter(|&&member| crowd.row(member).is_some()) {
            soldiers.discourage(member.slot as usize, MoraleLoss::LEADER);
        }
    }
}

/// Soldiers that are due see others near by run, or calm down; then those at no points begin to run.
fn look_around(field: &CombatView<'_>, stood: Bodies<'_, 2>, step: f32, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    let pause = field.schedule.period() as f32 * step;
    let mut nerves = std::mem::take(&mut soldiers.nerves);
    nerves.clear();
    let mut runners = std::mem::take(&mut soldiers.runners);
    let lattice = field.occupancy.lattice();
    let panic = soldiers.any_flees();
    if panic {
        runners.clear(lattice);
        let runs = soldiers.flees.iter().enumerate().filter(|&(_, &flees)| flees);
        for at in runs.filter_map(|(slot, _)| stood.position.get(crowd.slots.row_of[slot] as usize)) {
            let (column, row) = lattice.column_row(lattice.at(Vec2::from(*at)));
            runners.set(column as usize, row as usize);
        }
    }
    // Few agents are near a running one: the others need not count their neighbours.
    let is_near_runner = |at: Vec2| {
        let [low, high] =
            [at - MoraleLoss::BESIDE, at + MoraleLoss::BESIDE].map(|corner| lattice.column_row(lattice.at(corner)));
        runners.any((low.0 as usize, high.0 as usize), (low.1 as usize, high.1 as usize))
    };
    let seen = |slot: usize| {
        let row = crowd.slots.row_of[slot] as usize;
        let most = field.units.get(usize::from(crowd.slots.unit[slot])).map_or(0.0, |unit| unit.morale);
        if crowd.slots.row_of[slot] == u32::MAX || most == 0.0 || soldiers.health[slot] <= 0.0 {
            return None;
        }
        let (army, at) = (crowd.rows.army_of(row), crowd.rows.position[row]);
        let (mut friends, mut running) = (0_u32, 0_u32);
        if panic && is_near_runner(at) {
            within(field, stood, at, MoraleLoss::BESIDE, &mut |other| {
                let other = other as usize;
                if other != row && field.relations.of(army, crowd.rows.army_of(other)) == Relation::Ally {
                    friends += 1;
                    // An agent that calms down frightens no other: else a crowd that runs would keep itself running.
                    let slot = crowd.rows.slot[other] as usize;
                    running += u32::from(soldiers.flees(slot) && soldiers.morale[slot] <= 0.0);
                }
            });
        }
        let enemies = field.occupancy.armies(at) & field.relations.enemies(army) != 0;
        // A running agent takes no fright from others that run.
        let fear = if soldiers.flees(slot) { 0.0 } else { MoraleLoss::PANIC * running as f32 / friends.max(1) as f32 };
        let calm = if enemies { 0.25 * MoraleLoss::CALM } else { MoraleLoss::CALM };
        let before = soldiers.morale[slot];
        let after = (before + (calm - fear) * pause).clamp(-most, most);
        let flees = if soldiers.flees(slot) { enemies || after < 0.5 * most } else { after <= 0.0 };
        (after.to_bits() != before.to_bits() || flees != soldiers.flees(slot)).then_some((slot as u32, after, flees))
    };
    nerves.par_extend(field.schedule.par_slots(soldiers.morale.len()).filter_map(seen));
    soldiers.runners = runners;
    soldiers.turns.clear();
    for &(slot, morale, flees) in &nerves {
        soldiers.morale[slot as usize] = morale;
        if flees != std::mem::replace(&mut soldiers.flees[slot as usize], flees) {
            soldiers.turns.push(Turn { slot, flees });
        }
    }
    soldiers.nerves = nerves;
}

impl Soldiers {
    /// Takes morale (points) from the soldier in a slot.
    fn discourage(&mut self, slot: usize, points: f32) {
        if let Some(morale) = self.morale.get_mut(slot) {
            *morale -= points;
        }
    }

    /// True where the soldier in a slot runs.
    #[inline]
    pub fn flees(&self, slot: usize) -> bool {
        self.flees.get(slot).is_some_and(|&flees| flees)
    }

    /// True where the soldier in a slot makes for where the map ends: it flees, or its squad is to leave. It has no route.
    #[inline]
    pub(crate) fn escapes(&self, slot: usize, squad: &Squad) -> bool {
        self.flees(slot) || squad.order.leaves()
    }

    /// True where one at least runs.
    pub(crate) fn any_flees(&self) -> bool {
        // Without a branch for each.
        self.flees.chunks(256).any(|flees| flees.iter().filter(|&&flees| flees).count() > 0)
    }

    /// The slots of the soldiers that began to run in this tick (true), or stopped running (false).
    pub fn turns(&self) -> impl Iterator<Item = (u32, bool)> {
        self.turns.iter().map(|turn| (turn.slot, turn.flees))
    }

    /// The soldier in a slot has nowhere to run to: it fights on, with half of the morale (points) that it had at first.
    pub fn stands_at_bay(&mut self, slot: usize, most: f32) {
        if let (Some(morale), Some(flees)) = (self.morale.get_mut(slot), self.flees.get_mut(slot)) {
            (*morale, *flees) = (0.5 * most, false);
        }
    }
}
