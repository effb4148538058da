//! Writes maps for Tiled: three layers (ground, walls, heights), one tileset, and its picture beside the map.

use crate::files::MapFile;
use crate::{Cell, Grid, PLAIN, SWAMP};
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Side of a tile (pixels).
const TILE: u32 = 16;

/// Tiles side by side in the picture.
const COLUMNS: u32 = 32;

/// How a map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::files) enum Form {
    Xml,
    Json,
}

/// The kind of a tile of a written tileset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tile {
    Wall,
    Ground(u8),
    Height(u16),
}

impl Tile {
    /// Red, green, blue and how opaque.
    fn colour(self, highest: u16) -> [u8; 4] {
        match self {
            Self::Wall => [0x4A, 0x46, 0x42, 0xFF],
            Self::Ground(PLAIN) => [0xE4, 0xDC, 0xC6, 0xFF],
            Self::Ground(SWAMP) => [0x7F, 0x9E, 0x8A, 0xFF],
            // Classes without a meaning of their own: apart from each other, none very dark.
            Self::Ground(class) => {
                let part = |step: u8| 0x60 + class.wrapping_mul(step) % 0x98;
                [part(67), part(101), part(41), 0xFF]
            }
            Self::Height(height) => {
                let grey = (255 * u32::from(height) / u32::from(highest.max(1))) as u8;
                [grey, grey, grey, 0x70]
            }
        }
    }

    /// Name, type and value of its property; plain ground has none.
    fn property(self) -> Option<(&'static str, &'static str, String)> {
        match self {
            Self::Wall => Some(("wall", "bool", "true".to_owned())),
            Self::Ground(PLAIN) => None,
            Self::Ground(class) => Some(("terrain", "int", class.to_string())),
            Self::Height(height) => Some(("height", "float", format!("{}.{:02}", height / 100, height % 100))),
        }
    }
}

/// Our tiles on a map, and their numbers, from 1.
struct Set {
    numbers: BTreeMap<Tile, u32>,
    highest: u16,
}

impl Set {
    fn of(grid: &Grid) -> Self {
        let (mut classes, mut heights) = (vec![false; 256], vec![false; 65_536]);
        for cell in grid.lattice().cells() {
            classes[usize::from(grid.terrain(cell))] = true;
            heights[usize::from(grid.height(cell))] = true;
        }
        let highest = used(&heights).last().unwrap_or(0);
        classes[usize::from(PLAIN)] = true;
        let tiles = [Tile::Wall]
            .into_iter()
            .chain(used(&classes).map(|class| Tile::Ground(class as u8)))
            .chain(used(&heights).skip_while(|&height| height == 0).map(Tile::Height));
        Self { numbers: tiles.zip(1..).collect(), highest }
    }

    fn number(&self, tile: Tile) -> u32 {
        self.numbers.get(&tile).copied().unwrap_or(0)
    }

    fn count(&self) -> u32 {
        self.numbers.len() as u32
    }

    fn rows(&self) -> u32 {
        self.count().div_ceil(COLUMNS)
    }

    /// The picture of the tiles: squares with a border.
    fn picture(&self, out: &mut impl Write) -> io::Result<()> {
        let (width, height) = (COLUMNS * TILE, self.rows() * TILE);
        let mut pixels = vec![0; (width * height * 4) as usize];
        for (tile, number) in &self.numbers {
            let (left, top) = ((number - 1) % COLUMNS * TILE, (number - 1) / COLUMNS * TILE);
            let colour = tile.colour(self.highest);
            for (y, x) in (0..TILE).flat_map(|y| (0..TILE).map(move |x| (y, x))) {
                let is_edge = x == 0 || y == 0;
                let shade = |part: u8| if is_edge { part - part / 12 } else { part };
                let at = (((top + y) * width + left + x) * 4) as usize;
                let [red, green, blue, opaque] = colour;
                pixels[at..at + 4].copy_from_slice(&[shade(red), shade(green), shade(blue), opaque]);
            }
        }
        let mut encoder = png::Encoder::new(out, width, height);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(())
    }
}

/// The places of the flags that are set.
fn used(flags: &[bool]) -> impl Iterator<Item = u16> {
    flags.iter().enumerate().filter(|&(_, &used)| used).map(|(number, _)| number as u16)
}

/// Writes a map, and the picture of its tiles, which has the name `image`.
pub(in crate::files) fn write(
    map: &MapFile,
    form: Form,
    image: &str,
    out: &mut impl Write,
    picture: &mut impl Write,
) -> io::Result<()> {
    let set = Set::of(&map.grid);
    set.picture(picture)?;
    match form {
        Form::Xml => xml(map, &set, image, out),
        Form::Json => json(map, &set, image, out),
    }
}

/// The layers: a name, and the tile of each cell.
type TileOf<'a> = Box<dyn Fn(Cell) -> u32 + 'a>;

fn layers<'a>(grid: &'a Grid, set: &'a Set) -> Vec<(&'static str, TileOf<'a>)> {
    let wall = set.number(Tile::Wall);
    let mut layers: Vec<(_, TileOf)> = vec![
        ("ground", Box::new(|cell| set.number(Tile::Ground(grid.terrain(cell))))),
        ("walls", Box::new(move |cell| if grid.is_open(cell) { 0 } else { wall })),
    ];
    if set.highest > 0 {
        let height = |cell| match grid.height(cell) {
            0 => 0,
            height => set.number(Tile::Height(height)),
        };
        layers.push(("heights", Box::new(height)));
    }
    layers
}

/// Four bytes a cell, by zlib, in base64.
fn pack(grid: &Grid, tile: &dyn Fn(Cell) -> u32, out: &mut impl Write) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(EncoderWriter::new(out, &STANDARD), Compression::default());
    let mut row = Vec::new();
    let lattice = grid.lattice();
    for y in 0..lattice.height {
        row.clear();
        row.extend((0..lattice.width).flat_map(|x| tile(lattice.cell(x, y)).to_le_bytes()));
        encoder.write_all(&row)?;
    }
    encoder.finish()?.finish()?;
    Ok(())
}

/// Name and properties of an area, and its corners in pixels.
type Object<'a> = (&'a str, &'a [(String, String)], Vec<(f64, f64)>);

/// The areas.
fn corners(map: &MapFile) -> impl Iterator<Item = Object<'_>> {
    let scale = f64::from(TILE) / f64::from(map.grid.lattice().cell_size);
    map.areas.iter().map(move |area| {
        let corners = area.corners.iter().map(|corner| (f64::from(corner.x) * scale, f64::from(corner.y) * scale));
        (area.name.as_str(), area.properties.as_slice(), corners.collect())
    })
}

/// Name, properties (name, kind, value) and ends in pixels of a link.
type Line<'a> = (&'a str, [(&'static str, &'static str, String); 3], [(f64, f64); 2]);

/// The links.
fn links(map: &MapFile) -> impl Iterator<Item = Line<'_>> {
    let scale = f64::from(TILE) / f64::from(map.grid.lattice().cell_size);
    map.links.iter().map(move |link| {
        let properties = [
            ("both_ways", "bool", link.both_ways.to_string()),
            ("open", "bool", link.is_open.to_string()),
            ("seconds", "float", link.seconds.to_string()),
        ];
        let ends = [link.from, link.to].map(|end| (f64::from(end.x) * scale, f64::from(end.y) * scale));
        (link.name.as_str(), properties, ends)
    })
}

fn xml(map: &MapFile, set: &Set, image: &str, out: &mut impl Write) -> io::Result<()> {
    let (lattice, escape) = (map.grid.lattice(), |text: &str| quick_xml::escape::escape(text).into_owned());
    let (width, height, areas) = (lattice.width, lattice.height, map.areas.len());
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <map version=\"1.10\" orientation=\"orthogonal\" renderorder=\"right-down\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"{TILE}\" tileheight=\"{TILE}\" infinite=\"0\" nextlayerid=\"6\" nextobjectid=\"{}\">\n \
         <properties>\n  <property name=\"cell_size\" type=\"float\" value=\"{}\"/>\n </properties>\n \
         <tileset firstgid=\"1\" name=\"ground\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" tilecount=\"{}\" columns=\"{COLUMNS}\">\n  \
         <image source=\"{}\" width=\"{}\" height=\"{}\"/>",
        areas + map.links.len() + 1,
        lattice.cell_size,
        COLUMNS * set.rows(),
        escape(image),
        COLUMNS * TILE,
        set.rows() * TILE,
    )?;
    for (tile, number) in &set.numbers {
        if let Some((name, kind, value)) = tile.property() {
            writeln!(
                out,
                "  <tile id=\"{}\">\n   <properties>\n    <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>\n   \
                 </properties>\n  </tile>",
                number - 1
            )?;
        }
    }
    writeln!(out, " </tileset>")?;
    for ((name, tile), id) in layers(&map.grid, set).iter().zip(1..) {
        write!(
            out,
            " <layer id=\"{id}\" name=\"{name}\" width=\"{width}\" height=\"{height}\">\n  \
             <data encoding=\"base64\" compression=\"zlib\">\n   "
        )?;
        pack(&map.grid, tile, out)?;
        writeln!(out, "\n  </data>\n </layer>")?;
    }
    if areas > 0 {
        writeln!(out, " <objectgroup id=\"4\" name=\"areas\">")?;
        for ((name, properties, corners), id) in corners(map).zip(1..) {
            writeln!(out, "  <object id=\"{id}\" name=\"{}\" type=\"spawn\" x=\"0\" y=\"0\">", escape(name))?;
            if !properties.is_empty() {
                writeln!(out, "   <properties>")?;
                for (name, value) in properties {
                    writeln!(out, "    <property name=\"{}\" value=\"{}\"/>", escape(name), escape(value))?;
                }
                writeln!(out, "   </properties>")?;
            }
            let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
            writeln!(out, "   <polygon points=\"{}\"/>\n  </object>", points.join(" "))?;
        }
        writeln!(out, " </objectgroup>")?;
    }
    if !map.links.is_empty() {
        writeln!(out, " <objectgroup id=\"5\" name=\"links\">")?;
        for ((name, properties, [from, to]), id) in links(map).zip(areas + 1..) {
            writeln!(
                out,
                "  <object id=\"{id}\" name=\"{}\" type=\"link\" x=\"0\" y=\"0\">\n   <properties>",
                escape(name)
            )?;
            for (name, kind, value) in properties {
                writeln!(out, "    <property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>")?;
            }
            let line = format!("{},{} {},{}", from.0, from.1, to.0, to.1);
            writeln!(out, "   </properties>\n   <polyline points=\"{line}\"/>\n  </object>")?;
        }
        writeln!(out, " </objectgroup>")?;
    }
    writeln!(out, "</map>")
}

fn json(map: &MapFile, set: &Set, image: &str, out: &mut impl Write) -> io::Result<()> {
    let (lattice, quote) = (map.grid.lattice(), |text: &str| serde_json::Value::from(text).to_string());
    let (width, height) = (lattice.width, lattice.height);
    writeln!(
        out,
        "{{ \"type\":\"map\", \"version\":\"1.10\", \"orientation\":\"orthogonal\", \"renderorder\":\"right-down\",\n  \
         \"width\":{width}, \"height\":{height}, \"tilewidth\":{TILE}, \"tileheight\":{TILE}, \"infinite\":false,\n  \
         \"compressionlevel\":-1, \"nextlayerid\":6, \"nextobjectid\":{},\n  \
         \"properties\":[{{ \"name\":\"cell_size\", \"type\":\"float\", \"value\":{} }}],\n  \
         \"tilesets\":[{{ \"firstgid\":1, \"name\":\"ground\", \"tilewidth\":{TILE}, \"tileheight\":{TILE},\n    \
         \"tilecount\":{}, \"columns\":{COLUMNS}, \"margin\":0, \"spacing\":0,\n    \
         \"image\":{}, \"imagewidth\":{}, \"imageheight\":{},\n    \"tiles\":[",
        map.areas.len() + map.links.len() + 1,
        lattice.cell_size,
        COLUMNS * set.rows(),
        quote(image),
        COLUMNS * TILE,
        set.rows() * TILE,
    )?;
    let tiles = set.numbers.iter().filter_map(|(tile, number)| Some((tile.property()?, number)));
    for (i, ((name, kind, value), number)) in tiles.enumerate() {
        let comma = if i == 0 { "      " } else { ",\n      " };
        write!(
            out,
            "{comma}{{ \"id\":{}, \"properties\":[{{ \"name\":\"{name}\", \"type\":\"{kind}\", \"value\":{value} }}] }}",
            number - 1
        )?;
    }
    write!(out, "] }}],\n  \"layers\":[")?;
    for (i, (name, tile)) in layers(&map.grid, set).iter().enumerate() {
        let comma = if i == 0 { "\n    " } else { ",\n    " };
        write!(
            out,
            "{comma}{{ \"type\":\"tilelayer\", \"id\":{}, \"name\":\"{name}\", \"x\":0, \"y\":0, \"width\":{width}, \"height\":{height},\n      \
             \"opacity\":1, \"visible\":true, \"encoding\":\"base64\", \"compression\":\"zlib\", \"data\":\"",
            i + 1
        )?;
        pack(&map.grid, tile, out)?;
        write!(out, "\" }}")?;
    }
    if !map.areas.is_empty() {
        write!(
            out,
            ",\n    {{ \"type\":\"objectgroup\", \"id\":4, \"name\":\"areas\", \"x\":0, \"y\":0, \"opacity\":1, \"visible\":true,\n      \
             \"draworder\":\"topdown\", \"objects\":["
        )?;
        for ((name, properties, corners), id) in corners(map).zip(1..) {
            let comma = if id == 1 { "\n      " } else { ",\n      " };
            let properties: Vec<String> = properties
                .iter()
                .map(|(name, value)| {
                    format!("{{ \"name\":{}, \"type\":\"string\", \"value\":{} }}", quote(name), quote(value))
                })
                .collect();
            let points: Vec<String> = corners.iter().map(|(x, y)| format!("{{ \"x\":{x}, \"y\":{y} }}")).collect();
            write!(
                out,
                "{comma}{{ \"id\":{id}, \"name\":{}, \"type\":\"spawn\", \"x\":0, \"y\":0, \"width\":0, \"height\":0, \"rotation\":0,\n        \
                 \"visible\":true, \"properties\":[{}],\n        \"polygon\":[{}] }}",
                quote(name),
                properties.join(", "),
                points.join(", ")
            )?;
        }
        write!(out, "] }}")?;
    }
    if !map.links.is_empty() {
        write!(
            out,
            ",\n    {{ \"type\":\"objectgroup\", \"id\":5, \"name\":\"links\", \"x\":0, \"y\":0, \"opacity\":1, \"visible\":true,\n      \
             \"draworder\":\"topdown\", \"objects\":["
        )?;
        for (i, (name, properties, ends)) in links(map).enumerate() {
            let comma = if i == 0 { "\n      " } else { ",\n      " };
            let property =
                |(name, kind, value)| format!("{{ \"name\":\"{name}\", \"type\":\"{kind}\", \"value\":{value} }}");
            let points = ends.map(|(x, y)| format!("{{ \"x\":{x}, \"y\":{y} }}"));
            write!(
                out,
                "{comma}{{ \"id\":{}, \"name\":{}, \"type\":\"link\", \"x\":0, \"y\":0, \"width\":0, \"height\":0, \"rotation\":0,\n        \
                 \"visible\":true, \"properties\":[{}],\n        \"polyline\":[{}] }}",
                map.areas.len() + i + 1,
                quote(name),
                properties.map(property).join(", "),
                points.join(", ")
            )?;
        }
        write!(out, "] }}")?;
    }
    writeln!(out, "\n  ]\n}}")
}
