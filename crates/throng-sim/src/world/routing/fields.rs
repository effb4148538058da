//! Squads that walk by flow fields: one for all that have the same goal.

use super::hand_out::fail;
use crate::battle::RouteState;
use crate::crowd::{RouteFollower, RouteId};
use crate::world::parts::{Derived, MapView, State};
use crate::world::posts;
use crate::world::state::fields::Fields;
use std::sync::Arc;
use throng_grid::{Cell, Ground};
use throng_plan::{FlowField, PlanError, PlannerChoice};

/// True where a squad's planner is [`PlannerChoice::FlowField`].
pub(crate) fn walks_by_field(map: MapView<'_>, state: &State, s: usize) -> bool {
    map.planners[usize::from(state.squads[s].planner)].0 == PlannerChoice::FlowField
}

/// Reads squads that want to go somewhere by a field; writes the field that each walks by. One new field a tick is built at most, the
/// others wait for their turn. Global.
///
/// # Errors
/// Where a field cannot be built.
pub(crate) fn request(map: MapView<'_>, fields: &mut Fields, state: &mut State) -> Result<(), PlanError> {
    let (mut may_build, mut failed) = (true, Ok(()));
    // Each tick another squad has the first turn.
    let count = state.squads.len();
    let first = state.tick.checked_rem(count as u64).unwrap_or(0) as usize;
    for s in (first..count).chain(0..first) {
        let RouteState::Wanted { from, to } = state.squads[s].route_state else { continue };
        if !walks_by_field(map, state, s) {
            continue;
        }
        let key = (state.squads[s].ground, to);
        if !fields.built.contains_key(&key) {
            if !std::mem::take(&mut may_build) {
                continue;
            }
            if let Err(error) = fields.build(map.grounds, key) {
                fail(map, state, s, to);
                failed = failed.and(Err(error));
            }
        }
        let Some(field) = fields.built.get(&key).cloned() else { continue };
        if field.cost(from).is_some() {
            follow_field(map, state, s, field, to);
        } else {
            fail(map, state, s, to);
        }
    }
    failed
}

/// Sets a squad on a field: all members at once, wherever they are.
fn follow_field(map: MapView<'_>, state: &mut State, s: usize, field: Arc<FlowField>, to: Cell) {
    let squad = &mut state.squads[s];
    squad.field = Some(field);
    squad.route_state = RouteState::Walked { to };
    squad.backoff.is_content();
    posts::assign(map, state, s, to);
    let State { squads, crowd, routes, requests, waking, .. } = &mut *state;
    for &id in &squads[s].members {
        if crowd.row(id).is_none() {
            continue;
        }
        waking.push(id.slot);
        let follower = &mut crowd.slots.follower[id.slot as usize];
        let RouteFollower { post, is_sent, has_come, .. } = *follower;
        let old = std::mem::replace(follower, RouteFollower { is_sent, has_come, ..RouteFollower::stay(post) });
        routes.release(old.route);
        requests.backoffs.remove(&id);
    }
    routes.release(squads[s].take_route(RouteId::NONE));
}

/// Mends the fields over these grounds after an edit of the map, or another count of the crowd. A squad whose goal is in a
/// wall now has none; one that cannot come there any more asks again; ranks turn to another way.
pub(crate) fn repair(derived: &mut Derived, state: &mut State, dirty: &[Cell], over: impl Fn(&Ground) -> bool) {
    let Fields { built, scratch } = &mut derived.fields;
    let grounds = &derived.grounds;
    built.retain(|&(ground, _), field| {
        let ground = &grounds[usize::from(ground)];
        !over(ground)
            || Arc::strong_count(field) > 1
                && field.updated(ground, dirty, scratch).map(|mended| *field = Arc::new(mended)).is_ok()
    });
    let State { squads, crowd, .. } = &mut *state;
    for squad in squads.iter_mut() {
        let Some(old) = squad.field.take() else { continue };
        squad.field = old.goals().first().and_then(|&goal| built.get(&(squad.ground, goal)).cloned());
        let Some(field) = &squad.field else { continue };
        let ground = &grounds[usize::from(squad.ground)];
        let is_on_its_way = matches!(squad.route_state, RouteState::Walked { .. });
        let leads =
            |row: usize| ground.nearest_passable(crowd.rows.position[row]).and_then(|cell| field.cost(cell)).is_some();
        if is_on_its_way && !squad.members.iter().filter_map(|&id| crowd.row(id)).any(leads) {
            squad.route_state = RouteState::New;
        } else if let Some(ranks) = &mut squad.ranks
            && let Some(from) = ground.nearest_passable(squad.middle)
            && !way(&old, from).eq(way(field, from))
        {
            ranks.turn();
        }
    }
}

/// The cells of the way by a field.
fn way(field: &FlowField, from: Cell) -> impl Iterator<Item = Cell> {
    std::iter::successors(Some(from), |&cell| field.next(cell))
}
