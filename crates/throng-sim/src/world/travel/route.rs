//! The routes of travellers: straight to the post, or along a route of their own.

use super::{IN_PLACE, Traveller};
use crate::battle::Patience;
use crate::crowd::{AgentId, LOOKS_LOST, RouteId, Trip};
use crate::world::delivery::{leg_in_sight, take_route};
use crate::world::parts::{MapView, State};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};

/// Where terrain or heights count, nobody goes further than this (m) without a route.
const SHORT: f32 = 3.0;

/// A goal that has moved less than this (m) from where the route leads is seen from its end.
const NEAR_END: f32 = 4.0;

/// So near to the end of its route (m), a traveller has come as near as it can.
const AT_END: f32 = 0.5;

/// It stays where it is, in its place if it is in it.
pub(super) fn stand(state: &mut State, id: AgentId, row: usize) {
    let (post, position) = (state.crowd.trip[id.slot as usize].post, state.crowd.position[row]);
    go_straight(state, id, if post.distance(position) < 2.0 * IN_PLACE { post } else { position });
}

/// It goes straight to a post and has no route.
pub(super) fn go_straight(state: &mut State, id: AgentId, post: Vec2) {
    let old = std::mem::replace(&mut state.crowd.trip[id.slot as usize], Trip::stay(post));
    state.routes.release(old.route);
    if old.post != post {
        state.waking.push(id.slot);
    }
}

/// True where it can go straight there.
pub(super) fn can_go_straight(map: MapView<'_>, state: &State, row: usize, to: Vec2) -> bool {
    let from = state.crowd.position[row];
    let unit = state.unit_of(state.crowd.slot[row] as usize);
    let walk = map.walk(state);
    let firm = walk.firm || unit.terrain.is_some();
    (!firm || from.distance(to) < SHORT) && walk.can_walk(from, to, state.crowd.radius[row])
}

/// Sends a traveller to a place: straight where it sees it, else by a route, for which it asks in this tick if it may. A
/// route that leads near there is kept.
pub(super) fn head_for(map: MapView<'_>, state: &mut State, traveller: &mut Traveller, row: usize, goal: Vec2) {
    let (id, slot) = (traveller.id, traveller.id.slot as usize);
    if traveller.goal != goal {
        traveller.goal = goal;
        state.desk.asking.remove(&id);
    }
    if can_go_straight(map, state, row, goal) {
        traveller.to = None;
        go_straight(state, id, goal);
        if let Some(patience) = state.desk.asking.get_mut(&id) {
            patience.is_content();
        }
        return;
    }
    let trip = &mut state.crowd.trip[slot];
    let under_way = trip.route != RouteId::NONE || trip.lost == Trip::ASKED || trip.lost == LOOKS_LOST;
    let lattice = map.grid.lattice();
    if under_way && traveller.to.is_some_and(|to| lattice.centre(to).distance(goal) < NEAR_END) {
        trip.post = if trip.route == RouteId::NONE { trip.post } else { goal };
        return;
    }
    let Some(to) = map.grounds[usize::from(traveller.ground)].nearest_passable(goal) else {
        go_straight(state, id, state.crowd.position[row]);
        if state.desk.asking.get(&id).is_none_or(|patience| patience.may_ask(state.tick)) {
            fail_alone(map, state, id);
        }
        return;
    };
    traveller.to = Some(to);
    go_straight(state, id, state.crowd.position[row]);
    // It asks when routes are asked for.
    state.crowd.trip[slot].lost = LOOKS_LOST;
}

/// On the way: a traveller that walks straight and does not see its goal any more, since it was pushed or a wall was built,
/// asks for a route.
pub(super) fn keep_on(map: MapView<'_>, state: &mut State, traveller: &mut Traveller, row: usize) {
    let trip = state.crowd.trip[traveller.id.slot as usize];
    if trip.route == RouteId::NONE && trip.lost == 0 || trip.lost == LOOKS_LOST {
        head_for(map, state, traveller, row, traveller.goal);
    }
}

/// True for a traveller that has come to the end of its route, and does not see its goal from there: nearer it cannot come.
pub(super) fn is_at_end(map: MapView<'_>, state: &State, traveller: &Traveller, row: usize) -> bool {
    let (position, radius) = (state.crowd.position[row], state.crowd.radius[row]);
    let Some(end) = state.routes.points(state.crowd.trip[traveller.id.slot as usize].route).last() else {
        return false;
    };
    // The first part of a route ends on the way.
    if traveller.to.is_none_or(|to| map.grid.lattice().centre(to) != end.at) {
        return false;
    }
    let is_open = walls::is_clear(map.grid, traveller.goal, radius);
    end.at.distance(position) < AT_END && !(is_open && map.walk(state).can_walk(position, traveller.goal, radius))
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
    let trip = state.crowd.trip[id.slot as usize];
    let changes_over = before != RouteId::NONE && trip.route == before;
    if !(changes_over || trip.lost == Trip::ASKED) {
        return;
    }
    if route == RouteId::NONE {
        // It asks again when its patience lets it.
        state.crowd.trip[id.slot as usize].lost = LOOKS_LOST;
        fail_alone(map, state, id);
        return;
    }
    let leg = match leg_in_sight(map, state, row, route) {
        None if changes_over => return,
        leg => leg.unwrap_or(0),
    };
    let left = state.routes.left(route, leg, state.crowd.position[row]);
    state.desk.asking.entry(id).or_default().finds(left);
    state.crowd.trip[id.slot as usize].post = end_of(map, state, route, &traveller, row);
    take_route(state, id, route, leg, trip.lane);
}

/// Where it stands at the end of a route: its goal, where that is open.
fn end_of(map: MapView<'_>, state: &State, route: RouteId, traveller: &Traveller, row: usize) -> Vec2 {
    let end = state.routes.points(route).last().map_or(traveller.goal, |last| last.at);
    if walls::is_clear(map.grid, traveller.goal, state.crowd.radius[row]) { traveller.goal } else { end }
}

/// There was no route for an agent: it waits before it asks again.
pub(in crate::world) fn fail_alone(map: MapView<'_>, state: &mut State, id: AgentId) {
    let second = map.ticks(1.0);
    let patience: &mut Patience = state.desk.asking.entry(id).or_default();
    patience.fails(state.tick, id.slot, second);
    state.events.no_route.push(id);
}

/// It leaves the world; its body goes at the start of the next tick.
pub(in crate::world) fn depart(state: &mut State, id: AgentId) {
    state.left.push(id);
    state.events.left.push(id);
    state.soldiers.health[id.slot as usize] = 0.0;
    let army = &mut state.armies[usize::from(state.crowd.army_of(id.slot))];
    army.alive -= 1;
    army.left += 1;
    if let Some(squad) = state.squads.get_mut(state.crowd.squad[id.slot as usize] as usize) {
        squad.tally.left += 1;
    }
}
