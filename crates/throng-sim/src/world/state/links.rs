//! Doors, jumps and drops, and the agents on them.

use crate::crowd::{AgentId, RouteId, Routes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Link, STRAIGHT};

/// A way from a cell to another that agents cross in a time: a door, a jump, a drop, a ferry. It leads one way; a pair of
/// them leads both.
///
/// See [`World::add_links`](crate::world::World::add_links).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedLink {
    /// The cell where it starts.
    pub from: Cell,
    /// The cell where it ends.
    pub to: Cell,
    /// How long one takes to cross it (s).
    pub seconds: f32,
    /// False while it cannot be used, as a door that is shut.
    pub is_open: bool,
}

impl TimedLink {
    /// An open link.
    pub fn new(from: Cell, to: Cell, seconds: f32) -> Self {
        Self { from, to, seconds, is_open: true }
    }

    /// The way back.
    #[must_use]
    pub fn back(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }

    /// For planners, of a unit of this speed (m/s): it costs what the unit walks over plain ground in the time of the crossing.
    fn of_unit(self, speed: f32, cell_size: f32) -> Link {
        let cost = f64::from(self.seconds) * f64::from(speed) / f64::from(cell_size) * f64::from(STRAIGHT);
        Link { from: self.from, to: self.to, cost: cost.round().max(1.0) as u32, is_open: self.is_open }
    }
}

/// The links of a world, and the agents on them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorldLinks {
    pub(crate) all: Vec<TimedLink>,
    /// The tick from which each lets the next one on.
    pub(crate) ready: Vec<u64>,
    /// The agents that cross a link, by slot.
    pub(crate) crossers: BTreeMap<u32, Crosser>,
    /// Places in `all`, by start, end and time.
    #[serde(skip)]
    sorted: Vec<u32>,
}

/// An agent on a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Crosser {
    pub(crate) id: AgentId,
    /// The points where the agent left the ground, and where it comes down (m).
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    /// The tick in which it set out, and how many it takes.
    pub(crate) begun: u64,
    pub(crate) ticks: u64,
}

impl WorldLinks {
    /// For planners, of a unit of this speed (m/s).
    pub(crate) fn of_unit(&self, speed: f32, cell_size: f32) -> Vec<Link> {
        self.all.iter().map(|link| link.of_unit(speed, cell_size)).collect()
    }

    /// Makes what is not stored.
    pub(crate) fn sort(&mut self) {
        let key = |link: &TimedLink| (link.from, link.to, link.seconds.to_bits());
        self.sorted = (0..self.all.len() as u32).collect();
        self.sorted.sort_by_key(|&i| key(&self.all[i as usize]));
    }

    /// The quickest open link from a cell to another.
    pub(crate) fn find(&self, from: Cell, to: Cell) -> Option<usize> {
        let first = self.sorted.partition_point(|&i| {
            let link = &self.all[i as usize];
            (link.from, link.to) < (from, to)
        });
        let same = self.sorted[first..].iter().map(|&i| i as usize);
        let mut same = same.take_while(|&i| (self.all[i].from, self.all[i].to) == (from, to));
        same.find(|&i| self.all[i].is_open)
    }

    /// True where one can cross from a point to another (m) on this map.
    pub(crate) fn joins(&self, grid: &Grid, from: Vec2, to: Vec2) -> bool {
        let [from, to] = [from, to].map(|at| grid.lattice().at(at));
        grid.is_open(from) && grid.is_open(to) && self.find(from, to).is_some()
    }

    /// The agents on links.
    pub(crate) fn crossing(&self) -> impl Iterator<Item = AgentId> {
        self.crossers.values().map(|crosser| crosser.id)
    }

    /// True for an agent that is on a link.
    pub(crate) fn is_crossing(&self, slot: u32) -> bool {
        !self.crossers.is_empty() && self.crossers.contains_key(&slot)
    }

    /// True where a link that a route uses cannot be used now.
    pub(crate) fn cut_off(&self, grid: &Grid, routes: &Routes, route: RouteId) -> bool {
        let points = routes.points(route);
        let joins = |&start: &u32| {
            let [from, to] = [points[start as usize].at, points[start as usize + 1].at];
            self.joins(grid, from, to)
        };
        !routes.crossings(route).iter().all(joins)
    }
}
