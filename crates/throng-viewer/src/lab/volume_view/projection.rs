//! From the square or the cube to the picture.

use glam::Vec3;
use throng_grid::geom::Vec2;

/// How far the picture is tilted: the sine and cosine of the angle between the line of sight and the ground.
const TILT_SIN_COS: [f32; 2] = [0.5, 0.866_025_4];
/// Side of the picture of a cube of side 1.
const PICTURE_SIDE: f32 = 1.75;

/// A parallel projection: the plane as it is, a cube seen from the side and from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projection {
    side: f32,
    space: bool,
    /// Cosine and sine of the angle by which the cube is turned.
    turn: [f32; 2],
}

impl Projection {
    /// Of a square, or of a cube that is turned by an angle (radians).
    pub fn new(side: f32, space: bool, angle: f32) -> Self {
        let (sin, cos) = libm::sincosf(angle);
        Self { side, space, turn: [cos, sin] }
    }

    /// Side of the picture (m).
    pub fn size(&self) -> f32 {
        if self.space { PICTURE_SIDE * self.side } else { self.side }
    }

    /// A direction as it is seen: to the right, downwards, and away from the viewer.
    pub fn turned(&self, way: Vec3) -> Vec3 {
        if !self.space {
            return Vec3::new(way.x, way.y, 0.0);
        }
        let ([cos, sin], [low, high]) = (self.turn, TILT_SIN_COS);
        let (right, away) = (way.x * cos - way.y * sin, way.x * sin + way.y * cos);
        Vec3::new(right, -away * low - way.z * high, away * high - way.z * low)
    }

    /// The place of a point in the picture (m).
    pub fn point(&self, at: Vec3) -> Vec2 {
        if !self.space {
            return Vec2::new(at.x, at.y);
        }
        let seen = self.turned(at - Vec3::splat(0.5 * self.side));
        Vec2::new(seen.x, seen.y) + Vec2::splat(0.5 * self.size())
    }

    /// How far away a point is: greater is behind.
    pub fn depth(&self, at: Vec3) -> f32 {
        self.turned(at).z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_is_in_its_picture_whichever_way_it_is_turned() {
        for angle in 0..64_u8 {
            let view = Projection::new(10.0, true, f32::from(angle) * 0.1);
            for corner in 0..8_u8 {
                let at = Vec3::new(f32::from(corner & 1), f32::from(corner >> 1 & 1), f32::from(corner >> 2)) * 10.0;
                let point = view.point(at);
                assert!(point.cmpge(Vec2::ZERO).all() && point.cmple(Vec2::splat(view.size())).all(), "{point}");
            }
            // Lengths stay, and up is up.
            assert!((view.turned(Vec3::new(1.0, 2.0, 2.0)).length() - 3.0).abs() < 1e-5);
            assert!(view.point(Vec3::Z).y < view.point(Vec3::ZERO).y);
            assert!(view.depth(Vec3::Z) < view.depth(Vec3::ZERO), "seen from above");
        }
        let flat = Projection::new(10.0, false, 1.0);
        assert_eq!(flat.point(Vec3::new(3.0, 4.0, 0.0)), Vec2::new(3.0, 4.0));
    }
}
