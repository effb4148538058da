//! A part of a house.

use throng_grid::geom::Vec2;

/// A rectangle of any direction, under one gable roof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wing {
    /// Its middle (m).
    pub centre: Vec2,
    /// The unit vector along its longer side, which is that of the ridge.
    pub along: Vec2,
    /// Half its length (m).
    pub half_length: f32,
    /// Half its width (m).
    pub half_width: f32,
}
