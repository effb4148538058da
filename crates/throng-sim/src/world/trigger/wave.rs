//! The squads of triggers: where their members stand.

use crate::battle::{Order, Ranks, RetryBackoff, RouteState, Squad, SquadStats};
use crate::crowd::RouteId;
use crate::world::SquadId;
use crate::world::parts::{MapView, State};
use crate::world::posts::Bodies;
use crate::world::spawn::add_members;
use crate::world::state::triggers::Cause;
use throng_grid::geom::{Vec2, direction};
use throng_grid::walls;

/// An agent whose place is taken stands at most this far from it (m).
const AROUND: f32 = 10.0;

/// Distance between the places that are tried, in radii of the body: neighbours just do not touch.
const APART: f32 = 2.05;

/// Spawns a wave. The first wave of a trigger fills the squad that waits for it. False where there is no room.
pub(super) fn spawn_wave(
    map: MapView<'_>,
    state: &mut State,
    squad: SquadId,
    positions: &[Vec2],
    facing: f32,
    order: Order,
    first: bool,
) -> bool {
    let mould = squad.index();
    let Some(places) = places(map, state, &state.squads[mould], positions) else { return false };
    let mut s = mould;
    if !first {
        s = state.squads.len();
        let like = state.squads[mould].clone();
        let tally = SquadStats::default();
        state.squads.push(Squad { members: Vec::new(), route: RouteId::NONE, field: None, siege: None, tally, ..like });
    }
    let empty = &mut state.squads[s];
    (empty.order, empty.route_state, empty.backoff) = (order, RouteState::New, RetryBackoff::default());
    if let Some(ranks) = &mut empty.ranks {
        **ranks = Ranks::new(ranks.formation(), direction(facing));
    }
    add_members(state, s, &places, facing);
    for armed in &mut state.triggers.armed {
        if matches!(armed.when, Cause::Lost { squad, .. } if squad.index() == s) {
            armed.most = armed.most.max(places.len() as u32);
        }
    }
    true
}

/// The place of each member of a squad (m): its own, or the nearest that is free; `None` if a member finds none.
fn places(map: MapView<'_>, state: &State, squad: &Squad, positions: &[Vec2]) -> Option<Vec<Vec2>> {
    let radius = state.units[squad.unit.index()].radius;
    let ground = &map.grounds[usize::from(squad.ground)];
    let lattice = ground.lattice();
    let mut taken = taken_around(state, positions, radius);
    let mut places: Vec<Option<Vec2>> = Vec::with_capacity(positions.len());
    for &at in positions {
        let stands = walls::is_clear(map.grid, at, radius) && has_room(&taken, at, radius);
        if stands {
            taken.insert(at, radius);
        }
        places.push(stands.then_some(at));
    }
    if places.iter().any(Option::is_none) {
        let offsets = offsets(APART * radius);
        for (place, &wanted) in places.iter_mut().zip(positions).filter(|(place, _)| place.is_none()) {
            let region = ground.region(ground.nearest_passable(wanted)?);
            let is_free = |at: &Vec2| {
                lattice.covers(*at)
                    && ground.region(lattice.at(*at)) == region
                    && has_room(&taken, *at, radius)
                    && walls::is_clear(map.grid, *at, radius)
            };
            let at = offsets.iter().map(|&offset| wanted + offset).find(is_free)?;
            taken.insert(at, radius);
            *place = Some(at);
        }
    }
    places.into_iter().collect()
}

/// All bodies at places that members of a wave at these places may want.
fn taken_around(state: &State, positions: &[Vec2], radius: f32) -> Bodies {
    let widest = state.units.iter().map(|unit| unit.radius).fold(0.0, f32::max);
    let margin = AROUND + widest + radius;
    let low = positions.iter().copied().fold(Vec2::INFINITY, Vec2::min) - margin;
    let high = positions.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max) + margin;
    let mut taken = Bodies::new(2.0 * widest);
    let crowd = &state.crowd;
    for ((&at, &radius), &slot) in crowd.rows.position.iter().zip(&crowd.rows.radius).zip(&crowd.rows.slot) {
        if at.cmpge(low).all() && at.cmple(high).all() && !state.is_dead(slot) {
            taken.insert(at, radius);
        }
    }
    taken
}

/// True where a body has room among these bodies. A little less than the radii together: neighbours in a tight, turned block
/// just touch.
fn has_room(taken: &Bodies, at: Vec2, radius: f32) -> bool {
    taken.near(at).all(|&(other, wide)| at.distance(other) >= (radius + wide) * 0.999)
}

/// Steps of `apart` metres away from a place, the nearest first.
fn offsets(apart: f32) -> Vec<Vec2> {
    let most = (AROUND / apart) as i32;
    let mut steps: Vec<(i32, i32)> = (-most..=most).flat_map(|y| (-most..=most).map(move |x| (x, y))).collect();
    let squared = |(x, y): (i32, i32)| x * x + y * y;
    steps.retain(|&step| squared(step) <= most * most);
    steps.sort_by_key(|&(x, y)| (squared((x, y)), y, x));
    steps.into_iter().map(|(x, y)| Vec2::new(x as f32, y as f32) * apart).collect()
}
