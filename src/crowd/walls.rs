//! Wishes that respect walls.

use super::CHUNK;
use crate::geom::Vec2;
use crate::grid::walls::wall_near;
use crate::grid::{Grid, Layer};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// For how long an agent's wish must keep it out of a wall (s). Longer makes agents shy of narrow doors.
pub const HORIZON: f32 = 0.25;

/// Takes from each wish (m/s) the part that would lead the body into the nearest wall within `horizon` seconds, so that
/// the wish of an agent beside a wall runs along it.
///
/// Belongs before [`bias`](super::bias::bias): an agent that presses against a wall makes no progress, would be turned
/// aside and might get stuck there, while along the wall it does as it wishes.
///
/// ```
/// use throng::crowd::walls::{HORIZON, along_walls};
/// use throng::geom::Vec2;
/// use throng::grid::{Grid, Lattice, clearance::clearance};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let mut wish = [Vec2::new(1.0, 1.0)];
/// along_walls(&grid, &clearance(&grid), HORIZON, &[Vec2::new(4.0, 7.5)], &[0.5], &mut wish);
/// assert_eq!(wish, [Vec2::new(1.0, 0.0)], "along the lower edge of the map");
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
pub fn along_walls(
    grid: &Grid,
    clearance: &Layer<f32>,
    horizon: f32,
    position: &[Vec2],
    radius: &[f32],
    wish: &mut [Vec2],
) {
    let columns = position.par_chunks(CHUNK).zip(radius.par_chunks(CHUNK));
    wish.par_chunks_mut(CHUNK).zip(columns).for_each(|(wish, (position, radius))| {
        for ((wish, &at), &radius) in wish.iter_mut().zip(position).zip(radius) {
            let Some(wall) = wall_near(grid, clearance, at, radius + wish.length() * horizon) else { continue };
            let distance = at.distance(wall);
            // In a wall there is no way along it.
            if distance > 0.0 {
                let away = (at - wall) / distance;
                let allowed = (distance - radius).max(0.0) / horizon;
                *wish += away * (-wish.dot(away) - allowed).max(0.0);
            }
        }
    });
}
