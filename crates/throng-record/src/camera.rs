//! The camera of a picture: from the world to pixels.

use throng_grid::geom::Vec2;

/// Which part of the world a picture shows, and how large.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::Camera;
/// let camera = Camera { origin: Vec2::new(10.0, 0.0), scale: 2.0 };
/// assert_eq!(camera.to_pixel(Vec2::new(11.0, 3.0)), Vec2::new(2.0, 6.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point of the world (m) in the upper left corner of the picture.
    pub origin: Vec2,
    /// Pixels a metre.
    pub scale: f32,
}

impl Camera {
    /// The pixel of a point of the world (m).
    #[inline]
    pub fn to_pixel(&self, point: Vec2) -> Vec2 {
        (point - self.origin) * self.scale
    }
}
