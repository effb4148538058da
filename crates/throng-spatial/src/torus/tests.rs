//! Every index on a torus, against each body at its nearest image.

use super::*;
use crate::tests::{Crowd, LIES, SIZES};
use crate::{
    AxisBsp, Border, BruteForce, Bvh, ClosestPair, CustomIndex, HashGrid, Index, IndexKind, KdTree, LinearOctree,
    LooseTree, OrthTree, SweepAndPrune, Tuning,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

/// The columns of some bodies.
#[derive(Clone, Debug)]
struct Columns<const D: usize> {
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
    id: Vec<u32>,
    resting: Vec<bool>,
}

/// A world, its bodies, the same later, and points with a reach to ask about.
#[derive(Clone, Debug)]
struct Case<const D: usize> {
    period: [f32; D],
    before: Columns<D>,
    after: Columns<D>,
    asked: Vec<([f32; D], f32)>,
}

impl<const D: usize> Columns<D> {
    fn bodies(&self) -> Bodies<'_, D> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id, resting: &self.resting }
    }
}

/// The squared distance of two points, written down anew.
fn apart<const D: usize>(period: [f32; D], a: [f32; D], b: [f32; D]) -> f32 {
    (0..D)
        .map(|axis| {
            let inside = |x: f32| Some(x.rem_euclid(period[axis])).filter(|&x| x < period[axis]).unwrap_or(0.0);
            let direct = (inside(a[axis]) - inside(b[axis])).abs();
            direct.min(period[axis] - direct).powi(2)
        })
        .fold(0.0, |sum, square| sum + square)
}

/// All answers, from the definition alone.
fn brute_pairs<const D: usize>(period: [f32; D], bodies: Bodies<D>) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for i in 0..bodies.len() {
        for j in i + 1..bodies.len() {
            let reach = bodies.radius[i] + bodies.radius[j];
            let near = apart(period, bodies.position[i], bodies.position[j]) < reach * reach;
            if near && !(bodies.rests(i) && bodies.rests(j)) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

fn brute_within<const D: usize>(period: [f32; D], bodies: Bodies<D>, point: [f32; D], reach: f32) -> Vec<(u32, f32)> {
    let all = (0..bodies.len()).map(|row| (row as u32, apart(period, bodies.position[row], point)));
    all.filter(|&(_, squared)| squared < reach * reach).collect()
}

/// The pairs of a torus, sorted, and how many tests they took.
fn sorted_pairs<const D: usize, I: SpatialIndex<D>>(torus: &Torus<D, I>) -> (Vec<(u32, u32)>, u64) {
    let mut pairs = Vec::new();
    let tests = torus.pairs(|i, j| {
        pairs.push((i, j));
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
    (pairs, tests)
}

fn agrees<const D: usize, I: SpatialIndex<D>>(
    name: &str,
    torus: &Torus<D, I>,
    bodies: Bodies<D>,
    asked: &[([f32; D], f32)],
) {
    let (period, n) = (torus.period(), bodies.len());
    let expected = brute_pairs(period, bodies);
    let (found, tests) = sorted_pairs(torus);
    assert_eq!(found, expected, "{name}: pairs");
    assert!(tests >= found.len() as u64, "{name}: {tests} tests");
    let mut calls = 0;
    torus.pairs(|_, _| {
        calls += 1;
        ControlFlow::Break(())
    });
    assert_eq!(calls, expected.len().min(1), "{name}: visitors of pairs can stop");
    for &(point, reach) in asked {
        let mut expected = brute_within(period, bodies, point, reach);
        let mut found = Vec::new();
        let flow = torus.within(point, reach, |row, squared| {
            found.push((row, squared));
            ControlFlow::Continue(())
        });
        found.sort_unstable_by_key(|&(row, _)| row);
        assert_eq!((&found, flow), (&expected, ControlFlow::Continue(())), "{name}: within {reach} of {point:?}");
        let mut calls = 0;
        let flow = torus.within(point, reach, |_, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!((calls, flow.is_break()), (expected.len().min(1), !expected.is_empty()), "{name}");
        let accept = |row: u32| row % 3 != 1;
        expected.retain(|&(row, _)| accept(row));
        expected.sort_by_key(|&(row, squared)| (squared.to_bits(), bodies.id[row as usize]));
        assert_eq!(torus.nearest(point, reach, accept), expected.first().copied(), "{name}: nearest to {point:?}");
        for k in [0, 1, 4, n + 1] {
            torus.k_nearest(point, k, reach, accept, &mut found);
            assert_eq!(found, expected[..k.min(expected.len())], "{name}: {k} within {reach} of {point:?}");
        }
    }
}

/// All of a case: bodies, the same bodies moved, and a torus that is used again.
fn check<const D: usize, I: SpatialIndex<D>>(name: &str, index: I, case: &Case<D>) {
    let mut torus = Torus::new(case.period, index).unwrap();
    agrees(name, &torus, Bodies::new(&[], &[], &[]), &case.asked);
    torus.rebuild(case.before.bodies()).unwrap();
    agrees(name, &torus, case.before.bodies(), &case.asked);
    torus.update(case.after.bodies()).unwrap();
    agrees(&format!("{name}, updated"), &torus, case.after.bodies(), &case.asked);
    torus.rebuild(case.before.bodies()).unwrap();
    agrees(&format!("{name}, rebuilt"), &torus, case.before.bodies(), &case.asked);
}

fn every_kind(case: &Case<2>) {
    let small = case.period[0].min(case.period[1]);
    let tunings = [
        Tuning::default(),
        Tuning { cell: Some(small / 5.0), capacity: Some(2), ..Tuning::default() },
        Tuning { bounds: Some(Aabb { low: [0.0; 2], high: case.period }), ..Tuning::default() },
    ];
    for (kind, tuning) in IndexKind::ALL.into_iter().flat_map(|kind| tunings.iter().map(move |tuning| (kind, tuning))) {
        check(kind.name(), Index::tuned(kind, tuning), case);
    }
    check("one from outside", Index::from(CustomIndex::new("mine", KdTree::<2>::default())), case);
}

/// All structures that are generic over the dimension.
fn every_structure<const D: usize>(case: &Case<D>) {
    check("brute force", BruteForce, case);
    check("octree", OrthTree::<D>::new(Border::Parent), case);
    check("octree, leaves", OrthTree::<D>::new(Border::Leaves), case);
    check("linear octree", LinearOctree::<D>::default(), case);
    check("loose octree", LooseTree::<D>::default(), case);
    check("k-d tree", KdTree::<D>::default(), case);
    check("axis bsp", AxisBsp::<D>::default(), case);
    check("closest pair", ClosestPair::<D>::default(), case);
    check("sweep", SweepAndPrune::<D>::default(), case);
    check("bvh", Bvh::<D>::default(), case);
    check("hash", HashGrid::<D>::default(), case);
}

/// In periods: anywhere, on a border, or next to one.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        3 => 0.0..1.0_f32,
        2 => -40.0..40.0_f32,
        1 => (-3..4_i8).prop_map(f32::from),
        2 => (-3..4_i8, -0.02..0.02_f32).prop_map(|(border, off)| f32::from(border) + off),
        1 => prop_oneof![Just(-1e-20_f32), Just(-1e-9), Just(1.0_f32.next_down()), Just(0.5), Just(0.25), Just(-0.0)],
    ]
}

/// In periods of the longest or of the shortest axis.
fn length() -> impl Strategy<Value = f32> {
    prop_oneof![4 => 0.0..0.15_f32, 2 => 0.0..0.7_f32, 1 => 0.5..3.0_f32, 1 => Just(0.0), 1 => Just(0.5)]
}

fn case<const D: usize>() -> impl Strategy<Value = Case<D>> {
    let period = prop::collection::vec(prop_oneof![Just(1.0_f32), 0.01..0.1_f32, 1.0..20.0_f32, 100.0..3000.0_f32], D);
    let at = || prop::collection::vec(coordinate(), D);
    let body = (at(), at(), length(), any::<bool>(), prop::bool::weighted(0.3), prop::bool::weighted(0.5));
    let asked = (at(), prop_oneof![9 => length(), 1 => Just(f32::INFINITY)], any::<bool>());
    (period, prop::collection::vec(body, 0..28), prop::collection::vec(asked, 1..4), any::<bool>()).prop_map(
        |(period, rows, asked, some_rest)| {
            let period: [f32; D] = from_fn(|axis| period[axis]);
            let scale = |of_longest: bool| {
                if of_longest {
                    period.into_iter().fold(0.0, f32::max)
                } else {
                    period.into_iter().fold(f32::INFINITY, f32::min)
                }
            };
            let place = |at: &[f32]| -> [f32; D] { from_fn(|axis| at[axis] * period[axis]) };
            let columns = |moved: bool| Columns {
                position: rows
                    .iter()
                    .map(|(at, later, _, _, _, moves)| place(if moved && *moves { later } else { at }))
                    .collect(),
                radius: rows.iter().map(|&(_, _, radius, of_longest, ..)| radius * scale(of_longest)).collect(),
                id: (0..rows.len() as u32).map(|row| row.wrapping_mul(0x9E37_79B9)).collect(),
                resting: rows.iter().filter(|_| some_rest).map(|&(.., rests, _)| rests).collect(),
            };
            let asked = asked.iter().map(|(at, reach, of_longest)| (place(at), reach * scale(*of_longest))).collect();
            Case { period, before: columns(false), after: columns(true), asked }
        },
    )
}

proptest! {
    #[test]
    fn every_kind_is_right_in_the_plane(case in case::<2>()) {
        every_kind(&case);
    }

    #[test]
    fn every_structure_is_right_in_space(case in case::<3>()) {
        every_structure(&case);
    }

    #[test]
    fn every_structure_is_right_on_a_circle(case in case::<1>()) {
        every_structure(&case);
    }

    /// The distance is that of the nearest images, but for rounding; the offset leads to one of them.
    #[test]
    fn distances_are_those_of_the_nearest_images(case in case::<3>()) {
        let torus = Torus::new(case.period, BruteForce).unwrap();
        for pair in case.before.position.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let far = |axis: usize| f64::from(a[axis].abs().max(b[axis].abs()) + case.period[axis]);
            let slack: f64 = (0..3).map(far).sum::<f64>() * 1e-6;
            let least: f64 = (0..3).map(|axis| {
                let (way, period) = (f64::from(b[axis]) - f64::from(a[axis]), f64::from(case.period[axis]));
                (way - period * (way / period).round()).powi(2)
            }).sum::<f64>().sqrt();
            let found = torus.distance_squared(a, b);
            prop_assert!((f64::from(found).sqrt() - least).abs() <= slack, "{found} {least}");
            prop_assert_eq!(found, torus.distance_squared(b, a));
            let offset = torus.offset(a, b);
            prop_assert_eq!(offset.map(|x| -x), torus.offset(b, a));
            let back = torus.offset(from_fn(|axis| a[axis] + offset[axis]), b);
            prop_assert!(back.into_iter().all(|x| f64::from(x.abs()) <= slack), "{:?} {:?}", offset, back);
            for point in [a, b] {
                let image = torus.wrap(point);
                prop_assert!((0..3).all(|axis| (0.0..case.period[axis]).contains(&image[axis])), "{image:?}");
                prop_assert_eq!(torus.wrap(image), image);
            }
        }
    }
}

/// Crowds far outside, on lattices, on lines and of giants, on worlds from narrow to wide.
#[test]
fn every_kind_is_right_of_every_crowd() {
    for (seed, lie) in LIES.into_iter().enumerate() {
        for (size, period) in SIZES.into_iter().zip([[9.0, 9.0], [0.5, 40.0], [1000.0, 3.0], [8.0, 17.3]]) {
            let crowd = Crowd::<2>::new(lie, size, 60, seed as u64);
            let asked = [([0.0, 0.0], 2.0), (crowd.position[7], 30.0), ([-4.5, 1e6], f32::INFINITY)];
            for kind in IndexKind::ALL {
                let mut torus = Torus::new(period, Index::new(kind)).unwrap();
                torus.rebuild(crowd.bodies()).unwrap();
                agrees(&format!("{kind}, {lie:?} {size:?}"), &torus, crowd.bodies(), &asked);
            }
        }
    }
}

#[test]
fn a_body_is_no_pair_with_itself_and_two_are_one_pair() {
    // Each reaches round the world, and both meet on either side.
    let bodies = Bodies::new(&[[1.0, 1.0], [3.0, 3.0]], &[9.0, 2.5], &[0, 1]);
    for kind in IndexKind::ALL {
        let mut torus = Torus::new([4.0, 4.0], Index::new(kind)).unwrap();
        torus.rebuild(bodies).unwrap();
        assert_eq!(sorted_pairs(&torus).0, [(0, 1)], "{kind}");
        agrees(kind.name(), &torus, bodies, &[([0.0, 0.0], 100.0)]);
    }
}

/// Two bodies over a border whose radii are as long as their distance, or an ulp more or less.
#[test]
fn touching_over_a_border_is_told_apart_to_the_last_bit() {
    let mut random = Pcg32::seed_from_u64(21);
    let mut met = 0;
    for round in 0..20_000 {
        let period = [random.random_range(1.0..1000.0_f32), 50.0];
        let small = |random: &mut Pcg32| random.random_range(0.0..1.0_f32) * 10_f32.powi(-random.random_range(0..8));
        let (left, right) = (small(&mut random) * 0.2, period[0] - small(&mut random) * 0.2);
        let position = [[left, 20.0], [right, 20.0]];
        let apart = apart(period, position[0], position[1]).sqrt();
        let share = [0.0, 1.0, 0.5][round % 3] * apart;
        for rest in [apart - share, (apart - share).next_up(), (apart - share).next_up().next_up()] {
            let radius = [share, rest];
            let bodies = Bodies::new(&position, &radius, &[0, 1]);
            let asked = [(position[0], apart.next_up()), (position[1], apart), (position[1], apart.next_up())];
            let mut torus = Torus::new(period, BruteForce).unwrap();
            torus.rebuild(bodies).unwrap();
            agrees("touching", &torus, bodies, &asked);
            met += brute_pairs(period, bodies).len();
        }
    }
    assert!((20_000..50_000).contains(&met), "{met}");
}

#[test]
fn few_are_tested_where_few_meet() {
    let position: Vec<[f32; 2]> = (0..10_000).map(|i| [(i % 100) as f32, (i / 100) as f32]).collect();
    let (radius, id) = (vec![0.6; 10_000], (0..10_000).collect::<Vec<u32>>());
    for kind in [IndexKind::Grid, IndexKind::Bvh, IndexKind::KdTree, IndexKind::Hash] {
        let mut torus = Torus::new([100.0; 2], Index::new(kind)).unwrap();
        torus.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
        let (pairs, tests) = sorted_pairs(&torus);
        assert_eq!(pairs.len(), 20_000, "{kind}: each body meets four");
        let (mut inner, mut without) = (0, 0);
        without += torus.index().pairs(torus.bodies(), |_, _| {
            inner += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(inner, 2 * 100 * 99, "{kind}");
        assert!(tests - without <= 2000, "{kind}: {} tests for 200 pairs over borders", tests - without);
    }
}

#[test]
fn points_that_are_no_numbers_find_nothing() {
    let mut torus = Torus::new([4.0, 4.0], Index::new(IndexKind::Bvh)).unwrap();
    torus.rebuild(Bodies::new(&[[1.0, 1.0]], &[9.0], &[0])).unwrap();
    let mut found = vec![(3, 1.0)];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let flow = torus.within([0.0, bad], 9.0, |_, _| ControlFlow::Break(()));
        assert_eq!((flow, torus.nearest([bad, 0.0], 9.0, |_| true)), (ControlFlow::Continue(()), None));
        torus.k_nearest([bad, 0.0], 1, 9.0, |_| true, &mut found);
        assert_eq!(found, []);
    }
    for reach in [f32::NAN, -1.0, 0.0] {
        let flow = torus.within([1.0, 1.0], reach, |_, _| ControlFlow::Break(()));
        assert_eq!((flow, torus.nearest([1.0, 1.0], reach, |_| true)), (ControlFlow::Continue(()), None));
    }
}

#[test]
fn bad_periods_and_bad_bodies_are_refused_in_words() {
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        for bad in [0.0, -3.5, f32::NAN, f32::INFINITY, 2e18] {
            let mut period = [1.0; 3];
            period[axis] = bad;
            let error = Torus::new(period, BruteForce).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the period along {name} is {bad} m: expected a number above 0 and of at most 1e18 m")
            );
        }
    }
    let good = Bodies::new(&[[1.0, 1.0], [2.0, 1.0]], &[0.6; 2], &[0, 1]);
    for kind in IndexKind::ALL {
        let mut torus = Torus::new([1e18, 4.0], Index::new(kind)).unwrap();
        torus.rebuild(good).unwrap();
        assert_eq!(sorted_pairs(&torus).0.len(), 1, "{kind}");
        let error = torus.rebuild(Bodies::new(&[[1.0, f32::NAN]], &[1.0], &[7])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "body 7 (row 0) is at y = NaN m: positions must be numbers of at most 1e18 m",
            "{kind}"
        );
        assert!(torus.bodies().is_empty() && sorted_pairs(&torus).0.is_empty(), "{kind}: empty after an error");
        assert_eq!(torus.nearest([0.0; 2], 9.0, |_| true), None, "{kind}");
    }
    // Bounds of the index are compared to the base cell.
    let bounds = Some(Aabb { low: [0.0; 2], high: [2.0; 2] });
    let mut torus =
        Torus::new([4.0; 2], Index::tuned(IndexKind::Grid, &Tuning { bounds, ..Tuning::default() })).unwrap();
    torus.rebuild(Bodies::new(&[[9.0, -3.0]], &[1.0], &[7])).unwrap();
    let error = torus.rebuild(Bodies::new(&[[7.0, 0.0]], &[1.0], &[7])).unwrap_err().to_string();
    assert!(error.starts_with("body 7 (row 0) is at x = 3 m, outside the index, which spans 0 to 2 m"), "{error}");
    assert!(torus.bodies().is_empty());
}
