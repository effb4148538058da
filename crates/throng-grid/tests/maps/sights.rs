//! Lines of sight against a walk in exact steps and against the distances of all walls.

use proptest::prelude::*;
use proptest::sample::select;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::geom::DVec2;
use throng_grid::{
    Cell, Corners, Direction, Grid, Ground, Lattice, LineOfSight, Mobility, STRAIGHT, Steps, TerrainCosts, pace,
};

/// Scattered walls or rectangles of them; terrain of three classes and, where they are asked for, heights.
fn map(width: u32, height: u32, closed: u32, hilly: bool, random: &mut Pcg32) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.5).unwrap());
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
        grid.set_terrain(cell, random.random_range(0_u8..9).saturating_sub(6));
        grid.set_height(cell, if hilly { random.random_range(0..90) } else { 0 });
    }
    for _ in 0..random.random_range(0..4) {
        let (x, y) = (random.random_range(0..width), random.random_range(0..height));
        let (right, low) = (x + random.random_range(1..20), y + random.random_range(1..20));
        for (x, y) in (x..right.min(width)).flat_map(|x| (y..low.min(height)).map(move |y| (x, y))) {
            grid.set_open(lattice.cell(x, y), false);
        }
    }
    grid
}

/// The cells of a segment at the middles of pieces of one length, so short that each lies within a cell.
fn pieces(lattice: Lattice, a: Cell, b: Cell) -> Vec<Cell> {
    let [(ax, ay), (bx, by)] = [a, b].map(|cell| lattice.column_row(cell)).map(|(x, y)| (i64::from(x), i64::from(y)));
    let (dx, dy) = (bx - ax, by - ay);
    let half = dx.abs().max(1) * dy.abs().max(1);
    let along = |d: i64, i: i64| (d * (2 * i + 1) + 2 * half).div_euclid(4 * half);
    (0..2 * half).map(|i| lattice.checked_cell(ax + along(dx, i), ay + along(dy, i)).unwrap()).collect()
}

fn trips(lattice: Lattice, random: &mut Pcg32) -> Vec<(Cell, Cell)> {
    let mut any = || lattice.cell(random.random_range(0..lattice.width), random.random_range(0..lattice.height));
    (0..40).map(|_| (any(), any())).collect()
}

fn any_steps() -> impl Strategy<Value = Steps> {
    let eight = [Corners::Never, Corners::OneSide, Corners::Always].map(Steps::Eight);
    select([[Steps::Four].as_slice(), &eight].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    /// Every passage from cell to cell is a legal step, and costs are those of the pieces.
    #[test]
    fn lines_are_as_free_and_as_dear_as_their_pieces(
        (width, height) in (1_u32..90, 1_u32..50), closed in 0_u32..8, hilly: bool, weighed: bool, steps in any_steps(),
        radius in select(vec![0.6_f32, 2.3]), seed: u64,
    ) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let grid = map(width, height, closed, hilly, random);
        let terrain = weighed.then(|| TerrainCosts::new([(0, Some(1)), (1, Some(3)), (2, Some(7))]));
        let ground = Ground::build(grid.into(), Mobility { steps, terrain, ..Mobility::new(radius) }).unwrap();
        let (lattice, sight) = (ground.lattice(), LineOfSight::new(&ground));
        for (a, b) in trips(lattice, random) {
            let pieces = pieces(lattice, a, b);
            let mut cells = pieces.clone();
            cells.dedup();
            prop_assert_eq!(sight.cells(a, b).collect::<Vec<_>>(), cells.clone());
            let is_legal = |pair: &[Cell]| {
                let step = lattice.offsets().iter().position(|&offset| pair[0].0.wrapping_add_signed(offset) == pair[1].0);
                ground.moves(pair[0]) >> step.unwrap() & 1 == 1
            };
            let is_free = ground.is_passable(a) && cells.windows(2).all(is_legal);
            prop_assert_eq!(sight.sees(a, b), is_free, "{:?} to {:?}", a, b);
            let length = {
                let [(ax, ay), (bx, by)] = [a, b].map(|cell| lattice.column_row(cell));
                f64::from(ax.abs_diff(bx)).hypot(f64::from(ay.abs_diff(by)))
            };
            let weight = |cell: Cell| f64::from(ground.weight(cell));
            let part = length / (cells.len() - 1).max(1) as f64;
            let expected = match cells[..] {
                [a, b] => {
                    let to = b.0.wrapping_sub(a.0) as i32;
                    let d = lattice.offsets().iter().position(|&offset| offset == to).unwrap();
                    f64::from(ground.step_cost(a, b, Direction::ALL[d]))
                }
                _ if hilly => cells.windows(2).map(|pair| {
                    let [from, to] = [0, 1].map(|i| f64::from(ground.grid().height(pair[i])));
                    let slope = (to - from) / (100.0 * part * f64::from(lattice.cell_size));
                    (weight(pair[0]) + weight(pair[1])) * 0.5 / f64::from(pace(slope as f32)) * part
                }).sum::<f64>() * f64::from(STRAIGHT),
                _ => pieces.iter().map(|&cell| weight(cell)).sum::<f64>() / pieces.len() as f64 * length * f64::from(STRAIGHT),
            };
            let cost = sight.cost(a, b);
            prop_assert_eq!(cost.is_some(), is_free);
            prop_assert!(cost.is_none_or(|cost| cost as f64 > expected - 1e-3 && (cost as f64) < expected + 1.001), "{:?}, {}", cost, expected);
        }
    }

    /// A wider body's lines are those of a ground that is made for it.
    #[test]
    fn lines_of_a_wider_body_are_those_of_its_own_ground(
        closed in 0_u32..8, steps in any_steps(), radius in 0.0_f32..4.0, shuns: bool, seed: u64,
    ) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let grid = std::sync::Arc::new(map(70, 40, closed, false, random));
        let terrain = shuns.then(|| TerrainCosts::new([(0, Some(1)), (1, None), (2, Some(1))]));
        let mobility = Mobility { steps, terrain, ..Mobility::new(0.5) };
        let wide = Mobility { radius: radius.max(0.5), ..mobility.clone() };
        let (ground, wide) = (Ground::build(grid.clone(), mobility).unwrap(), Ground::build(grid, wide).unwrap());
        let (sight, expected) = (LineOfSight::new(&ground).for_radius(radius), LineOfSight::new(&wide));
        for cell in ground.lattice().cells().filter(|&cell| wide.is_passable(cell)) {
            prop_assert_eq!(sight.moves(cell), expected.moves(cell));
        }
        for (a, b) in trips(ground.lattice(), random) {
            prop_assert_eq!(sight.sees(a, b), expected.sees(a, b));
            prop_assert_eq!(sight.cost(a, b), expected.cost(a, b));
        }
    }

    /// With room no wall is nearer to the line than the radius, and lines that have room are not refused.
    #[test]
    fn lines_with_room_keep_their_distance_from_all_walls(
        (width, height) in prop_oneof![(3_u32..16, 3_u32..16), (3_u32..90, 3_u32..50)], closed in 0_u32..8, cuts in select(vec![Corners::Never, Corners::OneSide]),
        radius in 0.1_f32..2.4, wider in select(vec![0.0_f32, 2.2]), seed: u64,
    ) {
        let random = &mut Pcg32::seed_from_u64(seed);
        let mobility = Mobility { steps: Steps::Eight(cuts), ..Mobility::new(radius) };
        let ground = Ground::build(map(width, height, closed, false, random).into(), mobility).unwrap();
        let (lattice, side) = (ground.lattice(), f64::from(ground.lattice().cell_size));
        let is_closed = |x, y| lattice.checked_cell(x, y).is_none_or(|cell| !ground.grid().is_open(cell));
        let all = (-1..=i64::from(height)).flat_map(|y| (-1..=i64::from(width)).map(move |x| (x, y)));
        let walls: Vec<DVec2> = all.filter(|&(x, y)| is_closed(x, y)).map(|(x, y)| DVec2::new(x as f64, y as f64)).collect();
        let plain = LineOfSight::new(&ground).for_radius(wider);
        let (roomy, room) = (plain.with_room(), f64::from(radius.max(wider)) / side);
        for (a, b) in trips(lattice, random) {
            let [from, to] = [a, b].map(|cell| lattice.centre(cell).as_dvec2() / side);
            let along = to - from;
            let near = |point: DVec2| point.distance(from + along * ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0));
            let gap = |&low: &DVec2| {
                let corners = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE].map(|corner| near(low + corner));
                let ends = [from, to].map(|end| end.distance(end.clamp(low, low + 1.0)));
                corners.into_iter().chain(ends).fold(f64::INFINITY, f64::min)
            };
            let gap = if plain.sees(a, b) { walls.iter().map(gap).fold(f64::INFINITY, f64::min) } else { 0.0 };
            let is_step = along.abs().max_element() < 1.5;
            let has_room = is_step || cuts != Corners::Never || gap >= room;
            if (gap - room).abs() > 1e-5 {
                prop_assert_eq!(roomy.sees(a, b), plain.sees(a, b) && has_room, "{} to {}: {} for {}", from, to, gap, room);
            }
        }
    }
}

/// A body passes the corner of one wall too closely: along each border of the map, and far from where the line begins.
#[test]
fn a_single_corner_takes_the_room() {
    // Column and row of a wall, of both ends of a line, all in cells from a corner of the map.
    for [wall, from, to] in [[(5, 0), (1, 0), (7, 1)], [(15, 10), (3, 10), (25, 11)]] {
        for (turned, right, low) in (0..8).map(|i| (i & 1 == 1, i & 2 == 2, i & 4 == 4)) {
            let lattice = Lattice::new(30, 30, 2.0).unwrap();
            let place = |(x, y): (u32, u32)| {
                let (x, y) = if turned { (y, x) } else { (x, y) };
                lattice.cell(if right { 29 - x } else { x }, if low { 29 - y } else { y })
            };
            let mut grid = Grid::open_plain(lattice);
            grid.set_open(place(wall), false);
            let ground = Ground::new(grid.into(), 0.8).unwrap();
            let sight = LineOfSight::new(&ground);
            let (from, to) = (place(from), place(to));
            assert!(sight.sees(from, to) && !sight.with_room().sees(from, to), "{wall:?} {turned} {right} {low}");
            assert!(!sight.with_room().sees(to, from));
        }
    }
}
