//! Dijkstra's algorithm on plain ground, a wave at a time.
//!
//! As in [`wave`](crate::wave), no cell of a wave as wide as a straight step can improve another, so a wave is worked
//! off in any order. It writes the nodes of a search, so that the search can be stopped between any two cells, and its
//! trace be looked at.

use crate::engine::Halt;
use crate::memory::SearchMemory;
use crate::nodes::Node;
use crate::scratch::{Scratch, SearchCounters, SearchState};
use crate::search;
use crate::successors::{KEPT, Plain, Successors};
use crate::wave::{Edges, List, WaveDirection, length};
use crate::{DIAGONAL, Progress, Query, STRAIGHT};
use throng_grid::{Cell, Ground};

/// The memory of Dijkstra's algorithm in waves.
#[derive(Debug, Default)]
struct WavefrontDijkstra {
    /// The cells of the wave at work, of the next and of the one after, by the step with which they were reached.
    lists: [[List; 8]; 3],
    at: Position,
}

/// Where a search stands in the lists.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    /// Where the costs of the wave at work begin.
    start: u32,
    /// The list at work, and how many of its cells are done.
    d: usize,
    done: usize,
}

impl SearchMemory for WavefrontDijkstra {
    fn bytes(&self) -> usize {
        self.lists.iter().flatten().map(List::bytes).sum()
    }
}

/// Starts a search.
pub(super) fn begin(scratch: &mut Scratch) {
    let memory = scratch.memory::<WavefrontDijkstra>();
    memory.lists.iter_mut().flatten().for_each(|list| list.len = 0);
    // The first wave is the start alone, which is in no list.
    memory.at = Position { d: 8, ..Position::default() };
}

/// Goes on with a search that [`begin`] started, where [`Plain::fits`].
pub(super) fn advance(ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
    let Scratch { goals, state, memories } = scratch;
    let (goal, memory) = (goals.first(), memories.of());
    let plain = Plain::new(ground, goal);
    let edges = Edges::new(ground, WaveDirection::Forward);
    let limited = query.limits.expansions != u64::MAX;
    search::drive(state, query, plain.reached(), 1.0, expansions, |state, stop| {
        if limited {
            let count = |counters: &mut SearchCounters, cell| counters.expand(cell, plain.estimate(cell));
            run(&edges, query.from, goal, memory, state, stop, count)
        } else {
            run(&edges, query.from, goal, memory, state, stop, |counters, _| counters.expanded += 1)
        }
    })
}

/// Expands cells until `counters.expanded` is `stop`, each counted by `count`.
fn run(
    edges: &Edges,
    from: Cell,
    goal: Cell,
    memory: &mut WavefrontDijkstra,
    state: &mut SearchState,
    stop: u64,
    count: impl Fn(&mut SearchCounters, Cell),
) -> Halt {
    let SearchState { nodes, counters, .. } = state;
    let WavefrontDijkstra { lists: [now, next, later], at: front } = memory;
    let len = |lists: &[List; 8]| lists.iter().map(|list| list.len).sum::<usize>();
    loop {
        let end = front.start + STRAIGHT;
        if nodes.of(goal).is_some_and(|node| node.g() < end) {
            nodes.close(goal);
            return Halt::Goal(goal);
        }
        let mut wave =
            Wave { edges, nodes: &mut nodes.nodes, counters, next, later, end: end + STRAIGHT, count: &count };
        if wave.counters.expanded == 0 {
            if stop == 0 {
                return Halt::Stop;
            }
            wave.start(from);
        }
        while front.d < 8 {
            let Position { d, done, .. } = *front;
            let waiting = &now[d].cells[done..now[d].len];
            let left = stop - wave.counters.expanded;
            if waiting.is_empty() {
                now[d].len = 0;
                (front.d, front.done) = (d + 1, 0);
            } else if left > 0 {
                let cells = &waiting[..waiting.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
                front.done += cells.len();
                if d < 4 {
                    wave.straight(d, cells);
                } else {
                    wave.diagonal(d, cells);
                }
            } else if usize::from(wave.nodes[waiting[0].index()].incoming_step()) == d {
                return Halt::Stop;
            } else {
                front.done += 1;
            }
        }
        std::mem::swap(now, next);
        std::mem::swap(next, later);
        let waiting = len(now);
        if waiting + len(next) == 0 {
            return Halt::Exhausted;
        }
        // A cell adds at most one to each list of one of the two.
        next.iter_mut().chain(&mut *later).for_each(|list| list.reserve(waiting));
        *front = Position { start: end, d: 0, done: 0 };
    }
}

/// A wave at work.
struct Wave<'a, C> {
    edges: &'a Edges<'a>,
    nodes: &'a mut [Node],
    counters: &'a mut SearchCounters,
    next: &'a mut [List; 8],
    later: &'a mut [List; 8],
    /// Where the costs of the next wave end.
    end: u32,
    count: &'a C,
}

impl<C: Fn(&mut SearchCounters, Cell)> Wave<'_, C> {
    /// Expands the cell in which the search starts.
    fn start(&mut self, cell: Cell) {
        self.next.iter_mut().chain(&mut *self.later).for_each(|list| list.reserve(1));
        let node = self.nodes[cell.index()];
        self.nodes[cell.index()] = node.to_closed();
        (self.count)(self.counters, cell);
        self.expand(cell, node, self.edges.moves[cell.index()]);
    }

    /// Closes a cell of list `d`. A cell is in the list of each direction in which it was reached by a better way than
    /// before, in each once, since one cell alone lies behind it; the last of them is the one that counts.
    #[inline]
    fn close(&mut self, d: usize, cell: Cell) -> Option<Node> {
        let node = &mut self.nodes[cell.index()];
        let open = *node;
        if usize::from(open.incoming_step()) != d {
            return None;
        }
        *node = open.to_closed();
        (self.count)(self.counters, cell);
        Some(open)
    }

    /// Expands cells that were reached by the straight direction `d`.
    fn straight(&mut self, d: usize, cells: &[Cell]) {
        let kept = &KEPT[d];
        // In a place of its own, the list stays in registers.
        let mut next = std::mem::take(&mut self.next[d]);
        for &cell in cells {
            let Some(node) = self.close(d, cell) else { continue };
            let kept = kept[usize::from(self.edges.moves[cell.index()])];
            let to = self.edges.to(cell, d);
            next.push_if(lower(self.nodes, to, node.after(STRAIGHT), d, kept >> d & 1 == 1), to);
            // Only beside the end of a wall.
            let others = kept & !(1 << d);
            if others != 0 {
                self.expand(cell, node, others);
            }
        }
        self.next[d] = next;
    }

    /// The same for a diagonal direction.
    fn diagonal(&mut self, d: usize, cells: &[Cell]) {
        let beside = [d % 4, (d + 1) % 4];
        let [mut right, mut left] = beside.map(|d| std::mem::take(&mut self.next[d]));
        let (mut next, mut later) = (std::mem::take(&mut self.next[d]), std::mem::take(&mut self.later[d]));
        for &cell in cells {
            let Some(node) = self.close(d, cell) else { continue };
            let legal = self.edges.moves[cell.index()];
            for (list, d) in [(&mut right, beside[0]), (&mut left, beside[1])] {
                let to = self.edges.to(cell, d);
                list.push_if(lower(self.nodes, to, node.after(STRAIGHT), d, legal >> d & 1 == 1), to);
            }
            let to = self.edges.to(cell, d);
            let better = lower(self.nodes, to, node.after(DIAGONAL), d, legal >> d & 1 == 1);
            let is_next = node.g() + DIAGONAL < self.end;
            next.push_if(better && is_next, to);
            later.push_if(better && !is_next, to);
        }
        (self.next[beside[0]], self.next[beside[1]]) = (right, left);
        (self.next[d], self.later[d]) = (next, later);
    }

    /// Takes the steps that are kept, whatever their directions.
    #[inline(never)]
    fn expand(&mut self, cell: Cell, node: Node, mut kept: u8) {
        while kept != 0 {
            let d = kept.trailing_zeros() as usize % 8;
            kept &= kept - 1;
            let to = self.edges.to(cell, d);
            let better = lower(self.nodes, to, node.after(length(d)), d, true);
            let is_next = node.g() + length(d) < self.end;
            self.next[d].push_if(better && is_next, to);
            self.later[d].push_if(better && !is_next, to);
        }
    }
}

/// Notes a way to a cell where it is legal and better than the known one. No branch: on broken ground it would be guessed
/// wrong every other time.
#[inline]
fn lower(nodes: &mut [Node], to: Cell, through: Node, d: usize, is_legal: bool) -> bool {
    let node = &mut nodes[to.index()];
    let better = (through > *node) & is_legal;
    *node = if better { Node(through.0 | d as u64) } else { *node };
    better
}
