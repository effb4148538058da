//! People on foot: a gap in time to those ahead that go the same way, reciprocal velocities for all others.
//!
//! The half-planes of neighbours are those of [ORCA](super::orca), but for those that go the same way: how fast an agent may come near
//! one of these depends on the gap between both, as in the collision-free speed model, on how far the other is ahead, and on its speed. The one
//! that is ahead yields nothing, so that two that press into a door do not stop each other. Before, agents [turn](turn()) by rule: to the right of
//! those that come, behind those that cross, past those that are slower, and to a freer lane some metres ahead. In the [open](in_the_open)
//! they walk round a crowd that is stuck, as [blocked](super::bias::bias) agents of ORCA do everywhere.
//!
//! A. Tordeux, M. Chraibi, A. Seyfried, "Collision-free speed model for pedestrian dynamics" (2015); J. van den Berg et al., "Reciprocal
//! n-body collision avoidance" (2011). The blend of both is ours.

mod half_plane;
mod look_ahead;
mod open;
mod plane;
#[cfg(test)]
pub(super) mod tests;
mod turn;

pub(super) use half_plane::{Companions, GapRows};
pub(super) use look_ahead::FURTHEST;
pub(crate) use look_ahead::reach;
pub(crate) use look_ahead::{lane_width, look_ahead};
pub use open::in_the_open;
pub use turn::turn;

use super::models::Rows;
use super::orca::orca_among;
use super::{AgentView, Orca, PIECE};
use rayon::prelude::*;
use throng_grid::geom::Vec2;

/// How people keep apart. Lengths are those of people with a radius of 0.2 m, and grow with the radius.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Gap {
    /// The gap to one straight ahead lasts for so long (s), but for the share of its speed that is counted on. Default 1.9: the effective gap in a
    /// stream is 0.86 s, and speeds are those of U. Weidmann's fundamental diagram.
    pub time: f32,
    /// The share of the speed of one ahead that is counted on, 0 to 1. Default 0.55. More lets streams flow faster, and bodies overlap.
    pub trust: f32,
    /// The distance that is kept to one straight ahead when standing (m). Default 0.04.
    pub space: f32,
    /// For how long it keeps clear of those that come or cross (s). Default 1.5.
    pub horizon: f32,
    /// The time in which it comes to its new velocity (s). Default 0.05.
    pub relaxation: f32,
    /// How much shorter the gap is among those that go another way. Default 4: with one half of them it is a third.
    pub mix: f32,
    /// By so much one ahead claims room beside it, and the other yields (m/s). Default 0.2.
    pub claim: f32,
    /// How far it turns past those that come. Default 0.4.
    pub side: f32,
    /// How far it turns behind those that cross. Default 0.4.
    pub behind: f32,
    /// How far it turns past those that go the same way, but slower, by the difference of speeds (s/m). Default 1.
    pub pass: f32,
    /// How far it turns to a freer lane that it sees ahead. Default 1. 0: it looks for none.
    pub ahead: f32,
}

impl Default for Gap {
    fn default() -> Self {
        Self {
            time: 1.9,
            trust: 0.55,
            space: 0.04,
            horizon: 1.5,
            relaxation: 0.05,
            mix: 4.0,
            claim: 0.2,
            side: 0.4,
            behind: 0.4,
            pass: 1.0,
            ahead: 1.0,
        }
    }
}

/// The radius (m) of the people that the lengths of [`Gap`] are those of.
const PERSON: f32 = 0.2;

/// Two go the same way where their headings enclose an angle with a greater cosine than this.
const SAME_WAY: f32 = 0.3;

/// Writes `new_velocity` (m/s) of the chosen rows, as [`orca`](super::orca::orca()) does of all others: they go by their
/// [headings](AgentView::heading), and prefer the velocities of the view, [turned](turn()).
///
/// The same on any number of threads. O(neighbours²) an agent at worst, O(neighbours) as a rule.
///
/// # Panics
/// Where the view has no headings.
pub fn gap(params: Gap, orca: Orca, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
    orca_among(orca, view, Some(GapRows::of(params, view, rows)), new_velocity);
    let share = view.step / (view.step + params.relaxation);
    new_velocity.par_iter_mut().enumerate().with_min_len(PIECE).filter(|&(row, _)| rows.has(row)).for_each(
        |(row, new)| {
            let before = view.velocity[row];
            *new = before + (*new - before) * share;
        },
    );
}
