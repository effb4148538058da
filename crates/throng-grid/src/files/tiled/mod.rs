//! Maps made with the Tiled editor: orthogonal, finite or infinite, in XML (`.tmx`, `.tsx`) or JSON (`.tmj`, `.tsj`).
//!
//! Format: T. Lindeijer, *TMX Map Format* and *JSON Map Format*, documentation of Tiled 1.11, 2024. `docs/maps.md`
//! lists the parts of a map that are read.

mod areas;
mod cover;
mod data;
mod ground;
mod json;
mod links;
mod meaning;
mod meanings;
mod model;
mod object;
mod write;
mod xml;

pub(super) use write::{Form, write};

use super::format::is_xml;
use super::source::{Source, quoted};
use super::{MapFile, lattice, text};
use crate::{Lattice, MapError};
use ground::{Maker, moved};
use meanings::Meanings;
use model::{Document, Kind, Kinds};
use object::Object;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of a map.
const MAX_BYTES: usize = 256 << 20;

/// The most bytes of all tilesets in files of their own.
const MAX_TILESET_BYTES: u64 = 64 << 20;

/// The most tiles in all layers together.
const MAX_TILES: u64 = 1 << 29;

/// Reads a map; tilesets are looked for beside `file`, which is named in errors.
pub(super) fn read(bytes: &[u8], file: &Path) -> Result<MapFile, MapError> {
    if bytes.len() > MAX_BYTES {
        return Err(MapError::TooMuch { file: file.to_path_buf(), kind: "Tiled", limit: MAX_BYTES as u64 >> 20 });
    }
    let text = text(bytes, file)?;
    if text.trim().is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a Tiled map" });
    }
    let source = Source { text, file };
    let mut document = if is_xml(bytes) { xml::map(&source) } else { json::map(&source) }?;
    if document.orientation != "orthogonal" {
        let (file, found) = (file.to_path_buf(), quoted(&document.orientation));
        return Err(MapError::Orientation { file, found, remedy: remedy(&document.orientation) });
    }
    let mut warnings = std::mem::take(&mut document.warnings);
    let meanings = Meanings::new(&source, &mut document, &mut warnings)?;
    let side = |metres: &str| metres.parse().ok().filter(|side| super::ascii::CELL_SIZES.contains(side));
    let expected = "a number of metres from 0.001 to 1000";
    let cell_size = document.properties.read(&source, "cell_size", expected, side)?.unwrap_or(super::CELL_SIZE);
    let (origin, lattice) = extent(&source, &document)?;
    let maker = Maker::new(&source, &document, &meanings, origin, &mut warnings);
    let grid = maker.grid(lattice)?.with_cell_size(cell_size);
    let places = areas::Places { source: &source, document: &document, meanings: &meanings, origin, cell_size };
    let (areas, links) = places.areas_and_links(grid.lattice())?;
    Ok(MapFile { grid, areas, links, warnings: warnings.into_list() })
}

/// What else to do with a map of another orientation than ours.
fn remedy(orientation: &str) -> &'static str {
    match orientation {
        "isometric" => ", and save a copy: every tile keeps its column and row, and only objects have to be moved",
        "hexagonal" | "staggered" => {
            ", and save a copy: cells are squares here, so every second row then lies half a tile off; or export the map as an \
             image, make what is closed dark, and scale it until a pixel is a cell"
        }
        _ => "",
    }
}

/// The meaning of the tile of an object.
fn tile_of(source: &Source, meanings: &Meanings, at: usize, bits: u32) -> Result<Kind, MapError> {
    let number = bits & !data::TURNED;
    meanings.of(number).ok_or_else(|| source.wrong(at, format!("an object of tile {number}"), meanings.known()))
}

/// The size in pixels of an object that is a tile, and from a point in its picture to that of the map.
fn shapes_of(object: &Object, bits: u32, meanings: &Meanings) -> ([f64; 2], impl Fn([f64; 2]) -> [f64; 2] + use<>) {
    let number = bits & !data::TURNED;
    let known = meanings.size(number);
    let [width, height] = [0, 1].map(|axis| if object.size[axis] > 0.0 { object.size[axis] } else { known[axis] });
    let ([x, y], [right, down]) = meanings.alignment(number);
    let turn = object.turn();
    let (left, top) = ((right - x) * width, (down - y) * height);
    ([width, height], move |[u, v]: [f64; 2]| turn([u + left, v + top]))
}

/// The tileset in a file beside the map.
fn external(source: &Source, at: usize, name: &str, left: &mut u64) -> Result<Kinds, MapError> {
    let path = source.file.parent().unwrap_or(Path::new("")).join(name);
    let mut read = || {
        if path.is_dir() {
            return Err(MapError::Folder { file: path.clone() });
        }
        if path.exists() && !path.is_file() {
            let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no file, but a device or a pipe");
            return Err(MapError::Read { file: path.clone(), source });
        }
        let mut bytes = Vec::new();
        let failed = |source: std::io::Error| match source.kind() {
            std::io::ErrorKind::NotFound => MapError::Missing { file: path.clone() },
            _ => MapError::Read { file: path.clone(), source },
        };
        File::open(&path).map_err(failed)?.take(*left + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > *left {
            return Err(MapError::TooMuch { file: path.clone(), kind: "tileset", limit: MAX_TILESET_BYTES >> 20 });
        }
        *left -= bytes.len() as u64;
        let text = text(&bytes, &path)?;
        let source = Source { text, file: &path };
        if is_xml(&bytes) { xml::tileset(&source) } else { json::tileset(&source) }
    };
    read().map_err(|error| {
        let (line, column) = source.place(at);
        MapError::Tileset { file: source.file.to_path_buf(), line, column, source: Box::new(error) }
    })
}

/// The first column and row, and the lattice: of an infinite map the part that has tiles.
fn extent(source: &Source, document: &Document) -> Result<((i64, i64), Lattice), MapError> {
    let chunks = || document.layers.iter().flat_map(|layer| &layer.chunks);
    let tiles: u64 = chunks().map(|chunk| u64::from(chunk.width) * u64::from(chunk.height)).sum();
    if tiles > MAX_TILES {
        let expected = format!("at most {MAX_TILES} in all layers together; split the map");
        return Err(source.wrong(0, format!("{tiles} tiles"), expected));
    }
    if !document.is_infinite {
        let (width, height) = document.size;
        return Ok(((0, 0), lattice(width, height, source.file)?));
    }
    let (mut least, mut most) = ((i64::MAX, i64::MAX), (i64::MIN, i64::MIN));
    for layer in &document.layers {
        let (right, down) = moved(document, layer);
        for chunk in &layer.chunks {
            data::tiles(source, chunk, "", |column, row, _| {
                let (x, y) = (chunk.x + right + i64::from(column), chunk.y + down + i64::from(row));
                least = (least.0.min(x), least.1.min(y));
                most = (most.0.max(x), most.1.max(y));
                true
            })?;
        }
    }
    if least.0 > most.0 {
        return Err(MapError::NoCells { file: source.file.to_path_buf(), width: 0, height: 0 });
    }
    Ok((least, lattice((most.0 - least.0 + 1) as u64, (most.1 - least.1 + 1) as u64, source.file)?))
}
