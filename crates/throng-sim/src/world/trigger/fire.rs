//! Causes are looked for, effects are performed.

use super::wave::spawn_wave;
use crate::battle;
use crate::world::parts::{Derived, MapView, State};
use crate::world::state::triggers::{Act, Armed, Cause, Triggers};
use crate::world::time::ticks_above;
use crate::world::{Settings, SquadId, links, orders};
use throng_grid::Grid;
use throng_spatial::SpatialIndex;

/// Reads triggers that are due; writes what they bring about: orders of squads, and squads that come. Global.
pub(in crate::world) fn fire(settings: &Settings, grid: &Grid, derived: &mut Derived, state: &mut State) {
    for t in 0..state.triggers.armed.len() {
        if state.triggers.armed[t].due.is_none_or(|due| due > state.tick) {
            continue;
        }
        if !fire_one(settings, grid, derived, state, t) {
            // There is no room.
            state.triggers.armed[t].due = Some(state.tick + MapView::new(settings, grid, derived).ticks(1.0));
            continue;
        }
        let next = state.tick + ticks_above(state.triggers.armed[t].repeat.every, settings.step).max(1);
        let armed = &mut state.triggers.armed[t];
        armed.performed = 0;
        armed.fired += 1;
        armed.due = (armed.fired < armed.repeat.times).then_some(next);
        if armed.fired > 1 {
            continue;
        }
        for other in 0..state.triggers.armed.len() {
            if let Cause::After { trigger, delay } = state.triggers.armed[other].when
                && trigger.0 as usize == t
            {
                state.triggers.armed[other].due = Some(state.tick + ticks_above(delay, settings.step).max(1));
            }
        }
    }
}

/// Performs the effects of a trigger that are left; false where there is no room for a wave.
fn fire_one(settings: &Settings, grid: &Grid, derived: &mut Derived, state: &mut State, t: usize) -> bool {
    let first = state.triggers.armed[t].fired == 0;
    let next = |armed: &Armed| armed.then.get(armed.performed as usize).cloned();
    while let Some(act) = next(&state.triggers.armed[t]) {
        match act {
            // Both were checked when the trigger was added.
            Act::Order { squad, order } => orders::give(derived, state, squad.index(), order),
            // If its cost would be too great for the map, it stays shut.
            Act::SetLink { link, is_open } => {
                let _ = links::set_open(settings, grid, derived, state, link, is_open);
            }
            Act::SpawnSquad { squad, positions, facing, order } => {
                let map = MapView::new(settings, grid, derived);
                if !spawn_wave(map, state, squad, &positions, facing, order, first) {
                    return false;
                }
            }
        }
        state.triggers.armed[t].performed += 1;
    }
    true
}

impl State {
    /// The armies (a bit each) of which a wave is sure to come, and whether that is known for good: where a wave waits for
    /// what was not looked for in this tick, it is not.
    pub(in crate::world) fn armies_to_come(&self, settings: &Settings) -> (u16, bool) {
        let Triggers { armed } = &self.triggers;
        let (mut coming, mut is_known) = (0, true);
        for one in armed {
            let bits = one.then.iter().fold(0, |bits, act| match act {
                Act::SpawnSquad { squad, .. } => bits | 1 << self.squads[squad.index()].army.0,
                Act::Order { .. } | Act::SetLink { .. } => bits,
            });
            if bits == 0 || one.due.is_none() && one.fired > 0 {
                continue;
            }
            // Up the chain, to a trigger that is due or waits for an event that may never come.
            let mut root = one;
            for _ in 0..armed.len() {
                match root.when {
                    Cause::After { trigger, .. } if root.due.is_none() => root = &armed[trigger.0 as usize],
                    _ => break,
                }
            }
            if root.due.is_some() {
                coming |= bits;
            } else {
                // The tick has been counted already.
                is_known &= looks(settings, self.tick.wrapping_sub(1));
            }
        }
        (coming, is_known)
    }
}

/// Reads agents, squads and walls; writes which triggers fire in the next tick, for causes that are no times. Global: counts of squads
/// and armies.
pub(in crate::world) fn detect(settings: &Settings, derived: &Derived, state: &mut State) {
    if !looks(settings, state.tick) {
        return;
    }
    for t in 0..state.triggers.armed.len() {
        let armed = &state.triggers.armed[t];
        if armed.due.is_some() || armed.fired > 0 {
            continue;
        }
        if let Cause::Lost { squad, .. } = armed.when {
            let living = state.living(squad) as u32;
            let most = &mut state.triggers.armed[t].most;
            *most = (*most).max(living);
        }
        if has_come_about(&state.triggers.armed[t], derived, state) {
            state.triggers.armed[t].due = Some(state.tick + 1);
        }
    }
}

fn has_come_about(armed: &Armed, derived: &Derived, state: &State) -> bool {
    let members = |squad: SquadId| state.squads.get(squad.index()).map_or(&[][..], |squad| &squad.members);
    let crowd = &state.crowd;
    match &armed.when {
        Cause::At { .. } | Cause::After { .. } => false,
        &Cause::Lost { squad, share } => {
            let lost = armed.most.saturating_sub(state.living(squad) as u32);
            armed.most > 0 && lost as f32 >= share * armed.most as f32
        }
        Cause::Enters { army, area } => state.armies_in(area) >> army.0 & 1 == 1,
        // An agent that has a target sees an enemy.
        &Cause::Sees { squad } => members(squad)
            .iter()
            .any(|&id| crowd.row(id).is_some() && crowd.row(state.soldiers.target(id.slot as usize)).is_some()),
        &Cause::Near { squad, metres } => {
            let hostile = state.squads.get(squad.index()).map_or(0, |squad| state.relations.enemies(squad.army));
            let accept: &dyn Fn(u32) -> bool = &|row: u32| {
                hostile >> crowd.rows.army[row as usize] & 1 == 1 && !state.is_dead(crowd.rows.slot[row as usize])
            };
            let mut places = members(squad).iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.rows.position[row]);
            places.any(|at| {
                let bodies = battle::bodies(crowd);
                derived.index.nearest(bodies, at.to_array(), metres, accept).is_some()
                    || derived.sleepers.nearest(crowd, at, metres, accept).is_some()
            })
        }
        Cause::Breached { .. } => armed.cells.iter().any(|&cell| state.ramparts.get(cell).is_none()),
    }
}

/// True in ticks in which causes are looked for.
fn looks(settings: &Settings, tick: u64) -> bool {
    tick.is_multiple_of(settings.schedule(tick).period())
}
