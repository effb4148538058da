//! Kinds of soldiers: those of a scenario, and those of the library that it names.

use super::file::{self, Number, RangedTable, ScenarioFile, UnitTable, UnitsFile, Whole, all_squads};
use super::ignores::ignores;
use super::source::Source;
use super::squad_table::SquadTable;
use super::{ScenarioError, text_of};
use std::ops::RangeInclusive;
use std::path::Path;
use throng_grid::Area;
use throng_sim::battle::{ATTACKERS, PRIORITIES, Ranged, SHOTS, Unit, UnitError};
use throng_sim::crowd::Avoidance;
use toml::Spanned;

/// What squads may name besides the units of the file: the presets, as crowds count in this scenario, and the library that it
/// names. A preset gives way to a unit of the library with its name.
pub(super) fn library(source: &Source, parsed: &ScenarioFile) -> Result<Vec<Unit>, ScenarioError> {
    let congestion = congestion(source, parsed)?;
    let mut known = Unit::presets().map(|unit| Unit { congestion, ..unit }).to_vec();
    if let Some(name) = &parsed.library {
        let path = source.file.parent().unwrap_or(Path::new("")).join(name.get_ref());
        let own = read_library(&path, congestion, &known)
            .map_err(|error| ScenarioError::Library { at: source.at(name.span()), source: Box::new(error) })?;
        known.retain(|preset| own.iter().all(|unit| unit.name != preset.name));
        known.extend(own);
    }
    Ok(known)
}

/// The units of the file, and those of the library that a squad or an area of the map names.
pub(super) fn units(
    source: &Source,
    parsed: &ScenarioFile,
    library: &[Unit],
    areas: &[Area],
) -> Result<Vec<Unit>, ScenarioError> {
    let mut units = tables(source, &parsed.unit, congestion(source, parsed)?, library)?;
    enlist(&mut units, library, parsed, areas);
    ignores(source, parsed, &mut units, library)?;
    Ok(units)
}

/// The names of units and those of a library, each once.
pub(super) fn names<'a>(own: impl Iterator<Item = &'a String>, library: &'a [Unit]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in own.chain(library.iter().map(|unit| &unit.name)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn congestion(source: &Source, parsed: &ScenarioFile) -> Result<f32, ScenarioError> {
    source.number(parsed.congestion.as_ref(), 0.0, "congestion", 0.0..=1000.0, "times")
}

/// Adds the units of the library that a squad or an area of the map names, in the order of the library.
fn enlist(units: &mut Vec<Unit>, library: &[Unit], parsed: &ScenarioFile, areas: &[Area]) {
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

fn read_library(path: &Path, congestion: f32, presets: &[Unit]) -> Result<Vec<Unit>, ScenarioError> {
    let text = text_of(path)?;
    let parsed: UnitsFile = file::parse(&text, path)?;
    let source = Source { text: &text, file: path };
    if let Some(name) = parsed.unit.iter().flat_map(|table| &table.ignores).flatten().next() {
        let message = "whom a unit ignores is said in a scenario, where everybody is known; remove it here".to_owned();
        return Err(ScenarioError::Squad { at: source.at(name.span()), message });
    }
    tables(&source, &parsed.unit, congestion, presets)
}

/// Units from their tables, each like one of those before it or of `library`, or like a foot soldier.
fn tables(
    source: &Source,
    tables: &[UnitTable],
    congestion: f32,
    library: &[Unit],
) -> Result<Vec<Unit>, ScenarioError> {
    let plain = Unit { congestion, ..Unit::default() };
    source.distinct("units", tables.iter().map(|table| &table.name))?;
    let mut units: Vec<Unit> = Vec::new();
    for table in tables {
        let like = match &table.like {
            None => &plain,
            Some(name) => {
                let mut known = units.iter().rev().chain(library);
                known.find(|unit| unit.name == *name.get_ref()).ok_or_else(|| {
                    let (at, found) = (source.at(name.span()), name.get_ref().clone());
                    let hint = file::hint(&found, &names(units.iter().map(|unit| &unit.name), library));
                    ScenarioError::UnknownUnit { at, found, hint }
                })?
            }
        };
        let unit = unit(source, table, like, *like == plain)?;
        units.push(unit);
    }
    Ok(units)
}

/// A unit that is like another one, maybe a plain foot soldier, but for what its table says.
fn unit(source: &Source, table: &UnitTable, like: &Unit, is_plain: bool) -> Result<Unit, ScenarioError> {
    let or = |value: &Option<Spanned<Number>>, default| value.as_ref().map_or(default, number);
    let unit = Unit {
        name: table.name.get_ref().clone(),
        radius: or(&table.radius, like.radius),
        height: or(&table.height, like.height),
        speed: or(&table.speed, like.speed),
        speed_spread: or(&table.speed_spread, like.speed_spread),
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
        breach: match (&table.breach, &table.damage) {
            (Some(breach), _) => number(breach),
            // A tenth of what it does to people, as the foot soldier does.
            (None, Some(damage)) if is_plain => 0.1 * number(damage),
            _ => like.breach,
        },
        reach: or(&table.reach, like.reach),
        cooldown: or(&table.cooldown, like.cooldown),
        charge: or(&table.charge, like.charge),
        turning: or(&table.turning, like.turning),
        arc: or(&table.arc, like.arc),
        attackers: match &table.attackers {
            Some(value) => whole(source, table, "attackers", value)? as u8,
            None => like.attackers,
        },
        ranged: match &table.ranged {
            Some(value) => Some(ranged(source, table, value.get_ref(), &like.ranged.clone().unwrap_or_default())?),
            None => like.ranged.clone(),
        },
        sight: or(&table.sight, like.sight),
        view: or(&table.view, like.view),
        prey: source.choice(table.prey.as_ref(), like.prey)?,
        morale: or(&table.morale, like.morale),
        terrain: match &table.terrain {
            Some(table) => Some(source.terrain(table)?),
            None => like.terrain.clone(),
        },
        mass: or(&table.mass, like.mass),
        acceleration: or(&table.acceleration, like.acceleration),
        priority: match &table.priority {
            Some(value) => whole(source, table, "priority", value)? as i8,
            None => like.priority,
        },
        avoidance: match &table.avoidance {
            Some(_) => Some(source.choice(table.avoidance.as_ref(), Avoidance::default())?),
            None => like.avoidance,
        },
        congestion: or(&table.congestion, like.congestion),
        cost: or(&table.cost, like.cost),
        ..Unit::default()
    };
    unit.check().map_err(|error: UnitError| {
        let span = table.number(error.field).map_or(table.name.span(), Spanned::span);
        ScenarioError::Unit { at: source.at(span), source: error }
    })?;
    Ok(unit)
}

/// The weapon of a unit that is like another one but for what its table says.
fn ranged(source: &Source, unit: &UnitTable, table: &RangedTable, like: &Ranged) -> Result<Ranged, ScenarioError> {
    let or = |value: &Option<Spanned<Number>>, default| value.as_ref().map_or(default, number);
    let shots = |key, value: &Option<Spanned<Whole>>, default| match value {
        Some(value) => Ok(whole(source, unit, key, value)? as u16),
        None => Ok(default),
    };
    Ok(Ranged {
        range: or(&table.range, like.range),
        speed: or(&table.speed, like.speed),
        spread: or(&table.spread, like.spread),
        salvo: shots("ranged.salvo", &table.salvo, like.salvo)?,
        ammunition: shots("ranged.ammunition", &table.ammunition, like.ammunition)?,
        damage: or(&table.damage, like.damage),
        cooldown: or(&table.cooldown, like.cooldown),
        blast: or(&table.blast, like.blast),
    })
}

fn number(value: &Spanned<Number>) -> f32 {
    value.get_ref().0 as f32
}

/// The range of a whole number of a unit, and its words.
pub(super) fn whole_range(field: &str) -> (RangeInclusive<i64>, &'static str) {
    match field {
        "attackers" => (1..=255, ATTACKERS),
        "priority" => (-3..=3, PRIORITIES),
        _ => (1..=65535, SHOTS),
    }
}

/// A whole number of a unit, by its key.
fn whole(
    source: &Source,
    table: &UnitTable,
    field: &'static str,
    value: &Spanned<Whole>,
) -> Result<i64, ScenarioError> {
    let found = value.get_ref().0;
    let (range, expected) = whole_range(field);
    if range.contains(&found) {
        return Ok(found);
    }
    let unit = table.name.get_ref().clone();
    let error = UnitError { unit, field, expected, found: found as f32 };
    Err(ScenarioError::Unit { at: source.at(value.span()), source: error })
}
