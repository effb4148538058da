//! Squads: they plan once, their members follow.

use super::{Order, OrderQueue, Ranks, RetryBackoff, SquadStats};
use crate::crowd::{AgentId, Crowd, RouteId};
use crate::ids::{ArmyId, UnitId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_grid::Cell;
use throng_grid::geom::Vec2;
use throng_plan::FlowField;

/// The way to a goal is that to another one, too, which is not further from it than this share of the way.
const ASTRAY_SHARE: f64 = 0.25;

/// True where the way from `here` to a goal that was `sought` is not the way to another `goal`: that is further from it than a quarter of the
/// way, and than `near` (all m).
pub(crate) fn is_astray(sought: Vec2, goal: Vec2, here: Vec2, near: f64) -> bool {
    // A goal may be so far off the map that squares of `f32` are infinite.
    let [sought, goal, here] = [sought, goal, here].map(Vec2::as_dvec2);
    sought.distance(goal) > near.max(ASTRAY_SHARE * here.distance(goal))
}

/// The wall that a squad is to break, and the cell from which it does so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Siege {
    /// The closed cell.
    pub wall: Cell,
    /// The cell that the squad goes to: from its middle the weapons reach the wall.
    pub stand: Cell,
}

/// The state of a squad's request for a route.
///
/// ```
/// use throng_sim::battle::{Order, RouteState, Unit};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let id = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]))?;
/// world.order(id, Order::GoTo(Vec2::new(20.5, 4.5)))?;
/// assert_eq!(world.squads()[0].route_state, RouteState::New);
/// world.tick()?; // asks
/// world.tick()?; // sets out
/// assert!(matches!(world.squads()[0].route_state, RouteState::Walked { .. }));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RouteState {
    /// The squad has a new order, and has not reviewed it yet.
    New,
    /// The squad has no route and wants none.
    None,
    /// The route is to be asked for.
    Wanted {
        /// From the cell of the member in the middle.
        from: Cell,
        /// Goal.
        to: Cell,
    },
    /// The route has been asked for.
    Asked {
        /// Goal.
        to: Cell,
    },
    /// The squad walks the route.
    Walked {
        /// Goal.
        to: Cell,
    },
    /// There is no route.
    Unreachable {
        /// Goal.
        to: Cell,
    },
}

/// A squad: soldiers of one unit under one order. [`World::squads`](crate::world::World::squads) shows them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Squad {
    /// Its army.
    pub army: ArmyId,
    /// Its kind of soldiers.
    pub unit: UnitId,
    /// Its members, the dead taken out at each review.
    pub members: Vec<AgentId>,
    /// Its leader: the first of its members at the start, dead or alive.
    pub leader: AgentId,
    /// Its order.
    pub order: Order,
    /// The orders after that one.
    pub queue: OrderQueue,
    /// Its planner, an index into the world's.
    pub planner: u16,
    /// The ground of its unit, an index into the world's.
    pub ground: u16,
    /// The ground on which it finds the ways that are good for many, if it is many.
    pub wide: Option<u16>,
    /// The mean of its members' positions at the last review (m).
    pub centre: Vec2,
    /// The position of the member nearest to `centre` at the last review (m).
    pub middle: Vec2,
    /// The place of its middle in the end (m), once it has set out for the point that it is sent to.
    pub goal: Option<Vec2>,
    /// How far its members have their posts from its goal, or stand from its centre where it has none, at most (m).
    pub extent: f32,
    /// Its route; members hold it too.
    pub route: RouteId,
    /// The field it walks by instead of a route, shared by all squads with this goal.
    #[serde(skip)]
    pub field: Option<Arc<FlowField>>,
    /// The state of its request for a route.
    pub route_state: RouteState,
    /// The point for which it has asked for its route (m).
    pub sought: Vec2,
    /// When it asks again for a route after a failure.
    pub backoff: RetryBackoff,
    /// The wall that it is to break, since none of its enemies can be reached.
    pub siege: Option<Siege>,
    /// The order that it keeps, if it keeps any.
    pub ranks: Option<Box<Ranks>>,
    /// Its counts of kills, losses, damage and distance.
    pub tally: SquadStats,
}

impl Squad {
    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.members.capacity() * size_of::<AgentId>()
            + self.queue.bytes()
            + self.ranks.as_ref().map_or(0, |ranks| ranks.bytes())
    }

    /// True where the way to the point for which it has asked is not the way to another (m): that is further from it than a quarter of
    /// the way.
    pub(crate) fn is_astray(&self, point: Vec2) -> bool {
        is_astray(self.sought, point, self.middle, 0.0)
    }

    /// Takes another route, or none, and gives back the one before.
    pub(crate) fn take_route(&mut self, route: RouteId) -> RouteId {
        if let Some(ranks) = &mut self.ranks {
            ranks.turn();
        }
        std::mem::replace(&mut self.route, route)
    }

    /// True while its members go to their places in its formation rather than along the route.
    #[inline]
    pub(crate) fn keeps_ranks(&self) -> bool {
        self.ranks.as_ref().is_some_and(|ranks| ranks.is_kept())
    }

    /// True while its members are to wait in their places until it goes on.
    pub(crate) fn waits_in_ranks(&self) -> bool {
        self.keeps_ranks() && !self.order.stays() && self.ranks.as_ref().is_some_and(|ranks| !ranks.has_come())
    }

    /// True where its members stay at their posts, or will once they are there.
    pub(crate) fn has_place(&self) -> bool {
        match &self.ranks {
            _ if self.members.is_empty() => false,
            Some(ranks) => self.order.stays() || ranks.is_kept() && ranks.has_come(),
            None => self.order.stays() || self.goal.is_some(),
        }
    }

    /// A member has its post at a place (m) from now on.
    pub(crate) fn reaches(&mut self, post: Vec2) {
        if let Some(goal) = self.goal {
            self.extent = self.extent.max(post.distance(goal));
        }
    }

    /// The middle of the posts of its members, and how far they are from it at most (m).
    pub(crate) fn place(&self) -> (Vec2, f32) {
        let middle = self.goal.filter(|_| self.ranks.is_none()).unwrap_or(self.centre);
        (middle, self.extent)
    }

    /// Takes out the dead and writes `centre` and `middle`. Ties for the middle go to the smaller slot.
    pub fn review(&mut self, crowd: &Crowd) {
        self.members.retain(|&id| crowd.row(id).is_some());
        let place = |&id: &AgentId| crowd.row(id).map(|row| crowd.rows.position[row]);
        if self.members.is_empty() {
            return;
        }
        self.centre = middle_of(self.members.iter().filter_map(place));
        let nearest = self
            .members
            .iter()
            .filter_map(|id| place(id).map(|at| (at.distance_squared(self.centre), id.slot, at)))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((_, _, at)) = nearest {
            self.middle = at;
        }
        if self.goal.is_none() || self.ranks.is_some() {
            let far = self.members.iter().filter_map(place).map(|at| at.distance_squared(self.centre));
            self.extent = far.fold(0.0, f32::max).sqrt();
        }
    }
}

/// The mean of some places (m), summed in whole micrometres: the same in any order. 0, 0 of none.
pub(super) fn middle_of(places: impl Iterator<Item = Vec2>) -> Vec2 {
    let add = |(count, [x, y]): (u32, [i64; 2]), at: Vec2| {
        let [dx, dy] = [at.x, at.y].map(|part| (f64::from(part) * 1e6).round() as i64);
        (count + 1, [x + dx, y + dy])
    };
    let (count, sum) = places.fold((0, [0; 2]), add);
    Vec2::from(sum.map(|sum| (sum as f64 / (1e6 * f64::from(count.max(1)))) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_middle_is_the_same_in_any_order_and_in_parts(
            places in prop::collection::vec((0.0_f32..5000.0, 0.0_f32..5000.0), 1..200),
        ) {
            let places: Vec<Vec2> = places.into_iter().map(Vec2::from).collect();
            let middle = middle_of(places.iter().copied());
            prop_assert_eq!(middle, middle_of(places.iter().rev().copied()));
            let mean = places.iter().fold([0.0_f64; 2], |[x, y], at| [x + f64::from(at.x), y + f64::from(at.y)]);
            let mean = mean.map(|sum| sum / places.len() as f64);
            let off = [f64::from(middle.x) - mean[0], f64::from(middle.y) - mean[1]];
            prop_assert!(off.iter().all(|off| off.abs() < 1e-3), "{middle} {mean:?}");
        }
    }
}
