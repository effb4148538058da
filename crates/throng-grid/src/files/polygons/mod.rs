//! Floor plans: polygons and lines, as well-known text or `GeoJSON`, made into cells.

mod epsg;
mod geojson;
mod inside;
mod level;
mod lines;
mod metres;
mod project;
mod raster;
mod system;
mod wkt;
mod write;

use super::source::Source;
use super::{MapFile, MapOptions, text};
use crate::{MapError, MapWarning};
use std::borrow::Cow;
use std::path::Path;
use system::System;

/// The most bytes of a plan.
const MAX_BYTES: usize = 64 << 20;

/// Side of a cell (m) where nothing is said: a door is three or four of them wide.
pub(super) const CELL_SIZE: f32 = 0.25;

/// The open ground around a plan that has obstacles alone (m).
const MARGIN: f64 = 2.0;

/// No coordinate is larger (m).
const FARTHEST: f64 = 1e9;

/// The meaning of polygons that carry none themselves.
///
/// ```
/// use throng_grid::{MapFile, MapOptions, Polygons};
/// let plan = b"POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))";
/// let read = |polygons| {
///     let options = MapOptions { polygons: Some(polygons), cell_size: Some(1.0), ..MapOptions::default() };
///     MapFile::from_bytes(plan, "plan.wkt", &options).map(|map| map.grid.open_cells())
/// };
/// assert_eq!(read(Polygons::Walkable)?, 4);
/// // Two metres of open ground around the obstacle.
/// assert_eq!(read(Polygons::Obstacles)?, 6 * 6 - 4);
/// # Ok::<(), throng_grid::MapError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polygons {
    /// Open ground, and walls everywhere else.
    Walkable,
    /// Walls, and open ground everywhere else.
    Obstacles,
}

impl std::str::FromStr for Polygons {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "walkable" => Ok(Self::Walkable),
            "obstacles" => Ok(Self::Obstacles),
            _ => Err(format!("unknown polygons {text:?}; known are \"walkable\" and \"obstacles\"")),
        }
    }
}

/// A polygon: the outer ring, then its holes. Where they lie is up to the file.
type Rings = Vec<Vec<[f64; 2]>>;

/// A line that is a wall.
#[derive(Debug)]
struct Line {
    points: Vec<[f64; 2]>,
    /// Its width (m), where the file says it.
    width: Option<f64>,
    mark: Mark,
}

/// What the file says of a polygon or a line.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    kind: Option<Polygons>,
    class: Option<u8>,
}

/// The content of a file.
#[derive(Debug, Default)]
struct Plan {
    walkable: Vec<Rings>,
    obstacles: Vec<Rings>,
    /// Ground of a class of terrain.
    painted: Vec<(u8, Rings)>,
    lines: Vec<Line>,
    /// Least x and y, greatest x and y (m), where the file says them.
    bounds: Option<[f64; 4]>,
    /// Side of a cell (m), where the file says it.
    cell_size: Option<f32>,
    /// The coordinate system, where the file says it.
    system: Option<System>,
    /// What the user should know of it.
    warnings: Vec<MapWarning>,
    /// Written here, so it is in metres.
    is_ours: bool,
    is_geojson: bool,
}

impl Plan {
    /// Adds a polygon; `kind` is that of polygons whose mark says none.
    fn add(&mut self, Mark { kind, class }: Mark, default: Polygons, rings: Rings) {
        // A polygon of a class alone is neither ground nor obstacle.
        let kind = kind.or_else(|| class.is_none().then_some(default));
        if let Some(class) = class {
            self.painted.push((class, rings.clone()));
        }
        match kind {
            Some(Polygons::Walkable) => self.walkable.push(rings),
            Some(Polygons::Obstacles) => self.obstacles.push(rings),
            None => {}
        }
    }

    /// Makes walls of all lines; `width` is that of lines that say none (m).
    fn thicken(&mut self, width: f64) {
        for line in std::mem::take(&mut self.lines) {
            for rings in lines::thick(&line.points, line.width.unwrap_or(width)) {
                self.add(line.mark, Polygons::Obstacles, rings);
            }
        }
    }

    fn positions(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.polygons().flatten().flatten().chain(self.lines.iter().flat_map(|line| &line.points))
    }

    fn positions_mut(&mut self) -> impl Iterator<Item = &mut [f64; 2]> {
        let painted = self.painted.iter_mut().map(|(_, rings)| rings);
        let polygons = self.walkable.iter_mut().chain(&mut self.obstacles).chain(painted);
        polygons.flatten().flatten().chain(self.lines.iter_mut().flat_map(|line| &mut line.points))
    }

    fn polygons(&self) -> impl Iterator<Item = &Rings> {
        self.walkable.iter().chain(&self.obstacles).chain(self.painted.iter().map(|(_, rings)| rings))
    }

    /// Least x and y, greatest x and y (m) of the map.
    fn extent(&self) -> Option<[f64; 4]> {
        let margin = if self.walkable.is_empty() { MARGIN } else { 0.0 };
        let around = |polygons: &mut dyn Iterator<Item = &Rings>| {
            let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
            polygons
                .filter_map(|rings| rings.first())
                .flatten()
                .fold(start, |[x0, y0, x1, y1], &[x, y]| [x0.min(x), y0.min(y), x1.max(x), y1.max(y)])
        };
        let [x0, y0, x1, y1] = match self.bounds {
            Some(bounds) => return Some(bounds),
            None if self.walkable.is_empty() => around(&mut self.polygons()),
            None => around(&mut self.walkable.iter()),
        };
        (x0 <= x1).then_some([x0 - margin, y0 - margin, x1 + margin, y1 + margin])
    }
}

pub(super) fn read_wkt(bytes: Cow<[u8]>, file: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
    read(bytes, file, options, "WKT", |source| wkt::plan(source, options.polygons.unwrap_or(Polygons::Walkable)))
}

pub(super) fn read_geojson(bytes: Cow<[u8]>, file: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
    read(bytes, file, options, "GeoJSON", |source| geojson::plan(source, options))
}

fn read(
    bytes: Cow<[u8]>,
    file: &Path,
    options: &MapOptions,
    kind: &'static str,
    parse: impl FnOnce(&Source) -> Result<Plan, MapError>,
) -> Result<MapFile, MapError> {
    if bytes.len() > MAX_BYTES {
        return Err(MapError::TooMuch { file: file.to_path_buf(), kind, limit: MAX_BYTES as u64 >> 20 });
    }
    let text = text(&bytes, file)?;
    if text.trim().is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a floor plan" });
    }
    let source = Source { text, file };
    let mut plan = parse(&source)?;
    metres::in_metres(&mut plan, &source, options.project)?;
    // The text is not needed beside the map.
    drop(bytes);
    let wrong = |found: String, expected: &str| {
        let expected = expected.to_owned();
        Err(MapError::Plan { file: file.to_path_buf(), found, expected })
    };
    let width = options.wall_width.map_or(lines::WALL_WIDTH, f64::from);
    if !lines::WIDTHS.contains(&width) {
        return wrong(format!("wall_width = {width}"), "metres from 0.001 to 1000");
    }
    plan.thicken(width);
    let Some(extent @ [x0, y0, x1, y1]) = plan.extent() else {
        return wrong("no polygon".into(), "at least one, walkable ground or obstacles");
    };
    if ![x0, y0, x1, y1].iter().all(|at| at.abs() <= FARTHEST) || x0 >= x1 || y0 >= y1 {
        return wrong(format!("bounds of {x0} {y0} to {x1} {y1}"), "some that enclose an area, in metres");
    }
    let cell_size = options.cell_size.or(plan.cell_size).unwrap_or(CELL_SIZE);
    let grid = raster::grid(&plan, extent, cell_size, file)?;
    Ok(MapFile { warnings: plan.warnings, ..grid.into() })
}
