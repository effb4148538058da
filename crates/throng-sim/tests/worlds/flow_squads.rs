//! Squads that walk by flow fields.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Block, Order, RouteState, Unit};
use throng_sim::crowd::Avoidance;
use throng_sim::world::{Settings, SquadId, SquadSpec, World};

/// A world with squads of these places, all of one army and walking by fields.
fn world(grid: Grid, threads: usize, squads: &[Vec<Vec2>]) -> World {
    let mut world = World::new(grid, Settings { threads, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    let army = world.add_army("red").unwrap();
    for positions in squads {
        world
            .spawn_squad(SquadSpec { planner: PlannerChoice::FlowField, ..SquadSpec::new(army, unit, positions) })
            .unwrap();
    }
    world
}

fn order_all(world: &mut World, goal: Vec2) {
    for s in 0..world.squads().len() as u32 {
        world.order(SquadId(s), Order::GoTo(goal)).unwrap();
    }
}

/// Lets ticks pass until everybody is near the goal; panics where that takes more than `limit`.
fn march(world: &mut World, goal: Vec2, near: f32, limit: u64) {
    while world.positions().any(|(_, at)| at.distance(goal) > near) {
        world.tick().unwrap();
        assert!(world.routes().is_empty(), "nobody needs a route of his own");
        if world.ticks() >= limit {
            let late: Vec<_> = world.positions().filter(|(_, at)| at.distance(goal) > near).collect();
            panic!("{} of {} are not there: {:?}", late.len(), world.agents(), &late[..late.len().min(5)]);
        }
    }
}

/// A room of 60 x 40 m with a wall across it and two gates of 4 m, and blocks of 40 to its left.
fn two_gates() -> (Grid, Vec<Vec<Vec2>>) {
    let mut grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    for y in (0..40).filter(|y| !(4..8).contains(y) && !(32..36).contains(y)) {
        grid.set_open(grid.lattice().cell(30, y), false);
    }
    let block = |y| Block::new(Vec2::new(10.0, y), 40).positions();
    (grid, vec![block(10.0), block(28.0)])
}

#[test]
fn squads_with_one_goal_share_a_field_and_arrive() {
    let (grid, squads) = two_gates();
    let mut world = world(grid, 1, &squads);
    let goal = Vec2::new(50.5, 10.5);
    order_all(&mut world, goal);
    world.tick().unwrap();
    world.tick().unwrap();
    let fields: Vec<_> = world.squads().iter().map(|squad| squad.field.clone().unwrap()).collect();
    assert!(Arc::ptr_eq(&fields[0], &fields[1]));
    drop(fields);
    march(&mut world, goal, 9.0, 2000);
    // They stay there.
    let ticks = world.ticks();
    for _ in 0..100 {
        world.tick().unwrap();
    }
    march(&mut world, goal, 9.0, ticks + 101);
}

#[test]
fn everybody_finds_the_way_through_a_town_whatever_the_threads() {
    let town = Grid::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/town.map")).unwrap();
    let at = |x, y| {
        let lattice = town.lattice();
        lattice.centre(town.nearest_open(lattice.size() * Vec2::new(x, y)).unwrap())
    };
    let start = at(0.3, 0.35);
    let open = |at: &Vec2| throng_grid::walls::is_clear(&town, *at, 0.4);
    let positions: Vec<Vec2> = Block::new(start, 200).positions().into_iter().filter(open).collect();
    let goal = at(0.5, 0.45);
    let hashes = [1, 2].map(|threads| {
        let mut world = world(town.clone(), threads, std::slice::from_ref(&positions));
        order_all(&mut world, goal);
        march(&mut world, goal, 25.0, 6000);
        world.position_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_gate_that_closes_sends_them_to_the_other_and_one_that_opens_back() {
    let (grid, squads) = two_gates();
    let lattice = grid.lattice();
    let gate = |rows: std::ops::Range<u32>| rows.map(move |y| lattice.cell(30, y));
    let mut world = world(grid, 2, &squads);
    let goal = Vec2::new(50.5, 10.5);
    order_all(&mut world, goal);
    for _ in 0..40 {
        world.tick().unwrap();
    }
    world.edit(&gate(4..8).map(Edit::Close).collect::<Vec<_>>()).unwrap();
    for _ in 0..40 {
        world.tick().unwrap();
    }
    assert!(!world.grid().is_open(lattice.cell(30, 5)));
    let field = world.squads()[0].field.clone().unwrap();
    assert!(field.cost(lattice.cell(20, 6)).unwrap() > 55 * 2378);
    world.edit(&gate(32..36).map(Edit::Close).collect::<Vec<_>>()).unwrap();
    for _ in 0..40 {
        world.tick().unwrap();
    }
    assert!(world.positions().all(|(_, at)| at.x < 31.0), "there is no gate");
    world.edit(&gate(4..8).map(Edit::Open).collect::<Vec<_>>()).unwrap();
    march(&mut world, goal, 9.0, 3000);
}

#[test]
fn a_goal_that_cannot_be_reached_is_told() {
    let mut grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
    for y in 0..20 {
        grid.set_open(grid.lattice().cell(20, y), false);
    }
    let mut world = world(grid, 1, &[vec![Vec2::new(5.5, 5.5)]]);
    order_all(&mut world, Vec2::new(30.5, 5.5));
    for _ in 0..30 {
        world.tick().unwrap();
    }
    assert!(matches!(world.squads()[0].route_state, RouteState::Unreachable { .. }));
    assert_eq!(world.positions().next().unwrap().1, Vec2::new(5.5, 5.5));
    // A wall falls: they go.
    let gap = world.grid().lattice().cell(20, 5);
    world.edit(&[Edit::Open(gap)]).unwrap();
    march(&mut world, Vec2::new(30.5, 5.5), 1.0, 2000);
}

/// A corridor of 4 m that turns by a right angle: its inner corner is at (30, 14).
fn bend() -> Grid {
    let mut grid = Grid::closed(Lattice::new(80, 100, 0.5).unwrap());
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        let first = (10.0..14.0).contains(&at.y) && (2.0..34.0).contains(&at.x);
        grid.set_open(cell, first || (30.0..34.0).contains(&at.x) && (10.0..46.0).contains(&at.y));
    }
    grid
}

/// People who walk by gaps, sent to a point past the bend.
fn people(seed: u64, starts: &[Vec2], goal: Vec2) -> World {
    let mut world = World::new(bend(), Settings { seed, threads: 1, step: 0.1, ..Settings::default() }).unwrap();
    let unit = Unit { avoidance: Some(Avoidance::Gap), ..Unit::pedestrian() };
    let (unit, army) = (world.add_unit(unit).unwrap(), world.add_army("all").unwrap());
    let squad = SquadSpec { planner: PlannerChoice::FlowField, ..SquadSpec::new(army, unit, starts) };
    world.spawn_squad(SquadSpec { order: Order::GoTo(goal), ..squad }).unwrap();
    world
}

/// Eight beside each other, 20 deep.
fn crowd() -> Vec<Vec2> {
    (0..160).map(|i| Vec2::new(4.0 + (i / 8) as f32 * 0.6, 10.3 + (i % 8) as f32 * 0.48)).collect()
}

#[test]
fn by_gaps_a_crowd_walks_abreast_round_a_corner_that_one_alone_cuts() {
    // How far from the inner corner each passes the line to the outer one (m).
    let passed = |seed: u64, starts: &[Vec2]| {
        let mut world = people(seed, starts, Vec2::new(32.0, 40.0));
        let mut passed: Vec<Option<f32>> = vec![None; starts.len()];
        for _ in 0..1200 {
            world.tick().unwrap();
            for (id, at) in world.positions() {
                let (right, up) = (at.x - 30.0, 14.0 - at.y);
                if right >= up && passed[id.slot as usize].is_none() {
                    passed[id.slot as usize] = Some(right.hypot(up));
                }
            }
        }
        let mut passed: Vec<f32> = passed.into_iter().map(|passed| passed.expect("all pass")).collect();
        passed.sort_by(f32::total_cmp);
        passed
    };
    let all = passed(1, &crowd());
    let (middle, far) = (all[all.len() / 2], all[all.len() * 9 / 10]);
    assert!(middle > 1.5 && far > 3.5, "{middle} m, {far} m of 5.7");
    // Slow ones and fast ones.
    for (seed, place) in (1..).zip(crowd().into_iter().take(8)) {
        let alone = passed(seed, &[place])[0];
        assert!(alone < 1.0, "seed {seed}, from {place}: {alone} m");
    }
}

#[test]
fn by_gaps_a_crowd_that_is_sent_back_in_the_midst_of_a_bend_turns_at_once() {
    let (start, goal) = (Vec2::new(6.0, 12.0), Vec2::new(32.0, 40.0));
    for seconds in [14, 18, 22, 26] {
        let mut world = people(1, &crowd(), goal);
        (0..seconds * 10).for_each(|_| world.tick().unwrap());
        world.order(SquadId(0), Order::GoTo(start)).unwrap();
        // Until all have looked.
        (0..15).for_each(|_| world.tick().unwrap());
        let crowd = world.crowd();
        // No corner is before those that have not come to the bend.
        let keeps_on = |&&slot: &&u32| {
            let at = crowd.rows.position[crowd.slots.row_of[slot as usize] as usize];
            at.x < 29.0 && crowd.slots.follower[slot as usize].abreast
        };
        assert_eq!(crowd.rows.slot.iter().filter(keeps_on).count(), 0, "after {seconds} s");
        (0..1500).for_each(|_| world.tick().unwrap());
        let late = world.positions().filter(|(_, at)| at.distance(start) > 9.0).count();
        assert_eq!(late, 0, "sent back after {seconds} s");
    }
}
