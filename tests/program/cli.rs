//! The command line as a user meets it.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use super::program::{run, throng};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const ROOM: &str =
    "type octile\nheight 5\nwidth 12\nmap\n......@.....\n......@.....\n......@.....\n@@@@@@@@@@..\n............\n";

const DUEL: &str = r#"
map = "room.map"
max_ticks = 400
[[army]]
name = "red"
squad = [{ count = 3, position = [1.5, 1.5] }]
[[army]]
name = "blue"
squad = [{ count = 1, position = [4.5, 1.5], order = "attack", planner = "dijkstra" }]
"#;

/// All commands.
const COMMANDS: [&str; 18] = [
    "",
    "view",
    "run",
    "batch",
    "replay",
    "plan",
    "compare",
    "indices",
    "volumes",
    "experiment",
    "experiment crowd",
    "experiment fundamental-diagram",
    "experiment lanchester",
    "map",
    "map info",
    "map new",
    "map convert",
    "map check",
];

/// A folder with a map, a battle and a crowd.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("room.map", ROOM);
    write("duel.toml", DUEL);
    write("endless.toml", &DUEL.replace("\"attack\"", "\"hold\"").replace("400", "100000000"));
    write("pair.csv", "x,y,goal_x,goal_y\n-5,0.25,5,0\n5,0,-5,0\n");
    folder
}

fn json(folder: &Path, name: &str) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// The error alone, and that it ends with 1.
fn error(args: &str) -> String {
    let folder = folder();
    let (code, out, error) = run(folder.path(), args);
    assert_eq!((code, out.as_str()), (1, ""), "{args}: {error}");
    error
}

#[test]
fn a_run_writes_pictures_and_figures() {
    let folder = folder();
    let (code, out, error) = run(folder.path(), "run duel.toml --threads 2 --seed 5");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("duel: 4 agents, seed 5, 2 threads\nred won after "), "{out}");
    assert!(out.ends_with("wrote out/duel.gif, out/duel.png, out/duel.json\n"), "{out}");
    assert!(std::fs::read(folder.path().join("out/duel.gif")).unwrap().starts_with(b"GIF89a"));
    assert!(std::fs::read(folder.path().join("out/duel.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(std::fs::read_dir(folder.path().join("out")).unwrap().count(), 3, "nothing else is left behind");
    let json = json(folder.path(), "out/duel.json");
    let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = [
        "scenario",
        "seed",
        "threads",
        "agents",
        "ticks",
        "winner",
        "alive",
        "routed",
        "dead",
        "left",
        "standing",
        "kills",
        "units",
        "squads",
        "missions",
        "tick_ms",
        "stage_ms",
        "position_hash",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!((&json["scenario"], &json["seed"], &json["threads"]), (&"duel".into(), &5.into(), &2.into()));
    assert_eq!((&json["agents"], &json["winner"]), (&4.into(), &"red".into()));
    assert_eq!(json["alive"]["blue"], 0);
    assert!(json["alive"]["red"].as_u64().unwrap() + json["kills"]["soldier"].as_u64().unwrap() == 4);
    let units: Vec<_> = json["units"].as_array().unwrap().iter().map(|unit| (&unit["army"], &unit["unit"])).collect();
    assert_eq!(units, [(&"red".into(), &"soldier".into()), (&"blue".into(), &"soldier".into())]);
    assert_eq!(json["units"][0]["alive"], json["alive"]["red"]);
    let points = |key: &str| [0, 1].map(|unit: usize| json["units"][unit][key].as_f64().unwrap());
    assert_eq!(points("dealt"), [points("taken")[1], points("taken")[0]]);
    assert_eq!(json["units"][1]["losses"], 1);
    let kills: u64 = [0, 1].iter().map(|&unit: &usize| json["units"][unit]["kills"].as_u64().unwrap()).sum();
    assert_eq!(kills, json["kills"]["soldier"].as_u64().unwrap());
    let times = json["tick_ms"].as_object().unwrap();
    assert_eq!(times.keys().collect::<Vec<_>>(), ["median", "p99", "worst"]);
    assert!(times.values().all(serde_json::Value::is_f64));
    assert_eq!(json["stage_ms"].as_object().unwrap().len(), throng::world::Stage::COUNT);
    let hash = json["position_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
}

#[test]
fn equal_runs_are_equal_whatever_the_threads() {
    let folder = folder();
    let hash = |args: &str| {
        let (code, _, error) = run(folder.path(), args);
        assert_eq!(code, 0, "{error}");
        json(folder.path(), "out/duel.json")["position_hash"].clone()
    };
    let one = hash("run duel.toml --ticks 60 --threads 1 --no-pictures");
    assert!(!folder.path().join("out/duel.gif").exists());
    assert_eq!(json(folder.path(), "out/duel.json")["winner"], serde_json::Value::Null);
    assert_eq!(one, hash("run duel.toml --ticks 60 --threads 3 --index brute-force --no-pictures"));
    assert_ne!(one, hash("run duel.toml --ticks 60 --threads 1 --avoidance none --no-pictures"));
}

#[test]
fn the_example_scenarios_run() {
    let folder = folder();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for (name, agents) in [("siege", 10_000), ("arena", 2_000), ("station", 129)] {
        let path = examples.join(name).with_extension("toml");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("[[army.squad]]").count(), text.matches("planner = ").count(), "each squad names one");
        let args = format!("run {} --ticks 20 --no-pictures", path.display());
        let (code, _, error) = run(folder.path(), &args);
        assert_eq!((code, error.as_str()), (0, ""), "{name}");
        assert_eq!(json(folder.path(), &format!("out/{name}.json"))["agents"], agents);
    }
}

#[test]
fn a_run_tells_why_agents_stand() {
    let folder = folder();
    let station = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/station.toml");
    let args = format!("run {} --ticks 900 --no-pictures --why 0,500", station.display());
    let (code, out, error) = run(folder.path(), &args);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("\nagent 0 ") && out.contains("\nthere is no agent 500\n"), "{out}");
    let figures = json(folder.path(), "out/station.json");
    let standing = figures["standing"].as_object().unwrap();
    assert!(standing.contains_key("in queue"), "{standing:?}");
    assert!(out.contains("\nstanding: "), "{out}");
    let gone = figures["left"]["people"].as_u64().unwrap();
    assert!(gone >= 10, "{gone} have left");
    assert_eq!(figures["alive"]["people"].as_u64().unwrap() + gone, 129);
    assert!(out.contains(&format!("{gone} left\n")), "{out}");
}

#[test]
fn a_crowd_walks_and_leaves_trajectories() {
    let folder = folder();
    let args = "run --agents pair.csv --tick 0.1 --ticks 100 --threads 1 --trajectories t.sqlite";
    let (code, out, error) = run(folder.path(), args);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("pair: 2 agents, seed 1, 1 thread\nran 100 ticks (10.0 s)\n"), "{out}");
    assert!(out.ends_with("wrote out/pair.gif, out/pair.png, t.sqlite, out/pair.json\n"), "{out}");
    let connection = rusqlite::Connection::open(folder.path().join("t.sqlite")).unwrap();
    let place = |frame: i64, id: i64| -> (f64, f64) {
        let sql = "SELECT pos_x, pos_y FROM trajectory_data WHERE frame = ? AND id = ?";
        connection.query_row(sql, [frame, id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    };
    assert_eq!(place(0, 0), (-5.0, 0.25));
    assert_eq!(place(0, 1), (5.0, 0.0));
    let near = |(x, y): (f64, f64), (goal_x, goal_y): (f64, f64)| f64::hypot(x - goal_x, y - goal_y) < 0.2;
    assert!(near(place(100, 0), (5.0, 0.0)) && near(place(100, 1), (-5.0, 0.0)), "arrived agents stay");
    let (code, _, _) = run(folder.path(), &args.replace("--threads 1", "--threads 3").replace("t.sqlite", "u.sqlite"));
    assert_eq!(code, 0);
    let bytes = |name| std::fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("t.sqlite") == bytes("u.sqlite"), "whatever the threads");
    let result = json(folder.path(), "out/pair.json");
    assert_eq!((&result["winner"], &result["units"][0]["unit"]), (&serde_json::Value::Null, &"pedestrian".into()));
}

#[test]
fn what_cannot_be_written_is_said_before_the_run() {
    let folder = folder();
    std::fs::write(folder.path().join("taken"), "").unwrap();
    std::fs::create_dir_all(folder.path().join("full/endless.gif")).unwrap();
    // Were it said after the run, this would never end.
    for (out, why) in [
        ("taken", "File exists (os error 17)"),
        ("taken/deeper", "Not a directory (os error 20)"),
        ("/proc/nowhere", "No such file or directory (os error 2)"),
        ("full", "endless.gif is a folder"),
    ] {
        let (code, stdout, error) = run(folder.path(), &format!("run endless.toml --out {out}"));
        assert_eq!((code, stdout.as_str()), (1, ""));
        assert_eq!(
            error,
            format!("error: the output folder {out} cannot be written: {why}; choose another with --out\n")
        );
    }
    let (code, _, error) =
        run(folder.path(), "run --agents pair.csv --ticks 100000000 --trajectories /proc/no/t.sqlite");
    assert_eq!(code, 1);
    assert_eq!(
        error,
        "error: /proc/no/t.sqlite cannot be written: No such file or directory (os error 2); choose another with --trajectories\n"
    );
    for (args, option) in
        [("plan room.map --from 0,0 --to 1,1 --png full", "--png"), ("map new town --out full", "--out")]
    {
        let (code, _, error) = run(folder.path(), args);
        assert_eq!(code, 1);
        assert_eq!(error, format!("error: full cannot be written: is a directory; choose another with {option}\n"));
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 6, "nothing else is left behind: {left:?}");
}

/// Waits until the process has its own answers to SIGHUP, Ctrl-C and SIGTERM.
#[cfg(unix)]
fn await_the_handler(process: u32) {
    const SIGNALS: u64 = 1 | 1 << 1 | 1 << 14;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        assert!(!status.contains("\nState:\tZ"), "it has ended");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("it runs on");
        if u64::from_str_radix(caught.trim(), 16).unwrap() & SIGNALS == SIGNALS {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = folder();
    let (code, _, error) = run(folder.path(), "map new caverns --size 96x64 --out house.png");
    assert_eq!((code, error.as_str()), (0, ""));
    std::fs::write(folder.path().join("house.toml"), DUEL.replace("room.map", "house.png")).unwrap();
    let before = std::fs::read(folder.path().join("house.png")).unwrap();
    for (args, file, option) in [
        ("run house.toml --out .", "./house.png", "--out"),
        ("run --agents pair.csv --trajectories pair.csv", "pair.csv", "--trajectories"),
        ("plan house.png --from 1,1 --to 2,2 --nearest --png house.png", "house.png", "--png"),
    ] {
        let (code, out, error) = run(folder.path(), args);
        assert_eq!((code, out.as_str()), (1, ""), "{args}");
        let expected = "is what is read here and would be overwritten; choose another with";
        assert_eq!(error.lines().last().unwrap(), format!("error: {file} {expected} {option}"));
    }
    assert!(std::fs::read(folder.path().join("house.png")).unwrap() == before);
    let (code, _, _) = run(folder.path(), "run house.toml --out . --no-pictures --ticks 3");
    assert_eq!(code, 0, "the figures alone are in nobody's way");
}

#[test]
#[cfg(unix)]
fn a_signal_writes_what_there_is() {
    let folder = folder();
    let battle = ("run endless.toml", ["out/endless.json", "out/endless.gif"]);
    let crowd = (
        "run --agents pair.csv --ticks 100000000 --no-pictures --trajectories t.sqlite",
        ["out/pair.json", "t.sqlite"],
    );
    for ((args, files), signal, name, code) in
        [(battle, "-INT", "Ctrl-C", 130), (battle, "-TERM", "SIGTERM", 143), (crowd, "-HUP", "SIGHUP", 129)]
    {
        let mut child =
            throng(folder.path()).args(args.split(' ')).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        await_the_handler(child.id());
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let said = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
        let tick = said.strip_prefix(&format!("stopped by {name} after tick ")).unwrap();
        let tick: u64 = tick.strip_suffix("; writing what there is").unwrap().parse().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{name}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("wrote "));
        let json = json(folder.path(), files[0]);
        assert_eq!((&json["ticks"], &json["winner"]), (&tick.into(), &serde_json::Value::Null));
        assert!(folder.path().join(files[1]).exists());
    }
    let connection = rusqlite::Connection::open(folder.path().join("t.sqlite")).unwrap();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let ticks = json(folder.path(), "out/pair.json")["ticks"].as_i64().unwrap();
    assert_eq!(count("SELECT max(frame) FROM trajectory_data"), ticks);
    assert_eq!(count("SELECT count(*) FROM trajectory_data"), 2 * (ticks + 1));
}

/// Measurements that a signal stops keep the figures so far.
#[test]
#[cfg(unix)]
fn a_signal_keeps_the_figures_so_far() {
    let folder = folder();
    for args in [
        "compare room.map --queries 2000 --rounds 1000 --planners astar,dijkstra --csv figures.csv",
        "indices --agents 2000 --scenes uniform,clustered,line,mixed --frames 100000 --csv figures.csv",
        "experiment crowd --scenes rand15 --agents 20 --seconds 2 --seeds 1..1000 --csv figures.csv",
        "experiment lanchester --soldiers 20 --seeds 1..1000 --plot figures.svg",
        "volumes --shapes 200 --steps 100000",
    ] {
        let mut child =
            throng(folder.path()).args(args.split(' ')).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        await_the_handler(child.id());
        // Time for some figures, on most machines; it is right without any, too.
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let said = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143), "{args}: {said}");
        let (begin, end) = ("stopped by SIGTERM with ", "; the figures are of these");
        let so_far = said.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
        let count = so_far.unwrap_or_else(|| panic!("{args}: {said}")).split(' ').next().unwrap().replace(',', "");
        let has_some = count.parse::<u64>().unwrap() > 20;
        let file = folder.path().join(args.rsplit(' ').next().unwrap());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!has_some || text.lines().count() > 2, "{args}: {text}");
        assert!(!has_some || !args.contains("figures") || std::fs::read(&file).unwrap().len() > 40, "{args}");
        let _ = std::fs::remove_file(file);
    }
}

#[test]
fn bad_scenarios_and_crowds() {
    assert_eq!(error("run nowhere.toml"), "error: nowhere.toml: no such file; check the path\n");
    assert_eq!(error("view nowhere.toml"), "error: nowhere.toml: no such file; check the path\n");
    assert_eq!(
        error("run --agents duel.toml"),
        "error: duel.toml: this is a scenario, expected a crowd, a CSV file with the header x,y,goal_x,goal_y; throng view \
         duel.toml shows it, throng run duel.toml runs it\n"
    );
    for args in ["run .", "view .", "run --agents ."] {
        let told = error(args);
        assert!(
            told.starts_with("error: .: this is a folder, expected a ") && told.ends_with("; name a file in it\n"),
            "{told}"
        );
    }
    assert_eq!(
        error("run --agents pair.csv --speed 3"),
        "error: --top-speed 1.9 is below --speed 3 (m/s); give a --top-speed of at least 3\n"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_a_progress_bar() {
    let folder = folder();
    let line = format!("exec {} run endless.toml --no-pictures", env!("CARGO_BIN_EXE_throng"));
    let mut script = Command::new("script");
    script.args(["-qfec", &line, "/dev/null"]).current_dir(folder.path());
    script.stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut script) = script.spawn() else {
        return eprintln!("skipped: no terminal to be had (apt install bsdutils)");
    };
    let (mut terminal, mut text, mut part) = (script.stdout.take().unwrap(), Vec::new(), [0; 4096]);
    let shows = |text: &[u8], wanted: &str| String::from_utf8_lossy(text).contains(wanted);
    while !["\u{2591} tick ", " of 100000000", " left"].iter().all(|wanted| shows(&text, wanted)) {
        let read = terminal.read(&mut part).unwrap();
        assert!(read > 0, "it ended before: {:?}", String::from_utf8_lossy(&text));
        text.extend(&part[..read]);
    }
    // The program ends by the key for it, also where nobody hangs up on it.
    script.stdin.take().unwrap().write_all(b"\x03").unwrap();
    terminal.read_to_end(&mut text).unwrap();
    script.wait().unwrap();
}

#[test]
fn plans() {
    let folder = folder();
    let (code, out, error) = run(folder.path(), "plan room.map --from 0,4 --to 11,0 --planner dijkstra --png p.png");
    assert_eq!((code, error.as_str()), (0, ""));
    for line in ["planner   dijkstra", "from, to  0,4 to 11,0", "cost      34,277", "length    14.414", "cells     15"]
    {
        // Thirteen straight steps and, round the corner, one diagonal.
        assert!(out.lines().any(|found| found == line), "{line} is not in\n{out}");
    }
    assert!(out.contains("microseconds\npicture   p.png\n"), "{out}");
    assert!(folder.path().join("p.png").exists());
}

#[test]
fn impossible_plans() {
    assert_eq!(
        error("plan room.map --from 6,1 --to 11,0"),
        "error: --from 6,1 is in a wall; --nearest takes the nearest open cell\n"
    );
    assert_eq!(error("plan room.map --from 1,1 --to 12,0"), "error: --to 12,0 is off the map, which is 12 x 5 cells\n");
    let folder = folder();
    for planner in throng::plan::PlannerChoice::NAMES {
        let args = format!("plan room.map --from 1,1 --to 11,0 --planner {planner} --png p.png");
        let expected = "error: no route: the goal is in another part of the map\n";
        assert_eq!(run(folder.path(), &args), (1, String::new(), expected.into()), "{planner}");
        assert!(!folder.path().join("p.png").exists());
    }
    std::fs::write(folder.path().join("rock.map"), "type octile\nheight 1\nwidth 2\nmap\n@@\n").unwrap();
    let (code, _, message) = run(folder.path(), "plan rock.map --from 0,0 --to 1,0 --nearest");
    assert_eq!((code, message.as_str()), (1, "error: the map has no open cell\n"));
    let (code, out, _) = run(folder.path(), "plan room.map --from 6,1 --to 0,0 --nearest");
    assert_eq!(code, 0);
    assert!(out.contains("from, to  5,1 to 0,0\n"), "{out}");
}

#[test]
fn unknown_names_list_the_known() {
    let folder = folder();
    let unknown: &str =
        &format!("unknown planner \"dikstra\"; known are {}", throng::plan::PlannerChoice::NAMES.join(", "));
    let index: &str = &format!(
        "unknown index \"gird\"; known are {}",
        throng::spatial::IndexKind::ALL.map(throng::spatial::IndexKind::name).join(", ")
    );
    for (args, message) in [
        ("plan room.map --from 0,0 --to 1,1 --planner dikstra", unknown),
        (
            "run duel.toml --avoidance rvo",
            "unknown avoidance \"rvo\"; known are none, push, separation, social-force, orca, gap",
        ),
        ("run duel.toml --index gird", index),
        (
            "map new towm --out m.map",
            "unknown kind of map \"towm\"; known are fortress, town, caverns, field, maze, rooms, hills",
        ),
        (
            "map new swamp --out m.map",
            "unknown kind of map \"swamp\"; known are fortress, town, caverns, field, maze, rooms, hills",
        ),
        ("plan room.map --from -1,0 --to 1,1", "expected a column and a row, whole numbers from 0, as in 20,31"),
        ("plan room.map --from 0.5,x --to 1,1", "expected a point in metres, as in 20.5,31.0"),
        ("plan room.map --from 0.5,1.5 --to -0.5,1", "m high"),
        ("map new town --size 12 --out m.map", "expected columns x rows, as in 512x384"),
        ("run duel.toml --threads 0", "expected a whole number from 1 to 256"),
        ("run duel.toml --ticks -1", "expected a whole number from 0"),
        ("run duel.toml --seed -1", "expected a whole number from 0"),
        ("view duel.toml --seed x", "expected a whole number from 0"),
        ("map new town --seed -1 --out m.map", "expected a whole number from 0"),
        ("run --agents pair.csv --unit knight", "expected pedestrian or soldier"),
        ("run --agents pair.csv --radius nan", "expected a number from 0.05 to 10"),
        ("run --agents pair.csv --speed -1", "expected a number from 0 to 100"),
        ("run --agents pair.csv --top-speed inf", "expected a number from 0 to 100"),
        ("run --agents pair.csv --tick 0", "expected a number from 0.001 to 10"),
        ("run --agents pair.csv --reach -1", "expected a number from 0.01 to 1000"),
        ("run --agents pair.csv --horizon 0", "expected a number from 0.01 to 1000"),
        ("run --agents pair.csv --neighbours 256", "expected a whole number from 1 to 255"),
        ("run --agents pair.csv --every 0", "expected a whole number from 1"),
        ("run --agents pair.csv --trajectories t.txt --trajectories-every 0", "expected a whole number from 1"),
    ] {
        let (code, _, error) = run(folder.path(), args);
        assert_eq!(code, 2, "{args}");
        assert!(error.lines().next().unwrap().ends_with(message), "{error}");
    }
    let (code, _, error) = run(folder.path(), "run duel.toml --tick 0.2");
    assert_eq!(code, 2);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_point_in_metres_is_the_cell_around_it() {
    let folder = folder();
    let [cells, points] = ["1,1 --to 4,1", "1.9,1.0 --to 4.0,1.99"].map(|trip| {
        let (code, told, error) = run(folder.path(), &format!("plan room.map --from {trip} --json"));
        assert_eq!(code, 0, "{error}");
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        (told["from"].clone(), told["to"].clone(), told["cost"].clone())
    });
    assert_eq!(cells, points);
    assert_eq!(cells.0, serde_json::json!([1, 1]));
}

/// Options that are known but mean something else, and files without a command.
#[test]
fn what_may_have_been_meant_is_said() {
    let folder = folder();
    for (args, tip) in [
        ("run duel.toml --tick 10", "a similar argument exists: '--ticks'"),
        ("run duel.toml --tick 500", "a similar argument exists: '--ticks'"),
        ("run duel.toml --tocks 500", "a similar argument exists: '--ticks'"),
        ("duel.toml", "duel.toml is a scenario: throng view duel.toml shows it, throng run duel.toml runs it"),
        ("--quiet duel.toml", "duel.toml is a scenario: throng view duel.toml shows it, throng run duel.toml runs it"),
        ("duel.throng", "a file comes after a command, as in 'throng replay duel.throng'"),
        ("room.map", "room.map is a map (a Moving AI map): throng view room.map opens it with an army each"),
        ("map plan.geojson", "a file comes after a command, as in 'throng map info plan.geojson'"),
        ("veiw", "a similar subcommand exists: 'view'"),
        ("plan room.map --from 0,0 --to 1,1 --planner dikstra", "a similar value exists: 'dijkstra'"),
        ("compare room.map --planners dijkstra,astra", "a similar value exists: 'astar'"),
        ("run duel.toml --index KdTree", "a similar value exists: 'kd-tree'"),
        ("indices --sort quick,buble", "a similar value exists: 'bubble'"),
        ("map new towm --out m.map", "a similar value exists: 'town'"),
    ] {
        let (code, out, error) = run(folder.path(), args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}: {error}");
        assert_eq!(error.matches("tip: ").count(), 1, "{args}: {error}");
        assert!(error.contains(&format!("\n  tip: {tip}\n")), "{args}: {error}");
    }
    for args in ["duel.xyz", "run --agents pair.csv --speed 500", "run duel.toml --ticks x"] {
        let (code, _, error) = run(folder.path(), args);
        assert!(code == 2 && !error.contains("tip: "), "{args}: {error}");
    }
}

#[test]
fn every_planner_is_in_the_help_and_in_the_manual() {
    let folder = folder();
    let (_, help, _) = run(folder.path(), "plan --help");
    let manual = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenarios.md")).unwrap();
    for name in throng::plan::PlannerChoice::NAMES {
        let word = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == *name);
        assert!(word(&help), "{name} is not in\n{help}");
        let row = |line: &str| line.starts_with("| `") && line.split('|').nth(1).is_some_and(word);
        assert!(manual.lines().any(row), "{name} has no row in docs/scenarios.md");
    }
}

/// The help of every command. Lines are wrapped by clap, in terminals of any width, and never by hand.
#[test]
fn help_is_wrapped_once() {
    for command in COMMANDS {
        for width in [60, 80, 100] {
            let output = throng(Path::new("."))
                .args(command.split_whitespace().chain(["--help"]))
                .env("COLUMNS", width.to_string())
                .output()
                .unwrap();
            let help = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = help.lines().collect();
            assert!(lines.len() > 5, "{command}: {help}");
            let indent = |line: &str| line.len() - line.trim_start().len();
            for line in &lines {
                let letters = line.chars().count();
                assert!(letters <= width, "{command}: {line:?} has {letters} letters, at most {width} fit");
            }
            for pair in lines.windows(2) {
                let [line, next] = [pair[0], pair[1]];
                let words = next.trim_start();
                // Not the rows of a table, nor the examples.
                let goes_on = words.starts_with(|first: char| first.is_lowercase())
                    && !words.contains("  ")
                    && !words.starts_with("throng ")
                    && !line.trim().is_empty()
                    && indent(line) == indent(next);
                let word = words.split(' ').next().unwrap().chars().count();
                assert!(!goes_on || line.chars().count() + 1 + word > width, "{command}: {line:?} ends early");
            }
        }
    }
}

#[test]
fn maps() {
    let folder = folder();
    let (code, out, _) = run(folder.path(), "map new caverns --size 96x64 --seed 3 --out c.png");
    assert_eq!((code, out.as_str()), (0, "wrote c.png: caverns, 96 x 64 cells, seed 3\n"));
    let (code, out, _) = run(folder.path(), "map info c.png");
    assert!(code == 0 && out.contains("size       96 x 64 cells, 6,144 in all\n"), "{out}");
    let (_, out, _) = run(folder.path(), "map info room.map");
    assert_eq!(
        out,
        "map        room.map\n\
         size       12 x 5 cells, 60 in all\n\
         cell       1 m\n\
         open       47 cells, 78.3 %\n\
         regions    2, the largest has 61.7 % of the open cells\n\
         clearance  at most 1.5 m to the nearest wall, at cell 1,1\n"
    );
    // In metres, however wide a cell is, and as people write them.
    let (_, out, _) = run(folder.path(), "map info room.map --cell-size 0.2");
    assert!(out.ends_with("clearance  at most 0.3 m to the nearest wall, at cell 1,1\n"), "{out}");
    let (_, out, _) = run(folder.path(), "map info room.map --cell-size 0.2 --json");
    assert!(out.contains("\"cell_size\": 0.2,") && out.contains("\"clearance\": 0.3,"), "{out}");
    assert_eq!(error("map info nowhere.map"), "error: nowhere.map: no such file; check the path\n");
    assert_eq!(
        error("map new town --size 8x8 --out m.map"),
        "error: a town needs at least 96 x 96 cells, found 8 x 8\n"
    );
}

#[test]
fn help_has_examples_everywhere() {
    let folder = folder();
    for command in COMMANDS {
        let (code, out, _) = run(folder.path(), format!("{command} --help").trim_start());
        assert_eq!(code, 0);
        assert!(out.contains("Examples:\n  throng"), "{command} has no examples:\n{out}");
        // The quick ones are tried, on the maps of this repository.
        let examples = out.lines().filter_map(|line| line.strip_prefix("  throng "));
        for example in examples.filter(|line| line.starts_with("plan") || line.starts_with("map")) {
            if example.contains("my-house") {
                continue;
            }
            let example = ["route.png", "my.map", "my.png", "my.txt", "my.tmx"]
                .iter()
                .fold(example.to_owned(), |line, name| line.replace(name, folder.path().join(name).to_str().unwrap()));
            let (code, _, error) = run(Path::new(env!("CARGO_MANIFEST_DIR")), &example);
            assert_eq!((code, error.as_str()), (0, ""), "{example}");
        }
    }
}

#[test]
#[cfg(not(feature = "viewer"))]
fn without_a_window_the_view_runs_headless() {
    let folder = folder();
    let (code, out, error) = run(folder.path(), "view duel.toml --threads 1");
    assert_eq!(code, 0);
    assert_eq!(error, "no window: built without the viewer feature; running without a window, see out\n");
    assert!(out.contains("wrote out/duel.gif, out/duel.png, out/duel.json"), "{out}");
}
