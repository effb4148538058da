//! Moving, and staying out of the walls.

use crate::crowd::CHUNK;
use crate::crowd::walls::shared_room;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use throng_grid::geom::{Vec2, clamp_length};
use throng_grid::walls::{free_radius, slide};
use throng_grid::{Grid, Layer};
use throng_spatial::simd::LANES;

/// The columns that a move changes in place.
#[derive(Debug)]
pub struct Moving<'a> {
    /// Position (m).
    pub position: &'a mut [Vec2],
    /// Velocity (m/s).
    pub velocity: &'a mut [Vec2],
    /// How far from every wall each body is at least (m), for [`displace`].
    pub room: &'a mut [f32],
}

/// Moves the positions by the new velocities (m/s) for `step` seconds.
///
/// The velocity becomes `new_velocity`, shortened to `top_speed`; where a wall is in the way the body slides along it
/// ([`slide`]), and its velocity is what it really moved. A `new_velocity` that is no number stops the body. The rooms are only
/// written.
pub fn integrate(
    step: f32,
    grid: &Grid,
    new_velocity: &[Vec2],
    radius: &[f32],
    top_speed: &[f32],
    Moving { position, velocity, room }: Moving<'_>,
) {
    let clearance = grid.clearance();
    let inputs = new_velocity.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK)).zip(top_speed.par_chunks(CHUNK));
    let outputs = position.par_chunks_mut(CHUNK).zip(velocity.par_chunks_mut(CHUNK)).zip(room.par_chunks_mut(CHUNK));
    outputs.zip(inputs).for_each(|(((position, velocity), room), ((new_velocity, radius), top_speed))| {
        for (room, position) in room.chunks_mut(LANES).zip(position.chunks(LANES)) {
            room.fill(shared_room(clearance, position));
        }
        for (i, ((position, velocity), room)) in position.iter_mut().zip(velocity).zip(room).enumerate() {
            let wanted =
                if new_velocity[i].is_finite() { clamp_length(new_velocity[i], top_speed[i]) } else { Vec2::ZERO };
            let target = *position + wanted * step;
            let reached = moved(grid, clearance, *position, wanted * step, radius[i], room);
            // Exactly what was wanted where nothing was in the way, not what rounding makes of it.
            *velocity =
                if reached == target { wanted } else { clamp_length((reached - *position) / step, top_speed[i]) };
            *position = reached;
        }
    });
}

/// Moves `position` by `pushed` (both m), never into a wall. Velocities stay as they are. Keeps `room` true.
pub fn displace(grid: &Grid, pushed: &[Vec2], radius: &[f32], position: &mut [Vec2], room: &mut [f32]) {
    let clearance = grid.clearance();
    let inputs = pushed.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK));
    let outputs = position.par_chunks_mut(CHUNK).zip(room.par_chunks_mut(CHUNK));
    outputs.zip(inputs).for_each(|((position, room), (pushed, radius))| {
        for (((position, room), &pushed), &radius) in position.iter_mut().zip(room).zip(pushed).zip(radius) {
            if pushed != Vec2::ZERO && pushed.is_finite() {
                *position = moved(grid, clearance, *position, pushed, radius, room);
            }
        }
    });
}

/// As [`slide`], which it leaves out where there is `room` enough.
#[inline]
fn moved(grid: &Grid, clearance: &Layer<f32>, from: Vec2, way: Vec2, radius: f32, room: &mut f32) -> Vec2 {
    let length = way.length();
    if *room <= length + radius {
        *room = free_radius(clearance, from);
    }
    if *room > length + radius {
        *room -= length;
        return from + way;
    }
    *room = 0.0;
    slide(grid, clearance, from, way, radius)
}
