//! Squads in areas that the map names: which area, and what it says of those who stand there.

use super::file;
use super::source::Source;
use super::squad_table::SquadTable;
use super::units::names;
use super::{MAX_SQUAD, ScenarioError};
use std::ops::Range;
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Area, Ground};
use throng_sim::battle::{Shape, Unit};
use toml::Spanned;

/// The area of this name.
pub(super) fn find<'a>(
    source: &Source,
    name: Option<&Spanned<String>>,
    areas: &'a [Area],
) -> Result<Option<&'a Area>, ScenarioError> {
    let Some(name) = name else { return Ok(None) };
    let found = name.get_ref();
    if let Some(area) = areas.iter().find(|area| area.name == *found) {
        return Ok(Some(area));
    }
    let known: Vec<String> = areas.iter().map(|area| area.name.clone()).collect();
    let hint = match known.len() {
        0 => "the map has none; draw a rectangle of the class spawn in Tiled, or give a position".to_owned(),
        _ => file::hint(found, &known),
    };
    Err(ScenarioError::UnknownName { at: source.at(name.span()), what: "area", found: found.clone(), hint })
}

/// The index of a squad's unit: as the squad says, else as its area does, else foot soldiers.
pub(super) fn unit(
    source: &Source,
    table: &SquadTable,
    area: Option<&Area>,
    units: &[Unit],
    library: &[Unit],
) -> Result<usize, ScenarioError> {
    let plain = Unit::default().name;
    let of_area = area.and_then(|area| area.property("unit"));
    let name = table.unit.as_ref().map(|unit| unit.get_ref().as_str()).or(of_area).unwrap_or(&plain);
    units.iter().position(|unit| unit.name == name).ok_or_else(|| {
        let span = table.unit.as_ref().or(table.area.as_ref()).map_or(0..0, Spanned::span);
        let hint = file::hint(name, &names(units.iter().map(|unit| &unit.name), library));
        ScenarioError::UnknownUnit { at: source.at(span), hint, found: name.to_owned() }
    })
}

/// How many there are: as the squad says, else as its area does.
pub(super) fn count(
    source: &Source,
    table: &SquadTable,
    area: Option<&Area>,
    squad: Range<usize>,
) -> Result<usize, ScenarioError> {
    if let Some(count) = &table.count {
        return Ok(count.get_ref().0 as usize);
    }
    match area.and_then(|area| area.property("count")) {
        None => Err(ScenarioError::MissingKey { at: source.at(squad), key: "count".into() }),
        Some(text) => {
            let count = text.parse().ok().filter(|count| (1..=MAX_SQUAD).contains(count));
            let expected = format!("a whole number between 1 and {MAX_SQUAD} (soldiers a squad)");
            count.ok_or_else(|| odd(source, table, "count", text, &expected))
        }
    }
}

/// Where its soldiers look (degrees), by the area; 0 where it does not say.
pub(super) fn facing(source: &Source, table: &SquadTable, area: Option<&Area>) -> Result<f32, ScenarioError> {
    let Some(text) = area.and_then(|area| area.property("facing")) else { return Ok(0.0) };
    let facing = text.parse().ok().filter(|facing| (-360.0..=360.0).contains(facing));
    facing.ok_or_else(|| odd(source, table, "facing", text, "a number between -360 and 360 (degrees)"))
}

/// The shape of its formation, by the area; none where it does not say.
pub(super) fn shape(source: &Source, table: &SquadTable, area: Option<&Area>) -> Result<Option<Shape>, ScenarioError> {
    let Some(text) = area.and_then(|area| area.property("formation")) else { return Ok(None) };
    let known = Shape::ALL.map(Shape::name).join(", ");
    text.parse().map(Some).map_err(|_| odd(source, table, "formation", text, &format!("one of {known}")))
}

/// A property of an area that is not what it should be.
fn odd(source: &Source, table: &SquadTable, key: &str, found: &str, expected: &str) -> ScenarioError {
    let span = table.area.as_ref().map_or(0..0, Spanned::span);
    let message =
        format!("the area's {key} must be {expected}, found {found:?}; give the squad one, or correct the map");
    ScenarioError::Squad { at: source.at(span), message }
}

/// An area that is too small.
pub(super) fn no_room(source: &Source, table: &SquadTable, area: &Area, placed: usize, count: usize) -> ScenarioError {
    let span = table.area.as_ref().map_or(0..0, Spanned::span);
    let message = format!(
        "only {placed} of {count} soldiers find room in the area {:?}; lower the count or the spacing, or draw a larger area",
        area.name
    );
    ScenarioError::Squad { at: source.at(span), message }
}

/// So many side by side that the block is shaped as the area is.
pub(super) fn columns(area: &Area, facing: f32, count: usize, spacing: f32) -> i64 {
    let ahead = direction(facing);
    let extent = |axis: Vec2| {
        let along = area.corners.iter().map(|corner| corner.dot(axis));
        let (least, most) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        (most - least).max(spacing)
    };
    let (broad, deep) = (extent(ahead.perp()), extent(ahead));
    let columns = (f64::from(broad) / f64::from(deep) * count as f64).sqrt().ceil() as i64;
    columns.clamp(1, ((broad / spacing) as i64).max(1))
}

/// Where the block of a squad goes: the middle of the area, or the nearest cell in it that can be stood on.
pub(super) fn centre(area: &Area, ground: &Ground) -> Option<Vec2> {
    let (lattice, middle) = (ground.lattice(), area.middle());
    let stands = |cell| ground.is_passable(cell) && area.contains(lattice.centre(cell));
    if lattice.covers(middle) && area.contains(middle) && ground.is_passable(lattice.at(middle)) {
        return Some(middle);
    }
    Some(lattice.centre(ground.grid().nearest(middle, stands)?))
}
