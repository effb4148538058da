//! Cost of a recording: `cargo bench --bench recording [-- AGENTS]`.
//!
//! Two armies on the town map, every tick recorded. The thread of the simulation copies the state out of the world and
//! hands it over: the cost of both (its own processor time where the system tells it). Then bytes an agent and frame,
//! the times to write and to read a frame, and to go to any frame. Then the same crowd standing.
#![allow(clippy::unwrap_used, missing_docs)]

mod town;

use std::time::{Duration, Instant};
use throng::battle::Order;
use throng::record::{About, Recorder, Recording, Sink};
use throng::world::Frame;
use town::battle;

/// Processor time of this thread, so that other work does not count; where the system does not tell it, time.
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
    let mut world = battle(2, order, agents);
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
        copy.push(copied.saturating_sub(began).as_secs_f64() * 1e3);
        hand_over.push(handed.saturating_sub(copied).as_secs_f64() * 1e3);
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
    for frame in &kept {
        sink.frame(frame).unwrap();
    }
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
    if let Some(agents) = std::env::args().skip(1).find_map(|number| number.parse().ok()) {
        measure("town", Order::Attack, agents, 100, 200);
    } else {
        measure("town", Order::Attack, 10_000, 100, 400);
        measure("town", Order::Attack, 100_000, 60, 80);
        measure("standing", Order::Hold, 10_000, 100, 200);
    }
}
