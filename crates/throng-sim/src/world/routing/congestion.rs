//! The crowding of the map: counted every second, for squads that mind it.

use super::ask::{ask, forget_crowded};
use super::detour::rest;
use super::fields;
use super::key::key_of_squad;
use crate::battle::RouteState;
use crate::world::parts::{Derived, MapView, State};
use crate::world::settings::Settings;
use crate::world::state::requests::Requester;
use std::sync::Arc;
use throng_grid::{Cell, Crowding, Grid, Ground};
use throng_plan::Pool;

/// The crowd is counted again after this time (s).
const COUNT_EVERY: f32 = 1.0;

/// A squad looks for another way at every so many counts, each squad in its turn: a squad that looks sees the ones that turned
/// away before.
const TURNS: u64 = 4;

/// Another way is looked for where the crowd makes what is left dearer by this share.
const JAMMED: f32 = 0.2;

/// A squad with less than this left to go (m) does not turn.
const NEARLY_THERE: f32 = 12.0;

/// Reads positions, each second; writes how crowded the grounds are of squads that mind it, and which of them ask for another way.
/// Global.
pub(crate) fn update(settings: &Settings, grid: &Grid, derived: &mut Derived, state: &mut State) {
    let every = ((COUNT_EVERY / settings.step).round() as u64).max(1);
    let minds = |ground: &Ground| ground.mobility().congestion > 0.0;
    let mut minding = derived.grounds.iter().filter(|ground| minds(ground)).peekable();
    // At once where squads mind it for the first time.
    let due = state.tick.is_multiple_of(every) || minding.clone().any(|ground| ground.crowding().is_none());
    if minding.peek().is_none() || !due {
        return;
    }
    let revision = grid.revision();
    let known = derived.congestion.empty.take().filter(|(known, _)| *known == revision);
    let Some(empty) = known.or_else(|| Some((revision, Crowding::new(grid).ok()?))) else { return };
    let bodies = state.crowd.rows.position.iter().copied().zip(state.crowd.rows.radius.iter().copied());
    let crowding = Arc::new(empty.1.counted(bodies));
    let before = derived.congestion.last.replace(Arc::clone(&crowding));
    for ground in derived.grounds.iter_mut().filter(|ground| minds(ground)) {
        *ground = Arc::new(ground.crowded(Arc::clone(&crowding)));
    }
    let grounds = &derived.grounds;
    derived.escape_fields.retain(|&ground, _| !minds(&grounds[usize::from(ground)]));
    // Searches under way go on with the count before.
    forget_crowded(&derived.grounds, state);
    if state.squads.iter().any(|squad| squad.field.is_some()) {
        let dirty: Vec<Cell> = crowding.changed(before.as_deref().unwrap_or(&empty.1)).collect();
        fields::repair(derived, state, &dirty, minds);
    }
    derived.congestion.empty = Some(empty);
    let (map, pool, _) = derived.split(settings, grid);
    for s in 0..state.squads.len() {
        if (state.tick / every + s as u64).is_multiple_of(TURNS) {
            look_for_detour(map, pool, state, s);
        }
    }
}

/// Asks for another way where that of a squad is jammed.
fn look_for_detour(map: MapView<'_>, pool: &mut Pool, state: &mut State, s: usize) {
    let squad = &state.squads[s];
    let RouteState::Walked { to } = squad.route_state else { return };
    let ground = &map.grounds[usize::from(squad.ground)];
    if ground.mobility().congestion <= 0.0 || squad.order.stays() || squad.field.is_some() {
        return;
    }
    let [level, crowded] = rest(ground, squad.middle, state.routes.points(squad.route));
    if level < NEARLY_THERE || crowded < (1.0 + JAMMED) * level {
        return;
    }
    let Some(from) = ground.nearest_passable(squad.middle) else { return };
    if ground.leads(from, to) {
        let key = key_of_squad(map, state, squad, from, to);
        ask(map, pool, state, key, Requester::Detour(s));
    }
}
