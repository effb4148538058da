//! A world that is cut into subdomains runs as one that is not: to the last bit, wherever it is cut.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use throng_scenario::Scenario;
use throng_sim::crowd::Avoidance;
use throng_sim::world::{Cutting, Frame, Subdomains, World};
use throng_spatial::IndexKind;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn load(file: &Path, avoidance: Option<Avoidance>) -> World {
    let mut scenario = Scenario::load(file).unwrap().0;
    if let Some(kind) = avoidance {
        scenario.set_avoidance(kind);
    }
    let mut world = scenario.build(1).unwrap();
    world.count_walks();
    world
}

/// A snapshot of the world as a file has it.
fn bytes(world: &World) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.snapshot");
    world.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

/// Runs a world uncut, and cut in these ways, for so many ticks.
fn compare(name: &str, mut world: World, cuttings: &[(usize, Cutting)], ticks: u64) {
    let cut = |&(count, cutting): &(usize, Cutting)| Subdomains::cut(&world, count).unwrap().with_cutting(cutting);
    let mut cuts: Vec<Subdomains> = cuttings.iter().map(cut).collect();
    let [mut expected, mut found] = [(); 2].map(|()| Frame::default());
    let text = |error: throng_sim::world::WorldError| error.to_string();
    for tick in 1..=ticks {
        let result = world.tick().map_err(text);
        world.frame(&mut expected);
        for (cut, cutting) in cuts.iter_mut().zip(cuttings) {
            let at = format!("{name}, {cutting:?}, tick {tick}");
            assert_eq!(cut.tick().map_err(text), result, "{at}");
            let other = cut.world();
            assert_eq!(other.position_hash(), world.position_hash(), "{at}: other places");
            assert_eq!(other.events(), world.events(), "{at}");
            other.frame(&mut found);
            (found.stage_ms, found.tick_ms) = (expected.stage_ms, expected.tick_ms);
            assert!(found == expected, "{at}: another frame");
            if tick % 100 == 1 || tick == ticks {
                assert!(bytes(other) == bytes(&world), "{at}: other bytes in the snapshot");
            }
        }
    }
}

/// Few and many subdomains, cut evenly and anywhere.
const CUTTINGS: [(usize, Cutting); 6] = [
    (1, Cutting::Even),
    (2, Cutting::Random(2)),
    (3, Cutting::Even),
    (4, Cutting::Random(4)),
    (8, Cutting::Even),
    (8, Cutting::Random(8)),
];

#[test]
fn it_runs_as_one_that_is_not_cut() {
    for (name, index, ticks) in [
        ("mirror", IndexKind::KdTree, 300),
        ("station", IndexKind::Grid, 120),
        ("links", IndexKind::Bvh, 120),
        ("keep", IndexKind::Grid, 120),
        ("siege", IndexKind::Grid, 20),
    ] {
        let mut world = load(&examples().join(name).with_extension("toml"), None);
        world.set_index(index).unwrap();
        compare(name, world, &[(3, Cutting::Even), (4, Cutting::Random(7))], ticks);
    }
}

#[test]
fn by_every_model_it_runs_as_one_that_is_not_cut() {
    for kind in Avoidance::ALL {
        for (name, ticks) in [("mirror", 150), ("gate", 60)] {
            let world = load(&examples().join(name).with_extension("toml"), Some(kind));
            compare(&format!("{name} by {kind}"), world, &[(3, Cutting::Even), (4, Cutting::Random(7))], ticks);
        }
    }
}

#[test]
#[ignore = "it takes a minute; continuous integration runs it"]
fn every_example_runs_as_one_that_is_not_cut() {
    let mut files: Vec<_> = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files.sort();
    assert!(files.len() > 10);
    for file in files {
        let world = load(&file, None);
        let ticks = if world.agents() > 2000 { 40 } else { 600 };
        compare(&file.display().to_string(), world, &CUTTINGS, ticks);
    }
}
