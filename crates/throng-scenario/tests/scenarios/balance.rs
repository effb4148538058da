//! Soldiers are living, routed, gone, fallen or yet to come, and nothing else.

use std::path::Path;
use throng_scenario::Scenario;
use throng_sim::world::{ArmyCount, Frame};

/// Ticks of each example: enough for the first losses.
const TICKS: u64 = 25;

#[test]
fn armies_add_up_at_every_tick_of_every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    let mut frame = Frame::default();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let mut world = Scenario::load(&file).unwrap().0.build(1).unwrap();
        world.frame(&mut frame);
        let all: Vec<u32> = frame.armies.iter().map(ArmyCount::all).collect();
        while world.ticks() < TICKS && world.verdict().is_none() {
            world.tick().unwrap();
            world.frame(&mut frame);
            for ((army, count), all) in world.armies().iter().zip(&frame.armies).zip(&all) {
                let parts = [count.alive, count.routed, count.left, count.dead];
                assert_eq!(parts.iter().sum::<u32>(), army.spawned, "{name} at tick {}: {count:?}", frame.tick);
                assert_eq!((count.all(), count.dead), (*all, army.losses.iter().sum()), "{name}: {count:?}");
            }
        }
    }
}
