//! Maps made with the Tiled editor: orthogonal, finite or infinite, in XML (`.tmx`, `.tsx`) or JSON (`.tmj`, `.tsj`).
//!
//! Format: T. Lindeijer, *TMX Map Format* and *JSON Map Format*, documentation of Tiled 1.11, 2024. `docs/maps.md`
//! lists the parts of a map that are read.

mod data;
mod json;
mod links;
mod model;
mod write;
mod xml;

pub(super) use write::{Form, write};

use super::format::is_xml;
use super::source::{Source, quoted};
use super::{MapFile, lattice, text};
use crate::area::Area;
use crate::geom::Vec2;
use crate::{Grid, Lattice, MapError};
use model::{Document, Kind, Kinds, Spawn, Tiles};
use std::collections::BTreeMap;
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
    let document = if is_xml(bytes) { xml::map(&source) } else { json::map(&source) }?;
    if document.orientation != "orthogonal" {
        let found = quoted(&document.orientation);
        return Err(MapError::Orientation { file: file.to_path_buf(), found });
    }
    let meanings = Meanings::new(&source, &document)?;
    let side = |metres: &str| metres.parse().ok().filter(|side| super::ascii::CELL_SIZES.contains(side));
    let expected = "a number of metres from 0.001 to 1000";
    let cell_size = document.properties.read(&source, "cell_size", expected, side)?.unwrap_or(super::CELL_SIZE);
    let (origin, lattice) = extent(&source, &document)?;
    let grid = grid(&source, &document, &meanings, origin, lattice)?.with_cell_size(cell_size);
    let spawns = |links: bool| document.spawns.iter().filter(move |spawn| spawn.is_link == links);
    let areas = spawns(false).map(|spawn| area(&source, &document, spawn, origin, cell_size));
    let areas = areas.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let corners = |spawn: &Spawn| corners(&source, &document, spawn, origin, cell_size);
    let links = spawns(true).map(|spawn| links::link(&source, grid.lattice(), spawn, &corners(spawn)?));
    let links = links.collect::<Result<Vec<_>, _>>()?;
    links::distinct(&source, spawns(true))?;
    Ok(MapFile { grid, areas, links, warnings: Vec::new() })
}

/// The tileset in a file beside the map.
fn external(source: &Source, at: usize, name: &str, left: &mut u64) -> Result<Kinds, MapError> {
    let path = source.file.parent().unwrap_or(Path::new("")).join(name);
    let mut read = || {
        if path.exists() && !path.is_file() {
            return Err(MapError::Folder { file: path.clone() });
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

/// The meaning of every tile.
struct Meanings {
    /// By number, for small numbers.
    near: Vec<Kind>,
    far: BTreeMap<u32, Kind>,
    /// The numbers that are known.
    first: u32,
    end: Option<u32>,
}

impl Meanings {
    /// Numbers below this are looked up at once.
    const NEAR: u32 = 1 << 16;

    fn new(source: &Source, document: &Document) -> Result<Self, MapError> {
        let mut left = MAX_TILESET_BYTES;
        let mut all = BTreeMap::new();
        for set in &document.tilesets {
            let loaded;
            let kinds = match &set.tiles {
                Tiles::Here(kinds) => kinds,
                Tiles::External(name) => {
                    loaded = external(source, set.at, name, &mut left)?;
                    &loaded
                }
            };
            let end = kinds.count.map(|count| set.first.saturating_add(count));
            if all.insert(set.first, (kinds.kinds.clone(), end)).is_some() {
                let found = format!("a second tileset with firstgid = {}", set.first);
                return Err(source.wrong(set.at, found, "other numbers for its tiles"));
            }
        }
        let first = all.keys().next().copied().unwrap_or(u32::MAX);
        let end = all.values().next_back().map_or(Some(0), |&(_, end)| end);
        let mut meanings = Self { near: Vec::new(), far: BTreeMap::new(), first, end };
        let starts: Vec<u32> = all.keys().copied().collect();
        for ((start, (kinds, _)), next) in all.into_iter().zip(starts.into_iter().skip(1).chain([u32::MAX])) {
            for (id, kind) in kinds {
                let Some(number) = start.checked_add(id).filter(|&number| number < next) else { continue };
                if number < Self::NEAR {
                    meanings.near.resize(meanings.near.len().max(number as usize + 1), Kind::default());
                    meanings.near[number as usize] = kind;
                } else {
                    meanings.far.insert(number, kind);
                }
            }
        }
        Ok(meanings)
    }

    #[inline]
    fn of(&self, number: u32) -> Option<Kind> {
        if number < self.first || self.end.is_some_and(|end| number >= end) {
            return None;
        }
        let kind = match self.near.get(number as usize) {
            Some(&kind) => kind,
            None if number < Self::NEAR => Kind::default(),
            None => self.far.get(&number).copied().unwrap_or_default(),
        };
        Some(kind)
    }

    fn known(&self) -> String {
        match self.end {
            Some(0) => "no tile: the map has no tilesets".to_owned(),
            Some(end) => format!("tiles {} to {}, those of its tilesets", self.first, end.saturating_sub(1)),
            None => format!("tiles from {} on, those of its tilesets", self.first),
        }
    }
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
    for chunk in chunks() {
        data::tiles(source, chunk, "", |column, row, _| {
            let (x, y) = (chunk.x + i64::from(column), chunk.y + i64::from(row));
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
            true
        })?;
    }
    if least.0 > most.0 {
        return Err(MapError::NoCells { file: source.file.to_path_buf(), width: 0, height: 0 });
    }
    Ok((least, lattice((most.0 - least.0 + 1) as u64, (most.1 - least.1 + 1) as u64, source.file)?))
}

/// The ground of all layers, the lowest first.
fn grid(
    source: &Source,
    document: &Document,
    meanings: &Meanings,
    origin: (i64, i64),
    lattice: Lattice,
) -> Result<Grid, MapError> {
    let known = meanings.known();
    let mut grid = Grid::open_plain(lattice);
    for layer in &document.layers {
        for chunk in &layer.chunks {
            let (left, top) = (chunk.x - origin.0, chunk.y - origin.1);
            data::tiles(source, chunk, &known, |column, row, number| {
                let Some(kind) = meanings.of(number) else { return false };
                let Some(cell) = lattice.checked_cell(left + i64::from(column), top + i64::from(row)) else {
                    return true;
                };
                if layer.is_walls || kind.is_wall {
                    grid.set_open(cell, false);
                }
                if let Some(class) = kind.terrain {
                    grid.set_terrain(cell, class);
                }
                if let Some(height) = kind.height {
                    grid.set_height(cell, height);
                }
                true
            })?;
        }
    }
    Ok(grid)
}

/// A spawn area in metres; `None` where it has no name to be called by.
fn area(
    source: &Source,
    document: &Document,
    spawn: &Spawn,
    origin: (i64, i64),
    cell_size: f32,
) -> Result<Option<Area>, MapError> {
    if spawn.name.is_empty() {
        return Ok(None);
    }
    let name = &spawn.name;
    let before = document.spawns.iter().filter(|other| other.at < spawn.at && !other.is_link);
    let same = before.into_iter().any(|other| other.name == *name);
    if same {
        return Err(source.wrong(spawn.at, format!("a second spawn area {}", quoted(name)), "another name"));
    }
    let corners = corners(source, document, spawn, origin, cell_size)?;
    let properties = spawn.properties.0.iter().map(|property| (property.name.clone(), property.value.clone()));
    let area = Area { name: name.clone(), corners, properties: properties.collect() };
    let size = area.size();
    if area.corners.iter().all(|corner| corner.is_finite()) && size.x > 0.0 && size.y > 0.0 {
        return Ok(Some(area));
    }
    Err(source.wrong(spawn.at, format!("the spawn area {} without room", quoted(name)), "one that is broad and high"))
}

/// The corners of an object in metres.
fn corners(
    source: &Source,
    document: &Document,
    spawn: &Spawn,
    origin: (i64, i64),
    cell_size: f32,
) -> Result<Vec<Vec2>, MapError> {
    let (tile_width, tile_height) = document.tile_size;
    if !(tile_width > 0.0 && tile_height > 0.0) {
        let expected = "tiles of at least one pixel, since areas and links are measured in them";
        return Err(source.wrong(spawn.at, format!("tiles of {tile_width} x {tile_height} pixels"), expected));
    }
    let turn = spawn.rotation.to_radians();
    let (sin, cos) = (libm::sin(turn), libm::cos(turn));
    let metres = |&(x, y): &(f64, f64)| {
        let (x, y) = (spawn.origin.0 + x * cos - y * sin, spawn.origin.1 + x * sin + y * cos);
        let (x, y) = (x / tile_width - origin.0 as f64, y / tile_height - origin.1 as f64);
        Vec2::new((x * f64::from(cell_size)) as f32, (y * f64::from(cell_size)) as f32)
    };
    Ok(spawn.corners.iter().map(metres).collect())
}
