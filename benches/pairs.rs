//! Nanoseconds an agent and frame of a spatial index: discs of radius 1 that move 0.1 a frame in a box and bounce off its
//! walls; each frame the index is rebuilt and all overlapping pairs are collected.
//!
//! `cargo bench --bench pairs -- [INDEX] [AGENTS] [THREADS] [SCENE]`
#![allow(clippy::unwrap_used, missing_docs)]

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg32;
use std::f32::consts::{PI, TAU};
use std::ops::ControlFlow;
use std::time::Instant;
use throng::geom::Vec2;
use throng::spatial::{Bodies, Index, IndexKind, Near, Pairs, SpatialIndex};

/// Name, how many in a thousand have radius 20, share of the area that discs cover.
const SCENES: [(&str, u32, f32); 7] = [
    ("uniform", 0, 0.15),
    ("sparse", 0, 0.006),
    ("dense", 0, 0.40),
    ("clustered", 0, 0.15),
    ("mixed", 10, 0.15),
    ("line", 0, 0.15),
    ("ordered", 0, 0.15),
];

struct Scene {
    size: Vec2,
    position: Vec<[f32; 2]>,
    velocity: Vec<[f32; 2]>,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl Scene {
    fn new(name: &str, large: u32, cover: f32, n: usize) -> Self {
        let mut random = Pcg32::seed_from_u64(1);
        let radius: Vec<f32> = (0..n).map(|_| if random.random_range(0..1000) < large { 20.0 } else { 1.0 }).collect();
        let side = (radius.iter().map(|radius| radius * radius * PI).sum::<f32>() / cover).sqrt();
        let size = if name == "line" { Vec2::new(2.0, n as f32 * 2.0 / cover) } else { Vec2::splat(side) };
        let mut anywhere = || Vec2::new(random.random_range(0.0..size.x), random.random_range(0.0..size.y));
        let centres: Vec<Vec2> = (0..64).map(|_| anywhere()).collect();
        let mut position: Vec<[f32; 2]> = (0..n).map(|_| anywhere().to_array()).collect();
        for at in &mut position {
            if name == "clustered" {
                // Gaussian, by Box and Muller.
                let (u, v) = (random.random_range(1e-9..1.0_f32), random.random_range(0.0..TAU));
                let away = Vec2::new(v.cos(), v.sin()) * (-2.0 * u.ln()).sqrt() * (side / 60.0);
                let at_centre = centres[random.random_range(0..64)] + away;
                *at = at_centre.clamp(Vec2::ZERO, size).to_array();
            } else if name == "line" {
                at[0] = 1.0;
            }
        }
        let velocity = (0..n)
            .map(|_| {
                let heading = random.random_range(0.0..TAU);
                [0.1 * heading.cos(), 0.1 * heading.sin()]
            })
            .collect();
        let mut id: Vec<u32> = (0..n as u32).collect();
        id.shuffle(&mut random);
        let mut scene = Self { size, position, velocity, radius, id };
        if name == "ordered" {
            scene.order();
        }
        scene
    }

    /// Rows in the order of place, as a simulation keeps them.
    fn order(&mut self) {
        self.position.sort_by_key(|at| (at[1] as i32 / 5, at[0] as i32 / 5));
    }

    fn step(&mut self) {
        for (at, velocity) in self.position.iter_mut().zip(&mut self.velocity) {
            for axis in 0..2 {
                at[axis] += velocity[axis];
                if at[axis] < 0.0 || at[axis] > self.size[axis] {
                    velocity[axis] = -velocity[axis];
                    at[axis] = at[axis].clamp(0.0, self.size[axis]);
                }
            }
        }
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn run(kind: IndexKind, scene: &(&str, u32, f32), n: usize) {
    let mut crowd = Scene::new(scene.0, scene.1, scene.2, n);
    let mut index = Index::new(kind);
    let (mut pairs, mut tests) = (Pairs::default(), 0);
    let frames = (6_000_000 / n).clamp(9, 300);
    let mut times = [const { Vec::new() }; 4];
    for frame in 0..frames + 3 {
        crowd.step();
        let bodies = Bodies::new(&crowd.position, &crowd.radius, &crowd.id);
        let clock = Instant::now();
        index.rebuild(bodies).unwrap();
        let built = clock.elapsed();
        tests = index.collect_pairs(bodies, &mut pairs);
        let all = clock.elapsed();
        let mut visited = 0_u64;
        index.pairs(bodies, |i, j| {
            visited += u64::from(i ^ j);
            ControlFlow::Continue(())
        });
        let visits = clock.elapsed() - all;
        std::hint::black_box(visited);
        if frame > 2 {
            for (times, time) in times.iter_mut().zip([built, all - built, all, visits]) {
                times.push(time.as_nanos() as f64 / n as f64);
            }
        }
    }
    print!("{:10} {n:8}", scene.0);
    for times in &mut times {
        print!("{:9.2}", median(times));
    }
    print!("{:9.2}{:9.1}", pairs.len() as f64 / n as f64, tests as f64 / n as f64);

    // Queries of every body in the order of the rows.
    let bodies = Bodies::new(&crowd.position, &crowd.radius, &crowd.id);
    let reach = (10.0 / (n as f32 / (crowd.size.x * crowd.size.y)) / PI).sqrt();
    let (mut within, mut nearest, mut hits) = (Vec::new(), Vec::new(), 0_u64);
    let mut near = Near::default();
    for _ in 0..5 {
        let clock = Instant::now();
        for &at in bodies.position {
            let _ = index.within(bodies, at, reach, |row, _| {
                hits += u64::from(row & 1);
                ControlFlow::Continue(())
            });
        }
        within.push(clock.elapsed().as_nanos() as f64 / n as f64);
        near.reset(n, 10);
        let clock = Instant::now();
        for (i, stretch) in near.stretches(256).enumerate() {
            index.neighbours(bodies, i * 256, reach * 3.0, stretch);
        }
        nearest.push(clock.elapsed().as_nanos() as f64 / n as f64);
    }
    std::hint::black_box(hits);
    println!("{:9.1}{:9.1}", median(&mut within), median(&mut nearest));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let kind = arguments.first().map_or(IndexKind::Grid, |name| name.parse().unwrap());
    let n = arguments.get(1).map_or(100_000, |n| n.parse().unwrap());
    let threads = arguments.get(2).map_or(1, |n| n.parse().unwrap());
    println!(
        "{:10} {:>8}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "scene", "agents", "build", "pairs", "total", "visited", "pairs/n", "tests/n", "within", "10 near"
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for scene in &SCENES {
        if arguments.get(3).is_none_or(|name| name == scene.0) {
            pool.install(|| run(kind, scene, n));
        }
    }
}
