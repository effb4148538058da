//! Ways to choose the next velocity, behind one choice: [`Avoidance`].
//!
//! A model is a free function that reads columns and writes `next` for the rows that `who` picks, so that a crowd may
//! be mixed: each agent moves by the model of its unit, and all see each other. Velocities approach their targets
//! with a time constant, solved exactly, so that no length of a tick makes them swing.

mod custom;
pub mod relaxation;
pub mod separation;
pub mod social_force;

pub use custom::{AvoidanceModel, AvoidanceView, CustomAvoidance};

use super::apart::apart;
use super::orca::orca;
use super::{Avoidance, AvoidanceSettings, CHUNK, Crowd};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::{Vec2, clamp_length, unit};
use throng_grid::{Grid, Layer};
use throng_spatial::Near;

/// Writes `next` (m/s) of the awake rows that `who` picks, by the model `kind`. `step` is the length of a tick (s);
/// the map and its clearance tell ORCA of the walls.
///
/// [`Avoidance::Custom`] is not one of these models: here it is as [`Avoidance::None`].
///
/// ORCA is written for all rows, even for a few picked ones: in a mixed crowd it runs first, and costs as much as for all.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// use throng_sim::crowd::{Avoidance, AvoidanceSettings, Crowd, Newcomer, models};
/// use throng_spatial::Near;
/// let (mut crowd, mut near, settings) = (Crowd::default(), Near::default(), AvoidanceSettings::default());
/// crowd.spawn(Newcomer {
///     position: Vec2::splat(4.0), facing: Vec2::X, radius: 0.4, top_speed: 2.0, weight: 1.0, army: 0, unit: 0, squad: u32::MAX,
/// });
/// crowd.wish[0] = Vec2::X;
/// near.reset(1, settings.orca.k);
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let map = (&grid, &clearance(&grid));
/// models::avoid(Avoidance::SocialForce, &settings, 0.1, map, &near, |_| true, &mut crowd);
/// assert!((crowd.next[0].x - 0.181).abs() < 1e-3, "it gathers speed: {}", crowd.next[0]);
/// models::avoid(Avoidance::None, &settings, 0.1, map, &near, |_| true, &mut crowd);
/// assert_eq!(crowd.next[0], Vec2::X);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn avoid(
    kind: Avoidance,
    settings: &AvoidanceSettings,
    step: f32,
    (grid, clearance): (&Grid, &Layer<f32>),
    near: &Near,
    who: impl Fn(usize) -> bool + Sync,
    crowd: &mut Crowd,
) {
    let awake = crowd.awake();
    let Crowd { position, velocity, wish, next, radius, top_speed, weight, slot, .. } = crowd;
    let next = &mut next[..awake];
    match kind {
        Avoidance::None | Avoidance::Custom => each(next, who, |row| wish[row]),
        Avoidance::Push => relaxation::relax(settings.relaxation, step, velocity, wish, top_speed, who, next),
        Avoidance::Separation => separation::separation(
            settings.separation,
            step,
            position,
            velocity,
            wish,
            radius,
            top_speed,
            weight,
            slot,
            near,
            who,
            next,
        ),
        Avoidance::SocialForce => social_force::social_force(
            settings.social_force,
            step,
            position,
            velocity,
            wish,
            radius,
            top_speed,
            weight,
            slot,
            near,
            who,
            next,
        ),
        Avoidance::Orca => {
            orca(
                settings.orca,
                step,
                grid,
                clearance,
                position,
                velocity,
                wish,
                radius,
                top_speed,
                weight,
                slot,
                near,
                next,
            );
        }
    }
}

/// Writes `next` of the rows that `who` picks.
fn each(next: &mut [Vec2], who: impl Fn(usize) -> bool + Sync, one: impl Fn(usize) -> Vec2 + Sync) {
    next.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
        for (i, next) in next.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            if who(row) {
                *next = one(row);
            }
        }
    });
}

/// The share of a push against its way that turns a body aside.
const EVASION: f32 = 0.2;

/// What a body is pushed to its right by a `push` against its `wish`, in the unit of the push: two that are pushed straight back pass
/// each other, where without it they stand for ever.
#[inline]
fn aside(wish: Vec2, push: Vec2) -> Vec2 {
    let ahead = unit(wish);
    let against = (-push.dot(ahead)).max(0.0);
    ahead.perp() * (EVASION * against)
}

/// An approach with a time constant.
#[derive(Clone, Copy)]
struct Approach {
    /// The time constant (s).
    time: f32,
    /// The share of the way that is done after a step, 0 to 1.
    part: f32,
}

impl Approach {
    fn new(time: f32, step: f32) -> Self {
        Self { time, part: -libm::expm1f(-step / time) }
    }

    /// The velocity after the step of an agent with `velocity` that is drawn to `wish` (all m/s) and pushed by `force` (m/s²).
    #[inline]
    fn of(self, velocity: Vec2, wish: Vec2, force: Vec2, top_speed: f32) -> Vec2 {
        clamp_length(velocity + (wish + force * self.time - velocity) * self.part, top_speed)
    }
}

/// The columns that a model reads that pushes neighbours away from each other.
#[derive(Clone, Copy)]
struct Bodies<'a> {
    position: &'a [Vec2],
    radius: &'a [f32],
    weight: &'a [f32],
    slot: &'a [u32],
    near: &'a Near,
}

impl Bodies<'_> {
    /// The sum of the pushes (m/s²) on the body in `row`. `strength` is told the unit vector away from a neighbour and
    /// the gap between both bodies (m, negative where they overlap); of two of one weight each gets all of it, of others
    /// the lighter gets more.
    #[inline]
    fn force(&self, row: usize, strength: impl Fn(Vec2, f32) -> f32) -> Vec2 {
        let mut sum = Vec2::ZERO;
        for &other in self.near.of(row) {
            let other = other as usize;
            let away = self.position[row] - self.position[other];
            let distance = away.length();
            let normal = if distance > 1e-6 { away / distance } else { apart(self.slot[row], self.slot[other]) };
            let share = 2.0 * self.weight[other] / (self.weight[row] + self.weight[other]);
            sum += normal * (share * strength(normal, distance - self.radius[row] - self.radius[other]));
        }
        sum
    }
}

#[cfg(test)]
mod tests;
