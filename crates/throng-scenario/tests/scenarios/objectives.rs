//! Objectives of armies: hold a place, kill an agent, survive, put all to rout.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_scenario::Scenario;
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{Area, ArmyId, Objective, Resume, Settings, SquadId, SquadSpec, Verdict, World};

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);

fn world() -> World {
    let grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
    world.add_unit(Unit { sight: 5.0, ..Unit::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world
}

fn squad(world: &mut World, army: ArmyId, at: [f32; 2], count: usize, order: Order) -> SquadId {
    let positions = Block::new(Vec2::from(at), count).positions();
    let unit = throng_sim::world::UnitId(0);
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &positions) }).unwrap()
}

fn run(world: &mut World, ticks: u64) {
    for _ in 0..ticks {
        world.tick().unwrap();
    }
}

#[test]
fn a_place_is_held_while_no_enemy_is_in_it() {
    let mut world = world();
    let place = Area::Disc { centre: Vec2::new(30.0, 20.0), radius: 4.0 };
    squad(&mut world, RED, [30.0, 20.0], 4, Order::Hold);
    let reds = world.positions().map(|(id, _)| id).collect::<Vec<_>>();
    squad(&mut world, BLUE, [55.0, 20.0], 20, Order::Hold);
    for army in [RED, BLUE] {
        world.add_mission(army, Objective::Hold { area: place.clone(), seconds: 30.0 }).unwrap();
    }
    run(&mut world, 100);
    let [red, blue] = world.missions() else { panic!() };
    assert_eq!((red.is_held, red.count, blue.is_held, blue.count), (true, 100, false, 0));
    // It stays theirs when they have left it.
    assert_eq!(world.remove(&reds[..3]), 3);
    world.order(SquadId(0), Order::GoTo(Vec2::new(30.0, 5.0))).unwrap();
    run(&mut world, 150);
    assert_eq!((world.missions()[0].is_held, world.missions()[0].count), (true, 250));
    // Until the others take it.
    world.order(SquadId(1), Order::GoTo(Vec2::new(30.0, 20.0))).unwrap();
    while !world.missions()[1].is_held && world.verdict().is_none() {
        run(&mut world, 1);
    }
    if world.verdict().is_none() {
        assert_eq!((world.missions()[0].is_held, world.missions()[0].count), (false, 0));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    world.save(&path).unwrap();
    let mut again = World::restore(&path, Resume::default()).unwrap();
    assert_eq!(again.missions(), world.missions());
    run(&mut again, 400);
    run(&mut world, 400);
    assert_eq!((again.verdict(), again.missions()), (world.verdict(), world.missions()));
    assert!(world.verdict().is_some());
}

#[test]
fn who_kills_the_king_wins_whoever_is_left() {
    let mut world = world();
    squad(&mut world, RED, [10.0, 20.0], 30, Order::Attack);
    let king = squad(&mut world, BLUE, [20.0, 20.0], 1, Order::Hold);
    squad(&mut world, BLUE, [50.0, 20.0], 30, Order::Hold);
    world.add_mission(RED, Objective::Kill { squad: king }).unwrap();
    assert_eq!(world.missions()[0].count, 1);
    while world.verdict().is_none() {
        world.tick().unwrap();
    }
    assert_eq!(world.verdict(), Some(Verdict::Winner(RED)));
    assert_eq!((world.armies()[1].alive, world.missions()[0].is_done), (30, true));
}

#[test]
fn enemies_who_run_are_beaten() {
    let mut world = world();
    let coward = world.add_unit(Unit { name: "coward".into(), morale: 1.0, ..Unit::default() }).unwrap();
    squad(&mut world, RED, [20.0, 20.0], 30, Order::Attack);
    let positions = Block::new(Vec2::new(32.0, 20.0), 12).positions();
    world.spawn_squad(SquadSpec { order: Order::Hold, ..SquadSpec::new(BLUE, coward, &positions) }).unwrap();
    let last = squad(&mut world, BLUE, [48.0, 20.0], 2, Order::Hold);
    world.add_mission(RED, Objective::Rout).unwrap();
    assert_eq!(world.missions()[0].count, 14);
    while world.missions()[0].left(0.1) > 2.0 {
        world.tick().unwrap();
        assert_eq!(world.verdict(), None);
    }
    // The cowards run, or are dead, or have left; two others stand.
    run(&mut world, 10);
    assert_eq!(world.verdict(), None);
    world.order(last, Order::Flee).unwrap();
    run(&mut world, 10);
    assert_eq!(world.verdict(), Some(Verdict::Winner(RED)));
    assert!(world.armies()[1].alive >= 2);
}

#[test]
fn all_missions_have_to_be_done() {
    let mut world = world();
    squad(&mut world, RED, [10.0, 20.0], 5, Order::Hold);
    squad(&mut world, BLUE, [50.0, 20.0], 5, Order::Hold);
    world.add_mission(RED, Objective::Survive { seconds: 5.0 }).unwrap();
    world.add_mission(RED, Objective::Survive { seconds: 9.0 }).unwrap();
    while world.verdict().is_none() {
        world.tick().unwrap();
    }
    assert_eq!((world.ticks(), world.verdict()), (90, Some(Verdict::Winner(RED))));

    // Two enemies that have done it in the same tick.
    let mut world = self::world();
    squad(&mut world, RED, [10.0, 20.0], 5, Order::Hold);
    squad(&mut world, BLUE, [50.0, 20.0], 5, Order::Hold);
    for army in [RED, BLUE] {
        world.add_mission(army, Objective::Survive { seconds: 2.0 }).unwrap();
    }
    run(&mut world, 30);
    assert_eq!(world.verdict(), Some(Verdict::Draw));
}

#[test]
fn what_cannot_be_done_is_said() {
    let mut world = world();
    let own = squad(&mut world, RED, [10.0, 20.0], 5, Order::Hold);
    let mut said = |army, objective| world.add_mission(army, objective).unwrap_err().to_string();
    let expected = "the squad to be killed must be one of an enemy, with a living member, found 0";
    assert_eq!(said(RED, Objective::Kill { squad: own }), expected);
    assert_eq!(said(RED, Objective::Kill { squad: SquadId(7) }), "this world has no squad 7");
    assert_eq!(said(ArmyId(4), Objective::Survive { seconds: 1.0 }), "this world has no army 4");
    let expected = "the time of a mission must be above 0 and at most 1000000 (s), found 0";
    assert_eq!(said(RED, Objective::Survive { seconds: 0.0 }), expected);
}

const SCENARIO: &str = r#"map = "a.map"
[[army]]
name = "red"
[[army.objective]]
OBJECTIVE
[[army.squad]]
name = "guards"
count = 4
position = [3, 3]
[[army]]
name = "blue"
[[army.squad]]
name = "king"
count = 1
position = [8, 3]
"#;

/// A map of two halves.
fn load(folder: &Path, objective: &str) -> Result<Scenario, String> {
    let map = "type octile\nheight 6\nwidth 24\nmap\n".to_owned() + &"............@...........\n".repeat(6);
    std::fs::write(folder.join("a.map"), map).unwrap();
    let path = folder.join("a.toml");
    std::fs::write(&path, SCENARIO.replace("OBJECTIVE", objective)).unwrap();
    let loaded = Scenario::load(&path).map(|(scenario, _)| scenario);
    loaded.map_err(|error| error.to_string().split_once("a.toml:").unwrap().1.to_owned())
}

#[test]
fn scenarios_say_what_armies_are_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let load = |objective: &str| load(folder.path(), objective);
    let of = |objective: &str| load(objective).unwrap().armies.remove(0).objectives;
    assert_eq!(of("kill = \"king\""), [Objective::Kill { squad: SquadId(1) }]);
    assert_eq!(of("rout = true"), [Objective::Rout]);
    assert_eq!(of("survive = 300"), [Objective::Survive { seconds: 300.0 }]);
    let area = Area::Disc { centre: Vec2::new(5.0, 3.0), radius: 2.0 };
    assert_eq!(of("hold = { centre = [5, 3], radius = 2 }\nseconds = 20"), [Objective::Hold { area, seconds: 20.0 }]);
    assert_eq!(load("survive = 300").unwrap().build(1).unwrap().missions().len(), 1);

    for (objective, message) in [
        ("", "4:1: an objective has one of the keys hold, area, kill, survive, rout, found none"),
        (
            "kill = \"king\"\nsurvive = 3",
            "4:1: an objective has one of the keys hold, area, kill, survive, rout, found kill and survive",
        ),
        ("kill = \"kin\"", "5:8: unknown squad \"kin\"; did you mean \"king\"?"),
        ("kill = \"guards\"", "5:8: the squad \"guards\" is no enemy of this army; name one that is"),
        ("survive = 0", "5:11: survive must be between 0.1 and 1000000 (s), found 0"),
        ("survive = 5\nseconds = 3", "6:11: the key \"seconds\" belongs to hold and area; this objective is survive"),
        ("kill = \"king\"\nseconds = 3", "6:11: the key \"seconds\" belongs to hold and area; this objective is kill"),
        ("rout = false", "5:8: rout = true means all enemies; remove the objective where it is not meant"),
        ("hold = { centre = [5, 3], radius = 2 }", "4:1: the key \"seconds\" is missing"),
        (
            "hold = { from = [14, 1], to = [20, 4] }\nseconds = 20",
            "5:8: this army cannot get into the area; open a way, or choose another area",
        ),
        (
            "area = \"gate\"\nseconds = 20",
            "5:8: unknown area \"gate\"; the map has none; draw a rectangle of the class spawn in Tiled, or give a position",
        ),
    ] {
        assert_eq!(load(objective).unwrap_err(), message, "{objective}");
    }
}
