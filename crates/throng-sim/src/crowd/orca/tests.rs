//! Sixteen at once do as one does.

use super::{Orca, plain};
use crate::crowd::gap::tests::check_turns;
use crate::crowd::gap::{Gap, GapRows};
use crate::crowd::models::Rows;
use crate::crowd::{AgentColumns, AgentView, Avoidance};
use crate::walk::neighbours::neighbours;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::clearance::clearance;
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Grid, Lattice};
use throng_spatial::simd::Level;
use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};

struct Crowd {
    position: Vec<Vec2>,
    velocity: Vec<Vec2>,
    preferred: Vec<Vec2>,
    radius: Vec<f32>,
    top_speed: Vec<f32>,
    weight: Vec<f32>,
    slot: Vec<u32>,
}

/// So many agents on a square of some metres; `alike` in radius and weight or not; `still` with a velocity of 0.
fn crowd(seed: u64, n: usize, side: f32, alike: bool, still: bool) -> Crowd {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut vectors = |size: f32| -> Vec<Vec2> {
        (0..n).map(|_| Vec2::new(random.random_range(-size..size), random.random_range(-size..size))).collect()
    };
    let (mut position, mut velocity, mut preferred) = (vectors(side), vectors(2.0), vectors(2.5));
    // Some want to go nowhere, some stand on one point, some walk abreast.
    (0..n).step_by(11).for_each(|i| preferred[i] = Vec2::ZERO);
    for i in (1..n).step_by(5) {
        position[i] = position[i - 1];
        velocity[i] = velocity[i - 1];
    }
    for i in (1..n).step_by(7) {
        velocity[i] = velocity[i - 1];
    }
    if still {
        velocity.fill(Vec2::ZERO);
    }
    let mut numbers = |low: f32, high: f32| -> Vec<f32> {
        let first = random.random_range(low..high);
        (0..n).map(|_| if alike { first } else { random.random_range(low..high) }).collect()
    };
    let (radius, top_speed, weight) = (numbers(0.2, 0.9), numbers(0.5, 3.0), numbers(0.1, 9.0));
    Crowd { position, velocity, preferred, radius, top_speed, weight, slot: (0..n as u32).map(|i| i * 3 + 1).collect() }
}

/// An open map; with `walls` one where about every seventh cell of 1 m is closed, and the map ends within the crowd.
fn map(walls: bool) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(12, 12, 1.0).unwrap());
    let lattice = grid.lattice();
    if walls {
        for cell in lattice.cells().filter(|cell| (cell.index() * 37 + cell.index() / 9) % 7 == 0) {
            grid.set_open(cell, false);
        }
        return grid;
    }
    Grid::open_plain(Lattice::new(64, 64, 4.0).unwrap())
}

fn check(crowd: &Crowd, k: usize, walls: bool) {
    let Crowd { position, velocity, preferred, radius, top_speed, weight, slot } = crowd;
    let grid = map(walls);
    let layer = clearance(&grid);
    // The middle of the crowd is in the middle of the map.
    let position: &Vec<Vec2> = &position.iter().map(|&at| at + grid.lattice().size() * 0.5).collect();
    let bodies = Bodies::new(bytemuck::cast_slice(position), radius, slot);
    let mut index = Index::new(IndexKind::Grid);
    index.rebuild(bodies).unwrap();
    let mut near = Near::default();
    neighbours(&index, bodies, k, 5.0, &mut near);
    let params = Orca { k, ..Orca::default() };
    let columns = AgentColumns {
        position,
        velocity,
        preferred_velocity: preferred,
        radius,
        top_speed,
        weight,
        progress: &vec![1.0; slot.len()],
        slot,
    };
    let headings = headings(preferred);
    let view = AgentView::new(0.1, &grid, &layer, columns, &near).unwrap().with_headings(&headings).unwrap();
    // The last of them sleep.
    let awake = slot.len() - slot.len() / 5;
    let kinds: Vec<Avoidance> = (0..awake).map(|i| if i % 3 == 1 { Avoidance::Orca } else { Avoidance::Gap }).collect();
    let by_gaps = [Rows::All, Rows::Of(Avoidance::Gap, &kinds), Rows::Of(Avoidance::Push, &kinds)];
    let gaps = by_gaps.map(|rows| Some(GapRows::of(Gap::default(), &view, rows)));
    for gap in gaps.into_iter().chain([None]) {
        let mut expected = vec![Vec2::ZERO; awake];
        plain::orca(params, gap.as_ref(), &view, &mut expected);
        for level in Level::available() {
            let mut next = vec![Vec2::NAN; awake];
            super::orca_at(level, params, &view, gap, &mut next);
            assert!(bits(&next) == bits(&expected), "{level:?}, {} agents, k {k}", slot.len());
        }
    }
    for rows in by_gaps {
        check_turns(&view, rows, awake);
    }
}

fn bits(points: &[Vec2]) -> Vec<[u32; 2]> {
    points.iter().map(|p| [p.x.to_bits(), p.y.to_bits()]).collect()
}

/// Where agents go that prefer these velocities: for one of four they were turned aside, and one of nine goes nowhere.
fn headings(preferred: &[Vec2]) -> Vec<Vec2> {
    let mut headings: Vec<Vec2> = preferred.iter().map(|&preferred| unit(preferred)).collect();
    headings.iter_mut().step_by(4).for_each(|heading| *heading = unit(*heading + 0.3 * heading.perp()));
    headings.iter_mut().step_by(9).for_each(|heading| *heading = Vec2::ZERO);
    headings
}

proptest! {
    #[test]
    fn lanes_have_the_bits_of_one_agent(
        seed: u64,
        n in 1..90_usize,
        side in prop::sample::select(vec![0.7_f32, 2.0, 5.0, 20.0]),
        alike: bool,
        still: bool,
        walls: bool,
        k in prop::sample::select(vec![1_usize, 6, 10, 16, 17, 40]),
    ) {
        check(&crowd(seed, n, side, alike, still), k, walls);
    }
}

#[test]
fn more_neighbours_and_candidates_than_a_list_has() {
    for walls in [false, true] {
        check(&crowd(1, 700, 4.0, true, false), 255, walls);
        check(&crowd(2, 1100, 3.0, false, false), 10, walls);
    }
}

#[test]
fn nobody_and_no_neighbours() {
    check(&crowd(1, 0, 4.0, true, false), 10, true);
    check(&crowd(1, 3, 4.0, true, false), 0, true);
}
