//! Routes are handed out to those that asked for them.

use super::congestion::is_worth_a_turn;
use super::edits::is_walkable;
use super::links::is_cut_off;
use super::parts::{MapView, State};
use super::routes::{Asker, BLOCKS, Desk, Due, Pending, WIDEST, Way, drop_search, key_of_member};
use super::travel::{fail_alone, set_out_alone};
use super::{WorldError, posts};
use crate::battle::Errand;
use crate::crowd::{AgentId, LOOKS_LOST, Lane, RouteId, Trip, entry, stretches};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};
use throng_plan::{Answer, AnswerKind, Pool, Status, Ticket};

/// Routes that only the desk still holds are dropped every so many ticks, with the search for better ones.
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
        due.push(Due { ticket, kind, result, turns: turns.to_vec() });
    });
    let mut failed = Ok(());
    for answer in due {
        let Some(mut pending) = state.desk.pending.remove(&answer.ticket) else { continue };
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
            pending.askers.iter().for_each(|&asker| send_back(state, asker, &pending.trip));
            pool.cancel(answer.ticket);
            continue;
        }
        if route != pending.walked || route == RouteId::NONE {
            for &asker in &pending.askers {
                hand_out(map, state, asker, route, pending.walked, &pending.trip);
            }
        }
        state.routes.release(pending.walked);
        if answer.kind == AnswerKind::Interim {
            pending.walked = route;
            state.desk.pending.insert(answer.ticket, pending);
            continue;
        }
        if state.desk.by_trip.get(&pending.trip) == Some(&answer.ticket) {
            state.desk.by_trip.remove(&pending.trip);
        }
        // The desk holds it too, for those who ask for the same trip later.
        if stale {
            state.routes.release(route);
        } else if route != RouteId::NONE {
            state.routes.release(state.desk.walked.insert(pending.trip, route).unwrap_or(RouteId::NONE));
        }
    }
    if state.tick.is_multiple_of(TIDY_EVERY) {
        state.desk.walked.retain(|_, &mut route| {
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
    let pending = state.desk.pending.iter();
    let tickets: Vec<Ticket> = pending.filter(|(_, one)| unwalked(one)).map(|(&ticket, _)| ticket).collect();
    for ticket in tickets {
        drop_search(pool, state, ticket);
    }
}

fn lay_route(map: MapView<'_>, state: &mut State, pending: &Pending, turns: &[Cell]) -> RouteId {
    let ground = &map.grounds[usize::from(pending.trip.ground)];
    // The body that has to fit beside the others is that of a member, not that of the whole squad.
    let asker = pending.askers.iter().find_map(|&asker| match asker {
        Asker::Squad(s) | Asker::Detour(s) => Some((state.units[usize::from(state.squads[s].unit)].radius, WIDEST)),
        Asker::Agent(_) | Asker::Traveller(_) => None,
    });
    let (body, widest) = asker.unwrap_or((ground.radius(), BLOCKS[0]));
    // The first part of a route ends on the way.
    let end = turns.last().copied().filter(|&end| end != pending.trip.to).unwrap_or(pending.trip.goal);
    let Desk { points, crossings, .. } = &mut state.desk;
    stretches(ground, map.grid.clearance(), turns, end, body, widest, points, crossings);
    let route = state.routes.add(points);
    state.routes.set_crossings(route, crossings);
    route
}

/// The map has changed since the route was asked for, and it is no good: it is asked for again.
fn send_back(state: &mut State, asker: Asker, trip: &Way) {
    match asker {
        Asker::Agent(id) | Asker::Traveller(id) => {
            let lives = state.crowd.row(id).is_some();
            let lost = &mut state.crowd.trip[id.slot as usize].lost;
            if lives && *lost == Trip::ASKED {
                *lost = LOOKS_LOST;
            }
        }
        Asker::Squad(s) if state.squads[s].errand == (Errand::Asked { to: trip.goal }) => {
            state.squads[s].errand = Errand::New;
        }
        Asker::Squad(_) | Asker::Detour(_) => {}
    }
}

/// Sets an agent or a squad out on a route, or says that there is none. An agent that walks `before`, the route that this one is better than or
/// goes on from, changes over to it from where it is.
pub(super) fn hand_out(map: MapView<'_>, state: &mut State, asker: Asker, route: RouteId, before: RouteId, trip: &Way) {
    let &Way { from, goal: to, .. } = trip;
    let walks = |walked: RouteId| before != RouteId::NONE && walked == before;
    match asker {
        Asker::Traveller(id) => set_out_alone(map, state, id, route, before, to),
        Asker::Agent(id) => {
            let Some(row) = state.crowd.row(id) else { return };
            let is_bound = key_of_member(map, state, id).is_some_and(|way| way.to == to);
            let trip = &mut state.crowd.trip[id.slot as usize];
            if !is_bound {
                // It is to go elsewhere by now: it sets out with its squad, or asks anew.
                trip.lost = if trip.lost == Trip::ASKED { LOOKS_LOST } else { trip.lost };
            } else if walks(trip.route) {
                change_over(map, state, id, row, route);
            } else if trip.lost != Trip::ASKED && !trip.is_lost() {
                // It has another route by now.
            } else if route == RouteId::NONE {
                trip.lost = LOOKS_LOST;
                fail_alone(map, state, id);
            } else {
                let leg = leg_in_sight(map, state, row, route).unwrap_or(0);
                let left = state.routes.left(route, leg, state.crowd.position[row]);
                state.desk.asking.entry(id).or_default().finds(left);
                set_out(state, id, row, leg, route, 0.5 * BLOCKS[0]);
            }
        }
        Asker::Squad(s) if state.squads[s].errand == (Errand::Walked { to }) && walks(state.squads[s].route) => {
            state.routes.hold(route);
            state.routes.release(state.squads[s].take_route(route));
            for m in 0..state.squads[s].members.len() {
                let id = state.squads[s].members[m];
                if let Some(row) = state.crowd.row(id).filter(|_| walks(state.crowd.trip[id.slot as usize].route)) {
                    change_over(map, state, id, row, route);
                }
            }
        }
        Asker::Detour(s) => {
            if state.squads[s].errand == (Errand::Walked { to }) && is_worth_a_turn(map, state, s, route) {
                march(map, state, s, route, from, to);
            }
        }
        // The order has changed since.
        Asker::Squad(s) if state.squads[s].errand != (Errand::Asked { to }) => {}
        Asker::Squad(s) if route == RouteId::NONE => fail(map, state, s, to),
        Asker::Squad(s) => march(map, state, s, route, from, to),
    }
}

/// There is no route for a squad: it waits before it asks again.
pub(super) fn fail(map: MapView<'_>, state: &mut State, s: usize, to: Cell) {
    let second = map.ticks(1.0);
    state.squads[s].errand = Errand::Unreachable { to };
    let members = state.squads[s].members.iter().filter(|&&id| state.crowd.row(id).is_some());
    state.events.no_route.extend(members);
    state.squads[s].patience.fails(state.tick, s as u32, second);
}

/// Sets a squad on a route. Members who see it walk it; the others go on as they were, and ask for their own.
fn march(map: MapView<'_>, state: &mut State, s: usize, route: RouteId, from: Cell, to: Cell) {
    state.routes.hold(route);
    state.routes.release(state.squads[s].take_route(route));
    state.squads[s].errand = Errand::Walked { to };
    state.squads[s].patience.is_content();
    posts::assign(map, state, s, to);
    let members = &state.squads[s].members;
    let start = map.grid.lattice().centre(from);
    let across = state.routes.points(route).get(1).map_or(Vec2::ZERO, |first| first.right);
    let rows = members.iter().filter_map(|&id| state.crowd.row(id));
    let half = rows.map(|row| (state.crowd.position[row] - start).dot(across).abs()).fold(0.0, f32::max).min(WIDEST);
    let follows = |&id: &AgentId| state.crowd.row(id).filter(|_| !state.soldiers.flees(id.slot as usize));
    let first_leg = |id: &AgentId| follows(id).map(|row| (row, leg_in_sight(map, state, row, route)));
    let legs: Vec<_> = members.par_iter().with_min_len(256).map(first_leg).collect();
    for (m, leg) in legs.into_iter().enumerate() {
        let Some((row, leg)) = leg else { continue };
        let id = state.squads[s].members[m];
        state.desk.asking.remove(&id);
        if let Some(leg) = leg {
            set_out(state, id, row, leg, route, half);
        } else {
            state.waking.push(id.slot);
            state.crowd.trip[id.slot as usize].lost = LOOKS_LOST;
        }
    }
}

/// Splices a route to where an agent is on the one before it. An agent that does not see it stays on the old one, until that
/// ends or it is lost.
fn change_over(map: MapView<'_>, state: &mut State, id: AgentId, row: usize, route: RouteId) {
    let Some(leg) = leg_in_sight(map, state, row, route) else { return };
    let lane = state.crowd.trip[id.slot as usize].lane;
    take_route(state, id, route, leg, lane);
}

/// An agent goes by another route from now on, on to leg `leg`.
pub(super) fn take_route(state: &mut State, id: AgentId, route: RouteId, leg: u32, lane: Lane) {
    state.routes.hold(route);
    state.waking.push(id.slot);
    let trip = &mut state.crowd.trip[id.slot as usize];
    let old = std::mem::replace(trip, Trip { route, leg, lost: 0, charges: false, lane, ..*trip });
    state.routes.release(old.route);
}

/// The point of a route that the agent in a row can walk to at once, near where the route passes it.
pub(super) fn leg_in_sight(map: MapView<'_>, state: &State, row: usize, route: RouteId) -> Option<u32> {
    let (position, radius) = (state.crowd.position[row], state.crowd.radius[row]);
    let points = state.routes.points(route);
    let leg = entry(points, position);
    // Where terrain or heights count, nobody leaves out a point of the way.
    let unit = state.unit_of(state.crowd.slot[row] as usize);
    let counts = unit.terrain.is_some() || map.grid.height_layer().is_some();
    let furthest = if counts { leg.max(1) } else { leg + 1 };
    let first = |sees: &dyn Fn(Vec2) -> bool| {
        let legs = [furthest, leg, leg.saturating_sub(1)];
        legs.into_iter().find(|&leg| points.get(leg as usize).is_some_and(|point| sees(point.at)))
    };
    first(&|at| walls::line_of_sight(map.grid, map.grid.clearance(), position, at, radius))
        // An agent that touches a wall sees nothing with its whole radius.
        .or_else(|| first(&|at| map.walk(state).can_walk(position, at, radius)))
}

/// Sets an agent on leg `leg` of a route, beside others who have spread by `half` (m) to either side of its start.
fn set_out(state: &mut State, id: AgentId, row: usize, leg: u32, route: RouteId, half: f32) {
    let points = state.routes.points(route);
    // Everybody keeps its place beside the others, to the right or left on the way.
    let start = points.first().map_or(Vec2::ZERO, |first| first.at);
    let across = points.get(1).map_or(Vec2::ZERO, |first| first.right);
    let right = (state.crowd.position[row] - start).dot(across);
    take_route(state, id, route, leg, Lane { right: right.clamp(-half, half), half });
}
