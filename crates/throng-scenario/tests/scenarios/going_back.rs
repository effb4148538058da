//! From a snapshot in memory every example goes on as it did.

use std::path::Path;
use throng_scenario::Scenario;
use throng_sim::world::World;

/// Ticks up to the snapshot, and from there.
const TICKS: u64 = 12;

#[test]
fn every_example_goes_on_from_a_snapshot_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let bytes = |world: &World| {
        world.save(&path).unwrap();
        std::fs::read(&path).unwrap()
    };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path());
    let mut tried = 0;
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "toml")) {
        let mut world = Scenario::load(&file).unwrap().0.build(1).unwrap();
        (0..TICKS).for_each(|_| world.tick().unwrap());
        let snapshot = world.snapshot();
        (0..TICKS).for_each(|_| world.tick().unwrap());
        let mut again = World::from_snapshot(&snapshot).unwrap();
        assert_eq!(again.ticks(), TICKS);
        (0..TICKS).for_each(|_| again.tick().unwrap());
        assert!(bytes(&again) == bytes(&world), "{}", file.display());
        tried += 1;
    }
    assert!(tried > 10, "{tried}");
}
