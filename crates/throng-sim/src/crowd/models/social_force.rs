//! The social force model.
//!
//! D. Helbing, P. Molnár, "Social force model for pedestrian dynamics" (1995), in its circular specification: the push
//! of a neighbour falls exponentially with the distance alone, not with the ellipse of its next stride. Distances are
//! taken between the edges of bodies, as in D. Helbing, I. Farkas, T. Vicsek, "Simulating dynamical features of escape
//! panic" (2000), so that bodies of any size fit; a neighbour behind counts less by the factor of A. Johansson, D. Helbing,
//! P. Shukla (2007). In place of their term of random fluctuation a fifth of what pushes an agent back pushes it to its right, too: so
//! two that meet exactly head on pass each other, and always on the same side.

use super::whole_crowd::{Approach, Rows, WholeCrowd, aside, each, force};
use crate::crowd::AgentView;
use throng_grid::geom::{Vec2, unit};

/// The greatest exponent: no overlap makes a push that is no number.
const STEEPEST: f32 = 20.0;

/// The constants of the model.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SocialForce {
    /// Relaxation time τ to the preferred velocity (s), 0.001 to 1000. Default 0.5, that of 1995. Shorter makes agents press on,
    /// longer makes them sluggish.
    pub time: f32,
    /// Push of a neighbour that touches (m/s²), 0 to 1000000. Default 7: V⁰/σ = 2.1 m²/s² / 0.3 m of 1995. Weaker ones let bodies
    /// overlap, stronger ones keep crowds from getting through doors.
    pub strength: f32,
    /// The distance in which the push falls to a third (1/e) (m), 0.01 to 1000. Default 0.3, the σ of 1995. Shorter needs
    /// short ticks, longer makes all agents feel all others; the `reach` of neighbours should be some five times this.
    pub range: f32,
    /// The share of its push that a neighbour right behind has, λ, 0 to 1. Default 0.5, the c of 1995. At 0 agents do not feel
    /// others behind them, and are run into from there; at 1 the push is the same all round.
    pub lambda: f32,
}

impl Default for SocialForce {
    fn default() -> Self {
        Self { time: 0.5, strength: 7.0, range: 0.3, lambda: 0.5 }
    }
}

/// Each is drawn to the velocity it prefers and pushed away by neighbours; at most its `top_speed`.
///
/// Runs on the threads of the current rayon pool with the same result on any number and machine (the exponential is that
/// of `libm`). Agents on one point part in a direction made from their ids, `slot`; of two, each is pushed by the share of
/// the other's `weight`. Costs O(k) an agent.
impl WholeCrowd for SocialForce {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        let Self { time, strength, range, lambda } = *self;
        let approach = Approach::new(time, view.step);
        each(new_velocity, rows, |row| {
            // An agent that prefers to stand faces nowhere: a cosine of 0 all round.
            let ahead = unit(view.preferred_velocity[row]);
            let force = force(view, row, |away, gap| {
                let seen = lambda + (1.0 - lambda) * 0.5 * (1.0 - ahead.dot(away));
                strength * seen * libm::expf((-gap / range).min(STEEPEST))
            });
            approach.of(view, row, force + aside(view.preferred_velocity[row], force))
        });
    }
}
