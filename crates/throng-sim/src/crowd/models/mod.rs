//! Ways to choose the next velocity, behind one choice: [`Avoidance`].
//!
//! A model reads an [`AgentView`] and writes the new velocities of the rows that are its own, so that a crowd may
//! be mixed: each agent moves by the model of its unit, and all see each other. Velocities approach their targets
//! with a time constant, solved exactly, so that no length of a tick makes them swing.

mod custom;
pub mod relaxation;
pub mod separation;
pub mod social_force;

pub use custom::{AvoidanceModel, CustomAvoidance};

use super::apart::apart;
use super::orca::orca;
use super::{AgentView, Avoidance, AvoidanceSettings, CHUNK, Orca};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::{Vec2, clamp_length, unit};

/// Writes `new_velocity` (m/s) of the chosen rows by the model `kind`. A row without a velocity is seen, and stays as it is.
///
/// [`Avoidance::Custom`] is not one of these models: here it is as [`Avoidance::None`].
///
/// ORCA is written for all rows, even for a few chosen ones: in a mixed crowd it runs first, and costs as much as for all.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// use throng_sim::crowd::models::{Rows, avoid};
/// use throng_sim::crowd::{AgentColumns, AgentView, Avoidance, AvoidanceSettings};
/// use throng_spatial::Near;
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let (layer, mut near, settings) = (clearance(&grid), Near::default(), AvoidanceSettings::default());
/// near.reset(1, settings.orca.k);
/// let columns = AgentColumns {
///     position: &[Vec2::splat(4.0)],
///     velocity: &[Vec2::ZERO],
///     preferred_velocity: &[Vec2::X],
///     radius: &[0.4],
///     top_speed: &[2.0],
///     weight: &[1.0],
///     progress: &[1.0],
///     slot: &[0],
/// };
/// let view = AgentView::new(0.1, &grid, &layer, columns, &near)?;
/// let mut new_velocity = [Vec2::ZERO];
/// avoid(Avoidance::SocialForce, &settings, &view, Rows::All, &mut new_velocity);
/// assert!((new_velocity[0].x - 0.181).abs() < 1e-3, "it gathers speed: {}", new_velocity[0]);
/// avoid(Avoidance::None, &settings, &view, Rows::All, &mut new_velocity);
/// assert_eq!(new_velocity, [Vec2::X]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn avoid(
    kind: Avoidance,
    settings: &AvoidanceSettings,
    view: &AgentView<'_>,
    rows: Rows<'_>,
    new_velocity: &mut [Vec2],
) {
    let model: &dyn WholeCrowd = match kind {
        Avoidance::None | Avoidance::Custom => &Straight,
        Avoidance::Push => &settings.relaxation,
        Avoidance::Separation => &settings.separation,
        Avoidance::SocialForce => &settings.social_force,
        Avoidance::Orca => &settings.orca,
    };
    model.avoid(view, rows, new_velocity);
}

/// The rows that a model moves.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// All.
    All,
    /// Those with this model, in a column that has the model of each.
    Of(Avoidance, &'a [Avoidance]),
}

/// Writes the new velocities (m/s) of the chosen rows of a crowd: one dynamic call a model and tick.
trait WholeCrowd: Send + Sync {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]);
}

/// No avoidance at all.
struct Straight;

impl WholeCrowd for Straight {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        each(new_velocity, rows, |row| view.preferred_velocity[row]);
    }
}

impl WholeCrowd for Orca {
    fn avoid(&self, view: &AgentView<'_>, _: Rows<'_>, new_velocity: &mut [Vec2]) {
        orca(*self, view, new_velocity);
    }
}

/// Writes `new_velocity` of the chosen rows, each for itself.
fn each(new_velocity: &mut [Vec2], rows: Rows<'_>, one: impl Fn(usize) -> Vec2 + Sync) {
    new_velocity.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, new_velocity)| {
        let first = chunk * CHUNK;
        match rows {
            Rows::All => (first..).zip(new_velocity).for_each(|(row, velocity)| *velocity = one(row)),
            Rows::Of(kind, kinds) => {
                let chosen = (first..).zip(new_velocity).zip(&kinds[first..]).filter(|(_, own)| **own == kind);
                chosen.for_each(|((row, velocity), _)| *velocity = one(row));
            }
        }
    });
}

/// The share of a push against its way that turns a body aside.
const EVASION: f32 = 0.2;

/// What a body is pushed to its right by a `push` against its `preferred` velocity, in the unit of the push: two that are pushed
/// straight back pass each other, where without it they stand for ever.
#[inline]
fn aside(preferred: Vec2, push: Vec2) -> Vec2 {
    let ahead = unit(preferred);
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

    /// The velocity (m/s) after the step of the agent in a row, drawn to its preferred velocity and pushed by `force` (m/s²).
    #[inline]
    fn of(self, view: &AgentView<'_>, row: usize, force: Vec2) -> Vec2 {
        let (velocity, preferred) = (view.velocity[row], view.preferred_velocity[row]);
        clamp_length(velocity + (preferred + force * self.time - velocity) * self.part, view.top_speed[row])
    }
}

/// The sum of the pushes (m/s²) on the body in `row`. `strength` is told the unit vector away from a neighbour and
/// the gap between both bodies (m, negative where they overlap); of two of one weight each gets all of it, of others
/// the lighter gets more.
#[inline]
fn force(view: &AgentView<'_>, row: usize, strength: impl Fn(Vec2, f32) -> f32) -> Vec2 {
    let AgentView { position, radius, weight, slot, near, .. } = *view;
    let mut sum = Vec2::ZERO;
    for &other in near.of(row) {
        let other = other as usize;
        let away = position[row] - position[other];
        let distance = away.length();
        let normal = if distance > 1e-6 { away / distance } else { apart(slot[row], slot[other]) };
        let share = 2.0 * weight[other] / (weight[row] + weight[other]);
        sum += normal * (share * strength(normal, distance - radius[row] - radius[other]));
    }
    sum
}

#[cfg(test)]
mod tests;
