//! Every part of a Tiled map that people use for walls, in every form: walls, or one warning that names it.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::tiled_form::{Content, Form, Layer, Map, Object, Property, Tile, Written, layer, object};
use throng_grid::{Grid, MapFile, MapOptions};

/// Six columns, four rows, of 16 pixels.
fn map() -> Map {
    Map {
        size: (6, 4),
        side: 16,
        set: Vec::new(),
        set_properties: Vec::new(),
        tile_offset: (0.0, 0.0),
        tiles: Vec::new(),
        layers: Vec::new(),
        is_infinite: false,
    }
}

/// A layer with tile 1 in column 1, tile 2 in column 3.
fn tiles(name: &str) -> Layer {
    layer(name, Content::Tiles([0, 1, 0, 2, 0, 0].repeat(4)))
}

fn objects(name: &str, objects: &[Object]) -> Layer {
    layer(name, Content::Objects(objects.to_vec()))
}

/// All cells of column 1, as pixels.
const COLUMN: [f64; 4] = [16.0, 0.0, 16.0, 64.0];

fn formed(place: [f64; 4], form: Form) -> Object {
    Object { form, ..object(place) }
}

fn rows(grid: &Grid) -> String {
    let lattice = grid.lattice();
    let letter = |cell| if grid.is_open(cell) { '.' } else { '#' };
    let row = |y| (0..lattice.width).map(|x| letter(lattice.cell(x, y))).collect::<String>();
    (0..lattice.height).map(row).collect::<Vec<_>>().join(" ")
}

/// Rows that are all alike.
fn all(row: &str) -> String {
    [row; 4].join(" ")
}

/// What is expected of a map.
struct Case {
    what: String,
    map: Map,
    rows: String,
    /// A part of each warning.
    warnings: Vec<&'static str>,
}

struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, what: impl Into<String>, map: Map, rows: &str) {
        let rows = if rows.contains(' ') { rows.to_owned() } else { all(rows) };
        self.0.push(Case { what: what.into(), map, rows, warnings: Vec::new() });
    }

    fn warned(&mut self, what: impl Into<String>, map: Map, rows: &str, warning: &'static str) {
        self.add(what, map, rows);
        self.0.last_mut().unwrap().warnings.push(warning);
    }

    /// The misses, in each form.
    fn misses(&self) -> Vec<String> {
        let mut misses = Vec::new();
        for case in &self.0 {
            for (written, beside) in [
                (Written::Xml, None),
                (Written::Json, None),
                (Written::OldJson, None),
                (Written::Xml, Some("t.tsx")),
                (Written::Json, Some("t.tsj")),
                (Written::OldJson, Some("old.tsj")),
            ] {
                let miss = case.miss(written, beside);
                misses.extend(miss.map(|miss| format!("{} ({written:?}, {beside:?}): {miss}", case.what)));
            }
        }
        misses
    }
}

impl Case {
    fn miss(&self, written: Written, beside: Option<&str>) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        match beside {
            Some("t.tsx") => write("t.tsx", &self.map.xml_set("")),
            Some(name) => write(name, &self.map.json_set("\"type\":\"tileset\",", name == "old.tsj")),
            None => {}
        }
        let name = if written == Written::Xml { "a.tmx" } else { "a.tmj" };
        write(name, &self.map.text(written, beside));
        let map = match MapFile::load(folder.path().join(name), &MapOptions::default()) {
            Ok(map) => map,
            Err(error) => return Some(error.to_string()),
        };
        let found: Vec<String> = map.warnings.iter().map(ToString::to_string).collect();
        let is_warned = found.len() == self.warnings.len()
            && found.iter().zip(&self.warnings).all(|(found, warning)| found.contains(warning));
        if rows(&map.grid) == self.rows && is_warned {
            return None;
        }
        Some(format!("{} {found:?}, expected {} {:?}", rows(&map.grid), self.rows, self.warnings))
    }
}

const NAMES: [&str; 14] = [
    "walls",
    "Walls",
    "WALL",
    "Collision",
    "collisions",
    "Collision Layer",
    "collisionObjects",
    "Obstacles",
    "blocked",
    "Blocking",
    "solid",
    "Impassable",
    "not walkable",
    "Tiles_Solid_2",
];

const PROPERTIES: [Property; 14] = [
    ("wall", "bool", "true"),
    ("walls", "bool", "true"),
    ("Wall", "bool", "true"),
    ("solid", "bool", "true"),
    ("isSolid", "bool", "true"),
    ("collides", "bool", "true"),
    ("Collision", "bool", "true"),
    ("collidable", "string", "true"),
    ("blocked", "int", "1"),
    ("BLOCKED", "bool", "true"),
    ("obstacle", "string", "yes"),
    ("walkable", "bool", "false"),
    ("Passable", "int", "0"),
    ("is_walkable", "string", "false"),
];

#[test]
fn names_of_layers_and_classes_close_what_is_in_them() {
    let mut cases = Cases(Vec::new());
    for name in NAMES {
        cases.add(format!("tile layer {name}"), Map { layers: vec![tiles(name)], ..map() }, ".#.#..");
        let classed = Layer { class: name.into(), ..tiles("a") };
        cases.add(format!("tile layer of class {name}"), Map { layers: vec![classed], ..map() }, ".#.#..");
        let drawn = objects(name, &[object(COLUMN)]);
        cases.add(format!("object layer {name}"), Map { layers: vec![drawn], ..map() }, ".#....");
        let grouped = layer(name, Content::Group(vec![layer("b", Content::Group(vec![tiles("a")]))]));
        cases.add(format!("group {name}"), Map { layers: vec![grouped], ..map() }, ".#.#..");
        let grouped = layer(name, Content::Group(vec![objects("a", &[object(COLUMN)])]));
        cases.add(format!("objects in group {name}"), Map { layers: vec![grouped], ..map() }, ".#....");
        let classed = Object { class: name.into(), ..object(COLUMN) };
        cases.add(format!("class {name}"), Map { layers: vec![objects("a", &[classed])], ..map() }, ".#....");
        let named = Object { name: name.into(), ..object(COLUMN) };
        cases.add(format!("object {name}"), Map { layers: vec![objects("a", &[named])], ..map() }, ".#....");
        let tile = Tile { id: 0, class: name.into(), ..Tile::default() };
        cases.add(
            format!("tile of class {name}"),
            Map { tiles: vec![tile], layers: vec![tiles("a")], ..map() },
            ".#....",
        );
    }
    let door = Object { name: "wall".into(), class: "door".into(), ..object(COLUMN) };
    cases.add("a door in the wall", Map { layers: vec![objects("a", &[door])], ..map() }, "......");
    for name in ["ground", "Objects", "Trees", "Wallpaper", "Solidarity"] {
        cases.add(
            format!("layer {name}"),
            Map { layers: vec![tiles(name), objects(name, &[object(COLUMN)])], ..map() },
            "......",
        );
    }
    for name in ["Wall shadows", "behind walls", "walkable"] {
        cases.warned(format!("layer {name}"), Map { layers: vec![tiles(name)], ..map() }, "......", name);
        cases.warned(
            format!("layer {name}"),
            Map { layers: vec![objects(name, &[object(COLUMN)])], ..map() },
            "......",
            name,
        );
    }
    let misses = cases.misses();
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 6 * cases.0.len(), misses.join("\n"));
}

#[test]
fn properties_close_what_has_them() {
    let mut cases = Cases(Vec::new());
    for property in PROPERTIES {
        let (properties, what) = (vec![property], format!("{property:?}"));
        let tile = Tile { id: 0, properties: properties.clone(), ..Tile::default() };
        cases.add(format!("tile {what}"), Map { tiles: vec![tile], layers: vec![tiles("a")], ..map() }, ".#....");
        let set = Map { set_properties: properties.clone(), layers: vec![tiles("a")], ..map() };
        cases.add(format!("tileset {what}"), set, ".#.#..");
        let marked = Layer { properties: properties.clone(), ..tiles("a") };
        cases.add(format!("tile layer {what}"), Map { layers: vec![marked], ..map() }, ".#.#..");
        let marked = Layer { properties: properties.clone(), ..objects("a", &[object(COLUMN)]) };
        cases.add(format!("object layer {what}"), Map { layers: vec![marked], ..map() }, ".#....");
        let marked = Layer { properties: properties.clone(), ..layer("a", Content::Group(vec![tiles("a")])) };
        cases.add(format!("group {what}"), Map { layers: vec![marked], ..map() }, ".#.#..");
        let marked = Object { properties, ..object(COLUMN) };
        cases.add(format!("object {what}"), Map { layers: vec![objects("a", &[marked])], ..map() }, ".#....");
    }
    // What says that it is none.
    let no: Vec<Property> = vec![("collides", "bool", "false")];
    let open = Layer { properties: no.clone(), ..tiles("walls") };
    cases.add("walls that are none", Map { layers: vec![open], ..map() }, "......");
    let open = Object { properties: no.clone(), ..object(COLUMN) };
    cases.add("an object that is none", Map { layers: vec![objects("walls", &[open])], ..map() }, "......");
    let tile = Tile { id: 0, properties: no, ..Tile::default() };
    let set =
        Map { tiles: vec![tile], set_properties: vec![("solid", "bool", "true")], layers: vec![tiles("a")], ..map() };
    cases.add("a tile that is none", set, "...#..");
    // What says nothing clear.
    for property in [("collision", "string", "box"), ("collisionType", "bool", "true"), ("blocked", "int", "7")] {
        let tile = Tile { id: 0, properties: vec![property], ..Tile::default() };
        cases.warned(
            format!("{property:?}"),
            Map { tiles: vec![tile], layers: vec![tiles("a")], ..map() },
            "......",
            property.0,
        );
    }
    let misses = cases.misses();
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 6 * cases.0.len(), misses.join("\n"));
}

#[test]
fn shapes_of_tiles_close_cells() {
    let mut cases = Cases(Vec::new());
    let square = vec![(0.0, 0.0), (16.0, 0.0), (16.0, 16.0), (0.0, 16.0)];
    let with = |shape: Object| {
        let tile = Tile { id: 0, shapes: vec![shape], ..Tile::default() };
        Map { tiles: vec![tile], layers: vec![tiles("a")], ..map() }
    };
    for (what, shape) in [
        ("rectangle", object([0.0, 0.0, 16.0, 16.0])),
        ("left half", object([0.0, 0.0, 8.0, 16.0])),
        ("right half", object([8.0, 0.0, 8.0, 16.0])),
        ("lower half", object([0.0, 8.0, 16.0, 8.0])),
        ("thin, above", object([0.0, 0.0, 16.0, 2.0])),
        ("thin, below", object([0.0, 13.0, 16.0, 2.0])),
        ("turned", Object { rotation: 90.0, ..object([16.0, 0.0, 16.0, 16.0]) }),
        ("ellipse", formed([0.0, 0.0, 16.0, 16.0], Form::Ellipse)),
        ("polygon", formed([0.0; 4], Form::Polygon(square.clone()))),
        ("triangle", formed([0.0, 16.0, 0.0, 0.0], Form::Polygon(vec![(0.0, 0.0), (16.0, 0.0), (0.0, -16.0)]))),
        ("polyline", formed([0.0; 4], Form::Polyline(vec![(0.0, 8.0), (16.0, 8.0)]))),
        ("diagonal", formed([0.0; 4], Form::Polyline(vec![(0.0, 0.0), (16.0, 16.0)]))),
    ] {
        cases.add(what, with(shape.clone()), ".#....");
        let none = Object { properties: vec![("solid", "bool", "false")], ..shape };
        cases.add(format!("{what} that is none"), with(none), "......");
    }
    cases.warned("too small", with(object([0.0, 0.0, 2.0, 2.0])), "......", "tile 0 of a tileset");
    // A tile that is larger than cells, and one that is as large as they are said to be; turned ones.
    let trunk = object([0.0, 8.0, 8.0, 8.0]);
    let set = with(trunk);
    let alone = |bits: u32| layer("a", Content::Tiles((0..24).map(|at| if at == 14 { bits | 1 } else { 0 }).collect()));
    let small = |bits: u32| Map { side: 8, layers: vec![alone(bits)], ..set.clone() };
    // Two by two cells, from the lower left one.
    cases.add("large tile", small(0), "...... ...... ..#... ......");
    cases.add("large tile, mirrored", small(0x8000_0000), "...... ...... ...#.. ......");
    cases.add("large tile, upside down", small(0x4000_0000), "...... ..#... ...... ......");
    cases.add("large tile, turned round", small(0xC000_0000), "...... ...#.. ...... ......");
    cases.add("large tile, turned to the right", small(0xA000_0000), "...... ..#... ...... ......");
    cases.add("large tile, turned to the left", small(0x6000_0000), "...... ...... ...#.. ......");
    let moved = Map { tile_offset: (8.0, -8.0), ..small(0) };
    cases.add("large tile, drawn elsewhere", moved, "...... ...#.. ...... ......");
    let fitted = Map { set: vec![("tilerendersize", "grid")], ..small(0) };
    cases.add("large tile in a cell", fitted, "...... ...... ..#... ......");
    let fitted = Map { set: vec![("tilerendersize", "grid"), ("fillmode", "preserve-aspect-fit")], ..small(0) };
    cases.add("large tile in a cell", fitted, "...... ...... ..#... ......");
    let misses = cases.misses();
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 6 * cases.0.len(), misses.join("\n"));
}

#[test]
fn objects_close_the_cells_that_they_cover() {
    let mut cases = Cases(Vec::new());
    let mut add = |what: &str, object: Object, rows: &str| {
        cases.add(what, Map { layers: vec![objects("Collision", &[object])], ..map() }, rows);
    };
    let square = vec![(0.0, 0.0), (32.0, 0.0), (32.0, 32.0), (0.0, 32.0)];
    let middle = "...... .##... .##... ......";
    add("rectangle", object([16.0, 16.0, 32.0, 32.0]), middle);
    add("rectangle, a little off", object([15.0, 17.0, 32.0, 32.0]), middle);
    add("turned", Object { rotation: 90.0, ..object([48.0, 16.0, 32.0, 32.0]) }, middle);
    add("turned about", Object { rotation: 180.0, ..object([48.0, 48.0, 32.0, 32.0]) }, middle);
    add("turned back", Object { rotation: -90.0, ..object([16.0, 48.0, 32.0, 32.0]) }, middle);
    add("ellipse", formed([16.0, 16.0, 32.0, 32.0], Form::Ellipse), middle);
    add("polygon", formed([16.0, 16.0, 0.0, 0.0], Form::Polygon(square)), middle);
    add("large ellipse", formed([0.0, 0.0, 96.0, 64.0], Form::Ellipse), ".####. ###### ###### .####.");
    add(
        "polyline",
        formed([16.0, 8.0, 0.0, 0.0], Form::Polyline(vec![(0.0, 0.0), (32.0, 0.0)])),
        ".##... ...... ...... ......",
    );
    add(
        "polyline along a border",
        formed([32.0, 0.0, 0.0, 0.0], Form::Polyline(vec![(0.0, 0.0), (0.0, 64.0)])),
        &all("..#..."),
    );
    add("thin", object([30.0, 0.0, 1.0, 64.0]), &all(".#...."));
    add("tile", Object { gid: 1, ..object([16.0, 48.0, 32.0, 32.0]) }, middle);
    add("turned tile", Object { gid: 1, rotation: 90.0, ..object([16.0, 16.0, 32.0, 32.0]) }, middle);
    // Shapes of its tile.
    let tile = |properties, shapes| vec![Tile { id: 0, properties, shapes, ..Tile::default() }];
    let drawn = |bits: u32| objects("a", &[Object { gid: bits | 1, ..object([16.0, 48.0, 32.0, 32.0]) }]);
    let shaped = |bits: u32, rows: &str| {
        let map =
            Map { tiles: tile(Vec::new(), vec![object([0.0, 0.0, 8.0, 8.0])]), layers: vec![drawn(bits)], ..map() };
        (format!("shapes of the tile of an object, {bits:x}"), map, rows.to_owned())
    };
    for (what, map, rows) in [
        shaped(0, "...... .#.... ...... ......"),
        shaped(0x8000_0000, "...... ..#... ...... ......"),
        shaped(0x4000_0000, "...... ...... .#.... ......"),
        shaped(0xC000_0000, "...... ...... ..#... ......"),
    ] {
        cases.add(what, map, &rows);
    }
    let solid = Map { tiles: tile(vec![("solid", "bool", "true")], Vec::new()), layers: vec![drawn(0)], ..map() };
    cases.add("a tile that is a wall", solid, middle);
    cases.add("a tile that is none", Map { layers: vec![drawn(0)], ..map() }, "......");
    for (what, object, warning) in [
        ("point", formed([20.0, 20.0, 0.0, 0.0], Form::Point), "the point is no wall"),
        ("no extent", object([20.0, 20.0, 0.0, 0.0]), "the rectangle is no wall"),
        ("no extent, on a centre", object([24.0, 24.0, 0.0, 0.0]), "the rectangle is no wall"),
        ("one corner", formed([24.0, 24.0, 0.0, 0.0], Form::Polygon(vec![(0.0, 0.0)])), "the polygon is no wall"),
        ("off the map", object([-50.0, 20.0, 16.0, 16.0]), "the rectangle closes no cell"),
        ("too small", object([15.0, 15.0, 2.0, 2.0]), "the rectangle closes no cell"),
    ] {
        cases.warned(what, Map { layers: vec![objects("walls", &[object])], ..map() }, "......", warning);
    }
    let misses = cases.misses();
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 6 * cases.0.len(), misses.join("\n"));
}

#[test]
fn layers_that_are_moved_close_cells_where_they_are_drawn() {
    let mut cases = Cases(Vec::new());
    let moved = |x: f64, y: f64, layer: Layer| Layer { offset: (x, y), ..layer };
    let drawn = || objects("walls", &[object(COLUMN)]);
    cases.add("tiles", Map { layers: vec![moved(16.0, 32.0, tiles("walls"))], ..map() }, "...... ...... ..#.#. ..#.#.");
    cases.add("objects", Map { layers: vec![moved(16.0, 32.0, drawn())], ..map() }, "...... ...... ..#... ..#...");
    for layer in [tiles("walls"), drawn()] {
        let is_tiles = matches!(layer.content, Content::Tiles(_));
        let group = moved(16.0, 32.0, self::layer("a", Content::Group(vec![moved(16.0, -16.0, layer)])));
        let rows = if is_tiles { "...... ...#.# ...#.# ...#.#" } else { "...... ...#.. ...#.. ...#.." };
        cases.add("in a group", Map { layers: vec![group], ..map() }, rows);
    }
    cases.warned(
        "not whole",
        Map { layers: vec![moved(10.0, 0.0, tiles("walls"))], ..map() },
        "..#.#.",
        "moved by 10, 0 pixels",
    );
    cases.add("not whole, without weight", Map { layers: vec![moved(10.0, 0.0, tiles("a"))], ..map() }, "......");
    // From the cell -15, -32 on.
    let shifted = object([-14.0 * 16.0, -32.0 * 16.0, 16.0, 32.0]);
    let infinite = Map { is_infinite: true, layers: vec![tiles("Walls"), objects("Walls", &[shifted])], ..map() };
    cases.add("an infinite map", infinite, "### ### #.# #.#");
    let layers = vec![moved(16.0, -32.0, tiles("Walls")), tiles("a")];
    let infinite = Map { is_infinite: true, layers, ..map() };
    cases.add("an infinite map of two layers", infinite, ".#.# .#.# .#.# .#.# .... ....");
    let misses = cases.misses();
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 6 * cases.0.len(), misses.join("\n"));
}

#[test]
fn a_capsule_is_round_at_its_ends() {
    let capsule = |place: [f64; 4]| {
        let map = Map { layers: vec![objects("walls", &[object(place)])], ..map() };
        let text = map.text(Written::Xml, None).replace("</object>", "<capsule/></object>");
        rows(&MapFile::from_bytes(text.as_bytes(), "a.tmx", &MapOptions::default()).unwrap().grid)
    };
    assert_eq!(capsule([16.0, 0.0, 32.0, 64.0]), all(".##..."), "upright");
    assert_eq!(capsule([0.0, 0.0, 96.0, 64.0]), ".####. ###### ###### .####.", "lying");
}

/// The class of a thing was its type, is its class, or is written as both.
#[test]
fn classes_have_had_two_names() {
    let classed = Object { class: "Wall".into(), ..object(COLUMN) };
    let map = Map { layers: vec![objects("a", &[classed])], ..map() };
    for (written, name, kinds) in [
        (
            Written::Xml,
            "a.tmx",
            ["type=\"Wall\"", "class=\"Wall\"", "class=\"\" type=\"Wall\"", "class=\"Wall\" type=\"\""],
        ),
        (
            Written::Json,
            "a.tmj",
            [
                "\"type\":\"Wall\"",
                "\"class\":\"Wall\"",
                "\"class\":\"\",\"type\":\"Wall\"",
                "\"class\":\"Wall\",\"type\":\"\"",
            ],
        ),
    ] {
        for kind in kinds {
            let text = map
                .text(written, None)
                .replace(if written == Written::Xml { "type=\"Wall\"" } else { "\"type\":\"Wall\"" }, kind);
            let read = MapFile::from_bytes(text.as_bytes(), name, &MapOptions::default()).unwrap();
            assert_eq!(rows(&read.grid), all(".#...."), "{kind}");
        }
    }
}

/// Parts that cannot be read say so, once.
#[test]
fn what_is_left_out_is_said_once() {
    let warned = |layers: &str| {
        let text = map().text(Written::Xml, None).replace("</map>", &format!("{layers}</map>"));
        let map = MapFile::from_bytes(text.as_bytes(), "a.tmx", &MapOptions::default()).unwrap();
        assert_eq!(map.grid.open_cells(), 24);
        map.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        warned("<imagelayer name=\"Walls\"><image source=\"a.png\"/></imagelayer>"),
        ["a.tmx:4:1: the image layer \"Walls\" is left out; draw walls as tiles, or as objects"]
    );
    let two = "<object template=\"a.tx\" x=\"4\" y=\"4\"/>".repeat(2);
    assert_eq!(
        warned(&format!("<objectgroup>{two}</objectgroup>")),
        [
            "a.tmx:4:14: objects made from templates are left out, walls and spawn areas too; choose Detach in their menu"
        ]
    );
    let text = "<object width=\"16\" height=\"16\"><text>a</text></object>";
    assert_eq!(
        warned(&format!("<objectgroup name=\"walls\">{text}</objectgroup>")),
        ["a.tmx:4:27: the text is no wall, since it has no extent; draw a rectangle, a polygon or a line"]
    );
    // However many there are.
    let many: String = (0..50).map(|number| format!("<layer name=\"wall {number} x{number}\"/>")).collect();
    assert_eq!(warned(&many).len(), 1 + 20);
    let many: String =
        "abcdefghijklmnopqrstuvwxyz".chars().map(|letter| format!("<group name=\"walls {letter}q\"/>")).collect();
    assert_eq!(warned(&many).last().unwrap(), "a.tmx: 6 more parts were left out");
}
