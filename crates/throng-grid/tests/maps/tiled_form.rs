//! A map of Tiled as data, written in each form that Tiled has or had.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;

/// Name, type, value.
pub type Property = (&'static str, &'static str, &'static str);

#[derive(Clone, Debug)]
pub enum Form {
    Rectangle,
    Ellipse,
    Point,
    Polygon(Vec<(f64, f64)>),
    Polyline(Vec<(f64, f64)>),
}

#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub class: String,
    /// x, y, width, height.
    pub place: [f64; 4],
    pub rotation: f64,
    pub gid: u32,
    pub form: Form,
    pub properties: Vec<Property>,
}

#[derive(Clone, Debug)]
pub enum Content {
    Tiles(Vec<u32>),
    Objects(Vec<Object>),
    Group(Vec<Layer>),
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub name: String,
    pub class: String,
    pub offset: (f64, f64),
    pub properties: Vec<Property>,
    pub content: Content,
}

#[derive(Clone, Debug, Default)]
pub struct Tile {
    pub id: u32,
    pub class: String,
    pub properties: Vec<Property>,
    pub shapes: Vec<Object>,
}

/// A map of `size` cells, each of `side` pixels, with a tileset of four tiles of 16 x 16 pixels.
#[derive(Clone, Debug)]
pub struct Map {
    pub size: (u32, u32),
    pub side: u32,
    /// More attributes of the tileset, names and texts.
    pub set: Vec<(&'static str, &'static str)>,
    pub set_properties: Vec<Property>,
    /// How far tiles are drawn from their places.
    pub tile_offset: (f64, f64),
    pub tiles: Vec<Tile>,
    pub layers: Vec<Layer>,
    pub is_infinite: bool,
}

pub fn object(place: [f64; 4]) -> Object {
    let (name, class) = (String::new(), String::new());
    Object { name, class, place, rotation: 0.0, gid: 0, form: Form::Rectangle, properties: Vec::new() }
}

pub fn layer(name: &str, content: Content) -> Layer {
    Layer { name: name.into(), class: String::new(), offset: (0.0, 0.0), properties: Vec::new(), content }
}

/// A form of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Xml,
    Json,
    /// Tiled up to 1.1.
    OldJson,
}

impl Map {
    /// The text of a map; its tileset is in it, or in a file of this name.
    pub fn text(&self, written: Written, beside: Option<&str>) -> String {
        match written {
            Written::Xml => self.xml(beside),
            Written::Json => self.json(beside, false),
            Written::OldJson => self.json(beside, true),
        }
    }

    fn xml(&self, beside: Option<&str>) -> String {
        let ((width, height), side) = (self.size, self.side);
        let set = match beside {
            Some(name) => format!("<tileset firstgid=\"1\" source=\"{name}\"/>"),
            None => self.xml_set("firstgid=\"1\" "),
        };
        let layers: String = self.layers.iter().map(|layer| self.xml_layer(layer)).collect();
        format!(
            "<map orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" tilewidth=\"{side}\" tileheight=\"{side}\" \
             infinite=\"{}\">\n{set}\n{layers}</map>\n",
            u8::from(self.is_infinite)
        )
    }

    pub fn xml_set(&self, first: &str) -> String {
        let (more, (x, y)) = (attributes(&self.set), self.tile_offset);
        let tiles = self.tiles.iter().map(|tile| {
            let shapes: String = tile.shapes.iter().map(xml_object).collect();
            let shapes = if shapes.is_empty() {
                shapes
            } else {
                format!("<objectgroup draworder=\"index\">{shapes}</objectgroup>")
            };
            format!(
                "<tile id=\"{}\" type=\"{}\">{}{shapes}</tile>\n",
                tile.id,
                tile.class,
                xml_properties(&tile.properties)
            )
        });
        let tiles: String = tiles.collect();
        format!(
            "<tileset {first}name=\"t\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"4\" columns=\"4\"{more}>\
             <tileoffset x=\"{x}\" y=\"{y}\"/>{}<image source=\"t.png\" width=\"64\" height=\"16\"/>\n{tiles}</tileset>",
            xml_properties(&self.set_properties)
        )
    }

    fn xml_layer(&self, layer: &Layer) -> String {
        let (width, height) = self.size;
        let about = format!(
            "name=\"{}\" class=\"{}\" offsetx=\"{}\" offsety=\"{}\"",
            layer.name, layer.class, layer.offset.0, layer.offset.1
        );
        let properties = xml_properties(&layer.properties);
        match &layer.content {
            Content::Tiles(tiles) => {
                let numbers = csv(tiles);
                let data = if self.is_infinite {
                    format!("<chunk x=\"-16\" y=\"-32\" width=\"{width}\" height=\"{height}\">{numbers}</chunk>")
                } else {
                    numbers
                };
                format!(
                    "<layer {about} width=\"{width}\" height=\"{height}\">{properties}<data encoding=\"csv\">{data}</data></layer>\n"
                )
            }
            Content::Objects(objects) => {
                format!(
                    "<objectgroup {about}>{properties}\n{}</objectgroup>\n",
                    objects.iter().map(xml_object).collect::<String>()
                )
            }
            Content::Group(layers) => {
                let layers: String = layers.iter().map(|layer| self.xml_layer(layer)).collect();
                format!("<group {about}>{properties}\n{layers}</group>\n")
            }
        }
    }

    fn json(&self, beside: Option<&str>, is_old: bool) -> String {
        let ((width, height), side) = (self.size, self.side);
        let set = match beside {
            Some(name) => format!("{{\"firstgid\":1,\"source\":\"{name}\"}}"),
            None => self.json_set("\"firstgid\":1,", is_old),
        };
        let layers: Vec<String> = self.layers.iter().map(|layer| self.json_layer(layer, is_old)).collect();
        format!(
            "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"infinite\":{},\"width\":{width},\"height\":{height},\"tilewidth\":{side},\
             \"tileheight\":{side},\n\"tilesets\":[{set}],\n\"layers\":[{}]}}\n",
            self.is_infinite,
            layers.join(",\n")
        )
    }

    pub fn json_set(&self, first: &str, is_old: bool) -> String {
        let more: String = self.set.iter().map(|(name, value)| format!(",\"{name}\":\"{value}\"")).collect();
        let (x, y) = self.tile_offset;
        let head = format!(
            "{{{first}\"name\":\"t\",\"tilewidth\":16,\"tileheight\":16,\"tilecount\":4,\"columns\":4{more},\
             \"tileoffset\":{{\"x\":{x},\"y\":{y}}}{}",
            json_properties(&self.set_properties, is_old)
        );
        let about = |tile: &Tile| {
            let shapes: Vec<String> = tile.shapes.iter().map(|shape| json_object(shape, is_old)).collect();
            let group = format!(
                ",\"objectgroup\":{{\"draworder\":\"index\",\"type\":\"objectgroup\",\"objects\":[{}]}}",
                shapes.join(",")
            );
            let group = if shapes.is_empty() { String::new() } else { group };
            format!("\"type\":\"{}\"{group}", tile.class)
        };
        if !is_old {
            let tiles = self.tiles.iter();
            let tiles = tiles.map(|tile| {
                format!("{{\"id\":{},{}{}}}", tile.id, about(tile), json_properties(&tile.properties, false))
            });
            return format!("{head},\"tiles\":[{}]}}", tiles.collect::<Vec<_>>().join(",\n"));
        }
        let list = |entry: &dyn Fn(&Tile) -> String| {
            let entries = self.tiles.iter().map(|tile| format!("\"{}\":{}", tile.id, entry(tile)));
            entries.collect::<Vec<_>>().join(",")
        };
        let types = |tile: &Tile| {
            let types: Vec<String> =
                tile.properties.iter().map(|(name, kind, _)| format!("\"{name}\":\"{kind}\"")).collect();
            format!("{{{}}}", types.join(","))
        };
        let values = |tile: &Tile| json_values(&tile.properties);
        format!(
            "{head},\"tiles\":{{{}}},\n\"tileproperties\":{{{}}},\"tilepropertytypes\":{{{}}}}}",
            list(&|tile| format!("{{{}}}", about(tile))),
            list(&values),
            list(&types)
        )
    }

    fn json_layer(&self, layer: &Layer, is_old: bool) -> String {
        let (width, height) = self.size;
        let about = format!(
            "\"name\":\"{}\",\"class\":\"{}\",\"offsetx\":{},\"offsety\":{}{}",
            layer.name,
            layer.class,
            layer.offset.0,
            layer.offset.1,
            json_properties(&layer.properties, is_old)
        );
        match &layer.content {
            Content::Tiles(tiles) => {
                let data = if self.is_infinite {
                    format!(
                        "\"chunks\":[{{\"x\":-16,\"y\":-32,\"width\":{width},\"height\":{height},\"data\":[{}]}}]",
                        csv(tiles)
                    )
                } else {
                    format!("\"width\":{width},\"height\":{height},\"data\":[{}]", csv(tiles))
                };
                format!("{{\"type\":\"tilelayer\",{about},{data}}}")
            }
            Content::Objects(objects) => {
                let objects: Vec<String> = objects.iter().map(|object| json_object(object, is_old)).collect();
                format!("{{\"type\":\"objectgroup\",{about},\"objects\":[{}]}}", objects.join(",\n"))
            }
            Content::Group(layers) => {
                let layers: Vec<String> = layers.iter().map(|layer| self.json_layer(layer, is_old)).collect();
                format!("{{\"type\":\"group\",{about},\"layers\":[{}]}}", layers.join(",\n"))
            }
        }
    }
}

fn csv(tiles: &[u32]) -> String {
    tiles.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn attributes(list: &[(&str, &str)]) -> String {
    list.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect()
}

fn xml_properties(list: &[Property]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let mut text = "<properties>".to_owned();
    for (name, kind, value) in list {
        write!(text, "<property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>").unwrap();
    }
    text + "</properties>"
}

fn xml_object(object: &Object) -> String {
    let [x, y, width, height] = object.place;
    let points = |points: &[(f64, f64)]| points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ");
    let form = match &object.form {
        Form::Rectangle => String::new(),
        Form::Ellipse => "<ellipse/>".into(),
        Form::Point => "<point/>".into(),
        Form::Polygon(corners) => format!("<polygon points=\"{}\"/>", points(corners)),
        Form::Polyline(corners) => format!("<polyline points=\"{}\"/>", points(corners)),
    };
    let gid = if object.gid == 0 { String::new() } else { format!(" gid=\"{}\"", object.gid) };
    format!(
        "<object name=\"{}\" type=\"{}\"{gid} x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rotation=\"{}\">{}{form}</object>\n",
        object.name,
        object.class,
        object.rotation,
        xml_properties(&object.properties)
    )
}

/// As the members of an object.
fn json_values(list: &[Property]) -> String {
    let value = |kind: &str, value: &str| if kind == "string" { format!("\"{value}\"") } else { value.to_owned() };
    let members = list.iter().map(|(name, kind, text)| format!("\"{name}\":{}", value(kind, text)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn json_properties(list: &[Property], is_old: bool) -> String {
    if list.is_empty() {
        return String::new();
    }
    if is_old {
        return format!(",\"properties\":{}", json_values(list));
    }
    let value = |kind: &str, value: &str| if kind == "string" { format!("\"{value}\"") } else { value.to_owned() };
    let entries = list.iter().map(|(name, kind, text)| {
        format!("{{\"name\":\"{name}\",\"type\":\"{kind}\",\"value\":{}}}", value(kind, text))
    });
    format!(",\"properties\":[{}]", entries.collect::<Vec<_>>().join(","))
}

fn json_object(object: &Object, is_old: bool) -> String {
    let [x, y, width, height] = object.place;
    let points = |points: &[(f64, f64)]| {
        points.iter().map(|(x, y)| format!("{{\"x\":{x},\"y\":{y}}}")).collect::<Vec<_>>().join(",")
    };
    let form = match &object.form {
        Form::Rectangle => String::new(),
        Form::Ellipse => ",\"ellipse\":true".into(),
        Form::Point => ",\"point\":true".into(),
        Form::Polygon(corners) => format!(",\"polygon\":[{}]", points(corners)),
        Form::Polyline(corners) => format!(",\"polyline\":[{}]", points(corners)),
    };
    let gid = if object.gid == 0 { String::new() } else { format!(",\"gid\":{}", object.gid) };
    format!(
        "{{\"name\":\"{}\",\"type\":\"{}\"{gid},\"x\":{x},\"y\":{y},\"width\":{width},\"height\":{height},\"rotation\":{}{form}{}}}",
        object.name,
        object.class,
        object.rotation,
        json_properties(&object.properties, is_old)
    )
}
