//! Points of models.

use throng_grid::geom::Vec3;

/// A point or an offset (m).
pub(crate) const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}
