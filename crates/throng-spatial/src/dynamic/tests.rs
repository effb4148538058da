//! Links, counts and lists of dynamic buckets, and their answers.

use super::*;
use crate::tests::{Crowd, Lie, Size, suite};

fn check(index: &DynamicBuckets, bodies: Bodies<2>) {
    index.lists.check(bodies, |place, member| {
        let bucket = index.bucket[place as usize];
        let [x, y] = index.unit(member.position);
        assert!(index.stitching.at(bucket).contains(x, y));
        bucket
    });
    index.stitching.check();
    for (number, cell) in index.stitching.cell.iter().enumerate().filter(|(_, cell)| !cell.is_free()) {
        assert_eq!(cell.count as usize, index.lists.list(number as u32).count());
        assert!(cell.count <= index.capacity || cell.level <= index.floor, "{cell:?}");
    }
}

/// No four buckets hold so few that they should be one.
fn check_joined(index: &DynamicBuckets) {
    for number in (0..index.stitching.cell.len() as u32).filter(|&number| !index.stitching.at(number).is_free()) {
        if let Some(four) = index.stitching.quarters(number) {
            let held: u32 = four.iter().map(|&one| index.stitching.at(one).count).sum();
            assert!(held > index.capacity / 2, "{held} in four buckets");
        }
    }
}

#[test]
fn agrees_with_brute_force() {
    let tunings = [
        Tuning::default(),
        Tuning { capacity: Some(1), ..Tuning::default() },
        Tuning { capacity: Some(3), cell: Some(1e-3), ..Tuning::default() },
        Tuning { cell: Some(20.0), ..Tuning::default() },
    ];
    let mut tunings = tunings.iter().cycle();
    suite::<2, _>("dynamic buckets", || DynamicBuckets::new(tunings.next().unwrap()));
}

#[test]
fn neighbours_know_each_other_after_thousands_of_updates() {
    for (lie, capacity, cell) in [
        (Lie::Uniform, 4, None),
        (Lie::Clustered, 6, Some(0.01)),
        (Lie::Scattered, 8, None),
        (Lie::Coincident, 3, None),
    ] {
        let mut crowd = Crowd::<2>::new(lie, Size::Mixed, 400, 8);
        let mut index = DynamicBuckets::new(&Tuning { capacity: Some(capacity), cell, ..Tuning::default() });
        index.rebuild(crowd.bodies()).unwrap();
        let (mut kept, mut cut, mut joined) = (0, false, false);
        for turn in 0..1000 {
            let before = index.stitching.cell.iter().filter(|cell| !cell.is_free()).count();
            crowd.stir();
            index.update(crowd.bodies()).unwrap();
            if index.relinked > 0 {
                kept += 1;
                let after = index.stitching.cell.iter().filter(|cell| !cell.is_free()).count();
                cut |= after > before;
                joined |= after < before;
            }
            if turn % 10 == 0 {
                check(&index, crowd.bodies());
            }
        }
        // Buckets that were joined may be joined again in the next update.
        for _ in 0..ROOT_LEVEL {
            index.update(crowd.bodies()).unwrap();
        }
        check_joined(&index);
        assert!(kept > 200 && (lie != Lie::Uniform || cut && joined), "{lie:?}: {kept} {cut} {joined}");
    }
}

#[test]
fn bodies_on_one_point_do_not_split_for_ever() {
    let position = [[3.0, 4.0]; 500];
    let id: Vec<u32> = (0..500).collect();
    for radius in [0.0, 0.5] {
        let mut index = DynamicBuckets::new(&Tuning { capacity: Some(1), ..Tuning::default() });
        let radius = [radius; 500];
        index.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
        index.update(Bodies::new(&position, &radius, &id)).unwrap();
        assert!(index.stitching.cell.len() < 100);
    }
}

#[test]
fn bounds_are_kept() {
    let bounds = Some(Aabb { low: [0.0, 0.0], high: [10.0, 10.0] });
    let mut index = DynamicBuckets::new(&Tuning { bounds, ..Tuning::default() });
    index.rebuild(Bodies::new(&[[0.0, 10.0]], &[1.0], &[4])).unwrap();
    let error = index.update(Bodies::new(&[[0.0, -1.0]], &[1.0], &[4])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 4 (row 0) is at y = -1 m, outside the index, which spans 0 to 10 m; make its bounds wider, or use one \
         without bounds"
    );
    assert!(index.lists.is_empty());
}
