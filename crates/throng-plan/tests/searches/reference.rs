//! The planners of other crates against our own.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{
    AStar, Cancel, Octile, Outcome, Path, PathfindingAStar, PathfindingDijkstra, PathfindingFringe, PetgraphAStar,
    PetgraphDijkstra, PlanError, Planner, Progress, Query, Scratch, Status, plan,
};

const THEIRS: [&dyn Planner; 5] =
    [&PathfindingAStar, &PathfindingDijkstra, &PathfindingFringe, &PetgraphAStar, &PetgraphDijkstra];

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Ground {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid.set_open(grid.lattice().cell(0, 0), true);
    Ground::new(grid.into(), 0.4).unwrap()
}

/// `count` pairs of passable cells, joined by a route or not.
fn trips(ground: &Ground, count: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = Pcg32::seed_from_u64(seed);
    let mut any = || passable[random.random_range(0..passable.len())];
    (0..count).map(|_| (any(), any())).collect()
}

fn solve(planner: &dyn Planner, ground: &Ground, query: &Query, scratch: &mut Scratch) -> (Outcome, Path) {
    let mut path = Path::default();
    let outcome = plan(planner, ground, query, scratch, &mut path).unwrap();
    (outcome, path)
}

/// Every step is one of the ground's legal moves.
fn assert_legal(ground: &Ground, path: &Path) {
    let offsets = ground.lattice().offsets();
    for pair in path.cells.windows(2) {
        let step = pair[1].0 as i32 - pair[0].0 as i32;
        let direction = offsets.iter().position(|&offset| offset == step).unwrap();
        assert!(ground.moves(pair[0]) >> direction & 1 == 1, "{pair:?}");
    }
}

fn check(ground: &Ground, count: usize, seed: u64) {
    let mut scratch = Scratch::default();
    for (from, to) in trips(ground, count, seed) {
        let query = Query::new(from, to);
        let (ours, _) = solve(&AStar(Octile), ground, &query, &mut scratch);
        for planner in THEIRS {
            let (outcome, path) = solve(planner, ground, &query, &mut scratch);
            let name = planner.name();
            assert_eq!((outcome.status, outcome.cost, outcome.bound), (ours.status, ours.cost, 1.0), "{name}");
            assert_eq!(path.cost(ground.lattice()), outcome.cost, "{name}");
            assert_legal(ground, &path);
            let found = outcome.status == Status::Found;
            assert_eq!(path.cells.first().zip(path.cells.last()), found.then_some((&from, &to)), "{name}");
            assert_eq!(outcome.expanded == 0, !found || from == to, "{name}");
            // The end stays the end.
            assert_eq!(planner.advance(ground, &query, &mut scratch, 5), Progress::Done(outcome));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 60 } else { 400 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn they_find_routes_as_cheap_as_ours(width in 1_u32..24, height in 1_u32..24, closed in 0_u32..55, seed in any::<u64>()) {
        check(&noise(width, height, closed, seed), 8, seed);
    }

    #[test]
    fn a_limit_gives_a_partial_route(width in 1_u32..24, height in 1_u32..24, closed in 0_u32..40, seed in any::<u64>(), limit in 1_u64..60) {
        let ground = noise(width, height, closed, seed);
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 4, seed) {
            let mut query = Query::new(from, to);
            query.limits.expansions = limit;
            for planner in THEIRS {
                let (outcome, path) = solve(planner, &ground, &query, &mut scratch);
                prop_assert!(outcome.expanded <= limit);
                prop_assert_eq!(path.cost(ground.lattice()), outcome.cost);
                assert_legal(&ground, &path);
                if outcome.status == Status::Partial {
                    prop_assert_eq!(outcome.expanded, limit);
                    prop_assert_eq!(path.cells[0], from);
                    prop_assert!(!path.cells.contains(&to));
                }
            }
        }
    }
}

#[test]
fn they_agree_on_larger_maps() {
    check(&noise(120, 90, 30, 1), 6, 2);
    check(&noise(60, 150, 5, 3), 4, 4);
}

#[test]
fn the_cancel_switch_is_seen() {
    let ground = noise(99, 99, 10, 1);
    let cancel = Cancel::default();
    cancel.cancel();
    let (from, to) = trips(&ground, 1, 3)[0];
    let query = Query { cancel: Some(cancel), ..Query::new(from, to) };
    for planner in THEIRS {
        let (outcome, path) = solve(planner, &ground, &query, &mut Scratch::default());
        assert_eq!((outcome.status, outcome.cost, path.cells.len()), (Status::Cancelled, 0, 0), "{}", planner.name());
    }
}

#[test]
fn a_bad_end_is_an_error() {
    let mut grid = Grid::open_plain(Lattice::new(9, 7, 1.0).unwrap());
    let (open, wall) = (grid.lattice().cell(1, 1), grid.lattice().cell(3, 5));
    grid.set_open(wall, false);
    let ground = Ground::new(grid.into(), 0.4).unwrap();
    for planner in THEIRS {
        let message = |from, to| {
            let outcome = plan(planner, &ground, &Query::new(from, to), &mut Scratch::default(), &mut Path::default());
            let error: PlanError = outcome.unwrap_err();
            error.to_string()
        };
        assert_eq!(message(wall, open), "the start (3, 5) is in a wall");
        assert_eq!(message(open, wall), "the goal (3, 5) is in a wall");
        assert_eq!(message(Cell::NONE, open), "the start is off the map");
        let query = Query { radius: 0.9, ..Query::new(open, open) };
        let wide = plan(planner, &ground, &query, &mut Scratch::default(), &mut Path::default());
        let expected = format!(
            "the planner {} cannot plan for a body wider than its ground was made for; choose one that can, as astar",
            planner.name()
        );
        match planner.name() {
            "petgraph-astar" | "petgraph-dijkstra" => assert_eq!(wide.unwrap_err().to_string(), expected),
            _ => assert!(wide.is_ok()),
        }
    }
}
