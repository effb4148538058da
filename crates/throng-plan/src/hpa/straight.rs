//! Straight ways, which cost as much as the estimate says.

use crate::rows::Rows;
use crate::{Estimate, Manhattan, Octile};
use throng_grid::{Cell, Direction, Ground, Steps};

/// A way between two cells in two directions, which costs what the estimate says: all diagonal steps and then all straight
/// ones, or the other way round. Of the steps to four neighbours, first all sideways or first all upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Straight {
    /// Offset and number of the steps.
    first: (i32, u32),
    second: (i32, u32),
}

impl Straight {
    /// The way from a cell to itself.
    pub(super) const NONE: Self = Self { first: (0, 0), second: (0, 0) };

    /// Its two parts: the cell where each begins, offset and number of the steps.
    pub(super) fn parts(self, from: Cell) -> [(Cell, i32, u32); 2] {
        let (offset, steps) = self.first;
        let turn = Cell(from.0.wrapping_add_signed(offset * steps as i32));
        [(from, offset, steps), (turn, self.second.0, self.second.1)]
    }

    /// Adds its cells to a route, without the first.
    pub(super) fn walk(self, from: Cell, route: &mut Vec<Cell>) {
        for (cell, offset, steps) in self.parts(from) {
            route.extend((1..=steps as i32).map(|i| Cell(cell.0.wrapping_add_signed(i * offset))));
        }
    }
}

/// Looks for straight ways on a ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a> {
    moves: &'a [u8],
    offsets: [i32; 8],
    rows: Rows,
    steps: Steps,
}

impl<'a> Sight<'a> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        let lattice = ground.lattice();
        Self {
            moves: &ground.moves_layer().cells,
            offsets: lattice.offsets(),
            rows: Rows::new(lattice),
            steps: ground.steps(),
        }
    }

    /// The least that a route between two cells can cost.
    #[inline]
    pub(super) fn estimate(&self, from: Cell, to: Cell) -> u32 {
        let ((x0, y0), (x1, y1)) = (self.rows.place(from), self.rows.place(to));
        let (dx, dy) = (x0.abs_diff(x1), y0.abs_diff(y1));
        match self.steps {
            Steps::Four => Manhattan::cost(dx, dy),
            Steps::Eight(_) => Octile::cost(dx, dy),
        }
    }

    /// The one of the two straight ways that is free, the first of them if both are.
    #[inline]
    pub(super) fn straight(&self, from: Cell, to: Cell) -> Option<Straight> {
        let ((x0, y0), (x1, y1)) = (self.rows.place(from), self.rows.place(to));
        let sideways = if x1 > x0 { Direction::East } else { Direction::West };
        let upright = if y1 > y0 { Direction::South } else { Direction::North };
        let (width, height) = (x0.abs_diff(x1), y0.abs_diff(y1));
        let (diagonal, straight) = if self.steps == Steps::Four {
            ((sideways, width), (upright, height))
        } else {
            let across = match (sideways, upright) {
                (Direction::East, Direction::South) => Direction::SouthEast,
                (Direction::East, _) => Direction::NorthEast,
                (_, Direction::South) => Direction::SouthWest,
                _ => Direction::NorthWest,
            };
            ((across, width.min(height)), (if width > height { sideways } else { upright }, width.abs_diff(height)))
        };
        if self.free(from, diagonal, straight) {
            return Some(self.way(diagonal, straight));
        }
        // With steps in one direction only, both are the same.
        (diagonal.1 > 0 && straight.1 > 0 && self.free(from, straight, diagonal)).then(|| self.way(straight, diagonal))
    }

    fn way(&self, first: (Direction, u32), second: (Direction, u32)) -> Straight {
        let offset = |(d, steps): (Direction, u32)| (self.offsets[d as usize], steps);
        Straight { first: offset(first), second: offset(second) }
    }

    #[inline]
    fn free(&self, from: Cell, first: (Direction, u32), second: (Direction, u32)) -> bool {
        let mut at = from.index();
        for (d, steps) in [first, second] {
            let (bit, offset) = (1 << d as u8, self.offsets[d as usize] as isize);
            for _ in 0..steps {
                if self.moves[at] & bit == 0 {
                    return false;
                }
                at = at.wrapping_add_signed(offset);
            }
        }
        true
    }
}
