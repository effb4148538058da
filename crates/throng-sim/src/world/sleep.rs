//! Falling asleep and waking.

use super::parts::{Derived, Scratch, State};
use super::{Settings, World};
use crate::battle::RouteState;
use crate::crowd::{
    ARRIVAL_RADIUS, AgentId, AgentRows, AgentSlots, Crowd, NEAR_POST, PIECE, Rest, RouteProgress, STANDS,
};
use crate::walk::make_way;
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Lattice, Layer};

/// How often it is looked which agents are at rest (s).
const LOOK_EVERY: f32 = 1.0;

/// An agent that is within this of where it was at the last look (m) has stayed there.
const STAYED_M: f32 = 0.01;

/// An agent that has come nearer to its post by this share of its radius comes on.
const NEARER_RADII: f32 = 0.25;

/// An agent that gets on no more at so many looks in a row presses those at rest that are before it.
const PRESSES: u16 = 3;

/// So near to a change of the map (m) no agent sleeps through it.
const WAKES_BESIDE_EDIT_M: f32 = 8.0;

impl World {
    /// How many agents sleep: see [`Sleep`](crate::crowd::Sleep).
    pub fn asleep(&self) -> usize {
        asleep(&self.state.crowd)
    }

    /// Wakes the noted agents.
    pub(super) fn wake_noted(&mut self) {
        wake(&mut self.derived, &mut self.state);
    }
}

fn asleep(crowd: &Crowd) -> usize {
    crowd.len() - crowd.awake()
}

/// Reads the slots that were noted; wakes them. Local, but for the grid of sleepers.
pub(super) fn wake(derived: &mut Derived, state: &mut State) {
    let State { crowd, waking, .. } = state;
    // In whatever order they were noted, the others keep the same rows.
    waking.sort_unstable();
    for slot in waking.drain(..) {
        crowd.wake(slot);
    }
    // Most of the former sleepers are awake: queries are not to look through them for the others.
    if derived.sleepers.len() > 2 * asleep(crowd) {
        derived.sleepers.rebuild(crowd);
    }
}

/// Notes all sleepers for waking where too many agents awake are `beside` them. Global.
pub(super) fn wake_where_many_are_beside(beside: usize, state: &mut State) {
    let State { crowd, waking, .. } = state;
    // With so many awake among them, sleep costs more than it saves.
    if 2 * beside > asleep(crowd) {
        waking.extend_from_slice(&crowd.rows.slot[crowd.awake()..]);
    }
}

/// Notes the sleepers for waking that a leaving agent has touched: they may have leant on it.
pub(super) fn wake_around(gone: &[AgentId], settings: &Settings, derived: &Derived, state: &mut State) {
    let State { crowd, waking, .. } = state;
    for row in gone.iter().filter_map(|&id| crowd.row(id)) {
        let (at, radius) = (crowd.rows.position[row], crowd.rows.radius[row]);
        derived.sleepers.around(crowd, at, radius, settings.sleep.margin, |slot| waking.push(slot));
    }
}

/// Notes the sleepers near changed cells for waking. O(sleepers + cells changed).
pub(super) fn wake_beside(dirty: &[Cell], fine: Lattice, coarse: Lattice, state: &mut State) {
    let State { crowd, waking, .. } = state;
    if asleep(crowd) == 0 {
        return;
    }
    let mut near = Layer::new(coarse, false);
    let mut last = None;
    for &cell in dirty {
        let at = fine.centre(cell);
        // Cells come in rows.
        if last.replace(coarse.at(at)) == Some(coarse.at(at)) {
            continue;
        }
        let reach = WAKES_BESIDE_EDIT_M + coarse.cell_size;
        let [low, high] = [at - reach, at + reach].map(|corner| coarse.column_row(coarse.at(corner)));
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                near[coarse.cell(x, y)] = true;
            }
        }
    }
    for row in crowd.awake()..crowd.len() {
        if near[coarse.at(crowd.rows.position[row])] {
            waking.push(crowd.rows.slot[row]);
        }
    }
}

/// Reads preferred velocities, neighbours and velocities. Lets agents fall asleep that have been at rest for long enough, then wakes the
/// agents that were noted in this tick. Local, but for the grid of sleepers.
pub(super) fn settle(settings: &Settings, grid: &Grid, derived: &mut Derived, scratch: &Scratch, state: &mut State) {
    let after = settings.sleep.after;
    let every = ((LOOK_EVERY / settings.step).round() as u64).max(1);
    let is_look = state.tick.is_multiple_of(every);
    if is_look {
        look_who_rests(scratch, &mut state.crowd);
        look_who_presses(settings, grid, scratch, state);
    }
    if is_look && after.is_finite() {
        let looks = (after / LOOK_EVERY).ceil().clamp(1.0, f32::from(u16::MAX)) as u16;
        let rests = |&row: &usize| state.crowd.slots.rest[state.crowd.rows.slot[row] as usize].looks >= looks;
        let rows = (0..state.crowd.awake()).into_par_iter().with_min_len(PIECE);
        let mut tired: Vec<usize> = rows.filter(rests).collect();
        tired.retain(|&row| may_sleep(settings, derived, scratch, state, row));
        // From the last on, so that the awake agents keep their rows.
        for &row in tired.iter().rev() {
            state.crowd.lay_down(row);
        }
        if !tired.is_empty() {
            derived.sleepers.rebuild(&state.crowd);
        }
    }
    wake(derived, state);
}

/// Counts for how many looks each agent has been at rest: where it wants to be, standing, and where it was; or held up:
/// no nearer to its post than before.
fn look_who_rests(scratch: &Scratch, crowd: &mut Crowd) {
    let awake = crowd.awake();
    let AgentRows { position, velocity, radius, preferred_velocity, .. } = &crowd.rows;
    let AgentSlots { follower, row_of, rest, .. } = &mut crowd.slots;
    let rests = rest.par_iter_mut().zip(follower).zip(row_of).with_min_len(PIECE);
    rests.filter(|&(_, &mut row)| (row as usize) < awake).for_each(|((rest, follower), &mut row)| {
        let row = row as usize;
        let at = position[row];
        let slow = |velocity: Vec2| velocity.length_squared() < STANDS * STANDS;
        let stands = !scratch.walk.wants[row] && slow(velocity[row]) && slow(preferred_velocity[row]);
        if stands && at.distance_squared(rest.place) < STAYED_M * STAYED_M {
            rest.looks = rest.looks.saturating_add(1);
        } else {
            (rest.place, rest.looks) = (at, 0);
        }
        if at.distance_squared(rest.anchor) < Rest::SWING * Rest::SWING {
            rest.swings = rest.swings.saturating_add(1);
        } else {
            (rest.anchor, rest.swings) = (at, 0);
        }
        if at.distance_squared(rest.around) < Rest::LINGER * Rest::LINGER {
            rest.lingers = rest.lingers.saturating_add(1);
        } else {
            (rest.around, rest.lingers) = (at, 0);
        }
        let left = at.distance(follower.post);
        if left > NEAR_POST {
            (rest.nearest, rest.held_up) = (f32::INFINITY, 0);
        } else if left < ARRIVAL_RADIUS || left < rest.nearest - NEARER_RADII * radius[row] {
            (rest.nearest, rest.held_up) = (left.min(rest.nearest), 0);
        } else {
            rest.held_up = rest.held_up.saturating_add(1);
        }
    });
}

/// Notes the agents that others at rest hold up: these make way.
fn look_who_presses(settings: &Settings, grid: &Grid, scratch: &Scratch, state: &mut State) {
    let crowd = &state.crowd;
    let view = crowd.rows.view(settings.step, grid, &scratch.walk.near);
    let rest_of = |row: usize| &crowd.slots.rest[view.slot[row] as usize];
    let awake = (0..crowd.awake().min(scratch.walk.near.len())).into_par_iter().with_min_len(PIECE);
    let lingering = awake.filter(|&row| rest_of(row).lingers >= PRESSES && scratch.walk.wants[row]);
    let pressing = lingering.filter(|&row| {
        let (at, radius) = (view.position[row], view.radius[row]);
        view.near.of(row).iter().map(|&other| other as usize).any(|other| {
            at.distance(view.position[other]) < radius + view.radius[other] + make_way::TOUCH_M
                && rest_of(other).looks > 0
                && make_way::may_yield(&view, &crowd.slots, other, radius)
        })
    });
    let mut pressing: Vec<u32> = pressing.map(|row| view.slot[row]).collect();
    pressing.sort_unstable();
    state.pressing = pressing;
}

/// True where an agent at rest has nothing to do, and no other would wake it soon.
fn may_sleep(settings: &Settings, derived: &Derived, scratch: &Scratch, state: &State, row: usize) -> bool {
    let (crowd, soldiers) = (&state.crowd, &state.soldiers);
    let slot = crowd.rows.slot[row] as usize;
    let waits = state.squads.get(crowd.slots.squad[slot] as usize).is_some_and(|squad| {
        matches!(squad.route_state, RouteState::New | RouteState::Wanted { .. } | RouteState::Asked { .. })
    });
    if waits
        || crowd.slots.follower[slot].route_progress != RouteProgress::OnRoute
        || state.driven.contains_key(&(slot as u32))
        || state.links.is_crossing(slot as u32)
        || soldiers.health[slot] <= 0.0
    {
        return false;
    }
    if crowd.row(soldiers.target(slot)).is_some() {
        return false;
    }
    let deep = settings.sleep.deep();
    let disturbed = |&other: &u32| {
        let other = other as usize;
        let touch = crowd.rows.radius[row] + crowd.rows.radius[other];
        let (way, wants) = (crowd.rows.position[other] - crowd.rows.position[row], scratch.walk.wants[other]);
        deep.wakes(way, crowd.rows.velocity[other], touch)
            || wants && deep.wakes(way, crowd.rows.preferred_velocity[other], touch)
    };
    !derived.looks_around(settings) || !scratch.walk.near.of(row).iter().any(disturbed)
}
