//! Maps (`.tmj`) and tilesets (`.tsj`) in JSON. Lists are walked one element at a time, and unused values are not kept,
//! so that a hostile file takes no more memory than itself.

use super::model::{
    self, Chunk, Data, Document, Kind, Kinds, MAX_AREAS, MAX_CORNERS, MAX_DEPTH, MAX_LAYERS, MAX_PROPERTIES, Packing,
    Properties, Property, Spawn, TileLayer, Tiles, Tileset, chunk_size,
};
use crate::MapError;
use crate::files::json::{each, parse, whole};
use crate::files::source::{Source, quoted};
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
    #[serde(borrow, default)]
    tiles: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object of Tiled")]
struct TileObject<'a> {
    id: u32,
    #[serde(default, rename = "type", alias = "class")]
    class: Option<String>,
    #[serde(borrow, default)]
    image: Option<&'a RawValue>,
    #[serde(borrow, default)]
    properties: Option<&'a RawValue>,
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
    name: String,
    #[serde(default)]
    width: u64,
    #[serde(default)]
    height: u64,
    #[serde(default)]
    encoding: String,
    #[serde(default)]
    compression: String,
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
struct SpawnObject<'a> {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
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
            None => Tiles::Here(kinds(source, set.tilecount, set.tiles)?),
        };
        document.tilesets.push(Tileset { first, at, tiles });
        Ok(())
    })?;
    let mut count = 0;
    layers(source, map.layers, &mut document, &mut count, 0, false)?;
    Ok(document)
}

/// Reads a tileset.
pub(super) fn tileset(source: &Source) -> Result<Kinds, MapError> {
    let (at, set): (_, TilesetObject) = whole(source)?;
    if set.kind.is_some_and(|kind| kind != "tileset") {
        let expected = "a Tiled tileset, with \"type\": \"tileset\"";
        return Err(source.wrong(at, "JSON of another sort", expected));
    }
    kinds(source, set.tilecount, set.tiles)
}

fn kinds(source: &Source, count: Option<u32>, tiles: Option<&RawValue>) -> Result<Kinds, MapError> {
    let mut kinds = Kinds { count: count.filter(|&count| count > 0), ..Kinds::default() };
    each(source, tiles, |_, tile: TileObject| {
        if tile.image.is_some() {
            // A collection of images: numbers may be left out.
            kinds.count = None;
        }
        let properties = properties(source, tile.properties)?;
        let kind = Kind::new(source, tile.class.as_deref().unwrap_or_default(), &properties)?;
        if kind != Kind::default() {
            kinds.kinds.insert(tile.id, kind);
        }
        Ok(())
    })?;
    Ok(kinds)
}

fn properties(source: &Source, list: Option<&RawValue>) -> Result<Properties, MapError> {
    let mut properties = Vec::new();
    each(source, list, |at, property: PropertyObject| {
        if properties.len() == MAX_PROPERTIES {
            let expected = format!("at most {MAX_PROPERTIES} properties of one thing");
            return Err(source.wrong(at, "one more", expected));
        }
        let value = property.value.get();
        // Texts without their quotes, all else as it is written.
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.chars().take(100).collect());
        properties.push(Property { name: property.name, value, at });
        Ok(())
    })?;
    Ok(Properties(properties))
}

/// Layers of any sort.
fn layers<'a>(
    source: &Source<'a>,
    list: Option<&'a RawValue>,
    document: &mut Document<'a>,
    count: &mut usize,
    depth: usize,
    is_walls: bool,
) -> Result<(), MapError> {
    each(source, list, |at, layer: LayerObject<'a>| {
        *count += 1;
        if *count > MAX_LAYERS || depth > MAX_DEPTH {
            let expected = format!("at most {MAX_LAYERS} layers, {MAX_DEPTH} groups in each other");
            return Err(source.wrong(at, "one more", expected));
        }
        let named = layer.name == "walls" || properties(source, layer.properties)?.is_true(source, "walls")?;
        let is_walls = is_walls || named;
        match layer.kind.as_str() {
            "group" => layers(source, layer.layers, document, count, depth + 1, is_walls),
            "objectgroup" => spawns(source, layer.objects, document),
            "tilelayer" => {
                let chunks = chunks(source, at, &layer, document.is_infinite)?;
                document.layers.push(TileLayer { is_walls, chunks });
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
    let packing = match (&*layer.encoding, Packing::named(&layer.compression)) {
        ("" | "csv", Some(Packing::Plain)) => None,
        ("base64", Some(packing)) => Some(packing),
        _ => {
            let found = format!("tiles packed by {} {}", quoted(&layer.encoding), quoted(&layer.compression));
            let expected = "csv, or base64 with zlib, gzip, zstd or nothing; choose another in the map's properties";
            return Err(source.wrong(at, found, expected));
        }
    };
    let pack = |raw: &'a RawValue| -> Result<Data<'a>, MapError> {
        Ok(match packing {
            None => {
                let numbers = raw.get().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                let at = source.offset(raw.get());
                Data::Csv(numbers.ok_or_else(|| source.wrong(at, quoted(raw.get()), "a list of the numbers of tiles"))?)
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

fn spawns<'a>(source: &Source<'a>, list: Option<&'a RawValue>, document: &mut Document) -> Result<(), MapError> {
    each(source, list, |at, object: SpawnObject<'a>| {
        let is_link = match object.class.as_str() {
            "spawn" => false,
            "link" => true,
            _ => return Ok(()),
        };
        if document.spawns.len() == MAX_AREAS {
            return Err(source.wrong(at, "one more", format!("at most {MAX_AREAS} spawn areas and links")));
        }
        let others = [
            (object.ellipse, "an ellipse"),
            (object.point, "a point"),
            (object.polyline.is_some() && !is_link, "a polyline"),
            (object.polygon.is_some() && is_link, "a polygon"),
            (object.text.is_some(), "a text"),
        ];
        if let Some((_, found)) = others.into_iter().find(|&(is_it, _)| is_it) {
            return Err(source.wrong(at, found, model::shape(is_link)));
        }
        let mut corners = model::rectangle(is_link, (object.width, object.height));
        if let Some(points) = object.polygon.or(object.polyline) {
            corners.clear();
            each(source, Some(points), |_, point: PointObject| {
                if corners.len() <= MAX_CORNERS {
                    corners.push((point.x, point.y));
                }
                Ok(())
            })?;
        }
        document.spawns.push(Spawn {
            is_link,
            name: object.name,
            at,
            origin: (object.x, object.y),
            corners,
            rotation: object.rotation,
            properties: properties(source, object.properties)?,
        });
        Ok(())
    })
}
