//! Squads in formation are sent in any direction, through gaps and to goals close behind them.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::{Vec2, direction, unit};
use throng_grid::{Grid, Lattice};
use throng_sim::battle::{Formation, Order, Ranks, Shape, Unit};
use throng_sim::world::{IdleReason, Settings, SquadId, SquadSpec, World};

const STEP: f32 = 0.1;

/// A plain, with a wall at a column that has a gap of some cells in the middle.
fn plain(size: u32, wall: Option<(u32, u32)>) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(size, size, 1.0).unwrap());
    let Some((column, gap)) = wall else { return grid };
    let first = (size - gap) / 2;
    for row in (0..size).filter(|row| !(first..first + gap).contains(row)) {
        grid.set_open(grid.lattice().cell(column, row), false);
    }
    grid
}

fn turned(formation: Formation, count: usize, middle: Vec2, ahead: Vec2) -> Vec<Vec2> {
    let right = Vec2::new(-ahead.y, ahead.x);
    formation.layout(count).places.iter().map(|place| middle + right * place.x + ahead * place.y).collect()
}

/// Soldiers in a formation around a point, who look to so many degrees.
fn drawn_up(grid: Grid, unit: Unit, formation: Formation, count: usize, middle: Vec2, facing: f32) -> World {
    let settings = Settings { threads: 1, step: STEP, ..Settings::default() };
    let mut world = World::new(grid, settings).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(unit).unwrap());
    let positions = turned(formation, count, middle, direction(facing));
    let spec = SquadSpec { formation: Some(formation), facing, ..SquadSpec::new(army, unit, &positions) };
    world.spawn_squad(spec).unwrap();
    world.tick().unwrap();
    world
}

fn ranks(world: &World) -> &Ranks {
    world.squads()[0].ranks.as_deref().unwrap()
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / STEP) as u32).for_each(|_| world.tick().unwrap());
}

/// How far each member is from its place (m).
fn astray(world: &World) -> Vec<f32> {
    let crowd = world.crowd();
    ranks(world).places().map(|(id, place)| crowd.rows.position[crowd.row(id).unwrap()].distance(place)).collect()
}

/// What is wrong with a squad that should stand in its shape around a goal, as one that came along `ahead`; empty if nothing.
fn faults(world: &World, goal: Vec2, ahead: Vec2) -> String {
    let (ranks, positions) = (ranks(world), world.positions().map(|(_, at)| at).collect::<Vec<_>>());
    let wanted = turned(ranks.formation(), positions.len(), goal, ahead);
    let empty = |place: &&Vec2| positions.iter().all(|at| at.distance(**place) > 0.5);
    let empty = wanted.iter().filter(empty).count();
    let out = astray(world).into_iter().filter(|&far| far > 0.5).count();
    let turn = ranks.heading().dot(ahead);
    if empty + out == 0 && turn > 0.99 {
        return String::new();
    }
    format!(
        "{out} not in their places, {empty} places of the shape empty, heading {} {turn:.2}; {:?}",
        ranks.heading(),
        world.standing()
    )
}

fn told(name: String, faults: String) -> Option<String> {
    (!faults.is_empty()).then(|| format!("{name}: {faults}"))
}

fn none(faults: Vec<String>, of: usize) {
    assert!(faults.is_empty(), "{} of {of} wrong:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_squad_turns_to_where_it_is_sent_whatever_the_angle_and_the_cell() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    for (shape, count) in [
        (Shape::Line, 60),
        (Shape::Column, 24),
        (Shape::Square, 25),
        (Shape::Wedge, 21),
        (Shape::Circle, 19),
        (Shape::Loose, 20),
    ] {
        for middle in [Vec2::splat(50.0), Vec2::splat(50.5), Vec2::new(50.2, 49.9)] {
            for angle in [0.0, 30.0, 90.0, 120.0, 150.0, 180.0, 270.0] {
                let formation = Formation::new(shape, 1.0);
                let mut world = drawn_up(plain(100, None), Unit::default(), formation, count, middle, 0.0);
                let ahead = direction(angle);
                let goal = middle + ahead * 32.0;
                world.order(SquadId(0), Order::Move(goal)).unwrap();
                run(&mut world, 70.0);
                of += 1;
                wrong.extend(told(format!("{count} {shape} from {middle} to {angle}"), faults(&world, goal, ahead)));
            }
        }
    }
    none(wrong, of);
}

#[test]
fn a_squad_on_the_march_is_sent_back() {
    let mut wrong = Vec::new();
    for shape in Shape::ALL {
        for (angle, after) in [(180.0, 4.0), (180.0, 12.0), (135.0, 8.0), (180.0, 60.0)] {
            let formation = Formation::new(shape, 1.0);
            let mut world = drawn_up(plain(100, None), Unit::default(), formation, 30, Vec2::new(30.0, 50.0), 0.0);
            world.order(SquadId(0), Order::Move(Vec2::new(65.0, 50.0))).unwrap();
            run(&mut world, after);
            let from = ranks(&world).centre();
            let goal = from + direction(angle) * 25.0;
            world.order(SquadId(0), Order::Move(goal)).unwrap();
            run(&mut world, 90.0);
            let ahead = unit(goal - from);
            wrong.extend(told(format!("{shape} by {angle} after {after} s"), faults(&world, goal, ahead)));
        }
    }
    none(wrong, 24);
}

#[test]
fn the_fast_wait_for_the_slow() {
    let mut wrong = Vec::new();
    for spread in [0.0, 0.2, 0.4] {
        let formation = Formation::new(Shape::Line, 1.0);
        let unit = Unit { speed_spread: spread, ..Unit::default() };
        let mut world = drawn_up(plain(120, None), unit, formation, 30, Vec2::new(15.0, 60.0), 0.0);
        world.order(SquadId(0), Order::Move(Vec2::new(105.0, 60.0))).unwrap();
        let mut worst = 0.0_f32;
        for _ in 0..70 {
            run(&mut world, 1.0);
            let x = world.positions().map(|(_, at)| at.x);
            let (low, high) = x.fold((f32::INFINITY, 0.0_f32), |(low, high), x| (low.min(x), high.max(x)));
            worst = worst.max(high - low);
        }
        if worst > 4.0 {
            wrong.push(format!("spread {spread}: 2 m deep became {worst:.1} m"));
        }
    }
    none(wrong, 3);
}

#[test]
fn a_squad_draws_up_behind_a_gap_however_near_its_goal_is() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    for shape in Shape::ALL {
        for gap in [1, 2, 3] {
            for behind in [0.0, 5.0, 12.0, 30.0] {
                let middle = 0.5 * (80 - gap % 2) as f32 + 0.5 * (gap % 2) as f32;
                let formation = Formation::new(shape, 1.0);
                let from = Vec2::new(17.0, middle);
                let mut world = drawn_up(plain(80, Some((35, gap))), Unit::default(), formation, 40, from, 0.0);
                let goal = Vec2::new(36.0 + behind, middle);
                world.order(SquadId(0), Order::Move(goal)).unwrap();
                run(&mut world, 220.0);
                of += 1;
                let near = world.positions().filter(|(_, at)| at.x < 36.0).count();
                let out = astray(&world).into_iter().filter(|&far| far > 0.5).count();
                let says = |&(id, _): &(_, Vec2)| {
                    matches!(world.why(id), Some(IdleReason::AtGoal | IdleReason::NearGoal { .. }))
                };
                let says = world.positions().filter(says).count();
                if near + out > 0 || says < 40 {
                    wrong.push(format!(
                        "{shape}, gap {gap}, {behind} m: {near} before it, {out} not in place, {says} at goal; {:?}",
                        world.standing()
                    ));
                }
            }
        }
    }
    none(wrong, of);
}

#[test]
fn all_pass_a_corridor() {
    let (mut wrong, mut of) = (Vec::new(), 0);
    for shape in Shape::ALL {
        for (width, length) in [(1, 25), (2, 25), (3, 40), (5, 25)] {
            let mut grid = plain(100, None);
            let rows = 50 - width / 2..50 - width / 2 + width;
            for (x, y) in (30..30 + length).flat_map(|x| (0..100).map(move |y| (x, y))) {
                grid.set_open(grid.lattice().cell(x, y), rows.contains(&y));
            }
            let formation = Formation::new(shape, 1.0);
            let mut world = drawn_up(grid, Unit::default(), formation, 40, Vec2::new(15.0, 45.0), 0.0);
            let goal = Vec2::new(40.0 + length as f32, 50.0);
            world.order(SquadId(0), Order::Move(goal)).unwrap();
            run(&mut world, 240.0);
            of += 1;
            let out = astray(&world).into_iter().filter(|&far| far > 0.5).count();
            let left = world.positions().filter(|(_, at)| at.x < 30.0 + length as f32).count();
            if out + left > 0 {
                wrong.push(format!(
                    "{shape}, {width} x {length}: {left} left, {out} not in place; {:?}",
                    world.standing()
                ));
            }
        }
    }
    none(wrong, of);
}
