//! Doors, jumps and drops: ways across the map that are no steps.

use super::parts::{Derived, MapView, State};
use super::route_requests::Pending;
use super::{Settings, World, WorldError, edits, fields, route_requests, sleep};
use crate::battle::RetryBackoff;
use crate::crowd::{AgentId, RouteId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Link, Links, MapLink, STRAIGHT};

/// A way from a cell to another that agents cross in a time: a door, a jump, a drop, a ferry. It leads one way; a pair of
/// them leads both.
///
/// See [`World::add_links`].
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
pub(super) struct WorldLinks {
    pub(super) all: Vec<TimedLink>,
    /// The tick from which each lets the next one on.
    pub(super) ready: Vec<u64>,
    /// The agents that cross a link, by slot.
    pub(super) crossers: BTreeMap<u32, Crosser>,
    /// Places in `all`, by start, end and time.
    #[serde(skip)]
    sorted: Vec<u32>,
}

/// An agent on a link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Crosser {
    pub(super) id: AgentId,
    /// The points where the agent left the ground, and where it comes down (m).
    pub(super) from: Vec2,
    pub(super) to: Vec2,
    /// The tick in which it set out, and how many it takes.
    pub(super) begun: u64,
    pub(super) ticks: u64,
}

impl WorldLinks {
    /// For planners, of a unit of this speed (m/s).
    pub(super) fn of_unit(&self, speed: f32, cell_size: f32) -> Vec<Link> {
        self.all.iter().map(|link| link.of_unit(speed, cell_size)).collect()
    }

    /// Makes what is not stored.
    pub(super) fn sort(&mut self) {
        let key = |link: &TimedLink| (link.from, link.to, link.seconds.to_bits());
        self.sorted = (0..self.all.len() as u32).collect();
        self.sorted.sort_by_key(|&i| key(&self.all[i as usize]));
    }

    /// The quickest open link from a cell to another.
    pub(super) fn find(&self, from: Cell, to: Cell) -> Option<usize> {
        let first = self.sorted.partition_point(|&i| {
            let link = &self.all[i as usize];
            (link.from, link.to) < (from, to)
        });
        let same = self.sorted[first..].iter().map(|&i| i as usize);
        let mut same = same.take_while(|&i| (self.all[i].from, self.all[i].to) == (from, to));
        same.find(|&i| self.all[i].is_open)
    }

    /// True where one can cross from a point to another (m) on this map.
    pub(super) fn joins(&self, grid: &Grid, from: Vec2, to: Vec2) -> bool {
        let [from, to] = [from, to].map(|at| grid.lattice().at(at));
        grid.is_open(from) && grid.is_open(to) && self.find(from, to).is_some()
    }

    /// The agents on links.
    pub(super) fn crossing(&self) -> impl Iterator<Item = AgentId> {
        self.crossers.values().map(|crosser| crosser.id)
    }

    /// True for an agent that is on a link.
    pub(super) fn is_crossing(&self, slot: u32) -> bool {
        !self.crossers.is_empty() && self.crossers.contains_key(&slot)
    }
}

impl World {
    /// Adds links, before the first squad and the first agent that is sent by routes. A planner prices a link at what
    /// its unit walks in the time of the crossing, at its preferred speed over plain ground; so units of other speeds have grounds of
    /// their own.
    ///
    /// An agent whose way leads over a link walks to its start, crosses in a straight line in the time given, whatever is between, and
    /// goes on from its end. While it crosses, no agent is in its way, and it is in no one's. A link lets the next one on once
    /// the one before can have walked its own width, so that they do not come down in a heap. A link that starts or ends in a wall is
    /// closed, until an edit opens it; so it is for a unit that does not fit there.
    ///
    /// # Errors
    /// Where a link starts or ends off the map, leads to where it starts, or takes less than 0.01 or more than 10,000 s; where there are
    /// more than [`Links::MAX`]; where a squad or agent plans already. Then none is added.
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{SquadSpec, Settings, TimedLink, World};
    /// let mut grid = Grid::open_plain(Lattice::new(20, 9, 1.0)?);
    /// (0..9).for_each(|y| grid.set_open(grid.lattice().cell(10, y), false));
    /// let mut world = World::new(grid, Settings::default())?;
    /// let lattice = world.grid().lattice();
    /// world.add_links(&[TimedLink::new(lattice.cell(9, 4), lattice.cell(11, 4), 0.8)])?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(4.5, 4.5)]))?;
    /// world.order(squad, Order::GoTo(Vec2::new(16.5, 4.5)))?;
    /// world.tick_until(|world| world.ticks() == 300)?;
    /// assert!(world.positions().next().is_some_and(|(_, at)| at.distance(Vec2::new(16.5, 4.5)) < 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_links(&mut self, links: &[TimedLink]) -> Result<(), WorldError> {
        if !self.derived.grounds.is_empty() {
            return Err(WorldError::LateLinks);
        }
        if self.state.links.all.len() + links.len() > Links::MAX {
            return Err(WorldError::TooMany { what: "links", limit: Links::MAX });
        }
        let before = self.state.links.all.len();
        for (link, index) in links.iter().zip(before..) {
            self.check_link(index, link)?;
        }
        let WorldLinks { all, ready, .. } = &mut self.state.links;
        all.extend_from_slice(links);
        ready.resize(all.len(), 0);
        self.state.links.sort();
        Ok(())
    }

    pub(super) fn check_link(&self, index: usize, link: &TimedLink) -> Result<(), WorldError> {
        let (least, most) = MapLink::SECONDS;
        if !(least..=most).contains(&link.seconds) {
            let (field, expected) = ("the time of a link", "between 0.01 and 10000 (s)");
            return Err(WorldError::Setting { field, expected, found: link.seconds.into() });
        }
        let lattice = self.grid.lattice();
        if !(lattice.contains(link.from) && lattice.contains(link.to)) || link.from == link.to {
            return Err(WorldError::Link { index });
        }
        Ok(())
    }

    /// The links, in the order in which they were added.
    pub fn links(&self) -> &[TimedLink] {
        &self.state.links.all
    }

    /// The agents that are on a link, by slot.
    pub fn crossing(&self) -> impl Iterator<Item = AgentId> {
        self.state.links.crossing()
    }

    /// Opens or shuts a link, by its place among all. Routes over one that is shut are cut and asked for again; so are those for which
    /// one that is opened may be a short cut. Agents on it get across. Searches under way begin anew. O(squads + routes).
    ///
    /// # Errors
    /// Where there is no such link.
    pub fn set_link_open(&mut self, link: usize, is_open: bool) -> Result<(), WorldError> {
        set_open(&self.settings, &self.grid, &mut self.derived, &mut self.state, link, is_open)?;
        self.wake_noted();
        Ok(())
    }
}

/// As [`World::set_link_open`]; agents that are to wake are noted.
pub(super) fn set_open(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    state: &mut State,
    link: usize,
    is_open: bool,
) -> Result<(), WorldError> {
    let Some(known) = state.links.all.get_mut(link) else {
        return Err(WorldError::NoSuch { what: "link", id: link });
    };
    if known.is_open == is_open {
        return Ok(());
    }
    let grounds = derived.grounds.iter().map(|ground| {
        let mut links = ground.mobility().links.clone();
        links[link].is_open = is_open;
        Ok(Arc::new(ground.relinked(links)?))
    });
    let grounds = grounds.collect::<Result<Vec<_>, WorldError>>()?;
    let mut planners = derived.planners.clone();
    for (_, built) in &mut planners {
        for (&ground, planner) in built {
            if let Some(updated) = planner.updated(&grounds[usize::from(ground)], &[])? {
                *planner = updated;
            }
        }
    }
    known.is_open = is_open;
    let ends = [known.from, known.to];
    (derived.grounds, derived.planners) = (grounds, planners);
    links_changed(settings, grid, derived, state, ends, is_open);
    Ok(())
}

/// Brings up to date what depends on links: searches, fields, routes.
fn links_changed(
    settings: &Settings,
    grid: &Grid,
    derived: &mut Derived,
    state: &mut State,
    ends: [Cell; 2],
    is_open: bool,
) {
    route_requests::forget_walked(state);
    let (map, pool, _) = derived.split(settings, grid);
    for ticket in state.requests.pending.keys().copied().collect::<Vec<_>>() {
        let Some(Pending { key, requesters, .. }) = state.requests.pending.get(&ticket).cloned() else { continue };
        route_requests::drop_search(pool, state, ticket);
        for requester in requesters {
            route_requests::ask(map, pool, state, key, requester);
        }
    }
    fields::repair(derived, state, &ends, |_| true);
    derived.escape_fields.clear();
    if is_open {
        edits::look_for_short_cuts(grid.lattice(), state, &ends);
        edits::look_for_nearer_goals(MapView::new(settings, grid, derived), state);
    } else {
        edits::cut_routes(MapView::new(settings, grid, derived), state);
    }
    // Travellers look anew how to go on, as after an edit of the map.
    state.travels.revision = u32::MAX;
    state.requests.backoffs.values_mut().for_each(RetryBackoff::hopes);
    sleep::wake_beside(&ends, grid.lattice(), derived.home, state);
}

/// True where a link that a route uses cannot be used now.
pub(super) fn is_cut_off(grid: &Grid, state: &State, route: RouteId) -> bool {
    let (points, links) = (state.routes.points(route), &state.links);
    let joins = |&start: &u32| {
        let [from, to] = [points[start as usize].at, points[start as usize + 1].at];
        links.joins(grid, from, to)
    };
    !state.routes.crossings(route).iter().all(joins)
}
