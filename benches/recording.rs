//! What a recording costs: `cargo bench --bench recording [-- AGENTS]`.
//!
//! Two armies on the town map, every tick recorded: what the thread of the simulation spends on copying the state out of
//! the world and on handing it over (its own processor time where the system tells it), bytes an agent and frame, the times
//! to write and to read a frame, and to go to any frame. Then the same crowd standing.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use throng::battle::{Order, Unit};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::grid::walls::is_clear;
use throng::record::{About, Recorder, Recording, Sink};
use throng::world::{Frame, Muster, Settings, World};

/// Metres between two places.
const SPACING: f32 = 1.1;

/// The clear places nearest to `centre` that are not `taken`, by rings.
fn places(grid: &Grid, centre: Vec2, count: usize, taken: &mut BTreeSet<(u32, u32)>) -> Vec<Vec2> {
    let mut found = Vec::new();
    let centre = (centre / SPACING).round() * SPACING;
    for ring in 0_i32.. {
        for y in -ring..=ring {
            for x in -ring..=ring {
                let at = centre + Vec2::new(x as f32, y as f32) * SPACING;
                let place = ((at.x / SPACING).round() as u32, (at.y / SPACING).round() as u32);
                let free = x.abs().max(y.abs()) == ring && grid.lattice().covers(at) && is_clear(grid, at, 0.4);
                if free && taken.insert(place) {
                    found.push(at);
                }
            }
        }
        if found.len() >= count {
            break;
        }
    }
    found.truncate(count);
    found
}

fn world(order: Order, agents: usize) -> World {
    let grid = Grid::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("maps/town.map")).unwrap();
    let size = grid.lattice().size();
    let mut world = World::new(grid.clone(), Settings { threads: 2, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit { health: 400.0, ..Unit::default() }).unwrap();
    let mut taken = BTreeSet::new();
    for (name, x) in [("red", 0.42), ("blue", 0.58)] {
        let army = world.add_army(name).unwrap();
        for y in [0.2, 0.5, 0.8] {
            let positions = places(&grid, size * Vec2::new(x, y), agents / 6 + 1, &mut taken);
            world.muster(Muster { order, ..Muster::new(army, unit, &positions) }).unwrap();
        }
    }
    world
}

/// Processor time of this thread, so that whoever else is at work does not count; where the system does not tell it, time.
fn now(since: Instant) -> Duration {
    // The system brings its count up to date when a thread gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn quantile(times: &mut [f64], q: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * q).round() as usize]
}

fn measure(label: &str, order: Order, agents: usize, warm: u32, ticks: u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.throng");
    let mut world = world(order, agents);
    for _ in 0..warm {
        world.tick().unwrap();
    }
    let start = Instant::now();
    let mut sink = Box::new(Recorder::create(&path, &About::default()).unwrap());
    let mut frame = Frame::default();
    let (mut copy, mut hand_over) = (Vec::new(), Vec::new());
    let (mut all, mut kept) = (0, Vec::new());
    for _ in 0..ticks {
        world.tick().unwrap();
        let began = now(start);
        world.frame(&mut frame);
        let copied = now(start);
        sink.frame(&frame).unwrap();
        let handed = now(start);
        copy.push((copied - began).as_secs_f64() * 1e3);
        hand_over.push((handed - copied).as_secs_f64() * 1e3);
        all += frame.id.len();
        if kept.len() < 40 {
            kept.push(frame.clone());
        }
    }
    sink.finish().unwrap();
    let bytes = std::fs::metadata(&path).unwrap().len();
    println!("{label}, {} agents, {ticks} frames, {} asleep at the end", frame.id.len(), frame.asleep);
    for (what, times) in [("out of the world", &mut copy), ("handing over", &mut hand_over)] {
        let (median, p99) = (quantile(times, 0.5), quantile(times, 0.99));
        println!("    {what:<17} {median:.3} ms median, {p99:.3} ms p99, of the simulation's thread");
    }
    println!("    {:.3} bytes an agent and frame", bytes as f64 / all as f64);

    let again = folder.path().join("again.throng");
    let began = Instant::now();
    let mut sink = Box::new(Recorder::create(&again, &About::default()).unwrap());
    kept.iter().for_each(|frame| sink.frame(frame).unwrap());
    sink.finish().unwrap();
    println!("    writing a frame   {:.2} ms", began.elapsed().as_secs_f64() * 1e3 / kept.len() as f64);

    let mut recording = Recording::open(&path).unwrap();
    let began = Instant::now();
    for number in 0..recording.frames() {
        recording.frame(number, &mut frame).unwrap();
    }
    println!("    reading a frame   {:.2} ms", began.elapsed().as_secs_f64() * 1e3 / recording.frames() as f64);
    let mut times = Vec::new();
    for i in 0..60 {
        let began = Instant::now();
        recording.frame(i * 7919 % recording.frames(), &mut frame).unwrap();
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let (median, worst) = (quantile(&mut times, 0.5), quantile(&mut times, 1.0));
    println!("    going to a frame  {median:.1} ms median, {worst:.1} ms worst");
}

fn main() {
    match std::env::args().skip(1).find_map(|number| number.parse().ok()) {
        Some(agents) => measure("town", Order::Attack, agents, 100, 200),
        None => {
            measure("town", Order::Attack, 10_000, 100, 400);
            measure("town", Order::Attack, 100_000, 60, 80);
            measure("standing", Order::Hold, 10_000, 100, 200);
        }
    }
}
