//! The squads of triggers: where their members stand.

use super::Cause;
use crate::battle::{Errand, Order, Patience, Ranks, Squad, Tally};
use crate::crowd::RouteId;
use crate::world::{SquadId, World};
use std::collections::BTreeMap;
use throng_grid::geom::{Vec2, direction};
use throng_grid::walls;

/// An agent whose place is taken stands at most this far from it (m).
const AROUND: f32 = 10.0;

/// Distance between the places that are tried, in radii of the body: neighbours just do not touch.
const APART: f32 = 2.05;

impl World {
    /// Lets a squad come, into the one that waits for it where it is the first of its kind; false where there is no room.
    pub(super) fn come(&mut self, squad: SquadId, positions: &[Vec2], facing: f32, order: Order, first: bool) -> bool {
        let mould = squad.0 as usize;
        let Some(places) = self.places(&self.state.squads[mould], positions) else { return false };
        let mut s = mould;
        if !first {
            s = self.state.squads.len();
            let like = self.state.squads[mould].clone();
            let tally = Tally::default();
            self.state.squads.push(Squad {
                members: Vec::new(),
                route: RouteId::NONE,
                field: None,
                siege: None,
                tally,
                ..like
            });
        }
        let empty = &mut self.state.squads[s];
        (empty.order, empty.errand, empty.patience) = (order, Errand::New, Patience::default());
        if let Some(ranks) = &mut empty.ranks {
            **ranks = Ranks::new(ranks.formation(), direction(facing));
        }
        self.add_members(s, &places, facing);
        for armed in &mut self.state.triggers.armed {
            if matches!(armed.when, Cause::Lost { squad, .. } if squad.0 as usize == s) {
                armed.most = armed.most.max(places.len() as u32);
            }
        }
        true
    }

    /// The place of each member of a squad (m): its own, or the nearest that is free; `None` where somebody has none.
    fn places(&self, squad: &Squad, positions: &[Vec2]) -> Option<Vec<Vec2>> {
        let radius = self.state.units[usize::from(squad.unit)].radius;
        let ground = &self.derived.grounds[usize::from(squad.ground)];
        let lattice = ground.lattice();
        let mut taken = self.taken_around(positions, radius);
        let mut places: Vec<Option<Vec2>> = Vec::with_capacity(positions.len());
        for &at in positions {
            let stands = walls::is_clear(&self.grid, at, radius) && taken.is_free(at, radius);
            if stands {
                taken.add(at, radius);
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
                        && taken.is_free(*at, radius)
                        && walls::is_clear(&self.grid, *at, radius)
                };
                let at = offsets.iter().map(|&offset| wanted + offset).find(is_free)?;
                taken.add(at, radius);
                *place = Some(at);
            }
        }
        places.into_iter().collect()
    }

    /// Everybody who stands where those who come at these places may want to.
    fn taken_around(&self, positions: &[Vec2], radius: f32) -> Taken {
        let margin = AROUND + self.derived.widest + radius;
        let low = positions.iter().copied().fold(Vec2::INFINITY, Vec2::min) - margin;
        let high = positions.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max) + margin;
        let mut taken = Taken { side: 2.0 * self.derived.widest, squares: BTreeMap::new() };
        let crowd = &self.state.crowd;
        for ((&at, &radius), &slot) in crowd.position.iter().zip(&crowd.radius).zip(&crowd.slot) {
            if at.cmpge(low).all() && at.cmple(high).all() && !self.state.is_dead(slot) {
                taken.add(at, radius);
            }
        }
        taken
    }
}

/// Bodies by the square (of `side` metres) that their middle is in.
struct Taken {
    side: f32,
    squares: BTreeMap<(i32, i32), Vec<(Vec2, f32)>>,
}

impl Taken {
    fn square(&self, at: Vec2) -> (i32, i32) {
        let square = (at / self.side).floor();
        (square.x as i32, square.y as i32)
    }

    fn add(&mut self, at: Vec2, radius: f32) {
        let square = self.square(at);
        self.squares.entry(square).or_default().push((at, radius));
    }

    fn is_free(&self, at: Vec2, radius: f32) -> bool {
        let (x, y) = self.square(at);
        let squares = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
        // A hair less than the radii together: neighbours in a tight, turned block just touch.
        let clear = |&(other, wide): &(Vec2, f32)| at.distance(other) >= (radius + wide) * 0.999;
        squares.filter_map(|square| self.squares.get(&square)).flatten().all(clear)
    }
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
