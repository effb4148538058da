//! Asking for routes.

use super::delivery::hand_out;
use super::fields::walks_by_field;
use super::parts::{MapView, State};
use super::travel::fail_alone;
use crate::battle::{Errand, Patience, Squad};
use crate::crowd::{AgentId, Crowd, RouteId, Routes, Trip, Watch, Waypoint};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Ground, walls};
use throng_plan::{AnswerKind, Outcome, PlanError, Pool, Query, Request, Ticket};

/// How far beside its route a squad may spread (m).
pub(super) const WIDEST: f32 = 24.0;

/// Those who are lost within a square of one of these sides meet in its middle (m), the largest first.
pub(super) const BLOCKS: [f32; 3] = [8.0, 4.0, 2.0];

/// What is asked for; equal trips are asked for once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Way {
    pub(super) planner: u16,
    pub(super) ground: u16,
    pub(super) from: Cell,
    /// Where the search ends.
    pub(super) to: Cell,
    /// Where the route ends: `to`, or a cell in sight of it that is too narrow for the ground.
    pub(super) goal: Cell,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Asker {
    Squad(usize),
    /// A squad that walks, and looks for a way round a jam.
    Detour(usize),
    Agent(AgentId),
    /// Somebody on a journey.
    Traveller(AgentId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub(super) trip: Way,
    pub(super) askers: Vec<Asker>,
    /// Revision of the map that is searched.
    pub(super) revision: u32,
    /// The route that they have walked while a better one, or the rest of it, was looked for.
    pub(super) walked: RouteId,
}

/// A route that falls due.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) ticket: Ticket,
    pub(super) kind: AnswerKind,
    pub(super) result: Result<Outcome, PlanError>,
    pub(super) turns: Vec<Cell>,
}

/// What has been asked for and is not yet due, in the order of asking.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Desk {
    pub(super) pending: BTreeMap<Ticket, Pending>,
    pub(super) by_trip: BTreeMap<Way, Ticket>,
    pub(super) walked: BTreeMap<Way, RouteId>,
    /// Agents who have asked for a route of their own, and have none yet.
    pub(super) asking: BTreeMap<AgentId, Patience>,
    /// How often anybody has asked.
    pub(super) asked: u64,
    #[serde(skip)]
    pub(super) points: Vec<Waypoint>,
    #[serde(skip)]
    pub(super) crossings: Vec<u32>,
}

impl Desk {
    /// Trips that are not yet due.
    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }

    /// The routes it holds.
    pub(super) fn routes(&self) -> impl Iterator<Item = RouteId> {
        self.walked.values().copied().chain(self.pending.values().map(|pending| pending.walked))
    }
}

/// Reads squads and lost agents; writes the routes that they ask for: squads first, in their order, then agents by slot. Global: equal
/// routes are asked for once.
pub(super) fn request(map: MapView<'_>, pool: &mut Pool, state: &mut State) {
    for s in 0..state.squads.len() {
        if let Errand::Wanted { from, to } = state.squads[s].errand
            && !walks_by_field(map, state, s)
        {
            state.squads[s].errand = Errand::Asked { to };
            state.squads[s].patience.asks(state.tick);
            let trip = key_of_squad(map, state, &state.squads[s], from, to);
            ask(map, pool, state, trip, Asker::Squad(s));
        }
    }
    // They take turns, so that a squad of thousands that loses sight of its route does not ask in one tick.
    let mut alone = Vec::new();
    let watch = Watch { seed: map.settings.seed, tick: state.tick };
    for slot in watch.slots(state.crowd.trip.len()) {
        let row = state.crowd.row_of[slot] as usize;
        let has_come = std::mem::take(&mut state.crowd.trip[slot].has_come);
        if has_come && row < state.crowd.len() && !state.is_dead(slot as u32) {
            state.events.arrived.push(state.crowd.id(slot as u32));
        }
        // Agents that sleep or are gone are not lost.
        if row >= state.crowd.awake() || !state.crowd.trip[slot].is_lost() {
            continue;
        }
        // An agent on a link asks where it comes down.
        if state.links.is_crossing(slot as u32) {
            continue;
        }
        let id = state.crowd.id(slot as u32);
        let trip = &state.crowd.trip[slot];
        let left = || state.routes.left(trip.route, trip.leg, state.crowd.position[row]);
        let asking = state.desk.asking.get_mut(&id);
        let may = asking.is_none_or(|patience| {
            patience.may_ask(state.tick) || trip.route != RouteId::NONE && patience.comes_nearer(left())
        });
        if let Some(traveller) = state.travels.travellers.get(&id.slot) {
            let (planner, ground, to) = (traveller.planner, traveller.ground, traveller.to);
            if let Some(to) = to.filter(|_| may) {
                alone.push((row, Way { planner, ground, from: to, to, goal: to }, Asker::Traveller(id)));
            }
            continue;
        }
        match key_of_member(map, state, id) {
            Some(way) if may => alone.push((row, way, Asker::Agent(id))),
            Some(_) => {}
            None => state.crowd.trip[slot].lost = 0,
        }
    }
    let start = |&(row, trip, _): &(usize, Way, Asker)| {
        let ground = &map.grounds[usize::from(trip.ground)];
        let from = meeting_place(map, ground, state.crowd.position[row], state.crowd.radius[row]);
        from.filter(|&from| ground.leads(from, trip.to))
    };
    let starts: Vec<_> = alone.par_iter().with_min_len(64).map(start).collect();
    for ((row, trip, asker), from) in alone.into_iter().zip(starts) {
        let id = state.crowd.id(state.crowd.slot[row]);
        let Some(from) = from else {
            state.desk.asked += 1;
            fail_alone(map, state, id);
            continue;
        };
        let second = map.ticks(1.0);
        let Trip { lost, route: has, .. } = &mut state.crowd.trip[id.slot as usize];
        *lost = Trip::ASKED;
        state.desk.asking.entry(id).or_default().asks_anew(state.tick, id.slot, second, *has);
        ask(map, pool, state, Way { from, ..trip }, asker);
    }
}

/// The way of a member that goes alone, but for its start: to the goal of its squad, where it sees its post from there, else
/// to its post. `None` where its squad walks nowhere.
pub(super) fn key_of_member(map: MapView<'_>, state: &State, id: AgentId) -> Option<Way> {
    let squad = state.squad_of(id.slot as usize)?;
    let Errand::Walked { to } = squad.errand else { return None };
    let &Squad { planner, ground, .. } = squad;
    let (post, radius) = (state.crowd.trip[id.slot as usize].post, state.units[usize::from(squad.unit)].radius);
    let is_own = squad.goal.is_some() && !map.walk(state).can_walk(map.grid.lattice().centre(to), post, radius);
    let own = || map.grounds[usize::from(ground)].nearest_passable(post);
    let to = if is_own { own().unwrap_or(to) } else { to };
    Some(Way { planner, ground, from: to, to, goal: to })
}

/// The trip of a squad from one cell to another: where its wide ground allows, and both ends are seen from it, over
/// that, so that a crowd does not take the gap that is good for one.
pub(super) fn key_of_squad(map: MapView<'_>, state: &State, squad: &Squad, from: Cell, to: Cell) -> Way {
    let Squad { planner, ground, .. } = *squad;
    let narrow = Way { planner, ground, from, to, goal: to };
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
        (Some(from), Some(to)) if ground.leads(from, to) => Way { planner, ground: wide, from, to, goal: narrow.goal },
        _ => narrow,
    }
}

/// Where a lost agent's route starts: in the middle of its block, if it sees it, so that those who are lost together
/// ask for one route; else where it stands.
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

/// Asks for a trip, unless it is being asked for, or walked, already.
pub(super) fn ask(map: MapView<'_>, pool: &mut Pool, state: &mut State, trip: Way, asker: Asker) {
    state.desk.asked += 1;
    if let Some(&route) = state.desk.walked.get(&trip) {
        hand_out(map, state, asker, route, RouteId::NONE, &trip);
        return;
    }
    if let Some(pending) = state.desk.by_trip.get(&trip).and_then(|ticket| state.desk.pending.get_mut(ticket)) {
        if !pending.askers.contains(&asker) {
            pending.askers.push(asker);
        }
        let walked = pending.walked;
        if walked != RouteId::NONE {
            hand_out(map, state, asker, walked, RouteId::NONE, &trip);
        }
        return;
    }
    let Way { planner, ground, from, to, .. } = trip;
    let (planner, ground) = (&map.planners[usize::from(planner)].1[&ground], &map.grounds[usize::from(ground)]);
    let ticket = pool.ask(Request::new(planner.clone(), ground.clone(), Query::new(from, to)));
    state.desk.by_trip.insert(trip, ticket);
    let revision = map.grid.revision();
    let pending = Pending { trip, askers: vec![asker], revision, walked: RouteId::NONE };
    state.desk.pending.insert(ticket, pending);
}

/// Cancels a search.
pub(super) fn drop_search(pool: &mut Pool, state: &mut State, ticket: Ticket) {
    let Some(pending) = state.desk.pending.remove(&ticket) else { return };
    state.routes.release(pending.walked);
    if state.desk.by_trip.get(&pending.trip) == Some(&ticket) {
        state.desk.by_trip.remove(&pending.trip);
    }
    pool.cancel(ticket);
}

/// The map has changed: trips that are asked for from now on are searched anew.
pub(super) fn forget_walked(state: &mut State) {
    state.desk.by_trip.clear();
    for (_, route) in std::mem::take(&mut state.desk.walked) {
        state.routes.release(route);
    }
}

/// The crowd has been counted: trips of those who mind it are searched anew, but for those under way.
pub(super) fn forget_crowded(grounds: &[Arc<Ground>], state: &mut State) {
    for (trip, route) in std::mem::take(&mut state.desk.walked) {
        if grounds[usize::from(trip.ground)].crowding().is_some() {
            state.routes.release(route);
        } else {
            state.desk.walked.insert(trip, route);
        }
    }
}

/// Takes the routes of agents that walk them no more: they stay where they are.
pub(super) fn release(agents: &[AgentId], crowd: &mut Crowd, routes: &mut Routes, desk: &mut Desk) {
    for &id in agents {
        desk.asking.remove(&id);
        if let Some(row) = crowd.row(id) {
            let stay = Trip::stay(crowd.position[row]);
            let old = std::mem::replace(&mut crowd.trip[id.slot as usize], stay);
            routes.release(old.route);
        }
    }
}
