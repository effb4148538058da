//! Memory of searches. A program of its own with one test, so that nothing else allocates meanwhile.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::{Grid, Ground, Lattice, LineOfSight};
use throng_plan::{
    AStar, Dijkstra, LazyThetaStar, Octile, Path, Planner, Query, Scratch, ThetaStar, WeightedAStar, plan,
};

/// Bytes of memory that the process really has, where the system tells.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096)
}

#[test]
fn memory_is_touched_where_searches_go_and_grows_only_in_warm_up() {
    let mut grid = Grid::open_plain(Lattice::new(2048, 2048, 1.0).unwrap());
    for y in 5..60 {
        grid.set_open(grid.lattice().cell(30, y), false);
    }
    let ground = Ground::new(grid.into(), 0.4).unwrap();
    let at = |x, y| ground.lattice().cell(x, y);
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let weighted = WeightedAStar::new(1.0, 1.2).unwrap();
    let mut search = |scratch: &mut Scratch| {
        for planner in [&AStar(Octile) as &dyn Planner, &Dijkstra, &weighted, &ThetaStar, &LazyThetaStar] {
            for (from, to) in [(at(2, 40), at(60, 41)), (at(60, 3), at(1, 50)), (at(9, 9), at(9, 9))] {
                plan(planner, &ground, &Query::new(from, to), scratch, &mut path).unwrap();
            }
        }
        path.cells.capacity()
    };

    // The table for lines of sight is the ground's, and the distances from walls are the map's, not the search's.
    let _ = (LineOfSight::new(&ground), ground.grid().clearance());
    let before = resident();
    let capacity = search(&mut scratch);
    let touched = resident().zip(before).map(|(after, before)| after.saturating_sub(before));
    let bytes = scratch.bytes();
    assert!(bytes > 8 * 2048 * 2048);
    // Some 130 rows of the map were searched, of 2048.
    println!("{bytes} bytes are reserved, {touched:?} were touched");
    assert!(touched.is_none_or(|touched| touched < bytes / 4), "{touched:?} of {bytes} bytes");

    for _ in 0..20 {
        assert_eq!(search(&mut scratch), capacity);
        assert_eq!(scratch.bytes(), bytes);
    }
}
