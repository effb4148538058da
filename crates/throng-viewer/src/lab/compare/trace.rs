//! The cells that a search has seen, a byte a cell.

use crate::draw::int_rect::IntRect;
use throng_grid::{Cell, Lattice};
use throng_plan::{Scratch, SeenDoor};

/// The largest side of a trace; larger maps put several cells into one byte.
const MAX_SIDE_CELLS: u32 = 4096;
/// The cell is open: a way to it was found, and it was not expanded.
pub(super) const OPEN_VALUE: u8 = 255;
/// A door of a hierarchy that was not come to.
pub(super) const DOOR_VALUE: u8 = 250;
/// The greatest value of a closed cell, of which the way from the start is longest; the start has 1.
pub(super) const MAX_CLOSED: u8 = 240;

/// Open and closed cells: 0 unseen, 1 to [`MAX_CLOSED`] closed, by the cost of the way there, [`DOOR_VALUE`] not seen but
/// there, [`OPEN_VALUE`] open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trace {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Cells a column and a row.
    pub block: u32,
    /// The values, row by row.
    pub values: Vec<u8>,
    /// The part of the map in which it shows something.
    pub seen: Option<IntRect>,
    /// How many cells were seen.
    pub count: u64,
    /// The cost of the way to the cells with the greatest value.
    pub furthest: u64,
    /// It is of single points, wherever they lie.
    sparse: bool,
}

impl Trace {
    /// True where few cells were seen of the area they lie in, as the jump points of JPS: such cells need larger dots.
    pub fn is_sparse(&self) -> bool {
        self.sparse
            || self.seen.is_some_and(|area| self.count * 25 < u64::from(area.width()) * u64::from(area.height()))
    }

    /// Nothing seen.
    pub fn clear(lattice: Lattice) -> Self {
        let block = lattice.width.max(lattice.height).div_ceil(MAX_SIDE_CELLS);
        let size = [lattice.width.div_ceil(block), lattice.height.div_ceil(block)];
        Self { size, block, values: vec![0; size[0] as usize * size[1] as usize], ..Self::default() }
    }

    /// Reads it from the memory of a search. The furthest closed cell has the greatest value, or that to which the way
    /// costs `furthest`. O(cells).
    pub fn new(scratch: &Scratch, lattice: Lattice, furthest: Option<u64>) -> Self {
        let costs = || lattice.cells().filter(|&cell| scratch.is_closed(cell)).filter_map(|cell| scratch.cost(cell));
        let furthest = furthest.unwrap_or_else(|| costs().max().unwrap_or(0)).max(1);
        let mut trace = Self { furthest, ..Self::clear(lattice) };
        for y in 0..lattice.height {
            for x in 0..lattice.width {
                let cell = lattice.cell(x, y);
                if scratch.is_closed(cell) {
                    // Searches from the goal know no cost from the start: that is as far as can be.
                    trace.put(x, y, closed(scratch.cost(cell).unwrap_or(furthest), furthest));
                } else if scratch.is_open(cell) {
                    trace.put(x, y, OPEN_VALUE);
                }
            }
        }
        trace
    }

    /// The trace of cells that were expanded in this order: later ones are shown as further.
    pub fn of_cells(cells: &[Cell], lattice: Lattice) -> Self {
        let furthest = cells.len().max(1) as u64;
        let mut trace = Self { furthest, ..Self::clear(lattice) };
        for (order, &cell) in (0..).zip(cells) {
            let (x, y) = lattice.column_row(cell);
            trace.put(x, y, closed(order, furthest));
        }
        trace
    }

    /// The trace of a search over doors, and all other doors there are. O(doors).
    pub fn of_doors(
        seen: &[SeenDoor],
        all: impl Iterator<Item = Cell>,
        lattice: Lattice,
        furthest: Option<u64>,
    ) -> Self {
        let costs = seen.iter().filter(|door| door.expanded).map(|door| door.cost);
        let furthest = furthest.unwrap_or_else(|| costs.max().unwrap_or(0)).max(1);
        let mut trace = Self { furthest, ..Self::clear(lattice) };
        let doors = seen.iter().map(|door| {
            let value = if door.expanded { closed(door.cost, furthest) } else { OPEN_VALUE };
            (door.cell, value)
        });
        for (cell, value) in all.map(|cell| (cell, DOOR_VALUE)).chain(doors) {
            let (x, y) = lattice.column_row(cell);
            // Seen doors overwrite unseen ones.
            trace.values[(y / trace.block * trace.size[0] + x / trace.block) as usize] = 0;
            trace.put(x, y, value);
        }
        trace.sparse = true;
        trace
    }

    fn put(&mut self, x: u32, y: u32, value: u8) {
        let (x, y) = (x / self.block, y / self.block);
        let place = &mut self.values[(y * self.size[0] + x) as usize];
        *place = value.max(*place);
        self.count += 1;
        let dot = IntRect { left: x, top: y, right: x + 1, bottom: y + 1 };
        self.seen = Some(self.seen.map_or(dot, |seen| seen.hull(dot)));
    }
}

/// The value of a closed cell to which the way costs so much.
fn closed(cost: u64, furthest: u64) -> u8 {
    1 + (cost.min(furthest) * u64::from(MAX_CLOSED - 1) / furthest) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Ground};
    use throng_plan::{AStar, BidirectionalAStar, Dijkstra, Octile, Path, Planner, Query, plan};

    #[test]
    fn a_trace_shows_what_the_scratch_knows() {
        let ground = Ground::new(Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap()).into(), 0.4).unwrap();
        let lattice = ground.lattice();
        let (from, to) = (lattice.cell(5, 5), lattice.cell(20, 12));
        let mut scratch = Scratch::default();
        for planner in [&AStar(Octile) as &dyn Planner, &BidirectionalAStar] {
            plan(planner, &ground, &Query::new(from, to), &mut scratch, &mut Path::default()).unwrap();
            let trace = Trace::new(&scratch, lattice, None);
            assert_eq!((trace.size, trace.block), ([40, 30], 1));
            let value = |x: u32, y: u32| trace.values[(y * 40 + x) as usize];
            assert_eq!((value(5, 5), value(20, 12), value(39, 29)), (1, MAX_CLOSED, 0));
            for cell in lattice.cells() {
                let (x, y) = lattice.column_row(cell);
                assert_eq!(value(x, y) == OPEN_VALUE, scratch.is_open(cell));
                assert_eq!((1..=MAX_CLOSED).contains(&value(x, y)), scratch.is_closed(cell));
                assert!(value(x, y) == 0 || trace.seen.unwrap().covers(lattice.centre(cell)));
            }
        }
        assert_eq!(Trace::new(&Scratch::default(), lattice, None).seen, None);
        plan(&Dijkstra, &ground, &Query::new(from, to), &mut scratch, &mut Path::default()).unwrap();
        let mut trace = Trace::new(&scratch, lattice, None);
        assert!(!trace.is_sparse());
        trace.count = 9;
        assert!(trace.is_sparse());
    }

    #[test]
    fn huge_maps_have_several_cells_a_byte() {
        let ground = Ground::new(Grid::open_plain(Lattice::new(9001, 3, 1.0).unwrap()).into(), 0.4).unwrap();
        let lattice = ground.lattice();
        let mut scratch = Scratch::default();
        let query = Query::new(lattice.cell(0, 1), lattice.cell(9000, 1));
        plan(&AStar(Octile), &ground, &query, &mut scratch, &mut Path::default()).unwrap();
        let trace = Trace::new(&scratch, lattice, None);
        assert_eq!((trace.size, trace.block), ([3001, 1], 3));
        assert!(trace.values.iter().all(|&value| value > 0));
    }
}
