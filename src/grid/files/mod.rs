//! Map files: which reader, and writing. One format a file.

mod ascii;
mod colours;
mod format;
mod image;
mod input;
mod json;
mod map_file;
mod movingai;
mod png;
mod polygons;
mod source;
mod target;
mod tiled;

pub use colours::Colours;
pub use map_file::{MapFile, MapOptions};
pub use movingai::{Problem, Scen};
pub use polygons::Polygons;
pub use target::{MapFormat, MapLoss};

use crate::grid::{Grid, Lattice, MapError};
use crate::whole_file::WholeFile;
use format::Format;
use input::Input;
use std::io::{self, Write};
use std::path::Path;

/// Side of a cell (m) of maps that say nothing about it.
const CELL_SIZE: f32 = 1.0;

impl Grid {
    /// Reads a map: a Moving AI `.map` file, an ASCII map (`.txt`, `.ascii`), a Tiled map (`.tmx`, `.tmj`), a floor plan (`.wkt`,
    /// `.geojson`), or a PNG, BMP, GIF, JPEG or WebP image on which dark pixels are walls. Cells have a side of 1 m, of floor
    /// plans 0.25 m, where the file does not say how large they are; [`Grid::with_cell_size`] changes that, and
    /// [`MapFile::load`] reads by other rules, and areas too. `docs/maps.md` describes the formats.
    ///
    /// Of a `.map` file the letter `S` (swamp) is open ground of the terrain class [`SWAMP`](crate::grid::SWAMP), all else is of
    /// class 0. That counts only for units with [costs of terrain](crate::grid::TerrainCosts).
    ///
    /// An image is known by its first bytes, and so is an ASCII map that begins with `throng ascii map`; anything else by
    /// the extension of its name.
    ///
    /// A pixel of an image is one cell. Its brightness is the luma of Rec. 601 in whole numbers,
    /// `(299 R + 587 G + 114 B) / 1000`, on a white sheet where it is transparent; a pixel darker than 128 of 255 is a
    /// wall. All colour types and depths of PNG are read; of 16 bits the upper 8 count. Of an
    /// animation the first picture is read. Pixels of JPEG are blurred where dark meets bright: for plans, take another
    /// format. BMP, GIF, JPEG and WebP images may have 256 MiB of pixels, PNG images as many as a lattice.
    ///
    /// # Errors
    /// [`MapError`] names the file, the line and the column, what was found and what was expected.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("room.map");
    /// std::fs::write(&path, "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")?;
    /// let grid = throng::grid::Grid::load(&path)?;
    /// assert_eq!(grid.open_cells(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Grid, MapError> {
        let path = path.as_ref();
        Ok(map(Input::open(path)?, path, &MapOptions::default())?.grid)
    }

    /// Reads a map from the bytes of a file, as [`Grid::load`] does. `name` is the name of the file: its ending tells formats
    /// apart that the bytes do not, and errors name it. There need not be such a file.
    ///
    /// # Errors
    /// [`MapError`] names the file, the line and the column, what was found and what was expected.
    ///
    /// ```
    /// use throng::grid::Grid;
    /// let grid = Grid::from_bytes(b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n", "room.map")?;
    /// assert_eq!(grid.open_cells(), 5);
    /// # Ok::<(), throng::grid::MapError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], name: impl AsRef<Path>) -> Result<Grid, MapError> {
        let name = name.as_ref();
        Ok(map(Input::of(bytes, name), name, &MapOptions::default())?.grid)
    }

    /// Reads the heights of the cells from a grey PNG image of the map's size: black is 0 and white `white` metres, rounded
    /// to centimetres and at most 655.35 m. All colour types and depths of PNG are read, 16 bits in full; of colours the luma
    /// counts, as in [`Grid::load`].
    ///
    /// # Errors
    /// [`MapError`] where the file is no PNG image or has another size than the map.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("hill.png");
    /// use throng::grid::{Grid, Lattice};
    /// let mut hill = Grid::open_plain(Lattice::new(3, 3, 1.0)?);
    /// hill.set_height(hill.lattice().cell(1, 1), 250);
    /// hill.save_heights(&path)?;
    /// let mut plain = Grid::open_plain(hill.lattice());
    /// plain.load_heights(&path, 2.5)?;
    /// assert_eq!(plain, hill);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_heights(&mut self, path: impl AsRef<Path>, white: f32) -> Result<(), MapError> {
        let path = path.as_ref();
        let heights = png::read_heights(&read(path)?, path, self.lattice(), white)?;
        for cell in self.lattice().cells() {
            self.set_height(cell, heights[cell]);
        }
        Ok(())
    }

    /// Writes the heights of the cells as a grey PNG image of 16 bits: black is 0, white the highest cell's height, which is
    /// returned (m). With that, [`Grid::load_heights`] reads the same heights again.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_heights(&self, path: impl AsRef<Path>) -> Result<f32, MapError> {
        let white = self.height_layer().and_then(|heights| heights.cells.iter().copied().max()).unwrap_or(0);
        write(path.as_ref(), |out| png::write_heights(self, white, out))?;
        Ok(f32::from(white) / 100.0)
    }

    /// Writes the map as a Moving AI `.map` file: `S` for open cells of the terrain class [`SWAMP`](crate::grid::SWAMP), `.` for
    /// other open cells, `W` for [deep water](Grid::is_water), `@` for other closed cells. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_map(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        write(path.as_ref(), |out| movingai::write_map(self, out))
    }

    /// Writes the map as text with a legend in its head, and all that it holds: walls, terrain, heights, the side of a cell.
    /// [`Grid::load`] reads the same map again. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written, or cells are smaller than 1 mm or larger than 1 km.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("room.txt");
    /// use throng::grid::{Grid, Lattice};
    /// let mut room = Grid::open_plain(Lattice::new(3, 2, 0.5)?);
    /// room.set_open(room.lattice().cell(1, 0), false);
    /// room.save_ascii(&path)?;
    /// let text = "throng ascii map\nlegend . = open\nlegend # = wall\ncell_size = 0.5\nmap\n.#.\n...\n";
    /// assert_eq!(std::fs::read_to_string(&path)?, text);
    /// assert_eq!(Grid::load(&path)?, room);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_ascii(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        write(path.as_ref(), |out| ascii::write(self, out))
    }

    /// Writes the open ground as polygons in well-known text (m), as in trajectories: x to the right, y down from the corner of the
    /// map. [`MapFile::load`] reads the same map again if told the side of a cell, and if all four sides of the map have
    /// an open cell. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_wkt(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        write(path.as_ref(), |out| polygons::write_wkt(self, out))
    }

    /// Writes the map as `GeoJSON` (m): open ground, classes of terrain, the bounds and the side of a cell, but no heights.
    /// [`Grid::load`] reads the same map again. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written, or cells are smaller than 1 mm or larger than 1 km.
    pub fn save_geojson(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        let path = path.as_ref();
        check_cell_size(self, "GeoJSON").map_err(|source| MapError::Write { file: path.to_path_buf(), source })?;
        write(path, |out| polygons::write_geojson(self, out))
    }

    /// Writes the map as a PNG image with one bit a pixel: white for open cells, black for closed ones. The file is
    /// written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        write(path.as_ref(), |out| png::write(self, out))
    }

    /// Writes the map as a PNG image with a colour for each class of terrain, open and walled, and the table of what the colours
    /// mean, with which [`MapFile::load`] reads the same walls and terrain again. Without the table walls are dark enough to be read as
    /// walls. Each file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where a file cannot be written, or there are more than the 256 colours of a table.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (image, table) = (folder.path().join("pond.png"), folder.path().join("pond.toml"));
    /// use throng::grid::{Colours, Grid, Lattice, MapFile, MapOptions};
    /// let mut pond = Grid::open_plain(Lattice::new(3, 2, 1.0)?);
    /// pond.set_terrain(pond.lattice().cell(1, 0), 7);
    /// pond.save_coloured(&image, &table)?;
    /// let options = MapOptions { colours: Some(Colours::load(&table)?), ..MapOptions::default() };
    /// assert_eq!(MapFile::load(&image, &options)?.grid, pond);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_coloured(&self, image: impl AsRef<Path>, table: impl AsRef<Path>) -> Result<(), MapError> {
        let image = image.as_ref();
        let colours =
            colours::Colouring::of(self).map_err(|source| MapError::Write { file: image.to_path_buf(), source })?;
        write(image, |out| png::write_coloured(self, &colours, out))?;
        write(table.as_ref(), |out| out.write_all(colours.table().as_bytes()))
    }
}

/// What is in a file.
fn map(input: Input, name: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
    let colours = options.colours.as_ref();
    let grid = match Format::of(input.head(), name)? {
        Format::MovingAi => movingai::read_map(&mut input.lines())?,
        Format::Ascii => ascii::read(&mut input.lines())?,
        Format::Png => match colours {
            Some(colours) => png::read_colours(&input.bytes()?, colours, name)?,
            None => png::read(&input.bytes()?, name)?,
        },
        Format::Image(kind) => image::read(&input.bytes()?, kind, colours, name)?,
        Format::Tiled => return tiled::read(&input.bytes()?, name),
        Format::Wkt => return polygons::read_wkt(input.bytes()?, name, options),
        Format::GeoJson => return polygons::read_geojson(input.bytes()?, name, options),
    };
    Ok(MapFile { grid, areas: Vec::new() })
}

/// Formats that hold the side of a cell read it again from 1 mm to 1 km.
fn check_cell_size(grid: &Grid, what: &str) -> io::Result<()> {
    let cell_size = grid.lattice().cell_size;
    if ascii::CELL_SIZES.contains(&cell_size) {
        return Ok(());
    }
    let message = format!("cells of {cell_size} m; {what} takes cells of 0.001 to 1000 m");
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// The bytes of a file.
fn read(path: &Path) -> Result<Vec<u8>, MapError> {
    Ok(Input::open(path)?.bytes()?.into_owned())
}

/// Writes a file whole or not at all.
fn write(path: &Path, fill: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), MapError> {
    let attempt = || {
        let mut out = WholeFile::create(path)?;
        fill(&mut out)?;
        out.flush()?;
        out.finish()
    };
    attempt().map_err(|source| MapError::Write { file: path.to_path_buf(), source })
}

/// The lattice for the size in a header.
fn lattice(width: u64, height: u64, file: &Path) -> Result<Lattice, MapError> {
    let file = || file.to_path_buf();
    if width == 0 || height == 0 {
        return Err(MapError::NoCells { file: file(), width, height });
    }
    let side = |side: u64| u32::try_from(side).unwrap_or(u32::MAX);
    Lattice::new(side(width), side(height), CELL_SIZE).map_err(|_| MapError::TooLarge { file: file(), width, height })
}

/// The bytes as text, without a byte order mark.
fn text<'a>(bytes: &'a [u8], file: &Path) -> Result<&'a str, MapError> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_text(bytes, error.valid_up_to(), 1, file))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Bytes, from the start of a line on, that are text up to one of them.
fn not_text(bytes: &[u8], good: usize, line: usize, file: &Path) -> MapError {
    let (byte, good) = (bytes[good], &bytes[..good]);
    let start = good.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let line = line + good.split(|&byte| byte == b'\n').count() - 1;
    let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
    MapError::NotText { file: file.to_path_buf(), line, column, byte }
}

fn fields(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// What `parse` makes of a line, or an error that quotes it.
fn expect<T>(
    line: &str,
    number: usize,
    expected: &str,
    file: &Path,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, MapError> {
    parse(line).ok_or_else(|| {
        let found = match line.char_indices().nth(40) {
            _ if line.is_empty() => "nothing".to_owned(),
            Some((end, _)) => format!("{:?} and more", &line[..end]),
            None => format!("{line:?}"),
        };
        MapError::Line { file: file.to_path_buf(), line: number, found, expected: expected.to_owned() }
    })
}
