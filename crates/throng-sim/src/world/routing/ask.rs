//! Searches: asked for, joined, dropped and forgotten.

use super::hand_out::hand_out;
use crate::crowd::RouteId;
use crate::world::parts::{MapView, State};
use crate::world::state::requests::{Pending, Requester, RouteKey};
use std::sync::Arc;
use throng_grid::Ground;
use throng_plan::{Pool, Ticket};

/// Asks for a route, or joins a search or a walked route with the same key.
pub(crate) fn ask(map: MapView<'_>, pool: &mut Pool, state: &mut State, key: RouteKey, requester: Requester) {
    state.requests.asked += 1;
    if let Some(&route) = state.requests.walked.get(&key) {
        state.requests.withdraw(requester);
        hand_out(map, state, requester, route, RouteId::NONE, &key);
        return;
    }
    if let Some(&ticket) = state.requests.by_key.get(&key) {
        state.requests.wait(requester, ticket);
        let walked = state.requests.pending.get(&ticket).map_or(RouteId::NONE, |pending| pending.walked);
        if walked != RouteId::NONE {
            hand_out(map, state, requester, walked, RouteId::NONE, &key);
        }
        return;
    }
    let RouteKey { planner, ground, .. } = key;
    let (planner, ground) = (&map.planners[usize::from(planner)].1[&ground], &map.grounds[usize::from(ground)]);
    let pending = Pending::new(key, map.grid.revision());
    let ticket = pool.ask(pending.request(planner, ground));
    state.requests.by_key.insert(key, ticket);
    state.requests.pending.insert(ticket, pending);
    state.requests.wait(requester, ticket);
}

/// Cancels a search.
pub(crate) fn drop_search(pool: &mut Pool, state: &mut State, ticket: Ticket) {
    let Some(pending) = state.requests.pending.remove(&ticket) else { return };
    state.requests.forget(ticket, &pending);
    state.routes.release(pending.walked);
    pool.cancel(ticket);
}

/// Cancels the searches that nobody waits for any more.
pub(crate) fn drop_unawaited(pool: &mut Pool, state: &mut State) {
    for ticket in std::mem::take(&mut state.requests.unawaited) {
        if state.requests.pending.get(&ticket).is_some_and(|pending| pending.requesters.is_empty()) {
            drop_search(pool, state, ticket);
        }
    }
}

/// The map has changed: later requests are searched anew.
pub(crate) fn forget_walked(state: &mut State) {
    state.requests.by_key.clear();
    for (_, route) in std::mem::take(&mut state.requests.walked) {
        state.routes.release(route);
    }
}

/// The crowd has been counted: later requests over grounds with crowd costs are searched anew.
pub(crate) fn forget_crowded(grounds: &[Arc<Ground>], state: &mut State) {
    for (key, route) in std::mem::take(&mut state.requests.walked) {
        if grounds[usize::from(key.ground)].crowding().is_some() {
            state.routes.release(route);
        } else {
            state.requests.walked.insert(key, route);
        }
    }
}
