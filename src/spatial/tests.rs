//! Every index answers exactly like brute force.

use super::bodies::meet;
use super::{Bodies, BruteForce, Cone, DenseGrid, Index, IndexKind, Near, Pairs, SpatialError, SpatialIndex, Tuning};
use crate::volume::{Aabb, Ball, Sweep};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg32;
use std::ops::ControlFlow;

/// How bodies lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lie {
    Uniform,
    Sparse,
    Clustered,
    /// All on one axis-parallel line, far from the origin.
    Line(usize),
    /// On whole metres: many at the same distance, many on one point.
    Lattice,
    /// All on one point.
    Coincident,
    /// All within a hand's breadth.
    OneCell,
    /// Around a point so far away that coordinates are coarse.
    Far(f32),
    /// A few so far away that the others look like one point.
    Scattered,
    /// Touching exactly, in a row: no pairs at all.
    Touching,
}

pub(crate) const LIES: [Lie; 13] = [
    Lie::Uniform,
    Lie::Sparse,
    Lie::Clustered,
    Lie::Line(0),
    Lie::Line(1),
    Lie::Lattice,
    Lie::Coincident,
    Lie::OneCell,
    Lie::Far(1e6),
    Lie::Far(1e9),
    Lie::Far(-1e17),
    Lie::Scattered,
    Lie::Touching,
];

/// How large bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    Equal,
    Mixed,
    Zero,
    /// A few twenty times as large.
    Giants,
}

pub(crate) const SIZES: [Size; 4] = [Size::Equal, Size::Mixed, Size::Zero, Size::Giants];

/// Bodies, with ids in an order of their own.
#[derive(Clone, Debug)]
pub(crate) struct Crowd<const D: usize> {
    pub position: Vec<[f32; D]>,
    pub radius: Vec<f32>,
    pub id: Vec<u32>,
    pub resting: Vec<bool>,
    pub random: Pcg32,
    lie: Lie,
    size: Size,
    next: u32,
}

impl<const D: usize> Crowd<D> {
    pub fn new(lie: Lie, size: Size, n: usize, seed: u64) -> Self {
        let mut crowd = Self {
            position: Vec::new(),
            radius: Vec::new(),
            id: Vec::new(),
            resting: Vec::new(),
            random: Pcg32::seed_from_u64(seed),
            lie,
            size,
            next: 0,
        };
        for _ in 0..n {
            crowd.insert();
        }
        crowd.id.shuffle(&mut crowd.random);
        if seed.is_multiple_of(3) {
            crowd.resting.clear();
        }
        crowd
    }

    pub fn bodies(&self) -> Bodies<'_, D> {
        Bodies { position: &self.position, radius: &self.radius, id: &self.id, resting: &self.resting }
    }

    fn place(&mut self) -> [f32; D] {
        let (random, count) = (&mut self.random, self.position.len());
        let mut uniform = |far: f32| -> [f32; D] { std::array::from_fn(|_| random.random_range(-far..far)) };
        match self.lie {
            Lie::Uniform => uniform(12.0),
            Lie::Sparse => uniform(1000.0),
            Lie::Clustered => {
                let at = uniform(1.5);
                std::array::from_fn(|axis| at[axis] + [0.0, 300.0, -70.0, 0.5][(count + axis) % 4])
            }
            Lie::Line(along) => {
                let at = uniform(60.0);
                std::array::from_fn(|axis| if axis == along { 1e5 + at[axis] } else { -3.0 })
            }
            Lie::Lattice => uniform(4.0).map(f32::round),
            Lie::Coincident => [7.5; D],
            Lie::OneCell => uniform(0.1),
            Lie::Far(far) => {
                // Coordinates have steps of some metres there.
                let at = uniform((far.abs() * 2e-6).max(12.0));
                std::array::from_fn(|axis| at[axis] + far)
            }
            Lie::Scattered => {
                let far = if count.is_multiple_of(9) { 1e18 } else { 5.0 };
                uniform(far)
            }
            Lie::Touching => std::array::from_fn(|axis| if axis == 0 { count as f32 } else { 0.0 }),
        }
    }

    fn insert(&mut self) {
        let position = self.place();
        self.position.push(position);
        let scale = match self.lie {
            Lie::Far(far) => (far.abs() * 2e-7).max(1.0),
            _ => 1.0,
        };
        let radius = match self.size {
            Size::Mixed => self.random.random_range(0.0..1.5),
            Size::Zero => 0.0,
            Size::Giants if self.random.random_ratio(1, 20) => 10.0,
            Size::Equal | Size::Giants => 0.5,
        };
        self.radius.push(radius * scale);
        self.id.push(3 * self.next + 1);
        self.next += 1;
        let rests = self.random.random_ratio(1, 4);
        self.resting.push(rests);
    }

    /// Most move a little, some far; some come, some go.
    pub fn stir(&mut self) {
        for row in 0..self.position.len() {
            if self.random.random_ratio(1, 30) {
                self.position[row] = self.place();
            } else if self.random.random_ratio(4, 5) {
                for axis in 0..D {
                    let step: f32 = self.random.random_range(-0.3..0.3);
                    self.position[row][axis] =
                        (self.position[row][axis] + step).clamp(-Bodies::<D>::FURTHEST, Bodies::<D>::FURTHEST);
                }
            }
        }
        let whole = self.resting.len() == self.position.len();
        for _ in 0..self.random.random_range(0..4) {
            self.insert();
        }
        for _ in 0..self.random.random_range(0..4_usize).min(self.position.len()) {
            let row = self.random.random_range(0..self.position.len());
            self.position.swap_remove(row);
            self.radius.swap_remove(row);
            self.id.swap_remove(row);
            if row < self.resting.len() {
                self.resting.swap_remove(row);
            }
        }
        if whole {
            self.resting.truncate(self.position.len());
        } else {
            self.resting.clear();
        }
    }
}

fn sorted_pairs<const D: usize>(index: &impl SpatialIndex<D>, bodies: Bodies<D>) -> (Vec<(u32, u32)>, u64) {
    let mut found = Vec::new();
    let tests = index.pairs(bodies, |i, j| {
        found.push((i, j));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    (found, tests)
}

fn within<const D: usize>(
    index: &impl SpatialIndex<D>,
    bodies: Bodies<D>,
    point: [f32; D],
    reach: f32,
) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let _ = index.within(bodies, point, reach, |row, squared| {
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

fn lists<const D: usize>(index: &impl SpatialIndex<D>, bodies: Bodies<D>, k: usize, reach: f32) -> Near {
    let mut near = Near::default();
    near.reset(bodies.len(), k);
    for (i, stretch) in near.stretches(7).enumerate() {
        index.neighbours(bodies, i * 7, reach, stretch);
    }
    near
}

/// Asks an index that was built of `bodies` everything, and compares with brute force.
#[allow(clippy::too_many_lines)]
pub(crate) fn agrees<const D: usize>(index: &impl SpatialIndex<D>, bodies: Bodies<D>, random: &mut Pcg32, name: &str) {
    let n = bodies.len();
    let (expected, most) = sorted_pairs(&BruteForce, bodies);
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
        assert_eq!(lists(index, bodies, k, reach), lists(&BruteForce, bodies, k, reach), "{name}: {k} within {reach}");
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
                within(&BruteForce, bodies, point, reach),
                "{name}: within {reach} of {point:?}"
            );
            let accepts: [&dyn Fn(u32) -> bool; 3] = [&|_| true, &|row| row % 3 == 0, &|_| false];
            for accept in accepts {
                assert_eq!(
                    index.nearest(bodies, point, reach, accept),
                    BruteForce.nearest(bodies, point, reach, accept),
                    "{name}: nearest within {reach} of {point:?}"
                );
                let (mut found, mut expected) = (vec![(7, 7.0)], Vec::new());
                for k in [0, 1, 5, n] {
                    index.k_nearest(bodies, point, k, reach, accept, &mut found);
                    BruteForce.k_nearest(bodies, point, k, reach, accept, &mut expected);
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
                rows(|visit| index.cone(bodies, &cone, |row, _| visit(row))),
                rows(|visit| BruteForce.cone(bodies, &cone, |row, _| visit(row))),
                "{name}: {cone:?}"
            );
            let contained =
                (0..n as u32).filter(|&row| cone.contains(bodies.position[row as usize])).collect::<Vec<_>>();
            assert_eq!(rows(|visit| index.cone(bodies, &cone, |row, _| visit(row))), contained, "{name}: {cone:?}");
        }
        for (length, radius) in [(20.0, 0.0), (3000.0, 0.4), (0.0, 0.3), (f32::INFINITY, 0.2)] {
            let ball = Ball { centre: point, radius: radius * scale };
            let mut sweep = Sweep::new(&ball, direction.map(|x| x * length.min(1.0) * scale));
            sweep.ray.until = f64::from(length);
            let hit = (0..n as u32)
                .filter(|&row| row % 4 != 1)
                .filter_map(|row| Some((sweep.time_to_ball(&bodies.ball(row as usize))?, bodies.id[row as usize], row)))
                .min_by(|a, b| a.partial_cmp(b).unwrap());
            let found = index.cast(bodies, &sweep, |row| row % 4 != 1);
            assert_eq!(found, hit.map(|(time, _, row)| (row, time)), "{name}: {sweep:?}");
        }
        let view = Aabb {
            low: point,
            high: std::array::from_fn(|axis| point[axis] + random.random_range(0.0..9.0_f32) * scale),
        };
        let seen = rows(|visit| index.visible(bodies, &view, visit));
        assert_eq!(seen, rows(|visit| BruteForce.visible(bodies, &view, visit)), "{name}: {view:?}");
        let mut touching = rows(|visit| index.touching(bodies, &view, visit));
        assert!(seen.iter().all(|row| touching.binary_search(row).is_ok()), "{name}: {view:?}");
        let visits = touching.len();
        touching.dedup();
        assert_eq!(visits, touching.len(), "{name}: a body was visited twice");
    }

    // Visitors can stop.
    if !expected.is_empty() {
        let mut calls = 0;
        index.pairs(bodies, |_, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!(calls, 1, "{name}");
    }
    if n > 0 {
        let mut calls = 0;
        let flow = index.within(bodies, bodies.position[0], 1.0, |_, _| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!((flow, calls), (ControlFlow::Break(()), 1), "{name}");
    }

    // Cells hold all bodies once, or some structures none, or some bodies in several.
    let everywhere = Aabb { low: [f32::NEG_INFINITY; D], high: [f32::INFINITY; D] };
    let (mut cells, mut held) = (0, 0);
    let _ = index.cells(&everywhere, |cell, bodies| {
        assert!(bodies > 0 && (0..D).all(|axis| cell.low[axis] <= cell.high[axis]), "{name}: {cell:?}");
        assert!(meet(cell, &everywhere));
        cells += 1;
        held += bodies;
        ControlFlow::Continue(())
    });
    let census = index.census();
    assert_eq!(census.cells, cells, "{name}");
    assert!(census.sparse <= cells && (cells == 0 || held >= n), "{name}: {census:?}");
}

/// All tests of one index.
pub(crate) fn suite<const D: usize, I: SpatialIndex<D>>(name: &str, mut make: impl FnMut() -> I) {
    let mut random = Pcg32::seed_from_u64(9);
    for (i, lie) in LIES.into_iter().enumerate() {
        for (j, size) in SIZES.into_iter().enumerate() {
            for n in [0, 1, 2, 7, 60 + random.random_range(0..40)] {
                let crowd = Crowd::<D>::new(lie, size, n, (i * 7 + j) as u64);
                let mut index = make();
                index.rebuild(crowd.bodies()).unwrap();
                agrees(&index, crowd.bodies(), &mut random, &format!("{name}, {n} {lie:?} {size:?}"));
            }
        }
        // One more crowd in the same index: what was there before is forgotten.
        let mut index = make();
        index.rebuild(Crowd::<D>::new(Lie::Uniform, Size::Mixed, 90, 1).bodies()).unwrap();
        let crowd = Crowd::<D>::new(lie, Size::Mixed, 50, i as u64);
        index.rebuild(crowd.bodies()).unwrap();
        agrees(&index, crowd.bodies(), &mut random, &format!("{name}, {lie:?} after another"));
        index.update(Crowd::<D>::new(Lie::Uniform, Size::Mixed, 70, 2).bodies()).unwrap();
        index.update(crowd.bodies()).unwrap();
        agrees(&index, crowd.bodies(), &mut random, &format!("{name}, {lie:?} after an update from another"));
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
                agrees(&index, crowd.bodies(), &mut random, &name);
            } else {
                assert_eq!(
                    sorted_pairs(&index, crowd.bodies()).0,
                    sorted_pairs(&BruteForce, crowd.bodies()).0,
                    "{name}"
                );
            }
        }
    }
    refuses(name, make());
}

/// Positions and radii that are no numbers are errors that name the body, and leave the index empty.
fn refuses<const D: usize>(name: &str, mut index: impl SpatialIndex<D>) {
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
            assert_eq!(index.pairs(none, |_, _| ControlFlow::Continue(())), 0, "{name}");
            let everywhere = Aabb { low: [f32::NEG_INFINITY; D], high: [f32::INFINITY; D] };
            assert!(rows(|visit| index.touching(none, &everywhere, visit)).is_empty(), "{name}");
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
    agrees(&index, crowd.bodies(), &mut Pcg32::seed_from_u64(1), &format!("{name} after errors"));
}

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
    grid.rebuild(inside).unwrap();
    agrees(&grid, inside, &mut Pcg32::seed_from_u64(1), "bounded");
    let error = grid.rebuild(Bodies::new(&[[0.0, 0.0], [3.0, 6.0]], &[1.0; 2], &[4, 8])).unwrap_err();
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
            index.rebuild(bodies).unwrap();
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
                index.rebuild(Bodies::new(&position, &radius, &id)).unwrap();
                let bytes = SpatialIndex::<2>::bytes(&index);
                assert!(bytes < 100_000, "{kind}: {bytes}");
            }
        }
    }
}
