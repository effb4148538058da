//! A squad to spawn.

use super::{ArmyId, UnitId};
use crate::battle::{Formation, Order};
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;
use throng_plan::PlannerChoice;

/// A squad to spawn: now by [`World::spawn_squad`](super::World::spawn_squad), or later by a [`Trigger`](super::Trigger).
///
/// ```
/// use throng_sim::battle::{Order, Unit};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Settings, SquadSpec, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let pair = [Vec2::new(8.5, 8.5), Vec2::new(9.5, 8.5)];
/// world.spawn_squad(SquadSpec { order: Order::GoTo(Vec2::splat(20.5)), ..SquadSpec::new(red, soldier, pair) })?;
/// assert_eq!(world.agents(), 2);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SquadSpec {
    /// The army that it belongs to.
    pub army: ArmyId,
    /// Its kind of soldiers.
    pub unit: UnitId,
    /// The position of each member (m), clear of walls.
    pub positions: Vec<Vec2>,
    /// The direction in which its members look (degrees from +x towards +y).
    pub facing: f32,
    /// Its order.
    pub order: Order,
    /// The orders that follow, one after another as by [`World::queue_order`](super::World::queue_order).
    pub queue: Vec<Order>,
    /// The planner of its routes.
    pub planner: PlannerChoice,
    /// The formation that it keeps, if any.
    pub formation: Option<Formation>,
}

impl SquadSpec {
    /// A squad that looks to the right, holds its place, keeps no formation and plans by A*.
    pub fn new(army: ArmyId, unit: UnitId, positions: impl AsRef<[Vec2]>) -> Self {
        Self {
            army,
            unit,
            positions: positions.as_ref().to_vec(),
            facing: 0.0,
            order: Order::Hold,
            queue: Vec::new(),
            planner: PlannerChoice::AStar,
            formation: None,
        }
    }
}
