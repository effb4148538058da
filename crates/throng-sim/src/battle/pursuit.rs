//! Targets that squads and agents go after.

use crate::crowd::AgentId;
use crate::ids::SquadId;
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;

/// The leader that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Leader {
    /// One agent, until it dies or leaves.
    Agent(AgentId),
    /// A squad: the first living one of its members, until none lives.
    Squad(SquadId),
}

impl From<AgentId> for Leader {
    fn from(agent: AgentId) -> Self {
        Self::Agent(agent)
    }
}

impl From<SquadId> for Leader {
    fn from(squad: SquadId) -> Self {
        Self::Squad(squad)
    }
}

/// A squad goes after a target: see [`Order::Follow`](super::Order::Follow).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pursuit {
    /// The target.
    pub leader: Leader,
    /// How far from it the squad's middle stays (m).
    pub distance: f32,
    /// Where the squad goes just now (m); `None` before it has looked for the target.
    pub to: Option<Vec2>,
}

impl Pursuit {
    /// After a target, at a distance (m).
    pub fn new(leader: impl Into<Leader>, distance: f32) -> Self {
        Self { leader: leader.into(), distance, to: None }
    }

    /// True where both go after the same target at the same distance.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        (self.leader, self.distance) == (other.leader, other.distance)
    }
}
