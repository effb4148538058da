//! The steps of a search, with their costs and the estimate that fits them.

use super::{DIAGONAL, STRAIGHT};
use crate::grid::{Cell, Ground, Lattice};

/// How the start of a search was reached; steps arrive by the number of their direction, 0 to 7.
pub(super) const START: u8 = 8;

/// Steps, costs and estimate together, for one goal: whether a search is exact depends on all three.
pub(super) trait Moves {
    /// Calls `visit(to, cost, arrival)` for each step out of `cell`, which was reached by `arrival`.
    fn each(&self, cell: Cell, arrival: u8, visit: impl FnMut(Cell, u32, u8));

    /// A bound below the cost from `cell` to the goal, which no step lowers by more than its own cost.
    fn estimate(&self, cell: Cell) -> u32;
}

/// Every legal step to one of the eight neighbours; the estimate is the cost on a map without walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Octile<'a> {
    moves: &'a [u8],
    offsets: [i32; 8],
    rows: Rows,
    goal: (u32, u32),
}

impl<'a> Octile<'a> {
    pub(super) fn new(ground: &'a Ground, goal: Cell) -> Self {
        let lattice = ground.lattice();
        let rows = Rows::new(lattice);
        Self { moves: &ground.moves_layer().cells, offsets: lattice.offsets(), rows, goal: rows.place(goal) }
    }

    #[inline]
    fn steps(&self, cell: Cell, mut mask: u8, mut visit: impl FnMut(Cell, u32, u8)) {
        while mask != 0 {
            let d = mask.trailing_zeros() as usize % 8;
            mask &= mask - 1;
            visit(Cell(cell.0.wrapping_add_signed(self.offsets[d])), if d < 4 { STRAIGHT } else { DIAGONAL }, d as u8);
        }
    }
}

impl Moves for Octile<'_> {
    #[inline]
    fn each(&self, cell: Cell, _arrival: u8, visit: impl FnMut(Cell, u32, u8)) {
        self.steps(cell, self.moves[cell.index()], visit);
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        let (x, y) = self.rows.place(cell);
        let (dx, dy) = (x.abs_diff(self.goal.0), y.abs_diff(self.goal.1));
        STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
    }
}

/// The same without the steps that a cheaper or equal way round the cell makes needless: one to three are left on open
/// ground, not eight (the canonical ordering of Sturtevant and Rabin, 2016, and the pruning rules of Harabor and
/// Grastien, 2011, for ground on which no corner is cut).
///
/// Every cell still gets its least cost where the search expands cells at their least cost, as A* and Dijkstra do. Let
/// x → t be the last step of a cheapest route and let it be left out because x was reached from p. Then either another
/// way from p to t is cheaper, which cannot be; or p → x is straight, x → t is diagonal, and p → y → t, diagonal then
/// straight, costs the same. In that case y is expanded before t, and y → t is kept however y was reached: a straight
/// step is left out only for a cheaper way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canonical<'a>(pub(super) Octile<'a>);

impl Moves for Canonical<'_> {
    #[inline]
    fn each(&self, cell: Cell, arrival: u8, visit: impl FnMut(Cell, u32, u8)) {
        let legal = self.0.moves[cell.index()];
        self.0.steps(cell, KEPT[usize::from(arrival) % 16][usize::from(legal)], visit);
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        self.0.estimate(cell)
    }
}

/// `KEPT[arrival][legal]` are the steps that [`Canonical`] keeps of the `legal` ones. Padded to a power of two, so that
/// indexing needs no check.
pub(super) static KEPT: [[u8; 256]; 16] = kept();

const fn kept() -> [[u8; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut arrival = 0;
    while arrival < 16 {
        let mut legal = 0;
        while legal < 256 {
            table[arrival][legal] = kept_steps(arrival, legal as u8);
            legal += 1;
        }
        arrival += 1;
    }
    table
}

const fn kept_steps(arrival: usize, legal: u8) -> u8 {
    // The diagonal between the straight directions d and d + 1 (mod 4) has number 4 + d.
    let d = arrival % 4;
    let (right, back, left) = ((d + 1) % 4, (d + 2) % 4, (d + 3) % 4);
    if arrival >= START as usize {
        return legal;
    }
    if arrival >= 4 {
        return legal & (1 << arrival | 1 << d | 1 << right);
    }
    let mut kept = 1 << d;
    // The cell behind is open, since the step came from there. So the diagonal between it and an open side is illegal
    // only where that corner is a wall, and then the way to the side leads through here.
    if legal >> (4 + right) & 1 == 0 {
        kept |= 1 << right | 1 << (4 + d);
    }
    if legal >> (4 + back) & 1 == 0 {
        kept |= 1 << left | 1 << (4 + left);
    }
    legal & kept
}

/// Column and row of cells without a division.
#[derive(Clone, Copy, Debug)]
struct Rows {
    stride: u32,
    /// 2^44 / stride, rounded up: exact for every cell, since cells stay below 2^29 and strides below 2^15.
    reciprocal: u64,
}

impl Rows {
    fn new(lattice: Lattice) -> Self {
        Self { stride: lattice.stride, reciprocal: (1_u64 << 44).div_ceil(u64::from(lattice.stride)) }
    }

    /// Column and row, counted from the padding.
    #[inline]
    fn place(self, cell: Cell) -> (u32, u32) {
        let row = ((u64::from(cell.0) * self.reciprocal) >> 44) as u32;
        (cell.0 - row * self.stride, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_divide_exactly(width in 1..=Lattice::MAX_SIDE, height in 1..=Lattice::MAX_SIDE, part in 0.0..1.0_f64) {
            let lattice = Lattice::new(width, height, 1.0).unwrap();
            let rows = Rows::new(lattice);
            let middle = (lattice.len() as f64 * part) as u32;
            for cell in [0, middle, middle / lattice.stride * lattice.stride, lattice.len() as u32 - 1] {
                prop_assert_eq!(rows.place(Cell(cell)), (cell % lattice.stride, cell / lattice.stride));
                let before = cell.saturating_sub(1);
                prop_assert_eq!(rows.place(Cell(before)), (before % lattice.stride, before / lattice.stride));
            }
        }
    }

    #[test]
    fn open_ground_leaves_one_step_after_a_straight_one_and_three_after_a_diagonal_one() {
        for arrival in 0..4 {
            assert_eq!(kept_steps(arrival, 0xff), 1 << arrival);
        }
        for arrival in 4..8 {
            assert_eq!(kept_steps(arrival, 0xff).count_ones(), 3);
        }
        assert_eq!(kept_steps(START.into(), 0xff), 0xff);
    }

    #[test]
    fn a_corner_behind_opens_the_way_round_it() {
        use crate::grid::Direction::*;
        // Heading east past a wall to the north-west: north and north-east are only reached from here.
        let legal = !(1 << NorthWest as u8);
        assert_eq!(kept_steps(East as usize, legal), 1 << East as u8 | 1 << North as u8 | 1 << NorthEast as u8);
        // Heading north past a wall to the south-west.
        let legal = !(1 << SouthWest as u8);
        assert_eq!(kept_steps(North as usize, legal), 1 << North as u8 | 1 << West as u8 | 1 << NorthWest as u8);
    }
}
