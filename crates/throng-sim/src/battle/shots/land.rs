//! Flying, and what comes of it.

use super::aim::fall;
use super::{Obstacle, ProjectileImpact, ProjectileView, ShotLaunch, Shots};
use crate::battle::damage_event::{DamageEvent, hurt};
use crate::battle::melee::chance;
use crate::battle::{Death, Soldiers, Unit};
use crate::crowd::Crowd;
use rand::RngExt;
use rayon::prelude::*;

/// Shots that one thread works on before it takes the next ones.
const SHOTS: usize = 128;

/// Lets all shots fly for the time of a tick, `step` (s); writes [`Shots::impacts`] and the agents that they hurt.
pub fn advance_projectiles(air: &ProjectileView<'_>, step: f32, shots: &mut Shots) {
    let Shots { position, velocity, by, impacts, .. } = &mut *shots;
    let columns = (position.par_iter_mut(), velocity.par_iter_mut(), by.par_iter());
    let flown = columns.into_par_iter().enumerate().with_min_len(SHOTS).filter_map(|(shot, (at, velocity, by))| {
        let from = *at;
        let (to, after) = fall(from, *velocity, step);
        (*at, *velocity) = (to, after);
        let (time, what) = air.first_struck(from, to, by.who.slot, by.army)?;
        Some(ProjectileImpact { shot: shot as u32, time, at: from.lerp(to, time as f32), what })
    });
    impacts.clear();
    impacts.par_extend(flown);
    shots.find_hurt(air);
}

/// An agent that a shot hurts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ProjectileHit {
    shot: u32,
    row: u32,
    /// How much of the damage.
    share: f32,
}

impl Shots {
    /// Writes `hits`: the bodies that were struck, and those within the blast of a shot.
    fn find_hurt(&mut self, air: &ProjectileView<'_>) {
        let mut around = std::mem::take(&mut self.around);
        self.hits.clear();
        for &ProjectileImpact { shot, at, what, .. } in &self.impacts {
            let by = self.by[shot as usize];
            let blast = air.field.units[by.unit.index()].ranged.as_ref().map_or(0.0, |ranged| ranged.blast);
            let direct = match what {
                Obstacle::Body(row) => Some(row),
                Obstacle::Cell(_) | Obstacle::Beyond => None,
            };
            self.hits.extend(direct.map(|row| ProjectileHit { shot, row, share: 1.0 }));
            if blast > 0.0 && what != Obstacle::Beyond {
                air.around(at, blast, &mut around);
                let crowd = air.field.crowd;
                let hurt = |&&(_, row, _): &&(u32, u32, f32)| {
                    Some(row) != direct && air.hits(by.army, crowd.rows.army_of(row as usize))
                };
                let share = |distance: f32| (1.0 - distance / blast).max(0.0);
                let hits = around.iter().filter(hurt);
                self.hits.extend(hits.map(|&(_, row, distance)| ProjectileHit { shot, row, share: share(distance) }));
            }
        }
        self.around = around;
    }
}

/// Writes `health`, `harms` and `deaths`: all hits of this tick, in the order of the shots; then those shots are gone.
///
/// The damage of a shot is random, between half and one and a half times that of its weapon: a function of the seed, the shooter
/// and the launch.
pub fn land(
    (crowd, units): (&Crowd, &[Unit]),
    seed: u64,
    shots: &mut Shots,
    soldiers: &mut Soldiers,
    harms: &mut Vec<DamageEvent>,
    deaths: &mut Vec<Death>,
) {
    for &ProjectileHit { shot, row, share } in &shots.hits {
        let (by, row) = (shots.by[shot as usize], row as usize);
        let Some(ranged) = &units[by.unit.index()].ranged else { continue };
        let ShotLaunch { tick, number } = shots.launch[shot as usize];
        let seed = seed.rotate_left(32).wrapping_add(number.into());
        let strength = chance(seed, tick.into(), by.who.slot as usize).random_range(0.5..1.5);
        let unit = &units[usize::from(crowd.slots.unit[crowd.rows.slot[row] as usize])];
        hurt((crowd, by, row), (unit.harm(ranged.damage * strength * share), true), soldiers, (harms, deaths));
    }
    shots.clear_struck();
}
