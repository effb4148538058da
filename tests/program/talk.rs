//! Output of the program for people that want less, and for programs that read it.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const MAP: &str = "type octile\nheight 4\nwidth 8\nmap\n........\n....@@..\n....@@..\n........\n";
const DUEL: &str =
    "map = \"room.map\"\nmax_ticks = 20\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 2\nposition = [1.5, 1.5]\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("room.map"), MAP).unwrap();
    std::fs::write(folder.path().join("duel.toml"), DUEL).unwrap();
    folder
}

fn throng(folder: &Path, words: &str) -> Output {
    program::throng(folder).args(words.split(' ')).output().unwrap()
}

/// Standard output as one JSON value, and standard error as one a line.
fn parsed(output: &Output) -> (Value, Vec<Value>) {
    let beside = std::str::from_utf8(&output.stderr).unwrap();
    let beside = beside.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), beside)
}

#[test]
fn quiet_says_nothing_but_what_is_wrong() {
    let folder = folder();
    for words in [
        "--quiet run duel.toml --no-pictures --why 0",
        "run duel.toml -q",
        "plan room.map --from 0,0 --to 7,3 --quiet",
        "map info room.map -q",
        "map convert room.map other.png -q",
        "compare room.map --queries 2 --rounds 1 --planners astar --quiet",
        "indices --agents 20 --scenes uniform --indices grid --quiet",
    ] {
        let output = throng(folder.path(), words);
        assert!(output.status.success(), "{words}: {output:?}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{words}: {output:?}");
    }
    // The files are written all the same.
    assert!(folder.path().join("out/duel.json").is_file() && folder.path().join("other.png").is_file());
    let output = throng(folder.path(), "plan none.map --from 0,0 --to 7,3 --quiet");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: none.map: no such file; check the path\n");
}

#[test]
fn a_run_for_programs() {
    let folder = folder();
    let (report, beside) = parsed(&throng(folder.path(), "run duel.toml --json --no-pictures --why 1,9"));
    assert_eq!(beside, Vec::<Value>::new());
    assert_eq!(report["ticks"], 20);
    assert_eq!(report["alive"]["red"], 2);
    assert_eq!(report["why"][1], "there is no agent 9");
    assert!(report["why"][0].as_str().unwrap().starts_with("agent 1 "));
    assert_eq!(report["written"].as_array().unwrap().len(), 1);
    // The same figures as in the file.
    let file: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join(report["written"][0].as_str().unwrap())).unwrap())
            .unwrap();
    assert!(file.as_object().unwrap().iter().all(|(key, value)| report[key] == *value));
}

#[test]
fn a_route_for_programs() {
    let folder = folder();
    let (route, beside) = parsed(&throng(folder.path(), "plan room.map --from 3,1 --to 6,1 --json"));
    assert_eq!(beside, Vec::<Value>::new());
    let cells = route["cells"].as_array().unwrap();
    assert_eq!((&cells[0], cells.last().unwrap()), (&serde_json::json!([3, 1]), &serde_json::json!([6, 1])));
    // Round the wall: three steps, two of them diagonal.
    assert_eq!(route["cost"], 5 * 2378);
    assert_eq!((&route["bound"], &route["picture"]), (&serde_json::json!(1.0), &Value::Null));
}

#[test]
fn maps_for_programs() {
    let folder = folder();
    let (info, _) = parsed(&throng(folder.path(), "map info room.map --json"));
    assert_eq!((&info["width"], &info["open"], &info["regions"]), (&8.into(), &28.into(), &1.into()));
    let output = throng(folder.path(), "map check room.map none.map --json");
    assert_eq!(output.status.code(), Some(1));
    let (checked, beside) = parsed(&output);
    let message = "none.map: no such file; check the path";
    assert_eq!(beside, [serde_json::json!({ "error": message })]);
    assert_eq!(checked[0], serde_json::json!({ "map": "room.map", "ok": true }));
    assert_eq!(checked[1], serde_json::json!({ "map": "none.map", "ok": false, "error": message }));
}

#[test]
fn comparisons_for_programs() {
    let folder = folder();
    let words = "compare room.map --queries 3 --rounds 1 --planners astar,dijkstra --json";
    let (figures, beside) = parsed(&throng(folder.path(), words));
    assert_eq!(beside, Vec::<Value>::new());
    let names: Vec<_> = figures.as_array().unwrap().iter().map(|row| row["planner"].as_str().unwrap()).collect();
    assert_eq!(names, ["astar", "dijkstra"]);
    assert_eq!(figures[0]["cost_ratio"], 1.0);
    // With a name it is a file, and the table is printed.
    let output = throng(folder.path(), &format!("{words} figures.json"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("cost ratio"));
    assert!(folder.path().join("figures.json").is_file() && !folder.path().join("-").exists());
    let (figures, _) =
        parsed(&throng(folder.path(), "indices --agents 20 --scenes uniform --indices grid,bvh --frames 2 --json"));
    assert_eq!(figures[1]["index"], "bvh");
    assert_eq!(figures[0]["pairs"], figures[1]["pairs"]);
}

#[test]
fn errors_and_warnings_for_programs() {
    let folder = folder();
    let output = throng(folder.path(), "run none.toml --json");
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(1), true));
    let message = "none.toml: no such file; check the path";
    assert_eq!(parsed(&output).1, [serde_json::json!({ "error": message })]);
    std::fs::write(folder.path().join("wall.toml"), DUEL.replace("[1.5, 1.5]", "[4.5, 1.5]")).unwrap();
    let (report, beside) = parsed(&throng(folder.path(), "run wall.toml --json --no-pictures --ticks 1"));
    assert_eq!(report["ticks"], 1);
    assert!(beside[0]["warning"].as_str().unwrap().starts_with("wall.toml:7:12: the position (4.5, 1.5) is in a wall"));
}
