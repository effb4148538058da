//! All indices by name.

use super::{Asked, Crowd, Lie, Size, agrees, lists, suite};
use crate::volume::Aabb;
use crate::{
    AxisBsp, Bodies, Border, BruteForce, Bvh, ClosestPair, HashGrid, Index, IndexKind, KdTree, LinearOctree, LooseTree,
    OrthTree, SpatialIndex, SweepAndPrune, Tuning,
};
use rand::SeedableRng;
use rand_pcg::Pcg32;
use std::ops::ControlFlow;

#[test]
fn brute_force() {
    suite::<2, _>("brute force", || BruteForce);
    suite::<3, _>("brute force", || BruteForce);
}

#[test]
fn every_kind_by_name() {
    for kind in IndexKind::ALL {
        let tunings = [
            Tuning::default(),
            Tuning { reach: Some(3.0), ..Tuning::default() },
            Tuning { cell: Some(0.7), capacity: Some(2), ..Tuning::default() },
            Tuning { cell: Some(9.0), capacity: Some(30), ..Tuning::default() },
        ];
        let mut tunings = tunings.iter().cycle();
        suite::<2, _>(kind.name(), || Index::tuned(kind, tunings.next().unwrap()));
    }
}

#[test]
fn bounded_indices_name_who_is_outside() {
    let unbounded =
        [IndexKind::Brute, IndexKind::KdTree, IndexKind::Bsp, IndexKind::ClosestPair, IndexKind::Sweep, IndexKind::Bvh];
    let tuning = Tuning { bounds: Some(Aabb { low: [0.0, -5.0], high: [10.0, 5.0] }), ..Tuning::default() };
    let inside = Bodies::new(&[[0.0, -5.0], [10.0, 5.0], [9.0, 4.0]], &[1.0; 3], &[4, 8, 9]);
    let outside = Bodies::new(&[[0.0, 0.0], [3.0, 6.0], [-1.0, 0.0]], &[1.0; 3], &[4, 8, 9]);
    for kind in IndexKind::ALL {
        let index = &mut Index::tuned(kind, &tuning);
        for update in [false, true] {
            Asked::rebuild(index, inside).unwrap();
            agrees(index, inside, &mut Pcg32::seed_from_u64(1), kind.name());
            let result = if update { Asked::update(index, outside) } else { Asked::rebuild(index, outside) };
            if unbounded.contains(&kind) {
                assert_eq!(result, Ok(()), "{kind}");
                continue;
            }
            assert_eq!(
                result.unwrap_err().to_string(),
                "body 8 (row 1) is at y = 6 m, outside the index, which spans -5 to 5 m; make its bounds wider, or use \
                 one without bounds",
                "{kind}"
            );
            assert_eq!(Asked::census(index).cells, 0, "{kind}: empty after an error");
        }
    }
}

/// Bodies on a lattice of 3 m: the spacing is that of bodies or of small leaves, and each cell holds no more than lie in it.
#[test]
fn spacing_and_cells_are_those_of_the_bodies() {
    let position: Vec<[f32; 2]> =
        (0..900).map(|i| [(i % 30) as f32 * 3.0 + 1.0, (i / 30) as f32 * 3.0 + 2.0]).collect();
    let (radius, id) = (vec![1.4; 900], (0..900).collect::<Vec<u32>>());
    let bodies = Bodies::new(&position, &radius, &id);
    for kind in IndexKind::ALL {
        let mut index = Index::new(kind);
        Asked::rebuild(&mut index, bodies).unwrap();
        let spacing = SpatialIndex::<2>::spacing(&index);
        assert!(kind == IndexKind::Brute || (0.75..25.0).contains(&spacing), "{kind}: {spacing}");
        let _ = Asked::<2>::cells(&index, &mut |cell, held| {
            let within = |at: &&[f32; 2]| {
                (0..2).all(|axis| cell.low[axis] - 1.5 <= at[axis] && at[axis] <= cell.high[axis] + 1.5)
            };
            let there = position.iter().filter(within).count();
            assert!(held <= there, "{kind}: {cell:?} holds {held}, {there} are there");
            ControlFlow::Continue(())
        });
    }
}

/// Types of their own are given bounds as the tuned kinds are.
#[test]
fn structures_that_are_given_bounds_keep_to_them() {
    use crate::{AxisBsp, Border, DenseGrid, LinearQuadtree, LooseQuadtree, Quadtree};
    let bounds = Aabb { low: [0.0; 2], high: [10.0; 2] };
    let structures: [(&str, Box<dyn Asked<2>>); 5] = [
        ("axis-bsp", Box::new(AxisBsp::<2>::default().with_bounds(bounds))),
        ("grid", Box::new(DenseGrid::default().with_bounds(bounds))),
        ("linear-quadtree", Box::new(LinearQuadtree::default().with_bounds(bounds))),
        ("loose-quadtree", Box::new(LooseQuadtree::default().with_bounds(bounds))),
        ("quadtree", Box::new(Quadtree::new(Border::Leaves).with_bounds(bounds))),
    ];
    for (name, mut index) in structures {
        assert_eq!(index.rebuild(Bodies::new(&[[0.0, 10.0]], &[1.0], &[4])), Ok(()), "{name}");
        let error = index.rebuild(Bodies::new(&[[0.0, 10.5]], &[1.0], &[4])).unwrap_err().to_string();
        assert!(error.starts_with("body 4 (row 0) is at y = 10.5 m, outside"), "{name}: {error}");
    }
}

/// Two bodies that rest are not tested against each other.
fn never_tests_who_rests<const D: usize>(name: &str, index: &mut dyn Asked<D>) {
    let mut crowd = Crowd::<D>::new(Lie::OneCell, Size::Giants, 150, 4);
    crowd.resting = vec![true; 150];
    for resting in [150, 149] {
        crowd.resting[resting..].fill(false);
        index.rebuild(crowd.bodies()).unwrap();
        for _ in 0..2 {
            let mut found = 0;
            let tests = index.pairs(crowd.bodies(), &mut |i, j| {
                assert!(i == 149 || j == 149, "{name}");
                found += 1;
                ControlFlow::Continue(())
            });
            let most = if resting == 150 { 0 } else { 149 };
            assert_eq!((tests, found), (most, most), "{name}");
            index.update(crowd.bodies()).unwrap();
        }
    }
}

#[test]
fn resting_bodies_are_never_tested_against_each_other() {
    for kind in IndexKind::ALL {
        never_tests_who_rests::<2>(kind.name(), &mut Index::new(kind));
    }
    never_tests_who_rests::<3>("brute force", &mut BruteForce);
    for mut index in in_any_dimension::<3>().into_iter().chain(cubes()) {
        never_tests_who_rests("in space", &mut *index);
    }
}

#[test]
fn nobody_is_found_before_there_is_anybody() {
    fn check<const D: usize>(name: &str, index: &dyn Asked<D>) {
        let none = Bodies::new(&[], &[], &[]);
        assert_eq!(index.pairs(none, &mut |_, _| ControlFlow::Continue(())), 0, "{name}");
        agrees(index, none, &mut Pcg32::seed_from_u64(3), name);
        assert_eq!(index.census().cells, 0, "{name}");
    }
    for kind in IndexKind::ALL {
        check::<2>(kind.name(), &Index::new(kind));
    }
    for index in in_any_dimension::<3>().into_iter().chain(cubes()) {
        check("in space", &*index);
    }
}

/// Trees over cubes, which have up to three dimensions.
fn cubes<const D: usize>() -> [Box<dyn Asked<D>>; 2] {
    [Box::new(OrthTree::<D>::new(Border::Parent)), Box::new(OrthTree::<D>::new(Border::Leaves))]
}

/// All other structures that are generic over the dimension.
fn in_any_dimension<const D: usize>() -> Vec<Box<dyn Asked<D>>> {
    vec![
        Box::new(LinearOctree::<D>::default()),
        Box::new(LooseTree::<D>::default()),
        Box::new(KdTree::<D>::default()),
        Box::new(AxisBsp::<D>::default()),
        Box::new(ClosestPair::<D>::default()),
        Box::new(SweepAndPrune::<D>::default()),
        Box::new(Bvh::<D>::default()),
        Box::new(HashGrid::<D>::default()),
    ]
}

#[test]
fn on_a_line_and_in_four_dimensions() {
    fn check<const D: usize>(indices: Vec<Box<dyn Asked<D>>>) {
        for (number, mut index) in indices.into_iter().enumerate() {
            for (seed, lie) in [Lie::Uniform, Lie::Clustered, Lie::Lattice, Lie::Scattered].into_iter().enumerate() {
                let mut crowd = Crowd::<D>::new(lie, Size::Mixed, 120, seed as u64);
                index.rebuild(crowd.bodies()).unwrap();
                for _ in 0..4 {
                    let name = format!("structure {number} in {D} dimensions, {lie:?}");
                    agrees(&*index, crowd.bodies(), &mut Pcg32::seed_from_u64(2), &name);
                    crowd.stir();
                    index.update(crowd.bodies()).unwrap();
                }
            }
        }
    }
    check::<1>(in_any_dimension().into_iter().chain(cubes()).collect());
    check::<4>(in_any_dimension());
}

#[test]
fn more_candidates_than_there_is_room_for() {
    // Rings of bodies: hundreds at each of a few distances from the first.
    let mut position = vec![[0.0, 0.0]];
    for i in 0..2000_u16 {
        let way = crate::volume::obb::direction(f32::from(i));
        position.push([way[0] * f32::from(i % 5), way[1] * f32::from(i % 5)]);
    }
    let id: Vec<u32> = (0..position.len() as u32).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let radius = vec![0.3; position.len()];
    let bodies = Bodies::new(&position, &radius, &id);
    // By definition: sorted by distance, then id.
    let expected = |row: usize, k: usize| {
        let mut others: Vec<u32> = (0..position.len() as u32).filter(|&other| other as usize != row).collect();
        let squared = |other: u32| crate::volume::distance_squared(position[row], position[other as usize]);
        others.sort_by_key(|&other| (squared(other).to_bits(), id[other as usize]));
        others.retain(|&other| squared(other) < 400.0);
        others.truncate(k);
        others
    };
    for kind in IndexKind::ALL {
        for tuning in [Tuning::default(), Tuning::for_reach(20.0), Tuning::for_reach(1.0)] {
            let mut index = Index::tuned(kind, &tuning);
            Asked::rebuild(&mut index, bodies).unwrap();
            for k in [3, 255] {
                let near = lists(&index, bodies, k, 20.0);
                for row in [0, 1, 999, 2000] {
                    assert_eq!(near.of(row), expected(row, k), "{kind} {k}");
                }
            }
        }
    }
}

#[test]
fn memory_is_bounded_for_thin_and_huge_scenes() {
    for far in [1e3, 1e9, 9e15] {
        let position: Vec<[f32; 2]> = (0..100).map(|i| [far * i as f32, far * (i % 2) as f32]).collect();
        let (radius, id) = (vec![0.5; 100], (0..100).collect::<Vec<u32>>());
        for kind in IndexKind::ALL {
            for tuning in [Tuning::default(), Tuning::for_reach(1.0), Tuning { cell: Some(0.1), ..Tuning::default() }] {
                let mut index = Index::tuned(kind, &tuning);
                Asked::rebuild(&mut index, Bodies::new(&position, &radius, &id)).unwrap();
                let bytes = crate::SpatialIndex::<2>::bytes(&index);
                assert!(bytes < 100_000, "{kind}: {bytes}");
            }
        }
    }
}
