//! Colour tables: the meanings of the colours of an image.

use super::source::{Source, quoted};
use crate::{Cell, Grid, Lattice, MapError, PLAIN, SWAMP};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The most colours of a table.
const MAX_COLOURS: usize = 256;

/// The most bytes of a table.
const MAX_BYTES: usize = 1 << 20;

/// So many answers are remembered.
const MEMORY: usize = 1 << 16;

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Look {
    is_wall: bool,
    terrain: u8,
    /// In cm.
    height: u16,
}

/// The meanings of the colours of an image: walls, classes of terrain and heights.
///
/// ```
/// use throng_grid::{Colours, MapFile, MapOptions};
/// let table = "default = \"open\"\n[colours]\n\"#203040\" = \"wall\"\n\"#6080ff\" = { terrain = 7, height = 0.5 }\n";
/// let colours = Colours::parse(table, "house.toml")?;
/// let options = MapOptions { colours: Some(colours), ..MapOptions::default() };
/// # let mut image = Vec::new();
/// # image::RgbImage::from_fn(2, 1, |x, _| image::Rgb([[0x20, 0x30, 0x40], [0x60, 0x80, 0xFF]][x as usize]))
/// #     .write_to(&mut std::io::Cursor::new(&mut image), image::ImageFormat::Bmp)?;
/// let grid = MapFile::from_bytes(&image, "house.bmp", &options)?.grid;
/// assert!(!grid.is_open(grid.lattice().cell(0, 0)));
/// assert_eq!(grid.height(grid.lattice().cell(1, 0)), 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Colours {
    file: PathBuf,
    looks: Vec<([u8; 3], Look)>,
    default: Option<Look>,
    tolerance: u8,
    /// Grey that is not in the table is ground of the class 255 less its brightness.
    grey_is_terrain: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    default: Option<Spanned<Meaning>>,
    tolerance: Option<Spanned<i64>>,
    grey: Option<Spanned<String>>,
    colours: BTreeMap<Spanned<String>, Spanned<Meaning>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected open, wall, swamp or { wall = true, terrain = 7, height = 2.5 }")]
enum Meaning {
    Word(String),
    Parts(Parts),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    #[serde(default)]
    wall: bool,
    terrain: Option<i64>,
    height: Option<f64>,
}

impl Colours {
    /// Reads a table from a file.
    ///
    /// # Errors
    /// [`MapError`] names the file, the line and the column, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>) -> Result<Colours, MapError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<Colours, MapError> {
        let bytes = super::read(path)?;
        if bytes.len() > MAX_BYTES {
            return Err(MapError::TooMuch { file: path.to_path_buf(), kind: "colour", limit: MAX_BYTES as u64 >> 20 });
        }
        Colours::parse(super::text(&bytes, path)?, path)
    }

    /// Reads a table from the text of a file of the name `name`.
    ///
    /// # Errors
    /// [`MapError`], as [`Colours::load`].
    pub fn parse(text: &str, name: impl AsRef<Path>) -> Result<Colours, MapError> {
        Self::parse_at(text, name.as_ref())
    }

    fn parse_at(text: &str, name: &Path) -> Result<Colours, MapError> {
        let source = Source { text, file: name };
        let table: Table = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            source.syntax(at, "a colour table", error.message().lines().collect::<Vec<_>>().join(", "))
        })?;
        let most = i64::from(u8::MAX);
        let tolerance = match &table.tolerance {
            None => 0,
            Some(value) if (0..=most).contains(value.get_ref()) => *value.get_ref() as u8,
            Some(value) => {
                let found = format!("tolerance = {}", value.get_ref());
                return Err(source.wrong(value.span().start, found, "a whole number from 0 to 255"));
            }
        };
        let grey_is_terrain = match &table.grey {
            None => false,
            Some(word) if word.get_ref() == "terrain" => true,
            Some(word) => {
                let found = format!("grey = {}", quoted(word.get_ref()));
                return Err(source.wrong(word.span().start, found, "grey = \"terrain\", or no such line"));
            }
        };
        if table.colours.len() > MAX_COLOURS {
            let found = format!("{} colours", table.colours.len());
            return Err(source.wrong(0, found, format!("at most {MAX_COLOURS}")));
        }
        let mut looks = Vec::new();
        // In the order of the file: of equally near colours the first counts.
        let mut entries: Vec<_> = table.colours.iter().collect();
        entries.sort_by_key(|(colour, _)| colour.span().start);
        for (colour, meaning) in entries {
            let found = colour.get_ref();
            let at = colour.span().start;
            let rgb = rgb(found).ok_or_else(|| source.wrong(at, quoted(found), "a colour as in \"#6080ff\""))?;
            if looks.iter().any(|&(known, _)| known == rgb) {
                return Err(source.wrong(at, format!("{} twice", quoted(found)), "each colour once"));
            }
            looks.push((rgb, look(&source, meaning)?));
        }
        let default = table.default.as_ref().map(|meaning| look(&source, meaning)).transpose()?;
        Ok(Colours { file: name.to_path_buf(), looks, default, tolerance, grey_is_terrain })
    }

    fn of(&self, rgb: [u8; 3]) -> Option<Look> {
        if let Some(&(_, look)) = self.looks.iter().find(|&&(known, _)| known == rgb) {
            return Some(look);
        }
        let [red, green, blue] = rgb;
        if self.grey_is_terrain && red == green && green == blue {
            return Some(Look { terrain: u8::MAX - red, ..Look::default() });
        }
        let apart = |known: [u8; 3]| std::array::from_fn::<u32, 3, _>(|i| u32::from(known[i].abs_diff(rgb[i])));
        let near = self.looks.iter().map(|&(known, look)| (apart(known), look));
        let near = near.filter(|(apart, _)| apart.iter().all(|&step| step <= u32::from(self.tolerance)));
        let nearest = near.min_by_key(|(apart, _)| apart.iter().map(|step| step * step).sum::<u32>());
        nearest.map(|(_, look)| look).or(self.default)
    }

    /// Begins the map of an image.
    pub(super) fn painting(&self, lattice: Lattice) -> Painting<'_> {
        let last = ([0; 3], self.of([0; 3]));
        Painting { colours: self, grid: Grid::closed(lattice), known: HashMap::new(), last, unknown: None, count: 0 }
    }
}

/// The map of an image, as far as its rows have come.
pub(super) struct Painting<'c> {
    colours: &'c Colours,
    grid: Grid,
    /// Only ever asked for single colours, so its order cannot show.
    known: HashMap<[u8; 3], Option<Look>>,
    last: ([u8; 3], Option<Look>),
    /// The first pixel that means nothing, and how many there are.
    unknown: Option<(Cell, [u8; 3])>,
    count: u64,
}

impl Painting<'_> {
    /// Takes in a row of pixels.
    pub fn row(&mut self, y: u32, pixels: impl Iterator<Item = [u8; 3]>) {
        let lattice = self.grid.lattice();
        for (x, rgb) in (0..lattice.width).zip(pixels) {
            let cell = lattice.cell(x, y);
            if rgb != self.last.0 {
                let look = self.known.get(&rgb).copied().unwrap_or_else(|| self.colours.of(rgb));
                if self.known.len() < MEMORY {
                    self.known.insert(rgb, look);
                }
                self.last = (rgb, look);
            }
            let Some(look) = self.last.1 else {
                self.unknown = self.unknown.or(Some((cell, rgb)));
                self.count += 1;
                continue;
            };
            if !look.is_wall {
                self.grid.set_open(cell, true);
            }
            self.grid.set_terrain(cell, look.terrain);
            self.grid.set_height(cell, look.height);
        }
    }

    /// The map.
    pub fn finish(self, file: &Path) -> Result<Grid, MapError> {
        match self.unknown {
            None => Ok(self.grid),
            Some((cell, [red, green, blue])) => Err(MapError::Colour {
                file: file.to_path_buf(),
                pixel: self.grid.lattice().column_row(cell),
                found: format!("#{red:02x}{green:02x}{blue:02x}"),
                count: self.count,
                table: self.colours.file.clone(),
            }),
        }
    }
}

/// The colours in which a map is written: one for each class of terrain, open and walled, that it has.
pub(super) struct Colouring {
    /// In the order of the palette.
    kinds: Vec<(bool, u8)>,
}

impl Colouring {
    /// For a map.
    ///
    /// # Errors
    /// Where it needs more colours than a table may have.
    pub fn of(grid: &Grid) -> io::Result<Self> {
        let cells = grid.lattice().cells();
        let kinds: BTreeSet<_> = cells.map(|cell| (!grid.is_open(cell), grid.terrain(cell))).collect();
        if kinds.len() > MAX_COLOURS {
            let message = format!(
                "its {} kinds of open and closed terrain need a colour each, and a table has at most {MAX_COLOURS}; \
                 a .txt or .tmx map holds them",
                kinds.len()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Self { kinds: kinds.into_iter().collect() })
    }

    /// Red, green and blue of each colour.
    pub fn palette(&self) -> Vec<u8> {
        self.kinds.iter().flat_map(|&(is_wall, class)| colour(is_wall, class)).collect()
    }

    /// The place of a cell's colour in the palette.
    pub fn index(&self, grid: &Grid, cell: Cell) -> u8 {
        let kind = (!grid.is_open(cell), grid.terrain(cell));
        self.kinds.binary_search(&kind).unwrap_or_default() as u8
    }

    /// The text that says what the colours mean.
    pub fn table(&self) -> String {
        let line = |&(is_wall, class): &(bool, u8)| {
            let [red, green, blue] = colour(is_wall, class);
            let meaning = match (is_wall, class) {
                (false, PLAIN) => "\"open\"".to_owned(),
                (true, PLAIN) => "\"wall\"".to_owned(),
                (false, SWAMP) => "\"swamp\"".to_owned(),
                (false, _) => format!("{{ terrain = {class} }}"),
                (true, _) => format!("{{ wall = true, terrain = {class} }}"),
            };
            format!("\"#{red:02x}{green:02x}{blue:02x}\" = {meaning}\n")
        };
        "[colours]\n".to_owned() + &self.kinds.iter().map(line).collect::<String>()
    }
}

/// The colour of a class of terrain: its bits in turn to red, green and blue, the lowest weighing most, so that classes near to
/// each other look different. Open ground is light (plain is white), walls are dark (plain is black).
fn colour(is_wall: bool, class: u8) -> [u8; 3] {
    [0, 1, 2].map(|part| {
        let bits = (0..8).filter(|bit| bit % 3 == part && class >> bit & 1 == 1);
        let dark: u8 = bits.map(|bit| 64 >> (bit / 3)).sum();
        if is_wall { dark } else { u8::MAX - dark }
    })
}

/// A colour in the form `#rrggbb`.
fn rgb(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    // A sign is no digit.
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    Some([part(0)?, part(2)?, part(4)?])
}

fn look(source: &Source, meaning: &Spanned<Meaning>) -> Result<Look, MapError> {
    let at = meaning.span().start;
    let parts = match meaning.get_ref() {
        Meaning::Word(word) => {
            let (is_wall, terrain) = match word.as_str() {
                "open" => (false, PLAIN),
                "wall" => (true, PLAIN),
                "swamp" => (false, SWAMP),
                _ => return Err(source.wrong(at, quoted(word), "\"open\", \"wall\" or \"swamp\"")),
            };
            return Ok(Look { is_wall, terrain, height: 0 });
        }
        Meaning::Parts(parts) => parts,
    };
    let terrain = parts.terrain.unwrap_or(PLAIN.into());
    let terrain = u8::try_from(terrain)
        .map_err(|_| source.wrong(at, format!("terrain = {terrain}"), "a class of terrain, 0 to 255"))?;
    let metres = parts.height.unwrap_or(0.0);
    let cm = (metres * 100.0).round();
    if !(0.0..=65_535.0).contains(&cm) {
        return Err(source.wrong(at, format!("height = {metres}"), "a number of metres from 0 to 655.35"));
    }
    Ok(Look { is_wall: parts.wall, terrain, height: cm as u16 })
}
