//! What searches at any angle share: straight lines instead of steps.

use super::moves::Rows;
use super::search::{self, Queue};
use super::{Path, PlanError, Query, STRAIGHT, Scratch};
use crate::grid::{Cell, Direction, Ground, Sight};

/// The cost of a straight line over `dx` columns and `dy` rows: its length × [`STRAIGHT`], rounded up.
///
/// Lengths that are rounded up keep the triangle inequality, so they are a metric of their own; to a neighbour it is that
/// of the steps, [`STRAIGHT`] and [`DIAGONAL`](super::DIAGONAL). The radicand is below 2^52 and so exact, the square root
/// is rounded correctly, and none of an integer that is no square lies so near to an integer that it would be rounded to
/// it: the result is exact, the same on every machine.
#[inline]
pub(super) fn line_cost(dx: i32, dy: i32) -> u32 {
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    let squared = (dx * dx + dy * dy) * i64::from(STRAIGHT * STRAIGHT);
    let root = (squared as f64).sqrt();
    // Rounded up; `ceil` would be a call.
    root as u32 + u32::from(f64::from(root as u32) < root)
}

/// A ground without its grid of steps: straight lines between cells, with a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane<'a> {
    sight: Sight<'a>,
    moves: &'a [u8],
    offsets: [i32; 8],
    rows: Rows,
    goal: (u32, u32),
}

/// Column and row of a cell, counted from the padding.
pub(super) type Place = (i32, i32);

/// The steps of the eight directions.
const STEPS: [Place; 8] = {
    let mut steps = [(0, 0); 8];
    let mut d = 0;
    while d < 8 {
        steps[d] = Direction::ALL[d].step();
        d += 1;
    }
    steps
};

impl<'a> Plane<'a> {
    pub(super) fn new(ground: &'a Ground, goal: Cell) -> Self {
        let lattice = ground.lattice();
        let rows = Rows::new(lattice);
        Self {
            sight: Sight::new(ground),
            moves: &ground.moves_layer().cells,
            offsets: lattice.offsets(),
            rows,
            goal: rows.place(goal),
        }
    }

    #[inline]
    pub(super) fn place(&self, cell: Cell) -> Place {
        let (x, y) = self.rows.place(cell);
        (x as i32, y as i32)
    }

    /// Calls `visit(to, its place)` for each legal step out of a cell.
    #[inline]
    pub(super) fn each(&self, cell: Cell, (x, y): Place, mut visit: impl FnMut(Cell, Place)) {
        let mut mask = self.moves[cell.index()];
        while mask != 0 {
            let d = mask.trailing_zeros() as usize % 8;
            mask &= mask - 1;
            let (dx, dy) = STEPS[d];
            visit(Cell(cell.0.wrapping_add_signed(self.offsets[d])), (x + dx, y + dy));
        }
    }

    /// The cost of the straight line between two places.
    #[inline]
    pub(super) fn line(&self, (ax, ay): Place, (bx, by): Place) -> u32 {
        line_cost(bx - ax, by - ay)
    }

    /// The cost of the straight line to the goal: no line to a cell raises the cost so far by less than it lowers this.
    #[inline]
    pub(super) fn estimate(&self, (x, y): Place) -> u32 {
        line_cost(self.goal.0 as i32 - x, self.goal.1 as i32 - y)
    }

    /// True where the straight line from a cell at a place to another place is free.
    #[inline]
    pub(super) fn sees(&self, cell: Cell, (ax, ay): Place, (bx, by): Place) -> bool {
        self.sight.sees_by(cell, bx - ax, by - ay)
    }
}

/// Starts a search. Where the start sees the goal, only the goal is open.
pub(super) fn begin(ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
    if search::begin(ground, query, scratch)? {
        scratch.start_parents(ground.lattice(), query.from);
        let goal = search::goal(query);
        let plane = Plane::new(ground, goal);
        let (start, end) = (plane.place(query.from), plane.place(goal));
        let line = plane.line(start, end);
        let next = if plane.sees(query.from, start, end) { goal } else { query.from };
        if scratch.nodes.improve(next, line, 0) {
            scratch.parents[goal.index()] = query.from;
        }
        scratch.buckets.restart(line, next);
    }
    Ok(())
}

/// The greatest rise of the priority that the bucket queue can take.
const WINDOW: u32 = 8000;

/// The place of a cell in the queue, from the priority it should have and that of the cell just taken.
///
/// Here f may fall from a cell to the next, and rise by more than two steps: it is kept within what a bucket queue can
/// take. What falls behind comes next, as with the path maximum of Mérő (1984).
#[inline]
pub(super) fn rank(f: u32, taken: u32) -> u32 {
    f.clamp(taken, taken + WINDOW)
}

/// Writes the turning points of the route that a search in `scratch` has found.
pub(super) fn path(scratch: &Scratch, path: &mut Path) {
    path.cells.clear();
    let Some(mut cell) = scratch.end else { return };
    path.cells.push(cell);
    while let Some(&parent) = scratch.parents.get(cell.index())
        && parent != cell
    {
        path.cells.push(parent);
        cell = parent;
    }
    path.cells.reverse();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::DIAGONAL;
    use proptest::prelude::*;

    #[test]
    fn lines_to_neighbours_cost_what_steps_cost() {
        assert_eq!((line_cost(0, 0), line_cost(1, 0), line_cost(-1, 1)), (0, STRAIGHT, DIAGONAL));
        assert_eq!(line_cost(3, -4), 5 * STRAIGHT);
    }

    proptest! {
        #[test]
        fn lines_are_rounded_up_exactly(dx in -16_384_i32..16_384, dy in -16_384_i32..16_384) {
            let (cost, (x, y)) = (i64::from(line_cost(dx, dy)), (i64::from(dx), i64::from(dy)));
            let squared = (x * x + y * y) * i64::from(STRAIGHT * STRAIGHT);
            prop_assert!(cost * cost >= squared && (cost == 0 || (cost - 1) * (cost - 1) < squared));
        }

        #[test]
        fn lines_are_a_metric(ax in 0..300_i32, ay in 0..300_i32, bx in 0..300_i32, by in 0..300_i32) {
            prop_assert!(line_cost(ax, ay) + line_cost(bx - ax, by - ay) >= line_cost(bx, by));
        }
    }
}
