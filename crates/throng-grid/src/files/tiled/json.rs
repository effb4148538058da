//! Maps (`.tmj`) and tilesets (`.tsj`) in JSON. Lists are walked one element at a time, and unused values are not kept,
//! so that a hostile file takes no more memory than itself.

use super::meaning::{Layer, Written, solid};
use super::model::{
    Alignment, Chunk, Data, Document, Fit, Kinds, MAX_CORNERS, MAX_PROPERTIES, Packing, Properties, Property, Tile,
    TileLayer, Tiles, Tileset, chunk_size,
};
use super::object::{Form, Object};
use crate::MapError;
use crate::files::json::{each, entries, parse, whole};
use crate::files::source::{Source, quoted};
use crate::files::wall_words::{Says, says};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct MapObject<'a> {
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    orientation: Option<String>,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    width: u64,
    #[serde(default)]
    height: u64,
    #[serde(default)]
    tilewidth: f64,
    #[serde(default)]
    tileheight: f64,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tilesets: Option<&'a RawValue>,
    #[serde(borrow, default)]
    layers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct TilesetObject<'a> {
    #[serde(default)]
    firstgid: u32,
    #[serde(default)]
    source: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    tilecount: Option<u32>,
    #[serde(default)]
    tilewidth: f64,
    #[serde(default)]
    tileheight: f64,
    #[serde(default)]
    tileoffset: Option<PointObject>,
    #[serde(default)]
    objectalignment: Option<String>,
    #[serde(default)]
    tilerendersize: Option<String>,
    #[serde(default)]
    fillmode: Option<String>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tiles: Option<&'a RawValue>,
    /// Up to Tiled 1.1.
    #[serde(borrow, default)]
    tileproperties: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct TileObject<'a> {
    /// Up to Tiled 1.1 the key of the tile.
    #[serde(default)]
    id: Option<u32>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    class: Option<String>,
    #[serde(borrow, default)]
    image: Option<&'a RawValue>,
    #[serde(default)]
    imagewidth: f64,
    #[serde(default)]
    imageheight: f64,
    #[serde(default)]
    width: Option<f64>,
    #[serde(default)]
    height: Option<f64>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    objectgroup: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct GroupObject<'a> {
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    objects: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct PropertyObject<'a> {
    name: String,
    #[serde(borrow)]
    value: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct LayerObject<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    width: u64,
    #[serde(default)]
    height: u64,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    #[serde(default)]
    encoding: Option<String>,
    #[serde(default)]
    compression: Option<String>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(borrow, default)]
    chunks: Option<&'a RawValue>,
    #[serde(borrow, default)]
    layers: Option<&'a RawValue>,
    #[serde(borrow, default)]
    objects: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct ChunkObject<'a> {
    x: i32,
    y: i32,
    width: u64,
    height: u64,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct ObjectObject<'a> {
    #[serde(default)]
    name: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    gid: Option<u32>,
    #[serde(borrow, default)]
    template: Option<&'a RawValue>,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    rotation: f64,
    #[serde(default)]
    ellipse: bool,
    #[serde(default)]
    capsule: bool,
    #[serde(default)]
    point: bool,
    #[serde(borrow, default)]
    polyline: Option<&'a RawValue>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    polygon: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct PointObject {
    x: f64,
    y: f64,
}

/// Reads a map.
pub(super) fn map<'a>(source: &Source<'a>) -> Result<Document<'a>, MapError> {
    let (at, map): (_, MapObject) = whole(source)?;
    if map.layers.is_none() || map.kind.is_some_and(|kind| kind != "map") {
        let expected = "a Tiled map, with \"type\": \"map\" and \"layers\"";
        return Err(source.wrong(at, "JSON of another sort", expected));
    }
    let mut document = Document {
        orientation: map.orientation.unwrap_or("orthogonal".into()),
        is_infinite: map.infinite,
        size: (map.width, map.height),
        tile_size: (map.tilewidth, map.tileheight),
        properties: properties(source, map.properties)?,
        ..Document::default()
    };
    each(source, map.tilesets, |at, set: TilesetObject| {
        let first = set.firstgid;
        let tiles = match set.source {
            Some(name) => Tiles::External(name),
            None => Tiles::Here(Box::new(kinds(source, at, set)?)),
        };
        document.tilesets.push(Tileset { first, at, tiles });
        Ok(())
    })?;
    layers(source, map.layers, &mut document, 0, Layer::default())?;
    Ok(document)
}

/// Reads a tileset.
pub(super) fn tileset(source: &Source) -> Result<Kinds, MapError> {
    let (at, set): (_, TilesetObject) = whole(source)?;
    if set.kind.as_ref().is_some_and(|kind| kind != "tileset") {
        let expected = "a Tiled tileset, with \"type\": \"tileset\"";
        return Err(source.wrong(at, "JSON of another sort", expected));
    }
    kinds(source, at, set)
}

fn kinds(source: &Source, at: usize, set: TilesetObject) -> Result<Kinds, MapError> {
    let alignment = set.objectalignment.unwrap_or_default();
    let mut kinds = Kinds {
        count: set.tilecount.filter(|&count| count > 0),
        size: [set.tilewidth, set.tileheight],
        offset: set.tileoffset.map_or([0.0; 2], |offset| [offset.x, offset.y]),
        alignment: Alignment::of(source, at, &alignment)?,
        fitted: Fit::of(set.tilerendersize.as_deref(), set.fillmode.as_deref()),
        ..Kinds::default()
    };
    kinds.is_solid = solid(source, &properties(source, set.properties)?, &mut kinds.warnings)?;
    let number = |at: usize, key: &str| {
        key.parse().map_err(|_| source.wrong(at, format!("the tile {}", quoted(key)), "the number of a tile"))
    };
    entries(source, set.tileproperties, |at, key, value| {
        let tile = Tile { at, properties: properties(source, Some(value))?, ..Tile::default() };
        kinds.add(source, number(at, &key)?, tile)
    })?;
    if set.tiles.is_some_and(|tiles| tiles.get().starts_with('{')) {
        entries(source, set.tiles, |at, key, value| {
            let id = number(at, &key)?;
            tile(source, at, id, parse(source, value)?, &mut kinds)
        })?;
    } else {
        each(source, set.tiles, |at, object: TileObject| {
            let id = object.id.ok_or_else(|| source.wrong(at, "a tile without its number", "\"id\": a number"))?;
            tile(source, at, id, object, &mut kinds)
        })?;
    }
    Ok(kinds)
}

fn tile(source: &Source, at: usize, id: u32, tile: TileObject, kinds: &mut Kinds) -> Result<(), MapError> {
    let mut size = None;
    if tile.image.is_some() {
        // A collection of images: numbers may be left out.
        kinds.count = None;
        size = Some([tile.width.unwrap_or(tile.imagewidth), tile.height.unwrap_or(tile.imageheight)]);
    }
    let class = class_of(tile.class, tile.kind);
    let mut shapes = Vec::new();
    if let Some(group) = tile.objectgroup.filter(|group| group.get() != "null") {
        let group: GroupObject = parse(source, group)?;
        let is_solid = solid(source, &properties(source, group.properties)?, &mut kinds.warnings)?;
        let layer = Layer { is_solid, ..Layer::default() };
        each(source, group.objects, |at, found: ObjectObject| {
            let mut shape = object(source, at, found)?;
            shape.settle(source, &layer, &mut kinds.warnings)?;
            shapes.push(shape);
            Ok(())
        })?;
    }
    let tile = Tile { at, class, properties: properties(source, tile.properties)?, shapes, size };
    kinds.add(source, id, tile)
}

/// Properties, a list since Tiled 1.2, an object before.
fn properties(source: &Source, raw: Option<&RawValue>) -> Result<Properties, MapError> {
    let mut all = Vec::new();
    let mut add = |at, name: String, value: &RawValue| {
        if all.len() == MAX_PROPERTIES {
            let expected = format!("at most {MAX_PROPERTIES} properties of one thing");
            return Err(source.wrong(at, "one more", expected));
        }
        let value = value.get();
        // Texts without their quotes, all else as it is written.
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.chars().take(100).collect());
        all.push(Property { name, value, at });
        Ok(())
    };
    if raw.is_some_and(|raw| raw.get().starts_with('{')) {
        entries(source, raw, |at, name, value| add(at, name.into_owned(), value))?;
    } else {
        each(source, raw, |at, property: PropertyObject| add(at, property.name, property.value))?;
    }
    Ok(Properties(all))
}

/// Layers of any sort.
fn layers<'a>(
    source: &Source<'a>,
    list: Option<&'a RawValue>,
    document: &mut Document<'a>,
    depth: usize,
    around: Layer,
) -> Result<(), MapError> {
    each(source, list, |at, layer: LayerObject<'a>| {
        document.count_layer(source, at, depth)?;
        let name = layer.name.as_deref().unwrap_or_default();
        let what = match layer.kind.as_str() {
            "group" => "group",
            "objectgroup" => "object layer",
            "imagelayer" => "image layer",
            _ => "tile layer",
        };
        let written = Written {
            at,
            what,
            name,
            class: layer.class.as_deref().unwrap_or_default(),
            properties: &properties(source, layer.properties)?,
            offset: [layer.offsetx, layer.offsety],
        };
        let meaning = around.inner(source, &written, &mut document.warnings)?;
        match layer.kind.as_str() {
            "group" => layers(source, layer.layers, document, depth + 1, meaning),
            "objectgroup" => each(source, layer.objects, |at, found: ObjectObject| {
                document.add(source, object(source, at, found)?, &meaning)
            }),
            "tilelayer" => {
                let chunks = chunks(source, at, &layer, document.is_infinite)?;
                let is_walls = meaning.is_solid == Some(true);
                document.layers.push(TileLayer { at, is_walls, offset: meaning.offset, chunks });
                Ok(())
            }
            "imagelayer" if says(name) == Says::Wall => {
                document.warnings.image(source, at, name);
                Ok(())
            }
            _ => Ok(()),
        }
    })
}

fn chunks<'a>(
    source: &Source<'a>,
    at: usize,
    layer: &LayerObject<'a>,
    is_infinite: bool,
) -> Result<Vec<Chunk<'a>>, MapError> {
    let encoding = layer.encoding.as_deref().unwrap_or_default();
    let compression = layer.compression.as_deref().unwrap_or_default();
    let packing = match (encoding, Packing::named(compression)) {
        ("" | "csv", Some(Packing::Plain)) => None,
        ("base64", Some(packing)) => Some(packing),
        _ => {
            let found = format!("tiles packed by {} {}", quoted(encoding), quoted(compression));
            let expected = "csv, or base64 with zlib, gzip, zstd or nothing; choose another in the map's properties";
            return Err(source.wrong(at, found, expected));
        }
    };
    let pack = |raw: &'a RawValue| -> Result<Data<'a>, MapError> {
        Ok(match packing {
            None => {
                let numbers = raw.get().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                let at = source.offset(raw.get());
                let numbers =
                    numbers.ok_or_else(|| source.wrong(at, quoted(raw.get()), "a list of the numbers of tiles"))?;
                Data::Csv(Cow::Borrowed(numbers))
            }
            Some(packing) => {
                let text = raw.get();
                // Without escapes the text is where it is.
                let plain = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                match plain.filter(|text| !text.contains('\\')) {
                    Some(text) => Data::Base64(Cow::Borrowed(text), packing),
                    None => Data::Base64(Cow::Owned(parse(source, raw)?), packing),
                }
            }
        })
    };
    let mut chunks = Vec::new();
    if is_infinite {
        each(source, layer.chunks, |at, chunk: ChunkObject<'a>| {
            let (width, height) = chunk_size(source, at, chunk.width, chunk.height)?;
            let (x, y, at) = (chunk.x.into(), chunk.y.into(), source.offset(chunk.data.get()));
            chunks.push(Chunk { x, y, width, height, at, data: pack(chunk.data)? });
            Ok(())
        })?;
    } else if let Some(data) = layer.data {
        let (width, height) = chunk_size(source, at, layer.width, layer.height)?;
        chunks.push(Chunk { x: 0, y: 0, width, height, at: source.offset(data.get()), data: pack(data)? });
    }
    Ok(chunks)
}

/// The class, which has had two names.
fn class_of(class: Option<String>, kind: Option<String>) -> String {
    class.filter(|class| !class.is_empty()).or(kind).unwrap_or_default()
}

/// An object of a layer or of a tile.
fn object(source: &Source, at: usize, object: ObjectObject) -> Result<Object, MapError> {
    let mut form_at = (at, "a rectangle");
    let forms = [
        (object.ellipse, Form::Ellipse, "an ellipse"),
        (object.capsule, Form::Capsule, "a capsule"),
        (object.point, Form::Point, "a point"),
        (object.text.is_some(), Form::Text, "a text"),
    ];
    let mut form = Form::Rectangle;
    if let Some((_, found, shown)) = forms.into_iter().find(|&(is_it, ..)| is_it) {
        (form, form_at.1) = (found, shown);
    } else if object.polygon.is_some() {
        (form, form_at.1) = (Form::Polygon(corners(source, object.polygon)?), "a polygon");
    } else if object.polyline.is_some() {
        (form, form_at.1) = (Form::Polyline(corners(source, object.polyline)?), "a polyline");
    }
    Ok(Object {
        at,
        name: object.name.unwrap_or_default(),
        class: class_of(object.class, object.kind),
        origin: [object.x, object.y],
        size: [object.width, object.height],
        rotation: object.rotation,
        tile: object.gid.filter(|&gid| gid != 0),
        form,
        form_at,
        properties: properties(source, object.properties)?,
        is_instance: object.template.is_some(),
        is_solid: None,
    })
}

fn corners(source: &Source, points: Option<&RawValue>) -> Result<Vec<[f64; 2]>, MapError> {
    let mut corners = Vec::new();
    each(source, points, |_, point: PointObject| {
        if corners.len() <= MAX_CORNERS {
            corners.push([point.x, point.y]);
        }
        Ok(())
    })?;
    Ok(corners)
}
