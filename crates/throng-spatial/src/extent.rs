//! Properties of all bodies together that an index needs.

use super::{Bodies, SpatialError};
use crate::simd::{self, Level};
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
        let level = Level::detect();
        let radii = simd::ranges(level, bodies.radius, f32::MAX);
        let (Some(&first), Some([even, odd])) = (bodies.position.first(), radii) else { return Self::default() };
        let (narrowest, widest) = (even[0].min(odd[0]), even[1].max(odd[1]));
        let numbers = bodies.position.as_flattened();
        if D == 2
            && let Some(hull) = simd::ranges(level, numbers, f32::MAX)
        {
            let hull = Aabb { low: std::array::from_fn(|x| hull[x][0]), high: std::array::from_fn(|x| hull[x][1]) };
            return Self { hull, widest, narrowest };
        }
        let mut hull = Aabb { low: first, high: first };
        for position in bodies.position {
            for (axis, &x) in position.iter().enumerate() {
                hull.low[axis] = hull.low[axis].min(x);
                hull.high[axis] = hull.high[axis].max(x);
            }
        }
        Self { hull, widest, narrowest }
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

impl Extent<2> {
    /// Measures bodies and checks them on the way, as [`Bodies::check`] does.
    pub fn checked(level: Level, bodies: Bodies<2>) -> Result<Self, SpatialError> {
        let (n, far) = (bodies.len(), Bodies::<2>::MAX_EXTENT_M);
        let columns = bodies.radius.len() == n && bodies.id.len() == n && [0, n].contains(&bodies.resting.len());
        let hull = simd::ranges(level, bodies.position.as_flattened(), far);
        let radii = simd::ranges(level, bodies.radius, far);
        if let (Some([x, y]), Some([even, odd]), true) = (hull, radii, columns && n > 0) {
            let (narrowest, widest) = (even[0].min(odd[0]), even[1].max(odd[1]));
            if narrowest >= 0.0 {
                return Ok(Self { hull: Aabb { low: [x[0], y[0]], high: [x[1], y[1]] }, widest, narrowest });
            }
        }
        bodies.check().map(|()| Self::default())
    }
}

/// The side (m) of equal cells of which about `count` cover a box with these `sides`, 0 where it is a point: a box that
/// is thinner than a cell on some axis has one cell there.
pub(super) fn cell_side<const D: usize>(sides: [f64; D], count: f64) -> f64 {
    let mut sorted = sides;
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    // With all axes, then without the shortest, and so on: the first fit.
    for axes in (1..=D).rev() {
        let volume: f64 = sorted[..axes].iter().map(|side| side / libm::pow(count, 1.0 / axes as f64)).product();
        let side = libm::pow(volume, 1.0 / axes as f64);
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
        count::<2>();
        count::<3>();
    }

    fn count<const D: usize>() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(4);
        for n in [0, 1, 7, 8, 9, 40, 61] {
            let position: Vec<[f32; D]> =
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
            for (row, position) in position.iter().enumerate() {
                assert!(position[0] - extent.reach() <= bodies.bounds(row).low[0]);
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
