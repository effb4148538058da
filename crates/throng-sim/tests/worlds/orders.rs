//! What squads do by their orders.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{ArmyId, Settings, SquadId, SquadSpec, UnitId, World};

/// A red soldier at (40, 40) under an order, and blue ones who stand at the given places and see nobody.
fn world(order: Order, enemies: &[[f32; 2]]) -> World {
    let grid = Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap());
    let mut world = World::new(grid, Settings { step: 0.1, ..Settings::default() }).unwrap();
    let (red, blue) = (world.add_army("red").unwrap(), world.add_army("blue").unwrap());
    let soldier = Unit { sight: 30.0, health: 1e6, ..Unit::default() };
    world.add_unit(soldier.clone()).unwrap();
    world.add_unit(Unit { name: "post".into(), sight: 0.0, speed: 0.0, top_speed: 0.0, mass: 1e6, ..soldier }).unwrap();
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(red, UnitId(0), [Vec2::splat(40.0)]) }).unwrap();
    for &at in enemies {
        world.spawn_squad(SquadSpec::new(blue, UnitId(1), [Vec2::from_array(at)])).unwrap();
    }
    world
}

fn place(world: &World) -> Vec2 {
    world.positions().next().unwrap().1
}

fn ticks(world: &mut World, count: u64) {
    for _ in 0..count {
        world.tick().unwrap();
    }
}

#[test]
fn guards_go_for_those_who_come_near_and_for_nobody_else() {
    let mut near = world(Order::Guard { within: 12.0 }, &[[50.0, 40.0]]);
    ticks(&mut near, 150);
    assert!(place(&near).x > 47.0, "at {}", place(&near));
    assert!(!near.events().harms.is_empty() || near.armies()[1].alive == 1);
    let mut far = world(Order::Guard { within: 12.0 }, &[[54.0, 40.0]]);
    ticks(&mut far, 150);
    assert!(place(&far).distance(Vec2::splat(40.0)) < 0.1);
    // The post is gone: it goes back to its place.
    near.disband(SquadId(1)).unwrap();
    ticks(&mut near, 150);
    assert!(place(&near).distance(Vec2::splat(40.0)) < 0.3, "at {}", place(&near));
}

#[test]
fn who_is_told_to_move_passes_by_his_enemies() {
    let goal = Vec2::new(60.0, 40.0);
    let enemies = [[50.0, 45.0], [62.0, 45.0]];
    let mut moved = world(Order::Move(goal), &enemies);
    ticks(&mut moved, 250);
    assert!(place(&moved).distance(goal) < 1.0, "at {}", place(&moved));
    let mut goes = world(Order::GoTo(goal), &enemies);
    ticks(&mut goes, 250);
    assert!(place(&goes).distance(Vec2::new(50.0, 45.0)) < 3.0, "he fights on his way, at {}", place(&goes));
}

#[test]
fn a_charge_is_faster_than_an_attack() {
    let run = |order| {
        let mut world = world(order, &[[60.0, 40.0]]);
        ticks(&mut world, 80);
        place(&world).x
    };
    let (attack, charge) = (run(Order::Attack), run(Order::Charge));
    assert!(charge > attack + 3.0, "{attack} m, charging {charge} m");
}

#[test]
fn who_flees_leaves_the_map() {
    let mut world = world(Order::Flee, &[[50.0, 40.0]]);
    ticks(&mut world, 400);
    let red = &world.armies()[0];
    assert_eq!((red.alive, red.routed, red.left), (0, 1, 0));
    assert!(world.verdict().is_some());
}

#[test]
fn an_order_that_makes_no_sense_is_refused() {
    let mut world = world(Order::Hold, &[]);
    let error = world.order(SquadId(0), Order::Guard { within: f32::NAN }).unwrap_err().to_string();
    assert_eq!(error, "the distance of a guard must be between 0 and 1000 (m), found NaN");
    let positions = Block::new(Vec2::splat(20.0), 4).positions();
    let spec = SquadSpec { order: Order::Move(Vec2::NAN), ..SquadSpec::new(ArmyId(0), UnitId(0), &positions) };
    assert!(world.spawn_squad(spec).is_err());
}
