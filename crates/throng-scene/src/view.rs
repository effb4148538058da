//! The oblique view of a battle, and its sun.
//!
//! A point (x, y, z) of the world (m; x east, y south, z up) is at `(x, y * FORESHORTENING - z * RISE) * scale` pixels. As
//! the squares of the two factors add up to 1, this is a true parallel view from 53 degrees above the horizon: balls stay
//! round, and a pixel is a point of the ground by one division.

use throng_grid::geom::{Vec2, Vec3};

/// Pixels down for a metre to the south, at one pixel a metre.
pub const FORESHORTENING: f32 = 0.8;

/// Pixels up for a metre of height, at one pixel a metre.
pub const RISE: f32 = 0.6;

/// Where a point one metre high casts its shadow: metres to the east and to the south of its foot.
pub const SHADOW: Vec2 = Vec2::new(0.80, 0.36);

/// The unit vector to the sun, from the upper left: `(-SHADOW, 1)`, normalised.
pub const SUN: Vec3 = Vec3::new(-0.601_384_8, -0.270_623_15, 0.751_731);

/// Which part of the world is seen, and how large.
///
/// ```
/// use throng_grid::geom::{Vec2, Vec3};
/// use throng_scene::view::View;
/// let view = View { origin: Vec2::new(10.0, 20.0), scale: 5.0 };
/// let foot = Vec2::new(12.0, 25.0);
/// assert_eq!(view.to_pixel(foot.extend(0.0)), Vec2::new(10.0, 20.0));
/// assert_eq!(view.to_pixel(foot.extend(2.0)), Vec2::new(10.0, 14.0));
/// assert_eq!(view.to_ground(Vec2::new(10.0, 20.0)), foot);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point of the ground in the upper left corner of the picture (m).
    pub origin: Vec2,
    /// Pixels a metre to the east.
    pub scale: f32,
}

impl View {
    /// The pixel of a point of the world (m).
    #[inline]
    pub fn to_pixel(&self, point: Vec3) -> Vec2 {
        let from_origin = point.truncate() - self.origin;
        Vec2::new(from_origin.x, from_origin.y * FORESHORTENING - point.z * RISE) * self.scale
    }

    /// The point of the ground (m) under a pixel.
    #[inline]
    pub fn to_ground(&self, pixel: Vec2) -> Vec2 {
        self.origin + Vec2::new(pixel.x, pixel.y / FORESHORTENING) / self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sun_stands_where_the_shadows_say() {
        let sun = Vec3::new(-SHADOW.x, -SHADOW.y, 1.0).normalize();
        assert!((sun - SUN).length() < 1e-6, "{sun}");
        assert!((FORESHORTENING * FORESHORTENING + RISE * RISE - 1.0).abs() < 1e-6);
    }
}
