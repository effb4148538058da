//! Bakes the atlas of each level and says how long it took and how large it is.
//!
//! `cargo run --release -p throng-scene --example atlas_times -- [LEVEL]`

use std::time::Instant;
use throng_scene::sprite::picture::{Props, trees};
use throng_scene::sprite::{Atlas, Level, Puff};
use throng_sim::battle::Look;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let near = [Look::Swordsman, Look::Spearman, Look::Archer];
    let large = [Look::Rider, Look::Giant, Look::Ram];
    for (what, level, looks) in [
        ("near, on foot", Level::Near, &near[..]),
        ("near, large", Level::Near, &large[..]),
        ("near, all", Level::Near, &Look::ALL[..]),
        ("middle, all", Level::Middle, &Look::ALL[..]),
        ("far, all", Level::Far, &Look::ALL[..]),
        ("splat, all", Level::Splat, &Look::ALL[..]),
    ] {
        if !what.starts_with(&wanted) {
            continue;
        }
        let mut best = f64::MAX;
        let mut size = (0, 0, 0);
        for _ in 0..5 {
            let start = Instant::now();
            let atlas = Atlas::bake(level.scale(), looks);
            best = best.min(start.elapsed().as_secs_f64());
            size = (atlas.width(), atlas.height(), atlas.bytes() / 1000);
        }
        println!("{what:15} {:7.1} ms, {} x {} pixels, {} kB", best * 1e3, size.0, size.1, size.2);
    }
    let timed = |what: &str, job: &dyn Fn()| {
        let start = Instant::now();
        job();
        println!("{what:15} {:7.1} ms", start.elapsed().as_secs_f64() * 1e3);
    };
    for scale in [5.2, 12.0, 30.0] {
        timed(&format!("trees at {scale}"), &|| drop(trees(scale)));
        timed(&format!("props at {scale}"), &|| drop(Props::bake(scale)));
    }
    timed("puffs", &|| drop(Puff::all()));
    let atlas = Atlas::bake(Level::Far.scale(), &Look::ALL);
    timed("tint far", &|| drop(atlas.tinted([255, 79, 18])));
}
