//! Squads march in formation.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_scenario::Scenario;
use throng_sim::battle::{Formation, Order, Ranks, Shape, Unit};
use throng_sim::world::{Resume, Settings, SquadId, SquadSpec, World};
use throng_spatial::IndexKind;

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
    let spec = SquadSpec { order, formation: Some(formation), ..SquadSpec::new(army, unit, &positions) };
    world.spawn_squad(spec).unwrap();
    world
}

fn ranks(world: &World) -> &Ranks {
    world.squads()[0].ranks.as_deref().unwrap()
}

/// How far members are from their places (m): the mean, and the furthest.
fn astray(world: &World) -> (f32, f32) {
    let crowd = world.crowd();
    let far: Vec<f32> =
        ranks(world).places().map(|(id, place)| crowd.rows.position[crowd.row(id).unwrap()].distance(place)).collect();
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
    assert!(worst < 0.25, "{worst} m from their places");
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).1 < 0.3, "{:?}", astray(&world));
    assert_eq!(ranks(&world).files(), 20);
}

#[test]
fn everybody_passes_a_gate_of_three_metres_and_all_form_up_behind_it() {
    for shape in Shape::ALL {
        let goal = Vec2::new(100.5, 30.5);
        let formation = Formation::new(shape, 1.0);
        let mut world =
            squad(gate(130, 61, 60, 2), formation, 60, Vec2::new(25.5, 30.5), Order::GoTo(goal), settings());
        let (mut thin, mut formed, mut waited) = (usize::MAX, None, false);
        run(&mut world, 3600, |world| {
            waited |= shape == Shape::Line && world.standing().iter().any(|&(name, _)| name == "in ranks");
            if ranks(world).is_kept() {
                thin = thin.min(ranks(world).files());
            }
            if formed.is_none() && ranks(world).centre().distance(goal) < 0.1 && astray(world).0 < 0.3 {
                formed = Some(world.ticks());
            }
        });
        let behind = world.positions().filter(|(_, at)| at.x > 63.0).count();
        assert_eq!(behind, 60, "{shape}");
        assert!(thin <= 3, "{shape}: {thin} abreast");
        assert_eq!(waited, shape == Shape::Line, "some wait for others");
        assert_eq!(ranks(&world).files(), formation.abreast(60), "{shape}");
        assert!(astray(&world).0 < 0.3, "{shape}: {:?}", astray(&world));
    }
}
#[test]
fn a_line_wheels_round_a_corner() {
    // A wall that leaves a broad street: along the top, then down on the right.
    let mut grid = open(110, 110);
    for y in 45..110 {
        for x in 0..65 {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    let (from, goal) = (Vec2::new(15.5, 22.5), Vec2::new(87.5, 95.5));
    let formation = Formation { files: Some(12), ..Formation::new(Shape::Line, 1.0) };
    let mut world = squad(grid, formation, 36, from, Order::GoTo(goal), settings());
    let (mut worst, mut last) = (0.0_f32, None);
    let mut turned = false;
    run(&mut world, 2400, |world| {
        let ranks = ranks(world);
        worst = worst.max(astray(world).0);
        let now: Vec<Vec2> = ranks.places().map(|(_, place)| place).collect();
        if let Some(last) = last.replace(now.clone()) {
            let fastest = now.iter().zip(&last).map(|(a, b): (&Vec2, &Vec2)| a.distance(*b)).fold(0.0, f32::max);
            assert!(
                fastest < SPEED * 0.05 * 1.05 || !ranks.is_kept(),
                "a place moves {fastest} m in a tick at {}",
                ranks.centre()
            );
        }
        assert!(ranks.files() == 12 || !ranks.is_kept(), "there is room at {}", ranks.centre());
        turned |= ranks.heading().y > 0.9;
    });
    assert!(turned && worst < 1.0, "{worst} m from their places");
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).0 < 0.3, "{:?}", astray(&world));
}

#[test]
fn who_stands_in_his_place_looks_to_the_front_and_in_a_circle_outwards() {
    for (shape, order) in [
        (Shape::Line, Order::GoTo(Vec2::new(30.5, 30.5))),
        (Shape::Circle, Order::GoTo(Vec2::new(30.5, 30.5))),
        (Shape::Circle, Order::Hold),
    ] {
        let mut world = squad(open(60, 60), Formation::new(shape, 1.5), 20, Vec2::new(20.5, 30.5), order, settings());
        run(&mut world, 500, |_| ());
        let (crowd, ranks) = (world.crowd(), ranks(&world));
        let mut outwards = 0;
        for (id, place) in ranks.places() {
            let front = ranks.front(place);
            assert!(crowd.slots.facing[id.slot as usize].dot(front) > 0.99, "{shape:?}, {order:?}: {place}");
            outwards += u32::from(front.dot(ranks.heading()) < 0.0);
        }
        assert_eq!(outwards > 4, shape == Shape::Circle);
    }
}

#[test]
fn it_marches_at_the_speed_of_its_slowest() {
    let formation = Formation::new(Shape::Column, 1.0);
    let march = |uphill: bool| {
        let mut grid = open(120, 30);
        // The left half of the map rises along the way.
        for cell in grid.lattice().cells() {
            let (x, y) = grid.lattice().column_row(cell);
            if uphill && y < 15 {
                grid.set_height(cell, 10 * x as u16);
            }
        }
        let order = Order::GoTo(Vec2::new(110.5, 15.0));
        let mut world = squad(grid, formation, 12, Vec2::new(12.5, 15.0), order, settings());
        run(&mut world, 500, |_| {});
        assert!(astray(&world).0 < 0.5, "{:?}", astray(&world));
        (ranks(&world).centre().x - 12.5) / 25.0
    };
    let (flat, slope) = (march(false), march(true));
    assert!(flat > 0.9 * SPEED && flat < SPEED, "{flat} m/s");
    assert!(slope < 0.8 * SPEED, "half of them climb: {slope} m/s");
}

#[test]
fn the_dead_are_closed_up() {
    let march = |dead: &[usize]| {
        let formation = Formation { files: Some(8), ..Formation::new(Shape::Line, 1.0) };
        let mut world =
            squad(open(90, 40), formation, 24, Vec2::new(15.5, 20.5), Order::GoTo(Vec2::new(70.5, 20.5)), settings());
        let posted = |world: &World| ranks(world).places().map(|(id, _)| id).collect::<Vec<_>>();
        run(&mut world, 200, |_| {});
        let before = posted(&world);
        world.remove(&dead.iter().map(|&place| before[place]).collect::<Vec<_>>());
        run(&mut world, 200, |_| {});
        let after = posted(&world);
        assert_eq!(after.len(), 24 - dead.len());
        (before, after, astray(&world).1)
    };
    // The first two of the front, and one in the middle of the second rank.
    let (before, after, _) = march(&[0, 1, 12]);
    assert_eq!(after[..2], [before[8], before[9]], "those behind have stepped forward");
    // A member that does not get to its place may exchange it.
    let stayed = after[2..8].iter().zip(&before[2..8]).filter(|(now, before)| now == before).count();
    assert!(stayed >= 5, "the others have stayed: {after:?}");
    // Anyone may fall: nobody is further than the spacing from its place, and most are nearer than half of it.
    let mut furthest: Vec<f32> = (0..24)
        .map(|place| {
            let dead = BTreeSet::from([place, (5 * place + 1) % 24, (7 * place + 12) % 24]);
            march(&dead.into_iter().collect::<Vec<_>>()).2
        })
        .collect();
    furthest.sort_by(f32::total_cmp);
    assert!(furthest[12] < 0.5 && furthest[23] < 1.0, "{furthest:?}");
}

#[test]
fn who_meets_an_enemy_fights_and_forms_up_after_it() {
    let mut world = World::new(open(90, 40), settings()).unwrap();
    let formation = Formation::new(Shape::Line, 1.0);
    let unit = world.add_unit(Unit { damage: 60.0, sight: 8.0, ..Unit::default() }).unwrap();
    let feeble = world.add_unit(Unit { name: "feeble".into(), damage: 0.0, ..Unit::default() }).unwrap();
    let (red, blue) = (world.add_army("red").unwrap(), world.add_army("blue").unwrap());
    let goal = Vec2::new(75.5, 20.5);
    let positions = places(formation, 30, Vec2::new(12.5, 20.5), 0.0);
    let spec =
        SquadSpec { order: Order::GoTo(goal), formation: Some(formation), ..SquadSpec::new(red, unit, &positions) };
    world.spawn_squad(spec).unwrap();
    let enemies: Vec<Vec2> = (0..6).map(|i| Vec2::new(45.5, 17.5 + i as f32)).collect();
    world.spawn_squad(SquadSpec::new(blue, feeble, &enemies)).unwrap();
    let mut broken = 0;
    run(&mut world, 1800, |world| {
        let front = ranks(world).centre().x + 2.0;
        if ranks(world).is_kept() {
            assert!(front < 45.0 || world.armies()[1].alive == 0, "they march past the enemy");
        } else if world.ticks() > 5 {
            broken += 1;
        }
    });
    assert_eq!((world.armies()[0].alive, world.armies()[1].alive), (30, 0));
    assert!(broken > 40 && ranks(&world).is_kept());
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).0 < 0.3, "{:?}", astray(&world));
}

#[test]
fn holds_in_formation_and_changes_it() {
    let formation = Formation::new(Shape::Square, 1.0);
    let mut world = squad(open(60, 60), formation, 25, Vec2::new(30.5, 30.5), Order::Hold, settings());
    run(&mut world, 60, |_| {});
    assert!(astray(&world).1 < 0.01, "{:?}", astray(&world));
    for shape in Shape::ALL {
        world.form(SquadId(0), Formation::new(shape, 1.2)).unwrap();
        run(&mut world, 800, |_| {});
        assert!(astray(&world).1 < 0.4, "{shape}: {:?}", astray(&world));
        assert!(ranks(&world).centre().distance(Vec2::new(30.5, 30.5)) < 0.5);
    }
    world.form(SquadId(0), None).unwrap();
    run(&mut world, 5, |_| {});
    assert!(world.squads()[0].ranks.is_none());
}

#[test]
fn a_squad_walks_by_a_field_in_formation() {
    let formation = Formation::new(Shape::Line, 1.0);
    let mut world = World::new(gate(110, 61, 50, 1), settings()).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let (positions, goal) = (places(formation, 40, Vec2::new(20.5, 20.5), 0.0), Vec2::new(85.5, 35.5));
    world
        .spawn_squad(SquadSpec {
            order: Order::GoTo(goal),
            planner: PlannerChoice::FlowField,
            formation: Some(formation),
            ..SquadSpec::new(army, unit, &positions)
        })
        .unwrap();
    run(&mut world, 3000, |_| {});
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).0 < 0.3, "{:?}", astray(&world));
}

/// Three squads on their way through a gate.
fn crowded(settings: Settings) -> World {
    let mut world = World::new(gate(110, 61, 50, 1), settings).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    for (i, shape) in [Shape::Line, Shape::Wedge, Shape::Circle].into_iter().enumerate() {
        let formation = Formation::new(shape, 1.0);
        let y = 12.5 + 18.0 * i as f32;
        let positions = places(formation, 40, Vec2::new(20.5, y), 0.0);
        let order = Order::GoTo(Vec2::new(85.5, y));
        world
            .spawn_squad(SquadSpec { order, formation: Some(formation), ..SquadSpec::new(army, unit, &positions) })
            .unwrap();
    }
    world
}

fn hash(settings: Settings, ticks: u64) -> u64 {
    let mut world = crowded(settings);
    world.tick_until(|world| world.ticks() == ticks).unwrap();
    world.position_hash()
}

#[test]
fn threads_and_indices_do_not_show() {
    let golden = hash(settings(), 700);
    for (threads, index) in [(2, IndexKind::Grid), (3, IndexKind::KdTree), (2, IndexKind::Bvh)] {
        assert_eq!(
            hash(Settings { threads, index: index.into(), ..settings() }, 700),
            golden,
            "{threads} threads, {index}"
        );
    }
}

#[test]
fn a_march_goes_on_from_a_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("march.snapshot");
    for after in [1, 2, 90, 333, 514, 700] {
        let mut world = crowded(settings());
        world.tick_until(|world| world.ticks() == after).unwrap();
        if after > 500 {
            // Saved before they have looked at their order.
            world.order(SquadId(0), Order::GoTo(Vec2::new(70.5, 40.5))).unwrap();
            world.form(SquadId(1), Formation::new(Shape::Column, 1.1)).unwrap();
        }
        world.save(&path).unwrap();
        let mut other = World::restore(&path, Resume { threads: 2, ..Resume::default() }).unwrap();
        for _ in 0..300 {
            world.tick().unwrap();
            other.tick().unwrap();
            assert_eq!(other.position_hash(), world.position_hash(), "saved after {after}, tick {}", world.ticks());
        }
    }
}

#[test]
fn a_wall_across_the_way_is_gone_round() {
    let formation = Formation::new(Shape::Line, 1.0);
    let goal = Vec2::new(80.5, 30.5);
    let mut world = squad(open(100, 60), formation, 40, Vec2::new(15.5, 30.5), Order::GoTo(goal), settings());
    run(&mut world, 400, |_| {});
    let close = |y| Edit::Close(world.grid().lattice().cell(60, y));
    let cells: Vec<Edit> = (8..52).map(close).collect();
    world.edit(&cells).unwrap();
    run(&mut world, 2600, |_| {});
    assert!(ranks(&world).centre().distance(goal) < 0.1 && astray(&world).0 < 0.3, "{:?}", astray(&world));
}

#[test]
fn what_cannot_be_is_refused() {
    let formation = Formation::new(Shape::Line, 0.5);
    let mut world = World::new(open(30, 30), settings()).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let at = [Vec2::splat(9.5)];
    let spec = SquadSpec { formation: Some(formation), ..SquadSpec::new(army, unit, at) };
    let message = world.spawn_squad(spec.clone()).unwrap_err().to_string();
    assert_eq!(
        message,
        "the spacing of a formation must be between twice the radius of its unit and 100 (m), found 0.5"
    );
    let none = Formation { files: Some(0), ..Formation::new(Shape::Line, 1.0) };
    let message = world.spawn_squad(SquadSpec { formation: Some(none), ..spec.clone() }).unwrap_err().to_string();
    assert_eq!(message, "the files of a formation must be at least 1, found 0");
    assert!(world.form(SquadId(0), None).is_err(), "nobody is there");
    world.spawn_squad(SquadSpec { formation: None, ..spec }).unwrap();
    assert!(world.form(SquadId(0), Formation::new(Shape::Wedge, f32::NAN)).is_err());
}

/// Why a scenario with this squad is refused; the map has a wall at x = 20 with a gate.
fn refused(squad: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let row = |y: usize| {
        if (13..17).contains(&y) { ".".repeat(40) } else { format!("{}@{}", ".".repeat(20), ".".repeat(19)) }
    };
    let rows: Vec<String> = (0..30).map(row).collect();
    std::fs::write(
        folder.path().join("a.map"),
        format!("type octile\nheight 30\nwidth 40\nmap\n{}\n", rows.join("\n")),
    )
    .unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, format!("map = \"a.map\"\n[[army]]\nname = \"red\"\n[[army.squad]]\n{squad}\n")).unwrap();
    let message = match Scenario::load(&path) {
        Ok((scenario, warnings)) => format!("{warnings:?}, {:?}", scenario.armies[0].squads[0].formation),
        Err(error) => error.to_string(),
    };
    message.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn formations_that_do_not_fit_are_refused() {
    let lines = |of: &str| refused(&format!("count = 40\nposition = [10, 15]\n{of}"));
    assert_eq!(
        lines("formation = \"wegde\""),
        "s.toml:7:13: unknown formation \"wegde\"; did you mean \"wedge\"? known are line, column, square, wedge, circle, loose"
    );
    assert_eq!(
        lines("formation = \"line\"\ncolumns = 40"),
        "s.toml:7:13: the line formation does not fit here: 10 of its 40 places are in walls, off the map or taken; columns = 30 would fit"
    );
    assert_eq!(
        lines("formation = \"circle\"\nspacing = 4"),
        "s.toml:7:13: the circle formation does not fit here: 5 of its 40 places are in walls, off the map or taken; lower the count or \
         the spacing, or move the squad"
    );
    assert_eq!(
        lines("formation = \"wedge\"\ncolumns = 4"),
        "s.toml:8:11: a wedge has no columns of its own; remove columns, or make it a line, a column or loose"
    );
    assert_eq!(lines("formation = \"column\""), "[], Some(Formation { shape: Column, files: None, spacing: 1.0 })");
}
