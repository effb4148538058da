//! Kinds of soldiers: a library that scenarios extend, and the effect of armour.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_scenario::{Scenario, ScenarioError};
use throng_sim::battle::{Order, Unit, UnitNumber};
use throng_sim::world::{Settings, SquadSpec, World};

const MAP: &str = "type octile\nheight 6\nwidth 60\nmap\n";

/// A scenario with a library beside it.
fn load(library: &str, scenario: &str) -> Result<Scenario, ScenarioError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(folder.path().join("a.map"), MAP.to_owned() + &(".".repeat(60) + "\n").repeat(6)).unwrap();
    std::fs::write(folder.path().join("units.toml"), library).unwrap();
    std::fs::write(&path, format!("map = \"a.map\"\nlibrary = \"units.toml\"\n{scenario}")).unwrap();
    Scenario::load(&path).map(|(scenario, _)| scenario)
}

/// An army of one squad of the unit.
fn army(name: &str, unit: &str, x: u32) -> String {
    format!("[[army]]\nname = \"{name}\"\n[[army.squad]]\nunit = \"{unit}\"\ncount = 1\nposition = [{x}, 3]\n")
}

const LIBRARY: &str = r#"
[[unit]]
name = "swordsman"
speed = 3
health = 120
armour = 4
terrain = { swamp = 3 }
[[unit]]
name = "guard"
like = "swordsman"
armour = 6
[[unit]]
name = "giant"
radius = 2
"#;

#[test]
fn squads_name_units_of_the_library_and_only_those_are_there() {
    let own = "[[unit]]\nname = \"veteran\"\nlike = \"guard\"\nhealth = 150\n";
    let armies = army("red", "veteran", 4) + &army("blue", "swordsman", 20);
    let scenario = load(LIBRARY, &(own.to_owned() + &armies)).unwrap();
    let names: Vec<_> = scenario.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names, ["veteran", "swordsman"]);
    let [veteran, swordsman] = &scenario.units[..] else { panic!() };
    let like = Unit { name: "veteran".into(), health: 150.0, armour: 6.0, ..swordsman.clone() };
    assert_eq!((veteran, swordsman.top_speed, swordsman.armour), (&like, 4.0, 4.0));
    assert!(swordsman.terrain.is_some());
    assert_eq!(scenario.build(1).unwrap().agents(), 2);

    // A unit of the scenario stands before one of the library with its name.
    let own = "[[unit]]\nname = \"swordsman\"\nhealth = 7\n";
    let scenario = load(LIBRARY, &(own.to_owned() + &army("red", "swordsman", 4))).unwrap();
    assert_eq!((scenario.units.len(), scenario.units[0].health), (1, 7.0));
}

#[test]
fn what_is_wrong_with_a_library_is_said() {
    let message = |library: &str, scenario: &str| {
        let message = load(library, scenario).unwrap_err().to_string();
        // Without the folder, which has another name each time.
        message.rsplit('/').next().unwrap().to_owned()
    };
    let red = |unit: &str| army("red", unit, 4);
    assert_eq!(
        message("[[unit]]\nname = \"a\"\nhealt = 3\n", &red("a")),
        "units.toml:3:1: unknown key \"healt\"; did you mean \"health\"?"
    );
    assert_eq!(
        message("[[unit]]\nname = \"a\"\narmour = -3\n", &red("a")),
        "units.toml:3:10: armour of unit \"a\" must be between 0 and 1000000000 (points), found -3"
    );
    assert_eq!(
        message("[[unit]]\nname = \"a\"\nlike = \"b\"\n[[unit]]\nname = \"b\"\n", &red("a")),
        "units.toml:3:8: unknown unit \"b\"; known are soldier, pedestrian"
    );
    assert_eq!(
        message("[[unit]]\nname = \"a\"\nignores = [\"b\"]\n", &red("a")),
        "units.toml:3:11: ignores belongs into the scenario, where all units and armies are known; move it there"
    );
    assert_eq!(
        message("[[unit]]\nname = \"a\"\n[[unit]]\nname = \"a\"\n", &red("a")),
        "units.toml:4:8: there are two units of the name \"a\", the first in line 2; rename one"
    );
    let like = format!("[[unit]]\nname = \"c\"\nlike = \"gard\"\n{}", red("c"));
    assert_eq!(
        message(LIBRARY, &like),
        "a.toml:5:8: unknown unit \"gard\"; did you mean \"guard\" of the library units.toml?"
    );
    assert!(
        message(LIBRARY, &red("gian"))
            .ends_with("unknown unit \"gian\"; did you mean \"giant\" of the library units.toml?")
    );
    let far = message(LIBRARY, &red("elephant"));
    assert!(
        far.contains("unknown unit \"elephant\"; known are ") && far.contains("; the library units.toml has "),
        "{far}"
    );
    assert!(far.contains("guard") && far.contains("giant") && far.contains("soldier"), "{far}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, format!("map = \"a.map\"\nlibrary = \"no.toml\"\n{}", red("a"))).unwrap();
    let message = Scenario::load(&path).unwrap_err().to_string();
    assert!(
        message.contains("a.toml:2:11: ") && message.ends_with("no.toml: no such file; check the path"),
        "{message}"
    );
}

#[test]
fn soldiers_and_pedestrians_are_there_without_being_defined() {
    let like = "[[unit]]\nname = \"child\"\nlike = \"pedestrian\"\nspeed = 1\n\
                [[unit]]\nname = \"sapper\"\nlike = \"soldier\"\ndamage = 30\n";
    let squads = ["child", "sapper", "soldier", "pedestrian"].map(|name| army(name, name, 4));
    let scenario = load(LIBRARY, &(format!("congestion = 8\n{like}") + &squads.concat())).unwrap();
    let named = |name: &str, unit: Unit| Unit { name: name.into(), congestion: 8.0, ..unit };
    let expected = [
        named("child", Unit { speed: 1.0, top_speed: 4.0 / 3.0, ..Unit::pedestrian() }),
        named("sapper", Unit { damage: 30.0, breach: 3.0, ..Unit::default() }),
        named("soldier", Unit::default()),
        named("pedestrian", Unit::pedestrian()),
    ];
    assert_eq!(scenario.units, expected);

    // They give way to what a library or a scenario says of their names.
    let slow = "[[unit]]\nname = \"pedestrian\"\nlike = \"pedestrian\"\nspeed = 0.9\n";
    for (library, own) in [(slow, ""), ("", slow)] {
        let scenario = load(library, &(own.to_owned() + &army("red", "pedestrian", 4))).unwrap();
        assert_eq!((scenario.units.len(), scenario.units[0].speed, scenario.units[0].headway), (1, 0.9, 0.65));
    }

    // An ignored kind need have no agent.
    let ghost = "[[unit]]\nname = \"ghost\"\nignores = [\"pedestrian\", \"giant\"]\n".to_owned();
    assert_eq!(load(LIBRARY, &(ghost.clone() + &army("red", "ghost", 4))).unwrap().units[0].ignores, 0);
    let both = load(LIBRARY, &(ghost + &army("red", "ghost", 4) + &army("blue", "giant", 20))).unwrap();
    assert!(both.units[0].ignores & both.units[1].layers != 0);
}

#[test]
fn the_table_of_units_has_the_keys_that_the_reader_knows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once("\n### `[[unit]]`").unwrap();
    let section = section.split("\n### ").next().unwrap();
    let table: BTreeSet<&str> =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();

    // A key that is like no other is answered with all of them.
    let error = load("", &("[[unit]]\n\"=\" = 1\n".to_owned() + &army("red", "a", 4))).unwrap_err().to_string();
    let (_, known) = error.split_once("known are ").unwrap();
    let known: BTreeSet<&str> = known.split(", ").collect();
    let missing: Vec<_> = known.difference(&table).collect();
    assert!(missing.is_empty(), "docs/scenarios.md says nothing of {missing:?}");
    let unknown: Vec<_> = table.difference(&known).collect();
    assert!(unknown.is_empty(), "docs/scenarios.md tells of {unknown:?}, which no reader knows");
    let odd: Vec<_> = UnitNumber::all().map(|number| number.key).filter(|field| !field.contains('.')).collect();
    assert!(odd.iter().all(|field| known.contains(field)), "{odd:?}");
}

#[test]
fn the_library_of_the_examples_is_good() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library/units.toml"))
        .unwrap();
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).collect();
    assert!(names.contains(&"cavalry") && names.contains(&"zombie"), "{names:?}");
    let squads = names.iter().enumerate().map(|(i, name)| army(name, name, 3 * i as u32 + 2));
    let scenario = load(&text, &squads.collect::<String>()).unwrap();
    assert_eq!(scenario.units.iter().map(|unit| unit.name.as_str()).collect::<Vec<_>>(), names);
}

#[test]
fn armour_takes_its_part_of_every_strike() {
    let unit = Unit { armour: 10.0, ..Unit::default() };
    assert_eq!([0.0, 5.0, 10.0, 15.0, 100.0].map(|damage| unit.harm(damage)), [0.0, 0.5, 1.0, 5.0, 90.0]);
    // Two agents that cannot miss each other: the one without armour loses all the damage dealt, the other the rest of
    // it.
    let grid = Grid::open_plain(Lattice::new(10, 10, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    for (name, armour, x) in [("red", 12.0, 4.5), ("blue", 0.0, 5.5)] {
        let soldier = Unit { name: name.into(), health: 400.0, damage: 20.0, armour, ..Unit::default() };
        let (unit, army) = (world.add_unit(soldier).unwrap(), world.add_army(name).unwrap());
        let positions = [Vec2::new(x, 5.0)];
        world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, positions) }).unwrap();
    }
    while world.verdict().is_none() {
        world.tick().unwrap();
    }
    let alive: Vec<u32> = world.armies().iter().map(|army| army.alive).collect();
    assert_eq!(alive, [1, 0]);
    // Twenty strikes or so of blue's, of which eight points or so went through.
    let mut frame = throng_sim::world::Frame::default();
    world.frame(&mut frame);
    assert!((0.3..0.8).contains(&frame.health[0]), "{}", frame.health[0]);
}
