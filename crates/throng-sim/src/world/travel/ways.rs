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

/// So near to the end of his route (m), he has come as near as he can.
const AT_END: f32 = 0.5;

impl World {
    /// What agents walk by.
    pub(in crate::world) fn walk(&self) -> Walk<'_> {
        walk(&self.grid, &self.routes, self.watch())
    }

    /// So many ticks, one at least.
    pub(in crate::world) fn ticks_of(&self, seconds: f32) -> u64 {
        ((f64::from(seconds) / f64::from(self.settings.step)).round() as u64).max(1)
    }

    /// He stays where he is, in his place if he is in it.
    pub(super) fn stand(&mut self, id: AgentId, row: usize) {
        let (post, position) = (self.crowd.trip[id.slot as usize].post, self.crowd.position[row]);
        self.post(id, if post.distance(position) < 2.0 * IN_PLACE { post } else { position });
    }

    /// He goes straight to a post and has no route.
    fn post(&mut self, id: AgentId, post: Vec2) {
        let old = std::mem::replace(&mut self.crowd.trip[id.slot as usize], Trip::stay(post));
        self.routes.release(old.route);
        if old.post != post {
            self.waking.push(id.slot);
        }
    }

    /// True where he can go straight there.
    fn goes_straight(&self, row: usize, to: Vec2) -> bool {
        let from = self.crowd.position[row];
        let unit = &self.units[usize::from(self.crowd.unit[self.crowd.slot[row] as usize])];
        let walk = self.walk();
        let firm = walk.firm || unit.terrain.is_some();
        (!firm || from.distance(to) < SHORT) && walk.can_walk(from, to, self.crowd.radius[row])
    }

    /// Sends a traveller to a place: straight where he sees it, else by a route, for which he asks in this tick if he may. A
    /// route that leads near there is kept.
    pub(super) fn bind(&mut self, traveller: &mut Traveller, row: usize, goal: Vec2) {
        let (id, slot) = (traveller.id, traveller.id.slot as usize);
        traveller.goal = goal;
        if self.goes_straight(row, goal) {
            traveller.to = None;
            self.desk.asking.remove(&id);
            self.post(id, goal);
            return;
        }
        let trip = &mut self.crowd.trip[slot];
        let under_way = trip.route != RouteId::NONE || trip.lost == Trip::ASKED || trip.lost == LOOKS_LOST;
        let lattice = self.grid.lattice();
        if under_way && traveller.to.is_some_and(|to| lattice.centre(to).distance(goal) < NEAR_END) {
            trip.post = if trip.route == RouteId::NONE { trip.post } else { goal };
            return;
        }
        let Some(to) = self.grounds[usize::from(traveller.ground)].nearest_passable(goal) else { return };
        traveller.to = Some(to);
        self.post(id, self.crowd.position[row]);
        // He asks when routes are asked for.
        self.crowd.trip[slot].lost = LOOKS_LOST;
    }

    /// On the way: who walks straight and does not see his goal any more, since he was pushed or a wall was built, asks for a
    /// route.
    pub(super) fn keep_on(&mut self, traveller: &mut Traveller, row: usize) {
        let trip = self.crowd.trip[traveller.id.slot as usize];
        if trip.route == RouteId::NONE && trip.lost == 0 || trip.lost == LOOKS_LOST {
            self.bind(traveller, row, traveller.goal);
        }
    }

    /// True for somebody who has come to the end of his route, and does not see his goal from there: nearer he cannot come.
    pub(super) fn is_at_end(&self, slot: u32, row: usize) -> bool {
        let (trip, position) = (&self.crowd.trip[slot as usize], self.crowd.position[row]);
        let Some(end) = self.routes.points(trip.route).last() else { return false };
        end.at.distance(position) < AT_END
            && !self.walk().can_walk(position, trip.post, self.crowd.radius[row])
            && trip.lost == 0
    }

    /// Sets a traveller out on a route, or says that there is none.
    pub(in crate::world) fn set_out_alone(&mut self, id: AgentId, route: RouteId, before: RouteId, to: Cell) {
        let Some(&traveller) = self.travels.travellers.get(&id.slot).filter(|one| one.id == id) else { return };
        let Some(row) = self.crowd.row(id).filter(|_| traveller.to == Some(to)) else { return };
        let trip = self.crowd.trip[id.slot as usize];
        let changes_over = before != RouteId::NONE && trip.route == before;
        if !(changes_over || trip.lost == Trip::ASKED) {
            return;
        }
        if route == RouteId::NONE {
            // He asks again when his patience lets him.
            self.crowd.trip[id.slot as usize].lost = LOOKS_LOST;
            self.has_no_route(id);
            return;
        }
        self.desk.asking.remove(&id);
        let leg = match self.leg_in_sight(row, route) {
            None if changes_over => return,
            leg => leg.unwrap_or(0),
        };
        self.routes.hold(route);
        let trip =
            Trip { route, leg, lost: 0, charges: false, lane: trip.lane, post: self.end_of(route, &traveller, row) };
        let old = std::mem::replace(&mut self.crowd.trip[id.slot as usize], trip);
        self.routes.release(old.route);
        self.waking.push(id.slot);
    }

    /// Where he stands at the end of a route: his goal, where it is open.
    fn end_of(&self, route: RouteId, traveller: &Traveller, row: usize) -> Vec2 {
        let end = self.routes.points(route).last().map_or(traveller.goal, |last| last.at);
        if walls::is_clear(&self.grid, traveller.goal, self.crowd.radius[row]) { traveller.goal } else { end }
    }

    /// There was no route for somebody: he waits before he asks again.
    pub(in crate::world) fn has_no_route(&mut self, id: AgentId) {
        let second = self.ticks_of(1.0);
        let patience: &mut Patience = self.desk.asking.entry(id).or_default();
        patience.fails(self.tick, id.slot, second);
    }

    /// He leaves the world; his body goes at the start of the next tick.
    pub(in crate::world) fn depart(&mut self, id: AgentId) {
        self.left.push(id);
        self.soldiers.health[id.slot as usize] = 0.0;
        let army = &mut self.armies[usize::from(self.crowd.army_of(id.slot))];
        army.alive -= 1;
        army.left += 1;
        if let Some(squad) = self.squads.get_mut(self.crowd.squad[id.slot as usize] as usize) {
            squad.tally.left += 1;
        }
    }
}

/// What agents walk by: the map, the routes, the clock.
pub(in crate::world) fn walk<'a>(grid: &'a Grid, routes: &'a Routes, watch: Watch) -> Walk<'a> {
    // A short cut may lead over a hill.
    Walk { grid, clearance: grid.clearance(), routes, watch, firm: grid.height_layer().is_some() }
}
