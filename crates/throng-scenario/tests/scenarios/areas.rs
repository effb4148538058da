//! Squads in the areas that a Tiled map names, and other keys of a scenario about its map.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use throng_grid::MapFile;
use throng_grid::geom::Vec2;
use throng_scenario::Scenario;
use throng_sim::battle::{Formation, Order, Shape};

/// Forty cells a side; a wall in the middle of the room.
const MAP: &str = r#"<map width="40" height="40" tilewidth="16" tileheight="16"><objectgroup name="areas">
  <object name="north gate" class="spawn" x="32" y="32" width="320" height="96"><properties>
   <property name="count" type="int" value="30"/><property name="facing" type="float" value="90"/>
   <property name="unit" value="guard"/></properties></object>
  <object name="south gate" class="spawn" x="32" y="480" width="320" height="96"/>
  <object name="corner" class="spawn" x="480" y="480"><polygon points="0,0 96,0 0,96"/></object>
  <object name="odd" class="spawn" width="16" height="16"><properties>
   <property name="count" value="many"/></properties></object>
  <object name="west wing" class="spawn" x="32" y="160" width="160" height="192"><properties>
   <property name="formation" value="line"/><property name="count" type="int" value="60"/></properties></object>
  <object name="heap" class="spawn" x="32" y="160" width="160" height="192"><properties>
   <property name="formation" value="heap"/><property name="count" type="int" value="6"/></properties></object>
 </objectgroup></map>"#;

fn load(squad: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.tmx"), MAP).unwrap();
    let text =
        format!("map = \"a.tmx\"\n[[unit]]\nname = \"guard\"\n[[army]]\nname = \"red\"\n[[army.squad]]\n{squad}\n");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).unwrap();
    let strip =
        |error: throng_scenario::ScenarioError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    Scenario::load(&path).map(|(scenario, _)| scenario).map_err(strip)
}

#[test]
fn squads_stand_in_their_area() {
    let scenario = load("area = \"north gate\"").unwrap();
    let squad = &scenario.armies[0].squads[0];
    assert_eq!(
        (squad.positions.len(), squad.facing, scenario.units[usize::from(squad.unit.0)].name.as_str()),
        (30, 90.0, "guard")
    );
    let inside = |p: &Vec2| (2.0..22.0).contains(&p.x) && (2.0..8.0).contains(&p.y);
    assert!(squad.positions.iter().all(inside), "{:?}", squad.positions);
    // As broad as the area is.
    let xs = squad.positions.iter().map(|p| p.x);
    assert!(xs.clone().fold(0.0, f32::max) - xs.fold(99.0, f32::min) > 8.0);

    // The squad has the last word.
    let scenario =
        load("area = \"north gate\"\ncount = 5\nfacing = 0\nunit = \"soldier\"\norder = \"attack\"").unwrap();
    let squad = &scenario.armies[0].squads[0];
    assert_eq!((squad.positions.len(), squad.facing, &squad.order), (5, 0.0, &Order::Attack));
    assert_eq!(scenario.units[usize::from(squad.unit.0)].name, "soldier");

    // All in the triangle, whose middle is on its edge.
    let scenario = load("area = \"corner\"\ncount = 12").unwrap();
    let positions = &scenario.armies[0].squads[0].positions;
    assert!(positions.iter().all(|p| p.x >= 30.0 && p.y >= 30.0 && p.x + p.y <= 66.0), "{positions:?}");
}

#[test]
fn areas_name_a_formation() {
    let scenario = load("area = \"west wing\"").unwrap();
    let squad = &scenario.armies[0].squads[0];
    // A line of three ranks would be broader than the area.
    assert_eq!(squad.formation, Some(Formation { files: Some(12), ..Formation::new(Shape::Line, 1.0) }));
    let inside = |p: &Vec2| (2.0..12.0).contains(&p.x) && (10.0..22.0).contains(&p.y);
    assert!(squad.positions.len() == 60 && squad.positions.iter().all(inside), "{:?}", squad.positions);
    let scenario = load("area = \"west wing\"\nformation = \"wedge\"\ncount = 20").unwrap();
    assert_eq!(scenario.armies[0].squads[0].formation, Some(Formation::new(Shape::Wedge, 1.0)));
    assert_eq!(
        load("area = \"west wing\"\nformation = \"circle\"\ncount = 200").unwrap_err(),
        "s.toml:8:13: the circle formation does not fit here: 76 of its 200 places are outside the area, in walls or taken; lower \
         the count or the spacing, or move the squad"
    );
    assert_eq!(
        load("area = \"heap\"").unwrap_err(),
        "s.toml:7:8: the area's formation must be one of line, column, square, wedge, circle, loose, found \"heap\"; give the \
         squad one, or correct the map"
    );
}

#[test]
fn areas_are_checked() {
    let refused = |squad: &str, message: &str| assert_eq!(load(squad).unwrap_err(), message, "{squad}");
    refused("area = \"north gat\"", "s.toml:7:8: unknown area \"north gat\"; did you mean \"north gate\"?");
    refused(
        "area = \"north gate\"\nposition = [1, 1]",
        "s.toml:7:8: a squad has a position or an area, found both; remove one",
    );
    refused("count = 3", "s.toml:6:1: the key \"position\" is missing");
    refused("position = [3, 3]", "s.toml:6:1: the key \"count\" is missing");
    refused("area = \"south gate\"", "s.toml:6:1: the key \"count\" is missing");
    refused(
        "area = \"odd\"",
        "s.toml:7:8: the area's count must be a whole number between 1 and 200000 (soldiers a squad), found \"many\"; give \
         the squad one, or correct the map",
    );
    refused(
        "area = \"corner\"\ncount = 400",
        "s.toml:7:8: only 21 of 400 soldiers find room in the area \"corner\"; lower the count or the spacing, or draw a larger \
         area",
    );
    refused("area = \"north gate\"\nunit = \"guart\"", "s.toml:8:8: unknown unit \"guart\"; did you mean \"guard\"?");
}

#[test]
fn maps_without_areas_say_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), format!("legend . = open\nmap\n{}", "........\n".repeat(8))).unwrap();
    let path = folder.path().join("s.toml");
    let text = "map = \"a.txt\"\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 3\narea = \"gate\"\n";
    std::fs::write(&path, text).unwrap();
    let message = Scenario::load(&path).unwrap_err().to_string();
    let expected =
        "unknown area \"gate\"; the map has none; draw a rectangle of the class spawn in Tiled, or give a position";
    assert!(message.ends_with(expected), "{message}");
}

/// Floor plans and colour tables in scenarios; classes of terrain by number.
#[test]
fn maps_are_read_as_the_scenario_says() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("plan.wkt", "POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0))");
    let load = |keys: &str| {
        let squad = "[[army]]\nname = \"red\"\nsquad = [{ count = 1, position = [2, 2] }]";
        write("s.toml", &format!("{keys}\n{squad}\n"));
        Scenario::load(folder.path().join("s.toml"))
            .map(|(scenario, _)| scenario)
            .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    };
    let lattice = |keys: &str| load(keys).map(|scenario| scenario.grid.lattice()).unwrap();
    let plain = lattice("map = \"plan.wkt\"");
    assert_eq!((plain.width, plain.height, plain.cell_size), (32, 16, 0.25));
    let coarse = lattice("map = \"plan.wkt\"\ncell_size = 0.5");
    assert_eq!((coarse.width, coarse.height, coarse.cell_size), (16, 8, 0.5));
    let turned = load("map = \"plan.wkt\"\ncell_size = 1\npolygons = \"obstacles\"").unwrap();
    assert_eq!((turned.grid.lattice().width, turned.grid.open_cells()), (12, 12 * 8 - 32));
    assert_eq!(
        load("map = \"plan.wkt\"\npolygons = \"walls\"").unwrap_err(),
        "s.toml:2:12: unknown polygons \"walls\"; known are walkable, obstacles"
    );
    assert_eq!(
        load("map = \"plan.wkt\"\ncolours = \"c.toml\"").unwrap_err(),
        "s.toml:2:11: colours c.toml: no such file; check the path"
    );
    write("floor.wkt", "SRID=4326;POLYGON ((8.4 49.01, 8.40082 49.01, 8.40082 49.01036, 8.4 49.01036))");
    assert!(load("map = \"floor.wkt\"").unwrap_err().contains("project = true in a scenario"));
    let floor = lattice("map = \"floor.wkt\"\nproject = true");
    assert_eq!((floor.width, floor.height), (240, 161));
    write("walls.wkt", "POLYGON ((0 0, 8 0, 8 4, 0 4)) LINESTRING (6 0, 6 4)");
    let open = |keys: &str| load(&format!("map = \"walls.wkt\"\n{keys}")).unwrap().grid.open_cells();
    assert_eq!((open(""), open("wall_width = 2")), (31 * 16, 24 * 16));
    let square = |x: u32, level: u32| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"walkable\":true,\"level\":{level}}},\"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[[[0,0],[{x},0],[{x},4],[0,4]]]}}}}"
        )
    };
    let house = format!("{{\"type\":\"FeatureCollection\",\"features\":[{},{}]}}", square(8, 0), square(6, 1));
    write("house.geojson", &house);
    assert_eq!(lattice("map = \"house.geojson\"\nlevel = \"1\"").width, 24);
    let unit = |terrain: &str| load(&format!("map = \"plan.wkt\"\n[[unit]]\nname = \"a\"\nterrain = {terrain}"));
    let costs = unit("{ swamp = 3, 7 = 5, 8 = \"closed\" }").unwrap().units[0].terrain.clone().unwrap();
    let found = [0, 1, 2, 7, 8].map(|class| costs.of(class));
    assert_eq!(found, [Some(Some(1)), Some(Some(3)), None, Some(Some(5)), Some(None)]);
    // A class of the map without a name costs 1.
    write("t.txt", &format!("legend . = open\nlegend t = terrain 200\nmap\n{}", "..tt....\n".repeat(8)));
    let named = load("map = \"t.txt\"\n[[unit]]\nname = \"a\"\nterrain = { swamp = 3 }").unwrap();
    assert_eq!(named.units[0].terrain.as_ref().and_then(|costs| costs.of(200)), Some(Some(1)));
    assert_eq!(unit("{ 256 = 5 }").unwrap_err(), "s.toml:4:13: unknown key \"256\"; known are plain, swamp, 0 to 255");
    assert_eq!(
        unit("{ 7 = 0 }").unwrap_err(),
        "s.toml:4:17: 7 must be a whole number between 1 and 1000 (times the cost of the best ground) or \"closed\", found 0"
    );
}

/// The map that was drawn in Tiled, and the battle on it.
#[test]
fn the_keep_is_stormed() {
    let folder = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let map = MapFile::load(folder.join("maps/keep.tmx"), &throng_grid::MapOptions::default()).unwrap();
    assert_eq!((map.grid.lattice().width, map.grid.lattice().height, map.areas.len()), (120, 80, 5));
    assert!(map.grid.height_layer().is_some() && map.grid.terrain_layer().is_some());
    let (scenario, warnings) = Scenario::load(folder.join("examples/keep.toml")).unwrap();
    assert_eq!((scenario.agents(), warnings.len()), (680, 0), "{warnings:?}");
    let mut world = scenario.build(1).unwrap();
    for _ in 0..300 {
        world.tick().unwrap();
    }
    // They have met.
    assert!(world.agents() < 680);
}
