//! The choice of enemies to fight.

use super::shots::clears_walls;
use super::{ArmyOccupancy, Relations, Soldiers, TargetPreference, Unit, sector};
use crate::crowd::{AgentId, Crowd, Sleepers, UpdateSchedule};
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::ControlFlow;
use throng_grid::geom::{Vec2, mixed};
use throng_grid::{Grid, HeightField, Layer, walls};
use throng_spatial::volume::Aabb;
use throng_spatial::{Bodies, Index, SpatialIndex};

/// How often an agent chooses in a tick, if others were quicker each time.
const ROUNDS: usize = 4;

/// All that the search for targets reads.
#[derive(Clone, Copy, Debug)]
pub struct CombatView<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Distance to walls (m).
    pub clearance: &'a Layer<f32>,
    /// Kinds of soldiers.
    pub units: &'a [Unit],
    /// All agents.
    pub crowd: &'a Crowd,
    /// The index of the awake rows.
    pub index: &'a Index,
    /// The sleeping agents.
    pub sleepers: &'a Sleepers,
    /// The armies near each place.
    pub occupancy: &'a ArmyOccupancy,
    /// The relations of the armies.
    pub relations: &'a Relations,
    /// The greatest radius of the units (m).
    pub widest: f32,
    /// Height of the walls (m): shots fly over them.
    pub wall_height: f32,
    /// The tick, and which agents look for enemies in it.
    pub schedule: UpdateSchedule,
}

impl<'a> CombatView<'a> {
    /// The ground with its walls.
    pub fn skyline(&self) -> HeightField<'a> {
        HeightField { grid: self.grid, clearance: self.clearance, wall_height: self.wall_height }
    }
}

/// An agent no further than this (m) from where it reaches its enemy takes up room around it.
const CLOSE: f32 = 1.0;

/// Clears targets that are gone, and all targets of soldiers that run. Counts the soldiers that fight each agent hand to hand
/// and reach it, or nearly do. Others that would like to have taken no room yet.
pub fn attackers(crowd: &Crowd, units: &[Unit], soldiers: &mut Soldiers) {
    let Soldiers { target, flees, ammunition, engaged, .. } = &mut *soldiers;
    engaged.resize(target.len(), false);
    let columns = target.par_iter_mut().zip(engaged.par_iter_mut()).enumerate().with_min_len(4096);
    columns.for_each(|(slot, (target, engaged))| {
        let runs = flees.get(slot).is_some_and(|&flees| flees);
        let row = crowd.slots.row_of[slot];
        let enemy = crowd.row(*target).filter(|_| !runs && row != u32::MAX);
        if enemy.is_none() {
            *target = AgentId::NONE;
        }
        let by_hand = ammunition.get(slot).is_none_or(|&left| left == 0);
        *engaged = by_hand && enemy.is_some_and(|enemy| is_close(crowd, units, row as usize, enemy));
    });
    let Soldiers { target, attackers, engaged, fought, .. } = soldiers;
    fought.clear();
    let fights = |(target, &engaged): (&AgentId, &bool)| engaged.then_some(target.slot);
    fought.par_extend(target.par_iter().zip(&*engaged).with_min_len(4096).filter_map(fights));
    attackers.clear();
    attackers.resize(target.len(), 0);
    for &slot in &*fought {
        attackers[slot as usize] += 1;
    }
}

/// True where a soldier takes up room around an enemy that it wants to fight hand to hand.
fn is_close(crowd: &Crowd, units: &[Unit], row: usize, enemy: usize) -> bool {
    let unit = &units[usize::from(crowd.slots.unit[crowd.rows.slot[row] as usize])];
    let reach = unit.strikes(crowd.rows.radius[enemy]) + CLOSE;
    crowd.rows.position[row].distance_squared(crowd.rows.position[enemy]) <= reach * reach
}

/// Writes `target`: the nearest enemy in sight, or the one that the kind prefers, ties by slot, with no wall between; for a soldier
/// with shots left, or in its range with walls between that an arc clears. Where many are hidden by walls it takes some looks to
/// find one that is not. No more than [`Unit::attackers`] fight the same enemy hand to hand: a soldier that
/// finds it surrounded and does not reach it looks for another one. A soldier looks when it is due by [`UpdateSchedule`], and
/// keeps its target in between while that lives; [`attackers`] comes before.
pub fn targets(field: &CombatView<'_>, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    let mut found = std::mem::take(&mut soldiers.found);
    found.clear();
    let look = |slot: usize| {
        let row = crowd.slots.row_of[slot];
        let before = soldiers.target[slot];
        let target = if row == u32::MAX || soldiers.flees(slot) {
            AgentId::NONE
        } else {
            look_for(field, row as usize, slot, soldiers)
        };
        (target != before).then_some((slot as u32, target))
    };
    found.par_extend(field.schedule.par_slots(soldiers.target.len()).filter_map(look));
    for _ in 0..ROUNDS {
        let before = found.iter().map(|&(slot, target)| std::mem::replace(&mut soldiers.target[slot as usize], target));
        let before: Vec<AgentId> = before.collect();
        // All give up their room before any is granted: what an enemy grants depends on its own claims alone.
        for (&(slot, _), before) in found.iter().zip(before) {
            soldiers.release(slot as usize, before);
        }
        found.retain(|&(slot, target)| !soldiers.is_granted(slot as usize, target, field));
        if found.is_empty() {
            break;
        }
        // Others come first: the soldier takes another target.
        found.par_iter_mut().with_min_len(32).for_each(|(slot, target)| {
            *target = look_for(field, crowd.slots.row_of[*slot as usize] as usize, *slot as usize, soldiers);
        });
    }
    soldiers.found = found;
}

impl Soldiers {
    /// The soldier in a slot gives up its room around the enemy of before.
    fn release(&mut self, slot: usize, before: AgentId) {
        if !self.shoots(slot) && std::mem::take(&mut self.engaged[slot]) {
            self.attackers[before.slot as usize] -= 1;
        }
    }

    /// Grants the soldier in a slot the target that it claims. False, and it has none, where those of smaller slots have surrounded it.
    fn is_granted(&mut self, slot: usize, target: AgentId, field: &CombatView<'_>) -> bool {
        if self.shoots(slot) {
            return true;
        }
        let Some(enemy) = field.crowd.row(target) else { return true };
        if is_surrounded(field, self, slot, target.slot) {
            self.target[slot] = AgentId::NONE;
            return false;
        }
        if is_close(field.crowd, field.units, field.crowd.slots.row_of[slot] as usize, enemy) {
            self.engaged[slot] = true;
            self.attackers[target.slot as usize] += 1;
        }
        true
    }
}

/// True where as many others fight the one in the slot `of` hand to hand as there is room for.
fn is_surrounded(field: &CombatView<'_>, soldiers: &Soldiers, slot: usize, of: u32) -> bool {
    let most = field.units[usize::from(field.crowd.slots.unit[of as usize])].attackers;
    let himself = soldiers.engaged[slot] && soldiers.target[slot].slot == of;
    soldiers.attackers[of as usize] - u16::from(himself) >= u16::from(most)
}

fn look_for(field: &CombatView<'_>, row: usize, slot: usize, soldiers: &Soldiers) -> AgentId {
    let crowd = field.crowd;
    let (position, hostile) = (crowd.rows.position[row], field.relations.enemies(crowd.rows.army_of(row)));
    if field.occupancy.armies(position) & hostile == 0 {
        return AgentId::NONE;
    }
    let unit = &field.units[usize::from(crowd.slots.unit[slot])];
    let (before, by_hand) = (soldiers.target[slot], !soldiers.shoots(slot));
    let strikes = |other: usize| {
        let reach = unit.strikes(crowd.rows.radius[other]);
        crowd.rows.position[other].distance_squared(position) <= reach * reach
    };
    let may_fight = |other: u32| {
        let (other, slot_of) = (other as usize, crowd.rows.slot[other as usize]);
        crowd.rows.army_of(other).is_in(hostile)
            && (slot_of == before.slot && strikes(other)
                || (slot_of == before.slot
                    || sector::holds(unit.view, crowd.slots.facing[slot], crowd.rows.position[other] - position)
                    || strikes(other))
                    && !(by_hand && is_surrounded(field, soldiers, slot, slot_of)))
    };
    // An arc may go over the walls that are in sight's way.
    let is_seen = |other: u32| {
        let other = other as usize;
        visible(field, row, other) || !by_hand && !strikes(other) && clears_walls(field, unit, position, other)
    };
    let known = crowd.row(before).filter(|&row| may_fight(row as u32));
    let chosen = match unit.prey {
        TargetPreference::Nearest => nearest(field, unit, (position, hostile), known, &may_fight, &is_seen),
        TargetPreference::Weakest => {
            let weakness = |other: usize| soldiers.health[crowd.rows.slot[other] as usize].max(0.0).to_bits();
            first_by(field, unit, position, known, &weakness, &may_fight, &is_seen)
        }
        TargetPreference::MostDangerous => {
            let danger =
                |other: usize| field.units[usize::from(crowd.slots.unit[crowd.rows.slot[other] as usize])].danger();
            first_by(field, unit, position, known, &|other| !danger(other).to_bits(), &may_fight, &is_seen)
        }
    };
    chosen.map_or(AgentId::NONE, |other| crowd.id(crowd.rows.slot[other as usize]))
}

/// The nearest agent that `may_fight` and `is_seen` accept, of those that [`first_seen`] tries. `known` is a row that `may_fight`
/// accepts, if any.
fn nearest(
    field: &CombatView<'_>,
    unit: &Unit,
    (position, hostile): (Vec2, u16),
    known: Option<usize>,
    may_fight: &dyn Fn(u32) -> bool,
    is_seen: &dyn Fn(u32) -> bool,
) -> Option<u32> {
    let crowd = field.crowd;
    let sight = unit.notices(field.widest);
    // The nearest is no further away than the enemy of before.
    let reach = known.map_or(sight, |row| crowd.rows.position[row].distance(position) * 1.000_1 + 1e-3).min(sight);
    let look = |accept: &dyn Fn(u32) -> bool| field.occupancy.nearest(crowd, position, reach, hostile, accept);
    let nearest = look(may_fight)?;
    if is_seen(nearest) {
        return Some(nearest);
    }
    // The nearest is behind a wall: others may not be.
    let others = RefCell::new(Vec::new());
    look(&|other| {
        if other != nearest && may_fight(other) {
            others.borrow_mut().push(Candidate::new(field, position, other, 0));
        }
        false
    });
    first_seen(field, &mut others.into_inner(), known, is_seen)
}

/// Of all in sight that `may_fight` and `is_seen` accept the one of the least rank, ties by distance, then slot, of those that
/// [`first_seen`] tries.
fn first_by(
    field: &CombatView<'_>,
    unit: &Unit,
    position: Vec2,
    known: Option<usize>,
    rank: &dyn Fn(usize) -> u32,
    may_fight: &dyn Fn(u32) -> bool,
    is_seen: &dyn Fn(u32) -> bool,
) -> Option<u32> {
    let crowd = field.crowd;
    let sight = unit.notices(field.widest);
    let mut candidates = Vec::new();
    let mut offer = |other: u32| {
        let is_near = crowd.rows.position[other as usize].distance_squared(position) < sight * sight;
        if is_near && may_fight(other) {
            candidates.push(Candidate::new(field, position, other, rank(other as usize)));
        }
    };
    within(field, bodies(crowd), position, sight, &mut offer);
    field.sleepers.around(crowd, position, 0.0, sight, |slot| offer(crowd.slots.row_of[slot as usize]));
    first_seen(field, &mut candidates, known, is_seen)
}

/// An enemy that may be chosen: the least is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    /// The bits of the square of its distance, which are in the order of the number.
    squared: u32,
    slot: u32,
    row: u32,
}

impl Candidate {
    fn new(field: &CombatView<'_>, position: Vec2, row: u32, rank: u32) -> Self {
        let squared = field.crowd.rows.position[row as usize].distance_squared(position).to_bits();
        Self { rank, squared, slot: field.crowd.rows.slot[row as usize], row }
    }
}

/// So many enemies are tried first, and about as many of the others.
const TRIED: usize = 8;

/// The least of the candidates that `is_seen` accepts. It tries the first [`TRIED`]; where they are all hidden, the row `known` and about
/// as many of the others, which differ from look to look: so that all are tried in turn, and a crowd behind a wall costs no more than
/// a few agents. O(candidates), and at most some [`TRIED`] twice that are tried.
fn first_seen(
    field: &CombatView<'_>,
    candidates: &mut [Candidate],
    known: Option<usize>,
    is_seen: &dyn Fn(u32) -> bool,
) -> Option<u32> {
    if candidates.len() > TRIED {
        candidates.select_nth_unstable(TRIED);
    }
    let (first, others) = candidates.split_at_mut(candidates.len().min(TRIED));
    first.sort_unstable();
    if let Some(found) = first.iter().find(|candidate| is_seen(candidate.row)) {
        return Some(found.row);
    }
    let turns = others.len().div_ceil(TRIED).max(1) as u64;
    let turn = field.schedule.round();
    let is_next =
        |of: &Candidate| known == Some(of.row as usize) || (mixed(u64::from(of.slot)) + turn).is_multiple_of(turns);
    let mut best: Option<Candidate> = None;
    for &candidate in others.iter().filter(|&candidate| is_next(candidate)) {
        if best.is_none_or(|best| candidate < best) && is_seen(candidate.row) {
            best = Some(candidate);
        }
    }
    best.map(|best| best.row)
}

fn visible(field: &CombatView<'_>, from: usize, to: usize) -> bool {
    let position = &field.crowd.rows.position;
    walls::line_of_sight(field.grid, field.clearance, position[from], position[to], 0.0)
}

/// Calls `visit` with the rows of the bodies, as they were indexed, that are nearer than `reach` (m) to a point (m). Compiled
/// once for all callers, since every index is.
pub(super) fn within(
    field: &CombatView<'_>,
    indexed: Bodies<'_, 2>,
    point: Vec2,
    reach: f32,
    visit: &mut dyn FnMut(u32),
) {
    let _ = field.index.within(indexed, point.to_array(), reach, |row, _| {
        visit(row);
        ControlFlow::Continue(())
    });
}

/// Calls `visit` with the rows of the bodies, as they were indexed, that may touch a region (m), as [`within`].
pub(super) fn touching(field: &CombatView<'_>, indexed: Bodies<'_, 2>, region: &Aabb<2>, visit: &mut dyn FnMut(u32)) {
    let _ = field.index.touching(indexed, region, |row| {
        visit(row);
        ControlFlow::Continue(())
    });
}

/// The awake rows as bodies of an index.
pub fn bodies(crowd: &Crowd) -> Bodies<'_, 2> {
    crowd.rows.bodies(crowd.awake())
}
