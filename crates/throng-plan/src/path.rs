//! The cells of a route.

use super::{Cost, DIAGONAL, STRAIGHT};
use throng_grid::{Cell, Ground, Lattice};

/// The cells of a route, start and goal included: each a neighbour of the one before, or, of searches at any angle, the
/// turning points, with straight lines between.
///
/// ```
/// use throng_grid::Lattice;
/// use throng_plan::Path;
/// let lattice = Lattice::new(8, 8, 1.0)?;
/// let path = Path { cells: vec![lattice.cell(0, 0), lattice.cell(1, 1), lattice.cell(2, 1)] };
/// assert_eq!(path.length(lattice), 1.0 + 2.0_f64.sqrt());
/// let path = Path { cells: vec![lattice.cell(0, 0), lattice.cell(3, 4)] };
/// assert_eq!(path.length(lattice), 5.0);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The cells: neighbours, or turning points.
    pub cells: Vec<Cell>,
}

impl Path {
    /// Straight and diagonal steps. Lines to cells further than the neighbours are left out.
    pub fn steps(&self, lattice: Lattice) -> (u64, u64) {
        let stride = i64::from(lattice.stride);
        let (mut straight, mut diagonal) = (0, 0);
        for pair in self.cells.windows(2) {
            let step = (i64::from(pair[1].0) - i64::from(pair[0].0)).abs();
            straight += u64::from(step == 1 || step == stride);
            diagonal += u64::from(step == stride - 1 || step == stride + 1);
        }
        (straight, diagonal)
    }

    /// Length in cells: straight steps count 1, diagonal ones √2. Times [`Lattice::cell_size`] it is in metres.
    pub fn length(&self, lattice: Lattice) -> f64 {
        let (straight, diagonal) = self.steps(lattice);
        let lines: f64 = self.lines(lattice).map(|(dx, dy)| f64::from(dx * dx + dy * dy).sqrt()).sum();
        straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2 + lines
    }

    /// Cost of all steps, and of all lines: their length × [`STRAIGHT`], each rounded up.
    pub fn cost(&self, lattice: Lattice) -> Cost {
        let (straight, diagonal) = self.steps(lattice);
        let lines: Cost = self.lines(lattice).map(|(dx, dy)| Cost::from(throng_grid::line_cost(dx, dy))).sum();
        straight * u64::from(STRAIGHT) + diagonal * u64::from(DIAGONAL) + lines
    }

    /// Columns and rows of the lines to cells further than the neighbours.
    fn lines(&self, lattice: Lattice) -> impl Iterator<Item = (i32, i32)> {
        let stride = i64::from(lattice.stride);
        self.cells.windows(2).filter_map(move |pair| {
            let step = (i64::from(pair[1].0) - i64::from(pair[0].0)).abs();
            if step <= 1 || (step - stride).abs() <= 1 {
                return None;
            }
            let [(ax, ay), (bx, by)] = [pair[0], pair[1]].map(|cell| lattice.column_row(cell));
            Some((bx as i32 - ax as i32, by as i32 - ay as i32))
        })
    }

    /// The same of a route over a ground with links: with the cells in which one starts or ends, however it leads.
    pub fn turning_points_on(&self, ground: &Ground, points: &mut Vec<Cell>) {
        if ground.links().is_empty() {
            return self.turning_points(points);
        }
        let offsets = ground.lattice().offsets();
        let is_step = |from: Cell, to: Cell| {
            let offset = to.0.wrapping_sub(from.0) as i32;
            (0..8).any(|d| offsets[d] == offset && ground.moves(from) >> d & 1 == 1)
        };
        points.clear();
        for (i, &cell) in self.cells.iter().enumerate() {
            let [before, after] = [i.checked_sub(1), Some(i + 1)].map(|i| self.cells.get(i?).copied());
            let straight_on = before.zip(after).is_some_and(|(before, after)| {
                let is_even = after.0.wrapping_sub(cell.0) == cell.0.wrapping_sub(before.0);
                is_even && is_step(before, cell) && is_step(cell, after)
            });
            if !straight_on {
                points.push(cell);
            }
        }
    }

    /// Writes the cells at which the route changes direction, start and goal included.
    pub fn turning_points(&self, points: &mut Vec<Cell>) {
        points.clear();
        for (i, &cell) in self.cells.iter().enumerate() {
            let straight_on = i > 0
                && i + 1 < self.cells.len()
                && self.cells[i + 1].0.wrapping_sub(cell.0) == cell.0.wrapping_sub(self.cells[i - 1].0);
            if !straight_on {
                points.push(cell);
            }
        }
    }
}
