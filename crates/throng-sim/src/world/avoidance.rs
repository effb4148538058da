//! Velocities that avoid collisions.

use super::Settings;
use super::model_usage::ModelUsage;
use super::parts::{Scratch, State};
use crate::crowd::{self, Avoidance, Crowd, PIECE, models};
use rayon::prelude::*;
use throng_grid::Grid;

/// Reads neighbours; changes the preferred velocities: aside where an agent is stuck, behind agents ahead. Local.
pub(super) fn adapt(settings: &Settings, grid: &Grid, usage: ModelUsage, scratch: &mut Scratch, state: &mut State) {
    let (crowd, avoidance) = (&mut state.crowd, &settings.avoidance);
    let awake = ..crowd.awake();
    let duty = &mut scratch.duty;
    let settled = |(&weight, &wants): (&f32, &bool)| if wants { weight } else { weight * avoidance.settled };
    crowd.weight.par_iter().zip(&scratch.wants).with_min_len(PIECE).map(settled).collect_into_vec(duty);
    if !avoidance.bias.is_off() {
        let Crowd { position, velocity, radius, progress, wish, next, .. } = &mut *crowd;
        crowd::bias::bias(
            avoidance.bias,
            grid,
            grid.clearance(),
            position,
            velocity,
            radius,
            &scratch.wants,
            &scratch.near,
            wish,
            &progress[awake],
            &mut next[awake],
        );
        // The wishes as they were are asked for once all have moved.
        wish[awake].par_iter().with_min_len(PIECE).copied().collect_into_vec(&mut scratch.straight);
        std::mem::swap(wish, next);
    }
    // An agent that looks aside follows the agents that are before it there.
    if usage.headway {
        let headway = |row: usize| state.units[usize::from(scratch.unit_of[row])].headway;
        let (position, radius) = (&crowd.position, &crowd.radius);
        let slowed = &mut crowd.next[awake];
        crowd::headway::headway(headway, position, radius, &scratch.near, &crowd.wish, slowed);
        std::mem::swap(&mut crowd.wish, &mut crowd.next);
    }
}

/// Reads preferred velocities, neighbours and walls; writes the velocities (`next`) that avoid collisions. Local.
///
/// Each unit has its model, and its limit of acceleration.
pub(super) fn avoid(settings: &Settings, grid: &Grid, usage: ModelUsage, scratch: &mut Scratch, state: &mut State) {
    let State { units, crowd, .. } = state;
    let Scratch { unit_of, near, duty, .. } = scratch;
    let map = (grid, grid.clearance());
    let (avoidance, step) = (&settings.avoidance, settings.step);
    // An agent that has arrived gives way, as if it weighed less.
    std::mem::swap(&mut crowd.weight, duty);
    // ORCA, the last of them, is written for all agents: so it goes first.
    for kind in Avoidance::ALL.into_iter().rev().filter(|&kind| usage.uses(kind)) {
        if usage.single() {
            models::avoid(kind, avoidance, step, map, near, |_| true, crowd);
        } else {
            let own = |row: usize| units[usize::from(unit_of[row])].avoidance.unwrap_or(avoidance.kind);
            models::avoid(kind, avoidance, step, map, near, |row| own(row) == kind, crowd);
        }
    }
    if let Some(model) = settings.model.as_ref().filter(|_| usage.uses(Avoidance::Custom)) {
        let own = |row: usize| units[usize::from(unit_of[row])].avoidance.unwrap_or(avoidance.kind);
        model.avoid(step, map, near, |row| usage.single() || own(row) == Avoidance::Custom, crowd);
    }
    std::mem::swap(&mut crowd.weight, duty);
    if usage.limited {
        let acceleration = |row: usize| units[usize::from(unit_of[row])].acceleration;
        crowd::acceleration::limit(step, &crowd.velocity, acceleration, &mut crowd.next[..unit_of.len()]);
    }
}
