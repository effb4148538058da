//! All that a map file holds.

#[cfg(feature = "images")]
use super::Colours;
use super::Grid;
#[cfg(feature = "polygons")]
use super::Polygons;
use super::format::Format;
use super::input::Input;
#[cfg(feature = "tiled")]
use super::{tiled, write};
use crate::{Area, MapError, MapLink, MapWarning};
use std::path::Path;

/// A map, the places on it that have names, and the links, which Tiled maps have.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("room.tmx");
/// use throng_grid::{Grid, Lattice, MapFile, MapOptions};
/// let mut grid = Grid::open_plain(Lattice::new(5, 4, 0.5)?);
/// grid.set_open(grid.lattice().cell(2, 1), false);
/// let map = MapFile::from(grid);
/// map.save_tiled(&path)?;
/// assert_eq!(MapFile::load(&path, &MapOptions::default())?, map);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// The map.
    pub grid: Grid,
    /// Places with names.
    pub areas: Vec<Area>,
    /// Doors, jumps and drops.
    pub links: Vec<MapLink>,
    /// Parts of the file that were left out.
    pub warnings: Vec<MapWarning>,
}

impl From<Grid> for MapFile {
    /// A map without names, links and warnings.
    fn from(grid: Grid) -> Self {
        Self { grid, areas: Vec::new(), links: Vec::new(), warnings: Vec::new() }
    }
}

/// Options for reading a map file.
///
/// ```
/// use throng_grid::{MapFile, MapOptions};
/// let options = MapOptions { cell_size: Some(2.0), ..MapOptions::default() };
/// let map = MapFile::from_bytes(b"type octile\nheight 1\nwidth 3\nmap\n..@\n", "a.map", &options)?;
/// assert_eq!(map.grid.lattice().cell_size, 2.0);
/// # Ok::<(), throng_grid::MapError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// Side of a cell (m); `None` = as the file says.
    pub cell_size: Option<f32>,
    /// The meaning of polygons of a floor plan that carry none; `None` = walkable ground in well-known text, obstacles
    /// in `GeoJSON`.
    #[cfg(feature = "polygons")]
    pub polygons: Option<Polygons>,
    /// Degrees of longitude and latitude of a floor plan: `Some(true)` = they become metres around the middle of the plan,
    /// `Some(false)` = all numbers are metres, whatever the file says; `None` = degrees are an error.
    #[cfg(feature = "polygons")]
    pub project: Option<bool>,
    /// The level whose features of a `GeoJSON` floor plan are read, beside those without a level; `None` = all, and an error where there are
    /// several.
    #[cfg(feature = "polygons")]
    pub level: Option<String>,
    /// Width of the walls that are drawn as lines in a floor plan and do not say theirs, 0.001 to 1000 (m); `None` = 0.2.
    #[cfg(feature = "polygons")]
    pub wall_width: Option<f32>,
    /// The meanings of the colours of an image; `None` = dark pixels are walls.
    #[cfg(feature = "images")]
    pub colours: Option<Colours>,
}

impl MapFile {
    /// Reads a map file, of any kind that [`Grid::load`] reads.
    ///
    /// # Errors
    /// [`MapError`] names the file, the line and the column, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>, options: &MapOptions) -> Result<MapFile, MapError> {
        Self::load_at(path.as_ref(), options)
    }

    fn load_at(path: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
        Ok(super::map(Input::open(path)?, path, options)?.sized(options))
    }

    /// Reads a map from the bytes of a file of the name `name`; files that a Tiled map names are looked for beside it.
    ///
    /// # Errors
    /// [`MapError`], as [`MapFile::load`].
    pub fn from_bytes(bytes: &[u8], name: impl AsRef<Path>, options: &MapOptions) -> Result<MapFile, MapError> {
        Self::from_bytes_at(bytes, name.as_ref(), options)
    }

    fn from_bytes_at(bytes: &[u8], name: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
        Ok(super::map(Input::of(bytes, name), name, options)?.sized(options))
    }

    /// The kind of map that a file seems to be by its first bytes (4096 will do), and where these tell nothing by the ending of its
    /// name; `None` where it seems to be no map.
    ///
    /// ```
    /// use throng_grid::MapFile;
    /// assert_eq!(MapFile::kind_of(b"type octile\nheight 1\n", "a.txt"), Some("a Moving AI map"));
    /// assert_eq!(MapFile::kind_of(b"x,y,goal_x,goal_y\n", "a.csv"), None);
    /// ```
    pub fn kind_of(head: &[u8], name: impl AsRef<Path>) -> Option<&'static str> {
        Format::seems(head, name.as_ref()).map(Format::described)
    }

    /// With cells of the size that is wanted.
    fn sized(self, options: &MapOptions) -> Self {
        let Some(cell_size) = options.cell_size else { return self };
        let factor = cell_size / self.grid.lattice().cell_size;
        let areas = self.areas.into_iter().map(|area| area.scaled(factor)).collect();
        let links = self.links.into_iter().map(|link| link.scaled(factor)).collect();
        Self { grid: self.grid.with_cell_size(cell_size), areas, links, warnings: self.warnings }
    }

    /// Writes the map for the Tiled editor, 1.10 or later: as JSON where the name ends in `.tmj`, else as XML. A picture of the
    /// tiles is written beside it, `NAME-tiles.png`. [`MapFile::load`] reads the same map again. Each file is written
    /// whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where a file cannot be written, or cells are smaller than 1 mm or larger than 1 km.
    #[cfg(feature = "tiled")]
    pub fn save_tiled(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_tiled_at(path.as_ref())
    }

    #[cfg(feature = "tiled")]
    fn save_tiled_at(&self, path: &Path) -> Result<(), MapError> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tmj"));
        let form = if is_json { tiled::Form::Json } else { tiled::Form::Xml };
        let picture = tiles_beside(path);
        let image = picture.file_name().unwrap_or_default().to_string_lossy().into_owned();
        super::check_cell_size(&self.grid, "a Tiled map")
            .map_err(|source| MapError::Write { file: path.into(), source })?;
        let mut pixels = Vec::new();
        write(path, |out| tiled::write(self, form, &image, out, &mut pixels))?;
        write(&picture, |out| std::io::Write::write_all(out, &pixels))
    }
}

#[cfg(feature = "tiled")]
/// The picture of the tiles of a map for Tiled.
fn tiles_beside(path: &Path) -> std::path::PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}-tiles.png"))
}
