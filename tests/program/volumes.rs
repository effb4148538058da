//! `throng volumes` as a user meets it.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program;
use std::path::Path;

fn run(args: &str) -> (i32, String, String) {
    program::run(Path::new("."), &format!("volumes {args}"))
}

/// The counts of a table: hits and tunnelled of each test.
fn counts(table: &str) -> Vec<[u64; 2]> {
    let number = |word: &str| word.replace(',', "").parse().unwrap();
    let rows = table.lines().skip(2).map(|line| {
        let words: Vec<&str> = line.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
        assert_eq!(words.len(), 5, "{line}");
        [number(words[1]), number(words[2])]
    });
    rows.collect()
}

/// Each line without its last column, which is of times.
fn without_times(out: &str) -> String {
    out.lines()
        .map(|line| line.rsplit_once("  ").map_or(line, |(start, _)| start.trim_end()).to_owned() + "\n")
        .collect()
}

#[test]
fn more_sub_steps_miss_less_and_the_continuous_test_misses_nothing() {
    for response in ["pass", "stop", "slide", "bounce"] {
        let (code, out, error) = run(&format!("--shapes 240 --steps 20 --seed 7 --response {response}"));
        assert_eq!((code, error.as_str()), (0, ""));
        let tables: Vec<&str> = out.split("\n\n").collect();
        assert_eq!(tables.len(), 2, "{out}");
        for (table, place) in tables.iter().zip(["plane", "space"]) {
            let caption = format!("{place}: 240 shapes, 60 shots that move 20 m a step; 20 steps, ");
            assert!(
                table.starts_with(&caption) && table.contains(&format!("response {response}, seed 7\n")),
                "{table}"
            );
            let names: Vec<&str> = table.lines().skip(2).map(|line| line.split("  ").next().unwrap()).collect();
            let expected = ["continuous", "1 sub-step", "2 sub-steps", "4 sub-steps", "8 sub-steps", "16 sub-steps"];
            assert_eq!(names, expected);
            let [[all, none], rest @ ..] = &counts(table)[..] else { panic!("{table}") };
            assert!(*all > 100 && *none == 0, "{table}");
            assert!(rest.iter().all(|[hits, tunnelled]| hits + tunnelled == *all), "{table}");
            assert!(rest.is_sorted_by(|a, b| a[1] > b[1]), "{table}");
        }
    }
}

#[test]
fn all_but_the_times_is_the_same_each_time_and_depends_on_the_options() {
    let out = |args: &str| without_times(&run(&format!("--shapes 100 --steps 10 {args}")).1);
    let first = out("--seed 3");
    assert_eq!(first, out("--seed 3"));
    for other in ["--seed 4", "--seed 3 --speed 40", "--seed 3 --dimensions 2", "--seed 3 --response pass"] {
        assert_ne!(first, out(other), "{other}");
    }
}

#[test]
fn programs_read_json() {
    let (code, out, _) = run("--shapes 100 --steps 5 --dimensions 3 --json");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    let figures = &found[0];
    assert_eq!((code, figures["dimensions"].as_u64(), figures["shots"].as_u64()), (0, Some(3), Some(25)));
    assert_eq!(figures["rows"].as_array().unwrap().len(), 6);
    assert_eq!(figures["rows"][5]["substeps"], 16);
}

#[test]
fn bad_options_are_explained() {
    for (args, message) in [
        ("--shapes 1", "'1' for '--shapes <N>': expected a whole number from 2 to 1000000"),
        ("--shapes -5", "'-5' for '--shapes <N>': expected a whole number from 2 to 1000000"),
        ("--steps 0", "'0' for '--steps <N>': expected a whole number from 1 to 100000"),
        ("--speed 0", "'0' for '--speed <M>': expected a number from 0.1 to 1000"),
        ("--speed nan", "'nan' for '--speed <M>': expected a number from 0.1 to 1000"),
        (
            "--dimensions 4",
            "'4' for '--dimensions <D,...>': expected numbers from 2 to 3 separated by commas, found \"4\"",
        ),
        ("--dimensions 2,2", "'2,2' for '--dimensions <D,...>': 2 is named twice"),
        (
            "--response bonce",
            "'bonce' for '--response <NAME>': unknown response \"bonce\"; known are pass, stop, slide, bounce",
        ),
        ("--seed -1", "'-1' for '--seed <S>': expected a whole number from 0"),
    ] {
        let (code, out, error) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}: {error}");
        assert_eq!(error.lines().next().unwrap(), format!("error: invalid value {message}"), "{args}");
    }
}
