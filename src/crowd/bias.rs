//! Looking aside where progress fails.

use super::CHUNK;
use crate::geom::Vec2;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Turns the wishes (m/s) of blocked agents to their right, so that crowds that meet head on pass each other instead of
/// jamming.
///
/// An agent that moves as it wished is left alone; one that stands still turns by the arc tangent of `amount` (0 = off,
/// 1 = up to 45°). Agents for which `wants` is false are left alone too: those near their goal, say, where turning aside
/// would make them circle it.
///
/// ```
/// use throng::crowd::bias::bias;
/// use throng::geom::Vec2;
/// let mut wish = [Vec2::X];
/// bias(1.0, &[Vec2::ZERO], &[true], &mut wish);
/// assert!(wish[0].distance(Vec2::new(0.707, 0.707)) < 1e-3, "right is down where one looks along x");
/// ```
pub fn bias(amount: f32, velocity: &[Vec2], wants: &[bool], wish: &mut [Vec2]) {
    if amount == 0.0 {
        return;
    }
    let columns = velocity.par_chunks(CHUNK).zip(wants.par_chunks(CHUNK));
    wish.par_chunks_mut(CHUNK).zip(columns).for_each(|(wish, (velocity, wants))| {
        for ((wish, velocity), wants) in wish.iter_mut().zip(velocity).zip(wants) {
            let speed = wish.length_squared();
            if *wants && speed > 1e-12 {
                // 1 where the agent moves as it wished, 0 where it stands.
                let progress = (velocity.dot(*wish) / speed).clamp(0.0, 1.0);
                let t = amount * (1.0 - progress);
                let turned = *wish + Vec2::new(-wish.y, wish.x) * t;
                *wish = turned / (1.0 + t * t).sqrt();
            }
        }
    });
}
