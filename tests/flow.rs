//! Flow fields and distances against the `pathfinding` crate, our own planners, and themselves.
#![allow(clippy::unwrap_used, missing_docs)]

use pathfinding::prelude::dijkstra_all;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::{Path as FilePath, PathBuf};
use throng::grid::generate::{Kind, generate};
use throng::grid::{Cell, DIAGONAL, Direction, Grid, Ground, Lattice, Layer, STRAIGHT, Scen};
use throng::plan::{
    AStar, Cost, Dijkstra, FlowField, Path, Planner, Query, Scratch, UNREACHED, distances_from, distances_to, plan,
};

fn ground(grid: &Grid) -> Ground {
    Ground::new(grid.clone().into(), 0.4).unwrap()
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

prop_compose! {
    fn small_maps()(width in 1..40_u32, height in 1..40_u32, closed in 0..60_u32, seed: u64) -> Grid {
        noise(width, height, closed, seed)
    }
}

/// Up to `count` passable cells, some of them twice.
fn some(ground: &Ground, count: usize, random: &mut Pcg32) -> Vec<Cell> {
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let count = if passable.is_empty() { 0 } else { count };
    (0..count).map(|_| passable[random.random_range(0..passable.len())]).collect()
}

/// The legal steps out of a cell, told from the masks alone.
fn steps(ground: &Ground, cell: Cell) -> Vec<(Direction, Cell, u32)> {
    let step = |d: Direction| {
        let to = Cell(cell.0.wrapping_add_signed(ground.lattice().offsets()[d as usize]));
        (ground.moves(cell) >> d as u8 & 1 == 1).then_some((d, to, if d.is_diagonal() { DIAGONAL } else { STRAIGHT }))
    };
    Direction::ALL.into_iter().filter_map(step).collect()
}

/// The cost of every cell from the nearest of `sources`, by the `pathfinding` crate.
fn oracle(ground: &Ground, sources: &[Cell]) -> Layer<u32> {
    let mut costs = Layer::new(ground.lattice(), UNREACHED);
    for &source in sources {
        let all = dijkstra_all(&source, |&cell| steps(ground, cell).into_iter().map(|(_, to, cost)| (to, cost)));
        costs[source] = 0;
        for (cell, (_, cost)) in all {
            costs[cell] = costs[cell].min(cost);
        }
    }
    costs
}

/// Cell for cell: goals, what cannot be reached, and of the cheapest steps the first.
fn assert_whole(ground: &Ground, field: &FlowField, goals: &[Cell]) {
    let mut path = Path::default();
    for cell in ground.lattice().cells() {
        let cost = field.costs()[cell];
        let best = steps(ground, cell).into_iter().find(|&(_, to, step)| {
            field.costs()[to] != UNREACHED && Cost::from(field.costs()[to]) + Cost::from(step) == Cost::from(cost)
        });
        let is_goal = goals.contains(&cell);
        assert_eq!(field.is_goal(cell), is_goal);
        assert_eq!(field.cost(cell), (cost != UNREACHED).then_some(cost.into()));
        assert_eq!(field.descend(cell, &mut path), cost != UNREACHED);
        if is_goal || cost == UNREACHED {
            assert_eq!((field.direction(cell), field.next(cell)), (None, None));
            assert_eq!(field.headings()[cell], if is_goal { FlowField::GOAL } else { FlowField::NOWHERE });
        } else {
            let (direction, to, _) = best.unwrap();
            assert_eq!((field.direction(cell), field.next(cell)), (Some(direction), Some(to)));
        }
        if cost != UNREACHED {
            assert_eq!((path.cells[0], path.cost(ground.lattice())), (cell, cost.into()));
            assert!(field.is_goal(*path.cells.last().unwrap()));
        }
    }
    let inside = |cell: usize| ground.lattice().contains(Cell(cell as u32));
    let padding = (0..ground.lattice().len()).filter(|&cell| !inside(cell));
    assert!(padding.clone().all(|cell| field.headings().cells[cell] == FlowField::NOWHERE));
    assert!(padding.clone().all(|cell| field.costs().cells[cell] == UNREACHED));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn distances_and_fields_are_those_of_the_oracle(grid in small_maps(), goals in 0..4_usize, seed: u64) {
        let ground = ground(&grid);
        let goals = some(&ground, goals, &mut Pcg32::seed_from_u64(seed));
        let expected = oracle(&ground, &goals);
        let mut scratch = Scratch::default();
        let mut costs = Layer::new(Lattice::new(3, 3, 1.0).unwrap(), 7);
        distances_from(&ground, &goals, &mut scratch, &mut costs).unwrap();
        prop_assert!(costs == expected);
        costs.cells.fill(5);
        distances_to(&ground, &goals, &mut scratch, &mut costs).unwrap();
        prop_assert!(costs == expected);
        let field = FlowField::new(&ground, &goals, &mut scratch).unwrap();
        prop_assert!(field.costs() == &expected);
        assert_whole(&ground, &field, &goals);
    }

    /// Many edits one after the other: each time the field is the one that would be built anew.
    #[test]
    fn a_repaired_field_is_a_new_field(
        grid in small_maps(), goals in 1..4_usize, seed: u64, wide in prop::bool::weighted(0.3), most in 1..12_usize,
    ) {
        let mut grid = grid;
        let radius = if wide { 1.2 } else { 0.4 };
        let lattice = grid.lattice();
        let mut random = Pcg32::seed_from_u64(seed);
        let mut scratch = Scratch::default();
        let before = Ground::new(grid.clone().into(), radius).unwrap();
        let goals = some(&before, goals, &mut random);
        let mut field = FlowField::new(&before, &goals, &mut scratch).unwrap();
        for round in 0..30 {
            let (mut edited, mut dirty) = (grid.clone(), Vec::new());
            for _ in 0..random.random_range(0..=most) {
                let cell = lattice.cell(random.random_range(0..lattice.width), random.random_range(0..lattice.height));
                edited.set_open(cell, random.random_range(0..2) == 0);
                dirty.push(cell);
            }
            let ground = Ground::new(edited.clone().into(), radius).unwrap();
            let Ok(fresh) = FlowField::new(&ground, &goals, &mut Scratch::default()) else {
                // A goal was walled up: the field stays as it was.
                let kept = field.clone();
                prop_assert!(field.repair(&ground, &dirty, &mut scratch).is_err());
                prop_assert!(field == kept);
                continue;
            };
            grid = edited;
            if round % 2 == 0 {
                field = field.updated(&ground, &dirty, &mut scratch).unwrap();
            } else {
                field.repair(&ground, &dirty, &mut scratch).unwrap();
            }
            prop_assert!(field.costs() == fresh.costs(), "costs in round {}", round);
            prop_assert!(field == fresh, "headings in round {}", round);
        }
    }
}

/// The maps that `THRONG_MOVINGAI` names, and without it our own.
fn maps() -> Vec<PathBuf> {
    let own = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("maps");
    let folder = std::env::var_os("THRONG_MOVINGAI").map_or(own, PathBuf::from);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut maps: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "map")).collect();
    maps.sort();
    maps
}

/// On large maps: the ways of a field cost what the planners' cost, and are as long as the files say.
#[test]
fn a_field_leads_along_cheapest_routes() {
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    for map in maps() {
        let ground = ground(&Grid::load(&map).unwrap());
        let lattice = ground.lattice();
        let mut random = Pcg32::seed_from_u64(8);
        let goal = some(&ground, 1, &mut random)[0];
        let mut field = FlowField::new(&ground, &[goal], &mut scratch).unwrap();
        for from in some(&ground, 12, &mut random) {
            for planner in [&AStar as &dyn Planner, &Dijkstra] {
                let outcome = plan(planner, &ground, &Query::new(from, goal), &mut scratch, &mut path).unwrap();
                assert_eq!(field.cost(from).unwrap_or(0), outcome.cost);
                assert_eq!(field.descend(from, &mut path), ground.region(from) == ground.region(goal));
                assert_eq!(path.cost(lattice), outcome.cost);
            }
        }
        let Ok(scen) = Scen::load(map.with_extension("map.scen")) else { continue };
        for problem in scen.problems.iter().step_by(scen.problems.len() / 25) {
            let [from, to] = [problem.from, problem.to].map(|(x, y)| lattice.cell(x, y));
            field.rebuild(&ground, &[to], &mut scratch).unwrap();
            assert!(field.descend(from, &mut path));
            assert!((path.length(lattice) - problem.optimal).abs() < 0.01, "{}: {problem:?}", map.display());
        }
    }
}

/// Edits of all sizes on large maps, so that repairs are given up at every stage.
#[test]
fn large_repairs_are_new_fields_too() {
    let mut random = Pcg32::seed_from_u64(5);
    let mut scratch = Scratch::default();
    for kind in Kind::ALL {
        let mut grid = generate(kind, 256, 256, 11).unwrap();
        let lattice = grid.lattice();
        let goals = some(&ground(&grid), 1, &mut random);
        let mut field = FlowField::new(&ground(&grid), &goals, &mut scratch).unwrap();
        let mut fresh = field.clone();
        let mut undo = Vec::new();
        for round in 0..60 {
            // Every other time the last edit is undone. One in three is near the goal.
            let mut dirty = std::mem::take(&mut undo);
            if round % 2 == 0 {
                let (x, y) =
                    lattice.column_row(if round % 3 == 0 { goals[0] } else { some(&ground(&grid), 1, &mut random)[0] });
                let (x, y) = (i64::from(x) - random.random_range(0..9), i64::from(y) - random.random_range(0..9));
                let (width, height) = (random.random_range(1..60), random.random_range(1..4));
                let block =
                    (y..y + height).flat_map(|y| (x..x + width).filter_map(move |x| lattice.checked_cell(x, y)));
                dirty = block.filter(|cell| !goals.contains(cell)).collect();
                undo.clone_from(&dirty);
            }
            dirty.iter().for_each(|&cell| grid.set_open(cell, !grid.is_open(cell)));
            let ground = ground(&grid);
            field.repair(&ground, &dirty, &mut scratch).unwrap();
            fresh.rebuild(&ground, &goals, &mut scratch).unwrap();
            assert!(field == fresh, "{kind}, round {round}");
        }
    }
}

#[test]
fn the_order_of_the_goals_and_the_field_before_do_not_matter() {
    let ground = ground(&noise(60, 50, 30, 4));
    let mut scratch = Scratch::default();
    let mut goals = some(&ground, 5, &mut Pcg32::seed_from_u64(2));
    let field = FlowField::new(&ground, &goals, &mut scratch).unwrap();
    goals.reverse();
    goals.push(goals[3]);
    let mut other = FlowField::new(&self::ground(&noise(9, 70, 10, 5)), &[], &mut scratch).unwrap();
    other.rebuild(&ground, &goals, &mut Scratch::default()).unwrap();
    assert!(field == other);
    goals.sort_unstable();
    goals.dedup();
    assert_eq!(field.goals(), goals);
    // A ground of another size counts as edited everywhere.
    let mut other = FlowField::new(&self::ground(&noise(60, 51, 0, 4)), &goals, &mut scratch).unwrap();
    other.repair(&ground, &[], &mut scratch).unwrap();
    assert!(field == other);
}

#[test]
fn without_a_goal_a_field_leads_nowhere() {
    let ground = ground(&noise(20, 20, 30, 4));
    let field = FlowField::new(&ground, &[], &mut Scratch::default()).unwrap();
    assert_whole(&ground, &field, &[]);
}

#[test]
fn bad_ends_are_an_error_and_change_nothing() {
    let mut grid = noise(9, 7, 0, 1);
    let (open, wall) = (grid.lattice().cell(1, 1), grid.lattice().cell(3, 5));
    let before = ground(&grid);
    grid.set_open(wall, false);
    let ground = ground(&grid);
    let mut scratch = Scratch::default();
    let mut costs = Layer::new(ground.lattice(), 3);
    let off = Cell(u32::MAX);
    let message = |result: Result<(), throng::plan::PlanError>| result.unwrap_err().to_string();
    assert_eq!(
        message(distances_from(&ground, &[open, wall], &mut scratch, &mut costs)),
        "the start (3, 5) is in a wall"
    );
    assert_eq!(message(distances_from(&ground, &[off], &mut scratch, &mut costs)), "the start is off the map");
    assert_eq!(message(distances_to(&ground, &[wall], &mut scratch, &mut costs)), "the goal (3, 5) is in a wall");
    assert_eq!(
        message(distances_to(&ground, &[open, Cell::NONE], &mut scratch, &mut costs)),
        "the goal is off the map"
    );
    assert!(costs.cells.iter().all(|&cost| cost == 3));
    assert_eq!(message(FlowField::new(&ground, &[wall], &mut scratch).map(drop)), "the goal (3, 5) is in a wall");
    let mut field = FlowField::new(&before, &[wall, open], &mut scratch).unwrap();
    let kept = field.clone();
    assert_eq!(message(field.repair(&ground, &[wall], &mut scratch)), "the goal (3, 5) is in a wall");
    assert_eq!(message(field.updated(&ground, &[wall], &mut scratch).map(drop)), "the goal (3, 5) is in a wall");
    assert_eq!(message(field.rebuild(&ground, &[off], &mut scratch)), "the goal is off the map");
    assert!(field == kept);
    assert_eq!(field.goals(), kept.goals());
}

/// Cells off the map are no part of an edit.
#[test]
fn an_edit_off_the_map_changes_nothing() {
    let ground = ground(&noise(30, 30, 20, 1));
    let goals = some(&ground, 2, &mut Pcg32::seed_from_u64(2));
    let mut scratch = Scratch::default();
    let mut field = FlowField::new(&ground, &goals, &mut scratch).unwrap();
    let kept = field.clone();
    field.repair(&ground, &[Cell::NONE, Cell(u32::MAX), ground.lattice().cell(0, 0)], &mut scratch).unwrap();
    assert!(field == kept);
}

#[test]
fn memory_grows_only_in_warm_up() {
    let mut grid = generate(Kind::Town, 200, 150, 1).unwrap();
    let lattice = grid.lattice();
    let (mut scratch, mut random) = (Scratch::default(), Pcg32::seed_from_u64(2));
    let goals = some(&ground(&grid), 40, &mut random);
    let walls: Vec<Cell> =
        some(&ground(&grid), 40, &mut random).into_iter().filter(|cell| !goals.contains(cell)).collect();
    let mut costs = Layer::new(lattice, 0);
    let mut field = FlowField::new(&ground(&grid), &goals[..1], &mut scratch).unwrap();
    let mut bytes = None;
    for _round in 0..3 {
        for (goal, wall) in goals.iter().zip(&walls) {
            let before = ground(&grid);
            distances_from(&before, &[*goal], &mut scratch, &mut costs).unwrap();
            field.rebuild(&before, &[*goal], &mut scratch).unwrap();
            for open in [false, true] {
                grid.set_open(*wall, open);
                field.repair(&ground(&grid), &[*wall], &mut scratch).unwrap();
            }
        }
        let now = (scratch.bytes(), field.bytes());
        assert_eq!(*bytes.get_or_insert(now), now);
    }
    assert!(field.bytes() < 5 * lattice.len() + 400);
}
