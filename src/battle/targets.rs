//! Who fights whom.

use super::{Presence, Relations, Soldiers, Unit};
use crate::crowd::{AgentId, Crowd, Sleepers};
use crate::grid::{Grid, Layer, walls};
use crate::spatial::{Bodies, Index, SpatialIndex};
use rayon::prelude::*;

/// A soldier looks for a target every this many ticks, each soldier in a tick of its own.
pub const LOOK_EVERY: u64 = 8;

/// What targets are looked for in.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// Kinds of soldiers.
    pub units: &'a [Unit],
    /// Everybody.
    pub crowd: &'a Crowd,
    /// The index of the rows of those awake.
    pub index: &'a Index,
    /// Those who sleep.
    pub sleepers: &'a Sleepers,
    /// Which armies are near.
    pub presence: &'a Presence,
    /// Who is whose enemy.
    pub relations: &'a Relations,
    /// The greatest radius of the units (m).
    pub widest: f32,
    /// Ticks done.
    pub tick: u64,
}

/// Writes `target`: the nearest enemy within sight, ties by slot, where no wall is between; else the nearest whom it
/// sees and could strike. Looked for every [`LOOK_EVERY`] ticks and kept in between while it lives.
pub fn targets(field: &Field<'_>, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    soldiers.target.par_iter_mut().enumerate().with_min_len(256).for_each(|(slot, target)| {
        let row = crowd.row_of[slot];
        if row == u32::MAX {
            *target = AgentId::NONE;
        } else if (field.tick + slot as u64).is_multiple_of(LOOK_EVERY) {
            *target = nearest_enemy(field, row as usize, slot, *target);
        } else if crowd.row(*target).is_none() {
            *target = AgentId::NONE;
        }
    });
}

fn nearest_enemy(field: &Field<'_>, row: usize, slot: usize, before: AgentId) -> AgentId {
    let crowd = field.crowd;
    let (position, hostile) = (crowd.position[row], field.relations.enemies(crowd.army[row]));
    if field.presence.armies(position) & hostile == 0 {
        return AgentId::NONE;
    }
    let unit = &field.units[usize::from(crowd.unit[slot])];
    let is_enemy = |other: u32| hostile >> crowd.army[other as usize] & 1 == 1;
    let look = |reach: f32, accept: &dyn Fn(u32) -> bool| {
        let awake = field.index.nearest(bodies(crowd), position.to_array(), reach, accept);
        let asleep = field.sleepers.nearest(crowd, position, reach, accept);
        let rank = |&(other, squared): &(u32, f32)| (squared.to_bits(), crowd.slot[other as usize]);
        awake.into_iter().chain(asleep).min_by_key(rank).map(|(other, _)| other)
    };
    let is_seen = |other: u32| visible(field, row, other as usize);
    let sight = unit.notices(field.widest);
    // Nobody nearer is further away than the enemy of before.
    let known = crowd.row(before).map_or(sight, |row| crowd.position[row].distance(position) * 1.000_1 + 1e-3);
    let nearest = look(sight.min(known), &is_enemy);
    nearest
        .filter(|&other| is_seen(other))
        // The nearest is behind a wall: there may be others close enough to strike.
        .or_else(|| nearest.and_then(|_| look(unit.strikes(field.widest), &|other| is_enemy(other) && is_seen(other))))
        .map_or(AgentId::NONE, |other| crowd.id(crowd.slot[other as usize]))
}

fn visible(field: &Field<'_>, from: usize, to: usize) -> bool {
    let position = &field.crowd.position;
    walls::line_of_sight(field.grid, field.clearance, position[from], position[to], 0.0)
}

/// The rows of those awake as bodies of an index.
pub fn bodies(crowd: &Crowd) -> Bodies<'_, 2> {
    let awake = ..crowd.awake();
    Bodies::new(bytemuck::cast_slice(&crowd.position[awake]), &crowd.radius[awake], &crowd.slot[awake])
}
