//! A way round bodies at rest: a parked vehicle in a door, a line that holds in a pass.
//!
//! Routes are planned over the map alone. An agent that goes nowhere, since others at rest are on its way, asks for one on which no body
//! stands. It takes that once it has waited for a good part of the time that the longer way costs: so it never loses much more than had
//! it known from the start how long the others stay (the ski-rental rule: A. Karlin et al., "Competitive snoopy caching", 1988).

use super::follower::{set_out, visible_waypoint};
use super::key::{BLOCKS, key_of_member};
use super::request::meeting_place;
use crate::crowd::{ARRIVAL_RADIUS, AgentId, RouteId, RouteProgress};
use crate::world::SquadId;
use crate::world::exchange::share_place;
use crate::world::parts::{Derived, MapView, State};
use crate::world::settings::Settings;
use crate::world::spawn::ready_planner;
use crate::world::state::requests::{Pending, Requester, RouteKey};
use crate::world::travel::takes_way_round;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Ground, Lattice};
use throng_plan::{Planner, PlannerChoice, Pool, Ticket};

/// It is looked who is held up, and who is at rest, after this time (s).
const LOOK_EVERY: f32 = 1.0;

/// An agent is held up that has gone nowhere at so many looks in a row.
const HELD_UP: u16 = 4;

/// A body is at rest that has stood still at so many looks in a row.
const AT_REST: u16 = 3;

/// So far along its way (m) an agent looks for bodies at rest.
const AHEAD_M: f32 = 20.0;

/// The longer way may cost so many times what has been waited.
const WORTH_WAITS: f32 = 4.0;

/// Maps with bodies at rest have a revision with this bit, which no other map has.
const ROUND: u32 = 1 << 31;

/// So many maps with bodies at rest are made in one tick; no two that are searched at a time have the same revision.
const MOST_MINDS: u32 = 1024;

/// The cells on which bodies at rest leave no room, for agents that count them.
struct Closed {
    lattice: Lattice,
    cells: Vec<Cell>,
}

/// The bodies at rest that agents of one mind go round: the number of their ground, the cells, the revision of the map with them.
struct Obstacles {
    ground: u16,
    closed: Closed,
    revision: u32,
}

/// The agents that mind the same bodies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mind {
    ground: u16,
    /// The enemies of its army, a bit each: they are fought, not gone round.
    enemies: u16,
    /// Its squad, whose members are no obstacles, nor are those of squads that have their places where it has its own.
    squad: Option<SquadId>,
}

/// An agent that others hold up: its row, where it goes but for the start, and which bodies it minds.
struct HeldUp {
    row: usize,
    key: RouteKey,
    mind: Mind,
}

/// Reads who goes nowhere and who is at rest, each second; writes which agents ask for a way round. Global.
pub(crate) fn look(settings: &Settings, grid: &Grid, derived: &mut Derived, state: &mut State) {
    let map = MapView::new(settings, grid, derived);
    if !state.tick.is_multiple_of(map.ticks(LOOK_EVERY)) {
        return;
    }
    let awake = (0..state.crowd.awake()).into_par_iter().with_min_len(256);
    let held_up: Vec<usize> = awake.filter(|&row| is_held_up(state, row)).collect();
    let waited: BTreeSet<AgentId> = held_up.iter().map(|&row| state.crowd.id(state.crowd.rows.slot[row])).collect();
    state.requests.ways_round.retain(|id, _| waited.contains(id));
    let held_up: Vec<HeldUp> = held_up.into_par_iter().filter_map(|row| bound(map, state, row)).collect();
    let minds: BTreeSet<Mind> = held_up.iter().map(|one| one.mind).collect();
    if minds.is_empty() {
        return;
    }
    let resting = at_rest(state);
    for (number, mind) in (0..MOST_MINDS).zip(minds) {
        let map = MapView::new(settings, grid, derived);
        let closed = closed(map, state, &resting, mind);
        let of_it = held_up.par_iter().filter(|one| one.mind == mind);
        let asking: Vec<&HeldUp> = of_it.filter(|one| is_shut_out(map, state, &closed, one)).collect();
        if !asking.is_empty() {
            let revision = ROUND | (state.tick as u32).wrapping_mul(MOST_MINDS).wrapping_add(number) & !ROUND;
            let obstacles = Obstacles { ground: mind.ground, closed, revision };
            ask(settings, grid, derived, state, &obstacles, &asking);
        }
    }
}

/// True for an agent that would go on, and has gone nowhere for some seconds.
fn is_held_up(state: &State, row: usize) -> bool {
    let (crowd, soldiers) = (&state.crowd, &state.soldiers);
    let (slot, at) = (crowd.rows.slot[row] as usize, crowd.rows.position[row]);
    let (rest, follower) = (&crowd.slots.rest[slot], &crowd.slots.follower[slot]);
    rest.lingers >= HELD_UP
        && rest.lingers_at(at)
        && rest.looks < AT_REST
        && follower.route_progress != RouteProgress::Requested
        && at.distance(follower.post) > ARRIVAL_RADIUS
        && crowd.row(soldiers.target(slot)).is_none()
        && !soldiers.flees(slot)
        && !state.driven.contains_key(&(slot as u32))
        && !state.links.is_crossing(slot as u32)
}

/// Where an agent that may ask goes, and which bodies it minds; `None` for one that is led in ranks, or goes nowhere.
fn bound(map: MapView<'_>, state: &State, row: usize) -> Option<HeldUp> {
    let id = state.crowd.id(state.crowd.rows.slot[row]);
    let may_ask = state.requests.ways_round.get(&id).is_none_or(|backoff| backoff.may_ask(state.tick));
    let squad = state.crowd.slots.squad_of(id.slot as usize);
    if !may_ask || squad.is_some_and(|squad| state.squads[squad.index()].ranks.is_some()) {
        return None;
    }
    let key = key_of(map, state, id, row)?;
    let enemies = state.relations.enemies(state.crowd.army_of(id.slot));
    Some(HeldUp { row, key, mind: Mind { ground: key.ground, enemies, squad } })
}

/// The rows of all bodies at rest.
fn at_rest(state: &State) -> Vec<usize> {
    let crowd = &state.crowd;
    let stands = |&row: &usize| {
        let slot = crowd.rows.slot[row];
        let rest = &crowd.slots.rest[slot as usize];
        match state.driven.get(&slot) {
            Some(_) => rest.swings >= AT_REST && rest.goes_nowhere(crowd.rows.position[row]),
            None => rest.looks >= AT_REST,
        }
    };
    (0..crowd.len()).into_par_iter().with_min_len(256).filter(stands).collect()
}

/// The cells on which bodies at rest leave no room for one that minds them.
fn closed(map: MapView<'_>, state: &State, resting: &[usize], Mind { ground, enemies, squad }: Mind) -> Closed {
    let (lattice, crowd) = (map.grid.lattice(), &state.crowd);
    let radius = map.grounds[usize::from(ground)].radius();
    let own = squad.map(|squad| &state.squads[squad.index()]);
    let is_mate = |slot: u32| {
        let other = state.squad_of(slot as usize);
        own.zip(other).is_some_and(|(own, other)| share_place(own, other))
    };
    let mut taken = Vec::new();
    for &row in resting {
        let (slot, at, wide) = (crowd.rows.slot[row], crowd.rows.position[row], crowd.rows.radius[row]);
        if enemies & 1 << crowd.army_of(slot).index() != 0 || is_mate(slot) {
            continue;
        }
        let (low, high) = (lattice.column_row(lattice.at(at - wide)), lattice.column_row(lattice.at(at + wide)));
        let here = lattice.at(at);
        for y in low.1..=high.1 {
            for x in low.0..=high.0 {
                let cell = lattice.cell(x, y);
                if cell == here || lattice.centre(cell).distance(at) < wide {
                    taken.push((cell, wide));
                }
            }
        }
    }
    // The order of the rows must not count in the sums.
    taken.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // So many bodies side by side leave no room between them.
    let is_full = |bodies: &[(Cell, f32)]| {
        bodies.iter().map(|&(_, wide)| 2.0 * (wide + radius)).sum::<f32>() + 2.0 * radius > lattice.cell_size
    };
    let cells = taken.chunk_by(|a, b| a.0 == b.0).filter(|bodies| is_full(bodies)).map(|bodies| bodies[0].0);
    Closed { lattice, cells: cells.collect() }
}

impl Closed {
    fn contains(&self, cell: Cell) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }

    /// True where a way from `at` through these points (m) leads over one of the cells, before `ahead` (m).
    fn bars(&self, mut at: Vec2, points: impl Iterator<Item = Vec2>, mut ahead: f32) -> bool {
        for point in points {
            let way = (point - at).clamp_length_max(ahead);
            let length = way.length();
            let pieces = (2.0 * length / self.lattice.cell_size).ceil().max(1.0);
            if (1..=pieces as u32).any(|i| self.contains(self.lattice.at(at + way * (i as f32 / pieces)))) {
                return true;
            }
            ahead -= length;
            if ahead <= 0.0 {
                return false;
            }
            at = point;
        }
        false
    }
}

/// True where bodies at rest are on the way that an agent has, and not where it is to go.
fn is_shut_out(map: MapView<'_>, state: &State, closed: &Closed, &HeldUp { row, key, .. }: &HeldUp) -> bool {
    let slot = state.crowd.rows.slot[row] as usize;
    let (at, follower) = (state.crowd.rows.position[row], &state.crowd.slots.follower[slot]);
    let lattice = map.grid.lattice();
    if closed.contains(key.to) || closed.contains(lattice.at(follower.post)) {
        return false;
    }
    let route = state.routes.points(follower.route).iter().skip(follower.waypoint_index as usize);
    let by_route = route.map(|point| point.abreast(follower.lane));
    let field = state.squad_of(slot).and_then(|squad| squad.field.as_deref());
    let by_field = field.filter(|_| follower.route == RouteId::NONE).map(|field| {
        let cells = std::iter::successors(Some(lattice.at(at)), |&cell| field.step(cell));
        cells.map(|cell| lattice.centre(cell)).take((AHEAD_M / lattice.cell_size) as usize + 1)
    });
    match by_field {
        Some(cells) => closed.bars(at, cells, AHEAD_M),
        None => closed.bars(at, by_route.chain([follower.post]), AHEAD_M),
    }
}

/// Where an agent goes, but for its start.
fn key_of(map: MapView<'_>, state: &State, id: AgentId, row: usize) -> Option<RouteKey> {
    if state.crowd.slots.squad_of(id.slot as usize).is_some() {
        return key_of_member(map, state, id);
    }
    let traveller = state.travels.travellers.get(&id.slot).filter(|one| one.id == id)?;
    let (planner, ground) = (traveller.planner, traveller.ground);
    let to = map.grounds[usize::from(ground)].goal_cell(state.crowd.rows.position[row], traveller.goal)?;
    Some(RouteKey { planner, ground, from: None, to, goal: to })
}

/// Asks for ways on which none of the bodies stands, by A*: other planners would have to build their tables for them.
fn ask(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    state: &mut State,
    &Obstacles { ground: place, ref closed, revision }: &Obstacles,
    asking: &[&HeldUp],
) {
    let Ok(planner) = ready_planner(derived, PlannerChoice::AStar, [Some(place), None]) else { return };
    let close: Vec<Edit> = closed.cells.iter().map(|&cell| Edit::Close(cell)).collect();
    let searched = Arc::new(grid.at_revision(revision, &close));
    let Ok(ground) = derived.grounds[usize::from(place)].edited(Arc::clone(&searched), &closed.cells) else { return };
    let ground = Arc::new(ground);
    let (map, pool, _) = derived.split(settings, grid);
    let search = map.planners[usize::from(planner)].1[&place].clone();
    let mut shared = BTreeMap::<RouteKey, Ticket>::new();
    for &&HeldUp { row, key, .. } in asking {
        let (at, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        let id = state.crowd.id(state.crowd.rows.slot[row]);
        let second = map.ticks(1.0);
        state.requests.ways_round.entry(id).or_default().asks_anew(state.tick, id.slot, second, RouteId::NONE);
        let from = meeting_place(&ground, at, radius).filter(|&from| ground.leads(from, key.to));
        let Some(from) = from else { continue };
        let key = RouteKey { planner, from: Some(from), ..key };
        let ticket = *shared.entry(key).or_insert_with(|| begin(pool, state, (&search, &ground), key));
        state.requests.asked += 1;
        state.requests.wait(Requester::WayRound(id), ticket);
    }
}

fn begin(pool: &mut Pool, state: &mut State, on: (&Arc<dyn Planner>, &Arc<Ground>), key: RouteKey) -> Ticket {
    let pending = Pending::new(key, on.1.grid().revision());
    let ticket = pool.ask(pending.request(on.0, on.1));
    state.requests.pending.insert(ticket, pending);
    ticket
}

/// Sets an agent out on a way round, where it is held up still and the way is worth it.
pub(super) fn hand_out(map: MapView<'_>, state: &mut State, id: AgentId, route: RouteId, key: &RouteKey) {
    let Some(row) = state.living_row(id).filter(|_| route != RouteId::NONE) else { return };
    let (slot, at) = (id.slot as usize, state.crowd.rows.position[row]);
    let (rest, follower) = (state.crowd.slots.rest[slot], state.crowd.slots.follower[slot]);
    let waits = follower.route_progress == RouteProgress::Requested;
    if !rest.lingers_at(at) || waits || key_of(map, state, id, row).is_none_or(|now| now.to != key.to) {
        return;
    }
    let index = visible_waypoint(map, state, row, (route, true)).unwrap_or(0);
    let end = state.routes.points(route).last().map_or(at, |last| last.at);
    let round = state.routes.left(route, index, at) + end.distance(follower.post);
    let straight = state.routes.left(follower.route, follower.waypoint_index, at);
    let left = if follower.route == RouteId::NONE { at.distance(follower.post) } else { straight };
    let waited = f32::from(rest.lingers) * state.unit_of(slot).speed;
    if round - left > WORTH_WAITS * waited || !takes_way_round(map, state, id, row, route, key.to) {
        return;
    }
    set_out(state, id, row, index, route, 0.5 * BLOCKS[0]);
    state.crowd.slots.follower[slot].goes_round = true;
}
