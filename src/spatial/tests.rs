//! The grid answers exactly like brute force.

use super::{Bodies, BruteForce, DenseGrid, Near, SpatialIndex};
use crate::volume::Aabb;
use proptest::prelude::*;

/// Bodies, with ids in an order of their own.
#[derive(Clone, Debug)]
struct Scene {
    position: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl Scene {
    fn bodies(&self) -> Bodies<'_, 2> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id }
    }
}

fn positions() -> impl Strategy<Value = Vec<[f32; 2]>> {
    let uniform = |far: f32| prop::collection::vec([-far..far, -far..far], 0..80);
    prop_oneof![
        3 => uniform(12.0),
        1 => uniform(1000.0),
        // Clusters far apart.
        1 => prop::collection::vec(([0.0..2.0_f32, 0.0..2.0_f32], 0..3_u8), 0..80).prop_map(|points| {
            points.into_iter().map(|([x, y], cluster)| [x + f32::from(cluster) * 300.0, y - f32::from(cluster) * 70.0])
                .collect()
        }),
        // In one line, far from the origin.
        1 => prop::collection::vec(-500.0..500.0_f32, 0..80)
            .prop_map(|xs| xs.into_iter().map(|x| [1e6 + x, -3.0]).collect()),
        // On whole metres: many at the same distance, many on one point.
        3 => prop::collection::vec([-3..4_i8, -3..4_i8], 0..80)
            .prop_map(|points| points.into_iter().map(|[x, y]| [f32::from(x), f32::from(y)]).collect()),
        1 => (0..300_usize).prop_map(|n| vec![[7.5, -2.5]; n]),
        // Wild ones among tame ones.
        1 => prop::collection::vec(
            [
                prop_oneof![5 => -9.0..9.0_f32, 1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, 1e30, -1e9])],
                prop_oneof![5 => -9.0..9.0_f32, 1 => prop::sample::select(vec![f32::NAN, f32::NEG_INFINITY, 1e38])],
            ],
            0..60,
        ),
    ]
}

fn scenes() -> impl Strategy<Value = Scene> {
    (positions(), any::<u64>(), prop::sample::select(vec![0.0, 0.9, 9.0_f32]), any::<bool>()).prop_map(
        |(position, seed, spread, shuffled)| {
            use rand::{RngExt, SeedableRng, seq::SliceRandom};
            let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
            let mut id: Vec<u32> = (0..position.len() as u32).map(|i| 3 * i + 1).collect();
            if shuffled {
                id.shuffle(&mut random);
            }
            let radius =
                position.iter().map(|_| (0.5 + spread * random.random_range(-0.5..1.0_f32)).max(0.0)).collect();
            Scene { position, radius, id }
        },
    )
}

fn grids() -> impl Strategy<Value = DenseGrid> {
    prop_oneof![
        Just(DenseGrid::default()),
        (0.1..20.0_f32).prop_map(DenseGrid::tuned),
        (-20.0..0.0_f32, 0.0..20.0_f32, 1.0..8.0_f32).prop_map(|(low, high, reach)| {
            DenseGrid::tuned(reach).with_bounds(Aabb { low: [low, low * 0.5], high: [high, high * 2.0] })
        }),
    ]
}

fn pairs(index: &impl SpatialIndex<2>, bodies: Bodies<2>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    index.pairs(bodies, |i, j| found.push((i, j)));
    found.sort_unstable();
    found
}

fn within(index: &impl SpatialIndex<2>, bodies: Bodies<2>, point: [f32; 2], reach: f32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    index.within(bodies, point, reach, |row, squared| found.push((row, squared.to_bits())));
    found.sort_unstable();
    found
}

fn lists(index: &impl SpatialIndex<2>, bodies: Bodies<2>, k: usize, reach: f32) -> Near {
    let mut near = Near::default();
    near.reset(bodies.len(), k);
    for (i, stretch) in near.stretches(7).enumerate() {
        index.neighbours(bodies, i * 7, reach, stretch);
    }
    near
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn grid_equals_brute_force(
        scene in scenes(),
        mut grid in grids(),
        before in scenes(),
        k in prop_oneof![4 => 0..12_usize, 1 => Just(255)],
        reach in prop_oneof![6 => 0.0..30.0_f32, 1 => Just(f32::INFINITY), 1 => Just(0.0), 1 => Just(-1.0)],
        points in prop::collection::vec([-15.0..15.0_f32, -15.0..15.0_f32], 1..8),
    ) {
        // What was there before is forgotten.
        grid.rebuild(before.bodies());
        let bodies = scene.bodies();
        grid.rebuild(bodies);

        prop_assert_eq!(pairs(&grid, bodies), pairs(&BruteForce, bodies));

        prop_assert_eq!(lists(&grid, bodies, k, reach), lists(&BruteForce, bodies, k, reach));

        let own = scene.position.iter().take(4).copied();
        for point in points.into_iter().chain(own).chain([[1e6, 0.0], [f32::NAN, 0.0]]) {
            prop_assert_eq!(within(&grid, bodies, point, reach), within(&BruteForce, bodies, point, reach));

            for accept in [|_| true, |row| row % 3 == 0, |_| false] {
                prop_assert_eq!(
                    grid.nearest(bodies, point, reach, accept),
                    BruteForce.nearest(bodies, point, reach, accept)
                );
            }
        }
    }
}

#[test]
fn more_candidates_than_there_is_room_for() {
    // Rings of bodies: hundreds at each of a few distances from the first.
    let mut position = vec![[0.0, 0.0]];
    for i in 0..2000_u16 {
        let way = crate::geom::direction(f32::from(i));
        position.push([way.x * f32::from(i % 5), way.y * f32::from(i % 5)]);
    }
    let id: Vec<u32> = (0..position.len() as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let scene = Scene { radius: vec![0.3; position.len()], position, id };
    for mut grid in [DenseGrid::default(), DenseGrid::tuned(20.0), DenseGrid::tuned(1.0)] {
        grid.rebuild(scene.bodies());
        for k in [3, 255] {
            assert!(lists(&grid, scene.bodies(), k, 20.0) == lists(&BruteForce, scene.bodies(), k, 20.0), "{k}");
        }
    }
}

#[test]
fn memory_is_bounded_for_thin_and_huge_scenes() {
    for far in [1e3, 1e9, 1e37] {
        let position: Vec<[f32; 2]> = (0..100).map(|i| [far * i as f32, far * (i % 2) as f32]).collect();
        let scene = Scene { radius: vec![0.5; 100], id: (0..100).collect(), position };
        for mut grid in [DenseGrid::default(), DenseGrid::tuned(1.0)] {
            grid.rebuild(scene.bodies());
            assert!(grid.bytes() < 10_000, "{}", grid.bytes());
        }
    }
}

#[test]
fn bodies_stay_in_the_order_of_the_input() {
    let scene = Scene { position: vec![[1.0, 1.0], [0.9, 1.1], [1.1, 0.9]], radius: vec![0.5; 3], id: vec![9, 5, 7] };
    let mut grid = DenseGrid::tuned(100.0);
    grid.rebuild(scene.bodies());
    let mut rows = Vec::new();
    grid.within(scene.bodies(), [1.0, 1.0], 50.0, |row, _| rows.push(row));
    assert_eq!(rows, [0, 1, 2]);
}
