//! A hand on single agents: they are hurt, healed, put elsewhere, pushed, and given another speed, kind or army.

use super::parts::State;
use super::spawn::{check_number, check_point};
use super::state::given::Blow;
use super::state::travels::TravelState;
use super::{ArmyId, Command, Settings, UnitId, World, WorldError};
use crate::battle::Unit;
use crate::crowd::{AgentId, Rest, RouteFollower, RouteProgress};
use crate::walk::Shove;
use throng_grid::geom::{Vec2, unit as direction};
use throng_grid::walls;

/// How fast a body that was pushed comes to rest (m/s²): it slides on earth.
const FRICTION: f32 = 6.0;

/// The greatest speed that an agent can be pushed with (m/s).
const MAX_PUSH: f32 = 100.0;

/// Nothing happens to an agent that is gone, or died in the last tick.
impl World {
    /// Takes health from an agent (points) in the next tick, before any strike of that tick; armour does not help. The harm is among the
    /// [events](World::events) of that tick, as a strike by `by`, or by the agent itself where none is named, which then counts for no
    /// army as a merit.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, walker) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let ids = world.spawn_walkers(red, walker, &[Vec2::splat(4.5), Vec2::splat(8.5)], &[])?;
    /// world.hurt(ids[0], 30.0, None)?;
    /// world.kill(ids[1], Some(ids[0]));
    /// world.tick()?;
    /// assert_eq!(world.health(ids[0]), Some(70.0));
    /// assert_eq!((world.events().deaths[0].who, world.agents()), (ids[1], 1));
    /// world.heal(ids[0], 1000.0)?;
    /// assert_eq!(world.health(ids[0]), Some(100.0));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// Where the damage is negative or not finite.
    pub fn hurt(&mut self, agent: AgentId, damage: f32, by: Option<AgentId>) -> Result<(), WorldError> {
        self.log(|| Command::Hurt { agent, damage, by });
        check_positive("the damage", damage)?;
        if self.state.living_row(agent).is_some() {
            self.state.given.blows.push(Blow { to: agent, by, damage });
        }
        Ok(())
    }

    /// Takes all its health from an agent in the next tick: see [`World::hurt`].
    pub fn kill(&mut self, agent: AgentId, by: Option<AgentId>) {
        self.log(|| Command::Kill { agent, by });
        if self.state.living_row(agent).is_some() {
            self.state.given.blows.push(Blow { to: agent, by, damage: f32::MAX });
        }
    }

    /// Gives health to an agent (points), at most up to that of its unit.
    ///
    /// # Errors
    /// Where it is negative or not finite.
    pub fn heal(&mut self, agent: AgentId, points: f32) -> Result<(), WorldError> {
        self.log(|| Command::Heal { agent, points });
        check_positive("the health", points)?;
        if self.state.living_row(agent).is_some() {
            let full = self.state.unit_of(agent.slot as usize).health;
            let health = &mut self.state.soldiers.health[agent.slot as usize];
            *health = (*health + points).min(full).max(*health);
        }
        Ok(())
    }

    /// The health of an agent (points); `None` where it is gone.
    pub fn health(&self, agent: AgentId) -> Option<f32> {
        self.state.living_row(agent).map(|_| self.state.soldiers.health[agent.slot as usize])
    }

    /// Puts an agent somewhere else (m), at rest. It goes on with what it does from there: it is given another way to where it walks, a
    /// member of a squad goes back to its place, and a walker without a goal stays.
    ///
    /// # Errors
    /// Where its body would be in a wall or off the map.
    pub fn teleport(&mut self, agent: AgentId, to: Vec2) -> Result<(), WorldError> {
        self.log(|| Command::Teleport { agent, to });
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        let radius = self.state.crowd.rows.radius[row];
        if !(to.is_finite() && walls::is_clear(&self.grid, to, radius)) {
            return Err(WorldError::Blocked { index: agent.slot as usize, x: to.x, y: to.y, radius });
        }
        self.everyone.moved += 1;
        super::sleep::wake_around(&[agent], &self.settings, &self.derived, &mut self.state);
        let slot = agent.slot as usize;
        let State { crowd, driven, links, routes, requests, travels, given, waking, .. } = &mut self.state;
        (crowd.rows.position[row], crowd.rows.velocity[row]) = (to, Vec2::ZERO);
        crowd.slots.rest[slot] = Rest::none(to);
        links.crossers.remove(&agent.slot);
        given.shoves.remove(&agent.slot);
        if let Some(driven) = driven.get_mut(&agent.slot) {
            (driven.position, driven.velocity) = (to, Vec2::ZERO);
        }
        let follower = &mut crowd.slots.follower[slot];
        let is_led = crowd.slots.squad[slot] != u32::MAX;
        let post = if is_led || follower.is_sent { follower.post } else { to };
        // The way from where it was leads from elsewhere.
        let (had, is_sent) = (follower.route, follower.is_sent);
        let progress = if is_led { RouteProgress::Lost } else { RouteProgress::OnRoute };
        *follower = RouteFollower { is_sent, route_progress: progress, ..RouteFollower::stay(post) };
        routes.release(had);
        requests.withdraw_agent(agent);
        requests.backoffs.remove(&agent);
        if let Some(traveller) = travels.travellers.get_mut(&agent.slot) {
            (traveller.to, traveller.look) = (None, 0);
            if let TravelState::Came { to } = traveller.state {
                traveller.state = TravelState::Walks { to };
            }
        }
        waking.push(agent.slot);
        self.wake_noted();
        Ok(())
    }

    /// Has an agent walk at a speed of its own (m/s) from now on; `None`: that of its unit. One that runs goes at the top speed of its unit,
    /// or at its own where that is more.
    ///
    /// # Errors
    /// Where the speed is not between 0 and 100 m/s.
    pub fn set_speed(&mut self, agent: AgentId, speed: Option<f32>) -> Result<(), WorldError> {
        self.log(|| Command::SetSpeed { agent, speed });
        if let Some(speed) = speed
            && !(0.0..=100.0).contains(&speed)
        {
            let expected = "between 0 and 100 (m/s)";
            return Err(WorldError::Setting { field: "the speed of an agent", expected, found: speed.into() });
        }
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        let most = self.state.unit_of(agent.slot as usize).top_speed;
        self.state.crowd.rows.top_speed[row] = speed.map_or(most, |speed| most.max(speed));
        match speed {
            Some(speed) => self.state.given.speeds.insert(agent.slot, speed),
            None => self.state.given.speeds.remove(&agent.slot),
        };
        self.state.waking.push(agent.slot);
        self.wake_noted();
        Ok(())
    }

    /// Gives an agent a radius of its own (m). Ways that it is given from then on have room for it, but for those of a squad, which are those
    /// of its unit.
    ///
    /// # Errors
    /// Where the radius is not between 0.05 and 10 m, or its body would be in a wall.
    pub fn set_radius(&mut self, agent: AgentId, radius: f32) -> Result<(), WorldError> {
        self.log(|| Command::SetRadius { agent, radius });
        if !(0.05..=10.0).contains(&radius) {
            let expected = "between 0.05 and 10 (m)";
            return Err(WorldError::Setting { field: "the radius of an agent", expected, found: radius.into() });
        }
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        let at = self.state.crowd.rows.position[row];
        if !walls::is_clear(&self.grid, at, radius) {
            return Err(WorldError::Blocked { index: agent.slot as usize, x: at.x, y: at.y, radius });
        }
        self.everyone.moved += 1;
        self.state.crowd.rows.radius[row] = radius;
        self.state.driven.entry(agent.slot).and_modify(|driven| driven.radius = radius);
        self.state.given.widest = self.state.given.widest.max(radius);
        self.derived.widest = self.derived.widest.max(radius);
        self.state.waking.push(agent.slot);
        self.wake_noted();
        self.replan(agent)
    }

    /// Makes a walker an agent of another unit: its body, speed and weapons are those of that one from now on, its health is the same share of
    /// the full one.
    ///
    /// # Errors
    /// Where there is no such unit, the agent belongs to a squad, or its new body would be in a wall.
    pub fn set_unit(&mut self, agent: AgentId, unit: UnitId) -> Result<(), WorldError> {
        self.log(|| Command::SetUnit { agent, unit });
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        let (at, slot) = (self.state.crowd.rows.position[row], agent.slot as usize);
        self.check_alone(agent, at)?;
        let army = self.state.crowd.rows.army_of(row);
        let new: Unit = self.check(army, unit, &[at])?;
        self.everyone.moved += 1;
        let share = self.state.soldiers.health[slot] / self.state.unit_of(slot).health;
        let rows = &mut self.state.crowd.rows;
        (rows.radius[row], rows.top_speed[row], rows.weight[row]) = (new.radius, new.top_speed, new.weight());
        self.state.driven.entry(agent.slot).and_modify(|driven| driven.radius = new.radius);
        self.state.crowd.slots.unit[slot] = unit.0;
        self.state.soldiers.add(agent.slot, &new);
        self.state.soldiers.health[slot] = new.health * share;
        self.state.given.speeds.remove(&agent.slot);
        self.state.waking.push(agent.slot);
        self.wake_noted();
        self.replan(agent)
    }

    /// Has a walker change sides. Enemies of its old army notice that when they look for targets next, at most 0.4 s later.
    ///
    /// # Errors
    /// Where there is no such army, or the agent belongs to a squad.
    pub fn set_army(&mut self, agent: AgentId, army: ArmyId) -> Result<(), WorldError> {
        self.log(|| Command::SetArmy { agent, army });
        let Some(row) = self.state.living_row(agent) else { return Ok(()) };
        self.check_alone(agent, self.state.crowd.rows.position[row])?;
        let id = army.index();
        if id >= self.state.armies.len() {
            return Err(WorldError::NoSuch { what: "army", id });
        }
        let old = std::mem::replace(&mut self.state.crowd.rows.army[row], army.0);
        for (army, joins) in [(usize::from(old), false), (id, true)] {
            let army = &mut self.state.armies[army];
            let change = |count: u32| if joins { count + 1 } else { count - 1 };
            (army.spawned, army.alive) = (change(army.spawned), change(army.alive));
        }
        if let Some(target) = self.state.soldiers.target.get_mut(agent.slot as usize) {
            *target = AgentId::NONE;
        }
        self.state.waking.push(agent.slot);
        self.wake_noted();
        Ok(())
    }

    /// Takes an agent out of its squad: it is a walker from now on, and stays where it is until it is sent somewhere.
    pub fn detach(&mut self, agent: AgentId) {
        self.log(|| Command::Detach { agent });
        let Some(row) = self.state.living_row(agent) else { return };
        let slot = agent.slot as usize;
        let Some(squad) = self.state.crowd.slots.squad_of(slot) else { return };
        self.state.travels.forget(agent);
        self.state.release_routes(&[agent]);
        let at = self.state.crowd.rows.position[row];
        self.state.crowd.slots.squad[slot] = u32::MAX;
        self.state.crowd.slots.follower[slot] = RouteFollower::stay(at);
        let squad = &mut self.state.squads[squad.index()];
        squad.members.retain(|&member| member != agent);
        squad.tally.spawned -= 1;
        self.state.waking.push(agent.slot);
        self.wake_noted();
    }

    /// Pushes an agent: it slides with this velocity (m/s), slower and slower (6 m/s²), along walls, and does not walk until it has come to
    /// rest. Then it goes on with what it did, or back to its place. Others avoid it as any moving body.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, walker) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let id = world.spawn_walkers(red, walker, &[Vec2::splat(8.5)], &[])?[0];
    /// world.push(id, Vec2::new(6.0, 0.0))?;
    /// world.tick_until(|world| world.ticks() == 20)?;
    /// let (_, at) = world.positions().next().unwrap();
    /// assert!((at.x - 11.5).abs() < 0.2 && at.y == 8.5, "6 m/s for 3 m: {at}");
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// Where the velocity is not finite, or more than 100 m/s.
    pub fn push(&mut self, agent: AgentId, velocity: Vec2) -> Result<(), WorldError> {
        self.log(|| Command::Push { agent, velocity });
        check_point("the velocity of a push", velocity)?;
        let found = velocity.length();
        if found > MAX_PUSH {
            let expected = "at most 100 (m/s)";
            return Err(WorldError::Setting { field: "the speed of a push", expected, found: found.into() });
        }
        if self.state.living_row(agent).is_some() {
            let shove = self.state.given.shoves.entry(agent.slot).or_insert(Shove { id: agent, velocity: Vec2::ZERO });
            shove.velocity = throng_grid::geom::clamp_length(shove.velocity + velocity, MAX_PUSH);
            self.state.waking.push(agent.slot);
            self.wake_noted();
        }
        Ok(())
    }

    /// Has an agent shoot at a point on the ground (m) in the next tick, whether it is ready or not, if it has shots left and the point is
    /// not beyond what its weapon carries.
    ///
    /// # Errors
    /// Where its unit has no ranged weapon, or the point is not finite.
    pub fn shoot(&mut self, agent: AgentId, at: Vec2) -> Result<(), WorldError> {
        self.log(|| Command::Shoot { agent, at });
        check_point("the point to shoot at", at)?;
        if self.state.living_row(agent).is_some() {
            if self.state.unit_of(agent.slot as usize).ranged.is_none() {
                return Err(WorldError::Unarmed { agent: agent.slot });
            }
            self.state.given.shots.push((agent, at));
        }
        Ok(())
    }

    /// An agent that walks to a point by a route gets another route, for the body that it has now.
    fn replan(&mut self, agent: AgentId) -> Result<(), WorldError> {
        let traveller = self.state.travels.travellers.get(&agent.slot).copied();
        let Some(traveller) = traveller.filter(|one| one.id == agent) else { return Ok(()) };
        let Some(point) = traveller.sent_to() else { return Ok(()) };
        let planner = self.derived.planners[usize::from(traveller.planner)].0.clone();
        self.state.travels.forget(agent);
        self.unlogged(|world| world.walk_by(agent, point, planner))
    }
}

fn check_positive(field: &'static str, found: f32) -> Result<(), WorldError> {
    check_number(field, found)?;
    if found >= 0.0 {
        return Ok(());
    }
    Err(WorldError::Setting { field, expected: "at least 0 (points)", found: found.into() })
}

/// Reads agents that slide; writes how fast they still are. Local.
pub(super) fn slow_down(settings: &Settings, state: &mut State) {
    let slower = FRICTION * settings.step;
    state.given.shoves.retain(|_, shove| {
        let speed = shove.velocity.length();
        shove.velocity = direction(shove.velocity) * (speed - slower).max(0.0);
        speed > slower
    });
}
