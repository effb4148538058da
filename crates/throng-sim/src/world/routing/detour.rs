//! What a way costs with the crowd on it.

use crate::crowd::{RouteId, Waypoint, entry};
use crate::world::parts::{MapView, State};
use throng_grid::Ground;
use throng_grid::geom::Vec2;

/// Another way is taken where it costs less than this share of what is left.
const BETTER: f32 = 0.85;

/// True where a route is so much better than the squad's that the squad is to change over.
pub(crate) fn is_worth_a_turn(map: MapView<'_>, state: &State, s: usize, route: RouteId) -> bool {
    let squad = &state.squads[s];
    let ground = &map.grounds[usize::from(squad.ground)];
    let [left, other] = [squad.route, route].map(|id| rest(ground, squad.middle, state.routes.points(id))[1]);
    route != RouteId::NONE && route != squad.route && other < BETTER * left
}

/// The rest of a route from a point (m): its length by terrain, and that by the crowd on it.
pub(crate) fn rest(ground: &Ground, from: Vec2, points: &[Waypoint]) -> [f32; 2] {
    let lattice = ground.lattice();
    let (mut level, mut crowded, mut at) = (0.0, 0.0, from);
    for point in points.iter().skip(entry(points, from) as usize) {
        let way = point.at - at;
        let pieces = (way.length() / lattice.cell_size).ceil();
        let length = way.length() / pieces.max(1.0);
        for i in 0..pieces as u32 {
            let cell = lattice.at(at + way * ((i as f32 + 0.5) / pieces));
            let piece = length * f32::from(ground.weight(cell));
            level += piece;
            crowded += piece * ground.crowd_share(cell);
        }
        at = point.at;
    }
    [level, crowded]
}
