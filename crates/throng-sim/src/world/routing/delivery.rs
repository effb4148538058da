//! Searches that are due, and the routes that they have found.

use super::ask::drop_search;
use super::follower::is_walkable;
use super::hand_out::hand_out;
use super::key::{BLOCKS, WIDEST};
use super::shared_field::hand_out_field;
use crate::battle::RouteState;
use crate::crowd::{RouteId, RouteProgress, stretches};
use crate::world::parts::{MapView, State};
use crate::world::settings::WorldError;
use crate::world::state::requests::{Pending, ReadyRoute, Requester, RouteKey, RouteRequests};
use throng_grid::Cell;
use throng_plan::{Answer, AnswerKind, Goal, PlanError, PlannerChoice, Pool, Status, Ticket};

/// Routes that only the requests still hold are dropped every so many ticks, with the search for better ones.
const TIDY_EVERY: u64 = 64;

/// Reads the searches that are due under the budget of this tick; writes which agents and squads walk which route. Global: the order of
/// asking.
///
/// # Errors
/// Where a planner panicked; the other routes are handed out all the same.
pub(crate) fn deliver(map: MapView<'_>, pool: &mut Pool, state: &mut State) -> Result<(), WorldError> {
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
        let stale = pending.revision != map.grid.revision();
        if pending.key.from.is_none() {
            state.requests.forget(answer.ticket, &pending);
            hand_out_field(map, state, &pending, stale);
            continue;
        }
        let mut route = if found { lay_route(map, state, &pending, &answer.turns) } else { RouteId::NONE };
        if found && !stale && is_from_outside(map, &pending.key) && !is_walkable(map.grid, state, route) {
            state.routes.release(std::mem::replace(&mut route, RouteId::NONE));
            failed = failed.and(Err(no_way_there(map, &pending.key).into()));
        }
        // A limit that is reached, or an error, leaves agents that walk already on their route.
        if route == RouteId::NONE {
            route = pending.walked;
            state.routes.hold(route);
        }
        let is_cut_off = route != RouteId::NONE && state.links.cut_off(map.grid, &state.routes, route);
        let stale = stale || is_cut_off;
        if stale && !(route != RouteId::NONE && is_walkable(map.grid, state, route)) {
            state.routes.release(route);
            state.routes.release(pending.walked);
            pending.requesters.iter().for_each(|&requester| send_back(state, requester, &pending.key));
            state.requests.forget(answer.ticket, &pending);
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
        state.requests.forget(answer.ticket, &pending);
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

/// True for a planner that is not one of the library's.
fn is_from_outside(map: MapView<'_>, key: &RouteKey) -> bool {
    matches!(map.planners[usize::from(key.planner)].0, PlannerChoice::Custom(_))
}

/// The error of a planner whose route leads through walls.
fn no_way_there(map: MapView<'_>, key: &RouteKey) -> PlanError {
    let planner = map.planners[usize::from(key.planner)].0.name();
    let fault = "its route leads through walls between two of its cells".into();
    PlanError::BrokenPromise { planner, from: key.from.unwrap_or(key.to), goal: Goal::Cell(key.to), fault }
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

pub(super) fn lay_route(map: MapView<'_>, state: &mut State, pending: &Pending, turns: &[Cell]) -> RouteId {
    let ground = &map.grounds[usize::from(pending.key.ground)];
    // The body that has to fit beside the others is that of a member, not that of the whole squad.
    let requester = pending.requesters.iter().find_map(|&requester| match requester {
        Requester::Squad(s) | Requester::Detour(s) => Some((state.units[state.squads[s].unit.index()].radius, WIDEST)),
        Requester::Agent(_) | Requester::Traveller(_) | Requester::WayRound(_) => None,
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
pub(super) fn send_back(state: &mut State, requester: Requester, key: &RouteKey) {
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
        Requester::Squad(_) | Requester::Detour(_) | Requester::WayRound(_) => {}
    }
}
