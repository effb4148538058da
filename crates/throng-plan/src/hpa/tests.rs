use super::*;
use crate::{
    Cancel, Cost, Dijkstra, Goal, Hierarchy, Limits, Outcome, Path, PlanError, Planner, Progress, Query, Scratch,
    Status, plan,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::{Cell, Corners, Grid, Ground, Lattice, Link, Mobility, Steps, TerrainCosts};

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    grid
}

fn ground(grid: Grid, steps: Steps) -> Ground {
    Ground::build(grid.into(), Mobility { steps, ..Mobility::new(0.4) }).unwrap()
}

fn any_steps() -> impl Strategy<Value = Steps> {
    prop::sample::select(vec![
        Steps::Four,
        Steps::Eight(Corners::Never),
        Steps::Eight(Corners::OneSide),
        Steps::Eight(Corners::Always),
    ])
}

/// Each cell is a legal step from the one before.
fn assert_legal(ground: &Ground, cells: &[Cell]) {
    let offsets = ground.lattice().offsets();
    for pair in cells.windows(2) {
        let step = pair[1].0.wrapping_sub(pair[0].0) as i32;
        let d = offsets.iter().position(|&offset| offset == step);
        assert!(d.is_some_and(|d| ground.moves(pair[0]) >> d & 1 == 1), "{pair:?} on {:?}", ground.lattice());
    }
}

fn cheapest(ground: &Ground, query: &Query, scratch: &mut Scratch) -> Outcome {
    plan(&Dijkstra, ground, query, scratch, &mut Path::default()).unwrap()
}

/// The route, with what [`Planner::advance`] reports in pieces of the given sizes.
fn in_pieces(
    hpa: &Hpa,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
    pieces: &[u64],
) -> (Outcome, Path, Path) {
    let (mut first, mut path) = (Path::default(), Path::default());
    hpa.begin(ground, query, scratch).unwrap();
    let mut pieces = pieces.iter().cycle();
    loop {
        match hpa.advance(ground, query, scratch, *pieces.next().unwrap()) {
            Progress::Running => {}
            Progress::Route(outcome) => {
                hpa.path(ground, query, scratch, &mut first);
                assert_eq!(outcome.cost, first.cost(ground.lattice()));
            }
            Progress::Done(outcome) => {
                hpa.path(ground, query, scratch, &mut path);
                return (outcome, first, path);
            }
        }
    }
}

fn settings() -> impl Strategy<Value = HpaSettings> {
    (prop::sample::select(vec![4_u32, 5, 7, 8]), 1_u8..=3).prop_map(|(cluster, levels)| HpaSettings { cluster, levels })
}

/// Settings with as many levels as fit.
fn fit(mut settings: HpaSettings, lattice: Lattice) -> HpaSettings {
    while settings.levels > 1 && !settings.fits(lattice) {
        settings.levels -= 1;
    }
    if settings.fits(lattice) { settings } else { HpaSettings::fitting(lattice) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn routes_are_legal_and_found_where_there_is_one(
        (width, height) in (1_u32..70, 1_u32..70),
        (closed, seed) in (prop::sample::select(vec![0_u32, 10, 25, 40, 50]), any::<u64>()),
        steps in any_steps(),
        wanted in settings(),
        pieces in prop::collection::vec(0_u64..20, 0..5),
    ) {
        let ground = ground(noise(width, height, closed, seed), steps);
        let lattice = ground.lattice();
        let hpa = Hpa::new(&ground, fit(wanted, lattice)).unwrap();
        let passable: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
        let mut random = Pcg32::seed_from_u64(seed);
        let (mut scratch, mut path, mut part) = (Scratch::default(), Path::default(), Path::default());
        let mut itinerary = Itinerary::default();
        let pieces: Vec<u64> = pieces.into_iter().chain([3]).collect();
        for _ in 0..if passable.is_empty() { 0 } else { 12 } {
            let mut any = || passable[random.random_range(0..passable.len())];
            let query = Query::new(any(), any());
            let goal = scratch_goal(&query);
            let best = cheapest(&ground, &query, &mut scratch);
            let outcome = plan(&hpa, &ground, &query, &mut scratch, &mut path).unwrap();
            prop_assert_eq!(outcome.status, best.status);
            if best.status == Status::NoRoute {
                prop_assert_eq!((outcome.expanded, outcome.cost, path.cells.len()), (0, 0, 0));
                continue;
            }
            assert_legal(&ground, &path.cells);
            prop_assert_eq!((path.cells.first(), path.cells.last()), (Some(&query.from), Some(&goal)));
            prop_assert_eq!(path.cost(lattice), outcome.cost);
            prop_assert!(outcome.cost >= best.cost);
            prop_assert!(outcome.cost as f64 <= outcome.bound * best.cost as f64 * (1.0 + 1e-12));

            // In pieces it is the same, and begins with the first part.
            let (pieced, first, whole) = in_pieces(&hpa, &ground, &query, &mut scratch, &pieces);
            prop_assert_eq!((pieced, &whole), (outcome, &path));
            prop_assert!(path.cells.starts_with(&first.cells));
            // A part without a step is none.
            prop_assert!(first.cells.is_empty() || first.cells.len() > 10, "{} cells", first.cells.len());

            // Part by part it is a route too, at most as long as was said.
            let known = hpa.itinerary(&ground, &query, &mut scratch, &mut itinerary).unwrap();
            prop_assert_eq!((known.status, known.cost), (Status::Found, itinerary.cost()));
            let mut cells = vec![query.from];
            while itinerary.refine_next(&hpa, &ground, &mut scratch, &mut part) {
                prop_assert_eq!(part.cells.first(), cells.last());
                cells.extend_from_slice(&part.cells[1..]);
            }
            prop_assert_eq!((cells.last(), itinerary.parts_left()), (Some(&goal), 0));
            assert_legal(&ground, &cells);
            let cost = Path { cells }.cost(lattice);
            prop_assert!(best.cost <= cost && cost <= known.cost, "{} {} {}", best.cost, cost, known.cost);
            prop_assert!(outcome.cost <= known.cost);
        }
    }

    #[test]
    fn a_repaired_hierarchy_equals_a_new_one(
        (width, height) in (1_u32..90, 1_u32..90),
        (closed, seed) in (prop::sample::select(vec![0_u32, 5, 25, 50]), any::<u64>()),
        steps in any_steps(),
        radius in prop::sample::select(vec![0.4_f32, 1.2]),
        wanted in settings(),
        edits in prop::collection::vec((1_usize..12, 1_u32..6), 1..12),
    ) {
        let mut grid = noise(width, height, closed, seed);
        let lattice = grid.lattice();
        let mobility = Mobility { steps, ..Mobility::new(radius) };
        let mut ground = Ground::build(grid.clone().into(), mobility).unwrap();
        let settings = fit(wanted, lattice);
        let mut hpa = Hpa::new(&ground, settings).unwrap();
        let mut random = Pcg32::seed_from_u64(seed);
        for (cells, block) in edits {
            let mut dirty = Vec::new();
            for _ in 0..cells {
                let (x, y) = (random.random_range(0..width), random.random_range(0..height));
                let open = random.random_bool(0.5);
                for (x, y) in (x..x + block).flat_map(|x| (y..y + block).map(move |y| (x, y))) {
                    if let Some(cell) = lattice.checked_cell(x.into(), y.into()).filter(|&cell| grid.is_open(cell) != open) {
                        grid.set_open(cell, open);
                        dirty.push(cell);
                    }
                }
            }
            ground = ground.edited(grid.clone().into(), &dirty).unwrap();
            hpa = hpa.repaired(&ground, &dirty).unwrap();
            let fresh = Hpa::new(&ground, settings).unwrap();
            prop_assert!(hpa == fresh, "{settings:?} on {width} x {height}");
            prop_assert_eq!(hpa.bytes(), fresh.bytes());
        }
    }
}

fn scratch_goal(query: &Query) -> Cell {
    match query.goal {
        Goal::Cell(cell) => cell,
        _ => Cell::NONE,
    }
}

#[test]
fn an_edit_shares_the_clusters_it_does_not_touch() {
    let mut grid = noise(300, 300, 10, 1);
    let ground = ground(grid.clone(), Steps::default());
    let hpa = Hpa::new(&ground, HpaSettings { cluster: 16, levels: 2 }).unwrap();
    let cell = grid.lattice().cell(100, 104);
    grid.set_open(cell, !grid.is_open(cell));
    let edited = ground.edited(grid.into(), &[cell]).unwrap();
    let repaired = hpa.repaired(&edited, &[cell]).unwrap();
    let changed = |level: usize| {
        let pairs = hpa.levels[level].clusters.iter().zip(&repaired.levels[level].clusters);
        pairs.filter(|(old, new)| !Arc::ptr_eq(old, new)).count()
    };
    assert_eq!((changed(0), changed(1)), (1, 1));
    assert!(repaired != hpa);
}

#[test]
fn an_edit_makes_the_old_hierarchy_useless_and_the_updated_one_answers() {
    let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap());
    let at = |x, y| Lattice::new(64, 64, 1.0).unwrap().cell(x, y);
    let old = Arc::new(ground(grid.clone(), Steps::default()));
    let hpa: Arc<dyn Planner> = Arc::new(Hpa::new(&old, HpaSettings { cluster: 8, levels: 2 }).unwrap());
    let wall: Vec<Cell> = (0..63).map(|y| at(31, y)).collect();
    for &cell in &wall {
        grid.set_open(cell, false);
    }
    let new = Arc::new(old.edited(grid.into(), &wall).unwrap());
    let query = Query::new(at(3, 3), at(60, 3));
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let error = plan(&*hpa, &new, &query, &mut scratch, &mut path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the planner hpa was made for another ground, or the map was edited since; make it for this one"
    );
    let updated = hpa.updated(&new, &wall).unwrap().unwrap();
    plan(&*updated, &new, &query, &mut scratch, &mut path).unwrap();
    assert!(path.cells.contains(&at(31, 63)));
    let error = plan(&*updated, &old, &query, &mut scratch, &mut path).unwrap_err();
    assert_eq!(error, PlanError::OtherGround { planner: "hpa" });

    // A route that is refined part by part ends with the map that it was found on.
    let made = [&old, &new].map(|ground| Hpa::new(ground, HpaSettings { cluster: 8, levels: 1 }).unwrap());
    let mut itinerary = Itinerary::default();
    let query = Query::new(at(3, 3), at(60, 60));
    made[1].itinerary(&new, &query, &mut scratch, &mut itinerary).unwrap();
    assert!(itinerary.refine_next(&made[1], &new, &mut scratch, &mut path));
    assert!(!itinerary.refine_next(&made[0], &old, &mut scratch, &mut path));
    assert!(itinerary.refine_next(&made[1], &new, &mut scratch, &mut path));
}

#[test]
fn impossible_settings_are_errors() {
    let ground = ground(Grid::open_plain(Lattice::new(100, 60, 1.0).unwrap()), Steps::default());
    let error = |cluster, levels| Hpa::new(&ground, HpaSettings { cluster, levels }).unwrap_err().to_string();
    assert_eq!(error(3, 1), "the side of a cluster must be 4 to 256 cells; found 3");
    assert_eq!(error(257, 1), "the side of a cluster must be 4 to 256 cells; found 257");
    assert_eq!(error(16, 0), "a hierarchy over clusters of 16 cells must have 1 to 5 levels; found 0");
    assert_eq!(error(16, 7), "a hierarchy over clusters of 16 cells must have 1 to 5 levels; found 7");
    assert_eq!(
        error(32, 2),
        "a hierarchy of 2 levels with clusters of 32 cells has clusters of 128 cells at the top, larger than the map of \
         100 x 60; ask for fewer levels or smaller clusters"
    );
    assert!(Hpa::new(&ground, HpaSettings { cluster: 25, levels: 2 }).is_ok());
    for side in 1..200 {
        let lattice = Lattice::new(side, 200 - side, 1.0).unwrap();
        assert_eq!(HpaSettings::fitting(lattice).check(lattice), Ok(()));
    }
}

#[test]
fn terrain_and_links_are_refused() {
    let mut grid = Grid::open_plain(Lattice::new(40, 40, 1.0).unwrap());
    let at = |x, y| Lattice::new(40, 40, 1.0).unwrap().cell(x, y);
    grid.set_terrain(at(3, 3), 1);
    let grid = Arc::new(grid);
    let error = |mobility| {
        let ground = Ground::build(grid.clone(), mobility).unwrap();
        Hpa::new(&ground, HpaSettings::fitting(ground.lattice())).unwrap_err().to_string()
    };
    let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(3))]));
    assert_eq!(
        error(Mobility { terrain, ..Mobility::new(0.4) }),
        "the planner hpa cannot count what terrain costs; choose one that can, as astar"
    );
    let links = vec![Link { from: at(1, 1), to: at(30, 30), cost: 1, is_open: true }];
    assert_eq!(
        error(Mobility { links, ..Mobility::new(0.4) }),
        "the planner hpa cannot use links; choose one that can, as astar"
    );
}

#[test]
fn limits_and_cancel_end_a_search() {
    let ground = ground(noise(200, 200, 20, 5), Steps::default());
    let hpa = Hpa::new(&ground, HpaSettings { cluster: 8, levels: 1 }).unwrap();
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.region(cell) == 1).collect();
    let (from, to) = (passable[0], passable[passable.len() - 1]);
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let whole = plan(&hpa, &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
    let away = |cell: Option<&Cell>| straight::Sight::new(&ground).estimate(*cell.unwrap(), to);
    let mut last = Cost::MAX;
    for expansions in [0, 1, 10, whole.expanded / 2] {
        let query = Query { limits: Limits { expansions }, ..Query::new(from, to) };
        let outcome = plan(&hpa, &ground, &query, &mut scratch, &mut path).unwrap();
        assert_eq!((outcome.status, outcome.expanded), (Status::Partial, expansions));
        assert_eq!(outcome.cost, path.cost(ground.lattice()));
        assert_eq!(path.cells.first(), Some(&from));
        assert_legal(&ground, &path.cells);
        assert!(Cost::from(away(path.cells.last())) < last);
        last = away(path.cells.last()).into();
    }

    let cancel = Cancel::default();
    let query = Query { cancel: Some(cancel.clone()), ..Query::new(from, to) };
    for pieces in [0, 5, whole.expanded + 1] {
        let cancel = Cancel::default();
        let query = Query { cancel: Some(cancel.clone()), ..query.clone() };
        hpa.begin(&ground, &query, &mut scratch).unwrap();
        assert!(!matches!(hpa.advance(&ground, &query, &mut scratch, pieces), Progress::Done(_)));
        cancel.cancel();
        let Progress::Done(outcome) = hpa.advance(&ground, &query, &mut scratch, 5) else { panic!("still running") };
        hpa.path(&ground, &query, &scratch, &mut path);
        assert_eq!((outcome.status, outcome.cost, path.cells.len()), (Status::Cancelled, 0, 0));
    }
    cancel.cancel();
    let outcome = plan(&hpa, &ground, &query, &mut scratch, &mut path).unwrap();
    assert_eq!((outcome.status, path.cells.len()), (Status::Cancelled, 0));
}

#[test]
fn the_first_part_comes_before_the_rest_is_refined() {
    let ground = ground(noise(400, 400, 20, 9), Steps::default());
    let hpa = Hpa::new(&ground, HpaSettings { cluster: 16, levels: 2 }).unwrap();
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.region(cell) == 1).collect();
    let query = Query::new(passable[0], passable[passable.len() - 1]);
    let mut scratch = Scratch::default();
    let (outcome, first, path) = in_pieces(&hpa, &ground, &query, &mut scratch, &[u64::MAX]);
    assert!(first.cells.len() > 10 && first.cells.len() * 3 < path.cells.len(), "{}", first.cells.len());
    assert!(path.cells.starts_with(&first.cells));
    assert!(outcome.bound < 1.3);
}

#[test]
fn memory_does_not_grow_after_warm_up() {
    let ground = ground(noise(300, 300, 20, 9), Steps::default());
    let hpa = Hpa::new(&ground, HpaSettings { cluster: 16, levels: 2 }).unwrap();
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.region(cell) == 1).collect();
    let mut scratch = Scratch::default();
    let mut path = Path::default();
    let mut round = || {
        for i in 0..40 {
            let query = Query::new(passable[i * 1001 % passable.len()], passable[i * 7703 % passable.len()]);
            plan(&hpa, &ground, &query, &mut scratch, &mut path).unwrap();
        }
        (scratch.bytes(), path.cells.capacity())
    };
    let warm = round();
    assert_eq!(round(), warm);
}

#[test]
fn a_search_can_be_looked_into() {
    let mut grid = Grid::open_plain(Lattice::new(160, 120, 1.0).unwrap());
    (0..100).for_each(|y| grid.set_open(grid.lattice().cell(80, y), false));
    let ground = ground(grid, Steps::Eight(Corners::Never));
    let hpa = Hpa::new(&ground, HpaSettings { cluster: 8, levels: 2 }).unwrap();
    let at = |x, y| ground.lattice().cell(x, y);
    let (query, mut scratch) = (Query::new(at(5, 5), at(150, 10)), Scratch::default());
    assert!(hpa.levels() == 2 && hpa.cluster_side(1) == Some(32) && hpa.cluster_side(2).is_none());
    for level in 0..2 {
        let mut doors: Vec<Cell> = hpa.doors(level).collect();
        let count = doors.len();
        doors.sort_unstable();
        doors.dedup();
        // Each once, on a border line, and where one can stand.
        assert!(doors.len() == count && count > 10 && hpa.doors(2).count() == 0);
        let side = hpa.cluster_side(level).unwrap();
        let on_a_line = |cell: &Cell| {
            let (x, y) = ground.lattice().column_row(*cell);
            (x % side == 0 || y % side == 0) && ground.is_passable(*cell)
        };
        assert!(doors.iter().all(on_a_line), "level {level}");
    }
    hpa.begin(&ground, &query, &mut scratch).unwrap();
    assert!(hpa.level(&scratch).is_none() && hpa.seen_doors(&scratch).is_empty() && hpa.way_ahead(&scratch).is_empty());
    let mut before = 0;
    loop {
        let progress = hpa.advance(&ground, &query, &mut scratch, 1);
        let seen = hpa.seen_doors(&scratch);
        if progress == Progress::Running && hpa.way_ahead(&scratch).is_empty() {
            let level = hpa.level(&scratch).unwrap();
            let doors: Vec<Cell> = hpa.doors(level).collect();
            assert!(seen.iter().all(|door| doors.contains(&door.cell)));
            let expanded = seen.iter().filter(|door| door.expanded).count();
            assert!(expanded <= scratch.expanded() as usize && expanded >= before);
            before = expanded;
            continue;
        }
        // The rest of the way gets shorter as its parts are refined, and leads to the goal.
        let ahead = hpa.way_ahead(&scratch);
        if let Progress::Route(_) = progress {
            assert!(ahead.len() > 2 && *ahead.last().unwrap() == at(150, 10) && ahead[0] != at(5, 5));
        }
        if let Progress::Done(_) = progress {
            assert_eq!(ahead, [at(150, 10)]);
            break;
        }
    }
    assert!(before > 5);
}
