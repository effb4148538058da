//! Ground without walls, where a crowd that is stuck can be walked round.

use crate::crowd::AgentView;
use throng_grid::geom::Vec2;
use throng_grid::walls::line_of_sight;

/// Half the width of the strip ahead that is free (radii): wider than a door of 4 m for people.
const HALF_WIDTH: f32 = 12.0;

/// Its length (radii): 13 m for people.
const LENGTH: f32 = 64.0;

/// True where no wall is near the way of a row: it may [look aside](crate::crowd::bias::bias) where it is stuck, since others crowd the
/// way, not a door. Before a door, all would look aside, and the flow falls.
///
/// O(1) in the open and near walls.
///
/// # Panics
/// Where the view has no headings.
pub fn in_the_open(view: &AgentView<'_>, row: usize) -> bool {
    let (at, heading, radius) = (view.position[row], view.heading[row], view.radius[row]);
    heading != Vec2::ZERO
        && line_of_sight(view.grid, view.clearance, at, at + heading * (LENGTH * radius), HALF_WIDTH * radius)
}
