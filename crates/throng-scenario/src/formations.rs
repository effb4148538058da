//! Squads in a formation, and squads that do not fit.

use super::blocks::{Taken, place_formation};
use super::section::Section;
use super::{ScenarioError, areas};
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Area, Ground};
use throng_sim::battle::{Formation, Shape};

/// The formation of a squad: as the squad says, else as its area does, else none.
pub(super) fn formation(
    table: Section<'_>,
    area: Option<&Area>,
    count: usize,
    facing: f32,
    spacing: f32,
) -> Result<Option<Formation>, ScenarioError> {
    let of_area = areas::shape(table, area)?;
    let Some(shape) = table.choice("formation")?.or(of_area) else { return Ok(None) };
    let usual = Formation::new(shape, spacing);
    let files = match table.some_whole("columns") {
        Some(_) if !shape.has_files() => {
            let message =
                format!("a {shape} has no columns of its own; remove columns, or make it a line, a column or loose");
            return table.wrong("columns", message);
        }
        Some(columns) => Some(columns as u32),
        // No broader than the area.
        None => area.filter(|_| shape.has_files()).map(|area| {
            let apart = if shape == Shape::Loose { 2.0 * spacing } else { spacing };
            let broad = areas::extent(area, direction(facing).perp());
            (usual.abreast(count) as u32).min((broad / apart) as u32).max(1)
        }),
    };
    Ok(Some(Formation { files, ..usual }))
}

/// Where the soldiers of a squad stand at the start.
///
/// # Errors
/// Where the formation does not fit: how many of its places are not free, and with how many columns it would.
pub(super) fn stand(
    formation: Formation,
    count: usize,
    around: (Vec2, f32),
    radius: f32,
    ground: &Ground,
    area: Option<&Area>,
    taken: &mut Taken,
) -> Result<Vec<Vec2>, String> {
    let mut place =
        |formation: Formation| place_formation(&formation.layout(count), around, radius, ground, area, taken);
    let lost = match place(formation) {
        Ok(positions) => return Ok(positions),
        Err(lost) => lost,
    };
    let shape = formation.shape;
    let files = formation.abreast(count) as u32;
    // Not each number of columns is tried: a squad may be of two hundred thousand.
    let fewer = std::iter::successors(Some(files), |&files| Some(files - files.div_ceil(8)).filter(|&files| files > 0));
    let fits = |files: &u32| shape.has_files() && place(Formation { files: Some(*files), ..formation }).is_ok();
    let advice = match fewer.skip(1).find(fits) {
        Some(files) => format!("columns = {files} would fit"),
        None => "lower the count or the spacing, or move the squad".to_owned(),
    };
    let out = if area.is_some() { "outside the area, in walls or taken" } else { "in walls, off the map or taken" };
    let are = if lost == 1 { "is" } else { "are" };
    Err(format!("the {shape} formation does not fit here: {lost} of its {count} places {are} {out}; {advice}"))
}
