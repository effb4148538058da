//! Costs of all cells from a set of cells, a wave at a time.
//!
//! Dijkstra's algorithm settles one node after the other. Where no step costs less than w, all nodes whose cost lies in
//! the same interval [k w, (k + 1) w) are settled as soon as all of lower intervals are: none of them can improve another.
//! So a bucket of width w is a wave that is worked off in any order, without looking for the cheapest node of it
//! (E. V. Denardo, B. L. Fox: Shortest-route methods, Operations Research 27, 1979). A step costs less than two straight
//! ones, so three lists are enough: the wave at work, the next one and the one after it. Nothing in a wave waits for
//! anything else in it, which keeps several misses of the cache under way at a time.

use super::moves::KEPT;
use super::{DIAGONAL, STRAIGHT};
use crate::grid::{Cell, Ground};

/// Cost of a cell from which nothing leads to the others.
pub(super) const UNREACHED: u32 = u32::MAX;

/// The memory of waves, used for one after the other.
#[derive(Debug, Default)]
pub(super) struct Waves {
    /// Those of [`spread_canonical`]: now, next and later, by direction of arrival.
    lists: [[List; 8]; 3],
    /// Those of [`spread`], the cells whose cost is in the interval k in list k modulo its length.
    ring: Vec<Vec<Cell>>,
    /// Cells from which [`spread`] starts, with their costs.
    pub(super) seeds: Vec<(u32, Cell)>,
}

impl Waves {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.lists.iter().flatten().map(|list| list.cells.capacity()).sum::<usize>();
        let ring = self.ring.iter().map(Vec::capacity).sum::<usize>();
        (lists + ring) * size_of::<Cell>() + self.seeds.capacity() * size_of::<(u32, Cell)>()
    }
}

/// The first `len` of some cells. Adding one is a store and an addition, whether it is wanted or not: a branch would be
/// guessed wrong too often.
#[derive(Debug, Default)]
struct List {
    cells: Vec<Cell>,
    len: usize,
}

impl List {
    /// Makes room for `more` cells, and for one that is not wanted.
    fn reserve(&mut self, more: usize) {
        if self.cells.len() <= self.len + more {
            self.cells.resize((self.len + more + 1).next_power_of_two(), Cell::NONE);
        }
    }

    #[inline]
    fn push_if(&mut self, wanted: bool, cell: Cell) {
        self.cells[self.len] = cell;
        self.len += usize::from(wanted);
    }
}

/// The legal steps of a ground and what they cost. They lead both ways at the same cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps<'a> {
    pub(super) moves: &'a [u8],
    pub(super) offsets: [i32; 8],
}

impl<'a> Steps<'a> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        Self { moves: &ground.moves_layer().cells, offsets: ground.lattice().offsets() }
    }

    /// No step costs more.
    fn dearest(&self) -> u32 {
        DIAGONAL
    }

    /// The cell in direction `d`.
    #[inline]
    pub(super) fn to(&self, cell: Cell, d: usize) -> Cell {
        Cell(cell.0.wrapping_add_signed(self.offsets[d % 8]))
    }

    /// Cost of the step in direction `d`.
    #[inline]
    pub(super) fn cost(&self, d: usize) -> u32 {
        if d < 4 { STRAIGHT } else { DIAGONAL }
    }

    /// Calls `visit(neighbour, cost)` for each legal step.
    #[inline]
    pub(super) fn each(&self, cell: Cell, mut visit: impl FnMut(Cell, u32)) {
        let mut mask = self.moves[cell.index()];
        while mask != 0 {
            let d = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            visit(self.to(cell, d), self.cost(d));
        }
    }
}

/// Writes the cost of each cell from the nearest of `sources`, [`UNREACHED`] where there is no way.
pub(super) fn fill(ground: &Ground, sources: &[Cell], waves: &mut Waves, costs: &mut [u32]) {
    costs.fill(UNREACHED);
    for &source in sources {
        costs[source.index()] = 0;
    }
    spread_canonical(&Steps::new(ground), sources, waves, costs);
}

/// Lowers the cost of every cell to which a way leads from the seeds of `waves`, whose costs are written already, and
/// calls `lowered` for each time that one falls.
pub(super) fn spread(steps: &Steps, waves: &mut Waves, costs: &mut [u32], mut lowered: impl FnMut(Cell)) {
    let Waves { ring, seeds, .. } = waves;
    let lists = steps.dearest() as usize / STRAIGHT as usize + 2;
    ring.resize_with(ring.len().max(lists), Vec::new);
    let lists = ring.len();
    seeds.sort_unstable_by(|a, b| b.cmp(a));
    let (mut waiting, mut wave) = (0, 0);
    while waiting > 0 || !seeds.is_empty() {
        if waiting == 0 {
            wave = seeds.last().map_or(0, |seed| seed.0 / STRAIGHT);
        }
        while let Some(seed) = seeds.pop_if(|seed| seed.0 / STRAIGHT <= wave) {
            ring[wave as usize % lists].push(seed.1);
            waiting += 1;
        }
        let mut now = std::mem::take(&mut ring[wave as usize % lists]);
        waiting -= now.len();
        for cell in now.drain(..) {
            let g = costs[cell.index()];
            if g / STRAIGHT < wave {
                continue;
            }
            steps.each(cell, |to, step| {
                let through = g + step;
                if through < costs[to.index()] {
                    costs[to.index()] = through;
                    lowered(to);
                    ring[(through / STRAIGHT) as usize % lists].push(to);
                    waiting += 1;
                }
            });
        }
        ring[wave as usize % lists] = now;
        wave += 1;
    }
}

/// As [`spread`] from cells of cost 0, with the steps that [`Canonical`](super::moves::Canonical) keeps: on open ground
/// each cell is reached once, not eight times. The cells of a wave are listed by the direction in which they were reached,
/// so that the common case, nothing but open ground around, needs no table and no loop.
fn spread_canonical(steps: &Steps, sources: &[Cell], waves: &mut Waves, costs: &mut [u32]) {
    let [mut now, mut next, mut later] = std::mem::take(&mut waves.lists);
    next.iter_mut().chain(&mut later).for_each(|list| list.reserve(sources.len()));
    let mut wave = Wave { steps, costs, next: &mut next, later: &mut later, end: 2 * STRAIGHT };
    for &source in sources {
        wave.expand(source, 0, steps.moves[source.index()]);
    }
    for k in 1.. {
        std::mem::swap(&mut now, &mut next);
        std::mem::swap(&mut next, &mut later);
        // A cell adds at most one to each list of one of the two.
        let len = now.iter().map(|list| list.len).sum();
        if len == 0 && next.iter().all(|list| list.len == 0) {
            break;
        }
        next.iter_mut().chain(&mut later).for_each(|list| list.reserve(len));
        let start = k * STRAIGHT;
        let mut wave = Wave { steps, costs, next: &mut next, later: &mut later, end: start + 2 * STRAIGHT };
        for (d, list) in now.iter_mut().enumerate() {
            let cells = &list.cells[..list.len];
            if d < 4 { wave.straight(start, d, cells) } else { wave.diagonal(start, d, cells) }
            list.len = 0;
        }
    }
    waves.lists = [now, next, later];
}

/// A wave at work.
struct Wave<'a> {
    steps: &'a Steps<'a>,
    costs: &'a mut [u32],
    next: &'a mut [List; 8],
    later: &'a mut [List; 8],
    /// Where the costs of the next wave end.
    end: u32,
}

impl Wave<'_> {
    /// Expands cells that were reached by the straight direction `d`. Those that cost less than `start` were expanded in
    /// an earlier wave.
    fn straight(&mut self, start: u32, d: usize, cells: &[Cell]) {
        for &cell in cells {
            let g = self.costs[cell.index()];
            if g < start {
                continue;
            }
            let kept = KEPT[d][usize::from(self.steps.moves[cell.index()])];
            if kept == 1 << d { self.step_straight(cell, g, d) } else { self.expand(cell, g, kept) }
        }
    }

    /// The same for a diagonal direction.
    fn diagonal(&mut self, start: u32, d: usize, cells: &[Cell]) {
        let beside = [d % 4, (d + 1) % 4];
        let open = 1 << d | 1 << beside[0] | 1 << beside[1];
        for &cell in cells {
            let g = self.costs[cell.index()];
            if g < start {
                continue;
            }
            let kept = self.steps.moves[cell.index()] & open;
            if kept == open {
                self.step_straight(cell, g, beside[0]);
                self.step_straight(cell, g, beside[1]);
                self.step(cell, g, d);
            } else {
                self.expand(cell, g, kept);
            }
        }
    }

    #[inline]
    fn expand(&mut self, cell: Cell, g: u32, mut kept: u8) {
        while kept != 0 {
            let d = kept.trailing_zeros() as usize % 8;
            kept &= kept - 1;
            self.step(cell, g, d);
        }
    }

    #[inline]
    fn step(&mut self, cell: Cell, g: u32, d: usize) {
        let through = g + self.steps.cost(d);
        let (to, better) = self.lower(cell, d, through);
        self.next[d].push_if(better && through < self.end, to);
        self.later[d].push_if(better && through >= self.end, to);
    }

    /// A straight step always leads into the next wave.
    #[inline]
    fn step_straight(&mut self, cell: Cell, g: u32, d: usize) {
        let (to, better) = self.lower(cell, d, g + STRAIGHT);
        self.next[d].push_if(better, to);
    }

    #[inline]
    fn lower(&mut self, cell: Cell, d: usize, through: u32) -> (Cell, bool) {
        let to = self.steps.to(cell, d);
        let cost = &mut self.costs[to.index()];
        let better = through < *cost;
        *cost = through.min(*cost);
        (to, better)
    }
}
