//! Kinds of soldiers: those of a scenario, and those of the library that it names.

use super::did_you_mean::{did_you_mean, name_hint};
use super::document::{Node, Value};
use super::ignores::ignores;
use super::schema::{LIBRARY, RANGED, UNIT};
use super::section::{Section, Source, distinct};
use super::squads::squad_tables;
use super::{ScenarioError, terrain, text_of};
use std::path::Path;
use throng_grid::Area;
use throng_sim::battle::{Unit, UnitError, UnitNumber};

/// The units that squads may name besides those of the file: the presets, with the congestion of this scenario, and the library that
/// it names. A preset gives way to a unit of the library with its name.
pub(super) fn library(file: Section<'_>) -> Result<Vec<Unit>, ScenarioError> {
    let congestion = file.number("congestion");
    let mut known = Unit::presets().map(|unit| Unit { congestion, ..unit }).to_vec();
    if let Some(name) = file.text("library") {
        let own = read_library(&file.source.beside(name), congestion, &known)
            .map_err(|error| ScenarioError::Library { at: file.at_key("library"), source: Box::new(error) })?;
        known.retain(|preset| own.iter().all(|unit| unit.name != preset.name));
        known.extend(own);
    }
    Ok(known)
}

/// The units of the file, and those of the library that a squad or an area of the map names, in the order of the library.
pub(super) fn units(file: Section<'_>, library: &[Unit], areas: &[Area]) -> Result<Vec<Unit>, ScenarioError> {
    let mut units = of_tables(file, file.number("congestion"), library)?;
    let plain = Unit::default().name;
    let unit_of = |squad: Section<'_>| {
        let area = || areas.iter().find(|area| squad.text("area") == Some(&area.name))?.property("unit");
        squad.text("unit").or_else(area).unwrap_or(&plain).to_owned()
    };
    let named: Vec<String> = squad_tables(file).map(unit_of).collect();
    for unit in library {
        if named.contains(&unit.name) && !units.iter().any(|own| own.name == unit.name) {
            units.push(unit.clone());
        }
    }
    ignores(file, &mut units, library)?;
    Ok(units)
}

/// Ends the message of an error about a unit: the nearest name, or all; those of the library of a file by its name.
pub(super) fn unit_hint<'a>(
    file: Section<'_>,
    found: &str,
    own: impl Iterator<Item = &'a str>,
    library: &'a [Unit],
) -> String {
    let presets = Unit::presets().map(|unit| unit.name);
    let own: Vec<&str> = own.collect();
    let names = names(own.iter().copied(), library);
    let Some(Value::Text(path)) = file.node.get("library").map(|node| &node.value) else {
        return name_hint(found, &names);
    };
    let is_own = |name: &str| own.contains(&name) || presets.iter().any(|preset| *preset == *name);
    let (plain, of_library): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| is_own(name));
    match did_you_mean(found, &names) {
        Some(near) if is_own(near) || of_library.is_empty() => format!("did you mean {near:?}?"),
        Some(near) => format!("did you mean {near:?} of the library {path}?"),
        None if of_library.is_empty() => name_hint(found, &names),
        None => format!("{}; the library {path} has {}", name_hint(found, &plain), of_library.join(", ")),
    }
}

/// The names of units and those of a library, each once.
pub(super) fn names<'a>(own: impl Iterator<Item = &'a str>, library: &'a [Unit]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for name in own.chain(library.iter().map(|unit| unit.name.as_str())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn read_library(path: &Path, congestion: f32, presets: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    let text = text_of(path)?;
    let source = Source { text: &text, file: path };
    let node = Node::parse(&text, path)?;
    LIBRARY.check(source, &node)?;
    let file = Section { source, schema: &LIBRARY, node: &node };
    if let Some(unit) = file.tables("unit", &UNIT).find(|unit| unit.names("ignores").next().is_some()) {
        return unit.wrong(
            "ignores",
            "ignores belongs into the scenario, where all units and armies are known; move it there",
        );
    }
    of_tables(file, congestion, presets)
}

/// Units from their tables, each like one of those before it or of `library`, or like a foot soldier.
fn of_tables(file: Section<'_>, congestion: f32, library: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    let plain = Unit { congestion, ..Unit::default() };
    distinct(file.source, "units", file.tables("unit", &UNIT).filter_map(|table| table.name("name")))?;
    let mut units: Vec<Unit> = Vec::new();
    for table in file.tables("unit", &UNIT) {
        let like = match table.name("like") {
            None => &plain,
            Some(name) => {
                let mut known = units.iter().rev().chain(library);
                known.find(|unit| unit.name == name.text).ok_or_else(|| {
                    let own = units.iter().map(|unit| unit.name.as_str());
                    name.unknown(file.source, "unit", unit_hint(file, name.text, own, library))
                })?
            }
        };
        let unit = unit(table, like, *like == plain)?;
        units.push(unit);
    }
    Ok(units)
}

/// A unit that is like another one, maybe a plain foot soldier, but for what its table says.
fn unit(table: Section<'_>, like: &Unit, is_plain: bool) -> Result<Unit, ScenarioError> {
    let weapon = table.table("ranged", &RANGED);
    let mut unit = Unit {
        name: table.text("name").unwrap_or_default().into(),
        ranged: weapon.map(|_| like.ranged.clone().unwrap_or_default()).or_else(|| like.ranged.clone()),
        prey: table.choice("prey")?.unwrap_or(like.prey),
        look: table.choice("look")?.or(like.look),
        terrain: table.entries("terrain").map(terrain::costs).or_else(|| like.terrain.clone()),
        avoidance: table.choice("avoidance")?.or(like.avoidance),
        layers: Unit::default().layers,
        ignores: Unit::default().ignores,
        ..like.clone()
    };
    if let Some(speed) = table.some_number("speed") {
        // A third faster, as the foot soldier is.
        unit.top_speed = speed * 4.0 / 3.0;
    }
    if let Some(damage) = table.some_number("damage").filter(|_| is_plain) {
        // A tenth of its damage to people, as for the foot soldier.
        unit.breach = 0.1 * damage;
    }
    for number in UnitNumber::all() {
        if let Some(value) = node_of(table, number.key).and_then(Node::number) {
            number.set(&mut unit, value);
        }
    }
    unit.check().map_err(|error: UnitError| {
        let node = node_of(table, error.field).or_else(|| table.get("name"));
        let at = node.map_or_else(|| table.at(), |node| table.source.at(node.span.start));
        ScenarioError::Rule { at, message: error.to_string() }
    })?;
    Ok(unit)
}

/// The value of a number of a unit or, after `ranged.`, of its weapon.
fn node_of<'a>(table: Section<'a>, key: &str) -> Option<&'a Node> {
    match key.split_once('.') {
        Some((weapon, key)) => table.get(weapon)?.get(key),
        None => table.get(key),
    }
}
