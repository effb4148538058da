//! The ways of travellers: straight to the post, or along a route of their own.

use super::{IN_PLACE, Traveller};
use crate::battle::Patience;
use crate::crowd::{AgentId, LOOKS_LOST, RouteId, Routes, Trip, Walk, Watch};
use crate::world::World;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, walls};

/// Where terrain or heights count, nobody goes further than this (m) without a route.
const SHORT: f32 = 3.0;

/// A goal that has moved less than this (m) from where the route leads is seen from its end.
const NEAR_END: f32 = 4.0;

/// So near to the end of its route (m), a traveller has come as near as it can.
const AT_END: f32 = 0.5;

impl World {
    /// What agents walk by.
    pub(in crate::world) fn walk(&self) -> Walk<'_> {
        walk(&self.grid, &self.state.routes, self.watch())
    }

    /// So many ticks, one at least.
    pub(in crate::world) fn ticks_of(&self, seconds: f32) -> u64 {
        ((f64::from(seconds) / f64::from(self.settings.step)).round() as u64).max(1)
    }

    /// It stays where it is, in its place if it is in it.
    pub(super) fn stand(&mut self, id: AgentId, row: usize) {
        let (post, position) = (self.state.crowd.trip[id.slot as usize].post, self.state.crowd.position[row]);
        self.post(id, if post.distance(position) < 2.0 * IN_PLACE { post } else { position });
    }

    /// It goes straight to a post and has no route.
    pub(super) fn post(&mut self, id: AgentId, post: Vec2) {
        let old = std::mem::replace(&mut self.state.crowd.trip[id.slot as usize], Trip::stay(post));
        self.state.routes.release(old.route);
        if old.post != post {
            self.scratch.waking.push(id.slot);
        }
    }

    /// True where it can go straight there.
    pub(super) fn goes_straight(&self, row: usize, to: Vec2) -> bool {
        let from = self.state.crowd.position[row];
        let unit = &self.state.units[usize::from(self.state.crowd.unit[self.state.crowd.slot[row] as usize])];
        let walk = self.walk();
        let firm = walk.firm || unit.terrain.is_some();
        (!firm || from.distance(to) < SHORT) && walk.can_walk(from, to, self.state.crowd.radius[row])
    }

    /// Sends a traveller to a place: straight where it sees it, else by a route, for which it asks in this tick if it may. A
    /// route that leads near there is kept.
    pub(super) fn bind(&mut self, traveller: &mut Traveller, row: usize, goal: Vec2) {
        let (id, slot) = (traveller.id, traveller.id.slot as usize);
        if traveller.goal != goal {
            traveller.goal = goal;
            self.state.desk.asking.remove(&id);
        }
        if self.goes_straight(row, goal) {
            traveller.to = None;
            self.post(id, goal);
            if let Some(patience) = self.state.desk.asking.get_mut(&id) {
                patience.is_content();
            }
            return;
        }
        let trip = &mut self.state.crowd.trip[slot];
        let under_way = trip.route != RouteId::NONE || trip.lost == Trip::ASKED || trip.lost == LOOKS_LOST;
        let lattice = self.grid.lattice();
        if under_way && traveller.to.is_some_and(|to| lattice.centre(to).distance(goal) < NEAR_END) {
            trip.post = if trip.route == RouteId::NONE { trip.post } else { goal };
            return;
        }
        let Some(to) = self.derived.grounds[usize::from(traveller.ground)].nearest_passable(goal) else {
            self.post(id, self.state.crowd.position[row]);
            if self.state.desk.asking.get(&id).is_none_or(|patience| patience.may_ask(self.state.tick)) {
                self.has_no_route(id);
            }
            return;
        };
        traveller.to = Some(to);
        self.post(id, self.state.crowd.position[row]);
        // It asks when routes are asked for.
        self.state.crowd.trip[slot].lost = LOOKS_LOST;
    }

    /// On the way: a traveller that walks straight and does not see its goal any more, since it was pushed or a wall was built,
    /// asks for a route.
    pub(super) fn keep_on(&mut self, traveller: &mut Traveller, row: usize) {
        let trip = self.state.crowd.trip[traveller.id.slot as usize];
        if trip.route == RouteId::NONE && trip.lost == 0 || trip.lost == LOOKS_LOST {
            self.bind(traveller, row, traveller.goal);
        }
    }

    /// True for a traveller that has come to the end of its route, and does not see its goal from there: nearer it cannot come.
    pub(super) fn is_at_end(&self, traveller: &Traveller, row: usize) -> bool {
        let (position, radius) = (self.state.crowd.position[row], self.state.crowd.radius[row]);
        let Some(end) = self.state.routes.points(self.state.crowd.trip[traveller.id.slot as usize].route).last() else {
            return false;
        };
        // The first part of a route ends on the way.
        if traveller.to.is_none_or(|to| self.grid.lattice().centre(to) != end.at) {
            return false;
        }
        let is_open = walls::is_clear(&self.grid, traveller.goal, radius);
        end.at.distance(position) < AT_END && !(is_open && self.walk().can_walk(position, traveller.goal, radius))
    }

    /// Sets a traveller out on a route, or says that there is none.
    pub(in crate::world) fn set_out_alone(&mut self, id: AgentId, route: RouteId, before: RouteId, to: Cell) {
        let Some(&traveller) = self.state.travels.travellers.get(&id.slot).filter(|one| one.id == id) else { return };
        let Some(row) = self.state.crowd.row(id).filter(|_| traveller.to == Some(to)) else { return };
        let trip = self.state.crowd.trip[id.slot as usize];
        let changes_over = before != RouteId::NONE && trip.route == before;
        if !(changes_over || trip.lost == Trip::ASKED) {
            return;
        }
        if route == RouteId::NONE {
            // It asks again when its patience lets it.
            self.state.crowd.trip[id.slot as usize].lost = LOOKS_LOST;
            self.has_no_route(id);
            return;
        }
        let leg = match self.leg_in_sight(row, route) {
            None if changes_over => return,
            leg => leg.unwrap_or(0),
        };
        let left = self.state.routes.left(route, leg, self.state.crowd.position[row]);
        self.state.desk.asking.entry(id).or_default().finds(left);
        self.state.crowd.trip[id.slot as usize].post = self.end_of(route, &traveller, row);
        self.take_route(id, route, leg, trip.lane);
    }

    /// Where it stands at the end of a route: its goal, where that is open.
    fn end_of(&self, route: RouteId, traveller: &Traveller, row: usize) -> Vec2 {
        let end = self.state.routes.points(route).last().map_or(traveller.goal, |last| last.at);
        if walls::is_clear(&self.grid, traveller.goal, self.state.crowd.radius[row]) { traveller.goal } else { end }
    }

    /// There was no route for an agent: it waits before it asks again.
    pub(in crate::world) fn has_no_route(&mut self, id: AgentId) {
        let second = self.ticks_of(1.0);
        let patience: &mut Patience = self.state.desk.asking.entry(id).or_default();
        patience.fails(self.state.tick, id.slot, second);
        self.state.events.no_route.push(id);
    }

    /// It leaves the world; its body goes at the start of the next tick.
    pub(in crate::world) fn depart(&mut self, id: AgentId) {
        self.state.left.push(id);
        self.state.events.left.push(id);
        self.state.soldiers.health[id.slot as usize] = 0.0;
        let army = &mut self.state.armies[usize::from(self.state.crowd.army_of(id.slot))];
        army.alive -= 1;
        army.left += 1;
        if let Some(squad) = self.state.squads.get_mut(self.state.crowd.squad[id.slot as usize] as usize) {
            squad.tally.left += 1;
        }
    }
}

/// What agents walk by: the map, the routes, the clock.
pub(in crate::world) fn walk<'a>(grid: &'a Grid, routes: &'a Routes, watch: Watch) -> Walk<'a> {
    // A short cut may lead over a hill.
    Walk { grid, clearance: grid.clearance(), routes, watch, firm: grid.height_layer().is_some() }
}
