//! A spot of what is built.

use super::heights::Material;
use throng_grid::geom::Vec2;

/// A spot that is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Where its foot is (m).
    pub(super) foot: Vec2,
    /// How high above the foot it is (m).
    pub(super) up: f32,
    /// How high its column is (m).
    pub(super) top: f32,
    pub(super) material: Material,
    pub(super) is_face: bool,
    /// Metres along the face.
    pub(super) along: f32,
    /// Noise of 0.5 m (2.5 m from afar) and of 7 m, -1 to 1.
    pub(super) grit: f32,
    pub(super) spots: f32,
    /// How much of the fine pattern is seen, 0 to 1.
    pub(super) fine: f32,
    /// How little of the sun it gets because of its slope: 1 faces it.
    pub(super) light: f32,
}
