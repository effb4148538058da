//! A Tiled map as both its formats say it: the parts that concern walls, ground and areas, the tiles still packed.

use super::cover::Outline;
use super::meaning::{Layer, solid};
use super::object::Object;
use crate::files::source::{Source, quoted};
use crate::files::wall_words::{Says, says};
use crate::files::warnings::Warnings;
use crate::{MapError, PLAIN, SWAMP};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most layers, groups among them: each is walked through.
pub(super) const MAX_LAYERS: usize = 1000;

/// Groups in groups.
pub(super) const MAX_DEPTH: usize = 32;

/// The most spawn areas and links.
pub(super) const MAX_AREAS: usize = 10_000;

/// The most objects that may be walls.
const MAX_OBJECTS: usize = 200_000;

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
    pub objects: Vec<Object>,
    pub warnings: Warnings,
    /// Layers of any sort that were read.
    pub layer_count: usize,
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
    Here(Box<Kinds>),
}

/// The meanings of the tiles of a tileset.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    /// By number, the tiles that have a meaning.
    pub tiles: BTreeMap<u32, Kind>,
    /// Collision shapes in pixels, of tiles that have some.
    pub shapes: BTreeMap<u32, Vec<Outline>>,
    /// Classes and properties of tiles whose objects are areas or links.
    pub classes: BTreeMap<u32, (String, Properties)>,
    /// How many there are; `None` where numbers may be left out.
    pub count: Option<u32>,
    /// What the properties of the tileset say of all its tiles.
    pub is_solid: Option<bool>,
    /// Of a tile (pixels).
    pub size: [f64; 2],
    /// Of tiles that have pictures of their own (pixels).
    pub sizes: BTreeMap<u32, [f64; 2]>,
    /// How far its tiles are drawn from their places (pixels).
    pub offset: [f64; 2],
    /// The point of a tile that is at the place of its object.
    pub alignment: Alignment,
    /// Tiles are drawn as large as cells, stretched or not.
    pub fitted: Option<Fit>,
    pub warnings: Warnings,
}

/// How a tile is made as large as a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Stretched,
    InProportion,
}

impl Fit {
    /// As a tileset says it.
    pub fn of(size: Option<&str>, mode: Option<&str>) -> Option<Self> {
        match (size, mode) {
            (Some("grid"), Some("preserve-aspect-fit")) => Some(Self::InProportion),
            (Some("grid"), _) => Some(Self::Stretched),
            _ => None,
        }
    }
}

/// A point of a rectangle, from 0, 0 (left, top) to 1, 1 (right, bottom).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alignment(pub [f64; 2]);

impl Default for Alignment {
    /// Left and bottom, as Tiled has it on orthogonal maps.
    fn default() -> Self {
        Self([0.0, 1.0])
    }
}

impl Alignment {
    /// By its name in a tileset.
    pub fn of(source: &Source, at: usize, name: &str) -> Result<Self, MapError> {
        let expected = "topleft, top, topright, left, center, right, bottomleft, bottom or bottomright";
        let found = || format!("objectalignment = {}", quoted(name));
        Self::named(name).ok_or_else(|| source.wrong(at, found(), expected))
    }

    fn named(name: &str) -> Option<Self> {
        Some(Self(match name {
            "" | "unspecified" | "bottomleft" => return Some(Self::default()),
            "bottom" => [0.5, 1.0],
            "bottomright" => [1.0, 1.0],
            "left" => [0.0, 0.5],
            "center" => [0.5, 0.5],
            "right" => [1.0, 0.5],
            "topleft" => [0.0, 0.0],
            "top" => [0.5, 0.0],
            "topright" => [1.0, 0.0],
            _ => return None,
        }))
    }
}

/// The meaning of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    pub is_solid: Option<bool>,
    /// It has collision shapes that count.
    pub has_shapes: bool,
    pub terrain: Option<u8>,
    /// In cm.
    pub height: Option<u16>,
}

/// A tile layer.
#[derive(Debug)]
pub(super) struct TileLayer<'a> {
    /// Where it begins.
    pub at: usize,
    /// Every tile of it is a wall.
    pub is_walls: bool,
    /// How far it was moved (pixels).
    pub offset: [f64; 2],
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
    Csv(Cow<'a, str>),
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

/// A property.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub name: String,
    /// Numbers and truth values as they are written.
    pub value: String,
    pub at: usize,
}

/// The properties of a thing.
#[derive(Clone, Debug, Default)]
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

/// What a tileset says of a tile.
#[derive(Default)]
pub(super) struct Tile {
    pub at: usize,
    pub class: String,
    pub properties: Properties,
    pub shapes: Vec<Object>,
    /// Of its own picture (pixels).
    pub size: Option<[f64; 2]>,
}

impl Kinds {
    /// Adds what is said of a tile to what was said before.
    pub fn add(&mut self, source: &Source, id: u32, tile: Tile) -> Result<(), MapError> {
        let mut kind = Kind::new(source, &tile, &mut self.warnings)?;
        if let Some(size) = tile.size {
            self.sizes.insert(id, size);
        }
        let shapes = tile.shapes.iter().filter(|shape| shape.is_solid != Some(false));
        let shapes: Vec<_> = shapes.filter_map(Object::outline).collect();
        if !shapes.is_empty() {
            kind.has_shapes = true;
            self.shapes.entry(id).or_default().extend(shapes);
        }
        if Object::role(&tile.class).is_some() {
            self.classes.insert(id, (tile.class, tile.properties));
        }
        if kind != Kind::default() {
            let known = self.tiles.entry(id).or_default();
            known.is_solid = kind.is_solid.or(known.is_solid);
            known.has_shapes |= kind.has_shapes;
            known.terrain = kind.terrain.or(known.terrain);
            known.height = kind.height.or(known.height);
        }
        Ok(())
    }
}

impl Kind {
    /// From the class of a tile and its properties.
    fn new(source: &Source, tile: &Tile, warnings: &mut Warnings) -> Result<Self, MapError> {
        let (class, properties) = (tile.class.as_str(), &tile.properties);
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
        let said = solid(source, properties, warnings)?;
        let classed = match says(class) {
            Says::Wall => Some(true),
            Says::Open => Some(false),
            Says::Unclear if said.is_none() => {
                warnings.unclear(source, tile.at, "class of tiles", class);
                None
            }
            _ => None,
        };
        Ok(Self {
            is_solid: said.or(classed),
            has_shapes: false,
            terrain: found.or(if class == "swamp" { Some(SWAMP) } else { None }),
            height: properties.read(source, "height", "a number of metres from 0 to 655.35", height)?,
        })
    }
}

impl Document<'_> {
    /// Counts a layer, a group or an image.
    pub fn count_layer(&mut self, source: &Source, at: usize, depth: usize) -> Result<(), MapError> {
        self.layer_count += 1;
        if self.layer_count <= MAX_LAYERS && depth <= MAX_DEPTH {
            return Ok(());
        }
        let expected = format!("at most {MAX_LAYERS} layers, {MAX_DEPTH} groups in each other");
        Err(source.wrong(at, "one more", expected))
    }

    /// Takes an object where it may be a wall, an area or a link.
    pub fn add(&mut self, source: &Source, mut object: Object, layer: &Layer) -> Result<(), MapError> {
        object.settle(source, layer, &mut self.warnings)?;
        if !object.is_of_weight() {
            return Ok(());
        }
        if self.objects.len() == MAX_OBJECTS {
            let expected = format!("at most {MAX_OBJECTS} objects that may be walls, spawn areas or links");
            return Err(source.wrong(object.at, "one more", expected));
        }
        self.objects.push(object);
        Ok(())
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
