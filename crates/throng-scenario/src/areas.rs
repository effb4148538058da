//! Squads in areas that the map names: which area, and its properties for them.

use super::schema::{Kind, SQUAD};
use super::section::Section;
use super::units::unit_hint;
use super::{MAX_SQUAD, ScenarioError};
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Area, Ground};
use throng_sim::battle::{Shape, Unit};

/// The area that a table names by its key `area`.
pub(super) fn find<'a>(table: Section<'_>, areas: &'a [Area]) -> Result<Option<&'a Area>, ScenarioError> {
    find_at(table, "area", areas)
}

/// The area that a table names by a key.
pub(super) fn find_at<'a>(table: Section<'_>, key: &str, areas: &'a [Area]) -> Result<Option<&'a Area>, ScenarioError> {
    let Some(name) = table.name(key) else { return Ok(None) };
    if areas.is_empty() {
        let hint = "the map has none; draw a rectangle of the class spawn in Tiled, or give a position";
        return Err(name.unknown(table.source, "area", hint.into()));
    }
    let known: Vec<&str> = areas.iter().map(|area| area.name.as_str()).collect();
    name.among(table.source, "area", &known).map(|place| Some(&areas[place]))
}

/// The index of a squad's unit: as the squad says, else as its area does, else foot soldiers.
pub(super) fn unit(
    (file, table): (Section<'_>, Section<'_>),
    area: Option<&Area>,
    units: &[Unit],
    library: &[Unit],
) -> Result<usize, ScenarioError> {
    let plain = Unit::default().name;
    let of_area = area.and_then(|area| area.property("unit"));
    let name = table.text("unit").or(of_area).unwrap_or(&plain);
    units.iter().position(|unit| unit.name == name).ok_or_else(|| {
        let key = if table.has("unit") { "unit" } else { "area" };
        let hint = unit_hint(file, name, units.iter().map(|unit| unit.name.as_str()), library);
        ScenarioError::UnknownName { at: table.at_key(key), what: "unit", found: name.to_owned(), hint }
    })
}

/// The number of soldiers: as the squad says, else as its area does.
pub(super) fn count(table: Section<'_>, area: Option<&Area>) -> Result<usize, ScenarioError> {
    match (table.some_whole("count"), area.and_then(|area| area.property("count"))) {
        (Some(count), _) => Ok(count as usize),
        (None, None) => Err(table.missing("count")),
        (None, Some(text)) => {
            let count = text.parse().ok().filter(|count| (1..=MAX_SQUAD).contains(count));
            count.ok_or_else(|| odd(table, "count", text))
        }
    }
}

/// Where its soldiers look (degrees), by the area; 0 where it does not say.
pub(super) fn facing(table: Section<'_>, area: Option<&Area>) -> Result<f32, ScenarioError> {
    let Some(text) = area.and_then(|area| area.property("facing")) else { return Ok(0.0) };
    let facing = text.parse().ok().filter(|facing| (-360.0..=360.0).contains(facing));
    facing.ok_or_else(|| odd(table, "facing", text))
}

/// The shape of its formation, by the area; none where it does not say.
pub(super) fn shape(table: Section<'_>, area: Option<&Area>) -> Result<Option<Shape>, ScenarioError> {
    let Some(text) = area.and_then(|area| area.property("formation")) else { return Ok(None) };
    text.parse().map(Some).map_err(|_| odd(table, "formation", text))
}

/// A property of an area that is not as the key of a squad of that name.
fn odd(table: Section<'_>, key: &str, found: &str) -> ScenarioError {
    let expected = SQUAD.kind(key).as_ref().map_or_else(String::new, Kind::expected);
    let message =
        format!("the area's {key} must be {expected}, found {found:?}; give the squad one, or correct the map");
    ScenarioError::Rule { at: table.at_key("area"), message }
}

/// An area that is too small.
pub(super) fn no_room(table: Section<'_>, area: &Area, placed: usize, count: usize) -> ScenarioError {
    let message = format!(
        "only {placed} of {count} soldiers find room in the area {:?}; lower the count or the spacing, or draw a larger area",
        area.name
    );
    ScenarioError::Rule { at: table.at_key("area"), message }
}

/// So many side by side that the block is shaped as the area is.
pub(super) fn columns(area: &Area, facing: f32, count: usize, spacing: f32) -> u64 {
    let ahead = direction(facing);
    let [broad, deep] = [ahead.perp(), ahead].map(|axis| extent(area, axis).max(spacing));
    let columns = (f64::from(broad) / f64::from(deep) * count as f64).sqrt().ceil() as u64;
    columns.clamp(1, ((broad / spacing) as u64).max(1))
}

/// How long an area is along an axis (m).
pub(super) fn extent(area: &Area, axis: Vec2) -> f32 {
    let along = area.corners.iter().map(|corner| corner.dot(axis));
    let (low, high) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    high - low
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
