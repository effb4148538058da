//! Hand-to-hand fighting.

use super::{Blow, Field, Soldiers};
use crate::crowd::AgentId;
use crate::grid::walls;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A soldier who died in this tick.
///
/// ```
/// use throng::battle::Death;
/// use throng::crowd::AgentId;
/// let death = Death { who: AgentId { slot: 4, generation: 0 }, by: AgentId { slot: 9, generation: 0 } };
/// assert_ne!(death.who, death.by);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// Who died.
    pub who: AgentId,
    /// Who struck the last blow.
    pub by: AgentId,
}

/// Writes `blows` and `ready`: whoever has a living target within reach, and is ready, strikes it. `step` is the
/// length of a tick (s).
///
/// The strength of a blow is random, between half and one and a half times the unit's damage: a function of the
/// seed, the striker and the tick.
pub fn strike(field: &Field<'_>, seed: u64, step: f32, soldiers: &mut Soldiers) {
    let crowd = field.crowd;
    let columns = soldiers.ready.par_iter_mut().zip(&soldiers.target).enumerate().with_min_len(1024);
    let blows = columns.filter_map(|(slot, (ready, &target))| {
        let row = crowd.row_of[slot];
        if row == u32::MAX || u64::from(*ready) > field.tick {
            return None;
        }
        let other = crowd.row(target)?;
        let row = row as usize;
        let unit = &field.units[usize::from(crowd.unit[slot])];
        let (from, to) = (crowd.position[row], crowd.position[other]);
        let reach = unit.strikes(crowd.radius[other]);
        if from.distance_squared(to) > reach * reach
            || !walls::line_of_sight(field.grid, field.clearance, from, to, 0.0)
        {
            return None;
        }
        // Spread out, or neighbouring seeds would only swap the numbers of neighbouring slots.
        let spread = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut chance = Pcg32::seed_from_u64(spread ^ (field.tick << 32 | slot as u64));
        let pause = ((unit.cooldown / step).round() as u64).max(1);
        *ready = field.tick.saturating_add(pause).min(u32::MAX.into()) as u32;
        Some(Blow { by: slot as u32, damage: unit.damage * chance.random_range(0.5..1.5) })
    });
    soldiers.blows.clear();
    soldiers.blows.par_extend(blows);
}

/// Writes `health` and `deaths`: all blows land at once, in the order of the strikers' slots; those struck dead in
/// this tick have struck too.
pub fn damage(field: &Field<'_>, soldiers: &mut Soldiers, deaths: &mut Vec<Death>) {
    for &Blow { by, damage } in &soldiers.blows {
        let target = soldiers.target[by as usize];
        let health = &mut soldiers.health[target.slot as usize];
        let lived = *health > 0.0;
        *health -= field.units[usize::from(field.crowd.unit[target.slot as usize])].harm(damage);
        if lived && *health <= 0.0 {
            deaths.push(Death { who: target, by: field.crowd.id(by) });
        }
    }
}
