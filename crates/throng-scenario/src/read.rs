//! From a checked file to a [`Scenario`]: every name known, every squad in place.

use super::army_colour::ArmyColour;
use super::blocks::Taken;
use super::breakables::breakables;
use super::fires::fires;
use super::no_way::no_way;
use super::objectives::objectives;
use super::relations::relations;
use super::schema::{ARMY, Kind, SCENARIO, TRIGGER};
use super::section::{Section, distinct};
use super::squads::{SquadPlacer, soldiers, squad_names, squad_tables, ways};
use super::triggers::{self, triggers};
use super::units::units;
use super::{MAX_AGENTS, MAX_SQUAD, Scenario, ScenarioError, Warning, journeys, links, terrain};
use std::sync::Arc;
use throng_grid::{Area, Colours, Grid, MapError, MapFile, MapLink, MapOptions};
use throng_sim::battle::Unit;
use throng_sim::crowd::AvoidanceSettings;
use throng_sim::world::{ArmySpec, Settings};
use throng_spatial::IndexSpec;

/// The units of a file whose armies, squads and counts are such that a map is worth reading.
pub(super) fn check(file: Section<'_>, library: &[Unit], areas: &[Area]) -> Result<Vec<Unit>, ScenarioError> {
    let units = units(file, library, areas)?;
    let armies = || file.tables("army", &ARMY);
    if armies().next().is_none() {
        let message = "there are no armies; add [[army]] and below it [[army.squad]]".into();
        return Err(ScenarioError::File { file: file.source.file.into(), message });
    }
    distinct(file.source, "armies", armies().filter_map(|army| army.name("name")))?;
    // One that is to have none says so.
    let has_none = |army: &Section<'_>| !army.has("squad");
    if let Some(army) = armies().find(has_none) {
        let name = army.text("name").unwrap_or_default();
        return army
            .wrong("name", format!("the army {name:?} has no squads; add [[army.squad]] below it, or squad = []"));
    }
    triggers::check(file)?;
    if let Some((squad, places)) = squad_tables(file)
        .map(|squad| (squad, soldiers(squad).unwrap_or(1)))
        .find(|&(_, soldiers)| !(1..=MAX_SQUAD as u64).contains(&soldiers))
    {
        let message = format!("a squad has between 1 and {MAX_SQUAD} places, found {places}; add or remove some");
        return squad.wrong("places", message);
    }
    check_total(file, squad_tables(file).filter_map(soldiers).sum())?;
    Ok(units)
}

fn check_total(file: Section<'_>, found: u64) -> Result<(), ScenarioError> {
    if found <= MAX_AGENTS as u64 {
        return Ok(());
    }
    let message = format!("{found} agents in all; the limit is {MAX_AGENTS}");
    Err(ScenarioError::File { file: file.source.file.into(), message })
}

/// The scenario of a file, every squad in place on its map.
pub(super) fn scenario(
    file: Section<'_>,
    library: &[Unit],
    grid: &Arc<Grid>,
    areas: &[Area],
    map_links: &[MapLink],
) -> Result<(Scenario, Vec<Warning>), ScenarioError> {
    let path = file.source.file;
    let stem = path.file_stem().map_or_else(|| "scenario".into(), |stem| stem.to_string_lossy().into_owned());
    let mut units = check(file, library, areas)?;
    terrain::name_classes(&mut units, grid);

    let mut scenario = Scenario {
        name: file.text("name").map_or(stem, str::to_owned),
        file: path.to_path_buf(),
        text: file.source.text.into(),
        map: file.source.beside(file.text("map").unwrap_or_default()),
        settings: settings(file)?,
        scatter: file.number("scatter"),
        grid: Arc::clone(grid),
        units,
        journeys: Vec::new(),
        relations: relations(file)?,
        armies: Vec::new(),
        squad_names: squad_names(file).map(str::to_owned).collect(),
        breakables: breakables(file, grid, areas).collect::<Result<_, _>>()?,
        triggers: Vec::new(),
        areas: areas.to_vec(),
        links: Vec::new(),
        map_links: map_links.len(),
        theme: file.text("theme").map(str::to_owned),
        fires: fires(file, grid.lattice())?,
    };
    scenario.set_avoidance(scenario.settings.avoidance.kind);
    scenario.links = links::links(file, grid, map_links, &scenario.breakables)?;
    let planner = file.choice("planner")?.unwrap_or_default();

    let mut warnings = Vec::new();
    scenario.journeys = journeys::journeys(file, scenario.grid.lattice())?;
    let largest = scenario.units.iter().map(|unit| unit.radius).fold(0.05, f32::max);
    let (grounds, links) = (Vec::new(), ways(&scenario.links, grid.lattice()));
    let mut placer = SquadPlacer { file, grounds, links, taken: Taken::new(largest), planner, areas, library };
    let armies: Vec<Section<'_>> = file.tables("army", &ARMY).collect();
    let squads = placer.squads(&armies, &scenario, &mut warnings)?;
    for (army, squads) in armies.iter().zip(squads) {
        let name = army.text("name").unwrap_or_default().to_owned();
        let colour = army.choice::<ArmyColour>("colour")?.map(|colour| colour.0);
        scenario.armies.push(ArmySpec { name, colour, objectives: Vec::new(), squads });
    }
    for army in 0..scenario.armies.len() {
        let ground = |unit: usize| placer.ground_of(&scenario.units[unit]);
        scenario.armies[army].objectives = objectives(file, &scenario, areas, army, ground)?;
    }
    let mut waves = Vec::new();
    let mut later = 0;
    for table in file.tables("trigger", &TRIGGER) {
        // They look for room when they come.
        placer.taken = Taken::new(largest);
        waves.extend(placer.squads(&[table], &scenario, &mut warnings)?);
        let count = waves.last().into_iter().flatten().map(|squad| squad.positions.len() as u64).sum::<u64>();
        later += count * u64::from(triggers::repeat(table).times);
    }
    scenario.triggers = triggers(file, &scenario, areas, waves, |unit, table| {
        let unit = &scenario.units[unit];
        let ground = placer.ground(&scenario.grid, unit)?;
        placer.order(table, (unit.radius, "order"), ground, None, &mut warnings)
    })?;
    warnings.extend(no_way(file, &armies, &scenario, |unit| placer.ground_of(unit)));
    // Areas may say how many stand in them.
    check_total(file, scenario.agents() as u64 + later)?;
    Ok((scenario, warnings))
}

/// The settings of a file.
fn settings(file: Section<'_>) -> Result<Settings, ScenarioError> {
    Ok(Settings {
        seed: file.whole("seed"),
        step: file.number("step"),
        max_ticks: file.whole("max_ticks"),
        index: file.choice::<IndexSpec>("index")?.unwrap_or_default().into(),
        avoidance: AvoidanceSettings::new(file.choice("avoidance")?.unwrap_or_default()),
        wall_height: file.number("wall_height"),
        friendly_fire: file.flag("friendly_fire").unwrap_or(true),
        ..Settings::default()
    })
}

/// Reads the map of a scenario.
pub(super) fn map(file: Section<'_>) -> Result<MapFile, ScenarioError> {
    let beside = |key: &str| file.text(key).map(|name| file.source.beside(name));
    let refused = |key: &str, what, error| ScenarioError::Map { at: file.at_key(key), what, source: Box::new(error) };
    let path = beside("map").ok_or_else(|| file.missing("map"))?;
    let colours =
        beside("colours").map(|path| Colours::load(path).map_err(|error| refused("colours", "colours", error)));
    let options = MapOptions {
        cell_size: file.some_number("cell_size"),
        polygons: file.choice("polygons")?,
        project: file.flag("project"),
        level: file.text("level").map(str::to_owned),
        wall_width: file.some_number("wall_width"),
        colours: colours.transpose()?,
    };
    let mut map = MapFile::load(&path, &options).map_err(|error| refused("map", "map", error))?;
    let found = map.grid.lattice().cell_size;
    if let Some(Kind::Number(range)) = SCENARIO.kind("cell_size").filter(|kind| !kind.contains(found)) {
        let expected = (range.least as f32, range.most as f32);
        return Err(refused("map", "map", MapError::CellSize { file: path, found, expected }));
    }
    match beside("height") {
        Some(image) => {
            let white = file.number("height_scale");
            map.grid.load_heights(image, white).map_err(|error| refused("height", "heights", error))?;
        }
        None if file.has("height_scale") => {
            return Err(ScenarioError::MissingKey { at: file.at_key("height_scale"), key: "height".into() });
        }
        None => {}
    }
    Ok(map)
}
