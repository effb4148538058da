//! Pulling a route straight while its cells are written.

use super::straight::{Sight, Straight};
use throng_grid::{Cell, DIAGONAL, Lattice, STRAIGHT};

/// A route that is pulled straight as it grows.
#[derive(Debug, Default)]
pub(super) struct Trim {
    /// The cells up to this one stay as they are.
    anchor: usize,
    /// Cost of the cells behind it.
    cost: u32,
    /// Where the last leg begins.
    leg: usize,
}

/// Cost of the steps between neighbouring cells.
pub(super) fn cost(lattice: Lattice, cells: &[Cell]) -> u32 {
    let stride = lattice.stride;
    let step = |pair: &[Cell]| {
        let step = pair[0].0.abs_diff(pair[1].0);
        if step == 1 || step == stride { STRAIGHT } else { DIAGONAL }
    };
    cells.windows(2).map(step).sum()
}

impl Trim {
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// How many steps of a route [`Trim::fix`] can fix, but for the last leg.
    pub(super) fn settled(&self, route: &[Cell]) -> usize {
        self.anchor.max(self.leg.min(route.len() - 1))
    }

    /// Fixes a part of the route behind the `given` cells, all up to the last leg at most; returns the new number.
    pub(super) fn fix(&mut self, lattice: Lattice, route: &[Cell], given: usize) -> usize {
        if self.anchor < given {
            let leg = self.leg.min(route.len() - 1);
            self.anchor = if leg + 1 > given { leg } else { route.len() - 1 };
            self.cost = cost(lattice, &route[self.anchor..]);
        }
        self.anchor + 1
    }

    /// A leg of `added` cells that cost `cost` was written at the end of the route: pulls the part behind the anchor
    /// straight.
    pub(super) fn pull(&mut self, lattice: Lattice, sight: &Sight, route: &mut Vec<Cell>, added: usize, cost: u32) {
        self.leg = route.len() - 1 - added;
        self.cost += cost;
        let Some(&end) = route.last() else { return };
        let least = sight.estimate(route[self.anchor], end);
        if self.cost == least {
            return;
        }
        let last = route.len() - 1;
        if let Some(straight) = sight.straight(route[self.anchor], end) {
            replace(route, self.anchor, last, straight);
            self.cost = least;
            return;
        }
        // The last cell of the new ones that is seen from the anchor.
        let (mut seen, mut hidden) = (last - added, last);
        let mut way = None;
        while hidden - seen > 1 {
            let middle = usize::midpoint(seen, hidden);
            match sight.straight(route[self.anchor], route[middle]) {
                Some(straight) => {
                    seen = middle;
                    way = Some(straight);
                }
                None => hidden = middle,
            }
        }
        if let Some(way) = way {
            seen -= replace(route, self.anchor, seen, way);
        }
        // The first cell before it from which the end is seen.
        let last = route.len() - 1;
        let (mut hidden, mut first) = (self.anchor, seen);
        let mut way = None;
        while first - hidden > 1 {
            let middle = usize::midpoint(hidden, first);
            match sight.straight(route[middle], end) {
                Some(straight) => {
                    first = middle;
                    way = Some(straight);
                }
                None => hidden = middle,
            }
        }
        if let Some(way) = way {
            replace(route, first, last, way);
        }
        self.anchor = first;
        self.cost = self::cost(lattice, &route[first..]);
    }
}

/// Puts a straight way in place of the cells between two; returns how many cells fewer there are.
fn replace(route: &mut Vec<Cell>, from: usize, to: usize, straight: Straight) -> usize {
    let mut at = from + 1;
    for (cell, offset, steps) in straight.parts(route[from]) {
        for (i, to) in (1..).zip(&mut route[at..at + steps as usize]) {
            *to = Cell(cell.0.wrapping_add_signed(i * offset));
        }
        at += steps as usize;
    }
    let fewer = to + 1 - at;
    if fewer > 0 {
        route.copy_within(to + 1.., at);
        route.truncate(route.len() - fewer);
    }
    fewer
}
