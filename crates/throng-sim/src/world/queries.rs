//! Questions to a world between two ticks: who is near, what is in sight, where a way leads.

use super::{ArmyId, SquadId, UnitId, World, WorldError, posts};
use crate::crowd::AgentId;
use crate::mixed::mixed;
use std::sync::Arc;
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Cell, Ground, walls};
use throng_plan::{AStar, Octile, Path, Query, Scratch, Status, plan};

/// How often a line is halved to find where it meets a wall: to a millionth of its length.
const HALVINGS: u32 = 20;

/// So many places are tried for a random one.
const TRIES: u64 = 256;

/// Which agents a question is about: those for which all that is named here holds.
///
/// See [`World::near`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Among {
    /// Agents of this army.
    pub army: Option<ArmyId>,
    /// Agents of this unit.
    pub unit: Option<UnitId>,
    /// Agents of this squad.
    pub squad: Option<SquadId>,
    /// All but this one.
    pub but: Option<AgentId>,
}

impl Among {
    /// All agents.
    pub const ALL: Self = Self { army: None, unit: None, squad: None, but: None };

    /// All but one.
    pub fn others_than(agent: AgentId) -> Self {
        Self { but: Some(agent), ..Self::ALL }
    }
}

/// The first obstacle on a straight way.
///
/// See [`World::raycast`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The agent that is hit; `None` for a wall, or the edge of the map.
    pub agent: Option<AgentId>,
    /// The middle of the disc that was cast, where it touches the obstacle (m).
    pub at: Vec2,
    /// How far it has come (m).
    pub distance: f32,
}

type GroundAndEnds = (Arc<Ground>, [Cell; 2]);

/// All of these read the world alone, and can be asked from several threads at once.
impl World {
    /// The living agents, awake or asleep, whose middles are nearer to a point (m) than `radius` (m), with their distances (m): the
    /// nearest first, of equals the one with the smaller slot.
    ///
    /// The first question after a tick, or after agents were added, removed or moved, builds an index: O(agents). Each question is
    /// O(found · log found) then.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Among, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, blue) = (world.add_army("red")?, world.add_army("blue")?);
    /// let walker = world.add_unit(Unit::default())?;
    /// let a = world.spawn_walkers(red, walker, &[Vec2::new(4.5, 4.5), Vec2::new(7.5, 4.5)], &[])?;
    /// let b = world.spawn_walkers(blue, walker, &[Vec2::new(5.5, 4.5)], &[])?;
    /// let near = world.near(Vec2::new(4.5, 4.5), 3.5, Among::others_than(a[0]));
    /// assert_eq!(near, [(b[0], 1.0), (a[1], 3.0)]);
    /// let reds = Among { army: Some(red), ..Among::others_than(a[0]) };
    /// assert_eq!(world.nearest(Vec2::new(4.5, 4.5), 10.0, reds), Some((a[1], 3.0)));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn near(&self, point: Vec2, radius: f32, among: Among) -> Vec<(AgentId, f32)> {
        self.everyone.of(&self.state).within(&self.state, point, radius, |slot| self.is_among(slot, among))
    }

    /// The first of [`World::near`], at less than `reach` (m). O(log agents) on the average.
    pub fn nearest(&self, point: Vec2, reach: f32, among: Among) -> Option<(AgentId, f32)> {
        self.everyone.of(&self.state).nearest(&self.state, point, reach, |slot| self.is_among(slot, among))
    }

    fn is_among(&self, slot: usize, Among { army, unit, squad, but }: Among) -> bool {
        let crowd = &self.state.crowd;
        !self.state.is_dead(slot as u32)
            && but.is_none_or(|but| crowd.id(slot as u32) != but)
            && army.is_none_or(|army| crowd.army_of(slot as u32) == army)
            && unit.is_none_or(|unit| usize::from(crowd.slots.unit[slot]) == unit.index())
            && squad.is_none_or(|squad| crowd.slots.squad_of(slot) == Some(squad))
    }

    /// The first obstacle of a disc of some radius (m; 0 is a thin ray) on its straight way between two points (m): a wall, the edge of
    /// the map, or one of these agents. `None` where the way is free. O(way + log agents); a wall is found to a millionth of the way.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Among, Settings, World};
    /// let mut grid = Grid::open_plain(Lattice::new(32, 32, 1.0)?);
    /// grid.set_open(grid.lattice().cell(20, 4), false);
    /// let mut world = World::new(grid, Settings::default())?;
    /// let (red, walker) = (world.add_army("red")?, world.add_unit(Unit { radius: 0.5, ..Unit::default() })?);
    /// let ids = world.spawn_walkers(red, walker, &[Vec2::new(10.5, 4.5)], &[])?;
    /// let (from, to) = (Vec2::new(2.5, 4.5), Vec2::new(30.5, 4.5));
    /// let hit = world.raycast(from, to, 0.0, Among::ALL).unwrap();
    /// assert_eq!((hit.agent, hit.distance), (Some(ids[0]), 7.5));
    /// let wall = world.raycast(from, to, 0.0, Among::others_than(ids[0])).unwrap();
    /// assert!(wall.agent.is_none() && (wall.at.x - 20.0).abs() < 1e-3);
    /// assert!(!world.line_of_sight(from, to, 0.0) && world.line_of_sight(from, Vec2::new(15.5, 4.5), 0.0));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn raycast(&self, from: Vec2, to: Vec2, radius: f32, among: Among) -> Option<RayHit> {
        let way = to - from;
        let body =
            self.everyone.of(&self.state).cast(&self.state, from, way, radius, |slot| self.is_among(slot, among));
        let sees = |part: f32| self.line_of_sight(from, from + way * part, radius);
        let until = body.map_or(1.0, |(_, part)| part);
        let (agent, part) = if sees(until) {
            body.map(|(agent, part)| (Some(agent), part))?
        } else {
            let (mut open, mut closed) = (0.0, until);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (open + closed);
                *(if sees(middle) { &mut open } else { &mut closed }) = middle;
            }
            (None, open)
        };
        Some(RayHit { agent, at: from + way * part, distance: way.length() * part })
    }

    /// True where a disc of some radius (m) can go straight from `a` to `b` (m) without touching a wall; agents do not count. False
    /// where one of them is off the map. O(cells of the way).
    pub fn line_of_sight(&self, a: Vec2, b: Vec2, radius: f32) -> bool {
        let lattice = self.grid.lattice();
        lattice.covers(a) && lattice.covers(b) && walls::line_of_sight(&self.grid, self.grid.clearance(), a, b, radius)
    }

    /// How far a point (m) is from every wall at least (m): the largest disc around it that is known to be free. 0 in a wall and off
    /// the map. O(1).
    pub fn clearance(&self, point: Vec2) -> f32 {
        if self.grid.lattice().covers(point) { walls::free_radius(self.grid.clearance(), point).max(0.0) } else { 0.0 }
    }

    /// The place (m) nearest to a point (m) where an agent of a unit can stand and to which routes lead: the point itself where it has room
    /// there. `None` where there is none on the map. O(d²) for a distance of d cells.
    ///
    /// # Errors
    /// Where there is no such unit, or the point is not finite.
    pub fn closest_open(&self, point: Vec2, unit: UnitId) -> Result<Option<Vec2>, WorldError> {
        super::spawn::check_point("the point to look around", point)?;
        let (ground, radius) = (self.ground_for(unit)?, self.state.units[unit.index()].radius);
        let end = ground.nearest_passable(point);
        Ok(end.map(|end| posts::open_point(&self.grid, self.grid.lattice().centre(end), point, radius)))
    }

    /// A place (m) within `radius` (m) of another (m), where an agent of a unit can stand and to which a way leads from there. The same seed
    /// gives the same place; all places of the disc are equally likely. `None` where none of 256 that were tried is good.
    ///
    /// # Errors
    /// Where there is no such unit, or the place is not finite.
    pub fn random_point(&self, near: Vec2, radius: f32, unit: UnitId, seed: u64) -> Result<Option<Vec2>, WorldError> {
        super::spawn::check_point("the point to look around", near)?;
        let (ground, body) = (self.ground_for(unit)?, self.state.units[unit.index()].radius);
        let lattice = self.grid.lattice();
        let Some(from) = ground.nearest_passable(near) else { return Ok(None) };
        let place = |number: u64| {
            let bits = mixed(mixed(seed) ^ number);
            let [part, turn] = [bits >> 40, bits & 0xff_ffff].map(|bits| bits as f32 / (1 << 24) as f32);
            near + direction(360.0 * turn) * (radius * part.sqrt())
        };
        let is_good = |&at: &Vec2| {
            let cell = lattice.at(at);
            lattice.covers(at)
                && ground.is_passable(cell)
                && ground.leads(from, cell)
                && walls::is_clear(&self.grid, at, body)
        };
        Ok((0..TRIES).map(place).find(is_good))
    }

    /// A shortest way of an agent of a unit between two points (m): its points (m), both ends included; `None` where there is none. An
    /// end in a wall is the nearest cell to it that can be stood on.
    ///
    /// One search by A*, on the thread that asks: O(cells · log cells) at worst, and O(cells) more for a unit of which no agent has walked by
    /// a route yet. [`World::walk_to`] searches on threads of its own, and shares routes.
    ///
    /// # Errors
    /// Where there is no such unit, or an end is off the map.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut grid = Grid::open_plain(Lattice::new(32, 32, 1.0)?);
    /// (0..30).for_each(|y| grid.set_open(grid.lattice().cell(16, y), false));
    /// let mut world = World::new(grid, Settings::default())?;
    /// let walker = world.add_unit(Unit::default())?;
    /// let (a, b) = (Vec2::new(8.5, 8.5), Vec2::new(24.5, 8.5));
    /// let way = world.route(a, b, walker)?.unwrap();
    /// assert_eq!((way[0], *way.last().unwrap()), (a, b));
    /// assert!(world.is_reachable(a, b, walker)?);
    /// assert!(world.distance(a, b, walker)?.is_some_and(|metres| metres > 45.0));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn route(&self, from: Vec2, to: Vec2, unit: UnitId) -> Result<Option<Vec<Vec2>>, WorldError> {
        let Some((ground, ends)) = self.ends(from, to, unit)? else { return Ok(None) };
        let (mut path, mut turns) = (Path::default(), Vec::new());
        let query = Query::new(ends[0], ends[1]);
        let outcome = plan(&AStar(Octile), &ground, &query, &mut Scratch::default(), &mut path)?;
        if outcome.status != Status::Found {
            return Ok(None);
        }
        path.turning_points_on(&ground, &mut turns);
        let lattice = self.grid.lattice();
        let radius = self.state.units[unit.index()].radius;
        let mut points: Vec<Vec2> = turns.into_iter().map(|cell| lattice.centre(cell)).collect();
        for (end, point) in [(0, from), (points.len() - 1, to)] {
            points[end] = posts::open_point(&self.grid, points[end], point, radius);
        }
        if points.len() == 1 && points[0] != from {
            points.insert(0, from);
        }
        Ok(Some(points))
    }

    /// The length of [`World::route`] (m).
    ///
    /// # Errors
    /// As [`World::route`].
    pub fn distance(&self, from: Vec2, to: Vec2, unit: UnitId) -> Result<Option<f32>, WorldError> {
        let route = self.route(from, to, unit)?;
        Ok(route.map(|points| points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()))
    }

    /// True where a way of an agent of a unit leads from one point (m) to another. O(1), or O(links); O(cells) for a unit of which no agent
    /// has walked by a route yet.
    ///
    /// # Errors
    /// As [`World::route`].
    pub fn is_reachable(&self, from: Vec2, to: Vec2, unit: UnitId) -> Result<bool, WorldError> {
        Ok(self.ends(from, to, unit)?.is_some_and(|(ground, ends)| ground.leads(ends[0], ends[1])))
    }

    /// The ground of a unit, and the cells on it that are nearest to two points (m).
    fn ends(&self, from: Vec2, to: Vec2, unit: UnitId) -> Result<Option<GroundAndEnds>, WorldError> {
        for point in [from, to] {
            if !(point.is_finite() && self.grid.lattice().covers(point)) {
                return Err(WorldError::OffMap { what: "the end of a way", x: point.x, y: point.y });
            }
        }
        let ground = self.ground_for(unit)?;
        let ends = ground.nearest_passable(from).zip(ground.nearest_passable(to));
        Ok(ends.map(|(from, to)| (ground, [from, to])))
    }

    /// The ground on which the agents of a unit plan: that of the world, or one made for the question.
    fn ground_for(&self, unit: UnitId) -> Result<Arc<Ground>, WorldError> {
        let id = unit.index();
        let unit = self.state.units.get(id).ok_or(WorldError::NoSuch { what: "unit", id })?;
        let mobility = self.mobility(unit.radius * super::spawn::PASSAGE_CLEARANCE, unit);
        let known = self.derived.grounds.iter().find(|ground| *ground.mobility() == mobility);
        known.map_or_else(
            || Ok(Arc::new(Ground::build(Arc::clone(&self.grid), mobility)?)),
            |ground| Ok(Arc::clone(ground)),
        )
    }
}
