//! All agents move.

use super::Settings;
use super::model_usage::ModelUsage;
use super::parts::{Scratch, State};
use crate::crowd::{self, AgentRows, Avoidance, Crowd, PIECE, models};
use rayon::prelude::*;
use throng_grid::Grid;
use throng_grid::geom::Vec2;

/// Reads positions; notes the places of awake agents before they move, where a later stage asks for them. Local.
pub(super) fn note_places(state: &State, stood: &mut Vec<Vec2>) {
    stood.clear();
    if state.counts_walks || !(state.shots.is_empty() && state.soldiers.morale.is_empty()) {
        let places = state.crowd.rows.position[..state.crowd.awake()].par_iter().with_min_len(PIECE);
        places.copied().collect_into_vec(stood);
    }
}

/// Reads the velocities that were found; moves all agents, sliding along walls, and pushes overlaps apart. Local.
pub(super) fn integrate(settings: &Settings, grid: &Grid, usage: ModelUsage, scratch: &mut Scratch, state: &mut State) {
    remember(settings, usage, &state.crowd, &mut scratch.before);
    let clearance = grid.clearance();
    let Settings { step, avoidance, .. } = settings;
    let crowd = &mut state.crowd;
    // Driven bodies stand where they were put while the others are pushed.
    for driven in state.driven.values() {
        if let Some(row) = crowd.row(driven.id) {
            crowd.rows.new_velocity[row] = Vec2::ZERO;
        }
    }
    let awake = ..crowd.awake();
    let room = &mut scratch.wall_distance;
    room.resize(crowd.awake(), 0.0);
    crowd::integrate::integrate(
        grid,
        clearance,
        *step,
        &crowd.rows.new_velocity[awake],
        &crowd.rows.radius[awake],
        &crowd.rows.top_speed[awake],
        &mut crowd.rows.position[awake],
        &mut crowd.rows.velocity[awake],
        room,
    );
    // The velocities have been walked: their memory is free.
    for _ in 0..avoidance.passes {
        let (view, pushed) = crowd.split(*step, grid, None, &scratch.near);
        crowd::push::push(avoidance.cap, &view, pushed);
        let AgentRows { position, radius, new_velocity: pushed, .. } = &mut crowd.rows;
        crowd::integrate::displace(grid, clearance, &pushed[awake], &radius[awake], &mut position[awake], room);
    }
    settle(settings, usage, scratch, state);
    hold_driven(state);
    if !settings.avoidance.bias.is_off() {
        let AgentRows { velocity, progress, .. } = &mut state.crowd.rows;
        let (wants, straight) = (&scratch.wants, &scratch.straight);
        crowd::bias::progress(settings.avoidance.bias, *step, wants, straight, velocity, &mut progress[awake]);
    }
}

/// Notes where each agent is before the move, and how fast, if that will be asked for.
fn remember(settings: &Settings, usage: ModelUsage, crowd: &Crowd, before: &mut Vec<(Vec2, Vec2)>) {
    before.clear();
    if usage.uses(Avoidance::Push) && settings.avoidance.passes > 0 {
        let awake = ..crowd.awake();
        let (position, velocity) = (&crowd.rows.position[awake], &crowd.rows.velocity[awake]);
        let both = position.par_iter().zip(velocity).with_min_len(PIECE);
        both.map(|(&position, &velocity)| (position, velocity)).collect_into_vec(before);
    }
}

/// Agents that move by `push` get the velocity that they really moved by.
fn settle(settings: &Settings, usage: ModelUsage, scratch: &Scratch, state: &mut State) {
    if scratch.before.is_empty() {
        return;
    }
    let State { units, crowd, .. } = state;
    let Scratch { unit_of, before, .. } = scratch;
    let (single, kind) = (usage.single(), settings.avoidance.kind);
    let unit = |row: usize| &units[usize::from(unit_of[row])];
    let who = |row: usize| single || unit(row).avoidance.unwrap_or(kind) == Avoidance::Push;
    let acceleration = |row: usize| if usage.limited { unit(row).acceleration } else { f32::INFINITY };
    let velocity = &mut crowd.rows.velocity[..before.len()];
    let relaxation = models::relaxation::settle;
    relaxation(
        settings.step,
        before,
        &crowd.rows.position,
        &crowd.rows.preferred_velocity,
        &crowd.rows.top_speed,
        acceleration,
        who,
        velocity,
    );
}

/// Puts agents that are moved from outside back to where they were put.
fn hold_driven(state: &mut State) {
    for driven in state.driven.values() {
        if let Some(row) = state.crowd.row(driven.id) {
            (state.crowd.rows.position[row], state.crowd.rows.velocity[row]) = (driven.position, driven.velocity);
        }
    }
}
