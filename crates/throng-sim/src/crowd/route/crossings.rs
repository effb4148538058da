//! Routes over links: stretches that are walked, and between them crossings, which are not.

use super::{RouteId, Routes, Waypoint, waypoints};
use throng_grid::{Cell, Cost, Direction, Ground, Layer};

impl Routes {
    /// Notes the points of a route at which a link begins that leads to the next point. In order; none of most routes.
    pub fn set_crossings(&mut self, id: RouteId, starts: &[u32]) {
        if !starts.is_empty() {
            self.crossings.insert(id, starts.into());
        }
    }

    /// The points of a route at which a link begins that leads to the next point.
    #[inline]
    pub fn crossings(&self, id: RouteId) -> &[u32] {
        if self.crossings.is_empty() { &[] } else { self.crossings.get(&id).map_or(&[], |starts| starts) }
    }

    /// True where any route uses a link.
    #[inline]
    pub(in crate::crowd) fn use_links(&self) -> bool {
        !self.crossings.is_empty()
    }

    /// True where a link leads from point `index` of a route to the next.
    pub fn crosses(&self, id: RouteId, index: u32) -> bool {
        self.crossings(id).binary_search(&index).is_ok()
    }

    /// The first and the last point around `index` that are walked, of a route that ends at point `last`: from the end of the link before
    /// it, to the start of the next link.
    pub(in crate::crowd) fn stretch(&self, id: RouteId, last: usize, index: u32) -> (usize, usize) {
        let starts = self.crossings(id);
        let ahead = starts.partition_point(|&start| start < index);
        let first = ahead.checked_sub(1).map_or(0, |before| starts[before] as usize + 1);
        (first, starts.get(ahead).map_or(last, |&start| start as usize))
    }
}

/// As [`waypoints`], of a route that may use links: each stretch between two of them is pulled straight for itself. Writes the
/// points at which links begin to `starts`.
#[expect(clippy::too_many_arguments, reason = "those of waypoints, and what is written")]
pub(crate) fn stretches(
    ground: &Ground,
    clearance: &Layer<f32>,
    cells: &[Cell],
    goal: Cell,
    radius: f32,
    widest: f32,
    points: &mut Vec<Waypoint>,
    starts: &mut Vec<u32>,
) {
    starts.clear();
    if ground.links().is_empty() {
        return waypoints(ground, clearance, cells, goal, radius, widest, points);
    }
    points.clear();
    let mut stretch = Vec::new();
    let mut from = 0;
    for to in 1..=cells.len() {
        let is_last = to == cells.len();
        if !(is_last || is_crossing(ground, cells[to - 1], cells[to])) {
            continue;
        }
        let end = if is_last { goal } else { cells[to - 1] };
        waypoints(ground, clearance, &cells[from..to], end, radius, widest, &mut stretch);
        points.append(&mut stretch);
        if !is_last {
            starts.push(points.len() as u32 - 1);
        }
        from = to;
    }
}

/// True where a route goes from one of its turns to the next by a link: one is there, and steps straight ahead are dearer, or lead
/// into a wall.
fn is_crossing(ground: &Ground, from: Cell, to: Cell) -> bool {
    let link = ground.links().from(from).filter(|(_, link)| link.to == to).map(|(_, link)| Cost::from(link.cost)).min();
    link.is_some_and(|link| run(ground, from, to).is_none_or(|steps| link < steps))
}

/// The cost of the steps straight from a cell to another, in one of the eight directions; `None` where they are not legal.
fn run(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let lattice = ground.lattice();
    let ((x, y), (to_x, to_y)) = (lattice.column_row(from), lattice.column_row(to));
    let (x, y) = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
    if !(x == 0 || y == 0 || x.abs() == y.abs()) {
        return None;
    }
    let offset = lattice.stride as i32 * y.signum() as i32 + x.signum() as i32;
    let direction = Direction::ALL.into_iter().zip(lattice.offsets()).find(|&(_, known)| known == offset)?.0;
    let (mut cell, mut cost) = (from, 0);
    while cell != to {
        if ground.moves(cell) >> direction as u8 & 1 == 0 {
            return None;
        }
        let next = Cell(cell.0.wrapping_add_signed(offset));
        cost += Cost::from(ground.step_cost(cell, next, direction));
        cell = next;
    }
    Some(cost)
}
