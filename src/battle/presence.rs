//! Which armies are near, coarsely: saves the search for an enemy where there is none.

use crate::crowd::Crowd;
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
    spare: Vec<u16>,
    /// Which armies are in each cell itself.
    here: Layer<u16>,
    /// Where the rows of each cell begin in `rows`.
    start: Vec<u32>,
    rows: Vec<u32>,
    cell: Vec<u32>,
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
        Ok(Self {
            near: Layer::new(lattice, 0),
            spare: Vec::new(),
            here: Layer::new(lattice, 0),
            start: Vec::new(),
            rows: Vec::new(),
            cell: Vec::new(),
        })
    }

    /// Takes everybody into the cells, awake or not, and marks all cells within `sight` (m) of each. O(n + cells x log sight).
    pub fn rebuild(&mut self, position: &[Vec2], army: &[u8], sight: f32) {
        let lattice = self.here.lattice;
        let Self { here, start, rows, cell, .. } = self;
        here.cells.fill(0);
        start.clear();
        start.resize(here.cells.len() + 1, 0);
        cell.clear();
        cell.extend(position.iter().zip(army).map(|(&position, &army)| {
            let cell = lattice.at(position);
            here[cell] |= 1 << army;
            start[cell.index() + 1] += 1;
            cell.index() as u32
        }));
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        rows.resize(position.len(), 0);
        // From the last to the first, so that the beginnings are right in the end.
        for (row, &cell) in cell.iter().enumerate().rev() {
            let place = &mut start[cell as usize + 1];
            *place -= 1;
            rows[*place as usize] = row as u32;
        }
        self.near.cells.copy_from_slice(&self.here.cells);
        let reach = (sight / lattice.cell_size).ceil() as u32;
        let widest = lattice.width.max(lattice.height);
        spread(&mut self.near, reach.min(widest) as usize, &mut self.spare);
    }

    /// The nearest one of the armies in the mask `hostile`, nearer than `reach` (m) to a point (m), whom `accept` takes: his row.
    /// Ties go to the smaller slot. Looks at the cells where these armies are alone, ring by ring: friends between cost nothing.
    pub fn nearest(
        &self,
        crowd: &Crowd,
        point: Vec2,
        reach: f32,
        hostile: u16,
        accept: &dyn Fn(u32) -> bool,
    ) -> Option<u32> {
        let lattice = self.here.lattice;
        let (x, y) = lattice.column_row(lattice.at(point));
        let (x, y) = (i64::from(x), i64::from(y));
        let mut best = (reach * reach, u32::MAX, None);
        let last = i64::from(lattice.width.max(lattice.height));
        for ring in 0..=last {
            // Nobody in this ring is nearer; one who stands off the map is counted to the cell beside.
            let least = (ring - 1).max(0) as f32 * lattice.cell_size * 0.999;
            if ring > 1 && least * least > best.0 {
                break;
            }
            let mut look = |x: i64, y: i64| {
                let Some(cell) = lattice.checked_cell(x, y).filter(|&cell| self.here[cell] & hostile != 0) else {
                    return;
                };
                // As `rebuild` leaves it: the rows of a cell begin at the place after its own.
                let rows = self.start[cell.index() + 1] as usize..self.end(cell.index());
                for &row in &self.rows[rows] {
                    let (row, slot) = (row as usize, crowd.slot[row as usize]);
                    let squared = crowd.position[row].distance_squared(point);
                    if hostile >> crowd.army[row] & 1 == 1
                        && squared < reach * reach
                        && (squared, slot) < (best.0, best.1)
                        && accept(row as u32)
                    {
                        best = (squared, slot, Some(row as u32));
                    }
                }
            };
            if ring == 0 {
                look(x, y);
                continue;
            }
            for x in x - ring..=x + ring {
                look(x, y - ring);
                look(x, y + ring);
            }
            for y in y - ring + 1..y + ring {
                look(x - ring, y);
                look(x + ring, y);
            }
        }
        best.2
    }

    /// Where the rows of a cell end.
    fn end(&self, cell: usize) -> usize {
        self.start.get(cell + 2).map_or(self.rows.len(), |&next| next as usize)
    }

    /// The armies that may have a soldier within sight of a point (m): bit `a` for army `a`.
    #[inline]
    pub fn armies(&self, point: Vec2) -> u16 {
        self.near[self.near.lattice.at(point)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (2 * self.near.cells.len() + self.spare.capacity()) * size_of::<u16>()
            + (self.start.capacity() + self.rows.capacity() + self.cell.capacity()) * size_of::<u32>()
    }
}

/// Gives each cell the bits of all cells within `reach` columns and rows. O(cells x log reach), however far that is.
fn spread(cells: &mut Layer<u16>, reach: usize, spare: &mut Vec<u16>) {
    let lattice = cells.lattice;
    let (width, height, stride) = (lattice.width as usize, lattice.height as usize, lattice.stride as usize);
    let first = lattice.cell(0, 0).index();
    // Along the rows, then across them.
    for y in 0..height {
        let row = &mut cells.cells[first + y * stride..][..width];
        spare.clear();
        spare.resize(reach, 0);
        spare.extend_from_slice(row);
        spare.resize(width + 2 * reach, 0);
        gather(spare, 1, reach);
        row.copy_from_slice(&spare[..width]);
    }
    spare.clear();
    spare.resize(reach * width, 0);
    for y in 0..height {
        spare.extend_from_slice(&cells.cells[first + y * stride..][..width]);
    }
    spare.resize((height + 2 * reach) * width, 0);
    gather(spare, width, reach);
    for y in 0..height {
        cells.cells[first + y * stride..][..width].copy_from_slice(&spare[y * width..][..width]);
    }
}

/// Gives each place the bits of the 2 `reach` places after it, each `step` further on, too: by stretches of 2, 4, 8 ... places
/// (van Herk's problem, by doubling).
fn gather(places: &mut [u16], step: usize, reach: usize) {
    let (window, mut stretch) = (2 * reach + 1, 1);
    let join = |places: &mut [u16], further: usize| {
        for i in 0..places.len() - further {
            places[i] |= places[i + further];
        }
    };
    while 2 * stretch <= window {
        join(places, stretch * step);
        stretch *= 2;
    }
    join(places, (window - stretch) * step);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_far_as_is_said_and_no_further() {
        let lattice = Lattice::new(37, 23, 4.0).unwrap();
        for reach in [0, 1, 2, 3, 6, 7, 11, 40] {
            let mut near = Layer::new(lattice, 0);
            let marks = [(3, 4, 1), (30, 20, 2), (36, 0, 4)];
            for (x, y, bit) in marks {
                near[lattice.cell(x, y)] |= bit;
            }
            spread(&mut near, reach, &mut Vec::new());
            for cell in lattice.cells() {
                let (x, y) = lattice.column_row(cell);
                let is_near = |&&(mx, my, _): &&(u32, u32, u16)| x.abs_diff(mx).max(y.abs_diff(my)) as usize <= reach;
                let bits = marks.iter().filter(is_near).map(|&(_, _, bit)| bit).sum::<u16>();
                assert_eq!(near[cell], bits, "at {x}, {y} with {reach}");
            }
        }
    }
}
