//! Clearance, grounds and links that are mended after an edit equal new ones.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::clearance::clearance;
use throng_grid::{Cell, Corners, Edit, Grid, Ground, Lattice, Link, Mobility, Steps, TerrainCosts};

/// Noise, or rooms with gates.
fn map(width: u32, height: u32, walls: u32, rooms: bool, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.5).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        let wall = rooms && (x % 9 == 0 || y % 9 == 0) && random.random_range(0..9) > 0;
        grid.set_open(cell, !wall && random.random_range(0..100) >= walls);
        grid.set_terrain(cell, random.random_range(0_u8..6).saturating_sub(3));
    }
    grid
}

fn edits(cells: &[Cell], random: &mut Pcg32) -> Vec<Edit> {
    (0..random.random_range(1..4))
        .map(|_| {
            let cell = cells[random.random_range(0..cells.len())];
            match random.random_range(0..5) {
                0 | 1 => Edit::Open(cell),
                2 | 3 => Edit::Close(cell),
                _ => Edit::Terrain(cell, random.random_range(0..4)),
            }
        })
        .collect()
}

fn bits(grid: &Grid) -> Vec<u32> {
    grid.clearance().cells.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn grounds_and_clearance_after_edits_are_fresh_ones(
        (width, height) in (10_u32..70, 10_u32..70), walls in prop_oneof![Just(0_u32), 5_u32..45], rooms in any::<bool>(),
        steps in prop::sample::select(vec![
            Steps::Four, Steps::Eight(Corners::Never), Steps::Eight(Corners::OneSide), Steps::Eight(Corners::Always),
        ]),
        costs in prop::option::of(prop::array::uniform3(prop::option::of(1_u16..4))),
        radius in prop_oneof![2 => Just(0.5_f32), 1 => Just(1.1)], sized in any::<bool>(), seed in any::<u64>(),
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = map(width, height, walls, rooms, seed);
        let cells: Vec<Cell> = grid.lattice().cells().collect();
        // Class 3 has a cost in half of the cases: else an edit that brings it is an error.
        let last = random.random_range(0..2) == 0;
        let terrain = costs.map(|costs| {
            TerrainCosts::new((0..).zip(costs).chain(last.then_some((3, Some(2)))))
        });
        let sizes = if sized { vec![1.9] } else { vec![] };
        let mut mobility = Mobility { steps, terrain, sizes, ..Mobility::new(radius) };
        let Ok(mut ground) = Ground::build(Arc::new(grid), mobility.clone()) else { return Ok(()) };
        let standing: Vec<Cell> = cells.iter().copied().filter(|&cell| ground.is_passable(cell)).collect();
        if standing.len() > 9 && random.random_range(0..3) == 0 {
            mobility.links = vec![Link::new(standing[2], standing[standing.len() - 3], 70)];
            ground = ground.relinked(mobility.links.clone()).unwrap();
        }
        for _ in 0..12 {
            let mut grid = ground.grid().as_ref().clone();
            let mut dirty = Vec::new();
            grid.edit(&edits(&cells, &mut random), &mut dirty);
            let fresh: Vec<u32> = clearance(&grid).cells.iter().map(|value| value.to_bits()).collect();
            prop_assert_eq!(bits(&grid), fresh);
            let grid = Arc::new(grid);
            match (Ground::build(grid.clone(), mobility.clone()), ground.edited(grid, &dirty)) {
                (Ok(fresh), Ok(edited)) => {
                    prop_assert_eq!(&fresh, &edited);
                    prop_assert_eq!(fresh.region_count(), edited.region_count());
                    prop_assert_ne!(ground.id(), edited.id());
                    ground = edited;
                }
                (fresh, edited) => prop_assert_eq!(fresh.err(), edited.err()),
            }
        }
    }

    /// Doors open and close, lead elsewhere, into walls and off the map.
    #[test]
    fn a_relinked_ground_is_a_fresh_one(width in 3_u32..30, walls in 0_u32..40, seed in any::<u64>(), dear in any::<bool>()) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = Arc::new(map(width, 12, walls, false, seed));
        let cells: Vec<Cell> = grid.lattice().cells().collect();
        let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(3)), (2, Some(1))]));
        let mobility = Mobility { terrain, ..Mobility::new(0.4) };
        let mut ground = Ground::build(grid.clone(), mobility.clone()).unwrap();
        let standing: Vec<Cell> = cells.iter().copied().filter(|&cell| ground.is_passable(cell)).collect();
        prop_assume!(!standing.is_empty());
        for _ in 0..6 {
            let links: Vec<Link> = (0..random.random_range(0..4)).map(|_| {
                let of = if random.random_range(0..6) == 0 { &cells } else { &standing };
                let is_open = random.random_range(0..3) > 0;
                let mut any = || of[random.random_range(0..of.len())];
                let cost = if dear { u32::MAX / 2 } else { 900 };
                Link { is_open, ..Link::new(any(), any(), cost) }
            }).collect();
            let fresh = Ground::build(grid.clone(), Mobility { links: links.clone(), ..mobility.clone() });
            match (fresh, ground.relinked(links)) {
                (Ok(fresh), Ok(relinked)) => {
                    prop_assert_eq!(&fresh, &relinked);
                    prop_assert_ne!(ground.id(), relinked.id());
                    ground = relinked;
                }
                (fresh, relinked) => prop_assert_eq!(fresh.err(), relinked.err()),
            }
        }
    }
}

#[test]
fn a_link_off_the_map_is_refused_and_the_old_ground_stays() {
    let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
    let inside = grid.lattice().cell(2, 2);
    let ground = Ground::new(grid.into(), 0.4).unwrap();
    let error = ground.relinked(vec![Link::new(inside, inside, 1), Link::new(inside, Cell::NONE, 1)]).unwrap_err();
    assert_eq!(error.to_string(), "link 1 ends off the map");
    assert!(ground.links().is_empty());
}

/// A link whose end is walled up is closed, and open again with the wall; to a body that does not fit there it never is.
#[test]
fn a_wall_closes_the_links_that_end_in_it() {
    let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
    (0..9).for_each(|y| grid.set_open(grid.lattice().cell(4, y), false));
    let (left, right) = (grid.lattice().cell(3, 4), grid.lattice().cell(5, 4));
    let mobility = Mobility { links: vec![Link::new(left, right, 70)], ..Mobility::new(0.4) };
    let wide = Mobility { radius: 1.4, ..mobility.clone() };
    let ground = Ground::build(Arc::new(grid.clone()), mobility).unwrap();
    assert!(ground.leads(left, right) && !ground.leads(right, left) && !ground.leads(left, grid.lattice().cell(4, 4)));
    assert!(Ground::build(Arc::new(grid.clone()), wide).unwrap().links().is_empty(), "its end is beside the wall");

    let mut dirty = Vec::new();
    grid.edit(&[Edit::Close(right)], &mut dirty);
    let walled = ground.edited(Arc::new(grid.clone()), &dirty).unwrap();
    assert!(walled.links().is_empty() && walled.mobility() == ground.mobility());
    dirty.clear();
    grid.edit(&[Edit::Open(right)], &mut dirty);
    assert_eq!(walled.edited(Arc::new(grid), &dirty).unwrap(), ground);
}
