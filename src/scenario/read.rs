//! From the text of a scenario to a [`Scenario`]: every number in its range, every name known, everybody in place.

use super::areas;
use super::breakables::breakables;
use super::file::{self, Number, OrderValue, Point, ScenarioFile, SquadTable, TerrainCost, TerrainTable, Whole};
use super::formations::{formation, stand};
use super::journeys;
use super::objectives::objectives;
use super::place::{Taken, place};
use super::relations::relations;
use super::triggers::{self, triggers};
use super::units::{enlist, units};
use super::{Army, At, MAX_AGENTS, MAX_SQUAD, Scenario, ScenarioError, Squad, Warning};
use crate::battle::{Block, Order, Unit};
use crate::crowd::Avoidance;
use crate::geom::Vec2;
use crate::grid::{
    Area, Colours, Grid, Ground, MapError, MapFile, MapOptions, Mobility, PLAIN, Polygons, SWAMP, TerrainCosts,
};
use crate::plan::PlannerChoice;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use toml::Spanned;

/// So high is white in an image of heights (m).
const HEIGHT_SCALE: f32 = 10.0;

/// What the side of a cell may be (m).
const CELL_SIZE: RangeInclusive<f32> = 0.1..=100.0;

/// The greatest cost of terrain.
const MAX_TERRAIN: i64 = 1000;

/// The text and its name, for messages.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: &'a Path,
}

impl Source<'_> {
    pub(super) fn at(&self, span: Range<usize>) -> At {
        file::at(self.text, span.start, self.file)
    }

    /// A number of the file, or `default` where it is absent.
    pub(super) fn number(
        &self,
        value: Option<&Spanned<Number>>,
        default: f32,
        key: &'static str,
        range: RangeInclusive<f32>,
        unit: &str,
    ) -> Result<f32, ScenarioError> {
        let Some(value) = value else { return Ok(default) };
        let number = value.get_ref().0;
        if range.contains(&(number as f32)) {
            return Ok(number as f32);
        }
        let expected = format!("between {} and {} ({unit})", range.start(), range.end());
        Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found: found(number) })
    }

    pub(super) fn whole(
        &self,
        value: Option<&Spanned<Whole>>,
        default: i64,
        key: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<u64, ScenarioError> {
        let Some(value) = value else { return Ok(default as u64) };
        let number = value.get_ref().0;
        if range.contains(&number) {
            return Ok(number as u64);
        }
        let expected = if *range.end() == i64::MAX {
            format!("at least {}", range.start())
        } else {
            format!("between {} and {}", range.start(), range.end())
        };
        Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found: number.to_string() })
    }

    pub(super) fn point(&self, value: &Spanned<Point>, key: &'static str) -> Result<Vec2, ScenarioError> {
        let [x, y] = value.get_ref();
        let coordinate = |value| self.number(Some(value), 0.0, key, -1e6..=1e6, "m");
        Ok(Vec2::new(coordinate(x)?, coordinate(y)?))
    }

    pub(super) fn choice<T: FromStr<Err: Display>>(
        &self,
        value: Option<&Spanned<String>>,
        default: T,
    ) -> Result<T, ScenarioError> {
        let Some(value) = value else { return Ok(default) };
        value.get_ref().parse().map_err(|error: T::Err| ScenarioError::UnknownChoice {
            at: self.at(value.span()),
            message: error.to_string(),
        })
    }

    fn check_total(&self, found: u64) -> Result<(), ScenarioError> {
        if found <= MAX_AGENTS as u64 {
            return Ok(());
        }
        Err(ScenarioError::TooMany { file: self.file.to_path_buf(), found })
    }

    /// What terrain costs, of plain ground, swamp and all that is named; see [`name_classes`] for others.
    pub(super) fn terrain(&self, table: &TerrainTable) -> Result<TerrainCosts, ScenarioError> {
        let cost = |class: u8, value: &Spanned<TerrainCost>| {
            let found = match value.get_ref() {
                TerrainCost::Word(word) if word == "closed" => return Ok((class, None)),
                &TerrainCost::Times(cost @ 1..=MAX_TERRAIN) => return Ok((class, Some(cost as u16))),
                TerrainCost::Times(other) => other.to_string(),
                TerrainCost::Word(other) => format!("{other:?}"),
            };
            let key = match class {
                PLAIN => "plain",
                SWAMP => "swamp",
                _ => "terrain",
            };
            let expected = format!("between 1 and {MAX_TERRAIN} (times the cost of the best ground) or \"closed\"");
            Err(ScenarioError::Number { at: self.at(value.span()), key, expected, found })
        };
        let named = table.0.iter().map(|(class, value)| cost(*class, value)).collect::<Result<Vec<_>, _>>()?;
        Ok(TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, Some(1))].into_iter().chain(named)))
    }

    /// Nobody may have the name of another.
    pub(super) fn distinct<'a>(
        &self,
        what: &'static str,
        names: impl Iterator<Item = &'a Spanned<String>>,
    ) -> Result<(), ScenarioError> {
        let mut seen = BTreeMap::new();
        for name in names {
            let at = self.at(name.span());
            if let Some(&first) = seen.get(name.get_ref()) {
                return Err(ScenarioError::Duplicate { at, what, name: name.get_ref().clone(), first });
            }
            seen.insert(name.get_ref(), at.line);
        }
        Ok(())
    }
}

/// The units of a file whose armies, squads and counts are such that a map is worth reading.
pub(super) fn check(source: &Source, parsed: &ScenarioFile, library: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    let units = units(source, parsed, library)?;
    if parsed.army.is_empty() {
        return Err(ScenarioError::NoArmies { file: source.file.to_path_buf() });
    }
    source.distinct("armies", parsed.army.iter().map(|army| &army.name))?;
    if let Some(army) = parsed.army.iter().find(|army| army.squad.is_empty()) {
        let at = source.at(army.name.span());
        return Err(ScenarioError::NoSquads { at, army: army.name.get_ref().clone() });
    }
    triggers::check(source, parsed)?;
    let counts = || all_squads(parsed).filter_map(|squad| squad.count.as_ref());
    for count in counts() {
        let found = count.get_ref().0;
        if !(1..=MAX_SQUAD as i64).contains(&found) {
            return Err(ScenarioError::Count { at: source.at(count.span()), found });
        }
    }
    source.check_total(counts().map(|count| count.get_ref().0 as u64).sum())?;
    Ok(units)
}

/// All squads, those that come later last.
pub(super) fn all_squads(parsed: &ScenarioFile) -> impl Iterator<Item = &SquadTable> {
    let waves = parsed.trigger.iter().flat_map(|trigger| &trigger.get_ref().squad);
    parsed.army.iter().flat_map(|army| &army.squad).chain(waves).map(Spanned::get_ref)
}

/// The scenario of a file, everybody in place on its map.
pub(super) fn scenario(
    source: &Source,
    parsed: &ScenarioFile,
    library: &[Unit],
    grid: &Arc<Grid>,
    areas: &[Area],
) -> Result<(Scenario, Vec<Warning>), ScenarioError> {
    let file = source.file;
    let stem = file.file_stem().map_or_else(|| "scenario".into(), |stem| stem.to_string_lossy().into_owned());
    let mut units = check(source, parsed, library)?;
    let known = library.iter().map(|unit| unit.name.clone()).collect();
    enlist(&mut units, library, parsed, areas);
    name_classes(&mut units, grid);

    let mut scenario = Scenario {
        name: parsed.name.clone().unwrap_or(stem),
        file: file.to_path_buf(),
        map: map_path(source, parsed),
        seed: source.whole(parsed.seed.as_ref(), 1, "seed", 0..=i64::MAX)?,
        step: source.number(parsed.step.as_ref(), 0.05, "step", 0.001..=1.0, "s")?,
        max_ticks: source.whole(parsed.max_ticks.as_ref(), 10_000, "max_ticks", 1..=1_000_000_000)?,
        index: source.choice(parsed.index.as_ref(), crate::spatial::IndexKind::default())?,
        avoidance: source.choice(parsed.avoidance.as_ref(), Avoidance::default())?,
        wall_height: source.number(parsed.wall_height.as_ref(), 4.0, "wall_height", 0.0..=1000.0, "m")?,
        scatter: source.number(parsed.scatter.as_ref(), 0.0, "scatter", 0.0..=0.5, "m")?,
        friendly_fire: parsed.friendly_fire.as_ref().is_none_or(|value| *value.get_ref()),
        grid: Arc::clone(grid),
        units,
        journeys: Vec::new(),
        relations: relations(source, parsed)?,
        armies: Vec::new(),
        squad_names: all_squads(parsed)
            .map(|squad| squad.name.as_ref().map_or_else(String::new, |name| name.get_ref().clone()))
            .collect(),
        breakables: breakables(source, parsed, grid, areas)?,
        triggers: Vec::new(),
    };
    let planner = source.choice(parsed.planner.as_ref(), PlannerChoice::default())?;

    let mut warnings = Vec::new();
    scenario.journeys = journeys::journeys(source, parsed, scenario.grid.lattice())?;
    let mut musters = Musters {
        source,
        parsed,
        grounds: Vec::new(),
        taken: Taken::new(scenario.units.iter().map(|unit| unit.radius).fold(0.05, f32::max)),
        planner,
        areas,
        library: known,
    };
    for army in &parsed.army {
        let squads = army.squad.iter().map(|squad| musters.squad(squad, &scenario, &mut warnings));
        let squads = squads.collect::<Result<_, _>>()?;
        scenario.armies.push(Army { name: army.name.get_ref().clone(), objectives: Vec::new(), squads });
    }
    for army in 0..scenario.armies.len() {
        let ground = |unit: usize| musters.ground_of(&scenario.units[unit]);
        let objectives = objectives(source, parsed, &scenario, areas, army, ground)?;
        scenario.armies[army].objectives = objectives;
    }
    let mut waves = Vec::with_capacity(parsed.trigger.len());
    let mut later = 0;
    for table in parsed.trigger.iter().map(Spanned::get_ref) {
        // They look for room when they come.
        musters.taken = Taken::new(musters.taken.largest());
        let squads = table.squad.iter().map(|squad| musters.squad(squad, &scenario, &mut warnings));
        waves.push(squads.collect::<Result<Vec<Squad>, _>>()?);
        let count = waves.last().into_iter().flatten().map(|squad| squad.positions.len() as u64).sum::<u64>();
        later += count * u64::from(triggers::repeat(source, table)?.times);
    }
    scenario.triggers = triggers(source, parsed, &scenario, areas, waves, |unit, table| {
        let ground = musters.ground(&scenario.grid, &scenario.units[unit])?;
        let radius = scenario.units[unit].radius;
        let nowhere = || ScenarioError::NoPlace { at: source.at(table.span()), radius };
        musters.order(Some(&table.get_ref().order), ground, nowhere, &mut warnings)
    })?;
    // Areas may say how many stand in them.
    source.check_total(scenario.agents() as u64 + later)?;
    Ok((scenario, warnings))
}

/// Classes of terrain that the map has and a unit does not name cost it 1, if it minds terrain at all.
fn name_classes(units: &mut [Unit], grid: &Grid) {
    let mut is_there = [false; 256];
    for &class in grid.terrain_layer().into_iter().flat_map(|layer| &layer.cells) {
        is_there[usize::from(class)] = true;
    }
    let classes = || (0..=u8::MAX).filter(|&class| is_there[usize::from(class)]);
    for costs in units.iter_mut().filter_map(|unit| unit.terrain.as_mut()) {
        let missing: Vec<u8> = classes().filter(|&class| costs.of(class).is_none()).collect();
        if !missing.is_empty() {
            *costs = TerrainCosts::new(costs.classes().chain(missing.into_iter().map(|class| (class, Some(1)))));
        }
    }
}

fn map_path(source: &Source, parsed: &ScenarioFile) -> PathBuf {
    source.file.parent().unwrap_or(Path::new("")).join(parsed.map.get_ref())
}

/// Reads the map of a scenario.
pub(super) fn map(source: &Source, parsed: &ScenarioFile) -> Result<MapFile, ScenarioError> {
    let cell_size = source.number(parsed.cell_size.as_ref(), 1.0, "cell_size", CELL_SIZE, "m")?;
    let file = map_path(source, parsed);
    let refused = |error| ScenarioError::Map { at: source.at(parsed.map.span()), source: Box::new(error) };
    let polygons = parsed.polygons.as_ref();
    let beside = |name: &str| source.file.parent().unwrap_or(Path::new("")).join(name);
    let colours = parsed.colours.as_ref().map(|name| {
        let refused = |error| ScenarioError::Colours { at: source.at(name.span()), source: Box::new(error) };
        Colours::load(beside(name.get_ref())).map_err(refused)
    });
    let options = MapOptions {
        cell_size: parsed.cell_size.as_ref().map(|_| cell_size),
        polygons: polygons.map(|_| source.choice(polygons, Polygons::Walkable)).transpose()?,
        colours: colours.transpose()?,
    };
    let mut map = MapFile::load(&file, &options).map_err(refused)?;
    let found = map.grid.lattice().cell_size;
    if !CELL_SIZE.contains(&found) {
        return Err(refused(MapError::CellSize { file, found, expected: (*CELL_SIZE.start(), *CELL_SIZE.end()) }));
    }
    let scale = parsed.height_scale.as_ref();
    match &parsed.height {
        Some(name) => {
            let white = source.number(scale, HEIGHT_SCALE, "height_scale", 0.01..=655.35, "m")?;
            map.grid
                .load_heights(beside(name.get_ref()), white)
                .map_err(|error| ScenarioError::Heights { at: source.at(name.span()), source: Box::new(error) })?;
        }
        None => {
            if let Some(scale) = scale {
                return Err(ScenarioError::MissingKey { at: source.at(scale.span()), key: "height".into() });
            }
        }
    }
    Ok(map)
}

/// What all squads share while they are put in place.
struct Musters<'a> {
    source: &'a Source<'a>,
    parsed: &'a ScenarioFile,
    /// One for each radius and costs of terrain met so far.
    grounds: Vec<Ground>,
    taken: Taken,
    /// Of squads that name none.
    planner: PlannerChoice,
    /// Of the map.
    areas: &'a [Area],
    /// Names of the units of the library, for messages.
    library: Vec<String>,
}

impl Musters<'_> {
    fn squad(
        &mut self,
        table: &Spanned<SquadTable>,
        scenario: &Scenario,
        warnings: &mut Vec<Warning>,
    ) -> Result<Squad, ScenarioError> {
        let source = self.source;
        let (squad_at, table) = (table.span(), table.get_ref());
        let area = areas::find(source, table.area.as_ref(), self.areas)?.cloned();
        let unit_index = areas::unit(source, table, area.as_ref(), &scenario.units, &self.library)?;
        let unit = &scenario.units[unit_index];
        let radius = unit.radius;
        let count = areas::count(source, table, area.as_ref(), squad_at.clone())?;
        let facing = match &table.facing {
            None => areas::facing(source, table, area.as_ref())?,
            facing => source.number(facing.as_ref(), 0.0, "facing", -360.0..=360.0, "degrees")?,
        };
        let spacing = match &table.spacing {
            None => 2.5 * radius,
            Some(value) => {
                let spacing = value.get_ref().0 as f32;
                if !(2.0 * radius..=100.0).contains(&spacing) {
                    let expected = format!("between {} (twice the radius of its unit) and 100 (m)", 2.0 * radius);
                    let found = found(value.get_ref().0);
                    return Err(ScenarioError::Number { at: source.at(value.span()), key: "spacing", expected, found });
                }
                spacing
            }
        };
        let planner = source.choice(table.planner.as_ref(), self.planner.clone())?;
        let formation = formation(source, table, area.as_ref(), count, facing, spacing)?;

        let broad = area.as_ref().map_or_else(
            || (2.0 * count as f64).sqrt().ceil() as i64,
            |area| areas::columns(area, facing, count, spacing),
        );
        let columns = source.whole(table.columns.as_ref(), broad, "columns", 1..=MAX_SQUAD as i64)? as usize;

        let ground = self.ground(&scenario.grid, unit)?;
        let (place_in_file, wanted) = match (&table.position, &table.area, &area) {
            (Some(position), None, _) => (position.span(), source.point(position, "position")?),
            (None, Some(name), Some(area)) => (name.span(), area.middle()),
            (Some(_), Some(name), _) => {
                let message = "a squad has a position or an area, found both; remove one".to_owned();
                return Err(ScenarioError::Squad { at: source.at(name.span()), message });
            }
            _ => return Err(ScenarioError::MissingKey { at: source.at(squad_at), key: "position".into() }),
        };
        let nowhere = || ScenarioError::NoPlace { at: source.at(place_in_file.clone()), radius };
        let centre = if let Some(area) = &area {
            areas::centre(area, &self.grounds[ground]).ok_or_else(|| areas::no_room(source, table, area, 0, count))?
        } else {
            let (centre, why) = settle(wanted, &self.grounds[ground]).ok_or_else(nowhere)?;
            if let Some(why) = why {
                warnings.push(Warning::Moved { at: source.at(place_in_file.clone()), why, from: wanted, to: centre });
            }
            centre
        };
        let order = self.order(table.order.as_ref(), ground, nowhere, warnings)?;

        if let Some(formation) = formation {
            let positions = stand(
                formation,
                count,
                (centre, facing),
                radius,
                &self.grounds[ground],
                area.as_ref(),
                &mut self.taken,
            )
            .map_err(|message| {
                let named = table.formation.as_ref().map_or(place_in_file, Spanned::span);
                ScenarioError::Squad { at: source.at(named), message }
            })?;
            return Ok(Squad { unit: unit_index, positions, facing, order, planner, formation: Some(formation) });
        }
        let block = Block { centre, facing, columns: columns.min(count), count, spacing };
        let positions = place(&block, radius, &self.grounds[ground], area.as_ref(), &mut self.taken).map_err(
            |placed| match &area {
                Some(area) => areas::no_room(source, table, area, placed, count),
                None => ScenarioError::NoRoom { at: source.at(place_in_file), placed, count },
            },
        )?;
        Ok(Squad { unit: unit_index, positions, facing, order, planner, formation: None })
    }

    /// What a squad on a ground is told; `nowhere` is said where nobody can stand.
    fn order(
        &self,
        value: Option<&OrderValue>,
        ground: usize,
        nowhere: impl Fn() -> ScenarioError,
        warnings: &mut Vec<Warning>,
    ) -> Result<Order, ScenarioError> {
        let source = self.source;
        Ok(match value {
            Some(OrderValue::Attack) => Order::Attack,
            Some(OrderValue::Charge) => Order::Charge,
            Some(OrderValue::Flee) => Order::Flee,
            Some(OrderValue::Guard(within)) => {
                let within = source.number(Some(within), 0.0, "guard", 0.0..=1000.0, "m")?;
                Order::Guard { within }
            }
            Some(OrderValue::Hold) | None => Order::Hold,
            Some(value @ (OrderValue::GoTo(point) | OrderValue::Move(point))) => {
                let goes = matches!(value, OrderValue::GoTo(_));
                let wanted = source.point(point, if goes { "go_to" } else { "move" })?;
                let (goal, why) = settle(wanted, &self.grounds[ground]).ok_or_else(nowhere)?;
                if let Some(why) = why {
                    let at = source.at(point.span());
                    warnings.push(Warning::GoalMoved { at, why, from: wanted, to: goal });
                }
                if goes { Order::GoTo(goal) } else { Order::Move(goal) }
            }
            Some(OrderValue::Travel(name)) => Order::Travel(journeys::find(source, self.parsed, name)?),
        })
    }

    /// The ground of a unit, once a squad of it stands.
    fn ground_of(&self, unit: &Unit) -> Option<&Ground> {
        let mobility = mobility(unit);
        self.grounds.iter().find(|ground| *ground.mobility() == mobility)
    }

    /// The place in `grounds` of a unit's ground.
    fn ground(&mut self, grid: &Arc<Grid>, unit: &Unit) -> Result<usize, ScenarioError> {
        let mobility = mobility(unit);
        if let Some(known) = self.grounds.iter().position(|ground| *ground.mobility() == mobility) {
            return Ok(known);
        }
        let ground = Ground::build(Arc::clone(grid), mobility)
            .map_err(|error| ScenarioError::Ground { file: self.source.file.to_path_buf(), source: error })?;
        self.grounds.push(ground);
        Ok(self.grounds.len() - 1)
    }
}

fn mobility(unit: &Unit) -> Mobility {
    Mobility { terrain: unit.terrain.clone(), ..Mobility::new(unit.radius) }
}

/// `point` where a unit of the ground may stand on its cell; otherwise the nearest cell it may stand on, and why.
/// `None` where there is none.
fn settle(point: Vec2, ground: &Ground) -> Option<(Vec2, Option<&'static str>)> {
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
    Some((lattice.centre(ground.nearest_passable(point)?), Some(why)))
}

/// A number as a user would write it.
fn found(number: f64) -> String {
    number.to_string().to_lowercase()
}
