//! Blocks and cells of the spatial hash, and its answers.

use super::*;
use crate::BruteForce;
use crate::tests::{Crowd, LIES, Lie, SIZES, Size, suite};

#[test]
fn agrees_with_brute_force_in_the_plane() {
    let mut sides = [None, Some(0.3), Some(40.0), Some(1e-20)].iter().cycle();
    suite::<2, _>("hash", || HashGrid::new(&Tuning { cell: *sides.next().unwrap(), ..Tuning::default() }));
}

#[test]
fn agrees_with_brute_force_in_space() {
    let mut sides = [0.0, 0.3, 40.0].iter().cycle();
    suite::<3, _>("hash", || HashGrid::<3>::default().with_cell(*sides.next().unwrap()));
}

#[test]
fn bodies_are_where_the_table_says() {
    for lie in [Lie::Uniform, Lie::Scattered, Lie::Far(1e6), Lie::Coincident] {
        let mut crowd = Crowd::<3>::new(lie, Size::Mixed, 500, 4);
        let mut index = HashGrid::<3>::default();
        for _ in 0..5 {
            crowd.stir();
            index.rebuild(crowd.bodies()).unwrap();
            assert!(index.block.is_sorted_by(|a, b| a.iter().rev().lt(b.iter().rev())));
            assert!(index.table.len() >= 2 * index.block.len());
            for (number, &block) in index.block.iter().enumerate() {
                assert_eq!(index.table[index.slot(block)] as usize, number);
            }
            let mut members = 0;
            for cell in 0..index.block.len() * 64 {
                for place in index.start[cell] as usize..index.start[cell + 1] as usize {
                    let at: [i32; 3] = std::array::from_fn(|axis| index.along(axis, index.point[place][axis]));
                    assert_eq!(at.map(|x| x >> 2), index.block[cell / 64]);
                    assert_eq!((at[0] & 3 | (at[1] & 3) << 2 | (at[2] & 3) << 4) as usize, cell % 64);
                    let row = index.row[place] as usize;
                    assert_eq!((index.point[place], index.radius(place)), (crowd.position[row], crowd.radius[row]));
                    members += 1;
                }
            }
            assert_eq!(members, crowd.position.len());
        }
    }
}

#[test]
fn one_far_away_does_no_harm() {
    let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Equal, 600, 3);
    let mut index = HashGrid::default();
    index.rebuild(crowd.bodies()).unwrap();
    let (fullest, bytes) = (index.census().fullest, index.bytes());
    crowd.position[17] = [1e18, -1e18];
    index.rebuild(crowd.bodies()).unwrap();
    assert!(index.census().fullest <= fullest + 1);
    assert!(index.bytes() < 2 * bytes + 2000);
}

/// All levels find the pairs of brute force, in the same order and with as many tests.
fn levels_agree<const D: usize>(crowd: &Crowd<D>, side: f32, name: &str) {
    let mut index = HashGrid::<D>::default().with_cell(side);
    index.rebuild(crowd.bodies()).unwrap();
    let found = |level| {
        let mut pairs = Vec::new();
        let tests = index.visit_pairs(level, crowd.bodies(), &mut |low, high| {
            pairs.extend(low.iter().copied().zip(high.iter().copied()));
            ControlFlow::Continue(())
        });
        (pairs, tests)
    };
    let first = found(Level::available()[0]);
    for level in Level::available() {
        assert!(found(level) == first, "{name}, {level:?}");
    }
    let mut pairs = first.0;
    pairs.sort_unstable();
    let mut expected = Pairs::default();
    BruteForce.collect_pairs(crowd.bodies(), &mut expected);
    let mut expected: Vec<_> = expected.iter().collect();
    expected.sort_unstable();
    assert_eq!(pairs, expected, "{name}");
}

#[test]
fn all_levels_find_the_pairs_of_brute_force_in_the_same_order() {
    for (i, lie) in LIES.into_iter().enumerate() {
        for (j, size) in SIZES.into_iter().enumerate() {
            // None, or cells of which a body covers many, some or less than one.
            for side in [0.0, 0.07, 0.6, 9.0] {
                let name = format!("{lie:?} {size:?} {side}");
                let mut crowd = Crowd::<2>::new(lie, size, 400 + 37 * j, (i + j) as u64);
                levels_agree(&crowd, side, &name);
                crowd.resting = (0..crowd.position.len()).map(|row| row % 3 > 0).collect();
                levels_agree(&crowd, side, &name);
                levels_agree(&Crowd::<3>::new(lie, size, 200, (i + j) as u64), side, &name);
            }
        }
    }
}

#[test]
fn a_crowded_cell_overflows_no_buffer() {
    let mut crowd = Crowd::<2>::new(Lie::OneCell, Size::Equal, 1500, 3);
    levels_agree(&crowd, 0.0, "one cell");
    crowd.position.fill([3.0, 4.0]);
    levels_agree(&crowd, 0.0, "one place");
}

/// However small the cells are that are asked for, two bodies that touch are few cells apart: a body looks at no more cells.
#[test]
fn cells_are_not_much_smaller_than_bodies() {
    let position: Vec<[f32; 2]> = (0..100_u8).map(|i| [f32::from(i % 10), f32::from(i / 10)]).collect();
    let id: Vec<u32> = (0..100).collect();
    for radius in [0.05, 0.25, 0.6, 3.0] {
        for cell in [1e-6, 0.01, 0.1, 1.0, 100.0] {
            let mut grid = HashGrid::<2>::default().with_cell(cell);
            grid.rebuild(Bodies::new(&position, &[radius; 100], &id)).unwrap();
            assert!(grid.apart <= 5, "{} cells of {cell} m for bodies of {radius} m", grid.apart);
        }
    }
}
