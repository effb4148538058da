//! Commands that the window gives to a world, and the commands that undo them.

use std::collections::BTreeSet;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Formation, Order, Rampart};
use throng_sim::crowd::Avoidance;
use throng_sim::world::{ArmyId, SquadId, SquadSpec, World, WorldError};
use throng_spatial::IndexChoice;

/// A change of a world between two ticks.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Settings, SquadSpec, World};
/// use throng_viewer::{Command, Simulation};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]))?;
/// let undo = world.perform(&Command::Order(vec![(squad, Order::Attack)])).unwrap();
/// assert_eq!(world.squads()[0].order, Order::Attack);
/// assert_eq!(undo, Some(Command::Order(vec![(squad, Order::Hold)])));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Gives orders to squads.
    Order(Vec<(SquadId, Order)>),
    /// Gives squads an order after those that they have.
    QueueOrder(Vec<(SquadId, Order)>),
    /// Gives squads back the orders and the formations that they had.
    Resume(Vec<(SquadId, Resumed)>),
    /// Sets the formations of squads; `None` = none.
    SetFormation(Vec<(SquadId, Option<Formation>)>),
    /// Edits the map.
    EditMap {
        /// The edits of its cells.
        edits: Vec<Edit>,
        /// Closed cells that become breakable, with the health that they have left, or become plain walls (`None`). A cell with
        /// an agent in it becomes no gate.
        ramparts: Vec<(Cell, Option<Rampart>)>,
    },
    /// Adds a squad.
    SpawnSquad(SquadSpec),
    /// Removes a squad.
    Disband(SquadId),
    /// Puts squads at other positions (m), looking in a direction (degrees), each with as many members as there are positions.
    Deploy(Vec<(SquadId, Vec<Vec2>, f32)>),
    /// Adds an army of a name.
    AddArmy(String),
    /// Gives an army a name, and a colour of its own or that of its number.
    SetArmy(ArmyId, String, Option<[u8; 3]>),
    /// Sets the spatial index.
    SetIndex(IndexChoice),
    /// Sets the model of avoidance.
    SetAvoidance(Avoidance),
    /// Sets the planners of squads.
    SetPlanner(Vec<(SquadId, PlannerChoice)>),
}

/// The orders of a squad, and its formation.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumed {
    /// The present order, and those after it.
    pub orders: Vec<Order>,
    /// The formation that it keeps.
    pub formation: Option<Formation>,
}

impl Resumed {
    /// Those that a squad has now.
    fn of(world: &World, id: SquadId) -> Option<(SquadId, Self)> {
        let squad = world.squads().get(id.0 as usize)?;
        let formation = squad.ranks.as_ref().map(|ranks| ranks.formation());
        Some((id, Self { orders: [squad.order].into_iter().chain(squad.queue.iter()).collect(), formation }))
    }

    fn resume(&self, world: &mut World, id: SquadId) -> Result<(), WorldError> {
        if Self::of(world, id).is_some_and(|(_, now)| now.formation != self.formation) {
            world.form(id, self.formation)?;
        }
        let mut orders = self.orders.iter();
        orders.next().map_or(Ok(()), |&order| world.order(id, order))?;
        orders.try_for_each(|&order| world.queue_order(id, order))
    }
}

impl Command {
    /// Executes the command and returns its inverse, where it has one.
    pub(super) fn perform(&self, world: &mut World) -> Result<Option<Self>, WorldError> {
        match self {
            Self::Order(orders) => {
                let before = resumed(world, orders.iter().map(|&(id, _)| id));
                orders.iter().try_for_each(|&(id, order)| world.order(id, order))?;
                let is_plain = |(id, before): &(SquadId, Resumed)| {
                    let now = Resumed::of(world, *id);
                    before.orders.len() == 1 && now.is_some_and(|(_, now)| now.formation == before.formation)
                };
                Ok(Some(if before.iter().all(is_plain) {
                    Self::Order(before.into_iter().map(|(id, before)| (id, before.orders[0])).collect())
                } else {
                    Self::Resume(before)
                }))
            }
            Self::QueueOrder(orders) => {
                let before = resumed(world, orders.iter().map(|&(id, _)| id));
                orders.iter().try_for_each(|&(id, order)| world.queue_order(id, order))?;
                Ok(Some(Self::Resume(before)))
            }
            Self::Resume(squads) => {
                let before = resumed(world, squads.iter().map(|&(id, _)| id));
                squads.iter().try_for_each(|(id, resumed)| resumed.resume(world, *id))?;
                Ok(Some(Self::Resume(before)))
            }
            Self::SetFormation(formations) => {
                let kept = |id: SquadId| {
                    let squad = world.squads().get(id.0 as usize)?;
                    Some((id, squad.ranks.as_ref().map(|ranks| ranks.formation())))
                };
                let before = formations.iter().filter_map(|&(id, _)| kept(id)).collect();
                formations.iter().try_for_each(|&(id, formation)| world.form(id, formation))?;
                Ok(Some(Self::SetFormation(before)))
            }
            Self::EditMap { edits, ramparts } => {
                // Edits that wait for the next tick are no part of this command, and must not be lost with it.
                world.edit_now()?;
                let (inverse, before) = inverse_of(world, edits, ramparts);
                world.edit(edits)?;
                if let Err(error) = world.edit_now() {
                    // Cells with agents in them would be closed later.
                    world.edit(&inverse)?;
                    return Err(error);
                }
                let plain: Vec<Cell> =
                    ramparts.iter().filter(|(_, rampart)| rampart.is_none()).map(|&(cell, _)| cell).collect();
                world.dismantle(&plain);
                for &(cell, rampart) in ramparts {
                    let Some(Rampart { health, full, keeper }) = rampart else { continue };
                    if world.grid().is_open(cell) {
                        // It would be a plain wall once the agent has left.
                        let inverse: Vec<Edit> = inverse.iter().copied().filter(|edit| edit.cell() == cell).collect();
                        world.edit(&inverse)?;
                    } else {
                        world.fortify(&[cell], full, keeper)?;
                        world.set_wall_health(cell, health);
                    }
                }
                Ok(Some(Self::EditMap { edits: inverse, ramparts: before }))
            }
            Self::SpawnSquad(spec) => world.spawn_squad(spec.clone()).map(|squad| Some(Self::Disband(squad))),
            Self::Disband(squad) => {
                let before = standing(world, *squad);
                world.disband(*squad)?;
                Ok(before.map(|before| Self::Deploy(vec![before])))
            }
            Self::Deploy(squads) => {
                let before: Vec<_> = squads.iter().filter_map(|(squad, ..)| standing(world, *squad)).collect();
                for (squad, positions, facing) in squads {
                    if let Err(error) = world.deploy(*squad, positions, *facing) {
                        // All of them or none.
                        before.iter().try_for_each(|(squad, at, facing)| world.deploy(*squad, at, *facing))?;
                        return Err(error);
                    }
                }
                Ok(Some(Self::Deploy(before)))
            }
            Self::AddArmy(name) => world.add_army(name).map(|_| None),
            Self::SetArmy(army, name, colour) => {
                let before = world.armies().get(usize::from(army.0));
                let before = before.map(|before| Self::SetArmy(*army, before.name.clone(), before.colour));
                world.set_army_name(*army, name)?;
                world.set_army_colour(*army, *colour)?;
                Ok(before)
            }
            Self::SetIndex(kind) => {
                let before = world.settings().index.clone();
                world.set_index(kind.clone()).map(|()| Some(Self::SetIndex(before)))
            }
            Self::SetAvoidance(kind) => {
                let before = world.settings().avoidance.kind;
                world.set_avoidance(*kind)?;
                Ok(Some(Self::SetAvoidance(before)))
            }
            Self::SetPlanner(planners) => {
                let before = planners.iter().filter_map(|(id, _)| Some((*id, world.planner_of(*id)?))).collect();
                planners.iter().try_for_each(|(id, planner)| world.set_planner(*id, planner.clone()))?;
                Ok(Some(Self::SetPlanner(before)))
            }
        }
    }

    /// The squads to which it gives orders, formations or planners.
    pub(super) fn told(&self) -> Vec<SquadId> {
        match self {
            Self::Order(orders) | Self::QueueOrder(orders) => orders.iter().map(|&(squad, _)| squad).collect(),
            Self::Resume(squads) => squads.iter().map(|&(squad, _)| squad).collect(),
            Self::SetFormation(formations) => formations.iter().map(|&(squad, _)| squad).collect(),
            Self::SetPlanner(planners) => planners.iter().map(|&(squad, _)| squad).collect(),
            _ => Vec::new(),
        }
    }

    /// Its name on the screen.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Order(_) | Self::Resume(_) => "order",
            Self::QueueOrder(_) => "way-point",
            Self::SetFormation(_) => "formation",
            Self::EditMap { .. } => "edit",
            Self::SpawnSquad(_) => "squad",
            Self::Disband(_) => "disbanding",
            Self::Deploy(..) => "deployment",
            Self::AddArmy(_) => "new army",
            Self::SetArmy(..) => "army",
            Self::SetIndex(_) => "index",
            Self::SetAvoidance(_) => "avoidance",
            Self::SetPlanner(_) => "planner",
        }
    }
}

fn resumed(world: &World, squads: impl Iterator<Item = SquadId>) -> Vec<(SquadId, Resumed)> {
    squads.filter_map(|id| Resumed::of(world, id)).collect()
}

/// A squad, where its members are, and the direction in which they look (degrees).
fn standing(world: &World, squad: SquadId) -> Option<(SquadId, Vec<Vec2>, f32)> {
    let spec = world.squad_spec(squad)?;
    Some((squad, spec.positions, spec.facing))
}

/// The edits that restore the present cells under `edits`, and the present breakable walls there and under `ramparts`.
fn inverse_of(
    world: &World,
    edits: &[Edit],
    ramparts: &[(Cell, Option<Rampart>)],
) -> (Vec<Edit>, Vec<(Cell, Option<Rampart>)>) {
    let grid = world.grid();
    let edit = |edit: &Edit| match *edit {
        Edit::Open(cell) | Edit::Close(cell) => {
            if grid.lattice().contains(cell) && !grid.is_open(cell) {
                Edit::Close(cell)
            } else {
                Edit::Open(cell)
            }
        }
        Edit::Terrain(cell, _) => Edit::Terrain(cell, grid.terrain(cell)),
        Edit::Height(cell, _) => Edit::Height(cell, grid.height(cell)),
    };
    let closes = |edit: &Edit| match *edit {
        Edit::Open(cell) | Edit::Close(cell) => Some(cell),
        Edit::Terrain(..) | Edit::Height(..) => None,
    };
    let cells: BTreeSet<Cell> = edits.iter().filter_map(closes).chain(ramparts.iter().map(|&(cell, _)| cell)).collect();
    let before = cells.into_iter().map(|cell| (cell, world.ramparts().get(cell).copied()));
    (edits.iter().rev().map(edit).collect(), before.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom::Vec2;
    use throng_grid::{Grid, Lattice};
    use throng_sim::battle::{Front, Unit};
    use throng_sim::world::Settings;

    #[test]
    fn undoing_gives_back_the_orders_to_come_and_the_formation() {
        let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0).unwrap()), Settings::default()).unwrap();
        let (red, soldier) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
        let squad = world.spawn_squad(SquadSpec::new(red, soldier, [Vec2::splat(4.5)])).unwrap();
        let front = Front { centre: Vec2::splat(20.0), facing: 0.0, width: 5.0, fights: true };
        let commands = [
            Command::Order(vec![(squad, Order::Attack)]),
            Command::QueueOrder(vec![(squad, Order::GoTo(Vec2::splat(9.0)))]),
            Command::QueueOrder(vec![(squad, Order::Line(front))]),
            Command::Order(vec![(squad, Order::Line(front))]),
            Command::Order(vec![(squad, Order::Hold)]),
        ];
        let mut undone = Vec::new();
        for command in &commands {
            let before = Resumed::of(&world, squad);
            undone.push((before, command.perform(&mut world).unwrap().unwrap()));
        }
        while let Some((before, inverse)) = undone.pop() {
            let after = Resumed::of(&world, squad);
            let again = inverse.perform(&mut world).unwrap().unwrap();
            assert_eq!(Resumed::of(&world, squad), before, "{inverse:?}");
            // It can be done again.
            let inverse = again.perform(&mut world).unwrap().unwrap();
            assert_eq!(Resumed::of(&world, squad), after, "{again:?}");
            inverse.perform(&mut world).unwrap();
        }
        assert!(world.squads()[0].ranks.is_none() && world.squads()[0].queue.is_empty());
    }
}
