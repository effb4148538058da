//! The spatial hash of an unbounded world.

mod blocks;
mod pairs;
mod plane;

use super::extent::Extent;
use super::middle::Middle;
use super::nearby::{self, Nearby, Sink};
use super::sizes::Sizes;
use super::{Bodies, NearRows, Pairs, SpatialError, SpatialIndex, Tuning};
use crate::simd::{Lanes, Level, PADDING};
use crate::volume::Aabb;
use std::ops::ControlFlow;

/// A grid without bounds: a hashed table knows the blocks of cells that hold bodies.
///
/// Cells come in blocks of 64 (8 by 8, or 4 by 4 by 4), each with a small dense table of its own, so that the hash is
/// asked once a block and not once a cell. The table is open addressing with a fixed hash function. Blocks that hold
/// bodies are sorted by place, bodies by block and cell. So all bodies of a run of cells lie together, and pairs are
/// found once, by looking only at later ones. In the plane sixteen bodies of a row of cells are tested at a time, with
/// each of those near them. Questions about places read such runs with vectors, too. The order of pairs and of those
/// within a distance depends on the bodies alone, not on the instruction set.
///
/// `rebuild` is O(n + b log b) for b ≤ n blocks and allocates nothing once the memory suffices. A query costs O(bodies and
/// blocks it meets). Slower than [`DenseGrid`](super::DenseGrid) where that suits; a few bodies far away do no harm here,
/// and memory grows with the bodies (at most some 300 bytes each), not with the world. Crowds much
/// denser in some places than in most have full cells there.
///
/// M. Teschner et al., "Optimized spatial hashing for collision detection of deformable objects", 2003; blocks after
/// M. Nießner et al., "Real-time 3D reconstruction at scale using voxel hashing", 2013.
///
/// ```
/// use throng_spatial::{Bodies, HashGrid, SpatialIndex};
/// let position = [[0.0, 0.0, 0.0], [1e9, 0.0, 0.0], [0.0, 0.7, 0.0]];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// let mut index = HashGrid::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [9e8, 0.0, 0.0], 1e9, |_| true).map(|(row, _)| row), Some(1));
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HashGrid<const D: usize> {
    /// Wanted side of a cell (m).
    wanted: Option<f32>,
    bounds: Option<Aabb<D>>,
    extent: Extent<D>,
    sizes: Sizes,
    origin: [f32; D],
    side: f32,
    /// 1 / side.
    scale: f32,
    /// How many cells two small bodies that overlap may be apart on any axis.
    apart: i32,
    /// The number of the block at each place of the hash; its length is a power of two.
    table: Vec<u32>,
    /// Coordinates of the blocks, in order; the last axis counts most.
    block: Vec<[i32; D]>,
    /// `start[c]..start[c + 1]` are the places of the bodies of cell c.
    start: Vec<u32>,
    /// Positions and rows of the bodies, by cell; longer than there are bodies, as the kernels want them.
    point: Vec<[f32; D]>,
    row: Vec<u32>,
    /// Radii by cell; empty where all are the same.
    radius: Vec<f32>,
    /// Which bodies rest, by cell; empty where none does.
    resting: Vec<bool>,
    /// Cell of each row; only used while rebuilding, as is the order of the blocks.
    cell: Vec<u32>,
    order: Vec<(u32, u32)>,
}

/// Cells from one corner to the other, both included.
#[derive(Clone, Copy, Debug)]
struct Window<const D: usize> {
    low: [i32; D],
    high: [i32; D],
}

const NONE: u32 = u32::MAX;

impl<const D: usize> Default for HashGrid<D> {
    fn default() -> Self {
        Self {
            wanted: None,
            bounds: None,
            extent: Extent::default(),
            sizes: Sizes::default(),
            origin: [0.0; D],
            side: 1.0,
            scale: 1.0,
            apart: 1,
            table: vec![NONE; 16],
            block: Vec::new(),
            start: Vec::new(),
            point: Vec::new(),
            row: Vec::new(),
            radius: Vec::new(),
            resting: Vec::new(),
            cell: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl HashGrid<2> {
    /// An empty grid with the cells, reach and bounds of `tuning`. No bounds are needed; where there are some, bodies
    /// outside are an error.
    pub fn new(tuning: &Tuning) -> Self {
        let wanted = tuning.cell.or_else(|| tuning.reach.map(|reach| reach * 0.5));
        let mut grid = wanted.map_or_else(Self::default, |side| Self::default().with_cell(side));
        grid.bounds = tuning.bounds;
        grid
    }
}

impl<const D: usize> HashGrid<D> {
    /// Cells of a block along an axis, and that as a power of 2.
    const BLOCK_BITS: u32 = 6 / (D as u32);
    const BLOCK_CELLS: i32 = 1 << Self::BLOCK_BITS;
    const BLOCK_MASK: i32 = Self::BLOCK_CELLS - 1;
    /// Cells of a block.
    const CELLS: usize = 1 << (Self::BLOCK_BITS as usize * D);
    /// Bodies a cell where they are spread evenly: several, so that there are fewer cells to look at.
    const BODIES_PER_CELL: usize = 4;
    /// The most cells along the diameter of the largest of the small bodies.
    const MOST_CELLS_A_DIAMETER: f32 = 4.0;
    /// The furthest cell from the origin on any axis: bodies beyond are counted there.
    const MAX_CELL_COORDINATE: f32 = (1 << 28) as f32;

    /// The same grid with cells of a given side (m), but of at least a quarter of the diameter of all but large bodies.
    #[must_use]
    pub fn with_cell(mut self, side: f32) -> Self {
        self.wanted = (side.is_finite() && side > 0.0).then_some(side);
        self
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.table.fill(NONE);
        self.block.clear();
        self.start.clear();
        self.cell.clear();
    }

    /// Chooses origin and side of the cells.
    fn lay_out(&mut self, bodies: Bodies<D>) {
        let middle = Middle::of(bodies.position, &self.extent.hull);
        let side =
            self.wanted.unwrap_or(middle.cell_side(bodies.len() / Self::BODIES_PER_CELL, self.sizes.small) as f32);
        self.origin = std::array::from_fn(|axis| (middle.bounds.low[axis] + middle.bounds.high[axis]) * 0.5);
        // Smaller cells would be looked at in vain: their number grows with the square of the bodies' diameter in cells.
        let side = side.max(self.sizes.small * 2.0 / Self::MOST_CELLS_A_DIAMETER);
        self.side = if side > 1e-30 { side } else { 1.0 };
        self.scale = 1.0 / self.side;
        // A coordinate in cells is rounded twice: it is off by 2⁻²³ of its size at most.
        let hull = &self.extent.hull;
        let furthest = (0..D).flat_map(|axis| [self.along(axis, hull.low[axis]), self.along(axis, hull.high[axis])]);
        let furthest = f64::from(furthest.fold(0, |furthest, x| x.abs().max(furthest)));
        let apart = 2.0 * f64::from(self.sizes.small) * f64::from(self.scale) * (1.0 + 1e-6) + furthest * 5e-7;
        self.apart = apart.ceil().clamp(1.0, 2.0 * f64::from(Self::MAX_CELL_COORDINATE)) as i32;
    }

    /// The cell of a coordinate (m). Never falls as the coordinate grows: rounding keeps the order of numbers.
    #[inline]
    fn along(&self, axis: usize, x: f32) -> i32 {
        let x = ((x - self.origin[axis]) * self.scale).clamp(-Self::MAX_CELL_COORDINATE, Self::MAX_CELL_COORDINATE);
        let whole = x as i32;
        whole - i32::from(whole as f32 > x)
    }

    /// The columns that only pairs need, where they are needed.
    fn sort_rest(&mut self, bodies: Bodies<D>) {
        let rows = &self.row[..bodies.len()];
        self.radius.clear();
        if self.extent.narrowest < self.extent.widest {
            self.radius.extend(rows.iter().map(|&row| bodies.radius[row as usize]));
            self.radius.resize(rows.len() + PADDING, 0.0);
        }
        self.resting.clear();
        if !bodies.resting.is_empty() {
            self.resting.extend(rows.iter().map(|&row| bodies.resting[row as usize]));
            self.resting.resize(rows.len() + PADDING, false);
        }
    }

    /// How many bodies there are.
    fn len(&self) -> usize {
        self.cell.len()
    }

    /// The radius of the body at a place (m).
    #[inline]
    fn radius(&self, place: usize) -> f32 {
        if self.radius.is_empty() { self.extent.widest } else { self.radius[place] }
    }

    #[inline]
    fn window(&self, low: [f32; D], high: [f32; D], reach: f32) -> Window<D> {
        Window {
            low: std::array::from_fn(|axis| self.along(axis, low[axis] - reach)),
            high: std::array::from_fn(|axis| self.along(axis, high[axis] + reach)),
        }
    }
}

impl<const D: usize> SpatialIndex<D> for HashGrid<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        let n = bodies.len();
        self.extent = Extent::of(bodies);
        self.sizes = Sizes::split(bodies, &self.extent);
        self.lay_out(bodies);
        if self.table.len() > 8 * n + 64 {
            // Made for a much larger crowd.
            self.table.truncate(16);
        }
        self.cell.clear();
        // Neighbouring rows are often neighbours: they ask for the same block.
        let (mut last, mut known) = ([i32::MIN; D], NONE);
        for &position in bodies.position {
            let at: [i32; D] = std::array::from_fn(|axis| self.along(axis, position[axis]));
            let block = at.map(|x| x >> Self::BLOCK_BITS);
            if block != last {
                (last, known) = (block, self.number(block));
            }
            let local =
                (0..D).fold(0, |local, axis| local | (at[axis] & Self::BLOCK_MASK) << (Self::BLOCK_BITS * axis as u32));
            self.cell.push(known * Self::CELLS as u32 + local as u32);
        }
        self.sort_blocks();
        self.start.resize(self.block.len() * Self::CELLS + 1, 0);
        for cell in &mut self.cell {
            let (block, local) = (*cell / Self::CELLS as u32, *cell % Self::CELLS as u32);
            *cell = self.order[block as usize].1 * Self::CELLS as u32 + local;
            self.start[*cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.point.resize(n + PADDING, [0.0; D]);
        self.row.resize(n + PADDING, 0);
        // From the end of each cell backwards: keeps the order, and leaves the starts behind.
        for ((row, &cell), &position) in self.cell.iter().enumerate().zip(bodies.position).rev() {
            let start = &mut self.start[cell as usize];
            *start -= 1;
            self.point[*start as usize] = position;
            self.row[*start as usize] = row as u32;
        }
        self.sort_rest(bodies);
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        self.visit_pairs(Level::detect(), bodies, &mut |low, high| {
            low.iter().zip(high).try_for_each(|(&i, &j)| visit(i, j))
        })
    }

    fn collect_pairs(&self, bodies: Bodies<D>, found: &mut Pairs) -> u64 {
        found.clear();
        self.visit_pairs(Level::detect(), bodies, &mut |low, high| {
            found.first.extend_from_slice(low);
            found.second.extend_from_slice(high);
            ControlFlow::Continue(())
        })
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let window = self.window(region.low, region.high, self.extent.reach());
        for number in self.blocks(&window) {
            for places in self.place_runs(number, &window) {
                self.row[places].iter().try_for_each(|&row| visit(row))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        let window = self.window(region.low, region.high, 0.0);
        for number in self.blocks(&window) {
            for local in 0..Self::CELLS {
                let cell = number * Self::CELLS + local;
                let held = (self.start[cell + 1] - self.start[cell]) as usize;
                let at: [i32; D] = std::array::from_fn(|axis| {
                    (self.block[number][axis] << Self::BLOCK_BITS)
                        + (local >> (Self::BLOCK_BITS as usize * axis)) as i32 % (1 << Self::BLOCK_BITS)
                });
                if held > 0 && (0..D).all(|axis| (window.low[axis]..=window.high[axis]).contains(&at[axis])) {
                    let low = std::array::from_fn(|axis| self.origin[axis] + at[axis] as f32 * self.side);
                    visit(&Aabb { low, high: low.map(|x| x + self.side) }, held)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.side
    }

    fn bytes(&self) -> usize {
        let words = [&self.table, &self.start, &self.cell, &self.row];
        words.iter().map(|words| words.capacity() * size_of::<u32>()).sum::<usize>()
            + self.order.capacity() * size_of::<(u32, u32)>()
            + self.block.capacity() * size_of::<[i32; D]>()
            + self.point.capacity() * size_of::<[f32; D]>()
            + self.radius.capacity() * size_of::<f32>()
            + self.resting.capacity()
    }

    fn within(
        &self,
        _: Bodies<D>,
        point: [f32; D],
        radius: f32,
        visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        nearby::within(self, Level::detect(), point, radius, visit)
    }

    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        nearby::nearest(self, Level::detect(), bodies, point, reach, accept)
    }

    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        nearby::k_nearest(self, Level::detect(), bodies, point, k, reach, accept, found);
    }

    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        nearby::neighbours(self, Level::detect(), bodies, first, reach, near);
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const D: usize> Nearby<D> for HashGrid<D> {
    fn count(&self) -> usize {
        self.len()
    }

    fn first_look(&self, k: usize) -> f32 {
        let cells = k as f32 * 0.5 / Self::BODIES_PER_CELL as f32;
        self.side * if D == 2 { cells.sqrt() } else { libm::powf(cells, 1.0 / D as f32) }
    }

    #[inline(always)]
    fn show<L: Lanes, S: Sink<D>>(&self, lanes: L, point: [f32; D], reach: f32, sink: &mut S) -> ControlFlow<()> {
        let window = self.window(point, point, reach);
        for number in self.blocks(&window) {
            for places in self.place_runs(number, &window) {
                sink.take(lanes, &self.point[places.clone()], &self.row[places], point)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
