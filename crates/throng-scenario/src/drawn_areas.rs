//! Areas that a file draws.

use super::ScenarioError;
use super::section::Section;
use throng_grid::Lattice;
use throng_sim::world::Area;

/// The keys with which an area is drawn.
const KEYS: [&str; 5] = ["from", "to", "centre", "radius", "points"];

/// True where a table draws an area.
pub(super) fn is_drawn(table: Section<'_>) -> bool {
    KEYS.iter().any(|key| table.node.get(key).is_some())
}

/// The area of the map that a table draws.
///
/// # Errors
/// Where the keys make none, or one that is off the map.
pub(super) fn drawn(table: Section<'_>, lattice: Lattice) -> Result<Area, ScenarioError> {
    let found: Vec<&str> = KEYS.into_iter().filter(|key| table.node.get(key).is_some()).collect();
    match found[..] {
        ["from", "to"] => {
            Ok(Area::Rectangle { from: table.on_map("from", lattice)?, to: table.on_map("to", lattice)? })
        }
        ["centre", "radius"] => {
            Ok(Area::Disc { centre: table.on_map("centre", lattice)?, radius: table.number("radius") })
        }
        ["points"] => Ok(Area::Polygon { points: table.list_on_map("points", lattice)? }),
        _ => {
            let message = "an area is { from = [x, y], to = [x, y] }, { centre = [x, y], radius = R } or \
                           { points = [[x, y], ...] }";
            Err(ScenarioError::Rule { at: table.at(), message: message.into() })
        }
    }
}
