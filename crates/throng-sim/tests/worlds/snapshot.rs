//! A world that goes on from a file goes on to the same bytes.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Lattice, TerrainCosts, walls};
use throng_sim::battle::{Order, Ranged, RouteState, Unit};
use throng_sim::world::{Fire, Resume, Settings, SquadId, SquadSpec, World};
use throng_spatial::IndexKind;

/// Rocks, swamp, and a wall with gates.
fn field() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(80, 60, 1.0).unwrap());
    let mut random = Pcg32::seed_from_u64(4);
    for _ in 0..70 {
        let (x, y) = (random.random_range(14..66), random.random_range(0..58));
        for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
            grid.set_open(grid.lattice().cell(x + dx, y + dy), false);
        }
        let swamp = grid.lattice().cell(random.random_range(0..80), random.random_range(0..60));
        grid.set_terrain(swamp, 1);
    }
    for y in (0..60).filter(|y| y % 16 > 4) {
        grid.set_open(grid.lattice().cell(40, y), false);
    }
    grid
}

fn block(corner: Vec2, columns: usize, count: usize) -> Vec<Vec2> {
    (0..count).map(|i| corner + Vec2::new((i % columns) as f32, (i / columns) as f32) * 1.1).collect()
}

/// Two armies with every kind of planning, and walkers. So small a budget that routes take their time.
fn battle(threads: usize) -> World {
    let mut world =
        World::new(field(), Settings { threads, step: 0.1, plan_budget: 40, ..Settings::default() }).unwrap();
    let foot = Unit { health: 40.0, sight: 9.0, ..Unit::default() };
    let soldier = world.add_unit(foot.clone()).unwrap();
    let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(3))]));
    let ranged = Some(Ranged { range: 9.0, speed: 12.0, cooldown: 1.0, blast: 0.5, ..Ranged::default() });
    let (name, turning) = ("wader".into(), 200.0);
    let wader = Unit { name, radius: 0.3, speed: 2.0, terrain, ranged, turning, arc: 90.0, ..foot };
    let wader = world.add_unit(wader).unwrap();
    for (name, x, planners) in [
        ("red", 2.0, ["ara:3,1.5,1", "hpa:8,2", "flow-field", "astar", "jps-plus"]),
        ("blue", 68.0, ["hpa:8,1", "ara", "flow-field", "weighted-astar:1,1.5", "lazy-theta"]),
    ] {
        let army = world.add_army(name).unwrap();
        for (i, planner) in planners.into_iter().enumerate() {
            let unit = if i == 3 { wader } else { soldier };
            let order =
                if i % 2 == 0 { Order::Attack } else { Order::GoTo(Vec2::new(79.0 - x, 5.0 + 11.0 * i as f32)) };
            let positions: Vec<Vec2> = block(Vec2::new(x, 2.5 + 11.0 * i as f32), 8, if i == 1 { 24 } else { 8 });
            let positions: Vec<Vec2> =
                positions.into_iter().filter(|&at| walls::is_clear(world.grid(), at, 0.45)).collect();
            let planner = planner.parse().unwrap();
            world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(army, unit, &positions) }).unwrap();
        }
        world.spawn_walkers(army, soldier, &[Vec2::new(x + 1.0, 58.0)], &[Vec2::new(79.0 - x, 58.0)]).unwrap();
    }
    world.add_fire(Fire { until: 9.0, ..Fire::new(Vec2::splat(6.0), 2.0) }).unwrap();
    world
}

/// What happens from outside before a tick: a function of the tick alone.
fn happen(world: &mut World) {
    let mut random = Pcg32::seed_from_u64(world.ticks().wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let lattice = world.grid().lattice();
    let mut cell = || -> Cell { lattice.cell(random.random_range(8..72), random.random_range(0..60)) };
    // Between edits there is time for routes and fields to be shared with those who ask later.
    if world.ticks() % 7 == 3 && (world.ticks() / 50).is_multiple_of(2) {
        let edits = [Edit::Close(cell()), Edit::Open(cell()), Edit::Close(cell()), Edit::Terrain(cell(), 1)];
        world.edit(&edits).unwrap();
    }
    if world.ticks() % 6 == 5 {
        let squads = world.squads().len() as u64;
        let squad = SquadId((world.ticks() / 6 % squads) as u32);
        // The same few places again and again.
        let place = Vec2::new(20.5 + 40.0 * (world.ticks() / 12 % 2) as f32, 30.5);
        world.order(squad, if world.ticks() % 4 == 1 { Order::Attack } else { Order::GoTo(place) }).unwrap();
    }
    if world.ticks() == 90 {
        // New people take the slots of the dead.
        let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
        let free = |at: &Vec2| walls::is_clear(world.grid(), *at, 0.45);
        let positions: Vec<Vec2> = block(Vec2::new(2.0, 20.0), 6, 12).into_iter().filter(free).collect();
        let planner = "ara".parse().unwrap();
        world
            .spawn_squad(SquadSpec { planner, order: Order::Attack, ..SquadSpec::new(army, unit, &positions) })
            .unwrap();
    }
}

fn step(world: &mut World) -> u64 {
    happen(world);
    // An edit may leave a unit nowhere to go; the tick is done all the same.
    let _ = world.tick();
    world.position_hash()
}

fn saved(world: &World, path: &Path) -> Vec<u8> {
    world.save(path).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn from_twenty_moments_it_goes_on_to_the_same_bytes() {
    const TICKS: u64 = 320;
    // Then the bytes are looked at again.
    const LATER: u64 = 15;
    let folder = tempfile::tempdir().unwrap();
    let path = |tick: u64| folder.path().join(format!("{tick}.snapshot"));
    let mut random = Pcg32::seed_from_u64(20);
    let mut moments = BTreeSet::new();
    while moments.len() < 20 {
        moments.insert(random.random_range(0..TICKS - 20));
    }
    let mut world = battle(1);
    let (mut hashes, mut bytes) = (Vec::new(), BTreeMap::new());
    // What there was to be stored.
    let (mut asked, mut fields, mut dead, mut waiting, mut lost, mut better, mut shots) = (0, 0, 0, 0, 0, 0, 0);
    for tick in 0..=TICKS {
        // Some more, in which an agent has just died, or an edit waits.
        let dies = !world.events().deaths.is_empty() && dead < 3;
        if dies || world.edits_pending() > 0 && waiting < 3 {
            moments.insert(tick);
        }
        if moments.contains(&tick) {
            asked += world.routes_pending();
            fields += world.squads().iter().filter(|squad| squad.field.is_some()).count();
            dead += world.events().deaths.len();
            shots += world.shots().len();
            waiting += world.edits_pending();
            lost += world
                .crowd()
                .slots
                .follower
                .iter()
                .filter(|follower| follower.route_progress != throng_sim::crowd::RouteProgress::OnRoute)
                .count();
            let walked =
                world.squads().iter().filter(|squad| matches!(squad.route_state, RouteState::Walked { .. })).count();
            better += usize::from(world.routes_pending() > 0) * walked;
        }
        if moments.contains(&tick) || tick == TICKS || tick >= LATER && moments.contains(&(tick - LATER)) {
            bytes.insert(tick, saved(&world, &path(tick)));
        }
        hashes.push(step(&mut world));
    }
    let fallen: u32 = world.armies().iter().map(|army| army.spawned - army.alive).sum();
    assert!(fallen >= 10 && world.grid().revision() > 20, "{fallen} fell, revision {}", world.grid().revision());
    let all = [asked, fields, dead, waiting, lost, better, shots];
    assert!(all.iter().all(|&count| count > 0), "{all:?}");

    for (i, &moment) in moments.iter().enumerate() {
        let index = Some(IndexKind::ALL[i % IndexKind::ALL.len()].into());
        let resume = Resume { threads: 1 + i % 3, index, ..Resume::default() };
        let mut other = World::restore(path(moment), resume).unwrap();
        assert_eq!(other.ticks(), moment);
        for tick in moment..=TICKS {
            if [moment, moment + LATER, TICKS].contains(&tick) {
                // The index is stored too: with the first one again, all bytes are the same.
                let own = other.settings().index.clone();
                other.set_index(world.settings().index.clone()).unwrap();
                let now = saved(&other, &folder.path().join("other.snapshot"));
                other.set_index(own).unwrap();
                assert!(now == bytes[&tick], "from tick {moment}, at tick {tick} something else is stored");
            }
            assert_eq!(step(&mut other), hashes[tick as usize], "from tick {moment}, after tick {tick}");
        }
    }
}

#[test]
fn a_field_by_which_nobody_walks_any_more_is_there_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.snapshot");
    let mut world = World::new(field(), Settings::default()).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    for y in [2.5, 52.5] {
        let planner = "flow-field".parse().unwrap();
        world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, [Vec2::new(3.5, y)]) }).unwrap();
    }
    let (here, there) = (Order::GoTo(Vec2::new(60.5, 30.5)), Order::GoTo(Vec2::new(20.5, 20.5)));
    for (order, ticks) in [(here, 9), (Order::Hold, 9)] {
        world.order(SquadId(0), order).unwrap();
        (0..ticks).for_each(|_| world.tick().unwrap());
    }
    world.save(&path).unwrap();
    // One field a tick is built. Nobody has to wait, since one of the two is there.
    let go = |mut world: World| {
        world.order(SquadId(0), here).unwrap();
        world.order(SquadId(1), there).unwrap();
        world.tick().unwrap();
        assert!(world.squads().iter().all(|squad| squad.field.is_some()));
        (0..20).for_each(|_| world.tick().unwrap());
        world.position_hash()
    };
    let other = World::restore(&path, Resume { threads: 2, ..Resume::default() }).unwrap();
    assert_eq!(go(other), go(world));
}

#[test]
fn from_a_snapshot_in_memory_it_goes_on_to_the_same_bytes_and_taking_one_changes_nothing() {
    const TICKS: u64 = 240;
    const EVERY: u64 = 17;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let (mut world, mut plain) = (battle(1), battle(1));
    let (mut moments, mut bytes) = (Vec::new(), Vec::new());
    let (mut asked, mut fields) = (0, 0);
    for tick in 0..=TICKS {
        if tick.is_multiple_of(EVERY) {
            asked += world.routes_pending();
            fields += world.squads().iter().filter(|squad| squad.field.is_some()).count();
            let snapshot = world.snapshot();
            assert!(snapshot.tick() == tick && snapshot.bytes() > 10_000);
            moments.push(snapshot);
            bytes.push(saved(&world, &path));
        }
        assert_eq!(step(&mut world), step(&mut plain), "tick {tick}");
    }
    assert!(asked > 0 && fields > 0, "{asked}, {fields}");
    assert_eq!(saved(&world, &path), saved(&plain, &path));
    for (number, snapshot) in moments.iter().enumerate() {
        let mut again = World::from_snapshot(snapshot).unwrap();
        assert_eq!(saved(&again, &path), bytes[number], "at tick {}", snapshot.tick());
        let Some(later) = bytes.get(number + 1) else { continue };
        (0..EVERY).for_each(|_| _ = step(&mut again));
        assert!(saved(&again, &path) == *later, "from tick {}", snapshot.tick());
    }
}
