//! Moving, and staying out of the walls.

use super::CHUNK;
use crate::geom::{Vec2, clamp_length};
use crate::grid::walls::slide;
use crate::grid::{Grid, Layer};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Writes `velocity` (m/s) and moves `position` (m) by it for `step` seconds.
///
/// The velocity becomes `next`, shortened to `top_speed`; where a wall is in the way the body slides along it
/// ([`slide`]), and its velocity is what it really moved. A `next` that is no number stops the body.
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn integrate(
    grid: &Grid,
    clearance: &Layer<f32>,
    step: f32,
    next: &[Vec2],
    radius: &[f32],
    top_speed: &[f32],
    position: &mut [Vec2],
    velocity: &mut [Vec2],
) {
    let inputs = next.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK)).zip(top_speed.par_chunks(CHUNK));
    let outputs = position.par_chunks_mut(CHUNK).zip(velocity.par_chunks_mut(CHUNK));
    outputs.zip(inputs).for_each(|((position, velocity), ((next, radius), top_speed))| {
        for (i, (position, velocity)) in position.iter_mut().zip(velocity).enumerate() {
            let wanted = if next[i].is_finite() { clamp_length(next[i], top_speed[i]) } else { Vec2::ZERO };
            let target = *position + wanted * step;
            let reached = slide(grid, clearance, *position, wanted * step, radius[i]);
            // Exactly what was wanted where nothing was in the way, not what rounding makes of it.
            *velocity =
                if reached == target { wanted } else { clamp_length((reached - *position) / step, top_speed[i]) };
            *position = reached;
        }
    });
}

/// Moves `position` by `pushed` (both m), never into a wall. Velocities stay as they are.
pub fn displace(grid: &Grid, clearance: &Layer<f32>, pushed: &[Vec2], radius: &[f32], position: &mut [Vec2]) {
    let inputs = pushed.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK));
    position.par_chunks_mut(CHUNK).zip(inputs).for_each(|(position, (pushed, radius))| {
        for ((position, &pushed), &radius) in position.iter_mut().zip(pushed).zip(radius) {
            if pushed != Vec2::ZERO && pushed.is_finite() {
                *position = slide(grid, clearance, *position, pushed, radius);
            }
        }
    });
}
