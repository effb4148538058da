//! Separation forces.
//!
//! Each agent is drawn to its wish and pushed away from its neighbours: the first of the three rules of C. Reynolds,
//! "Flocks, herds, and schools: a distributed behavioral model" (1987). The push falls to nothing at the end of its
//! range, with the square of the rest of the range, so that no agent feels a jolt when a neighbour comes into sight.

use super::{Approach, Bodies, each};
use throng_grid::geom::Vec2;
use throng_spatial::Near;

/// How hard neighbours push.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Separation {
    /// The time in which all but a third (1/e) of the difference to the wish is gone (s), 0.001 to 1000. Default 0.3.
    /// Shorter makes crowds jerky and presses them together, longer lets them drift.
    pub time: f32,
    /// How far between the edges of two bodies the push ends (m), 0.001 to 1000. Default 2: a step and an
    /// arm. Shorter brakes late, jolts and holds up dense crowds, longer makes agents shy of gaps that they would fit
    /// through.
    pub range: f32,
    /// The push of a neighbour that touches (m/s²), 0 to 1000000. Default 5: just holds one that walks at
    /// 1.5 m/s. Weaker ones let bodies overlap, twice as strong ones hold up dense crowds.
    pub strength: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { time: 0.3, range: 2.0, strength: 5.0 }
    }
}

/// Writes `next` (m/s), at most `top_speed`, of the rows that `who` picks: the wish, and away from neighbours.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Agents on one point part in a
/// direction made from their ids, `slot`; of two, each is pushed by the share of the other's `weight`. Costs O(k) an agent.
///
/// ```
/// use throng_sim::crowd::{Separation, models::separation::separation, neighbours::neighbours};
/// use throng_grid::geom::Vec2;
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let position = [Vec2::ZERO, Vec2::new(1.2, 0.0)];
/// let (still, radius, top_speed, weight, slot) = ([Vec2::ZERO; 2], [0.5; 2], [2.0; 2], [1.0; 2], [0, 1]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let mut next = [Vec2::ZERO; 2];
/// let params = Separation::default();
/// separation(
///     params, 0.1, &position, &still, &still, &radius, &top_speed, &weight, &slot, &near, |_| true, &mut next,
/// );
/// assert!(next[0].x < -0.1 && next[1].x > 0.1, "they part: {next:?}");
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn separation(
    params: Separation,
    step: f32,
    position: &[Vec2],
    velocity: &[Vec2],
    wish: &[Vec2],
    radius: &[f32],
    top_speed: &[f32],
    weight: &[f32],
    slot: &[u32],
    near: &Near,
    who: impl Fn(usize) -> bool + Sync,
    next: &mut [Vec2],
) {
    let Separation { time, range, strength } = params;
    let approach = Approach::new(time, step);
    let bodies = Bodies { position, radius, weight, slot, near };
    each(next, who, |row| {
        let force = bodies.force(row, |_, gap| {
            let left = (1.0 - gap.max(0.0) / range).max(0.0);
            strength * left * left
        });
        approach.of(velocity[row], wish[row], force, top_speed[row])
    });
}
