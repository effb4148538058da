//! Squads march in formation.
#![allow(clippy::unwrap_used, missing_docs)]

use throng::battle::{Formation, Order, Ranks, Shape, Unit};
use throng::geom::{Vec2, direction};
use throng::grid::{Grid, Lattice};
use throng::plan::PlannerChoice;
use throng::spatial::IndexKind;
use throng::world::{Muster, Settings, SquadId, World};

const SPEED: f32 = 1.5;

fn open(width: u32, height: u32) -> Grid {
    Grid::open_plain(Lattice::new(width, height, 1.0).unwrap())
}

/// A wall across the map at `x`, with a gate of three metres.
fn gate(width: u32, height: u32, x: u32, thick: u32) -> Grid {
    let mut grid = open(width, height);
    for y in (0..height).filter(|y| !(height / 2 - 1..height / 2 + 2).contains(y)) {
        for x in x..x + thick {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    grid
}

fn settings() -> Settings {
    Settings { threads: 1, ..Settings::default() }
}

/// The places of a formation around a point (m), looking to `facing` degrees.
fn places(formation: Formation, count: usize, around: Vec2, facing: f32) -> Vec<Vec2> {
    let ahead = direction(facing);
    let right = Vec2::new(-ahead.y, ahead.x);
    formation.layout(count).places.iter().map(|place| around + right * place.x + ahead * place.y).collect()
}

/// A squad in formation around a point, with an order.
fn squad(grid: Grid, formation: Formation, count: usize, at: Vec2, order: Order, settings: Settings) -> World {
    let mut world = World::new(grid, settings).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let positions = places(formation, count, at, 0.0);
    let muster = Muster { order, formation: Some(formation), ..Muster::new(army, unit, &positions) };
    world.muster(muster).unwrap();
    world
}

fn ranks(world: &World) -> &Ranks {
    world.squads()[0].ranks.as_deref().unwrap()
}

/// How far members are from their places (m): the mean, and the furthest.
fn astray(world: &World) -> (f32, f32) {
    let crowd = world.crowd();
    let far: Vec<f32> =
        ranks(world).places().map(|(id, place)| crowd.position[crowd.row(id).unwrap()].distance(place)).collect();
    (far.iter().sum::<f32>() / far.len() as f32, far.iter().copied().fold(0.0, f32::max))
}

fn run(world: &mut World, ticks: usize, mut each: impl FnMut(&World)) {
    for _ in 0..ticks {
        world.tick().unwrap();
        each(world);
    }
}

#[test]
fn a_line_marches_sixty_metres_and_stays_one() {
    let goal = Vec2::new(80.5, 30.5);
    let formation = Formation::new(Shape::Line, 1.0);
    let mut world = squad(open(100, 60), formation, 60, Vec2::new(20.5, 30.5), Order::GoTo(goal), settings());
    let (mut worst, mut last, mut began) = (0.0_f32, None, 0);
    run(&mut world, 1100, |world| {
        let (mean, _) = astray(world);
        let x = ranks(world).centre().x;
        if x > 21.0 {
            began = if began == 0 { world.ticks() } else { began };
            worst = worst.max(mean);
        }
        let moved = last.replace(x).map_or(0.0, |last: f32| (x - last).abs());
        assert!(moved < SPEED * 0.05 + 1e-3 || x < 21.0, "the middle ran {moved} m in a tick");
    });
    println!("worst mean {worst}, end {:?}, centre {}", astray(&world), ranks(&world).centre());
    assert!(worst < 0.25, "{worst} m from their places");
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).1 < 0.3, "{:?}", astray(&world));
    assert_eq!(ranks(&world).files(), 20);
}

#[test]
fn everybody_passes_a_gate_of_three_metres_and_all_form_up_behind_it() {
    for shape in Shape::ALL {
        let goal = Vec2::new(100.5, 30.5);
        let formation = Formation::new(shape, 1.0);
        let mut world = squad(gate(130, 61, 60, 2), formation, 60, Vec2::new(25.5, 30.5), Order::GoTo(goal), settings());
        let (mut thin, mut formed) = (usize::MAX, None);
        run(&mut world, 3600, |world| {
            thin = thin.min(ranks(world).files());
            if formed.is_none() && ranks(world).centre().distance(goal) < 0.1 && astray(world).0 < 0.3 {
                formed = Some(world.ticks());
            }
        });
        let behind = world.positions().filter(|(_, at)| at.x > 63.0).count();
        println!("{shape}: {behind} behind, thin {thin}, formed {formed:?}, end {:?}", astray(&world));
        assert_eq!(behind, 60, "{shape}");
        assert!(thin <= 3, "{shape}: {thin} abreast");
        assert_eq!(ranks(&world).files(), formation.abreast(60), "{shape}");
        assert!(astray(&world).0 < 0.3, "{shape}: {:?}", astray(&world));
    }
}
#[test]
fn dbg() {
    let goal = Vec2::new(100.5, 30.5);
    let formation = Formation::new(Shape::Line, 1.0);
    let mut world = squad(gate(130, 61, 60, 2), formation, 60, Vec2::new(25.5, 30.5), Order::GoTo(goal), settings());
    run(&mut world, 1800, |world| {
        if world.ticks() % 40 == 3 {
            println!("{} files {} centre {} astray {:?}", world.ticks(), ranks(world).files(), ranks(world).centre(), astray(world));
        }
        if world.ticks() == 3 { println!("{:?}", world.routes().points(world.squads()[0].route)); }
    });
}
