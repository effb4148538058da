//! The answer to a query: one pass over the labels of the start's block and of the goal's.

use super::blocks::Block;
use super::label_entry::UNREACHED;
use super::tables::Tables;
use super::walk::{Terrain, Turns, walk};
use crate::jps::place::Place;
use crate::memory::SearchMemory;
use crate::{DIAGONAL, Estimate, Octile, Path, STRAIGHT};
use throng_grid::Cell;

/// The memory of a query.
#[derive(Debug, Default)]
pub(super) struct LabelSearch {
    /// For each hub the least cost from the start, and in the lower half the entry that tells it. Between queries all are
    /// [`NO_WAY`].
    from_start: Vec<u64>,
    /// Costs to the subgoals of the start's block and of the goal's.
    to_start_vias: Vec<u32>,
    to_goal_vias: Vec<u32>,
    /// The places where the route turns, and some on the way: each straight or diagonal from the one before.
    route: Vec<Place>,
    turns: Turns,
}

/// No entry leads to a hub.
const NO_WAY: u64 = (UNREACHED as u64) << 32;

impl SearchMemory for LabelSearch {
    fn bytes(&self) -> usize {
        self.from_start.capacity() * size_of::<u64>()
            + (self.to_start_vias.capacity() + self.to_goal_vias.capacity()) * size_of::<u32>()
            + self.route.capacity() * size_of::<Place>()
    }
}

impl LabelSearch {
    /// The route stays where it starts.
    pub(super) fn stay(&mut self, at: Place) {
        self.route.clear();
        self.route.push(at);
    }

    /// There is no route.
    pub(super) fn forget(&mut self) {
        self.route.clear();
    }

    /// Finds a cheapest route and its cost; `None` where there is none.
    ///
    /// O(entries of two blocks + steps of the walks at both ends + subgoals on the way).
    pub(super) fn search(&mut self, tables: &Tables, terrain: Terrain<'_>, from: Place, to: Place) -> Option<u32> {
        self.stay(from);
        if walk(&terrain, from, to, &mut self.turns) {
            self.route.extend_from_slice(self.turns.places());
            self.route.push(to);
            return Some(octile(from, to));
        }
        let ((start, start_bit), (goal, goal_bit)) = (tables.blocks.of(from), tables.blocks.of(to));
        if self.from_start.len() < tables.hubs {
            self.from_start.resize(tables.hubs, NO_WAY);
        }
        costs_to_vias(start, from, start_bit, &mut self.to_start_vias);
        costs_to_vias(goal, to, goal_bit, &mut self.to_goal_vias);
        for (number, entry) in (0_u64..).zip(start.entries) {
            let cost = self.to_start_vias[usize::from(entry.via)] + entry.cost;
            let best = &mut self.from_start[usize::from(entry.hub)];
            *best = (u64::from(cost) << 32 | number).min(*best);
        }
        let mut best = u64::MAX;
        for (number, entry) in (0_u64..).zip(goal.entries) {
            let cost = self.to_goal_vias[usize::from(entry.via)] + entry.cost;
            let both = u64::from(cost) + (self.from_start[usize::from(entry.hub)] >> 32);
            best = best.min(both << 32 | number);
        }
        let cost = (best >> 32) as u32;
        let found = goal.entries.get(best as u32 as usize).filter(|_| cost < UNREACHED).copied();
        let hub = found.map_or(0, |last| last.hub);
        let first = self.from_start.get(usize::from(hub)).map_or(0, |&first| first as u32 as usize);
        for entry in start.entries {
            self.from_start[usize::from(entry.hub)] = NO_WAY;
        }
        let (last, first) = (found?, start.entries.get(first)?);
        self.write_end(tables, terrain, start, first.via, hub, from);
        let hub_place = self.route.len();
        self.route.push(to);
        self.write_end(tables, terrain, goal, last.via, hub, to);
        // The hub ends both halves.
        self.route.pop();
        self.route[hub_place..].reverse();
        Some(cost)
    }

    /// Adds the places from one end, which is the last of the route, to the hub.
    fn write_end(&mut self, tables: &Tables, terrain: Terrain<'_>, block: Block<'_>, via: u16, hub: u16, end: Place) {
        let via = usize::from(via);
        let place = Place { x: block.columns[via] as u32, y: block.rows[via] as u32 };
        walk(&terrain, end, place, &mut self.turns);
        self.route.extend_from_slice(self.turns.places());
        tables.chains.follow(block.subgoals[via], hub, &mut self.route);
    }

    /// Writes the cells of a route of this cost. O(cells).
    pub(super) fn write_cells(&self, cost: u32, stride: u32, path: &mut Path) {
        // No step costs less than a straight one.
        path.cells.reserve((cost / STRAIGHT) as usize + 1);
        for pair in self.route.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (dx, dy) = (to.x as i32 - from.x as i32, to.y as i32 - from.y as i32);
            let offset = dx.signum() + dy.signum() * stride as i32;
            let first = from.index(stride) as i32;
            path.cells.extend((0..dx.abs().max(dy.abs())).map(|i| Cell((first + i * offset) as u32)));
        }
        path.cells.extend(self.route.last().map(|last| Cell(last.index(stride) as u32)));
    }
}

/// Writes the costs from a cell to the subgoals of its block, [`UNREACHED`] and more where they do not count for it.
#[inline]
fn costs_to_vias(block: Block<'_>, cell: Place, bit: u32, costs: &mut Vec<u32>) {
    let (x, y) = (cell.x as i16, cell.y as i16);
    costs.clear();
    costs.extend(block.columns.iter().zip(block.rows).zip(block.masks).map(|((&column, &row), mask)| {
        // Sides are below 2^15. Products of numbers that are known to be so short take one instruction for many.
        let (width, height) = ((column - x).abs(), (row - y).abs());
        let (most, least) = (width.max(height), width.min(height));
        let cost = i32::from(most) * STRAIGHT as i32 + i32::from(least) * (DIAGONAL - STRAIGHT) as i32;
        cost as u32 + (!(mask >> bit) as u32 & 1) * UNREACHED
    }));
}

#[inline]
fn octile(from: Place, to: Place) -> u32 {
    Octile::cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}
