//! Walls and gates that can be broken, from the keys of their tables.

use super::drawn_areas::drawn;
use super::schema::{ARMY, BREAKABLE, Kind};
use super::section::Section;
use super::{ScenarioError, areas};
use throng_grid::geom::Vec2;
use throng_grid::{Area, Cell, Grid};
use throng_sim::world::{ArmyId, Breakable};

/// The breakable walls of a map, by each table of a file; `places` are the areas that the map names.
pub(super) fn breakables<'a>(
    file: Section<'a>,
    grid: &'a Grid,
    places: &'a [Area],
) -> impl Iterator<Item = Result<Breakable, ScenarioError>> + 'a {
    let armies: Vec<&str> = file.tables("army", &ARMY).filter_map(|army| army.text("name")).collect();
    file.tables("breakable", &BREAKABLE).map(move |table| breakable(table, grid, places, &armies))
}

fn breakable(table: Section<'_>, grid: &Grid, places: &[Area], armies: &[&str]) -> Result<Breakable, ScenarioError> {
    let place = areas::find(table, places)?;
    let cells: Vec<Cell> = match (place, table.has("from"), table.has("to")) {
        (Some(place), false, false) => closed(grid, place.bounds(), |at| place.contains(at)),
        (None, true, true) => {
            let place = drawn(table, grid.lattice())?;
            closed(grid, place.bounds(), |at| place.contains(at))
        }
        _ => return table.wrong("area", "give an area of the map, or from = [x, y] and to = [x, y]"),
    };
    if cells.is_empty() {
        return table.wrong("area", "there is no wall in this area; only closed cells can be broken");
    }
    let health = match (table.some_number("health"), place.and_then(|place| place.property("health"))) {
        (Some(health), _) => health,
        (None, Some(text)) => {
            let Some(Kind::Number(range)) = BREAKABLE.kind("health") else { return Err(table.missing("health")) };
            let Some(health) = text.parse().ok().filter(|&health| range.contains(health)) else {
                let told = format!("the area's health must be {range}, found {text:?}");
                return table.wrong("area", format!("{told}; give a health here, or correct the map"));
            };
            health as f32
        }
        (None, None) => return Err(table.missing("health")),
    };
    let keeper = table.name("army").map(|name| name.among(table.source, "army", armies)).transpose()?;
    Ok(Breakable { cells, health, keeper: keeper.map(|army| ArmyId(army as u8)) })
}

/// The closed cells whose middles are in an area within these bounds (m), row by row.
fn closed(grid: &Grid, (least, most): (Vec2, Vec2), contains: impl Fn(Vec2) -> bool) -> Vec<Cell> {
    let lattice = grid.lattice();
    let [(left, top), (right, bottom)] = [least, most].map(|corner| lattice.column_row(lattice.at(corner)));
    let cells = (top..=bottom).flat_map(|y| (left..=right).map(move |x| lattice.cell(x, y)));
    cells.filter(|&cell| !grid.is_open(cell) && contains(lattice.centre(cell))).collect()
}
