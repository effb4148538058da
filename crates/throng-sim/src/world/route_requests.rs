//! Requests for routes: the keys by which equal ones share a search, and which squads and agents wait for each.

use super::delivery::hand_out;
use super::edits::drop_cut_route;
use super::fields::walks_by_field;
use super::parts::{MapView, State};
use super::travel::fail_alone;
use crate::battle::{RetryBackoff, RouteState, Squad};
use crate::crowd::{AgentId, Crowd, RouteFollower, RouteId, RouteProgress, Routes, Waypoint};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, walls};
use throng_plan::{AnswerKind, Outcome, PlanError, Pool, Query, Request, Ticket};

/// How far beside its route a squad may spread (m).
pub(super) const WIDEST: f32 = 24.0;

/// Lost agents within a square of one of these sides (m) ask for one route from its middle; the largest comes first.
pub(super) const BLOCKS: [f32; 3] = [8.0, 4.0, 2.0];

/// The key of a request; equal keys share one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct RouteKey {
    pub(super) planner: u16,
    pub(super) ground: u16,
    pub(super) from: Cell,
    /// The cell at which the search ends.
    pub(super) to: Cell,
    /// The cell at which the route ends: `to`, or a cell in sight of it that is too narrow for the ground.
    pub(super) goal: Cell,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Requester {
    Squad(usize),
    /// A squad that walks, and looks for a way round a jam.
    Detour(usize),
    Agent(AgentId),
    /// An agent on a journey, or one that was sent alone.
    Traveller(AgentId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) key: RouteKey,
    pub(super) requesters: Vec<Requester>,
    /// Revision of the map that is searched.
    pub(super) revision: u32,
    /// The route that the requesters have walked while a better one, or the rest of it, was searched.
    pub(super) walked: RouteId,
}

/// A finished search, in the tick in which its route is handed out.
#[derive(Clone, Debug)]
pub(super) struct ReadyRoute {
    pub(super) ticket: Ticket,
    pub(super) kind: AnswerKind,
    pub(super) result: Result<Outcome, PlanError>,
    pub(super) turns: Vec<Cell>,
}

/// All requests that are not yet due, in the order of asking, and the routes that later requests may share.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RouteRequests {
    pub(super) pending: BTreeMap<Ticket, Pending>,
    pub(super) by_key: BTreeMap<RouteKey, Ticket>,
    pub(super) walked: BTreeMap<RouteKey, RouteId>,
    /// When each agent that has asked for a route of its own may ask again.
    pub(super) backoffs: BTreeMap<AgentId, RetryBackoff>,
    /// Number of requests so far, shared ones included.
    pub(super) asked: u64,
    #[serde(skip)]
    pub(super) points: Vec<Waypoint>,
    #[serde(skip)]
    pub(super) crossings: Vec<u32>,
}

impl RouteRequests {
    /// Number of searches that are not yet due.
    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }

    /// The routes that the requests hold.
    pub(super) fn routes(&self) -> impl Iterator<Item = RouteId> {
        self.walked.values().copied().chain(self.pending.values().map(|pending| pending.walked))
    }
}

/// Reads squads and lost agents; writes the routes that they ask for: squads first, in their order, then agents by slot. Global: equal
/// routes are asked for once.
pub(super) fn request(map: MapView<'_>, pool: &mut Pool, state: &mut State) {
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
        // Agents that sleep or are gone are not lost.
        if row >= state.crowd.awake() || !state.crowd.slots.follower[slot].is_lost() {
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
                alone.push((row, RouteKey { planner, ground, from: to, to, goal: to }, Requester::Traveller(id)));
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
        let from = meeting_place(map, ground, state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        from.filter(|&from| ground.leads(from, key.to))
    };
    let starts: Vec<_> = alone.par_iter().with_min_len(64).map(start).collect();
    for ((row, key, requester), from) in alone.into_iter().zip(starts) {
        let id = state.crowd.id(state.crowd.rows.slot[row]);
        let Some(from) = from else {
            state.requests.asked += 1;
            fail_alone(map, state, id);
            continue;
        };
        let second = map.ticks(1.0);
        let RouteFollower { route_progress, route: has, .. } = &mut state.crowd.slots.follower[id.slot as usize];
        *route_progress = RouteProgress::Requested;
        state.requests.backoffs.entry(id).or_default().asks_anew(state.tick, id.slot, second, *has);
        ask(map, pool, state, RouteKey { from, ..key }, requester);
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

/// The key of a member that goes alone, but for its start: to the goal of its squad, if its post is in sight from there,
/// else to its post. `None` where its squad walks nowhere.
pub(super) fn key_of_member(map: MapView<'_>, state: &State, id: AgentId) -> Option<RouteKey> {
    let squad = state.squad_of(id.slot as usize)?;
    let RouteState::Walked { to } = squad.route_state else { return None };
    let &Squad { planner, ground, .. } = squad;
    let (post, radius) =
        (state.crowd.slots.follower[id.slot as usize].post, state.units[usize::from(squad.unit)].radius);
    let is_own = squad.goal.is_some() && !map.route_view(state).can_walk(map.grid.lattice().centre(to), post, radius);
    let lattice = map.grid.lattice();
    let own = || map.grounds[usize::from(ground)].nearest_reached(lattice.centre(to), post);
    let to = if is_own { own().unwrap_or(to) } else { to };
    Some(RouteKey { planner, ground, from: to, to, goal: to })
}

/// The key of a squad from one cell to another. It uses the squad's wide ground where that joins two cells that see both
/// ends, so that a crowd does not take a gap for one body.
pub(super) fn key_of_squad(map: MapView<'_>, state: &State, squad: &Squad, from: Cell, to: Cell) -> RouteKey {
    let Squad { planner, ground, .. } = *squad;
    let narrow = RouteKey { planner, ground, from, to, goal: to };
    let Some(wide) = squad.wide else { return narrow };
    let ground = &map.grounds[usize::from(wide)];
    let radius = state.units[usize::from(squad.unit)].radius;
    let lattice = ground.lattice();
    let seen = |cell: Cell| {
        let centre = lattice.centre(cell);
        let near = ground.nearest_passable(centre)?;
        let there = lattice.centre(near);
        let close = there.distance_squared(centre) < WIDEST * WIDEST;
        (close && walls::line_of_sight(map.grid, map.grid.clearance(), centre, there, radius)).then_some(near)
    };
    match (seen(from), seen(to)) {
        (Some(from), Some(to)) if ground.leads(from, to) => {
            RouteKey { planner, ground: wide, from, to, goal: narrow.goal }
        }
        _ => narrow,
    }
}

/// The cell at which a lost agent's route starts: the middle of its block, if it sees that, else the nearest cell. So
/// agents that are lost together ask for one route.
fn meeting_place(map: MapView<'_>, ground: &Ground, position: Vec2, radius: f32) -> Option<Cell> {
    let lattice = ground.lattice();
    BLOCKS
        .iter()
        .map(|side| lattice.at(((position / side).floor() + 0.5) * side))
        .find(|&middle| {
            ground.is_passable(middle)
                && walls::line_of_sight(map.grid, map.grid.clearance(), position, lattice.centre(middle), radius)
        })
        .or_else(|| ground.nearest_passable(position))
}

/// Asks for a route, or joins a search or a walked route with the same key.
pub(super) fn ask(map: MapView<'_>, pool: &mut Pool, state: &mut State, key: RouteKey, requester: Requester) {
    state.requests.asked += 1;
    if let Some(&route) = state.requests.walked.get(&key) {
        hand_out(map, state, requester, route, RouteId::NONE, &key);
        return;
    }
    if let Some(pending) = state.requests.by_key.get(&key).and_then(|ticket| state.requests.pending.get_mut(ticket)) {
        if !pending.requesters.contains(&requester) {
            pending.requesters.push(requester);
        }
        let walked = pending.walked;
        if walked != RouteId::NONE {
            hand_out(map, state, requester, walked, RouteId::NONE, &key);
        }
        return;
    }
    let RouteKey { planner, ground, from, to, .. } = key;
    let (planner, ground) = (&map.planners[usize::from(planner)].1[&ground], &map.grounds[usize::from(ground)]);
    let ticket = pool.ask(Request::new(planner.clone(), ground.clone(), Query::new(from, to)));
    state.requests.by_key.insert(key, ticket);
    let revision = map.grid.revision();
    let pending = Pending { key, requesters: vec![requester], revision, walked: RouteId::NONE };
    state.requests.pending.insert(ticket, pending);
}

/// Cancels a search.
pub(super) fn drop_search(pool: &mut Pool, state: &mut State, ticket: Ticket) {
    let Some(pending) = state.requests.pending.remove(&ticket) else { return };
    state.routes.release(pending.walked);
    if state.requests.by_key.get(&pending.key) == Some(&ticket) {
        state.requests.by_key.remove(&pending.key);
    }
    pool.cancel(ticket);
}

/// The map has changed: later requests are searched anew.
pub(super) fn forget_walked(state: &mut State) {
    state.requests.by_key.clear();
    for (_, route) in std::mem::take(&mut state.requests.walked) {
        state.routes.release(route);
    }
}

/// The crowd has been counted: later requests over grounds with crowd costs are searched anew.
pub(super) fn forget_crowded(grounds: &[Arc<Ground>], state: &mut State) {
    for (key, route) in std::mem::take(&mut state.requests.walked) {
        if grounds[usize::from(key.ground)].crowding().is_some() {
            state.routes.release(route);
        } else {
            state.requests.walked.insert(key, route);
        }
    }
}

/// Releases the routes of agents, which stay where they are.
pub(super) fn release(agents: &[AgentId], crowd: &mut Crowd, routes: &mut Routes, requests: &mut RouteRequests) {
    for &id in agents {
        requests.backoffs.remove(&id);
        if let Some(row) = crowd.row(id) {
            let stay = RouteFollower::stay(crowd.rows.position[row]);
            let old = std::mem::replace(&mut crowd.slots.follower[id.slot as usize], stay);
            routes.release(old.route);
        }
    }
}
