//! Small bodies and large ones.

use super::Bodies;
use super::extent::{Extent, cell_side};

/// Where small bodies end and large ones begin.
///
/// Where all bodies look for partners as far as the largest one reaches, a few large ones make it slow for all. So each
/// small one looks for small ones only, as far as these reach, and each large one looks for both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sizes {
    /// Bodies up to this radius (m) are small.
    pub limit: f32,
    /// The greatest radius of a small one (m).
    pub small: f32,
    /// How many are small.
    pub count: usize,
}

/// Classes of radii: by the exponent and the first binary digit, so each is at most half as wide again as its start.
const CLASSES: usize = 512;

fn class(radius: f32) -> usize {
    (radius.to_bits() >> 22) as usize % CLASSES
}

impl Sizes {
    /// No large ones.
    pub fn all_small<const D: usize>(extent: &Extent<D>, count: usize) -> Self {
        Self { limit: f32::MAX, small: extent.widest, count }
    }

    /// The limit for which the fewest tests are to be expected, were bodies spread evenly. O(n).
    pub fn split<const D: usize>(bodies: Bodies<D>, extent: &Extent<D>) -> Self {
        let all = Self::all_small(extent, bodies.len());
        if class(extent.narrowest) == class(extent.widest) {
            return all;
        }
        // Most are of one class: what is counted often goes to a register.
        let (mut counts, mut often) = ([0_u32; CLASSES], 0);
        let usual = class(bodies.radius[bodies.len() / 2]);
        for &radius in bodies.radius {
            let class = class(radius);
            if class == usual {
                often += 1;
            } else {
                counts[class] += 1;
            }
        }
        counts[usual] = often;
        let used = class(extent.narrowest)..=class(extent.widest);
        let sides = extent.sides();
        // How many of some bodies are met by one that reaches so far: their share of the box.
        let met = |count: f64, reach: f64| {
            let cell = cell_side(sides, count);
            count * sides.iter().map(|side| ((2.0 * reach + cell) / (side + cell).max(1e-30)).min(1.0)).product::<f64>()
        };
        let greatest = |class: usize| f64::from(f32::from_bits(((class as u32 + 1) << 22) - 1).min(extent.widest));
        let count_of = |class: usize| f64::from(counts[class]);
        let (mut best, mut cost) = (None, f64::INFINITY);
        let mut small = 0.0;
        for class in used.clone().filter(|&class| count_of(class) > 0.0) {
            small += count_of(class);
            let large = bodies.len() as f64 - small;
            let mut expected = 0.5 * small * met(small, 2.0 * greatest(class));
            expected += 0.5 * large * met(large.max(1.0), 2.0 * f64::from(extent.widest));
            for larger in class + 1..=*used.end() {
                if count_of(larger) > 0.0 {
                    // Large ones pay for each cell that they cover, too.
                    expected += count_of(larger) * 2.0 * met(small, greatest(larger) + greatest(class));
                }
            }
            if expected < cost {
                (best, cost) = (Some(class), expected);
            }
        }
        match best {
            Some(class) if class < *used.end() => {
                Self { limit: f32::from_bits(((class as u32 + 1) << 22) - 1), ..all }.measured(bodies)
            }
            _ => all,
        }
    }

    /// The same limit, for bodies as they are now.
    pub fn measured<const D: usize>(self, bodies: Bodies<D>) -> Self {
        // Eight at a time, so that the compiler uses vectors.
        let (mut small, mut count) = ([0.0_f32; 8], [0_u32; 8]);
        let (chunks, rest) = bodies.radius.as_chunks::<8>();
        let mut last = [f32::INFINITY; 8];
        last[..rest.len()].copy_from_slice(rest);
        for chunk in chunks.iter().chain([&last]) {
            for lane in 0..8 {
                let counts = chunk[lane] <= self.limit;
                let radius = if counts { chunk[lane] } else { 0.0 };
                small[lane] = if radius > small[lane] { radius } else { small[lane] };
                count[lane] += u32::from(counts);
            }
        }
        let small = small.into_iter().fold(0.0, f32::max);
        let count = count.into_iter().sum::<u32>() as usize;
        Self { small, count, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn sizes(radius: &[f32]) -> Sizes {
        let mut random = rand_pcg::Pcg32::seed_from_u64(2);
        let position: Vec<[f32; 2]> =
            radius.iter().map(|_| std::array::from_fn(|_| random.random_range(0.0..300.0))).collect();
        let id: Vec<u32> = (0..radius.len() as u32).collect();
        let bodies = Bodies::new(&position, radius, &id);
        Sizes::split(bodies, &Extent::of(bodies))
    }

    #[test]
    fn giants_are_large() {
        let mut radius = vec![1.0; 1000];
        let all = sizes(&radius);
        assert_eq!((all.small, all.count), (1.0, 1000));
        assert!(all.limit > 1e30);
        radius[17] = 20.0;
        radius[400] = 25.0;
        let few = sizes(&radius);
        assert_eq!((few.small, few.count), (1.0, 998));
        assert!(few.limit < 20.0);
    }

    #[test]
    fn bodies_of_about_one_size_are_all_small() {
        let radius: Vec<f32> = (0..1000_u16).map(|i| 0.7 + 0.0003 * f32::from(i)).collect();
        assert_eq!(sizes(&radius).count, 1000);
        assert_eq!(sizes(&[0.0; 30]).count, 30);
        assert_eq!(sizes(&[]).count, 0);
    }
}
