//! A Tiled map as both its formats say it: the parts that concern walls, ground and areas, the tiles still packed.

use crate::files::source::{Source, quoted};
use crate::{MapError, PLAIN, SWAMP};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most layers, groups among them: each is walked through.
pub(super) const MAX_LAYERS: usize = 1000;

/// Groups in groups.
pub(super) const MAX_DEPTH: usize = 32;

/// The most spawn areas and links.
pub(super) const MAX_AREAS: usize = 10_000;

/// The most corners of a polygon.
pub(super) const MAX_CORNERS: usize = 10_000;

/// The most properties of one thing.
pub(super) const MAX_PROPERTIES: usize = 1000;

/// A map.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    pub orientation: String,
    pub is_infinite: bool,
    /// Columns and rows; of no weight where it is infinite.
    pub size: (u64, u64),
    /// Of a cell (pixels).
    pub tile_size: (f64, f64),
    pub properties: Properties,
    pub tilesets: Vec<Tileset>,
    /// Tile layers from the lowest to the topmost, those of groups among them.
    pub layers: Vec<TileLayer<'a>>,
    pub spawns: Vec<Spawn>,
}

/// The tiles from one number on.
#[derive(Debug)]
pub(super) struct Tileset {
    pub first: u32,
    /// Where it is named.
    pub at: usize,
    pub tiles: Tiles,
}

/// The tiles of a tileset.
#[derive(Debug)]
pub(super) enum Tiles {
    /// In a file of their own.
    External(String),
    Here(Kinds),
}

/// The meanings of the tiles of a tileset.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// By number, the tiles that have a meaning.
    pub kinds: BTreeMap<u32, Kind>,
    /// How many there are; `None` where numbers may be left out.
    pub count: Option<u32>,
}

/// The meaning of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    pub is_wall: bool,
    pub terrain: Option<u8>,
    /// In cm.
    pub height: Option<u16>,
}

/// A tile layer.
#[derive(Debug)]
pub(super) struct TileLayer<'a> {
    /// Every tile of it is a wall.
    pub is_walls: bool,
    pub chunks: Vec<Chunk<'a>>,
}

/// A rectangle of tiles.
#[derive(Debug)]
pub(super) struct Chunk<'a> {
    pub x: i64,
    pub y: i64,
    pub width: u32,
    pub height: u32,
    /// Where its tiles begin.
    pub at: usize,
    pub data: Data<'a>,
}

/// Tiles, row by row, as the file has them.
#[derive(Debug)]
pub(super) enum Data<'a> {
    /// Numbers with commas between them.
    Csv(&'a str),
    Base64(Cow<'a, str>, Packing),
    /// Elements in XML.
    Tiles(Vec<u32>),
}

/// How tiles are packed in base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zlib,
    Zstd,
}

/// A spawn area, or a link.
#[derive(Debug, Default)]
pub(super) struct Spawn {
    pub is_link: bool,
    pub name: String,
    pub at: usize,
    /// Pixels.
    pub origin: (f64, f64),
    /// Pixels, from the origin.
    pub corners: Vec<(f64, f64)>,
    /// Degrees, clockwise around the origin.
    pub rotation: f64,
    pub properties: Properties,
}

/// The corners of an object that is drawn as a rectangle; a link is not.
pub(super) fn rectangle(is_link: bool, (width, height): (f64, f64)) -> Vec<(f64, f64)> {
    if is_link { Vec::new() } else { vec![(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)] }
}

/// How such an object is drawn.
pub(super) fn shape(is_link: bool) -> &'static str {
    if is_link { "a polyline of two points as link" } else { "a rectangle or a polygon as spawn area" }
}

/// A property.
#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    /// Numbers and truth values as they are written.
    pub value: String,
    pub at: usize,
}

/// The properties of a thing.
#[derive(Debug, Default)]
pub(super) struct Properties(pub Vec<Property>);

impl Properties {
    pub fn find(&self, name: &str) -> Option<&Property> {
        self.0.iter().find(|property| property.name == name)
    }

    /// The result of `parse` for a property, where it is there.
    pub fn read<T>(
        &self,
        source: &Source,
        name: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, MapError> {
        let Some(property) = self.find(name) else { return Ok(None) };
        let found = || format!("the property {name} = {}", quoted(&property.value));
        parse(&property.value).map(Some).ok_or_else(|| source.wrong(property.at, found(), expected))
    }

    pub fn is_true(&self, source: &Source, name: &str) -> Result<bool, MapError> {
        Ok(self.read(source, name, "true or false", |value| value.parse().ok())?.unwrap_or(false))
    }
}

impl Kind {
    /// From the class of a tile and its properties.
    pub fn new(source: &Source, class: &str, properties: &Properties) -> Result<Self, MapError> {
        let terrain = |name: &str| match name {
            "plain" => Some(PLAIN),
            "swamp" => Some(SWAMP),
            number => number.parse().ok(),
        };
        let height = |metres: &str| {
            let cm = (metres.parse::<f64>().ok()? * 100.0).round();
            (0.0..=65_535.0).contains(&cm).then_some(cm as u16)
        };
        let expected = "a class of terrain, 0 to 255, \"plain\" or \"swamp\"";
        let found = properties.read(source, "terrain", expected, terrain)?;
        Ok(Self {
            is_wall: class == "wall" || properties.is_true(source, "wall")?,
            terrain: found.or(if class == "swamp" { Some(SWAMP) } else { None }),
            height: properties.read(source, "height", "a number of metres from 0 to 655.35", height)?,
        })
    }
}

impl Packing {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" => Some(Self::Plain),
            "gzip" => Some(Self::Gzip),
            "zlib" => Some(Self::Zlib),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Checks the size of a layer or chunk.
pub(super) fn chunk_size(source: &Source, at: usize, width: u64, height: u64) -> Result<(u32, u32), MapError> {
    let most = u64::from(crate::Lattice::MAX_SIDE);
    if (1..=most).contains(&width) && (1..=most).contains(&height) {
        return Ok((width as u32, height as u32));
    }
    Err(source.wrong(at, format!("{width} x {height} tiles"), format!("1 to {most} columns and rows")))
}
