//! The orders of squads.

use super::Front;
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;

/// A [journey](crate::world::Journey) of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JourneyId(pub u32);

/// An order of a squad.
///
/// See [`World::order`](crate::world::World::order).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Order {
    /// Stay where it stands; strike what comes within reach.
    #[default]
    Hold,
    /// Seek the nearest enemy squad and fight it.
    Attack,
    /// Walk to a point (m) and stay there; fight what comes into sight on the way.
    GoTo(Vec2),
    /// Stay, but attack enemies that come within so many metres of the own place, and come back.
    Guard {
        /// How near.
        within: f32,
    },
    /// Seek the nearest enemy squad as to attack; a soldier with an enemy in sight runs at it as fast as it can.
    Charge,
    /// Walk to a point (m) and stay there, even if enemies come into sight; strike enemies within reach.
    Move(Vec2),
    /// Run to the edge of the map, and leave; strike enemies within reach. Without a way there, stay.
    Flee,
    /// Each member for itself goes from stop to stop of a journey; fight what comes into sight on the way.
    Travel(JourneyId),
    /// Go to a line and stand there in ranks that look in its direction; fight what comes into sight, or not, as it says. A squad
    /// without a formation gets one; that of the squad gets as many files as the line has room for.
    Line(Front),
}

impl Order {
    /// The name of the order, as scenarios have it; without where it leads to.
    ///
    /// ```
    /// assert_eq!(throng_sim::battle::Order::Guard { within: 9.0 }.name(), "guard");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Attack => "attack",
            Self::GoTo(_) => "go_to",
            Self::Guard { .. } => "guard",
            Self::Charge => "charge",
            Self::Move(_) => "move",
            Self::Flee => "flee",
            Self::Travel(_) => "travel",
            Self::Line(_) => "line",
        }
    }

    /// The point (m) that the squad goes to and stays at, where it is told one.
    pub fn destination(self) -> Option<Vec2> {
        match self {
            Self::GoTo(point) | Self::Move(point) => Some(point),
            Self::Line(front) => Some(front.centre),
            Self::Hold | Self::Attack | Self::Guard { .. } | Self::Charge | Self::Flee | Self::Travel(_) => None,
        }
    }

    /// True where enemies in sight do not turn it aside.
    pub(crate) fn passes_enemies(self) -> bool {
        matches!(self, Self::Hold | Self::Move(_) | Self::Flee | Self::Line(Front { fights: false, .. }))
    }

    /// True where the squad seeks its enemies.
    pub(crate) fn attacks(self) -> bool {
        matches!(self, Self::Attack | Self::Charge)
    }

    /// True where it stays in its place.
    pub(crate) fn stays(self) -> bool {
        matches!(self, Self::Hold | Self::Guard { .. })
    }
}
