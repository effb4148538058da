//! Where Tiled draws an object that is a tile, by hand.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::tiled_form::{Content, Form, Layer, Map, Object, Tile, Written, layer, object};
use throng_grid::{MapFile, MapOptions};

/// Ten by ten cells of 10 pixels.
fn map(objects: Vec<Object>) -> Map {
    Map {
        size: (10, 10),
        side: 10,
        set: Vec::new(),
        set_properties: Vec::new(),
        tile_offset: (0.0, 0.0),
        tiles: Vec::new(),
        layers: vec![layer("a", Content::Objects(objects))],
        is_infinite: false,
    }
}

fn spawn(place: [f64; 4]) -> Object {
    Object { name: "gate".into(), class: "spawn".into(), gid: 1, ..object(place) }
}

/// Left, top, right and bottom of the area in tenths of a metre, in both forms.
fn bounds(map: &Map) -> Vec<[i32; 4]> {
    let read = |written| {
        let name = if written == Written::Xml { "a.tmx" } else { "a.tmj" };
        let map = MapFile::from_bytes(map.text(written, None).as_bytes(), name, &MapOptions::default()).unwrap();
        assert_eq!((map.areas.len(), map.grid.open_cells()), (1, 100));
        let (least, most) = map.areas[0].bounds();
        [least.x, least.y, most.x, most.y].map(|at| (at * 10.0).round() as i32)
    };
    let mut found = [Written::Xml, Written::Json, Written::OldJson].map(read).to_vec();
    found.dedup();
    found
}

/// At (50, 50), 20 wide and 10 high: where each alignment puts it, not turned, turned by 90, 180 and 270 degrees.
const ALIGNED: [(&str, [[i32; 4]; 4]); 10] = [
    ("unspecified", [[50, 40, 70, 50], [50, 50, 60, 70], [30, 50, 50, 60], [40, 30, 50, 50]]),
    ("bottomleft", [[50, 40, 70, 50], [50, 50, 60, 70], [30, 50, 50, 60], [40, 30, 50, 50]]),
    ("bottom", [[40, 40, 60, 50], [50, 40, 60, 60], [40, 50, 60, 60], [40, 40, 50, 60]]),
    ("bottomright", [[30, 40, 50, 50], [50, 30, 60, 50], [50, 50, 70, 60], [40, 50, 50, 70]]),
    ("left", [[50, 45, 70, 55], [45, 50, 55, 70], [30, 45, 50, 55], [45, 30, 55, 50]]),
    ("center", [[40, 45, 60, 55], [45, 40, 55, 60], [40, 45, 60, 55], [45, 40, 55, 60]]),
    ("right", [[30, 45, 50, 55], [45, 30, 55, 50], [50, 45, 70, 55], [45, 50, 55, 70]]),
    ("topleft", [[50, 50, 70, 60], [40, 50, 50, 70], [30, 40, 50, 50], [50, 30, 60, 50]]),
    ("top", [[40, 50, 60, 60], [40, 40, 50, 60], [40, 40, 60, 50], [50, 40, 60, 60]]),
    ("topright", [[30, 50, 50, 60], [40, 30, 50, 50], [50, 40, 70, 50], [50, 50, 60, 70]]),
];

#[test]
fn an_area_made_of_a_tile_stands_where_tiled_draws_it() {
    let mut misses = Vec::new();
    for (alignment, turns) in ALIGNED {
        for (turn, expected) in turns.into_iter().enumerate() {
            // However its picture is mirrored or turned in its frame.
            for flags in [0, 0x8000_0000, 0x4000_0000, 0xC000_0000] {
                let rotation = 90.0 * turn as f64;
                for rotation in [rotation, rotation - 360.0] {
                    let object = Object { gid: 1 | flags, rotation, ..spawn([50.0, 50.0, 20.0, 10.0]) };
                    let map = Map { set: vec![("objectalignment", alignment)], ..map(vec![object]) };
                    let found = bounds(&map);
                    if found != [expected] {
                        misses.push(format!("{alignment} {rotation} {flags:x}: {found:?}, expected {expected:?}"));
                    }
                }
            }
        }
    }
    assert!(misses.is_empty(), "{} of {}:\n{}", misses.len(), 10 * 4 * 4 * 2, misses.join("\n"));
}

#[test]
fn the_size_of_a_tile_its_offset_and_its_class_count() {
    // Without a size of its own an object is as large as its tile, 16 x 16.
    assert_eq!(bounds(&map(vec![spawn([50.0, 50.0, 0.0, 0.0])])), [[50, 34, 66, 50]]);
    // An offset of the tileset grows with the object: 8 of 16 pixels are half of it.
    let moved = Map { tile_offset: (8.0, -4.0), ..map(vec![spawn([50.0, 50.0, 20.0, 20.0])]) };
    assert_eq!(bounds(&moved), [[60, 25, 80, 45]]);
    // Layers and groups that are moved.
    let inner = Layer { offset: (10.0, 0.0), ..map(vec![spawn([50.0, 50.0, 20.0, 10.0])]).layers.remove(0) };
    let group = Layer { offset: (-20.0, 5.0), ..layer("g", Content::Group(vec![inner])) };
    assert_eq!(bounds(&Map { layers: vec![group], ..map(Vec::new()) }), [[40, 45, 60, 55]]);
    // What is no tile stands at its left upper corner, whatever its tileset says.
    let plain = Object { gid: 0, ..spawn([50.0, 50.0, 20.0, 10.0]) };
    let centred = Map { set: vec![("objectalignment", "center")], ..map(vec![plain.clone()]) };
    assert_eq!(bounds(&centred), [[50, 50, 70, 60]]);
    let drawn = Object { form: Form::Polygon(vec![(0.0, 0.0), (20.0, 0.0), (0.0, 10.0)]), rotation: 90.0, ..plain };
    assert_eq!(bounds(&map(vec![drawn])), [[40, 50, 50, 70]]);
    // An object without a class has that of its tile.
    let tile = Tile { id: 0, class: "Spawn".into(), properties: vec![("count", "int", "7")], ..Tile::default() };
    let unnamed = Object { class: String::new(), ..spawn([50.0, 50.0, 20.0, 10.0]) };
    let classed = Map { tiles: vec![tile], ..map(vec![unnamed]) };
    assert_eq!(bounds(&classed), [[50, 40, 70, 50]]);
    let text = classed.text(Written::Json, None);
    let read = MapFile::from_bytes(text.as_bytes(), "a.tmj", &MapOptions::default()).unwrap();
    assert_eq!(read.areas[0].property("count"), Some("7"));
    // In a layer of walls a spawn area is none.
    let walls = Map { layers: vec![Layer { name: "walls".into(), ..classed.layers[0].clone() }], ..classed };
    assert_eq!(bounds(&walls), [[50, 40, 70, 50]]);
}
