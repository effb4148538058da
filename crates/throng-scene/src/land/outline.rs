//! A closed line.

use throng_grid::geom::Vec2;

/// A closed line through these points (m); the last is joined to the first.
pub type Outline = Vec<Vec2>;
