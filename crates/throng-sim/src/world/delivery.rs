//! Routes are handed out to those that asked for them.

use super::routes::{Asker, BLOCKS, Desk, Due, Pending, WIDEST, Way};
use super::{World, WorldError};
use crate::battle::Errand;
use crate::crowd::{AgentId, LOOKS_LOST, Lane, RouteId, Trip, entry, stretches};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, walls};
use throng_plan::{Answer, AnswerKind, Status, Ticket};

/// Routes that only the desk still holds are dropped every so many ticks, with the search for better ones.
const TIDY_EVERY: u64 = 64;

impl World {
    /// Hands out the routes that fall due in this tick.
    ///
    /// # Errors
    /// Where a planner panicked; the other routes are handed out all the same.
    pub(super) fn deliver_routes(&mut self) -> Result<(), WorldError> {
        let mut due = Vec::new();
        self.derived.pool.deliver(self.settings.plan_budget, |answer| {
            let Answer { ticket, kind, result, turns, .. } = answer;
            due.push(Due { ticket, kind, result, turns: turns.to_vec() });
        });
        let mut failed = Ok(());
        for answer in due {
            let Some(mut pending) = self.state.desk.pending.remove(&answer.ticket) else { continue };
            let found = match answer.result {
                Ok(outcome) => outcome.status == Status::Found,
                Err(error) => {
                    failed = failed.and(Err(error.into()));
                    false
                }
            };
            // A limit that is reached, or an error, leaves those who walk already on their route.
            let route = if found { self.lay_route(&pending, &answer.turns) } else { pending.walked };
            if !found {
                self.state.routes.hold(route);
            }
            let is_cut_off = route != RouteId::NONE && self.is_cut_off(route);
            let stale = pending.revision != self.grid.revision() || is_cut_off;
            if stale && !(route != RouteId::NONE && self.is_walkable(route)) {
                self.state.routes.release(route);
                self.state.routes.release(pending.walked);
                pending.askers.iter().for_each(|&asker| self.send_back(asker, &pending.trip));
                self.derived.pool.cancel(answer.ticket);
                continue;
            }
            if route != pending.walked || route == RouteId::NONE {
                for &asker in &pending.askers {
                    self.hand_out(asker, route, pending.walked, &pending.trip);
                }
            }
            self.state.routes.release(pending.walked);
            if answer.kind == AnswerKind::Interim {
                pending.walked = route;
                self.state.desk.pending.insert(answer.ticket, pending);
                continue;
            }
            if self.state.desk.by_trip.get(&pending.trip) == Some(&answer.ticket) {
                self.state.desk.by_trip.remove(&pending.trip);
            }
            // The desk holds it too, for those who ask for the same trip later.
            if stale {
                self.state.routes.release(route);
            } else if route != RouteId::NONE {
                self.state.routes.release(self.state.desk.walked.insert(pending.trip, route).unwrap_or(RouteId::NONE));
            }
        }
        if self.state.tick.is_multiple_of(TIDY_EVERY) {
            self.state.desk.walked.retain(|_, &mut route| {
                let walked = self.state.routes.holders(route) > 1;
                if !walked {
                    self.state.routes.release(route);
                }
                walked
            });
            self.drop_unwalked();
        }
        failed
    }

    /// Of a route that nobody walks any more no better one is looked for.
    fn drop_unwalked(&mut self) {
        let unwalked =
            |pending: &Pending| pending.walked != RouteId::NONE && self.state.routes.holders(pending.walked) == 1;
        let tickets: Vec<Ticket> = self
            .state
            .desk
            .pending
            .iter()
            .filter(|(_, pending)| unwalked(pending))
            .map(|(&ticket, _)| ticket)
            .collect();
        for ticket in tickets {
            self.drop_search(ticket);
        }
    }

    fn lay_route(&mut self, pending: &Pending, turns: &[Cell]) -> RouteId {
        let ground = &self.derived.grounds[usize::from(pending.trip.ground)];
        // The body that has to fit beside the others is that of a member, not that of the whole squad.
        let asker = pending.askers.iter().find_map(|&asker| match asker {
            Asker::Squad(s) | Asker::Detour(s) => {
                Some((self.state.units[usize::from(self.state.squads[s].unit)].radius, WIDEST))
            }
            Asker::Agent(_) | Asker::Traveller(_) => None,
        });
        let (body, widest) = asker.unwrap_or((ground.radius(), BLOCKS[0]));
        // The first part of a route ends on the way.
        let end = turns.last().copied().filter(|&end| end != pending.trip.to).unwrap_or(pending.trip.goal);
        let Desk { points, crossings, .. } = &mut self.state.desk;
        stretches(ground, self.grid.clearance(), turns, end, body, widest, points, crossings);
        let route = self.state.routes.add(points);
        self.state.routes.set_crossings(route, crossings);
        route
    }

    /// The map has changed since the route was asked for, and it is no good: it is asked for again.
    fn send_back(&mut self, asker: Asker, trip: &Way) {
        match asker {
            Asker::Agent(id) | Asker::Traveller(id) => {
                let lives = self.state.crowd.row(id).is_some();
                let lost = &mut self.state.crowd.trip[id.slot as usize].lost;
                if lives && *lost == Trip::ASKED {
                    *lost = LOOKS_LOST;
                }
            }
            Asker::Squad(s) if self.state.squads[s].errand == (Errand::Asked { to: trip.goal }) => {
                self.state.squads[s].errand = Errand::New;
            }
            Asker::Squad(_) | Asker::Detour(_) => {}
        }
    }

    /// Sets somebody out on a route, or says that there is none. Who walks `before`, the route that this one is better than or
    /// goes on from, changes over to it from where it is.
    pub(super) fn hand_out(&mut self, asker: Asker, route: RouteId, before: RouteId, trip: &Way) {
        let &Way { from, goal: to, .. } = trip;
        let walks = |walked: RouteId| before != RouteId::NONE && walked == before;
        match asker {
            Asker::Traveller(id) => self.set_out_alone(id, route, before, to),
            Asker::Agent(id) => {
                let Some(row) = self.state.crowd.row(id) else { return };
                let is_bound = self.errand_alone(id).is_some_and(|way| way.to == to);
                let trip = &mut self.state.crowd.trip[id.slot as usize];
                if !is_bound {
                    // It is to go elsewhere by now: it sets out with its squad, or asks anew.
                    trip.lost = if trip.lost == Trip::ASKED { LOOKS_LOST } else { trip.lost };
                } else if walks(trip.route) {
                    self.change_over(id, row, route);
                } else if trip.lost != Trip::ASKED && !trip.is_lost() {
                    // It has another route by now.
                } else if route == RouteId::NONE {
                    trip.lost = LOOKS_LOST;
                    self.has_no_route(id);
                } else {
                    let leg = self.leg_in_sight(row, route).unwrap_or(0);
                    let left = self.state.routes.left(route, leg, self.state.crowd.position[row]);
                    self.state.desk.asking.entry(id).or_default().finds(left);
                    self.set_out(id, row, leg, route, 0.5 * BLOCKS[0]);
                }
            }
            Asker::Squad(s)
                if self.state.squads[s].errand == (Errand::Walked { to }) && walks(self.state.squads[s].route) =>
            {
                self.state.routes.hold(route);
                self.state.routes.release(self.state.squads[s].take_route(route));
                for m in 0..self.state.squads[s].members.len() {
                    let id = self.state.squads[s].members[m];
                    if let Some(row) =
                        self.state.crowd.row(id).filter(|_| walks(self.state.crowd.trip[id.slot as usize].route))
                    {
                        self.change_over(id, row, route);
                    }
                }
            }
            Asker::Detour(s) => {
                if self.state.squads[s].errand == (Errand::Walked { to }) && self.is_worth_a_turn(s, route) {
                    self.march(s, route, from, to);
                }
            }
            // The order has changed since.
            Asker::Squad(s) if self.state.squads[s].errand != (Errand::Asked { to }) => {}
            Asker::Squad(s) if route == RouteId::NONE => self.cannot_reach(s, to),
            Asker::Squad(s) => self.march(s, route, from, to),
        }
    }

    /// There is no route for a squad: it waits before it asks again.
    pub(super) fn cannot_reach(&mut self, s: usize, to: Cell) {
        let second = self.ticks_of(1.0);
        self.state.squads[s].errand = Errand::Unreachable { to };
        let members = self.state.squads[s].members.iter().filter(|&&id| self.state.crowd.row(id).is_some());
        self.state.events.no_route.extend(members);
        self.state.squads[s].patience.fails(self.state.tick, s as u32, second);
    }

    /// Sets a squad on a route. Members who see it walk it; the others go on as they were, and ask for their own.
    fn march(&mut self, s: usize, route: RouteId, from: Cell, to: Cell) {
        self.state.routes.hold(route);
        self.state.routes.release(self.state.squads[s].take_route(route));
        self.state.squads[s].errand = Errand::Walked { to };
        self.state.squads[s].patience.is_content();
        self.post_members(s, to);
        let members = &self.state.squads[s].members;
        let start = self.grid.lattice().centre(from);
        let across = self.state.routes.points(route).get(1).map_or(Vec2::ZERO, |first| first.right);
        let rows = members.iter().filter_map(|&id| self.state.crowd.row(id));
        let half =
            rows.map(|row| (self.state.crowd.position[row] - start).dot(across).abs()).fold(0.0, f32::max).min(WIDEST);
        let follows = |&id: &AgentId| self.state.crowd.row(id).filter(|_| !self.state.soldiers.flees(id.slot as usize));
        let first_leg = |id: &AgentId| follows(id).map(|row| (row, self.leg_in_sight(row, route)));
        let legs: Vec<_> = members.par_iter().with_min_len(256).map(first_leg).collect();
        for (m, leg) in legs.into_iter().enumerate() {
            let Some((row, leg)) = leg else { continue };
            let id = self.state.squads[s].members[m];
            self.state.desk.asking.remove(&id);
            if let Some(leg) = leg {
                self.set_out(id, row, leg, route, half);
            } else {
                self.scratch.waking.push(id.slot);
                self.state.crowd.trip[id.slot as usize].lost = LOOKS_LOST;
            }
        }
    }

    /// Splices a route to where an agent is on the one before it. An agent that does not see it stays on the old one, until that
    /// ends or it is lost.
    fn change_over(&mut self, id: AgentId, row: usize, route: RouteId) {
        let Some(leg) = self.leg_in_sight(row, route) else { return };
        let lane = self.state.crowd.trip[id.slot as usize].lane;
        self.take_route(id, route, leg, lane);
    }

    /// An agent goes by another route from now on, on to leg `leg`.
    pub(super) fn take_route(&mut self, id: AgentId, route: RouteId, leg: u32, lane: Lane) {
        self.state.routes.hold(route);
        self.scratch.waking.push(id.slot);
        let trip = &mut self.state.crowd.trip[id.slot as usize];
        let old = std::mem::replace(trip, Trip { route, leg, lost: 0, charges: false, lane, ..*trip });
        self.state.routes.release(old.route);
    }

    /// The point of a route that the agent in a row can walk to at once, near where the route passes it.
    pub(super) fn leg_in_sight(&self, row: usize, route: RouteId) -> Option<u32> {
        let (position, radius) = (self.state.crowd.position[row], self.state.crowd.radius[row]);
        let points = self.state.routes.points(route);
        let leg = entry(points, position);
        // Where terrain or heights count, nobody leaves out a point of the way.
        let unit = &self.state.units[usize::from(self.state.crowd.unit[self.state.crowd.slot[row] as usize])];
        let counts = unit.terrain.is_some() || self.grid.height_layer().is_some();
        let furthest = if counts { leg.max(1) } else { leg + 1 };
        let first = |sees: &dyn Fn(Vec2) -> bool| {
            let legs = [furthest, leg, leg.saturating_sub(1)];
            legs.into_iter().find(|&leg| points.get(leg as usize).is_some_and(|point| sees(point.at)))
        };
        first(&|at| walls::line_of_sight(&self.grid, self.grid.clearance(), position, at, radius))
            // An agent that touches a wall sees nothing with its whole radius.
            .or_else(|| first(&|at| self.walk().can_walk(position, at, radius)))
    }

    /// Sets an agent on leg `leg` of a route, beside others who have spread by `half` (m) to either side of its start.
    fn set_out(&mut self, id: AgentId, row: usize, leg: u32, route: RouteId, half: f32) {
        let points = self.state.routes.points(route);
        // Everybody keeps its place beside the others, to the right or left on the way.
        let start = points.first().map_or(Vec2::ZERO, |first| first.at);
        let across = points.get(1).map_or(Vec2::ZERO, |first| first.right);
        let right = (self.state.crowd.position[row] - start).dot(across);
        self.take_route(id, route, leg, Lane { right: right.clamp(-half, half), half });
    }
}
