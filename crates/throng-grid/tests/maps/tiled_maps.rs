//! Maps made with Tiled: maps that are read, written maps, and the exact words about refused ones.
#![allow(clippy::unwrap_used, missing_docs)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use std::io::Write as _;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Area, Grid, Lattice, MapFile, MapLink, MapOptions};

/// A tileset with a wall (tile 1), a swamp (2), a hill (3), something without a meaning (4).
const TILES: &str = r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4" columns="4">
  <image source="t.png" width="32" height="8"/>
  <tile id="0"><properties><property name="wall" type="bool" value="true"/></properties></tile>
  <tile id="1" type="swamp"/>
  <tile id="2"><properties><property name="terrain" type="int" value="7"/><property name="height" type="float" value="2.5"/></properties></tile>
 </tileset>"#;

const JSON_TILES: &str = r#"{"firstgid":1,"tilecount":4,"tiles":[
  {"id":0,"properties":[{"name":"wall","type":"bool","value":true}]},{"id":1,"type":"swamp"},
  {"id":2,"properties":[{"name":"terrain","type":"int","value":7},{"name":"height","type":"float","value":2.5}]}]}"#;

/// Four columns, two rows.
const NUMBERS: [u32; 8] = [1, 2, 3, 4, 0, 0, 1 | 0x8000_0000, 3 | 0x4000_0000];

fn tmx(layers: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" width=\"4\" height=\"2\" \
         tilewidth=\"8\" tileheight=\"8\" infinite=\"0\">\n {TILES}\n{layers}\n</map>\n"
    )
}

fn tmj(layers: &str) -> String {
    format!(
        "{{\"layers\":[{layers}],\n\"orientation\":\"orthogonal\",\"infinite\":false,\"width\":4,\"height\":2,\"tilewidth\":8,\
         \"tileheight\":8,\"tilesets\":[{JSON_TILES}],\"type\":\"map\"}}"
    )
}

fn layer(name: &str, attributes: &str, data: &str) -> String {
    format!("<layer id=\"1\" name=\"{name}\" width=\"4\" height=\"2\">\n<data {attributes}>{data}</data>\n</layer>")
}

fn bytes(name: &str, text: impl AsRef<[u8]>) -> Result<MapFile, String> {
    MapFile::from_bytes(text.as_ref(), name, &MapOptions::default()).map_err(|error| error.to_string())
}

fn rows(grid: &Grid) -> Vec<String> {
    let lattice = grid.lattice();
    let letter = |cell| match (grid.is_open(cell), grid.terrain(cell), grid.height(cell)) {
        (false, ..) => '#',
        (true, 0, 0) => '.',
        (true, 1, 0) => '~',
        (true, 7, 250) => '7',
        _ => '?',
    };
    (0..lattice.height).map(|y| (0..lattice.width).map(|x| letter(lattice.cell(x, y))).collect()).collect()
}

fn packed(numbers: &[u32], packing: &str) -> String {
    let plain: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let bytes = match packing {
        "zlib" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(&plain).unwrap();
            encoder.finish().unwrap()
        }
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&plain).unwrap();
            encoder.finish().unwrap()
        }
        "zstd" => ruzstd::encoding::compress_to_vec(&plain[..], ruzstd::encoding::CompressionLevel::Fastest),
        _ => plain,
    };
    STANDARD.encode(bytes)
}

fn csv(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",\n")
}

#[test]
fn tiles_are_read_however_they_are_packed() {
    let expected = ["#~7.", "..#7"];
    let check = |name: &str, text: &str| assert_eq!(rows(&bytes(name, text).unwrap().grid), expected, "{text}");
    check("a.tmx", &tmx(&layer("a", "encoding=\"csv\"", &format!("\n{}\n", csv(&NUMBERS)))));
    check("a.tmx", &tmx(&layer("a", "encoding=\"csv\"", &format!("<![CDATA[{},]]>", csv(&NUMBERS)))));
    check("map", &tmx(&layer("a", "encoding=\"csv\"", &csv(&NUMBERS))));
    let elements = NUMBERS.map(|number| format!("<tile gid=\"{number}\"/>")).concat();
    check("a.tmx", &tmx(&layer("a", "", &elements)));
    check(
        "a.tmj",
        &tmj(&format!(r#"{{"type":"tilelayer","name":"a","width":4,"height":2,"data":[{}]}}"#, csv(&NUMBERS))),
    );
    for packing in ["", "gzip", "zlib", "zstd"] {
        let data = packed(&NUMBERS, packing);
        let attributes = match packing {
            "" => "encoding=\"base64\"".to_owned(),
            packing => format!("encoding=\"base64\" compression=\"{packing}\""),
        };
        check("a.tmx", &tmx(&layer("a", &attributes, &format!("\n   {data}\n  "))));
        let escaped = data.replace('/', "\\/");
        for data in [data, escaped] {
            check(
                "a.tmj",
                &tmj(&format!(
                    r#"{{"type":"tilelayer","name":"a","width":4,"height":2,"encoding":"base64","compression":"{packing}","data":"{data}"}}"#
                )),
            );
        }
    }
}

/// Some write lines of 76 letters, some a blank before each line, some leave the end away.
#[test]
fn blanks_may_be_anywhere_in_packed_tiles() {
    let expected = ["#~7.", "..#7"];
    let mut misses = Vec::new();
    let mut check = |name: &str, text: &str| match bytes(name, text) {
        Ok(map) if rows(&map.grid) == expected => {}
        found => misses.push(format!("{found:?}: {text}")),
    };
    for packing in ["", "gzip", "zlib", "zstd", "csv"] {
        let (encoding, compression) = if packing == "csv" { ("csv", "") } else { ("base64", packing) };
        let data = if packing == "csv" { csv(&NUMBERS).replace('\n', "") } else { packed(&NUMBERS, packing) };
        // Numbers of CSV are not parted.
        let pieces: Vec<&str> = match packing {
            "csv" => data.split_inclusive(',').collect(),
            _ => data.as_bytes().chunks(3).map(|piece| std::str::from_utf8(piece).unwrap()).collect(),
        };
        for blank in ["\n", "\r\n", " ", "\t", " \n   ", "\n\n"] {
            let spread = format!("{blank}{}{blank}", pieces.join(blank));
            let attributes = format!("encoding=\"{encoding}\" compression=\"{compression}\"");
            check("a.tmx", &tmx(&layer("a", &attributes, &spread)));
            check("a.tmx", &tmx(&layer("a", &attributes, &format!("<![CDATA[{spread}]]>"))));
            check("a.tmx", &tmx(&layer("a", &attributes, &spread.replace('\r', "&#13;").replace('\n', "&#xA;"))));
            let json = |data: &str| {
                tmj(&format!(
                    r#"{{"type":"tilelayer","name":"a","width":4,"height":2,"encoding":"{encoding}","compression":"{compression}","data":{data}}}"#
                ))
            };
            if packing == "csv" {
                check("a.tmj", &json(&format!("[{spread}]")));
                continue;
            }
            let escaped = spread.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t");
            check("a.tmj", &json(&format!("\"{escaped}\"")));
            check("a.tmj", &json(&format!("\"{}\"", escaped.replace('=', ""))));
        }
    }
    assert!(misses.is_empty(), "{}:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn layers_lie_on_each_other() {
    let csv_layer = |name: &str, numbers: [u32; 8]| layer(name, "encoding=\"csv\"", &csv(&numbers));
    let two = [csv_layer("ground", [3, 3, 2, 2, 0, 0, 0, 0]), csv_layer("over", [2, 4, 3, 0, 0, 1, 0, 0])].concat();
    // Of the topmost tile that says something: swamp on a hill has the height of the hill.
    let grid = bytes("a.tmx", tmx(&two)).unwrap().grid;
    assert_eq!(rows(&grid), ["?77~", ".#.."]);
    assert_eq!((grid.terrain(grid.lattice().cell(0, 0)), grid.height(grid.lattice().cell(0, 0))), (1, 250));
    let walls = csv_layer("walls", [0, 0, 4, 4, 0, 3, 0, 0]);
    let flagged = walls
        .replace("\"walls\"", "\"x\"")
        .replace("<data", "<properties><property name=\"walls\" type=\"bool\" value=\"true\"/></properties><data");
    let grouped =
        format!("<group name=\"walls\"><group name=\"a\">{}</group></group>", walls.replace("\"walls\"", "\"x\""));
    for walls in [walls, flagged, grouped] {
        assert_eq!(rows(&bytes("a.tmx", tmx(&walls)).unwrap().grid), ["..##", ".#.."], "{walls}");
    }
    let image = "<imagelayer name=\"walls\"><image source=\"x.png\"/></imagelayer><unknown><a/></unknown>";
    assert_eq!(rows(&bytes("a.tmx", tmx(image)).unwrap().grid), ["....", "...."]);
}

#[test]
fn infinite_maps_are_as_large_as_their_tiles() {
    let chunk = |x: i32, y: i32, numbers: &str| {
        format!("<chunk x=\"{x}\" y=\"{y}\" width=\"2\" height=\"2\">{numbers}</chunk>")
    };
    let chunks = [chunk(-16, -16, "0,0,0,1"), chunk(-14, -15, "2,0,3,0"), chunk(5, 5, "0,0,0,0")].concat();
    let text = tmx(&layer("a", "encoding=\"csv\"", &chunks)).replace("infinite=\"0\"", "infinite=\"1\"");
    let object = "<objectgroup><object name=\"gate\" class=\"spawn\" x=\"-112\" y=\"-120\" width=\"8\" height=\"16\"/></objectgroup>";
    let map = bytes("a.tmx", text.replace("</map>", &format!("{object}</map>"))).unwrap();
    assert_eq!(rows(&map.grid), ["#~", ".7"]);
    assert_eq!(map.areas[0].bounds(), (Vec2::new(1.0, 0.0), Vec2::new(2.0, 2.0)));
    let json = tmj(r#"{"type":"group","name":"g","layers":[{"type":"tilelayer","name":"a","chunks":[
           {"x":-16,"y":-16,"width":2,"height":2,"data":[0,0,0,1]},{"x":-14,"y":-15,"width":2,"height":2,"data":[2,0,3,0]}]}]}"#);
    assert_eq!(bytes("a.tmj", json.replace("\"infinite\":false", "\"infinite\":true")).unwrap().grid, map.grid);
}

#[test]
fn tilesets_may_have_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("sets")).unwrap();
    write("sets/t.tsx", &TILES.replace("firstgid=\"1\" ", ""));
    write("sets/t.tsj", &JSON_TILES.replace("\"firstgid\":1", "\"type\":\"tileset\""));
    let text = tmx(&layer("a", "encoding=\"csv\"", &csv(&NUMBERS)));
    let load = |text: &str| {
        write("a.tmx", text);
        MapFile::load(folder.path().join("a.tmx"), &MapOptions::default())
            .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    };
    for name in ["sets/t.tsx", "sets/t.tsj"] {
        let text = text.replace(TILES, &format!("<tileset firstgid=\"1\" source=\"{name}\"/>"));
        assert_eq!(rows(&load(&text).unwrap().grid), ["#~7.", "..#7"]);
    }
    let named = |name: &str| text.replace(TILES, &format!("<tileset firstgid=\"1\" source=\"{name}\"/>"));
    assert_eq!(load(&named("no.tsx")).unwrap_err(), "a.tmx:3:2: tileset no.tsx: no such file; check the path");
    assert_eq!(load(&named("sets")).unwrap_err(), "a.tmx:3:2: tileset sets: this is a folder; name a file in it");
    write("sets/bad.tsx", "<tileset>\n<tile id=\"x\"/></tileset>");
    let message =
        "a.tmx:3:2: tileset sets/bad.tsx:2:1: found id = \"x\", expected <tile> with id = a number in its range";
    assert_eq!(load(&named("sets/bad.tsx")).unwrap_err(), message);
    // A map is no tileset, so nothing goes round in circles.
    assert_eq!(load(&named("a.tmx")).unwrap_err(), "a.tmx:3:2: tileset a.tmx:2:1: found <map>, expected <tileset>");
}

#[test]
fn objects_are_spawn_areas() {
    let objects = r#"<objectgroup name="areas">
      <object id="1" name="north" type="spawn" x="8" y="0" width="16" height="8"><properties>
        <property name="count" type="int" value="40"/><property name="unit" value="archer"/></properties></object>
      <object id="2" name="turned" class="spawn" x="16" y="8" width="8" height="4" rotation="90"/>
      <object id="3" name="three" class="spawn" x="4" y="4"><polygon points="0,0 16,0 0,8"/></object>
      <object id="4" name="tree" class="plant" x="4" y="4"><ellipse/></object>
      <object id="5" class="spawn" x="4" y="4" width="1" height="1"/>
     </objectgroup>"#;
    let size = r#"<properties><property name="cell_size" type="float" value="0.5"/></properties>"#;
    let map = bytes("a.tmx", tmx(&format!("{size}{objects}"))).unwrap();
    let json = tmj(r#"{"type":"objectgroup","name":"areas","objects":[
         {"name":"north","type":"spawn","x":8,"y":0,"width":16,"height":8,"properties":[
           {"name":"count","type":"int","value":40},{"name":"unit","type":"string","value":"archer"}]},
         {"name":"turned","type":"spawn","x":16,"y":8,"width":8,"height":4,"rotation":90},
         {"name":"three","type":"spawn","x":4,"y":4,"polygon":[{"x":0,"y":0},{"x":16,"y":0},{"x":0,"y":8}]},
         {"name":"tree","type":"plant","ellipse":true},{"name":"","type":"spawn","width":1,"height":1}]}"#)
    .replace("\"type\":\"map\"", r#""type":"map","properties":[{"name":"cell_size","type":"float","value":0.5}]"#);
    assert_eq!(bytes("a.tmj", json).unwrap(), map);
    assert_eq!(map.grid.lattice().cell_size, 0.5);
    let corners = |area: &Area| area.corners.iter().map(|corner| (corner.x, corner.y)).collect::<Vec<_>>();
    assert_eq!(map.areas.len(), 3);
    assert_eq!(corners(&map.areas[0]), [(0.5, 0.0), (1.5, 0.0), (1.5, 0.5), (0.5, 0.5)]);
    assert_eq!((map.areas[0].property("count"), map.areas[0].property("unit")), (Some("40"), Some("archer")));
    assert_eq!(corners(&map.areas[1]), [(1.0, 0.5), (1.0, 1.0), (0.75, 1.0), (0.75, 0.5)]);
    assert_eq!(corners(&map.areas[2]), [(0.25, 0.25), (1.25, 0.25), (0.25, 0.75)]);
    // Cells of another size, and everything with them.
    let options = MapOptions { cell_size: Some(2.0), ..MapOptions::default() };
    let large = MapFile::from_bytes(tmx(objects).as_bytes(), "a.tmx", &options).unwrap();
    assert_eq!(large.areas[0].bounds(), (Vec2::new(2.0, 0.0), Vec2::new(6.0, 2.0)));
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list")]
fn what_is_wrong_is_said_and_where() {
    // All that differ are shown at once.
    let wrong = std::cell::RefCell::new(Vec::new());
    let compare = |name: &str, text: &str, message: &str| match bytes(name, text) {
        Err(error) if error == message => {}
        found => wrong.borrow_mut().push(format!("expected {message}\nfound    {found:?}")),
    };
    let refused = |text: &str, message: &str| compare("a.tmx", text, message);
    let good = tmx(&layer("a", "encoding=\"csv\"", "1,2,3,4,\n0,0,1,3"));
    let place = "a.tmx:10:1"; // of the layer's data
    assert!(bytes("a.tmx", &good).is_ok());
    refused("", "a.tmx: the file is empty; expected a Tiled map");
    refused("<html></html>", "a.tmx:1:1: found <html>, expected <map>");
    refused(
        "<tileset/>",
        "a.tmx:1:1: found <tileset>, expected <map>: name the map that has this tileset, a .tmx file",
    );
    refused("<?xml version=\"1.0\"?>", "a.tmx:1:22: found nothing, expected <map>");
    let half = ", and save a copy: cells are squares here, so every second row then lies half a tile off; or export the map as an \
                image, make what is closed dark, and scale it until a pixel is a cell";
    let moved = ", and save a copy: every tile keeps its column and row, and only objects have to be moved";
    for (orientation, remedy) in [("isometric", moved), ("hexagonal", half), ("staggered", half), ("oblique", "")] {
        refused(
            &good.replace("orthogonal", orientation),
            &format!(
                "a.tmx: the map is \"{orientation}\", expected \"orthogonal\"; choose that as orientation in the map's properties{remedy}"
            ),
        );
    }
    refused(
        &good.replace("map version=\"1.10\" orientation=\"orthogonal\" width=\"4\"", "map width=\"4000000000\""),
        "a.tmx: the map is 4000000000 wide and 2 high; at most 16384 x 16384 cells can be read, split the map",
    );
    refused(
        &good.replacen("width=\"4\"", "width=\"-4\"", 1),
        "a.tmx:2:1: found width = \"-4\", expected <map> with width = a number in its range",
    );
    refused(
        &good.replacen(" height=\"2\"", "", 1),
        "a.tmx:2:1: found no such attribute, expected <map> with height = a number",
    );
    refused(
        &good.replace("name=\"a\" width=\"4\"", "name=\"a\" width=\"4000000000\""),
        "a.tmx:9:1: found 4000000000 x 2 tiles, expected 1 to 16384 columns and rows",
    );
    let data = |data: &str| tmx(&layer("a", "encoding=\"csv\"", data));
    refused(&data("1,2,3"), &format!("{place}: found 3 tiles, expected 4 x 2 tiles, as many as cells"));
    refused(&data(""), &format!("{place}: found 0 tiles, expected 4 x 2 tiles, as many as cells"));
    refused(&data("1,2,3,4,1,2,3,4,\n1"), "a.tmx:11:1: found more tiles, expected 4 x 2 tiles, as many as cells");
    refused(&data("1,2,\n3,x4,0"), "a.tmx:11:3: found \"x4\", expected the number of a tile");
    refused(&data("1,,3"), "a.tmx:10:24: found \"\", expected the number of a tile");
    refused(&data("1,4294967296"), "a.tmx:10:24: found \"4294967296\", expected the number of a tile");
    refused(
        &data("1,2,3,4,\n0,9,0,0"),
        "a.tmx:11:3: found tile 9 in column 1, row 1, expected tiles 1 to 4, those of its tilesets",
    );
    refused(
        &data("1,2,3,4,\n0,9,0,0").replace(TILES, ""),
        "a.tmx:5:22: found tile 1 in column 0, row 0, expected no tile: the map has no tilesets",
    );
    let base64 = |compression: &str, data: &str| {
        tmx(&layer("a", &format!("encoding=\"base64\" compression=\"{compression}\""), data))
    };
    refused(
        &base64("lzma", "AAAA"),
        &format!(
            "{place}: found tiles packed by \"base64\" \"lzma\", expected csv, or base64 with zlib, gzip, zstd or nothing; \
             choose another in the map's properties"
        ),
    );
    refused(
        &base64("", "AAAA"),
        &format!("{place}: found tiles that end in the middle of one, expected 4 bytes a tile"),
    );
    let tiles = "expected them as Tiled writes them";
    let error = bytes("a.tmx", base64("", "A*AA")).unwrap_err();
    assert!(error.starts_with(&format!("{place}: found tiles that cannot be unpacked (")) && error.ends_with(tiles));
    for packing in ["zlib", "gzip", "zstd"] {
        let whole = packed(&NUMBERS, packing);
        let cut = &whole[..whole.len() / 8 * 4];
        let error = bytes("a.tmx", base64(packing, cut)).unwrap_err();
        assert!(error.starts_with(&format!("{place}: found ")), "{packing}: {error}");
        assert!(bytes("a.tmx", base64(packing, "AAAAAAAA")).is_err());
        assert!(bytes("a.tmx", base64(packing, "")).is_err());
    }
    for (property, expected) in [
        ("name=\"wall\" value=\"maybe\"", "the property wall = \"maybe\", expected true or false"),
        (
            "name=\"terrain\" value=\"256\"",
            "the property terrain = \"256\", expected a class of terrain, 0 to 255, \"plain\" or \"swamp\"",
        ),
        ("name=\"height\" value=\"-1\"", "the property height = \"-1\", expected a number of metres from 0 to 655.35"),
        (
            "name=\"height\" value=\"NaN\"",
            "the property height = \"NaN\", expected a number of metres from 0 to 655.35",
        ),
    ] {
        let text = good.replace("name=\"wall\" type=\"bool\" value=\"true\"", property);
        refused(&text, &format!("a.tmx:5:28: found {expected}"));
    }
    refused(
        &tmx("<properties><property name=\"cell_size\" value=\"0\"/></properties>"),
        "a.tmx:9:13: found the property cell_size = \"0\", expected a number of metres from 0.001 to 1000",
    );
    let object = |object: &str| tmx(&format!("<objectgroup>\n{object}\n</objectgroup>"));
    refused(
        &object("<object name=\"a\" class=\"spawn\"><ellipse/></object>"),
        "a.tmx:10:32: found <ellipse>, expected a rectangle or a polygon as spawn area",
    );
    refused(
        &object("<object name=\"a\" class=\"spawn\" width=\"8\"/>"),
        "a.tmx:10:1: found the spawn area \"a\" without room, expected one that is broad and high",
    );
    let twice = "<object name=\"a\" class=\"spawn\" width=\"8\" height=\"8\"/>";
    refused(
        &object(&format!("{twice}\n{twice}")),
        "a.tmx:11:1: found a second spawn area \"a\", expected another name",
    );
    refused(
        &object("<object name=\"a\" class=\"spawn\"><polygon points=\"0,0 1\"/></object>"),
        "a.tmx:10:32: found points = \"0,0 1\", expected points as in \"0,0 32,0 32,64\"",
    );
    let deep = format!("{}{}", "<group>".repeat(40), "</group>".repeat(40));
    refused(&tmx(&deep), "a.tmx:9:232: found one more, expected at most 1000 layers, 32 groups in each other");
    refused(&good[..good.len() - 8], "a.tmx:12:9: found the end of the file, expected </map>");
    refused(
        &good.replace("</layer>", "</lager>"),
        "a.tmx:12:1: this cannot be read as XML: ill-formed document: expected `</layer>`, but `</lager>` was found; correct it, or save it once more",
    );

    let refused = |text: &str, message: &str| compare("a.tmj", text, message);
    refused("{}", "a.tmj:1:1: found JSON of another sort, expected a Tiled map, with \"type\": \"map\" and \"layers\"");
    refused(
        "{\n \"a\": ",
        "a.tmj:2:6: this cannot be read as JSON: EOF while parsing a value; correct it, or save it once more",
    );
    let data = |data: &str| tmj(&format!("\n{{\"type\":\"tilelayer\",\"width\":4,\"height\":2,\"data\":[{data}]}}"));
    refused(&data("1,2"), "a.tmj:2:49: found 2 tiles, expected 4 x 2 tiles, as many as cells");
    refused(&data("1,2,-3"), "a.tmj:2:54: found \"-3\", expected the number of a tile");
    refused(
        &data("1,2,3,4,\n9"),
        "a.tmj:3:1: found tile 9 in column 0, row 1, expected tiles 1 to 4, those of its tilesets",
    );
    assert!(wrong.borrow().is_empty(), "{}", wrong.borrow().join("\n\n"));
}

/// A small file that unpacks to a large one is not unpacked further than there are cells.
#[test]
fn bombs_do_not_go_off() {
    let zeros = vec![0; 1 << 24];
    for packing in ["zlib", "gzip", "zstd"] {
        let attributes = format!("encoding=\"base64\" compression=\"{packing}\"");
        let text = tmx(&layer("a", &attributes, &packed(&zeros, packing)));
        let message = "a.tmx:10:1: found more tiles, expected 4 x 2 tiles, as many as cells";
        assert_eq!(bytes("a.tmx", text).unwrap_err(), message);
    }
    // Chunks that claim more than there can be.
    let chunk = "<chunk x=\"0\" y=\"0\" width=\"16384\" height=\"16384\">0</chunk>".repeat(3);
    let text = tmx(&layer("a", "encoding=\"csv\"", &chunk)).replace("infinite=\"0\"", "infinite=\"1\"");
    let message = "a.tmx:1:1: found 805306368 tiles, expected at most 536870912 in all layers together; split the map";
    assert_eq!(bytes("a.tmx", text).unwrap_err(), message);
    let entity = "<!DOCTYPE map [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<map orientation=\"&b;\"/>";
    assert!(bytes("a.tmx", entity).is_err());
}

fn grids() -> impl Strategy<Value = MapFile> {
    (1..20_u32, 1..12_u32, any::<bool>()).prop_flat_map(|(width, height, hilly)| {
        let highest = if hilly { u16::MAX } else { 0 };
        let cells = prop::collection::vec((any::<bool>(), any::<u8>(), 0..=highest), (width * height) as usize);
        let areas = prop::collection::vec((1_u8..10, 1_u8..10, "[a-z<&\"]{1,5}"), 0..3);
        (cells, 0.01_f32..200.0, areas).prop_map(move |(cells, cell_size, areas)| {
            let lattice = Lattice::new(width, height, cell_size).unwrap();
            let mut grid = Grid::closed(lattice);
            for (cell, (open, class, height)) in lattice.cells().zip(cells) {
                grid.set_open(cell, open);
                grid.set_height(cell, height);
                grid.set_terrain(cell, class);
            }
            let area = |(i, (w, h, text)): (usize, (u8, u8, String))| Area {
                name: format!("{i}{text}"),
                corners: [(0, 0), (w, 0), (w, h)].map(|(x, y)| Vec2::new(x.into(), y.into())).to_vec(),
                properties: vec![(text.clone(), text)],
            };
            let [from, to] = [lattice.cell(0, 0), lattice.cell(width - 1, height - 1)].map(|cell| lattice.centre(cell));
            let link = MapLink { name: "a \"<&".into(), is_open: hilly, ..MapLink::new(from, to, 0.1 * width as f32) };
            let links = vec![link.clone(), MapLink { name: String::new(), both_ways: true, ..link }];
            let links = if from == to { Vec::new() } else { links };
            MapFile { areas: areas.into_iter().enumerate().map(area).collect(), links, ..grid.into() }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn what_is_written_is_read_again(map in grids()) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.tmx", "b.tmj"] {
            let path = folder.path().join(name);
            map.save_tiled(&path).unwrap();
            let again = MapFile::load(&path, &MapOptions::default()).unwrap();
            prop_assert_eq!(&again.grid, &map.grid);
            prop_assert_eq!(again.areas.len(), map.areas.len());
            prop_assert_eq!(again.links.len(), map.links.len());
            for (a, b) in again.links.iter().zip(&map.links) {
                prop_assert_eq!(a.cells(map.grid.lattice()), b.cells(map.grid.lattice()));
                prop_assert_eq!(&MapLink { from: b.from, to: b.to, ..a.clone() }, b);
            }
            for (a, b) in again.areas.iter().zip(&map.areas) {
                prop_assert_eq!((&a.name, &a.properties), (&b.name, &b.properties));
                let near = |(a, b): (&Vec2, &Vec2)| a.distance(*b) <= 1e-5 * b.length();
                prop_assert!(a.corners.iter().zip(&b.corners).all(near), "{:?} {:?}", a, b);
            }
        }
        let pictures = ["a-tiles.png", "b-tiles.png"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
        prop_assert_eq!(&pictures[0], &pictures[1]);
        prop_assert!(Grid::from_bytes(&pictures[0], Path::new("a.png")).is_ok());
    }

    /// Any change to a file ends in a map or in an error.
    #[test]
    fn no_text_can_panic_the_readers(cuts in prop::collection::vec((0..2000_usize, "[0-9<>/\"{}\\[\\],.-]{0,4}", 0..6_usize), 1..4)) {
        let layers = ["csv", "base64\" compression=\"zlib", "base64\" compression=\"zstd"].map(|encoding| {
            let data = match encoding.split('"').next_back().unwrap() {
                "csv" => csv(&NUMBERS),
                packing => packed(&NUMBERS, packing),
            };
            layer("a", &format!("encoding=\"{encoding}\""), &data)
        });
        let json = tmj(&format!(r#"{{"type":"tilelayer","name":"a","width":4,"height":2,"data":[{}]}}"#, csv(&NUMBERS)));
        for (name, mut text) in [("a.tmx", tmx(&layers.concat())), ("a.tmj", json)] {
            for (at, new, gone) in &cuts {
                let at = at % text.len();
                text.replace_range(at..(at + gone).min(text.len()), new);
            }
            let _ = bytes(name, text);
        }
    }
}

/// Every tile has a border above and on the left; heights are the greyer the lower they are.
#[test]
fn the_picture_of_tiles_shows_heights_in_grey() {
    let mut grid = Grid::open_plain(Lattice::new(3, 1, 1.0).unwrap());
    (0..3).for_each(|x| grid.set_height(grid.lattice().cell(x, 0), 100 * x as u16));
    let folder = tempfile::tempdir().unwrap();
    MapFile::from(grid).save_tiled(folder.path().join("a.tmx")).unwrap();
    let picture = std::io::BufReader::new(std::fs::File::open(folder.path().join("a-tiles.png")).unwrap());
    let mut reader = png::Decoder::new(picture).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    // 32 tiles in a row: a wall, the ground, 1 m, 2 m.
    let grey = |tile: usize, x: usize, y: usize| &pixels[4 * (y * 32 * 16 + 16 * tile + x)..][..4];
    for (tile, inside, border) in [(2, 127, 117), (3, 255, 234)] {
        for (x, y, grey_part) in [(0, 7, border), (7, 0, border), (1, 1, inside), (15, 15, inside)] {
            assert_eq!(grey(tile, x, y), [grey_part, grey_part, grey_part, 0x70], "{tile}: {x}, {y}");
        }
    }
}

#[test]
fn a_colon_is_no_digit() {
    let error = bytes("a.tmx", tmx(&layer("a", "encoding=\"csv\"", "1,:,0,0,0,0,0,0"))).unwrap_err();
    assert_eq!(error, "a.tmx:10:24: found \":\", expected the number of a tile");
}
