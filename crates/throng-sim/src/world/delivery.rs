//! Handing out routes to the squads and agents that asked for them.

use super::congestion::is_worth_a_turn;
use super::edits::{is_walkable, lost_mark};
use super::links::is_cut_off;
use super::parts::{MapView, State};
use super::route_requests::{
    BLOCKS, Pending, ReadyRoute, Requester, RouteKey, RouteRequests, WIDEST, drop_search, key_of_member,
};
use super::travel::{fail_alone, set_out_alone};
use super::{WorldError, posts};
use crate::battle::RouteState;
use crate::crowd::{AgentId, Lane, RouteFollower, RouteId, RouteProgress, entry, stretches};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};
use throng_plan::{Answer, AnswerKind, Pool, Status, Ticket};

/// Routes that only the requests still hold are dropped every so many ticks, with the search for better ones.
const TIDY_EVERY: u64 = 64;

/// Reads the searches that are due under the budget of this tick; writes which agents and squads walk which route. Global: the order of
/// asking.
///
/// # Errors
/// Where a planner panicked; the other routes are handed out all the same.
pub(super) fn deliver(map: MapView<'_>, pool: &mut Pool, state: &mut State) -> Result<(), WorldError> {
    let mut due = Vec::new();
    pool.deliver(map.settings.plan_budget, |answer| {
        let Answer { ticket, kind, result, turns, .. } = answer;
        due.push(ReadyRoute { ticket, kind, result, turns: turns.to_vec() });
    });
    let mut failed = Ok(());
    for answer in due {
        let Some(mut pending) = state.requests.pending.remove(&answer.ticket) else { continue };
        let found = match answer.result {
            Ok(outcome) => outcome.status == Status::Found,
            Err(error) => {
                failed = failed.and(Err(error.into()));
                false
            }
        };
        // A limit that is reached, or an error, leaves agents that walk already on their route.
        let route = if found { lay_route(map, state, &pending, &answer.turns) } else { pending.walked };
        if !found {
            state.routes.hold(route);
        }
        let is_cut_off = route != RouteId::NONE && is_cut_off(map.grid, state, route);
        let stale = pending.revision != map.grid.revision() || is_cut_off;
        if stale && !(route != RouteId::NONE && is_walkable(map.grid, state, route)) {
            state.routes.release(route);
            state.routes.release(pending.walked);
            pending.requesters.iter().for_each(|&requester| send_back(state, requester, &pending.key));
            pool.cancel(answer.ticket);
            continue;
        }
        if route != pending.walked || route == RouteId::NONE {
            for &requester in &pending.requesters {
                hand_out(map, state, requester, route, pending.walked, &pending.key);
            }
        }
        state.routes.release(pending.walked);
        if answer.kind == AnswerKind::Interim {
            pending.walked = route;
            state.requests.pending.insert(answer.ticket, pending);
            continue;
        }
        if state.requests.by_key.get(&pending.key) == Some(&answer.ticket) {
            state.requests.by_key.remove(&pending.key);
        }
        // The requests hold it too, for a later request with the same key.
        if stale {
            state.routes.release(route);
        } else if route != RouteId::NONE {
            state.routes.release(state.requests.walked.insert(pending.key, route).unwrap_or(RouteId::NONE));
        }
    }
    if state.tick.is_multiple_of(TIDY_EVERY) {
        state.requests.walked.retain(|_, &mut route| {
            let walked = state.routes.holders(route) > 1;
            if !walked {
                state.routes.release(route);
            }
            walked
        });
        drop_unwalked(pool, state);
    }
    failed
}

/// Stops the search for a better route where no agent walks the first one any more.
fn drop_unwalked(pool: &mut Pool, state: &mut State) {
    let unwalked = |pending: &Pending| pending.walked != RouteId::NONE && state.routes.holders(pending.walked) == 1;
    let pending = state.requests.pending.iter();
    let tickets: Vec<Ticket> = pending.filter(|(_, one)| unwalked(one)).map(|(&ticket, _)| ticket).collect();
    for ticket in tickets {
        drop_search(pool, state, ticket);
    }
}

fn lay_route(map: MapView<'_>, state: &mut State, pending: &Pending, turns: &[Cell]) -> RouteId {
    let ground = &map.grounds[usize::from(pending.key.ground)];
    // The body that has to fit beside the others is that of a member, not that of the whole squad.
    let requester = pending.requesters.iter().find_map(|&requester| match requester {
        Requester::Squad(s) | Requester::Detour(s) => {
            Some((state.units[usize::from(state.squads[s].unit)].radius, WIDEST))
        }
        Requester::Agent(_) | Requester::Traveller(_) => None,
    });
    let (body, widest) = requester.unwrap_or((ground.radius(), BLOCKS[0]));
    // The first part of a route ends on the way.
    let end = turns.last().copied().filter(|&end| end != pending.key.to).unwrap_or(pending.key.goal);
    let RouteRequests { points, crossings, .. } = &mut state.requests;
    stretches(ground, map.grid.clearance(), turns, end, body, widest, points, crossings);
    let route = state.routes.add(points);
    state.routes.set_crossings(route, crossings);
    route
}

/// The map has changed since the route was asked for, and it is no good: it is asked for again.
fn send_back(state: &mut State, requester: Requester, key: &RouteKey) {
    match requester {
        Requester::Agent(id) | Requester::Traveller(id) => {
            let lives = state.crowd.row(id).is_some();
            let route_progress = &mut state.crowd.slots.follower[id.slot as usize].route_progress;
            if lives && *route_progress == RouteProgress::Requested {
                *route_progress = RouteProgress::Lost;
            }
        }
        Requester::Squad(s) if state.squads[s].route_state == (RouteState::Asked { to: key.goal }) => {
            state.squads[s].route_state = RouteState::New;
        }
        Requester::Squad(_) | Requester::Detour(_) => {}
    }
}

/// Sets an agent or a squad out on a route, or says that there is none. An agent that walks `before`, the route that this one is better than or
/// goes on from, changes over to it from where it is.
pub(super) fn hand_out(
    map: MapView<'_>,
    state: &mut State,
    requester: Requester,
    route: RouteId,
    before: RouteId,
    key: &RouteKey,
) {
    let &RouteKey { from, goal: to, .. } = key;
    let walks = |walked: RouteId| before != RouteId::NONE && walked == before;
    match requester {
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
                let index = visible_waypoint(map, state, row, route).unwrap_or(0);
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
pub(super) fn fail(map: MapView<'_>, state: &mut State, s: usize, to: Cell) {
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
    let follows = |&id: &AgentId| state.crowd.row(id).filter(|_| !state.soldiers.flees(id.slot as usize));
    let first_index = |id: &AgentId| follows(id).map(|row| (row, visible_waypoint(map, state, row, route)));
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

/// Splices a route to where an agent is on the one before it. An agent that does not see it stays on the old one, until that
/// ends or it is lost.
fn change_over(map: MapView<'_>, state: &mut State, id: AgentId, row: usize, route: RouteId) {
    let Some(index) = visible_waypoint(map, state, row, route) else { return };
    let lane = state.crowd.slots.follower[id.slot as usize].lane;
    take_route(state, id, route, index, lane);
}

/// Gives an agent another route, which it follows from waypoint `index` on.
pub(super) fn take_route(state: &mut State, id: AgentId, route: RouteId, index: u32, lane: Lane) {
    state.routes.hold(route);
    state.waking.push(id.slot);
    let follower = &mut state.crowd.slots.follower[id.slot as usize];
    let old = std::mem::replace(
        follower,
        RouteFollower {
            route,
            waypoint_index: index,
            route_progress: RouteProgress::OnRoute,
            charges: false,
            lane,
            ..*follower
        },
    );
    state.routes.release(old.route);
}

/// The point of a route that the agent in a row can walk to at once, near where the route passes it.
pub(super) fn visible_waypoint(map: MapView<'_>, state: &State, row: usize, route: RouteId) -> Option<u32> {
    let (position, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let points = state.routes.points(route);
    let index = entry(points, position);
    // Where terrain or heights count, an agent skips no point of its route.
    let unit = state.unit_of(state.crowd.rows.slot[row] as usize);
    let counts = unit.terrain.is_some() || map.grid.height_layer().is_some();
    let furthest = if counts { index.max(1) } else { index + 1 };
    let first = |sees: &dyn Fn(Vec2) -> bool| {
        let indices = [furthest, index, index.saturating_sub(1)];
        indices.into_iter().find(|&index| points.get(index as usize).is_some_and(|point| sees(point.at)))
    };
    first(&|at| walls::line_of_sight(map.grid, map.grid.clearance(), position, at, radius))
        // An agent that touches a wall sees nothing with its whole radius.
        .or_else(|| first(&|at| map.route_view(state).can_walk(position, at, radius)))
}

/// Gives an agent a route from waypoint `index` on, in a lane within `half` (m) to either side of its start.
fn set_out(state: &mut State, id: AgentId, row: usize, index: u32, route: RouteId, half: f32) {
    let points = state.routes.points(route);
    // Each member keeps its place beside the others, to the right or left on the way.
    let start = points.first().map_or(Vec2::ZERO, |first| first.at);
    let across = points.get(1).map_or(Vec2::ZERO, |first| first.right);
    let right = (state.crowd.rows.position[row] - start).dot(across);
    take_route(state, id, route, index, Lane { right: right.clamp(-half, half), half });
}
