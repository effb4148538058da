//! The cells of points on a grid.

use super::{Kernel, LANES, Lanes, Level};

/// A grid of cells over the plane, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellGrid {
    /// The corner of the first cell (m), along the rows and across.
    pub origin: [f32; 2],
    /// Cells a metre, along the rows and across.
    pub scale: [f32; 2],
    /// Columns and rows of cells, from 1 to 2²² each.
    pub count: [u32; 2],
    /// Which axis the rows run along.
    pub along: usize,
}

impl CellGrid {
    /// The distance of the numbers of a cell and the one below it.
    #[inline]
    pub fn pitch(&self) -> usize {
        self.count[0] as usize + 1
    }

    /// The column (`axis` 0) or row (1) of a coordinate (m). Never falls as the coordinate grows; a point outside, and
    /// NaN, goes to the border.
    #[inline]
    pub fn step(&self, axis: usize, x: f32) -> u32 {
        // `as` saturates: negative and NaN become 0.
        (((x - self.origin[axis]) * self.scale[axis]) as u32).min(self.count[axis].saturating_sub(1))
    }
}

/// Finds the numbers of the cells of points, `row * pitch + column + 1`.
///
/// ```
/// use throng_spatial::simd::{CellGrid, Level, cells};
/// let grid = CellGrid { origin: [0.0, 0.0], scale: [0.5, 0.5], count: [4, 3], along: 0 };
/// assert_eq!((grid.pitch(), grid.step(0, 5.0), grid.step(1, 3.0)), (5, 2, 1));
/// let mut numbers = [0; 2];
/// cells(Level::detect(), &grid, &[[1.0, 1.0], [5.0, 3.0]], &mut numbers);
/// assert_eq!(numbers, [1, 8]);
/// ```
///
/// # Panics
/// Where `cells` is not as long as `points`.
pub fn cells(level: Level, grid: &CellGrid, points: &[[f32; 2]], cells: &mut [u32]) {
    assert_eq!(points.len(), cells.len(), "as many cells as points");
    level.run(Cells { grid, points, numbers: cells });
}

struct Cells<'a> {
    grid: &'a CellGrid,
    points: &'a [[f32; 2]],
    numbers: &'a mut [u32],
}

impl Kernel for Cells<'_> {
    type Output = ();

    #[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { grid, points, numbers: cells } = self;
        let columns = Axis::new(lanes, grid, 0);
        let rows = Axis::new(lanes, grid, 1);
        let pitch = grid.pitch() as u32;
        let (whole, rest) = points.as_chunks();
        let (whole_cells, rest_cells) = cells.as_chunks_mut();
        for (points, cells) in whole.iter().zip(whole_cells) {
            number_batch(lanes, &columns, &rows, grid.along, pitch, points, cells);
        }
        if !rest.is_empty() {
            let (mut last, mut last_cells) = ([[0.0; 2]; LANES], [0; LANES]);
            last[..rest.len()].copy_from_slice(rest);
            number_batch(lanes, &columns, &rows, grid.along, pitch, &last, &mut last_cells);
            rest_cells.copy_from_slice(&last_cells[..rest.len()]);
        }
    }
}

/// The columns or the rows of a grid.
struct Axis<L: Lanes> {
    origin: L::Numbers,
    scale: L::Numbers,
    last: L::Numbers,
}

impl<L: Lanes> Axis<L> {
    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn new(lanes: L, grid: &CellGrid, axis: usize) -> Self {
        Self {
            origin: lanes.splat(grid.origin[axis]),
            scale: lanes.splat(grid.scale[axis]),
            last: lanes.splat(grid.count[axis].saturating_sub(1) as f32),
        }
    }

    /// As [`CellGrid::step`], not yet cut to a whole number.
    #[allow(clippy::inline_always, reason = "as above")]
    #[inline(always)]
    fn step(&self, lanes: L, x: L::Numbers) -> L::Numbers {
        let x = (x - self.origin) * self.scale;
        lanes.min(lanes.max(x, lanes.splat(0.0)), self.last)
    }
}

#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn number_batch<L: Lanes>(
    lanes: L,
    columns: &Axis<L>,
    rows: &Axis<L>,
    along: usize,
    pitch: u32,
    points: &[[f32; 2]; LANES],
    cells: &mut [u32; LANES],
) {
    let (x, y) = lanes.split(points);
    let (along, across) = if along == 0 { (x, y) } else { (y, x) };
    lanes.cells(rows.step(lanes, across), columns.step(lanes, along), pitch, cells);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::coordinate;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_levels_number_cells_as_steps_do(
            points in prop::collection::vec([coordinate(), coordinate()], 0..70),
            origin in [-9.0..9.0_f32, -9.0..9.0_f32],
            scale in prop::sample::select(vec![0.0, 0.3, 1.0, 1e6]),
            count in [0..50_u32, 1..4_200_000_u32],
            along in 0..2_usize,
        ) {
            let grid = CellGrid { origin, scale: [scale, 0.5], count, along };
            let number = |point: &[f32; 2]| {
                let (column, row) = (grid.step(0, point[along]), grid.step(1, point[1 - along]));
                row.wrapping_mul(grid.pitch() as u32) + column + 1
            };
            let expected: Vec<u32> = points.iter().map(number).collect();
            for level in Level::available() {
                let mut found = vec![0; points.len()];
                cells(level, &grid, &points, &mut found);
                prop_assert_eq!(&found, &expected, "{:?}", level);
            }
        }
    }
}
