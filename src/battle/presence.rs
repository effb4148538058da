//! Which armies are near, coarsely: saves the search for an enemy where there is none.

use crate::geom::Vec2;
use crate::grid::{Lattice, LatticeError, Layer};

/// Side of a cell (m), of a larger one in a world of more than [`MOST`] such cells a side.
const CELL: f32 = 4.0;

/// The most cells a side.
const MOST: f32 = 1024.0;

/// One bit an army for each cell of a coarse lattice: set where a soldier of that army may be within sight.
///
/// ```
/// use throng::battle::Presence;
/// use throng::geom::Vec2;
/// let mut presence = Presence::new(Vec2::splat(100.0))?;
/// presence.rebuild(&[Vec2::splat(50.0)], &[3], 12.0);
/// assert_eq!(presence.armies(Vec2::splat(45.0)), 1 << 3);
/// assert_eq!(presence.armies(Vec2::splat(5.0)), 0);
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
#[derive(Debug)]
pub struct Presence {
    near: Layer<u16>,
    /// Where those who sleep are.
    asleep: Layer<u16>,
    spare: Layer<u16>,
}

impl Presence {
    /// For a world of `size` metres.
    ///
    /// # Errors
    /// Where the size is not finite.
    pub fn new(size: Vec2) -> Result<Self, LatticeError> {
        let side = CELL.max(size.max_element() / MOST);
        let cells = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(MOST));
        let lattice = Lattice::new(cells.x as u32, cells.y as u32, side)?;
        Ok(Self { near: Layer::new(lattice, 0), asleep: Layer::new(lattice, 0), spare: Layer::new(lattice, 0) })
    }

    /// Marks the cells of those who sleep, for all rebuilds to come.
    pub fn rest(&mut self, position: &[Vec2], army: &[u8]) {
        let lattice = self.asleep.lattice;
        self.asleep.cells.fill(0);
        for (&position, &army) in position.iter().zip(army) {
            self.asleep[lattice.at(position)] |= 1 << army;
        }
    }

    /// Marks everybody's cell and all cells within `sight` (m) of it. O(n + cells x sight), with those awake alone for n.
    pub fn rebuild(&mut self, position: &[Vec2], army: &[u8], sight: f32) {
        let lattice = self.near.lattice;
        self.near.cells.copy_from_slice(&self.asleep.cells);
        for (&position, &army) in position.iter().zip(army) {
            self.near[lattice.at(position)] |= 1 << army;
        }
        let reach = (sight / lattice.cell_size).ceil() as u32;
        let widest = lattice.width.max(lattice.height);
        for _ in 0..reach.min(widest) {
            spread(&self.near, &mut self.spare);
            std::mem::swap(&mut self.near, &mut self.spare);
        }
    }

    /// The armies that may have a soldier within sight of a point (m): bit `a` for army `a`.
    #[inline]
    pub fn armies(&self, point: Vec2) -> u16 {
        self.near[self.near.lattice.at(point)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        3 * self.near.cells.len() * size_of::<u16>()
    }
}

/// Writes `to`: each cell's own bits and those of its eight neighbours.
fn spread(from: &Layer<u16>, to: &mut Layer<u16>) {
    let lattice = from.lattice;
    let stride = lattice.stride as usize;
    for y in 0..lattice.height {
        let start = lattice.cell(0, y).index();
        for i in start..start + lattice.width as usize {
            let column = |i: usize| from.cells[i - stride] | from.cells[i] | from.cells[i + stride];
            to.cells[i] = column(i - 1) | column(i) | column(i + 1);
        }
    }
}
