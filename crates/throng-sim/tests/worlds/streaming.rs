//! Routes that come in pieces: agents set out on the first one and change over to the better ones, or the rest, as they
//! fall due.
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, walls};
use throng_sim::battle::{Order, RouteState, Unit};
use throng_sim::crowd::RouteId;
use throng_sim::world::{Settings, SquadSpec, World};

/// Columns of rock all over a plain.
fn rocks() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(160, 120, 1.0).unwrap());
    let mut random = Pcg32::seed_from_u64(4);
    for _ in 0..420 {
        let (x, y) = (random.random_range(12..148), random.random_range(0..117));
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)] {
            grid.set_open(grid.lattice().cell(x + dx, y + dy), false);
        }
    }
    grid
}

/// Two squads on their way across, planned in small portions.
fn march(planner: &str, threads: usize, plan_budget: u64) -> World {
    let mut world = World::new(rocks(), Settings { threads, plan_budget, ..Settings::default() }).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    for (row, goal) in [(10.5, 100.5), (90.5, 20.5)] {
        let positions: Vec<Vec2> = (0..9).map(|i| Vec2::new(2.5 + (i % 3) as f32, row + (i / 3) as f32)).collect();
        let spec = SquadSpec { planner: planner.parse().unwrap(), ..SquadSpec::new(army, unit, &positions) };
        let squad = world.spawn_squad(spec).unwrap();
        world.order(squad, Order::GoTo(Vec2::new(156.5, goal))).unwrap();
    }
    world
}

/// Ticks until all are at their goals, with the routes of the first squad and the hash of each tick.
fn walk(mut world: World) -> (u64, Vec<RouteId>, Vec<u64>) {
    let (mut routes, mut hashes) = (Vec::new(), Vec::new());
    let arrived = |world: &World| world.positions().all(|(_, at)| at.x > 150.0);
    while !arrived(&world) && world.ticks() < 6000 {
        world.tick().unwrap();
        for (id, at) in world.positions() {
            assert!(walls::is_clear(world.grid(), at, 0.39), "agent {id:?} in a wall at {at}");
        }
        let squad = &world.squads()[0];
        if matches!(squad.route_state, RouteState::Walked { .. }) && routes.last() != Some(&squad.route) {
            routes.push(squad.route);
        }
        hashes.push(world.position_hash());
    }
    assert!(arrived(&world), "not all have come after {} ticks", world.ticks());
    (world.ticks(), routes, hashes)
}

#[test]
fn a_squad_sets_out_on_the_first_route_and_changes_over_to_better_ones() {
    let (_, routes, _) = walk(march("ara:3,1.5,1", 1, 60));
    assert!(routes.len() > 1, "one route only: {routes:?}");
    let (_, routes, _) = walk(march("astar", 1, 60));
    assert_eq!(routes.len(), 1);
}

#[test]
fn a_squad_sets_out_on_the_first_part_of_a_route() {
    let (_, routes, _) = walk(march("hpa:8,2", 1, 1));
    assert!(routes.len() > 1, "one route only: {routes:?}");
}

#[test]
fn streamed_routes_give_the_same_bytes_for_any_number_of_threads() {
    for (planner, budget) in [("ara:3,1.5,1", 60), ("hpa:8,2", 1)] {
        let expected = walk(march(planner, 1, budget));
        for threads in [2, 4] {
            assert_eq!(walk(march(planner, threads, budget)), expected, "{planner}, {threads} threads");
        }
    }
}
