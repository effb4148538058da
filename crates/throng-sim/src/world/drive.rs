//! Bodies that are moved from outside.

use super::{Command, World, WorldError};
use crate::crowd::AgentId;
use crate::walk::Driven;
use throng_grid::geom::Vec2;

/// Weight of a body that is moved from outside: others that meet it do the whole way aside.
const WEIGHT: f32 = 1e20;

impl World {
    /// Puts a walker ([`World::spawn_walkers`]) at a position (m) with a velocity (m/s), and keeps it there: a kinematic body, such as
    /// the player of a game. It moves only by this call, which a game's loop makes before each tick.
    ///
    /// All others avoid it by the velocity that it is said to have; where it is faster than 2 m/s, they step out of its way two seconds
    /// ahead. An agent that it reaches all the same is pushed out of it, along the wall where one is behind it. Nothing pushes it,
    /// and it is not kept out of walls. [`World::let_go`] gives it back. Nothing happens where it is gone. O(log n).
    ///
    /// # Errors
    /// Where the position is off the map, a number is not finite, the velocity is above 100 m/s, or the agent belongs to a squad.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let player = world.spawn_walkers(all, walker, &[Vec2::new(8.0, 8.0)], &[])?[0];
    /// let velocity = Vec2::new(3.0, 0.0);
    /// for frame in 1..=20 {
    ///     world.drive(player, Vec2::new(8.0, 8.0) + velocity * 0.05 * frame as f32, velocity)?;
    ///     world.tick()?;
    /// }
    /// assert_eq!(world.positions().next(), Some((player, Vec2::new(11.0, 8.0))));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn drive(&mut self, agent: AgentId, position: Vec2, velocity: Vec2) -> Result<(), WorldError> {
        self.log(|| Command::Drive { agent, position, velocity });
        self.check_alone(agent, position)?;
        if !self.grid.lattice().covers(position) {
            return Err(WorldError::OffMap { what: "a body that is moved from outside", x: position.x, y: position.y });
        }
        let speed = velocity.length();
        if !(0.0..=100.0).contains(&speed) {
            let expected = "at most 100 (m/s)";
            return Err(WorldError::Setting { field: "the speed of a body", expected, found: speed.into() });
        }
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        self.everyone.moved += 1;
        if !self.state.driven.contains_key(&agent.slot) {
            self.state.travels.forget(agent);
            self.state.release_routes(&[agent]);
            self.state.crowd.rows.weight[row] = WEIGHT;
        }
        let radius = self.state.crowd.rows.radius[row];
        self.state.driven.insert(agent.slot, Driven { id: agent, position, velocity, radius });
        (self.state.crowd.rows.position[row], self.state.crowd.rows.velocity[row]) = (position, velocity);
        self.state.crowd.slots.follower[agent.slot as usize].post = position;
        self.state.waking.push(agent.slot);
        self.wake_noted();
        Ok(())
    }

    /// A body that was moved from outside walks by itself again: it stays where it is until it is sent somewhere. Nothing
    /// happens where it was not, or is gone.
    pub fn let_go(&mut self, agent: AgentId) {
        self.log(|| Command::LetGo { agent });
        let Some(row) = self.state.crowd.row(agent) else { return };
        if self.state.driven.remove(&agent.slot).is_some() {
            self.state.crowd.rows.weight[row] = self.state.unit_of(agent.slot as usize).weight();
            self.state.waking.push(agent.slot);
            self.wake_noted();
        }
    }
}
