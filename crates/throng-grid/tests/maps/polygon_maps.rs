//! Floor plans: polygons in well-known text and `GeoJSON`, read and written.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, missing_docs)]

use proptest::prelude::*;
use throng_grid::{Grid, Lattice, MapFile, MapOptions, Polygons};

fn read_as(name: &str, text: &str, options: MapOptions) -> Result<Grid, String> {
    MapFile::from_bytes(text.as_bytes(), name, &options).map(|map| map.grid).map_err(|error| error.to_string())
}

fn read(name: &str, text: &str, cell_size: f32) -> Grid {
    read_as(name, text, MapOptions { cell_size: Some(cell_size), ..MapOptions::default() }).unwrap()
}

fn rows(grid: &Grid) -> Vec<String> {
    let lattice = grid.lattice();
    let letter = |cell| match (grid.is_open(cell), grid.terrain(cell)) {
        (false, _) => '#',
        (true, 0) => '.',
        (true, _) => '~',
    };
    (0..lattice.height).map(|y| (0..lattice.width).map(|x| letter(lattice.cell(x, y))).collect()).collect()
}

#[test]
fn walkable_ground_with_a_pillar() {
    let text = "POLYGON ((10 5, 15 5, 15 9, 10 9, 10 5), (12 6, 13 6, 13 8, 12 8, 12 6))";
    let expected = [".....", "..#..", "..#..", "....."];
    assert_eq!(rows(&read("a.wkt", text, 1.0)), expected);
    for text in [
        "MULTIPOLYGON (((10 5, 15 5, 15 9, 10 9, 10 5), (12 6, 13 6, 13 8, 12 8, 12 6)))",
        "GEOMETRYCOLLECTION (POLYGON ((10 5, 13 5, 13 9, 10 9, 10 5), (12 6, 13 6, 13 8, 12 8, 12 6)), POLYGON ((13 5, 15 5, 15 9, 13 9, 13 5)))",
        "SRID=25832;polygon z((10 5 0, 15 5 0, 15 9 0, 10 9 0, 10 5 0), (12 6 0, 13 6 0, 13 8 0, 12 8 0, 12 6 0))",
        "POLYGON ((10 5, 15 5, 15 9, 10 9), (12 6, 13 6, 13 8, 12 8))\nPOLYGON EMPTY",
    ] {
        assert_eq!(rows(&read("plan", text.trim_start_matches("SRID=25832;"), 1.0)), expected, "{text}");
        assert_eq!(rows(&read("a.wkt", text, 1.0)), expected, "{text}");
    }
    // Four cells a metre where nothing is said.
    let fine = read_as("a.wkt", text, MapOptions::default()).unwrap().lattice();
    assert_eq!((fine.width, fine.height, fine.cell_size), (20, 16, 0.25));
    // The other way round: two metres of open ground about it, the hole is open.
    let options = MapOptions { cell_size: Some(1.0), polygons: Some(Polygons::Obstacles), ..MapOptions::default() };
    let turned = rows(&read_as("a.wkt", text, options).unwrap());
    assert_eq!((turned.len(), turned[2].as_str(), turned[3].as_str()), (8, "..#####..", "..##.##.."));
}

#[test]
fn features_say_what_they_are() {
    let square = |x: u32, y: u32, size: u32, properties: &str| {
        let (right, low) = (x + size, y + size);
        format!(
            r#"{{"type":"Feature","properties":{properties},"geometry":{{"type":"Polygon","coordinates":
               [[[{x},{y}],[{right},{y}],[{right},{low}],[{x},{low}],[{x},{y}]]]}}}}"#
        )
    };
    let all = |features: &[String]| format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(","));
    let label = r#"{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,1]}}"#.to_owned();
    let nothing = r#"{"type":"Feature","properties":{},"geometry":null}"#.to_owned();
    let room =
        [square(0, 0, 4, r#"{"walkable":true}"#), square(1, 1, 1, "{}"), square(2, 2, 2, r#"{"terrain":"swamp"}"#)];
    assert_eq!(rows(&read("a.geojson", &all(&room), 1.0)), ["....", ".#..", "..~~", "..~~"]);
    let bare = [square(3, 3, 1, "{}"), label, nothing];
    assert_eq!(rows(&read("a.json", &all(&bare), 1.0)), [".....", ".....", "..#..", ".....", "....."]);
    let options = MapOptions { cell_size: Some(1.0), polygons: Some(Polygons::Walkable), ..MapOptions::default() };
    let turned = [square(0, 0, 3, "{}"), square(1, 1, 1, r#"{"walkable":false}"#)];
    assert_eq!(rows(&read_as("a.geojson", &all(&turned), options).unwrap()), ["...", ".#.", "..."]);
    let bounded = all(&[square(1, 0, 1, "{}")]).replace(
        "{\"type\":\"FeatureCollection\"",
        "{\"cell_size\":0.5,\"bbox\":[0,0,2,1],\"type\":\"FeatureCollection\"",
    );
    let grid = read_as("a.geojson", &bounded, MapOptions::default()).unwrap();
    assert_eq!((rows(&grid), grid.lattice().cell_size), (vec!["..##".to_owned(), "..##".to_owned()], 0.5));
    let multi =
        r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,1],[0,1]]],[[[2,1,5],[3,1,5],[3,2,5],[2,2,5]]]]}"#;
    let options = MapOptions { cell_size: Some(1.0), polygons: Some(Polygons::Walkable), ..MapOptions::default() };
    assert_eq!(rows(&read_as("a.geojson", multi, options).unwrap()), ["..#", "##."]);
}

/// Nothing thin vanishes, and nothing that touches parts.
#[test]
fn thin_walls_stay() {
    // A room of 6 x 3 m, a wall of 10 cm across at x = 2.3 to 2.4 with a door of 1 m at y = 1 to 2.
    let text = "POLYGON ((0 0, 6 0, 6 3, 0 3), (2.3 0, 2.4 0, 2.4 1, 2.3 1), (2.3 2, 2.4 2, 2.4 3, 2.3 3))";
    assert_eq!(rows(&read("a.wkt", text, 1.0)), ["..#...", "......", "..#..."]);
    // The wall lies flat.
    let text = "POLYGON ((0 0, 3 0, 3 6, 0 6), (0 2.3, 3 2.3, 3 2.4, 0 2.4))";
    assert_eq!(rows(&read("a.wkt", text, 1.0)), ["...", "...", "###", "...", "...", "..."]);
    // Two rooms with an undrawn wall between them, and two that touch.
    let rooms = |x: f64| format!("MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2)), (({x} 0, 4 0, 4 2, {x} 2)))");
    assert_eq!(rows(&read("a.wkt", &rooms(2.2), 1.0)), ["..#.", "..#."]);
    assert_eq!(rows(&read("a.wkt", &rooms(2.0), 1.0)), ["....", "...."]);
    // Slanted: no way through from one side to the other.
    let text = "POLYGON ((0 0, 10 0, 10 10, 0 10), (0 9.9, 9.9 0, 10 0, 10 0.1, 0.1 10, 0 10))";
    let grid = read("a.wkt", text, 1.0);
    let ground = throng_grid::Ground::new(std::sync::Arc::new(grid.clone()), 0.1).unwrap();
    let region = |x, y| ground.region(grid.lattice().cell(x, y));
    assert!(region(1, 1) != 0 && region(8, 8) != 0 && region(1, 1) != region(8, 8), "{:#?}", rows(&grid));
}

#[test]
fn what_is_wrong_is_said_and_where() {
    let wrong = std::cell::RefCell::new(Vec::new());
    let refused = |name: &str, text: &str, message: &str| match read_as(name, text, MapOptions::default()) {
        Err(error) if error == message => {}
        found => wrong.borrow_mut().push(format!("expected {message}\nfound    {found:?}")),
    };
    let kinds = "expected POLYGON, LINESTRING, MULTIPOLYGON, MULTILINESTRING or GEOMETRYCOLLECTION";
    refused("a.wkt", "", "a.wkt: the file is empty; expected a floor plan");
    refused("a.wkt", "POINT (1 1)", &format!("a.wkt:1:1: found \"POINT\", {kinds}"));
    refused("a.wkt", "POLYGON ((0 0, 1 0, 1 1))\nfoo", &format!("a.wkt:2:1: found \"foo\", {kinds}"));
    refused("a.wkt", "POLYGON 0 0", "a.wkt:1:9: found \"0\", expected \"(\"");
    refused("a.wkt", "POLYGON ((0 0, 1 0", "a.wkt:1:19: found the end of the file, expected \",\" or \")\"");
    refused("a.wkt", "POLYGON ((0 0, 1 x))", "a.wkt:1:18: found \"x\", expected a number (m)");
    refused("a.wkt", "POLYGON ((0 0, 1))", "a.wkt:1:17: found \")\", expected a number (m)");
    refused("a.wkt", "POLYGON ((0 0, nan 1))", "a.wkt:1:16: found \"nan\", expected a number (m)");
    refused("a.wkt", "POLYGON ((0 0, 1 0, 1 1)", "a.wkt:1:25: found the end of the file, expected \",\" or \")\"");
    refused("a.wkt", &"GEOMETRYCOLLECTION(".repeat(40), &format!("a.wkt:1:628: found \"GEOMETRYCOLLECTION\", {kinds}"));
    refused("a.wkt", "POLYGON EMPTY", "a.wkt: found no polygon, expected at least one, walkable ground or obstacles");
    refused(
        "a.wkt",
        "POLYGON ((0 0, 5 0))",
        "a.wkt: found bounds of 0 0 to 5 0, expected some that enclose an area, in metres",
    );
    refused(
        "a.wkt",
        "POLYGON ((13 52, 13 52, 13 52))",
        "a.wkt: found bounds of 13 52 to 13 52, expected some that enclose an area, in metres",
    );
    refused(
        "a.wkt",
        "POLYGON ((0 0, 1e300 0, 0 1e300))",
        &format!(
            "a.wkt: found bounds of 0 0 to 1{0} 1{0}, expected some that enclose an area, in metres",
            "0".repeat(300)
        ),
    );
    refused(
        "a.wkt",
        "POLYGON ((0 0, 5000 0, 5000 1, 0 1))",
        "a.wkt: the map is 20000 wide and 4 high; at most 16384 x 16384 cells can be read, split the map",
    );
    let degrees = "{\"type\":\"Polygon\",\"coordinates\":[[[13.4,52.5],[13.5,52.5],[13.5,52.75]]]}";
    refused(
        "a.geojson",
        degrees,
        "a.geojson: found a plan of 0.1000 x 0.2500 at 13.4000 52.5000, expected metres: these look like degrees of longitude and latitude; \
         project them with --project (project = true in a scenario), or save the plan in metres, as UTM; where they are metres, say \
         --project=false (project = false)",
    );
    refused(
        "a.geojson",
        "{\"type\":\"Feature\",\n\"geometry\":{\"type\":\"Curve\",\"coordinates\":[]}}",
        "a.geojson:2:12: found \"Curve\", expected polygons, lines and collections of them: lines are walls",
    );
    let feature =
        |properties: &str| format!("{{\"type\":\"Feature\",\n\"properties\":{properties},\"geometry\":null}}");
    refused("a.geojson", &feature("{\"walkable\":1}"), "a.geojson:2:26: found walkable = 1, expected true or false");
    refused(
        "a.geojson",
        &feature("{\"terrain\":\"mud\"}"),
        "a.geojson:2:25: found terrain = \"mud\", expected a class of terrain, 0 to 255, \"plain\" or \"swamp\"",
    );
    refused(
        "a.geojson",
        "{\"type\":\"Polygon\",\n \"coordinates\":[[[0]]]}",
        "a.geojson:2:20: this cannot be read as JSON: a position needs two numbers; correct it, or save it once more",
    );
    refused(
        "a.geojson",
        "{\"type\":\"Polygon\",\n \"coordinates\":[[[0,\"a\"]]]}",
        "a.geojson:2:23: this cannot be read as JSON: invalid type: string \"a\", expected a number; correct it, or save it once more",
    );
    refused(
        "a.geojson",
        "{\"type\":\"FeatureCollection\",\"bbox\":[1,2],\"features\":[]}",
        "a.geojson:1:36: found \"[1,2]\", expected four or six numbers",
    );
    refused(
        "a.geojson",
        "[]",
        "a.geojson:1:2: this cannot be read as JSON: invalid length 0, expected an object of GeoJSON; correct it, or save it once more",
    );
    assert!(wrong.borrow().is_empty(), "{}", wrong.borrow().join("\n\n"));
}

fn grids(classes: u8) -> impl Strategy<Value = Grid> {
    (1..20_u32, 1..12_u32).prop_flat_map(move |(width, height)| {
        let cells = prop::collection::vec((any::<bool>(), 0..=classes), (width * height) as usize);
        (cells, 0.1_f32..50.0).prop_map(move |(cells, cell_size)| {
            let lattice = Lattice::new(width, height, cell_size).unwrap();
            let mut grid = Grid::closed(lattice);
            for (cell, (open, class)) in lattice.cells().zip(cells) {
                grid.set_open(cell, open);
                grid.set_terrain(cell, class);
            }
            grid
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn geojson_holds_walls_and_terrain(grid in grids(3)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.geojson");
        grid.save_geojson(&path).unwrap();
        prop_assert_eq!(Grid::load(&path).unwrap(), grid);
    }

    #[test]
    fn text_holds_walls(mut grid in grids(0)) {
        let lattice = grid.lattice();
        // Open at all four sides.
        for cell in [lattice.cell(0, 0), lattice.cell(lattice.width - 1, lattice.height - 1)] {
            grid.set_open(cell, true);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.wkt");
        grid.save_wkt(&path).unwrap();
        let options = MapOptions { cell_size: Some(lattice.cell_size), ..MapOptions::default() };
        prop_assert_eq!(MapFile::load(&path, &options).unwrap().grid, grid);
    }

    #[test]
    fn no_text_can_panic_the_readers(text in "(POLYGON|MULTIPOLYGON|GEOMETRYCOLLECTION)? ?[(]{0,3}([0-9.e-]{1,5} [0-9.-]{1,3}[,)(]? ?){0,6}[)]{0,3}", json in "[\\[\\]{}\":,0-9a-z]{0,60}") {
        let _ = read_as("a.wkt", &text, MapOptions::default());
        let _ = read_as("a.geojson", &json, MapOptions::default());
        let coordinates = format!("{{\"type\":\"Polygon\",\"coordinates\":{json}}}");
        let _ = read_as("a.geojson", &coordinates, MapOptions::default());
    }
}
