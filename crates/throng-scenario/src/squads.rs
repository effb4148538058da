//! The squads of a scenario, put in place one after the other.

use super::blocks::{Taken, place, place_each};
use super::formations::{formation, stand};
use super::schema::{ARMY, SQUAD, TRIGGER};
use super::section::Section;
use super::{Scenario, ScenarioError, Warning, areas, links, places};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Area, Grid, Ground, Lattice, Link, MapLink, Mobility};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Block, Unit};
use throng_sim::world::{ArmyId, SquadSpec, UnitId};

/// The tables of all squads, those of triggers last.
pub(super) fn squad_tables(file: Section<'_>) -> impl Iterator<Item = Section<'_>> {
    let tables = file.tables("army", &ARMY).chain(file.tables("trigger", &TRIGGER));
    tables.flat_map(|table| table.tables("squad", &SQUAD))
}

/// The names of all squads, in the same order; empty where one has none.
pub(super) fn squad_names(file: Section<'_>) -> impl Iterator<Item = &str> {
    squad_tables(file).map(|table| table.text("name").unwrap_or_default())
}

/// The number of soldiers that a squad itself says; `None` where its area does.
pub(super) fn soldiers(table: Section<'_>) -> Option<u64> {
    let places = || table.has("places").then(|| table.points("places").count() as u64);
    table.some_whole("count").or_else(places)
}

/// The shared state of all squads while they are put in place.
pub(super) struct SquadPlacer<'a> {
    pub file: Section<'a>,
    /// One for each radius and costs of terrain met so far.
    /// At places of their own in memory, by which they are known.
    pub grounds: Vec<Arc<Ground>>,
    /// All links, also those that are shut: they may be opened.
    pub links: Vec<Link>,
    pub taken: Taken,
    /// Planner of squads that name none.
    pub planner: PlannerChoice,
    /// Areas of the map.
    pub areas: &'a [Area],
    /// Units that squads may name besides those of the scenario, for messages.
    pub library: &'a [Unit],
}

impl SquadPlacer<'_> {
    /// The squads of the tables `squad` below some tables that come at once: armies, or a trigger. Squads with places of their own
    /// are put there after all others: their members can be moved one by one, where those of a formation cannot.
    pub fn squads(
        &mut self,
        owners: &[Section<'_>],
        scenario: &Scenario,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Vec<SquadSpec>>, ScenarioError> {
        let of = |owner: &Section<'_>| vec![None; owner.tables("squad", &SQUAD).count()];
        let mut squads: Vec<Vec<Option<SquadSpec>>> = owners.iter().map(of).collect();
        for has_places in [false, true] {
            for (army, (squads, owner)) in squads.iter_mut().zip(owners).enumerate() {
                for (squad, table) in squads.iter_mut().zip(owner.tables("squad", &SQUAD)) {
                    if table.has("places") == has_places {
                        *squad = Some(self.squad(ArmyId(army as u8), table, scenario, warnings)?);
                    }
                }
            }
        }
        Ok(squads.into_iter().map(|squads| squads.into_iter().flatten().collect()).collect())
    }

    fn squad(
        &mut self,
        army: ArmyId,
        table: Section<'_>,
        scenario: &Scenario,
        warnings: &mut Vec<Warning>,
    ) -> Result<SquadSpec, ScenarioError> {
        let places = places::of(table, scenario.grid.lattice())?;
        let area = areas::find(table, self.areas)?;
        let unit_index = areas::unit((self.file, table), area, &scenario.units, self.library)?;
        let unit = &scenario.units[unit_index];
        let radius = unit.radius;
        let count = match &places {
            Some(places) => places.points.len(),
            None => areas::count(table, area)?,
        };
        let facing = match table.some_number("facing") {
            Some(facing) => facing,
            None => areas::facing(table, area)?,
        };
        let spacing = table.some_number("spacing").unwrap_or(2.5 * radius);
        if spacing < 2.0 * radius {
            let (at, key, found) = (table.at_key("spacing"), "spacing".into(), spacing.to_string());
            let expected = format!("between {} (twice the radius of its unit) and 100 (m)", 2.0 * radius);
            return Err(ScenarioError::Value { at, key, expected, found });
        }
        let planner = table.choice("planner")?.unwrap_or_else(|| self.planner.clone());
        if !scenario.links.is_empty() {
            links::check_planner(self.file, table, &planner)?;
        }
        let formation = formation(table, area, count, facing, spacing)?;
        let broad = || match area {
            None => (2.0 * count as f64).sqrt().ceil() as u64,
            Some(area) => areas::columns(area, facing, count, spacing),
        };
        let columns = table.some_whole("columns").unwrap_or_else(broad) as usize;

        let ground = self.ground(&scenario.grid, unit)?;
        let spec = |positions, (order, queue)| {
            let unit = UnitId(unit_index as u16);
            SquadSpec { army, unit, positions, facing, order, queue, planner, formation }
        };
        if let Some(places) = places {
            let from = places.points.first().copied();
            let order = self.orders(table, (radius, "places"), ground, from, warnings)?;
            let placed = place_each(&places.points, radius, &self.grounds[ground], &mut self.taken);
            return Ok(spec(places.settled(table, placed, warnings)?, order));
        }
        let (key, wanted) = match (table.near_map("position", scenario.grid.lattice())?, area) {
            (Some(position), None) => ("position", position),
            (None, Some(area)) => ("area", area.middle()),
            (Some(_), Some(_)) => {
                return table.wrong("area", "a squad has a position or an area, found both; remove one");
            }
            (None, None) => return Err(table.missing("position")),
        };
        let centre = if let Some(area) = area {
            areas::centre(area, &self.grounds[ground]).ok_or_else(|| areas::no_room(table, area, 0, count))?
        } else {
            let settled = settle(wanted, &self.grounds[ground], None);
            let (centre, why) = settled.ok_or_else(|| nowhere(table, key, radius))?;
            if let Some(why) = why {
                warnings.push(Warning::Moved { at: table.at_key(key), why, from: wanted, to: centre });
            }
            centre
        };
        let order = self.orders(table, (radius, key), ground, Some(centre), warnings)?;
        let ground = &self.grounds[ground];
        if let Some(formation) = formation {
            let key = if table.has("formation") { "formation" } else { key };
            let positions = stand(formation, count, (centre, facing), radius, ground, area, &mut self.taken)
                .or_else(|message| table.wrong(key, message))?;
            return Ok(spec(positions, order));
        }
        let block = Block { centre, facing, columns: columns.min(count), count, spacing };
        let placed = place(&block, radius, ground, area, &mut self.taken);
        let positions = placed.or_else(|placed| {
            if let Some(area) = area {
                return Err(areas::no_room(table, area, placed, count));
            }
            let found = format!("only {placed} of {count} soldiers find room in this part of the map");
            table.wrong(key, format!("{found}; lower the count or the spacing, or move the squad"))
        })?;
        Ok(spec(positions, order))
    }

    /// The ground of a unit, once a squad of it stands.
    pub fn ground_of(&self, unit: &Unit) -> Option<&Ground> {
        let mobility = self.mobility(unit);
        self.grounds.iter().find(|ground| *ground.mobility() == mobility).map(Arc::as_ref)
    }

    /// The place in `grounds` of a unit's ground.
    pub fn ground(&mut self, grid: &Arc<Grid>, unit: &Unit) -> Result<usize, ScenarioError> {
        let mobility = self.mobility(unit);
        if let Some(known) = self.grounds.iter().position(|ground| *ground.mobility() == mobility) {
            return Ok(known);
        }
        let ground = Ground::build(Arc::clone(grid), mobility).map_err(|error| ScenarioError::World {
            file: self.file.source.file.to_path_buf(),
            source: error.into(),
        })?;
        self.grounds.push(Arc::new(ground));
        Ok(self.grounds.len() - 1)
    }

    fn mobility(&self, unit: &Unit) -> Mobility {
        Mobility { terrain: unit.terrain.clone(), links: self.links.clone(), ..Mobility::new(unit.radius) }
    }
}

/// Links by which cells can be reached; what they cost does not matter here.
pub(super) fn ways(links: &[MapLink], lattice: Lattice) -> Vec<Link> {
    let ways = links.iter().filter_map(|link| Some((link.cells(lattice)?, link.both_ways)));
    let ways = ways.map(|((from, to), both_ways)| (Link::new(from, to, 1), both_ways));
    ways.flat_map(|(link, both_ways)| [Some(link), both_ways.then(|| link.back())]).flatten().collect()
}

pub(super) fn nowhere(table: Section<'_>, key: &str, radius: f32) -> ScenarioError {
    let message = format!("the map has no room anywhere for a unit of radius {radius} m; choose another map or unit");
    ScenarioError::Rule { at: table.at_key(key), message }
}

/// `point` where a unit of the ground may stand on its cell; otherwise the nearest cell it may stand on, and why.
/// `None` where there is none. If it is known from where one goes there (m), it is a cell that can be reached.
pub(super) fn settle(point: Vec2, ground: &Ground, from: Option<Vec2>) -> Option<(Vec2, Option<&'static str>)> {
    let lattice = ground.lattice();
    let why = if !lattice.covers(point) {
        "off the map"
    } else if ground.is_passable(lattice.at(point)) {
        return Some((point, None));
    } else if ground.grid().is_open(lattice.at(point)) {
        let wide = ground.grid().clearance()[lattice.at(point)] >= ground.radius();
        if wide { "on ground closed to its unit" } else { "too close to a wall" }
    } else {
        "in a wall"
    };
    let near = match from {
        Some(from) => ground.nearest_reached(from, point),
        None => ground.nearest_passable(point),
    };
    Some((lattice.centre(near?), Some(why)))
}
