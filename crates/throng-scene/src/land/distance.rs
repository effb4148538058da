//! Exact distances of cells to the nearest of a set.
//!
//! Source: P. Felzenszwalb, D. Huttenlocher, *Distance Transforms of Sampled Functions*, Theory of Computing 8, 2012;
//! in whole numbers as by A. Meijster, J. Roerdink and W. Hesselink, 2000.

use super::raster::Raster;
use rayon::prelude::*;

/// The square of the distance (cells²) where the set is empty.
const UNREACHED_SQUARE: u32 = 1 << 30;

/// Rows without a set cell above or below are this far from one.
const NONE: u32 = 1 << 15;

/// The square of the distance (cells) from the middle of each cell to that of the nearest set one; [`UNREACHED_SQUARE`] without
/// one.
///
/// Exact. O(cells), rows in parallel.
pub(super) fn squared(set: &Raster<bool>) -> Raster<u32> {
    let Raster { width, height, .. } = *set;
    let mut steps = Raster::new(width, height, NONE);
    let mut above = vec![NONE; width];
    for (row, set) in steps.cells.chunks_mut(width.max(1)).zip(set.cells.chunks(width.max(1))) {
        for ((step, above), &set) in row.iter_mut().zip(&mut above).zip(set) {
            *above = if set { 0 } else { (*above + 1).min(NONE) };
            *step = *above;
        }
    }
    let mut below = vec![NONE; width];
    for row in steps.cells.chunks_mut(width.max(1)).rev() {
        for (step, below) in row.iter_mut().zip(&mut below) {
            *below = (*below + 1).min(*step);
            *step = *below;
        }
    }
    if width * height < 1 << 14 {
        let mut envelope = Envelope::default();
        steps.cells.chunks_mut(width.max(1)).for_each(|row| envelope.lower(row));
    } else {
        steps.cells.par_chunks_mut(width).with_min_len(8).for_each_init(Envelope::default, Envelope::lower_row);
    }
    steps
}

/// The distance (cells) from each cell to the nearest set one.
pub(super) fn distance(set: &Raster<bool>) -> Raster<f32> {
    squared(set).map(|square| (square as f32).sqrt())
}

/// The cells nearer than `radius` (cells) to a set one.
pub(super) fn near(set: &Raster<bool>, radius: f32) -> Raster<bool> {
    let most = radius * radius;
    squared(set).map(|square| (square as f32) < most)
}

/// The cells that a disc of this radius (cells) reaches which lies in the set wholly: thin parts are left out.
pub(super) fn opened(set: &Raster<bool>, depth: &Raster<f32>, radius: f32) -> Raster<bool> {
    let core = depth.map(|depth| depth > radius);
    if !core.cells.contains(&true) {
        return core;
    }
    let most = radius * radius;
    squared(&core).with(set, |square, set| set && square as f32 <= most)
}

/// The lower envelope of the parabolas of a row.
#[derive(Default)]
struct Envelope {
    /// Where the parabolas stand, their squared heights, and where each becomes the lowest.
    feet: Vec<(i64, i64, i64)>,
}

impl Envelope {
    fn lower_row(&mut self, row: &mut [u32]) {
        self.lower(row);
    }

    /// From steps along the columns to squares of distances.
    fn lower(&mut self, row: &mut [u32]) {
        self.feet.clear();
        for (x, &step) in row.iter().enumerate() {
            if step >= NONE {
                continue;
            }
            let (x, square) = (x as i64, i64::from(step) * i64::from(step));
            let mut from = 0;
            while let Some(&(foot, height, start)) = self.feet.last() {
                // From there on the new parabola is not above the last one.
                let meet = (x * x - foot * foot + square - height).div_euclid(2 * (x - foot)) + 1;
                if meet > start {
                    from = meet;
                    break;
                }
                self.feet.pop();
                from = 0;
            }
            if from < row.len() as i64 {
                self.feet.push((x, square, from));
            }
        }
        if self.feet.is_empty() {
            row.fill(UNREACHED_SQUARE);
            return;
        }
        let mut last = 0;
        for (x, value) in row.iter_mut().enumerate() {
            let x = x as i64;
            while self.feet.get(last + 1).is_some_and(|&(.., from)| from <= x) {
                last += 1;
            }
            let (foot, height, _) = self.feet[last];
            *value = ((x - foot) * (x - foot) + height) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_are_those_to_the_nearest(width in 1_usize..24, height in 1_usize..24, seed: u32, share in 1_u32..200) {
            let set = Raster::from_fn(width, height, |x, y| {
                crate::noise::lattice(x as i32, y as i32, seed) * 200.0 < share as f32
            });
            let found = squared(&set);
            for y in 0..height {
                for x in 0..width {
                    let all = (0..width * height).filter(|&at| set.cells[at]);
                    let nearest = all.map(|at| (at % width).abs_diff(x).pow(2) + (at / width).abs_diff(y).pow(2)).min();
                    prop_assert_eq!(found.at(x, y), nearest.map_or(UNREACHED_SQUARE, |square| square as u32));
                }
            }
        }
    }
}
