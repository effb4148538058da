//! Wishes that respect walls.

use super::CHUNK;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use throng_grid::geom::Vec2;
use throng_grid::walls::{free_radius, wall_near};
use throng_grid::{Grid, Layer};
use throng_spatial::simd::LANES;

/// For how long an agent's preferred velocity must keep it out of a wall (s). Longer makes agents shy of narrow doors.
pub const HORIZON: f32 = 0.25;

/// It looks no further than this for walls (m): the faster, the shorter it looks ahead.
const MAX_LOOK_M: f32 = 0.5;

/// Takes from each preferred velocity (m/s) the part that would lead the body into the nearest wall within `horizon` seconds
/// or half a metre, so that
/// the preferred velocity of an agent beside a wall runs along it.
///
/// Belongs before [`bias`](super::bias::bias): an agent that presses against a wall makes no progress, would be turned
/// aside and might get stuck there, while along the wall it does as it prefers.
///
/// ```
/// use throng_sim::crowd::walls::{HORIZON, along_walls};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let mut preferred = [Vec2::new(1.0, 1.0)];
/// along_walls(&grid, &clearance(&grid), HORIZON, &[Vec2::new(4.0, 7.5)], &[0.5], &mut preferred);
/// assert_eq!(preferred, [Vec2::new(1.0, 0.0)], "along the lower edge of the map");
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn along_walls(
    grid: &Grid,
    clearance: &Layer<f32>,
    horizon: f32,
    position: &[Vec2],
    radius: &[f32],
    preferred: &mut [Vec2],
) {
    let columns = position.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK));
    preferred.par_chunks_mut(CHUNK).zip(columns).for_each(|(preferred, (position, radius))| {
        for ((preferred, position), radius) in
            preferred.chunks_mut(LANES).zip(position.chunks(LANES)).zip(radius.chunks(LANES))
        {
            let reaches = preferred
                .iter()
                .zip(radius)
                .map(|(preferred, radius)| radius + (preferred.length() * horizon).min(MAX_LOOK_M));
            if shared_room(clearance, position) >= greatest(reaches) {
                continue;
            }
            for ((preferred, &at), &radius) in preferred.iter_mut().zip(position).zip(radius) {
                *preferred = along_wall(grid, clearance, horizon, at, radius, *preferred);
            }
        }
    });
}

/// The preferred velocity of one body.
fn along_wall(grid: &Grid, clearance: &Layer<f32>, horizon: f32, at: Vec2, radius: f32, preferred: Vec2) -> Vec2 {
    let speed = preferred.length();
    let Some(wall) = wall_near(grid, clearance, at, radius + (speed * horizon).min(MAX_LOOK_M)) else {
        return preferred;
    };
    let horizon = if speed * horizon > MAX_LOOK_M { MAX_LOOK_M / speed } else { horizon };
    let distance = at.distance(wall);
    if distance == 0.0 {
        // In a wall there is no way along it.
        return preferred;
    }
    let away = (at - wall) / distance;
    let allowed = (distance - radius).max(0.0) / horizon;
    preferred + away * (-preferred.dot(away) - allowed).max(0.0)
}

/// How far from every wall a few bodies that stand together are at least (m): by one look at the clearance, so it may be
/// far below the truth; negative where it tells nothing.
#[inline]
pub(crate) fn shared_room(clearance: &Layer<f32>, position: &[Vec2]) -> f32 {
    let Some(&first) = position.first() else { return f32::INFINITY };
    let furthest = greatest(position.iter().map(|at| at.distance_squared(first)));
    free_radius(clearance, first) - furthest.sqrt()
}

/// The greatest of some numbers that are not negative; infinite where one is none.
#[inline]
pub(super) fn greatest(numbers: impl Iterator<Item = f32>) -> f32 {
    let (mut greatest, mut all) = (0.0, true);
    for number in numbers {
        greatest = if number > greatest { number } else { greatest };
        all &= !number.is_nan();
    }
    if all { greatest } else { f32::INFINITY }
}
