//! Several squads are sent to one goal.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::{Vec2, direction};
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::{Avoidance, AvoidanceSettings};
use throng_sim::world::{Settings, SquadId, SquadSpec, World};

fn rider() -> Unit {
    Unit { name: "rider".into(), radius: 0.8, speed: 6.0, top_speed: 8.0, acceleration: 3.0, ..Unit::default() }
}

fn fast() -> Unit {
    Unit { name: "fast".into(), radius: 0.2, speed: 8.0, top_speed: 10.0, ..Unit::default() }
}

fn block(middle: Vec2, count: usize, spacing: f32) -> Vec<Vec2> {
    let columns = (count as f32).sqrt().ceil() as usize;
    let place = |i: usize| Vec2::new((i % columns) as f32, (i / columns) as f32) - 0.5 * (columns as f32 - 1.0);
    (0..count).map(|i| middle + place(i) * spacing).collect()
}

fn plain(step: f32, avoidance: Avoidance) -> World {
    let settings = Settings { threads: 1, step, avoidance: AvoidanceSettings::new(avoidance), ..Settings::default() };
    let mut world = World::new(Grid::open_plain(Lattice::new(120, 120, 1.0).unwrap()), settings).unwrap();
    world.add_army("red").unwrap();
    world
}

fn squad(world: &mut World, unit: &Unit, middle: Vec2, count: usize, order: Order) -> SquadId {
    let id = world.add_unit(unit.clone()).unwrap();
    let army = throng_sim::world::ArmyId(0);
    let positions = block(middle, count, 2.5 * unit.radius);
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, id, &positions) }).unwrap()
}

/// The mean speed of all over so many seconds (m/s), and how many are further than half a metre from their posts.
fn unrest(world: &mut World, seconds: f32, step: f32) -> (f32, usize) {
    let before: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let (mut walked, mut last, ticks) = (0.0, before, (seconds / step) as u32);
    for _ in 0..ticks {
        world.tick().unwrap();
        let now: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
        walked += now.iter().zip(&last).map(|(a, b)| a.distance(*b)).sum::<f32>() / now.len() as f32;
        last = now;
    }
    let crowd = world.crowd();
    let is_out = |row: &usize| {
        crowd.rows.position[*row].distance(crowd.slots.follower[crowd.rows.slot[*row] as usize].post) > 0.5
    };
    (walked / (ticks as f32 * step), (0..crowd.len()).filter(is_out).count())
}

/// The greatest mean speed at rest (m/s). Small ones that are very fast may circle.
fn rest(unit: &Unit) -> f32 {
    if unit.name == "fast" { 0.1 } else { 0.02 }
}

/// Says what is wrong once the walk, of so many metres, and 60 s are over. One in fifty may be shut out of its post.
fn unsettled(world: &mut World, unit: &Unit, step: f32, walk: f32) -> Option<String> {
    (0..((walk / unit.speed + 60.0) / step) as u32).for_each(|_| world.tick().unwrap());
    let (speed, out) = unrest(world, 10.0, step);
    let positions: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    let near = |i: usize| positions[..i].iter().filter(|at| at.distance(positions[i]) < 1.9 * unit.radius).count();
    let overlap: usize = (0..positions.len()).map(near).sum();
    let is_wrong = speed > rest(unit) || 50 * out > positions.len() || 50 * overlap > positions.len();
    is_wrong.then(|| format!("{speed:.3} m/s, {out} not at their posts, {overlap} overlap"))
}

fn none(faults: Vec<String>, of: usize) {
    assert!(faults.is_empty(), "{} of {of} wrong:\n{}", faults.len(), faults.join("\n"));
}

const AROUND: [(f32, f32); 5] = [(15.0, 15.0), (95.0, 15.0), (15.0, 95.0), (95.0, 95.0), (55.0, 15.0)];

#[test]
fn squads_from_all_sides_settle_around_one_goal() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    let units = [Unit::default(), Unit::pedestrian(), rider(), fast()];
    for unit in &units {
        for (count, squads) in [(30, 5), (12, 3), (1, 5)] {
            for step in [0.05, 0.1, 0.2, 0.5] {
                for avoidance in [Avoidance::Orca, Avoidance::Push] {
                    let mut world = plain(step, avoidance);
                    for &at in &AROUND[..squads] {
                        squad(&mut world, unit, Vec2::from(at), count, Order::Move(Vec2::new(55.0, 55.0)));
                    }
                    of += 1;
                    let told = unsettled(&mut world, unit, step, 60.0);
                    wrong.extend(
                        told.map(|told| format!("{squads} x {count} {}, {step} s, {avoidance}: {told}", unit.name)),
                    );
                }
            }
        }
    }
    none(wrong, of);
}

#[test]
fn squads_from_one_side_settle_around_one_goal() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    for unit in [Unit::default(), rider()] {
        for step in [0.05, 0.2] {
            let mut world = plain(step, Avoidance::Orca);
            for y in [20.0, 35.0, 50.0, 65.0, 80.0] {
                squad(&mut world, &unit, Vec2::new(20.0, y), 30, Order::GoTo(Vec2::new(100.0, 50.0)));
            }
            of += 1;
            let told = unsettled(&mut world, &unit, step, 90.0);
            wrong.extend(told.map(|told| format!("{}, {step} s: {told}", unit.name)));
        }
    }
    none(wrong, of);
}

#[test]
fn squads_settle_around_friends_that_hold_their_goal() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    // Riders at long steps push holders aside, and so do small ones that are very fast.
    let scenes = [
        (Unit::default(), 0.05),
        (Unit::default(), 0.5),
        (Unit::pedestrian(), 0.05),
        (Unit::pedestrian(), 0.5),
        (rider(), 0.1),
    ];
    for (unit, step) in scenes {
        for count in [10, 30] {
            let mut world = plain(step, Avoidance::Orca);
            let goal = Vec2::new(55.0, 55.0);
            squad(&mut world, &unit, goal, 25, Order::Hold);
            let held: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
            for angle in [0.0, 120.0, 240.0] {
                squad(&mut world, &unit, goal + direction(angle) * 40.0, count, Order::Move(goal + direction(angle)));
            }
            of += 1;
            (0..(105.0 / step) as u32).for_each(|_| world.tick().unwrap());
            let (speed, _) = unrest(&mut world, 10.0, step);
            let places: Vec<Vec2> = world.positions().map(|(_, at)| at).take(held.len()).collect();
            let nearest = |post: &Vec2| places.iter().map(|at| at.distance(*post)).fold(f32::MAX, f32::min);
            let empty = held.iter().filter(|post| nearest(post) > 2.0 * unit.radius).count();
            let is_wrong = speed > rest(&unit) || empty > 2;
            wrong.extend(
                is_wrong.then(|| format!("{count} {}, {step} s: {speed:.3} m/s, {empty} held places empty", unit.name)),
            );
        }
    }
    none(wrong, of);
}
