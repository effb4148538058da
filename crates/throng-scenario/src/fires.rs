//! Fires of a scenario.

use super::ScenarioError;
use super::schema::FIRE;
use super::section::Section;
use throng_grid::Lattice;
use throng_sim::world::Fire;

/// The fires of a file.
pub(super) fn fires(file: Section<'_>, lattice: Lattice) -> Result<Vec<Fire>, ScenarioError> {
    let mut fires = Vec::new();
    for table in file.tables("fire", &FIRE) {
        let (from, until) = (table.number("from"), table.some_number("until").unwrap_or(f32::INFINITY));
        if until < from {
            return table
                .wrong("until", format!("the fire ends at {until} s and begins at {from} s; let it end later"));
        }
        if fires.len() == Fire::MAX {
            let message = format!("there are more than {} fires; remove some", Fire::MAX);
            return Err(ScenarioError::Rule { at: table.at(), message });
        }
        fires.push(Fire { position: table.on_map("position", lattice)?, size: table.number("size"), from, until });
    }
    Ok(fires)
}
