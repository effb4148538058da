//! Small clouds, for dust, smoke and flames.

use crate::noise::Noise;

/// A small cloud: a square of noise in a soft disc, lit from the upper left. It takes any colour and any strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Puff {
    /// How dense it is, row by row: 255 = opaque.
    pub density: Vec<u8>,
    /// How bright it is, row by row: [`PLAIN`](Self::PLAIN) leaves a colour as it is.
    pub brightness: Vec<u8>,
}

impl Puff {
    /// Its width and its height (pixels).
    pub const SIZE: usize = 96;

    /// How many there are.
    pub const COUNT: usize = 6;

    /// The brightness that leaves a colour as it is; others are multiples of it.
    pub const PLAIN: u8 = 192;

    /// All of them.
    pub fn all() -> Vec<Self> {
        (0..Self::COUNT as u32).map(Self::new).collect()
    }

    fn new(seed: u32) -> Self {
        // From -1 to 1 across.
        let axis: Vec<f32> = (0..Self::SIZE).map(|i| (i as f32 + 0.5) * (2.0 / Self::SIZE as f32) - 1.0).collect();
        let places: Vec<f32> = axis.iter().map(|x| x + 3.0).collect();
        let noise = Noise::new(0.6, seed + 70, 4);
        let mut row = vec![0.0; Self::SIZE];
        let mut puff = Self { density: Vec::new(), brightness: Vec::new() };
        for &y in &axis {
            noise.row(&places, y + 3.0, &mut row);
            for (&x, &f) in axis.iter().zip(&row) {
                let d = (x * x + y * y).sqrt();
                let dense = (1.2 - 1.45 * d + 1.1 * f * d).clamp(0.0, 1.0) * ((0.98 - d) * 3.0).clamp(0.0, 1.0);
                let bright = (0.85 - 0.22 * (x + y) + 0.25 * f).clamp(0.4, 1.3);
                puff.density.push((dense * 255.0 + 0.5) as u8);
                puff.brightness.push((bright * f32::from(Self::PLAIN) + 0.5) as u8);
            }
        }
        puff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puffs_are_dense_amid_and_empty_at_the_rim() {
        let puffs = Puff::all();
        assert_eq!(puffs.len(), Puff::COUNT);
        for puff in &puffs {
            let at = |x: usize, y: usize| puff.density[y * Puff::SIZE + x];
            assert!(at(48, 48) > 200);
            for i in 0..Puff::SIZE {
                assert_eq!([at(i, 0), at(0, i), at(i, 95), at(95, i)], [0; 4]);
            }
            assert!(puff.brightness[20 * 96 + 20] > puff.brightness[75 * 96 + 75]);
        }
        assert_ne!(puffs[0], puffs[1]);
    }
}
