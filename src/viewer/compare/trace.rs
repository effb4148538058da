//! What a search has seen, a byte a cell.

use crate::grid::Lattice;
use crate::plan::Scratch;
use crate::viewer::area::Area;

/// The largest side of a trace; larger maps put several cells into one byte.
const LARGEST: u32 = 4096;
/// The cell is open: a way to it was found, and it was not expanded.
pub(super) const OPEN: u8 = 255;
/// The greatest value of a closed cell, of which the way from the start is longest; the start has 1.
pub(super) const FURTHEST: u8 = 240;

/// Open and closed cells: 0 unseen, 1 to [`FURTHEST`] closed, by the cost of the way there, [`OPEN`] open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Trace {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Cells a column and a row.
    pub block: u32,
    /// The values, row by row.
    pub values: Vec<u8>,
    /// Where something was seen.
    pub seen: Option<Area>,
}

impl Trace {
    /// Nothing seen.
    pub fn clear(lattice: Lattice) -> Self {
        let block = lattice.width.max(lattice.height).div_ceil(LARGEST);
        let size = [lattice.width.div_ceil(block), lattice.height.div_ceil(block)];
        Self { size, block, values: vec![0; size[0] as usize * size[1] as usize], seen: None }
    }

    /// Reads it from the memory of a search. O(cells).
    pub fn new(scratch: &Scratch, lattice: Lattice) -> Self {
        let Self { size, block, mut values, .. } = Self::clear(lattice);
        let costs = lattice.cells().filter(|&cell| scratch.is_closed(cell)).filter_map(|cell| scratch.cost(cell));
        let furthest = costs.max().unwrap_or(0).max(1);
        let mut seen = [u32::MAX, u32::MAX, 0, 0];
        for y in 0..lattice.height {
            let row = &mut values[(y / block * size[0]) as usize..][..size[0] as usize];
            for x in 0..lattice.width {
                let cell = lattice.cell(x, y);
                let value = if scratch.is_closed(cell) {
                    // Searches from the goal know no cost from the start: that is as far as can be.
                    let cost = scratch.cost(cell).unwrap_or(furthest);
                    1 + (cost * u64::from(FURTHEST - 1) / furthest) as u8
                } else if scratch.is_open(cell) {
                    OPEN
                } else {
                    continue;
                };
                let place = &mut row[(x / block) as usize];
                *place = value.max(*place);
                let (x, y) = (x / block, y / block);
                seen = [seen[0].min(x), seen[1].min(y), seen[2].max(x + 1), seen[3].max(y + 1)];
            }
        }
        let [left, top, right, bottom] = seen;
        let seen = (left < right).then_some(Area { left, top, right, bottom });
        Self { size, block, values, seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, Ground};
    use crate::plan::{AStar, BidirectionalAStar, Octile, Path, Planner, Query, plan};

    #[test]
    fn a_trace_shows_what_the_scratch_knows() {
        let ground = Ground::new(Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap()).into(), 0.4).unwrap();
        let lattice = ground.lattice();
        let (from, to) = (lattice.cell(5, 5), lattice.cell(20, 12));
        let mut scratch = Scratch::default();
        for planner in [&AStar(Octile) as &dyn Planner, &BidirectionalAStar] {
            plan(planner, &ground, &Query::new(from, to), &mut scratch, &mut Path::default()).unwrap();
            let trace = Trace::new(&scratch, lattice);
            assert_eq!((trace.size, trace.block), ([40, 30], 1));
            let value = |x: u32, y: u32| trace.values[(y * 40 + x) as usize];
            assert_eq!((value(5, 5), value(20, 12), value(39, 29)), (1, FURTHEST, 0));
            for cell in lattice.cells() {
                let (x, y) = lattice.column_row(cell);
                assert_eq!(value(x, y) == OPEN, scratch.is_open(cell));
                assert_eq!((1..=FURTHEST).contains(&value(x, y)), scratch.is_closed(cell));
                assert!(value(x, y) == 0 || trace.seen.unwrap().covers(lattice.centre(cell)));
            }
        }
        assert_eq!(Trace::new(&Scratch::default(), lattice).seen, None);
    }

    #[test]
    fn huge_maps_have_several_cells_a_byte() {
        let ground = Ground::new(Grid::open_plain(Lattice::new(9001, 3, 1.0).unwrap()).into(), 0.4).unwrap();
        let lattice = ground.lattice();
        let mut scratch = Scratch::default();
        let query = Query::new(lattice.cell(0, 1), lattice.cell(9000, 1));
        plan(&AStar(Octile), &ground, &query, &mut scratch, &mut Path::default()).unwrap();
        let trace = Trace::new(&scratch, lattice);
        assert_eq!((trace.size, trace.block), ([3001, 1], 3));
        assert!(trace.values.iter().all(|&value| value > 0));
    }
}
