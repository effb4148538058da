//! Searches of other crates, each given what suits it: numbers for nodes, the ground's masks of legal steps, no
//! allocation in its successors, its own grid where it has one.

use crate::trips::Trips;
use grid_pathfinding::PathingGrid;
use grid_util::{ValueGrid as _, point::Point};
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use throng::grid::{Cell, GridGraph, Ground, Lattice};
use throng::plan::{DIAGONAL, STRAIGHT};

/// The legal steps out of a cell with their costs.
fn steps(ground: &Ground, offsets: [i32; 8], cell: Cell) -> impl Iterator<Item = (Cell, u32)> {
    let mut mask = ground.moves(cell);
    std::iter::from_fn(move || {
        let d = mask.checked_ilog2()? as usize;
        mask &= !(1 << d);
        Some((Cell(cell.0.wrapping_add_signed(offsets[d])), if d < 4 { STRAIGHT } else { DIAGONAL }))
    })
}

fn octile(lattice: Lattice, to: Cell) -> impl Fn(Cell) -> u32 {
    let (x1, y1) = lattice.column_row(to);
    move |cell| {
        let (x, y) = lattice.column_row(cell);
        let (dx, dy) = (x.abs_diff(x1), y.abs_diff(y1));
        STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
    }
}

/// Length in cells of a cost: costs order routes as lengths do.
fn length(lattice: Lattice, route: &[Cell]) -> f64 {
    throng::plan::Path { cells: route.to_vec() }.length(lattice)
}

pub fn pathfinding_astar(trips: &Trips, query: usize) -> Option<f64> {
    let (from, to) = trips.ends[query];
    let lattice = trips.ground.lattice();
    let (offsets, estimate) = (lattice.offsets(), octile(lattice, to));
    let successors = |&cell: &Cell| steps(&trips.ground, offsets, cell);
    let found = pathfinding::prelude::astar(&from, successors, |&cell| estimate(cell), |&cell| cell == to);
    found.map(|(route, _)| length(lattice, &route))
}

pub fn pathfinding_dijkstra(trips: &Trips, query: usize) -> Option<f64> {
    let (from, to) = trips.ends[query];
    let lattice = trips.ground.lattice();
    let offsets = lattice.offsets();
    let successors = |&cell: &Cell| steps(&trips.ground, offsets, cell);
    let found = pathfinding::prelude::dijkstra(&from, successors, |&cell| cell == to);
    found.map(|(route, _)| length(lattice, &route))
}

pub fn petgraph_astar(trips: &Trips, graph: &GridGraph<'_>, query: usize) -> Option<f64> {
    let (from, to) = trips.ends[query];
    let lattice = trips.ground.lattice();
    let estimate = octile(lattice, to);
    let found = petgraph::algo::astar(graph, from, |cell| cell == to, |step| step.cost, |cell| estimate(cell).into());
    found.map(|(_, route)| length(lattice, &route))
}

/// `grid_pathfinding`: jump point search that cuts corners, its own rule.
pub fn grid_pathfinding(trips: &Trips) -> impl FnMut(usize) -> Option<f64> {
    let lattice = trips.ground.lattice();
    let mut grid = PathingGrid::new(lattice.width as usize, lattice.height as usize, true);
    for cell in lattice.cells() {
        let (x, y) = lattice.column_row(cell);
        grid.set(x as i32, y as i32, !trips.ground.is_passable(cell));
    }
    grid.generate_components();
    let point = move |cell: Cell| {
        let (x, y) = lattice.column_row(cell);
        Point::new(x as i32, y as i32)
    };
    move |query| {
        let (from, to) = trips.ends[query];
        let route = grid.get_path_single_goal(point(from), point(to), false)?;
        let step = |pair: &[Point]| f64::from((pair[0].x - pair[1].x).pow(2) + (pair[0].y - pair[1].y).pow(2)).sqrt();
        Some(route.windows(2).map(step).sum())
    }
}

/// `hierarchical_pathfinding`: HPA* with chunks of 16 cells, paths kept, every cell written.
pub fn hierarchical_pathfinding(trips: &Trips) -> impl FnMut(usize) -> Option<f64> {
    let lattice = trips.ground.lattice();
    let (width, height) = (lattice.width as usize, lattice.height as usize);
    let cost = move |(x, y): (usize, usize)| {
        if trips.ground.is_passable(lattice.cell(x as u32, y as u32)) { 1 } else { -1 }
    };
    let config = PathCacheConfig { chunk_size: 16, ..PathCacheConfig::default() };
    let cache = PathCache::new((width, height), cost, MooreNeighborhood::new(width, height), config);
    let place = move |cell: Cell| {
        let (x, y) = lattice.column_row(cell);
        (x as usize, y as usize)
    };
    move |query| {
        let (from, to) = trips.ends[query];
        let path = cache.find_path(place(from), place(to), cost)?;
        let mut at = place(from);
        let mut length = 0.0;
        for next in path.resolve(cost) {
            let straight = at.0 == next.0 || at.1 == next.1;
            length += if at == next {
                0.0
            } else if straight {
                1.0
            } else {
                std::f64::consts::SQRT_2
            };
            at = next;
        }
        Some(length)
    }
}
