//! Smooth random values over the plane.

use crate::geom::Vec2;

/// Value noise in -1..1 with features of about `size` cells.
pub(super) fn noise(seed: u32, point: Vec2, size: f32) -> f32 {
    let at = point / size;
    let corner = at.floor();
    let (x, y) = (corner.x as i32, corner.y as i32);
    let t = at - corner;
    let t = t * t * (Vec2::splat(3.0) - t * 2.0);
    let value = |dx: i32, dy: i32| scramble(seed, (x + dx) as u32, (y + dy) as u32);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(value(0, 0), value(1, 0), t.x), mix(value(0, 1), value(1, 1), t.x), t.y)
}

/// Three octaves of [`noise`], the first with features of `size` cells; in -1..1.
pub(super) fn fractal(seed: u32, point: Vec2, size: f32) -> f32 {
    let octave = |i: u32, scale: f32| noise(seed.wrapping_add(i), point, size * scale) * scale;
    (octave(0, 1.0) + octave(1, 0.5) + octave(2, 0.25)) / 1.75
}

/// A value in -1..1 that depends on every bit of the three.
fn scramble(seed: u32, x: u32, y: u32) -> f32 {
    let mut bits = seed ^ x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77).rotate_left(16);
    for factor in [0x7FEB_352D, 0x846C_A68B] {
        bits = (bits ^ bits >> 16).wrapping_mul(factor);
        bits ^= bits >> 15;
    }
    (bits >> 8) as f32 / (1 << 23) as f32 - 1.0
}
