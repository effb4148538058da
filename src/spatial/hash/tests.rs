//! Blocks and cells of the spatial hash, and its answers.

use super::*;
use crate::spatial::tests::{Crowd, Lie, Size, suite};

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
                for member in &index.member[index.start[cell] as usize..index.start[cell + 1] as usize] {
                    let at: [i32; 3] = std::array::from_fn(|axis| index.along(axis, member.position[axis]));
                    assert_eq!(at.map(|x| x >> 2), index.block[cell / 64]);
                    assert_eq!((at[0] & 3 | (at[1] & 3) << 2 | (at[2] & 3) << 4) as usize, cell % 64);
                    assert_eq!(member.position, crowd.position[member.row as usize]);
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
