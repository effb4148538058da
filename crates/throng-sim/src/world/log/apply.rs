//! A command done.

use super::Command;
use crate::world::{World, WorldError};

impl World {
    /// Makes the call that a command names. What the call returns, as the ids of those that it spawns, can be asked for afterwards.
    ///
    /// # Errors
    /// Those of the call.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Command, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// world.apply(Command::AddArmy { name: "red".into() })?;
    /// assert_eq!(world.armies()[0].name, "red");
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn apply(&mut self, command: Command) -> Result<(), WorldError> {
        use Command as C;
        match command {
            C::AddUnit { unit } => self.add_unit(unit).map(drop)?,
            C::AddArmy { name } => self.add_army(&name).map(drop)?,
            C::SetArmyColour { army, colour } => self.set_army_colour(army, colour)?,
            C::SetArmyName { army, name } => self.set_army_name(army, &name)?,
            C::Relate { one, other, relation } => self.relate(one, other, relation)?,
            C::AddLinks { links } => self.add_links(&links)?,
            C::AddJourney { journey } => self.add_journey(journey).map(drop)?,
            C::RemoveJourney { journey } => self.remove_journey(journey)?,
            C::AddMission { army, objective } => self.add_mission(army, objective)?,
            C::AddTriggers { triggers } => self.add_triggers(triggers).map(drop)?,
            C::AddFire { fire } => self.add_fire(fire)?,
            C::Fortify { cells, health, keeper } => self.fortify(&cells, health, keeper)?,
            C::Dismantle { cells } => self.dismantle(&cells),
            C::SetWallHealth { cell, health } => self.set_wall_health(cell, health),
            C::DamageWall { cell, damage } => drop(self.damage_wall(cell, damage)),
            C::SpawnSquad { spec } => self.spawn_squad(spec).map(drop)?,
            C::SpawnWalkers { army, unit, positions, goals } => {
                self.spawn_walkers(army, unit, &positions, &goals).map(drop)?;
            }
            C::Deploy { squad, positions, facing } => self.deploy(squad, &positions, facing)?,
            C::Remove { agents } => drop(self.remove(&agents)),
            C::Disband { squad } => self.disband(squad).map(drop)?,
            C::WalkBy { agent, point, planner } => self.walk_by(agent, point, planner)?,
            C::WalkStraightTo { walker, goal } => self.walk_straight_to(walker, goal)?,
            C::Follow { agent, target, distance } => self.follow(agent, target, distance)?,
            C::Travel { walker, journey, planner } => self.travel(walker, journey, planner)?,
            C::Order { squad, order } => self.order(squad, order)?,
            C::QueueOrder { squad, order } => self.queue_order(squad, order)?,
            C::Form { squad, formation } => self.form(squad, formation)?,
            C::SetPlanner { squad, planner } => self.set_planner(squad, planner)?,
            C::SetAvoidance { kind } => self.set_avoidance(kind)?,
            C::Drive { agent, position, velocity } => self.drive(agent, position, velocity)?,
            C::LetGo { agent } => self.let_go(agent),
            C::Hurt { agent, damage, by } => self.hurt(agent, damage, by)?,
            C::Kill { agent, by } => self.kill(agent, by),
            C::Heal { agent, points } => self.heal(agent, points)?,
            C::Shoot { agent, at } => self.shoot(agent, at)?,
            C::Teleport { agent, to } => self.teleport(agent, to)?,
            C::Push { agent, velocity } => self.push(agent, velocity)?,
            C::SetSpeed { agent, speed } => self.set_speed(agent, speed)?,
            C::SetRadius { agent, radius } => self.set_radius(agent, radius)?,
            C::SetUnit { agent, unit } => self.set_unit(agent, unit)?,
            C::SetArmy { agent, army } => self.set_army(agent, army)?,
            C::Detach { agent } => self.detach(agent),
            C::Edit { edits } => self.edit(&edits)?,
            C::EditNow => self.edit_now()?,
            C::PlaceObstacle { area } => self.place_obstacle(&area).map(drop)?,
            C::MoveObstacle { obstacle, area } => self.move_obstacle(obstacle, &area)?,
            C::RemoveObstacle { obstacle } => self.remove_obstacle(obstacle)?,
            C::SetLinkOpen { link, is_open } => self.set_link_open(link, is_open)?,
            C::CountWalks => self.count_walks(),
        }
        Ok(())
    }
}

impl Command {
    /// The planners that it names.
    pub(super) fn planners(&mut self) -> impl Iterator<Item = &mut throng_plan::PlannerChoice> {
        use crate::world::Effect;
        let own = match self {
            Self::WalkBy { planner, .. } | Self::Travel { planner, .. } | Self::SetPlanner { planner, .. } => {
                vec![planner]
            }
            Self::SpawnSquad { spec } => vec![&mut spec.planner],
            Self::AddTriggers { triggers } => {
                let effects = triggers.iter_mut().flat_map(|trigger| &mut trigger.then);
                let planner = |effect| match effect {
                    &mut Effect::SpawnSquad(ref mut spec) => Some(&mut spec.planner),
                    _ => None,
                };
                effects.filter_map(planner).collect()
            }
            _ => Vec::new(),
        };
        own.into_iter()
    }
}
