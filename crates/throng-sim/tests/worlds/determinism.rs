//! The same scenario and seed give the same bytes, whatever the threads and the index.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::{Avoidance, AvoidanceSettings};
use throng_sim::world::{Settings, SquadSpec, World};
use throng_spatial::{IndexChoice, IndexKind};

/// Two walls with gates across a field.
fn field() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(96, 96, 1.0).unwrap());
    for wall in [40, 56] {
        for y in 0..96 {
            if !(20..26).contains(&y) && !(60..68).contains(&y) {
                grid.set_open(grid.lattice().cell(wall, y), false);
            }
        }
    }
    grid
}

fn block(corner: Vec2, columns: usize, count: usize) -> Vec<Vec2> {
    (0..count).map(|i| corner + Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.1).collect()
}

pub fn battle(settings: Settings) -> World {
    let mut world = World::new(field(), settings).unwrap();
    let soldier = world.add_unit(Unit::default()).unwrap();
    let spear = world.add_unit(Unit { name: "spear".into(), reach: 2.0, radius: 0.35, ..Unit::default() }).unwrap();
    for (name, x, order, planner) in [
        ("red", 4.0, Order::Attack, PlannerChoice::AStar),
        ("blue", 66.0, Order::Attack, "weighted-astar:1,1.5".parse().unwrap()),
    ] {
        let army = world.add_army(name).unwrap();
        for (unit, y) in [(soldier, 10.0), (spear, 50.0)] {
            let positions = block(Vec2::new(x, y), 20, 300);
            world
                .spawn_squad(SquadSpec {
                    army,
                    unit,
                    positions,
                    facing: 0.0,
                    order,
                    queue: Vec::new(),
                    planner: planner.clone(),
                    formation: None,
                })
                .unwrap();
        }
    }
    world
}

pub fn hash(settings: Settings, ticks: u64) -> u64 {
    let mut world = battle(settings);
    for _ in 0..ticks {
        world.tick().unwrap();
    }
    assert!(world.armies().iter().all(|army| army.alive < army.spawned), "nobody fought");
    world.position_hash()
}

pub fn settings(threads: usize, index: IndexChoice, kind: Avoidance) -> Settings {
    Settings { threads, index, avoidance: AvoidanceSettings::new(kind), step: 0.1, ..Settings::default() }
}

#[test]
fn golden() {
    let golden = hash(settings(1, IndexKind::Grid.into(), Avoidance::Orca), 300);
    for threads in [2, 4] {
        assert_eq!(hash(settings(threads, IndexKind::Grid.into(), Avoidance::Orca), 300), golden, "{threads} threads");
    }
    assert_eq!(golden, 15_397_464_834_295_061_690, "the golden hash");
}

#[test]
fn every_index() {
    let expected = hash(settings(2, IndexKind::Grid.into(), Avoidance::Orca), 200);
    for kind in IndexKind::ALL {
        assert_eq!(hash(settings(2, kind.into(), Avoidance::Orca), 200), expected, "{kind}");
    }
}

#[test]
fn every_kind_of_avoidance() {
    for kind in Avoidance::ALL {
        let expected = hash(settings(1, IndexKind::Grid.into(), kind), 200);
        assert_eq!(hash(settings(4, IndexKind::Grid.into(), kind), 200), expected, "{kind}: 4 threads");
        assert_eq!(hash(settings(2, IndexKind::Brute.into(), kind), 200), expected, "{kind}: brute force");
    }
}
