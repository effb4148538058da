//! The orders of squads.

use super::{Front, Pursuit};
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;

/// A [journey](crate::world::Journey) of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JourneyId(pub u32);

/// An order of a squad.
///
/// See [`World::order`](crate::world::World::order). Its methods say all that is asked of an order elsewhere, each by a `match` without
/// a default: a new kind of order is answered for here, where it is read and written in scenarios, and where it is drawn.
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
    /// Go after an agent, a [driven](crate::world::World::drive) body or a squad, so near that the squad's middle is at its distance, and
    /// fight what comes into sight on the way. Once a second it looks where the target is. Once that is gone, it holds, or takes
    /// the order that follows.
    Follow(Pursuit),
}

/// Declares the kinds of orders with their names in scenarios, and a list of all of them.
macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// The kinds of orders: an [`Order`] without its point, distance, journey or line.
        ///
        /// ```
        /// use throng_sim::battle::{Order, OrderKind};
        /// assert_eq!(Order::Guard { within: 9.0 }.kind(), OrderKind::Guard);
        /// assert_eq!(OrderKind::ALL.map(OrderKind::name)[5], "go_to");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "they are those of the orders")]
        pub enum OrderKind {
            $($kind,)*
        }

        impl OrderKind {
            /// All kinds.
            pub const ALL: [Self; [$(stringify!($kind)),*].len()] = [$(Self::$kind),*];

            /// The name in scenarios.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Hold "hold",
    Attack "attack",
    Charge "charge",
    Guard "guard",
    Flee "flee",
    GoTo "go_to",
    Move "move",
    Line "line",
    Travel "travel",
    Follow "follow",
}

impl Order {
    /// Its kind.
    pub fn kind(self) -> OrderKind {
        match self {
            Self::Hold => OrderKind::Hold,
            Self::Attack => OrderKind::Attack,
            Self::GoTo(_) => OrderKind::GoTo,
            Self::Guard { .. } => OrderKind::Guard,
            Self::Charge => OrderKind::Charge,
            Self::Move(_) => OrderKind::Move,
            Self::Flee => OrderKind::Flee,
            Self::Travel(_) => OrderKind::Travel,
            Self::Line(_) => OrderKind::Line,
            Self::Follow(_) => OrderKind::Follow,
        }
    }

    /// The name of the order, as scenarios have it; without where it leads to.
    ///
    /// ```
    /// assert_eq!(throng_sim::battle::Order::Guard { within: 9.0 }.name(), "guard");
    /// ```
    pub fn name(self) -> &'static str {
        self.kind().name()
    }

    /// Where it leads.
    pub fn aim(self) -> OrderAim {
        match self {
            Self::Hold | Self::Guard { .. } => OrderAim::Stay,
            Self::Attack | Self::Charge => OrderAim::Enemies,
            Self::GoTo(point) | Self::Move(point) => OrderAim::Point(point),
            Self::Line(front) => OrderAim::Point(front.centre),
            Self::Follow(pursuit) => pursuit.to.map_or(OrderAim::Stay, OrderAim::Point),
            Self::Flee => OrderAim::Edge,
            Self::Travel(journey) => OrderAim::Journey(journey),
        }
    }

    /// The point (m) that the squad goes to and stays at, where it is told one.
    pub fn destination(self) -> Option<Vec2> {
        if let OrderAim::Point(point) = self.aim() { Some(point) } else { None }
    }

    /// The line on which the squad is to stand, where it is told one.
    pub fn front(self) -> Option<Front> {
        match self {
            Self::Line(front) => Some(front),
            Self::Hold
            | Self::Attack
            | Self::GoTo(_)
            | Self::Guard { .. }
            | Self::Charge
            | Self::Move(_)
            | Self::Flee
            | Self::Travel(_)
            | Self::Follow(_) => None,
        }
    }

    /// True where enemies in sight do not turn it aside.
    pub fn passes_enemies(self) -> bool {
        match self {
            Self::Hold | Self::Move(_) | Self::Flee => true,
            Self::Line(front) => !front.fights,
            Self::Attack | Self::GoTo(_) | Self::Guard { .. } | Self::Charge | Self::Travel(_) | Self::Follow(_) => {
                false
            }
        }
    }

    /// How near to its post (m) an enemy must be that a soldier goes for.
    pub(crate) fn charges_within(self) -> f32 {
        match self {
            Self::Guard { within } => within,
            Self::Attack | Self::GoTo(_) | Self::Charge | Self::Travel(_) | Self::Follow(_) => f32::INFINITY,
            Self::Line(front) if front.fights => f32::INFINITY,
            Self::Hold | Self::Move(_) | Self::Flee | Self::Line(_) => 0.0,
        }
    }

    /// When a soldier goes as fast as it can.
    pub(crate) fn hurry(self) -> Hurry {
        match self {
            Self::Flee => Hurry::Always,
            Self::Charge => Hurry::AtEnemies,
            Self::Hold
            | Self::Attack
            | Self::GoTo(_)
            | Self::Guard { .. }
            | Self::Move(_)
            | Self::Travel(_)
            | Self::Line(_)
            | Self::Follow(_) => Hurry::Never,
        }
    }

    /// The first of its numbers that is out of range: its field, the range, and the number.
    pub(crate) fn fault(self) -> Option<(&'static str, &'static str, f32)> {
        match self {
            Self::GoTo(point) | Self::Move(point) => {
                let found = [point.x, point.y].into_iter().find(|number| !number.is_finite())?;
                Some(("the point to go to", "finite", found))
            }
            Self::Line(front) if !front.is_sound() => {
                Some(("the width of a line", "between 0 and 10,000 (m), its middle and facing finite", front.width))
            }
            Self::Guard { within } if !(0.0..=1000.0).contains(&within) => {
                Some(("the distance of a guard", "between 0 and 1000 (m)", within))
            }
            Self::Follow(Pursuit { distance, .. }) if !(0.01..=1e4).contains(&distance) => {
                Some(("the distance of a pursuit", "between 0.01 and 10,000 (m)", distance))
            }
            Self::Follow(Pursuit { to: Some(to), .. }) if !to.is_finite() => {
                Some(("the place of the target", "finite", to.x + to.y))
            }
            Self::Hold
            | Self::Attack
            | Self::Guard { .. }
            | Self::Charge
            | Self::Flee
            | Self::Travel(_)
            | Self::Follow(_)
            | Self::Line(_) => None,
        }
    }

    /// True where the squad seeks its enemies.
    pub fn attacks(self) -> bool {
        self.aim() == OrderAim::Enemies
    }

    /// True where it stays in its place.
    pub fn stays(self) -> bool {
        self.aim() == OrderAim::Stay
    }

    /// True where it is to leave the map.
    pub(crate) fn leaves(self) -> bool {
        self.aim() == OrderAim::Edge
    }

    /// The journey that its members go on.
    pub(crate) fn journey(self) -> Option<JourneyId> {
        if let OrderAim::Journey(journey) = self.aim() { Some(journey) } else { None }
    }
}

/// Where an order leads a squad.
///
/// ```
/// use throng_sim::battle::{Order, OrderAim};
/// assert_eq!((Order::Guard { within: 9.0 }.aim(), Order::Charge.aim()), (OrderAim::Stay, OrderAim::Enemies));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrderAim {
    /// It stays in its place.
    Stay,
    /// To its enemies.
    Enemies,
    /// To a point (m).
    Point(Vec2),
    /// To the edge of the map.
    Edge,
    /// On a journey, each member for itself.
    Journey(JourneyId),
}

/// When soldiers go as fast as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hurry {
    Never,
    /// With an enemy in sight to which the way is free.
    AtEnemies,
    Always,
}
