//! Going after a target that moves: agents and squads that follow an agent, a driven body or a squad.

use super::journey::{Stop, Task};
use super::parts::{Derived, State};
use super::travel::leader_row;
use super::{Command, Journey, JourneyId, Settings, SquadId, World, WorldError, orders};
use crate::battle::{Leader, Order, Pursuit, command};
use crate::crowd::AgentId;
use throng_grid::geom::{Vec2, unit};
use throng_plan::PlannerChoice;

/// A squad sets out again when its target has moved by more than this (m) from where it goes.
const MOVED_M: f32 = 1.0;

impl World {
    /// Has a walker ([`World::spawn_walkers`]) follow an agent, a [driven](World::drive) body or a squad at a distance (m, from middle to
    /// middle), by routes of A* where it does not see it: an escort, a chaser. Of several that follow one at a distance each next one
    /// stays somewhat further away, so that all have room. To follow a point that moves, [`World::walk_to`] it in each frame.
    ///
    /// It follows until it is sent elsewhere, or its target is gone: then it stays where it is, and the [events](World::events) tell that it
    /// has arrived. While there is no way, it asks again after longer and longer pauses. Thousands go better as a squad:
    /// [`World::follow_with_squad`].
    ///
    /// # Errors
    /// Where the distance is not between 0.01 and 10,000 m, or the agent belongs to a squad or is driven.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 32, 1.0)?), Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let ids = world.spawn_walkers(all, walker, &[Vec2::new(8.5, 8.5), Vec2::new(4.5, 8.5)], &[])?;
    /// world.walk_to(ids[0], Vec2::new(40.5, 20.5))?;
    /// world.follow(ids[1], ids[0], 3.0)?;
    /// world.tick_until(|world| world.ticks() == 800)?;
    /// let at: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    /// assert!((at[0].distance(at[1]) - 3.0).abs() < 1.0, "{at:?}");
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn follow(&mut self, agent: AgentId, target: impl Into<Leader>, distance: f32) -> Result<(), WorldError> {
        let leader = target.into();
        self.log(|| Command::Follow { agent, target: leader, distance });
        self.unlogged(|world| world.go_after(agent, leader, distance))
    }

    fn go_after(&mut self, agent: AgentId, leader: Leader, distance: f32) -> Result<(), WorldError> {
        // One that cannot follow leaves no journey behind.
        self.check_free(agent, Vec2::ZERO)?;
        let journey = self.journey_after(leader, distance)?;
        let follows = |one: &super::state::travels::Traveller| one.id == agent && one.journey == journey;
        if self.state.travels.travellers.get(&agent.slot).is_some_and(follows) {
            return Ok(());
        }
        self.travel(agent, journey, PlannerChoice::AStar)
    }

    /// Has a squad [follow](Order::Follow) an agent, a driven body or a squad: its middle comes so near (m), each member keeps its place in it.
    /// It looks once a second where its target is, and asks for one route at a time, which its members share.
    ///
    /// # Errors
    /// Where there is no such squad, it is to follow itself, or the distance is not between 0.01 and 10,000 m.
    pub fn follow_with_squad(
        &mut self,
        squad: SquadId,
        target: impl Into<Leader>,
        distance: f32,
    ) -> Result<(), WorldError> {
        self.order(squad, Order::Follow(Pursuit::new(target, distance)))
    }

    /// The journey of those that follow a leader at a distance: one for all of them. Those that nobody is on any more are removed.
    fn journey_after(&mut self, leader: Leader, distance: f32) -> Result<JourneyId, WorldError> {
        let key = (leader, distance.to_bits());
        if let Some(&journey) = self.state.travels.follows.get(&key) {
            return Ok(journey);
        }
        let is_left = |journey: &JourneyId| {
            !self.state.travels.travellers.values().any(|traveller| traveller.journey == *journey)
        };
        let left: Vec<_> = self
            .state
            .travels
            .follows
            .iter()
            .filter(|(_, journey)| is_left(journey))
            .map(|(_, &journey)| journey)
            .collect();
        for journey in left {
            // A trigger may need it still.
            let _ = self.remove_journey(journey);
        }
        let journey = self.add_journey(Journey::new([follow(leader, distance)]))?;
        self.state.travels.follows.insert(key, journey);
        Ok(journey)
    }
}

fn follow(leader: Leader, distance: f32) -> Stop {
    Task::Follow { leader, distance, offset: Vec2::ZERO }.into()
}

/// Reads where the targets of squads are; writes where the squads go. Global: a squad looks at agents anywhere.
pub(super) fn advance(settings: &Settings, derived: &mut Derived, state: &mut State) {
    let every = ((command::REVIEW_EVERY / settings.step).round() as u64).max(1);
    for s in 0..state.squads.len() {
        let squad = &state.squads[s];
        let is_due = (state.tick + s as u64).is_multiple_of(every);
        if let (true, Order::Follow(pursuit)) = (is_due, squad.order)
            && squad.members.iter().any(|&id| state.crowd.row(id).is_some())
        {
            let order = pursued(state, s, pursuit);
            if order != Order::Follow(pursuit) {
                orders::set(derived, state, s, order);
            }
        }
    }
}

/// The order of a squad that goes after a target, which may have moved, or be gone.
pub(super) fn pursued(state: &mut State, s: usize, pursuit: Pursuit) -> Order {
    let Some(row) = leader_row(state, pursuit.leader, AgentId::NONE) else {
        let is_to_come = match pursuit.leader {
            Leader::Squad(squad) => state.triggers.coming().any(|(other, waves)| other == squad && waves > 0),
            Leader::Agent(_) => false,
        };
        return if is_to_come { Order::Follow(pursuit) } else { Order::Hold };
    };
    let at = state.crowd.rows.position[row];
    state.squads[s].review(&state.crowd);
    let away = state.squads[s].centre - at;
    let goal = at + unit(away) * pursuit.distance;
    let stays = pursuit.to.is_some_and(|old| old.distance(goal) <= MOVED_M);
    let to = if stays || away.length() <= pursuit.distance { pursuit.to } else { Some(goal) };
    Order::Follow(Pursuit { to, ..pursuit })
}
