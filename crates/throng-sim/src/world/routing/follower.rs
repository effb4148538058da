//! The route that an agent follows: taken, changed and given up.

use crate::crowd::{AgentId, Lane, RouteFollower, RouteId, RouteProgress, Waypoint, entry};
use crate::world::parts::{MapView, State};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, walls};

/// So thin a body (cells) must still get from point to point of a route, or it is cut. A wider body that does not get through
/// notices that on the way.
const THIN_BODY_CELLS: f32 = 0.25;

/// True where a thin body gets from point to point of a route.
pub(crate) fn is_walkable(grid: &Grid, state: &State, route: RouteId) -> bool {
    let (points, starts) = (state.routes.points(route), state.routes.crossings(route));
    let is_crossing = |index: usize| starts.binary_search(&(index as u32)).is_ok();
    let radius = THIN_BODY_CELLS * grid.lattice().cell_size;
    let sees = |a: Vec2, b: Vec2| walls::line_of_sight(grid, grid.clearance(), a, b, radius);
    let walked = |(index, pair): (usize, &[Waypoint])| is_crossing(index) || sees(pair[0].at, pair[1].at);
    points.windows(2).enumerate().all(walked) && !state.links.cut_off(grid, &state.routes, route)
}

/// The mark of a follower that needs another route than the one it has: it may see that again, where that can be walked.
pub(crate) fn lost_mark(grid: &Grid, state: &State, route: RouteId) -> RouteProgress {
    if is_walkable(grid, state, route) { RouteProgress::Lost } else { RouteProgress::Cut }
}

/// An agent whose route is cut, and for which there is no other, stays where it is, until there is one.
pub(crate) fn drop_cut_route(grid: &Grid, state: &mut State, id: AgentId) {
    let follower = &state.crowd.slots.follower[id.slot as usize];
    if is_walkable(grid, state, follower.route) {
        return;
    }
    let stays = RouteFollower { route: RouteId::NONE, route_progress: RouteProgress::Lost, ..*follower };
    let old = std::mem::replace(&mut state.crowd.slots.follower[id.slot as usize], stays);
    state.routes.release(old.route);
}

/// Splices a route to where an agent is on the one before it. An agent that does not see it stays on the old one, until that
/// ends or it is lost.
pub(crate) fn change_over(map: MapView<'_>, state: &mut State, id: AgentId, row: usize, route: RouteId) {
    let Some(index) = visible_waypoint(map, state, row, (route, false)) else { return };
    let lane = state.crowd.slots.follower[id.slot as usize].lane;
    take_route(state, id, route, index, lane);
}

/// Gives an agent another route, which it follows from waypoint `index` on.
pub(crate) fn take_route(state: &mut State, id: AgentId, route: RouteId, index: u32, lane: Lane) {
    state.routes.hold(route);
    state.waking.push(id.slot);
    let follower = &mut state.crowd.slots.follower[id.slot as usize];
    let old = std::mem::replace(
        follower,
        RouteFollower {
            route,
            waypoint_index: index,
            route_progress: RouteProgress::OnRoute,
            charges: false,
            goes_round: false,
            abreast: false,
            lane,
            ..*follower
        },
    );
    state.routes.release(old.route);
}

/// The point of a route that the agent in a row can walk to at once, near where the route passes it; `keeps_to_it` where it skips none.
pub(crate) fn visible_waypoint(
    map: MapView<'_>,
    state: &State,
    row: usize,
    (route, keeps_to_it): (RouteId, bool),
) -> Option<u32> {
    let (position, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let points = state.routes.points(route);
    let index = entry(points, position);
    // Where terrain or heights count, an agent skips no point of its route.
    let unit = state.unit_of(state.crowd.rows.slot[row] as usize);
    let counts = keeps_to_it || unit.terrain.is_some() || map.grid.height_layer().is_some();
    let furthest = if counts { index.max(1) } else { index + 1 };
    let first = |sees: &dyn Fn(Vec2) -> bool| {
        let indices = [furthest, index, index.saturating_sub(1)];
        indices.into_iter().find(|&index| points.get(index as usize).is_some_and(|point| sees(point.at)))
    };
    first(&|at| walls::line_of_sight(map.grid, map.grid.clearance(), position, at, radius))
        // An agent that touches a wall sees nothing with its whole radius.
        .or_else(|| first(&|at| map.route_view(state).can_walk(position, at, radius)))
}

/// Gives an agent a route from waypoint `index` on, in a lane within `half` (m) to either side of its start.
pub(crate) fn set_out(state: &mut State, id: AgentId, row: usize, index: u32, route: RouteId, half: f32) {
    let points = state.routes.points(route);
    // Each member keeps its place beside the others, to the right or left on the way.
    let start = points.first().map_or(Vec2::ZERO, |first| first.at);
    let across = points.get(1).map_or(Vec2::ZERO, |first| first.right);
    let right = (state.crowd.rows.position[row] - start).dot(across);
    take_route(state, id, route, index, Lane { right: right.clamp(-half, half), half });
}
