//! Costs of all cells from a set of cells, a wave at a time.
//!
//! Dijkstra's algorithm settles one node after the other. Where no step costs less than w, all nodes whose cost lies in
//! the same interval [k w, (k + 1) w) are settled as soon as all of lower intervals are: none of them can improve
//! another. So a bucket of width w is a wave that is worked off in any order, without looking for its cheapest node.
//! (E. V. Denardo, B. L. Fox: Shortest-route methods, Operations Research 27, 1979.) Nothing in a wave waits for
//! anything else in it, which keeps several misses of the cache under way at a time. Here w is the cost of a straight
//! step.

use super::memory::SearchMemory;
use super::successors::KEPT;
use super::{DIAGONAL, STRAIGHT};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_grid::{Cell, Corners, Direction, Ground, Links, Steps};

/// Cost of a cell from which nothing leads to the others.
pub(super) const UNREACHED: u32 = u32::MAX;

/// Waves for which cells are listed ahead; those that are further away wait in a heap.
const LISTED_WAVES: usize = 256;

/// The memory of waves, used for one after the other.
#[derive(Debug, Default)]
pub(super) struct Waves {
    /// Those of [`spread_canonical`]: now, next and later, by direction of arrival.
    lists: [[List; 8]; 3],
    /// Those of [`spread_all`], the cells whose cost is in the interval k in list k modulo [`LISTED_WAVES`].
    ring: Vec<Vec<Cell>>,
    /// The cells from which [`spread`] starts, and others that are far away, with their costs.
    far: BinaryHeap<Reverse<(u32, Cell)>>,
}

impl Waves {
    /// Forgets the last spread.
    pub(super) fn clear(&mut self) {
        self.lists.iter_mut().flatten().for_each(|list| list.len = 0);
        self.ring.iter_mut().for_each(Vec::clear);
        self.far.clear();
    }

    /// Adds a cell to start from.
    pub(super) fn seed(&mut self, cost: u32, cell: Cell) {
        self.far.push(Reverse((cost, cell)));
    }
}

impl SearchMemory for Waves {
    fn bytes(&self) -> usize {
        let lists = self.lists.iter().flatten().map(List::bytes).sum::<usize>();
        let ring = self.ring.iter().map(Vec::capacity).sum::<usize>();
        lists + ring * size_of::<Cell>() + self.far.capacity() * size_of::<(u32, Cell)>()
    }
}

/// Takes a cell that costs less than `end`.
fn pop_below(far: &mut BinaryHeap<Reverse<(u32, Cell)>>, end: u64) -> Option<Cell> {
    far.peek().filter(|first| u64::from(first.0.0) < end)?;
    far.pop().map(|Reverse((_, cell))| cell)
}

/// The first `len` of some cells. Adding one is a store and an addition, whether it is wanted or not: a branch would be
/// guessed wrong too often.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) cells: Vec<Cell>,
    pub(super) len: usize,
}

impl List {
    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
    }

    /// Makes room for `more` cells, and for one that is not wanted.
    pub(super) fn reserve(&mut self, more: usize) {
        if self.cells.len() <= self.len + more {
            self.cells.resize((self.len + more + 1).next_power_of_two(), Cell::NONE);
        }
    }

    #[inline]
    pub(super) fn push_if(&mut self, wanted: bool, cell: Cell) {
        self.cells[self.len] = cell;
        self.len += usize::from(wanted);
    }
}

/// Which way links and slopes are walked; on level ground steps lead both ways at the same cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaveDirection {
    /// Costs count from the sources.
    Forward,
    /// Costs count towards the goals.
    Backward,
}

/// The edges between cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges<'a> {
    ground: &'a Ground,
    pub(super) moves: &'a [u8],
    offsets: [i32; 8],
    is_uniform: bool,
    direction: WaveDirection,
    links: Option<&'a Links>,
}

impl<'a> Edges<'a> {
    pub(super) fn new(ground: &'a Ground, direction: WaveDirection) -> Self {
        Self {
            ground,
            moves: &ground.moves_layer().cells,
            offsets: ground.lattice().offsets(),
            is_uniform: ground.is_uniform(),
            direction,
            links: (!ground.links().is_empty()).then_some(ground.links()),
        }
    }

    /// True where the steps that [`Canonical`](super::successors::Canonical) keeps are enough.
    fn are_plain(&self) -> bool {
        self.is_uniform && self.links.is_none() && self.ground.steps() == Steps::Eight(Corners::Never)
    }

    /// Calls `visit(neighbour, cost, direction)` for each step of the grid, in the order of the directions, until it
    /// returns false.
    #[inline]
    pub(super) fn steps(&self, cell: Cell, mut visit: impl FnMut(Cell, u32, usize) -> bool) {
        let mut mask = self.moves[cell.index()];
        while mask != 0 {
            let d = mask.trailing_zeros() as usize % 8;
            mask &= mask - 1;
            let to = self.to(cell, d);
            let cost = if self.is_uniform { length(d) } else { self.ground.step_cost(cell, to, Direction::ALL[d]) };
            if !visit(to, cost, d) {
                return;
            }
        }
    }

    /// Calls `visit(cell, cost)` for each step and each link, turned round where the way is.
    #[inline]
    fn each(&self, cell: Cell, mut visit: impl FnMut(Cell, u32)) {
        let turned = self.direction == WaveDirection::Backward && !self.ground.is_level();
        self.steps(cell, |to, cost, d| {
            visit(to, if turned { self.ground.step_cost(to, cell, Direction::ALL[d]) } else { cost });
            true
        });
        let Some(links) = self.links else { return };
        match self.direction {
            WaveDirection::Forward => links.from(cell).for_each(|(_, link)| visit(link.to, link.cost)),
            WaveDirection::Backward => links.to(cell).for_each(|(_, link)| visit(link.from, link.cost)),
        }
    }

    #[inline]
    pub(super) fn to(&self, cell: Cell, d: usize) -> Cell {
        Cell(cell.0.wrapping_add_signed(self.offsets[d % 8]))
    }
}

/// Cost of a step over plain ground.
#[inline]
pub(super) fn length(d: usize) -> u32 {
    if d < 4 { STRAIGHT } else { DIAGONAL }
}

/// Writes the cost of each cell from the nearest of `sources`, or to it, [`UNREACHED`] where there is no way; for `settled`
/// see [`spread`].
pub(super) fn fill(
    ground: &Ground,
    direction: WaveDirection,
    sources: impl Iterator<Item = Cell>,
    waves: &mut Waves,
    costs: &mut [u32],
    settled: impl FnMut(&[Cell]) -> bool,
) -> bool {
    costs.fill(UNREACHED);
    waves.clear();
    for source in sources {
        costs[source.index()] = 0;
        waves.seed(0, source);
    }
    spread(&Edges::new(ground, direction), waves, costs, settled)
}

/// Lowers the cost of every cell to which a cheaper way leads from the seeds of `waves`, whose costs are written already.
///
/// Hands the cells of each wave to `settled`, the seeds too and some of them twice, and stops with false where that
/// returns false; the costs are of no use then.
pub(super) fn spread(
    edges: &Edges,
    waves: &mut Waves,
    costs: &mut [u32],
    settled: impl FnMut(&[Cell]) -> bool,
) -> bool {
    if edges.are_plain() {
        spread_canonical(edges, waves, costs, settled)
    } else {
        spread_all(edges, waves, costs, settled)
    }
}

/// [`spread`] over all steps and links, whatever they cost.
///
/// A link may cost less than a straight step and lead into the wave at work, which is why that may grow.
fn spread_all(edges: &Edges, waves: &mut Waves, costs: &mut [u32], mut settled: impl FnMut(&[Cell]) -> bool) -> bool {
    let Waves { ring, far, .. } = waves;
    ring.resize_with(LISTED_WAVES, Vec::new);
    let (mut waiting, mut wave) = (0, 0);
    loop {
        if waiting == 0 {
            let Some(&Reverse((cost, _))) = far.peek() else { return true };
            wave = (cost / STRAIGHT) as usize;
        }
        let mut now = std::mem::take(&mut ring[wave % LISTED_WAVES]);
        waiting -= now.len();
        while let Some(cell) = pop_below(far, (wave as u64 + 1) * u64::from(STRAIGHT)) {
            now.push(cell);
        }
        let mut at = 0;
        while let Some(&cell) = now.get(at) {
            at += 1;
            let g = costs[cell.index()];
            if ((g / STRAIGHT) as usize) < wave {
                continue;
            }
            edges.each(cell, |to, cost| {
                let through = g.saturating_add(cost);
                if through < costs[to.index()] {
                    costs[to.index()] = through;
                    match (through / STRAIGHT) as usize - wave {
                        0 => now.push(to),
                        ahead if ahead < LISTED_WAVES => {
                            ring[(wave + ahead) % LISTED_WAVES].push(to);
                            waiting += 1;
                        }
                        _ => far.push(Reverse((through, to))),
                    }
                }
            });
        }
        let go_on = settled(&now);
        now.clear();
        ring[wave % LISTED_WAVES] = now;
        if !go_on {
            return false;
        }
        wave += 1;
    }
}

/// [`spread`] with the steps that [`Canonical`](super::successors::Canonical) keeps: on open ground each cell is reached once,
/// not eight times. (The argument given there holds for seeds of any cost: a cell that offers nothing new to its
/// neighbours has offered it before.)
///
/// A step costs less than two straight ones, so three waves are enough: the one at work, the next one and the one after
/// it. The cells of a wave are listed by the direction in which they were reached. So the common case, nothing but open
/// ground around, needs no table and no loop.
fn spread_canonical(
    edges: &Edges,
    waves: &mut Waves,
    costs: &mut [u32],
    mut settled: impl FnMut(&[Cell]) -> bool,
) -> bool {
    let Waves { lists: [now, next, later], far, .. } = waves;
    let (mut k, mut turns) = (0, 0);
    let whole = loop {
        let len = |lists: &[List; 8]| lists.iter().map(|list| list.len).sum::<usize>();
        let waiting = len(now);
        if waiting == 0 && len(next) == 0 {
            let Some(&Reverse((cost, _))) = far.peek() else { break true };
            k = cost / STRAIGHT;
        }
        let start = k * STRAIGHT;
        // A cell adds at most one to each list of one of the two.
        next.iter_mut().chain(&mut *later).for_each(|list| list.reserve(waiting));
        let mut wave = Wave { edges, costs, next, later, end: start.saturating_add(2 * STRAIGHT) };
        let mut go_on = true;
        while let Some(cell) = pop_below(far, u64::from(start) + u64::from(STRAIGHT)) {
            let g = wave.costs[cell.index()];
            if g >= start {
                wave.next.iter_mut().chain(&mut *wave.later).for_each(|list| list.reserve(waiting + 1));
                wave.expand(cell, g, edges.moves[cell.index()]);
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
            break false;
        }
        std::mem::swap(now, next);
        std::mem::swap(next, later);
        k += 1;
        turns += 1;
    };
    // Each list in its place again: the same spread needs no more memory the next time.
    waves.lists.rotate_right(turns % 3);
    whole
}

/// A wave at work.
struct Wave<'a> {
    edges: &'a Edges<'a>,
    costs: &'a mut [u32],
    next: &'a mut [List; 8],
    later: &'a mut [List; 8],
    /// Where the costs of the next wave end.
    end: u32,
}

impl Wave<'_> {
    /// Expands cells that were reached by the straight direction `d`. Cells that cost less than `start` were expanded
    /// in an earlier wave.
    fn straight(&mut self, start: u32, d: usize, cells: &[Cell]) {
        let kept = &KEPT[d];
        // In a place of its own, the list stays in registers.
        let mut next = std::mem::take(&mut self.next[d]);
        for &cell in cells {
            let g = self.costs[cell.index()];
            if g < start {
                continue;
            }
            let kept = kept[usize::from(self.edges.moves[cell.index()])];
            let to = self.edges.to(cell, d);
            next.push_if(lower(self.costs, to, g + STRAIGHT, kept >> d & 1 == 1), to);
            // Only beside the end of a wall.
            self.expand(cell, g, kept & !(1 << d));
        }
        self.next[d] = next;
    }

    /// The same for a diagonal direction.
    fn diagonal(&mut self, start: u32, d: usize, cells: &[Cell]) {
        let beside = [d % 4, (d + 1) % 4];
        let [mut right, mut left] = beside.map(|d| std::mem::take(&mut self.next[d]));
        let (mut next, mut later) = (std::mem::take(&mut self.next[d]), std::mem::take(&mut self.later[d]));
        for &cell in cells {
            let g = self.costs[cell.index()];
            if g < start {
                continue;
            }
            let legal = self.edges.moves[cell.index()];
            for (list, d) in [(&mut right, beside[0]), (&mut left, beside[1])] {
                let to = self.edges.to(cell, d);
                list.push_if(lower(self.costs, to, g + STRAIGHT, legal >> d & 1 == 1), to);
            }
            let to = self.edges.to(cell, d);
            let better = lower(self.costs, to, g + DIAGONAL, legal >> d & 1 == 1);
            next.push_if(better && g + DIAGONAL < self.end, to);
            later.push_if(better && g + DIAGONAL >= self.end, to);
        }
        (self.next[beside[0]], self.next[beside[1]]) = (right, left);
        (self.next[d], self.later[d]) = (next, later);
    }

    /// Takes the steps that are kept, whatever their directions.
    #[inline]
    fn expand(&mut self, cell: Cell, g: u32, mut kept: u8) {
        while kept != 0 {
            let d = kept.trailing_zeros() as usize % 8;
            kept &= kept - 1;
            let to = self.edges.to(cell, d);
            let through = g + length(d);
            let better = lower(self.costs, to, through, true);
            self.next[d].push_if(better && through < self.end, to);
            self.later[d].push_if(better && through >= self.end, to);
        }
    }
}

/// Lowers a cost where the way is legal and better than the known one. No branch: on broken ground it would be guessed
/// wrong every other time.
#[inline]
fn lower(costs: &mut [u32], to: Cell, through: u32, is_legal: bool) -> bool {
    let cost = &mut costs[to.index()];
    let better = (through < *cost) & is_legal;
    *cost = if better { through } else { *cost };
    better
}
