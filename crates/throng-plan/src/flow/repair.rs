//! Mending a field after an edit of the map.

use super::FlowField;
use crate::distances::{UNREACHED, check_goals};
use crate::memory::SearchMemory;
use crate::wave::{Edges, WaveDirection, Waves, spread};
use crate::{PlanError, Scratch};
use std::ops::Range;
use throng_grid::{Cell, Ground, Lattice};

/// A field is built anew where more than one cell of so many changes: from there on that is cheaper.
const REBUILD_SHARE: u32 = 20;

/// So many cells may change in any case.
const ALWAYS_REPAIRED_CELLS: usize = 500;

/// The direction back.
const OPPOSITE: [u8; 8] = [2, 3, 0, 1, 6, 7, 4, 5];

/// The memory of a repair.
#[derive(Debug, Default)]
struct FieldRepair {
    /// The cells whose steps may have changed, in order, each once.
    near: Vec<Cell>,
    /// The cells that lost their cost.
    cut: Vec<Cell>,
    stale: Stale,
    waves: Waves,
}

impl SearchMemory for FieldRepair {
    fn bytes(&self) -> usize {
        self.waves.bytes()
            + (self.near.capacity() + self.cut.capacity()) * size_of::<Cell>()
            + self.stale.blocks.capacity() * size_of::<u64>()
    }
}

/// How many cells may change before it is cheaper to build anew.
#[derive(Clone, Copy, Debug)]
struct Budget<'a> {
    ground: &'a Ground,
    limit: usize,
}

impl Budget<'_> {
    /// False where more than the budget is spent. The map is only measured where it matters.
    fn covers(&mut self, spent: usize) -> bool {
        if spent > self.limit && self.limit == ALWAYS_REPAIRED_CELLS {
            self.limit = ALWAYS_REPAIRED_CELLS + 1 + (self.ground.grid().open_cells() / REBUILD_SHARE) as usize;
        }
        spent <= self.limit
    }
}

impl FlowField {
    /// This field on the ground after an edit: equal to a new one. [`FlowField::repair`] does the same without the copy.
    ///
    /// # Errors
    /// Where all goals are closed now.
    pub fn updated(&self, ground: &Ground, dirty: &[Cell], scratch: &mut Scratch) -> Result<Self, PlanError> {
        let mut field = self.clone();
        field.repair(ground, dirty, scratch)?;
        Ok(field)
    }

    /// Makes this the field on the `ground` after an edit of the cells `dirty` of the grid, for the same kind of unit: equal
    /// to a new one, and cheaper where the edit concerns few cells.
    ///
    /// First all cells lose their cost whose every cheapest way is cut. Then they and those around the edit get the best
    /// that their neighbours offer, and from there lower costs spread. (G. Ramalingam, T. Reps: An incremental algorithm
    /// for a generalization of the shortest-path problem, Journal of Algorithms 21, 1996.) Costs O(n log n) for n cells
    /// whose cost changes. Where that would be dearer, and where there are links, the field is built anew.
    ///
    /// # Errors
    /// Where all goals are closed now; the field is then as it was.
    pub fn repair(&mut self, ground: &Ground, dirty: &[Cell], scratch: &mut Scratch) -> Result<(), PlanError> {
        check_goals(ground, &self.goals)?;
        let mut budget = Budget { ground, limit: ALWAYS_REPAIRED_CELLS };
        let mendable = self.lattice() == ground.lattice()
            && self.links.is_empty()
            && ground.links().is_empty()
            && budget.covers(dirty.len());
        if !(mendable && self.mend(ground, dirty, budget, scratch)) {
            self.fill(ground, scratch);
        }
        Ok(())
    }

    /// [`FlowField::repair`] where that is within the budget; false where it is not, and the field is of no use.
    fn mend(&mut self, ground: &Ground, dirty: &[Cell], mut budget: Budget, scratch: &mut Scratch) -> bool {
        let FieldRepair { near, cut, stale, waves } = scratch.memory();
        let edges = Edges::new(ground, WaveDirection::Backward);
        around(ground, dirty, near);
        if !self.cut(&edges, near, cut, &mut budget) {
            return false;
        }
        stale.clear(self.lattice());
        waves.clear();
        for &cell in near.iter().chain(&*cut) {
            stale.add(cell);
            let is_goal = self.goals.binary_search(&cell).is_ok() && ground.is_passable(cell);
            let cost = if is_goal { 0 } else { offer(&edges, &self.costs.cells, cell) };
            if cost < self.costs[cell] {
                self.costs[cell] = cost;
                waves.seed(cost, cell);
            }
        }
        let mut spent = cut.len();
        let whole = spread(&edges, waves, &mut self.costs.cells, |cells| {
            spent += cells.len();
            for &cell in cells {
                stale.add(cell);
            }
            budget.covers(spent)
        });
        if whole {
            stale.each(|cells| self.point(ground, cells));
        }
        whole
    }

    /// Takes the cost from every cell whose cost no neighbour upholds; false where that is not within the budget.
    ///
    /// The heading of a cell names the neighbour that upholds it. Steps cost something, so a chain of these ends at a goal
    /// and never runs in a ring.
    fn cut(&mut self, edges: &Edges, near: &[Cell], cut: &mut Vec<Cell>, budget: &mut Budget) -> bool {
        cut.clear();
        for &cell in near {
            // A goal needs no neighbour, as long as it can be stood on.
            if self.costs[cell] != 0 || !budget.ground.is_passable(cell) {
                self.uphold(edges, cell, cut);
            }
        }
        let mut at = 0;
        while let Some(&cell) = cut.get(at) {
            at += 1;
            edges.steps(cell, |from, _, d| {
                if self.headings[from] == OPPOSITE[d] {
                    self.uphold(edges, from, cut);
                }
                true
            });
            if !budget.covers(cut.len()) {
                return false;
            }
        }
        true
    }

    /// Turns a cell to a neighbour that upholds its cost, or takes the cost.
    #[inline]
    fn uphold(&mut self, edges: &Edges, cell: Cell, cut: &mut Vec<Cell>) {
        let cost = self.costs[cell];
        if cost == UNREACHED {
            return;
        }
        let mut heading = Self::NOWHERE;
        edges.steps(cell, |to, step, d| {
            let upholds = self.costs[to].saturating_add(step) <= cost;
            if upholds {
                heading = d as u8;
            }
            !upholds
        });
        self.headings[cell] = heading;
        if heading == Self::NOWHERE {
            self.costs[cell] = UNREACHED;
            cut.push(cell);
        }
    }
}

/// The least cost of a cell that its neighbours offer; [`UNREACHED`] where they offer none.
#[inline]
fn offer(edges: &Edges, costs: &[u32], cell: Cell) -> u32 {
    let mut best = UNREACHED;
    edges.steps(cell, |to, step, _| {
        best = best.min(costs[to.index()].saturating_add(step));
        true
    });
    best
}

/// Writes the cells whose steps may change where the `dirty` ones do: those from which a body reaches one, and the
/// neighbours of these.
fn around(ground: &Ground, dirty: &[Cell], near: &mut Vec<Cell>) {
    let lattice = ground.lattice();
    let wide = ground.radius() > lattice.cell_size * 0.5;
    let reach = 1 + if wide { (ground.radius() / lattice.cell_size).ceil() as i64 } else { 0 };
    near.clear();
    for &cell in dirty.iter().filter(|&&cell| lattice.contains(cell)) {
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (i64::from(x), i64::from(y));
        let rows = y - reach..=y + reach;
        near.extend(rows.flat_map(|y| (x - reach..=x + reach).filter_map(move |x| lattice.checked_cell(x, y))));
    }
    near.sort_unstable();
    near.dedup();
}

/// The cells whose heading may have changed, in blocks of [`BLOCK_CELLS`] that lie one after the other in memory: a bit each.
#[derive(Debug, Default)]
struct Stale {
    blocks: Vec<u64>,
    stride: u32,
    /// The cells of the map, some padding included.
    map: Range<u32>,
}

/// Cells of a block, which has one bit.
const BLOCK_CELLS: u32 = 32;

impl Stale {
    fn clear(&mut self, lattice: Lattice) {
        self.blocks.clear();
        self.blocks.resize(lattice.len().div_ceil(BLOCK_CELLS as usize * 64), 0);
        self.stride = lattice.stride;
        self.map = lattice.cell(0, 0).0..lattice.cell(lattice.width - 1, lattice.height - 1).0 + 1;
    }

    /// The cost of a cell has changed, and with it maybe its heading and those of its neighbours.
    #[inline]
    fn add(&mut self, cell: Cell) {
        for row in [cell.0 - self.stride, cell.0, cell.0 + self.stride] {
            for end in [row - 1, row + 1] {
                let block = end / BLOCK_CELLS;
                self.blocks[block as usize / 64] |= 1 << (block % 64);
            }
        }
    }

    fn each(&self, mut visit: impl FnMut(Range<usize>)) {
        for (word, &bits) in self.blocks.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let first = (word as u32 * 64 + bits.trailing_zeros()) * BLOCK_CELLS;
                bits &= bits - 1;
                let (first, end) = (first.max(self.map.start), (first + BLOCK_CELLS).min(self.map.end));
                if first < end {
                    visit(first as usize..end as usize);
                }
            }
        }
    }
}
