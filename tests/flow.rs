//! Flow fields and distances against the `pathfinding` crate, our own planners, and themselves.
#![allow(clippy::unwrap_used, missing_docs)]

use pathfinding::prelude::dijkstra_all;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng::grid::{Cell, DIAGONAL, Direction, Grid, Ground, Lattice, Layer, STRAIGHT};
use throng::plan::{
    Cost, FlowField, Path, Scratch, UNREACHED, distances_from, distances_to,
    plan,
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
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

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
