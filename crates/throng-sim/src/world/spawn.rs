//! Setting up: units, armies, squads, walkers.

use super::parts::{Derived, State};
use super::travel::assign_journey;
use super::{Army, ArmyId, Command, SquadId, SquadSpec, UnitId, World, WorldError};
use crate::battle::{Formation, MAX_ARMIES, Ranks, Relation, RetryBackoff, RouteState, Squad, SquadStats, Unit};
use crate::crowd::{AgentId, Newcomer, RouteId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Ground, Mobility, walls};
use throng_plan::{Capability, PlanError, PlannerChoice};

/// A passage should be so much wider than a body: one that fits exactly would jam in it.
pub(super) const PASSAGE_CLEARANCE: f32 = 1.01;

/// A squad of at least so many members keeps to ways that are wide enough for many.
const MIN_WIDE_MEMBERS: usize = 16;

/// The least distance from walls on such ways (m): gates and streets of five metres and more.
const WIDE_RADIUS_M: f32 = 2.5;

impl World {
    /// Adds a kind of soldier.
    ///
    /// # Errors
    /// Where one of its numbers is out of range, or it moves by a model from outside that the world lacks.
    pub fn add_unit(&mut self, unit: Unit) -> Result<UnitId, WorldError> {
        self.log(|| Command::AddUnit { unit: unit.clone() });
        unit.check()?;
        self.settings.check_model(unit.avoidance.unwrap_or(self.settings.avoidance.kind))?;
        if self.state.units.len() > usize::from(u16::MAX) {
            return Err(WorldError::TooMany { what: "units", limit: usize::from(u16::MAX) + 1 });
        }
        self.derived.widest = self.derived.widest.max(unit.radius);
        self.derived.usage.add(&unit, self.settings.avoidance.kind);
        self.state.units.push(unit);
        for army in &mut self.state.armies {
            army.add_unit();
        }
        Ok(UnitId((self.state.units.len() - 1) as u16))
    }

    /// Adds an army. All armies are each other's enemies.
    ///
    /// # Errors
    /// Where there are 16 already.
    pub fn add_army(&mut self, name: &str) -> Result<ArmyId, WorldError> {
        self.log(|| Command::AddArmy { name: name.to_owned() });
        if self.state.armies.len() == MAX_ARMIES {
            return Err(WorldError::TooMany { what: "armies", limit: MAX_ARMIES });
        }
        let mut army = Army { name: name.into(), ..Army::default() };
        (0..self.state.units.len()).for_each(|_| army.add_unit());
        self.state.armies.push(army);
        Ok(ArmyId(self.state.armies.len() as u8 - 1))
    }

    /// Gives an army a colour of its own in pictures: red, green and blue; `None` gives it that of its number.
    ///
    /// ```
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Frame, Settings, World};
    /// # let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// let red = world.add_army("red")?;
    /// world.set_army_colour(red, Some([0xC0, 0x1F, 0x3A]))?;
    /// let mut frame = Frame::default();
    /// world.frame(&mut frame);
    /// assert_eq!(frame.colours, [Some([0xC0, 0x1F, 0x3A])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where there is no such army.
    pub fn set_army_colour(&mut self, army: ArmyId, colour: Option<[u8; 3]>) -> Result<(), WorldError> {
        self.log(|| Command::SetArmyColour { army, colour });
        let army =
            self.state.armies.get_mut(army.index()).ok_or(WorldError::NoSuch { what: "army", id: army.0.into() })?;
        army.colour = colour;
        Ok(())
    }

    /// The relation of two armies: enemies, unless [`World::relate`] said otherwise; an army is its own ally.
    pub fn relation(&self, one: ArmyId, other: ArmyId) -> Relation {
        self.state.relations.of(one, other)
    }

    /// Sets the relation of two armies. An agent that fights a former enemy stops. The relation of an army to itself stays.
    /// O(agents).
    ///
    /// # Errors
    /// Where there is no such army.
    ///
    /// ```
    /// use throng_sim::battle::Relation;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Settings, World};
    /// # let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// let (red, green) = (world.add_army("red")?, world.add_army("green")?);
    /// world.relate(red, green, Relation::Ally)?;
    /// assert_eq!(world.relation(green, red), Relation::Ally);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn relate(&mut self, one: ArmyId, other: ArmyId, relation: Relation) -> Result<(), WorldError> {
        self.log(|| Command::Relate { one, other, relation });
        for army in [one, other] {
            if army.index() >= self.state.armies.len() {
                return Err(WorldError::NoSuch { what: "army", id: army.0.into() });
            }
        }
        self.state.relations.set(one, other, relation);
        for slot in 0..self.state.soldiers.target.len() {
            let target = self.state.soldiers.target[slot];
            if self.state.crowd.row(target).is_none() || self.state.crowd.slots.row_of[slot] == u32::MAX {
                continue;
            }
            let [own, its] = [slot as u32, target.slot].map(|slot| self.state.crowd.army_of(slot));
            if self.state.relations.of(own, its) != Relation::Enemy {
                self.state.soldiers.target[slot] = AgentId::NONE;
            }
        }
        Ok(())
    }

    /// Adds a squad.
    ///
    /// # Errors
    /// Where the army or unit is not of this world, a member's body would be in a wall or off the map, a number is not
    /// finite, a class of terrain on the map has no cost for the unit, or the planner cannot plan for it; then nothing is
    /// added.
    pub fn spawn_squad(&mut self, spec: SquadSpec) -> Result<SquadId, WorldError> {
        self.log(|| Command::SpawnSquad { spec: spec.clone() });
        let squad = self.empty_squad(&spec)?;
        let id = self.state.squads.len();
        self.state.squads.push(squad);
        let SquadSpec { positions, facing, .. } = spec;
        add_members(&mut self.state, id, &positions, facing);
        Ok(SquadId(id as u32))
    }

    /// A squad without its members.
    ///
    /// # Errors
    /// As [`World::spawn_squad`].
    pub(super) fn empty_squad(&mut self, spec: &SquadSpec) -> Result<Squad, WorldError> {
        let unit = self.check(spec.army, spec.unit, &spec.positions)?;
        let id = self.state.squads.len();
        self.check_order(id, spec.order)?;
        self.check_queue(id, &spec.queue)?;
        check_number("the facing of a squad", spec.facing)?;
        spec.formation.map_or(Ok(()), |formation| check_formation(formation, unit.radius))?;
        let ground = self.ground(unit.radius * PASSAGE_CLEARANCE, &unit)?;
        let many = spec.positions.len() >= MIN_WIDE_MEMBERS && unit.radius < WIDE_RADIUS_M;
        // A field leads each member from where it is, and is of the unit's own ground.
        let many = many && spec.planner != PlannerChoice::FlowField;
        let wide = if many { Some(self.ground(WIDE_RADIUS_M, &unit)?) } else { None };
        let planner = self.planner(spec.planner.clone(), [Some(ground), wide]);
        // A planner that could be built for no ground is forgotten.
        self.derived.planners.pop_if(|(_, built)| built.is_empty());
        let planner = planner?;
        let formation = match spec.order.front() {
            Some(front) => Some(front.formation(spec.formation, unit.radius)),
            None => spec.formation,
        };
        Ok(Squad {
            army: spec.army,
            unit: spec.unit,
            leader: AgentId::NONE,
            members: Vec::new(),
            order: spec.order,
            queue: spec.queue.iter().copied().collect(),
            planner,
            ground,
            wide,
            centre: Vec2::ZERO,
            middle: Vec2::ZERO,
            goal: None,
            extent: 0.0,
            route: RouteId::NONE,
            field: None,
            route_state: RouteState::New,
            sought: Vec2::ZERO,
            backoff: RetryBackoff::default(),
            siege: None,
            ranks: formation.map(|formation| Box::new(Ranks::new(formation, direction(spec.facing)))),
            tally: SquadStats::default(),
        })
    }

    /// Adds walkers that go straight to a goal each (m), without a route, and stay there. If there are fewer goals
    /// than positions, the others stay where they are. Their ids are in the order of the positions.
    ///
    /// # Errors
    /// As [`World::spawn_squad`].
    pub fn spawn_walkers(
        &mut self,
        army: ArmyId,
        unit: UnitId,
        positions: &[Vec2],
        goals: &[Vec2],
    ) -> Result<Vec<AgentId>, WorldError> {
        self.log(|| Command::SpawnWalkers { army, unit, positions: positions.to_vec(), goals: goals.to_vec() });
        self.check(army, unit, positions)?;
        goals.iter().try_for_each(|&goal| check_point("the goal of a walker", goal))?;
        reserve(&mut self.state, positions.len());
        let mut ids = Vec::with_capacity(positions.len());
        for (i, &position) in positions.iter().enumerate() {
            let goal = goals.get(i).copied().unwrap_or(position);
            let facing = throng_grid::geom::unit(goal - position);
            let facing = if facing == Vec2::ZERO { Vec2::X } else { facing };
            let id = add_agent(&mut self.state, army, unit, position, facing, None);
            self.state.crowd.slots.follower[id.slot as usize].send(goal, i < goals.len());
            ids.push(id);
        }
        Ok(ids)
    }

    /// Gives a walker ([`World::spawn_walkers`]) another goal (m), to which it goes straight, without a route;
    /// [`World::walk_to`] finds it one. Nothing happens where it is gone.
    ///
    /// # Errors
    /// Where the goal is not finite, or the agent belongs to a squad.
    pub fn walk_straight_to(&mut self, walker: AgentId, goal: Vec2) -> Result<(), WorldError> {
        self.log(|| Command::WalkStraightTo { walker, goal });
        self.check_free(walker, goal)?;
        if self.state.crowd.row(walker).is_some() {
            self.state.travels.forget(walker);
            self.state.release_routes(&[walker]);
            self.state.crowd.slots.follower[walker.slot as usize].send(goal, true);
            self.state.waking.push(walker.slot);
            self.wake_noted();
        }
        Ok(())
    }

    pub(super) fn check(&self, army: ArmyId, unit: UnitId, positions: &[Vec2]) -> Result<Unit, WorldError> {
        let id = army.index();
        if id >= self.state.armies.len() {
            return Err(WorldError::NoSuch { what: "army", id });
        }
        let id = unit.index();
        let unit = self.state.units.get(id).ok_or(WorldError::NoSuch { what: "unit", id })?;
        for (index, &at) in positions.iter().enumerate() {
            if !(at.is_finite() && walls::is_clear(&self.grid, at, unit.radius)) {
                return Err(WorldError::Blocked { index, x: at.x, y: at.y, radius: unit.radius });
            }
        }
        Ok(unit.clone())
    }

    /// How agents of a radius (m) and a unit move over the map.
    pub(super) fn mobility(&self, radius: f32, unit: &Unit) -> Mobility {
        let narrow = 0.45 * self.grid.lattice().cell_size;
        let Unit { terrain, congestion, .. } = unit.clone();
        let links = self.state.links.of_unit(unit.speed, self.grid.lattice().cell_size);
        Mobility { terrain, congestion, links, ..Mobility::new(radius.max(narrow)) }
    }

    /// The ground, for bodies of a radius, of units to which terrain and crowds cost as much as to this: units that are narrower than a cell share one. Its radius is a little under
    /// half a cell, so that a passage of one cell still has a line of sight.
    fn ground(&mut self, radius: f32, unit: &Unit) -> Result<u16, WorldError> {
        let mobility = self.mobility(radius, unit);
        if let Some(known) = self.derived.grounds.iter().position(|ground| *ground.mobility() == mobility) {
            return Ok(known as u16);
        }
        let limit = usize::from(u16::MAX) + 1;
        if self.derived.grounds.len() == limit {
            return Err(WorldError::TooMany { what: "kinds of units that move differently", limit });
        }
        let ground = Ground::build(Arc::clone(&self.grid), mobility)?;
        self.derived.grounds.push(Arc::new(match self.derived.congestion.last() {
            Some(crowding) => ground.crowded(Arc::clone(crowding)),
            None => ground,
        }));
        Ok((self.derived.grounds.len() - 1) as u16)
    }

    /// The planner and the ground of one of a unit.
    pub(super) fn prepare(&mut self, planner: PlannerChoice, unit: &Unit) -> Result<(u16, u16), WorldError> {
        let ground = self.ground(unit.radius * PASSAGE_CLEARANCE, unit)?;
        let planner = self.planner(planner, [Some(ground), None]);
        // A planner that could be built for no ground is forgotten.
        self.derived.planners.pop_if(|(_, built)| built.is_empty());
        Ok((planner?, ground))
    }

    /// A planner that is ready for these grounds.
    pub(super) fn planner(&mut self, choice: PlannerChoice, grounds: [Option<u16>; 2]) -> Result<u16, WorldError> {
        ready_planner(&mut self.derived, choice, grounds)
    }
}

/// A planner that is ready for these grounds.
pub(super) fn ready_planner(
    derived: &mut Derived,
    choice: PlannerChoice,
    grounds: [Option<u16>; 2],
) -> Result<u16, WorldError> {
    let limit = usize::from(u16::MAX) + 1;
    let place = match derived.planners.iter().position(|(known, _)| *known == choice) {
        Some(known) => known,
        None if derived.planners.len() == limit => {
            return Err(WorldError::TooMany { what: "planners", limit });
        }
        None => {
            derived.planners.push((choice, BTreeMap::new()));
            derived.planners.len() - 1
        }
    };
    let (choice, built) = &mut derived.planners[place];
    for ground in grounds.into_iter().flatten() {
        if let Entry::Vacant(vacant) = built.entry(ground) {
            let ground = &derived.grounds[usize::from(ground)];
            let planner = choice.build(ground)?;
            // Said now, not when the first route is asked for. An edit may make any ground uneven.
            let needed = [
                (ground.mobility().terrain.is_some(), Capability::Terrain),
                (!ground.is_level(), Capability::Heights),
                (ground.mobility().congestion > 0.0, Capability::Crowds),
                // One that is closed now may be opened.
                (!ground.mobility().links.is_empty(), Capability::Links),
            ];
            let can = planner.capabilities();
            if let Some((_, what)) = needed.into_iter().find(|&(needed, what)| needed && !can.can(what)) {
                return Err(PlanError::Cannot { planner: planner.name(), what }.into());
            }
            vacant.insert(planner);
        }
    }
    Ok(place as u16)
}

/// Adds the members of a squad that has none at their positions (m), looking in a direction (degrees).
pub(super) fn add_members(state: &mut State, s: usize, positions: &[Vec2], facing: f32) {
    let facing = direction(facing);
    let centre = positions.iter().sum::<Vec2>() / positions.len().max(1) as f32;
    reserve(state, positions.len());
    let (army, unit) = (state.squads[s].army, state.squads[s].unit);
    let mut members = Vec::with_capacity(positions.len());
    for &position in positions {
        members.push(add_agent(state, army, unit, position, facing, Some(SquadId(s as u32))));
    }
    let squad = &mut state.squads[s];
    squad.leader = members.first().copied().unwrap_or(AgentId::NONE);
    (squad.members, squad.centre, squad.middle) = (members, centre, centre);
    assign_journey(state, s);
}

/// Makes room for `more` agents, and no more than that where they are many.
fn reserve(state: &mut State, more: usize) {
    state.crowd.reserve(more);
    state.soldiers.reserve(more.saturating_sub(state.crowd.slots.row_of.len() - state.crowd.len()));
}

fn add_agent(
    state: &mut State,
    army: ArmyId,
    unit: UnitId,
    position: Vec2,
    facing: Vec2,
    squad: Option<SquadId>,
) -> AgentId {
    let kind = &state.units[unit.index()];
    let (radius, top_speed, weight) = (kind.radius, kind.top_speed, kind.weight());
    let id = state.crowd.spawn(Newcomer { position, facing, radius, top_speed, weight, army, unit, squad });
    state.soldiers.add(id.slot, kind);
    let army = &mut state.armies[army.index()];
    army.spawned += 1;
    army.alive += 1;
    if let Some(squad) = squad.and_then(|squad| state.squads.get_mut(squad.index())) {
        squad.tally.spawned += 1;
    }
    id
}

pub(super) fn check_point(field: &'static str, point: Vec2) -> Result<(), WorldError> {
    check_number(field, point.x)?;
    check_number(field, point.y)
}

pub(super) fn check_formation(formation: Formation, radius: f32) -> Result<(), WorldError> {
    if !Formation::spacings(radius).contains(&formation.spacing) {
        let expected = "between twice the radius of its unit and 100 (m)";
        let found = formation.spacing.into();
        return Err(WorldError::Setting { field: "the spacing of a formation", expected, found });
    }
    if formation.files == Some(0) {
        return Err(WorldError::Setting { field: "the files of a formation", expected: "at least 1", found: 0.0 });
    }
    Ok(())
}

pub(super) fn check_number(field: &'static str, found: f32) -> Result<(), WorldError> {
    if found.is_finite() {
        return Ok(());
    }
    Err(WorldError::Setting { field, expected: "finite", found: found.into() })
}
