//! Vectors and angles. Metres; x grows to the right, y downwards; an angle is measured from +x towards +y.

/// The vectors, in the version that all of this takes.
pub use glam;
pub use glam::{DVec2, Vec2, Vec3};

/// The unit vector at `degrees` from +x towards +y (so 90 points down the map).
///
/// Uses the `libm` crate rather than the platform's sine, so that the result is the same on every machine.
///
/// ```
/// let down = throng_grid::geom::direction(90.0);
/// assert!((down - throng_grid::geom::Vec2::Y).length() < 1e-6);
/// ```
pub fn direction(degrees: f32) -> Vec2 {
    let radians = degrees.to_radians();
    Vec2::new(libm::cosf(radians), libm::sinf(radians))
}

/// `v` scaled to length 1, or zero where `v` is (nearly) zero.
pub fn unit(v: Vec2) -> Vec2 {
    let length = v.length();
    if length > 1e-12 { v / length } else { Vec2::ZERO }
}

/// The bits of `z` mixed so that neighbouring numbers have nothing in common: the mixer of `SplitMix64` (Steele, Lea and Flood, 2014).
pub const fn mixed(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// `v` shortened to `limit` where it is longer.
pub fn clamp_length(v: Vec2, limit: f32) -> Vec2 {
    let squared = v.length_squared();
    if squared > limit * limit { v * (limit / squared.sqrt()) } else { v }
}

/// z of the cross product: positive where `b` lies to the right of `a` on the map (y down).
pub fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}
