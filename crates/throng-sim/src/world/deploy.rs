//! Deployment: squads that are put elsewhere at once, made larger or smaller; armies of another name.

use super::parts::State;
use super::spawn::{add_members, check_number};
use super::{ArmyId, Command, SquadId, SquadSpec, World, WorldError, orders};
use crate::battle::Ranks;
use crate::crowd::AgentId;
use throng_grid::geom::{Vec2, direction};

impl World {
    /// Puts a squad at other positions (m), looking in a direction (degrees), at once and without a walk. It gets as many members as
    /// there are positions: they keep their health and their numbers, in their order, and new ones have all of it. Its order begins anew, and those that
    /// are to follow stay. The ids of its members change. O(n).
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, SquadSpec, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]))?;
    /// world.deploy(squad, &[Vec2::splat(20.5), Vec2::new(21.5, 20.5)], 90.0)?;
    /// assert_eq!((world.armies()[0].alive, world.armies()[0].spawned), (2, 2));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// Where there is no such squad, a member's body would be in a wall or off the map, or the direction is not finite; then nothing
    /// has changed.
    pub fn deploy(&mut self, squad: SquadId, positions: &[Vec2], facing: f32) -> Result<(), WorldError> {
        self.log(|| Command::Deploy { squad, positions: positions.to_vec(), facing });
        let s = squad.index();
        let known = self.state.squads.get(s).ok_or(WorldError::NoSuch { what: "squad", id: s })?;
        let (army, unit, order) = (known.army, known.unit, known.order);
        self.check(army, unit, positions)?;
        check_number("the facing of a squad", facing)?;
        let state = &self.state;
        let members: Vec<AgentId> = known.members.iter().copied().filter(|&id| state.crowd.row(id).is_some()).collect();
        let known =
            |id: &AgentId| (state.soldiers.health[id.slot as usize], state.crowd.slots.person[id.slot as usize]);
        let kept: Vec<(f32, u32)> = members.iter().map(known).collect();
        self.unlogged(|world| world.remove(&members));
        add_members(&mut self.state, s, positions, facing);
        for (id, (health, person)) in self.state.squads[s].members.iter().zip(kept) {
            self.state.soldiers.health[id.slot as usize] = health;
            self.state.crowd.slots.person[id.slot as usize] = person;
        }
        let ranks = &mut self.state.squads[s].ranks;
        if let Some(ranks) = ranks {
            **ranks = Ranks::new(ranks.formation(), direction(facing));
        }
        orders::set(&mut self.derived, &mut self.state, s, order);
        Ok(())
    }

    /// A squad as it is now: its living members' positions, the direction that its first one looks in, its orders and its formation.
    /// O(members).
    pub fn squad_spec(&self, squad: SquadId) -> Option<SquadSpec> {
        let State { squads, crowd, .. } = &self.state;
        let known = squads.get(squad.index())?;
        let rows = known.members.iter().filter_map(|&id| Some((id.slot as usize, crowd.row(id)?)));
        let (slots, positions): (Vec<usize>, Vec<Vec2>) =
            rows.map(|(slot, row)| (slot, crowd.rows.position[row])).unzip();
        let looks = match (&known.ranks, slots.first()) {
            (Some(ranks), _) => ranks.heading(),
            (None, Some(&slot)) => crowd.slots.facing[slot],
            (None, None) => Vec2::X,
        };
        Some(SquadSpec {
            facing: libm::atan2f(looks.y, looks.x).to_degrees(),
            order: known.order,
            queue: known.queue.iter().collect(),
            formation: known.ranks.as_ref().map(|ranks| ranks.formation()),
            planner: self.planner_of(squad)?,
            ..SquadSpec::new(known.army, known.unit, positions)
        })
    }

    /// Gives an army another name.
    ///
    /// # Errors
    /// Where there is no such army.
    pub fn set_army_name(&mut self, army: ArmyId, name: &str) -> Result<(), WorldError> {
        self.log(|| Command::SetArmyName { army, name: name.to_owned() });
        let id = army.index();
        let army = self.state.armies.get_mut(id).ok_or(WorldError::NoSuch { what: "army", id })?;
        name.clone_into(&mut army.name);
        Ok(())
    }
}
