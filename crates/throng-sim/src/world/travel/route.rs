//! The routes of travellers: straight to the post, or along a route of their own.

use crate::battle::{RetryBackoff, is_astray};
use crate::crowd::{AgentId, RouteFollower, RouteId, RouteProgress};
use crate::world::parts::{MapView, State};
use crate::world::routing::follower::{drop_cut_route, lost_mark, take_route, visible_waypoint};
use crate::world::state::requests::Requester;
use crate::world::state::travels::Traveller;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};

/// If terrain or heights count, an agent goes no further than this (m) without a route.
const FREE_WALK_M: f32 = 3.0;

/// A goal that has moved less than this (m) from where the route leads is seen from its end.
const SEEN_FROM_END_M: f64 = 4.0;

/// So near to the end of its route (m), a traveller has come as near as it can.
const AT_END_M: f32 = 0.5;

/// So near to its place (m), an agent stands in it.
pub(super) const IN_PLACE: f32 = 0.3;

/// It stays where it is, in its place if it is in it.
pub(super) fn stand(state: &mut State, id: AgentId, row: usize) {
    let (post, position) = (state.crowd.slots.follower[id.slot as usize].post, state.crowd.rows.position[row]);
    go_straight(state, id, if post.distance(position) < 2.0 * IN_PLACE { post } else { position });
}

/// It goes straight to a post and has no route.
pub(super) fn go_straight(state: &mut State, id: AgentId, post: Vec2) {
    state.requests.withdraw(Requester::Traveller(id));
    state.requests.withdraw(Requester::WayRound(id));
    let old = std::mem::replace(&mut state.crowd.slots.follower[id.slot as usize], RouteFollower::stay(post));
    state.routes.release(old.route);
    if old.post != post {
        state.waking.push(id.slot);
    }
}

/// True where it can go straight there.
pub(super) fn can_go_straight(map: MapView<'_>, state: &State, row: usize, to: Vec2) -> bool {
    let from = state.crowd.rows.position[row];
    let unit = state.unit_of(state.crowd.rows.slot[row] as usize);
    let view = map.route_view(state);
    let follower = &state.crowd.slots.follower[state.crowd.rows.slot[row] as usize];
    let goes_round = follower.goes_round && follower.route != RouteId::NONE;
    let firm = view.firm || unit.terrain.is_some() || goes_round;
    (!firm || from.distance(to) < FREE_WALK_M) && view.can_walk(from, to, state.crowd.rows.radius[row])
}

/// Sends a traveller to a place: straight where it sees it, else by a route, for which it asks in this tick if it may. A
/// route that leads near there is kept; another one is walked until the new one is there. It waits for one route at a time: that is
/// of use, though the goal has moved since.
pub(super) fn head_for(map: MapView<'_>, state: &mut State, traveller: &mut Traveller, row: usize, goal: Vec2) {
    let (id, slot) = (traveller.id, traveller.id.slot as usize);
    if leads_astray(state, traveller.goal, row, goal) {
        state.requests.backoffs.remove(&id);
    }
    traveller.goal = goal;
    if can_go_straight(map, state, row, goal) {
        traveller.to = None;
        go_straight(state, id, goal);
        if let Some(backoff) = state.requests.backoffs.get_mut(&id) {
            backoff.is_content();
        }
        return;
    }
    let follower = &mut state.crowd.slots.follower[slot];
    let (has_route, waits) = (follower.route != RouteId::NONE, follower.route_progress == RouteProgress::Requested);
    let leads_near = traveller.to.is_some() && !leads_astray(state, traveller.sought, row, goal);
    if waits || leads_near && (has_route || state.crowd.slots.follower[slot].is_lost()) {
        if has_route && leads_near {
            state.crowd.slots.follower[slot].post = goal;
        }
        return;
    }
    let Some(to) = map.grounds[usize::from(traveller.ground)].goal_cell(state.crowd.rows.position[row], goal) else {
        go_straight(state, id, state.crowd.rows.position[row]);
        if state.requests.backoffs.get(&id).is_none_or(|backoff| backoff.may_ask(state.tick)) {
            fail_alone(map, state, id);
        }
        return;
    };
    (traveller.to, traveller.sought) = (Some(to), goal);
    // It asks when routes are asked for.
    if has_route {
        state.crowd.slots.follower[slot].route_progress = RouteProgress::Cut;
        state.requests.backoffs.remove(&id);
    } else {
        go_straight(state, id, state.crowd.rows.position[row]);
        state.crowd.slots.follower[slot].route_progress = RouteProgress::Lost;
    }
}

/// True where the way to one point (m) is not the way to another for the agent in a row.
fn leads_astray(state: &State, sought: Vec2, row: usize, goal: Vec2) -> bool {
    is_astray(sought, goal, state.crowd.rows.position[row], SEEN_FROM_END_M)
}

/// On the way: a traveller that walks straight and does not see its goal any more, since it was pushed or a wall was built,
/// asks for a route; so does one whose goal has moved away from where its route leads.
pub(super) fn keep_on(map: MapView<'_>, state: &mut State, traveller: &mut Traveller, row: usize) {
    let follower = state.crowd.slots.follower[traveller.id.slot as usize];
    let is_straight = follower.route == RouteId::NONE && follower.route_progress == RouteProgress::OnRoute;
    let is_astray = || leads_astray(state, traveller.sought, row, traveller.goal);
    if is_straight || follower.is_lost() || traveller.to.is_none() || is_astray() {
        head_for(map, state, traveller, row, traveller.goal);
    }
}

/// True for a traveller that has come to the end of its route, and does not see its goal from there: nearer it cannot come.
pub(super) fn is_at_end(map: MapView<'_>, state: &State, traveller: &Traveller, row: usize) -> bool {
    let (position, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let Some(end) = state.routes.points(state.crowd.slots.follower[traveller.id.slot as usize].route).last() else {
        return false;
    };
    // The first part of a route ends on the way.
    if traveller.to.is_none_or(|to| map.grid.lattice().centre(to) != end.at) {
        return false;
    }
    let is_open = walls::is_clear(map.grid, traveller.goal, radius);
    end.at.distance(position) < AT_END_M
        && !(is_open && map.route_view(state).can_walk(position, traveller.goal, radius))
}

/// Sets a traveller out on a route, or says that there is none.
pub(in crate::world) fn set_out_alone(
    map: MapView<'_>,
    state: &mut State,
    id: AgentId,
    route: RouteId,
    before: RouteId,
    to: Cell,
) {
    let Some(&traveller) = state.travels.travellers.get(&id.slot).filter(|one| one.id == id) else { return };
    let Some(row) = state.crowd.row(id).filter(|_| traveller.to == Some(to)) else { return };
    let follower = state.crowd.slots.follower[id.slot as usize];
    let changes_over = before != RouteId::NONE && follower.route == before;
    if !(changes_over || follower.route_progress == RouteProgress::Requested) {
        return;
    }
    let (here, goal) = (state.crowd.rows.position[row], traveller.goal);
    let leads_away = || map.grid.lattice().centre(to).distance(goal) > here.distance(goal);
    if leads_astray(state, traveller.sought, row, goal) && (route == RouteId::NONE || leads_away()) {
        // It was sent elsewhere since, and asks anew when it looks next.
        state.crowd.slots.follower[id.slot as usize].route_progress = lost_mark(map.grid, state, follower.route);
        state.travels.travellers.entry(id.slot).and_modify(|one| (one.to, one.look) = (None, 0));
        return;
    }
    if route == RouteId::NONE {
        // It asks again after its back-off.
        state.crowd.slots.follower[id.slot as usize].route_progress = lost_mark(map.grid, state, follower.route);
        fail_alone(map, state, id);
        return;
    }
    let index = match visible_waypoint(map, state, row, (route, false)) {
        None if changes_over => return,
        index => index.unwrap_or(0),
    };
    let left = state.routes.left(route, index, state.crowd.rows.position[row]);
    state.requests.backoffs.entry(id).or_default().finds(left);
    state.crowd.slots.follower[id.slot as usize].post = end_of(map, state, route, &traveller, row);
    take_route(state, id, route, index, follower.lane);
}

/// A way round others leads an agent to a cell: a traveller is bound for that from now on. False where it is neither that nor in a squad.
pub(in crate::world) fn takes_way_round(
    map: MapView<'_>,
    state: &mut State,
    id: AgentId,
    row: usize,
    route: RouteId,
    to: Cell,
) -> bool {
    if state.crowd.slots.squad_of(id.slot as usize).is_some() {
        return true;
    }
    let Some(&traveller) = state.travels.travellers.get(&id.slot).filter(|one| one.id == id) else { return false };
    state.crowd.slots.follower[id.slot as usize].post = end_of(map, state, route, &traveller, row);
    state.travels.travellers.insert(id.slot, Traveller { to: Some(to), sought: traveller.goal, ..traveller });
    true
}

/// The place where it stands at the end of a route: its goal, if that is open.
fn end_of(map: MapView<'_>, state: &State, route: RouteId, traveller: &Traveller, row: usize) -> Vec2 {
    let end = state.routes.points(route).last().map_or(traveller.goal, |last| last.at);
    if walls::is_clear(map.grid, traveller.goal, state.crowd.rows.radius[row]) { traveller.goal } else { end }
}

/// There was no route for an agent: it waits before it asks again.
pub(in crate::world) fn fail_alone(map: MapView<'_>, state: &mut State, id: AgentId) {
    drop_cut_route(map.grid, state, id);
    let second = map.ticks(1.0);
    let backoff: &mut RetryBackoff = state.requests.backoffs.entry(id).or_default();
    backoff.fails(state.tick, id.slot, second);
    state.events.no_route.push(id);
}

/// It leaves the world, at the end of its journey or since it has fled; its body goes at the start of the next tick.
pub(in crate::world) fn depart(state: &mut State, id: AgentId, has_fled: bool) {
    state.left.push(id);
    state.events.left.push(id);
    state.soldiers.health[id.slot as usize] = 0.0;
    let army = &mut state.armies[state.crowd.army_of(id.slot).index()];
    army.alive -= 1;
    *(if has_fled { &mut army.routed } else { &mut army.left }) += 1;
    if let Some(squad) = state.squads.get_mut(state.crowd.slots.squad[id.slot as usize] as usize) {
        *(if has_fled { &mut squad.tally.routed } else { &mut squad.tally.left }) += 1;
    }
}
