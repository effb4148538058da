//! Battles from the outside: odd worlds, the books, bodies and walls, and the same bytes everywhere.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::BTreeSet;
use throng::battle::{Order, Unit};
use throng::crowd::{AgentId, Avoidance, AvoidanceSettings};
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice, walls};
use throng::plan::PlannerChoice;
use throng::world::{ArmyId, Muster, Settings, SquadId, UnitId, World};

fn plain(width: u32, height: u32, cell_size: f32) -> Grid {
    Grid::open_plain(Lattice::new(width, height, cell_size).unwrap())
}

fn settings(kind: Avoidance) -> Settings {
    Settings { threads: 1, step: 0.1, avoidance: AvoidanceSettings::new(kind), ..Settings::default() }
}

fn squad(world: &mut World, army: ArmyId, unit: UnitId, positions: &[Vec2], order: Order) -> SquadId {
    world.muster(Muster { army, unit, positions, facing: 0.0, order, planner: PlannerChoice::AStar }).unwrap()
}

/// Up to `count` places, far enough from each other and clear of walls.
fn places(grid: &Grid, random: &mut Pcg32, radius: f32, count: usize, taken: &mut Vec<(Vec2, f32)>) -> Vec<Vec2> {
    let size = grid.lattice().size();
    let mut found = Vec::new();
    for _ in 0..count * 20 {
        let at = Vec2::new(random.random_range(0.0..size.x), random.random_range(0.0..size.y));
        let free = taken.iter().all(|&(other, width)| at.distance(other) > radius + width);
        if found.len() < count && free && walls::is_clear(grid, at, radius) {
            taken.push((at, radius));
            found.push(at);
        }
    }
    found
}

/// A map of `side` cells a side of which some hundredths are closed.
fn noise(side: u32, cell_size: f32, closed: u32, random: &mut Pcg32) -> Grid {
    let mut grid = plain(side, side, cell_size);
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid
}

/// Armies of random units and orders on a random map.
fn chaos(seed: u64, settings: Settings) -> World {
    let mut random = Pcg32::seed_from_u64(seed);
    let cell_size = [0.3, 1.0, 1.0, 2.5][random.random_range(0..4)];
    let side = (50.0 / cell_size) as u32;
    let closed = random.random_range(0..25);
    let grid = noise(side, cell_size, closed, &mut random);
    let mut world = World::new(grid.clone(), settings).unwrap();
    let mut taken = Vec::new();
    let armies = random.random_range(2..5);
    for i in 0..armies {
        let army = world.add_army(&format!("{i}")).unwrap();
        for _ in 0..2 {
            let radius = random.random_range(0.2..0.7) * cell_size.max(1.0);
            let speed = random.random_range(0.5..8.0);
            let unit = Unit {
                radius,
                speed,
                top_speed: speed * 1.3,
                health: random.random_range(10.0..80.0),
                reach: random.random_range(0.2..2.0),
                ..Unit::default()
            };
            let unit = world.add_unit(unit).unwrap();
            let positions = places(&grid, &mut random, radius, 40, &mut taken);
            let goal = Vec2::new(random.random_range(-5.0..60.0), random.random_range(-5.0..60.0));
            let order = [Order::Attack, Order::Attack, Order::Hold, Order::GoTo(goal)][random.random_range(0..4)];
            if random.random_range(0..8) == 0 {
                let goals = positions.iter().map(|at| Vec2::new(at.y, at.x)).collect::<Vec<_>>();
                world.walkers(army, unit, &positions, &goals).unwrap();
            } else {
                squad(&mut world, army, unit, &positions, order);
            }
        }
    }
    world
}

#[test]
fn bodies_stay_out_of_walls_and_below_their_top_speed_and_the_books_balance() {
    for kind in Avoidance::ALL {
        for seed in 0..12 {
            let step = [0.05, 0.1, 1.0][seed as usize % 3];
            let mut world = chaos(seed, Settings { step, seed, ..settings(kind) });
            let mut dead = BTreeSet::new();
            for _ in 0..(40.0 / step) as u32 {
                world.tick().unwrap();
                for death in &world.events().deaths {
                    assert!(dead.insert(death.who), "{death:?} a second time");
                    assert_ne!(death.who, death.by);
                }
                let crowd = world.crowd();
                for row in 0..crowd.len() {
                    let (at, radius) = (crowd.position[row], crowd.radius[row]);
                    assert!(walls::is_clear(world.grid(), at, radius), "{kind} {seed}: {at} {radius}");
                    let speed = crowd.velocity[row].length();
                    assert!(speed <= crowd.top_speed[row] * 1.000_01, "{kind} {seed}: {speed}");
                }
                let living: BTreeSet<AgentId> = world.positions().map(|(id, _)| id).collect();
                assert!(living.is_disjoint(&dead));
                assert_eq!(living.len(), world.agents());
                let armies = world.armies();
                let fallen: u32 = armies.iter().map(|army| army.spawned - army.alive).sum();
                let kills: u32 = armies.iter().flat_map(|army| &army.kills).sum();
                let alive: u32 = armies.iter().map(|army| army.alive).sum();
                assert_eq!((fallen, kills, alive), (dead.len() as u32, dead.len() as u32, living.len() as u32));
            }
        }
    }
}

/// `count` places in rows of six.
fn block(corner: Vec2, count: usize) -> Vec<Vec2> {
    (0..count).map(|i| corner + Vec2::new((i % 6) as f32, (i / 6) as f32) * 1.1).collect()
}

#[test]
fn a_squad_gets_round_walls_however_thin() {
    for (cell_size, kind) in [0.1, 0.2, 0.25, 0.5, 1.0].into_iter().flat_map(|c| Avoidance::ALL.map(|k| (c, k))) {
        let side = (40.0 / cell_size) as u32;
        let mut grid = plain(side, side, cell_size);
        for (y, x) in (0..side).flat_map(|y| [side / 3, side / 2, 2 * side / 3].map(|x| (y, x))) {
            let open = if x == side / 2 { y < side / 4 } else { y > 3 * side / 4 };
            grid.set_open(grid.lattice().cell(x, y), open);
        }
        let mut world = World::new(grid, settings(kind)).unwrap();
        let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
        let goal = Vec2::new(35.0, 20.0);
        squad(&mut world, army, unit, &block(Vec2::new(3.0, 15.0), 30), Order::GoTo(goal));
        for _ in 0..1200 {
            world.tick().unwrap();
        }
        let stuck: Vec<_> = world.positions().filter(|(_, at)| at.distance(goal) > 8.0).collect();
        assert!(stuck.is_empty(), "{kind}, cells of {cell_size} m: {stuck:?}");
    }
}
