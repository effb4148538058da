//! Velocities that avoid collisions.

use super::Settings;
use super::model_usage::ModelUsage;
use super::parts::{Scratch, State};
use crate::crowd::models::{self, Rows};
use crate::crowd::{self, Avoidance, PIECE};
use rayon::prelude::*;
use throng_grid::Grid;

/// Reads neighbours; changes the preferred velocities: aside where an agent is stuck, behind agents ahead. Local.
pub(super) fn adapt(settings: &Settings, grid: &Grid, usage: ModelUsage, scratch: &mut Scratch, state: &mut State) {
    let (crowd, avoidance, step) = (&mut state.crowd, &settings.avoidance, settings.step);
    let Scratch { near, wants, yield_weight, straight, unit_of, .. } = scratch;
    // An agent that has arrived gives way, as if it weighed less.
    let settled = |(&weight, &wants): (&f32, &bool)| if wants { weight } else { weight * avoidance.settled };
    crowd.rows.weight.par_iter().zip(&*wants).with_min_len(PIECE).map(settled).collect_into_vec(yield_weight);
    if !avoidance.bias.is_off() {
        let (view, turned) = crowd.split(step, grid, Some(yield_weight), near);
        crowd::bias::bias(avoidance.bias, &view, wants, turned);
        // They are asked for as they were once all have moved.
        let before = view.preferred_velocity[..turned.len()].par_iter().with_min_len(PIECE);
        before.copied().collect_into_vec(straight);
        std::mem::swap(&mut crowd.rows.preferred_velocity, &mut crowd.rows.new_velocity);
    }
    // An agent that looks aside follows the agents that are before it there.
    if usage.headway {
        let headway = |row: usize| state.units[usize::from(unit_of[row])].headway;
        let (view, slowed) = crowd.split(step, grid, Some(yield_weight), near);
        crowd::headway::headway(headway, &view, slowed);
        std::mem::swap(&mut crowd.rows.preferred_velocity, &mut crowd.rows.new_velocity);
    }
}

/// Reads preferred velocities, neighbours and walls; writes the new velocities, which avoid collisions. Local.
///
/// Each unit has its model, and its limit of acceleration.
pub(super) fn avoid(settings: &Settings, grid: &Grid, usage: ModelUsage, scratch: &mut Scratch, state: &mut State) {
    let State { units, crowd, .. } = state;
    let Scratch { unit_of, near, yield_weight, model_of, .. } = scratch;
    let (avoidance, step) = (&settings.avoidance, settings.step);
    if !usage.single() {
        let model = |&unit: &u16| units[usize::from(unit)].avoidance.unwrap_or(avoidance.kind);
        unit_of.par_iter().with_min_len(PIECE).map(model).collect_into_vec(model_of);
    }
    let rows = |kind| if usage.single() { Rows::All } else { Rows::Of(kind, model_of) };
    let (view, new_velocity) = crowd.split(step, grid, Some(yield_weight), near);
    // ORCA, the last of them, is written for all agents: so it goes first.
    for kind in Avoidance::ALL.into_iter().rev().filter(|&kind| usage.uses(kind)) {
        models::avoid(kind, avoidance, &view, rows(kind), new_velocity);
    }
    if let Some(model) = settings.model.as_ref().filter(|_| usage.uses(Avoidance::Custom)) {
        model.avoid(&view, rows(Avoidance::Custom), new_velocity);
    }
    if usage.limited {
        let acceleration = |row: usize| units[usize::from(unit_of[row])].acceleration;
        crowd::acceleration::limit(step, view.velocity, acceleration, new_velocity);
    }
}
