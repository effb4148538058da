//! The reason why an agent stands still.

use crate::crowd::AgentId;
use std::fmt;
use throng_grid::geom::Vec2;

/// Why an agent stands still, or that it does not: [`World::why`](crate::world::World::why) tells.
///
/// ```
/// use throng_sim::world::IdleReason;
/// let asked = IdleReason::AwaitsRoute { asked: 30, ago: 12 };
/// assert_eq!((asked.name(), asked.to_string().as_str()), ("awaits route", "waits for its route, asked 12 ticks ago"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IdleReason {
    /// It does not stand.
    Moves {
        /// Its speed (m/s).
        speed: f32,
    },
    /// It fights.
    Fights {
        /// Its target.
        enemy: AgentId,
    },
    /// It shoots, or waits until it may shoot again.
    Shoots {
        /// Its target.
        enemy: AgentId,
    },
    /// It breaks a wall or a gate.
    Breaks {
        /// The middle of the cell (m).
        wall: Vec2,
    },
    /// It is in its place in the ranks, which wait for other members.
    InRanks,
    /// It has an order that its squad has not reviewed yet.
    NotSetOut,
    /// Its squad has the order to hold.
    Holds,
    /// It has arrived: within [`ARRIVAL_RADIUS`](crate::crowd::ARRIVAL_RADIUS) of its final place. That is the point it was sent to, or its post
    /// among the others of its squad.
    AtGoal,
    /// It is in its final place, and that is as near as there is room to where its squad was sent.
    NearGoal {
        /// The point to which the squad was sent (m).
        goal: Vec2,
    },
    /// It waits until a tick.
    Waits {
        /// The tick.
        until: u64,
        /// How many ticks that is from now.
        left: u64,
    },
    /// It waits for others.
    WaitsForOthers {
        /// How many have come.
        come: u32,
        /// How many must come.
        of: u32,
    },
    /// It stands in a queue.
    InQueue {
        /// How many are ahead of it.
        ahead: u32,
        /// How many stand in the queue.
        of: u32,
        /// While it is being served: the tick in which that ends.
        served_until: Option<u64>,
    },
    /// The area to which it is bound is full.
    AreaFull {
        /// How many have waited longer than it for a place.
        ahead: u32,
    },
    /// It has come up to its leader.
    WithLeader {
        /// The leader.
        leader: AgentId,
    },
    /// It has asked for a route, or does so in this tick, and has none yet.
    AwaitsRoute {
        /// The tick in which it asked.
        asked: u64,
        /// How many ticks ago that was.
        ago: u64,
    },
    /// There is no route to its goal.
    NoRoute {
        /// The tick from which it asks again.
        again: u64,
        /// How many ticks that is from now.
        left: u64,
        /// How often in a row it has asked in vain.
        failures: u8,
    },
    /// There is no route to its goal, since a gap is too narrow for its body: a point would get through.
    TooNarrow {
        /// The radius of its body (m).
        radius: f32,
        /// The first place on the way that is too narrow (m).
        at: Vec2,
    },
    /// Others are in its way.
    Blocked {
        /// The nearest of them ahead, the nearest first, at least one.
        by: [Option<AgentId>; 3],
    },
    /// A wall is in its way.
    AtWall {
        /// The nearest point of the wall (m).
        wall: Vec2,
    },
    /// It is [moved from outside](crate::world::World::drive).
    Driven,
    /// Its kind does not walk.
    Rooted,
    /// Nothing is in its way: it is about to go.
    SetsOut,
}

impl IdleReason {
    /// A name for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Moves { .. } => "moves",
            Self::Fights { .. } => "fights",
            Self::Shoots { .. } => "shoots",
            Self::Breaks { .. } => "breaks a wall",
            Self::InRanks => "in ranks",
            Self::NotSetOut => "not set out",
            Self::Holds => "holds",
            Self::AtGoal => "at goal",
            Self::NearGoal { .. } => "near goal",
            Self::Waits { .. } => "waits",
            Self::WaitsForOthers { .. } => "waits for others",
            Self::InQueue { .. } => "in queue",
            Self::AreaFull { .. } => "area full",
            Self::WithLeader { .. } => "with leader",
            Self::AwaitsRoute { .. } => "awaits route",
            Self::NoRoute { .. } => "no route",
            Self::TooNarrow { .. } => "too narrow",
            Self::Blocked { .. } => "blocked",
            Self::AtWall { .. } => "at wall",
            Self::Driven => "driven",
            Self::Rooted => "rooted",
            Self::SetsOut => "sets out",
        }
    }
}

impl fmt::Display for IdleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Moves { speed } => write!(f, "moves at {speed:.1} m/s"),
            Self::Fights { enemy } => write!(f, "fights agent {}", enemy.slot),
            Self::Shoots { enemy } => write!(f, "shoots at agent {}", enemy.slot),
            Self::Breaks { wall } => write!(f, "breaks the wall at ({:.1}, {:.1})", wall.x, wall.y),
            Self::InRanks => f.write_str("is in its place in the ranks, which wait for others"),
            Self::NotSetOut => f.write_str("has not set out yet"),
            Self::Holds => f.write_str("holds its place, as it is ordered"),
            Self::AtGoal => f.write_str("is where it shall be"),
            Self::NearGoal { goal } => {
                write!(f, "is as near as there is room to ({:.1}, {:.1})", goal.x, goal.y)
            }
            Self::Waits { until, left } => write!(f, "waits until tick {until}, {left} more"),
            Self::WaitsForOthers { come, of } => write!(f, "waits for others: {come} of {of} have come"),
            Self::InQueue { served_until: Some(until), .. } => write!(f, "is served until tick {until}"),
            Self::InQueue { ahead: 0, of, .. } => write!(f, "is the first of {of} in a queue"),
            Self::InQueue { ahead, of, .. } => write!(f, "stands in a queue of {of}, {ahead} ahead of it"),
            Self::AreaFull { ahead } => write!(f, "waits for a place in a full area, {ahead} ahead of it"),
            Self::WithLeader { leader } => write!(f, "has come up to its leader, agent {}", leader.slot),
            Self::AwaitsRoute { ago, .. } => write!(f, "waits for its route, asked {ago} ticks ago"),
            Self::NoRoute { left, failures: 0, .. } => {
                write!(f, "has no way to its goal, looks again in {left} ticks")
            }
            Self::TooNarrow { radius, at } => {
                write!(f, "has no way to its goal: too narrow for radius {radius} m at ({:.1}, {:.1})", at.x, at.y)
            }
            Self::NoRoute { left, failures, .. } => {
                write!(f, "has no way to its goal, asked {failures} times, asks again in {left} ticks")
            }
            Self::Blocked { by } => {
                let names: Vec<String> = by.iter().flatten().map(|id| id.slot.to_string()).collect();
                let agents = if names.len() == 1 { "agent" } else { "agents" };
                write!(f, "is blocked by {agents} {}", names.join(", "))
            }
            Self::AtWall { wall } => write!(f, "has come up against a wall at ({:.1}, {:.1})", wall.x, wall.y),
            Self::Driven => f.write_str("is moved from outside"),
            Self::Rooted => f.write_str("cannot walk: the speed of its kind is 0"),
            Self::SetsOut => f.write_str("is about to go"),
        }
    }
}
