//! A record in parts is that of a run in one piece, byte for byte, wherever it was cut.
#![allow(clippy::unwrap_used, missing_docs)]

use super::recordings::run;
use proptest::prelude::*;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_record::{
    About, MeasurementArea, Recorder, Sink, SquadTable, Statistics, Trajectories, TrajectoryTable, TrajectoryText,
};
use throng_sim::world::Frame;

/// The files of all kinds that can go on.
#[cfg(not(feature = "parquet"))]
const FILES: [&str; 6] = ["run.throng", "statistics.csv", "squads.csv", "agents.csv", "agents.txt", "agents.sqlite"];
#[cfg(feature = "parquet")]
const FILES: [&str; 9] = [
    "run.throng",
    "statistics.csv",
    "squads.csv",
    "agents.csv",
    "agents.txt",
    "agents.sqlite",
    "statistics.parquet",
    "squads.parquet",
    "agents.parquet",
];

/// A sink for a file, and that it is shown each n-th frame.
fn sink(file: &Path, every: u64, first: &Frame) -> (u64, Box<dyn Sink>) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let area = MeasurementArea { centre: Vec2::new(10.0, 5.0), width: 8.0, height: 6.0 };
    let grid = first.grid.as_ref().unwrap();
    match name.split_once('.').unwrap() {
        ("run", _) => (1, Box::new(Recorder::create(file, &About { every, ..About::default() }).unwrap())),
        ("statistics", _) => (every, Box::new(Statistics::create(file).unwrap().with_area(area))),
        ("squads", _) => (every, Box::new(SquadTable::create(file).unwrap())),
        (_, "txt") => (every, Box::new(TrajectoryText::create(file, 0.05, every, [0.0; 2]).unwrap())),
        (_, "sqlite") => (every, Box::new(Trajectories::on_map(file, 0.05, every, grid).unwrap())),
        _ => (every, Box::new(TrajectoryTable::create(file, [0.0; 2]).unwrap())),
    }
}

fn show(every: u64, sink: &mut dyn Sink, frames: &[Frame]) {
    for frame in frames.iter().filter(|frame| frame.tick.is_multiple_of(every)) {
        sink.frame(frame).unwrap();
    }
}

/// Each kind, in parts that end before the frames `cuts`. A run that is killed has shown more frames than the snapshot has ticks.
fn check(frames: &[Frame], cuts: &[usize], every: u64, is_killed: bool) {
    let folder = tempfile::tempdir().unwrap();
    for name in FILES {
        let [whole, parts] = ["whole", "parts"].map(|of| folder.path().join(of).join(name));
        for file in [&whole, &parts] {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        }
        let (due, mut one) = sink(&whole, every, &frames[0]);
        show(due, &mut *one, frames);
        one.finish().unwrap();

        let (mut from, mut state) = (0, Vec::new());
        for &to in cuts.iter().chain([&frames.len()]) {
            let (due, mut part) = sink(&parts, every, &frames[from]);
            if from > 0 {
                assert!(part.go_on(frames[from - 1].tick, &state).unwrap(), "{name}");
            }
            show(due, &mut *part, &frames[from..to]);
            state = part.state();
            if is_killed && name == "run.throng" && to < frames.len() {
                show(due, &mut *part, &frames[to..(to + 7).min(frames.len())]);
                drop(part);
            } else {
                part.finish().unwrap();
            }
            from = to;
        }
        let [expected, found] = [&whole, &parts].map(|file| std::fs::read(file).unwrap());
        assert!(found == expected, "{name}: {} bytes, expected {}", found.len(), expected.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(30) })]

    #[test]
    fn parts_make_a_whole(
        seed in any::<u64>(),
        cuts in prop::collection::btree_set(1..90_usize, 1..6),
        every in 1..5_u64,
        is_killed in any::<bool>(),
    ) {
        let cuts: Vec<usize> = cuts.into_iter().collect();
        check(&run(seed, 90), &cuts, every, is_killed);
    }
}

/// A frame of each block of 32 that are complete in themselves.
#[test]
fn a_recording_goes_on_from_any_frame() {
    let frames = run(5, 70);
    for cut in 1..70 {
        check(&frames, &[cut], 1, cut % 2 == 0);
    }
}
