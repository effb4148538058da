//! Every number of a scenario at the ends of its range and beyond: a number beyond is refused at its place.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_scenario::schema::{Kind, SCENARIO, SQUAD, UNIT};
use throng_scenario::{Scenario, ScenarioError};
use throng_sim::battle::NumberRange;

/// The numbers of a table.
fn numbers(table: &'static throng_scenario::schema::Table) -> impl Iterator<Item = (&'static str, NumberRange)> {
    let keys = table.keys.iter().filter_map(|key| match key.kind {
        Kind::Number(range) => Some((key.name, range)),
        _ => None,
    });
    keys.chain(table.numbers.iter().map(|number| (number.key, number.range)))
}

fn load(text: &str) -> Result<Scenario, ScenarioError> {
    let folder = tempfile::tempdir().unwrap();
    let map = format!("type octile\nheight 9\nwidth 9\nmap\n{}", ".........\n".repeat(9));
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, text).unwrap();
    Scenario::load(path).map(|(scenario, _)| scenario)
}

#[test]
fn numbers_out_of_range_are_refused_at_their_place() {
    let army = "[[army]]\nname = \"red\"\n[[army.squad]]\nposition = [4, 4]\n";
    let mut tried = 0;
    for (table, before, after) in [
        (&SCENARIO, "map = \"a.map\"\n", format!("{army}count = 1\n")),
        (&UNIT, "map = \"a.map\"\n[[unit]]\nname = \"a\"\n", format!("{army}count = 1\nunit = \"a\"\n")),
        (&SQUAD, "", String::new()),
    ] {
        for (key, range) in numbers(table) {
            let text = |value: &str| match before {
                "" if key == "count" => format!("map = \"a.map\"\n{army}{key} = {value}\n"),
                "" => format!("map = \"a.map\"\n{army}count = 1\n{key} = {value}\n"),
                before => format!("{before}{key} = {value}\n{after}"),
            };
            let low = format!("{:?}", range.least - 1.0);
            for value in ["nan", "-nan", "inf", "-inf", "-1e300", "1e300", &low, "\"1\"", "true", "[1]"] {
                let number = value.parse::<f64>().unwrap_or(f64::NAN);
                if range.contains(number) {
                    continue;
                }
                let line = 1 + text("?").lines().position(|line| line.ends_with("= ?")).unwrap();
                let error = load(&text(value)).expect_err(&format!("{key} = {value}"));
                let ScenarioError::Value { at, key: named, .. } = &error else { panic!("{key} = {value}: {error}") };
                assert_eq!((at.line, named.starts_with(key)), (line, true), "{error}");
                tried += 1;
            }
            let least = if range.is_whole { format!("{}", range.least) } else { format!("{:?}", range.least) };
            // A value in range is refused, if at all, for its effect, not for its value.
            if let Err(error) = load(&text(&least)) {
                let own = matches!(&error, ScenarioError::Value { expected, .. } if *expected == range.to_string());
                assert!(!own, "{key} = {least}: {error}");
            }
        }
    }
    assert!(tried > 300, "only {tried}");
}
