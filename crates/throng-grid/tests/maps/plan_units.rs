//! Floor plans in degrees, metres and other units, named or not; the level of a building.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use throng_grid::{Grid, MapFile, MapOptions};

fn read(name: &str, text: &str, project: Option<bool>) -> Result<Grid, String> {
    let options = MapOptions { project, ..MapOptions::default() };
    MapFile::from_bytes(text.as_bytes(), name, &options).map(|map| map.grid).map_err(|error| error.to_string())
}

fn size(grid: &Grid) -> (u32, u32, f32) {
    (grid.lattice().width, grid.lattice().height, grid.lattice().cell_size)
}

/// A rectangle of ground.
fn geojson(system: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> String {
    let (right, top) = (x + width, y + height);
    format!(
        "{{\"type\":\"FeatureCollection\",{system}\"features\":[{{\"type\":\"Feature\",\"properties\":{{\"walkable\":true}},\"geometry\":\
         {{\"type\":\"Polygon\",\"coordinates\":[[[{x},{y}],[{right},{y}],[{right},{top}],[{x},{top}],[{x},{y}]]]}}}}]}}"
    )
}

fn wkt(system: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> String {
    let (right, top) = (x + width, y + height);
    format!("{system}POLYGON (({x} {y}, {right} {y}, {right} {top}, {x} {top}, {x} {y}))")
}

fn named(name: &str) -> String {
    format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"{name}\"}}}},")
}

/// A floor of 60 x 40 m.
const FLOOR: ([f64; 2], [f64; 2]) = ([8.4, 49.01], [0.000_82, 0.000_36]);

const REMEDY: &str = "--project";

#[test]
fn systems_in_degrees_are_refused_or_projected() {
    let systems = [
        named("urn:ogc:def:crs:OGC:1.3:CRS84"),
        named("EPSG:4326"),
        named("urn:ogc:def:crs:EPSG::4979"),
        named("http://www.opengis.net/def/crs/EPSG/0/4258"),
        named("EPSG:4269"),
        "\"crs\":{\"type\":\"EPSG\",\"properties\":{\"code\":4326}},".to_owned(),
        "\"crs\":{\"type\":\"link\",\"properties\":{\"href\":\"http://spatialreference.org/ref/epsg/4326/\"}},"
            .to_owned(),
        "\"crs\":\"EPSG:4326\",".to_owned(),
        "\"coordRefSys\":\"http://www.opengis.net/def/crs/OGC/1.3/CRS84\",".to_owned(),
        "\"coordRefSys\":[\"http://www.opengis.net/def/crs/EPSG/0/4326\",\"x\"],".to_owned(),
    ];
    let places = [
        FLOOR,
        ([-0.01, -0.02], [0.3, 0.2]),
        ([8.0, 49.0], [2.0, 1.5]),
        ([-3.0, -2.0], [5.0, 4.0]),
        ([0.0, 0.0], [9.0, 5.0]),
    ];
    for system in &systems {
        for (corner, extent) in places {
            let text = geojson(system, corner, extent);
            let error = read("a.geojson", &text, None).unwrap_err();
            assert!(
                error.starts_with("a.geojson:1:") && error.contains("in degrees") && error.contains(REMEDY),
                "{error}"
            );
        }
        let floor = read("a.geojson", &geojson(system, FLOOR.0, FLOOR.1), Some(true)).unwrap();
        assert_eq!(size(&floor), (240, 161, 0.25), "{system}");
        assert!(floor.open_cells() > 239 * 159);
    }
    for srid in ["SRID=4326;", "srid = 4258 ;", " SRID=4979; ", "SRID=4269;"] {
        for (corner, extent) in places {
            let error = read("a.wkt", &wkt(srid, corner, extent), None).unwrap_err();
            assert!(error.contains("in degrees") && error.contains(REMEDY), "{error}");
        }
        assert_eq!(size(&read("plan", &wkt(srid.trim(), FLOOR.0, FLOOR.1), Some(true)).unwrap()), (240, 161, 0.25));
    }
    // The geometry says it, as PostGIS does.
    let inner = geojson("", FLOOR.0, FLOOR.1)
        .replace("\"Polygon\",", "\"Polygon\",\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:4326\"}},");
    assert!(read("a.geojson", &inner, None).unwrap_err().contains("\"EPSG:4326\", which is in degrees"));
}

#[test]
fn degrees_without_a_name_are_recognised() {
    let refused = [
        FLOOR,
        ([13.4, 52.5], [0.1, 0.25]),
        ([8.0, 49.0], [2.0, 1.5]),
        ([-74.3, 40.4], [3.0, 2.0]),
        ([10.0, -35.5], [6.0, 4.0]),
    ];
    for (corner, extent) in refused {
        for (name, text) in [("a.geojson", geojson("", corner, extent)), ("a.wkt", wkt("", corner, extent))] {
            let error = read(name, &text, None).unwrap_err();
            assert!(error.contains("look like degrees") && error.contains(REMEDY), "{name}: {error}");
            // As metres where that is said.
            let metres = read(name, &text, Some(false)).unwrap();
            let cells = |extent: f64| (extent / 0.25 - 0.01).ceil().max(1.0) as u32;
            assert_eq!(size(&metres), (cells(extent[0]), cells(extent[1]), 0.25));
        }
    }
    // A country, with digits of degrees; of no named system; near the null meridian.
    for (system, corner, extent) in [
        ("", [-4.795_31, 42.332_24], [13.012_35, 8.758_31]),
        ("\"crs\":{},", FLOOR.0, FLOOR.1),
        ("\"crs\":null,", FLOOR.0, FLOOR.1),
        ("\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"my own\"}},", FLOOR.0, FLOOR.1),
        ("", [-0.000_4, 0.000_2], [0.000_9, 0.000_4]),
    ] {
        assert!(read("a.geojson", &geojson(system, corner, extent), None).is_err(), "{system} {corner:?}");
    }
    assert_eq!(size(&read("a.geojson", &geojson("", FLOOR.0, FLOOR.1), Some(true)).unwrap()), (240, 161, 0.25));
    assert_eq!(size(&read("a.wkt", &wkt("", FLOOR.0, FLOOR.1), Some(true)).unwrap()), (240, 161, 0.25));
}

#[test]
fn metres_are_read_as_they_are() {
    let metres = [
        ("", [0.0, 0.0], [12.0, 8.0]),
        ("", [10.0, 5.0], [5.0, 4.0]),
        ("", [-20.0, -10.0], [40.0, 30.0]),
        ("", [30.0, 20.0], [18.5, 12.25]),
        ("", [500_000.0, 5_400_000.0], [30.0, 20.0]),
        ("\"cell_size\":0.25,", [100.0, 50.0], [3.0, 2.0]),
    ];
    let systems = ["EPSG:25832", "urn:ogc:def:crs:EPSG::32632", "EPSG:3857", "ETRS89 / UTM zone 32N"].map(named);
    let systems = systems.iter().map(|system| (system.as_str(), [450_000.5, 5_428_000.25], [60.0, 40.0]));
    for (system, corner, extent) in metres.into_iter().chain(systems) {
        for project in [None, Some(false)] {
            let grid = read("a.geojson", &geojson(system, corner, extent), project).unwrap();
            assert_eq!(size(&grid), ((extent[0] * 4.0) as u32, (extent[1] * 4.0) as u32, 0.25), "{system}");
            assert_eq!(grid.open_cells(), (extent[0] * extent[1] * 16.0) as u32);
        }
    }
    // To project them changes nothing.
    for project in [None, Some(true), Some(false)] {
        let grid = read("a.wkt", &wkt("SRID=25832;", [450_000.0, 5_428_000.0], [60.0, 40.0]), project).unwrap();
        assert_eq!(size(&grid), (240, 160, 0.25));
    }
}

#[test]
fn what_cannot_be_metres_is_said() {
    let feet = geojson(&named("EPSG:2263"), [980_000.0, 190_000.0], [200.0, 100.0]);
    for project in [None, Some(true)] {
        let error = read("a.geojson", &feet, project).unwrap_err();
        assert!(error.contains("\"EPSG:2263\", which is in another unit, expected metres"), "{error}");
    }
    let wrong = geojson(&named("EPSG:4326"), [500_000.0, 5_400_000.0], [20.0, 10.0]);
    assert!(read("a.geojson", &wrong, Some(true)).unwrap_err().contains("--project=false"));
    assert!(read("a.geojson", &wrong, Some(false)).is_ok());
    // Latitude first.
    assert!(read("a.wkt", &wkt("SRID=4326;", [35.6, 139.7], [0.001, 0.001]), Some(true)).is_err());
    let wide = geojson(&named("EPSG:4326"), [-10.0, 35.0], [50.0, 35.0]);
    assert!(read("a.geojson", &wide, Some(true)).unwrap_err().contains("at most 600 km"));
    let world = geojson(&named("EPSG:4326"), [-180.0, -90.0], [360.0, 180.0]);
    assert!(read("a.geojson", &world, Some(true)).unwrap_err().contains("at most 600 km"));
    let two = wkt("SRID=25832;", [0.0; 2], [9.0; 2]) + "\n" + &wkt("SRID=25833;", [0.0; 2], [9.0; 2]);
    assert_eq!(
        read("a.wkt", &two, None).unwrap_err(),
        "a.wkt:2:1: found \"SRID=25833\", expected \"SRID=25832\", as before: all of a plan in one coordinate system"
    );
    let same = two.replace("25833", "25832");
    assert_eq!(size(&read("a.wkt", &same, None).unwrap()), (36, 36, 0.25));
}

/// Maps of web sites: metres as they are, which are too long, and a warning; or metres on the ground.
#[test]
fn web_mercator_is_told_of() {
    let metres = geojson(&named("EPSG:3857"), [935_083.7, 6_275_700.0], [91.5, 61.0]);
    let read = |project| {
        let options = MapOptions { project, ..MapOptions::default() };
        MapFile::from_bytes(metres.as_bytes(), "a.geojson", &options).unwrap()
    };
    let map = read(None);
    assert_eq!(size(&map.grid), (366, 244, 0.25));
    assert_eq!(
        map.warnings[0].to_string(),
        "a.geojson:1:35: lengths in Web Mercator are 1.52 times those on the ground here; --project (project = true in a scenario) makes metres of them"
    );
    assert!(read(Some(false)).warnings.is_empty());
    let map = read(Some(true));
    assert_eq!((size(&map.grid), map.warnings.len()), ((241, 160, 0.25), 0));
}

/// Across the date line, and with bounds in degrees.
#[test]
fn odd_places_are_projected() {
    let line = "SRID=4326;POLYGON ((179.9995 -17, -179.9995 -17, -179.9995 -16.9995, 179.9995 -16.9995))";
    let (width, height, _) = size(&read("a.wkt", line, Some(true)).unwrap());
    assert_eq!((width, height), (426, 222));
    let bounds = named("EPSG:4326") + "\"bbox\":[8.3999,49.0099,8.4010,49.0105],";
    let (width, height, _) = size(&read("a.geojson", &geojson(&bounds, FLOOR.0, FLOOR.1), Some(true)).unwrap());
    assert_eq!((width, height), (322, 267));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Projected plans have the size that the radii of the ellipsoid say, wherever they lie.
    #[test]
    fn projected_plans_are_as_large_as_they_are(longitude in -180.0..179.9_f64, latitude in -80.0..80.0_f64, width in 20.0..900.0_f64, height in 20.0..900.0_f64) {
        let (squared, sine) = (0.006_694_379_990_14, latitude.to_radians().sin());
        let bend = 1.0 - squared * sine * sine;
        let (meridian, across) = (6_378_137.0 * (1.0 - squared) / bend.powf(1.5), 6_378_137.0 / bend.sqrt());
        let degrees = [(width / (across * latitude.to_radians().cos())).to_degrees(), (height / meridian).to_degrees()];
        let corner = [longitude - degrees[0] / 2.0, latitude - degrees[1] / 2.0];
        prop_assume!(corner[0] >= -180.0 && corner[0] + degrees[0] <= 180.0);
        let grid = read("a.wkt", &wkt("SRID=4326;", corner, degrees), Some(true)).unwrap();
        let lattice = grid.lattice();
        let side = f64::from(lattice.cell_size);
        // A cell for rounding, and the bend of the parallels.
        let bend = width * height / 6_378_137.0 * latitude.to_radians().tan().abs() + width * width / 5e7 * latitude.to_radians().tan().abs();
        prop_assert!((f64::from(lattice.width) * side - width).abs() < 0.3 + bend, "{} {}", lattice.width, width);
        prop_assert!((f64::from(lattice.height) * side - height).abs() < 0.3 + bend, "{} {}", lattice.height, height);
    }

    /// Whatever the file: a plan in degrees is never read as one in metres.
    #[test]
    fn no_degrees_are_metres(longitude in -179.0..170.0_f64, latitude in -85.0..80.0_f64, width in 0.000_1..3.0_f64, height in 0.000_1..3.0_f64) {
        prop_assume!(longitude.abs().max(latitude.abs()) > 20.0);
        let (corner, extent) = ([longitude, latitude], [width, height]);
        prop_assert!(read("a.geojson", &geojson("", corner, extent), None).is_err());
        prop_assert!(read("a.wkt", &wkt("", corner, extent), None).is_err());
        prop_assert!(read("a.geojson", &geojson(&named("EPSG:4326"), corner, extent), None).is_err());
        prop_assert!(read("a.wkt", &wkt("SRID=4326;", corner, extent), None).is_err());
    }

    #[test]
    fn no_names_can_panic(name in ".{0,40}", text in "(SRID ?= ?[0-9]{0,5};)?(LINESTRING|POLYGON) ?[(]{1,2}(-?[0-9e.]{1,4} -?[0-9]{1,3}, ?){0,4}1 2[)]{1,2}") {
        let escaped = serde_free(&name);
        let system = format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":{escaped}}}}},");
        let _ = read("a.geojson", &geojson(&system, FLOOR.0, FLOOR.1), Some(true));
        let _ = read("a.wkt", &text, Some(true));
        let _ = read("a.wkt", &text, None);
    }
}

/// A string of JSON.
fn serde_free(text: &str) -> String {
    let letter = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter.is_control() => " ".to_owned(),
        letter => letter.to_string(),
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

/// Features of three levels and of none, each a square of its own.
fn house() -> String {
    let feature = |x: u32, level: &str| {
        let right = x + 1;
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"walkable\":true{level}}},\"geometry\":{{\"type\":\"Polygon\",\"coordinates\":\
             [[[{x},0],[{right},0],[{right},1],[{x},1]]]}}}}"
        )
    };
    let levels = [
        "",
        ",\"level\":0",
        ",\"level\":\"1\"",
        ",\"level\":\"0;1\"",
        ",\"level\":\"-1-1\"",
        ",\"level\":[2]",
        ",\"level\":\"EG\"",
        ",\"level\":null",
    ];
    let features: Vec<String> = levels.iter().zip(0..).map(|(level, x)| feature(x, level)).collect();
    format!("{{\"type\":\"FeatureCollection\",\"bbox\":[0,0,8,1],\"features\":[{}]}}", features.join(","))
}

#[test]
fn one_level_of_a_building_is_read() {
    let rows = |level: Option<&str>| {
        let options = MapOptions { cell_size: Some(1.0), level: level.map(str::to_owned), ..MapOptions::default() };
        let map = MapFile::from_bytes(house().as_bytes(), "a.geojson", &options).map_err(|error| error.to_string())?;
        let (grid, lattice) = (&map.grid, map.grid.lattice());
        Ok::<String, String>(lattice.cells().map(|cell| if grid.is_open(cell) { '.' } else { '#' }).collect())
    };
    for (level, expected) in [
        ("0", "..#..##."),
        ("1", ".#...##."),
        ("1.0", ".#...##."),
        ("-1", ".###.##."),
        ("2", ".####.#."),
        ("EG", ".#####.."),
    ] {
        assert_eq!(rows(Some(level)).as_deref(), Ok(expected), "{level}");
    }
    let error = rows(None).unwrap_err();
    assert!(
        error.contains("features of the levels -1, 0, 1, 2, EG, expected those of one level; choose one with --level"),
        "{error}"
    );
    let error = rows(Some("7")).unwrap_err();
    assert!(error.contains("no feature of the level \"7\", expected one of the levels -1, 0, 1, 2, EG"), "{error}");
}
