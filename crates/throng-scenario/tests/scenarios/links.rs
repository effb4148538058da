//! Links in scenario files and in their maps.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use throng_grid::{MapFile, MapFormat, MapLink, MapOptions};
use throng_scenario::{Edited, Scenario, ScenarioError};

const MAP: &str = "type octile\nheight 5\nwidth 21\nmap\n..........@..........\n..........@..........\n..........@..........\n..........@..........\n..........@..........\n";

/// A squad on one side of a wall, which is sent to the other, and these tables.
fn load(folder: &Path, tables: &str) -> Result<Scenario, ScenarioError> {
    std::fs::write(folder.join("a.map"), MAP).unwrap();
    let army =
        "[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 3\nposition = [3.5, 2.5]\norder = { move = [17.5, 2.5] }\n";
    std::fs::write(folder.join("s.toml"), format!("map = \"a.map\"\n{tables}\n{army}")).unwrap();
    Scenario::load(folder.join("s.toml")).map(|(scenario, _)| scenario)
}

/// How many are beyond the wall after so many ticks.
fn beyond(scenario: &Scenario, ticks: u64) -> usize {
    let mut world = scenario.build(1).unwrap();
    world.tick_until(|world| world.ticks() == ticks).unwrap();
    world.positions().filter(|(_, at)| at.x > 10.5).count()
}

#[test]
fn a_squad_jumps_over_a_wall_and_through_a_door_once_a_trigger_opens_it() {
    let folder = tempfile::tempdir().unwrap();
    let none = load(folder.path(), "").unwrap();
    assert_eq!(beyond(&none, 600), 0);
    let jump = load(folder.path(), "[[link]]\nfrom = [8.5, 2.5]\nto = [12.5, 2.5]\nseconds = 0.7").unwrap();
    assert_eq!(beyond(&jump, 600), 3);
    let wrong_way = load(folder.path(), "[[link]]\nfrom = [12.5, 2.5]\nto = [8.5, 2.5]").unwrap();
    assert_eq!(beyond(&wrong_way, 600), 0);
    // The door stands second and both ways: its places among the links of the world are counted right.
    let links = "[[link]]\nfrom = [18.5, 0.5]\nto = [12.5, 0.5]\nboth_ways = true\n\
                 [[link]]\nname = \"door\"\nfrom = [12.5, 2.5]\nto = [8.5, 2.5]\nboth_ways = true\nopen = false\n";
    let opens = "[[trigger]]\nname = \"now\"\nat = 20\nopens = [\"door\"]\n";
    let shuts = "[[trigger]]\nname = \"first\"\nat = 5\nshuts = [\"door\"]\n";
    let door = load(folder.path(), &format!("{links}{opens}{shuts}")).unwrap();
    assert_eq!((beyond(&door, 400), beyond(&door, 1100)), (0, 3));
}

#[test]
fn more_links_than_a_world_may_have_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let link = "[[link]]\nfrom = [8.5, 2.5]\nto = [12.5, 2.5]\nboth_ways = true\n";
    let error = load(folder.path(), &link.repeat(16_369)).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "s.toml:65474:1: there are more than 32736 links, of which one both ways counts twice; remove some"
        ),
        "{error}"
    );
}

/// Links of a Tiled map are those of the scenario, and stay in its map when it is saved; a wall on one is not saved.
#[test]
fn links_of_a_tiled_map_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    load(folder.path(), "").unwrap();
    let mut map = MapFile::load(folder.path().join("a.map"), &MapOptions::default()).unwrap();
    let at = |x| map.grid.lattice().centre(map.grid.lattice().cell(x, 2));
    map.links = vec![MapLink { name: "jump".into(), ..MapLink::new(at(8), at(12), 0.5) }];
    map.save_tiled(folder.path().join("a.tmx")).unwrap();
    let text = std::fs::read_to_string(folder.path().join("s.toml")).unwrap().replace("a.map", "a.tmx");
    let own = "[[link]]\nname = \"back\"\nfrom = [12.5, 0.5]\nto = [8.5, 0.5]\n[[army]]";
    let path = folder.path().join("t.toml");
    std::fs::write(&path, text.replace("[[army]]", own)).unwrap();
    let (scenario, _) = Scenario::load(&path).unwrap();
    assert_eq!((scenario.links.len(), scenario.map_links, scenario.map_format()), (2, 1, MapFormat::Tiled));
    assert_eq!(beyond(&scenario, 600), 3);

    let saved = folder.path().join("saved.toml");
    let mut grid = (*scenario.grid).clone();
    let edited = Edited::new(&grid, MapFormat::Tiled);
    scenario.save_edited(&edited, &saved).unwrap();
    assert_eq!(Scenario::load(&saved).unwrap().0.links, scenario.links);
    let text = Edited { format: MapFormat::Ascii, ..edited };
    let error = scenario.save_edited(&text, &saved).unwrap_err().to_string();
    assert!(error.ends_with("saved.txt: not written, since it cannot hold links; a .tmx map holds it"), "{error}");
    grid.set_open(grid.lattice().cell(12, 0), false);
    let edited = Edited::new(&grid, MapFormat::Tiled);
    let error = scenario.save_edited(&edited, &saved).unwrap_err().to_string();
    let expected =
        "not written, since a wall stands on an end of the link \"back\" from (12.5, 0.5) to (8.5, 0.5); open it first";
    assert!(error.ends_with(expected), "{error}");

    std::fs::write(&path, std::fs::read_to_string(&path).unwrap().replace("\"back\"", "\"jump\"")).unwrap();
    let error = Scenario::load(&path).unwrap_err().to_string();
    assert!(error.ends_with("t.toml:4:8: the map has a link of the name \"jump\" too; rename one"), "{error}");
}

/// The example: red gets over the river, blue comes down from the wall, the door opens, and an army wins.
#[test]
fn the_example_is_won() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/links.toml");
    let (scenario, warnings) = Scenario::load(path).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut world = scenario.build(2).unwrap();
    world.tick_until(|world| world.ticks() == 700).unwrap();
    let over = |world: &throng_sim::world::World, x: f32| world.positions().filter(|(_, at)| at.x > x).count();
    assert!(over(&world, 24.0) > 30 + 20, "red is not over the river");
    world.tick_until(|world| world.verdict().is_some() || world.ticks() == 6000).unwrap();
    assert!(world.verdict().is_some() && world.fired("treason") == Some(1) && world.fired("sally") == Some(1));
}
