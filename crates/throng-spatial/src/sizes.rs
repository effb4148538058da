//! Small bodies and large ones.

use super::Bodies;
use super::extent::{Extent, cell_side};
use super::middle;
use crate::simd::{Kernel, LANES, Lanes, Level};

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

/// A radius as most are, where most are of one class: the median of a few.
fn usual(radius: &[f32]) -> f32 {
    let mut few: [f32; 9] = std::array::from_fn(|i| radius[(2 * i + 1) * radius.len() / 18]);
    *few.select_nth_unstable_by(4, f32::total_cmp).1
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
        // Most are of one class, so the count often goes to a register.
        let (mut counts, mut often) = ([0_u32; CLASSES], 0);
        let usual = class(usual(bodies.radius));
        for &radius in bodies.radius {
            let class = class(radius);
            if class == usual {
                often += 1;
            } else {
                counts[class] += 1;
            }
        }
        counts[usual] = often;
        let limit = Self::best_limit(&counts, extent, bodies.len());
        limit.map_or(all, |limit| Self { limit, ..all }.measured(bodies))
    }

    /// The limit for which the fewest tests are to be expected; none where there should be one size.
    fn best_limit<const D: usize>(counts: &[u32; CLASSES], extent: &Extent<D>, bodies: usize) -> Option<f32> {
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
            let large = bodies as f64 - small;
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
        best.filter(|class| class < used.end()).map(|class| f32::from_bits(((class as u32 + 1) << 22) - 1))
    }

    /// As [`Sizes::split`]: writes the rows of the large ones, and returns the least and the greatest radius of the small
    /// ones. A few bodies far out are no matter. O(n), and hardly a look at any body where most are of one size.
    pub fn sort_out<const D: usize>(bodies: Bodies<D>, extent: &Extent<D>, large: &mut Vec<u32>) -> [f32; 2] {
        large.clear();
        let all = [extent.narrowest, extent.widest];
        if class(extent.narrowest) == class(extent.widest) {
            return all;
        }
        let (n, radius) = (bodies.len(), bodies.radius);
        let usual = usual(radius);
        let mut range = Level::detect().run(Unusual { radius, usual, rows: large });
        let mut counts = [0; CLASSES];
        counts[class(usual)] = (n - large.len()) as u32;
        for &row in &*large {
            counts[class(radius[row as usize])] += 1;
        }
        let most = Extent { hull: middle::most(bodies.position, &extent.hull), ..*extent };
        let Some(limit) = Self::best_limit(&counts, &most, n) else {
            large.clear();
            return all;
        };
        if usual > limit {
            large.clear();
            large.extend(0..n as u32);
            range = [f32::INFINITY, f32::NEG_INFINITY];
        }
        large.retain(|&row| {
            let radius = radius[row as usize];
            if radius <= limit {
                range = [range[0].min(radius), range[1].max(radius)];
            }
            radius > limit
        });
        range
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

/// The rows whose radius is of another class than the usual one; returns the least and the greatest radius of the others.
struct Unusual<'a> {
    radius: &'a [f32],
    usual: f32,
    rows: &'a mut Vec<u32>,
}

impl Kernel for Unusual<'_> {
    type Output = [f32; 2];

    #[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [f32; 2] {
        let Self { radius, usual, rows } = self;
        let [first, end] = [0, 1].map(|next| lanes.splat(f32::from_bits((class(usual) as u32 + next) << 22)));
        let (mut low, mut high) = (lanes.splat(usual), lanes.splat(usual));
        let (whole, rest) = radius.as_chunks::<LANES>();
        let mut last = [usual; LANES];
        last[..rest.len()].copy_from_slice(rest);
        for (chunk, batch) in whole.iter().chain([&last]).enumerate() {
            let mut numbers = lanes.load(batch);
            let mut others = lanes.below(numbers, first) | !lanes.below(numbers, end);
            if others != 0 {
                let mut batch = *batch;
                while others != 0 {
                    let lane = others.trailing_zeros() as usize;
                    rows.push((chunk * LANES + lane) as u32);
                    batch[lane] = usual;
                    others &= others - 1;
                }
                numbers = lanes.load(&batch);
            }
            low = lanes.min(low, numbers);
            high = lanes.max(high, numbers);
        }
        let (low, high) = (lanes.store(low), lanes.store(high));
        [low.into_iter().fold(usual, f32::min), high.into_iter().fold(usual, f32::max)]
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

    #[test]
    fn large_ones_are_sorted_out() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(5);
        for n in 1..200_usize {
            // Mostly small, mostly large, or anything.
            let mut radius: Vec<f32> = (0..n).map(|_| random.random_range(0.8..1.0)).collect();
            for radius in &mut radius {
                if random.random_ratio([1, 30, 15][n % 3], 32) {
                    *radius *= if n % 3 == 2 { random.random_range(0.0..40.0) } else { 30.0 };
                }
            }
            let position: Vec<[f32; 2]> =
                radius.iter().map(|_| std::array::from_fn(|_| random.random_range(0.0..300.0))).collect();
            let id: Vec<u32> = (0..n as u32).collect();
            let bodies = Bodies::new(&position, &radius, &id);
            let mut large = vec![7];
            let [least, greatest] = Sizes::sort_out(bodies, &Extent::of(bodies), &mut large);
            let small: Vec<f32> = (0..n).filter(|&row| !large.contains(&(row as u32))).map(|row| radius[row]).collect();
            assert_eq!(least, small.iter().copied().fold(f32::INFINITY, f32::min), "{n}");
            assert_eq!(greatest, small.iter().copied().fold(0.0, f32::max), "{n}");
            assert!(large.is_sorted() && large.iter().all(|&row| radius[row as usize] > greatest), "{n}");
        }
    }
}
