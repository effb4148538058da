//! Those that meet exactly head on pass each other, by every model of avoidance.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::{Avoidance, AvoidanceSettings};
use throng_sim::world::{ARRIVAL_RADIUS, ArmyId, Settings, UnitId, World};

/// All but the first, `none`.
const MODELS: &[Avoidance] = Avoidance::ALL.split_at(1).1;

fn world(grid: Grid, model: Avoidance, step: f32, unit: Unit) -> World {
    let avoidance = AvoidanceSettings::new(model);
    let mut world = World::new(grid, Settings { threads: 1, step, avoidance, ..Settings::default() }).unwrap();
    world.add_army("all").unwrap();
    world.add_unit(unit).unwrap();
    world
}

/// True where all that are sent come to their goals within so many seconds.
fn all_come(model: Avoidance, step: f32, ways: &[(Vec2, Vec2)], seconds: f32) -> bool {
    let mut world = world(Grid::open_plain(Lattice::new(40, 40, 1.0).unwrap()), model, step, Unit::pedestrian());
    let (starts, goals): (Vec<Vec2>, Vec<Vec2>) = ways.iter().copied().unzip();
    let ids = world.spawn_walkers(ArmyId(0), UnitId(0), &starts, &goals).unwrap();
    while world.ticks() as f32 * step < seconds {
        world.tick().unwrap();
    }
    let place = |id| world.crowd().rows.position[world.crowd().row(id).unwrap()];
    ids.iter().zip(&goals).all(|(&id, &goal)| place(id).distance(goal) < ARRIVAL_RADIUS)
}

/// Ways with one at rest, or one that comes the other way, `aside` metres off the straight line, in a direction (radians).
fn scenes(angle: f32, aside: f32) -> [Vec<(Vec2, Vec2)>; 3] {
    let (middle, along) = (Vec2::splat(20.0), Vec2::from_angle(angle));
    let off = along.perp() * aside;
    let (from, to) = (middle - along * 8.0, middle + along * 8.0);
    let resting = (middle + off, middle + off);
    [
        vec![(from, to), (to + off, from + off)],
        vec![(from, to), resting],
        vec![
            (from, to),
            (to + off, from + off),
            (from - along * 1.5, to - along * 1.5),
            (to + off + along * 1.5, from + off + along * 1.5),
        ],
    ]
}

#[test]
fn two_that_meet_head_on_pass_each_other() {
    let mut failed = Vec::new();
    for &model in MODELS {
        for (step, angle) in [(0.05, 0.0), (0.1, std::f32::consts::FRAC_PI_4), (0.1, 2.5), (0.2, std::f32::consts::PI)]
        {
            for aside in [0.0, 1e-7, -1e-7, 1e-4, -1e-4, 0.01, -0.01, 0.08, -0.08, 0.3, -0.3] {
                for (kind, ways) in ["two", "resting", "four"].into_iter().zip(scenes(angle, aside)) {
                    if !all_come(model, step, &ways, 40.0) {
                        failed.push(format!("{model} {kind} {angle} {aside} {step}"));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} locked:\n{}", failed.len(), failed.join("\n"));
}

/// A corridor of 2 m between walls, with so many at either end, two abreast and so far apart (m), who want to go to the other.
fn corridor(model: Avoidance, unit: Unit, step: f32, apart: f32, side: usize) -> World {
    let mut grid = Grid::open_plain(Lattice::new(60, 10, 1.0).unwrap());
    for cell in
        grid.lattice().cells().filter(|&cell| !(4..6).contains(&grid.lattice().column_row(cell).1)).collect::<Vec<_>>()
    {
        grid.set_open(cell, false);
    }
    let mut world = world(grid, model, step, unit);
    let (mut starts, mut goals) = (Vec::new(), Vec::new());
    for i in 0..side {
        let (x, y) = (2.0 + (i / 2) as f32 * apart, 4.5 + (i % 2) as f32);
        for (from, to) in [(x, 58.0 - x), (60.0 - x, 2.0 + x)] {
            starts.push(Vec2::new(from, y));
            goals.push(Vec2::new(to, y));
        }
    }
    world.spawn_walkers(ArmyId(0), UnitId(0), &starts, &goals).unwrap();
    world
}

/// How far each has gone in ten seconds (m).
fn gone(world: &mut World) -> Vec<f32> {
    let before: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
    (0..100).for_each(|_| world.tick().unwrap());
    world.positions().zip(before).map(|((_, at), before)| at.distance(before)).collect()
}

#[test]
fn all_who_stand_are_counted_even_where_they_swing() {
    for &model in MODELS {
        for unit in [Unit::default(), Unit::pedestrian()] {
            for (step, apart) in [(0.05, 1.0), (0.05, 2.0), (0.1, 1.0), (0.1, 1.2), (0.2, 1.2)] {
                let mut world = corridor(model, unit.clone(), step, apart, 10);
                (0..(100.0 / step) as u32).for_each(|_| world.tick().unwrap());
                let stand = gone(&mut world).iter().filter(|&&way| way < 0.3).count() as u64;
                let told: u64 = world.standing().iter().map(|&(_, count)| count).sum();
                eprintln!(
                    "{model} {} {step} {apart}: {stand} stand, told of {told}: {:?}",
                    unit.name,
                    world.standing()
                );
            }
        }
    }
}
