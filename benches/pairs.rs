//! Nanoseconds a body and frame of a spatial index: rebuilt, all overlapping pairs collected, and questions of every body.
//! The ten nearest are found in bulk and one by one, and the nearest of a place beside each body. Unlike `throng indices`
//! also on several threads, and with rows in the order of places, as a simulation keeps them.
//!
//! `cargo bench --bench pairs -- [INDEX] [BODIES] [THREADS]`
#![allow(clippy::unwrap_used, missing_docs)]

use std::f32::consts::PI;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;
use throng::spatial::{Index, IndexKind, Near, Pairs, Scene, SceneKind, SpatialIndex};

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Rows in the order of place.
fn order(scene: &mut Scene) {
    let mut rows: Vec<usize> = (0..scene.position.len()).collect();
    rows.sort_by_key(|&row| scene.position[row].map(|x| (x / 5.0) as i32));
    scene.position = rows.iter().map(|&row| scene.position[row]).collect();
    scene.velocity = rows.iter().map(|&row| scene.velocity[row]).collect();
    scene.radius = rows.iter().map(|&row| scene.radius[row]).collect();
}

fn run(kind: IndexKind, name: &str, mut scene: Scene) {
    let n = scene.position.len();
    let each = |clock: Instant| clock.elapsed().as_nanos() as f64 / n as f64;
    let mut index = Index::new(kind);
    let mut pairs = Pairs::default();
    let [mut builds, mut finds, mut totals, mut within, mut lists, mut nearest, mut one] = [const { Vec::new() }; 7];
    for frame in 0..(6_000_000 / n).clamp(9, 300) + 3 {
        scene.step();
        let bodies = scene.bodies();
        let clock = Instant::now();
        index.rebuild(bodies).unwrap();
        let built = each(clock);
        index.collect_pairs(bodies, &mut pairs);
        let total = each(clock);
        if frame > 2 {
            builds.push(built);
            finds.push(total - built);
            totals.push(total);
        }
    }
    let bodies = scene.bodies();
    let area: f32 = scene.radius.iter().map(|radius| radius * radius * PI).sum::<f32>() / 0.15;
    // Ten are nearer than that where bodies are spread evenly.
    let reach = (10.0 * area / n as f32 / PI).sqrt();
    let (mut near, mut found) = (Near::default(), Vec::new());
    for _ in 0..5 {
        let clock = Instant::now();
        for &at in bodies.position {
            let _ = index.within(bodies, at, reach, |row, _| {
                black_box(row);
                ControlFlow::Continue(())
            });
        }
        within.push(each(clock));
        near.reset(n, 10);
        let clock = Instant::now();
        for (i, stretch) in near.stretches(256).enumerate() {
            index.neighbours(bodies, i * 256, reach * 3.0, stretch);
        }
        lists.push(each(clock));
        let clock = Instant::now();
        for &at in bodies.position {
            index.k_nearest(bodies, at, 10, reach * 3.0, |_| true, &mut found);
            black_box(&found);
        }
        nearest.push(each(clock));
        let clock = Instant::now();
        for &at in bodies.position {
            // From empty places.
            black_box(index.nearest(bodies, [at[0] + reach * 0.2, at[1]], reach * 3.0, |_| true));
        }
        one.push(each(clock));
    }
    print!("{name:18}");
    for times in [&mut builds, &mut finds, &mut totals, &mut within, &mut lists, &mut nearest, &mut one] {
        print!("{:10.2}", median(times));
    }
    println!("{:10.2}", pairs.len() as f64 / n as f64);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let kind = arguments.first().map_or(IndexKind::Grid, |name| name.parse().unwrap());
    let n = arguments.get(1).map_or(100_000, |n| n.parse().unwrap());
    let threads = arguments.get(2).map_or(1, |n| n.parse().unwrap());
    println!("{kind}, {n} bodies, {threads} threads");
    println!(
        "{:18}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "", "build", "pairs", "total", "within", "10 near", "by one", "nearest", "pairs/n"
    );
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        for scene in [SceneKind::Uniform, SceneKind::Clustered, SceneKind::Line, SceneKind::Mixed] {
            run(kind, scene.name(), Scene::new(scene, n, 0.15, 1).unwrap());
        }
        let mut ordered = Scene::new(SceneKind::Uniform, n, 0.15, 1).unwrap();
        order(&mut ordered);
        run(kind, "uniform, ordered", ordered);
    });
}
