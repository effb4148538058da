//! A corpus of broken files in `tests/bad/`, and the exact words in which each is refused: `tests/bad/messages.txt` has a
//! line for each file. The files that these name are in `tests/bad/good/`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use throng::grid::{Colours, Grid, Scen};
use throng::record::Recording;
use throng::scenario::{CrowdTable, Scenario};
use throng::world::{Resume, World};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad");

/// The message of the reader for files of this name.
fn refused(path: &Path) -> String {
    fn told<T>(read: Result<T, impl Display>) -> String {
        read.map_or_else(|error| error.to_string(), |_| "can be read".to_owned())
    }
    let is_table = path.file_name().unwrap().to_str().unwrap().starts_with("colours_");
    match path.extension().unwrap().to_str().unwrap() {
        "scen" => told(Scen::load(path)),
        "toml" if is_table => told(Colours::load(path)),
        "toml" => told(Scenario::load(path)),
        "csv" => told(CrowdTable::load(path)),
        "snapshot" => told(World::restore(path, Resume { threads: 1, ..Resume::default() })),
        "throng" => told(Recording::open(path)),
        _ => told(Grid::load(path)),
    }
}

#[test]
fn each_is_refused_in_the_words_of_the_list() {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() || name == "messages.txt" {
            continue;
        }
        // Messages name the file as it was given; the list has it without its folder, and as on every system.
        let message = refused(&path).replace(&format!("{FOLDER}/"), "");
        assert!(!message.contains('\n'), "{name}: more than a line: {message}");
        found.insert(name, message);
    }
    let list = std::fs::read_to_string(format!("{FOLDER}/messages.txt")).unwrap();
    let expected: BTreeMap<String, String> = list
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(name, text)| (name.into(), text.into()))
        .collect();
    let differ: Vec<_> = found.iter().filter(|(name, message)| expected.get(*name) != Some(message)).collect();
    let lines: Vec<_> = differ.iter().map(|(name, message)| format!("{name}\t{message}")).collect();
    assert!(differ.is_empty(), "{} are not as in the list, but:\n{}", differ.len(), lines.join("\n"));
    assert!(found.len() == expected.len(), "the list has files that are not there");
    assert!(found.len() >= 60, "only {} files", found.len());
}

/// The files that the broken ones name are good.
#[test]
fn the_good_ones_are_good() {
    assert_eq!(Scenario::load(format!("{FOLDER}/good/scenario.toml")).unwrap().0.agents(), 2);
    assert_eq!(Grid::load(format!("{FOLDER}/good/room.map")).unwrap().open_cells(), 28);
    assert_eq!(Grid::load(format!("{FOLDER}/good/hill.png")).unwrap().open_cells(), 0);
}
