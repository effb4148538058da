//! The tables of `docs/scenarios.md` are those of the schema. After a change of the schema write them anew with
//! `cargo test -p throng-scenario --test scenarios -- --ignored write_the_tables`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::path::PathBuf;
use throng_scenario::schema::{Kind, Table};
use throng_sim::battle::{NumberRange, Ranged, Unit};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios.md")
}

fn range(range: NumberRange) -> String {
    let NumberRange { least, most, is_whole, .. } = range;
    let whole = if is_whole { "whole, " } else { "" };
    if most.is_finite() { format!("{whole}{least} to {most}") } else { format!("{whole}at least {least}") }
}

/// Key, meaning, range, unit and default of each key.
fn rows(table: &Table) -> Vec<[String; 5]> {
    let keys = table.keys.iter().map(|key| {
        let (range, unit) = match key.kind {
            Kind::Number(number) => (range(number), number.unit),
            Kind::Point => (String::new(), "m"),
            _ => (String::new(), ""),
        };
        let default = if key.default == "required" { "**required**" } else { key.default };
        [format!("`{}`", key.name), key.doc.into(), range, unit.into(), default.into()]
    });
    let plain = Unit { ranged: Some(Ranged::default()), ..Unit::default() };
    let numbers = table.numbers.iter().map(|number| {
        let default = match number.default {
            "" => format!("{}", number.value(&plain).unwrap() as f32),
            words => words.into(),
        };
        let name = number.key.rsplit('.').next().unwrap();
        [format!("`{name}`"), number.doc.into(), range(number.range), number.range.unit.into(), default]
    });
    keys.chain(numbers).collect()
}

/// A table in Markdown, without columns that say nothing.
fn markdown(table: &Table) -> String {
    let rows = rows(table);
    let heads = ["key", "meaning", "range", "unit", "default"];
    let columns: Vec<usize> = (0..heads.len()).filter(|&c| rows.iter().any(|row| !row[c].is_empty())).collect();
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for cell in cells {
            write!(text, "|{}{cell}", if cell.is_empty() || cell == "---" { "" } else { " " }).unwrap();
            text.push_str(if cell == "---" { "" } else { " " });
        }
        text.push_str("|\n");
    };
    line(&mut columns.iter().map(|&c| heads[c]));
    line(&mut columns.iter().map(|_| "---"));
    for row in &rows {
        line(&mut columns.iter().map(|&c| row[c].as_str()));
    }
    text
}

/// The page with the tables of the schema behind the marks `<!-- keys of a unit -->`; how many there are.
fn with_tables(page: &str) -> (String, usize) {
    let mut out = String::new();
    let mut found = 0;
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(out, "{line}").unwrap();
        let title = line.strip_prefix("<!-- keys of ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(title) = title else { continue };
        let table = Table::ALL.iter().find(|table| table.title == title).unwrap_or_else(|| panic!("no table {title}"));
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        out.push_str(&markdown(table));
        found += 1;
    }
    (out, found)
}

#[test]
fn the_tables_of_keys_are_those_of_the_schema() {
    let page = std::fs::read_to_string(path()).unwrap();
    let (written, found) = with_tables(&page);
    let differs = page.lines().zip(written.lines()).find(|(page, written)| page != written);
    assert_eq!(differs, None, "run the ignored test write_the_tables");
    assert_eq!(page, written);
    assert!(found >= 14, "only {found} tables");
}

#[test]
#[ignore = "it writes docs/scenarios.md"]
fn write_the_tables() {
    let page = std::fs::read_to_string(path()).unwrap();
    std::fs::write(path(), with_tables(&page).0).unwrap();
}

#[test]
fn every_key_has_its_documentation() {
    for table in Table::ALL {
        for key in table.keys {
            assert!(key.doc.ends_with('.'), "{} of {}: {:?}", key.name, table.title, key.doc);
            let default: Result<f64, _> = key.default.parse();
            if let (Kind::Number(range), Ok(default)) = (key.kind, default) {
                assert!(range.contains(default), "{} of {}: {default}", key.name, table.title);
            }
            for belongs in key.of {
                assert!(table.one_of.contains(belongs), "{} of {}", key.name, table.title);
            }
        }
    }
}
