//! Random numbers and value noise as functions of a place: the same everywhere, whatever is painted first.

/// A random number of 0 to 1 for a pair of whole numbers and a seed.
#[inline]
pub fn lattice(x: i32, y: i32, seed: u32) -> f32 {
    let mut n =
        (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77) ^ seed.wrapping_mul(0xC2B2_AE3D);
    for factor in [0x2C1B_3C6D, 0x297A_2D39] {
        n = (n ^ (n >> 15)).wrapping_mul(factor);
    }
    ((n ^ (n >> 15)) & 0xFFFF) as f32 / 65535.0
}

/// `0` up to `a`, `1` from `b` on, a smooth step in between; `a` may be the greater one.
#[inline]
pub fn smooth_step(a: f32, b: f32, x: f32) -> f32 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Value noise of -1 to 1 (Perlin 1985's lattice noise with values for gradients): random values at the points of a
/// lattice, smoothly blended, in octaves of half the size and 0.55 times the strength each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Size of the largest features to the east (m).
    pub scale: f32,
    /// Size to the south, as a multiple of that to the east.
    pub aspect: f32,
    /// Octaves, at least 1.
    pub octaves: u32,
    /// Which noise.
    pub seed: u32,
}

impl Noise {
    /// Round features of this size (m).
    pub const fn new(scale: f32, seed: u32, octaves: u32) -> Self {
        Self { scale, aspect: 1.0, octaves, seed }
    }

    /// The noise at a point (m). O(octaves).
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let mut out = [0.0];
        self.row(&[x], y, &mut out);
        out[0]
    }

    /// The noise at the points `(xs[i], y)` (m), `xs` ascending, added into nothing: `out[i]` is overwritten.
    ///
    /// A row shares all that depends on `y`, which makes a point several times cheaper than by [`at`](Self::at).
    pub fn row(&self, xs: &[f32], y: f32, out: &mut [f32]) {
        out.fill(0.0);
        let (mut strength, mut total) = (1.0, 0.0);
        for octave in 0..self.octaves {
            let seed = self.seed.wrapping_add(octave * 7);
            let per_x = (1 << octave) as f32 / self.scale;
            let v = y * (per_x / self.aspect) + OFFSET;
            let row = v.floor();
            let t = v - row;
            let t = t * t * (3.0 - 2.0 * t);
            let row = row as i32;
            // The values to the left and to the right of the point, already blended between the two rows.
            let value = |column: i32| {
                let (upper, lower) = (lattice(column, row, seed), lattice(column, row + 1, seed));
                (upper + (lower - upper) * t) * 2.0 - 1.0
            };
            let mut column = i32::MIN;
            let (mut left, mut right) = (0.0, 0.0);
            for (&x, out) in xs.iter().zip(&mut *out) {
                let u = x * per_x + OFFSET;
                let floor = u.floor();
                if floor as i32 != column {
                    left = if floor as i32 == column.wrapping_add(1) { right } else { value(floor as i32) };
                    column = floor as i32;
                    right = value(column + 1);
                }
                let t = u - floor;
                let t = t * t * (3.0 - 2.0 * t);
                *out += strength * (left + (right - left) * t);
            }
            total += strength;
            strength *= 0.55;
        }
        for out in out {
            *out /= total;
        }
    }
}

/// Keeps the lattice away from the map's origin, where features of all sizes would meet.
const OFFSET: f32 = 1000.0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_is_its_points(x in -50.0_f32..500.0, y in -50.0_f32..500.0, seed: u32, octaves in 1_u32..5) {
            let noise = Noise { scale: 3.2, aspect: 0.35, octaves, seed };
            let xs: Vec<f32> = (0..40).map(|i| x + i as f32 * 0.21).collect();
            let mut row = vec![0.0; xs.len()];
            noise.row(&xs, y, &mut row);
            for (&x, &value) in xs.iter().zip(&row) {
                prop_assert_eq!(value, noise.at(x, y));
                prop_assert!((-1.0..=1.0).contains(&value));
            }
        }

        #[test]
        fn noise_has_no_cliffs(x in 0.0_f32..500.0, y in 0.0_f32..500.0) {
            let noise = Noise::new(2.0, 5, 1);
            prop_assert!((noise.at(x, y) - noise.at(x + 0.01, y)).abs() < 0.02);
            prop_assert!((noise.at(x, y) - noise.at(x, y + 0.01)).abs() < 0.02);
        }
    }
}
