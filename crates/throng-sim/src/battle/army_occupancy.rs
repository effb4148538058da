//! A coarse layer of the armies that are near each cell. It saves the search for an enemy where there is none.

use super::cell_bitmap::CellBitmap;
use crate::crowd::Crowd;
use throng_grid::geom::Vec2;
use throng_grid::{Lattice, LatticeError, Layer};

/// Side of a cell (m), of a larger one in a world of more than [`MAX_CELLS_A_SIDE`] such cells a side.
const CELL: f32 = 4.0;

/// The most cells a side.
const MAX_CELLS_A_SIDE: f32 = 1024.0;

/// One bit an army for each cell of a coarse lattice: set where a soldier of that army may be within sight.
#[derive(Debug)]
pub struct ArmyOccupancy {
    near: Layer<u16>,
    spare: Vec<u16>,
    /// A bit for each army with a soldier in the cell itself.
    here: Layer<u16>,
    /// The cells that an army is in, by army.
    bitmaps: Vec<CellBitmap>,
    /// Index in `rows` of the first row of each cell.
    start: Vec<u32>,
    rows: Vec<u32>,
    cell: Vec<u32>,
}

impl ArmyOccupancy {
    /// For a world of `size` metres.
    ///
    /// # Errors
    /// Where the size is not finite.
    pub fn new(size: Vec2) -> Result<Self, LatticeError> {
        let side = CELL.max(size.max_element() / MAX_CELLS_A_SIDE);
        let cells = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(MAX_CELLS_A_SIDE));
        let lattice = Lattice::new(cells.x as u32, cells.y as u32, side)?;
        Ok(Self {
            near: Layer::new(lattice, 0),
            spare: Vec::new(),
            here: Layer::new(lattice, 0),
            bitmaps: Vec::new(),
            start: Vec::new(),
            rows: Vec::new(),
            cell: Vec::new(),
        })
    }

    /// Enters all agents, awake or not, into their cells, and all cells within `sight` (m) of each. O(n + cells x log sight).
    pub fn rebuild(&mut self, position: &[Vec2], army: &[u8], sight: f32) {
        let Self { near, spare, here, bitmaps, start, rows, cell } = self;
        let lattice = here.lattice;
        let at = || position.iter().map(|&position| lattice.at(position));
        let sort = || {
            start.clear();
            start.resize(lattice.len() + 1, 0);
            cell.clear();
            cell.extend(at().map(|cell| {
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
        };
        let mark = || {
            here.cells.fill(0);
            for (cell, &army) in at().zip(army) {
                here[cell] |= 1 << army;
            }
            let armies = here.cells.iter().fold(0, |all, &armies| all | armies);
            bitmaps.resize(16 - armies.leading_zeros() as usize, CellBitmap::default());
            for bitmap in bitmaps.iter_mut() {
                bitmap.clear(lattice);
            }
            for place in lattice.cells().filter(|&place| here[place] != 0) {
                let (column, row) = lattice.column_row(place);
                for (_, bitmap) in bitmaps.iter_mut().enumerate().filter(|(army, _)| here[place] >> army & 1 == 1) {
                    bitmap.set(column as usize, row as usize);
                }
            }
            near.cells.copy_from_slice(&here.cells);
            let reach = (sight / lattice.cell_size).ceil() as u32;
            let widest = lattice.width.max(lattice.height);
            spread(near, reach.min(widest) as usize, spare);
        };
        rayon::join(sort, mark);
    }

    /// The row of the nearest agent of the armies in the mask `hostile`, nearer than `reach` (m) to a point (m), that `accept`
    /// takes. Ties go to the smaller slot. Looks only at the cells of these armies, row by row of cells and outwards in each:
    /// friends between cost nothing, and empty cells a bit.
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
        let (x, y, side) = (x as usize, y as usize, lattice.cell_size);
        // An agent off the map is counted to the cell beside, and is no nearer to a point than that is to its place on the map.
        let inside = point.clamp(Vec2::ZERO, lattice.size());
        // How far it is to a stretch of so many cells, less what rounding may take.
        let far = |place: usize, at: f32| {
            let (low, high) = (place as f32 * side, (place + 1) as f32 * side);
            (low - at).max(at - high).max(0.0) * 0.999
        };
        let mut best = (reach * reach, u32::MAX, None);
        let last = lattice.height as usize - 1;
        for away in 0..=y.max(last - y) {
            if (away.saturating_sub(1) as f32 * side * 0.999).powi(2) > best.0 {
                break;
            }
            let rows = [y.checked_sub(away), (away > 0).then_some(y + away)];
            for row in rows.into_iter().flatten().filter(|&row| row <= last) {
                let down = far(row, inside.y).powi(2);
                // False once no agent in this cell or beyond is nearer.
                let mut look = |column: usize| {
                    if down + far(column, inside.x).powi(2) > best.0 {
                        return false;
                    }
                    let cell = lattice.cell(column as u32, row as u32);
                    // As `rebuild` leaves it: the rows of a cell begin at the place after its own.
                    let rows = self.start[cell.index() + 1] as usize..self.end(cell.index());
                    for &row in &self.rows[rows] {
                        let (row, slot) = (row as usize, crowd.rows.slot[row as usize]);
                        let squared = crowd.rows.position[row].distance_squared(point);
                        if hostile >> crowd.rows.army[row] & 1 == 1
                            && squared < reach * reach
                            && (squared, slot) < (best.0, best.1)
                            && accept(row as u32)
                        {
                            best = (squared, slot, Some(row as u32));
                        }
                    }
                    true
                };
                for (_, bitmap) in self.bitmaps.iter().enumerate().filter(|(army, _)| hostile >> army & 1 == 1) {
                    let _ = bitmap.from(x, row).all(&mut look);
                    let _ = bitmap.before(x, row).all(&mut look);
                }
            }
        }
        best.2
    }

    /// The end in `rows` of the rows of a cell.
    fn end(&self, cell: usize) -> usize {
        self.start.get(cell + 2).map_or(self.rows.len(), |&next| next as usize)
    }

    /// Its cells.
    pub(super) fn lattice(&self) -> Lattice {
        self.here.lattice
    }

    /// The armies that may have a soldier within sight of a point (m): bit `a` for army `a`.
    #[inline]
    pub fn armies(&self, point: Vec2) -> u16 {
        self.near[self.near.lattice.at(point)]
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (2 * self.near.cells.len() + self.spare.capacity()) * size_of::<u16>()
            + self.bitmaps.iter().map(CellBitmap::bytes).sum::<usize>()
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
    use crate::crowd::Newcomer;
    use crate::ids::{ArmyId, UnitId};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nearest_of_all(
            size in prop::array::uniform2(3.0_f32..700.0),
            // Some off the map, many in one place.
            places in prop::collection::vec((prop::array::uniform2(-0.1_f32..1.1), 0_u8..4, any::<bool>()), 0..80),
            from in prop::array::uniform2(-0.1_f32..1.1),
            reach in 0.0_f32..900.0,
            hostile in 0_u16..16,
        ) {
            let size = Vec2::from(size);
            let mut crowd = Crowd::default();
            for (at, army, dense) in places {
                let at = Vec2::from(at) * if dense { Vec2::ONE } else { size };
                let (facing, radius, top_speed, weight) = (Vec2::X, 0.3, 2.0, 1.0);
                crowd.spawn(Newcomer { position: at, facing, radius, top_speed, weight, army: ArmyId(army), unit: UnitId(0), squad: None });
            }
            let mut occupancy = ArmyOccupancy::new(size).unwrap();
            occupancy.rebuild(&crowd.rows.position, &crowd.rows.army, 12.0);
            let point = Vec2::from(from) * size;
            let accept = |row: u32| !row.is_multiple_of(3);
            let squared = |row: u32| crowd.rows.position[row as usize].distance_squared(point);
            let all = (0..crowd.len() as u32).filter(|&row| {
                hostile >> crowd.rows.army[row as usize] & 1 == 1 && squared(row) < reach * reach && accept(row)
            });
            let least = all.min_by_key(|&row| (squared(row).to_bits(), crowd.rows.slot[row as usize]));
            prop_assert_eq!(occupancy.nearest(&crowd, point, reach, hostile, &accept), least);
        }
    }

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
