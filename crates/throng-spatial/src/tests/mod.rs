//! Every index answers exactly like brute force.

mod asked;
mod crowd;
mod kinds;
mod parameters;

pub(crate) use asked::Asked;
pub(crate) use crowd::{Crowd, LIES, Lie, SIZES, Size};

use super::bodies::meet;
use super::{Bodies, BruteForce, Cone, Near, Pairs, SpatialError, SpatialIndex};
use crate::volume::{Aabb, Ball, Sweep};
use asked::everywhere;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::ops::ControlFlow;

pub(crate) fn sorted_pairs<const D: usize>(index: &dyn Asked<D>, bodies: Bodies<D>) -> (Vec<(u32, u32)>, u64) {
    let mut found = Vec::new();
    let tests = index.pairs(bodies, &mut |i, j| {
        found.push((i, j));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    (found, tests)
}

fn within<const D: usize>(index: &dyn Asked<D>, bodies: Bodies<D>, point: [f32; D], reach: f32) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let _ = index.within(bodies, point, reach, &mut |row, squared| {
        found.push((row, squared.to_bits()));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

fn rows(query: impl FnOnce(&mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()>) -> Vec<u32> {
    let mut found = Vec::new();
    let _ = query(&mut |row| {
        found.push(row);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

fn lists<const D: usize>(index: &dyn Asked<D>, bodies: Bodies<D>, k: usize, reach: f32) -> Near {
    let mut near = Near::default();
    near.reset(bodies.len(), k);
    for (i, stretch) in near.stretches(7).enumerate() {
        index.neighbours(bodies, i * 7, reach, stretch);
    }
    near
}

/// Asks an index that was built of `bodies` everything, and compares with brute force.
#[allow(clippy::too_many_lines)]
pub(crate) fn agrees<const D: usize>(index: &dyn Asked<D>, bodies: Bodies<D>, random: &mut Pcg32, name: &str) {
    let n = bodies.len();
    let brute: &dyn Asked<D> = &BruteForce;
    let (expected, most) = sorted_pairs(brute, bodies);
    let (found, tests) = sorted_pairs(index, bodies);
    assert_eq!(found, expected, "{name}: pairs");
    assert!(tests >= found.len() as u64 && tests <= most, "{name}: {tests} tests, brute force {most}");
    let mut pairs = Pairs::default();
    assert_eq!(index.collect_pairs(bodies, &mut pairs), tests, "{name}: tests of collected pairs");
    let mut collected: Vec<_> = pairs.iter().collect();
    collected.sort_unstable();
    assert_eq!(collected, expected, "{name}: collected pairs");

    let scale = match bodies.position.first() {
        Some(at) => (at[0].abs() * 2e-7).max(1.0),
        None => 1.0,
    };
    for (k, reach) in
        [(1, 3.0 * scale), (6, 1e30), (6, 2.0 * scale), (0, 1.0), (255, 5.0 * scale), (3, 0.0), (3, f32::NAN)]
    {
        if k == 255 && !random.random_ratio(1, 4) {
            continue;
        }
        assert_eq!(lists(index, bodies, k, reach), lists(brute, bodies, k, reach), "{name}: {k} within {reach}");
    }

    for turn in 0..6 {
        let mut point: [f32; D] = std::array::from_fn(|_| random.random_range(-15.0..15.0));
        if n > 0 && turn % 2 == 0 {
            let at = bodies.position[random.random_range(0..n)];
            point = std::array::from_fn(|axis| at[axis] + if turn == 0 { 0.0 } else { 0.1 * point[axis] * scale });
        }
        for reach in [0.5 * scale, 4.0 * scale, 100.0 * scale, f32::INFINITY, 0.0, -1.0, f32::NAN] {
            assert_eq!(
                within(index, bodies, point, reach),
                within(brute, bodies, point, reach),
                "{name}: within {reach} of {point:?}"
            );
            let accepts: [&dyn Fn(u32) -> bool; 3] = [&|_| true, &|row| row % 3 == 0, &|_| false];
            for accept in accepts {
                assert_eq!(
                    index.nearest(bodies, point, reach, accept),
                    brute.nearest(bodies, point, reach, accept),
                    "{name}: nearest within {reach} of {point:?}"
                );
                let (mut found, mut expected) = (vec![(7, 7.0)], Vec::new());
                for k in [0, 1, 5, n, usize::MAX] {
                    index.k_nearest(bodies, point, k, reach, accept, &mut found);
                    brute.k_nearest(bodies, point, k, reach, accept, &mut expected);
                    assert_eq!(found, expected, "{name}: {k} nearest within {reach} of {point:?}");
                    let limit = reach.max(0.0) * reach;
                    let open = bodies
                        .position
                        .iter()
                        .zip(0..)
                        .filter(|&(&at, row)| accept(row) && crate::volume::distance_squared(at, point) < limit);
                    assert_eq!(found.len(), open.count().min(k));
                }
            }
        }
        let direction: [f32; D] = std::array::from_fn(|_| random.random_range(-1.0..1.0_f32));
        for half_angle in [0.1, 0.8, 1.7, 3.2] {
            let cone = Cone { apex: point, direction, half_angle, range: 8.0 * scale };
            assert_eq!(
                rows(|visit| index.cone(bodies, &cone, visit)),
                rows(|visit| brute.cone(bodies, &cone, visit)),
                "{name}: {cone:?}"
            );
            let contained =
                (0..n as u32).filter(|&row| cone.contains(bodies.position[row as usize])).collect::<Vec<_>>();
            assert_eq!(rows(|visit| index.cone(bodies, &cone, visit)), contained, "{name}: {cone:?}");
        }
        for (length, radius) in [(20.0, 0.0), (3000.0, 0.4), (0.0, 0.3), (f32::INFINITY, 0.2)] {
            let ball = Ball { centre: point, radius: radius * scale };
            let mut sweep = Sweep::new(&ball, direction.map(|x| x * length.min(1.0) * scale));
            sweep.ray.until = f64::from(length);
            let hit = (0..n as u32)
                .filter(|&row| row % 4 != 1)
                .filter_map(|row| Some((sweep.time_to_ball(&bodies.ball(row as usize))?, bodies.id[row as usize], row)))
                .min_by(|a, b| a.partial_cmp(b).unwrap());
            let found = index.cast(bodies, &sweep, &|row| row % 4 != 1);
            assert_eq!(found, hit.map(|(time, _, row)| (row, time)), "{name}: {sweep:?}");
        }
        let view = Aabb {
            low: point,
            high: std::array::from_fn(|axis| point[axis] + random.random_range(0.0..9.0_f32) * scale),
        };
        let seen = rows(|visit| index.visible(bodies, &view, visit));
        assert_eq!(seen, rows(|visit| brute.visible(bodies, &view, visit)), "{name}: {view:?}");
        let mut touching = rows(|visit| index.touching(bodies, &view, visit));
        assert!(seen.iter().all(|row| touching.binary_search(row).is_ok()), "{name}: {view:?}");
        let visits = touching.len();
        touching.dedup();
        assert_eq!(visits, touching.len(), "{name}: a body was visited twice");
    }

    // Visitors can stop.
    if !expected.is_empty() {
        let mut calls = 0;
        index.pairs(bodies, &mut |_, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!(calls, 1, "{name}");
    }
    if n > 0 {
        let mut calls = 0;
        let flow = index.within(bodies, bodies.position[0], 1.0, &mut |_, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!((flow, calls), (ControlFlow::Break(()), 1), "{name}");
    }

    // Cells hold all bodies once, or some structures none, or some bodies in several.
    let (mut cells, mut held) = (0, 0);
    let _ = index.cells(&mut |cell, bodies| {
        assert!(bodies > 0 && (0..D).all(|axis| cell.low[axis] <= cell.high[axis]), "{name}: {cell:?}");
        assert!(meet(cell, &everywhere()));
        cells += 1;
        held += bodies;
        ControlFlow::Continue(())
    });
    let census = index.census();
    assert_eq!(census.cells, cells, "{name}");
    assert!(census.sparse <= cells && (cells == 0 || held >= n), "{name}: {census:?}");
}

/// All tests of one index.
pub(crate) fn suite<const D: usize, I: SpatialIndex<D> + 'static>(name: &str, mut make: impl FnMut() -> I) {
    all_crowds(name, &mut || Box::new(make()));
}

fn all_crowds<const D: usize>(name: &str, make: &mut dyn FnMut() -> Box<dyn Asked<D>>) {
    let mut random = Pcg32::seed_from_u64(9);
    for (i, lie) in LIES.into_iter().enumerate() {
        for (j, size) in SIZES.into_iter().enumerate() {
            for n in [0, 1, 2, 7, 60 + random.random_range(0..40)] {
                let crowd = Crowd::<D>::new(lie, size, n, (i * 7 + j) as u64);
                let mut index = make();
                index.rebuild(crowd.bodies()).unwrap();
                agrees(&*index, crowd.bodies(), &mut random, &format!("{name}, {n} {lie:?} {size:?}"));
            }
        }
        // One more crowd in the same index: the bodies of before are forgotten.
        let mut index = make();
        index.rebuild(Crowd::<D>::new(Lie::Uniform, Size::Mixed, 90, 1).bodies()).unwrap();
        let crowd = Crowd::<D>::new(lie, Size::Mixed, 50, i as u64);
        index.rebuild(crowd.bodies()).unwrap();
        agrees(&*index, crowd.bodies(), &mut random, &format!("{name}, {lie:?} after another"));
        index.update(Crowd::<D>::new(Lie::Uniform, Size::Mixed, 70, 2).bodies()).unwrap();
        index.update(crowd.bodies()).unwrap();
        agrees(&*index, crowd.bodies(), &mut random, &format!("{name}, {lie:?} after an update from another"));
    }
    // Thousands of moves, inserts and removals.
    for (lie, size) in [
        (Lie::Uniform, Size::Equal),
        (Lie::Clustered, Size::Mixed),
        (Lie::Lattice, Size::Giants),
        (Lie::Line(1), Size::Zero),
        (Lie::Scattered, Size::Mixed),
    ] {
        let mut crowd = Crowd::<D>::new(lie, size, 70, 5);
        let mut index = make();
        index.rebuild(crowd.bodies()).unwrap();
        for turn in 0..40 {
            crowd.stir();
            index.update(crowd.bodies()).unwrap();
            let name = format!("{name}, {lie:?} {size:?} after {turn} updates");
            if turn % 8 == 7 {
                agrees(&*index, crowd.bodies(), &mut random, &name);
            } else {
                assert_eq!(
                    sorted_pairs(&*index, crowd.bodies()).0,
                    sorted_pairs(&BruteForce, crowd.bodies()).0,
                    "{name}"
                );
            }
        }
    }
    refuses(name, make());
}

/// Positions and radii that are no numbers are errors that name the body, and leave the index empty.
fn refuses<const D: usize>(name: &str, mut index: Box<dyn Asked<D>>) {
    let crowd = Crowd::<D>::new(Lie::Uniform, Size::Mixed, 20, 3);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.1e18] {
        for update in [false, true] {
            index.rebuild(crowd.bodies()).unwrap();
            let mut position = crowd.position.clone();
            position[11][D - 1] = bad;
            let bodies = Bodies { position: &position, ..crowd.bodies() };
            let error = if update { index.update(bodies) } else { index.rebuild(bodies) }.unwrap_err();
            let axis = ["x", "y", "z", "a further axis"][D - 1];
            assert_eq!(
                error.to_string(),
                format!(
                    "body {} (row 11) is at {axis} = {bad} m: positions must be numbers of at most 1e18 m",
                    crowd.id[11]
                ),
                "{name}"
            );
            let none = Bodies::new(&[], &[], &[]);
            assert_eq!(index.pairs(none, &mut |_, _| ControlFlow::Continue(())), 0, "{name}");
            assert!(rows(|visit| index.touching(none, &everywhere(), visit)).is_empty(), "{name}");
        }
    }
    let mut radius = crowd.radius.clone();
    radius[3] = -0.5;
    let error = index.rebuild(Bodies { radius: &radius, ..crowd.bodies() }).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("body {} (row 3) has a radius of -0.5 m: radii must be from 0 to 1e18 m", crowd.id[3])
    );
    let error = index.rebuild(Bodies { radius: &radius[..7], ..crowd.bodies() }).unwrap_err();
    assert_eq!(error, SpatialError::Columns { column: "radius", found: 7, expected: 20 });
    assert_eq!(error.to_string(), "the column \"radius\" has 7 rows, but there are 20 positions");
    index.rebuild(crowd.bodies()).unwrap();
    agrees(&*index, crowd.bodies(), &mut Pcg32::seed_from_u64(1), &format!("{name} after errors"));
}
