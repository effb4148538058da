//! From the text of a scenario to a [`Scenario`]: every number in its range, every name known, everybody in place.

use super::breakables::breakables;
use super::file::{ScenarioFile, all_squads};
use super::journeys;
use super::musters::Musters;
use super::objectives::objectives;
use super::place::Taken;
use super::places;
use super::relations::relations;
use super::source::Source;
use super::triggers::{self, triggers};
use super::units::units;
use super::{Army, MAX_AGENTS, MAX_SQUAD, Scenario, ScenarioError, Warning};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng_grid::{Area, Colours, Grid, MapError, MapFile, MapOptions, Polygons, TerrainCosts};
use throng_plan::PlannerChoice;
use throng_sim::battle::Unit;
use throng_sim::crowd::Avoidance;
use toml::Spanned;

/// So high is white in an image of heights (m).
const HEIGHT_SCALE: f32 = 10.0;

/// What the side of a cell may be (m).
const CELL_SIZE: RangeInclusive<f32> = 0.1..=100.0;

/// The units of a file whose armies, squads and counts are such that a map is worth reading.
pub(super) fn check(
    source: &Source,
    parsed: &ScenarioFile,
    library: &[Unit],
    areas: &[Area],
) -> Result<Vec<Unit>, ScenarioError> {
    let units = units(source, parsed, library, areas)?;
    if parsed.army.is_empty() {
        return Err(ScenarioError::NoArmies { file: source.file.to_path_buf() });
    }
    source.distinct("armies", parsed.army.iter().map(|army| &army.name))?;
    if let Some(army) = parsed.army.iter().find(|army| army.squad.is_empty()) {
        let at = source.at(army.name.span());
        return Err(ScenarioError::NoSquads { at, army: army.name.get_ref().clone() });
    }
    triggers::check(source, parsed)?;
    let counts = || all_squads(parsed).filter_map(places::soldiers);
    for (found, span) in counts() {
        if !(1..=MAX_SQUAD as i64).contains(&found) {
            return Err(ScenarioError::Count { at: source.at(span), found });
        }
    }
    check_total(source, counts().map(|(count, _)| count as u64).sum())?;
    Ok(units)
}

fn check_total(source: &Source, found: u64) -> Result<(), ScenarioError> {
    if found <= MAX_AGENTS as u64 {
        return Ok(());
    }
    Err(ScenarioError::TooMany { file: source.file.to_path_buf(), found })
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
    let mut units = check(source, parsed, library, areas)?;
    name_classes(&mut units, grid);

    let mut scenario = Scenario {
        name: parsed.name.clone().unwrap_or(stem),
        file: file.to_path_buf(),
        text: source.text.into(),
        map: map_path(source, parsed),
        seed: source.whole(parsed.seed.as_ref(), 1, "seed", 0..=i64::MAX)?,
        step: source.number(parsed.step.as_ref(), 0.05, "step", 0.001..=1.0, "s")?,
        max_ticks: source.whole(parsed.max_ticks.as_ref(), 10_000, "max_ticks", 1..=1_000_000_000)?,
        index: source.choice(parsed.index.as_ref(), throng_spatial::IndexKind::default())?,
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
        breakables: breakables(source, parsed, grid, areas).collect::<Result<_, _>>()?,
        triggers: Vec::new(),
        areas: areas.to_vec(),
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
        library,
    };
    let tables: Vec<_> = parsed.army.iter().map(|army| army.squad.as_slice()).collect();
    let squads = musters.squads(&tables, &scenario, &mut warnings)?;
    for (army, squads) in parsed.army.iter().zip(squads) {
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
        waves.extend(musters.squads(&[&table.squad], &scenario, &mut warnings)?);
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
    check_total(source, scenario.agents() as u64 + later)?;
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
