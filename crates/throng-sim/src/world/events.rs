//! The events of a tick.

use crate::battle::{DamageEvent, Death};
use crate::crowd::AgentId;
use serde::{Deserialize, Serialize};
use throng_grid::Cell;

/// The events of the last tick.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let soldier = world.add_unit(Unit::default())?;
/// for (name, x) in [("red", 8.5), ("blue", 12.5)] {
///     let army = world.add_army(name)?;
///     world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, soldier, &[Vec2::new(x, 8.5)]) })?;
/// }
/// world.tick_until(|world| !world.events().deaths.is_empty())?;
/// let death = world.events().deaths[0];
/// let last = world.events().harms.iter().find(|harm| harm.is_fatal && harm.to.who == death.who).unwrap();
/// assert_eq!(last.by.who, death.by);
/// assert!(!last.is_shot && last.by.army != last.to.army);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Events {
    /// Deaths: first by hand, in the order of the strikers' slots, then by shots.
    pub deaths: Vec<Death>,
    /// Strikes and shots that hurt, in the same order.
    pub harms: Vec<DamageEvent>,
    /// Cells that were [broken](super::World::fortify), in this order; they open at the start of the next tick.
    pub breached: Vec<Cell>,
    /// Agents that have come within [`ARRIVAL_RADIUS`](super::ARRIVAL_RADIUS) of the place where they were sent: by
    /// [`walk_to`](super::World::walk_to) or [`send`](super::World::walk_straight_to), or with their squad to a point, each in its own place.
    /// Agents whose journey has ended are among them. Told once for each time that they are sent, at most 0.4 s late.
    pub arrived: Vec<AgentId>,
    /// Agents for which no route was found in this tick. They [ask again](super::IdleReason::NoRoute) after a pause.
    pub no_route: Vec<AgentId>,
    /// Agents that have left the world alive in this tick: at the end of a journey, or over the edge of the map.
    pub left: Vec<AgentId>,
}

impl Events {
    pub(super) fn clear(&mut self) {
        let Self { deaths, harms, breached, arrived, no_route, left } = self;
        deaths.clear();
        harms.clear();
        breached.clear();
        [arrived, no_route, left].into_iter().for_each(Vec::clear);
    }
}
