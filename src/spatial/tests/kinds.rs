//! All indices by name.

use super::{Asked, agrees, lists, suite};
use crate::spatial::{Bodies, BruteForce, DenseGrid, Index, IndexKind, Tuning};
use crate::volume::Aabb;
use rand::SeedableRng;
use rand_pcg::Pcg32;

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
    let bounds = Some(Aabb { low: [0.0, -5.0], high: [10.0, 5.0] });
    let mut grid = DenseGrid::new(&Tuning { bounds, ..Tuning::default() });
    let inside = Bodies::new(&[[0.0, -5.0], [10.0, 5.0]], &[1.0; 2], &[4, 8]);
    Asked::rebuild(&mut grid, inside).unwrap();
    agrees(&grid, inside, &mut Pcg32::seed_from_u64(1), "bounded");
    let error = Asked::rebuild(&mut grid, Bodies::new(&[[0.0, 0.0], [3.0, 6.0]], &[1.0; 2], &[4, 8])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 8 (row 1) is at y = 6 m, outside the index, which spans -5 to 5 m; make its bounds wider, or use one \
         without bounds"
    );
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
                let bytes = crate::spatial::SpatialIndex::<2>::bytes(&index);
                assert!(bytes < 100_000, "{kind}: {bytes}");
            }
        }
    }
}
