//! `throng batch` as a user meets it.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::{run, throng};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const BATTLE: &str = r#"map = "field.map"
max_ticks = 300
[[unit]]
name = "spear"
speed = 3
health = 20
[[army]]
name = "red"
[[army.squad]]
unit = "spear"
count = 4
position = [4, 8]
order = "attack"
[[army]]
name = "blue"
[[army.squad]]
unit = "spear"
count = 4
position = [10, 8]
order = "attack"
"#;

/// Two points of three seeds.
const GRID: &str = "batch battle.toml --seeds 1..3 --vary army.red.spear.count=3,6";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let map = format!("type octile\nheight 16\nwidth 16\nmap\n{}", (".".repeat(16) + "\n").repeat(16));
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    std::fs::write(folder.path().join("battle.toml"), BATTLE).unwrap();
    folder
}

fn well(folder: &Path, args: &str) -> String {
    let (code, out, error) = run(folder, args);
    assert_eq!((code, error.as_str()), (0, ""), "{args}");
    out
}

fn error(folder: &Path, args: &str) -> String {
    let (code, out, error) = run(folder, args);
    assert_eq!((code, out.as_str()), (1, ""), "{args}: {error}");
    error
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_row_a_run_whatever_the_jobs() {
    let folder = folder();
    let at = folder.path();
    let out = well(at, &format!("{GRID} --jobs 1 --csv one.csv"));
    well(at, &format!("{GRID} --jobs 2 --csv two.csv --quiet"));
    well(at, &format!("{GRID} --jobs 5 --csv five.csv --quiet"));
    let table = text(at, "one.csv");
    assert_eq!((&text(at, "two.csv"), &text(at, "five.csv")), (&table, &table));
    assert_eq!(std::fs::read_dir(at).unwrap().count(), 5, "nothing else is left behind");

    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("# throng batch; version "), "{}", lines[0]);
    assert!(lines[0].ends_with("; ticks 300; vary army.red.spear.count=3,6"), "{}", lines[0]);
    assert_eq!(
        lines[1],
        "army.red.spear.count,seed,winner,ticks,seconds,red_spawned,red_alive,red_routed,red_dead,red_left,blue_spawned,blue_alive,\
         blue_routed,blue_dead,blue_left"
    );
    let rows: Vec<Vec<&str>> = lines[2..].iter().map(|line| line.split(',').collect()).collect();
    let keys: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    assert_eq!(keys, [("3", "1"), ("3", "2"), ("3", "3"), ("6", "1"), ("6", "2"), ("6", "3")]);
    for row in &rows {
        let number = |place: usize| row[place].parse::<u32>().unwrap();
        assert_eq!((row[5], row[10]), (row[0], "4"), "who was varied and who was not");
        // Living, routed, dead and those that left are all.
        let sum = |first: usize| (first..first + 4).map(number).sum::<u32>();
        assert_eq!((sum(6), sum(11)), (number(5), 4));
        assert!(number(3) <= 300 && (row[4].parse::<f64>().unwrap() - f64::from(number(3)) * 0.05).abs() < 1e-9);
        match row[2] {
            "red" => assert!(number(6) > 0 && number(11) == 0),
            "blue" => assert!(number(11) > 0 && number(6) == 0),
            other => assert_eq!(other, "draw"),
        }
    }
    // The same as a run of its own.
    std::fs::write(at.join("three.toml"), BATTLE.replacen("count = 4", "count = 3", 1)).unwrap();
    well(at, "run three.toml --seed 2 --no-pictures --quiet");
    let alone: serde_json::Value = serde_json::from_str(&text(at, "out/three.json")).unwrap();
    assert_eq!(rows[1][3], alone["ticks"].to_string());
    assert_eq!(rows[1][2], alone["winner"].as_str().unwrap());
    assert_eq!(rows[1][6], alone["alive"]["red"].to_string());

    let out: Vec<_> = out.lines().collect();
    assert_eq!(out[0], "battle: 6 runs on 2 points, a draw after 300 ticks");
    assert!(
        out[1].starts_with("army.red.spear.count  runs  red wins  blue wins  draws  red %  95 % interval  score %")
    );
    assert_eq!((out.len(), out[4]), (5, "wrote one.csv"));
}

#[test]
fn a_batch_goes_on_where_it_stopped() {
    let folder = folder();
    let at = folder.path();
    well(at, &format!("{GRID} --csv whole.csv --quiet"));
    let whole = text(at, "whole.csv");
    let third = whole.match_indices('\n').nth(3).unwrap().0;
    let second_line = whole.find('\n').unwrap() + 4;
    for cut in [0, 7, second_line, third - 1, third, third + 1, third + 9, whole.len() - 1, whole.len()] {
        std::fs::write(at.join("cut.csv"), &whole[..cut]).unwrap();
        let (code, _, beside) = run(at, &format!("{GRID} --csv cut.csv --jobs 2"));
        assert_eq!(code, 0, "{beside}");
        assert_eq!(text(at, "cut.csv"), whole, "cut at {cut}");
        if cut == third + 9 {
            assert_eq!(beside, "2 rows are there, 4 runs to do\n");
        }
    }
    // More seeds are more runs of the same batch; rows that are there stay as they are, even where they are made up.
    let made_up = whole.replace("\n3,1,", "\n3,1,draw,1,0.05,3,3,0,0,0,4,4,0,0,0\n3,99,");
    std::fs::write(at.join("more.csv"), &made_up).unwrap();
    let out = run(at, &format!("{GRID} --csv more.csv --json").replace("1..3", "1..4")).1;
    assert!(text(at, "more.csv").starts_with(&made_up));
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&out["runs"], &out["points"][0]["runs"]), (&9.into(), &5.into()));
    let wins: u64 =
        out["points"][0]["armies"].as_array().unwrap().iter().map(|army| army["wins"].as_u64().unwrap()).sum();
    assert_eq!(wins + out["points"][0]["draws"].as_u64().unwrap(), 5);
    assert_eq!(out["points"][1]["values"]["army.red.spear.count"], 6.0);
}

#[test]
fn parts_put_together_are_the_whole() {
    let folder = folder();
    let at = folder.path();
    well(at, &format!("{GRID} --csv whole.csv --quiet"));
    let mut joined = String::new();
    for part in 1..=3 {
        well(at, &format!("{GRID} --shard {part}/3 --csv part.csv --quiet"));
        let text = text(at, "part.csv");
        let skip = if part == 1 { 0 } else { text.match_indices('\n').nth(1).unwrap().0 + 1 };
        assert_eq!(text.lines().count(), 4);
        joined += &text[skip..];
        std::fs::remove_file(at.join("part.csv")).unwrap();
    }
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[2..].sort_unstable();
        lines
    };
    assert_eq!(sorted(&joined), sorted(&text(at, "whole.csv")));
    // There is nothing left to do, and the table is that of the whole.
    std::fs::write(at.join("joined.csv"), &joined).unwrap();
    let report = |name: &str| run(at, &format!("{GRID} --csv {name}")).1.replace(name, "");
    assert_eq!(report("joined.csv"), report("whole.csv"));
    assert_eq!(text(at, "joined.csv"), joined);
}

#[test]
fn other_files_are_refused() {
    let folder = folder();
    let at = folder.path();
    well(at, &format!("{GRID} --csv a.csv --quiet"));
    let before = text(at, "a.csv");
    let other = |what: &str, found: &str, expected: &str| {
        format!(
            "error: a.csv: holds another batch: its {what} is {found}, expected {expected}; name another file, or run that \
             batch\n"
        )
    };
    let grid = format!("{GRID} --csv a.csv");
    assert_eq!(error(at, &format!("{grid} --ticks 200")), other("ticks", "300", "200"));
    assert_eq!(
        error(at, &grid.replace("3,6", "3,6,9")),
        other("vary", "army.red.spear.count=3,6", "army.red.spear.count=3..9:3")
    );
    assert_eq!(
        error(at, "batch battle.toml --seeds 1 --csv a.csv"),
        other("vary", "army.red.spear.count=3,6", "nothing")
    );
    std::fs::write(at.join("battle.toml"), BATTLE.replace("health = 20", "health = 21")).unwrap();
    assert!(error(at, &grid).starts_with("error: a.csv: holds another batch: its scenario is "));
    std::fs::write(at.join("battle.toml"), BATTLE).unwrap();
    let map = text(at, "field.map");
    std::fs::write(at.join("field.map"), map.replacen("....", "@...", 1)).unwrap();
    assert!(error(at, &grid).starts_with("error: a.csv: holds another batch: its map is "));
    std::fs::write(at.join("field.map"), map).unwrap();

    let damaged = before.replacen("\n3,2,", "\n3,x,", 1);
    std::fs::write(at.join("bad.csv"), &damaged).unwrap();
    assert_eq!(
        error(at, &format!("{GRID} --csv bad.csv")),
        "error: bad.csv:4: is no row of this batch: seed is \"x\"; mend or remove the line\n"
    );
    std::fs::write(at.join("mine.csv"), "a,b\n1,2\n").unwrap();
    let foreign = |name: &str| format!("error: {name}: is there, and is no table of a batch; name another file\n");
    assert_eq!(error(at, &format!("{GRID} --csv mine.csv")), foreign("mine.csv"));
    assert!(error(at, &format!("{GRID} --csv battle.toml")).contains("would be overwritten"));
    // Nothing of them was touched.
    assert_eq!((text(at, "a.csv"), text(at, "bad.csv"), text(at, "mine.csv")), (before, damaged, "a,b\n1,2\n".into()));
}

#[test]
fn what_cannot_be_is_said_before_the_first_run() {
    let folder = folder();
    let at = folder.path();
    let wrong = |args: &str| {
        let (code, out, error) = run(at, &format!("batch battle.toml --csv a.csv {args}"));
        assert!(!at.join("a.csv").exists() && out.is_empty(), "{args}");
        (code, error.lines().next().unwrap().to_owned())
    };
    for (args, expected) in [
        ("--vary unit.spaer.health=1,2", "error: unit.spaer.health: unknown unit \"spaer\"; did you mean \"spear\"?"),
        ("--seeds 1..3 --runs 2", "error: 3 seeds are named for 2 runs; leave out one of the two"),
        (
            "--vary unit.spear.health=20,0",
            "error: at unit.spear.health=0: battle.toml:6:10: health of unit \"spear\" must be between 0.001 and 1000000000 \
             (points), found 0",
        ),
        (
            "--vary army.blue.spear.count=4,1000",
            "error: at army.blue.spear.count=1000: battle.toml:19:12: only 218 of 1000 soldiers find room in this part of the \
             map; lower the count or the spacing, or move the squad",
        ),
    ] {
        assert_eq!(wrong(args), (1, expected.to_owned()), "{args}");
    }
    for (args, expected) in [
        (
            "--vary health",
            "error: invalid value 'health' for '--vary <KEY=VALUES>': \"health\" names no values; expected KEY=LOW..HIGH:STEP \
             or KEY=A,B,C, as in army.red.soldier.count=100..500:100",
        ),
        (
            "--seeds 3..1",
            "error: invalid value '3..1' for '--seeds <SEEDS>': expected seeds as in 1.., 1..100 or 3,5,9, each once, found \
             \"3..1\"",
        ),
        (
            "--shard 3/2",
            "error: invalid value '3/2' for '--shard <I/N>': expected a part and how many there are, as in 2/4, found \"3/2\"",
        ),
    ] {
        assert_eq!(wrong(args), (2, expected.to_owned()), "{args}");
    }
}

#[test]
#[cfg(unix)]
fn a_kill_loses_no_row() {
    let folder = folder();
    let at = folder.path();
    let args = "batch battle.toml --runs 400 --jobs 2 --csv a.csv --quiet";
    let mut child = throng(at).args(args.split(' ')).stdout(Stdio::null()).spawn().unwrap();
    let rows = || std::fs::read_to_string(at.join("a.csv")).map_or(0, |text| text.lines().count());
    while rows() < 10 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = text(at, "a.csv");
    let (kept, _) = killed.rsplit_once('\n').unwrap();
    assert!(kept.lines().count() >= 9);
    let runs = kept.lines().count().max(40);
    let args = format!("batch battle.toml --runs {runs} --csv");
    well(at, &format!("{args} whole.csv --quiet"));
    well(at, &format!("{args} a.csv --quiet"));
    let (whole, resumed) = (text(at, "whole.csv"), text(at, "a.csv"));
    // Rows of more seeds than are wanted now are there as well, if there was time for them.
    assert!(resumed.starts_with(kept));
    assert!(resumed.starts_with(&whole) || whole.lines().all(|line| resumed.lines().any(|other| other == line)));
    assert!(!at.join("a.csv.ahead").exists());
}
