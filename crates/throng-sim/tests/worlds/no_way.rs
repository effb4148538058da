//! Goals to which no way leads: no order says that it is carried out, and the reason is the reason. Goals in walls are those next to
//! them that can be reached.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice, Link, Mobility};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Front, Order, Unit};
use throng_sim::world::{Area, IdleReason, Journey, Settings, SquadSpec, Stop, Task, Then, World};

#[derive(Clone, Copy, Debug)]
enum Sent {
    Order(Order),
    WayPoint,
    Leave,
    Area,
    WalkTo,
}

const START: Vec2 = Vec2::new(3.5, 3.5);
const GOAL: Vec2 = Vec2::new(11.5, 3.5);

fn all() -> Vec<Sent> {
    let line = Order::Line(Front { centre: GOAL, facing: 0.0, width: 3.0, fights: false });
    let orders = [Order::Attack, Order::Charge, Order::Move(GOAL), Order::GoTo(GOAL), line];
    orders.into_iter().map(Sent::Order).chain([Sent::WayPoint, Sent::Leave, Sent::Area, Sent::WalkTo]).collect()
}

/// Two rooms of 7 m, and a wall between them with a gap of some width (m) in its middle, in cells of a size.
fn rooms(cell_size: f32, gap: f32) -> Grid {
    let lattice = Lattice::new((15.0 / cell_size) as u32, (7.0 / cell_size) as u32, cell_size).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        let is_wall = (7.0..8.0).contains(&at.x) && (at.y - 3.5).abs() >= 0.5 * gap;
        grid.set_open(cell, !is_wall);
    }
    grid
}

/// One or some that are sent from one room to the other.
fn world(grid: Grid, sent: Sent, radius: f32, planner: &PlannerChoice, count: usize) -> World {
    let mut world = World::new(grid, Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
    let (red, blue) = (world.add_army("red").unwrap(), world.add_army("blue").unwrap());
    let unit = world.add_unit(Unit { radius, ..Unit::default() }).unwrap();
    let target = world.add_unit(Unit { radius: 0.1, damage: 0.0, reach: 0.1, ..Unit::default() }).unwrap();
    world.spawn_squad(SquadSpec::new(blue, target, [GOAL])).unwrap();
    let places: Vec<Vec2> = (0..count).map(|i| START + Vec2::new(0.0, 1.5 * i as f32)).collect();
    let mut journey =
        |task: Task| Order::Travel(world.add_journey(Journey::new(vec![Stop { task, then: Then::Next }])).unwrap());
    let order = match sent {
        Sent::Order(order) => order,
        Sent::WayPoint => journey(Task::WayPoint { at: GOAL, within: 1.0 }),
        Sent::Leave => journey(Task::Leave { at: GOAL, within: 1.0 }),
        Sent::Area => journey(Task::Area { area: Area::Disc { centre: GOAL, radius: 2.0 }, spacing: 1.0 }),
        Sent::WalkTo => {
            for id in world.spawn_walkers(red, unit, &places, &[]).unwrap() {
                world.walk_by(id, GOAL, planner.clone()).unwrap();
            }
            return world;
        }
    };
    let planner = planner.clone();
    world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(red, unit, &places) }).unwrap();
    world
}

/// The reasons of those that were sent, after so many ticks in which none said that it is there.
fn reasons(mut world: World, ticks: u64) -> Vec<IdleReason> {
    let red: Vec<_> = world.positions().filter(|&(_, at)| at.x < 7.0).map(|(id, _)| id).collect();
    for _ in 0..ticks {
        world.tick().unwrap();
        for &id in &red {
            let told = world.why(id).unwrap();
            assert!(
                !matches!(told, IdleReason::AtGoal | IdleReason::NearGoal { .. }),
                "tick {}: {told}",
                world.ticks()
            );
        }
    }
    let asks = |world: &World| red.iter().any(|&id| matches!(world.why(id), Some(IdleReason::AwaitsRoute { .. })));
    world.tick_until(|world| !asks(world)).unwrap();
    red.iter().map(|&id| world.why(id).unwrap()).collect()
}

#[test]
fn no_order_is_carried_out_where_no_way_leads() {
    for sent in all() {
        for (planner, count) in [("astar", 1), ("astar", 2), ("jps", 2), ("hpa", 1), ("labels", 1), ("theta", 1)] {
            let told = reasons(world(rooms(1.0, 0.0), sent, 0.4, &planner.parse().unwrap(), count), 60);
            let all = told.iter().all(|told| matches!(told, IdleReason::NoRoute { .. }));
            assert!(all && told.len() == count, "{sent:?}, {count} by {planner}: {told:?}");
        }
    }
}

#[test]
fn a_gap_that_is_too_narrow_is_named() {
    // A gap that a body sees to fit it is walked through straight, so this one is narrower than the body.
    for (cell_size, gap, radius) in
        [(1.0, 1.0, 0.6), (0.5, 0.6, 0.6), (0.25, 0.75, 0.4), (0.2, 0.6, 0.4), (0.2, 1.0, 0.6)]
    {
        for sent in all() {
            let told = reasons(world(rooms(cell_size, gap), sent, radius, &PlannerChoice::AStar, 2), 60);
            let is_there = |at: Vec2| (6.0..9.0).contains(&at.x) && (at.y - 3.5).abs() <= 0.5 * gap + cell_size;
            let named = |told: &IdleReason| matches!(*told, IdleReason::TooNarrow { radius: r, at } if r == radius && is_there(at));
            assert!(told.iter().all(named), "{sent:?} through {gap} m in cells of {cell_size} m: {told:?}");
        }
    }
    let told = IdleReason::TooNarrow { radius: 0.4, at: Vec2::new(7.25, 3.5) };
    let words = "has no way to its goal: too narrow for radius 0.4 m at (7.2, 3.5)";
    assert_eq!((told.name(), told.to_string().as_str()), ("too narrow", words));
}

/// A door of 1 m in cells of 0.25 m: a body of 0.4 m fits between its sides, but not on the middle of any cell. What sees
/// its way through walks straight; all else is told that it is too narrow.
#[test]
fn a_gap_between_cells_is_walked_through_or_named() {
    for sent in all() {
        for count in [1, 2] {
            let mut world = world(rooms(0.25, 0.9), sent, 0.4, &PlannerChoice::AStar, count);
            let red: Vec<_> = world.positions().filter(|&(_, at)| at.x < 7.0).map(|(id, _)| id).collect();
            (0..300).for_each(|_| world.tick().unwrap());
            let told = red.iter().filter_map(|&id| world.why(id));
            let told: Vec<IdleReason> = told.filter(|told| *told != IdleReason::AtGoal).collect();
            let named = |told: &IdleReason| match told {
                IdleReason::TooNarrow { radius, at } => *radius == 0.4 && at.distance(Vec2::new(7.0, 3.5)) < 0.5,
                // A squad that is on both sides looks for its enemies from its middle.
                IdleReason::NoRoute { .. } => matches!(sent, Sent::Order(Order::Attack | Order::Charge)) && count > 1,
                _ => false,
            };
            assert!(told.iter().all(named), "{sent:?} {count}: {told:?}");
        }
    }
}

/// A closet in a wall, and a goal in the wall that is nearer to the closet than to the room.
#[test]
fn a_goal_beside_a_closet_is_reached_in_the_room() {
    let lattice = Lattice::new(12, 7, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        grid.set_open(cell, x > 3 || (x, y) == (1, 3));
    }
    let ground = Arc::new(Ground::new(Arc::new(grid.clone()), 0.404).unwrap());
    let ours = PlannerChoice::NAMES.iter().filter_map(|name| name.parse::<PlannerChoice>().ok());
    let mut tried = 0;
    for planner in ours.filter(|planner| planner.build(&ground).is_ok()) {
        for to in [Vec2::new(1.4, 2.6), Vec2::new(0.5, 3.5), Vec2::new(2.2, 3.5), Vec2::new(-3.0, 3.5)] {
            let mut world =
                World::new(grid.clone(), Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
            let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
            let (order, by) = (Order::Move(to), planner.clone());
            let spec = SquadSpec { order, planner: by, ..SquadSpec::new(red, unit, [Vec2::new(9.5, 1.5)]) };
            world.spawn_squad(spec).unwrap();
            let alone = world.spawn_walkers(red, unit, &[Vec2::new(9.5, 5.5)], &[]).unwrap()[0];
            // One that walks alone does not walk by a field.
            let is_field = planner.to_string() == "flow-field";
            let by = if is_field { PlannerChoice::AStar } else { planner.clone() };
            world.walk_by(alone, to + Vec2::new(0.0, 2.0), by).unwrap();
            world.tick_until(|world| world.ticks() == 120).unwrap();
            for (id, at) in world.positions() {
                let told = world.why(id).unwrap();
                let near = matches!(told, IdleReason::NearGoal { .. }) && at.x < 5.5;
                assert!(near, "{planner} to {to}: {told} at {at}");
            }
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Against a flood and a look at every cell.
    #[test]
    fn the_nearest_cell_is_the_nearest_that_can_be_reached(
        open in prop::collection::vec(prop::bool::weighted(0.6), 108),
        links in prop::collection::vec((0..108_u32, 0..108_u32, any::<bool>()), 0..4),
        (from, to) in (0..108_usize, (-3.0_f32..15.0, -3.0_f32..12.0)),
    ) {
        let lattice = Lattice::new(12, 9, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        lattice.cells().zip(&open).for_each(|(cell, &open)| grid.set_open(cell, open));
        let cell = |i: u32| lattice.cell(i % 12, i / 12);
        let link = |&(from, to, is_open): &(u32, u32, bool)| Link { is_open, ..Link::new(cell(from), cell(to), 1) };
        let links: Vec<Link> = links.iter().filter(|(from, to, _)| from != to).map(link).collect();
        let ground = Ground::build(Arc::new(grid), Mobility { links: links.clone(), ..Mobility::new(0.4) }).unwrap();
        let start = cell(from as u32);
        prop_assume!(ground.is_passable(start));
        let (mut reached, mut open) = (vec![false; lattice.len()], vec![start]);
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut reached[cell.index()], true) || !ground.is_passable(cell) {
                reached[cell.index()] &= ground.is_passable(cell);
                continue;
            }
            let (x, y) = lattice.column_row(cell);
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let beside = beside.map(|(dx, dy)| lattice.checked_cell(i64::from(x) + dx, i64::from(y) + dy));
            open.extend(beside.into_iter().flatten());
            open.extend(links.iter().filter(|link| link.is_open && link.from == cell).map(|link| link.to));
        }
        let point = Vec2::from(to);
        let far = |cell: Cell| lattice.centre(cell).distance_squared(point);
        let cells = lattice.cells().filter(|cell| reached[cell.index()]);
        let nearest = cells.min_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
        prop_assert_eq!(ground.nearest_reached(lattice.centre(start), point), nearest);
        let covered = lattice.covers(point).then(|| lattice.at(point)).filter(|&cell| ground.is_passable(cell));
        let goal = ground.goal_cell(lattice.centre(start), point);
        prop_assert_eq!(goal.map(|goal| ground.region(goal)), covered.or(nearest).map(|goal| ground.region(goal)));
    }
}
