//! Anytime A*: routes that get better, and the bounds that are proven for them.
#![allow(clippy::unwrap_used, clippy::float_cmp, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::Path as FilePath;
use std::time::Duration;
use throng_grid::{Cell, Corners, Grid, Ground, Lattice, Link, Mobility, Scen, Steps, TerrainCosts};
use throng_plan::{
    AStar, Ara, Cancel, Cost, Dijkstra, Goal, Octile, Outcome, Path, Planner, Progress, Query, Scratch, Status, plan,
    plan_within,
};

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Ground {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed || cell == grid.lattice().cell(0, 0));
    }
    Ground::new(grid.into(), 0.4).unwrap()
}

/// A map of rooms with a door or two in each wall.
fn rooms(side: u32, seed: u64) -> Ground {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(side, side, 1.0).unwrap());
    let lattice = grid.lattice();
    for x in 0..side {
        for y in (0..side).filter(|y| x % 8 == 7 || y % 8 == 7) {
            grid.set_open(lattice.cell(x, y), random.random_range(0..100) < 22);
        }
    }
    Ground::new(grid.into(), 0.4).unwrap()
}

fn grounds() -> impl Strategy<Value = Ground> {
    prop_oneof![
        (1_u32..40, 1_u32..40, 0_u32..50, any::<u64>()).prop_map(|(w, h, closed, seed)| noise(w, h, closed, seed)),
        (1_u32..60, any::<u64>()).prop_map(|(side, seed)| rooms(side, seed)),
    ]
}

fn schedules() -> impl Strategy<Value = Ara> {
    let weight = prop_oneof![1.0..1.3_f64, 1.0..8.0_f64, Just(1.0), Just(1000.0)];
    let weights = prop::collection::vec(weight, 1..6).prop_map(|mut weights| {
        weights.sort_by(|a, b| b.total_cmp(a));
        weights.dedup();
        Ara::new(&weights).unwrap()
    });
    prop_oneof![weights, Just(Ara::default())]
}

fn trips(ground: &Ground, count: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = Pcg32::seed_from_u64(seed);
    let mut any = || passable[random.random_range(0..passable.len())];
    (0..count).map(|_| (any(), any())).collect()
}

/// All routes of a search in pieces of these sizes, the end last.
fn routes(
    planner: &Ara,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    pieces: &[u64],
) -> Vec<(Outcome, Vec<Cell>)> {
    let mut routes = Vec::new();
    let mut path = Path::default();
    planner.begin(ground, query, scratch).unwrap();
    for &size in pieces.iter().cycle() {
        let before = scratch.expanded();
        let progress = planner.advance(ground, query, scratch, size);
        assert!(scratch.expanded() - before <= size);
        let (Progress::Route(outcome) | Progress::Done(outcome)) = progress else { continue };
        planner.path(ground, query, scratch, &mut path);
        routes.push((outcome, path.cells.clone()));
        if matches!(progress, Progress::Done(_)) {
            break;
        }
    }
    routes
}

/// The least cost, by Dijkstra's algorithm.
fn cheapest(ground: &Ground, from: Cell, to: Cell) -> Option<Cost> {
    let outcome =
        plan(&Dijkstra, ground, &Query::new(from, to), &mut Scratch::default(), &mut Path::default()).unwrap();
    (outcome.status == Status::Found).then_some(outcome.cost)
}

fn assert_legal(ground: &Ground, (from, to): (Cell, Cell), outcome: &Outcome, cells: &[Cell]) {
    assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&to)));
    for pair in cells.windows(2) {
        let step = pair[1].0 as i32 - pair[0].0 as i32;
        let d = ground.lattice().offsets().iter().position(|&offset| offset == step).unwrap();
        assert!(ground.moves(pair[0]) >> d & 1 == 1, "from {:?} to {:?}", pair[0], pair[1]);
    }
    assert_eq!(Path { cells: cells.to_vec() }.cost(ground.lattice()), outcome.cost);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 600 } else { 3000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn routes_get_better_and_every_bound_holds(ground in grounds(), planner in schedules(), seed in any::<u64>()) {
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 6, seed) {
            let all = routes(&planner, &ground, &Query::new(from, to), &mut scratch, &[u64::MAX]);
            let Some(cheapest) = cheapest(&ground, from, to) else {
                prop_assert_eq!(all, vec![(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 0 }, vec![])]);
                continue;
            };
            for (outcome, cells) in &all {
                prop_assert_eq!(outcome.status, Status::Found);
                assert_legal(&ground, (from, to), outcome, cells);
                prop_assert!(outcome.cost >= cheapest && outcome.cost as f64 <= outcome.bound * cheapest as f64);
            }
            prop_assert!(all[0].0.bound <= planner.weights()[0] * (1.0 + 1e-12));
            for (i, pair) in all.windows(2).enumerate() {
                // The end may better the bound alone.
                prop_assert!(pair[1].0.cost < pair[0].0.cost || (i + 2 == all.len() && pair[1].0.cost == pair[0].0.cost));
                prop_assert!(pair[1].0.bound < pair[0].0.bound);
                prop_assert!(pair[1].0.expanded >= pair[0].0.expanded);
            }
            let (last, _) = &all[all.len() - 1];
            let weight = planner.weights()[planner.weights().len() - 1];
            prop_assert!(last.bound <= weight * (1.0 + 1e-12));
            prop_assert!(weight > 1.0 || (last.bound == 1.0 && last.cost == cheapest));
            prop_assert_eq!(scratch.cost(to), Some(last.cost));
        }
    }

    #[test]
    fn a_search_in_pieces_is_the_search_in_one_go(
        ground in grounds(), planner in schedules(), seed in any::<u64>(), pieces in prop::collection::vec(0_u64..40, 1..9),
    ) {
        let mut used = Scratch::default();
        let pieces = [&pieces[..], &[1]].concat();
        for (from, to) in trips(&ground, 3, seed) {
            let (mut fresh, query) = (Scratch::default(), Query::new(from, to));
            let whole = routes(&planner, &ground, &query, &mut fresh, &[u64::MAX]);
            prop_assert_eq!(&routes(&planner, &ground, &query, &mut used, &pieces), &whole);
            let end = planner.advance(&ground, &query, &mut used, 7);
            prop_assert_eq!(end, Progress::Done(whole[whole.len() - 1].0));
            for cell in ground.lattice().cells() {
                prop_assert_eq!(used.cost(cell), fresh.cost(cell));
                prop_assert_eq!((used.is_open(cell), used.is_closed(cell)), (fresh.is_open(cell), fresh.is_closed(cell)));
            }
        }
    }

    /// A limit cuts the sequence of routes short: those before it are the same, and the end is the best so far.
    #[test]
    fn a_limit_ends_with_the_best_so_far(ground in grounds(), planner in schedules(), seed in any::<u64>(), limit in 0_u64..300) {
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 4, seed) {
            let whole = routes(&planner, &ground, &Query::new(from, to), &mut scratch, &[u64::MAX]);
            let mut query = Query::new(from, to);
            query.limits.expansions = limit;
            let cut = routes(&planner, &ground, &query, &mut scratch, &[9]);
            let (last, before) = cut.split_last().unwrap();
            prop_assert_eq!(before, &whole[..before.len()]);
            prop_assert!(last.0.expanded <= limit);
            if last.0.status == Status::Partial {
                let (end, lattice) = (last.1[last.1.len() - 1], ground.lattice());
                prop_assert!(before.is_empty() && last.0.expanded == limit);
                assert_legal(&ground, (from, end), &last.0, &last.1);
                let far = |cell| {
                    let ((x0, y0), (x1, y1)) = (lattice.column_row(cell), lattice.column_row(to));
                    let (dx, dy) = (x0.abs_diff(x1), y0.abs_diff(y1));
                    2378 * dx.max(dy) + 985 * dx.min(dy)
                };
                prop_assert!(far(end) <= far(from));
            } else if last.0.status == Status::Found {
                assert_legal(&ground, (from, to), &last.0, &last.1);
                let cheapest = cheapest(&ground, from, to).unwrap();
                prop_assert!(last.0.cost as f64 <= last.0.bound * cheapest as f64);
            }
        }
    }
}

/// Terrain, links, four neighbours, corners cut: every route, not only the last.
#[test]
fn bounds_hold_on_every_kind_of_ground() {
    let mut random = Pcg32::seed_from_u64(8);
    let mut several = 0;
    for i in 0..200 {
        let mut grid = (**noise(60, 50, 25, i).grid()).clone();
        let lattice = grid.lattice();
        for cell in lattice.cells() {
            grid.set_terrain(cell, random.random_range(0..3));
        }
        let open: Vec<Cell> = lattice.cells().filter(|&cell| grid.is_open(cell)).collect();
        let mut any = || open[random.random_range(0..open.len())];
        let (from, to) = (any(), any());
        let steps = [Steps::Four, Steps::Eight(Corners::Never), Steps::Eight(Corners::Always)][i as usize % 3];
        let links = (0..i % 5).map(|cost| Link::new(any(), any(), 20_000 * cost as u32)).collect();
        let costs = TerrainCosts::new([(0, Some(1)), (1, Some(3)), (2, Some(2))]);
        let terrain = (i % 2 == 0).then_some(costs);
        let ground = Ground::build(grid.into(), Mobility { steps, links, terrain, ..Mobility::new(0.4) }).unwrap();
        let goal = if i % 4 == 0 { Goal::AnyOf([to, any(), any()].into()) } else { Goal::Cell(to) };
        let query = Query { goal, ..Query::new(from, to) };
        let (mut scratch, mut path) = (Scratch::default(), Path::default());
        let cheapest = plan(&Dijkstra, &ground, &query, &mut scratch, &mut path).unwrap();
        let all = routes(&Ara::new(&[5.0, 2.0, 1.0]).unwrap(), &ground, &query, &mut scratch, &[7]);
        several += usize::from(all.len() > 1);
        for (outcome, cells) in &all {
            assert_eq!((outcome.status, cells.first()), (cheapest.status, path.cells.first()));
            assert!(outcome.cost as f64 <= outcome.bound * cheapest.cost as f64);
        }
        assert!(all.windows(2).all(|pair| pair[1].0.bound < pair[0].0.bound));
        assert_eq!((all[all.len() - 1].0.cost, all[all.len() - 1].0.bound), (cheapest.cost, 1.0));
    }
    assert!(several > 10, "{several}");
}

#[test]
fn all_queries_of_known_maps_end_with_the_known_length() {
    let Some(folder) = std::env::var_os("THRONG_MOVINGAI") else {
        println!("THRONG_MOVINGAI is not set: only random maps are searched");
        return;
    };
    let thin = if cfg!(debug_assertions) { 40 } else { 1 };
    let mut maps: Vec<_> =
        std::fs::read_dir(FilePath::new(&folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "map"));
    assert!(!maps.is_empty());
    let (planner, mut scratch) = (Ara::default(), Scratch::default());
    for map in maps {
        let ground = Ground::new(Grid::load(&map).unwrap().into(), 0.4).unwrap();
        let lattice = ground.lattice();
        for problem in Scen::load(map.with_extension("map.scen")).unwrap().problems.iter().step_by(thin) {
            let [from, to] = [problem.from, problem.to].map(|(x, y)| lattice.cell(x, y));
            let all = routes(&planner, &ground, &Query::new(from, to), &mut scratch, &[u64::MAX]);
            for (outcome, cells) in &all {
                assert_legal(&ground, (from, to), outcome, cells);
                let length = Path { cells: cells.clone() }.length(lattice);
                assert!(length <= outcome.bound * problem.optimal + 0.01);
            }
            assert!(all.windows(2).all(|pair| pair[1].0.bound < pair[0].0.bound));
            let (outcome, cells) = &all[all.len() - 1];
            assert_eq!((outcome.status, outcome.bound), (Status::Found, 1.0));
            let length = Path { cells: cells.clone() }.length(lattice);
            assert!((length - problem.optimal).abs() <= 0.01, "{length} for {}, {}", problem.optimal, map.display());
        }
    }
}

/// A map on which the default schedule finds several routes.
fn several_routes() -> (Ground, Query, Vec<(Outcome, Vec<Cell>)>) {
    for seed in 0..50 {
        let ground = noise(150, 150, 33, seed);
        for (from, to) in trips(&ground, 20, seed) {
            let query = Query::new(from, to);
            let all = routes(&Ara::default(), &ground, &query, &mut Scratch::default(), &[u64::MAX]);
            if all.len() > 2 {
                return (ground, query, all);
            }
        }
    }
    panic!("no map has several routes");
}

#[test]
fn a_cancelled_search_keeps_the_best_route_so_far() {
    let (ground, mut query, all) = several_routes();
    let planner = Ara::default();
    for known in [0, 1, 2] {
        let cancel = Cancel::default();
        query.cancel = Some(cancel.clone());
        let mut scratch = Scratch::default();
        planner.begin(&ground, &query, &mut scratch).unwrap();
        planner.advance(&ground, &query, &mut scratch, 3);
        for (outcome, _) in &all[..known] {
            assert_eq!(planner.advance(&ground, &query, &mut scratch, u64::MAX), Progress::Route(*outcome));
        }
        cancel.cancel();
        let Progress::Done(end) = planner.advance(&ground, &query, &mut scratch, u64::MAX) else { panic!("goes on") };
        let mut path = Path::default();
        planner.path(&ground, &query, &scratch, &mut path);
        assert_eq!(end.status, Status::Cancelled);
        if let Some((best, cells)) = all[..known].last() {
            assert_eq!((end.cost, end.bound, &path.cells), (best.cost, best.bound, cells));
        } else {
            assert_eq!((end.cost, path.cells.len()), (0, 0));
        }
    }
}

#[test]
fn effort_is_reused() {
    let (mut apart, mut together) = (0, 0);
    let ground = rooms(200, 1);
    for (from, to) in trips(&ground, 30, 2) {
        let query = Query::new(from, to);
        let expanded = |planner: &dyn Planner| {
            plan(planner, &ground, &query, &mut Scratch::default(), &mut Path::default()).unwrap().expanded
        };
        apart += expanded(&Ara::new(&[3.0]).unwrap()) + expanded(&AStar(Octile));
        together += expanded(&Ara::new(&[3.0, 1.0]).unwrap());
    }
    assert!(together < apart, "{together} nodes together, {apart} apart");
}

#[test]
fn a_trip_from_a_cell_to_itself_is_that_cell() {
    let ground = noise(9, 9, 0, 1);
    let cell = ground.lattice().cell(4, 4);
    let all = routes(&Ara::default(), &ground, &Query::new(cell, cell), &mut Scratch::default(), &[0]);
    assert_eq!(all, [(Outcome { status: Status::Found, cost: 0, bound: 1.0, expanded: 0 }, vec![cell])]);
}

#[test]
fn impossible_schedules_are_errors() {
    let error = |weights: &[f64]| Ara::new(weights).unwrap_err().to_string();
    let start = "the schedule must have 1 to 64 weights, each from 1 to 1000 and lower than the one before; found";
    for (weights, found) in [
        (&[][..], "none"),
        (&[0.0], "0"),
        (&[2.0, 0.5], "2, 0.5"),
        (&[2.0, -1.0], "2, -1"),
        (&[f64::NAN, 1.0], "NaN, 1"),
        (&[f64::INFINITY, 1.0], "inf, 1"),
        (&[1000.5], "1000.5"),
        (&[2.0, 2.0, 1.0], "2, 2, 1"),
        (&[1.0, 2.0], "1, 2"),
    ] {
        assert_eq!(error(weights), format!("{start} {found}"));
    }
    let many: Vec<f64> = (0..65).map(|i| f64::from(100 - i)).collect();
    assert!(error(&many).starts_with(start));
    assert!(Ara::new(&many[1..]).is_ok());
    assert_eq!(Ara::default(), Ara::new(&[3.0, 2.0, 1.5, 1.0]).unwrap());
}

#[test]
fn time_bounds_a_search() {
    let (ground, query, all) = several_routes();
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let mut seen = Vec::new();
    let hour = Duration::from_hours(1);
    let end = plan_within(&Ara::default(), &ground, &query, &mut scratch, &mut path, hour, |outcome, path| {
        seen.push((*outcome, path.cells.clone()));
    });
    seen.push((end.unwrap(), path.cells.clone()));
    assert_eq!(seen, all);
    // No time at all: the route of a thousand expansions.
    for planner in [&Ara::default() as &dyn Planner, &AStar(Octile)] {
        let zero = Duration::ZERO;
        let end = plan_within(planner, &ground, &query, &mut scratch, &mut path, zero, |_, _| ()).unwrap();
        assert!(end.expanded <= 1024);
        assert!(!path.cells.is_empty() && path.cost(ground.lattice()) == end.cost);
    }
}

#[test]
fn nothing_is_allocated_after_warm_up() {
    let ground = rooms(120, 3);
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let mut bytes = 0;
    for round in 0..4 {
        for (from, to) in trips(&ground, 20, 5) {
            plan(&Ara::default(), &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
        }
        assert!(round == 0 || scratch.bytes() == bytes);
        bytes = scratch.bytes();
    }
}
