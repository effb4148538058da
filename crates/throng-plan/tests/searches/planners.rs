//! Planners against known optimal lengths, against the `pathfinding` crate, and against each other.
#![allow(clippy::unwrap_used, clippy::float_cmp, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::Path as FilePath;
use std::sync::Arc;
use throng_grid::{Cell, Direction, Grid, Ground, Lattice, Scen};
use throng_plan::{
    AStar, BidirectionalAStar, Cancel, Cost, DIAGONAL, Dijkstra, FringeSearch, Limits, Octile, Outcome, Path,
    PathfindingAStar, PathfindingDijkstra, PathfindingFringe, PetgraphAStar, PetgraphDijkstra, PlanError, Planner,
    Progress, Query, STRAIGHT, Scratch, Status, WeightedAStar, plan,
};

/// The queries of a Moving AI file: start, goal and optimal length of each.
fn read_queries(path: &FilePath, lattice: Lattice) -> Vec<(Cell, Cell, f64)> {
    let problems = Scen::load(path).unwrap().problems;
    let cell = |(x, y)| lattice.cell(x, y);
    problems.iter().map(|problem| (cell(problem.from), cell(problem.to), problem.optimal)).collect()
}

/// The maps of a folder, sorted by name.
fn maps(folder: &FilePath) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut maps: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "map"));
    maps.sort();
    maps
}

fn ground(grid: Grid) -> Ground {
    Ground::new(Arc::new(grid), 0.4).unwrap()
}

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid
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

/// Each step goes to an open neighbour and cuts no corner; told from the grid alone.
fn assert_legal(grid: &Grid, path: &Path) {
    let lattice = grid.lattice();
    let at = |cell| {
        let (x, y) = lattice.column_row(cell);
        (i64::from(x), i64::from(y))
    };
    let open = |x, y| lattice.checked_cell(x, y).is_some_and(|cell| grid.is_open(cell));
    for pair in path.cells.windows(2) {
        let ((x0, y0), (x1, y1)) = (at(pair[0]), at(pair[1]));
        assert_eq!((x1 - x0).abs().max((y1 - y0).abs()), 1, "a step from ({x0}, {y0}) to ({x1}, {y1})");
        assert!(open(x0, y0) && open(x1, y1) && open(x0, y1) && open(x1, y0), "({x0}, {y0}) to ({x1}, {y1})");
    }
}

/// The legal steps out of a cell with their costs, told from the grid alone.
fn steps(grid: &Grid) -> impl Fn(&Cell) -> Vec<(Cell, Cost)> {
    let lattice = grid.lattice();
    move |&cell: &Cell| {
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (i64::from(x), i64::from(y));
        let open = |x, y| lattice.checked_cell(x, y).filter(|&cell| grid.is_open(cell));
        let step = |direction: Direction| {
            let (dx, dy) = direction.step();
            let (dx, dy) = (i64::from(dx), i64::from(dy));
            let to = open(x + dx, y + dy)?;
            open(x + dx, y)?;
            open(x, y + dy)?;
            Some((to, Cost::from(if direction.is_diagonal() { DIAGONAL } else { STRAIGHT })))
        };
        Direction::ALL.into_iter().filter_map(step).collect()
    }
}

/// The cheapest cost, by the `pathfinding` crate.
fn cheapest(grid: &Grid, from: Cell, to: Cell) -> Option<Cost> {
    pathfinding::prelude::dijkstra(&from, steps(grid), |&cell| cell == to).map(|(_, cost)| cost)
}

/// Checks a planner on every `thin`th query of the Moving AI folder that `THRONG_MOVINGAI` names, or, without it, on
/// random queries on our own maps.
fn check_exact(planner: &dyn Planner, thin: usize) {
    let mut scratch = Scratch::default();
    let Some(folder) = std::env::var_os("THRONG_MOVINGAI") else {
        println!("THRONG_MOVINGAI is not set: {} is checked against the pathfinding crate instead", planner.name());
        let folder = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
        // The oracle is slow on large maps.
        let mut grids: Vec<(Grid, usize)> = maps(&folder).iter().map(|path| (Grid::load(path).unwrap(), 6)).collect();
        grids.extend([noise(200, 120, 25, 1), noise(90, 200, 38, 2), noise(150, 150, 3, 3)].map(|grid| (grid, 40)));
        for (grid, count) in grids {
            let ground = ground(grid);
            for (from, to) in trips(&ground, count / thin.min(3), 4) {
                let (outcome, path) = solve(planner, &ground, &Query::new(from, to), &mut scratch);
                assert_eq!(
                    (outcome.status == Status::Found).then_some(outcome.cost),
                    cheapest(ground.grid(), from, to)
                );
                assert_eq!(path.cost(ground.lattice()), outcome.cost);
                assert_legal(ground.grid(), &path);
            }
        }
        return;
    };
    let maps = maps(FilePath::new(&folder));
    assert!(!maps.is_empty(), "no map in {}", folder.display());
    for map in maps {
        let ground = ground(Grid::load(&map).unwrap());
        let lattice = ground.lattice();
        for (from, to, optimal) in read_queries(&map.with_extension("map.scen"), lattice).into_iter().step_by(thin) {
            let (outcome, path) = solve(planner, &ground, &Query::new(from, to), &mut scratch);
            assert_eq!(outcome.status, Status::Found);
            assert_eq!(outcome.bound, 1.0);
            assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
            assert_eq!(path.cost(lattice), outcome.cost);
            assert_legal(ground.grid(), &path);
            let length = path.length(lattice);
            assert!((length - optimal).abs() <= 0.01, "{} for {optimal}, {from:?} {to:?}, {}", length, map.display());
        }
    }
}

/// All queries where the code is optimised, fewer where it is not.
const fn thinned(by: usize) -> usize {
    if cfg!(debug_assertions) { by } else { 1 }
}

#[test]
fn astar_is_optimal_on_known_maps() {
    check_exact(&AStar(Octile), 1);
}

#[test]
fn dijkstra_is_optimal_on_known_maps() {
    check_exact(&Dijkstra, thinned(5));
}

#[test]
fn bidirectional_astar_is_optimal_on_known_maps() {
    check_exact(&BidirectionalAStar, thinned(5));
}

#[test]
fn fringe_search_is_optimal_on_known_maps() {
    check_exact(&FringeSearch, 2 * thinned(10) + 17);
}

#[test]
fn the_reference_planners_are_optimal_on_known_maps() {
    check_exact(&PathfindingAStar, 2 * thinned(10) + 13);
    check_exact(&PathfindingDijkstra, 2 * thinned(10) + 23);
    check_exact(&PetgraphAStar, 2 * thinned(10) + 33);
    check_exact(&PetgraphDijkstra, 2 * thinned(10) + 43);
    check_exact(&PathfindingFringe, 20 * thinned(10) + 53);
}

fn small_maps() -> impl Strategy<Value = Grid> {
    (1_u32..24, 1_u32..24, 0_u32..55, any::<u64>()).prop_map(|(width, height, closed, seed)| {
        let mut grid = noise(width, height, closed, seed);
        grid.set_open(grid.lattice().cell(0, 0), true);
        grid
    })
}

fn weights() -> impl Strategy<Value = (f64, f64)> {
    let weight = || prop_oneof![Just(1.0), Just(2.0), 0.01..20.0_f64];
    (weight(), prop_oneof![Just(0.0), weight(), Just(WeightedAStar::MAX_WEIGHT)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 60 } else { 400 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn all_planners_agree_with_the_pathfinding_crate(grid in small_maps(), seed in any::<u64>(), (w1, w2) in weights()) {
        let ground = ground(grid);
        let weighted = WeightedAStar::new(w1, w2).unwrap();
        let exact: [&dyn Planner; 4] = [&Dijkstra, &AStar(Octile), &PathfindingAStar, &PathfindingDijkstra];
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 8, seed) {
            let query = Query::new(from, to);
            let cheapest = cheapest(ground.grid(), from, to);
            for planner in exact.into_iter().chain([&weighted as &dyn Planner]) {
                let (outcome, path) = solve(planner, &ground, &query, &mut scratch);
                let found = outcome.status == Status::Found;
                prop_assert_eq!(found, cheapest.is_some());
                prop_assert_eq!(path.cells.is_empty(), !found);
                prop_assert_eq!(path.cost(ground.lattice()), outcome.cost);
                let bound = cheapest.unwrap_or(0) as f64 * outcome.bound;
                prop_assert!(outcome.cost >= cheapest.unwrap_or(0) && outcome.cost as f64 <= bound);
                assert_legal(ground.grid(), &path);
                if found {
                    prop_assert_eq!((path.cells[0], path.cells[path.cells.len() - 1]), (from, to));
                    prop_assert_eq!(from == to, path.cells.len() == 1);
                } else {
                    prop_assert_eq!((outcome.status, outcome.expanded), (Status::NoRoute, 0));
                }
                prop_assert!(planner.name() == "weighted-astar" || outcome.bound == 1.0);
            }
        }
    }

    /// Cells are closed at their least cost, though most steps are left out.
    #[test]
    fn every_closed_cell_has_its_least_cost(grid in small_maps(), seed in any::<u64>()) {
        let ground = ground(grid);
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 2, seed) {
            let costs = pathfinding::prelude::dijkstra_all(&from, steps(ground.grid()));
            for planner in [&Dijkstra as &dyn Planner, &AStar(Octile)] {
                let (outcome, _) = solve(planner, &ground, &Query::new(from, to), &mut scratch);
                let closed: Vec<Cell> = ground.lattice().cells().filter(|&cell| scratch.is_closed(cell)).collect();
                prop_assert_eq!(closed.len() as u64, outcome.expanded + u64::from(outcome.status == Status::Found));
                for cell in closed {
                    let least = if cell == from { Some(0) } else { costs.get(&cell).map(|&(_, cost)| cost) };
                    prop_assert_eq!(scratch.cost(cell), least);
                }
            }
        }
    }

    /// In pieces of any size, with fresh memory or used one: the same outcome, path and trace.
    #[test]
    fn a_search_in_pieces_is_the_search_in_one_go(
        grid in small_maps(), seed in any::<u64>(), (w1, w2) in weights(), pieces in prop::collection::vec(0_u64..30, 1..9),
        limit in prop_oneof![Just(u64::MAX), 0_u64..60],
    ) {
        let ground = ground(grid);
        let weighted = WeightedAStar::new(w1, w2).unwrap();
        let mut used = Scratch::default();
        for (from, to) in trips(&ground, 4, seed) {
            let mut query = Query::new(from, to);
            query.limits = Limits { expansions: limit };
            let planners: [&dyn Planner; 5] = [&Dijkstra, &AStar(Octile), &weighted, &BidirectionalAStar, &FringeSearch];
            for planner in planners {
                let mut fresh = Scratch::default();
                let whole = solve(planner, &ground, &query, &mut fresh);
                planner.begin(&ground, &query, &mut used).unwrap();
                let mut spent = 0;
                let mut sizes = pieces.iter().chain([&1]).cycle();
                let outcome = loop {
                    let size = *sizes.next().unwrap();
                    match planner.advance(&ground, &query, &mut used, size) {
                        Progress::Done(outcome) => break outcome,
                        _ => spent += size,
                    }
                    prop_assert_eq!(used.expanded(), spent);
                };
                let mut path = Path::default();
                planner.path(&ground, &query, &used, &mut path);
                prop_assert_eq!(&(outcome, path), &whole);
                // The end stays the end.
                prop_assert_eq!(planner.advance(&ground, &query, &mut used, 5), Progress::Done(outcome));
                for cell in ground.lattice().cells() {
                    prop_assert_eq!(used.cost(cell), fresh.cost(cell));
                    prop_assert_eq!((used.is_open(cell), used.is_closed(cell)), (fresh.is_open(cell), fresh.is_closed(cell)));
                }
            }
        }
    }

    /// The route of a search that hit its limit ends on the expanded cell nearest to the goal.
    #[test]
    fn a_limit_gives_the_way_to_the_nearest_expanded_cell(grid in small_maps(), seed in any::<u64>(), limit in 1_u64..80) {
        let ground = ground(grid);
        let lattice = ground.lattice();
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 4, seed) {
            let mut query = Query::new(from, to);
            query.limits.expansions = limit;
            let octile = |cell: Cell| {
                let ((x0, y0), (x1, y1)) = (lattice.column_row(cell), lattice.column_row(to));
                let (dx, dy) = (x0.abs_diff(x1), y0.abs_diff(y1));
                STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
            };
            let expanded = |scratch: &Scratch| lattice.cells().filter(|&cell| scratch.is_closed(cell)).collect::<Vec<_>>();
            for planner in [&Dijkstra as &dyn Planner, &AStar(Octile), &PathfindingAStar, &PathfindingDijkstra] {
                let (outcome, path) = solve(planner, &ground, &query, &mut scratch);
                prop_assert!(outcome.expanded <= limit);
                prop_assert_eq!(path.cost(lattice), outcome.cost);
                assert_legal(ground.grid(), &path);
                if outcome.status == Status::Partial {
                    prop_assert_eq!(outcome.expanded, limit);
                    prop_assert_eq!(path.cells[0], from);
                    let end = *path.cells.last().unwrap();
                    prop_assert_eq!(Some(outcome.cost), cheapest(ground.grid(), from, end));
                    if !planner.name().starts_with("pathfinding") {
                        prop_assert_eq!(expanded(&scratch).len() as u64, limit);
                        prop_assert_eq!(Some(octile(end)), expanded(&scratch).into_iter().map(octile).min());
                    }
                }
            }
        }
    }
}

#[test]
fn a_trip_from_a_cell_to_itself_is_that_cell() {
    let ground = ground(noise(9, 9, 0, 1));
    let cell = ground.lattice().cell(4, 4);
    for planner in [&Dijkstra as &dyn Planner, &AStar(Octile), &PathfindingAStar, &PathfindingDijkstra] {
        let (outcome, path) = solve(planner, &ground, &Query::new(cell, cell), &mut Scratch::default());
        assert_eq!(outcome, Outcome { status: Status::Found, cost: 0, bound: 1.0, expanded: 0 });
        assert_eq!(path.cells, [cell]);
    }
}

#[test]
fn a_cancelled_search_ends_without_a_route() {
    let ground = ground(noise(99, 99, 10, 1));
    let (from, to) = trips(&ground, 1, 3)[0];
    let cancel = Cancel::default();
    let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
    let mut scratch = Scratch::default();
    AStar(Octile).begin(&ground, &query, &mut scratch).unwrap();
    assert_eq!(AStar(Octile).advance(&ground, &query, &mut scratch, 5), Progress::Running);
    cancel.cancel();
    let Progress::Done(outcome) = AStar(Octile).advance(&ground, &query, &mut scratch, 5) else {
        panic!("still running")
    };
    assert_eq!((outcome.status, outcome.cost, outcome.expanded), (Status::Cancelled, 0, 5));
    for planner in [&Dijkstra as &dyn Planner, &AStar(Octile), &PathfindingAStar, &PathfindingDijkstra] {
        let (outcome, path) = solve(planner, &ground, &query, &mut scratch);
        assert_eq!((outcome.status, path.cells.len()), (Status::Cancelled, 0), "{}", planner.name());
    }
}

#[test]
fn a_bad_end_is_an_error() {
    let mut grid = noise(9, 7, 0, 1);
    let (open, wall) = (grid.lattice().cell(1, 1), grid.lattice().cell(3, 5));
    grid.set_open(wall, false);
    let ground = ground(grid);
    let message = |from, to| {
        let planners: [&dyn Planner; 3] = [&AStar(Octile), &PathfindingAStar, &PathfindingDijkstra];
        let messages = planners.map(|planner| {
            let query = Query::new(from, to);
            let error: PlanError =
                plan(planner, &ground, &query, &mut Scratch::default(), &mut Path::default()).unwrap_err();
            error.to_string()
        });
        assert!(messages.iter().all(|message| *message == messages[0]));
        messages[0].clone()
    };
    assert_eq!(message(wall, open), "the start (3, 5) is in a wall");
    assert_eq!(message(open, wall), "the goal (3, 5) is in a wall");
    assert_eq!(message(Cell::NONE, open), "the start is off the map");
    assert_eq!(message(open, Cell(u32::MAX)), "the goal is off the map");
}

#[test]
fn bad_weights_are_an_error() {
    for (w1, w2) in
        [(0.0, 1.0), (-1.0, 1.0), (1.0, -0.1), (f64::NAN, 1.0), (1.0, f64::NAN), (1.0, f64::INFINITY), (2e6, 1.0)]
    {
        let error = WeightedAStar::new(w1, w2).unwrap_err().to_string();
        let expected = format!(
            "the weights must be finite and not negative, w1 above 0, both at most 1000000; found w1 = {w1}, w2 = {w2}"
        );
        assert_eq!(error, expected);
    }
    assert_eq!(WeightedAStar::new(2.0, 1.0).unwrap().bound(), 1.0);
    assert_eq!(WeightedAStar::new(2.0, 5.0).unwrap().bound(), 2.5);
}

/// A map of rooms, some of which have no door, with noise in them.
fn sealed_rooms(side: u32, doors: u32, walls: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = noise(4 * side + 1, 3 * side + 1, walls, seed);
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        if x % side == 0 || y % side == 0 {
            grid.set_open(cell, false);
        }
    }
    for _ in 0..doors {
        let (column, row) = (random.random_range(1..4) * side, random.random_range(0..3) * side);
        let y = row + random.random_range(1..side);
        (0..3).for_each(|i| grid.set_open(lattice.cell(column + i - 1, y), true));
    }
    grid
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    /// Where no route leads to the goal, every planner knows it from the regions, and looks at no cell.
    #[test]
    fn no_route_is_answered_at_once(
        side in 4..14_u32, doors in 0..5_u32, walls in prop_oneof![Just(0_u32), 5..40_u32], seed in any::<u64>(),
        radius in prop_oneof![Just(0.4), Just(0.9_f32)],
    ) {
        let ground = Arc::new(Ground::new(Arc::new(sealed_rooms(side, doors, walls, seed)), radius).unwrap());
        prop_assume!(ground.lattice().cells().any(|cell| ground.is_passable(cell)));
        let apart: Vec<(Cell, Cell)> = trips(&ground, 60, seed)
            .into_iter()
            .filter(|&(from, to)| solve(&Dijkstra, &ground, &Query::new(from, to), &mut Scratch::default()).0.status == Status::NoRoute)
            .collect();
        for name in throng_plan::PlannerChoice::NAMES {
            let planner = name.parse::<throng_plan::PlannerChoice>().unwrap().build(&ground).unwrap();
            let mut scratch = Scratch::default();
            for &(from, to) in &apart {
                let (outcome, path) = solve(&*planner, &ground, &Query::new(from, to), &mut scratch);
                prop_assert_eq!((outcome.status, outcome.expanded, path.cells.len()), (Status::NoRoute, 0, 0), "{}", name);
            }
        }
    }
}
