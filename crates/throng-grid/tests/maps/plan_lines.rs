//! Lines of floor plans are walls.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use throng_grid::{Grid, MapFile, MapOptions};

fn read_wide(name: &str, text: &str, cell_size: f32, wall_width: Option<f32>) -> Grid {
    let options = MapOptions { cell_size: Some(cell_size), wall_width, ..MapOptions::default() };
    MapFile::from_bytes(text.as_bytes(), name, &options).unwrap().grid
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
fn lines_are_walls_beside_polygons() {
    // A room with a wall that has a door.
    let room = "POLYGON ((0 0, 6 0, 6 4, 0 4))";
    let wall = "LINESTRING Z (2.5 0 1, 2.5 1 1)\nMULTILINESTRING ((2.5 2, 2.5 3), (2.5 3, 2.5 4))";
    let expected = ["..#...", "......", "..#...", "..#..."];
    for width in [None, Some(0.01), Some(1.0)] {
        assert_eq!(rows(&read_wide("a.wkt", &format!("{room} {wall}"), 1.0, width)), expected);
    }
    assert_eq!(rows(&read_wide("plan", &format!("SRID=25832; {wall} {room}"), 1.0, None)), expected);
    // Wider, and between two lines of cells.
    assert_eq!(rows(&read_wide("a.wkt", &format!("{room} LINESTRING (3 -1, 3 9)"), 1.0, Some(2.0))), ["..##.."; 4]);
    let thin = rows(&read_wide("a.wkt", &format!("{room} LINESTRING (2.8 -1, 2.8 9)"), 1.0, Some(0.1)));
    assert_eq!(thin, ["..#..."; 4]);
    // A corner is whole.
    let corner = read_wide("a.wkt", &format!("{room} LINESTRING (1 1, 5 1, 5 3)"), 0.5, Some(1.0));
    assert_eq!(
        rows(&corner),
        [
            "............",
            "..#########.",
            "..#########.",
            ".........##.",
            ".........##.",
            ".........##.",
            "............",
            "............"
        ]
    );
    // Lines alone: ground of two metres around them.
    let alone = rows(&read_wide("a.wkt", "LINESTRING (0 0, 4 0, 4 4, 0 4, 0 0)", 0.5, Some(0.5)));
    assert_eq!((alone.len(), alone[0].as_str(), alone[6].as_str()), (17, ".".repeat(17).as_str(), "....#.......#...."));
}

#[test]
fn features_say_how_wide_their_walls_are() {
    let text = |properties: &str| {
        format!(
            "{{\"type\":\"FeatureCollection\",\"cell_size\":1,\"features\":[\
             {{\"type\":\"Feature\",\"properties\":{{\"walkable\":true}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[7,0],[7,1],[0,1]]]}}}},\
             {{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":{{\"type\":\"LineString\",\"coordinates\":[[3.5,0],[3.5,1]]}}}}]}}"
        )
    };
    for (properties, expected) in [
        ("{}", "...#..."),
        ("null", "...#..."),
        ("{\"width\":3}", "..###.."),
        ("{\"width\":\"5\"}", ".#####."),
        ("{\"width\":null}", "...#..."),
        ("{\"walkable\":false,\"width\":3}", "..###.."),
        ("{\"walkable\":true,\"width\":3}", "......."),
        ("{\"terrain\":\"swamp\",\"width\":3}", "..~~~.."),
    ] {
        let grid = read_wide("a.geojson", &text(properties), 1.0, None);
        assert_eq!(rows(&grid), [expected], "{properties}");
    }
    for (properties, message) in [
        ("{\"width\":\"wide\"}", "found width = \"wide\", expected a number of metres from 0.001 to 1000"),
        ("{\"width\":-1}", "found width = -1, expected a number of metres from 0.001 to 1000"),
    ] {
        let error = Grid::from_bytes(text(properties).as_bytes(), "a.geojson").unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
    let many = "{\"type\":\"MultiLineString\",\"coordinates\":[[[0,0],[4,0]],[[0,2],[4,2]],[],[[1,1]]]}";
    assert_eq!(rows(&read_wide("a.geojson", many, 0.5, None)).len(), 13);
    let options = MapOptions { wall_width: Some(0.0), ..MapOptions::default() };
    let error = MapFile::from_bytes(b"LINESTRING (0 0, 4 0)", "a.wkt", &options).unwrap_err().to_string();
    assert_eq!(error, "a.wkt: found wall_width = 0, expected metres from 0.001 to 1000");
}

fn away([x, y]: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let part = (((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy).max(1e-30)).clamp(0.0, 1.0);
    (x - a[0] - part * dx).hypot(y - a[1] - part * dy)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Against distances: what is nearer to a line than half its width is closed but near its ends, what is far from it is open.
    #[test]
    fn walls_are_as_wide_as_they_are(corners in prop::collection::vec((0_i32..60, 0_i32..60), 2..6), width in 1.2..5.0_f64) {
        let points: Vec<[f64; 2]> = corners.iter().map(|&(x, y)| [f64::from(x) * 0.513, f64::from(y) * 0.487]).collect();
        let list: Vec<String> = points.iter().map(|[x, y]| format!("{x} {y}")).collect();
        let text = format!("POLYGON ((0 0, 31 0, 31 31, 0 31)) LINESTRING ({})", list.join(", "));
        let grid = read_wide("a.wkt", &text, 1.0, Some(width as f32));
        let (half, lattice) = (f64::from(width as f32) / 2.0, grid.lattice());
        let ends = [points[0], points[points.len() - 1]];
        for cell in lattice.cells() {
            let (x, y) = lattice.column_row(cell);
            let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let near = points.windows(2).map(|pair| away(centre, pair[0], pair[1])).fold(f64::INFINITY, f64::min);
            let from_end = ends.iter().map(|&end| away(centre, end, end)).fold(f64::INFINITY, f64::min);
            // Sharp corners reach farther, rounded ones less.
            let from_corner = points.iter().map(|&corner| away(centre, corner, corner)).fold(f64::INFINITY, f64::min);
            if near < half - 1e-6 && from_end > half && from_corner > half {
                prop_assert!(!grid.is_open(cell), "{} of width {}: {:?} is open", text, width, centre);
            }
            if near > half + 1.0 && from_corner > 2.0 * half + 1.0 {
                prop_assert!(grid.is_open(cell), "{} of width {}: {:?} is closed", text, width, centre);
            }
        }
    }
}
