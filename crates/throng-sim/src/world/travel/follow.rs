//! Following a leader.

use super::next_stop;
use super::route::{head_for, stand};
use crate::battle::Leader;
use crate::crowd::{AgentId, RouteId};
use crate::world::journey::Task;
use crate::world::parts::{MapView, State};
use throng_grid::geom::Vec2;
use throng_grid::walls;

/// Room that each follower has among the others, in radii of its own, from centre to centre.
const APART_RADII: f32 = 2.5;

/// A follower that stands sets out again when the leader is this much further away than its distance (m).
const SLACK: f32 = 0.5;

/// A follower steps back where the leader comes nearer than this share of its distance.
const PRESSED: f32 = 0.6;

/// Goes after the leader, or on to the next stop where it is gone.
pub(super) fn follow_leader(map: MapView<'_>, state: &mut State, slot: u32, row: usize) {
    let mut traveller = state.travels.travellers[&slot];
    let &Task::Follow { leader, distance, offset } = state.travels.stop_of(&traveller).0 else { return };
    let Some(led) = leader_row(state, leader, traveller.id) else { return next_stop(map, state, slot, row) };
    // Twice as often as others look around, each in a tick of its own.
    let every = (map.settings.schedule(state.tick).period() / 2).max(1);
    let wait = every - (state.tick + u64::from(slot)) % every;
    traveller.look = state.tick + wait;
    let centre = beside(map, state, led, offset);
    let (here, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let number = traveller.place.map_or(0, |(_, number)| number) as f32;
    let room = APART_RADII * radius;
    let stop = (distance * distance + number * room * room).sqrt();
    let (apart, stands) =
        (here.distance(centre), state.crowd.slots.follower[slot as usize].post.distance(here) < SLACK);
    let away = if apart > 1e-3 { (here - centre) / apart } else { Vec2::X };
    let at = centre + away * stop;
    let walks_by_route = state.crowd.slots.follower[slot as usize].route != RouteId::NONE;
    if apart > stop + if stands && !walks_by_route { SLACK } else { 0.0 } {
        let view = map.route_view(state);
        if view.can_walk(here, at, radius) && view.can_walk(at, centre, 0.5 * radius) {
            head_for(map, state, &mut traveller, row, at);
        } else {
            head_for(map, state, &mut traveller, row, centre);
        }
    } else if apart < PRESSED * stop && map.route_view(state).can_walk(here, at, radius) {
        head_for(map, state, &mut traveller, row, at);
    } else if walks_by_route || apart <= stop && !stands {
        traveller.to = None;
        stand(state, traveller.id, row);
    }
    state.travels.travellers.insert(slot, traveller);
}

/// The row of the present leader; an agent does not lead itself.
pub(in crate::world) fn leader_row(state: &State, leader: Leader, follower: AgentId) -> Option<usize> {
    let lives = |id: AgentId| state.crowd.row(id).filter(|_| id != follower && !state.is_dead(id.slot));
    match leader {
        Leader::Agent(id) => lives(id),
        Leader::Squad(squad) => state.squads.get(squad.index())?.members.iter().find_map(|&id| lives(id)),
    }
}

/// The point so far ahead of a row and to its right, where it sees that; else where it is.
fn beside(map: MapView<'_>, state: &State, row: usize, offset: Vec2) -> Vec2 {
    let (at, radius) = (state.crowd.rows.position[row], state.crowd.rows.radius[row]);
    let ahead = state.crowd.slots.facing[state.crowd.rows.slot[row] as usize];
    // To the right of +x is +y: y grows downwards.
    let point = at + ahead * offset.x + Vec2::new(-ahead.y, ahead.x) * offset.y;
    let open = offset != Vec2::ZERO
        && walls::is_clear(map.grid, point, radius)
        && map.route_view(state).can_walk(at, point, radius);
    if open { point } else { at }
}
