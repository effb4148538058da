//! The reason why an agent stands still.

use super::idle_reason::IdleReason;
use super::no_way::Bottlenecks;
use super::parts::State;
use super::state::travels::{TravelState, Traveller};
use super::travel::leader_row;
use super::{Task, Until, World};
use crate::battle::{RetryBackoff, RouteState, SiegeView, Squad, Unit, fights};
use crate::crowd::{ARRIVAL_RADIUS, AgentId, RouteFollower, RouteId, RouteProgress};
use std::ops::ControlFlow;
use throng_grid::geom::{Vec2, unit};
use throng_grid::walls;
use throng_spatial::{Index, IndexKind, SpatialIndex};

/// Slower than this share of its unit's speed, an agent stands.
const STANDS_SHARE: f32 = 0.1;

/// An agent so near (m, from body to body) ahead is in its way.
const IN_THE_WAY_M: f32 = 0.3;

/// With none so near, agents within this distance (m, from body to body) hold it up.
const HELD_UP_M: f32 = 1.5;

/// A wall in a direction that is less than this from straight ahead (cosine) stops it.
const STRAIGHT_AHEAD_COSINE: f32 = 0.7;

/// An agent within this much of straight ahead (cosine) is ahead: two that touch it from either side leave it no way.
const AHEAD_COSINE: f32 = 0.15;

impl IdleReason {
    /// In words, with the [numbers](World::person) of a world's agents.
    pub fn told(&self, world: &World) -> String {
        let numbered = |id: AgentId| AgentId { slot: world.person(id), ..id };
        let told = match *self {
            Self::Fights { enemy } => Self::Fights { enemy: numbered(enemy) },
            Self::Shoots { enemy } => Self::Shoots { enemy: numbered(enemy) },
            Self::WithLeader { leader } => Self::WithLeader { leader: numbered(leader) },
            Self::Blocked { by } => Self::Blocked { by: by.map(|id| id.map(numbered)) },
            other => other,
        };
        told.to_string()
    }
}

impl World {
    /// The number of an agent among all that were ever there: that of records and messages, which no other agent gets.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let first = world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[])?[0];
    /// world.remove(&[first]);
    /// let second = world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[])?[0];
    /// assert_eq!((first.slot, second.slot), (0, 0));
    /// assert_eq!((world.person(second), world.crowd().numbered(0), world.crowd().numbered(1)), (1, None, Some(second)));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn person(&self, agent: AgentId) -> u32 {
        self.state.crowd.slots.person.get(agent.slot as usize).copied().unwrap_or(agent.slot)
    }

    /// Why an agent stands still, as of the last tick; `None` where it is gone.
    ///
    /// O(agents), from the state alone; O(cells + agents) where there is no route.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{SquadSpec, Settings, IdleReason, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]))?;
    /// let (id, _) = world.positions().next().unwrap();
    /// world.tick()?;
    /// assert_eq!(world.why(id), Some(IdleReason::Holds));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn why(&self, id: AgentId) -> Option<IdleReason> {
        Some(self.told(id, self.reason(id, None)?, &mut Bottlenecks::new()))
    }

    /// [`World::why`], but for the gap that stops it where it has no route. `index` has all agents, where there is one.
    fn reason(&self, id: AgentId, index: Option<&Index>) -> Option<IdleReason> {
        let row = self.state.living_row(id)?;
        let slot = id.slot as usize;
        let kind = self.state.unit_of(slot);
        let (position, speed) = (self.state.crowd.rows.position[row], self.state.crowd.rows.velocity[row].length());
        if fights(&self.state.crowd, &self.state.soldiers, kind, (row, slot)) {
            return Some(IdleReason::Fights { enemy: self.state.soldiers.target(slot) });
        }
        if self.state.driven.contains_key(&id.slot) {
            return Some(IdleReason::Driven);
        }
        let squad = self.state.squad_of(slot);
        // An agent that is served is served, though it may be jostled.
        let at_stop = self.why_at_stop(id, position);
        if matches!(at_stop, Some(IdleReason::InQueue { served_until: Some(_), .. })) {
            return at_stop;
        }
        if speed > STANDS_SHARE * kind.speed && !self.state.crowd.slots.rest[slot].goes_nowhere(position) {
            return Some(IdleReason::Moves { speed });
        }
        if at_stop.is_some() {
            return at_stop;
        }
        if let Some(busy) = self.why_busy(row, kind, squad) {
            return Some(busy);
        }
        let follower = &self.state.crowd.slots.follower[slot];
        if let Some(told) = self.why_no_route(id, follower) {
            return Some(told);
        }
        if let Some(squad) = squad {
            let stays = position.distance(follower.post) < ARRIVAL_RADIUS && follower.route == RouteId::NONE;
            match squad.route_state {
                RouteState::New => return Some(IdleReason::NotSetOut),
                RouteState::Wanted { .. } | RouteState::Asked { .. } if stays => {
                    return Some(self.awaits(&squad.backoff));
                }
                RouteState::Unreachable { .. } if !Self::has_come(squad, follower, position) => {
                    return Some(self.no_route(&squad.backoff));
                }
                RouteState::None if self.seeks_in_vain(squad, position) => {
                    return Some(self.looks_again(self.state.crowd.slots.squad[slot]));
                }
                _ if squad.waits_in_ranks() && position.distance(follower.post) < ARRIVAL_RADIUS => {
                    return Some(IdleReason::InRanks);
                }
                _ if squad.order.stays() && stays => return Some(IdleReason::Holds),
                _ => {}
            }
        }
        let place = self.final_place(id, squad);
        if position.distance(place) <= ARRIVAL_RADIUS {
            let alone = self.traveller(id).and_then(|one| Some((one.sent_to()?, one.goal)));
            let sent = squad.and_then(|squad| squad.order.destination().zip(squad.goal));
            let near = alone.or(sent).filter(|(point, goal)| point.distance(*goal) > ARRIVAL_RADIUS);
            return Some(near.map_or(IdleReason::AtGoal, |(goal, _)| IdleReason::NearGoal { goal }));
        }
        if kind.speed == 0.0 {
            return Some(IdleReason::Rooted);
        }
        // The point to which it walks; before the first tick that is not known.
        let aim = &self.state.crowd.slots.aim[slot];
        let goal = if aim.stop.is_finite() { aim.point } else { place };
        Some(self.why_stuck(row, unit(goal - position), index))
    }

    /// One on a journey, or sent to a point alone.
    pub(super) fn traveller(&self, id: AgentId) -> Option<&Traveller> {
        self.state.travels.travellers.get(&id.slot).filter(|one| one.id == id)
    }

    /// The place where an agent stands in the end (m).
    fn final_place(&self, id: AgentId, squad: Option<&Squad>) -> Vec2 {
        let follower = &self.state.crowd.slots.follower[id.slot as usize];
        let is_bound = |one: &&Traveller| matches!(one.state, TravelState::Bound | TravelState::Walks { .. });
        let bound = self.traveller(id).filter(is_bound);
        match (bound, self.state.routes.points(follower.route).last()) {
            (Some(traveller), _) => traveller.goal,
            // An attack goes to the end of the route.
            (None, Some(end)) if squad.is_some_and(|squad| squad.order.attacks()) => end.at,
            _ => follower.post,
        }
    }

    /// How many agents stand for each reason, by [`IdleReason::name`], the most frequent first; moving agents are left out.
    ///
    /// O(agents · neighbours).
    pub fn standing(&self) -> Vec<(&'static str, u64)> {
        let mut index = Index::new(IndexKind::Grid);
        let index = index.rebuild(self.state.crowd.rows.bodies(self.state.crowd.len())).is_ok().then_some(index);
        let mut counts = std::collections::BTreeMap::new();
        let mut gaps = Bottlenecks::new();
        for told in
            self.positions().filter_map(|(id, _)| Some(self.told(id, self.reason(id, index.as_ref())?, &mut gaps)))
        {
            if !matches!(told, IdleReason::Moves { .. }) {
                *counts.entry(told.name()).or_insert(0) += 1;
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        counts
    }

    /// How an agent on a journey is busy at its stop; `None` where it is on its way.
    fn why_at_stop(&self, id: AgentId, position: Vec2) -> Option<IdleReason> {
        let traveller = self.traveller(id)?;
        if traveller.sent_to().is_some() {
            return None;
        }
        let (task, state) = self.state.travels.stop_of(traveller);
        let ahead = || state.line.iter().position(|&other| other == id).unwrap_or(0) as u32;
        let of = state.line.len() as u32;
        match traveller.state {
            TravelState::New => Some(IdleReason::NotSetOut),
            TravelState::Bound | TravelState::Walks { .. } | TravelState::Came { .. } => None,
            TravelState::Waits { until } => {
                Some(IdleReason::Waits { until, left: until.saturating_sub(self.state.tick) })
            }
            TravelState::Gathers => match task {
                Task::Wait(Until::Come(count)) => Some(IdleReason::WaitsForOthers { come: of, of: *count }),
                _ => None,
            },
            TravelState::Outside => Some(IdleReason::AreaFull { ahead: ahead() }),
            TravelState::Lined { until } => Some(IdleReason::InQueue { ahead: ahead(), of, served_until: until }),
            TravelState::Follows => {
                let &Task::Follow { leader, .. } = task else { return None };
                let leader = leader_row(&self.state, leader, id)?;
                // In its place, or nearer than that.
                let (post, led) =
                    (self.state.crowd.slots.follower[id.slot as usize].post, self.state.crowd.rows.position[leader]);
                let there = post.distance(position) < ARRIVAL_RADIUS || led.distance(position) <= led.distance(post);
                let leader = self.state.crowd.id(self.state.crowd.rows.slot[leader]);
                there
                    .then_some(IdleReason::WithLeader { leader })
                    .filter(|_| self.state.requests.backoffs.get(&id).is_none_or(|backoff| backoff.failures == 0))
            }
        }
    }

    /// An agent that shoots or breaks a wall from where it stands.
    fn why_busy(&self, row: usize, kind: &Unit, squad: Option<&Squad>) -> Option<IdleReason> {
        let (slot, position) = (self.state.crowd.rows.slot[row] as usize, self.state.crowd.rows.position[row]);
        let enemy = self.state.soldiers.target(slot);
        let ranged = kind.ranged.as_ref().filter(|_| self.state.soldiers.shoots(slot));
        let aimed_at = ranged.zip(self.state.crowd.row(enemy));
        if aimed_at
            .is_some_and(|(ranged, enemy)| position.distance(self.state.crowd.rows.position[enemy]) < ranged.range)
        {
            return Some(IdleReason::Shoots { enemy });
        }
        let Self { grid, state, .. } = self;
        let State { ramparts, units, .. } = state;
        let fortress = SiegeView { grid, clearance: grid.clearance(), ramparts, units };
        let squad = squad?;
        let allies = self.state.relations.allies(squad.army);
        let wall = fortress.struck(position, kind.radius + kind.reach, squad.siege?, allies)?;
        Some(IdleReason::Breaks { wall: grid.lattice().centre(wall) })
    }

    /// An agent that is to have a route of its own.
    fn why_no_route(&self, id: AgentId, follower: &RouteFollower) -> Option<IdleReason> {
        let backoff = self.state.requests.backoffs.get(&id)?;
        let has_none = follower.route == RouteId::NONE;
        let asks = has_none || backoff.may_ask(self.state.tick);
        if follower.route_progress == RouteProgress::Requested || follower.is_lost() && backoff.failures == 0 && asks {
            return Some(self.awaits(backoff));
        }
        // A member of a squad may have found the way by itself.
        let waits = has_none || follower.is_lost() || backoff.again > self.state.tick;
        (waits && backoff.failures > 0).then(|| self.no_route(backoff))
    }

    fn awaits(&self, backoff: &RetryBackoff) -> IdleReason {
        IdleReason::AwaitsRoute { asked: backoff.asked, ago: self.state.tick.saturating_sub(backoff.asked) }
    }

    pub(super) fn no_route(&self, backoff: &RetryBackoff) -> IdleReason {
        let &RetryBackoff { again, failures, .. } = backoff;
        IdleReason::NoRoute { again, left: again.saturating_sub(self.state.tick), failures }
    }

    /// The obstacle of an agent that would go in a direction.
    fn why_stuck(&self, row: usize, way: Vec2, index: Option<&Index>) -> IdleReason {
        let crowd = &self.state.crowd;
        let (position, radius) = (crowd.rows.position[row], crowd.rows.radius[row]);
        let ahead_within = |reach: f32| {
            let mut by = [(f32::INFINITY, AgentId::NONE); 3];
            let mut see = |other: usize| {
                let apart = crowd.rows.position[other] - position;
                let gap = apart.length() - radius - crowd.rows.radius[other];
                if other == row || gap > reach || unit(apart).dot(way) < AHEAD_COSINE {
                    return;
                }
                let id = crowd.id(crowd.rows.slot[other]);
                let place = by.iter().position(|&(nearest, known)| (gap, id) < (nearest, known));
                if let Some(place) = place {
                    by[place..].rotate_right(1);
                    by[place] = (gap, id);
                }
            };
            if let Some(index) = index {
                let apart = reach + radius + self.derived.widest;
                let _ = index.within(crowd.rows.bodies(crowd.len()), position.to_array(), apart * 1.01, |other, _| {
                    see(other as usize);
                    ControlFlow::Continue(())
                });
            } else {
                (0..crowd.len()).for_each(see);
            }
            let by = by.map(|(_, id)| Some(id).filter(|&id| id != AgentId::NONE));
            by[0].map(|_| IdleReason::Blocked { by })
        };
        let wall = |ahead: f32| {
            let wall = walls::wall_near(&self.grid, self.grid.clearance(), position, radius + IN_THE_WAY_M);
            let wall = wall.filter(|&wall| unit(wall - position).dot(way) > ahead);
            wall.map(|wall| IdleReason::AtWall { wall })
        };
        let told =
            ahead_within(IN_THE_WAY_M).or_else(|| wall(STRAIGHT_AHEAD_COSINE)).or_else(|| ahead_within(HELD_UP_M));
        told.or_else(|| wall(0.0)).unwrap_or(IdleReason::SetsOut)
    }
}
