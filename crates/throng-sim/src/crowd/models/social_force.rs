//! The social force model.
//!
//! D. Helbing, P. Molnár, "Social force model for pedestrian dynamics" (1995), in its circular specification: the push
//! of a neighbour falls exponentially with the distance alone, not with the ellipse of its next stride. Distances are
//! taken between the edges of bodies, as in D. Helbing, I. Farkas, T. Vicsek, "Simulating dynamical features of escape
//! panic" (2000), so that bodies of any size fit; a neighbour behind counts less by the factor of A. Johansson, D. Helbing,
//! P. Shukla (2007). In place of their term of random fluctuation a fifth of what pushes an agent back pushes it to its right, too: so
//! two that meet exactly head on pass each other, and always on the same side.

use super::{Approach, Bodies, aside, each};
use throng_grid::geom::{Vec2, unit};
use throng_spatial::Near;

/// The greatest exponent: no overlap makes a push that is no number.
const STEEPEST: f32 = 20.0;

/// The constants of the model.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SocialForce {
    /// Relaxation time τ to the wish (s), 0.001 to 1000. Default 0.5, that of 1995. Shorter makes agents press on,
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

/// Writes `next` (m/s), at most `top_speed`, of the rows that `who` picks: drawn to the wish, pushed away by neighbours.
///
/// Runs on the threads of the current rayon pool with the same result on any number and machine (the exponential is that
/// of `libm`). Agents on one point part in a direction made from their ids, `slot`; of two, each is pushed by the share of
/// the other's `weight`. Costs O(k) an agent.
///
/// ```
/// use throng_sim::crowd::{SocialForce, models::social_force::social_force, neighbours::neighbours};
/// use throng_grid::geom::Vec2;
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// // One walks up to one that stands.
/// let position = [Vec2::ZERO, Vec2::new(1.2, 0.1)];
/// let velocity = [Vec2::X, Vec2::ZERO];
/// let (radius, top_speed, weight, slot) = ([0.5; 2], [2.0; 2], [1.0; 2], [0, 1]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let mut next = [Vec2::ZERO; 2];
/// let params = SocialForce::default();
/// social_force(
///     params, 0.1, &position, &velocity, &velocity, &radius, &top_speed, &weight, &slot, &near, |_| true, &mut next,
/// );
/// assert!(next[0].x < 0.9 && next[1].x > 0.1, "it slows down, the other steps back: {next:?}");
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn social_force(
    params: SocialForce,
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
    let SocialForce { time, strength, range, lambda } = params;
    let approach = Approach::new(time, step);
    let bodies = Bodies { position, radius, weight, slot, near };
    each(next, who, |row| {
        // An agent without a wish faces nowhere: a cosine of 0 all round.
        let ahead = unit(wish[row]);
        let force = bodies.force(row, |away, gap| {
            let seen = lambda + (1.0 - lambda) * 0.5 * (1.0 - ahead.dot(away));
            strength * seen * libm::expf((-gap / range).min(STEEPEST))
        });
        approach.of(velocity[row], wish[row], force + aside(wish[row], force), top_speed[row])
    });
}
