//! Ways inside one cluster of the lowest level, cell by cell.

use super::tiling::Area;
use crate::memory::SearchMemory;
use crate::open::Buckets;
use crate::open::OpenList;
use throng_grid::{Cell, DIAGONAL, Ground, STRAIGHT};

/// No way.
pub(super) const NEVER: u32 = u32::MAX;

/// Where a field ends.
pub(super) const HERE: u8 = 8;

/// Where a field does not reach.
pub(super) const NOWHERE: u8 = 15;

/// The direction back.
pub(super) const BACK: [u8; 8] = [2, 3, 0, 1, 6, 7, 4, 5];

/// Dijkstra's search inside an area of the map, and its memory.
#[derive(Debug, Default)]
pub(super) struct Spread {
    masks: Vec<u8>,
    offsets: [i32; 8],
    queue: Buckets,
    /// Cost of each cell.
    pub(super) costs: Vec<u32>,
    /// Direction from each cell of the first step to the cell at which the search began.
    pub(super) back: Vec<u8>,
}

impl Spread {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.masks.capacity() + self.queue.bytes() + self.costs.capacity() * size_of::<u32>() + self.back.capacity()
    }

    /// Takes the steps of the map that stay inside the area.
    pub(super) fn enter(&mut self, ground: &Ground, area: Area) {
        let lattice = ground.lattice();
        self.offsets = area.offsets();
        self.masks.clear();
        for y in area.top..=area.bottom {
            let start = lattice.cell(area.left, y).index();
            let row = &ground.moves_layer().cells[start..start + area.width() as usize];
            let (mut rows, last) = (0xff, row.len() - 1);
            if y == area.top {
                rows &= !0b1001_0001;
            }
            if y == area.bottom {
                rows &= !0b0110_0100;
            }
            let from = self.masks.len();
            self.masks.extend(row.iter().map(|mask| mask & rows));
            self.masks[from] &= !0b1100_1000;
            self.masks[from + last] &= !0b0011_0010;
        }
    }

    /// Finds the cheapest ways from every cell of the area to `from`, both as indices into the area; stops once the cell
    /// `until` has its cost. Returns how many cells were expanded.
    pub(super) fn run(&mut self, from: usize, until: Option<usize>) -> u64 {
        let mut expanded = 0;
        self.costs.clear();
        self.costs.resize(self.masks.len(), NEVER);
        self.back.clear();
        self.back.resize(self.masks.len(), NOWHERE);
        self.costs[from] = 0;
        self.back[from] = HERE;
        self.queue.restart(0, Cell(from as u32));
        while let Some((cost, cell)) = self.queue.pop() {
            if cost > self.costs[cell.index()] {
                continue;
            }
            if until == Some(cell.index()) {
                break;
            }
            expanded += 1;
            let mut mask = self.masks[cell.index()];
            while mask != 0 {
                let d = mask.trailing_zeros() as usize % 8;
                mask &= mask - 1;
                let to = cell.0.wrapping_add_signed(self.offsets[d]);
                let cost = cost + if d < 4 { STRAIGHT } else { DIAGONAL };
                let known = &mut self.costs[to as usize];
                if cost < *known {
                    *known = cost;
                    self.back[to as usize] = BACK[d];
                    self.queue.push(cost, Cell(to));
                }
            }
        }
        expanded
    }
}
