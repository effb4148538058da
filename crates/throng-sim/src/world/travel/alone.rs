//! Walking to a point alone, by a route.

use super::route::{can_go_straight, go_straight, keep_on};
use crate::battle::JourneyId;
use crate::crowd::{ARRIVAL_RADIUS, AgentId};
use crate::world::parts::{MapView, State};
use crate::world::state::travels::{NEVER, TravelState, Traveller};
use crate::world::{Command, World, WorldError, posts};
use throng_grid::geom::Vec2;
use throng_grid::walls;
use throng_plan::PlannerChoice;

/// A goal that has moved by less than this (m) is the same.
const CLOSER: f32 = 0.1;

impl Traveller {
    /// The point (m) to which it was sent alone; `None` for one on a journey.
    pub(in crate::world) fn sent_to(&self) -> Option<Vec2> {
        match self.state {
            TravelState::Walks { to } | TravelState::Came { to } => Some(to),
            _ => None,
        }
    }
}

/// On its way to the point to which it was sent.
pub(super) fn walk_alone(map: MapView<'_>, state: &mut State, slot: u32, row: usize, to: Vec2) {
    let mut traveller = state.travels.travellers[&slot];
    let Traveller { id, goal, .. } = traveller;
    let left = state.crowd.rows.position[row].distance(goal) - ARRIVAL_RADIUS;
    if left <= 0.0 && can_go_straight(map, state, row, goal) {
        go_straight(state, id, goal);
        state.requests.backoffs.remove(&id);
        state.events.arrived.push(id);
        (traveller.state, traveller.look) = (TravelState::Came { to }, NEVER);
    } else {
        keep_on(map, state, &mut traveller, row);
        let soonest = left / (state.crowd.rows.top_speed[row] * map.settings.step).max(1e-6);
        traveller.look = state.tick + (soonest as u64).clamp(1, map.settings.schedule(state.tick).period());
    }
    state.travels.travellers.insert(slot, traveller);
}

/// The map has changed: agents that walk alone, or have come, look anew how near they can come.
pub(super) fn look_for_goals(map: MapView<'_>, state: &mut State) {
    let alone = |(&slot, one): (&u32, &Traveller)| Some((slot, one.sent_to()?));
    let alone: Vec<(u32, Vec2)> = state.travels.travellers.iter().filter_map(alone).collect();
    for (slot, to) in alone {
        let Traveller { id, goal, ground, .. } = state.travels.travellers[&slot];
        let Some(row) = state.crowd.row(id) else { continue };
        let radius = state.crowd.rows.radius[row];
        if goal == to && walls::is_clear(map.grid, to, radius) {
            continue;
        }
        let nearest = posts::nearest_point(map, ground, (state.crowd.rows.position[row], to), radius);
        if nearest.distance(goal) > CLOSER {
            if let Some(one) = state.travels.travellers.get_mut(&slot) {
                (one.state, one.goal, one.to) = (TravelState::Walks { to }, nearest, None);
            }
            go_straight(state, id, state.crowd.rows.position[row]);
        }
    }
}

impl World {
    /// Sends a walker ([`World::spawn_walkers`]) to a point (m) by a route, which A* plans on the threads of the world. Walkers that set
    /// out together for the same point share a route.
    ///
    /// A walker that is sent anew walks on as it did until it has the new route. The same point is no new order; a point that has
    /// moved by less than a quarter of the way to it needs no new route yet. So a game may call this in each frame, for a target
    /// that moves.
    ///
    /// It goes to the very point where its body has room there, else as near as it can come ([`IdleReason::NearGoal`]). The
    /// [events](World::events) tell that it has arrived, or that it has no route; [`World::why`] tells what holds it up. Nothing
    /// happens where it is gone. [`World::walk_straight_to`] sends it straight on instead.
    ///
    /// [`IdleReason::NearGoal`]: super::super::IdleReason::NearGoal
    ///
    /// # Errors
    /// Where the point is not finite, or the agent belongs to a squad or is [driven](World::drive).
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// // A wall with a gap at the bottom.
    /// let mut grid = Grid::open_plain(Lattice::new(32, 32, 1.0)?);
    /// (0..28).for_each(|y| grid.set_open(grid.lattice().cell(16, y), false));
    /// let mut world = World::new(grid, Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::pedestrian())?);
    /// let ids = world.spawn_walkers(all, walker, &[Vec2::new(8.5, 8.5)], &[])?;
    /// world.walk_to(ids[0], Vec2::new(24.2, 8.3))?;
    /// world.tick_until(|world| !world.events().arrived.is_empty())?;
    /// assert_eq!(world.events().arrived, ids);
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn walk_to(&mut self, agent: AgentId, point: Vec2) -> Result<(), WorldError> {
        self.walk_by(agent, point, PlannerChoice::AStar)
    }

    /// As [`World::walk_to`], by another planner. Many that are sent to one place by A*, Dijkstra's algorithm, bidirectional or fringe
    /// search share a flow field, where that is less work than their searches.
    ///
    /// # Errors
    /// As [`World::walk_to`], and where the planner cannot plan for its unit.
    pub fn walk_by(&mut self, agent: AgentId, point: Vec2, planner: PlannerChoice) -> Result<(), WorldError> {
        self.log(|| Command::WalkBy { agent, point, planner: planner.clone() });
        self.check_free(agent, point)?;
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        let mut unit = self.state.unit_of(agent.slot as usize).clone();
        unit.radius = self.state.crowd.rows.radius[row];
        let (planner, ground) = self.prepare(planner, &unit)?;
        let before = self.state.travels.travellers.get(&agent.slot).copied().filter(|one| one.id == agent);
        let before = before.filter(|one| (one.planner, one.ground) == (planner, ground));
        if before.is_some_and(|one| one.sent_to() == Some(point)) {
            return Ok(());
        }
        self.state.travels.forget(agent);
        if before.is_none() {
            self.state.release_routes(&[agent]);
        }
        let map = MapView::new(&self.settings, &self.grid, &self.derived);
        let goal = posts::nearest_point(
            map,
            ground,
            (self.state.crowd.rows.position[row], point),
            self.state.crowd.rows.radius[row],
        );
        let traveller = Traveller {
            id: agent,
            journey: JourneyId(u32::MAX),
            stop: 0,
            state: TravelState::Walks { to: point },
            planner,
            ground,
            goal,
            to: before.and_then(|one| one.to),
            sought: before.map_or(point, |one| one.sought),
            place: None,
            look: 0,
        };
        self.state.travels.travellers.insert(agent.slot, traveller);
        self.state.waking.push(agent.slot);
        self.wake_noted();
        Ok(())
    }

    /// Checks that a walker may be sent somewhere: it belongs to no squad, and is not moved from outside.
    pub(in crate::world) fn check_free(&self, agent: AgentId, point: Vec2) -> Result<(), WorldError> {
        self.check_alone(agent, point)?;
        let is_driven = self.state.driven.get(&agent.slot).is_some_and(|driven| driven.id == agent);
        if is_driven { Err(WorldError::Driven { agent: agent.slot }) } else { Ok(()) }
    }

    /// Checks that an agent belongs to no squad.
    pub(in crate::world) fn check_alone(&self, agent: AgentId, point: Vec2) -> Result<(), WorldError> {
        crate::world::spawn::check_point("the point to walk to", point)?;
        let squad = self.state.crowd.row(agent).and_then(|_| self.state.crowd.slots.squad_of(agent.slot as usize));
        match squad {
            Some(squad) => Err(WorldError::InSquad { agent: agent.slot, squad }),
            None => Ok(()),
        }
    }
}
