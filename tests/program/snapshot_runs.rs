//! Runs that are cut off, and go on from a snapshot.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::{run, throng};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use throng::world::{Resume, World};

fn battle(count: usize) -> String {
    format!(
        r#"
        map = "field.map"
        step = 0.1
        max_ticks = 450
        [[unit]]
        name = "soldier"
        health = 60
        [[army]]
        name = "red"
        [[army.squad]]
        count = {count}
        position = [10, 14]
        order = "attack"
        planner = "ara"
        [[army.squad]]
        count = {count}
        position = [10, 44]
        order = "attack"
        planner = "flow-field"
        [[army]]
        name = "blue"
        [[army.squad]]
        count = {count}
        position = [54, 14]
        order = "attack"
        planner = "hpa:8,1"
        [[army.squad]]
        count = {count}
        position = [54, 44]
        order = {{ go_to = [10, 30] }}
        planner = "lazy-theta"
        "#
    )
}

/// A folder with a map, battles and crowds.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let row = |y: u32| if y % 20 < 6 { ".".repeat(64) } else { format!("{0}@{0}.", ".".repeat(31)) };
    let rows: Vec<String> = (0..56).map(row).collect();
    write("field.map", &format!("type octile\nheight 56\nwidth 64\nmap\n{}\n", rows.join("\n")));
    write("plain.map", &format!("type octile\nheight 56\nwidth 64\nmap\n{}\n", vec![".".repeat(64); 56].join("\n")));
    write("battle.toml", &battle(40));
    write("large.toml", &battle(160));
    write("elsewhere.toml", &battle(40).replace("field.map", "plain.map"));
    write("others.toml", &battle(40).replace("count = 40", "count = 30"));
    write("crowd.csv", "x,y,goal_x,goal_y\n-9,0.25,9,0\n9,0,-9,0\n0,7,0,-7\n");
    folder
}

fn well(folder: &Path, args: &str) -> String {
    let (code, out, error) = run(folder, args);
    assert_eq!((code, error.as_str()), (0, ""), "{args}");
    out
}

/// The result of a run: all of its figures but the times.
fn figures(folder: &Path, name: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for times in ["tick_ms", "stage_ms", "threads"] {
        json.as_object_mut().unwrap().remove(times).unwrap();
    }
    json
}

/// Killed so that it can do nothing about it, again and again.
#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run large.toml --threads 1 --no-pictures --out whole");
    let snapshot = folder.join("out/large.snapshot");
    let mut random = Pcg32::seed_from_u64(9);
    let written = || std::fs::metadata(&snapshot).and_then(|file| file.modified()).ok();
    let mut ticks = Vec::new();
    for attempt in 0..4 {
        let resume = if snapshot.exists() { "--resume out/large.snapshot" } else { "" };
        let args = format!("run large.toml --no-pictures --snapshot-every 1 --threads {} {resume}", 1 + attempt % 2);
        let mut child = throng(folder).args(args.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
        // After some snapshots more, and at any moment of the next one.
        let (mut last, mut wanted) = (written(), random.random_range(2..12));
        while wanted > 0 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
            std::thread::sleep(Duration::from_micros(200));
            let now = written();
            wanted -= i32::from(now != last);
            last = now;
        }
        std::thread::sleep(Duration::from_micros(random.random_range(0..3000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let world = World::restore(&snapshot, Resume { threads: 1, ..Resume::default() }).unwrap();
        ticks.push(world.ticks());
    }
    assert!(ticks.is_sorted() && ticks[3] >= 8, "{ticks:?}");
    well(folder, "run large.toml --no-pictures --threads 2 --index bvh --resume out/large.snapshot");
    assert_eq!(figures(folder, "out/large.json"), figures(folder, "whole/large.json"));
    // Killed runs may leave a file without a name behind, and nothing else.
    let left = std::fs::read_dir(folder.join("out")).unwrap().map(|file| file.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| !name.to_string_lossy().starts_with(".throng-")).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_run_in_parts_ends_as_one_in_one_piece() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run battle.toml --ticks 130 --seed 3 --out whole");
    let out = well(folder, "run battle.toml --ticks 50 --seed 3 --no-pictures --snapshot-every 20");
    assert!(out.ends_with("wrote out/battle.snapshot, out/battle.json\n"), "{out}");
    // At the end of the first part, not at the last twentieth tick.
    let out = well(folder, "run battle.toml --ticks 90 --resume out/battle.snapshot --snapshot kept --out second");
    assert!(out.contains("battle: 160 agents, seed 3, "), "{out}");
    assert!(out.contains("undecided after 90 ticks") && out.contains("second/battle.gif"), "{out}");
    well(folder, "run battle.toml --ticks 130 --resume kept --no-pictures");
    assert_eq!(figures(folder, "out/battle.json"), figures(folder, "whole/battle.json"));
}

#[test]
fn a_crowd_goes_on_and_its_record_begins_there() {
    let folder = folder();
    let folder = folder.path();
    let crowd = "run --agents crowd.csv --no-pictures";
    well(
        folder,
        &format!("{crowd} --tick 0.2 --ticks 40 --trajectories-every 4 --trajectories whole.sqlite --out whole"),
    );
    well(folder, &format!("{crowd} --tick 0.2 --ticks 18 --snapshot crowd.snapshot"));
    well(
        folder,
        &format!("{crowd} --ticks 40 --trajectories-every 4 --trajectories rest.sqlite --resume crowd.snapshot"),
    );
    assert_eq!(figures(folder, "out/crowd.json"), figures(folder, "whole/crowd.json"));
    let rows = |file: &str, from: i64| {
        let connection = rusqlite::Connection::open(folder.join(file)).unwrap();
        let fps: String =
            connection.query_one("SELECT value FROM metadata WHERE key = 'fps'", [], |row| row.get(0)).unwrap();
        let mut rows =
            connection.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data WHERE frame >= ?").unwrap();
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let rows: Vec<(i64, i64, f64, f64)> = rows.query_map([from], row).unwrap().map(Result::unwrap).collect();
        (fps, rows)
    };
    let rest = rows("rest.sqlite", 0);
    assert_eq!(rest.1.len(), 3 * 6, "frames 5 to 10");
    assert_eq!(rest, rows("whole.sqlite", 5));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run battle.toml --ticks 3 --no-pictures --snapshot a.snapshot");
    let refused = |args: &str| {
        let (code, out, error) = run(folder, args);
        assert_eq!((code, out.as_str()), (1, ""), "{args}: {error}");
        error
    };
    let error = refused("run elsewhere.toml --resume a.snapshot");
    assert!(error.starts_with("error: a.snapshot: was made with another map: 64 x 56 cells"), "{error}");
    assert_eq!(
        refused("run others.toml --resume a.snapshot"),
        "error: a.snapshot is a snapshot of another battle than others.toml: it has red 80, blue 80, expected red 60, blue \
         60; go on with the scenario or crowd it was made with\n"
    );
    let error = refused("run battle.toml --resume field.map");
    assert!(error.starts_with("error: field.map: this is a map (a Moving AI map), expected a snapshot, "), "{error}");
    let error = refused("run battle.toml --resume none.snapshot");
    assert_eq!(error, "error: none.snapshot: no such file; check the path\n");
    assert_eq!(
        refused("run battle.toml --snapshot field.map"),
        "error: field.map is what is read here and would be overwritten; choose another with --snapshot\n"
    );
    assert_eq!(
        refused("run battle.toml --snapshot out/battle.json"),
        "error: out/battle.json is named by --out and by --snapshot; choose two files\n"
    );
    for option in ["--seed 3", "--avoidance push"] {
        let (code, _, error) = run(folder, &format!("run battle.toml --resume a.snapshot {option}"));
        assert!(code == 2 && error.contains("cannot be used with"), "{error}");
    }
    let (code, _, error) = run(folder, "run --agents crowd.csv --resume a.snapshot --radius 0.3");
    assert!(code == 2 && error.contains("cannot be used with"), "{error}");
    let (code, _, error) = run(folder, "run battle.toml --snapshot-every 0");
    assert!(code == 2 && error.contains("expected a whole number from 1"), "{error}");
}

/// All records that can go on, with trajectories of each kind.
const RECORDS: [&str; 3] = ["t.sqlite", "t.txt", "t.csv"];

fn records(trajectories: &str, folder: &str) -> String {
    format!(
        "--record {folder}/r.throng --statistics {folder}/s.csv --measure 32,28,30,30 --squads {folder}/q.csv --every 3 \
         --trajectories {folder}/{trajectories} --trajectories-every 2"
    )
}

/// The promise of `--resume`: with the same options, the files of a run in parts are those of a run in one piece, wherever it
/// was cut.
#[test]
fn a_run_in_parts_leaves_the_files_of_one() {
    let folder = folder();
    let folder = folder.path();
    let mut random = Pcg32::seed_from_u64(4);
    for trajectories in RECORDS {
        let [whole, parts] = ["whole", "parts"].map(|of| format!("{of}-{trajectories}"));
        for of in [&whole, &parts] {
            std::fs::create_dir(folder.join(of)).unwrap();
        }
        let run_to = |ticks: u64, into: &str, more: &str| {
            let records = records(trajectories, into);
            well(folder, &format!("run battle.toml --no-pictures --out {into} --ticks {ticks} {records} {more}"))
        };
        run_to(160, &whole, "");
        let mut ticks = random.random_range(1..20);
        run_to(ticks, &parts, "--snapshot s.snapshot");
        while ticks < 160 {
            ticks = (ticks + random.random_range(1..40)).min(160);
            run_to(ticks, &parts, "--resume s.snapshot --snapshot s.snapshot");
        }
        for file in ["r.throng", "s.csv", "q.csv", trajectories] {
            let [whole, parts] = [&whole, &parts].map(|of| std::fs::read(folder.join(of).join(file)).unwrap());
            assert!(whole == parts, "{trajectories}: {file} has {} bytes, expected {}", parts.len(), whole.len());
        }
        assert_eq!(figures(folder, &format!("{parts}/battle.json")), figures(folder, &format!("{whole}/battle.json")));
    }
}

/// A recording is written beside its name and keeps its frames when the program is killed.
#[test]
fn the_recording_of_a_killed_run_goes_on() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run large.toml --no-pictures --record whole.throng --every 3 --out whole");
    std::fs::write(folder.join("r.throng"), "the one of before").unwrap();
    let snapshot = folder.join("out/large.snapshot");
    let mut random = Pcg32::seed_from_u64(2);
    for _ in 0..3 {
        let resume = if snapshot.exists() { "--resume out/large.snapshot" } else { "" };
        let args = format!("run large.toml --no-pictures --snapshot-every 5 --record r.throng --every 3 {resume}");
        let mut child = throng(folder).args(args.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
        let before = std::fs::metadata(&snapshot).and_then(|file| file.modified()).ok();
        while std::fs::metadata(&snapshot).and_then(|file| file.modified()).ok() == before {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(random.random_range(0..60)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(std::fs::read(folder.join("r.throng")).unwrap(), b"the one of before");
        let (code, _, error) = run(folder, "replay r.throng.part --to csv --out kept.csv");
        assert!(code == 0 && error.starts_with("warning: r.throng.part: it was "), "{error}");
    }
    well(folder, "run large.toml --no-pictures --record r.throng --every 3 --resume out/large.snapshot");
    assert!(std::fs::read(folder.join("r.throng")).unwrap() == std::fs::read(folder.join("whole.throng")).unwrap());
    assert!(!folder.join("r.throng.part").exists());
}

#[test]
fn files_that_cannot_be_gone_on_with_stay_as_they_are() {
    let folder = folder();
    let folder = folder.path();
    let refused = |args: &str| {
        let (code, out, error) = run(folder, args);
        assert_eq!((code, out.as_str()), (1, ""), "{args}: {error}");
        error
    };
    let all = records("t.sqlite", ".");
    well(folder, &format!("run battle.toml --no-pictures --ticks 30 {all} --snapshot early.snapshot"));
    well(
        folder,
        &format!("run battle.toml --no-pictures --ticks 60 {all} --resume early.snapshot --snapshot late.snapshot"),
    );
    let files = ["r.throng", "s.csv", "q.csv", "t.sqlite"];
    let contents = || files.map(|file| std::fs::read(folder.join(file)).unwrap());
    // Back to an earlier snapshot: the same run, cut.
    let sixty = contents();
    well(folder, &format!("run battle.toml --no-pictures --ticks 60 {all} --resume early.snapshot"));
    assert!(contents() == sixty);
    well(folder, &format!("run battle.toml --no-pictures --ticks 30 {all} --resume early.snapshot"));
    let thirty = contents();
    let end = "; choose another name for what follows, or remove the file\n";
    for (option, expected) in [
        ("--record ./r.throng --every 3", "./r.throng: cannot go on with it: it ends at tick 30, expected 60"),
        (
            "--statistics s.csv --measure 32,28,30,30 --every 3",
            "s.csv: cannot go on with it: it has 11 rows up to tick 60, expected 21",
        ),
        (
            "--statistics s.csv --measure 32,28,30,31 --every 3",
            "s.csv: cannot go on with it: it measures other areas, or has times and is to have none",
        ),
        ("--squads q.csv --every 3", "q.csv: cannot go on with it: it has 44 rows up to tick 60, expected 84"),
        (
            "--trajectories t.sqlite --trajectories-every 2",
            "t.sqlite: cannot go on with it: it has 16 frames up to tick 60, expected 31",
        ),
        ("--trajectories t.sqlite", "t.sqlite: cannot go on with it: it has 5.0 frames a second, expected 10.0"),
        (
            "--record r.throng",
            "./r.throng: cannot go on with it: it is of \"battle\", seed 1, a tick of 0.1 s, one tick in 3; expected \
             \"battle\", 1, 0.1, 1",
        ),
    ] {
        let error = refused(&format!("run battle.toml --no-pictures --resume late.snapshot {option}"));
        assert_eq!(
            error.replace("error: r.throng", "error: ./r.throng"),
            format!("error: {expected}{end}"),
            "{option}"
        );
    }
    assert!(contents() == thirty);
    well(folder, "run battle.toml --no-pictures --ticks 2 --snapshot bare.snapshot");
    let error = refused("run battle.toml --no-pictures --resume bare.snapshot --squads q.csv");
    let why = "q.csv: cannot go on with it: the run that made the snapshot did not write it, or with other options";
    assert_eq!(error, format!("error: {why}{end}"));
    // Where there is none, it begins.
    let (code, _, error) =
        run(folder, "run battle.toml --no-pictures --ticks 70 --resume late.snapshot --squads new.csv");
    let note = "the file of --squads begins at tick 60: the run before has left none to go on with\n";
    assert_eq!((code, error.as_str()), (0, note));
    assert!(std::fs::read_to_string(folder.join("new.csv")).unwrap().lines().nth(1).unwrap().starts_with("60,6,"));
    assert!(contents() == thirty);
}

#[test]
#[cfg(unix)]
fn a_second_run_does_not_record_into_the_same_file() {
    let folder = folder();
    let folder = folder.path();
    let args = "run large.toml --no-pictures --record r.throng";
    let mut first = throng(folder).args(args.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
    while !folder.join("r.throng.part").exists() {
        assert!(first.try_wait().unwrap().is_none(), "it ended before it recorded");
        std::thread::sleep(Duration::from_millis(1));
    }
    let (code, _, error) = run(folder, "run battle.toml --no-pictures --ticks 3 --record r.throng");
    let busy = "error: r.throng: another run records into it; wait until that ends, or choose another name\n";
    assert_eq!((code, error.as_str()), (1, busy));
    assert!(first.wait().unwrap().success());
    let (code, out, _) = run(folder, "replay r.throng --info");
    assert!(code == 0 && out.contains("large"), "{out}");
}

/// Nothing that is told between two ticks depends on things that only a tick makes.
#[test]
fn what_is_told_of_agents_is_the_same_after_a_resume() {
    let folder = folder();
    let folder = folder.path();
    let why: Vec<String> = (0..160).map(|agent| agent.to_string()).collect();
    let mut some_stand = false;
    for ticks in [1, 100, 220, 300] {
        let told = |more: &str| {
            let out =
                well(folder, &format!("run battle.toml --no-pictures --ticks {ticks} --why {} {more}", why.join(",")));
            let lines = out.lines().filter(|line| line.starts_with("agent ") || line.starts_with("standing: "));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let before = told("--snapshot s.snapshot");
        some_stand |= before.iter().any(|line| line.starts_with("standing: "));
        assert_eq!(told("--resume s.snapshot"), before, "after tick {ticks}");
    }
    assert!(some_stand);
}

/// A table has the names of its columns though no row was due.
#[test]
fn tables_without_rows_have_their_columns() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run battle.toml --no-pictures --ticks 7 --snapshot s.snapshot");
    let tables = "--statistics s.csv --measure 32,28,9,9 --squads q.csv --trajectories t.csv --trajectories-every 500 --every 500";
    well(folder, &format!("run battle.toml --no-pictures --ticks 9 --resume s.snapshot {tables}"));
    for (file, begin) in
        [("s.csv", "tick,time_s,agents,"), ("q.csv", "tick,time_s,squad,"), ("t.csv", "tick,time_s,id,")]
    {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.starts_with(begin) && text.lines().count() == 1, "{file}: {text}");
    }
    assert!(std::fs::read_to_string(folder.join("s.csv")).unwrap().contains("area1_agents"));
}

#[test]
fn the_folders_of_outputs_are_made() {
    let folder = folder();
    let folder = folder.path();
    well(folder, "run battle.toml --no-pictures --ticks 2 --statistics new/s.csv --record new/er/r.throng --out new");
    for file in ["new/s.csv", "new/er/r.throng", "new/battle.json"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
}
