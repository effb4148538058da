//! Targets, strikes, shots, deaths.

use super::parts::{Derived, State};
use super::state::given::Blow;
use super::{Events, Settings, siege};
use crate::battle::{
    self, CombatView, DamageEvent, Obstacle, Origin, ProjectileImpact, ProjectileView, Relation, Shots, Unit,
};
use crate::crowd::{AgentId, Crowd, PIECE, UpdateSchedule};
use rayon::prelude::*;
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid};

/// Reads agents, units and the index; writes targets, health, new shots and deaths. Local, but for the counts of armies.
pub(super) fn fight(settings: &Settings, grid: &Grid, derived: &mut Derived, state: &mut State) {
    if !state.is_at_war() {
        return;
    }
    let schedule = settings.schedule(state.tick);
    let before = state.events.harms.len();
    let State { units, relations, crowd, soldiers, shots, events, waking, .. } = state;
    soldiers.arm();
    let sight = units.iter().map(|unit| unit.notices(derived.widest)).fold(0.0, f32::max);
    rayon::join(
        || derived.occupancy.rebuild(&crowd.rows.position, &crowd.rows.army, sight),
        || battle::attackers(crowd, units, soldiers),
    );
    let field = field(settings, grid, derived, units, crowd, relations, schedule);
    battle::targets(&field, soldiers);
    if crowd.awake() < crowd.len() {
        let alarmed = |&slot: &usize| soldiers.target[slot] != AgentId::NONE && crowd.sleeps(slot as u32);
        waking.par_extend(schedule.par_slots(crowd.slots.row_of.len()).filter(alarmed).map(|slot| slot as u32));
    }
    battle::strike(&field, settings.seed, settings.step, soldiers);
    battle::damage(&field, soldiers, &mut events.harms, &mut events.deaths);
    if !soldiers.ammunition.is_empty() {
        let battle::Soldiers { health, target, ready, ammunition, .. } = soldiers;
        let air = air(settings, &field, &crowd.rows.position[..crowd.awake()], 0.0, health);
        battle::shoot(&air, settings.seed, settings.step, battle::Archers { target, ready, ammunition }, shots);
    }
    count_harms(before, state);
}

/// Reads the blows that were [asked for](super::World::hurt); writes health and deaths. Local, but for the counts of armies.
pub(super) fn strike_as_told(state: &mut State) {
    for Blow { to, by, damage } in std::mem::take(&mut state.given.blows) {
        let State { crowd, soldiers, events, waking, .. } = &mut *state;
        let origin = |id: AgentId| Some(Origin::of(crowd, id.slot, crowd.row(id)?));
        let (Some(row), author) = (crowd.row(to), by.and_then(origin)) else { continue };
        let Some(by) = author.or_else(|| origin(to)) else { continue };
        // All of it, and no more: an army counts what it has lost.
        let damage = damage.min(soldiers.health[to.slot as usize].max(0.0));
        let first = events.harms.len();
        battle::hurt((crowd, by, row), (damage, false), soldiers, (&mut events.harms, &mut events.deaths));
        waking.push(to.slot);
        if let Some(&harm) = state.events.harms.get(first) {
            count_loss(&harm, state);
            if author.is_some() {
                count_merit(&harm, state);
            }
        }
    }
}

/// Reads the shots that were [asked for](super::World::shoot); writes shots and ammunition. Local.
pub(super) fn shoot_as_told(settings: &Settings, grid: &Grid, derived: &Derived, state: &mut State) {
    let told = std::mem::take(&mut state.given.shots);
    if told.is_empty() {
        return;
    }
    let schedule = settings.schedule(state.tick);
    let State { units, relations, crowd, soldiers, shots, .. } = state;
    let field = field(settings, grid, derived, units, crowd, relations, schedule);
    let air = air(settings, &field, &crowd.rows.position[..crowd.awake()], 0.0, &soldiers.health);
    let mut turns = BTreeMap::<u32, u16>::new();
    for (agent, at) in told {
        let turn = turns.entry(agent.slot).or_default();
        battle::shoot_at(&air, settings.seed, (agent, *turn), at, &mut soldiers.ammunition, shots);
        *turn = turn.saturating_add(1);
    }
}

/// Reads where agents stood and are; writes shots, health, struck walls and deaths. Local, but for the counts of armies.
pub(super) fn advance_projectiles(
    settings: &Settings,
    grid: &Grid,
    derived: &Derived,
    stood: &[Vec2],
    state: &mut State,
) {
    if state.shots.is_empty() {
        return;
    }
    let schedule = settings.schedule(state.tick);
    let State { units, relations, crowd, soldiers, shots, ramparts, events: Events { harms, deaths, .. }, .. } =
        &mut *state;
    let before = harms.len();
    let ways =
        stood.par_iter().zip(&crowd.rows.position).with_min_len(PIECE).map(|(from, to)| from.distance_squared(*to));
    // A little more, so that rounding leaves no agent out.
    let gone = ways.reduce(|| 0.0, f32::max).sqrt() * 1.001;
    let field = field(settings, grid, derived, units, crowd, relations, schedule);
    battle::advance_projectiles(&air(settings, &field, stood, gone, &soldiers.health), settings.step, shots);
    let walls = if ramparts.is_empty() { Vec::new() } else { walls_struck(grid, units, shots) };
    battle::land((crowd, units), schedule.seed, shots, soldiers, harms, deaths);
    count_harms(before, state);
    for (cell, damage) in walls {
        siege::damage_wall(grid, &derived.grounds, state, cell, damage);
    }
}

/// The walls that shots have struck in this tick, with what each does to them (points).
fn walls_struck(grid: &Grid, units: &[Unit], shots: &Shots) -> Vec<(Cell, f32)> {
    let wall = |impact: &ProjectileImpact| match impact.what {
        Obstacle::Cell(cell) if !grid.is_open(cell) => {
            let by = shots.by[impact.shot as usize];
            Some((cell, units[by.unit.index()].breach))
        }
        _ => None,
    };
    shots.impacts.iter().filter_map(wall).collect()
}

/// The view in which soldiers look for enemies.
pub(super) fn field<'a>(
    settings: &Settings,
    grid: &'a Grid,
    derived: &'a Derived,
    units: &'a [Unit],
    crowd: &'a Crowd,
    relations: &'a battle::Relations,
    schedule: UpdateSchedule,
) -> CombatView<'a> {
    let Derived { index, sleepers, occupancy, widest, .. } = derived;
    CombatView {
        grid,
        clearance: grid.clearance(),
        units,
        crowd,
        index,
        sleepers,
        occupancy,
        relations,
        widest: *widest,
        wall_height: settings.wall_height,
        schedule,
    }
}

/// The view through which shots fly; awake agents `stood` there (m) when they were indexed, and have `gone` no further (m) since.
fn air<'a>(
    settings: &Settings,
    field: &'a CombatView<'a>,
    stood: &'a [Vec2],
    gone: f32,
    health: &'a [f32],
) -> ProjectileView<'a> {
    ProjectileView {
        field,
        stood,
        gone,
        health,
        tallest: field.units.iter().map(|unit| unit.height).fold(0.0, f32::max),
        friendly_fire: settings.friendly_fire,
    }
}

/// Counts the harms from the `first` of this tick on, and notes the deaths.
fn count_harms(first: usize, state: &mut State) {
    for i in first..state.events.harms.len() {
        let harm = state.events.harms[i];
        count_merit(&harm, state);
        count_loss(&harm, state);
    }
}

/// Adds to a count of micropoints.
fn add(sum: &mut u64, damage: u64) {
    *sum = sum.saturating_add(damage);
}

/// Counts a harm for the army and the squad of the agent that has done it.
fn count_merit(harm: &DamageEvent, state: &mut State) {
    let (damage, by) = (battle::micropoints(harm.damage), harm.by);
    // Friends are killed, too, and that is no merit.
    let of_friends = state.relations.of(by.army, harm.to.army) == Relation::Ally;
    let kills = u32::from(harm.is_fatal && !of_friends);
    let army = &mut state.armies[by.army.index()];
    add(&mut army.dealt[by.unit.index()], damage);
    army.kills[by.unit.index()] += kills;
    if let Some(squad) = by.squad.and_then(|squad| state.squads.get_mut(squad.index())) {
        add(&mut squad.tally.dealt, damage);
        squad.tally.kills += kills;
    }
}

/// Counts a harm for the army and the squad of the agent that it was done to, and notes its death.
fn count_loss(harm: &DamageEvent, state: &mut State) {
    let (damage, died, to) = (battle::micropoints(harm.damage), u32::from(harm.is_fatal), harm.to);
    let army = &mut state.armies[to.army.index()];
    add(&mut army.taken[to.unit.index()], damage);
    army.losses[to.unit.index()] += died;
    army.alive -= died;
    if let Some(squad) = to.squad.and_then(|squad| state.squads.get_mut(squad.index())) {
        add(&mut squad.tally.taken, damage);
        squad.tally.losses += died;
    }
    state.dead.extend(harm.is_fatal.then_some(to.who));
}
