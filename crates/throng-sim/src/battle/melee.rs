//! Hand-to-hand fighting.

use super::damage_event::{DamageEvent, Death, Origin, hurt};
use super::{CombatView, MeleeHit, Soldiers, sector};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use rayon::prelude::*;
use throng_grid::walls;

/// Writes `melee_hits` and `ready`: a soldier strikes a living target that is within reach and in the arc of its weapon, once it is ready.
/// `step` is the length of a tick (s).
///
/// The damage of a hit is random, between half and one and a half times the unit's damage: a function of the
/// seed, the striker and the tick. A charging soldier strikes harder, the faster it is.
pub fn strike(field: &CombatView<'_>, seed: u64, step: f32, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    let columns = soldiers.ready.par_iter_mut().zip(&soldiers.target).enumerate().with_min_len(1024);
    let melee_hits = columns.filter_map(|(slot, (ready, &target))| {
        let row = crowd.slots.row_of[slot];
        if row == u32::MAX || u64::from(*ready) > field.schedule.tick {
            return None;
        }
        let other = crowd.row(target)?;
        let row = row as usize;
        let unit = &field.units[usize::from(crowd.slots.unit[slot])];
        let (from, to) = (crowd.rows.position[row], crowd.rows.position[other]);
        let reach = unit.strikes(crowd.rows.radius[other]);
        if from.distance_squared(to) > reach * reach
            || !sector::holds(unit.arc, crowd.slots.facing[slot], to - from)
            || !walls::line_of_sight(field.grid, field.clearance, from, to, 0.0)
        {
            return None;
        }
        let mut chance = chance(seed, field.schedule.tick, slot);
        let mut damage = unit.damage * chance.random_range(0.5..1.5);
        let use_of = used(field.schedule.tick, unit.cooldown, step, || chance.random());
        *ready = use_of.ready;
        for _ in 1..use_of.times {
            damage += unit.damage * chance.random_range(0.5..1.5);
        }
        if unit.charge > 1.0 {
            damage *= 1.0 + (unit.charge - 1.0) * (crowd.rows.velocity[row].length() / unit.top_speed).min(1.0);
        }
        Some(MeleeHit { by: slot as u32, damage })
    });
    soldiers.melee_hits.clear();
    soldiers.melee_hits.par_extend(melee_hits);
}

/// Random numbers of a soldier in a tick.
pub(super) fn chance(seed: u64, tick: u64, slot: usize) -> Pcg32 {
    // Spread out, or neighbouring seeds would only swap the numbers of neighbouring slots.
    let spread = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Pcg32::seed_from_u64(spread ^ (tick << 32 | slot as u64))
}

/// A weapon that is used in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WeaponUse {
    /// The tick from which it may be used again.
    pub ready: u32,
    /// How many times it is used in this tick: more than once where its cooldown is shorter than the tick.
    pub times: u16,
}

/// The least time between two uses of a weapon (s).
const LEAST_COOLDOWN_S: f32 = 0.05;

/// A share of a tick, or of a use, that is not drawn for: rounding alone makes it.
const ROUNDING: f32 = 1e-3;

/// The use of a weapon in a tick, by its cooldown and the length of the tick (s). Where one is no multiple of the other, the rest is
/// drawn by `part`, a random number below 1: so that the mean time between two uses is the cooldown, whatever the tick.
pub(super) fn used(tick: u64, cooldown: f32, step: f32, mut part: impl FnMut() -> f32) -> WeaponUse {
    let cooldown = cooldown.max(LEAST_COOLDOWN_S);
    let mut whole = |ratio: f32| {
        let nearest = ratio.round();
        if (ratio - nearest).abs() < ROUNDING { nearest } else { (ratio + part()).floor() }
    };
    let ratio = cooldown / step;
    let (pause, times) = if ratio >= 1.0 { (whole(ratio) as u64, 1.0) } else { (1, whole(1.0 / ratio)) };
    WeaponUse { ready: tick.saturating_add(pause).min(u32::MAX.into()) as u32, times: times as u16 }
}

/// Writes `health`, `harms` and `deaths`: all hits land at once, in the order of the strikers' slots. A soldier that dies
/// in this tick has struck too.
pub fn damage(field: &CombatView<'_>, soldiers: &mut Soldiers, harms: &mut Vec<DamageEvent>, deaths: &mut Vec<Death>) {
    let crowd = field.crowd;
    let melee_hits = std::mem::take(&mut soldiers.melee_hits);
    for &MeleeHit { by, damage } in &melee_hits {
        let target = soldiers.target[by as usize];
        let Some(row) = crowd.row(target) else { continue };
        let by = Origin::of(crowd, by, crowd.slots.row_of[by as usize] as usize);
        let damage = field.units[usize::from(crowd.slots.unit[target.slot as usize])].harm(damage);
        hurt((crowd, by, row), (damage, false), soldiers, (harms, deaths));
    }
    soldiers.melee_hits = melee_hits;
}
