//! The keys of requests: equal ones share a search.

use crate::battle::{RouteState, Squad};
use crate::crowd::AgentId;
use crate::world::parts::{MapView, State};
use crate::world::state::requests::RouteKey;
use throng_grid::{Cell, walls};

/// How far beside its route a squad may spread (m).
pub(crate) const WIDEST: f32 = 24.0;

/// Lost agents within a square of one of these sides (m) ask for one route from its middle; the largest comes first.
pub(crate) const BLOCKS: [f32; 3] = [8.0, 4.0, 2.0];

/// The key of a member that goes alone, but for its start: to the goal of its squad, if its post is in sight from there,
/// else to its post; to its post where its squad stays. `None` where its squad has nowhere to go.
pub(crate) fn key_of_member(map: MapView<'_>, state: &State, id: AgentId) -> Option<RouteKey> {
    let squad = state.squad_of(id.slot as usize)?;
    let &Squad { planner, ground, .. } = squad;
    let to = match squad.route_state {
        RouteState::Walked { to } => to,
        // It was taken away from its place, or pushed out of its sight.
        RouteState::None if squad.order.stays() => {
            let at = state.crowd.rows.position[state.crowd.row(id)?];
            let post = state.crowd.slots.follower[id.slot as usize].post;
            let to = map.grounds[usize::from(ground)].goal_cell(at, post)?;
            return Some(RouteKey { planner, ground, from: None, to, goal: to });
        }
        _ => return None,
    };
    let (post, radius) = (state.crowd.slots.follower[id.slot as usize].post, state.units[squad.unit.index()].radius);
    let is_own = squad.goal.is_some() && !map.route_view(state).can_walk(map.grid.lattice().centre(to), post, radius);
    let lattice = map.grid.lattice();
    let own = || map.grounds[usize::from(ground)].nearest_reached(lattice.centre(to), post);
    let to = if is_own { own().unwrap_or(to) } else { to };
    Some(RouteKey { planner, ground, from: None, to, goal: to })
}

/// The key of a squad from one cell to another. It uses the squad's wide ground where that joins two cells that see both
/// ends, so that a crowd does not take a gap for one body.
pub(crate) fn key_of_squad(map: MapView<'_>, state: &State, squad: &Squad, from: Cell, to: Cell) -> RouteKey {
    let Squad { planner, ground, .. } = *squad;
    let narrow = RouteKey { planner, ground, from: Some(from), to, goal: to };
    let Some(wide) = squad.wide else { return narrow };
    let ground = &map.grounds[usize::from(wide)];
    let radius = state.units[squad.unit.index()].radius;
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
            RouteKey { planner, ground: wide, from: Some(from), to, goal: narrow.goal }
        }
        _ => narrow,
    }
}
