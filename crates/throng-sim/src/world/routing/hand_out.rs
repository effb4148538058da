//! A route is handed out to the squads and agents that asked for it.

use super::detour::is_worth_a_turn;
use super::follower::{change_over, lost_mark, set_out, visible_waypoint};
use super::key::{BLOCKS, WIDEST, key_of_member};
use super::way_round;
use crate::battle::RouteState;
use crate::crowd::{AgentId, RouteId, RouteProgress};
use crate::world::parts::{MapView, State};
use crate::world::posts;
use crate::world::state::requests::{Requester, RouteKey};
use crate::world::travel::{fail_alone, set_out_alone};
use rayon::prelude::*;
use throng_grid::Cell;
use throng_grid::geom::Vec2;

/// Sets an agent or a squad out on a route, or says that there is none. An agent that walks `before`, the route that this one is better than or
/// goes on from, changes over to it from where it is.
pub(crate) fn hand_out(
    map: MapView<'_>,
    state: &mut State,
    requester: Requester,
    route: RouteId,
    before: RouteId,
    key: &RouteKey,
) {
    let &RouteKey { from, to: end, goal: to, .. } = key;
    let from = from.unwrap_or(end);
    let walks = |walked: RouteId| before != RouteId::NONE && walked == before;
    match requester {
        Requester::WayRound(id) => way_round::hand_out(map, state, id, route, key),
        Requester::Traveller(id) => set_out_alone(map, state, id, route, before, to),
        Requester::Agent(id) => {
            let Some(row) = state.crowd.row(id) else { return };
            let is_bound = key_of_member(map, state, id).is_some_and(|key| key.to == to);
            let follower = &mut state.crowd.slots.follower[id.slot as usize];
            if !is_bound {
                // It is to go elsewhere by now: it sets out with its squad, or asks anew.
                if follower.route_progress == RouteProgress::Requested {
                    follower.route_progress = RouteProgress::Lost;
                }
            } else if walks(follower.route) {
                change_over(map, state, id, row, route);
            } else if follower.route_progress != RouteProgress::Requested && !follower.is_lost() {
                // It has another route by now.
            } else if route == RouteId::NONE {
                let walked = follower.route;
                state.crowd.slots.follower[id.slot as usize].route_progress = lost_mark(map.grid, state, walked);
                fail_alone(map, state, id);
            } else {
                let index = visible_waypoint(map, state, row, (route, false)).unwrap_or(0);
                let left = state.routes.left(route, index, state.crowd.rows.position[row]);
                state.requests.backoffs.entry(id).or_default().finds(left);
                set_out(state, id, row, index, route, 0.5 * BLOCKS[0]);
            }
        }
        Requester::Squad(s)
            if state.squads[s].route_state == (RouteState::Walked { to }) && walks(state.squads[s].route) =>
        {
            state.routes.hold(route);
            state.routes.release(state.squads[s].take_route(route));
            for m in 0..state.squads[s].members.len() {
                let id = state.squads[s].members[m];
                if let Some(row) =
                    state.crowd.row(id).filter(|_| walks(state.crowd.slots.follower[id.slot as usize].route))
                {
                    change_over(map, state, id, row, route);
                }
            }
        }
        Requester::Detour(s) => {
            if state.squads[s].route_state == (RouteState::Walked { to }) && is_worth_a_turn(map, state, s, route) {
                march(map, state, s, route, from, to);
            }
        }
        // The order has changed since.
        Requester::Squad(s) if state.squads[s].route_state != (RouteState::Asked { to }) => {}
        Requester::Squad(s) if route == RouteId::NONE => fail(map, state, s, to),
        Requester::Squad(s) => march(map, state, s, route, from, to),
    }
}

/// There is no route for a squad: it waits before it asks again.
pub(crate) fn fail(map: MapView<'_>, state: &mut State, s: usize, to: Cell) {
    let second = map.ticks(1.0);
    state.squads[s].route_state = RouteState::Unreachable { to };
    let members = state.squads[s].members.iter().filter(|&&id| state.crowd.row(id).is_some());
    state.events.no_route.extend(members);
    state.squads[s].backoff.fails(state.tick, s as u32, second);
}

/// Sets a squad on a route. Members that see it walk it; the others go on as they were, and ask for their own.
fn march(map: MapView<'_>, state: &mut State, s: usize, route: RouteId, from: Cell, to: Cell) {
    state.routes.hold(route);
    state.routes.release(state.squads[s].take_route(route));
    state.squads[s].route_state = RouteState::Walked { to };
    state.squads[s].backoff.is_content();
    posts::assign(map, state, s, to);
    let members = &state.squads[s].members;
    let start = map.grid.lattice().centre(from);
    let across = state.routes.points(route).get(1).map_or(Vec2::ZERO, |first| first.right);
    let rows = members.iter().filter_map(|&id| state.crowd.row(id));
    let half =
        rows.map(|row| (state.crowd.rows.position[row] - start).dot(across).abs()).fold(0.0, f32::max).min(WIDEST);
    let follows = |&id: &AgentId| state.crowd.row(id).filter(|_| !state.escapes(id.slot as usize));
    let first_index = |id: &AgentId| follows(id).map(|row| (row, visible_waypoint(map, state, row, (route, false))));
    let indices: Vec<_> = members.par_iter().with_min_len(256).map(first_index).collect();
    // Most have walked the same route.
    let mut marked = (RouteId::NONE, RouteProgress::Lost);
    for (m, index) in indices.into_iter().enumerate() {
        let Some((row, index)) = index else { continue };
        let id = state.squads[s].members[m];
        state.requests.backoffs.remove(&id);
        if let Some(index) = index {
            set_out(state, id, row, index, route, half);
        } else {
            state.waking.push(id.slot);
            let walked = state.crowd.slots.follower[id.slot as usize].route;
            if walked != marked.0 {
                marked = (walked, lost_mark(map.grid, state, walked));
            }
            state.crowd.slots.follower[id.slot as usize].route_progress = marked.1;
        }
    }
}
