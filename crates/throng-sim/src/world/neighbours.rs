//! Lists of neighbours, for the stages that need them.

use super::Settings;
use super::model_usage::ModelUsage;
use super::parts::{Derived, Scratch, State};
use crate::battle::{self, army_layer};
use crate::crowd::{self, Crowd, PIECE, masks};
use rayon::prelude::*;

/// Reads positions and the index; writes the lists of neighbours, where a stage will ask for them. Notes the sleepers that the `own`
/// rows wake; returns how many of these have sleepers near. Local.
pub(super) fn find(
    settings: &Settings,
    derived: &mut Derived,
    scratch: &mut Scratch,
    state: &mut State,
    own: &(dyn Fn(usize) -> bool + Sync),
) -> usize {
    look_up_units(derived.usage, &state.crowd, &mut scratch.unit_of);
    if !derived.looks_around(settings) {
        return 0;
    }
    let bodies = battle::bodies(&state.crowd);
    let reach = derived.reach(settings);
    let k = settings.avoidance.orca.k;
    // Twice as many as are wanted where some will be ignored.
    let asked = if derived.usage.masked { 2 * k } else { k };
    crowd::neighbours::neighbours(&derived.index, bodies, asked, reach, &mut scratch.near);
    let beside = join_sleepers(settings, reach, derived, scratch, state, own);
    mask(settings, derived.usage, scratch, state);
    beside
}

/// Notes all sleepers for waking where too many agents awake are `beside` them. Global.
pub(super) fn wake_where_many_are_beside(beside: usize, state: &mut State) {
    let State { crowd, waking, .. } = state;
    // With so many awake among them, sleep costs more than it saves.
    if 2 * beside > crowd.len() - crowd.awake() {
        waking.extend_from_slice(&crowd.rows.slot[crowd.awake()..]);
    }
}

/// The unit of each awake row, where a stage of this tick will ask for it.
pub(super) fn look_up_units(usage: ModelUsage, crowd: &Crowd, unit_of: &mut Vec<u16>) {
    unit_of.clear();
    if !usage.single() || usage.limited || usage.headway || usage.masked {
        let rows = crowd.rows.slot[..crowd.awake()].par_iter().with_min_len(PIECE);
        rows.map(|&slot| crowd.slots.unit[slot as usize]).collect_into_vec(unit_of);
    }
}

/// Takes agents that are ignored out of the lists of neighbours.
fn mask(settings: &Settings, usage: ModelUsage, scratch: &mut Scratch, state: &State) {
    if !usage.masked {
        return;
    }
    let State { units, crowd, .. } = state;
    let Scratch { unit_of, near, .. } = scratch;
    let layers = |row: usize| units[kind(crowd, row)].layers | army_layer(crowd.rows.army[row]);
    let ignores = |row: usize| units[usize::from(unit_of[row])].ignores;
    masks::masks(settings.avoidance.orca.k, layers, ignores, near);
}

/// Brings sleepers into the lists of neighbours, and notes which wake by that.
fn join_sleepers(
    settings: &Settings,
    reach: f32,
    derived: &mut Derived,
    scratch: &mut Scratch,
    state: &mut State,
    own: &(dyn Fn(usize) -> bool + Sync),
) -> usize {
    let State { units, crowd, waking, .. } = state;
    let Derived { usage, sleepers, .. } = derived;
    let Scratch { near, wants, .. } = scratch;
    let unit = |row: usize| &units[kind(crowd, row)];
    let minds = |sleeper: usize, other: usize| {
        !usage.masked || unit(sleeper).ignores & (unit(other).layers | army_layer(crowd.rows.army[other])) == 0
    };
    sleepers.join(crowd, settings.sleep, reach, wants, (own, minds), near, waking)
}

/// The kind of soldier in a row.
fn kind(crowd: &Crowd, row: usize) -> usize {
    crowd.slots.unit[crowd.rows.slot[row] as usize].into()
}
