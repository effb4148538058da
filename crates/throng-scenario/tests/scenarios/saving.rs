//! A scenario that is saved with an edited map and more squads is read again as it was left.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::{Area, Cell, Grid, MapFile, MapFormat};
use throng_plan::PlannerChoice;
use throng_scenario::{Edited, Scenario, Warning};
use throng_sim::battle::{Formation, JourneyId, Order, Shape};
use throng_sim::world::{ArmyId, Breakable, SquadSpec, UnitId};

/// A scenario with comments, squads of every way of writing, and a map of 40 x 30 cells.
const CAMP: &str = r#"# The camp
name = "camp" # ours
map = "camp.map" # a field
seed = 3

[[unit]]
name = "horse"
radius = 0.9

[[journey]]
name = "round"
[[journey.stop]]
way_point = [5, 5]

[[army]]
name = "red" # they
[[army.squad]] # the van
count = 9
position = [10, 10]
order = { go_to = [20.5, 10] } # up

[[army.objective]]
survive = 100

# The others
[[army]]
name = "blue"
squad = [{ unit = "horse", count = 2, position = [30, 20] }] # two
# The end
"#;

fn camp(text: &str) -> (tempfile::TempDir, Scenario) {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 30\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(30);
    std::fs::write(folder.path().join("camp.map"), map).unwrap();
    let file = folder.path().join("camp.toml");
    std::fs::write(&file, text).unwrap();
    let (scenario, warnings) = Scenario::load(&file).unwrap();
    assert_eq!(warnings, []);
    (folder, scenario)
}

fn squad(army: u8, unit: usize, positions: &[(f32, f32)]) -> SquadSpec {
    let positions: Vec<Vec2> = positions.iter().copied().map(Vec2::from).collect();
    SquadSpec::new(ArmyId(army), UnitId(unit as u16), positions)
}

fn saved(scenario: &Scenario, edited: &Edited) -> (PathBuf, Scenario, Vec<Warning>) {
    let path = scenario.file.with_file_name("saved.toml");
    let map = scenario.save_edited(edited, &path).unwrap();
    assert_eq!(map, path.with_extension(edited.format.ending()));
    let (again, warnings) = Scenario::load(&path).unwrap();
    (path, again, warnings)
}

#[test]
fn squads_that_came_are_the_last_of_their_armies_and_comments_stay() {
    let (_folder, scenario) = camp(CAMP);
    let soldier = scenario.units.iter().position(|unit| unit.name == "soldier").unwrap();
    let first = SquadSpec { facing: -90.0, ..squad(0, soldier, &[(3.25, 3.1), (4.7, 3.1)]) };
    let row: Vec<(f32, f32)> = (0..20).map(|i| (1.0 + 1.9 * i as f32, 26.3)).collect();
    let second = SquadSpec { order: Order::GoTo(Vec2::new(7.3, 8.1)), ..squad(1, 0, &row) };
    let third = SquadSpec { order: Order::Travel(JourneyId(0)), ..squad(0, soldier, &[(35.0, 3.0)]) };
    let squads = [first.clone(), second.clone(), third.clone()];
    let edited = Edited { squads: &squads, ..Edited::new(&scenario.grid, MapFormat::Ascii) };
    let (path, again, warnings) = saved(&scenario, &edited);
    assert_eq!(warnings, []);
    assert_eq!(again.armies[0].squads, [scenario.armies[0].squads[0].clone(), first, third]);
    assert_eq!(again.armies[1].squads, [scenario.armies[1].squads[0].clone(), second]);
    let text = std::fs::read_to_string(&path).unwrap();
    let expected = CAMP
        .replace("\"camp.map\"", "\"saved.txt\"")
        .replace(
            "# up\n",
            r#"# up

[[army.squad]]
unit = "soldier"
places = [[3.25, 3.1], [4.7, 3.1]]
facing = -90.0
order = "hold"

[[army.squad]]
unit = "soldier"
places = [[35.0, 3.0]]
facing = 0.0
order = { travel = "round" }
"#,
        )
        .replace("[30, 20] }]", "[30, 20] }, { PLACES }]");
    let (before, _) = expected.split_once("PLACES").unwrap();
    assert!(text.starts_with(before), "{text}");
    assert!(text.ends_with("], facing = 0.0, order = { go_to = [7.3, 8.1] } }] # two\n# The end\n"), "{text}");
    // A saved scenario can be saved again.
    let edited = Edited { squads: &[squad(0, soldier, &[(38.0, 3.0)])], ..Edited::new(&again.grid, MapFormat::Ascii) };
    let path = path.with_file_name("again.toml");
    again.save_edited(&edited, &path).unwrap();
    let (third, _) = Scenario::load(&path).unwrap();
    assert_eq!(third.armies[0].squads.len(), 4);
    assert_eq!(third.armies[0].squads[..3], again.armies[0].squads);
}

#[test]
fn armies_in_a_list_get_squads_too_and_what_differs_from_the_top_is_said() {
    let text = r#"map = "camp.map"
planner = "flow-field"
army = [{ name = "red", squad = [{ count = 1, position = [3, 3] }] }, { name = "blue", squad = [{ count = 1, position = [9, 3] }] }]
"#;
    let (_folder, scenario) = camp(text);
    let by_astar = squad(1, 0, &[(5.0, 6.0)]);
    let by_field = SquadSpec { planner: PlannerChoice::FlowField, ..squad(1, 0, &[(5.0, 8.0)]) };
    let formation = Formation { files: Some(2), ..Formation::new(Shape::Line, 1.5) };
    let formed = SquadSpec { formation: Some(formation), ..squad(1, 0, &[(5.0, 10.0), (7.0, 10.0), (9.0, 10.0)]) };
    let squads = [by_astar.clone(), by_field.clone(), formed.clone()];
    let edited = Edited { squads: &squads, ..Edited::new(&scenario.grid, MapFormat::Ascii) };
    let (path, again, warnings) = saved(&scenario, &edited);
    assert_eq!(warnings, []);
    assert_eq!(again.armies[1].squads[1..], [by_astar, by_field, formed]);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.matches("planner = \"astar\"").count(), 2, "{text}");
}

#[test]
fn what_was_read_is_saved_whatever_has_become_of_the_file_and_armies_that_were_not_there_are_named() {
    let (_folder, scenario) = camp(CAMP);
    std::fs::write(&scenario.file, "[[breakable]]\n".to_owned() + &CAMP.replace("\"blue\"", "\"green\"")).unwrap();
    let edited = Edited { squads: &[squad(1, 0, &[(3.0, 3.0)])], ..Edited::new(&scenario.grid, MapFormat::Ascii) };
    let (path, again, _) = saved(&scenario, &edited);
    assert_eq!((again.armies[1].name.as_str(), again.armies[1].squads.len()), ("blue", 2));
    std::fs::remove_file(&path).unwrap();
    std::fs::remove_file(path.with_extension("txt")).unwrap();

    let edited = Edited { squads: &[squad(7, 0, &[(3.0, 3.0)])], ..Edited::new(&scenario.grid, MapFormat::Ascii) };
    let error = scenario.save_edited(&edited, &path).unwrap_err().to_string();
    let told = "there is no army 8 in it; a squad can be added to its armies only";
    assert_eq!(error, format!("{}: {told}", scenario.file.display()));
    assert!(!path.exists() && !path.with_extension("txt").exists());
}

#[test]
fn who_stands_where_others_start_makes_way_and_it_is_said() {
    let (_folder, scenario) = camp(CAMP);
    let soldier = scenario.units.iter().position(|unit| unit.name == "soldier").unwrap();
    let mut grid = (*scenario.grid).clone();
    let wall = grid.lattice().at(Vec2::new(25.5, 5.5));
    grid.set_open(wall, false);
    let start = scenario.armies[0].squads[0].positions[4];
    let came = squad(0, soldier, &[(start.x, start.y), (25.5, 5.5), (35.0, 15.0)]);
    let edited = Edited { squads: std::slice::from_ref(&came), ..Edited::new(&grid, MapFormat::Ascii) };
    let (_, again, warnings) = saved(&scenario, &edited);
    assert_eq!(again.armies[0].squads[0], scenario.armies[0].squads[0]);
    let found = &again.armies[0].squads[1].positions;
    assert!(found.iter().zip(&came.positions).all(|(found, wanted)| found.distance(*wanted) < 3.0), "{found:?}");
    assert_eq!(found[2], came.positions[2]);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    let told = warning.to_string();
    assert!(told.contains(": 2 of 3 soldiers cannot stand at their places, which are in walls, off the map or taken; the first was moved from (10.5, 12) to "), "{told}");
}

/// The map with walls and terrain, with so little that a `.map` file holds it where it shall be plain.
fn painted(scenario: &Scenario, cells: &[(u32, u32, u8)], is_plain: bool) -> Grid {
    let mut grid = (*scenario.grid).clone();
    let lattice = grid.lattice();
    for &(x, y, kind) in cells {
        let cell = lattice.cell(x, y);
        // No walls where squads stand or go to.
        grid.set_open(cell, y >= 8 || kind % 3 > 0);
        let class = if is_plain { u8::from(grid.is_open(cell)) } else { kind };
        grid.set_terrain(cell, class);
    }
    grid
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn what_was_saved_is_read_again(
        format in prop::sample::select(vec![
            MapFormat::Ascii, MapFormat::MovingAi, MapFormat::Png, MapFormat::Tiled, MapFormat::GeoJson,
        ]),
        cells in prop::collection::vec((15..40_u32, 0..30_u32, 0..12_u8), 0..60),
        hills in prop::collection::vec((0..40_u32, 0..30_u32, 1..900_u16), 0..4),
        cell_size in prop::sample::select(vec![1.0_f32, 1.1]),
        places in prop::collection::vec((0..9_u32, 0.0..1.0_f32, 0.0..1.0_f32), 1..30),
        facing in -360.0..360.0_f32,
        order in prop::sample::select(vec![
            Order::Hold, Order::Attack, Order::Charge, Order::Flee, Order::Guard { within: 7.3 },
            Order::GoTo(Vec2::new(2.1, 3.7)), Order::Move(Vec2::new(2.1, 3.7)),
        ]),
    ) {
        let text = CAMP.replace("seed = 3", &format!("seed = 3\ncell_size = {cell_size} # side"));
        let (_folder, scenario) = camp(&text);
        let mut grid = painted(&scenario, &cells, format == MapFormat::MovingAi);
        for (x, y, height) in hills {
            grid.set_height(grid.lattice().cell(x, y), height);
        }
        let soldier = scenario.units.iter().position(|unit| unit.name == "soldier").unwrap();
        let at = |(i, &(_, x, y)): (usize, &(u32, f32, f32))| (1.0 + 1.2 * i as f32 + 0.2 * x, 28.0 + 0.2 * y);
        let places: Vec<(f32, f32)> = places.iter().enumerate().map(at).collect();
        let came = SquadSpec { facing, order, ..squad(1, soldier, &places) };
        let edited = Edited { squads: std::slice::from_ref(&came), ..Edited::new(&grid, format) };
        let (path, again, warnings) = saved(&scenario, &edited);
        prop_assert_eq!(&*again.grid, &grid);
        prop_assert_eq!(again.grid.lattice(), grid.lattice());
        prop_assert!(warnings.is_empty(), "{:?}", warnings);
        prop_assert_eq!(&again.armies[1].squads[1], &came);
        // And the world begins with it.
        let world = again.build(1).unwrap();
        let mut frame = throng_sim::world::Frame::default();
        world.frame(&mut frame);
        for place in &came.positions {
            prop_assert!(frame.position.contains(place), "{} is not in the world", place);
        }
        prop_assert_eq!(world.squads().last().map(|squad| squad.order), Some(order));
        let text = std::fs::read_to_string(path).unwrap();
        let has = |key: &str| text.contains(&format!("\n{key} = "));
        let is_said = matches!(format, MapFormat::MovingAi | MapFormat::Png) && cell_size != 1.0;
        prop_assert_eq!(has("cell_size"), is_said);
        prop_assert!(!is_said || text.contains("cell_size = 1.1 # side"));
    }
}

fn refusal(scenario: &Scenario, grid: &Grid, format: MapFormat) -> String {
    let path = scenario.file.with_file_name("saved.toml");
    let edited = Edited::new(grid, format);
    let error = scenario.save_edited(&edited, &path).unwrap_err().to_string();
    let left: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!left.iter().any(|path| path.to_string_lossy().contains("saved")), "{left:?}");
    error.replace(&format!("{}/", path.parent().unwrap().display()), "")
}

#[test]
fn what_a_kind_of_map_cannot_hold_is_refused() {
    let (_folder, mut scenario) = camp(CAMP);
    let mut grid = (*scenario.grid).clone();
    let lattice = grid.lattice();
    grid.set_terrain(lattice.cell(20, 5), 7);
    grid.set_terrain(lattice.cell(21, 5), 9);
    grid.set_height(lattice.cell(1, 1), 40);
    assert_eq!(
        refusal(&scenario, &grid, MapFormat::MovingAi),
        "saved.map: not written, since it cannot hold terrain of classes 7, 9; a .txt or .tmx map holds it"
    );
    grid.set_open(lattice.cell(21, 5), false);
    assert_eq!(
        refusal(&scenario, &grid, MapFormat::MovingAi),
        "saved.map: not written, since it cannot hold terrain of class 7 and terrain under walls; \
         a .txt or .tmx map holds it"
    );
    for class in 0..=255 {
        let cell = lattice.cell(u32::from(class) % 40, 12 + u32::from(class) / 40);
        grid.set_terrain(cell, class);
    }
    assert_eq!(
        refusal(&scenario, &grid, MapFormat::Png),
        "saved.png: cannot be written: its 257 kinds of open and closed terrain need a colour each, and a table has at \
         most 256; a .txt or .tmx map holds them"
    );
    scenario.areas =
        vec![Area { name: "gate".into(), corners: vec![Vec2::ZERO, Vec2::X, Vec2::Y], properties: vec![] }];
    for format in [MapFormat::Ascii, MapFormat::Png, MapFormat::GeoJson] {
        assert_eq!(
            refusal(&scenario, &scenario.grid, format),
            format!("saved.{}: not written, since it cannot hold spawn areas; a .tmx map holds it", format.ending())
        );
    }
}

#[test]
fn areas_stay_in_a_tiled_map() {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("examples")).unwrap();
    std::fs::create_dir_all(folder.path().join("maps")).unwrap();
    for file in ["examples/keep.toml", "maps/keep.tmx", "maps/keep.tsx"] {
        std::fs::copy(root.join(file), folder.path().join(file)).unwrap();
    }
    let (scenario, _) = Scenario::load(folder.path().join("examples/keep.toml")).unwrap();
    assert_eq!((scenario.map_format(), scenario.areas.is_empty()), (MapFormat::Tiled, false));
    let mut grid = (*scenario.grid).clone();
    let cell: Cell = grid.lattice().cell(0, 0);
    grid.set_open(cell, !grid.is_open(cell));
    let edited = Edited::new(&grid, scenario.map_format());
    let (path, again, _) = saved(&scenario, &edited);
    assert_eq!((&*again.grid, &again.areas, &again.armies), (&grid, &scenario.areas, &scenario.armies));
    let map = MapFile::load(path.with_extension("tmx"), &throng_grid::MapOptions::default()).unwrap();
    assert_eq!(map.areas, scenario.areas);
}

#[test]
fn what_can_be_broken_is_what_it_was() {
    let gates = "[[breakable]] # the gate\nfrom = [4, 4]\nto = [6, 8]\nhealth = 50\narmy = \"blue\"\n[[breakable]] # the fence\n\
                 from = [20, 4]\nto = [21, 8]\nhealth = 20\n";
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..30)
        .map(|y| "....@@..............@...................\n".replace('@', if (4..8).contains(&y) { "@" } else { "." }))
        .collect();
    std::fs::write(folder.path().join("camp.map"), format!("type octile\nheight 30\nwidth 40\nmap\n{rows}")).unwrap();
    let file = folder.path().join("camp.toml");
    std::fs::write(&file, CAMP.replace("# The end", gates)).unwrap();
    let (scenario, _) = Scenario::load(&file).unwrap();
    assert_eq!(scenario.breakables.iter().map(|gate| gate.cells.len()).collect::<Vec<_>>(), [8, 4]);
    let lattice = scenario.grid.lattice();
    let all = |scenario: &Scenario| {
        let cells =
            scenario.breakables.iter().flat_map(|gate| gate.cells.iter().map(|&cell| (cell, gate.health, gate.keeper)));
        let mut cells: Vec<(Cell, f32, Option<ArmyId>)> = cells.collect();
        cells.sort_by_key(|(cell, ..)| *cell);
        cells
    };
    let save = |grid: &Grid, breakables: &[Breakable]| {
        let path = folder.path().join("again.toml");
        let edited = Edited { breakables, ..Edited::new(grid, MapFormat::Ascii) };
        scenario.save_edited(&edited, &path).unwrap();
        (all(&Scenario::load(&path).unwrap().0), std::fs::read_to_string(&path).unwrap())
    };
    let (same, text) = save(&scenario.grid, &scenario.breakables);
    assert!(
        same == all(&scenario) && text.contains("[[breakable]] # the gate") && text.contains("# the fence"),
        "{text}"
    );

    // The fence is broken, one cell of the gate is a plain wall now, and there is another gate of two parts.
    let mut grid = (*scenario.grid).clone();
    (4..8).for_each(|y| grid.set_open(lattice.cell(20, y), true));
    let new: Vec<Cell> =
        [(30, 3), (31, 3), (32, 3), (30, 4), (31, 4), (35, 9)].map(|(x, y)| lattice.cell(x, y)).to_vec();
    for &cell in &new {
        grid.set_open(cell, false);
    }
    let mut gate = scenario.breakables[0].clone();
    let plain = gate.cells.remove(3);
    let (again, text) = save(&grid, &[gate.clone(), Breakable { cells: new.clone(), health: 7.5, keeper: None }]);
    let mut wanted: Vec<_> = gate
        .cells
        .iter()
        .map(|&cell| (cell, 50.0, Some(ArmyId(1))))
        .chain(new.iter().map(|&cell| (cell, 7.5, None)))
        .collect();
    wanted.sort_by_key(|(cell, ..)| *cell);
    assert_eq!(again, wanted, "{text}");
    assert!(!grid.is_open(plain) && !text.contains("the fence") && text.contains("# they"), "{text}");
    // None at all.
    assert_eq!(save(&grid, &[]).0, []);
}

#[test]
fn walls_that_were_built_in_the_area_of_a_gate_are_plain() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..30)
        .map(|y| "....................@...................\n".replace('@', if (4..8).contains(&y) { "@" } else { "." }))
        .collect();
    std::fs::write(folder.path().join("camp.map"), format!("type octile\nheight 30\nwidth 40\nmap\n{rows}")).unwrap();
    let file = folder.path().join("camp.toml");
    let gate = "[[breakable]] # all there\nfrom = [18, 4]\nto = [23, 8]\nhealth = 50\n";
    std::fs::write(&file, CAMP.replace("# The end", gate)).unwrap();
    let (scenario, _) = Scenario::load(&file).unwrap();
    let saves = |grid: &Grid| {
        let path = folder.path().join("again.toml");
        let breakables = &scenario.breakables;
        scenario.save_edited(&Edited { breakables, ..Edited::new(grid, MapFormat::Ascii) }, &path).unwrap();
        let mut cells: Vec<Cell> =
            Scenario::load(&path).unwrap().0.breakables.iter().flat_map(|gate| gate.cells.clone()).collect();
        cells.sort_unstable();
        (cells, std::fs::read_to_string(&path).unwrap().contains("# all there"))
    };
    let was = scenario.breakables[0].cells.clone();
    assert_eq!(saves(&scenario.grid), (was.clone(), true));
    let mut grid = (*scenario.grid).clone();
    let lattice = grid.lattice();
    grid.set_open(lattice.cell(30, 5), false);
    assert_eq!(saves(&grid), (was.clone(), true), "walls elsewhere change nothing");
    (4..8).for_each(|y| grid.set_open(lattice.cell(21, y), false));
    assert_eq!(saves(&grid), (was, false), "beside the old ones: the table would make gates of them");
}

/// Both ways to write armies and squads.
const INLINE: &str = "name = \"camp\"\nmap = \"camp.map\"\narmy = [{ name = \"red\", squad = [{ count = 4, position = [8, 8] }, \
                      { count = 3, position = [20, 8] }] }, { name = \"blue\", squad = [] }]\n";
const TABLES: &str = "name = \"camp\"\nmap = \"camp.map\"\n[[army]]\nname = \"red\"\n[[army.squad]] # the first\ncount = 4\n\
                      position = [8, 8]\n[[army.squad]]\nname = \"guard\"\ncount = 3\nposition = [20, 8]\n\
                      [[army]]\nname = \"blue\"\nsquad = []\n";

#[test]
fn a_deployment_is_read_as_it_was_saved() {
    for text in [INLINE, TABLES] {
        let (_folder, scenario) = camp(text);
        let old = scenario.armies[0].squads[1].clone();
        let moved = SquadSpec { facing: 90.0, order: Order::Charge, ..squad(0, 0, &[(5.5, 20.5), (6.5, 20.5)]) };
        let moved = SquadSpec { unit: old.unit, ..moved };
        let [blue, green] =
            [1, 2].map(|army| SquadSpec { unit: old.unit, ..squad(army, 0, &[(26.5 + 2.0 * f32::from(army), 20.5)]) });
        let names = [("reds", Some([1, 2, 3])), ("blue", None), ("greens", Some([0, 255, 0]))];
        let armies = names.map(|(name, colour)| (name.to_owned(), colour));
        let edited = Edited {
            squads: &[blue.clone(), green.clone()],
            deployed: &[(0, None), (1, Some(moved.clone()))],
            armies: &armies,
            ..Edited::new(&scenario.grid, MapFormat::Ascii)
        };
        let (_, again, warnings) = saved(&scenario, &edited);
        assert_eq!(warnings, []);
        let found: Vec<_> = again.armies.iter().map(|army| (army.name.as_str(), army.colour)).collect();
        assert_eq!(found, names);
        assert_eq!(again.armies[0].squads, [moved]);
        assert_eq!([&again.armies[1].squads[..], &again.armies[2].squads], [[blue], [green]]);
        // All may go.
        let edited = Edited { deployed: &[(1, None), (0, None)], ..Edited::new(&scenario.grid, MapFormat::Ascii) };
        let (path, again, _) = saved(&scenario, &edited);
        assert!(again.armies.iter().all(|army| army.squads.is_empty()), "{}", std::fs::read_to_string(path).unwrap());
    }
}
