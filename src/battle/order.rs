//! What squads are told to do.

use crate::geom::Vec2;
use serde::{Deserialize, Serialize};

/// A [journey](crate::world::Journey) of a world.
///
/// ```
/// assert!(throng::battle::JourneyId(0) < throng::battle::JourneyId(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JourneyId(pub u32);

/// What a squad is told to do.
///
/// ```
/// use throng::battle::Order;
/// assert_eq!(Order::default(), Order::Hold);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Order {
    /// Stay where it stands; strike what comes within reach.
    #[default]
    Hold,
    /// Seek the nearest enemy squad and fight it.
    Attack,
    /// Walk to a point (m) and stay there; fight what comes into sight on the way.
    GoTo(Vec2),
    /// Each member for himself goes from stop to stop of a journey; fight what comes into sight on the way.
    Travel(JourneyId),
}
