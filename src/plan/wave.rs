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
    waves.seeds.clear();
    for &source in sources {
        costs[source.index()] = 0;
        waves.seeds.push((0, source));
    }
    spread(&Steps::new(ground), waves, costs, |_| true);
}

/// Lowers the cost of every cell to which a cheaper way leads from the seeds of `waves`, whose costs are written already.
///
/// Hands the cells of each wave to `settled`, the seeds too and some of them twice, and stops with false where that
/// returns false; the costs are of no use then.
pub(super) fn spread(
    steps: &Steps,
    waves: &mut Waves,
    costs: &mut [u32],
    settled: impl FnMut(&[Cell]) -> bool,
) -> bool {
    waves.seeds.sort_unstable_by(|a, b| b.cmp(a));
    spread_canonical(steps, waves, costs, settled)
}

/// [`spread`] with all legal steps, whatever they cost.
#[expect(dead_code, reason = "terrain")]
fn spread_all(steps: &Steps, waves: &mut Waves, costs: &mut [u32], mut settled: impl FnMut(&[Cell]) -> bool) -> bool {
    let Waves { ring, seeds, .. } = waves;
    let lists = ring.len().max(steps.dearest() as usize / STRAIGHT as usize + 2);
    ring.resize_with(lists, Vec::new);
    ring.iter_mut().for_each(Vec::clear);
    let mut waiting = 0;
    let mut wave = 0;
    loop {
        if waiting == 0 {
            let Some(&(cost, _)) = seeds.last() else { return true };
            wave = cost / STRAIGHT;
        }
        let mut now = std::mem::take(&mut ring[wave as usize % lists]);
        waiting -= now.len();
        while let Some((_, cell)) = seeds.pop_if(|seed| seed.0 / STRAIGHT <= wave) {
            now.push(cell);
        }
        for &cell in &now {
            let g = costs[cell.index()];
            if g / STRAIGHT < wave {
                continue;
            }
            steps.each(cell, |to, step| {
                let through = g + step;
                if through < costs[to.index()] {
                    costs[to.index()] = through;
                    ring[(through / STRAIGHT) as usize % lists].push(to);
                    waiting += 1;
                }
            });
        }
        let go_on = settled(&now);
        now.clear();
        ring[wave as usize % lists] = now;
        if !go_on {
            return false;
        }
        wave += 1;
    }
}

/// [`spread`] with the steps that [`Canonical`](super::moves::Canonical) keeps: on open ground each cell is reached once,
/// not eight times. (The argument given there holds for seeds of any cost: a cell that offers nothing new to its
/// neighbours has offered it before.)
///
/// The cells of a wave are listed by the direction in which they were reached, so that the common case, nothing but open
/// ground around, needs no table and no loop.
fn spread_canonical(
    steps: &Steps,
    waves: &mut Waves,
    costs: &mut [u32],
    mut settled: impl FnMut(&[Cell]) -> bool,
) -> bool {
    let Waves { lists: [now, next, later], seeds, .. } = waves;
    [&mut *now, next, later].into_iter().flatten().for_each(|list| list.len = 0);
    let mut k = 0;
    loop {
        let len = |lists: &[List; 8]| lists.iter().map(|list| list.len).sum::<usize>();
        let waiting = len(now);
        if waiting == 0 && len(next) == 0 {
            let Some(&(cost, _)) = seeds.last() else { return true };
            k = cost / STRAIGHT;
        }
        let start = k * STRAIGHT;
        let first = seeds.partition_point(|seed| seed.0 >= start + STRAIGHT);
        // A cell adds at most one to each list of one of the two.
        let most = waiting + seeds.len() - first;
        next.iter_mut().chain(&mut *later).for_each(|list| list.reserve(most));
        let mut wave = Wave { steps, costs, next, later, end: start + 2 * STRAIGHT };
        let mut go_on = true;
        for (_, cell) in seeds.drain(first..) {
            let g = wave.costs[cell.index()];
            if g >= start {
                wave.expand(cell, g, steps.moves[cell.index()]);
                go_on &= settled(&[cell]);
            }
        }
        for (d, list) in now.iter_mut().enumerate() {
            let cells = &list.cells[..list.len];
            if d < 4 {
                wave.straight(start, d, cells);
            } else {
                wave.diagonal(start, d, cells);
            }
            go_on &= settled(cells);
            list.len = 0;
        }
        if !go_on {
            return false;
        }
        std::mem::swap(now, next);
        std::mem::swap(next, later);
        k += 1;
    }
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
