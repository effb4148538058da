use super::DenseGrid;
use crate::simd::Level;
use crate::spatial::tests::{Crowd, LIES, Lie, SIZES, Size};
use crate::spatial::{Bodies, BruteForce, Pairs, SpatialIndex, Tuning};

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
            again.sort_stripes(level, bodies, threads);
            assert!(again.start == grid.start && again.row == grid.row, "{name}, {level:?}, {threads} threads");
            assert!(again.point[..bodies.len()] == grid.point[..bodies.len()], "{name}, {level:?}, {threads} threads");
            let mut pairs = Pairs::default();
            assert_eq!(grid.collect(level, threads, &mut pairs), first.1, "{name}, {level:?}, {threads} threads");
            assert!(pairs == first.0, "{name}, {level:?}, {threads} threads");
        }
        let mut visited = Pairs::default();
        grid.visit_pairs(level, |i, j| {
            visited.push(i, j);
            std::ops::ControlFlow::Continue(())
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
