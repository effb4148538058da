//! Asking for routes, and handing them out in the tick in which they fall due.

use super::{World, WorldError};
use crate::battle::{Errand, Order, command};
use crate::crowd::{AgentId, RouteId, Trip, Waypoint, detour_done, entry, waypoints};
use crate::geom::{Vec2, cross, unit};
use crate::grid::{Cell, walls};
use crate::plan::{Outcome, PlanError, Query, Request, Status, Ticket};
use std::collections::{BTreeMap, VecDeque};

/// How far beside its route a squad may spread (m).
const WIDEST: f32 = 24.0;

/// Equal trips are asked for once: planner, ground, start and goal.
type Trips = (u16, u16, Cell, Cell);

#[derive(Clone, Copy, Debug)]
enum Asker {
    Squad(usize),
    Agent(AgentId),
}

#[derive(Debug)]
struct Pending {
    ticket: Ticket,
    trip: Trips,
    askers: Vec<Asker>,
}

/// A route that falls due.
#[derive(Debug)]
struct Due {
    ticket: Ticket,
    result: Result<Outcome, PlanError>,
    turns: Vec<Cell>,
}

/// What has been asked for and is not yet due, in the order of asking.
#[derive(Debug, Default)]
pub(super) struct Desk {
    pending: VecDeque<Pending>,
    by_trip: BTreeMap<Trips, Ticket>,
    due: Vec<Due>,
    points: Vec<Waypoint>,
}

impl Desk {
    /// Trips that are not yet due.
    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }
}

impl World {
    /// Asks for the routes that squads and lost agents want: squads first, in their order, then agents by slot.
    pub(super) fn ask_routes(&mut self) {
        for s in 0..self.squads.len() {
            if let Errand::Wanted { from, to } = self.squads[s].errand {
                self.squads[s].errand = Errand::Asked { to };
                let trip = (self.squads[s].planner, self.squads[s].ground, from, to);
                self.ask(trip, Asker::Squad(s));
            }
        }
        for slot in 0..self.crowd.trip.len() {
            let row = self.crowd.row_of[slot];
            let trip = self.crowd.trip[slot];
            if row == u32::MAX {
                continue;
            }
            let (row, radius) = (row as usize, self.crowd.radius[row as usize]);
            if detour_done(&self.routes, self.crowd.position[row], radius, &trip) {
                self.routes.release(trip.detour);
                self.crowd.trip[slot].detour = RouteId::NONE;
                self.crowd.trip[slot].lost = 0;
            }
            if !command::is_lost(&trip) || trip.detour != RouteId::NONE {
                continue;
            }
            // A new look before asking again, whatever comes of it.
            self.crowd.trip[slot].lost = 0;
            let Some(squad) = self.squads.get(self.crowd.squad[slot] as usize) else { continue };
            let ground = &self.grounds[usize::from(squad.ground)];
            let Some(aim) = self.routes.points(trip.route).get(usize::from(trip.leg)) else { continue };
            let from = ground.nearest_passable(self.crowd.position[row]);
            let (Some(from), to) = (from, ground.lattice().at(aim.at)) else { continue };
            if from == to || ground.region(from) != ground.region(to) {
                continue;
            }
            let asked = (squad.planner, squad.ground, from, to);
            self.crowd.trip[slot].lost = Trip::ASKED;
            self.ask(asked, Asker::Agent(self.crowd.id(slot as u32)));
        }
    }

    fn ask(&mut self, trip: Trips, asker: Asker) {
        if let Some(&ticket) = self.desk.by_trip.get(&trip)
            && let Some(pending) = self.desk.pending.iter_mut().rev().find(|pending| pending.ticket == ticket)
        {
            pending.askers.push(asker);
            return;
        }
        let (planner, ground, from, to) = trip;
        let ticket = self.pool.ask(Request {
            planner: self.planners[usize::from(planner)].1.clone(),
            ground: self.grounds[usize::from(ground)].clone(),
            query: Query::new(from, to),
        });
        self.desk.by_trip.insert(trip, ticket);
        self.desk.pending.push_back(Pending { ticket, trip, askers: vec![asker] });
    }

    /// Hands out the routes that fall due in this tick.
    ///
    /// # Errors
    /// Where a planner panicked; the other routes are handed out all the same.
    pub(super) fn deliver_routes(&mut self) -> Result<(), WorldError> {
        let mut due = std::mem::take(&mut self.desk.due);
        self.pool.deliver(self.settings.plan_budget, |answer| {
            due.push(Due { ticket: answer.ticket, result: answer.result, turns: answer.turns.to_vec() });
        });
        let mut failed = Ok(());
        for answer in due.drain(..) {
            let Some(pending) = self.desk.pending.pop_front() else { break };
            debug_assert_eq!(pending.ticket, answer.ticket);
            self.desk.by_trip.remove(&pending.trip);
            let found = match answer.result {
                Ok(outcome) => outcome.status == Status::Found,
                Err(error) => {
                    failed = failed.and(Err(error.into()));
                    false
                }
            };
            let route = if found { self.lay_route(&pending, &answer.turns) } else { RouteId::NONE };
            for &asker in &pending.askers {
                self.hand_out(asker, route, pending.trip.3);
            }
            // The askers hold it now.
            self.routes.release(route);
        }
        self.desk.due = due;
        failed
    }

    fn lay_route(&mut self, pending: &Pending, turns: &[Cell]) -> RouteId {
        let ground = &self.grounds[usize::from(pending.trip.1)];
        let points = &mut self.desk.points;
        waypoints(ground, &self.clearance, turns, ground.radius(), WIDEST, points);
        self.routes.add(points)
    }

    fn hand_out(&mut self, asker: Asker, route: RouteId, to: Cell) {
        match asker {
            Asker::Agent(id) => {
                let Some(row) = self.crowd.row(id) else { return };
                let trip = &mut self.crowd.trip[id.slot as usize];
                if trip.lost == Trip::ASKED && route != RouteId::NONE {
                    self.routes.hold(route);
                    trip.detour = route;
                    trip.detour_leg = entry(self.routes.points(route), self.crowd.position[row]);
                }
                trip.lost = 0;
            }
            // The order has changed since.
            Asker::Squad(s) if self.squads[s].errand != (Errand::Asked { to }) => {}
            Asker::Squad(s) if route == RouteId::NONE => self.squads[s].errand = Errand::Unreachable { to },
            Asker::Squad(s) => self.march(s, route, to),
        }
    }

    /// Sets a squad and all its members on a route.
    fn march(&mut self, s: usize, route: RouteId, to: Cell) {
        let squad = &mut self.squads[s];
        self.routes.release(squad.route);
        self.routes.hold(route);
        squad.route = route;
        squad.errand = Errand::Walked { to };
        let end = self.grid.lattice().centre(to);
        // Everybody keeps his place beside the others: to the right or left on the way, and around the end.
        let along = self.routes.points(route).first().map_or(Vec2::ZERO, |first| unit(first.at - squad.middle));
        for &id in &squad.members {
            let Some(row) = self.crowd.row(id) else { continue };
            let trip = &mut self.crowd.trip[id.slot as usize];
            self.routes.release(trip.route);
            self.routes.release(trip.detour);
            self.routes.hold(route);
            let points = self.routes.points(route);
            let position = self.crowd.position[row];
            let offset = position - squad.middle;
            trip.route = route;
            trip.detour = RouteId::NONE;
            trip.lost = 0;
            trip.leg = entry(points, position);
            trip.lane = cross(along, offset);
            let radius = self.crowd.radius[row];
            let place = end + offset;
            let stands = squad.order != Order::Attack
                && walls::is_clear(&self.grid, place, radius)
                && walls::line_of_sight(&self.grid, &self.clearance, end, place, radius);
            trip.post = match points.last() {
                _ if stands => place,
                Some(last) => last.abreast(trip.lane),
                None => end,
            };
        }
    }

    /// Takes the routes of agents that are about to leave.
    pub(super) fn release_routes(&mut self, gone: &[AgentId]) {
        for id in gone {
            if self.crowd.row(*id).is_some() {
                let trip = &mut self.crowd.trip[id.slot as usize];
                let post: Vec2 = trip.post;
                self.routes.release(trip.route);
                self.routes.release(trip.detour);
                *trip = Trip::stay(post);
            }
        }
    }
}
