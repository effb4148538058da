//! Optimal reciprocal collision avoidance.
//!
//! Each agent takes half of the duty to keep clear of each neighbour for the time horizon: a half-plane of permitted
//! velocities a neighbour. The new velocity is the permitted one nearest to the preferred one, found by linear programming;
//! where nothing is permitted, the one that breaks the half-planes least.
//!
//! Symbols as in J. van den Berg, S. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance" (2011).

mod encounter;
#[cfg(test)]
mod plain;
mod planes;
mod program;
#[cfg(test)]
mod tests;
mod walls;

use super::AgentView;
use super::gap::GapRows;
use super::simd_batch::BATCH_AGENTS;
use encounter::{Batch, Columns};
pub use planes::{HalfPlane, half_planes};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::Vec2;
use throng_spatial::Near;
use throng_spatial::simd::Level;
use walls::WALLS;

/// How many neighbours and walls an agent looks at, and how far ahead.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Orca {
    /// The most neighbours an agent avoids, 1 to 255. Default 8. Fewer is faster and makes dense crowds flow better,
    /// but agents shake more, and below some 5 they are squeezed from sides that they do not look at.
    pub k: usize,
    /// How far away a neighbour may be (m). Default 5. Should be what two agents that meet cover in the horizon, at
    /// least a few radii: less and they brake late.
    pub reach: f32,
    /// For how long an agent keeps clear (s). Default 2. Shorter gets through crowds faster and overlaps more, longer
    /// makes agents brake early.
    pub horizon: f32,
    /// For how long an agent keeps clear of walls (s); never less than a tick. Default 0.5: walls do not move, so one may
    /// come near, and brakes within a step or two. From 1 on crowds leave room along walls unused.
    pub wall_horizon: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { k: 8, reach: 5.0, horizon: 2.0, wall_horizon: 0.5 }
    }
}

/// Writes `new_velocity`: for each agent the velocity (m/s), at most its `top_speed`, that is nearest to the one it prefers and keeps
/// it clear of its neighbours for `params.horizon` seconds, if they do their part.
///
/// Agents that overlap part as fast as they can; those on one point in a direction made from their ids, `slot`. Of two, each has
/// the share of the other's `weight` in both as its duty. A velocity that leads
/// into a wall of the map within `params.wall_horizon` is never chosen, whatever the pressure. Up to eight walls around an
/// agent count, a wall without an end as one; walls cost nothing for an agent far from all of them.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Costs O(k²) an agent at worst,
/// O(k) in open space.
///
/// ```
/// use throng_sim::crowd::{AgentColumns, AgentView, Orca, orca::orca};
/// use throng_sim::walk::neighbours::neighbours;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let grid = Grid::open_plain(Lattice::new(16, 16, 1.0)?);
/// // Two agents head on, a little off their axis.
/// let position = [Vec2::new(5.0, 8.0), Vec2::new(8.0, 8.1)];
/// let velocity = [Vec2::new(1.5, 0.0), Vec2::new(-1.5, 0.0)];
/// let (radius, slot) = ([0.5, 0.5], [0, 1]);
/// let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let (mut near, layer) = (Near::default(), clearance(&grid));
/// neighbours(&index, bodies, 10, 5.0, &mut near);
/// let columns = AgentColumns {
///     position: &position,
///     velocity: &velocity,
///     preferred_velocity: &velocity,
///     radius: &radius,
///     top_speed: &[2.0, 2.0],
///     weight: &[1.0, 1.0],
///     progress: &[1.0, 1.0],
///     slot: &slot,
/// };
/// let mut new_velocity = [Vec2::ZERO; 2];
/// orca(Orca::default(), &AgentView::new(0.1, &grid, &layer, columns, &near)?, &mut new_velocity);
/// assert!(new_velocity[0].y < -0.1 && new_velocity[1].y > 0.1, "each gives way: {new_velocity:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn orca(params: Orca, view: &AgentView<'_>, new_velocity: &mut [Vec2]) {
    orca_among(params, view, None, new_velocity);
}

/// As [`orca`], but for the rows that go by gaps.
pub(super) fn orca_among(params: Orca, view: &AgentView<'_>, gap: Option<GapRows<'_>>, new_velocity: &mut [Vec2]) {
    orca_at(Level::detect(), params, view, gap, new_velocity);
}

fn orca_at(level: Level, params: Orca, view: &AgentView<'_>, gap: Option<GapRows<'_>>, new_velocity: &mut [Vec2]) {
    let AgentView { step, grid, clearance, near, .. } = *view;
    assert!(new_velocity.len() <= view.position.len(), "more is written than there are rows");
    let columns = Columns::of(view);
    let times = encounter::Times { per_horizon: 1.0 / params.horizon, per_step: 1.0 / step };
    let ground = walls::Ground { grid, clearance, horizon: params.wall_horizon.max(step) };
    new_velocity.par_chunks_mut(BATCH_AGENTS).enumerate().for_each(|(batch, next)| {
        let first = batch * BATCH_AGENTS;
        let next = bytemuck::cast_slice_mut(next);
        // Room is set up for each batch, so it is no larger than need be.
        if near.k() <= 16 {
            level.run(Batch::<16, { 16 + WALLS }> { times, ground, columns, near, gap, first, next });
        } else {
            level.run(Batch::<{ Near::MAX_K }, { Near::MAX_K + WALLS }> {
                times,
                ground,
                columns,
                near,
                gap,
                first,
                next,
            });
        }
    });
}
