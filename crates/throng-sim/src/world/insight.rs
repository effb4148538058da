//! The state of one agent, for inspection.

use super::remaining_routes::remaining_route;
use super::{ArmyId, IdleReason, SquadId, World};
use crate::battle::Order;
use crate::crowd::{AgentId, Avoidance, HalfPlane, half_planes};
use throng_grid::geom::{Vec2, unit};

/// The state of one agent, as of the last tick: [`World::insight`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Insight {
    /// Its id.
    pub id: AgentId,
    /// Its number among all that were ever there, as [`World::person`] tells it.
    pub person: u32,
    /// Name of its kind.
    pub unit: String,
    /// Its army.
    pub army: ArmyId,
    /// Its squad, and what that is told to do; `None` for walkers.
    pub squad: Option<(SquadId, Order)>,
    /// Health left, and when it is well (points).
    pub health: [f32; 2],
    /// Shots left; 0 for an agent that does not shoot.
    pub ammunition: u16,
    /// True where it runs from the enemy.
    pub flees: bool,
    /// True while it sleeps.
    pub sleeps: bool,
    /// Its position (m).
    pub position: Vec2,
    /// Its radius (m).
    pub radius: f32,
    /// Its velocity, the one it would like to have, and its greatest speed (m/s).
    pub velocity: Vec2,
    /// The velocity it would like to have (m/s).
    pub preferred_velocity: Vec2,
    /// The greatest speed it can have (m/s).
    pub top_speed: f32,
    /// The point to which it is going now (m).
    pub aim: Vec2,
    /// Its position, the turns ahead of it, its goal (m).
    pub route: Vec<Vec2>,
    /// Its enemy, and where it is (m).
    pub target: Option<(AgentId, Vec2)>,
    /// The number of its enemy, as [`World::person`] tells it.
    pub enemy: Option<u32>,
    /// How it walks clear of others.
    pub avoidance: Avoidance,
    /// The positions of the neighbours that it keeps clear of (m).
    pub neighbours: Vec<Vec2>,
    /// The velocities that ORCA permits it; empty where it moves by another model.
    pub planes: Vec<HalfPlane>,
    /// Why it stands still, or that it does not.
    pub standing: IdleReason,
}

impl World {
    /// The state of one agent, as of the last tick; `None` where it is gone. O(agents + route).
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::{Vec2, unit};
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, SquadId, SquadSpec, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let goal = Vec2::splat(20.5);
    /// world.spawn_squad(SquadSpec { order: Order::GoTo(goal), ..SquadSpec::new(red, soldier, &[Vec2::splat(4.5), Vec2::splat(5.5)]) })?;
    /// world.tick()?;
    /// let (id, _) = world.positions().next().unwrap();
    /// let insight = world.insight(id).unwrap();
    /// assert_eq!((insight.neighbours.len(), insight.planes.len()), (1, 1));
    /// assert_eq!(insight.squad, Some((SquadId(0), Order::GoTo(goal))));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn insight(&self, id: AgentId) -> Option<Insight> {
        let standing = self.why(id)?;
        let (row, slot, crowd) = (self.state.crowd.row(id)?, id.slot as usize, &self.state.crowd);
        let kind = self.state.unit_of(slot);
        let squad = self.state.squad_of(slot).map(|squad| (SquadId(crowd.slots.squad[slot]), squad.order));
        let target = self.state.soldiers.target(slot);
        let sleeps = crowd.sleeps(id.slot);
        // A sleeping agent has no neighbours, and an agent that came since the last tick has none yet.
        let near = if sleeps || row >= self.scratch.walk.near.len() { &[] } else { self.scratch.walk.near.of(row) };
        let avoidance = kind.avoidance.unwrap_or(self.settings.avoidance.kind);
        let settings = &self.settings.avoidance;
        let gap = (avoidance == Avoidance::Gap).then_some(settings.gap);
        let planes = if !sleeps && (gap.is_some() || avoidance == Avoidance::Orca) {
            let mut view = crowd.rows.view(self.settings.step, &self.grid, &self.scratch.walk.near);
            let headings: Vec<Vec2> = match gap {
                Some(_) => view.preferred_velocity.iter().map(|&preferred| unit(preferred)).collect(),
                None => Vec::new(),
            };
            view.heading = &headings;
            half_planes(settings.orca, gap, &view, row, near)
        } else {
            Vec::new()
        };
        Some(Insight {
            id,
            person: self.person(id),
            unit: kind.name.clone(),
            army: crowd.rows.army_of(row),
            squad,
            health: [self.state.soldiers.health[slot], kind.health],
            ammunition: self.state.soldiers.ammunition.get(slot).copied().unwrap_or(0),
            flees: self.state.soldiers.flees(slot),
            sleeps,
            position: crowd.rows.position[row],
            radius: crowd.rows.radius[row],
            velocity: crowd.rows.velocity[row],
            preferred_velocity: crowd.rows.preferred_velocity[row],
            top_speed: crowd.rows.top_speed[row],
            aim: crowd.slots.aim[slot].point,
            route: remaining_route(&self.state, id.slot).map(|way| way.points).unwrap_or_default(),
            target: crowd.row(target).map(|enemy| (target, crowd.rows.position[enemy])),
            enemy: crowd.row(target).map(|_| self.person(target)),
            avoidance,
            neighbours: near.iter().map(|&row| crowd.rows.position[row as usize]).collect(),
            planes,
            standing,
        })
    }

    /// The agent of a [number](World::person); `None` where it is dead or gone, or yet to come.
    pub fn numbered(&self, person: u32) -> Option<AgentId> {
        self.state.crowd.numbered(person).filter(|id| !self.state.is_dead(id.slot))
    }
}
