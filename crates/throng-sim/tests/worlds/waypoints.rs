//! What an agent walks of a route is clear for its body, whichever planner found the route.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::walls::line_of_sight;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{LazyThetaStar, Path, Planner, PlannerChoice, Query, Scratch, Status, ThetaStar, plan};
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::waypoints;
use throng_sim::world::{Settings, SquadSpec, World};

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid.set_open(grid.lattice().cell(0, 0), true);
    grid
}

/// A map with `walls` rectangular walls.
fn blocks(width: u32, height: u32, walls: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    let lattice = grid.lattice();
    for _ in 0..walls {
        let (x, y) = (random.random_range(0..width), random.random_range(0..height));
        let (w, h) = (random.random_range(1..=width / 5 + 1), random.random_range(1..=height / 5 + 1));
        for (x, y) in (x..(x + w).min(width)).flat_map(|x| (y..(y + h).min(height)).map(move |y| (x, y))) {
            grid.set_open(lattice.cell(x, y), false);
        }
    }
    grid.set_open(lattice.cell(0, 0), true);
    grid
}

fn small_maps() -> impl Strategy<Value = Grid> {
    let size = || (1_u32..30, 1_u32..30, any::<u64>());
    prop_oneof![
        (size(), 0_u32..50).prop_map(|((width, height, seed), closed)| noise(width, height, closed, seed)),
        (size(), 0_u32..12).prop_map(|((width, height, seed), walls)| blocks(width, height, walls, seed)),
    ]
}

/// `count` pairs of passable cells, joined by a route or not.
fn trips(ground: &Ground, count: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = Pcg32::seed_from_u64(seed);
    let mut any = || passable[random.random_range(0..passable.len())];
    (0..count).map(|_| (any(), any())).collect()
}

/// Those that turn only where there is a cell of the grid, and those that turn anywhere.
const PLANNERS: [&dyn Planner; 2] = [&ThetaStar, &LazyThetaStar];

proptest! {
    /// A body as wide as a cell may be walks from way-point to way-point without touching a wall.
    #[test]
    fn bodies_can_walk_along_any_route(grid in small_maps(), seed in any::<u64>()) {
        let ground = Ground::new(grid.into(), 0.45).unwrap();
        let clearance = throng_grid::clearance::clearance(ground.grid());
        let (mut scratch, mut path, mut turns, mut points) = (Scratch::default(), Path::default(), Vec::new(), Vec::new());
        for (from, to) in trips(&ground, 8, seed) {
            for planner in PLANNERS {
                let outcome = plan(planner, &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
                if outcome.status != Status::Found {
                    continue;
                }
                path.turning_points(&mut turns);
                waypoints(&ground, &clearance, &turns, to, 0.45, 5.0, &mut points);
                for leg in points.windows(2) {
                    let clear = line_of_sight(ground.grid(), &clearance, leg[0].at, leg[1].at, 0.45);
                    prop_assert!(clear, "{}: {:?} to {:?}", planner.name(), leg[0].at, leg[1].at);
                }
            }
        }
    }
}

/// The distance (m) of a line from the nearest closed cell, or from what is off the map: worked out for all cells, in cells of 1 m.
fn room(grid: &Grid, a: Vec2, b: Vec2) -> f64 {
    let lattice = grid.lattice();
    let is_closed = |x, y| lattice.checked_cell(x, y).is_none_or(|cell| !grid.is_open(cell));
    let all = (-1..=i64::from(lattice.height)).flat_map(|y| (-1..=i64::from(lattice.width)).map(move |x| (x, y)));
    let [(ax, ay), (bx, by)] = [a, b].map(|at| (f64::from(at.x), f64::from(at.y)));
    let (dx, dy) = (bx - ax, by - ay);
    let length = (dx * dx + dy * dy).max(1e-12);
    let of_cell = |(x, y): (i64, i64)| {
        let (x, y) = (x as f64, y as f64);
        let to_square = |(px, py): (f64, f64)| (px - px.clamp(x, x + 1.0)).hypot(py - py.clamp(y, y + 1.0));
        let to_line = |(cx, cy): (f64, f64)| {
            let t = (((cx - ax) * dx + (cy - ay) * dy) / length).clamp(0.0, 1.0);
            (cx - ax - t * dx).hypot(cy - ay - t * dy)
        };
        let corners = [(x, y), (x + 1.0, y), (x, y + 1.0), (x + 1.0, y + 1.0)].map(to_line);
        corners.into_iter().fold(to_square((ax, ay)).min(to_square((bx, by))), f64::min)
    };
    all.filter(|&(x, y)| is_closed(x, y)).map(of_cell).fold(f64::INFINITY, f64::min)
}

/// The room (cells) that a step of the grid leaves a body which has room in the middles of its cells: half-way along a diagonal
/// step the corners beside it are a little nearer than from its ends.
fn room_of_steps(radius: f64) -> f64 {
    let dips = (1..4).map(|m| (f64::from(m) * 2_f64.sqrt(), (2.0 * f64::from(m * m) + 0.5).sqrt()));
    dips.into_iter().find(|&(middle, end)| (middle..=end).contains(&radius)).map_or(radius, |(middle, _)| middle)
}

/// Each leg of a way leaves the body its room; one along a diagonal of the grid, that which its steps leave.
fn assert_roomy(grid: &Grid, points: &[Vec2], radius: f32, name: &str) {
    for leg in points.windows(2) {
        let (radius, way) = (f64::from(radius), leg[1] - leg[0]);
        let is_diagonal = (way.x.abs() - way.y.abs()).abs() < 1e-4;
        let least = if is_diagonal { room_of_steps(radius) } else { radius };
        let room = room(grid, leg[0], leg[1]);
        assert!(room > least - 1e-3, "{name}: {leg:?} has {room} m for {radius} m");
    }
}

const RADII: [f32; 11] = [0.4, 0.45, 0.49, 0.6, 0.9, 1.2, 1.42, 1.5, 1.58, 2.0, 2.87];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    /// Of any radius and by every planner: the way of a route is at least the radius from every closed cell.
    #[test]
    fn ways_keep_their_distance_from_walls(grid in small_maps(), seed in any::<u64>(), radius in prop::sample::select(&RADII[..])) {
        let ground = Arc::new(Ground::new(grid.into(), radius).unwrap());
        let clearance = throng_grid::clearance::clearance(ground.grid());
        let (mut scratch, mut path, mut turns, mut points) = (Scratch::default(), Path::default(), Vec::new(), Vec::new());
        prop_assume!(ground.lattice().cells().any(|cell| ground.is_passable(cell)));
        for name in PlannerChoice::NAMES {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            for (from, to) in trips(&ground, 4, seed) {
                let outcome = plan(&*planner, &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
                if outcome.status == Status::Found {
                    path.turning_points(&mut turns);
                    waypoints(&ground, &clearance, &turns, to, radius, 5.0, &mut points);
                    let ways: Vec<Vec2> = points.iter().map(|point| point.at).collect();
                    assert_roomy(ground.grid(), &ways, radius, name);
                }
            }
        }
    }

    /// What is left of the routes of a squad, alone or in ranks, at every moment.
    #[test]
    fn routes_in_the_world_keep_their_distance_from_walls(
        grid in (12_u32..26, 12_u32..26, 0_u32..9, any::<u64>()).prop_map(|(width, height, walls, seed)| blocks(width, height, walls, seed)),
        seed in any::<u64>(), radius in prop::sample::select(&RADII[..9]), name in prop::sample::select(&["astar", "jps", "theta", "hpa"][..]),
    ) {
        let ground = Ground::new(Arc::new(grid.clone()), radius).unwrap();
        prop_assume!(ground.lattice().cells().any(|cell| ground.is_passable(cell)));
        let lattice = ground.lattice();
        let mut world = World::new(grid.clone(), Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
        let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit { radius, ..Unit::default() }).unwrap());
        let (from, to) = trips(&ground, 1, seed)[0];
        let (order, planner) = (Order::GoTo(lattice.centre(to)), name.parse().unwrap());
        world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(red, unit, [lattice.centre(from)]) }).unwrap();
        let mut routes = Vec::new();
        for _ in 0..40 {
            world.tick().unwrap();
            world.remaining_routes(10, &mut routes);
            for route in &routes {
                // The first point is where it stands.
                assert_roomy(&grid, &route.points[1..], radius, name);
            }
        }
    }
}

/// The only lines that come nearer are diagonal steps between two cells with room, half-way along.
#[test]
fn a_diagonal_step_is_a_little_narrower_than_its_ends() {
    let mut grid = Grid::open_plain(Lattice::new(7, 7, 1.0).unwrap());
    grid.set_open(grid.lattice().cell(4, 1), false);
    let ground = Ground::new(Arc::new(grid.clone()), 1.5).unwrap();
    let [a, b] = [(2, 2), (3, 3)].map(|(x, y)| grid.lattice().cell(x, y));
    assert!(ground.is_passable(a) && ground.is_passable(b) && ground.leads(a, b));
    let room = room(&grid, grid.lattice().centre(a), grid.lattice().centre(b));
    assert!((room - room_of_steps(1.5)).abs() < 1e-9 && (room - 2_f64.sqrt()).abs() < 1e-9, "{room}");
    assert_eq!((room_of_steps(0.45), room_of_steps(1.6), room_of_steps(2.87)), (0.45, 1.6, 8_f64.sqrt()));
}
