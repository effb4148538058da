//! Triggers: orders and reinforcements that follow an event.

use crate::battle::Order;
use crate::ids::{ArmyId, LinkId, SquadId};
use crate::world::journey::Area;
use crate::world::squad_spec::SquadSpec;
use serde::{Deserialize, Serialize};
use throng_grid::Cell;
use throng_grid::geom::Vec2;

/// A trigger of a world: its place among all that were [added](crate::world::World::add_triggers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TriggerId(pub u32);

/// When a trigger fires.
///
/// See [`Trigger`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Cause {
    /// So long after the beginning (s).
    At {
        /// How long.
        seconds: f32,
    },
    /// So long (s) after another trigger has fired for the first time.
    After {
        /// The trigger.
        trigger: TriggerId,
        /// How long.
        delay: f32,
    },
    /// A squad has lost a share, above 0 and at most 1, of the most that it has had: 1 = no member is left.
    Lost {
        /// The squad.
        squad: SquadId,
        /// How much.
        share: f32,
    },
    /// An agent of an army is in an area.
    Enters {
        /// The army.
        army: ArmyId,
        /// The area.
        area: Area,
    },
    /// A member of a squad sees an enemy: one is within its sight, and no wall between.
    Sees {
        /// The squad.
        squad: SquadId,
    },
    /// An enemy is so near (m) to a member of a squad, whatever is between.
    Near {
        /// The squad.
        squad: SquadId,
        /// How near.
        metres: f32,
    },
    /// A wall or gate that can be broken is open: one whose middle is in the area, or any.
    Breached {
        /// The area.
        area: Option<Area>,
    },
}

/// An effect of a trigger.
///
/// See [`Trigger`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Effect {
    /// Gives a squad an order.
    Order {
        /// The squad.
        squad: SquadId,
        /// The order.
        order: Order,
    },
    /// A squad is spawned, whole: each member at its position or, where that is taken or walled up, at the nearest free place
    /// within 10 m of it. While a member has none, the squad waits, and tries again every second.
    SpawnSquad(SquadSpec),
    /// Opens or shuts a link ([`World::set_link_open`](crate::world::World::set_link_open)).
    SetLink {
        /// Its place among all.
        link: LinkId,
        /// Whether it is open from then on.
        is_open: bool,
    },
}

/// How often a trigger fires.
///
/// See [`Trigger`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// The time from one to the next (s).
    pub every: f32,
    /// How often in all, the first among them.
    pub times: u32,
}

impl Default for Repeat {
    /// Once.
    fn default() -> Self {
        Self { every: 1.0, times: 1 }
    }
}

/// Once something has happened, something else does.
///
/// ```
/// use throng_sim::battle::Unit;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Cause, Effect, Repeat, Settings, SquadSpec, Trigger, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let (army, unit) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let wave = SquadSpec::new(army, unit, [Vec2::new(8.5, 8.5)]);
/// world.add_triggers(vec![Trigger {
///     name: "three, one after the other".into(),
///     when: Cause::At { seconds: 1.0 },
///     then: vec![Effect::SpawnSquad(wave)],
///     repeat: Repeat { every: 2.0, times: 3 },
/// }])?;
/// world.tick_until(|world| world.ticks() == 101)?;
/// assert_eq!((world.agents(), world.fired("three, one after the other")), (3, Some(3)));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    /// Name, for messages.
    pub name: String,
    /// When.
    pub when: Cause,
    /// Its effects, in this order.
    pub then: Vec<Effect>,
    /// How often.
    pub repeat: Repeat,
}

/// The triggers of a world, and how far each has come.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Triggers {
    pub(crate) armed: Vec<Armed>,
}

/// A trigger, and how far it has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Armed {
    pub(crate) name: String,
    pub(crate) when: Cause,
    pub(crate) then: Vec<Act>,
    pub(crate) repeat: Repeat,
    /// The tick in which it fires next, or tries to; `None` while that is unknown, and when it is done.
    pub(crate) due: Option<u64>,
    /// How many of its effects have been performed since it was due.
    pub(crate) performed: u32,
    /// How often it has fired.
    pub(crate) fired: u32,
    /// The most that a squad has had.
    pub(crate) most: u32,
    /// The cells that can be broken, in the area that it looks at.
    pub(crate) cells: Vec<Cell>,
}

/// The effect of a fired trigger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Act {
    Order { squad: SquadId, order: Order },
    SpawnSquad { squad: SquadId, positions: Vec<Vec2>, facing: f32, order: Order },
    SetLink { link: LinkId, is_open: bool },
}

impl Triggers {
    /// The squad of each wave that is yet to come, and how many soldiers it will have in all.
    pub(crate) fn coming(&self) -> impl Iterator<Item = (SquadId, u32)> {
        self.armed.iter().flat_map(|armed| {
            let times = armed.repeat.times.saturating_sub(armed.fired);
            (0..).zip(&armed.then).filter_map(move |(number, act)| match act {
                Act::SpawnSquad { squad, positions, .. } => {
                    // Of a trigger that waits for room some waves may be there already.
                    let waves = times.saturating_sub(u32::from(number < armed.performed));
                    Some((*squad, waves.saturating_mul(positions.len() as u32)))
                }
                Act::Order { .. } | Act::SetLink { .. } => None,
            })
        })
    }

    /// The name of a trigger that will give an order for which something holds.
    pub(crate) fn name_of_order(&self, holds: impl Fn(&Order) -> bool) -> Option<String> {
        let gives = |act: &Act| match act {
            Act::Order { order, .. } | Act::SpawnSquad { order, .. } => holds(order),
            Act::SetLink { .. } => false,
        };
        let is_done = |armed: &Armed| armed.fired >= armed.repeat.times;
        let mut armed = self.armed.iter().filter(|armed| !is_done(armed));
        armed.find(|armed| armed.then.iter().any(gives)).map(|armed| armed.name.clone())
    }
}
