//! Every number of a scenario file as 0, negative, none, infinite and huge.

use super::case::try_all;
use super::files::{furnish, scenario, seeds};
use super::mutate::{NUMBERS, numbers};
use std::collections::BTreeSet;
use std::sync::Arc;
use throng::scenario::schema::{Kind, Table};

/// The keys of a scenario file that take a number.
fn keys() -> BTreeSet<&'static str> {
    fn takes_number(kind: &Kind) -> bool {
        match kind {
            Kind::Number(_) => true,
            Kind::List(of) => takes_number(of),
            Kind::Any(kinds, _) => kinds.iter().any(takes_number),
            _ => false,
        }
    }
    let keys = Table::ALL.iter().flat_map(|table| table.keys).filter(|key| takes_number(&key.kind)).map(|key| key.name);
    let numbers = Table::ALL.iter().flat_map(|table| table.numbers);
    keys.chain(numbers.map(|number| number.key.rsplit('.').next().unwrap())).collect()
}

#[test]
fn every_number_of_a_scenario() {
    let all: Vec<Vec<u8>> = seeds("scenario").into_iter().map(|(_, bytes)| bytes).collect();
    let text = all.iter().map(|bytes| String::from_utf8_lossy(bytes)).collect::<Vec<_>>().join("\n");
    let is_there = |key: &&&str| {
        let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_key = |at: usize| text[at + key.len()..].trim_start().starts_with('=');
        text.match_indices(**key).any(|(at, _)| begins(at) && is_key(at))
    };
    let keys = keys();
    let missing: Vec<_> = keys.iter().filter(|key| !is_there(key)).collect();
    assert!(keys.len() > 60 && missing.is_empty(), "fuzz/seeds/scenario has no {missing:?}");
    let places: Vec<(usize, std::ops::Range<usize>)> = all
        .iter()
        .enumerate()
        .flat_map(|(file, bytes)| numbers(bytes).into_iter().map(move |place| (file, place)))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    furnish(&path);
    let (cases, all) = (places.len() * NUMBERS.len(), Arc::new(all));
    try_all("numbers", cases as u64, move |thread, number, _| {
        let (place, text) = (number as usize / NUMBERS.len(), NUMBERS[number as usize % NUMBERS.len()]);
        let (file, place) = places[place].clone();
        let mut bytes = all[file].clone();
        bytes.splice(place, text.bytes());
        let file = path.join(format!("hostile-{thread}.toml"));
        std::fs::write(&file, &bytes).unwrap();
        scenario(&file);
    });
}
