//! From costs to headings.

use super::FlowField;
use crate::grid::{Cell, DIAGONAL, Ground, STRAIGHT};
use std::ops::Range;

/// Cells that are looked at together: enough for the widest vectors, and few enough to skip most of a closed area.
const BLOCK: usize = 32;

impl FlowField {
    /// Writes the headings of a range of cells, none above, below, before the first or after the last of the map.
    ///
    /// A step leads along a cheapest route exactly where the costs of its ends differ by its own cost. That is a test of
    /// eight equalities a cell, the same for all, which compilers turn into vector instructions.
    pub(super) fn point(&mut self, ground: &Ground, cells: Range<usize>) {
        let moves = &ground.moves_layer().cells;
        let stride = self.costs.lattice.stride as usize;
        let costs = &self.costs.cells;
        let mut at = cells.start;
        while at < cells.end {
            let end = (at + BLOCK).min(cells.end);
            let (moves, headings) = (&moves[at..end], &mut self.headings.cells[at..end]);
            if moves.iter().fold(0, |all, mask| all | mask) == 0 {
                headings.fill(Self::NOWHERE);
            } else {
                let row = |first: usize| &costs[first - 1..first + 1 + end - at];
                down_hill(row(at - stride), row(at), row(at + stride), moves, headings);
                for heading in headings {
                    *heading = FIRST[usize::from(*heading)];
                }
            }
            at = end;
        }
        // Both are sorted, and no step is free, so that no heading was found for a goal.
        let first = self.goals.partition_point(|goal| goal.index() < cells.start);
        for &Cell(goal) in self.goals[first..].iter().take_while(|goal| goal.index() < cells.end) {
            self.headings.cells[goal as usize] = Self::GOAL;
        }
    }
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
