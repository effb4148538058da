//! Enemies, allies and neutral armies: fights, winners, and their description in scenarios.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_scenario::Scenario;
use throng_sim::battle::{Block, Order, Relation, Unit};
use throng_sim::world::{ArmyId, Resume, Settings, SquadSpec, Verdict, World};

/// A world in which each army has a block of soldiers around its place (m), all told to attack.
fn world(threads: usize, blocks: &[(&str, [f32; 2], usize)]) -> World {
    let grid = Grid::open_plain(Lattice::new(60, 60, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads, step: 0.1, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit { sight: 40.0, ..Unit::default() }).unwrap();
    for &(name, [x, y], count) in blocks {
        let army = world.add_army(name).unwrap();
        let positions = Block::new(Vec2::new(x, y), count).positions();
        world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, &positions) }).unwrap();
    }
    world
}

fn alive(world: &World) -> Vec<u32> {
    world.armies().iter().map(|army| army.alive).collect()
}

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);
const GREEN: ArmyId = ArmyId(2);

#[test]
fn allies_win_together() {
    // The greens stand among the reds, the blues come.
    let blocks = [("red", [20.0, 30.0], 40), ("blue", [40.0, 30.0], 20), ("green", [20.0, 38.0], 40)];
    let run = |threads: usize| {
        let mut world = world(threads, &blocks);
        world.relate(GREEN, RED, Relation::Ally).unwrap();
        let mut hashes = Vec::new();
        while world.verdict().is_none() {
            world.tick().unwrap();
            hashes.push(world.position_hash());
            // Only blues kill reds and greens, and only these kill blues.
            let kills = world.armies().iter().map(|army| army.kills.iter().sum::<u32>()).collect::<Vec<_>>();
            let [red, blue, green] = [40, 20, 40_u32];
            let now = alive(&world);
            assert_eq!(kills[1], red - now[0] + green - now[2]);
            assert_eq!(kills[0] + kills[2], blue - now[1]);
        }
        assert_eq!(world.verdict(), Some(Verdict::Winner(RED)), "the first of those who hold the field");
        let now = alive(&world);
        assert!(now[0] > 0 && now[1] == 0 && now[2] > 0, "{now:?}");
        hashes
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn neutral_armies_fight_when_they_are_told_and_stop_when_they_are_told() {
    let mut world = world(1, &[("red", [20.0, 30.0], 30), ("blue", [32.0, 30.0], 30)]);
    world.relate(RED, BLUE, Relation::Neutral).unwrap();
    let ticks = |world: &mut World, count: usize| (0..count).for_each(|_| world.tick().unwrap());
    ticks(&mut world, 300);
    assert_eq!((alive(&world), world.verdict()), (vec![30, 30], None));
    world.relate(BLUE, RED, Relation::Enemy).unwrap();
    ticks(&mut world, 150);
    let fought = alive(&world);
    assert!(fought[0] < 30 && fought[1] < 30 && world.verdict().is_none(), "{fought:?}");

    // Snapshots keep the relations of armies.
    world.relate(RED, BLUE, Relation::Ally).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.snapshot");
    world.save(&path).unwrap();
    let mut again = World::restore(&path, Resume::default()).unwrap();
    assert_eq!(again.relation(BLUE, RED), Relation::Ally);
    ticks(&mut again, 300);
    ticks(&mut world, 300);
    assert_eq!((alive(&world), world.verdict()), (fought, None));
    assert_eq!(again.position_hash(), world.position_hash());
}

#[test]
fn a_neutral_army_wins_nothing() {
    let mut world = world(1, &[("villagers", [10.0, 10.0], 5), ("red", [30.0, 30.0], 30), ("blue", [36.0, 30.0], 3)]);
    for other in [ArmyId(1), ArmyId(2)] {
        world.relate(ArmyId(0), other, Relation::Neutral).unwrap();
    }
    while world.verdict().is_none() {
        world.tick().unwrap();
    }
    assert_eq!(world.verdict(), Some(Verdict::Winner(ArmyId(1))));
    assert_eq!(alive(&world)[0], 5);
    assert!(world.relate(ArmyId(0), ArmyId(3), Relation::Ally).is_err());
}

fn load(armies: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 4\nwidth 12\nmap\n".to_owned() + &"............\n".repeat(4);
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let mut text = "map = \"a.map\"\n".to_owned();
    for (i, army) in armies.split('|').enumerate() {
        let position = 2 * i + 2;
        text += &["[[army]]\n", army.trim(), "\n[[army.squad]]\ncount = 1\n"].concat();
        writeln!(text, "position = [{position}, 2]").unwrap();
    }
    let path = folder.path().join("a.toml");
    std::fs::write(&path, text).unwrap();
    let loaded = Scenario::load(&path).map(|(scenario, _)| scenario);
    loaded.map_err(|error| error.to_string().split_once("a.toml:").unwrap().1.to_owned())
}

#[test]
fn scenarios_name_allies_and_neutrals() {
    let scenario =
        load("name = \"red\"\nallies = [\"green\"] | name = \"blue\"\nneutral = [\"green\"] | name = \"green\"")
            .unwrap();
    let world = scenario.build(1).unwrap();
    let relations = [(RED, BLUE), (GREEN, RED), (GREEN, BLUE)].map(|(one, other)| world.relation(one, other));
    assert_eq!(relations, [Relation::Enemy, Relation::Ally, Relation::Neutral]);

    for (armies, message) in [
        (
            "name = \"red\"\nallies = [\"gren\"] | name = \"green\"",
            "4:11: unknown army \"gren\"; did you mean \"green\"?",
        ),
        (
            "name = \"red\"\nneutral = [\"red\"] | name = \"green\"",
            "4:12: \"red\" names itself; remove it: an army is always its own ally",
        ),
        (
            "name = \"red\"\nallies = [\"green\"] | name = \"green\"\nneutral = [\"red\"]",
            "10:12: \"green\" and \"red\" cannot be neutral: they are allies by line 4",
        ),
    ] {
        assert_eq!(load(armies).unwrap_err(), message);
    }
}
