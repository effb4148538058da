//! Distance to the nearest wall.

mod eroded;
mod mend;
mod widest;

use super::{Cell, Grid, Lattice, Layer};
pub(super) use eroded::eroded;
pub(super) use mend::mend;
pub use widest::widest;

/// The distance (m) from each cell's centre to the nearest wall, which is the nearest closed cell taken as a square or
/// the edge of the map; 0 for closed cells.
///
/// Exact but for the rounding of the last operation. Costs O(cells).
///
/// Reference: A. Meijster, J. Roerdink, W. Hesselink, "A general algorithm for computing distance transforms in linear
/// time" (2000); P. Felzenszwalb, D. Huttenlocher, "Distance transforms of sampled functions" (2012).
///
/// ```
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// let mut grid = Grid::open_plain(Lattice::new(9, 9, 2.0)?);
/// let lattice = grid.lattice();
/// grid.set_open(lattice.cell(4, 4), false);
/// let clearance = clearance(&grid);
/// assert_eq!(clearance[lattice.cell(1, 4)], 3.0, "two and a half cells to the left edge of the closed one");
/// assert_eq!(clearance[lattice.cell(4, 4)], 0.0);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
pub fn clearance(grid: &Grid) -> Layer<f32> {
    let lattice = grid.lattice();
    let mut layer = Layer::new(lattice, 0.0_f32);
    let half = half_cell(lattice);
    let inner = Area { left: 1, top: 1, right: lattice.width, bottom: lattice.height };
    transform(grid, inner.grown(1, lattice), inner, |cell, halves| layer.cells[cell] = metres(halves, half));
    layer
}

/// Half the side of a cell (m).
fn half_cell(lattice: Lattice) -> f64 {
    f64::from(lattice.cell_size) * 0.5
}

/// A distance of which the square is known in half cells.
#[inline]
fn metres(squared_halves: i64, half: f64) -> f32 {
    ((squared_halves as f64).sqrt() * half) as f32
}

/// A rectangle of cells, corners included; columns and rows are counted from the padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Area {
    /// So many cells more on each side, as far as the padding.
    fn grown(self, by: u32, lattice: Lattice) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: (self.right + by).min(lattice.width + 1),
            bottom: (self.bottom + by).min(lattice.height + 1),
        }
    }

    fn columns(self) -> usize {
        (self.right - self.left + 1) as usize
    }

    fn rows(self) -> usize {
        (self.bottom - self.top + 1) as usize
    }
}

/// Calls `write` with each cell of `inner`, as an index, and the square of its distance (half cells) to the nearest
/// closed cell of `outer`. `inner` is a part of `outer`. Where no cell of it is closed, one far away counts.
fn transform(grid: &Grid, outer: Area, inner: Area, mut write: impl FnMut(usize, i64)) {
    let steps = column_steps(grid, outer);
    let stride = grid.lattice().stride as usize;
    let mut envelope = Envelope::default();
    let mut line = Vec::with_capacity(outer.columns());
    for row in inner.top..=inner.bottom {
        let first = (row - outer.top) as usize * outer.columns();
        // In half cells: a square h > 0 rows away begins 2h - 1 halves away.
        line.clear();
        line.extend(steps[first..first + outer.columns()].iter().map(|&h| (2 * i64::from(h) - 1).max(0).pow(2)));
        envelope.fit(&line);
        // A square d > 0 columns away begins 2d - 1 halves away: as far as its centre is from the border of this cell
        // that faces it. From the other border it is further, so the least of both borders is right for both sides.
        let mut left = envelope.walk();
        let mut right = envelope.walk();
        let cells = row as usize * stride + outer.left as usize;
        let (skipped, columns) = ((inner.left - outer.left) as usize, inner.columns());
        for (column, &height) in line.iter().enumerate().skip(skipped).take(columns) {
            let x = 2 * column as i64;
            write(cells + column, height.min(left.at(x - 1)).min(right.at(x + 1)));
        }
    }
}

/// More rows than a map has.
const UNREACHED_ROWS: u32 = 1 << 20;

/// How many rows each cell of an area is from the nearest closed one of its column, [`UNREACHED_ROWS`] or more without one; row
/// by row.
fn column_steps(grid: &Grid, area: Area) -> Vec<u32> {
    let columns = area.columns();
    let stride = grid.lattice().stride;
    let mut steps = vec![UNREACHED_ROWS; columns * area.rows()];
    for row in 0..area.rows() {
        let (above, here) = steps.split_at_mut(row * columns);
        let above = above.rchunks_exact(columns).next();
        let first = (area.top + row as u32) * stride + area.left;
        for (column, step) in here[..columns].iter_mut().enumerate() {
            let before = above.map_or(UNREACHED_ROWS, |above| above[column]);
            *step = if grid.is_open(Cell(first + column as u32)) { before + 1 } else { 0 };
        }
    }
    for row in (1..area.rows()).rev() {
        let (above, below) = steps.split_at_mut(row * columns);
        for (here, below) in above[(row - 1) * columns..].iter_mut().zip(below) {
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
