//! Dijkstra's algorithm in waves: its expansions and limits.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::{Cell, Grid, Ground, Lattice, Layer};
use throng_plan::{
    Dijkstra, Goal, Limits, Path, Planner, Progress, Query, STRAIGHT, Scratch, Status, distances_from, plan,
};

/// A map on which `closed` of 100 cells are walls.
fn noise(width: u32, height: u32, closed: u32, random: &mut Pcg32) -> Ground {
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells().skip(1) {
        grid.set_open(cell, random.random_range(0..100) >= closed);
    }
    Ground::new(grid.into(), 0.4).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 60 } else { 400 }, failure_persistence: None, ..Default::default() })]

    /// The expansions of a search are enough as its limit, one less is not; the trace is the same with a limit and
    /// without.
    #[test]
    fn a_limit_of_what_it_takes_is_enough(width in 1_u32..40, height in 1_u32..40, closed in 0_u32..50, seed in any::<u64>()) {
        let mut random = Pcg32::seed_from_u64(seed);
        let ground = noise(width, height, closed, &mut random);
        let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
        let mut costs = Layer::new(ground.lattice(), 0);
        let (mut free, mut limited) = (Scratch::default(), Scratch::default());
        for _ in 0..4 {
            let mut any = || cells[random.random_range(0..cells.len())];
            let mut query = Query::new(any(), any());
            let Query { from, .. } = query;
            let found = plan(&Dijkstra, &ground, &query, &mut free, &mut Path::default()).unwrap();
            query.limits = Limits { expansions: found.expanded };
            prop_assert_eq!(plan(&Dijkstra, &ground, &query, &mut limited, &mut Path::default()).unwrap(), found);
            distances_from(&ground, &[from], &mut Scratch::default(), &mut costs).unwrap();
            for &cell in &cells {
                prop_assert_eq!(free.cost(cell), limited.cost(cell));
                prop_assert_eq!((free.is_open(cell), free.is_closed(cell)), (limited.is_open(cell), limited.is_closed(cell)));
                // All waves before that of the goal are expanded, and of that one the goal alone.
                if found.status == Status::Found {
                    let before = u64::from(costs[cell] / STRAIGHT) < found.cost / u64::from(STRAIGHT);
                    prop_assert_eq!(free.is_closed(cell), before || query.goal == Goal::Cell(cell));
                }
            }
            if found.expanded > 0 {
                query.limits = Limits { expansions: found.expanded - 1 };
                let partial = plan(&Dijkstra, &ground, &query, &mut limited, &mut Path::default()).unwrap();
                prop_assert_eq!((partial.status, partial.expanded), (Status::Partial, found.expanded - 1));
            }
        }
    }
}

#[test]
fn no_expansions_are_no_progress() {
    let ground = noise(9, 9, 0, &mut Pcg32::seed_from_u64(1));
    let query = Query::new(ground.lattice().cell(0, 0), ground.lattice().cell(8, 8));
    let mut scratch = Scratch::default();
    Dijkstra.begin(&ground, &query, &mut scratch).unwrap();
    for _ in 0..3 {
        assert_eq!(Dijkstra.advance(&ground, &query, &mut scratch, 0), Progress::Running);
        assert_eq!(scratch.expanded(), 0);
    }
}
