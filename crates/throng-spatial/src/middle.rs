//! Where most bodies are.

use super::extent::cell_side;
use crate::volume::Aabb;

/// The box of all bodies but for the outermost few, and how crowded they lie in it, going by a sample.
///
/// A grid that is laid over this box instead of all bodies is not spoilt by a few that are far away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Middle<const D: usize> {
    pub bounds: Aabb<D>,
    /// How much denser than evenly spread bodies lie where they are: 1 for even (Rényi's entropy of order 2).
    crowding: f64,
}

/// Bodies in the sample.
const SAMPLE_BODIES: usize = 512;
/// Fields of the board on which the sample is counted.
const BOARD_CELLS: usize = 1024;
/// One body in so many is left out on each side.
const OUTLIER_DIVISOR: usize = 32;

/// Some of the points, from all parts of the column.
fn sample<const D: usize>(points: &[[f32; D]]) -> impl ExactSizeIterator<Item = &[f32; D]> {
    let count = points.len().min(SAMPLE_BODIES);
    (0..count).map(move |i| &points[(i as u64 * points.len() as u64 / count as u64) as usize])
}

/// The box of all points but for the outermost few, going by a sample; `hull` is the box of all.
pub(super) fn most<const D: usize>(points: &[[f32; D]], hull: &Aabb<D>) -> Aabb<D> {
    let sample = sample(points);
    let (mut bounds, count) = (*hull, sample.len());
    if count < OUTLIER_DIVISOR {
        return bounds;
    }
    let mut sorted = [[0.0; SAMPLE_BODIES]; D];
    for (i, point) in sample.enumerate() {
        for axis in 0..D {
            sorted[axis][i] = point[axis];
        }
    }
    for (axis, sorted) in sorted.iter_mut().enumerate() {
        let few = count / OUTLIER_DIVISOR;
        let high = *sorted[..count].select_nth_unstable_by(count - 1 - few, f32::total_cmp).1;
        let low = *sorted[..count - few].select_nth_unstable_by(few, f32::total_cmp).1;
        // As wide again as the share of bodies that were left out.
        let beyond = (f64::from(high) - f64::from(low)) * 2.5 / OUTLIER_DIVISOR as f64;
        bounds.low[axis] = ((f64::from(low) - beyond) as f32).max(hull.low[axis]);
        bounds.high[axis] = ((f64::from(high) + beyond) as f32).min(hull.high[axis]);
    }
    bounds
}

/// How much denser than evenly spread over `bounds` the points inside lie where they are: 1 for even, going by how many of
/// a sample share a field of a coarse board (Rényi's entropy of order 2).
pub(super) fn crowding<const D: usize>(points: &[[f32; D]], bounds: &Aabb<D>) -> f64 {
    let mut held = [0_u16; BOARD_CELLS];
    // At most as many fields as there are bodies, or so: more say nothing.
    let steps = libm::pow(BOARD_CELLS as f64 + 0.5, 1.0 / D as f64) as usize;
    let scale: [f32; D] = std::array::from_fn(|axis| {
        let side = bounds.side(axis);
        if side > 0.0 { steps as f32 / side } else { 0.0 }
    });
    let mut taken = 0.0;
    for point in sample(points) {
        if (0..D).all(|axis| (bounds.low[axis]..=bounds.high[axis]).contains(&point[axis])) {
            let mut field = 0;
            for axis in 0..D {
                let step = ((point[axis] - bounds.low[axis]) * scale[axis]) as usize;
                field = field * steps + step.min(steps - 1);
            }
            held[field] += 1;
            taken += 1.0;
        }
    }
    let pairs: f64 = held.iter().map(|&held| f64::from(held) * (f64::from(held) - 1.0)).sum();
    let fields: f64 = scale.iter().map(|&scale| if scale > 0.0 { steps as f64 } else { 1.0 }).product();
    let even: f64 = taken * (taken - 1.0) / fields;
    if even > 0.0 { (pairs / even).max(1.0) } else { 1.0 }
}

impl<const D: usize> Middle<D> {
    /// The middle of some points, which lie in `hull`.
    pub fn of(points: &[[f32; D]], hull: &Aabb<D>) -> Self {
        if points.len() < OUTLIER_DIVISOR {
            return Self { bounds: *hull, crowding: 1.0 };
        }
        let bounds = most(points, hull);
        Self { bounds, crowding: crowding(points, &bounds) }
    }

    /// The side (m) of cells that hold about one body each where bodies are, but at least a diameter where that costs
    /// little; 0 where all bodies are one point.
    pub fn cell_side(&self, bodies: usize, radius: f32) -> f64 {
        let sides: [f64; D] =
            std::array::from_fn(|axis| f64::from(self.bounds.high[axis]) - f64::from(self.bounds.low[axis]));
        let side = cell_side(sides, bodies.max(1) as f64 * self.crowding);
        let diameter = 2.0 * f64::from(radius);
        if diameter < 2.0 * side || side == 0.0 { side.max(diameter) } else { side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn those_far_away_are_left_out() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(7);
        let mut points: Vec<[f32; 2]> =
            (0..2000).map(|_| std::array::from_fn(|_| random.random_range(0.0..100.0))).collect();
        let even = Middle::of(&points, &Aabb::of(&points).unwrap());
        assert!((even.cell_side(2000, 0.0) - 2.2).abs() < 0.3, "{even:?}");
        points[5] = [1e9, 1e9];
        points[1500] = [-1e12, 0.0];
        let odd = Middle::of(&points, &Aabb::of(&points).unwrap());
        assert!((odd.cell_side(2000, 0.0) - 2.2).abs() < 0.3, "{odd:?}");
        assert_eq!(odd.cell_side(2000, 10.0), odd.cell_side(2000, 0.0));
        assert_eq!(odd.cell_side(2000, 1.8), f64::from(3.6_f32));
    }

    #[test]
    fn crowds_have_smaller_cells() {
        let mut random = rand_pcg::Pcg32::seed_from_u64(7);
        let diagonal: Vec<[f32; 3]> = (0..2000).map(|_| [random.random_range(0.0..100.0); 3]).collect();
        let middle = Middle::of(&diagonal, &Aabb::of(&diagonal).unwrap());
        assert!(middle.crowding > 50.0, "{middle:?}");
        assert_eq!(Middle::of(&[[3.0, 4.0]; 90], &Aabb { low: [3.0, 4.0], high: [3.0, 4.0] }).cell_side(90, 0.0), 0.0);
    }
}
