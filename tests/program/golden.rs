//! Where the agents of every example are after some ticks, to the last bit: on every machine.
//! `docs/determinism.md` says what that covers.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use throng::scenario::Scenario;

const TICKS: u64 = 100;
const HASHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_hashes.txt");

#[test]
fn every_example_goes_as_it_always_went() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    let hash = |file: &PathBuf| {
        let mut world = Scenario::load(file).unwrap().0.build(1).unwrap();
        while world.ticks() < TICKS {
            world.tick().unwrap();
        }
        (file.file_stem().unwrap().to_string_lossy().into_owned(), world.position_hash())
    };
    let found: BTreeMap<String, u64> = files.par_iter().map(hash).collect();
    let lines: Vec<String> = found.iter().map(|(name, hash)| format!("{name} {hash:016x}")).collect();
    let text = lines.join("\n") + "\n";
    if std::env::var_os("THRONG_ACCEPT").is_some() {
        std::fs::write(HASHES, &text).unwrap();
    }
    let expected = std::fs::read_to_string(HASHES).unwrap_or_default();
    assert_eq!(
        text, expected,
        "THRONG_ACCEPT=1 writes the list anew; the message of the commit says why it had to change"
    );
}
