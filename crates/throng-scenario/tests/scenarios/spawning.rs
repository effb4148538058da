//! Thousands come and go between two ticks.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, walls};
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::{AgentId, Avoidance, AvoidanceSettings};
use throng_sim::world::{ArmyId, Settings, SquadId, SquadSpec, UnitId, World};

const STEP: f32 = 0.05;

/// The radius of a [`Unit`] (m).
fn radius() -> f32 {
    Unit::default().radius
}

fn world(grid: Grid, kind: Avoidance) -> (World, ArmyId, UnitId) {
    let avoidance = AvoidanceSettings::new(kind);
    let settings = Settings { threads: 1, step: STEP, avoidance, ..Settings::default() };
    let mut world = World::new(grid, settings).unwrap();
    let army = world.add_army("all").unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    (world, army, unit)
}

/// Every agent is somewhere on the map, clear of walls, and no faster than it can be.
fn check(world: &World) {
    let (crowd, grid) = (world.crowd(), world.grid());
    for row in 0..crowd.len() {
        let (at, velocity) = (crowd.rows.position[row], crowd.rows.velocity[row]);
        assert!(at.is_finite() && grid.lattice().covers(at), "{at}");
        assert!(walls::is_clear(grid, at, crowd.rows.radius[row] * 0.999), "{at} is in a wall");
        assert!(velocity.length() <= crowd.rows.top_speed[row] * 1.000_01, "{velocity} at {at}");
    }
}

/// Pairs that overlap by more than 2 %, and the greatest distance an agent has moved since `before` (m).
fn overlaps(world: &World, before: &mut Vec<Vec2>) -> (usize, f32) {
    let now: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let touch = 0.98 * 2.0 * radius();
    let pairs = (0..now.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let pairs = pairs.filter(|&(i, j)| now[i].distance(now[j]) < touch).count();
    let moved = now.iter().zip(&*before).map(|(now, before)| now.distance(*before)).fold(0.0, f32::max);
    *before = now;
    (pairs, moved)
}

#[test]
fn five_hundred_on_one_point_part_in_seconds() {
    let mut walled = Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap());
    for y in 0..80 {
        walled.set_open(walled.lattice().cell(30, y), false);
    }
    let beside = Vec2::new(31.0 + radius() + 1e-3, 40.0);
    let plain = Grid::open_plain(Lattice::new(80, 80, 1.0).unwrap());
    for (grid, at) in [(plain, Vec2::splat(40.0)), (walled, beside)] {
        let (mut world, army, unit) = world(grid, Avoidance::Orca);
        world.spawn_walkers(army, unit, &[at; 500], &[]).unwrap();
        let AvoidanceSettings { cap, passes, .. } = world.settings().avoidance;
        let furthest = Unit::default().top_speed * STEP + cap * passes as f32;
        let mut before = vec![at; 500];
        let mut left = usize::MAX;
        for tick in 0..240 {
            // Where they come to be is where they stay.
            if tick < 200 {
                for (id, at) in world.positions().collect::<Vec<_>>() {
                    world.walk_straight_to(id, at).unwrap();
                }
            }
            world.tick().unwrap();
            check(&world);
            let (pairs, moved) = overlaps(&world, &mut before);
            assert!(moved <= furthest * 1.001, "{moved} m in a tick");
            assert!(at.x > 35.0 || before.iter().all(|at| at.x > 31.0), "through the wall");
            left = pairs;
        }
        assert!(left < 5, "{left} pairs overlap after 12 s");
    }
}

#[test]
fn a_room_too_small_for_all_holds_them() {
    let mut grid = Grid::closed(Lattice::new(20, 20, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        grid.set_open(cell, (8..12).contains(&x) && (8..12).contains(&y));
    }
    for kind in Avoidance::ALL {
        let (mut world, army, unit) = world(grid.clone(), kind);
        world.spawn_walkers(army, unit, &[Vec2::splat(10.0); 200], &[]).unwrap();
        for _ in 0..100 {
            world.tick().unwrap();
            check(&world);
        }
    }
}

#[test]
fn who_is_removed_is_gone_for_good_and_leaves_room() {
    let grid = Grid::open_plain(Lattice::new(100, 100, 1.0).unwrap());
    let (mut world, army, unit) = world(grid, Avoidance::Orca);
    let places: Vec<Vec2> =
        (0..900).map(|i| Vec2::new(4.0 + (i % 30) as f32 * 3.0, 4.0 + (i / 30) as f32 * 3.0)).collect();
    let mut gone: Vec<AgentId> = Vec::new();
    let mut memory = None;
    for round in 0..12 {
        let ids = world.spawn_walkers(army, unit, &places[..450], &places[450..]).unwrap();
        let order = Order::GoTo(Vec2::new(10.0, 80.0));
        let squad = world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &places[450..]) }).unwrap();
        assert_eq!(world.agents(), 900);
        assert!(ids.iter().all(|&id| world.crowd().row(id).is_some() && !gone.contains(&id)));
        (0..round % 4).for_each(|_| world.tick().unwrap());
        let members = world.squads()[squad.0 as usize].members.clone();
        assert_eq!(world.remove(&[&ids[..], &ids[..9]].concat()), 450, "each once");
        assert_eq!(world.disband(squad).unwrap(), 450);
        assert_eq!((world.agents(), world.routes_pending()), (0, 0));
        assert!(world.squads()[squad.0 as usize].members.is_empty());
        let army = &world.armies()[0];
        assert_eq!((army.alive, army.spawned), (0, 0));
        gone.extend(ids.into_iter().chain(members));
        assert!(gone.iter().all(|&id| world.crowd().row(id).is_none()));
        assert_eq!(world.remove(&gone), 0);
        world.tick().unwrap();
        if round > 4 {
            let columns = world.crowd().bytes();
            assert_eq!(*memory.get_or_insert(columns), columns, "round {round}");
        }
    }
    assert_eq!(world.disband(SquadId(99)).unwrap_err().to_string(), "this world has no squad 99",);
}

/// A map with a wall of random cells, at least half of it open.
fn map(random: &mut Pcg32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(48, 40, 1.0).unwrap());
    let closed = random.random_range(0..25);
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid
}

/// 10⁶ ticks of agents.
#[test]
fn crowds_that_come_and_go_stay_where_they_may_be() {
    let mut random = Pcg32::seed_from_u64(7);
    let mut total = 0;
    while total < 1_000_000 {
        let grid = map(&mut random);
        let kinds = [Avoidance::Orca, Avoidance::Gap, Avoidance::Push, Avoidance::Separation, Avoidance::SocialForce];
        let (mut world, army, unit) = world(grid, kinds[random.random_range(0..kinds.len())]);
        let place = |world: &World, random: &mut Pcg32| loop {
            let at = Vec2::new(random.random_range(0.5..47.5), random.random_range(0.5..39.5));
            if walls::is_clear(world.grid(), at, radius()) {
                return at;
            }
        };
        for _ in 0..150 {
            for _ in 0..random.random_range(0..3) {
                let one = place(&world, &mut random);
                let count = random.random_range(1..120);
                let at: Vec<Vec2> = match random.random_range(0..2) {
                    0 => vec![one; count],
                    _ => (0..count).map(|_| place(&world, &mut random)).collect(),
                };
                if random.random_range(0..12) == 0 {
                    let order = Order::GoTo(place(&world, &mut random));
                    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &at) }).unwrap();
                } else {
                    let goals: Vec<Vec2> = (0..count / 2).map(|_| place(&world, &mut random)).collect();
                    world.spawn_walkers(army, unit, &at, &goals).unwrap();
                }
            }
            let most = 700;
            let here: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
            let gone: Vec<AgentId> = if here.len() > most || random.random_range(0..9) == 0 {
                here.iter().copied().filter(|_| random.random_range(0..3) == 0).collect()
            } else {
                Vec::new()
            };
            assert_eq!(world.remove(&gone), gone.len());
            if random.random_range(0..20) == 0 && !world.squads().is_empty() {
                let squad = SquadId(random.random_range(0..world.squads().len()) as u32);
                world.disband(squad).unwrap();
            }
            world.tick().unwrap();
            check(&world);
            total += world.agents();
            assert_eq!(world.armies()[0].alive as usize, world.agents());
        }
    }
}

#[test]
fn a_scatter_puts_everybody_a_little_off_his_place_by_the_seed_and_nobody_in_a_wall() {
    use throng_scenario::Scenario;
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 6\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(6);
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let path = folder.path().join("a.toml");
    let load = |scatter: &str| {
        let squad = "[[army]]\nname = \"a\"\n[[army.squad]]\ncount = 60\nposition = [20, 3]\ncolumns = 5\n";
        std::fs::write(&path, format!("map = \"a.map\"\n{scatter}\n{squad}")).unwrap();
        Scenario::load(&path).map(|(scenario, _)| scenario).map_err(|error| error.to_string())
    };
    let places = |scenario: &Scenario, seed: u64| {
        let mut scenario = scenario.clone();
        scenario.settings.seed = seed;
        let world = scenario.build(1).unwrap();
        world.positions().collect::<std::collections::BTreeMap<_, _>>()
    };
    let (plain, scattered) = (load("").unwrap(), load("scatter = 0.4").unwrap());
    let (first, second, again) = (places(&scattered, 1), places(&scattered, 2), places(&scattered, 1));
    assert_eq!(first, again);
    assert_eq!(places(&plain, 1), places(&plain, 2));
    let (mut moved, mut differ) = (0, 0);
    for (id, at) in places(&plain, 1) {
        let (here, there) = (first[&id], second[&id]);
        assert!(here.distance(at) <= 0.4 && here.y >= 0.4 && here.y <= 5.6, "{at} {here}");
        moved += u32::from(here.distance(at) > 0.05);
        differ += u32::from(here != there);
    }
    assert!(moved > 40 && differ > 40, "{moved} {differ} of 60");
    let message = load("scatter = 0.6").unwrap_err();
    assert!(message.ends_with("a.toml:2:11: scatter must be between 0 and 0.5 (m), found 0.6"), "{message}");
}
