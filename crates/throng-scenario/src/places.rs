//! Squads whose soldiers have a place each.

use super::source::Source;
use super::squad_table::SquadTable;
use super::{ScenarioError, Warning};
use std::ops::Range;
use throng_grid::geom::Vec2;
use toml::Spanned;

/// How many soldiers a squad says it has, and where it says so; nothing where its area knows.
pub(super) fn soldiers(table: &SquadTable) -> Option<(i64, Range<usize>)> {
    match (&table.count, &table.places) {
        (Some(count), _) => Some((count.get_ref().0, count.span())),
        (None, Some(places)) => Some((places.get_ref().0.len() as i64, places.span())),
        (None, None) => None,
    }
}

/// The places of a squad (m), in the order of the file; none where it has a position or an area.
pub(super) fn of(source: &Source, table: &SquadTable) -> Result<Option<Vec<Vec2>>, ScenarioError> {
    let Some(places) = &table.places else { return Ok(None) };
    let places = &places.get_ref().0;
    let wrong = |span: Range<usize>, message: String| Err(ScenarioError::Squad { at: source.at(span), message });
    let of = |key: &Option<Spanned<_>>| key.as_ref().map(Spanned::span);
    let other = table.position.as_ref().map(|position| ("position", position.span()));
    if let Some((key, span)) = other.or_else(|| of(&table.area).map(|span| ("area", span))) {
        let message = format!("a squad has places, a position or an area, found places and {key}; remove one");
        return wrong(span, message);
    }
    if table.formation.is_none() {
        let columns = table.columns.as_ref().map(|columns| ("columns", columns.span()));
        let spacing = table.spacing.as_ref().map(|spacing| ("spacing", spacing.span()));
        if let Some((key, span)) = columns.or(spacing) {
            return wrong(span, format!("{key} is of a block or a formation, and these have a place each; remove it"));
        }
    }
    if let Some(count) = &table.count
        && count.get_ref().0 != places.len() as i64
    {
        let (count, span) = (count.get_ref().0, count.span());
        let message = format!("count is {count}, but there are {} places; give as many, or remove count", places.len());
        return wrong(span, message);
    }
    places.iter().map(|place| source.point(place, "places")).collect::<Result<_, _>>().map(Some)
}

/// Where they stand, as [`place_each`](super::place::place_each) found; a warning where some are not at their places.
pub(super) fn settled(
    source: &Source,
    table: &SquadTable,
    wanted: &[Vec2],
    placed: Result<(Vec<Vec2>, Vec<usize>), usize>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Vec2>, ScenarioError> {
    let span = |place: usize| {
        let places = table.places.as_ref();
        places.and_then(|places| places.get_ref().0.get(place)).map_or(0..0, Spanned::span)
    };
    let count = wanted.len();
    match placed {
        Ok((positions, moved)) => {
            if let Some(&first) = moved.first() {
                let (at, from, to) = (source.at(span(first)), wanted[first], positions[first]);
                warnings.push(Warning::Displaced { at, moved: moved.len(), count, from, to });
            }
            Ok(positions)
        }
        Err(first) => {
            let Vec2 { x, y } = wanted[first];
            let message = format!(
                "the place ({x}, {y}) is in a wall, off the map or taken, and no other is free in this part of the map; \
                 move it, or remove it"
            );
            Err(ScenarioError::Squad { at: source.at(span(first)), message })
        }
    }
}
