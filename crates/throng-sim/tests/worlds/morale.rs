//! Courage: what breaks it, who runs and where to, who comes back.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Order, Ranged, Unit};
use throng_sim::world::{ArmyId, Resume, Settings, SquadSpec, UnitId, Verdict, World};
use throng_spatial::IndexKind;

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);

/// Reds who know fear, and blues who do not.
fn world(grid: Grid, settings: Settings, morale: f32) -> World {
    let mut world = World::new(grid, Settings { step: 0.1, ..settings }).unwrap();
    let brave = Unit { name: "brave".into(), sight: 20.0, ..Unit::default() };
    world.add_unit(Unit { name: "man".into(), morale, ..brave.clone() }).unwrap();
    world.add_unit(brave).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world
}

fn plain() -> Grid {
    Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap())
}

fn place(world: &mut World, army: ArmyId, unit: u16, at: [f32; 2], count: usize, order: Order) {
    let positions = Block::new(Vec2::from_array(at), count).positions();
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, UnitId(unit), &positions) }).unwrap();
}

fn fleeing(world: &World) -> usize {
    world.positions().filter(|&(id, _)| world.flees(id)).count()
}

#[test]
fn the_outnumbered_break_and_run_off_the_map() {
    let mut world = world(plain(), Settings::default(), 30.0);
    place(&mut world, RED, 0, [30.0, 40.0], 30, Order::Attack);
    place(&mut world, BLUE, 1, [50.0, 40.0], 120, Order::Attack);
    let mut most = 0;
    while world.verdict().is_none() {
        world.tick().unwrap();
        most = most.max(fleeing(&world));
    }
    let red = &world.armies()[0];
    assert_eq!(world.verdict(), Some(Verdict::Winner(BLUE)));
    assert!(most >= 5 && red.routed >= 1, "{most} ran, {} got away", red.routed);
    assert_eq!(red.spawned, red.routed + world.armies()[1].kills.iter().sum::<u32>());
    // A unit without morale does not run.
    assert_eq!(world.armies()[1].routed, 0);
}

#[test]
fn the_fearless_fight_on() {
    let mut world = world(plain(), Settings::default(), 30.0);
    place(&mut world, RED, 1, [30.0, 40.0], 30, Order::Attack);
    place(&mut world, BLUE, 1, [50.0, 40.0], 120, Order::Attack);
    while world.verdict().is_none() {
        world.tick().unwrap();
        assert_eq!(fleeing(&world), 0);
    }
    assert_eq!(world.armies()[0].routed, 0);
}

#[test]
fn who_has_nowhere_to_run_to_fights_on() {
    let mut grid = plain();
    for i in 0..80 {
        for (x, y) in [(i, 0), (i, 79), (0, i), (79, i)] {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    let mut world = world(grid, Settings::default(), 20.0);
    place(&mut world, RED, 0, [30.0, 40.0], 30, Order::Attack);
    place(&mut world, BLUE, 1, [50.0, 40.0], 90, Order::Attack);
    while world.verdict().is_none() {
        world.tick().unwrap();
        assert_eq!(fleeing(&world), 0);
    }
    assert_eq!((world.armies()[0].routed, world.armies()[0].alive), (0, 0));
}

#[test]
fn out_of_danger_they_take_heart_again() {
    let wide = Grid::open_plain(Lattice::new(200, 200, 1.0).unwrap());
    let mut world = world(wide, Settings::default(), 15.0);
    // A stone bursts among them, and two more.
    let ranged = Some(Ranged {
        blast: 6.0,
        damage: 30.0,
        ammunition: 3,
        spread: 0.0,
        cooldown: 1.0,
        range: 30.0,
        ..Ranged::default()
    });
    world
        .add_unit(Unit { name: "sling".into(), ranged, sight: 30.0, speed: 0.0, top_speed: 0.0, ..Unit::default() })
        .unwrap();
    place(&mut world, RED, 0, [100.0, 100.0], 30, Order::Hold);
    place(&mut world, BLUE, 2, [75.0, 100.0], 1, Order::Hold);
    let mut counts = Vec::new();
    for _ in 0..900 {
        world.tick().unwrap();
        counts.push(fleeing(&world));
    }
    let most = counts.iter().max().unwrap();
    assert!(*most >= 3, "{most} ran, {} live", world.armies()[0].alive);
    assert_eq!(*counts.last().unwrap(), 0, "somebody still runs");
    assert!(world.armies()[0].alive > 0);
}

#[test]
fn bit_identical_by_threads_and_indices_and_from_a_snapshot() {
    let battle = |settings: Settings| {
        let mut world = world(plain(), settings, 40.0);
        place(&mut world, RED, 0, [30.0, 40.0], 60, Order::Attack);
        place(&mut world, BLUE, 0, [50.0, 38.0], 80, Order::Attack);
        world
    };
    let end = |world: &mut World| {
        let mut hashes = Vec::new();
        while world.ticks() < 400 {
            world.tick().unwrap();
            hashes.push((world.position_hash(), fleeing(world)));
        }
        hashes
    };
    let one = end(&mut battle(Settings { threads: 1, ..Settings::default() }));
    let most = one.iter().map(|&(_, count)| count).max().unwrap();
    assert!(most > 5, "{most} ran");
    assert_eq!(end(&mut battle(Settings { threads: 3, ..Settings::default() })), one);
    for index in [IndexKind::Brute, IndexKind::KdTree] {
        assert_eq!(end(&mut battle(Settings { index: index.into(), ..Settings::default() })), one, "{index}");
    }
    let mut first = battle(Settings::default());
    while fleeing(&first) < most / 2 {
        first.tick().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rout.snapshot");
    first.save(&path).unwrap();
    let mut second = World::restore(&path, Resume::default()).unwrap();
    assert_eq!(end(&mut second), one[first.ticks() as usize..]);
}
