//! The answer to a query: one pass over the labels of the start's block and of the goal's.

use super::blocks::Block;
use super::hubs::UNREACHED;
use super::tables::Tables;
use super::walk::{Terrain, Turns, walk};
use crate::jps::jump::Place;
use crate::memory::SearchMemory;
use crate::{Estimate, Octile, Path};
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
        let place = block.places[via];
        walk(&terrain, end, Place { x: place.x.into(), y: place.y.into() }, &mut self.turns);
        self.route.extend_from_slice(self.turns.places());
        tables.chains.follow(block.subgoals[via], hub, &mut self.route);
    }

    /// Writes the cells of the route. O(cells).
    pub(super) fn write_cells(&self, stride: u32, path: &mut Path) {
        let lines = || self.route.windows(2).map(|pair| Line::new(pair[0], pair[1], stride));
        let steps: usize = lines().map(|line| line.steps).sum();
        // Lines are short: whole chunks are written, over the end of each, where the next one begins.
        path.cells.clear();
        path.cells.resize(steps + CHUNK, Cell::NONE);
        let mut end = 0;
        for line in lines() {
            let mut written = 0;
            while written < line.steps {
                let Some(chunk) = path.cells[end + written..].first_chunk_mut::<CHUNK>() else { break };
                let first = line.first + written as i32 * line.offset;
                *chunk = std::array::from_fn(|i| Cell((first + i as i32 * line.offset) as u32));
                written += CHUNK;
            }
            end += line.steps;
        }
        path.cells.truncate(end);
        path.cells.extend(self.route.last().map(|last| Cell(last.index(stride) as u32)));
    }
}

/// Cells that are written at once.
const CHUNK: usize = 8;

/// Steps in one direction.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: i32,
    offset: i32,
    steps: usize,
}

impl Line {
    #[inline]
    fn new(from: Place, to: Place, stride: u32) -> Self {
        let (dx, dy) = (to.x as i32 - from.x as i32, to.y as i32 - from.y as i32);
        Self {
            first: from.index(stride) as i32,
            offset: dx.signum() + dy.signum() * stride as i32,
            steps: dx.abs().max(dy.abs()) as usize,
        }
    }
}

/// Writes the costs from a cell to the subgoals of its block, [`UNREACHED`] and more where they do not count for it.
#[inline]
fn costs_to_vias(block: Block<'_>, cell: Place, bit: u32, costs: &mut Vec<u32>) {
    costs.clear();
    costs.extend(block.places.iter().zip(block.masks).map(|(via, mask)| {
        let cost = octile(cell, Place { x: via.x.into(), y: via.y.into() });
        cost | (!(mask >> bit) as u32 & 1) * UNREACHED
    }));
}

#[inline]
fn octile(from: Place, to: Place) -> u32 {
    Octile::cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}
