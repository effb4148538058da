//! Shooting.

use super::aim::{CHEST, HAND, SLOPES, fall};
use super::{Aimed, Obstacle, ProjectileView, ShotLaunch, Shots, lob, straight};
use crate::battle::melee::{chance, used};
use crate::battle::targets::touching;
use crate::battle::{Origin, Ranged, Relation};
use crate::crowd::{AgentId, LOOK_PERIOD_S};
use crate::ids::ArmyId;
use rand::RngExt;
use rayon::prelude::*;
use std::ops::Range;
use throng_grid::geom::{Vec2, Vec3};
use throng_spatial::volume::Aabb;

/// A shot that comes down so near to the point that was aimed at (m) has done its work.
const ON_TARGET_M: f32 = 1.5;

/// Six shots in seven go no further astray than so many times their [spread](Ranged::spread).
const STRAY_SPREADS: f32 = 2.0;

/// No soldier shoots into a fight with fewer enemies than this to a friend.
const MIN_FOES_A_FRIEND: u32 = 3;

/// A trial shot flies for so long (s) beyond the time it takes to its target: then it has come down.
const BEYOND_S: f32 = 1.0;

/// The columns of soldiers that shooting writes, by slot, beside the targets; the others may be read meanwhile.
#[derive(Debug)]
pub struct Archers<'a> {
    /// The target of each slot.
    pub target: &'a [AgentId],
    /// The tick from which each may strike or shoot again.
    pub ready: &'a mut [u32],
    /// Shots that each has left.
    pub ammunition: &'a mut [u16],
}

/// A salvo that is shot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Salvo {
    slot: u32,
    row: u32,
    /// Salvos in this tick.
    times: u16,
    from: Vec3,
    velocity: Vec3,
}

/// A soldier shoots if it has shots left, is ready, and has a target in range but out of the reach of its hand. It aims at the
/// place where the target will be. Where friends or walls are in the way it lobs, the higher the more slopes they stop. It holds its fire
/// if they are in all these ways, if a neutral is, or if too many friends stand around the target. `step` is the length of a tick (s).
///
/// Each shot of a salvo strays by itself: a function of the seed, the shooter and the tick.
pub fn shoot(air: &ProjectileView<'_>, seed: u64, step: f32, archers: Archers<'_>, shots: &mut Shots) {
    let Archers { target, ready, ammunition } = archers;
    if ammunition.is_empty() {
        return;
    }
    let (field, crowd) = (air.field, air.field.crowd);
    let columns = ready.par_iter_mut().zip(target).zip(&*ammunition).enumerate().with_min_len(256);
    let salvos = columns.filter_map(|(slot, ((ready, &target), &left))| {
        let row = crowd.slots.row_of[slot];
        if left == 0 || target == AgentId::NONE || row == u32::MAX || u64::from(*ready) > field.schedule.tick {
            return None;
        }
        let other = crowd.row(target)?;
        let row = row as usize;
        let unit = &field.units[usize::from(crowd.slots.unit[slot])];
        let ranged = unit.ranged.as_ref()?;
        let squared = crowd.rows.position[row].distance_squared(crowd.rows.position[other]);
        let hand = unit.strikes(crowd.rows.radius[other]);
        if squared > ranged.range * ranged.range || squared <= hand * hand {
            return None;
        }
        let from = above(air, crowd.rows.position[row], HAND * unit.height);
        let aimed = aim(air, slot as u32, row, from, other, ranged, step);
        let pause = if aimed.is_some() { ranged.cooldown } else { LOOK_PERIOD_S };
        let part = || chance(!seed, field.schedule.tick, slot).random();
        let use_of = used(field.schedule.tick, pause, step, part);
        *ready = use_of.ready;
        aimed.map(|aimed| Salvo {
            slot: slot as u32,
            row: row as u32,
            times: use_of.times,
            from,
            velocity: aimed.velocity,
        })
    });
    shots.salvos.clear();
    shots.salvos.par_extend(salvos);
    let tick = field.schedule.tick.min(u32::MAX.into()) as u32;
    for i in 0..shots.salvos.len() {
        let Salvo { slot, row, times, from, velocity } = shots.salvos[i];
        let by = Origin::of(crowd, slot, row as usize);
        let Some(ranged) = &field.units[by.unit.index()].ranged else { continue };
        let left = &mut ammunition[slot as usize];
        let salvo = ranged.salvo.saturating_mul(times).min(*left);
        *left -= salvo;
        let chance = chance(!seed, field.schedule.tick, slot as usize);
        launch_salvo((from, velocity), by, ranged, (tick, 0..salvo), chance, shots);
    }
}

/// An agent shoots a salvo at a point on the ground (m), if it has shots left and its weapon carries so far. `turn` tells its requests of one
/// tick apart.
pub fn shoot_at(
    air: &ProjectileView<'_>,
    seed: u64,
    (agent, turn): (AgentId, u16),
    at: Vec2,
    ammunition: &mut [u16],
    shots: &mut Shots,
) {
    let (field, crowd, slot) = (air.field, air.field.crowd, agent.slot as usize);
    let Some(row) = crowd.row(agent) else { return };
    let unit = &field.units[usize::from(crowd.slots.unit[slot])];
    let (Some(ranged), Some(left)) = (&unit.ranged, ammunition.get_mut(slot)) else { return };
    let (from, to) = (above(air, crowd.rows.position[row], HAND * unit.height), above(air, at, 0.0));
    let lobbed = || SLOPES.into_iter().find_map(|slope| lob(from, to, ranged.speed, slope));
    let Some(aimed) = straight(from, to, ranged.speed).or_else(lobbed) else { return };
    let salvo = ranged.salvo.min(*left);
    *left -= salvo;
    let tick = field.schedule.tick.min(u32::MAX.into()) as u32;
    let chance = chance(seed ^ u64::from(turn), field.schedule.tick, slot);
    // From the last number down: its own salvos count from the first one up.
    let last = u16::MAX - turn.saturating_mul(ranged.salvo).min(u16::MAX - salvo);
    let by = Origin::of(crowd, agent.slot, row);
    launch_salvo((from, aimed.velocity), by, ranged, (tick, last - salvo..last), chance, shots);
}

/// Launches the shots of a salvo from a place (m) with a velocity (m/s), each with a number of the tick. Each strays by itself.
fn launch_salvo(
    (from, velocity): (Vec3, Vec3),
    by: Origin,
    ranged: &Ranged,
    (tick, numbers): (u32, Range<u16>),
    mut chance: impl RngExt,
    shots: &mut Shots,
) {
    for number in numbers {
        let aside = [0; 2].map(|_| stray(&mut chance) * ranged.spread.to_radians());
        shots.launch(from, turned(velocity, aside), by, ShotLaunch { tick, number });
    }
}

/// A number that is distributed nearly as a normal one of variance 1: the sum of twelve even ones.
fn stray(chance: &mut impl RngExt) -> f32 {
    (0..12).map(|_| chance.random_range(0.0..1.0_f32)).sum::<f32>() - 6.0
}

/// A velocity (m/s) turned by two small angles (radians), sideways and up.
fn turned(velocity: Vec3, [aside, up]: [f32; 2]) -> Vec3 {
    let speed = velocity.length();
    let level = Vec2::new(-velocity.y, velocity.x);
    let right = throng_grid::geom::unit(level).extend(0.0);
    let above = right.cross(velocity / speed) * -1.0;
    let strayed = velocity + (right * aside + above * up) * speed;
    strayed * (speed / strayed.length())
}

fn above(air: &ProjectileView<'_>, at: Vec2, height: f32) -> Vec3 {
    at.extend(air.skyline().ground(at) + height)
}

/// How the agent in a row shoots at another; `None` where it has to hold its fire.
fn aim(
    air: &ProjectileView<'_>,
    slot: u32,
    row: usize,
    from: Vec3,
    other: usize,
    ranged: &Ranged,
    step: f32,
) -> Option<Aimed> {
    let crowd = air.field.crowd;
    let height = air.field.units[usize::from(crowd.slots.unit[crowd.rows.slot[other] as usize])].height;
    let good = |arc: &dyn Fn(Vec3) -> Option<Aimed>| {
        let mut point = above(air, crowd.rows.position[other], CHEST * height);
        let mut aimed = arc(point)?;
        // The target's place by then, and by the end of the flight to there.
        for _ in 0..2 {
            let at = crowd.rows.position[other] + crowd.rows.velocity[other] * aimed.time;
            point = above(air, at, CHEST * height);
            aimed = arc(point)?;
        }
        let far = (from.distance(point) * along(aimed)).max(from.distance(point));
        let stray = (STRAY_SPREADS * ranged.spread.to_radians() * far).max(ranged.blast);
        let is_good = spares_friends(air, crowd.rows.army_of(row), point.truncate(), stray)
            && is_free(air, slot, crowd.rows.army_of(row), from, point, aimed, step);
        is_good.then_some(aimed)
    };
    let lobbed = |least: f32| {
        // Where it is not fast enough for a slope it takes the steepest; that may have been tried.
        let arc = |to: Vec3| lob(from, to, ranged.speed, least).filter(|aimed| slope(*aimed) > 0.5 * least);
        good(&arc)
    };
    good(&|to| straight(from, to, ranged.speed)).or_else(|| SLOPES.into_iter().find_map(lobbed))
}

/// The slope with which a shot leaves.
fn slope(aimed: Aimed) -> f32 {
    aimed.velocity.z / aimed.velocity.truncate().length()
}

/// How much further along its way a shot on a high arc strays than to the side, on level ground: by the derivative of the range.
fn along(aimed: Aimed) -> f32 {
    let slope = slope(aimed);
    slope - 1.0 / slope.max(1.0)
}

/// True where the agents within `stray` (m) of a point include at least as many enemies for each friend as are needed.
fn spares_friends(air: &ProjectileView<'_>, army: ArmyId, point: Vec2, stray: f32) -> bool {
    if !air.friendly_fire {
        return true;
    }
    let crowd = air.field.crowd;
    let (mut friends, mut enemies) = (0, 0);
    let mut count = |row: u32, at: Vec2| {
        let row = row as usize;
        if at.distance_squared(point) < stray * stray && air.health[crowd.rows.slot[row] as usize] > 0.0 {
            match air.field.relations.of(army, crowd.rows.army_of(row)) {
                Relation::Enemy => enemies += 1,
                Relation::Ally | Relation::Neutral => friends += 1,
            }
        }
    };
    let region = Aabb { low: (point - stray).to_array(), high: (point + stray).to_array() };
    touching(air.field, air.bodies(), &region, &mut |row| count(row, air.stood[row as usize]));
    air.field.sleepers.around(crowd, point, 0.0, stray, |slot| {
        let row = crowd.slots.row_of[slot as usize];
        count(row, crowd.rows.position[row as usize]);
    });
    enemies >= MIN_FOES_A_FRIEND * friends
}

/// Flies a trial shot among the agents as they stand: true where it strikes an enemy, or comes down on the ground where it
/// should.
fn is_free(
    air: &ProjectileView<'_>,
    slot: u32,
    army: ArmyId,
    from: Vec3,
    point: Vec3,
    aimed: Aimed,
    step: f32,
) -> bool {
    let crowd = air.field.crowd;
    let (mut at, mut velocity) = (from, aimed.velocity);
    let near = |place: Vec3| place.truncate().distance_squared(point.truncate()) < ON_TARGET_M * ON_TARGET_M;
    let ticks = ((aimed.time + BEYOND_S) / step).ceil() as u32;
    for _ in 0..ticks {
        let (to, next) = fall(at, velocity, step);
        match air.first_struck(at, to, slot, army) {
            None => (at, velocity) = (to, next),
            Some((_, Obstacle::Body(row))) => {
                return air.field.relations.of(army, crowd.rows.army_of(row as usize)) == Relation::Enemy;
            }
            Some((time, Obstacle::Cell(cell))) => {
                return air.field.grid.is_open(cell) && near(at.lerp(to, time as f32));
            }
            Some((_, Obstacle::Beyond)) => return false,
        }
    }
    false
}
