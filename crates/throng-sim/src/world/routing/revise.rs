//! What a change of the map makes of routes: they are cut, or shorter ones may be there.

use super::follower::is_walkable;
use crate::battle::RouteState;
use crate::crowd::{ARRIVAL_RADIUS, RouteId, RouteProgress, entry};
use crate::world::parts::{MapView, State};
use crate::world::posts;
use std::collections::BTreeSet;
use throng_grid::{Cell, Lattice, walls};

/// Squads that could not come to the very point where they were sent set out anew, where they can come nearer now.
pub(crate) fn look_for_nearer_goals(map: MapView<'_>, state: &mut State) {
    for s in 0..state.squads.len() {
        let squad = &state.squads[s];
        let (Some(point), Some(goal)) = (squad.order.destination(), squad.goal) else { continue };
        if point != goal && matches!(squad.route_state, RouteState::Walked { .. }) {
            let nearer =
                posts::nearest_point(map, squad.ground, (squad.middle, point), state.units[squad.unit.index()].radius);
            if nearer.distance(point) + ARRIVAL_RADIUS < goal.distance(point) {
                state.squads[s].route_state = RouteState::New;
            }
        }
    }
}

/// Agents and squads whose route leads through a wall now ask again. Posts in a wall are given out anew.
pub(crate) fn cut_routes(map: MapView<'_>, state: &mut State) {
    let cut: Vec<RouteId> = state.routes.ids().filter(|&id| !is_walkable(map.grid, state, id)).collect();
    for squad in &mut state.squads {
        let ground = &map.grounds[usize::from(squad.ground)];
        let lost = match squad.route_state {
            RouteState::New | RouteState::None => false,
            RouteState::Wanted { from, to } => !(ground.is_passable(from) && ground.is_passable(to)),
            RouteState::Asked { to } | RouteState::Walked { to } | RouteState::Unreachable { to } => {
                !ground.is_passable(to)
            }
        };
        if lost || cut.binary_search(&squad.route).is_ok() {
            squad.route_state = RouteState::New;
        }
    }
    let mut homeless = BTreeSet::new();
    for (slot, follower) in state.crowd.slots.follower.iter_mut().enumerate() {
        let row = state.crowd.slots.row_of[slot];
        if row == u32::MAX {
            continue;
        }
        let row = row as usize;
        if cut.binary_search(&follower.route).is_ok() && follower.route_progress != RouteProgress::Requested {
            follower.route_progress = RouteProgress::Cut;
            state.waking.push(slot as u32);
        }
        if !walls::is_clear(map.grid, follower.post, state.crowd.rows.radius[row]) {
            let squad = state.crowd.slots.squad[slot] as usize;
            if state.squads.get(squad).is_some_and(|squad| squad.goal.is_some()) {
                homeless.insert(squad);
            } else {
                let end = state.routes.points(follower.route).last().map(|last| last.at);
                follower.post = end.unwrap_or(state.crowd.rows.position[row]);
            }
            state.waking.push(slot as u32);
        }
    }
    for s in homeless {
        // Else it sets out anew, and gives them posts then.
        if let RouteState::Walked { to } = state.squads[s].route_state {
            posts::assign(map, state, s, to);
        }
    }
}

/// Squads ask again if the way over an opened cell may be shorter than the rest of their route, or if they have found no
/// route.
pub(crate) fn look_for_short_cuts(lattice: Lattice, state: &mut State, opened: &[Cell]) {
    if opened.is_empty() {
        return;
    }
    // By a link the way may be short to wherever it is far.
    let may_jump = !state.links.all.is_empty();
    for squad in &mut state.squads {
        let wants = match squad.route_state {
            RouteState::Unreachable { .. } => true,
            RouteState::Walked { .. } => {
                let points = state.routes.points(squad.route);
                let Some(last) = points.last() else { continue };
                let mut left = 0.0;
                let mut at = squad.middle;
                for point in &points[entry(points, squad.middle) as usize..] {
                    left += at.distance(point.at);
                    at = point.at;
                }
                may_jump
                    || opened.iter().map(|&cell| lattice.centre(cell)).any(|cell| {
                        // Half a cell's diagonal: the way may cut the cell's corner.
                        squad.middle.distance(cell) + cell.distance(last.at) - 1.5 * lattice.cell_size < left
                    })
            }
            _ => false,
        };
        if wants {
            squad.route_state = RouteState::New;
        }
    }
}
