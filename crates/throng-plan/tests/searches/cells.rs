//! What a search tells of single cells: their cost, their rank, the way there, and when they were expanded.

use std::sync::Arc;
use throng_grid::{Cell, Grid, Ground, Lattice, Layer};
use throng_plan::{
    Capability, Estimate, Limits, Octile, Path, PlannerChoice, Progress, Query, Scratch, distances_from,
};

/// A wall with a gap at its lower end.
fn ground() -> Arc<Ground> {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    (0..26).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
    Arc::new(Ground::new(grid.into(), 0.4).unwrap())
}

/// The cost of a way on plain ground, by its turning points too.
fn cost(ground: &Ground, cells: &[Cell]) -> u64 {
    cells.windows(2).fold(0, |sum, pair| {
        let [(ax, ay), (bx, by)] = [pair[0], pair[1]].map(|cell| ground.lattice().column_row(cell));
        sum + u64::from(Octile::cost(ax.abs_diff(bx), ay.abs_diff(by)))
    })
}

#[test]
fn every_cell_has_its_cost_its_way_and_the_moment_of_its_expansion() {
    let ground = ground();
    let lattice = ground.lattice();
    let (from, to) = (lattice.cell(5, 4), lattice.cell(33, 6));
    let query = Query { limits: Limits { expansions: u64::MAX - 1 }, ..Query::new(from, to) };
    let (mut least, mut path) = (Layer::new(lattice, 0), Path::default());
    distances_from(&ground, &[from], &mut Scratch::default(), &mut least).unwrap();
    for name in PlannerChoice::NAMES {
        let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
        let can = planner.capabilities();
        if !(can.can(Capability::Trace) && can.can(Capability::Pause)) {
            continue;
        }
        let mut scratch = Scratch::default();
        planner.begin(&ground, &query, &mut scratch).unwrap();
        let mut order = Vec::new();
        for moment in 0.. {
            // In the middle of a search too: each cell that it has come to has a way there, which costs what is told.
            if moment % 37 == 0 {
                for cell in lattice.cells() {
                    let Some(g) = scratch.cost(cell) else {
                        planner.way_to(&ground, &query, &scratch, cell, &mut path);
                        assert!(path.cells.is_empty(), "{name}: a way to a cell that was not seen");
                        continue;
                    };
                    planner.way_to(&ground, &query, &scratch, cell, &mut path);
                    assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&cell)), "{name}");
                    let any_angle = name.contains("theta");
                    if !any_angle {
                        assert!(cost(&ground, &path.cells) <= g, "{name}");
                        assert!(g >= u64::from(least[cell]), "{name}: cheaper than can be");
                    }
                    let exact = ["astar", "dijkstra", "jps", "jps-plus"].contains(name);
                    if exact && scratch.is_closed(cell) {
                        assert_eq!(g, u64::from(least[cell]), "{name}");
                    }
                    if let Some(rank) = planner.rank(&ground, &query, &scratch, cell) {
                        let (x, y) = lattice.column_row(cell);
                        let octile = u64::from(Octile::cost(x.abs_diff(33), y.abs_diff(6)));
                        match *name {
                            "dijkstra" => assert_eq!((rank.h, rank.f), (0, g as f64)),
                            "greedy" => assert_eq!((rank.h, rank.f), (octile, octile as f64)),
                            "weighted-astar" => assert_eq!((rank.h, rank.f), (octile, g as f64 + 2.0 * octile as f64)),
                            "ara" => assert!(rank.h == octile && rank.f >= (g + octile) as f64),
                            _ if any_angle => assert!(rank.h <= octile && rank.f == (g + rank.h) as f64),
                            _ => assert_eq!((rank.h, rank.f), (octile, (g + octile) as f64), "{name}"),
                        }
                    } else {
                        assert_eq!(*name, "breadth-first");
                    }
                }
            }
            let before = scratch.expanded();
            let progress = planner.advance(&ground, &query, &mut scratch, 1);
            if scratch.expanded() > before {
                let cell = scratch.last_expanded().unwrap();
                assert!(scratch.is_closed(cell) || *name == "ara" || *name == "fringe", "{name}");
                order.push(cell);
            }
            if let Progress::Done(outcome) = progress {
                assert_eq!(order.len() as u64, outcome.expanded, "{name}");
                break;
            }
        }
        assert!(
            order.first() == Some(&from) || ["theta", "lazy-theta"].contains(name),
            "{name} starts at {:?}",
            order.first()
        );
    }
}
