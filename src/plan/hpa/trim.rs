//! Pulling a route straight while its cells are written.

use crate::grid::{Cell, DIAGONAL, Direction, Ground, Lattice, STRAIGHT, Steps};
use crate::plan::{Estimate, Manhattan, Octile};

/// A way between two cells in two directions, which costs what the estimate says: all diagonal steps and then all straight
/// ones, or the other way round. Of the steps to four neighbours, first all sideways or first all upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Straight {
    /// Direction and number of the steps.
    first: (u8, u32),
    second: (u8, u32),
}

/// The direction that changes column and row like this.
fn direction(dx: i32, dy: i32) -> u8 {
    let d = match (dx, dy) {
        (0, -1) => Direction::North,
        (1, 0) => Direction::East,
        (0, 1) => Direction::South,
        (-1, 0) => Direction::West,
        (1, -1) => Direction::NorthEast,
        (1, 1) => Direction::SouthEast,
        (-1, 1) => Direction::SouthWest,
        _ => Direction::NorthWest,
    };
    d as u8
}

impl Straight {
    /// The one of the two that is free, the first of them if both are.
    #[inline]
    pub(super) fn free(ground: &Ground, from: Cell, to: Cell) -> Option<Self> {
        let lattice = ground.lattice();
        let ((x0, y0), (x1, y1)) = (lattice.column_row(from), lattice.column_row(to));
        let (dx, dy) = (x1 as i32 - x0 as i32, y1 as i32 - y0 as i32);
        let (width, height) = (dx.unsigned_abs(), dy.unsigned_abs());
        let (sideways, upright) = (direction(dx.signum(), 0), direction(0, dy.signum()));
        let (diagonal, straight) = if ground.steps() == Steps::Four {
            ((sideways, width), (upright, height))
        } else {
            let along = if width > height { sideways } else { upright };
            ((direction(dx.signum(), dy.signum()), width.min(height)), (along, width.abs_diff(height)))
        };
        let ways = [Self { first: diagonal, second: straight }, Self { first: straight, second: diagonal }];
        let count = if diagonal.1 == 0 || straight.1 == 0 { 1 } else { 2 };
        let (moves, offsets) = (&*ground.moves_layer().cells, lattice.offsets());
        ways.into_iter().take(count).find(|way| {
            let mut at = from.index();
            [way.first, way.second].into_iter().all(|(d, count)| {
                let offset = offsets[usize::from(d) % 8] as isize;
                (0..count).all(|_| {
                    let free = moves[at] >> d & 1 == 1;
                    at = at.wrapping_add_signed(offset);
                    free
                })
            })
        })
    }

    /// Calls `visit` for its cells, without the first.
    pub(super) fn walk(self, lattice: Lattice, from: Cell, mut visit: impl FnMut(Cell)) {
        let mut cell = from.0;
        for (d, count) in [self.first, self.second] {
            let offset = lattice.offsets()[usize::from(d) % 8];
            for _ in 0..count {
                cell = cell.wrapping_add_signed(offset);
                visit(Cell(cell));
            }
        }
    }
}

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

/// The least that a route between two cells can cost.
pub(super) fn estimate(ground: &Ground, from: Cell, to: Cell) -> u32 {
    let lattice = ground.lattice();
    let ((x0, y0), (x1, y1)) = (lattice.column_row(from), lattice.column_row(to));
    let (dx, dy) = (x0.abs_diff(x1), y0.abs_diff(y1));
    match ground.steps() {
        Steps::Four => Manhattan::cost(dx, dy),
        Steps::Eight(_) => Octile::cost(dx, dy),
    }
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

    /// Fixes a part of the route behind the `given` cells, all up to the last leg at most; returns the new number.
    pub(super) fn fix(&mut self, lattice: Lattice, route: &[Cell], given: usize) -> usize {
        if self.anchor < given {
            let leg = self.leg.min(route.len() - 1);
            self.anchor = if leg + 1 > given { leg } else { route.len() - 1 };
            self.cost = cost(lattice, &route[self.anchor..]);
        }
        self.anchor + 1
    }

    /// A leg of `added` cells that cost `cost` was written at the end of the route: pulls what lies behind the anchor
    /// straight.
    pub(super) fn pull(&mut self, ground: &Ground, route: &mut Vec<Cell>, added: usize, cost: u32) {
        self.leg = route.len() - 1 - added;
        let lattice = ground.lattice();
        self.cost += cost;
        let Some(&end) = route.last() else { return };
        let least = estimate(ground, route[self.anchor], end);
        if self.cost == least {
            return;
        }
        let last = route.len() - 1;
        if let Some(straight) = Straight::free(ground, route[self.anchor], end) {
            replace(lattice, route, self.anchor, last, straight);
            self.cost = least;
            return;
        }
        // The last cell of the new ones that is seen from the anchor.
        let (mut seen, mut hidden) = (last - added, last);
        let mut way = None;
        while hidden - seen > 1 {
            let middle = usize::midpoint(seen, hidden);
            match Straight::free(ground, route[self.anchor], route[middle]) {
                Some(straight) => {
                    seen = middle;
                    way = Some(straight);
                }
                None => hidden = middle,
            }
        }
        if let Some(way) = way {
            seen -= replace(lattice, route, self.anchor, seen, way);
        }
        // The first cell before it from which the end is seen.
        let last = route.len() - 1;
        let (mut hidden, mut first) = (self.anchor, seen);
        let mut way = None;
        while first - hidden > 1 {
            let middle = usize::midpoint(hidden, first);
            match Straight::free(ground, route[middle], end) {
                Some(straight) => {
                    first = middle;
                    way = Some(straight);
                }
                None => hidden = middle,
            }
        }
        if let Some(way) = way {
            replace(lattice, route, first, last, way);
        }
        self.anchor = first;
        self.cost = self::cost(lattice, &route[first..]);
    }
}

/// Puts a straight way in place of the cells between two; returns how many cells fewer there are.
fn replace(lattice: Lattice, route: &mut Vec<Cell>, from: usize, to: usize, straight: Straight) -> usize {
    let mut at = from;
    let start = route[from];
    straight.walk(lattice, start, |cell| {
        at += 1;
        route[at] = cell;
    });
    let fewer = to - at;
    if fewer > 0 {
        route.copy_within(to + 1.., at + 1);
        route.truncate(route.len() - fewer);
    }
    fewer
}
