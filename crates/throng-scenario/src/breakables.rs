//! Walls and gates that can be broken, from the keys of their tables.

use super::file::{AreaTable, BreakableTable, ScenarioFile};
use super::journeys::{area, number};
use super::source::Source;
use super::{ScenarioError, areas};
use std::ops::RangeInclusive;
use throng_grid::geom::Vec2;
use throng_grid::{self, Cell, Grid};
use toml::Spanned;

/// The health of a cell (points).
const HEALTH: RangeInclusive<f32> = 0.001..=1e9;

/// Closed cells that can be broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakable {
    /// The cells, all closed.
    pub cells: Vec<Cell>,
    /// The health of each (points).
    pub health: f32,
    /// Index into [`Scenario::armies`](super::Scenario::armies): who keeps them. Neither that army nor its allies go for them.
    pub keeper: Option<usize>,
}

/// What can be broken on a map, by each table of a file; `places` are the areas that the map names.
pub(super) fn breakables(
    source: &Source,
    parsed: &ScenarioFile,
    grid: &Grid,
    places: &[throng_grid::Area],
) -> impl Iterator<Item = Result<Breakable, ScenarioError>> {
    let armies: Vec<&str> = parsed.army.iter().map(|army| army.name.get_ref().as_str()).collect();
    let read = move |table: &Spanned<BreakableTable>| {
        let BreakableTable { area: name, from, to, health, army } = table.get_ref();
        let span = name.as_ref().map_or_else(|| table.span(), Spanned::span);
        let wrong = |message: String| Err(ScenarioError::Breakable { at: source.at(span.clone()), message });
        let place = areas::find(source, name.as_ref(), places)?;
        let cells: Vec<Cell> = match (place, from, to) {
            (Some(place), None, None) => closed(grid, place.bounds(), |at| place.contains(at)),
            (None, Some(_), Some(_)) => {
                let corners =
                    AreaTable { from: from.clone(), to: to.clone(), centre: None, radius: None, points: None };
                let place = area(source, grid.lattice(), &Spanned::new(table.span(), corners))?;
                closed(grid, place.bounds(), |at| place.contains(at))
            }
            _ => return wrong("what can be broken has an area of the map, or from = [x, y] and to = [x, y]".into()),
        };
        if cells.is_empty() {
            return wrong("there is no wall in this area; only closed cells can be broken".into());
        }
        let health = match (health, place.and_then(|place| place.property("health"))) {
            (Some(health), _) => source.number(Some(health), 1.0, "health", HEALTH, "points a cell")?,
            (None, Some(text)) => {
                let Some(health) = text.parse().ok().filter(|health| HEALTH.contains(health)) else {
                    let (least, most) = (HEALTH.start(), HEALTH.end());
                    return wrong(format!(
                        "the area's health must be between {least} and {most} (points a cell), found {text:?}; give a health here, or \
                         correct the map"
                    ));
                };
                health
            }
            (None, None) => {
                return Err(ScenarioError::MissingKey { at: source.at(table.span()), key: "health".into() });
            }
        };
        let keeper = army.as_ref().map(|name| number(source, "army", name, &armies)).transpose()?;
        Ok(Breakable { cells, health, keeper: keeper.map(|army| army as usize) })
    };
    parsed.breakable.iter().map(read)
}

/// The closed cells whose middles are in an area within these bounds (m), row by row.
fn closed(grid: &Grid, (least, most): (Vec2, Vec2), contains: impl Fn(Vec2) -> bool) -> Vec<Cell> {
    let lattice = grid.lattice();
    let [(left, top), (right, bottom)] = [least, most].map(|corner| lattice.column_row(lattice.at(corner)));
    let cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| lattice.cell(x, y)));
    cells.filter(|&cell| !grid.is_open(cell) && contains(lattice.centre(cell))).collect()
}
