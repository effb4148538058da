use super::*;
use crate::clearance::clearance;
use crate::{Cell, Lattice};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// A map with walls one cell thick: some rows and columns closed but for a few doors, and some closed cells.
fn maze(width: u32, height: u32, cell_size: f32, random: &mut Pcg32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(width, height, cell_size).unwrap());
    let lattice = grid.lattice();
    let (scattered, doors) = (random.random_range(0..20), random.random_range(0..4));
    for x in (random.random_range(1..5)..width).step_by(random.random_range(2..7)) {
        for y in 0..height {
            grid.set_open(lattice.cell(x, y), random.random_range(0..10) < doors);
        }
    }
    for y in (random.random_range(1..5)..height).step_by(random.random_range(2..7)) {
        for x in 0..width {
            grid.set_open(lattice.cell(x, y), random.random_range(0..10) < doors);
        }
    }
    for cell in lattice.cells() {
        if random.random_range(0..100) < scattered {
            grid.set_open(cell, false);
        }
    }
    grid
}

/// Regions of open cells joined by their sides: a body that is clear of walls cannot leave its own.
fn regions(grid: &Grid) -> Layer<u32> {
    let lattice = grid.lattice();
    let mut labels = Layer::new(lattice, 0);
    let mut count = 0;
    for start in lattice.cells() {
        if !grid.is_open(start) || labels[start] != 0 {
            continue;
        }
        count += 1;
        let mut open = vec![start];
        labels[start] = count;
        while let Some(cell) = open.pop() {
            for offset in &lattice.offsets()[..4] {
                let to = Cell(cell.0.wrapping_add_signed(*offset));
                if grid.is_open(to) && labels[to] == 0 {
                    labels[to] = count;
                    open.push(to);
                }
            }
        }
    }
    labels
}

/// The exact distance from a point to the nearest wall by looking at every cell (m); 0 inside one.
fn gap(grid: &Grid, point: Vec2) -> f32 {
    let lattice = grid.lattice();
    let edge = point.min(lattice.size() - point).min_element().max(0.0);
    lattice
        .cells()
        .filter(|&cell| !grid.is_open(cell))
        .map(|cell| {
            let (x, y) = lattice.column_row(cell);
            let (low, high) = square(lattice, x, y);
            point.distance(point.max(low).min(high))
        })
        .fold(edge, f32::min)
}

fn somewhere(grid: &Grid, random: &mut Pcg32) -> Vec2 {
    Vec2::new(random.random_range(0.0..1.0), random.random_range(0.0..1.0)) * grid.lattice().size()
}

fn away(length: f32, random: &mut Pcg32) -> Vec2 {
    let way = if random.random_range(0..4) == 0 {
        // Along the walls.
        [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y][random.random_range(0..4)]
    } else {
        crate::geom::direction(random.random_range(0.0..360.0))
    };
    way * length
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn clear_means_no_wall_nearer_than_the_radius(seed: u64, size in 0.2..4.0_f32, radius in 0.01..3.0_f32) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = maze(12, 9, size, &mut random);
        for _ in 0..20 {
            let point = somewhere(&grid, &mut random);
            let gap = gap(&grid, point);
            if (gap - radius).abs() > 1e-4 {
                prop_assert_eq!(is_clear(&grid, point, radius), gap > radius);
            }
        }
        prop_assert!(!is_clear(&grid, Vec2::new(-1.0, 2.0), 0.01));
        prop_assert!(!is_clear(&grid, Vec2::new(f32::NAN, 2.0), 0.01));
    }

    #[test]
    fn a_disc_is_never_moved_into_a_wall_or_across_one(
        seed: u64,
        size in prop::sample::select(vec![0.25, 1.0, 1.7, 8.0_f32]),
        radius in prop::sample::select(vec![0.01, 0.1, 0.5, 1.3_f32]),
        length in prop::sample::select(vec![0.0, 0.05, 0.7, 15.0, 100.0_f32]),
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = maze(30, 22, size, &mut random);
        let (clearance, regions) = (clearance(&grid), regions(&grid));
        let lattice = grid.lattice();
        for _ in 0..20 {
            let mut at = somewhere(&grid, &mut random);
            if !is_clear(&grid, at, radius) {
                continue;
            }
            let home = regions[lattice.at(at)];
            let way = away(length, &mut random);
            for turn in 0..6 {
                // The same way again, pressed against the wall, and then others.
                let way = if turn < 3 { way } else { away(length, &mut random) };
                let to = slide(&grid, &clearance, at, way, radius);
                prop_assert!(is_clear(&grid, to, radius), "{at} by {way} to {to}, gap {}", gap(&grid, to));
                prop_assert_eq!(regions[lattice.at(to)], home, "{} by {} to {}", at, way, to);
                prop_assert!(to.distance(at) <= length * 1.01 + 2.0 * radius);
                at = to;
            }
        }
    }

    #[test]
    fn a_free_way_is_walked_whole(seed: u64, length in 0.0..20.0_f32) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = maze(30, 22, 1.0, &mut random);
        let clearance = clearance(&grid);
        for _ in 0..20 {
            let (from, way) = (somewhere(&grid, &mut random), away(length, &mut random));
            let steps = (length * 20.0) as u32 + 2;
            let free = (0..=steps).all(|i| gap(&grid, from + way * (i as f32 / steps as f32)) > 0.4 + 0.05);
            if free {
                let to = slide(&grid, &clearance, from, way, 0.4);
                prop_assert!(to.distance(from + way) < 1e-3, "{from} by {way} to {to}");
            }
        }
    }

    #[test]
    fn a_disc_that_is_not_clear_never_gets_deeper(seed: u64, radius in 0.05..2.0_f32, length in 0.0..3.0_f32) {
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = maze(20, 14, 1.0, &mut random);
        let clearance = clearance(&grid);
        let regions = regions(&grid);
        for _ in 0..20 {
            let from = somewhere(&grid, &mut random);
            let to = slide(&grid, &clearance, from, away(length, &mut random), radius);
            prop_assert!(gap(&grid, to) >= gap(&grid, from).min(radius) - 1e-6, "{from} to {to}");
            if gap(&grid, from) > 0.0 {
                prop_assert_eq!(regions[grid.lattice().at(to)], regions[grid.lattice().at(from)]);
            }
        }
    }

    #[test]
    fn sight_is_what_a_dense_look_finds(seed: u64, wide in 0.05..1.2_f32, size in 0.5..2.0_f32) {
        // The sight of a point as well.
        let radius = if seed % 3 == 0 { 0.0 } else { wide };
        let mut random = Pcg32::seed_from_u64(seed);
        let grid = maze(20, 14, size, &mut random);
        let clearance = clearance(&grid);
        for _ in 0..20 {
            let (a, b) = (somewhere(&grid, &mut random), somewhere(&grid, &mut random));
            let b = if random.random_range(0..2) == 0 { a + (b - a) * 0.1 } else { b };
            let steps = 120;
            let narrowest =
                (0..=steps).map(|i| gap(&grid, a.lerp(b, i as f32 / steps as f32))).fold(f32::INFINITY, f32::min);
            // Between two looks it can be narrower by half the distance of the looks.
            let missed = a.distance(b) / steps as f32;
            let seen = line_of_sight(&grid, &clearance, a, b, radius);
            prop_assert!(!seen || narrowest > (radius - 1e-3).max(0.0), "{a} to {b}: {narrowest}");
            prop_assert!(seen || narrowest < radius + missed + 1e-3, "{a} to {b}: {narrowest}");
        }
    }
}

#[test]
fn a_disc_slides_along_a_wall_and_round_its_corner() {
    let mut grid = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let lattice = grid.lattice();
    for x in 5..10 {
        grid.set_open(lattice.cell(x, 10), false);
    }
    let clearance = clearance(&grid);
    // Down on the wall and to the right: along the top of it, over its joints, then on down beside it.
    let mut at = Vec2::new(6.0, 9.0);
    for _ in 0..60 {
        at = slide(&grid, &clearance, at, Vec2::new(0.1, 0.1), 0.5);
    }
    assert!(at.x > 10.4 && at.y > 10.0, "{at}");
}

#[test]
fn a_disc_inside_a_wall_comes_out() {
    let mut grid = Grid::open_plain(Lattice::new(12, 12, 1.0).unwrap());
    let lattice = grid.lattice();
    for x in 3..9 {
        for y in 3..9 {
            grid.set_open(lattice.cell(x, y), false);
        }
    }
    let clearance = clearance(&grid);
    let mut at = Vec2::new(5.2, 5.6);
    for _ in 0..30 {
        at = slide(&grid, &clearance, at, Vec2::ZERO, 0.4);
    }
    assert!(is_clear(&grid, at, 0.4), "{at}");
}

#[test]
fn endless_and_undefined_moves_are_refused() {
    let grid = Grid::open_plain(Lattice::new(12, 12, 1.0).unwrap());
    let clearance = clearance(&grid);
    let at = Vec2::new(5.0, 5.0);
    for way in [Vec2::splat(f32::NAN), Vec2::splat(f32::INFINITY), Vec2::splat(1e38)] {
        let to = slide(&grid, &clearance, at, way, 0.5);
        assert!(is_clear(&grid, to, 0.5), "{way} to {to}");
    }
}

proptest! {
    #[test]
    fn the_nearest_wall_is_that_of_all_closed_cells(seed: u64, size in 0.2..4.0_f32, radius in 0.0..6.0_f32) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let grid = maze(70, 20, size, random);
        let (lattice, extent) = (grid.lattice(), grid.lattice().size());
        let centre = extent * Vec2::new(random.random(), random.random());
        let beyond = [centre.x, centre.y, extent.x - centre.x, extent.y - centre.y];
        let closed = lattice.cells().filter(|&cell| !grid.is_open(cell)).map(|cell| {
            let (column, row) = lattice.column_row(cell);
            let (low, high) = square(lattice, column, row);
            centre.max(low).min(high).distance_squared(centre)
        });
        let least = closed.chain(beyond.map(|gap| gap * gap)).fold(squared_reach(radius), f32::min);
        let found = nearest_wall(&grid, centre, radius).map_or(squared_reach(radius), |(_, squared)| squared);
        prop_assert!((found - least).abs() < 1e-5 * (1.0 + least), "{found} {least} at {centre}");
    }
}

proptest! {
    #[test]
    fn a_free_radius_is_the_clearance_less_the_way_to_the_centre(x in -99.0..99.0_f32, y in -99.0..99.0_f32, size in 0.3..3.0_f32) {
        let grid = Grid::open_plain(Lattice::new(12, 9, size).unwrap());
        let (lattice, clearance, point) = (grid.lattice(), clearance(&grid), Vec2::new(x, y));
        let cell = lattice.at(point);
        let expected = clearance[cell] - lattice.centre(cell).distance(point);
        let free = free_radius(&clearance, point);
        prop_assert!(free < expected && free > expected - 1e-3, "{free} {expected}");
        prop_assert!(free <= gap(&grid, point));
    }

    #[test]
    fn half_a_chord_is_never_too_long_and_seldom_much_too_short(radius in 0.0..9.0_f32, times in 0.0..4.0_f32) {
        let free = radius * times;
        let exact = (free * free - radius * radius).max(0.0).sqrt();
        let half = half_chord(free, radius);
        prop_assert!(half <= exact * 1.000_01 + 1e-6 && half >= exact * 0.94, "{half} of {exact}");
    }

    #[test]
    fn blocks_are_all_the_walls_within_reach_and_nothing_else(seed: u64, size in 0.2..4.0_f32, reach in 0.1..3.0_f32) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let grid = maze(20, 14, size, random);
        let (lattice, clearance, place) = (grid.lattice(), clearance(&grid), somewhere(&grid, random));
        let reach = reach * size;
        let mut blocks = Blocks::default();
        let found = blocks.find(&grid, &clearance, place, reach);
        let away = |low: Vec2, high: Vec2| place.max(low).min(high).distance(place);
        let distances: Vec<f32> = blocks.all().iter().map(|block| away(block.low, block.high)).collect();
        prop_assert!(distances.is_sorted() && distances.iter().all(|&far| far < reach + 1e-4));
        prop_assert!(found || gap(&grid, place) >= reach - 1e-4);
        let least = distances.first().copied().unwrap_or(reach);
        prop_assert!((least - gap(&grid, place).min(reach)).abs() < 1e-4, "{least}");
        let covers = |point: Vec2| blocks.all().iter().any(|block| point.cmpgt(block.low).all() && point.cmplt(block.high).all());
        let last = if blocks.all().len() < Blocks::MAX_BOXES { reach } else { *distances.last().unwrap() };
        for cell in lattice.cells() {
            let (x, y) = lattice.column_row(cell);
            let (low, high) = square(lattice, x, y);
            let is_near = away(low, high) < last - 1e-4;
            let covered = covers((low + high) * 0.5);
            prop_assert!(covered != grid.is_open(cell) || !covered && !is_near);
        }
        let beyond = [(place.x, Vec2::new(-0.01, place.y)), (place.y, Vec2::new(place.x, -0.01))];
        for (to_edge, point) in beyond {
            prop_assert!(to_edge > last - 1e-4 || covers(point));
        }
    }
}
