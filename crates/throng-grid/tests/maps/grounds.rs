//! What steps cost on a ground, which cells are near, and where links lead.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{
    Cell, Crowding, DIAGONAL, Direction, Grid, Ground, Lattice, Link, Mobility, STRAIGHT, TerrainCosts, pace,
};

fn plain(width: u32, height: u32) -> Grid {
    Grid::open_plain(Lattice::new(width, height, 1.0).unwrap())
}

/// A map of rooms of one column each: every second column is a wall.
fn closets() -> Grid {
    let mut grid = plain(7, 3);
    for y in 0..3 {
        for x in [1, 3, 5] {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    grid
}

#[test]
fn a_step_costs_its_length_by_terrain_slope_and_crowd() {
    let mut grid = plain(16, 16);
    let [a, b, c, far] = [1, 2, 3, 9].map(|x| grid.lattice().cell(x, 2));
    grid.set_terrain(b, 1);
    grid.set_terrain(c, 2);
    let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(5)), (2, None)]));
    let mobility = Mobility { terrain, congestion: 2.0, ..Mobility::new(0.4) };
    let level = Ground::build(Arc::new(grid.clone()), mobility.clone()).unwrap();
    let cost = |ground: &Ground| ground.step_cost(a, b, Direction::East);
    assert_eq!(
        (cost(&level), level.weight(b), level.is_uniform(), level.is_passable(c)),
        (3 * STRAIGHT, 5, false, false)
    );
    assert_eq!(level.step_cost(a, grid.lattice().cell(2, 3), Direction::SouthEast), DIAGONAL);
    assert_eq!((level.radius(), level.mobility().congestion), (0.4, 2.0));

    grid.set_height(b, 30);
    let steep = Ground::build(Arc::new(grid.clone()), mobility.clone()).unwrap();
    let expected = f64::from(3 * STRAIGHT) / f64::from(pace(0.3));
    assert!((f64::from(cost(&steep)) - expected).abs() < 2.0, "{} {expected}", cost(&steep));

    // The block of both cells is full of bodies.
    let packed = (0..16).map(|i| (Vec2::new(0.5 + (i % 4) as f32, 0.5 + (i / 4) as f32), 0.5));
    let crowding = Arc::new(Crowding::new(&grid).unwrap().counted(packed));
    let jammed = level.crowded(Arc::clone(&crowding));
    assert_eq!((cost(&jammed), jammed.crowd_share(a), jammed.crowd_share(far)), (9 * STRAIGHT, 3.0, 1.0));
    assert_eq!((cost(&level), level.crowd_share(a)), (3 * STRAIGHT, 1.0));
    let light = Ground::build(Arc::new(plain(16, 16)), Mobility { congestion: 2.0, ..Mobility::new(0.4) }).unwrap();
    let jammed = light.crowded(crowding);
    assert_eq!((light.is_uniform(), jammed.is_uniform(), cost(&jammed)), (true, false, 3 * STRAIGHT));
}

#[test]
fn links_lead_on_over_each_other_but_not_from_elsewhere() {
    let grid = closets();
    let at = |x| grid.lattice().cell(x, 1);
    let links = vec![Link::new(at(4), at(6), 9), Link::new(at(2), at(4), 9)];
    let ground = Ground::build(Arc::new(grid.clone()), Mobility { links, ..Mobility::new(0.4) }).unwrap();
    let lead = |from: u32| [0, 2, 4, 6].map(|to| ground.leads(at(from), at(to)));
    assert_eq!(lead(0), [true, false, false, false]);
    assert_eq!(lead(2), [false, true, true, true]);
    assert_eq!(lead(4), [false, false, true, true]);
    assert!(!ground.leads(at(2), at(1)) && !ground.leads(at(1), at(2)), "a wall");
    let regions = ground.regions(0.4);
    let mut reached = Vec::new();
    ground.links().reachable(regions, ground.region(at(2)), &mut reached);
    assert_eq!(reached, [2, 3, 4].map(|i| ground.region(at(2 * i - 2))));
}

#[test]
fn a_bottleneck_is_a_gap_that_a_point_passes_and_the_body_does_not() {
    let mut grid = plain(9, 7);
    let at = |x, y| Lattice::new(9, 7, 1.0).unwrap().cell(x, y);
    (0..7).for_each(|y| grid.set_open(at(4, y), false));
    let bottleneck_over = |grid: &Grid, radius: f32, plain: u16, gap: Option<u16>| {
        let terrain = Some(TerrainCosts::new([(0, Some(plain)), (1, gap)]));
        let ground = Ground::build(Arc::new(grid.clone()), Mobility { terrain, ..Mobility::new(radius) }).unwrap();
        ground.bottleneck(at(1, 3), at(7, 3))
    };
    let bottleneck = |grid: &Grid, radius: f32, gap: Option<u16>| bottleneck_over(grid, radius, 2, gap);
    assert_eq!(bottleneck(&grid, 0.6, Some(1)), None, "a wall");
    grid.set_open(at(4, 3), true);
    grid.set_terrain(at(4, 3), 1);
    assert_eq!(bottleneck(&grid, 0.5, Some(1)), None, "a body gets there");
    assert_eq!(bottleneck(&grid, 0.6, None), None, "not even a point may enter");
    assert_eq!(bottleneck_over(&grid, 0.6, 1, None), None, "nor where all other ground costs the least");
    assert_eq!(bottleneck(&grid, 0.6, Some(1)), Some(at(4, 3)));
}

#[test]
fn no_way_leads_between_cells_that_are_no_place_for_a_body() {
    let mut grid = plain(9, 5);
    let at = |x, y| Lattice::new(9, 5, 1.0).unwrap().cell(x, y);
    grid.set_open(at(2, 2), false);
    grid.set_open(at(6, 2), false);
    let ground = Ground::new(Arc::new(grid), 0.4).unwrap();
    assert!(
        !ground.leads(at(2, 2), at(6, 2)) && !ground.leads(at(2, 2), at(2, 2)) && !ground.leads(at(1, 1), at(2, 2))
    );
    assert!(ground.leads(at(1, 1), at(7, 3)) && ground.leads(at(1, 1), at(1, 1)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn the_nearest_cell_is_that_of_all_open_cells((width, height) in (1_u32..30, 1_u32..30), open in 0_u32..20, seed: u64) {
        let mut random = Pcg32::seed_from_u64(seed);
        let mut grid = Grid::closed(Lattice::new(width, height, 0.5).unwrap());
        let lattice = grid.lattice();
        for _ in 0..open {
            let cell = lattice.cell(random.random_range(0..width), random.random_range(0..height));
            grid.set_open(cell, true);
        }
        for _ in 0..20 {
            // On the map and around it; at times on the borders of cells, where several are equally near.
            let mut along = |side: f32| random.random_range(-0.5..1.5_f32) * side;
            let point = Vec2::new(along(lattice.size().x), along(lattice.size().y));
            let point = if random.random_range(0..2) == 0 { (point * 2.0).round() * 0.5 } else { point };
            let far = |cell: Cell| lattice.centre(cell).distance_squared(point);
            let open = lattice.cells().filter(|&cell| grid.is_open(cell));
            let expected = open.reduce(|best, cell| if far(cell) < far(best) { cell } else { best });
            prop_assert_eq!(grid.nearest_open(point), expected);
        }
    }
}
