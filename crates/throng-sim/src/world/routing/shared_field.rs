//! One field for many that go to one place: they ask for it together, and each has its own route from it.
//!
//! A search for each would expand the same cells again and again. The field is filled once, from the goal on, by a thread of the pool, and
//! costs as many expansions as it has cells. Squads that [walk by fields](super::fields) follow theirs; here it is a search like others,
//! whose routes cost what those of the planner would.

use super::delivery::{lay_route, send_back};
use super::follower::is_walkable;
use super::hand_out::hand_out;
use super::request::meeting_place;
use crate::crowd::RouteId;
use crate::world::parts::{MapView, State};
use crate::world::state::requests::{Pending, Requester, RouteKey};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use throng_grid::{Cell, Ground};
use throng_plan::{
    Capabilities, FlowField, FlowFieldPlanner, Outcome, Path, PlanError, Planner, PlannerChoice, Progress, Query,
    Scratch, Status,
};

/// A search is taken to expand the square of the way as the crow flies (cells), by this.
const SQUARE_SHARE: u64 = 8;

/// The field towards the goal of a query, once it is filled. As a planner it finds the goal alone, from itself.
#[derive(Debug, Default)]
pub(crate) struct SharedField(OnceLock<FlowField>);

impl Planner for SharedField {
    fn name(&self) -> &'static str {
        FlowFieldPlanner.name()
    }

    fn capabilities(&self) -> Capabilities {
        FlowFieldPlanner.capabilities()
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        scratch.begin(self, ground, query).map(drop)
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, _expansions: u64) -> Progress {
        let field = FlowField::new(ground, &[query.from], scratch).ok();
        let reached = field
            .as_ref()
            .map_or(0, |field| ground.lattice().cells().filter(|&cell| field.cost(cell).is_some()).count());
        scratch.count(reached as u64);
        let status = if reached > 0 { Status::Found } else { Status::NoRoute };
        if let Some(field) = field {
            // A search that begins again fills the same field.
            let _ = self.0.set(field);
        }
        Progress::Done(Outcome { status, cost: 0, bound: 1.0, expanded: scratch.expanded() })
    }

    fn path(&self, _ground: &Ground, query: &Query, _scratch: &Scratch, path: &mut Path) {
        path.cells.clear();
        path.cells.extend(self.0.get().map(|_| query.from));
    }
}

/// The keys, but for their starts, of those who ask from so many places that a field is cheaper than a search from each. Only planners whose
/// every search is as dear, and finds a cheapest route, share it.
pub(super) fn goals_to_share(
    map: MapView<'_>,
    state: &State,
    keys: impl Iterator<Item = RouteKey>,
) -> BTreeSet<RouteKey> {
    let mut starts = BTreeMap::<RouteKey, BTreeSet<Cell>>::new();
    for key in keys {
        let is_known = state.requests.walked.contains_key(&key) || state.requests.by_key.contains_key(&key);
        if let Some(from) = key.from.filter(|_| !is_known) {
            starts.entry(RouteKey { from: None, ..key }).or_default().insert(from);
        }
    }
    let is_shared = |(key, starts): &(RouteKey, BTreeSet<Cell>)| {
        let choice = &map.planners[usize::from(key.planner)].0;
        let lattice = map.grid.lattice();
        let to = lattice.column_row(key.to);
        let way = |&from: &Cell| {
            let from = lattice.column_row(from);
            u64::from(from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)))
        };
        let expanded = |from: &Cell| (way(from) * way(from) / SQUARE_SHARE).max(way(from));
        match choice {
            PlannerChoice::FlowField => true,
            PlannerChoice::AStar | PlannerChoice::Dijkstra | PlannerChoice::Bidirectional | PlannerChoice::Fringe => {
                state.requests.by_key.contains_key(key)
                    || starts.iter().map(expanded).sum::<u64>() >= lattice.len() as u64
            }
            _ => false,
        }
    };
    starts.into_iter().filter(is_shared).map(|(key, _)| key).collect()
}

/// Hands out to each that waits for a field its route from where it is. Those whose route is `stale`, since the map has changed, and leads
/// through a wall, ask anew.
pub(super) fn hand_out_field(map: MapView<'_>, state: &mut State, pending: &Pending, stale: bool) {
    let ground = &map.grounds[usize::from(pending.key.ground)];
    let field = pending.field.as_ref().and_then(|field| field.0.get());
    let start = |&requester: &Requester| {
        let row = state.crowd.row(requester.alone()?)?;
        let start = meeting_place(ground, state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        Some((requester, start))
    };
    let places: Vec<_> = pending.requesters.par_iter().with_min_len(64).filter_map(start).collect();
    let mut starts: Vec<Cell> = places.iter().filter_map(|place| place.1).collect();
    starts.sort_unstable();
    starts.dedup();
    let way = |&from: &Cell| {
        let (mut path, mut turns) = (Path::default(), Vec::new());
        if field.is_some_and(|field| field.descend(from, &mut path)) {
            path.turning_points_on(ground, &mut turns);
        }
        turns
    };
    let ways: Vec<Vec<Cell>> = starts.par_iter().with_min_len(16).map(way).collect();
    let mut routes = BTreeMap::new();
    for (from, turns) in starts.into_iter().zip(ways).filter(|(_, turns)| !turns.is_empty()) {
        let route = lay_route(map, state, pending, &turns);
        let is_cut = stale || state.links.cut_off(map.grid, &state.routes, route);
        routes.insert(from, (route, is_cut && !is_walkable(map.grid, state, route)));
    }
    for (requester, start) in places {
        let (route, is_cut) = start.and_then(|from| routes.get(&from)).copied().unwrap_or((RouteId::NONE, stale));
        let key = RouteKey { from: start, ..pending.key };
        if is_cut {
            send_back(state, requester, &key);
        } else {
            hand_out(map, state, requester, route, RouteId::NONE, &key);
        }
    }
    for (from, (route, is_cut)) in routes {
        let key = RouteKey { from: Some(from), ..pending.key };
        // The requests hold it, for a later one with the same key.
        let before = if stale || is_cut { Some(route) } else { state.requests.walked.insert(key, route) };
        state.routes.release(before.unwrap_or(RouteId::NONE));
    }
}
