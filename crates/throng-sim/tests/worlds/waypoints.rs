//! What an agent walks of a route is clear for its body, whichever planner found the route.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::walls::line_of_sight;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{LazyThetaStar, Path, Planner, Query, Scratch, Status, ThetaStar, plan};
use throng_sim::crowd::waypoints;

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
