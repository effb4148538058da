//! Breadth-first and greedy best-first search: their promises beyond a legal route.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::{Cell, Direction, Grid, Ground, Lattice, Link, Mobility, Steps};
use throng_plan::{
    AStar, BreadthFirst, GreedyBestFirst, Octile, Path, PlanError, Planner, Query, Scratch, Status, plan,
};

fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid.set_open(grid.lattice().cell(0, 0), true);
    grid
}

fn solve(planner: &dyn Planner, ground: &Ground, from: Cell, to: Cell) -> (throng_plan::Outcome, Path) {
    let mut path = Path::default();
    let outcome = plan(planner, ground, &Query::new(from, to), &mut Scratch::default(), &mut path).unwrap();
    (outcome, path)
}

/// The legal steps and links out of a cell.
fn neighbours(ground: &Ground, cell: Cell) -> Vec<Cell> {
    let offsets = ground.lattice().offsets();
    let steps = Direction::ALL.into_iter().filter(|&d| ground.moves(cell) >> d as u8 & 1 == 1);
    let steps = steps.map(|d| Cell(cell.0.wrapping_add_signed(offsets[d as usize])));
    steps.chain(ground.links().from(cell).map(|(_, link)| link.to)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn breadth_first_takes_the_fewest_steps(
        width in 1_u32..24, height in 1_u32..24, closed in 0_u32..50, seed in any::<u64>(), four in any::<bool>(),
        links in 0_u32..3,
    ) {
        let grid = noise(width, height, closed, seed);
        let open: Vec<Cell> = grid.lattice().cells().filter(|&cell| grid.is_open(cell)).collect();
        let mut random = Pcg32::seed_from_u64(seed);
        let mut any = || open[random.random_range(0..open.len())];
        let links = (0..links).map(|_| Link::new(any(), any(), 100_000)).collect();
        let steps = if four { Steps::Four } else { Steps::default() };
        let ground = Ground::build(grid.into(), Mobility { steps, links, ..Mobility::new(0.4) }).unwrap();
        for _ in 0..6 {
            let (from, to) = (any(), any());
            let (outcome, path) = solve(&BreadthFirst, &ground, from, to);
            let fewest = pathfinding::prelude::bfs(&from, |&cell| neighbours(&ground, cell), |&cell| cell == to);
            prop_assert_eq!(path.cells.len(), fewest.map_or(0, |cells| cells.len()));
            prop_assert!(path.cells.windows(2).all(|pair| neighbours(&ground, pair[0]).contains(&pair[1])));
            let (least, _) = solve(&AStar(Octile), &ground, from, to);
            prop_assert_eq!(outcome.status, least.status);
            prop_assert!(outcome.cost >= least.cost && outcome.cost as f64 <= least.cost.max(1) as f64 * outcome.bound);
            prop_assert!(!four || !ground.links().is_empty() || outcome.bound == 1.0);
            let (greedy, path) = solve(&GreedyBestFirst, &ground, from, to);
            prop_assert_eq!(greedy.status, least.status);
            prop_assert!(greedy.cost >= least.cost);
            prop_assert!(path.cells.windows(2).all(|pair| neighbours(&ground, pair[0]).contains(&pair[1])));
        }
    }

    #[test]
    fn pieces_and_limits_change_nothing(width in 2_u32..20, height in 2_u32..20, closed in 0_u32..40, seed in any::<u64>(), piece in 1_u64..7, limit in 1_u64..50) {
        let ground = Ground::new(noise(width, height, closed, seed).into(), 0.4).unwrap();
        let open: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
        let mut query = Query::new(open[0], open[open.len() - 1]);
        for planner in [&BreadthFirst as &dyn Planner, &GreedyBestFirst] {
            for limit in [u64::MAX, limit] {
                query.limits.expansions = limit;
                let (mut scratch, mut whole, mut path) = (Scratch::default(), Path::default(), Path::default());
                let outcome = plan(planner, &ground, &query, &mut scratch, &mut whole).unwrap();
                prop_assert!(outcome.expanded <= limit);
                prop_assert!(outcome.status != Status::Partial || outcome.expanded == limit);
                planner.begin(&ground, &query, &mut scratch).unwrap();
                let done = loop {
                    if let throng_plan::Progress::Done(done) = planner.advance(&ground, &query, &mut scratch, piece) {
                        break done;
                    }
                };
                planner.path(&ground, &query, &scratch, &mut path);
                prop_assert_eq!((done, &path), (outcome, &whole));
                prop_assert_eq!(path.cost(ground.lattice()), outcome.cost);
            }
        }
    }
}

#[test]
fn breadth_first_does_not_count_terrain() {
    let mut grid = Grid::open_plain(Lattice::new(4, 4, 1.0).unwrap());
    let (from, to) = (grid.lattice().cell(0, 0), grid.lattice().cell(3, 3));
    grid.set_terrain(to, 1);
    let terrain = Some(throng_grid::TerrainCosts::new([(0, Some(1)), (1, Some(5))]));
    let ground = Ground::build(grid.into(), Mobility { terrain, ..Mobility::new(0.4) }).unwrap();
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let error: PlanError = plan(&BreadthFirst, &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the planner breadth-first cannot count what terrain costs; choose one that can, as astar"
    );
    assert!(plan(&GreedyBestFirst, &ground, &Query::new(from, to), &mut scratch, &mut path).is_ok());
}
