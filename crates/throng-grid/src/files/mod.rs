//! Map files: which reader, and writing. One format a file.

mod ascii;
#[cfg(feature = "images")]
mod colours;
mod format;
#[cfg(feature = "images")]
mod image;
mod input;
#[cfg(any(feature = "polygons", feature = "tiled"))]
mod json;
#[cfg(feature = "tiled")]
mod ldtk;
mod map_file;
mod movingai;
#[cfg(feature = "images")]
mod pgm;
#[cfg(feature = "images")]
mod png;
#[cfg(feature = "polygons")]
mod polygons;
#[cfg(feature = "images")]
mod ros;
#[cfg(any(feature = "images", feature = "polygons", feature = "tiled"))]
mod source;
#[cfg(feature = "formats")]
mod target;
#[cfg(feature = "tiled")]
mod tiled;
#[cfg(feature = "images")]
mod tones;
#[cfg(feature = "tiled")]
mod wall_words;
#[cfg(feature = "tiled")]
mod warnings;

#[cfg(feature = "images")]
pub use colours::Colours;
pub use map_file::{MapFile, MapOptions};
pub use movingai::{Problem, Scen};
#[cfg(feature = "polygons")]
pub use polygons::Polygons;
#[cfg(feature = "formats")]
pub use target::{MapFormat, MapLoss};

#[cfg(feature = "save")]
use crate::whole_file::WholeFile;
use crate::{Grid, Lattice, MapError};
use format::Format;
use input::Input;
#[cfg(feature = "images")]
use source::Source;
#[cfg(feature = "save")]
use std::io::{self, Write};
use std::path::Path;
#[cfg(feature = "images")]
use tones::Tones;

/// Side of a cell (m) of maps that say nothing about it.
const CELL_SIZE: f32 = 1.0;

impl Grid {
    /// Reads a map: a Moving AI `.map` file, an ASCII map (`.txt`, `.ascii`), a Tiled map (`.tmx`, `.tmj`), an `LDtk`
    /// project (`.ldtk`), a floor plan (`.wkt`, `.geojson`), a map of a robot (`.yaml` with an image), or a PNG, BMP, GIF, JPEG, WebP or PGM image on which dark pixels are walls. Cells have a side of 1 m, of floor
    /// plans 0.25 m, where the file does not say how large they are; [`Grid::with_cell_size`] changes that, and
    /// [`MapFile::load`] reads by other rules, and areas too. Formats beyond `.map` and ASCII need the features `images`,
    /// `polygons` and `tiled`. `docs/maps.md` describes all.
    ///
    /// Of a `.map` file the letter `S` (swamp) is open ground of the terrain class [`SWAMP`](crate::SWAMP), all else is of
    /// class 0. That counts only for units with [costs of terrain](crate::TerrainCosts).
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
    /// [`MapError`] names the file, the line and the column, the found text and the expected one.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("room.map");
    /// std::fs::write(&path, "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")?;
    /// let grid = throng_grid::Grid::load(&path)?;
    /// assert_eq!(grid.open_cells(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Grid, MapError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<Grid, MapError> {
        Ok(map(Input::open(path)?, path, &MapOptions::default())?.grid)
    }

    /// Reads a map from the bytes of a file, as [`Grid::load`] does. `name` is the name of the file: its ending tells formats
    /// apart that the bytes do not, and errors name it. There need not be such a file.
    ///
    /// # Errors
    /// [`MapError`] names the file, the line and the column, the found text and the expected one.
    ///
    /// ```
    /// use throng_grid::Grid;
    /// let grid = Grid::from_bytes(b"type octile\nheight 2\nwidth 3\nmap\n..@\n...\n", "room.map")?;
    /// assert_eq!(grid.open_cells(), 5);
    /// # Ok::<(), throng_grid::MapError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], name: impl AsRef<Path>) -> Result<Grid, MapError> {
        Self::from_bytes_at(bytes, name.as_ref())
    }

    fn from_bytes_at(bytes: &[u8], name: &Path) -> Result<Grid, MapError> {
        Ok(map(Input::of(bytes, name), name, &MapOptions::default())?.grid)
    }
}

/// The map in a file.
fn map(input: Input, name: &Path, options: &MapOptions) -> Result<MapFile, MapError> {
    #[cfg(not(any(feature = "images", feature = "polygons", feature = "tiled")))]
    let _ = options;
    let grid = match Format::of(input.head(), name)? {
        Format::MovingAi => movingai::read_map(&mut input.lines())?,
        Format::Ascii => ascii::read(&mut input.lines())?,
        #[cfg(feature = "images")]
        format @ (Format::Png | Format::Image(_) | Format::Pgm) => {
            let tones = if format == Format::Pgm { ros::usual_tones() } else { Tones::dark_walls() };
            image_map(&input.bytes()?, format, options.colours.as_ref(), &tones, name)?
        }
        #[cfg(feature = "images")]
        Format::Robot => robot_map(&input.bytes()?, options, name)?,
        #[cfg(feature = "tiled")]
        Format::Tiled => return tiled::read(&input.bytes()?, name),
        #[cfg(feature = "tiled")]
        Format::Ldtk => return ldtk::read(&input.bytes()?, name),
        #[cfg(feature = "polygons")]
        Format::Wkt => return polygons::read_wkt(input.bytes()?, name, options),
        #[cfg(feature = "polygons")]
        Format::GeoJson => return polygons::read_geojson(input.bytes()?, name, options),
        #[allow(unreachable_patterns)] // where all features are on
        left_out => {
            return Err(MapError::LeftOut {
                file: name.to_path_buf(),
                found: left_out.described(),
                feature: left_out.feature(),
            });
        }
    };
    Ok(grid.into())
}

/// The map of an image.
#[cfg(feature = "images")]
fn image_map(
    bytes: &[u8],
    format: Format,
    colours: Option<&Colours>,
    tones: &Tones,
    name: &Path,
) -> Result<Grid, MapError> {
    match (format, colours) {
        (Format::Image(kind), _) => image::read(bytes, kind, colours, tones, name),
        (Format::Pgm, _) => pgm::read(bytes, colours, tones, name),
        (_, Some(colours)) => png::read_colours(bytes, colours, name),
        (_, None) => png::read(bytes, tones, name),
    }
}

/// The map of the image that a file of a robot names.
#[cfg(feature = "images")]
fn robot_map(bytes: &[u8], options: &MapOptions, name: &Path) -> Result<Grid, MapError> {
    let source = Source { text: text(bytes, name)?, file: name };
    let map = ros::read(source)?;
    let read = || {
        let image = Input::open(&map.image)?.bytes()?;
        match Format::of(&image, &map.image)? {
            format @ (Format::Png | Format::Image(_) | Format::Pgm) => {
                image_map(&image, format, options.colours.as_ref(), &map.tones, &map.image)
            }
            _ => Err(MapError::NotImage { file: map.image.clone(), kind: "PGM", found: format::looks_like(&image) }),
        }
    };
    let refused = |error| {
        let (line, column) = source.place(map.named_at);
        MapError::Picture { file: name.to_path_buf(), line, column, source: Box::new(error) }
    };
    Ok(read().map_err(refused)?.with_cell_size(map.cell_size))
}

#[cfg(feature = "save")]
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

#[cfg(feature = "save")]
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

/// The result of `parse` for a line, or an error that quotes the line.
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
