//! Walls are kept clear of, and passed by.

use super::*;
use proptest::prelude::*;
use throng_grid::Lattice;
use throng_grid::clearance::clearance;
use throng_grid::geom::unit;
use throng_grid::walls::is_clear;

/// A map whose listed cells are closed.
fn map(side: u32, cell_size: f32, closed: impl IntoIterator<Item = (u32, u32)>) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(side, side, cell_size).unwrap());
    for (x, y) in closed {
        grid.set_open(grid.lattice().cell(x, y), false);
    }
    grid
}

fn lines(grid: &Grid, horizon: f32, walker: Walker) -> Vec<Line> {
    let clearance = clearance(grid);
    Around::default().lines(Ground { grid, clearance: &clearance, horizon }, walker).to_vec()
}

fn permits(lines: &[Line], velocity: Vec2) -> bool {
    lines.iter().all(|line| cross(line.direction, velocity - line.point) >= -1e-5)
}

fn walker(x: f32, y: f32, preferred: Vec2) -> Walker {
    Walker { place: Vec2::new(x, y), velocity: preferred, preferred, radius: 0.4, top_speed: 2.0 }
}

proptest! {
    #[test]
    fn what_is_permitted_leads_into_no_wall_within_the_horizon(
        closed in prop::collection::vec(prop::bool::weighted(0.15), 16 * 16),
        cell_size in 0.8_f32..3.0,
        (x, y) in (0.0_f32..1.0, 0.0_f32..1.0),
        radius in 0.1_f32..0.6,
        horizon in prop::sample::select(vec![0.1_f32, 0.5, 1.0]),
        (vx, vy) in (-2.0_f32..2.0, -2.0_f32..2.0),
        tries in prop::collection::vec((-2.0_f32..2.0, -2.0_f32..2.0), 40),
    ) {
        let cells = (0..256).filter(|&i| closed[i as usize]).map(|i| (i % 16, i / 16));
        let grid = map(16, cell_size, cells);
        let place = Vec2::new(x, y) * 16.0 * cell_size;
        prop_assume!(is_clear(&grid, place, radius));
        let walker = Walker { place, velocity: Vec2::new(vx, vy), preferred: Vec2::new(vx, vy), radius, top_speed: 2.0 };
        let lines = lines(&grid, horizon, walker);
        prop_assume!(lines.len() < WALLS);
        prop_assert!(permits(&lines, Vec2::ZERO), "standing still is always permitted");
        for velocity in tries.into_iter().map(|(x, y)| clamp_length(Vec2::new(x, y), 2.0)) {
            if !permits(&lines, velocity) {
                continue;
            }
            for part in 1..=20 {
                let at = place + velocity * (horizon * part as f32 / 20.0);
                prop_assert!(is_clear(&grid, at, radius * 0.998 - 1e-4), "{velocity} leads from {place} to {at}: {lines:?}");
            }
        }
    }
}

#[test]
fn far_from_walls_there_are_no_lines() {
    let grid = map(16, 1.0, []);
    assert!(lines(&grid, 0.5, walker(8.0, 8.0, Vec2::X)).is_empty());
}

#[test]
fn a_straight_wall_is_one_line() {
    let grid = map(16, 1.0, (0..16).map(|x| (x, 8)));
    let lines = lines(&grid, 0.5, walker(8.0, 7.2, Vec2::new(1.5, 1.0)));
    let [line] = lines[..] else { panic!("{lines:?}") };
    // 0.4 m are left, for half a second.
    assert!(line.point.distance(Vec2::new(0.0, 0.8)) < 1e-4 && line.direction == Vec2::NEG_X, "{line:?}");
}

#[test]
fn a_concave_corner_is_two_lines_and_a_corridor_too() {
    let corner = map(16, 1.0, (0..16).map(|x| (x, 8)).chain((0..8).map(|y| (9, y))));
    assert_eq!(lines(&corner, 0.5, walker(8.3, 7.3, Vec2::X)).len(), 2);
    let corridor = map(16, 1.0, (0..16).flat_map(|x| [(x, 6), (x, 8)]));
    assert_eq!(lines(&corridor, 0.5, walker(8.3, 7.5, Vec2::X)).len(), 2);
}

#[test]
fn who_walks_past_a_corner_or_through_a_door_is_left_alone() {
    // The wall ends at x = 8; the way leads past its end.
    let wall = map(16, 1.0, (0..8).map(|x| (x, 8)));
    let past = Vec2::new(0.3, 1.4);
    assert!(permits(&lines(&wall, 0.5, walker(8.35, 7.2, past)), past));
    // A door of one cell for a body of 0.8 m, straight on and a little askew.
    let door = map(16, 1.0, (0..16).filter(|&x| x != 8).map(|x| (x, 8)));
    for y in [6.8, 7.2, 7.6, 8.0, 8.5] {
        for way in [Vec2::new(0.0, 1.5), Vec2::new(0.05, 1.5)] {
            assert!(permits(&lines(&door, 0.5, walker(8.5, y, way)), way), "at {y}");
        }
    }
}

#[test]
fn from_a_stand_one_may_set_out_past_a_corner() {
    let wall = map(16, 1.0, (0..8).map(|x| (x, 8)));
    let at = walker(8.2, 7.6, Vec2::ZERO);
    let lines = lines(&wall, 0.5, at);
    // Round the corner, which is at (8, 8), at right angles to the way there.
    let around = unit(Vec2::new(0.4, 0.2));
    assert!(permits(&lines, around * 1.5) && !permits(&lines, Vec2::new(-0.5, 1.0)), "{lines:?}");
}

#[test]
fn in_a_wall_nothing_is_forbidden_by_it() {
    let grid = map(16, 1.0, [(8, 8)]);
    assert!(lines(&grid, 0.5, walker(8.5, 8.5, Vec2::X)).is_empty());
}
