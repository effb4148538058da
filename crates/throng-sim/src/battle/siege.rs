//! Breaking walls to reach enemies.

use super::melee::{chance, used};
use super::{Ramparts, RouteState, Siege, Soldiers, Squad, Unit};
use crate::crowd::{AgentId, Crowd};
use crate::ids::ArmyId;
use rand::RngExt;
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice, Layer, walls};

/// A hit of a weapon on a cell that can be broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallHit {
    /// The cell that it hits.
    pub cell: Cell,
    /// Damage (points).
    pub damage: f32,
}

/// The walls among which is fought.
#[derive(Clone, Copy, Debug)]
pub struct SiegeView<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// The walls and gates that can be broken.
    pub ramparts: &'a Ramparts,
    /// Kinds of soldiers.
    pub units: &'a [Unit],
}

impl SiegeView<'_> {
    /// The route state of a squad that is to attack and cannot reach any enemy: to the nearest cell that it can break, by the
    /// straight distance, ties by cell. It keeps a cell that it has chosen while that stands. `allies` are the armies (a bit each)
    /// whose walls it lets stand. O(breakable cells × log), where it chooses.
    pub fn route_state(&self, squad: &mut Squad, ground: &Ground, allies: u16) -> RouteState {
        let before = squad.siege.take();
        let unit = &self.units[squad.unit.index()];
        let Some(from) = ground.nearest_passable(squad.middle).filter(|_| unit.breach > 0.0) else {
            return RouteState::None;
        };
        let may = |wall: Cell| self.may_break(wall, allies);
        if let Some(siege) =
            before.filter(|siege| may(siege.wall) && squad.route_state == (RouteState::Walked { to: siege.stand }))
        {
            squad.siege = Some(siege);
            return squad.route_state;
        }
        let lattice = ground.lattice();
        let mut walls: Vec<(f32, Cell)> = self
            .ramparts
            .iter()
            .map(|(cell, _)| cell)
            .filter(|&cell| may(cell))
            .map(|cell| (lattice.centre(cell).distance_squared(squad.middle), cell))
            .collect();
        walls.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let reach = unit.radius + unit.reach;
        let siege = walls.into_iter().find_map(|(_, wall)| {
            let stand = self.stand(wall, reach, ground, from, squad.middle)?;
            Some(Siege { wall, stand })
        });
        squad.siege = siege;
        siege.map_or(RouteState::None, |siege| RouteState::Wanted { from, to: siege.stand })
    }

    /// True where a cell can be broken and is kept by none of these armies.
    fn may_break(&self, wall: Cell, allies: u16) -> bool {
        self.ramparts.get(wall).is_some_and(|rampart| rampart.keeper.is_none_or(|keeper| !keeper.is_in(allies)))
    }

    /// The cell nearest to a wall, then to `middle` (m), then by number, that can be walked to from another and from whose
    /// middle a weapon of this reach (m) touches the wall.
    fn stand(&self, wall: Cell, reach: f32, ground: &Ground, from: Cell, middle: Vec2) -> Option<Cell> {
        let lattice = ground.lattice();
        let region = ground.region(from);
        let reachable = |&cell: &Cell| ground.is_passable(cell) && ground.region(cell) == region;
        let stands = around(lattice, lattice.centre(wall), reach + lattice.cell_size).filter(reachable);
        let ranked = stands.filter_map(|cell| {
            let at = lattice.centre(cell);
            let distance = self.touches(at, reach, wall)?;
            Some((distance, at.distance_squared(middle), cell))
        });
        let nearest = ranked.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        nearest.map(|(_, _, cell)| cell)
    }

    /// How far a wall is from a place (m), where that is within reach (m) and no other wall is between.
    fn touches(&self, at: Vec2, reach: f32, wall: Cell) -> Option<f32> {
        let lattice = self.grid.lattice();
        let half = Vec2::splat(0.5 * lattice.cell_size);
        let centre = lattice.centre(wall);
        let nearest = at.clamp(centre - half, centre + half);
        let distance = at.distance(nearest);
        // The wall itself is not in the way.
        let before = nearest + (at - nearest) * 0.01;
        let free = distance <= reach && walls::line_of_sight(self.grid, self.clearance, at, before, 0.0);
        free.then_some(distance)
    }

    /// The cell that a soldier strikes: that of its squad's siege if it reaches it, else the nearest that it may break, ties
    /// by cell.
    pub(crate) fn struck(&self, at: Vec2, reach: f32, siege: Siege, allies: u16) -> Option<Cell> {
        // Mostly no wall is near at all.
        if walls::free_radius(self.clearance, at) > reach {
            return None;
        }
        if self.may_break(siege.wall, allies) && self.touches(at, reach, siege.wall).is_some() {
            return Some(siege.wall);
        }
        let near = around(self.grid.lattice(), at, reach).filter(|&cell| self.may_break(cell, allies));
        let reached = near.filter_map(|cell| Some((self.touches(at, reach, cell)?, cell)));
        reached.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, cell)| cell)
    }

    /// Writes `wall_hits` and `ready`: a living soldier of a squad with a siege strikes a wall within reach of its weapon, once it
    /// is ready. [Rams](Unit::is_ram) do that before the strikes at enemies. The others do it after them: a soldier that could
    /// strike an enemy has done so, and is not ready. In the order of the squads, then of their members. `allies` gives the
    /// armies on the side of an army (a bit each); `seed`, `tick` and `step` are the seed, the tick and
    /// its length (s).
    pub fn strike<'s>(
        &self,
        squads: impl Iterator<Item = &'s Squad>,
        crowd: &Crowd,
        allies: impl Fn(ArmyId) -> u16 + Sync,
        (seed, tick, step): (u64, u64, f32),
        soldiers: &mut Soldiers,
        wall_hits: &mut Vec<WallHit>,
    ) {
        wall_hits.clear();
        let mut strikes: Vec<(u32, Cell)> = Vec::new();
        for squad in squads {
            let Some(siege) = squad.siege else { continue };
            let unit = &self.units[squad.unit.index()];
            let (reach, allies) = (unit.radius + unit.reach, allies(squad.army));
            let is_free = |id: &AgentId| {
                let slot = id.slot as usize;
                soldiers.ready.get(slot).is_some_and(|&ready| u64::from(ready) <= tick) && soldiers.health[slot] > 0.0
            };
            let struck = |&id: &AgentId| {
                let row = crowd.row(id).filter(|_| is_free(&id))?;
                Some((id.slot, self.struck(crowd.rows.position[row], reach, siege, allies)?))
            };
            strikes.clear();
            strikes.par_extend(squad.members.par_iter().with_min_len(256).filter_map(struck));
            for &(slot, cell) in &strikes {
                let use_of = used(tick, unit.cooldown, step, || chance(seed, tick, slot as usize).random());
                soldiers.ready[slot as usize] = use_of.ready;
                wall_hits.push(WallHit { cell, damage: unit.breach * f32::from(use_of.times) });
            }
        }
    }
}

/// The cells whose squares may come within a distance (m) of a place, row by row.
fn around(lattice: Lattice, place: Vec2, distance: f32) -> impl Iterator<Item = Cell> {
    let [low, high] = [place - distance, place + distance].map(|corner| lattice.column_row(lattice.at(corner)));
    (low.1..=high.1).flat_map(move |y| (low.0..=high.0).map(move |x| lattice.cell(x, y)))
}
