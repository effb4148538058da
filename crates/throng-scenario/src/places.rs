//! Squads whose soldiers have a place each.

use super::section::Section;
use super::{ScenarioError, Warning};
use std::ops::Range;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// The places of a squad, in the order of the file.
pub(super) struct Places {
    /// The places (m).
    pub points: Vec<Vec2>,
    /// Where each stands in the text.
    spans: Vec<Range<usize>>,
}

/// The places of a squad; none where it has a position or an area.
pub(super) fn of(table: Section<'_>, lattice: Lattice) -> Result<Option<Places>, ScenarioError> {
    if !table.has("places") {
        return Ok(None);
    }
    let (points, spans): (Vec<_>, Vec<_>) = table.list_near_map("places", lattice)?.into_iter().unzip();
    if let Some(key) = ["position", "area"].into_iter().find(|key| table.has(key)) {
        return table
            .wrong(key, format!("a squad has places, a position or an area, found places and {key}; remove one"));
    }
    let of_block = ["columns", "spacing"].into_iter().find(|key| table.has(key) && !table.has("formation"));
    if let Some(key) = of_block {
        return table
            .wrong(key, format!("{key} is for a block or a formation, but each soldier has its own place; remove it"));
    }
    if let Some(count) = table.some_whole("count").filter(|&count| count != points.len() as u64) {
        let places = points.len();
        let message = format!("count is {count}, but there are {places} places; give as many, or remove count");
        return table.wrong("count", message);
    }
    Ok(Some(Places { points, spans }))
}

impl Places {
    /// Where they stand, as [`place_each`](super::blocks::place_each) found; a warning where some are not at their places.
    pub fn settled(
        &self,
        table: Section<'_>,
        placed: Result<(Vec<Vec2>, Vec<usize>), usize>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Vec2>, ScenarioError> {
        let at = |place: usize| table.source.at(self.spans[place].start);
        match placed {
            Ok((positions, moved)) => {
                if let Some(&first) = moved.first() {
                    let (from, to, count) = (self.points[first], positions[first], self.points.len());
                    warnings.push(Warning::Displaced { at: at(first), moved: moved.len(), count, from, to });
                }
                Ok(positions)
            }
            Err(first) => {
                let Vec2 { x, y } = self.points[first];
                let message = format!(
                    "the place ({x}, {y}) is in a wall, off the map or taken, and no other is free in this part of the map; \
                     move it, or remove it"
                );
                Err(ScenarioError::Rule { at: at(first), message })
            }
        }
    }
}
