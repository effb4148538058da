//! Mending a field after an edit of the map.

use super::FlowField;
use crate::grid::{Cell, Ground, Lattice};
use crate::plan::distances::{UNREACHED, check_all};
use crate::plan::wave::{Steps, spread};
use crate::plan::{PlanError, Scratch};

/// A field is built anew where more than one cell of so many loses its cost: from there on that is cheaper.
const SHARE: usize = 8;

/// The memory of a repair.
#[derive(Debug, Default)]
pub(in crate::plan) struct Mend {
    /// The cells whose steps may have changed, in order, each once.
    near: Vec<Cell>,
    /// The costs that were lost, and by which cell.
    cut: Vec<(u32, Cell)>,
    /// For each row of memory the first cell whose heading may have changed, and the one after the last.
    spans: Vec<(u32, u32)>,
}

impl Mend {
    /// Bytes of memory.
    pub(in crate::plan) fn bytes(&self) -> usize {
        self.near.capacity() * size_of::<Cell>()
            + (self.cut.capacity() + self.spans.capacity()) * size_of::<(u32, u32)>()
    }
}

impl FlowField {
    /// This field on the ground after an edit: equal to a new one. [`FlowField::repair`] does the same without the copy.
    ///
    /// # Errors
    /// Where a goal is closed now.
    pub fn updated(&self, ground: &Ground, dirty: &[Cell], scratch: &mut Scratch) -> Result<Self, PlanError> {
        let mut field = self.clone();
        field.repair(ground, dirty, scratch)?;
        Ok(field)
    }

    /// Makes this the field on the `ground` after an edit of the cells `dirty` of the grid: equal to a new one, and
    /// cheaper where the edit concerns few cells.
    ///
    /// First all cells lose their cost whose every cheapest way is cut. Then they and those around the edit get the best
    /// that their neighbours offer, and from there lower costs spread. (G. Ramalingam, T. Reps: An incremental algorithm
    /// for a generalization of the shortest-path problem, Journal of Algorithms 21, 1996.) Costs O(n log n) for n cells
    /// whose cost changes. Where that would be dearer, the field is built anew.
    ///
    /// # Errors
    /// Where a goal is closed now; the field is then as it was.
    pub fn repair(&mut self, ground: &Ground, dirty: &[Cell], scratch: &mut Scratch) -> Result<(), PlanError> {
        check_all(ground, "goal", &self.goals)?;
        let limit = self.costs.cells.len() / SHARE;
        if self.lattice() != ground.lattice() || dirty.len() > limit {
            self.fill(ground, scratch);
            return Ok(());
        }
        let Scratch { waves, mend, .. } = &mut *scratch;
        let steps = Steps::new(ground);
        around(ground, dirty, &mut mend.near);
        if !self.cut(&steps, &mend.near, &mut mend.cut, limit) {
            self.fill(ground, scratch);
            return Ok(());
        }
        let mut spans = Spans::new(self.lattice(), &mut mend.spans);
        let costs = &mut *self.costs.cells;
        waves.seeds.clear();
        for &cell in mend.near.iter().chain(mend.cut.iter().map(|(_, cell)| cell)) {
            spans.add(cell);
            let cost = offer(&steps, costs, cell);
            if cost < costs[cell.index()] {
                costs[cell.index()] = cost;
                waves.seeds.push((cost, cell));
            }
        }
        spread(&steps, waves, costs, |cell| spans.add(cell));
        for &(first, end) in mend.spans.iter().filter(|(first, end)| first < end) {
            self.point(ground, first as usize..end as usize);
        }
        Ok(())
    }

    /// Takes the cost from every cell that has no neighbour through which it is true, `near` ones first; false where more
    /// than `limit` would lose it.
    ///
    /// Steps cost something, so that cells whose costs hold each other up end at a goal.
    fn cut(&mut self, steps: &Steps, near: &[Cell], cut: &mut Vec<(u32, Cell)>, limit: usize) -> bool {
        let costs = &mut *self.costs.cells;
        cut.clear();
        let check = |costs: &mut [u32], cut: &mut Vec<(u32, Cell)>, cell: Cell| {
            let cost = costs[cell.index()];
            // A goal needs nobody.
            if cost != 0 && cost != UNREACHED && offer(steps, costs, cell) > cost {
                costs[cell.index()] = UNREACHED;
                cut.push((cost, cell));
            }
        };
        near.iter().for_each(|&cell| check(costs, cut, cell));
        let mut at = 0;
        while let Some(&(cost, cell)) = cut.get(at) {
            at += 1;
            steps.each(cell, |from, step| {
                if costs[from.index()] >= cost + step {
                    check(costs, cut, from);
                }
            });
            if cut.len() > limit {
                return false;
            }
        }
        true
    }
}

/// The least cost of a cell that its neighbours offer; [`UNREACHED`] where they offer none.
#[inline]
fn offer(steps: &Steps, costs: &[u32], cell: Cell) -> u32 {
    let mut best = UNREACHED;
    steps.each(cell, |to, step| best = best.min(costs[to.index()].saturating_add(step)));
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

/// The cells whose heading may have changed: a range a row.
struct Spans<'a> {
    spans: &'a mut Vec<(u32, u32)>,
    lattice: Lattice,
}

impl<'a> Spans<'a> {
    fn new(lattice: Lattice, spans: &'a mut Vec<(u32, u32)>) -> Self {
        spans.clear();
        spans.resize(lattice.height as usize, (u32::MAX, 0));
        Self { spans, lattice }
    }

    /// The cost of a cell has changed: so may its heading, and those of its neighbours.
    fn add(&mut self, cell: Cell) {
        let (x, y) = self.lattice.column_row(cell);
        let last = self.lattice.height - 1;
        for row in y.saturating_sub(1)..=(y + 1).min(last) {
            let (first, end) = (x.saturating_sub(1), (x + 2).min(self.lattice.width));
            let span = &mut self.spans[row as usize];
            let first = self.lattice.cell(first, row).0;
            let end = self.lattice.cell(end - 1, row).0 + 1;
            *span = (span.0.min(first), span.1.max(end));
        }
    }
}
