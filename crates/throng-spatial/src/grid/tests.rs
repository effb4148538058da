use super::DenseGrid;
use crate::extent::Extent;
use crate::simd::Level;
use crate::tests::{Crowd, LIES, Lie, SIZES, Size, agrees};
use crate::{Bodies, BruteForce, Near, Pairs, SpatialIndex, Tuning, TwoLevelGrid, nearby};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::ops::ControlFlow;

fn collected(grid: &DenseGrid, level: Level) -> (Pairs, u64) {
    let mut pairs = Pairs::default();
    let tests = grid.collect_rows(level, 0..grid.rows_of_buckets(), &mut pairs);
    (pairs, tests)
}

fn sorted(pairs: &Pairs) -> Vec<(u32, u32)> {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_unstable();
    pairs
}

/// All levels give the same pairs in the same order, and these are the pairs of brute force.
fn levels_agree(tuning: &Tuning, bodies: Bodies<2>, name: &str) {
    let mut grid = DenseGrid::new(tuning);
    grid.rebuild(bodies).unwrap();
    let mut expected = Pairs::default();
    BruteForce.collect_pairs(bodies, &mut expected);
    let first = collected(&grid, Level::available()[0]);
    assert_eq!(sorted(&first.0), sorted(&expected), "{name}");
    for level in Level::available() {
        assert!(collected(&grid, level) == first, "{name}, {level:?}");
        let mut again = DenseGrid::new(tuning);
        again.rebuild_at(level, 1, bodies).unwrap();
        assert_eq!(
            (&again.start, &again.row, again.layout.cells),
            (&grid.start, &grid.row, grid.layout.cells),
            "{name}"
        );
        for threads in [1, 2, 3] {
            // As if there were many.
            again.start.fill(7);
            again.sort_stripes(level, bodies, &[], threads);
            assert!(again.start == grid.start && again.row == grid.row, "{name}, {level:?}, {threads} threads");
            assert!(again.point[..bodies.len()] == grid.point[..bodies.len()], "{name}, {level:?}, {threads} threads");
            let mut pairs = Pairs::default();
            assert_eq!(grid.collect(level, threads, &mut pairs), first.1, "{name}, {level:?}, {threads} threads");
            assert!(pairs == first.0, "{name}, {level:?}, {threads} threads");
        }
        let mut visited = Pairs::default();
        grid.visit_pairs(level, |i, j| {
            visited.push(i, j);
            ControlFlow::Continue(())
        });
        assert!(visited == first.0, "{name}, {level:?}, visited");
    }
}

#[test]
fn all_levels_find_the_pairs_of_brute_force_in_the_same_order() {
    for (i, lie) in LIES.into_iter().enumerate() {
        for (j, size) in SIZES.into_iter().enumerate() {
            let crowd = Crowd::<2>::new(lie, size, 400 + 37 * j, (i + j) as u64);
            for tuning in [Tuning::default(), Tuning::for_reach(1.0), Tuning { cell: Some(0.2), ..Tuning::default() }] {
                levels_agree(&tuning, crowd.bodies(), &format!("{lie:?} {size:?} {tuning:?}"));
            }
        }
    }
}

#[test]
fn all_levels_answer_questions_alike() {
    for (i, lie) in LIES.into_iter().enumerate() {
        let crowd = Crowd::<2>::new(lie, Size::Mixed, 300, i as u64);
        let bodies = crowd.bodies();
        let mut grid = DenseGrid::default();
        grid.rebuild(bodies).unwrap();
        let scale = (crowd.position[0][0].abs() * 2e-7).max(1.0);
        let answers = |level| {
            let (mut within, mut nearest, mut near) = (Vec::new(), Vec::new(), Near::default());
            for (row, &at) in crowd.position.iter().enumerate().step_by(17) {
                let _ = grid.visit_within(level, at, 3.0 * scale, |row, squared| {
                    within.push((row, squared.to_bits()));
                    ControlFlow::Continue(())
                });
                let mut found = Vec::new();
                nearby::k_nearest(&grid, level, bodies, at, row % 23, 40.0 * scale, |row| row % 5 > 0, &mut found);
                nearest.push(found);
            }
            near.reset(bodies.len(), 12);
            for (i, stretch) in near.stretches(64).enumerate() {
                nearby::neighbours(&grid, level, bodies, i * 64, 9.0 * scale, stretch);
            }
            (within, nearest, near)
        };
        let expected = answers(Level::available()[0]);
        for level in Level::available() {
            assert!(answers(level) == expected, "{lie:?}, {level:?}");
        }
    }
}

/// In ranks and files many are equally far, and ids alone decide.
#[test]
fn neighbours_in_ranks_and_files_are_those_of_brute_force() {
    type Shape = (&'static str, fn(f32, f32) -> [f32; 2]);
    let shapes: [Shape; 4] = [
        ("square", |x, y| [1.1 * x, 1.1 * y]),
        ("ranks", |x, y| [0.8 * x, 2.0 * y]),
        ("hexagons", |x, y| [x + 0.5 * (y % 2.0), 0.75_f32.sqrt() * y]),
        ("pairs in one place", |x, y| [1.3 * (x / 2.0).floor(), 1.3 * y]),
    ];
    for (name, place) in shapes {
        let position: Vec<[f32; 2]> = (0..900).map(|i| place((i % 30) as f32, (i / 30) as f32)).collect();
        let id: Vec<u32> = (0..900).map(|i| i * 7919 % 900).collect();
        let radius = [0.3; 900];
        let bodies = Bodies::new(&position, &radius, &id);
        let mut grid = DenseGrid::default();
        grid.rebuild(bodies).unwrap();
        for (k, reach) in [(8, 5.0), (10, 5.0), (3, 1.2), (20, 2.5)] {
            let mut expected = Near::default();
            expected.reset(bodies.len(), k);
            for (i, stretch) in expected.stretches(64).enumerate() {
                BruteForce.neighbours(bodies, i * 64, reach, stretch);
            }
            for level in Level::available() {
                let mut near = Near::default();
                near.reset(bodies.len(), k);
                for (i, stretch) in near.stretches(64).enumerate() {
                    grid.write_lists(level, bodies, i * 64, reach, stretch);
                }
                assert!(
                    (0..900).all(|row| near.of(row) == expected.of(row)),
                    "{name}, {k} within {reach} m, {level:?}"
                );
            }
        }
    }
}

#[test]
fn a_crowded_bucket_overflows_no_buffer() {
    let crowd = Crowd::<2>::new(Lie::OneCell, Size::Equal, 1500, 3);
    levels_agree(&Tuning::default(), crowd.bodies(), "one cell");
    let (position, radius) = (vec![[3.0, 4.0]; 1500], vec![0.5; 1500]);
    let id: Vec<u32> = (0..1500).collect();
    let mut grid = DenseGrid::default();
    grid.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
    let (pairs, tests) = collected(&grid, Level::detect());
    assert_eq!((pairs.len(), tests), (1500 * 1499 / 2, 1500 * 1499 / 2));
}

/// Bodies that only just overlap, on all sides of each other, where rounding is coarse: contacts are never further apart
/// than the kernels look.
#[test]
fn contacts_lie_in_adjacent_buckets_however_coarse_coordinates_are() {
    for far in [0.0, 1.0, 1e3, 1e6, 1.6e7, 1e9, -3e12] {
        let ulp = (far * f32::EPSILON).abs().max(1e-6);
        let step = 64.0 * ulp;
        let mut position = Vec::new();
        for row in 0..30_u8 {
            for column in 0..50_u8 {
                position.push([far + step * f32::from(column), far * 0.7 - step * f32::from(row)]);
            }
        }
        let id: Vec<u32> = (0..position.len() as u32).collect();
        for radius in [step * 0.5, step * 0.501, step * 0.5001, step * 0.75, step * 1.01] {
            let radius = vec![radius; position.len()];
            for cell in [None, Some(step), Some(step * 0.37)] {
                levels_agree(
                    &Tuning { cell, ..Tuning::default() },
                    Bodies::new(&position, &radius, &id),
                    &format!("{far} {cell:?}"),
                );
            }
        }
    }
}

#[test]
fn a_long_line_has_as_many_buckets_as_bodies() {
    for axis in 0..2 {
        let position: Vec<[f32; 2]> = (0..9000_u16)
            .map(|i| {
                let mut at = [0.3; 2];
                at[axis] = f32::from(i.wrapping_mul(7919)) * 1.7;
                at
            })
            .collect();
        let (radius, id) = (vec![1.0; 9000], (0..9000).collect::<Vec<u32>>());
        let bodies = Bodies::new(&position, &radius, &id);
        let mut grid = DenseGrid::default();
        grid.rebuild(bodies).unwrap();
        assert_eq!(grid.layout.cells.count[1], 1);
        let (pairs, tests) = collected(&grid, Level::detect());
        let mut expected = Pairs::default();
        BruteForce.collect_pairs(bodies, &mut expected);
        assert_eq!(sorted(&pairs), sorted(&expected));
        assert!(tests < 9000 * 12, "{tests}");
    }
}

/// A crowd of some 300, a few of which went far out, by themselves or together, on one side or on all.
fn with_some_far_out(lie: Lie, size: Size, seed: u64) -> Crowd<2> {
    let mut crowd = Crowd::<2>::new(lie, size, 290 + seed as usize % 20, seed);
    let mut random = Pcg32::seed_from_u64(seed);
    let axes = random.random_range(1..=3);
    for _ in 0..random.random_range(1..=7) {
        let row = random.random_range(0..crowd.position.len());
        let far = 10_f32.powi(random.random_range(1..18));
        for axis in (0..2).filter(|axis| axes >> axis & 1 == 1) {
            crowd.position[row][axis] =
                far * [-1.0, 1.0, 1.0, random.random_range(-1.0..1.0)][random.random_range(0..4)];
        }
    }
    crowd
}

#[test]
fn those_far_out_are_found() {
    let mut random = Pcg32::seed_from_u64(12);
    for seed in 0..90 {
        let lie = [Lie::Uniform, Lie::Clustered, Lie::Sparse, Lie::Lattice, Lie::Line(1)][seed as usize % 5];
        let size = SIZES[seed as usize % 4];
        let crowd = with_some_far_out(lie, size, seed);
        let name = format!("{lie:?} {size:?} {seed}");
        levels_agree(&Tuning::default(), crowd.bodies(), &name);
        let (mut one, mut two) = (DenseGrid::default(), TwoLevelGrid::default());
        one.rebuild(crowd.bodies()).unwrap();
        two.rebuild(crowd.bodies()).unwrap();
        agrees(&one, crowd.bodies(), &mut random, &name);
        agrees(&two, crowd.bodies(), &mut random, &name);
    }
}

/// A teapot in a stadium: the buckets stay where the crowd is.
#[test]
fn a_few_far_out_cost_little() {
    let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Equal, 4000, 2);
    let tests = |crowd: &Crowd<2>| {
        let mut grid = DenseGrid::default();
        grid.rebuild(crowd.bodies()).unwrap();
        collected(&grid, Level::detect()).1
    };
    let before = tests(&crowd);
    for (row, corner) in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].iter().enumerate() {
        crowd.position[row] = corner.map(|x: f32| x * 12_000.0);
    }
    let after = tests(&crowd);
    assert!(after < before + before / 4, "{after} tests, {before} without");
}

#[test]
fn some_rows_can_be_left_out() {
    let crowd = Crowd::<2>::new(Lie::Uniform, Size::Giants, 500, 4);
    let bodies = crowd.bodies();
    let extent = Extent { widest: 0.5, narrowest: 0.5, ..Extent::of(bodies) };
    let radius = &crowd.radius;
    let rows = |large: bool| (0..500_u32).filter(move |&row| (radius[row as usize] > 0.5) == large);
    let not: Vec<u32> = rows(true).collect();
    let mut grid = DenseGrid::default();
    grid.fill(Level::detect(), 1, bodies, &extent, &not);
    let mut held = grid.held().to_vec();
    held.sort_unstable();
    assert!(held.iter().copied().eq(rows(false)));
    let expected = sorted_pairs_of(bodies, |row| !not.contains(&row));
    assert_eq!(sorted(&collected(&grid, Level::detect()).0), expected);
    for level in Level::available() {
        for threads in [1, 2, 3] {
            let mut again = grid.clone();
            again.start.fill(7);
            again.sort_stripes(level, bodies, &not, threads);
            assert!(again.start == grid.start && again.row == grid.row, "{level:?}, {threads} threads");
        }
    }
}

/// The pairs of some of the bodies.
fn sorted_pairs_of(bodies: Bodies<2>, accept: impl Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut pairs = Pairs::default();
    BruteForce.collect_pairs(bodies, &mut pairs);
    let mut pairs = sorted(&pairs);
    pairs.retain(|&(i, j)| accept(i) && accept(j));
    pairs
}

/// Into a new grid, that nothing may lie there already.
#[test]
fn many_threads_sort_as_one_does() {
    for (lie, n) in LIES.into_iter().zip([4000, 900, 2500, 70, 1800].into_iter().cycle()) {
        let crowd = Crowd::<2>::new(lie, Size::Mixed, n, 6);
        let sorted = |threads: usize| {
            let mut grid = DenseGrid::new(&Tuning::default());
            grid.rebuild_at(Level::detect(), threads, crowd.bodies()).unwrap();
            (grid.start, grid.row, grid.point)
        };
        let expected = sorted(1);
        for threads in [2, 3, 7] {
            assert!(sorted(threads) == expected, "{lie:?} on {threads} threads");
        }
    }
}
