//! Cost of the frame of a film: `cargo bench --bench pictures --no-default-features`.
//!
//! A battle of 10,000 on the map of the siege, 768 pixels high: medians, one thread. Each row is a film of its own; a frame
//! is drawn, packed into the reel and remembered. First what that was made of before there were legends: the map copied,
//! the agents drawn.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::time::Instant;
use throng::battle::{Block, Order, Unit};
use throng::geom::Vec2;
use throng::grid::{Grid, walls};
use throng::record::{Film, Overlays, Picture, RenderOptions, Sink, palette};
use throng::world::{Frame, Settings, SquadSpec, World};

const FRAMES: usize = 60;
const SIDE: u32 = 768;

fn main() {
    let map = Path::new(env!("CARGO_MANIFEST_DIR")).join("maps/fortress.map");
    let mut world = World::new(Grid::load(map).unwrap(), Settings { threads: 1, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    for (name, y) in [("raiders", 60.0), ("guards", 326.0)] {
        let army = world.add_army(name).unwrap();
        let block = Block { columns: 160, ..Block::new(Vec2::new(192.0, y), 6000) };
        let clear = |at: &Vec2| walls::is_clear(world.grid(), *at, 0.5);
        let positions: Vec<Vec2> = block.positions().into_iter().filter(clear).take(5000).collect();
        world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, &positions) }).unwrap();
    }
    let mut frames = Vec::new();
    let mut routes_ms = 0.0;
    for _ in 0..FRAMES {
        for _ in 0..5 {
            world.tick().unwrap();
        }
        let mut frame = Frame::default();
        world.frame(&mut frame);
        let since = Instant::now();
        world.remaining_routes(60, &mut frame.remaining_routes);
        routes_ms += since.elapsed().as_secs_f64() * 1e3;
        frames.push(frame);
    }
    println!("{} agents; remaining routes of a frame {:.2} ms", frames[0].id.len(), routes_ms / FRAMES as f64);

    let (base, camera) = Picture::map(world.grid(), SIDE);
    let mut picture = base.clone();
    let bare = frames.iter().map(|frame| {
        let since = Instant::now();
        picture.clone_from(&base);
        let colours: Vec<u8> = frame.army.iter().map(|army| palette::army(army.0.into())).collect();
        picture.draw_agents(camera, &frame.position, &frame.heading, &frame.radius, &colours);
        since.elapsed().as_secs_f64() * 1e3
    });
    println!("{:<32} {:>6.2} ms a frame", "map and agents, drawn alone", median(bare.collect()));

    let plain = RenderOptions { legend: false, ..RenderOptions::new(SIDE) };
    let none = Overlays::default();
    let with = |overlays| RenderOptions { overlays, ..RenderOptions::new(SIDE) };
    for (name, options) in [
        ("without a legend", plain),
        ("with a legend", with(none)),
        ("and density", with(Overlays { density: true, ..none })),
        ("and routes", with(Overlays { routes: true, ..none })),
        ("and strength", with(Overlays { strength: true, ..none })),
        ("and all three", with(Overlays { density: true, routes: true, strength: true })),
    ] {
        for ending in ["gif", "apng"] {
            let folder = tempfile::tempdir().unwrap();
            let mut film = Film::with_options(folder.path().join(format!("a.{ending}")), world.grid(), options).whole();
            let timed = frames.iter().map(|frame| {
                let since = Instant::now();
                film.frame(frame).unwrap();
                since.elapsed().as_secs_f64() * 1e3
            });
            let drawn = median(timed.collect());
            let since = Instant::now();
            let path = Box::new(film).finish().unwrap();
            let written = since.elapsed().as_secs_f64() * 1e3 / FRAMES as f64;
            let kilobytes = std::fs::metadata(path).unwrap().len() as f64 / 1e3 / FRAMES as f64;
            println!("{name:<32} {drawn:>6.2} ms a frame, written as {ending:<4} {written:>6.2} ms, {kilobytes:.0} kB");
        }
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
