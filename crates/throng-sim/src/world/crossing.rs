//! Crossing links: which agents set out, and where they are.

use super::Settings;
use super::links::Crosser;
use super::parts::{Derived, State, walk};
use crate::battle::Order;
use crate::crowd::{Aim, Crowd, LOOKS_LOST, RouteId, Trip, Watch, masks};
use throng_grid::geom::{Vec2, clamp_length};
use throng_grid::{Cell, Grid, walls};
use throng_plan::FlowField;
use throng_spatial::Near;

/// The ways of the agents on links, kept while aims are made: from up there an agent does not find its way.
pub(super) fn hold(state: &State) -> Vec<(u32, Trip)> {
    state.links.crossers.keys().map(|&slot| (slot, state.crowd.trip[slot as usize])).collect()
}

/// Reads aims, routes and fields; lets the nearest to the start of each link set out, where the one before it has got out of the
/// way, and writes the aims of all that cross. Local, but for the order at each link.
pub(super) fn begin(settings: &Settings, grid: &Grid, derived: &Derived, state: &mut State, held: Vec<(u32, Trip)>) {
    if state.links.all.is_empty() {
        return;
    }
    for (slot, trip) in held {
        state.crowd.trip[slot as usize] = trip;
    }
    let mut waiting = Vec::new();
    for row in 0..state.crowd.awake() {
        let slot = state.crowd.slot[row];
        let (aim, position, radius) =
            (state.crowd.aim[slot as usize], state.crowd.position[row], state.crowd.radius[row]);
        let near = radius.max(0.5) + radius;
        let away = position.distance_squared(aim.point);
        if aim.stop < 0.0
            && away < near * near
            && !state.links.is_crossing(slot)
            && let Some((end, leg)) = link_at(grid, derived, state, slot as usize, aim.point)
            && let Some(link) = state.links.find(grid.lattice().at(aim.point), end)
        {
            // Distances are positive: their bits are in their order.
            waiting.push((link, away.to_bits(), slot, leg));
        }
    }
    waiting.sort_unstable();
    let watch = Watch { seed: settings.seed, tick: state.tick };
    for (link, _, slot, leg) in waiting {
        let row = state.crowd.row_of[slot as usize] as usize;
        let (start, position, radius) =
            (state.crowd.aim[slot as usize].point, state.crowd.position[row], state.crowd.radius[row]);
        let links = &mut state.links;
        let (seconds, to) = (links.all[link].seconds, grid.lattice().centre(links.all[link].to));
        if !walls::is_clear(grid, to, radius) {
            // A wall has been built there: another way.
            let lost = &mut state.crowd.trip[slot as usize].lost;
            *lost = (*lost).max(LOOKS_LOST);
            continue;
        }
        // No agent comes down where there is to be a wall.
        if links.ready[link] > state.tick
            || state.edits.closes(links.all[link].to)
            || !walk(grid, &state.routes, watch).can_walk(position, start, radius)
        {
            continue;
        }
        let ticks_of = |seconds: f32| (f64::from(seconds) / f64::from(settings.step)).ceil().max(1.0) as u64;
        // The one before is out of the way once it has walked its own width from where it came down; on the link it is in no one's.
        links.ready[link] = state.tick + ticks_of((2.0 * radius / state.crowd.top_speed[row]).min(1.0));
        let (begun, ticks) = (state.tick, ticks_of(seconds));
        links.crossers.insert(slot, Crosser { id: state.crowd.id(slot), from: position, to, begun, ticks });
        state.crowd.trip[slot as usize].leg = leg;
    }
    for (&slot, crosser) in &state.links.crossers {
        state.crowd.aim[slot as usize] = Aim::past(crosser.to);
        state.crowd.pace[slot as usize] = f32::INFINITY;
    }
}

/// Where the link ends that an agent is to take at a point (m), and its leg from there on; `None` where it is to take none.
fn link_at(grid: &Grid, derived: &Derived, state: &State, slot: usize, start: Vec2) -> Option<(Cell, u32)> {
    let State { crowd, squads, soldiers, routes, .. } = state;
    let (trip, lattice) = (&crowd.trip[slot], grid.lattice());
    let squad = squads.get(crowd.squad[slot] as usize);
    let runs = squad.filter(|squad| soldiers.flees(slot) || squad.order == Order::Flee);
    let refuge = runs.and_then(|squad| derived.escape_fields.get(&squad.ground));
    let by_field = |field: &FlowField| {
        let cell = Cell(trip.leg);
        let end = field.link(cell).filter(|_| lattice.centre(cell) == start)?;
        Some((end, end.0))
    };
    if let Some(refuge) = refuge {
        return by_field(refuge);
    }
    if trip.route == RouteId::NONE {
        return by_field(squad?.field.as_deref()?);
    }
    let points = routes.points(trip.route);
    let (at, next) = (points.get(trip.leg as usize)?, points.get(trip.leg as usize + 1)?);
    let crosses = at.at == start && routes.crosses(trip.route, trip.leg);
    crosses.then(|| (lattice.at(next.at), trip.leg + 1))
}

/// Reads the agents on links; takes them out of all lists of neighbours, and empties theirs. Local.
pub(super) fn part(state: &State, near: &mut Near) {
    if state.links.crossers.is_empty() {
        return;
    }
    let crowd = &state.crowd;
    let mut crosses = vec![false; crowd.len()];
    for row in state.links.crossers.values().filter_map(|crosser| crowd.row(crosser.id)) {
        crosses[row] = true;
    }
    let (walker, crosser) = (0b01, 0b10);
    let layers = |row: usize| if crosses[row] { crosser } else { walker };
    let ignores = |row: usize| if crosses[row] { walker | crosser } else { crosser };
    masks::masks(usize::from(u8::MAX), layers, ignores, near);
}

/// Agents on links stand still while the others move: they are carried.
pub(super) fn halt(state: &mut State) {
    let State { links, crowd, .. } = state;
    for crosser in links.crossers.values() {
        if let Some(row) = crowd.row(crosser.id) {
            crowd.next[row] = Vec2::ZERO;
        }
    }
}

/// Reads the agents on links; moves each along its link, and lets those at its end go. Local.
pub(super) fn carry(settings: &Settings, state: &mut State) {
    let State { links, crowd, tick, .. } = state;
    links.crossers.retain(|_, crosser| carried(settings.step, *tick, crosser, crowd));
}

/// False at the end of the link.
fn carried(step: f32, tick: u64, crosser: &Crosser, crowd: &mut Crowd) -> bool {
    let Some(row) = crowd.row(crosser.id) else { return false };
    let &Crosser { from, to, begun, ticks, .. } = crosser;
    let done = (tick + 1).saturating_sub(begun);
    let lasts = done < ticks;
    crowd.position[row] = if lasts { from.lerp(to, (done as f64 / ticks as f64) as f32) } else { to };
    crowd.velocity[row] = clamp_length((to - from) / (ticks as f32 * step), crowd.top_speed[row]);
    if !lasts {
        let lost = &mut crowd.trip[crosser.id.slot as usize].lost;
        // What it missed on the way over does not count.
        *lost = if *lost < LOOKS_LOST { 0 } else { *lost };
    }
    lasts
}
