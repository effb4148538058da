//! Distance to the nearest wall.

use super::{Grid, Layer};

/// The distance (m) from each cell's centre to the nearest wall, which is the nearest closed cell taken as a square or
/// the edge of the map; 0 for closed cells.
///
/// Exact but for the rounding of the last operation. Costs O(cells).
///
/// Reference: A. Meijster, J. Roerdink, W. Hesselink, "A general algorithm for computing distance transforms in linear
/// time" (2000); P. Felzenszwalb, D. Huttenlocher, "Distance transforms of sampled functions" (2012).
///
/// ```
/// use throng::grid::{Grid, Lattice, clearance::clearance};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 2.0)?);
/// let lattice = grid.lattice();
/// grid.set_open(lattice.cell(4, 4), false);
/// let clearance = clearance(&grid);
/// assert_eq!(clearance[lattice.cell(1, 4)], 3.0, "two and a half cells to the left edge of the closed one");
/// assert_eq!(clearance[lattice.cell(4, 4)], 0.0);
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
pub fn clearance(grid: &Grid) -> Layer<f32> {
    let lattice = grid.lattice();
    let steps = column_steps(grid);
    let mut layer = Layer::new(lattice, 0.0_f32);
    let half = f64::from(lattice.cell_size) * 0.5;
    let mut envelope = Envelope::default();
    let mut line = Vec::with_capacity(lattice.width as usize + 2);
    let stride = lattice.stride as usize;
    for row in 1..=lattice.height as usize {
        let first = row * stride;
        let steps = &steps.cells[first..first + lattice.width as usize + 2];
        // In half cells: a square h > 0 rows away begins 2h - 1 halves away.
        line.clear();
        line.extend(steps.iter().map(|&h| (2 * i64::from(h) - 1).max(0).pow(2)));
        envelope.fit(&line);
        // A square d > 0 columns away begins 2d - 1 halves away: as far as its centre is from the border of this cell
        // that faces it. From the other border it is further, so the least of both borders is right for both sides.
        let mut left = envelope.walk();
        let mut right = envelope.walk();
        for (column, out) in layer.cells[first..].iter_mut().enumerate().take(lattice.width as usize + 1).skip(1) {
            let x = 2 * column as i64;
            let squared = line[column].min(left.at(x - 1)).min(right.at(x + 1));
            *out = ((squared as f64).sqrt() * half) as f32;
        }
    }
    layer
}

/// How many rows each cell is from the nearest closed one of its column; the padding is closed.
fn column_steps(grid: &Grid) -> Layer<u32> {
    let lattice = grid.lattice();
    let mut steps = Layer::new(lattice, 0_u32);
    let stride = lattice.stride as usize;
    for cell in lattice.cells() {
        if grid.is_open(cell) {
            steps[cell] = steps.cells[cell.index() - stride] + 1;
        }
    }
    for row in (1..=lattice.height as usize).rev() {
        let (above, below) = steps.cells.split_at_mut((row + 1) * stride);
        for (here, below) in above[row * stride..].iter_mut().zip(below) {
            *here = (*here).min(*below + 1);
        }
    }
    steps
}

/// The lower envelope of the parabolas (x - 2 i)² + `height[i]`.
#[derive(Default)]
struct Envelope {
    /// The parabolas on the envelope: i, its height, and the greatest x at which it is the lowest (ties included).
    parts: Vec<(i64, i64, i64)>,
}

impl Envelope {
    fn fit(&mut self, heights: &[i64]) {
        self.parts.clear();
        for (i, &height) in heights.iter().enumerate() {
            let i = i as i64;
            while let Some(&(j, low, _)) = self.parts.last() {
                // Up to here the last parabola is not above the new one.
                let until = (4 * (i * i - j * j) + height - low).div_euclid(4 * (i - j));
                let since = self.parts.len().checked_sub(2).map_or(i64::MIN, |before| self.parts[before].2);
                if until > since {
                    if let Some(last) = self.parts.last_mut() {
                        last.2 = until;
                    }
                    break;
                }
                self.parts.pop();
            }
            self.parts.push((i, height, i64::MAX));
        }
    }

    fn walk(&self) -> Walk<'_> {
        Walk { parts: &self.parts }
    }
}

/// Reads an envelope from left to right.
struct Walk<'a> {
    parts: &'a [(i64, i64, i64)],
}

impl Walk<'_> {
    /// The height of the envelope at `x`, which may not fall from call to call.
    #[inline]
    fn at(&mut self, x: i64) -> i64 {
        while let [(_, _, until), rest @ ..] = self.parts
            && *until < x
        {
            self.parts = rest;
        }
        self.parts.first().map_or(i64::MAX, |&(i, height, _)| (x - 2 * i).pow(2) + height)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "exact by construction")]
    use super::*;
    use crate::grid::Lattice;
    use proptest::prelude::*;

    /// The same by looking at every closed cell.
    fn oracle(grid: &Grid, x: i64, y: i64) -> f32 {
        let lattice = grid.lattice();
        let (w, h) = (i64::from(lattice.width), i64::from(lattice.height));
        let axis = |d: i64| (d.abs() as f64 - 0.5).max(0.0);
        let mut best = f64::INFINITY;
        for row in -1..=h {
            for column in -1..=w {
                if lattice.checked_cell(column, row).is_none_or(|cell| !grid.is_open(cell)) {
                    best = best.min(axis(column - x).hypot(axis(row - y)));
                }
            }
        }
        (best * f64::from(lattice.cell_size)) as f32
    }

    proptest! {
        #[test]
        fn equals_brute_force(
            width in 1..24_u32, height in 1..24_u32, size in 0.1..3.0_f32, closed in 0..60_u32, seed: u64,
        ) {
            use rand::{RngExt, SeedableRng};
            let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
            let mut grid = Grid::open_plain(Lattice::new(width, height, size).unwrap());
            let lattice = grid.lattice();
            for cell in lattice.cells() {
                grid.set_open(cell, random.random_range(0..100) >= closed);
            }
            let layer = clearance(&grid);
            for cell in lattice.cells() {
                let (x, y) = lattice.column_row(cell);
                let expected = oracle(&grid, i64::from(x), i64::from(y));
                prop_assert!((layer[cell] - expected).abs() <= 1e-5 * expected, "{} {expected}", layer[cell]);
            }
        }
    }

    #[test]
    fn an_open_plain_knows_its_edges() {
        let grid = Grid::open_plain(Lattice::new(300, 5, 1.0).unwrap());
        let lattice = grid.lattice();
        let layer = clearance(&grid);
        assert_eq!(layer[lattice.cell(150, 2)], 2.5);
        assert_eq!(layer[lattice.cell(0, 2)], 0.5);
        assert_eq!(layer.cells[0], 0.0, "the padding is closed");
    }
}
