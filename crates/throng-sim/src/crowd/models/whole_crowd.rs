//! A model that moves the chosen rows of a crowd, and what models have in common.

use crate::crowd::apart::apart;
use crate::crowd::{AgentView, Avoidance, CHUNK};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::{Vec2, clamp_length, unit};

/// The rows that a model moves.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'a> {
    /// All.
    All,
    /// Those with this model, in a column that has the model of each.
    Of(Avoidance, &'a [Avoidance]),
}

impl Rows<'_> {
    /// True where the model moves a row.
    pub(crate) fn has(self, row: usize) -> bool {
        match self {
            Self::All => true,
            Self::Of(kind, kinds) => kinds[row] == kind,
        }
    }
}

/// Writes the new velocities (m/s) of the chosen rows of a crowd: one dynamic call a model and tick.
pub(super) trait WholeCrowd: Send + Sync {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]);
}

/// Writes `new_velocity` of the chosen rows, each for itself.
pub(super) fn each(new_velocity: &mut [Vec2], rows: Rows<'_>, one: impl Fn(usize) -> Vec2 + Sync) {
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
pub(super) fn aside(preferred: Vec2, push: Vec2) -> Vec2 {
    let ahead = unit(preferred);
    let against = (-push.dot(ahead)).max(0.0);
    ahead.perp() * (EVASION * against)
}

/// An approach with a time constant.
#[derive(Clone, Copy)]
pub(super) struct Approach {
    /// The time constant (s).
    time: f32,
    /// The share of the way that is done after a step, 0 to 1.
    part: f32,
}

impl Approach {
    pub(super) fn new(time: f32, step: f32) -> Self {
        Self { time, part: -libm::expm1f(-step / time) }
    }

    /// The velocity (m/s) after the step of the agent in a row, drawn to its preferred velocity and pushed by `force` (m/s²).
    #[inline]
    pub(super) fn of(self, view: &AgentView<'_>, row: usize, force: Vec2) -> Vec2 {
        let (velocity, preferred) = (view.velocity[row], view.preferred_velocity[row]);
        clamp_length(velocity + (preferred + force * self.time - velocity) * self.part, view.top_speed[row])
    }
}

/// The sum of the pushes (m/s²) on the body in `row`. `strength` is told the unit vector away from a neighbour and
/// the gap between both bodies (m, negative where they overlap); of two of one weight each gets all of it, of others
/// the lighter gets more.
#[inline]
pub(super) fn force(view: &AgentView<'_>, row: usize, strength: impl Fn(Vec2, f32) -> f32) -> Vec2 {
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
