//! Ways to choose the next velocity, behind one choice: [`Avoidance`].
//!
//! A model reads an [`AgentView`] and writes the new velocities of the rows that are its own, so that a crowd may
//! be mixed: each agent moves by the model of its unit, and all see each other. Velocities approach their targets
//! with a time constant, solved exactly, so that no length of a tick makes them swing.

mod custom;
pub mod relaxation;
pub mod separation;
pub mod social_force;
mod whole_crowd;

pub use custom::{AvoidanceModel, CustomModel, ModelFault};
pub use whole_crowd::Rows;

use super::gap::{Gap, gap};
use super::orca::orca;
use super::{AgentView, Avoidance, AvoidanceSettings, Orca};
use throng_grid::geom::Vec2;
use whole_crowd::{WholeCrowd, each};

/// Writes `new_velocity` (m/s) of the chosen rows by the model `kind`. A row without a velocity is seen, and stays as it is.
///
/// [`Avoidance::Custom`] is not one of these models: here it is as [`Avoidance::None`].
///
/// ORCA is written for all rows, even for a few chosen ones: in a mixed crowd it runs first, and costs as much as for all.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// use throng_sim::crowd::models::{Rows, avoid};
/// use throng_sim::crowd::{AgentColumns, AgentView, Avoidance, AvoidanceSettings};
/// use throng_spatial::Near;
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let (layer, mut near, settings) = (clearance(&grid), Near::default(), AvoidanceSettings::default());
/// near.reset(1, settings.orca.k);
/// let columns = AgentColumns {
///     position: &[Vec2::splat(4.0)],
///     velocity: &[Vec2::ZERO],
///     preferred_velocity: &[Vec2::X],
///     radius: &[0.4],
///     top_speed: &[2.0],
///     weight: &[1.0],
///     progress: &[1.0],
///     slot: &[0],
/// };
/// let view = AgentView::new(0.1, &grid, &layer, columns, &near)?;
/// let mut new_velocity = [Vec2::ZERO];
/// avoid(Avoidance::SocialForce, &settings, &view, Rows::All, &mut new_velocity);
/// assert!((new_velocity[0].x - 0.181).abs() < 1e-3, "it gathers speed: {}", new_velocity[0]);
/// avoid(Avoidance::None, &settings, &view, Rows::All, &mut new_velocity);
/// assert_eq!(new_velocity, [Vec2::X]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn avoid(
    kind: Avoidance,
    settings: &AvoidanceSettings,
    view: &AgentView<'_>,
    rows: Rows<'_>,
    new_velocity: &mut [Vec2],
) {
    let model: &dyn WholeCrowd = match kind {
        Avoidance::None | Avoidance::Custom => &Straight,
        Avoidance::Push => &settings.relaxation,
        Avoidance::Separation => &settings.separation,
        Avoidance::SocialForce => &settings.social_force,
        Avoidance::Orca => &settings.orca,
        Avoidance::Gap => &Gapped { params: settings.gap, orca: settings.orca },
    };
    model.avoid(view, rows, new_velocity);
}

/// No avoidance at all.
struct Straight;

impl WholeCrowd for Straight {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        each(new_velocity, rows, |row| view.preferred_velocity[row]);
    }
}

impl WholeCrowd for Orca {
    fn avoid(&self, view: &AgentView<'_>, _: Rows<'_>, new_velocity: &mut [Vec2]) {
        orca(*self, view, new_velocity);
    }
}

/// People, who keep gaps.
struct Gapped {
    params: Gap,
    orca: Orca,
}

impl WholeCrowd for Gapped {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        gap(self.params, self.orca, view, rows, new_velocity);
    }
}

#[cfg(test)]
mod tests;
