//! Keeping a distance from agents ahead.

use super::{AgentView, CHUNK};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::{Vec2, cross, unit};

/// Two agents go the same way if their preferred velocities enclose less than 60° (of which this is the cosine).
const SAME_WAY: f32 = 0.5;

/// An agent further aside than this share of both radii is not followed: one passes it, or merely brushes it. All of both
/// radii would let dense crowds stand still.
const STRIP: f32 = 0.5;

/// Writes `slowed`: each preferred velocity (m/s), so short that the gap to the next agent ahead that goes the same way lasts for a headway
/// (s). An agent that comes towards it, crosses its way or stands still is avoided, not followed.
///
/// A time gap gives the fundamental diagram of pedestrians, where dense crowds walk slowly: A. Tordeux, M. Chraibi,
/// A. Seyfried, "Collision-free speed model for pedestrian dynamics" (2015). `headway` gives that of a row; 0 leaves it
/// as it is. Only those in `near` are seen. Costs O(neighbours) an agent.
pub fn headway(headway: impl Fn(usize) -> f32 + Sync, view: &AgentView<'_>, slowed: &mut [Vec2]) {
    let AgentView { position, radius, near, preferred_velocity: preferred, .. } = *view;
    slowed.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, slowed)| {
        for (i, slowed) in slowed.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            let (time, forward) = (headway(row), unit(preferred[row]));
            *slowed = preferred[row];
            if time <= 0.0 || forward == Vec2::ZERO {
                continue;
            }
            let mut gap = f32::INFINITY;
            for &other in near.of(row) {
                let other = other as usize;
                let way = position[other] - position[row];
                let touch = radius[row] + radius[other];
                let in_the_way = way.dot(forward) > 0.0 && cross(way, forward).abs() < STRIP * touch;
                if in_the_way && unit(preferred[other]).dot(forward) > SAME_WAY {
                    gap = gap.min((way.length() - touch).max(0.0));
                }
            }
            let limit = gap / time;
            if limit * limit < preferred[row].length_squared() {
                *slowed = forward * limit;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::AgentColumns;
    use crate::walk::neighbours::neighbours;
    use throng_grid::geom::Vec2;
    use throng_grid::{Grid, Lattice, clearance::clearance};
    use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};

    #[test]
    fn one_behind_another_slows_down() {
        let position = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0)];
        let bodies = Bodies::new(bytemuck::cast_slice(&position), &[0.2, 0.2], &[0, 1]);
        let mut index = Index::new(IndexKind::Grid);
        index.rebuild(bodies).unwrap();
        let mut near = Near::default();
        neighbours(&index, bodies, 10, 5.0, &mut near);
        let mut slowed = [Vec2::ZERO; 2];
        let (grid, still, ones) = (Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap()), [Vec2::ZERO; 2], [1.0; 2]);
        let columns = AgentColumns {
            position: &position,
            velocity: &still,
            preferred_velocity: &[Vec2::X * 1.3; 2],
            radius: &[0.2, 0.2],
            top_speed: &ones,
            weight: &ones,
            progress: &ones,
            slot: &[0, 1],
        };
        headway(|_| 0.5, &AgentView::new(0.1, &grid, &clearance(&grid), columns, &near).unwrap(), &mut slowed);
        // A gap of 0.6 m to the one ahead; none is before that one.
        assert!((slowed[0].x - 1.2).abs() < 1e-6 && slowed[1].x == 1.3);
    }
}
