//! From costs to headings.

use super::FlowField;
use crate::distances::UNREACHED;
use crate::wave::{Edges, WaveDirection};
use std::ops::Range;
use throng_grid::{Cell, DIAGONAL, Ground, STRAIGHT};

/// Cells that are looked at together: enough for the widest vectors, and few enough to skip most of a closed area.
const BLOCK_CELLS: usize = 32;

impl FlowField {
    /// Writes the headings of a range of cells, none above, below, before the first or after the last of the map; links
    /// apart.
    ///
    /// A step leads along a cheapest route exactly where the costs of its ends differ by its own cost. On uniform ground
    /// that is a test of eight equalities a cell, the same for all, which compilers turn into vector instructions.
    pub(super) fn point(&mut self, ground: &Ground, cells: Range<usize>) {
        let moves = &ground.moves_layer().cells;
        let stride = self.costs.lattice.stride as usize;
        let costs = &self.costs.cells;
        let edges = Edges::new(ground, WaveDirection::Backward);
        let mut at = cells.start;
        while at < cells.end {
            let end = (at + BLOCK_CELLS).min(cells.end);
            let (moves, headings) = (&moves[at..end], &mut self.headings.cells[at..end]);
            if moves.iter().fold(0, |all, mask| all | mask) == 0 {
                headings.fill(Self::NOWHERE);
            } else if ground.is_uniform() {
                let row = |first: usize| &costs[first - 1..first + 1 + end - at];
                down_hill(row(at - stride), row(at), row(at + stride), moves, headings);
                for heading in headings {
                    *heading = FIRST[usize::from(*heading)];
                }
            } else {
                for (cell, heading) in (at as u32..).map(Cell).zip(headings) {
                    *heading = first_step(&edges, costs, cell);
                }
            }
            at = end;
        }
        let first = self.goals.partition_point(|goal| goal.index() < cells.start);
        for &goal in self.goals[first..].iter().take_while(|goal| goal.index() < cells.end) {
            if ground.is_passable(goal) {
                self.headings[goal] = Self::GOAL;
            }
        }
    }

    /// Writes the links that are to be taken, of several from a cell the first, and the headings there.
    ///
    /// Links may be free: then the cell where one ends must know its own way first, or two could lead to each other.
    pub(super) fn take_links(&mut self, ground: &Ground) {
        self.links.clear();
        loop {
            let before = self.links.len();
            for link in ground.links().all() {
                let (from, to) = (self.costs[link.from], self.costs[link.to]);
                if self.headings[link.from] == Self::NOWHERE
                    && from != UNREACHED
                    && to.checked_add(link.cost) == Some(from)
                    && (link.cost > 0 || self.headings[link.to] != Self::NOWHERE)
                {
                    self.headings[link.from] = Self::LINK;
                    self.links.push((link.from, link.to));
                }
            }
            if self.links.len() == before {
                break;
            }
        }
        self.links.sort_unstable();
    }
}

/// The first step along a cheapest route, whatever steps cost.
fn first_step(edges: &Edges, costs: &[u32], cell: Cell) -> u8 {
    let mut first = FlowField::NOWHERE;
    let cost = costs[cell.index()];
    edges.steps(cell, |to, step, d| {
        let leads = cost != UNREACHED && costs[to.index()].checked_add(step) == Some(cost);
        if leads {
            first = d as u8;
        }
        !leads
    });
    first
}

/// Writes the legal steps along cheapest routes, a bit each. The costs begin one cell before the first one and end one
/// after the last.
#[inline]
fn down_hill(above: &[u32], here: &[u32], below: &[u32], moves: &[u8], steps: &mut [u8]) {
    let n = moves.len();
    let (above, here, below, steps) = (&above[..n + 2], &here[..n + 2], &below[..n + 2], &mut steps[..n]);
    for i in 0..n {
        let cost = here[i + 1];
        let bit = |from: u32, step: u32, bit: u32| if from.wrapping_add(step) == cost { bit } else { 0 };
        let bits = bit(above[i + 1], STRAIGHT, 1)
            | bit(here[i + 2], STRAIGHT, 2)
            | bit(below[i + 1], STRAIGHT, 4)
            | bit(here[i], STRAIGHT, 8)
            | bit(above[i + 2], DIAGONAL, 16)
            | bit(below[i + 2], DIAGONAL, 32)
            | bit(below[i], DIAGONAL, 64)
            | bit(above[i], DIAGONAL, 128);
        steps[i] = bits as u8 & moves[i];
    }
}

/// The lowest direction of a set of steps; [`FlowField::NOWHERE`] of none.
static FIRST: [u8; 256] = {
    let mut first = [FlowField::NOWHERE; 256];
    let mut steps = 1_usize;
    while steps < 256 {
        first[steps] = steps.trailing_zeros() as u8;
        steps += 1;
    }
    first
};
