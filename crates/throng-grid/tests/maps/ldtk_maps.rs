//! Projects of LDtk: which values are walls, levels side by side and in files of their own, entities.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::{Grid, MapFile, MapOptions};

fn rows(grid: &Grid) -> String {
    let lattice = grid.lattice();
    let letter = |cell| match (grid.is_open(cell), grid.terrain(cell)) {
        (false, _) => '#',
        (true, 0) => '.',
        (true, 1) => '~',
        (true, _) => '7',
    };
    let row = |y| (0..lattice.width).map(|x| letter(lattice.cell(x, y))).collect::<String>();
    (0..lattice.height).map(row).collect::<Vec<_>>().join(" ")
}

/// A project with these names of values 1, 2 ... in the layer of the number 5, these levels and members.
fn project(values: &[&str], levels: &str, members: &str) -> String {
    let name = |name: &str| if name.is_empty() { "null".to_owned() } else { format!("\"{name}\"") };
    let values: Vec<String> = values
        .iter()
        .zip(1..)
        .map(|(value, number)| format!("{{\"value\":{number},\"identifier\":{},\"color\":\"#000000\"}}", name(value)))
        .collect();
    format!(
        "{{\"__header__\":{{\"fileType\":\"LDtk Project JSON\",\"app\":\"LDtk\"}},\"jsonVersion\":\"1.5.3\",\"defaultGridSize\":16{members},\n\
         \"defs\":{{\"layers\":[{{\"uid\":5,\"type\":\"IntGrid\",\"intGridValues\":[{}]}}],\"entities\":[]}},\n\"levels\":[{levels}]}}",
        values.join(",")
    )
}

fn layer(name: &str, [width, height, side]: [u32; 3], values: &str) -> String {
    format!(
        "{{\"__identifier\":\"{name}\",\"__type\":\"IntGrid\",\"__cWid\":{width},\"__cHei\":{height},\"__gridSize\":{side},\
         \"__pxTotalOffsetX\":0,\"__pxTotalOffsetY\":0,\"layerDefUid\":5,\"intGridCsv\":[{values}],\"entityInstances\":[]}}"
    )
}

fn level(name: &str, [x, y]: [i32; 2], [width, height]: [u32; 2], layers: &[String]) -> String {
    format!(
        "{{\"identifier\":\"{name}\",\"worldX\":{x},\"worldY\":{y},\"worldDepth\":0,\"pxWid\":{width},\"pxHei\":{height},\
         \"externalRelPath\":null,\"layerInstances\":[{}]}}",
        layers.join(",")
    )
}

fn read(text: &str) -> Result<(String, Vec<String>), String> {
    let map =
        MapFile::from_bytes(text.as_bytes(), "a.ldtk", &MapOptions::default()).map_err(|error| error.to_string())?;
    Ok((rows(&map.grid), map.warnings.iter().map(ToString::to_string).collect()))
}

/// Four columns, two rows, of 16 pixels.
fn one(name: &str, values: &[&str]) -> (String, Vec<String>) {
    let layer = layer(name, [4, 2, 16], "0,1,2,3,\n1,0,0,0");
    read(&project(values, &level("a", [0, 0], [64, 32], &[layer]), "")).unwrap()
}

#[test]
fn values_are_walls_by_their_names_or_by_that_of_their_layer() {
    let is = |rows: &str| (rows.to_owned(), Vec::new());
    // A value with the name of a wall, in any case; terrain; what is open.
    assert_eq!(one("Ground", &["Walls", "swamp", "terrain_7"]), is(".#~7 #..."));
    assert_eq!(one("Ground", &["SOLID", "walkable", "obstacle"]), is(".#.# #..."));
    // In a layer of walls all but what says it is open.
    assert_eq!(one("Collisions", &["", "dirt", "stone"]), is(".### #..."));
    assert_eq!(one("Collisions", &["dirt", "walkable", "swamp"]), is(".#.~ #..."));
    // Else other values are open, with a warning.
    let (rows, warnings) = one("Ground", &["wall", "water", ""]);
    assert_eq!(rows, ".#.. #...");
    assert_eq!(
        warnings,
        [
            "a.ldtk:3:11: these values of the layer \"Ground\" are open ground: water, 3; call them \"wall\" or \"walkable\" if they are"
        ]
    );
    // Where nothing says so, all are walls, with a warning.
    let (rows, warnings) = one("IntGrid_layer", &["", "", ""]);
    assert_eq!((rows.as_str(), warnings.len()), (".### #...", 1));
    assert!(warnings[0].contains("all values of the layer \"IntGrid_layer\" are walls"), "{warnings:?}");
}

#[test]
fn levels_lie_side_by_side_and_all_around_is_wall() {
    let small = |values: &str| layer("Walls", [2, 2, 16], values);
    let two =
        [level("a", [-16, 32], [32, 32], &[small("0,1,0,0")]), level("b", [16, 0], [32, 32], &[small("0,0,1,0")])];
    let both = project(&["stone"], &two.join(","), "");
    assert_eq!(read(&both).unwrap(), ("##.. ###. .### ..##".to_owned(), Vec::new()));
    // A finer layer gives the cells.
    let fine = level(
        "a",
        [0, 0],
        [32, 32],
        &[small("0,1,0,0"), layer("Walls2", [4, 4, 8], "0,0,0,0, 0,0,0,0, 1,0,0,0, 0,0,0,0")],
    );
    assert_eq!(read(&project(&["stone"], &fine, "")).unwrap().0, "..## ..## #... ....");
    // In a row, or on floors: the first.
    let row = project(
        &["stone"],
        &two.join(",").replace("\"worldX\":16", "\"worldX\":-16"),
        ",\"worldLayout\":\"LinearHorizontal\"",
    );
    let (rows, warnings) = read(&row).unwrap();
    assert_eq!((rows.as_str(), warnings.len()), (".# ..", 1));
    let floors = both.replace(
        "\"b\",\"worldX\":16,\"worldY\":0,\"worldDepth\":0",
        "\"b\",\"worldX\":16,\"worldY\":0,\"worldDepth\":1",
    );
    assert_eq!(read(&floors).unwrap().0, ".# ..");
    // Worlds.
    let worlds =
        project(&["stone"], "", &format!(",\"worlds\":[{{\"worldLayout\":\"Free\",\"levels\":[{}]}}]", two[0]));
    assert_eq!(read(&worlds).unwrap().0, ".# ..");
}

#[test]
fn levels_may_have_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("a")).unwrap();
    let whole = level("a", [0, 0], [64, 32], &[layer("Walls", [4, 2, 16], "0,1,1,0,0,0,0,0")]);
    std::fs::write(folder.path().join("a/0.ldtkl"), &whole).unwrap();
    let start = whole.split("\"externalRelPath\"").next().unwrap();
    let named = format!("{start}\"externalRelPath\":\"a/0.ldtkl\",\"layerInstances\":null}}");
    let path = folder.path().join("a.ldtk");
    std::fs::write(&path, project(&["stone"], &named, "")).unwrap();
    assert_eq!(rows(&MapFile::load(&path, &MapOptions::default()).unwrap().grid), ".##. ....");
    std::fs::write(&path, project(&["stone"], &named.replace("0.ldtkl", "1.ldtkl"), "")).unwrap();
    let error = MapFile::load(&path, &MapOptions::default()).unwrap_err().to_string();
    assert!(error.ends_with("a/1.ldtkl: no such file; check the path"), "{error}");
    // A level alone, in words that help.
    let error = MapFile::load(folder.path().join("a/0.ldtkl"), &MapOptions::default()).unwrap_err().to_string();
    let words =
        ":1:1: found no \"defs\", expected an LDtk project, a .ldtk file: it says what the values of a level mean";
    assert!(error.ends_with(words), "{error}");
}

#[test]
fn entities_are_spawn_areas_and_walls() {
    let entity = |class: &str, px: &str, size: &str, fields: &str| {
        format!("{{\"__identifier\":\"{class}\",\"__pivot\":[0.5,1],\"px\":{px},{size},\"fieldInstances\":[{fields}]}}")
    };
    let name = "{\"__identifier\":\"name\",\"__value\":\"gate\"},{\"__identifier\":\"count\",\"__value\":7}";
    let entities = [
        entity("Spawn", "[32,32]", "\"width\":32,\"height\":16", name),
        entity("SpawnPoint", "[8,16]", "\"width\":16,\"height\":16", ""),
        entity("Wall", "[56,32]", "\"width\":16,\"height\":32", ""),
        entity("Tree", "[8,32]", "\"width\":16,\"height\":16", ""),
    ];
    let things = format!(
        "{{\"__identifier\":\"Entities\",\"__type\":\"Entities\",\"__cWid\":4,\"__cHei\":2,\"__gridSize\":16,\"entityInstances\":[{}]}}",
        entities.join(",")
    );
    let text = project(
        &["stone"],
        &level("a", [0, 0], [64, 32], &[things, layer("Walls", [4, 2, 16], "0,0,0,0,0,0,0,0")]),
        "",
    );
    let map = MapFile::from_bytes(text.as_bytes(), "a.json", &MapOptions::default()).unwrap();
    assert_eq!(rows(&map.grid), "...# ...#");
    let bounds = |at: usize| {
        let (least, most) = map.areas[at].bounds();
        (map.areas[at].name.as_str(), [least.x, least.y, most.x, most.y])
    };
    assert_eq!(map.areas.len(), 2);
    assert_eq!(bounds(0), ("gate", [1.0, 1.0, 3.0, 2.0]));
    assert_eq!(map.areas[0].property("count"), Some("7"));
    assert_eq!(bounds(1), ("SpawnPoint", [0.0, 0.0, 1.0, 1.0]));
}

#[test]
fn what_is_wrong_is_said() {
    let refused = |text: &str| read(text).unwrap_err();
    let good = project(&["wall"], &level("a", [0, 0], [64, 32], &[layer("Walls", [4, 2, 16], "0,0,0,0,0,0,0,0")]), "");
    assert!(read(&good).is_ok());
    assert_eq!(
        refused(&project(&["wall"], &level("a", [0, 0], [64, 32], &[]), "")),
        "a.ldtk:1:1: found a project without a layer of values, expected at least one IntGrid layer: its values are walls and ground"
    );
    let error = refused(&good.replace("0,0,0,0,0,0,0,0", "0,0"));
    assert!(error.ends_with("found 2 values of 16 pixels, expected 4 x 2 of at least one pixel"), "{error}");
    assert!(refused(&good.replace("\"pxWid\":64", "\"pxWid\":4000000000")).contains("at most 16384 x 16384 cells"));
    assert!(refused(&good[..good.len() / 2]).contains("cannot be read as JSON"));
    for (at, _) in good.char_indices() {
        let _ = read(&good[..at]);
        let _ = read(&format!("{}9{}", &good[..at], &good[at..]));
    }
}
