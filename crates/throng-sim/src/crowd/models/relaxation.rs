//! Movement by positions: velocities relax to the preferred ones, overlaps are pushed apart after the move, and what the body
//! really moved is its velocity.
//!
//! After M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, "Position based dynamics" (2007), and, for crowds,
//! T. Weiss, A. Litteneker, C. Jiang, D. Terzopoulos, "Position-based multi-agent dynamics for real-time crowd
//! simulation" (2017).

use super::whole_crowd::{Approach, Rows, WholeCrowd, aside, each};
use crate::crowd::{AgentView, CHUNK};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use throng_grid::geom::{Vec2, clamp_length};

/// How a body comes to its preferred velocity.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Relaxation {
    /// The time in which all but a third (1/e) of the difference to the preferred velocity is gone (s), 0.001 to 1000. Default 0.2:
    /// a body that was pushed is seen to be. Shorter lets crowds shake, longer makes them slide as on ice.
    pub time: f32,
}

impl Default for Relaxation {
    fn default() -> Self {
        Self { time: 0.2 }
    }
}

/// Each velocity on its way to the preferred one, at most `top_speed`. It reads no neighbours: [`push`](crate::crowd::push::push)
/// after the move keeps bodies apart, [`settle`] makes that their velocity.
///
/// O(1) an agent.
impl WholeCrowd for Relaxation {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        let approach = Approach::new(self.time, view.step);
        each(new_velocity, rows, |row| approach.of(view, row, Vec2::ZERO));
    }
}

/// Writes `velocity` (m/s) of the rows that have a `limit`: their motion in the `step` seconds since they were at `before`, a
/// place (m) and a velocity (m/s). `velocity` holds that by which they went; what pushed them back from there, against the velocity they
/// `preferred` (m/s), turns them to the right. It is at most `top_speed`, and no further from the velocity of before than `limit`, an acceleration (m/s²),
/// allows.
///
/// ```
/// use throng_sim::crowd::models::relaxation::settle;
/// use throng_grid::geom::Vec2;
/// let before = [(Vec2::ZERO, Vec2::X)];
/// let mut velocity = [Vec2::X];
/// settle(0.1, &before, &[Vec2::new(0.1, 0.05)], &[Vec2::X], &[2.0], |_| Some(f32::INFINITY), &mut velocity);
/// assert_eq!(velocity, [Vec2::new(1.0, 0.5)]);
/// ```
pub fn settle(
    step: f32,
    before: &[(Vec2, Vec2)],
    position: &[Vec2],
    preferred: &[Vec2],
    top_speed: &[f32],
    limit: impl Fn(usize) -> Option<f32> + Sync,
    velocity: &mut [Vec2],
) {
    let inputs = before.par_chunks(CHUNK).zip(position.par_chunks(CHUNK));
    let limits = preferred.par_chunks(CHUNK).zip(top_speed.par_chunks(CHUNK));
    velocity.par_chunks_mut(CHUNK).zip(inputs.zip(limits)).enumerate().for_each(
        |(chunk, (velocity, ((before, position), (preferred, top_speed))))| {
            for (i, velocity) in velocity.iter_mut().enumerate() {
                let row = chunk * CHUNK + i;
                if let Some(acceleration) = limit(row) {
                    let (from, had) = before[i];
                    let moved = (position[i] - from) / step;
                    let turned = clamp_length(moved + aside(preferred[i], moved - *velocity), top_speed[i]);
                    *velocity = crate::crowd::acceleration::within(had, turned, acceleration * step);
                }
            }
        },
    );
}
