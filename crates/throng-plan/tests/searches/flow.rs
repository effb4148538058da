//! Flow fields and distances against the `pathfinding` crate, our own planners, and themselves.
#![allow(clippy::unwrap_used, missing_docs)]

use pathfinding::prelude::dijkstra_all;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::{Path as FilePath, PathBuf};
use throng_grid::generate::{Kind, generate};
use throng_grid::{
    Cell, Corners, Direction, Grid, Ground, Lattice, Layer, Link, Mobility, STRAIGHT, Scen, Steps, TerrainCosts,
};
use throng_plan::{
    AStar, Dijkstra, FlowField, Octile, Path, Planner, Query, Scratch, UNREACHED, distances_from, distances_to, plan,
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
        let mut grid = noise(width, height, closed, seed);
        let mut random = Pcg32::seed_from_u64(seed ^ 1);
        for cell in grid.lattice().cells() {
            grid.set_terrain(cell, random.random_range(0_u8..8).saturating_sub(4));
            grid.set_height(cell, if seed % 2 == 0 { 10 * random.random_range(0..4) } else { 0 });
        }
        grid
    }
}

/// Up to `count` passable cells, some of them twice.
fn some(ground: &Ground, count: usize, random: &mut Pcg32) -> Vec<Cell> {
    let passable: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let count = if passable.is_empty() { 0 } else { count };
    (0..count).map(|_| passable[random.random_range(0..passable.len())]).collect()
}

/// The legal steps out of a cell.
fn steps(ground: &Ground, cell: Cell) -> Vec<(Direction, Cell, u32)> {
    let step = |d: Direction| {
        let to = Cell(cell.0.wrapping_add_signed(ground.lattice().offsets()[d as usize]));
        (ground.moves(cell) >> d as u8 & 1 == 1).then(|| (d, to, ground.step_cost(cell, to, d)))
    };
    Direction::ALL.into_iter().filter_map(step).collect()
}

/// The cost of every cell from the nearest of `sources`, or to it, by the `pathfinding` crate.
fn oracle(ground: &Ground, sources: &[Cell], back: bool) -> Layer<u32> {
    let mut costs = Layer::new(ground.lattice(), UNREACHED);
    for &source in sources.iter().filter(|&&cell| ground.is_passable(cell)) {
        let all = dijkstra_all(&source, |&cell| {
            let step = |(d, to, cost)| (to, if back { ground.step_cost(to, cell, d) } else { cost });
            let mut edges: Vec<_> = steps(ground, cell).into_iter().map(step).collect();
            for link in ground.links().all() {
                let (from, to) = if back { (link.to, link.from) } else { (link.from, link.to) };
                if from == cell {
                    edges.push((to, link.cost));
                }
            }
            edges
        });
        costs[source] = 0;
        for (cell, (_, cost)) in all {
            costs[cell] = costs[cell].min(cost);
        }
    }
    costs
}

/// Cell for cell: goals, unreachable cells, and of the cheapest steps the first, or else a link.
fn assert_whole(ground: &Ground, field: &FlowField, goals: &[Cell]) {
    let mut path = Path::default();
    let goes = |from: u32, to: u32, cost: u32| to != UNREACHED && to.checked_add(cost) == Some(from);
    for cell in ground.lattice().cells() {
        let cost = field.costs()[cell];
        let best = steps(ground, cell).into_iter().find(|&(_, to, step)| goes(cost, field.costs()[to], step));
        let is_goal = goals.contains(&cell) && ground.is_passable(cell);
        assert_eq!(field.is_goal(cell), is_goal);
        assert_eq!(field.cost(cell), (cost != UNREACHED).then_some(cost.into()));
        if is_goal || cost == UNREACHED {
            assert_eq!((field.direction(cell), field.next(cell)), (None, None));
            assert_eq!(field.headings()[cell], if is_goal { FlowField::GOAL } else { FlowField::NOWHERE });
        } else if let Some((direction, to, _)) = best {
            assert_eq!((field.direction(cell), field.next(cell)), (Some(direction), Some(to)));
        } else {
            assert_eq!((field.direction(cell), field.headings()[cell]), (None, FlowField::LINK));
            let to = field.next(cell).unwrap();
            assert!(
                ground.links().from(cell).any(|(_, link)| link.to == to && goes(cost, field.costs()[to], link.cost))
            );
        }
        // Also: it never walks in a ring.
        assert_eq!(field.descend(cell, &mut path), cost != UNREACHED);
        if cost != UNREACHED {
            assert_eq!(path.cells[0], cell);
            assert!(field.is_goal(*path.cells.last().unwrap()));
        }
    }
    let inside = |cell: usize| ground.lattice().contains(Cell(cell as u32));
    let padding = (0..ground.lattice().len()).filter(|&cell| !inside(cell));
    assert!(padding.clone().all(|cell| field.headings().cells[cell] == FlowField::NOWHERE));
    assert!(padding.clone().all(|cell| field.costs().cells[cell] == UNREACHED));
}

/// Units of all kinds: neighbourhoods, corner rules, terrain of several costs, wide bodies.
fn units() -> impl Strategy<Value = Mobility> {
    let steps = prop_oneof![
        3 => Just(Steps::Eight(Corners::Never)),
        1 => Just(Steps::Eight(Corners::OneSide)),
        1 => Just(Steps::Eight(Corners::Always)),
        1 => Just(Steps::Four),
    ];
    let terrain = prop_oneof![
        3 => Just(None),
        1 => Just(Some(TerrainCosts::new([(0, Some(1)), (1, Some(2)), (2, Some(5)), (3, None)]))),
        1 => Just(Some(TerrainCosts::new([(0, Some(20)), (1, Some(4)), (2, None), (3, Some(3))]))),
    ];
    let radius = prop_oneof![4 => Just(0.4_f32), 1 => Just(1.2)];
    (steps, terrain, radius).prop_map(|(steps, terrain, radius)| Mobility { steps, terrain, ..Mobility::new(radius) })
}

/// Links between cells on which the unit can stand, some of them free, some very dear.
fn with_links(grid: &Grid, unit: &Mobility, count: usize, random: &mut Pcg32) -> Ground {
    let ground = Ground::build(grid.clone().into(), unit.clone()).unwrap();
    let ends = some(&ground, 2 * count, random);
    let mut links: Vec<Link> = Vec::new();
    for pair in ends.chunks_exact(2) {
        let cost = [0, 1, 700, 5 * STRAIGHT, 2_000_000][random.random_range(0..5)];
        links.push(Link::new(pair[0], pair[1], cost));
        if random.random_range(0..3) == 0 {
            links.push(Link::new(pair[0], pair[1], cost).back());
        }
    }
    Ground::build(grid.clone().into(), Mobility { links, ..unit.clone() }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn distances_and_fields_are_those_of_the_oracle(
        grid in small_maps(), unit in units(), goals in 1..4_usize, links in 0..8_usize, seed: u64,
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let ground = with_links(&grid, &unit, links.saturating_sub(3), &mut random);
        let goals = some(&ground, goals, &mut random);
        let mut scratch = Scratch::default();
        let mut costs = Layer::new(Lattice::new(3, 3, 1.0).unwrap(), 7);
        distances_from(&ground, &goals, &mut scratch, &mut costs).unwrap();
        prop_assert!(costs == oracle(&ground, &goals, false));
        if goals.is_empty() {
            return Ok(());
        }
        let expected = oracle(&ground, &goals, true);
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
        grid in small_maps(), unit in units(), goals in 1..4_usize, seed: u64, most in 1..12_usize,
        links in 0..4_usize,
    ) {
        let mut grid = grid;
        let lattice = grid.lattice();
        let mut random = Pcg32::seed_from_u64(seed);
        let mut scratch = Scratch::default();
        let mut ground = Ground::build(grid.clone().into(), unit.clone()).unwrap();
        // Any cell of the map: some goals are closed, and may be opened.
        let mut goals: Vec<Cell> = (0..goals)
            .map(|_| lattice.cell(random.random_range(0..lattice.width), random.random_range(0..lattice.height)))
            .collect();
        goals.extend(some(&ground, 1, &mut random));
        let Ok(mut field) = FlowField::new(&ground, &goals, &mut scratch) else { return Ok(()) };
        for round in 0..30 {
            let (mut edited, mut dirty) = (grid.clone(), Vec::new());
            for _ in 0..random.random_range(0..=most) {
                let cell = lattice.cell(random.random_range(0..lattice.width), random.random_range(0..lattice.height));
                if random.random_range(0..3) == 0 {
                    edited.set_terrain(cell, random.random_range(0..4));
                } else if random.random_range(0..4) == 0 {
                    edited.set_height(cell, random.random_range(0..30));
                } else {
                    edited.set_open(cell, random.random_range(0..2) == 0);
                }
                dirty.push(cell);
            }
            // Now and then links come and go.
            ground = with_links(&edited, &unit, if round % 7 == 6 { links } else { 0 }, &mut random);
            let fresh = match FlowField::new(&ground, &goals, &mut Scratch::default()) {
                Ok(fresh) => fresh,
                // The last goal was walled up: the field stays as it was.
                Err(error) => {
                    let kept = field.clone();
                    prop_assert_eq!(field.repair(&ground, &dirty, &mut scratch), Err(error));
                    prop_assert!(field == kept);
                    continue;
                }
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
    let own = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
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
            for planner in [&AStar(Octile) as &dyn Planner, &Dijkstra] {
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
            for &cell in &dirty {
                grid.set_open(cell, !grid.is_open(cell));
            }
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
    let mut other = {
        let other = self::ground(&noise(9, 70, 10, 5));
        FlowField::new(&other, &some(&other, 1, &mut Pcg32::seed_from_u64(1)), &mut scratch)
    }
    .unwrap();
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
fn bad_ends_are_an_error_and_change_nothing() {
    let mut grid = noise(9, 7, 0, 1);
    let (open, wall) = (grid.lattice().cell(1, 1), grid.lattice().cell(3, 5));
    let before = ground(&grid);
    grid.set_open(wall, false);
    let ground = ground(&grid);
    let mut scratch = Scratch::default();
    let mut costs = Layer::new(ground.lattice(), 3);
    let off = Cell(u32::MAX);
    let message = |result: Result<(), throng_plan::PlanError>| result.unwrap_err().to_string();
    assert_eq!(
        message(distances_from(&ground, &[open, wall], &mut scratch, &mut costs)),
        "the start (3, 5) is in a wall"
    );
    assert_eq!(message(distances_from(&ground, &[off], &mut scratch, &mut costs)), "the start is off the map");
    let none = "no cell of the goal can be stood on: all are in walls or too narrow";
    assert_eq!(message(distances_to(&ground, &[wall], &mut scratch, &mut costs)), none);
    assert_eq!(
        message(distances_to(&ground, &[open, Cell::NONE], &mut scratch, &mut costs)),
        "the goal is off the map"
    );
    assert!(costs.cells.iter().all(|&cost| cost == 3));
    for goals in [&[wall][..], &[]] {
        assert_eq!(message(FlowField::new(&ground, goals, &mut scratch).map(drop)), none);
    }
    let mut field = FlowField::new(&before, &[wall], &mut scratch).unwrap();
    let kept = field.clone();
    assert_eq!(message(field.repair(&ground, &[wall], &mut scratch)), none);
    assert_eq!(message(field.updated(&ground, &[wall], &mut scratch).map(drop)), none);
    assert_eq!(message(field.rebuild(&ground, &[off], &mut scratch)), "the goal is off the map");
    assert!(field == kept);
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
