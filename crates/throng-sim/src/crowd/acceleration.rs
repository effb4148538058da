//! No velocity changes faster than its body can.

use super::CHUNK;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::{Vec2, clamp_length};

/// Brings `new_velocity` (m/s) so near to `velocity` that each changes by at most `acceleration` of its row (m/s²) in `step`
/// seconds. A row without a limit has infinity.
///
/// It comes last before the move: an agent that brakes slowly runs into others, and is pushed out of them. Walls stop a body
/// at once all the same.
pub fn limit(step: f32, velocity: &[Vec2], acceleration: impl Fn(usize) -> f32 + Sync, new_velocity: &mut [Vec2]) {
    new_velocity.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, new_velocity)| {
        for (i, new_velocity) in new_velocity.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            *new_velocity = within(velocity[row], *new_velocity, acceleration(row) * step);
        }
    });
}

/// `to`, brought so near to `from` that it is at most `change` away. Exactly `to` where it is.
#[inline]
pub(super) fn within(from: Vec2, to: Vec2, change: f32) -> Vec2 {
    let way = to - from;
    if way.length_squared() > change * change { from + clamp_length(way, change) } else { to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom::Vec2;

    #[test]
    fn a_change_is_limited() {
        let mut new_velocity = [Vec2::new(2.0, 0.0), Vec2::new(2.0, 0.0)];
        let cart = [1.5, f32::INFINITY];
        limit(0.1, &[Vec2::X, Vec2::X], |row| cart[row], &mut new_velocity);
        assert_eq!(new_velocity, [Vec2::new(1.15, 0.0), Vec2::new(2.0, 0.0)]);
    }
}
