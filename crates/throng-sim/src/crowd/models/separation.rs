//! Separation forces.
//!
//! Each agent is drawn to its preferred velocity and pushed away from its neighbours: the first of the three rules of C. Reynolds,
//! "Flocks, herds, and schools: a distributed behavioral model" (1987). The push falls to nothing at the end of its
//! range, with the square of the rest of the range, so that no agent feels a jolt when a neighbour comes into sight.

use super::whole_crowd::{Approach, Rows, WholeCrowd, each, force};
use crate::crowd::AgentView;
use throng_grid::geom::Vec2;

/// How hard neighbours push.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Separation {
    /// The time in which all but a third (1/e) of the difference to the preferred velocity is gone (s), 0.001 to 1000. Default 0.3.
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

/// Each gets the velocity it prefers, and away from neighbours, at most its `top_speed`.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Agents on one point part in a
/// direction made from their ids, `slot`; of two, each is pushed by the share of the other's `weight`. Costs O(k) an agent.
impl WholeCrowd for Separation {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        let Self { time, range, strength } = *self;
        let approach = Approach::new(time, view.step);
        each(new_velocity, rows, |row| {
            let force = force(view, row, |_, gap| {
                let left = (1.0 - gap.max(0.0) / range).max(0.0);
                strength * left * left
            });
            approach.of(view, row, force)
        });
    }
}
