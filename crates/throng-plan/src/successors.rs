//! The steps of a search, with their costs and the estimate that fits them.

use super::estimate::{Estimate, Manhattan, Octile};
use super::goal_set::GoalSet;
use super::rows::Rows;
use super::{DIAGONAL, Query, STRAIGHT, Status};
use throng_grid::{Cell, Corners, Direction, Ground, Steps};

/// How the start of a search was reached. Steps arrive by the number of their direction, 0 to 7.
pub(super) const START: u16 = 8;

/// A search that came over a link arrives by this and the link's place in [`Links::all`](throng_grid::Links::all).
pub(super) const LINK: u16 = 16;

/// Steps, costs, goal and estimate together: whether a search is exact depends on all of them.
pub(super) trait Successors {
    /// True where a search keeps the first way to a cell, though it finds a cheaper one.
    const FIRST_WAY_STAYS: bool = false;

    /// Calls `visit(to, cost, incoming_step)` for each step out of `cell`, which was reached by `incoming_step`.
    fn each(&self, cell: Cell, incoming_step: u16, visit: impl FnMut(Cell, u32, u16));

    /// A bound below the cost from `cell` to the goal, which no step lowers by more than its own cost.
    fn estimate(&self, cell: Cell) -> u32;

    /// True where a search may end.
    fn is_goal(&self, cell: Cell) -> bool;

    /// The status of a search that has come to a goal.
    fn reached(&self) -> Status {
        Status::Found
    }
}

/// Every legal step of uniform ground without links, to one goal; the estimate is the cost on a map without walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain<'a> {
    moves: &'a [u8],
    offsets: [i32; 8],
    rows: Rows,
    cell: Cell,
    goal: (u32, u32),
}

impl<'a> Plain<'a> {
    /// Whether this says all about a search: [`General`] does for every other.
    pub(super) fn fits(ground: &Ground, query: &Query, goals: &GoalSet) -> bool {
        ground.is_uniform()
            && ground.links().is_empty()
            && ground.steps() == Steps::Eight(Corners::Never)
            && query.radius <= ground.radius()
            && goals.only().is_some()
            && goals.reached() == Status::Found
    }

    pub(super) fn new(ground: &'a Ground, goal: Cell) -> Self {
        let lattice = ground.lattice();
        let rows = Rows::new(lattice);
        let moves = &ground.moves_layer().cells;
        Self { moves, offsets: lattice.offsets(), rows, cell: goal, goal: rows.place(goal) }
    }

    #[inline]
    fn steps(&self, cell: Cell, mask: u8, mut visit: impl FnMut(Cell, u32, u16)) {
        each_bit(mask, |d| {
            let to = Cell(cell.0.wrapping_add_signed(self.offsets[d]));
            visit(to, if d < 4 { STRAIGHT } else { DIAGONAL }, d as u16);
        });
    }
}

#[inline]
fn each_bit(mut mask: u8, mut visit: impl FnMut(usize)) {
    while mask != 0 {
        visit(mask.trailing_zeros() as usize % 8);
        mask &= mask - 1;
    }
}

impl Successors for Plain<'_> {
    #[inline]
    fn each(&self, cell: Cell, _arrival: u16, visit: impl FnMut(Cell, u32, u16)) {
        self.steps(cell, self.moves[cell.index()], visit);
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        let (x, y) = self.rows.place(cell);
        Octile::cost(x.abs_diff(self.goal.0), y.abs_diff(self.goal.1))
    }

    #[inline]
    fn is_goal(&self, cell: Cell) -> bool {
        cell == self.cell
    }
}

/// Every step that a ground and a query allow: any neighbourhood, terrain, links, bodies wider than the ground's, any
/// goal.
#[derive(Clone, Debug)]
pub(super) struct General<'a, E> {
    ground: &'a Ground,
    offsets: [i32; 8],
    rows: Rows,
    goals: &'a GoalSet,
    /// Clearance (m) that each cell must have, where that is more than the ground asks for.
    clearance: Option<(&'a [f32], f32)>,
    /// The estimate is multiplied by this, in 65536ths: the least cost of terrain, by the least time of a slope, and less
    /// where links lead somewhere for less than steps could.
    scale: u64,
    estimate: std::marker::PhantomData<E>,
}

/// 1 as a `scale`.
const WHOLE: u64 = 1 << 16;

impl<'a, E: Estimate> General<'a, E> {
    pub(super) fn new(ground: &'a Ground, query: &Query, goals: &'a GoalSet) -> Self {
        let lattice = ground.lattice();
        let rows = Rows::new(lattice);
        let least = u64::from(ground.least_weight());
        let shortcut = |link: &throng_grid::Link| {
            let ((x0, y0), (x1, y1)) = (rows.place(link.from), rows.place(link.to));
            let (dx, dy) = (x0.abs_diff(x1), y0.abs_diff(y1));
            // As far as no estimate that fits these steps is above it.
            let far = match ground.steps() {
                Steps::Four => Manhattan::cost(dx, dy),
                Steps::Eight(_) => Octile::cost(dx, dy),
            };
            (u64::from(link.cost) * WHOLE).checked_div(u64::from(far) * least).unwrap_or(WHOLE)
        };
        let scale = ground.links().all().iter().map(shortcut).fold(WHOLE, u64::min) * least;
        let scale = scale.min(ground.least_share());
        let wide = query.radius > ground.radius();
        let clearance = wide.then(|| (&*ground.grid().clearance().cells, query.radius));
        Self { ground, offsets: lattice.offsets(), rows, goals, clearance, scale, estimate: std::marker::PhantomData }
    }

    /// The steps out of a cell that a wide body can take.
    #[inline]
    fn mask(&self, cell: Cell) -> u8 {
        let legal = self.ground.moves(cell);
        let Some((clearance, radius)) = self.clearance else { return legal };
        let mut free = 0;
        for (d, &offset) in self.offsets.iter().enumerate() {
            let wide = clearance[cell.index().wrapping_add_signed(offset as isize)] >= radius;
            free |= u8::from(wide) << d;
        }
        // Of a side the legal steps say whether terrain allows it, of a diagonal neighbour only its own step matters.
        legal & self.ground.steps().mask(free & (legal | 0xf0))
    }

    /// Calls `visit(to, cost, direction)` for each step of the grid out of `cell`.
    #[inline]
    fn steps(&self, cell: Cell, mut visit: impl FnMut(Cell, u32, usize)) {
        each_bit(self.mask(cell), |d| {
            let to = Cell(cell.0.wrapping_add_signed(self.offsets[d]));
            visit(to, self.ground.step_cost(cell, to, Direction::ALL[d]), d);
        });
    }

    /// Calls `visit(from, cost, incoming_step)` for each step that leads to `cell`, as [`Successors::each`] does on the map with all
    /// steps turned round. A step of the grid is as legal both ways, but it may cost more uphill.
    #[inline]
    pub(super) fn each_back(&self, cell: Cell, mut visit: impl FnMut(Cell, u32, u16)) {
        each_bit(self.mask(cell), |d| {
            let from = Cell(cell.0.wrapping_add_signed(self.offsets[d]));
            visit(from, self.ground.step_cost(from, cell, Direction::ALL[d]), d as u16);
        });
        for (i, link) in self.ground.links().to(cell) {
            if self.fits_link_end(link.from) {
                visit(link.from, link.cost, LINK + i as u16);
            }
        }
    }

    fn fits_link_end(&self, cell: Cell) -> bool {
        self.clearance.is_none_or(|(clearance, radius)| clearance[cell.index()] >= radius)
    }
}

impl<E: Estimate> Successors for General<'_, E> {
    #[inline]
    fn each(&self, cell: Cell, _arrival: u16, mut visit: impl FnMut(Cell, u32, u16)) {
        self.steps(cell, |to, cost, d| visit(to, cost, d as u16));
        for (i, link) in self.ground.links().from(cell) {
            if self.fits_link_end(link.to) {
                visit(link.to, link.cost, LINK + i as u16);
            }
        }
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        let (dx, dy) = self.goals.away(self.rows.place(cell));
        let cost = u64::from(E::cost(dx, dy)) * self.scale / WHOLE;
        u32::try_from(cost).unwrap_or(u32::MAX)
    }

    #[inline]
    fn is_goal(&self, cell: Cell) -> bool {
        self.goals.contains(cell)
    }

    fn reached(&self) -> Status {
        self.goals.reached()
    }
}

/// The same without the steps that a cheaper or equal way round the cell makes needless: one to three are left on open
/// ground, not eight. (The canonical ordering of Sturtevant and Rabin, 2016, and the pruning rules of Harabor and
/// Grastien, 2011, for ground on which no corner is cut.)
///
/// Every cell still gets its least cost where the search expands cells at their least cost, as A* and Dijkstra do. Let
/// x → t be the last step of a cheapest route and let it be left out because x was reached from p. Then either another
/// way from p to t is cheaper, which cannot be; or p → x is straight, x → t is diagonal, and p → y → t, diagonal then
/// straight, costs the same. In that case y is expanded before t, and y → t is kept however y was reached: a straight
/// step is left out only for a cheaper way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canonical<'a>(pub(super) Plain<'a>);

impl Successors for Canonical<'_> {
    #[inline]
    fn each(&self, cell: Cell, incoming_step: u16, visit: impl FnMut(Cell, u32, u16)) {
        let legal = self.0.moves[cell.index()];
        self.0.steps(cell, KEPT[usize::from(incoming_step) % 16][usize::from(legal)], visit);
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        self.0.estimate(cell)
    }

    #[inline]
    fn is_goal(&self, cell: Cell) -> bool {
        self.0.is_goal(cell)
    }
}

/// `KEPT[incoming_step][legal]` are the steps that [`Canonical`] keeps of the `legal` ones. Padded to a power of two, so that
/// indexing needs no check.
pub(super) static KEPT: [[u8; 256]; 16] = kept();

const fn kept() -> [[u8; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut incoming_step = 0;
    while incoming_step < 16 {
        let mut legal = 0;
        while legal < 256 {
            table[incoming_step][legal] = kept_steps(incoming_step, legal as u8);
            legal += 1;
        }
        incoming_step += 1;
    }
    table
}

const fn kept_steps(incoming_step: usize, legal: u8) -> u8 {
    // The diagonal between the straight directions d and d + 1 (mod 4) has number 4 + d.
    let d = incoming_step % 4;
    let (right, back, left) = ((d + 1) % 4, (d + 2) % 4, (d + 3) % 4);
    if incoming_step >= START as usize {
        return legal;
    }
    if incoming_step >= 4 {
        return legal & (1 << incoming_step | 1 << d | 1 << right);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ground_leaves_one_step_after_a_straight_one_and_three_after_a_diagonal_one() {
        for incoming_step in 0..4 {
            assert_eq!(kept_steps(incoming_step, 0xff), 1 << incoming_step);
        }
        for incoming_step in 4..8 {
            assert_eq!(kept_steps(incoming_step, 0xff).count_ones(), 3);
        }
        assert_eq!(kept_steps(START.into(), 0xff), 0xff);
    }

    #[test]
    fn a_corner_behind_opens_the_way_round_it() {
        use throng_grid::Direction::*;
        // Heading east past a wall to the north-west: north and north-east are only reached from here.
        let legal = !(1 << NorthWest as u8);
        assert_eq!(kept_steps(East as usize, legal), 1 << East as u8 | 1 << North as u8 | 1 << NorthEast as u8);
        // Heading north past a wall to the south-west.
        let legal = !(1 << SouthWest as u8);
        assert_eq!(kept_steps(North as usize, legal), 1 << North as u8 | 1 << West as u8 | 1 << NorthWest as u8);
    }
}
