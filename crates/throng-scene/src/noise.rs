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

    /// Without the octaves that are finer than this (m), but for the first.
    #[must_use]
    pub fn coarser_than(mut self, finest: f32) -> Self {
        while self.octaves > 1 && self.scale / (1 << (self.octaves - 1)) as f32 <= finest {
            self.octaves -= 1;
        }
        self
    }

    /// The noise at the points `(xs[i], y)` (m), `xs` ascending, added into nothing: `out[i]` is overwritten.
    ///
    /// A row shares all that depends on `y`, which makes a point several times cheaper than by [`at`](Self::at).
    pub fn row(&self, xs: &[f32], y: f32, out: &mut [f32]) {
        out.fill(0.0);
        let (mut strength, mut total) = (1.0, 0.0);
        for octave in 0..self.octaves {
            self.add_octave(octave, strength, xs, y, out);
            total += strength;
            strength *= 0.55;
        }
        for out in out {
            *out /= total;
        }
    }

    fn add_octave(&self, octave: u32, strength: f32, xs: &[f32], y: f32, out: &mut [f32]) {
        let seed = self.seed.wrapping_add(octave * 7);
        let per_x = (1 << octave) as f32 / self.scale;
        let (row, t) = split(y * (per_x / self.aspect) + OFFSET);
        let t = t * t * (3.0 - 2.0 * t);
        let mut done = 0;
        // The values of the lattice along the row, already blended between the two rows, for a stretch of points.
        let mut values = [0.0_f32; COLUMNS];
        while done < xs.len() {
            let first = split(xs[done] * per_x + OFFSET).0;
            let limit = first.wrapping_add(COLUMNS as i32 - 1) as f32;
            let next = done + xs[done..].partition_point(|x| x * per_x + OFFSET < limit).max(1);
            let last = split(xs[next - 1] * per_x + OFFSET).0;
            let used = (last.wrapping_sub(first) as usize + 2).min(COLUMNS);
            for (value, column) in values[..used].iter_mut().zip(first..) {
                let (upper, lower) = (lattice(column, row, seed), lattice(column, row + 1, seed));
                *value = ((upper + (lower - upper) * t) * 2.0 - 1.0) * strength;
            }
            for (&x, out) in xs[done..next].iter().zip(&mut out[done..next]) {
                let (column, t) = split(x * per_x + OFFSET);
                let at = column.wrapping_sub(first) as usize & (COLUMNS - 1);
                let (left, right) = (values[at], values[(at + 1) & (COLUMNS - 1)]);
                *out += left + (right - left) * (t * t * (3.0 - 2.0 * t));
            }
            done = next;
        }
    }
}

/// The greatest whole number that is not above, and the rest. The processor's own way to round down is not in the
/// oldest instruction sets, and a call for each point took half of the time.
#[inline]
pub(crate) fn split(u: f32) -> (i32, f32) {
    let whole = u as i32;
    let whole = whole - i32::from(whole as f32 > u);
    (whole, u - whole as f32)
}

/// Points of the lattice that are held at a time; a power of two.
const COLUMNS: usize = 128;

/// Keeps the lattice away from the map's origin, where features of all sizes would meet.
pub(crate) const OFFSET: f32 = 1000.0;

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
