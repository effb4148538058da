//! Maps (`.tmx`) and tilesets (`.tsx`) in XML, by `quick-xml`: an event at a time, so that no tree of elements is built.

use super::meaning::{Layer, Written, solid};
use super::model::{
    Alignment, Chunk, Data, Document, Fit, Kinds, MAX_CORNERS, MAX_PROPERTIES, Packing, Properties, Property, Tile,
    TileLayer, Tiles, Tileset, chunk_size,
};
use super::object::{Form, Object};
use crate::MapError;
use crate::files::source::{Source, quoted};
use crate::files::wall_words::{Says, says};
use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::str::FromStr;

/// Reads a map.
pub(super) fn map<'a>(source: &Source<'a>) -> Result<Document<'a>, MapError> {
    let mut xml = Xml::new(*source);
    let map = xml.root("map")?;
    let mut document = Document {
        orientation: xml.text(&map, "orientation")?.unwrap_or("orthogonal".into()).into_owned(),
        is_infinite: xml.text(&map, "infinite")?.is_some_and(|flag| flag == "1"),
        size: (xml.number(&map, "width")?, xml.number(&map, "height")?),
        tile_size: (xml.number(&map, "tilewidth")?, xml.number(&map, "tileheight")?),
        ..Document::default()
    };
    while let Some(child) = xml.child(&map)? {
        match child.name() {
            b"properties" => document.properties = xml.properties(&child)?,
            b"tileset" => {
                let first = xml.number(&child, "firstgid")?;
                let at = child.at;
                let tiles = match xml.text(&child, "source")? {
                    Some(name) => {
                        let name = name.into_owned();
                        xml.skip(&child)?;
                        Tiles::External(name)
                    }
                    None => Tiles::Here(Box::new(xml.tileset(&child)?)),
                };
                document.tilesets.push(Tileset { first, at, tiles });
            }
            _ => xml.layer(&child, &mut document, 0, Layer::default())?,
        }
    }
    Ok(document)
}

/// Reads a tileset.
pub(super) fn tileset(source: &Source) -> Result<Kinds, MapError> {
    let mut xml = Xml::new(*source);
    let root = xml.root("tileset")?;
    xml.tileset(&root)
}

/// The reader, and the text for places.
struct Xml<'a> {
    source: Source<'a>,
    reader: Reader<&'a [u8]>,
}

/// How the tiles of a layer are written.
#[derive(Clone, Copy)]
enum Encoding {
    Elements,
    Csv,
    Base64(Packing),
}

/// An element that was begun.
struct Element<'a> {
    start: BytesStart<'a>,
    is_empty: bool,
    at: usize,
}

impl Element<'_> {
    fn name(&self) -> &[u8] {
        self.start.name().0
    }

    fn shown(&self) -> String {
        let name = String::from_utf8_lossy(self.name());
        format!("<{}>", name.chars().take(40).collect::<String>())
    }
}

impl<'a> Xml<'a> {
    fn new(source: Source<'a>) -> Self {
        Self { source, reader: Reader::from_str(source.text) }
    }

    fn event(&mut self) -> Result<(usize, Event<'a>), MapError> {
        let at = self.reader.buffer_position() as usize;
        let event = self.reader.read_event().map_err(|error| self.broken(&error))?;
        Ok((at, event))
    }

    fn broken(&self, error: &Error) -> MapError {
        self.source.syntax(self.reader.error_position() as usize, "XML", error.to_string())
    }

    /// The outermost element, which has to have this name.
    fn root(&mut self, name: &str) -> Result<Element<'a>, MapError> {
        loop {
            let (at, event) = self.event()?;
            let (start, is_empty) = match event {
                Event::Start(start) => (start, false),
                Event::Empty(start) => (start, true),
                Event::Eof => return Err(self.source.wrong(at, "nothing", format!("<{name}>"))),
                _ => continue,
            };
            let element = Element { start, is_empty, at };
            return match element.name() {
                found if found == name.as_bytes() => Ok(element),
                b"tileset" => {
                    Err(self.source.wrong(at, "<tileset>", "<map>: name the map that has this tileset, a .tmx file"))
                }
                _ => Err(self.source.wrong(at, element.shown(), format!("<{name}>"))),
            };
        }
    }

    /// The next element in another, which has to be read to its end before this is called again.
    fn child(&mut self, parent: &Element) -> Result<Option<Element<'a>>, MapError> {
        if parent.is_empty {
            return Ok(None);
        }
        loop {
            let (at, event) = self.event()?;
            match event {
                Event::Start(start) => return Ok(Some(Element { start, is_empty: false, at })),
                Event::Empty(start) => return Ok(Some(Element { start, is_empty: true, at })),
                Event::End(_) => return Ok(None),
                Event::Eof => {
                    return Err(self.source.wrong(at, "the end of the file", format!("</{}", &parent.shown()[1..])));
                }
                _ => {}
            }
        }
    }

    fn skip(&mut self, element: &Element) -> Result<(), MapError> {
        self.content(element).map(|_| ())
    }

    /// The text between begin and end of an element.
    fn content(&mut self, element: &Element) -> Result<&'a str, MapError> {
        if element.is_empty {
            return Ok("");
        }
        let span = self.reader.read_to_end(element.start.to_end().name()).map_err(|error| self.broken(&error))?;
        let text = self.source.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let inner = text.trim().strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
        Ok(inner.unwrap_or(text))
    }

    /// That text where blanks and line breaks may be written as entities.
    fn unescaped(&mut self, element: &Element) -> Result<Cow<'a, str>, MapError> {
        let text = self.content(element)?;
        quick_xml::escape::unescape(text).map_err(|error| self.source.syntax(element.at, "XML", error.to_string()))
    }

    fn text(&self, element: &Element, name: &str) -> Result<Option<Cow<'a, str>>, MapError> {
        for attribute in element.start.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|error| self.source.syntax(element.at, "XML", format!("attribute: {error}")))?;
            if attribute.key.0 == name.as_bytes() {
                let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
                let value = value.map_err(|error| self.source.syntax(element.at, "XML", error.to_string()))?;
                return Ok(Some(Cow::Owned(value.into_owned())));
            }
        }
        Ok(None)
    }

    /// A number among the attributes, or an error.
    fn number<T: FromStr>(&self, element: &Element, name: &str) -> Result<T, MapError> {
        self.optional(element, name)?.ok_or_else(|| {
            let expected = format!("{} with {name} = a number", element.shown());
            self.source.wrong(element.at, "no such attribute", expected)
        })
    }

    fn optional<T: FromStr>(&self, element: &Element, name: &str) -> Result<Option<T>, MapError> {
        let Some(text) = self.text(element, name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| {
            let expected = format!("{} with {name} = a number in its range", element.shown());
            self.source.wrong(element.at, format!("{name} = {}", quoted(&text)), expected)
        })
    }

    fn properties(&mut self, element: &Element) -> Result<Properties, MapError> {
        let mut properties = Vec::new();
        while let Some(child) = self.child(element)? {
            if child.name() == b"property" {
                if properties.len() == MAX_PROPERTIES {
                    let expected = format!("at most {MAX_PROPERTIES} properties of one thing");
                    return Err(self.source.wrong(child.at, "one more", expected));
                }
                let name = self.text(&child, "name")?.unwrap_or_default().into_owned();
                let value = match self.text(&child, "value")? {
                    Some(value) => value.into_owned(),
                    None if child.is_empty => String::new(),
                    // A text of many lines, or the members of a class.
                    None => {
                        let at = child.at;
                        let value = self.content(&child)?.chars().take(100).collect();
                        properties.push(Property { name, value, at });
                        continue;
                    }
                };
                properties.push(Property { name, value, at: child.at });
            }
            self.skip(&child)?;
        }
        Ok(Properties(properties))
    }

    /// The class of a tile or an object, which has had two names.
    fn class(&self, element: &Element) -> Result<Cow<'a, str>, MapError> {
        let class = self.text(element, "class")?.filter(|class| !class.is_empty());
        Ok(class.or(self.text(element, "type")?).unwrap_or_default())
    }

    fn tileset(&mut self, element: &Element) -> Result<Kinds, MapError> {
        let number = |name| Ok(self.optional(element, name)?.unwrap_or(0.0));
        let alignment = self.text(element, "objectalignment")?.unwrap_or_default();
        let (size, mode) = (self.text(element, "tilerendersize")?, self.text(element, "fillmode")?);
        let mut kinds = Kinds {
            count: self.optional(element, "tilecount")?.filter(|&count| count > 0),
            size: [number("tilewidth")?, number("tileheight")?],
            alignment: Alignment::of(&self.source, element.at, &alignment)?,
            fitted: Fit::of(size.as_deref(), mode.as_deref()),
            ..Kinds::default()
        };
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"properties" => {
                    let properties = self.properties(&child)?;
                    kinds.is_solid = solid(&self.source, &properties, &mut kinds.warnings)?;
                }
                b"tileoffset" => {
                    let number = |name| Ok(self.optional(&child, name)?.unwrap_or(0.0));
                    kinds.offset = [number("x")?, number("y")?];
                    self.skip(&child)?;
                }
                b"tile" => self.tile(&child, &mut kinds)?,
                _ => self.skip(&child)?,
            }
        }
        Ok(kinds)
    }

    fn tile(&mut self, element: &Element, kinds: &mut Kinds) -> Result<(), MapError> {
        let id: u32 = self.number(element, "id")?;
        let mut tile = Tile { at: element.at, class: self.class(element)?.into_owned(), ..Tile::default() };
        while let Some(part) = self.child(element)? {
            match part.name() {
                b"properties" => tile.properties = self.properties(&part)?,
                b"image" => {
                    // A collection of images: numbers may be left out. A tile may be a part of its image.
                    kinds.count = None;
                    let size = |name| {
                        let whole = || self.optional(&part, name).transpose().unwrap_or(Ok(0.0));
                        self.optional(element, name)?.map_or_else(whole, Ok)
                    };
                    tile.size = Some([size("width")?, size("height")?]);
                    self.skip(&part)?;
                }
                b"objectgroup" => self.shapes(&part, kinds, &mut tile.shapes)?,
                _ => self.skip(&part)?,
            }
        }
        kinds.add(&self.source, id, tile)
    }

    /// The collision shapes of a tile.
    fn shapes(&mut self, element: &Element, kinds: &mut Kinds, shapes: &mut Vec<Object>) -> Result<(), MapError> {
        let mut layer = Layer::default();
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"properties" => {
                    let properties = self.properties(&child)?;
                    layer.is_solid = solid(&self.source, &properties, &mut kinds.warnings)?;
                }
                b"object" => {
                    let mut shape = self.object(&child)?;
                    shape.settle(&self.source, &layer, &mut kinds.warnings)?;
                    shapes.push(shape);
                }
                _ => self.skip(&child)?,
            }
        }
        Ok(())
    }

    /// A layer of any sort.
    fn layer(
        &mut self,
        element: &Element,
        document: &mut Document<'a>,
        depth: usize,
        around: Layer,
    ) -> Result<(), MapError> {
        let kind = element.name();
        let what = match kind {
            b"layer" => "tile layer",
            b"objectgroup" => "object layer",
            b"group" => "group",
            b"imagelayer" => "image layer",
            _ => return self.skip(element),
        };
        document.count_layer(&self.source, element.at, depth)?;
        let (name, class) = (self.text(element, "name")?.unwrap_or_default(), self.class(element)?);
        let number = |name| Ok(self.optional(element, name)?.unwrap_or(0.0));
        let offset = [number("offsetx")?, number("offsety")?];
        let mut properties = Properties::default();
        let mut chunks = Vec::new();
        let mut known = None;
        let mut meaning = |source: &Source, properties: &Properties, document: &mut Document| {
            if let Some(meaning) = known {
                return Ok(meaning);
            }
            let written = Written { at: element.at, what, name: &name, class: &class, properties, offset };
            Ok::<Layer, MapError>(*known.insert(around.inner(source, &written, &mut document.warnings)?))
        };
        while let Some(child) = self.child(element)? {
            match (kind, child.name()) {
                (_, b"properties") => properties = self.properties(&child)?,
                (b"layer", b"data") => self.data(element, &child, document, &mut chunks)?,
                // Tiled writes the properties of a layer before what is in it.
                (b"objectgroup", b"object") => {
                    let object = self.object(&child)?;
                    let meaning = meaning(&self.source, &properties, document)?;
                    document.add(&self.source, object, &meaning)?;
                }
                (b"group", _) => {
                    let meaning = meaning(&self.source, &properties, document)?;
                    self.layer(&child, document, depth + 1, meaning)?;
                }
                _ => self.skip(&child)?,
            }
        }
        let Layer { is_solid, offset } = meaning(&self.source, &properties, document)?;
        if kind == b"layer" {
            document.layers.push(TileLayer { at: element.at, is_walls: is_solid == Some(true), offset, chunks });
        } else if kind == b"imagelayer" && says(&name) == Says::Wall {
            document.warnings.image(&self.source, element.at, &name);
        }
        Ok(())
    }

    /// The tiles of a layer.
    fn data(
        &mut self,
        layer: &Element,
        element: &Element,
        document: &Document,
        chunks: &mut Vec<Chunk<'a>>,
    ) -> Result<(), MapError> {
        let encoding = self.text(element, "encoding")?.unwrap_or_default();
        let compression = self.text(element, "compression")?.unwrap_or_default();
        let encoding = match (&*encoding, Packing::named(&compression)) {
            ("", Some(Packing::Plain)) => Encoding::Elements,
            ("csv", Some(Packing::Plain)) => Encoding::Csv,
            ("base64", Some(packing)) => Encoding::Base64(packing),
            _ => {
                let found = format!("tiles packed by {} {}", quoted(&encoding), quoted(&compression));
                let expected =
                    "csv, or base64 with zlib, gzip, zstd or nothing; choose another in the map's properties";
                return Err(self.source.wrong(element.at, found, expected));
            }
        };
        if !document.is_infinite {
            let (width, height) = (self.number(layer, "width")?, self.number(layer, "height")?);
            let (width, height) = chunk_size(&self.source, layer.at, width, height)?;
            let data = self.tiles(element, encoding)?;
            chunks.push(Chunk { x: 0, y: 0, width, height, at: element.at, data });
            return Ok(());
        }
        while let Some(child) = self.child(element)? {
            if child.name() != b"chunk" {
                self.skip(&child)?;
                continue;
            }
            let corner = |name| self.number::<i32>(&child, name).map(i64::from);
            let (x, y) = (corner("x")?, corner("y")?);
            let (width, height) = (self.number(&child, "width")?, self.number(&child, "height")?);
            let (width, height) = chunk_size(&self.source, child.at, width, height)?;
            let data = self.tiles(&child, encoding)?;
            chunks.push(Chunk { x, y, width, height, at: child.at, data });
        }
        Ok(())
    }

    fn tiles(&mut self, element: &Element, encoding: Encoding) -> Result<Data<'a>, MapError> {
        match encoding {
            Encoding::Csv => Ok(Data::Csv(self.unescaped(element)?)),
            Encoding::Base64(packing) => Ok(Data::Base64(self.unescaped(element)?, packing)),
            Encoding::Elements => {
                let mut tiles = Vec::new();
                while let Some(child) = self.child(element)? {
                    if child.name() == b"tile" {
                        tiles.push(self.optional(&child, "gid")?.unwrap_or(0));
                    }
                    self.skip(&child)?;
                }
                Ok(Data::Tiles(tiles))
            }
        }
    }

    /// An object of a layer or of a tile.
    fn object(&mut self, element: &Element) -> Result<Object, MapError> {
        let number = |name| Ok(self.optional(element, name)?.unwrap_or(0.0));
        let mut object = Object {
            at: element.at,
            name: self.text(element, "name")?.unwrap_or_default().into_owned(),
            class: self.class(element)?.into_owned(),
            origin: [number("x")?, number("y")?],
            size: [number("width")?, number("height")?],
            rotation: number("rotation")?,
            tile: self.optional(element, "gid")?.filter(|&gid| gid != 0),
            form_at: (element.at, "a rectangle"),
            is_instance: self.text(element, "template")?.is_some(),
            ..Object::default()
        };
        while let Some(child) = self.child(element)? {
            let (form, shown) = match child.name() {
                b"properties" => {
                    object.properties = self.properties(&child)?;
                    continue;
                }
                b"ellipse" => (Form::Ellipse, "<ellipse>"),
                b"capsule" => (Form::Capsule, "<capsule>"),
                b"point" => (Form::Point, "<point>"),
                b"text" => (Form::Text, "<text>"),
                b"polygon" => (Form::Polygon(self.corners(&child)?), "<polygon>"),
                b"polyline" => (Form::Polyline(self.corners(&child)?), "<polyline>"),
                _ => {
                    self.skip(&child)?;
                    continue;
                }
            };
            (object.form, object.form_at) = (form, (child.at, shown));
            self.skip(&child)?;
        }
        Ok(object)
    }

    fn corners(&self, element: &Element) -> Result<Vec<[f64; 2]>, MapError> {
        let points = self.text(element, "points")?.unwrap_or_default();
        let pairs = points.split_ascii_whitespace().take(MAX_CORNERS + 1);
        let corners = pairs.map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some([x.parse().ok()?, y.parse().ok()?])
        });
        corners.collect::<Option<_>>().ok_or_else(|| {
            let expected = "points as in \"0,0 32,0 32,64\"";
            self.source.wrong(element.at, format!("points = {}", quoted(&points)), expected)
        })
    }
}
