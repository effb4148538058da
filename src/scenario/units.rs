//! Kinds of soldiers: those of a scenario, and those of the library that it names.

use super::file::{self, Number, ScenarioFile, SquadTable, UnitTable, UnitsFile, Whole};
use super::ignores::ignores;
use super::read::{Source, all_squads};
use super::{ScenarioError, text_of};
use crate::battle::{PRIORITIES, Unit, UnitError};
use crate::crowd::Avoidance;
use crate::grid::Area;
use std::path::Path;
use toml::Spanned;

/// The library that a scenario names; empty where it names none.
pub(super) fn library(source: &Source, parsed: &ScenarioFile) -> Result<Vec<Unit>, ScenarioError> {
    let Some(name) = &parsed.library else { return Ok(Vec::new()) };
    let path = source.file.parent().unwrap_or(Path::new("")).join(name.get_ref());
    read_library(&path, &plain(source, parsed)?)
        .map_err(|error| ScenarioError::Library { at: source.at(name.span()), source: Box::new(error) })
}

/// The units of the file; a foot soldier is there without being defined, where somebody needs one.
pub(super) fn units(source: &Source, parsed: &ScenarioFile, library: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    let plain = plain(source, parsed)?;
    let mut units = tables(source, &parsed.unit, &plain, library)?;
    let is_plain = |squad: &SquadTable| squad.unit.as_ref().is_none_or(|unit| *unit.get_ref() == plain.name);
    let needed = all_squads(parsed).any(is_plain);
    if needed && !units.iter().chain(library).any(|unit| unit.name == plain.name) {
        units.push(plain);
    }
    ignores(source, parsed, &mut units)?;
    Ok(units)
}

/// A foot soldier as crowds count in this scenario.
fn plain(source: &Source, parsed: &ScenarioFile) -> Result<Unit, ScenarioError> {
    let congestion = source.number(parsed.congestion.as_ref(), 0.0, "congestion", 0.0..=1000.0, "times")?;
    Ok(Unit { congestion, ..Unit::default() })
}

/// Adds the units of the library that a squad or an area of the map names, in the order of the library.
pub(super) fn enlist(units: &mut Vec<Unit>, library: &[Unit], parsed: &ScenarioFile, areas: &[Area]) {
    let plain = Unit::default().name;
    let of_area = |squad: &SquadTable| {
        let area = areas.iter().find(|area| squad.area.as_ref().is_some_and(|name| *name.get_ref() == area.name))?;
        area.property("unit").map(str::to_owned)
    };
    let named = all_squads(parsed)
        .map(|squad| squad.unit.as_ref().map(|name| name.get_ref().clone()).or_else(|| of_area(squad)));
    let named: Vec<String> = named.map(|name| name.unwrap_or_else(|| plain.clone())).collect();
    for unit in library {
        if named.contains(&unit.name) && !units.iter().any(|own| own.name == unit.name) {
            units.push(unit.clone());
        }
    }
}

fn read_library(path: &Path, plain: &Unit) -> Result<Vec<Unit>, ScenarioError> {
    let text = text_of(path)?;
    let parsed: UnitsFile = file::parse(&text, path)?;
    let source = Source { text: &text, file: path };
    if let Some(name) = parsed.unit.iter().flat_map(|table| &table.ignores).flatten().next() {
        let message = "whom a unit ignores is said in a scenario, where everybody is known; remove it here".to_owned();
        return Err(ScenarioError::Squad { at: source.at(name.span()), message });
    }
    tables(&source, &parsed.unit, plain, &[])
}

/// Units from their tables, each like one of those before it or of `library`, or like `plain`.
fn tables(source: &Source, tables: &[UnitTable], plain: &Unit, library: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    source.distinct("units", tables.iter().map(|table| &table.name))?;
    let mut units: Vec<Unit> = Vec::new();
    for table in tables {
        let like = match &table.like {
            None => plain,
            Some(name) => {
                let mut known = units.iter().rev().chain(library);
                known.find(|unit| unit.name == *name.get_ref()).ok_or_else(|| {
                    let known: Vec<_> = units.iter().chain(library).map(|unit| unit.name.clone()).collect();
                    let hint = match known.len() {
                        0 => "there is none before it, and no library is named with library = \"FILE\"".to_owned(),
                        _ => file::hint(name.get_ref(), &known),
                    };
                    let (at, found) = (source.at(name.span()), name.get_ref().clone());
                    ScenarioError::UnknownUnit { at, found, hint }
                })?
            }
        };
        let unit = unit(source, table, like)?;
        units.push(unit);
    }
    Ok(units)
}

/// A unit that is like another one but for what its table says.
fn unit(source: &Source, table: &UnitTable, like: &Unit) -> Result<Unit, ScenarioError> {
    let spans = [
        ("radius", &table.radius),
        ("speed", &table.speed),
        ("top_speed", &table.top_speed),
        ("headway", &table.headway),
        ("health", &table.health),
        ("armour", &table.armour),
        ("damage", &table.damage),
        ("breach", &table.breach),
        ("reach", &table.reach),
        ("cooldown", &table.cooldown),
        ("sight", &table.sight),
        ("mass", &table.mass),
        ("acceleration", &table.acceleration),
        ("congestion", &table.congestion),
    ];
    let number = |value: &Spanned<Number>| value.get_ref().0 as f32;
    let or = |value: &Option<Spanned<Number>>, default| value.as_ref().map_or(default, number);
    let unit = Unit {
        name: table.name.get_ref().clone(),
        radius: or(&table.radius, like.radius),
        speed: or(&table.speed, like.speed),
        top_speed: match (&table.top_speed, &table.speed) {
            (Some(top_speed), _) => number(top_speed),
            // A third faster, as the foot soldier is.
            (None, Some(speed)) => number(speed) * 4.0 / 3.0,
            (None, None) => like.top_speed,
        },
        headway: or(&table.headway, like.headway),
        health: or(&table.health, like.health),
        armour: or(&table.armour, like.armour),
        damage: or(&table.damage, like.damage),
        breach: match (&table.breach, &table.like, &table.damage) {
            (Some(breach), ..) => number(breach),
            // A tenth of what it does to people, as the foot soldier does.
            (None, None, Some(damage)) => 0.1 * number(damage),
            _ => like.breach,
        },
        reach: or(&table.reach, like.reach),
        cooldown: or(&table.cooldown, like.cooldown),
        sight: or(&table.sight, like.sight),
        terrain: match &table.terrain {
            Some(table) => Some(source.terrain(table)?),
            None => like.terrain.clone(),
        },
        mass: or(&table.mass, like.mass),
        acceleration: or(&table.acceleration, like.acceleration),
        priority: table.priority.as_ref().map_or(Ok(like.priority), |value| priority(source, table, value))?,
        avoidance: match &table.avoidance {
            Some(_) => Some(source.choice(table.avoidance.as_ref(), Avoidance::default())?),
            None => like.avoidance,
        },
        congestion: or(&table.congestion, like.congestion),
        ..Unit::default()
    };
    unit.check().map_err(|error: UnitError| {
        let (_, value) = spans.into_iter().find(|(field, _)| *field == error.field).unwrap_or(spans[0]);
        let span = value.as_ref().map_or(table.name.span(), Spanned::span);
        ScenarioError::Unit { at: source.at(span), source: error }
    })?;
    Ok(unit)
}

fn priority(source: &Source, table: &UnitTable, value: &Spanned<Whole>) -> Result<i8, ScenarioError> {
    let found = value.get_ref().0;
    if (-3..=3).contains(&found) {
        return Ok(found as i8);
    }
    let unit = table.name.get_ref().clone();
    let error = UnitError { unit, field: "priority", expected: PRIORITIES, found: found as f32 };
    Err(ScenarioError::Unit { at: source.at(value.span()), source: error })
}
