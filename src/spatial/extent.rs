//! What an index must know of all bodies together.

use super::Bodies;
use crate::volume::Aabb;

/// How far bodies reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent<const D: usize> {
    /// The box around the centres; a point where there are no bodies.
    pub hull: Aabb<D>,
    /// The greatest radius (m).
    pub widest: f32,
    /// The least one (m).
    pub narrowest: f32,
}

impl<const D: usize> Default for Extent<D> {
    fn default() -> Self {
        Self { hull: Aabb { low: [0.0; D], high: [0.0; D] }, widest: 0.0, narrowest: 0.0 }
    }
}

impl<const D: usize> Extent<D> {
    /// Measures bodies that are [fit](Bodies::check).
    pub fn of(bodies: Bodies<D>) -> Self {
        let Some((&first, rest)) = bodies.position.split_first() else { return Self::default() };
        // Eight at a time, so that the compiler uses vectors.
        let (mut lows, mut highs) = ([first; 8], [first; 8]);
        let (chunks, tail) = rest.as_chunks::<8>();
        for chunk in chunks {
            for (lane, position) in chunk.iter().enumerate() {
                for axis in 0..D {
                    let x = position[axis];
                    lows[lane][axis] = if x < lows[lane][axis] { x } else { lows[lane][axis] };
                    highs[lane][axis] = if x > highs[lane][axis] { x } else { highs[lane][axis] };
                }
            }
        }
        let (mut low, mut high) = (first, first);
        for position in tail.iter().chain(&lows).chain(&highs) {
            for axis in 0..D {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        let (mut widest, mut narrowest) = ([0.0_f32; 8], [f32::MAX; 8]);
        let (chunks, tail) = bodies.radius.as_chunks::<8>();
        for chunk in chunks {
            for (lane, &radius) in chunk.iter().enumerate() {
                widest[lane] = if radius > widest[lane] { radius } else { widest[lane] };
                narrowest[lane] = if radius < narrowest[lane] { radius } else { narrowest[lane] };
            }
        }
        let widest = widest.iter().chain(tail).fold(0.0, |widest: f32, &radius| widest.max(radius));
        let narrowest = narrowest.iter().chain(tail).fold(f32::MAX, |narrowest: f32, &radius| narrowest.min(radius));
        Self { hull: Aabb { low, high }, widest, narrowest }
    }

    /// How far the [bounds](Bodies::bounds) of a body may reach from its centre on any axis (m), rounding included.
    pub fn reach(&self) -> f32 {
        let corners = self.hull.low.iter().chain(&self.hull.high);
        let furthest = corners.fold(0.0_f32, |furthest, x| furthest.max(x.abs()));
        self.widest + (furthest + self.widest) * 2e-6
    }

    /// Lengths of the sides of the hull (m), in f64: the sides of any box of f32 are finite there.
    pub fn sides(&self) -> [f64; D] {
        std::array::from_fn(|axis| f64::from(self.hull.high[axis]) - f64::from(self.hull.low[axis]))
    }
}

/// The side (m) of equal cells of which about `count` cover a box with these `sides`, 0 where it is a point: a box that
/// is thinner than a cell on some axis has one cell there.
pub(super) fn cell_side<const D: usize>(sides: [f64; D], count: f64) -> f64 {
    let mut sorted = sides;
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    // With all axes, then without the shortest, and so on: the first fit.
    for axes in (1..=D).rev() {
        let volume: f64 = sorted[..axes].iter().map(|side| side / count.powf(1.0 / axes as f64)).product();
        let side = volume.powf(1.0 / axes as f64);
        if axes == 1 || side < sorted[axes - 1] {
            return side;
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn all_bodies_count() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(4);
        for n in [0, 1, 7, 8, 9, 40, 61] {
            let position: Vec<[f32; 3]> =
                (0..n).map(|_| std::array::from_fn(|_| random.random_range(-9.0..9.0))).collect();
            let radius: Vec<f32> = (0..n).map(|_| random.random_range(0.0..2.0)).collect();
            let id: Vec<u32> = (0..n).collect();
            let bodies = Bodies::new(&position, &radius, &id);
            let extent = Extent::of(bodies);
            assert_eq!(Some(extent.hull).filter(|_| n > 0), Aabb::of(&position));
            assert_eq!(extent.widest, radius.iter().fold(0.0, |a, &b| b.max(a)));
            if n > 0 {
                assert_eq!(extent.narrowest, radius.iter().fold(9.0, |a, &b| b.min(a)));
            }
            for row in 0..bodies.len() {
                assert!(position[row][0] - extent.reach() <= bodies.bounds(row).low[0]);
            }
        }
    }

    #[test]
    fn cells_of_thin_boxes_are_short() {
        assert!((cell_side([10.0, 10.0], 100.0) - 1.0).abs() < 1e-9);
        assert!((cell_side([2.0, 1e6], 1000.0) - 1000.0).abs() < 1e-9);
        assert!((cell_side([8.0, 0.0, 8.0], 64.0) - 1.0).abs() < 1e-9);
        assert_eq!(cell_side([0.0; 3], 5.0), 0.0);
    }
}
