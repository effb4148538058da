//! Crossing links: which agents set out, and where they are.

use super::Settings;
use super::parts::{Derived, State, route_view};
use super::state::links::Crosser;
use crate::crowd::{Aim, Crowd, RouteFollower, RouteId, RouteProgress, masks};
use throng_grid::geom::{Vec2, clamp_length};
use throng_grid::{Cell, Grid, walls};
use throng_plan::FlowField;
use throng_spatial::Near;

/// Copies the followers of the agents on links before aims are made: an agent on a link does not see its route.
pub(super) fn save_followers(state: &State) -> Vec<(u32, RouteFollower)> {
    state.links.crossers.keys().map(|&slot| (slot, state.crowd.slots.follower[slot as usize])).collect()
}

/// Reads aims, routes and fields; lets the nearest to the start of each link set out, where the one before it has got out of the
/// way, and writes the aims of all that cross. Local, but for the order at each link.
pub(super) fn begin(
    settings: &Settings,
    grid: &Grid,
    derived: &Derived,
    state: &mut State,
    held: Vec<(u32, RouteFollower)>,
) {
    if state.links.all.is_empty() {
        return;
    }
    for (slot, follower) in held {
        state.crowd.slots.follower[slot as usize] = follower;
    }
    let mut waiting = Vec::new();
    for row in 0..state.crowd.awake() {
        let slot = state.crowd.rows.slot[row];
        let (aim, position, radius) =
            (state.crowd.slots.aim[slot as usize], state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        let near = radius.max(0.5) + radius;
        let away = position.distance_squared(aim.point);
        if aim.stop < 0.0
            && away < near * near
            && !state.links.is_crossing(slot)
            && let Some((end, index)) = link_at(grid, derived, state, slot as usize, aim.point)
        {
            match state.links.find(grid.lattice().at(aim.point), end) {
                // Distances are positive: their bits are in their order.
                Some(link) => waiting.push((link, away.to_bits(), slot, index)),
                None => cut(&mut state.crowd, slot),
            }
        }
    }
    waiting.sort_unstable();
    let schedule = settings.schedule(state.tick);
    for (link, _, slot, index) in waiting {
        let row = state.crowd.slots.row_of[slot as usize] as usize;
        let (start, position, radius) =
            (state.crowd.slots.aim[slot as usize].point, state.crowd.rows.position[row], state.crowd.rows.radius[row]);
        let links = &mut state.links;
        let (seconds, to) = (links.all[link].seconds, grid.lattice().centre(links.all[link].to));
        if !walls::is_clear(grid, to, radius) {
            // A wall has been built there: another way.
            cut(&mut state.crowd, slot);
            continue;
        }
        // No agent comes down where there is to be a wall.
        if links.ready[link] > state.tick
            || state.edits.closes(links.all[link].to)
            || !route_view(grid, &state.routes, schedule).can_walk(position, start, radius)
        {
            continue;
        }
        let ticks_of = |seconds: f32| (f64::from(seconds) / f64::from(settings.step)).ceil().max(1.0) as u64;
        // The one before is out of the way once it has walked its own width from where it came down; on the link it is in no one's.
        links.ready[link] = state.tick + ticks_of((2.0 * radius / state.crowd.rows.top_speed[row]).min(1.0));
        let (begun, ticks) = (state.tick, ticks_of(seconds));
        links.crossers.insert(slot, Crosser { id: state.crowd.id(slot), from: position, to, begun, ticks });
        state.crowd.slots.follower[slot as usize].waypoint_index = index;
    }
    for (&slot, crosser) in &state.links.crossers {
        state.crowd.slots.aim[slot as usize] = Aim::past(crosser.to);
        state.crowd.slots.pace[slot as usize] = f32::INFINITY;
    }
}

/// The link before an agent cannot be used: it needs another way, if it goes by a route.
fn cut(crowd: &mut Crowd, slot: u32) {
    let follower = &mut crowd.slots.follower[slot as usize];
    if follower.route != RouteId::NONE {
        follower.route_progress = follower.route_progress.max(RouteProgress::Cut);
    }
}

/// The end of the link that an agent is to take at a point (m), and the index of the waypoint after it; `None` without a
/// link.
fn link_at(grid: &Grid, derived: &Derived, state: &State, slot: usize, start: Vec2) -> Option<(Cell, u32)> {
    let State { crowd, squads, soldiers, routes, .. } = state;
    let (follower, lattice) = (&crowd.slots.follower[slot], grid.lattice());
    let squad = squads.get(crowd.slots.squad[slot] as usize);
    let escapes = squad.filter(|squad| soldiers.escapes(slot, squad));
    let escape_field = escapes.and_then(|squad| derived.escape_fields.get(&squad.ground));
    let by_field = |field: &FlowField| {
        let cell = Cell(follower.waypoint_index);
        let end = field.link(cell).filter(|_| lattice.centre(cell) == start)?;
        Some((end, end.0))
    };
    if let Some(escape_field) = escape_field {
        return by_field(escape_field);
    }
    if follower.route == RouteId::NONE {
        return by_field(squad?.field.as_deref()?);
    }
    let points = routes.points(follower.route);
    let (at, next) = (points.get(follower.waypoint_index as usize)?, points.get(follower.waypoint_index as usize + 1)?);
    let crosses = at.at == start && routes.crosses(follower.route, follower.waypoint_index);
    crosses.then(|| (lattice.at(next.at), follower.waypoint_index + 1))
}

/// Reads the agents on links; takes them out of all lists of neighbours, and empties theirs. Local.
pub(super) fn exclude_crossers(state: &State, near: &mut Near) {
    if state.links.crossers.is_empty() {
        return;
    }
    let crowd = &state.crowd;
    let mut crosses = vec![false; crowd.len()];
    for row in state.links.crossing().filter_map(|id| crowd.row(id)) {
        crosses[row] = true;
    }
    let (walker, crosser) = (0b01, 0b10);
    let layers = |row: usize| if crosses[row] { crosser } else { walker };
    let ignores = |row: usize| if crosses[row] { walker | crosser } else { crosser };
    masks::masks(usize::from(u8::MAX), layers, ignores, near);
}

/// Reads the agents on links; moves each along its link, and lets go of each at the end of its link. Local.
pub(super) fn move_crossers(settings: &Settings, state: &mut State) {
    let State { links, crowd, tick, .. } = state;
    links.crossers.retain(|_, crosser| carried(settings.step, *tick, crosser, crowd));
}

/// False at the end of the link.
fn carried(step: f32, tick: u64, crosser: &Crosser, crowd: &mut Crowd) -> bool {
    let Some(row) = crowd.row(crosser.id) else { return false };
    let &Crosser { from, to, begun, ticks, .. } = crosser;
    let done = (tick + 1).saturating_sub(begun);
    let lasts = done < ticks;
    crowd.rows.position[row] = if lasts { from.lerp(to, (done as f64 / ticks as f64) as f32) } else { to };
    crowd.rows.velocity[row] = clamp_length((to - from) / (ticks as f32 * step), crowd.rows.top_speed[row]);
    if !lasts {
        // Checks that failed on the way over do not count.
        crowd.slots.follower[crosser.id.slot as usize].clear_misses();
    }
    lasts
}
