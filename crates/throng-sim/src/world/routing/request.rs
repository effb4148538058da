//! Squads and lost agents ask for routes.

use super::ask::{ask, drop_unawaited};
use super::fields::walks_by_field;
use super::follower::drop_cut_route;
use super::key::{BLOCKS, key_of_member, key_of_squad};
use super::shared_field::goals_to_share;
use crate::battle::RouteState;
use crate::crowd::{AgentId, RouteFollower, RouteId, RouteProgress};
use crate::world::parts::{MapView, State};
use crate::world::state::requests::{Requester, RouteKey};
use crate::world::travel::fail_alone;
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, walls};
use throng_plan::Pool;

/// Reads squads and lost agents; writes the routes that they ask for: squads first, in their order, then agents by slot. Global: equal
/// routes are asked for once.
pub(crate) fn request(map: MapView<'_>, pool: &mut Pool, state: &mut State) {
    drop_unawaited(pool, state);
    for s in 0..state.squads.len() {
        if let RouteState::Wanted { from, to } = state.squads[s].route_state
            && !walks_by_field(map, state, s)
        {
            state.squads[s].route_state = RouteState::Asked { to };
            state.squads[s].backoff.asks(state.tick);
            let key = key_of_squad(map, state, &state.squads[s], from, to);
            ask(map, pool, state, key, Requester::Squad(s));
        }
    }
    // They take turns, so that a squad of thousands that loses sight of its route does not ask in one tick.
    let mut alone = Vec::new();
    let schedule = map.settings.schedule(state.tick);
    let asks = |&slot: &usize| {
        let follower = &state.crowd.slots.follower[slot];
        follower.has_come || follower.is_lost()
    };
    let asking: Vec<usize> = schedule.par_slots(state.crowd.slots.follower.len()).filter(asks).collect();
    for slot in asking {
        let row = state.crowd.slots.row_of[slot] as usize;
        let has_come = std::mem::take(&mut state.crowd.slots.follower[slot].has_come);
        if has_come && row < state.crowd.len() && !state.is_dead(slot as u32) {
            state.events.arrived.push(state.crowd.id(slot as u32));
        }
        // Agents that sleep, are gone or run are not lost.
        if row >= state.crowd.awake() || !state.crowd.slots.follower[slot].is_lost() || state.escapes(slot) {
            continue;
        }
        // An agent on a link asks where it comes down.
        if state.links.is_crossing(slot as u32) {
            continue;
        }
        let id = state.crowd.id(slot as u32);
        let follower = &state.crowd.slots.follower[slot];
        let left = || state.routes.left(follower.route, follower.waypoint_index, state.crowd.rows.position[row]);
        let backoff = state.requests.backoffs.get_mut(&id);
        let may = backoff.is_none_or(|backoff| {
            backoff.may_ask(state.tick) || follower.route != RouteId::NONE && backoff.comes_nearer(left())
        });
        if let Some(traveller) = state.travels.travellers.get(&id.slot) {
            let (planner, ground, to) = (traveller.planner, traveller.ground, traveller.to);
            if let Some(to) = to.filter(|_| may) {
                alone.push((row, RouteKey { planner, ground, from: None, to, goal: to }, Requester::Traveller(id)));
            }
            continue;
        }
        match key_of_member(map, state, id) {
            Some(key) if may => alone.push((row, key, Requester::Agent(id))),
            Some(_) => {}
            None => lose_the_way(map, state, id),
        }
    }
    let start = |&(row, key, _): &(usize, RouteKey, Requester)| {
        let ground = &map.grounds[usize::from(key.ground)];
        let from = meeting_place(ground, state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        from.filter(|&from| ground.leads(from, key.to))
    };
    let starts: Vec<_> = alone.par_iter().with_min_len(64).map(start).collect();
    for ((_, key, _), from) in alone.iter_mut().zip(starts) {
        key.from = from;
    }
    let shared = goals_to_share(map, state, alone.iter().map(|&(_, key, _)| key));
    for (row, mut key, requester) in alone {
        let id = state.crowd.id(state.crowd.rows.slot[row]);
        if key.from.is_none() {
            state.requests.asked += 1;
            fail_alone(map, state, id);
            continue;
        }
        let second = map.ticks(1.0);
        let RouteFollower { route_progress, route: has, .. } = &mut state.crowd.slots.follower[id.slot as usize];
        *route_progress = RouteProgress::Requested;
        state.requests.backoffs.entry(id).or_default().asks_anew(state.tick, id.slot, second, *has);
        let of_all = RouteKey { from: None, ..key };
        if shared.contains(&of_all) && !state.requests.walked.contains_key(&key) {
            key = of_all;
        }
        ask(map, pool, state, key, requester);
    }
}

/// The squad of a lost agent walks nowhere. The agent sets out with it if that asks for a route; else, if its own is cut, it stays
/// where it is.
fn lose_the_way(map: MapView<'_>, state: &mut State, id: AgentId) {
    let squad = state.squad_of(id.slot as usize).map(|squad| squad.route_state);
    let sets_out = matches!(squad, Some(RouteState::New | RouteState::Wanted { .. } | RouteState::Asked { .. }));
    let follower = &state.crowd.slots.follower[id.slot as usize];
    let sees_post = || {
        let row = state.crowd.row(id);
        row.is_some_and(|row| {
            map.route_view(state).can_walk(state.crowd.rows.position[row], follower.post, state.crowd.rows.radius[row])
        })
    };
    match follower.route_progress {
        RouteProgress::Cut if sets_out => {}
        RouteProgress::Cut => drop_cut_route(map.grid, state, id),
        _ if follower.route == RouteId::NONE && !sees_post() => {}
        _ => state.crowd.slots.follower[id.slot as usize].route_progress = RouteProgress::OnRoute,
    }
}

/// The cell at which a lost agent's route starts: the middle of its block, if it sees that, else the nearest cell. So
/// agents that are lost together ask for one route.
pub(super) fn meeting_place(ground: &Ground, position: Vec2, radius: f32) -> Option<Cell> {
    let (grid, lattice) = (ground.grid(), ground.lattice());
    BLOCKS
        .iter()
        .map(|side| lattice.at(((position / side).floor() + 0.5) * side))
        .find(|&middle| {
            ground.is_passable(middle)
                && walls::line_of_sight(grid, grid.clearance(), position, lattice.centre(middle), radius)
        })
        .or_else(|| ground.nearest_passable(position))
}
