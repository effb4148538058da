//! Floor plans: polygons in metres, as well-known text or `GeoJSON`, made into cells.

mod geojson;
mod inside;
mod raster;
mod wkt;
mod write;

use super::source::Source;
use super::{MapFile, MapOptions, text};
use crate::MapError;
use std::borrow::Cow;
use std::path::Path;

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

/// The content of a file.
#[derive(Debug, Default)]
struct Plan {
    walkable: Vec<Rings>,
    obstacles: Vec<Rings>,
    /// Ground of a class of terrain.
    painted: Vec<(u8, Rings)>,
    /// Least x and y, greatest x and y (m), where the file says them.
    bounds: Option<[f64; 4]>,
    /// Side of a cell (m), where the file says it.
    cell_size: Option<f32>,
    /// The file says what its coordinates are.
    is_projected: bool,
}

impl Plan {
    fn add(&mut self, kind: Polygons, rings: Rings) {
        match kind {
            Polygons::Walkable => self.walkable.push(rings),
            Polygons::Obstacles => self.obstacles.push(rings),
        }
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
    read(bytes, file, options, "GeoJSON", |source| {
        geojson::plan(source, options.polygons.unwrap_or(Polygons::Obstacles))
    })
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
    let plan = parse(&Source { text, file })?;
    // The text is not needed beside the map.
    drop(bytes);
    let wrong = |found: String, expected: &str| {
        let expected = expected.to_owned();
        Err(MapError::Plan { file: file.to_path_buf(), found, expected })
    };
    let Some(extent @ [x0, y0, x1, y1]) = plan.extent() else {
        return wrong("no polygon".into(), "at least one, walkable ground or obstacles");
    };
    if ![x0, y0, x1, y1].iter().all(|at| at.abs() <= FARTHEST) || x0 >= x1 || y0 >= y1 {
        return wrong(format!("bounds of {x0} {y0} to {x1} {y1}"), "some that enclose an area, in metres");
    }
    let margin = if plan.walkable.is_empty() && plan.bounds.is_none() { MARGIN } else { 0.0 };
    let (width, height) = (x1 - x0 - 2.0 * margin, y1 - y0 - 2.0 * margin);
    let is_on_globe = x0 >= -180.0 && x1 <= 180.0 && y0 >= -90.0 && y1 <= 90.0;
    if !plan.is_projected && is_on_globe && width < 1.0 && height < 1.0 {
        let expected =
            "metres: these look like degrees of longitude and latitude; project them first, to UTM for example";
        return wrong(format!("a plan of {width:.4} x {height:.4}"), expected);
    }
    let cell_size = options.cell_size.or(plan.cell_size).unwrap_or(CELL_SIZE);
    let grid = raster::grid(&plan, extent, cell_size, file)?;
    Ok(grid.into())
}
