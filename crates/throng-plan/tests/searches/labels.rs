//! Labels: exact, legal, after edits, within their memory; jump point search where they would need more.
#![allow(clippy::unwrap_used, missing_docs)]

use super::jps::{blocks, costs, grids, ground, noise, solve, steps, trips, walk};
use proptest::prelude::*;
use std::sync::Arc;
use throng_grid::{Cell, Corners, Grid, Ground, Link, Mobility, Scen, Steps};
use throng_plan::{
    AStar, Cancel, Capability, Guarantee, Jps, Labels, Limits, Octile, Outcome, Path, PlanError, Planner,
    PlannerChoice, Query, Scratch, Status, plan,
};

/// Maps of which the tables are made quickly, however dense the walls are.
fn small_grids() -> impl Strategy<Value = Grid> {
    grids().prop_filter("large", |grid| grid.lattice().len() < 6000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 30 } else { 300 }, failure_persistence: None, ..Default::default() })]

    /// Any size, density and radius: Dijkstra's cost, by legal steps from start to goal.
    #[test]
    fn costs_are_those_of_dijkstra(grid in small_grids(), seed in any::<u64>(), radius in prop_oneof![Just(0.4), 0.6_f32..2.0]) {
        let ground = Ground::new(grid.into(), radius).unwrap();
        let planner = Labels::within(&ground, usize::MAX).unwrap();
        prop_assert!(planner.has_tables());
        let mut scratch = Scratch::default();
        for (from, _) in trips(&ground, 3, seed) {
            let costs = costs(&ground, from);
            for (_, to) in trips(&ground, 20, seed ^ 1) {
                let (outcome, path) = solve(&planner, &ground, &Query::new(from, to), &mut scratch);
                prop_assert_eq!((outcome.status == Status::Found).then_some(outcome.cost), costs.get(&to).copied());
                prop_assert_eq!(walk(&ground, &path), outcome.cost);
                if outcome.status == Status::Found {
                    prop_assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
                    prop_assert_eq!(outcome.expanded, u64::from(from != to));
                } else {
                    prop_assert_eq!((outcome.status, outcome.expanded, path.cells.len()), (Status::NoRoute, 0, 0));
                }
            }
        }
    }

    /// After any edit the planner answers as jump point search does, of whatever radius.
    #[test]
    fn an_updated_planner_answers_as_a_fresh_one(
        grid in small_grids(), seed in any::<u64>(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..6),
        radius in prop_oneof![Just(0.4), 0.6_f32..2.5],
    ) {
        let mut grid = Arc::new(grid);
        let mut ground = Arc::new(Ground::new(grid.clone(), radius).unwrap());
        let mut updated: Arc<dyn Planner> = Arc::new(Labels::new(&ground).unwrap());
        let cells: Vec<Cell> = grid.lattice().cells().collect();
        for edit in edits.chunks(2) {
            let mut next = (*grid).clone();
            let dirty: Vec<Cell> = edit.iter().map(|(index, _)| *index.get(&cells)).collect();
            for (&cell, &(_, open)) in dirty.iter().zip(edit) {
                next.set_open(cell, open);
            }
            grid = next.into();
            ground = Arc::new(ground.edited(grid.clone(), &dirty).unwrap());
            updated = updated.updated(&ground, &dirty).unwrap().unwrap();
            let fresh = Labels::within(&ground, 0).unwrap();
            for (from, to) in trips(&ground, 6, seed) {
                let query = Query::new(from, to);
                let (mut a, mut b) = (Scratch::default(), Scratch::default());
                prop_assert_eq!(solve(&*updated, &ground, &query, &mut a), solve(&fresh, &ground, &query, &mut b));
            }
        }
    }

    /// With a limit of memory that leaves no room, the answers are those of jump point search.
    #[test]
    fn without_room_for_tables_it_is_jump_point_search(grid in small_grids(), seed in any::<u64>(), limit in 0_u64..20) {
        let ground = ground(grid);
        let (labels, jps) = (Labels::within(&ground, 0).unwrap(), Jps::new(&ground).unwrap());
        prop_assert!(!labels.has_tables());
        prop_assert_eq!((labels.capabilities(), labels.bytes()), (jps.capabilities(), jps.bytes()));
        let mut scratch = Scratch::default();
        for (from, to) in trips(&ground, 6, seed) {
            for query in [Query::new(from, to), Query { limits: Limits { expansions: limit }, ..Query::new(from, to) }] {
                let expected = solve(&jps, &ground, &query, &mut scratch);
                prop_assert_eq!(solve(&labels, &ground, &query, &mut scratch), expected);
            }
        }
    }
}

/// The Moving AI maps of the folder that `THRONG_MOVINGAI` names; without it, our own and random ones.
#[test]
fn known_maps_are_solved_as_the_files_and_astar_say() {
    let mut scratch = Scratch::default();
    let mut check = |ground: &Ground, trips: &[(Cell, Cell, Option<f64>)]| {
        let planner = Labels::new(ground).unwrap();
        for &(from, to, length) in trips {
            let query = Query::new(from, to);
            let (outcome, path) = solve(&planner, ground, &query, &mut scratch);
            let shown = path.length(ground.lattice());
            if let Some(length) = length {
                assert!((shown - length).abs() <= 0.01, "{from:?} {to:?}: {shown} for {length}");
                assert_eq!(outcome.status, Status::Found);
            } else {
                let expected = solve(&AStar(Octile), ground, &query, &mut scratch).0;
                assert_eq!((outcome.status, outcome.cost), (expected.status, expected.cost), "{from:?} {to:?}");
            }
            assert_eq!(path.cost(ground.lattice()), outcome.cost);
            if outcome.status == Status::Found {
                assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
            }
            let legal = |pair: &[Cell]| steps(ground, pair[0]).iter().any(|&(to, _)| to == pair[1]);
            assert!(path.cells.windows(2).all(legal));
        }
    };
    let folder = std::env::var_os("THRONG_MOVINGAI").map(std::path::PathBuf::from);
    let known = folder.is_some();
    let folder = folder.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps"));
    let mut maps: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    maps.retain(|path| path.extension().is_some_and(|extension| extension == "map"));
    maps.sort();
    assert!(!maps.is_empty());
    for map in maps {
        let ground = ground(Grid::load(&map).unwrap());
        let cell = |(x, y)| ground.lattice().cell(x, y);
        if known {
            let problems = Scen::load(map.with_extension("map.scen")).unwrap().problems;
            let trips: Vec<_> = problems.iter().map(|p| (cell(p.from), cell(p.to), Some(p.optimal))).collect();
            check(&ground, &trips);
        } else if !cfg!(debug_assertions) || ground.lattice().len() < 40_000 {
            let trips: Vec<_> = trips(&ground, 30, 1).into_iter().map(|(from, to)| (from, to, None)).collect();
            check(&ground, &trips);
        }
    }
    for grid in [noise(300, 200, 1, 1), noise(70, 90, 25, 2), noise(90, 90, 38, 3), blocks(300, 130, 40, 4)] {
        let ground = ground(grid);
        let trips: Vec<_> = trips(&ground, 200, 5).into_iter().map(|(from, to)| (from, to, None)).collect();
        check(&ground, &trips);
    }
}

/// One memory serves planners of several grounds in turn.
#[test]
fn a_memory_serves_several_grounds() {
    let grounds = [noise(60, 60, 25, 1), noise(30, 90, 10, 2), blocks(80, 80, 20, 3)].map(ground);
    let planners = [0, 1, 2].map(|i| Labels::new(&grounds[i]).unwrap());
    let mut shared = Scratch::default();
    for seed in 0..20 {
        for (ground, planner) in grounds.iter().zip(&planners) {
            for (from, to) in trips(ground, 3, seed) {
                let query = Query::new(from, to);
                let alone = solve(planner, ground, &query, &mut Scratch::default());
                assert_eq!(solve(planner, ground, &query, &mut shared), alone);
            }
        }
    }
}

#[test]
fn limits_and_switches_hold() {
    let ground = ground(blocks(100, 100, 40, 3));
    let planner = Labels::new(&ground).unwrap();
    let (from, to) = trips(&ground, 1, 3)[0];
    let stopped = Query { limits: Limits { expansions: 0 }, ..Query::new(from, to) };
    let (outcome, path) = solve(&planner, &ground, &stopped, &mut Scratch::default());
    assert_eq!((outcome.status, outcome.cost, path.cells), (Status::Partial, 0, vec![from]));
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = Query { cancel: Some(cancel), ..Query::new(from, to) };
    let (outcome, path) = solve(&planner, &ground, &cancelled, &mut Scratch::default());
    assert_eq!((outcome.status, outcome.cost, path.cells.len()), (Status::Cancelled, 0, 0));
    let (outcome, path) = solve(&planner, &ground, &Query::new(from, from), &mut Scratch::default());
    assert_eq!(outcome, Outcome { status: Status::Found, cost: 0, bound: 1.0, expanded: 0 });
    assert_eq!(path.cells, [from]);
}

/// Ground strewn with walls: the labels would be many times larger than the map.
#[test]
fn noise_falls_back_and_says_so() {
    let ground = ground(noise(250, 250, 33, 1));
    let planner = Labels::new(&ground).unwrap();
    assert!(!planner.has_tables());
    assert!(planner.bytes() < Labels::MOST_BYTES_OF_SMALL_MAPS);
    assert!(planner.capabilities().can(Capability::Trace), "that of jump point search");
    let mut scratch = Scratch::default();
    for (from, to) in trips(&ground, 20, 2) {
        let query = Query::new(from, to);
        let expected = solve(&AStar(Octile), &ground, &query, &mut scratch).0;
        let outcome = solve(&planner, &ground, &query, &mut scratch).0;
        assert_eq!((outcome.status, outcome.cost), (expected.status, expected.cost));
    }
}

/// An edit makes no tables, nor does a planner that is made for an edited map, as when a snapshot is read: both are one.
#[test]
fn after_an_edit_routes_are_those_of_jump_point_search() {
    let mut grid = noise(40, 40, 20, 1);
    let before = Arc::new(Ground::new(Arc::new(grid.clone()), 0.4).unwrap());
    let planner = Labels::new(&before).unwrap();
    assert!(planner.has_tables() && planner.remark().is_none());
    let mut dirty = Vec::new();
    let cell = grid.lattice().cells().find(|&cell| grid.is_open(cell)).unwrap();
    grid.edit(&[throng_grid::Edit::Close(cell)], &mut dirty);
    let ground = Arc::new(before.edited(grid.into(), &dirty).unwrap());
    let updated = planner.updated(&ground, &dirty).unwrap().unwrap();
    let fresh = Labels::new(&ground).unwrap();
    let jps = Jps::new(&ground).unwrap();
    assert!(!fresh.has_tables() && fresh.remark() == updated.remark());
    assert_eq!((updated.bytes(), fresh.bytes()), (jps.bytes(), jps.bytes()));
    assert!(updated.remark().unwrap().starts_with("the map was edited"));
    let mut scratch = Scratch::default();
    for (from, to) in trips(&ground, 30, 2) {
        let query = Query::new(from, to);
        let expected = solve(&jps, &ground, &query, &mut scratch);
        assert_eq!(solve(&*updated, &ground, &query, &mut scratch), expected);
        assert_eq!(solve(&fresh, &ground, &query, &mut scratch), expected);
    }
}

#[test]
fn what_it_cannot_do_and_another_ground_are_errors() {
    let grid = Arc::new(noise(20, 20, 10, 1));
    let at = |x, y| grid.lattice().cell(x, y);
    let ground = Arc::new(Ground::new(grid.clone(), 0.4).unwrap());
    let other = Arc::new(Ground::new(grid.clone(), 0.4).unwrap());
    let build = |mobility| Arc::new(Ground::build(grid.clone(), mobility).unwrap());
    let steps = |steps| build(Mobility { steps, ..Mobility::new(0.4) });
    let links = vec![Link::new(at(2, 2), at(5, 5), 9)];
    let choice: PlannerChoice = "labels".parse().unwrap();
    let planner = choice.build(&ground).unwrap();
    assert_eq!((planner.name(), planner.capabilities().guarantee), ("labels", Guarantee::Optimal));
    for (ground, what) in [
        (steps(Steps::Four), Capability::FourNeighbours),
        (steps(Steps::Eight(Corners::OneSide)), Capability::CutCorners),
        (steps(Steps::Eight(Corners::Always)), Capability::CutCorners),
        (build(Mobility { links, ..Mobility::new(0.4) }), Capability::Links),
    ] {
        let cannot = PlanError::Cannot { planner: "labels", what };
        assert_eq!(choice.build(&ground).unwrap_err(), cannot);
        assert_eq!(planner.updated(&ground, &[]).unwrap_err(), cannot);
    }
    let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let query = Query::new(cells[0], cells[1]);
    let error = plan(&*planner, &other, &query, &mut Scratch::default(), &mut Path::default()).unwrap_err();
    assert_eq!(error, PlanError::OtherGround { planner: "labels" });
    assert!(planner.updated(&other, &[]).unwrap().unwrap().begin(&other, &query, &mut Scratch::default()).is_ok());
}

/// A map of single walls, one in a square of so many cells.
fn single_walls(side: u32, every: u32) -> Grid {
    let mut grid = Grid::open_plain(throng_grid::Lattice::new(side, side, 1.0).unwrap());
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        grid.set_open(cell, x % every != 1 || y % every != 1);
    }
    grid
}

/// Processor time of all threads so far (s), where the system tells it, in hundredths.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The limit of work leaves the tables to maps that have long ways and not too many corners.
#[test]
fn our_maps_with_long_ways_have_tables() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    for name in ["caverns", "fortress", "gates"] {
        let ground = ground(Grid::load(folder.join(name).with_extension("map")).unwrap());
        assert!(Labels::new(&ground).unwrap().has_tables(), "{name}");
    }
}

/// Prints how long tables take: `cargo test --release --test searches times_of_tables -- --ignored --nocapture`.
#[test]
#[ignore = "prints times"]
fn times_of_tables() {
    let mut maps: Vec<(String, Grid)> =
        [28, 33, 40].map(|walls| (format!("noise of {walls} %, 256"), noise(256, 256, walls, 1))).into();
    maps.push(("noise of 1 %, 512".into(), noise(512, 512, 1, 1)));
    maps.extend([3, 4, 6, 8, 16].map(|every| (format!("a wall in {every}, 512"), single_walls(512, every))));
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let folders = std::env::var_os("THRONG_MOVINGAI").map(std::path::PathBuf::from).into_iter().chain([own]);
    for path in folders.flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "map") {
            maps.push((path.display().to_string(), Grid::load(&path).unwrap()));
        }
    }
    for (name, grid) in maps {
        let ground = ground(grid);
        let since = processor_time();
        let planner = Labels::new(&ground).unwrap();
        let (seconds, bytes) = (processor_time() - since, planner.bytes());
        println!("{name}: {seconds:.2} s of processor time, {bytes} bytes, tables: {}", planner.has_tables());
    }
}
