//! An agent: its id, and what the cold columns have of it.

use super::{Lane, RouteId, RouteProgress};
use crate::ids::{ArmyId, SquadId, UnitId};
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;

/// An agent: a place in the cold columns, and which of its successive tenants is meant.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_sim::crowd::{Crowd, Newcomer};
/// use throng_sim::world::{ArmyId, UnitId};
/// let mut crowd = Crowd::default();
/// let walker = Newcomer {
///     position: Vec2::ONE,
///     facing: Vec2::X,
///     radius: 0.4,
///     top_speed: 2.0,
///     weight: 1.0,
///     army: ArmyId(0),
///     unit: UnitId(0),
///     squad: None,
/// };
/// let first = crowd.spawn(walker);
/// crowd.remove(&[first]);
/// let second = crowd.spawn(walker);
/// assert_eq!((second.slot, second.generation), (first.slot, first.generation + 1));
/// assert_eq!((crowd.row(first), crowd.row(second)), (None, Some(0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AgentId {
    /// Index into the cold columns.
    pub slot: u32,
    /// How many agents had the slot before.
    pub generation: u32,
}

impl AgentId {
    /// No agent.
    pub const NONE: AgentId = AgentId { slot: u32::MAX, generation: u32::MAX };
}

/// So near to its final place (m), an agent has arrived.
pub const ARRIVAL_RADIUS: f32 = 0.5;

/// How far an agent has followed its route, and where it stands in the end; a cold column.
///
/// ```
/// use throng_sim::crowd::{RouteFollower, RouteId, RouteProgress};
/// use throng_grid::geom::Vec2;
/// let stay = RouteFollower::stay(Vec2::ONE);
/// assert!(stay.route == RouteId::NONE && !stay.is_lost());
/// assert!(RouteFollower { route_progress: RouteProgress::Lost, ..stay }.is_lost());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "marks that come and go apart from each other")]
pub struct RouteFollower {
    /// The route it follows, shared with others.
    pub route: RouteId,
    /// The point of `route` it walks to; by a flow field, the cell.
    pub waypoint_index: u32,
    /// Whether it sees its route, and if not, what is done about it.
    pub route_progress: RouteProgress,
    /// Whether it can walk straight to its enemy, as it saw when it looked last.
    pub charges: bool,
    /// True from when it is sent to its post until it has come there.
    pub is_sent: bool,
    /// It has come there, and the events do not say so yet.
    pub has_come: bool,
    /// It keeps to its route, which leads round others at rest, though it may see its end past them.
    pub goes_round: bool,
    /// By a flow field: its [`Aim`] is where it walks past a corner, the cell `waypoint_index`, abreast of others.
    pub abreast: bool,
    /// Its lane among the agents that share its route.
    pub lane: Lane,
    /// The place where it stands in the end (m); it does not depend on its route.
    pub post: Vec2,
}

impl RouteFollower {
    /// True where it needs a route of its own, or another than it has.
    pub fn is_lost(&self) -> bool {
        matches!(self.route_progress, RouteProgress::Lost | RouteProgress::Cut)
    }

    /// Forgets the checks that it missed, unless it needs a route of its own or waits for one.
    pub(crate) fn clear_misses(&mut self) {
        if self.route_progress < RouteProgress::Lost {
            self.route_progress = RouteProgress::OnRoute;
        }
    }

    /// It is sent to a post (m), or is only given one.
    pub(crate) fn send(&mut self, post: Vec2, is_sent: bool) {
        (self.post, self.is_sent) = (post, is_sent);
        self.has_come &= !is_sent;
    }

    /// Nowhere to go: stays at `post`.
    pub fn stay(post: Vec2) -> Self {
        let (is_sent, has_come, abreast, lane) = (false, false, false, Lane::default());
        Self {
            route: RouteId::NONE,
            waypoint_index: 0,
            route_progress: RouteProgress::OnRoute,
            charges: false,
            goes_round: false,
            is_sent,
            has_come,
            lane,
            abreast,
            post,
        }
    }
}

/// The point that an agent walks to now; a cold column, written anew each tick, and saved, since what is told of an agent between
/// two ticks depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Aim {
    /// The point (m).
    pub point: Vec2,
    /// Distance from the point at which it is content (m); negative where it walks on past the point.
    pub stop: f32,
}

impl Aim {
    /// On to a point (m), there, and no further.
    pub fn at(point: Vec2) -> Self {
        Self { point, stop: 0.0 }
    }

    /// To a point (m) and on past it.
    pub fn past(point: Vec2) -> Self {
        Self { stop: -1.0, ..Self::at(point) }
    }
}

impl Default for Aim {
    /// Nowhere yet: content wherever it is.
    fn default() -> Self {
        Self { stop: f32::INFINITY, ..Self::at(Vec2::ZERO) }
    }
}

/// An agent so near to its post (m) that it sees it may take another.
pub(crate) const NEAR_POST: f32 = 40.0;

/// How long an agent has been at rest, or held up; a cold column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rest {
    /// Its place when it was last seen to move (m).
    pub place: Vec2,
    /// At how many looks in a row it was there, and wanted to be.
    pub looks: u16,
    /// How near it has come to its post (m), once it is within 40 m of it.
    pub nearest: f32,
    /// At how many looks in a row it wanted to go on, and came no nearer.
    pub held_up: u16,
    /// A place from which it has not gone (m), though it may swing there.
    pub anchor: Vec2,
    /// At how many looks in a row it was within [`SWING`](Rest::SWING) of there.
    pub swings: u16,
    /// A place around which it lingers (m), as one that jostles before a gate.
    pub around: Vec2,
    /// At how many looks in a row it was within [`LINGER`](Rest::LINGER) of there.
    pub lingers: u16,
}

impl Rest {
    /// Has just moved.
    pub fn none(place: Vec2) -> Self {
        Self {
            place,
            looks: 0,
            nearest: f32::INFINITY,
            held_up: 0,
            anchor: place,
            swings: 0,
            around: place,
            lingers: 0,
        }
    }

    /// An agent that goes no further than this to and fro (m) goes nowhere.
    pub const SWING: f32 = 0.5;

    /// An agent that goes no further than this (m) gets on no more, though it may be pushed to and fro.
    pub const LINGER: f32 = 2.0;

    /// True for an agent at a place (m) that gets on no more.
    pub fn lingers_at(&self, at: Vec2) -> bool {
        at.distance_squared(self.around) < Self::LINGER * Self::LINGER
    }

    /// True for an agent at a place (m) that has gone nowhere for three seconds, whatever its velocity.
    pub fn goes_nowhere(&self, at: Vec2) -> bool {
        self.swings >= 3 && at.distance_squared(self.anchor) < Self::SWING * Self::SWING
    }
}

/// The properties of a new agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newcomer {
    /// Centre (m).
    pub position: Vec2,
    /// Unit vector of where it looks.
    pub facing: Vec2,
    /// Radius (m).
    pub radius: f32,
    /// Greatest speed (m/s).
    pub top_speed: f32,
    /// How little it gives way: of two that meet, each takes the other's share of both weights as its duty. Positive, 1
    /// for all alike.
    pub weight: f32,
    /// Army.
    pub army: ArmyId,
    /// Kind of soldier.
    pub unit: UnitId,
    /// Squad.
    pub squad: Option<SquadId>,
}
