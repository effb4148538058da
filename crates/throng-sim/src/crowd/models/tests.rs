//! The promises of every model.

use super::*;
use crate::crowd::{Crowd, Newcomer};
use crate::ids::{ArmyId, UnitId};
use crate::walk::neighbours::neighbours;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::Grid;
use throng_grid::geom::{clamp_length, unit};
use throng_spatial::{Index, IndexKind, Near, SpatialIndex};

const STEP: f32 = 0.1;

/// The models of this module, beside [`orca`].
const OWN: [Avoidance; 4] = [Avoidance::None, Avoidance::Push, Avoidance::Separation, Avoidance::SocialForce];

fn agent(position: Vec2, velocity: Vec2, preferred: Vec2, radius: f32, weight: f32) -> (Newcomer, Vec2, Vec2) {
    let (facing, top_speed) = (Vec2::X, 2.0);
    (
        Newcomer { position, facing, radius, top_speed, weight, army: ArmyId(0), unit: UnitId(0), squad: None },
        velocity,
        preferred,
    )
}

fn crowd(agents: &[(Newcomer, Vec2, Vec2)]) -> Crowd {
    let mut crowd = Crowd::default();
    for &(new, velocity, preferred) in agents {
        let row = crowd.spawn(new).slot as usize;
        (crowd.rows.velocity[row], crowd.rows.preferred_velocity[row]) = (velocity, preferred);
    }
    crowd
}

fn near(crowd: &Crowd) -> Near {
    let bodies =
        throng_spatial::Bodies::new(bytemuck::cast_slice(&crowd.rows.position), &crowd.rows.radius, &crowd.rows.slot);
    let mut index = Index::new(IndexKind::Grid);
    index.rebuild(bodies).unwrap();
    let mut near = Near::default();
    neighbours(&index, bodies, 10, 25.0, &mut near);
    near
}

fn plain() -> Grid {
    Grid::open_plain(throng_grid::Lattice::new(16, 16, 8.0).unwrap())
}

fn think(kind: Avoidance, step: f32, crowd: &mut Crowd) {
    let near = near(crowd);
    let grid = plain();
    let (view, new_velocity) = crowd.rows.split(crowd.awake(), step, &grid, None, &near);
    let headings: Vec<Vec2> = view.preferred_velocity.iter().map(|&preferred| unit(preferred)).collect();
    let view = view.with_headings(&headings).unwrap();
    avoid(kind, &AvoidanceSettings::new(kind), &view, Rows::All, new_velocity);
}

/// Bodies of all sizes and weights, some on one point, at any speed up to their greatest.
fn heap(seed: u64, n: usize) -> Crowd {
    let mut random = Pcg32::seed_from_u64(seed);
    let agents: Vec<_> = (0..n)
        .map(|i| {
            let mut point =
                |reach: f32| Vec2::new(random.random_range(-reach..reach), random.random_range(-reach..reach));
            let at = if i % 7 == 0 { Vec2::ONE } else { point(12.0) };
            let (velocity, preferred) = (clamp_length(point(2.0), 2.0), point(3.0));
            let radius = [0.05, 0.4, 1.0, 10.0][random.random_range(0..4)];
            agent(at, velocity, preferred, radius, [1e-9, 1.0, 80.0, 1e15][random.random_range(0..4)])
        })
        .collect();
    crowd(&agents)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn velocities_are_finite_and_within_the_greatest_speed(seed: u64, step in 1e-6_f32..10.0) {
        for kind in Avoidance::ALL {
            let mut crowd = heap(seed, 60);
            think(kind, step, &mut crowd);
            for (row, next) in crowd.rows.new_velocity.iter().enumerate() {
                prop_assert!(next.is_finite(), "{kind}, row {row}: {next}");
                // That of an agent that avoids no other, and what rounding makes of half-planes, is shortened when it moves.
                let free = matches!(kind, Avoidance::None | Avoidance::Orca | Avoidance::Gap);
                prop_assert!(free || next.length() <= 2.0 * 1.000_001, "{kind}, row {row}: {next}");
            }
        }
    }

    #[test]
    fn the_same_on_any_number_of_threads_and_for_any_choice_of_rows(seed: u64) {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (one, four) = (pool(1), pool(4));
        for kind in OWN {
            let (mut a, mut b, mut odd) = (heap(seed, 400), heap(seed, 400), heap(seed, 400));
            one.install(|| think(kind, STEP, &mut a));
            four.install(|| think(kind, STEP, &mut b));
            prop_assert!(a.rows.new_velocity == b.rows.new_velocity, "{}", kind);
            let near = near(&odd);
            let grid = plain();
            let kinds: Vec<Avoidance> = (0..400).map(|row| if row % 2 == 1 { kind } else { Avoidance::Custom }).collect();
            let (view, new_velocity) = odd.rows.split(400, STEP, &grid, None, &near);
            avoid(kind, &AvoidanceSettings::new(kind), &view, Rows::Of(kind, &kinds), new_velocity);
            for row in 0..400 {
                prop_assert_eq!(odd.rows.new_velocity[row], if row % 2 == 1 { a.rows.new_velocity[row] } else { Vec2::ZERO });
            }
        }
    }

    #[test]
    fn a_mirrored_pair_moves_mirrored(x in 0.0_f32..2.0, y in 0.0_f32..2.0, vx in -1.0_f32..1.0, wx in -1.0_f32..1.0) {
        let (at, velocity, preferred) = (Vec2::new(x, y), Vec2::new(vx, 0.3), Vec2::new(wx, 0.0));
        for kind in OWN {
            let mut crowd = crowd(&[agent(at, velocity, preferred, 0.5, 3.0), agent(-at, -velocity, -preferred, 0.5, 3.0)]);
            think(kind, STEP, &mut crowd);
            prop_assert_eq!(crowd.rows.new_velocity[0], -crowd.rows.new_velocity[1], "{}", kind);
        }
    }
}

#[test]
fn alone_everybody_comes_to_its_preferred_velocity() {
    for kind in Avoidance::ALL {
        let preferred = Vec2::new(1.2, -0.9);
        let mut crowd = crowd(&[agent(Vec2::ZERO, Vec2::new(-2.0, 0.0), preferred, 0.5, 1.0)]);
        for _ in 0..60 {
            think(kind, STEP, &mut crowd);
            crowd.rows.velocity[0] = crowd.rows.new_velocity[0];
        }
        assert!(crowd.rows.new_velocity[0].distance(preferred) < 1e-4, "{kind}: {}", crowd.rows.new_velocity[0]);
    }
}

#[test]
fn those_who_overlap_part_even_on_one_point() {
    for kind in [Avoidance::Separation, Avoidance::SocialForce] {
        for apart in [0.0, 0.3] {
            let still = |x| agent(Vec2::new(x, 0.0), Vec2::ZERO, Vec2::ZERO, 0.5, 1.0);
            let mut crowd = crowd(&[still(0.0), still(apart)]);
            for _ in 0..50 {
                think(kind, STEP, &mut crowd);
                for row in 0..2 {
                    crowd.rows.velocity[row] = crowd.rows.new_velocity[row];
                    crowd.rows.position[row] += crowd.rows.new_velocity[row] * STEP;
                }
            }
            let distance = crowd.rows.position[0].distance(crowd.rows.position[1]);
            assert!(distance > 1.0, "{kind}: {distance}");
        }
    }
}

#[test]
fn the_lighter_is_pushed_more_and_what_is_behind_counts_less() {
    for kind in [Avoidance::Separation, Avoidance::SocialForce] {
        let still = |x, weight| agent(Vec2::new(x, 0.0), Vec2::ZERO, Vec2::ZERO, 0.5, weight);
        let mut crowd = crowd(&[still(0.0, 1.0), still(1.1, 3.0)]);
        think(kind, STEP, &mut crowd);
        let ratio = crowd.rows.new_velocity[0].x / crowd.rows.new_velocity[1].x;
        assert!((ratio + 3.0).abs() < 1e-4, "{kind}: {ratio}");
    }
    let walker = |x| agent(Vec2::new(x, 0.0), Vec2::X, Vec2::X, 0.5, 1.0);
    let mut pair = crowd(&[walker(0.0), walker(1.1)]);
    think(Avoidance::SocialForce, STEP, &mut pair);
    let (back, front) = (pair.rows.new_velocity[0].x - 1.0, pair.rows.new_velocity[1].x - 1.0);
    assert!(back < 0.0 && (front / back + 0.5).abs() < 1e-4, "{back} {front}");
}

#[test]
fn pushes_count_for_velocities_and_for_no_more_than_they_may() {
    use super::relaxation::settle;
    let before = [(Vec2::ZERO, Vec2::ZERO); 3];
    let position = [Vec2::new(0.1, 0.0), Vec2::new(0.5, 0.0), Vec2::new(0.1, 0.0)];
    let mut velocity = [Vec2::Y; 3];
    let limit = |row: usize| Some(if row == 2 { 4.0 } else { f32::INFINITY });
    settle(STEP, &before, &position, &[Vec2::ZERO; 3], &[2.0; 3], limit, &mut velocity);
    assert_eq!(velocity.map(|velocity| velocity.x), [1.0, 2.0, 0.4]);
    settle(STEP, &before, &position, &[Vec2::ZERO; 3], &[2.0; 3], |_| None, &mut velocity);
    assert_eq!(velocity[0], Vec2::X);
}
