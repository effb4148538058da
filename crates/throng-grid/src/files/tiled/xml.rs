//! Maps (`.tmx`) and tilesets (`.tsx`) in XML, by `quick-xml`: an event at a time, so that no tree of elements is built.

use super::model::{
    self, Chunk, Data, Document, Kind, Kinds, MAX_AREAS, MAX_CORNERS, MAX_DEPTH, MAX_LAYERS, MAX_PROPERTIES, Packing,
    Properties, Property, Spawn, TileLayer, Tiles, Tileset, chunk_size,
};
use crate::MapError;
use crate::files::source::{Source, quoted};
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
    let mut layers = 0;
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
                    None => Tiles::Here(xml.tileset(&child)?),
                };
                document.tilesets.push(Tileset { first, at, tiles });
            }
            _ => xml.layer(&child, &mut document, &mut layers, 0, false)?,
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
                let value = self.text(&child, "value")?.unwrap_or_default().into_owned();
                properties.push(Property { name, value, at: child.at });
            }
            self.skip(&child)?;
        }
        Ok(Properties(properties))
    }

    /// The class of a tile or an object, which has had two names.
    fn class(&self, element: &Element) -> Result<Cow<'a, str>, MapError> {
        let class = self.text(element, "class")?;
        Ok(class.or(self.text(element, "type")?).unwrap_or_default())
    }

    fn tileset(&mut self, element: &Element) -> Result<Kinds, MapError> {
        let mut kinds =
            Kinds { count: self.optional(element, "tilecount")?.filter(|&count| count > 0), ..Kinds::default() };
        while let Some(child) = self.child(element)? {
            if child.name() != b"tile" {
                self.skip(&child)?;
                continue;
            }
            let id: u32 = self.number(&child, "id")?;
            let class = self.class(&child)?;
            let mut properties = Properties::default();
            while let Some(part) = self.child(&child)? {
                match part.name() {
                    b"properties" => properties = self.properties(&part)?,
                    b"image" => {
                        // A collection of images: numbers may be left out.
                        kinds.count = None;
                        self.skip(&part)?;
                    }
                    _ => self.skip(&part)?,
                }
            }
            let kind = Kind::new(&self.source, &class, &properties)?;
            if kind != Kind::default() {
                kinds.kinds.insert(id, kind);
            }
        }
        Ok(kinds)
    }

    /// A layer of any sort.
    fn layer(
        &mut self,
        element: &Element,
        document: &mut Document<'a>,
        layers: &mut usize,
        depth: usize,
        mut is_walls: bool,
    ) -> Result<(), MapError> {
        let kind = element.name();
        if !matches!(kind, b"layer" | b"objectgroup" | b"group") {
            return self.skip(element);
        }
        *layers += 1;
        if *layers > MAX_LAYERS || depth > MAX_DEPTH {
            let expected = format!("at most {MAX_LAYERS} layers, {MAX_DEPTH} groups in each other");
            return Err(self.source.wrong(element.at, "one more", expected));
        }
        is_walls |= self.text(element, "name")?.is_some_and(|name| name == "walls");
        let mut chunks = Vec::new();
        while let Some(child) = self.child(element)? {
            match (kind, child.name()) {
                (_, b"properties") => is_walls |= self.properties(&child)?.is_true(&self.source, "walls")?,
                (b"layer", b"data") => self.data(element, &child, document, &mut chunks)?,
                (b"objectgroup", b"object") => {
                    if let Some(spawn) = self.object(&child)? {
                        if document.spawns.len() == MAX_AREAS {
                            let expected = format!("at most {MAX_AREAS} spawn areas and links");
                            return Err(self.source.wrong(child.at, "one more", expected));
                        }
                        document.spawns.push(spawn);
                    }
                }
                // Tiled writes the properties of a group before its layers.
                (b"group", _) => self.layer(&child, document, layers, depth + 1, is_walls)?,
                _ => self.skip(&child)?,
            }
        }
        if kind == b"layer" {
            document.layers.push(TileLayer { is_walls, chunks });
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
            Encoding::Csv => Ok(Data::Csv(self.content(element)?)),
            Encoding::Base64(packing) => Ok(Data::Base64(Cow::Borrowed(self.content(element)?), packing)),
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

    /// An object, where it is a spawn area or a link.
    fn object(&mut self, element: &Element) -> Result<Option<Spawn>, MapError> {
        let is_link = match &*self.class(element)? {
            "spawn" => false,
            "link" => true,
            _ => {
                self.skip(element)?;
                return Ok(None);
            }
        };
        let size = |name| Ok(self.optional(element, name)?.unwrap_or(0.0));
        let extent = (size("width")?, size("height")?);
        let mut spawn = Spawn {
            is_link,
            name: self.text(element, "name")?.unwrap_or_default().into_owned(),
            at: element.at,
            origin: (size("x")?, size("y")?),
            corners: model::rectangle(is_link, extent),
            rotation: size("rotation")?,
            properties: Properties::default(),
        };
        while let Some(child) = self.child(element)? {
            match child.name() {
                b"properties" => spawn.properties = self.properties(&child)?,
                b"polygon" | b"polyline" if is_link == (child.name() == b"polyline") => {
                    let points = self.text(&child, "points")?.unwrap_or_default();
                    let pairs = points.split_ascii_whitespace().take(MAX_CORNERS + 1);
                    let corners = pairs.map(|pair| {
                        let (x, y) = pair.split_once(',')?;
                        Some((x.parse().ok()?, y.parse().ok()?))
                    });
                    spawn.corners = corners.collect::<Option<_>>().ok_or_else(|| {
                        let expected = "points as in \"0,0 32,0 32,64\"";
                        self.source.wrong(child.at, format!("points = {}", quoted(&points)), expected)
                    })?;
                    self.skip(&child)?;
                }
                b"ellipse" | b"point" | b"polygon" | b"polyline" | b"text" => {
                    let expected = model::shape(is_link);
                    return Err(self.source.wrong(child.at, child.shown(), expected));
                }
                _ => self.skip(&child)?,
            }
        }
        Ok(Some(spawn))
    }
}
