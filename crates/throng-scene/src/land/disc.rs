//! A disc on the ground.

use throng_grid::geom::Vec2;

/// A disc on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its middle (m).
    pub centre: Vec2,
    /// Its radius (m).
    pub radius: f32,
}
