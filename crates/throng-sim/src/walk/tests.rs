//! The stages together, as a tick runs them.

use super::integrate::{Moving, displace, integrate};
use super::neighbours::neighbours;
use crate::crowd::bias::{bias, progress};
use crate::crowd::orca::orca;
use crate::crowd::order::cell_order;
use crate::crowd::push::push;
use crate::crowd::walls::{HORIZON, along_walls};
use crate::crowd::{AgentColumns, AgentView, Avoidance, AvoidanceSettings};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng_grid::clearance::clearance;
use throng_grid::geom::{Vec2, clamp_length};
use throng_grid::walls::is_clear;
use throng_grid::{Grid, Lattice, Layer};
use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex, Tuning};

const STEP: f32 = 0.1;

/// A crowd that walks straight to its goals.
struct Walk {
    grid: Grid,
    clearance: Layer<f32>,
    settings: AvoidanceSettings,
    index: Index,
    near: Near,
    position: Vec<Vec2>,
    velocity: Vec<Vec2>,
    goal: Vec<Vec2>,
    radius: Vec<f32>,
    slot: Vec<u32>,
    progress: Vec<f32>,
}

impl Walk {
    fn new(grid: Grid, settings: AvoidanceSettings, kind: IndexKind, starts_and_goals: &[(Vec2, Vec2)]) -> Self {
        let n = starts_and_goals.len();
        Self {
            clearance: clearance(&grid),
            grid,
            settings,
            index: Index::tuned(kind, &Tuning::for_reach(settings.orca.reach)),
            near: Near::default(),
            position: starts_and_goals.iter().map(|pair| pair.0).collect(),
            velocity: vec![Vec2::ZERO; n],
            goal: starts_and_goals.iter().map(|pair| pair.1).collect(),
            radius: vec![0.5; n],
            slot: (0..n as u32).collect(),
            progress: vec![1.0; n],
        }
    }

    fn tick(&mut self) {
        let n = self.position.len();
        let mut order = vec![0; n];
        let lattice = Lattice::new(30, 30, 2.5).unwrap();
        if !cell_order(lattice, &self.position, &self.slot, &mut order, &mut vec![[0; 2]; n], &mut Vec::new()) {
            order = (0..n as u32).collect();
        }
        let permuted = |column: &[Vec2]| order.iter().map(|&row| column[row as usize]).collect::<Vec<_>>();
        self.position = permuted(&self.position);
        self.velocity = permuted(&self.velocity);
        self.goal = permuted(&self.goal);
        self.slot = order.iter().map(|&row| self.slot[row as usize]).collect();
        self.progress = order.iter().map(|&row| self.progress[row as usize]).collect();

        let settings = self.settings;
        let bodies = Bodies::new(bytemuck::cast_slice(&self.position), &self.radius, &self.slot);
        self.index.rebuild(bodies).unwrap();
        neighbours(&self.index, bodies, settings.orca.k, settings.orca.reach, &mut self.near);
        let mut preferred: Vec<Vec2> =
            self.position.iter().zip(&self.goal).map(|(&at, &goal)| clamp_length((goal - at) / STEP, 1.5)).collect();
        let wants: Vec<bool> =
            self.position.iter().zip(&self.goal).map(|(at, &goal)| at.distance_squared(goal) > 4.0).collect();
        along_walls(&self.grid, &self.clearance, HORIZON, &self.position, &self.radius, &mut preferred);
        let straight = preferred.clone();
        let (top_speed, weight) = (vec![2.0; n], vec![1.0; n]);
        let fixed = AgentColumns {
            radius: &self.radius,
            top_speed: &top_speed,
            weight: &weight,
            progress: &self.progress,
            slot: &self.slot,
            ..AgentColumns::default()
        };
        let (position, velocity) = (&self.position, &self.velocity);
        let columns = AgentColumns { position, velocity, preferred_velocity: &straight, ..fixed };
        let view = |columns| AgentView::new(STEP, &self.grid, &self.clearance, columns, &self.near).unwrap();
        bias(settings.bias, &view(columns), &wants, &mut preferred);
        let mut next = preferred.clone();
        if settings.kind == Avoidance::Orca {
            orca(settings.orca, &view(AgentColumns { preferred_velocity: &preferred, ..columns }), &mut next);
        }
        let mut room = vec![0.0; n];
        let moving = Moving { position: &mut self.position, velocity: &mut self.velocity, room: &mut room };
        integrate(STEP, &self.grid, &next, &self.radius, &top_speed, moving);
        let mut pushed = vec![Vec2::ZERO; n];
        for _ in 0..settings.passes {
            let (position, velocity) = (&self.position, &self.velocity);
            let columns = AgentColumns { position, velocity, preferred_velocity: &preferred, ..fixed };
            let view = AgentView::new(STEP, &self.grid, &self.clearance, columns, &self.near).unwrap();
            push(settings.cap, &view, &mut pushed);
            displace(&self.grid, &pushed, &self.radius, &mut self.position, &mut room);
        }
        progress(settings.bias, STEP, &wants, &straight, &self.velocity, &mut self.progress);
    }

    /// The deepest overlap of two bodies (m).
    fn depth(&self) -> f32 {
        let mut depth = 0.0_f32;
        for (i, &a) in self.position.iter().enumerate() {
            for &b in &self.position[..i] {
                depth = depth.max(1.0 - a.distance(b));
            }
        }
        depth
    }

    fn bits(&self) -> Vec<[u32; 4]> {
        let column = self.position.iter().zip(&self.velocity);
        column.map(|(p, v)| [p.x, p.y, v.x, v.y].map(f32::to_bits)).collect()
    }
}

fn plain() -> Grid {
    Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap())
}

/// Two blocks of soldiers that change sides.
fn armies() -> Vec<(Vec2, Vec2)> {
    let mut crowd = Vec::new();
    for i in 0..60_u8 {
        let (x, y) = (f32::from(i % 5) * 1.5, f32::from(i / 5) * 1.5);
        let shift = Vec2::new(27.0, 0.0);
        let (a, b) = (Vec2::new(25.0 - x, 20.0 + y), Vec2::new(35.0 + x, 20.3 + y));
        crowd.push((a, a + shift));
        crowd.push((b, b - shift));
    }
    crowd
}

/// A map with scattered walls and a crowd on it.
fn rubble(seed: u64) -> (Grid, Vec<(Vec2, Vec2)>) {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = plain();
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        if random.random_range(0..12) == 0 {
            grid.set_open(cell, false);
        }
    }
    let mut somewhere = || Vec2::new(random.random_range(0.0..64.0), random.random_range(0.0..64.0));
    let crowd = (0..400).map(|_| (somewhere(), somewhere())).filter(|pair| is_clear(&grid, pair.0, 0.5)).collect();
    (grid, crowd)
}

#[test]
fn armies_pass_through_each_other_without_growing_overlaps() {
    let settings = AvoidanceSettings::default();
    let mut walk = Walk::new(plain(), settings, IndexKind::Grid, &armies());
    let mut deepest = 0.0_f32;
    for _ in 0..900 {
        walk.tick();
        deepest = deepest.max(walk.depth());
    }
    assert!(deepest < 0.3, "{deepest}");
    let arrived = walk.position.iter().zip(&walk.goal).filter(|(at, goal)| at.distance(**goal) < 1.0).count();
    assert!(arrived >= 114, "{arrived} of 120");
}

#[test]
fn nobody_is_stuck_at_a_door() {
    let mut grid = plain();
    let lattice = grid.lattice();
    for y in 0..64 {
        grid.set_open(lattice.cell(32, y), (30..34).contains(&y));
    }
    let crowd: Vec<(Vec2, Vec2)> = (0..80_u8)
        .map(|i| {
            let (x, y) = (f32::from(i % 8) * 1.6, f32::from(i / 8) * 1.6);
            (Vec2::new(16.0 + x, 24.0 + y), Vec2::new(40.0 + x, 24.0 + y))
        })
        .collect();
    let mut walk = Walk::new(grid, AvoidanceSettings::default(), IndexKind::Grid, &crowd);
    let goals: Vec<Vec2> = crowd.iter().map(|pair| pair.1).collect();
    for _ in 0..800 {
        // To the door first; those beside it along the wall.
        for ((goal, at), slot) in walk.goal.iter_mut().zip(&walk.position).zip(&walk.slot) {
            let through = at.x > 33.2;
            *goal = if through { goals[*slot as usize] } else { Vec2::new(33.4, at.y.clamp(30.6, 33.4)) };
        }
        walk.tick();
    }
    let through = walk.position.iter().filter(|at| at.x > 33.0).count();
    assert_eq!(through, 80);
}

#[test]
fn two_agents_head_on_pass_without_touching() {
    let (a, b) = (Vec2::new(20.0, 30.0), Vec2::new(40.0, 30.0));
    let mut walk = Walk::new(plain(), AvoidanceSettings::default(), IndexKind::Grid, &[(a, b), (b, a)]);
    let mut deepest = 0.0_f32;
    for _ in 0..200 {
        walk.tick();
        deepest = deepest.max(walk.depth());
    }
    assert!(deepest < 1e-3, "{deepest}");
    assert!(walk.position.iter().zip(&walk.goal).all(|(at, goal)| at.distance(*goal) < 0.1), "{:?}", walk.position);
}

#[test]
fn agents_on_one_point_part() {
    let at = Vec2::new(30.0, 30.0);
    for kind in [Avoidance::Orca, Avoidance::Push] {
        let mut walk = Walk::new(plain(), AvoidanceSettings::new(kind), IndexKind::Grid, &[(at, at); 12]);
        for _ in 0..100 {
            walk.tick();
        }
        // All want to stand on the one point, so they stay packed around it.
        let far = walk.position.iter().map(|p| p.distance(at)).fold(0.0, f32::max);
        assert!(walk.depth() < 0.6, "{kind}: {}", walk.depth());
        assert!(far > 0.8 && far < 5.0, "{kind}: {far}");
    }
    let orca_only = AvoidanceSettings { passes: 0, ..AvoidanceSettings::default() };
    let goals = [(at, at + Vec2::X * 10.0), (at, at - Vec2::X * 10.0)];
    let mut walk = Walk::new(plain(), orca_only, IndexKind::Grid, &goals);
    for _ in 0..10 {
        walk.tick();
    }
    assert!(walk.depth() < 1e-3, "{:?}", walk.position);
}

#[test]
fn results_are_the_same_on_any_threads_and_either_index() {
    let (grid, crowd) = rubble(3);
    let run = |kind, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut walk = Walk::new(grid.clone(), AvoidanceSettings::default(), kind, &crowd);
        pool.install(|| (0..60).for_each(|_| walk.tick()));
        (walk.slot.clone(), walk.bits())
    };
    let expected = run(IndexKind::Brute, 1);
    for kind in IndexKind::ALL {
        for threads in [1, 2, 4] {
            assert!(run(kind, threads) == expected, "{kind} on {threads} threads");
        }
    }
}

#[test]
fn crowds_stay_finite_clear_of_walls_and_within_their_speed() {
    for (seed, kind) in (0..6).zip(Avoidance::ALL.into_iter().cycle()) {
        let (grid, crowd) = rubble(seed);
        let mut walk = Walk::new(grid, AvoidanceSettings::new(kind), IndexKind::Grid, &crowd);
        for tick in 0..100 {
            walk.tick();
            for (at, velocity) in walk.position.iter().zip(&walk.velocity) {
                assert!(is_clear(&walk.grid, *at, 0.5), "{kind}, tick {tick}: {at}");
                assert!(velocity.length() <= 2.0 * 1.000_001, "{kind}, tick {tick}: {velocity}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn bodies_at_any_speed_stay_out_of_walls(seed: u64) {
        let (grid, crowd) = rubble(seed);
        let mut random = Pcg32::seed_from_u64(seed);
        let n = crowd.len();
        let mut position: Vec<Vec2> = crowd.iter().map(|pair| pair.0).collect();
        let mut velocity = vec![Vec2::ZERO; n];
        for _ in 0..10 {
            let mut wild = || random.random_range(-1000.0..1000.0_f32);
            let mut next: Vec<Vec2> = (0..n).map(|_| Vec2::new(wild(), wild())).collect();
            next[0] = Vec2::new(f32::NAN, 1.0);
            next[1] = Vec2::new(f32::INFINITY, 1.0);
            let moving = Moving { position: &mut position, velocity: &mut velocity, room: &mut vec![0.0; n] };
            integrate(STEP, &grid, &next, &vec![0.5; n], &vec![1000.0; n], moving);
            for (at, velocity) in position.iter().zip(&velocity) {
                prop_assert!(is_clear(&grid, *at, 0.5), "{at}");
                prop_assert!(velocity.length() <= 1000.0 * 1.000_001);
            }
        }
    }

    #[test]
    fn order_is_by_cell_then_slot(
        points in prop::collection::vec((-5.0..40.0_f32, -5.0..40.0_f32), 0..200),
        side in prop::sample::select(vec![1_u32, 4, 200]),
        seed: u64,
    ) {
        use rand::seq::SliceRandom;
        let position: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        let mut slot: Vec<u32> = (0..position.len() as u32).map(|i| i * 2).collect();
        slot.shuffle(&mut Pcg32::seed_from_u64(seed));
        let lattice = Lattice::new(side, side, 30.0 / side as f32).unwrap();
        let mut expected: Vec<u32> = (0..position.len() as u32).collect();
        expected.sort_by_key(|&row| (lattice.at(position[row as usize]), slot[row as usize]));
        let (mut order, mut keys, mut start) = (vec![0; slot.len()], vec![[0; 2]; slot.len()], Vec::new());
        let changed = cell_order(lattice, &position, &slot, &mut order, &mut keys, &mut start);
        prop_assert_eq!(changed, !expected.is_sorted());
        prop_assert!(!changed || order == expected);

        // In order already: nothing to do.
        let position: Vec<Vec2> = expected.iter().map(|&row| position[row as usize]).collect();
        let slot: Vec<u32> = expected.iter().map(|&row| slot[row as usize]).collect();
        prop_assert!(!cell_order(lattice, &position, &slot, &mut order, &mut keys, &mut start));
    }
}

#[test]
fn overlapping_neighbours_are_pushed_by_the_mean_of_their_pushes() {
    // One in the middle of two that overlap it from both sides, one of them more.
    let position = [Vec2::new(10.0, 10.0), Vec2::new(9.2, 10.0), Vec2::new(10.6, 10.0)];
    let (radius, slot) = ([0.5; 3], [0, 1, 2]);
    let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
    let mut index = Index::new(IndexKind::Brute);
    index.rebuild(bodies).unwrap();
    let mut near = Near::default();
    neighbours(&index, bodies, 4, 3.0, &mut near);
    let mut pushed = [Vec2::ZERO; 3];
    let (grid, still) = (plain(), [Vec2::ZERO; 3]);
    let layer = clearance(&grid);
    let columns = AgentColumns {
        position: &position,
        velocity: &still,
        preferred_velocity: &still,
        radius: &radius,
        top_speed: &[2.0; 3],
        weight: &[1.0; 3],
        progress: &[1.0; 3],
        slot: &slot,
    };
    let view = AgentView::new(STEP, &grid, &layer, columns, &near).unwrap();
    push(1.0, &view, &mut pushed);
    let expected = (0.1 - 0.2) * 2.2 / 2.0;
    assert!((pushed[0].x - expected).abs() < 1e-5, "{}", pushed[0]);
    push(0.05, &view, &mut pushed);
    assert!(pushed.iter().all(|pushed| pushed.length() <= 0.050_001), "the cap holds: {pushed:?}");
}
