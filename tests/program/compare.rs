//! `throng compare` as a user meets it.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::{ended, run, throng};
use std::path::Path;

const ROOM: &str =
    "type octile\nheight 5\nwidth 12\nmap\n......@.....\n......@.....\n......@.....\n@@@@@@@@@@..\n............\n";

/// Three problems with their true lengths.
const SCEN: &str = "version 1\n\
    0\troom.map\t12\t5\t0\t0\t3\t3\t9\n\
    0\troom.map\t12\t5\t0\t4\t11\t0\t14.41421356\n\
    0\troom.map\t12\t5\t5\t2\t5\t2\t0\n";

const KEYS: [&str; 13] = [
    "planner",
    "queries",
    "mean_us",
    "p50_us",
    "p99_us",
    "expanded",
    "cost_ratio",
    "optimal",
    "bytes",
    "preprocess_ms",
    "first_us",
    "first_steps",
    "first_cost",
];

/// A folder with a map, its queries and some that are not its own.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("room.map", ROOM);
    write("rock.map", "type octile\nheight 2\nwidth 3\nmap\n.@.\n@.@\n");
    write("room.scen", &SCEN.replace("3\t3\t9", "3\t2\t3.828427"));
    write("wrong.scen", &SCEN.replace("3\t3\t9", "3\t2\t4.0"));
    write("large.scen", &SCEN.replace("12\t5", "24\t5"));
    write("off.scen", "version 1\n0 room.map 12 5 0 0 0 5 5\n");
    write("wall.scen", "version 1\n0 room.map 12 5 6 0 0 0 5\n");
    write("apart.scen", "version 1\n0 room.map 12 5 0 0 11 0 11\n");
    write("bad.scen", "version 1\n0 room.map 12 5 0 0 three 0 11\n");
    write("empty.scen", "version 1\n");
    write("nothing.scen", "");
    std::fs::write(folder.path().join("noise.scen"), b"v\xfe\xff\0").unwrap();
    folder
}

/// The error alone, and that it ends with 2.
fn error(args: &str) -> String {
    let folder = folder();
    let (code, out, error) = run(folder.path(), args);
    assert_eq!((code, out.as_str()), (2, ""), "{args}: {error}");
    error
}

/// The lines of the table, each cut into its columns.
fn table(out: &str) -> Vec<Vec<String>> {
    let lines = out.lines().skip_while(|line| !line.starts_with("planner "));
    let cut = |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    lines.map(cut).collect()
}

/// Where tags open and close, attributes are quoted and nothing else is an angle bracket.
fn is_well_formed(xml: &str) -> bool {
    let mut open = Vec::new();
    for piece in xml.split('<').skip(1) {
        let Some((tag, text)) = piece.split_once('>') else { return false };
        let name = |tag: &str| tag.split_whitespace().next().unwrap_or_default().to_owned();
        if tag.matches('"').count() % 2 != 0 || text.contains('&') {
            return false;
        }
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(name(closed)) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name(tag));
        }
    }
    open.is_empty()
}

#[test]
fn a_comparison_prints_a_table_and_writes_files() {
    let folder = folder();
    let args = "compare room.map --queries 40 --seed 3 --planners astar,weighted-astar:1,1.5,pathfinding-dijkstra \
                --csv a.csv --json a.json --plot a.svg";
    let (code, out, error) = run(folder.path(), args);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("map      room.map, 12 x 5 cells\nqueries  40, random; seed 3, 3 rounds\n\n"), "{out}");
    assert!(out.ends_with("wrote a.csv, a.json, a.svg\n"), "{out}");
    let table = table(&out);
    assert_eq!(
        table[0],
        ["planner", "mean µs", "p50 µs", "p99 µs", "expanded", "cost ratio", "optimal", "bytes", "prepared ms"]
    );
    let names = ["astar", "weighted-astar:1,1.5", "pathfinding-dijkstra"];
    assert_eq!(table[1..4].iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), names);
    assert_eq!((table[1][5].as_str(), table[1][6].as_str()), ("1.0000", "40 of 40"));
    assert_eq!((table[3][7].as_str(), table[2][7].as_str() == "-"), ("-", false));

    let json = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
    let json: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&json).unwrap();
    let mut sorted = KEYS;
    sorted.sort_unstable();
    for (row, name) in json.iter().zip(names) {
        let mut keys: Vec<_> = row.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, sorted);
        assert_eq!((&row["planner"], &row["queries"]), (&name.into(), &40.into()));
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!(0.0 < number("p50_us") && number("p50_us") <= number("p99_us"), "{row:?}");
        assert!(number("mean_us") > 0.0 && number("expanded") > 0.0 && number("preprocess_ms") >= 0.0, "{row:?}");
        assert!((1.0..=1.5).contains(&number("cost_ratio")), "{row:?}");
        assert!(row["optimal"].as_u64().unwrap() <= 40, "{row:?}");
        // Nobody counts what a search of another crate allocates.
        let is_known = !name.starts_with("pathfinding");
        assert_eq!(row["bytes"].as_u64().is_some_and(|bytes| bytes > 0), is_known, "{row:?}");
    }
    assert_eq!((json.len(), &json[0]["optimal"], &json[0]["cost_ratio"]), (3, &40.into(), &1.0.into()));

    let mut csv = csv::Reader::from_path(folder.path().join("a.csv")).unwrap();
    assert_eq!(csv.headers().unwrap(), KEYS.as_slice());
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.iter().map(|row| &row[0]).collect::<Vec<_>>(), names);
    for (row, object) in rows.iter().zip(&json) {
        assert_eq!(row[2].parse::<f64>().unwrap(), object["mean_us"].as_f64().unwrap());
    }

    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && is_well_formed(&svg), "{svg}");
    for text in names.iter().chain(&["room.map: 40 queries", "length of the shortest route (cells)", "(µs)"]) {
        assert!(svg.contains(text), "{text} is not in the plot");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 15, "nothing else is left behind");
}

#[test]
fn routes_at_any_angle_are_shorter_and_first_routes_sooner() {
    let folder = folder();
    let (code, out, error) = run(folder.path(), "compare room.map --planners theta,ara:3,2,1,jps --json a.json");
    assert_eq!((code, error.as_str()), (0, ""));
    let table = table(&out);
    assert_eq!(table[0][9..], ["first µs", "steps", "cost"]);
    assert!(table[1][9..] == ["-"; 3] && table[3][9..] == ["-"; 3], "theta and jps report none");
    let [us, steps, cost] = [9, 10, 11].map(|column| table[2][column].parse::<f64>().unwrap());
    assert!(us > 0.0 && steps > 1.0 && (1.0..3.0).contains(&cost), "{:?}", table[2]);
    let json = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert!(json[0]["cost_ratio"].as_f64().unwrap() < 1.0, "{}", json[0]);
    assert_eq!((&json[1]["optimal"], &json[2]["optimal"]), (&100.into(), &100.into()));
    assert!(json.iter().all(|row| row.as_object().unwrap().len() == KEYS.len()));
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let folder = folder();
    let figures = |args: &str| {
        let (code, _, error) = run(folder.path(), &format!("compare room.map --rounds 1 {args} --json a.json"));
        assert_eq!((code, error.as_str()), (0, ""));
        let json = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
        let json: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
        let exact = |row: &serde_json::Value| {
            ["planner", "queries", "expanded", "cost_ratio", "optimal"].map(|key| row[key].clone())
        };
        json.iter().map(exact).collect::<Vec<_>>()
    };
    let first = figures("--seed 5");
    assert_eq!(first, figures("--seed 5"));
    assert_ne!(first, figures("--seed 6"));
    assert!(
        !first.iter().any(|row| row[0].as_str().unwrap().starts_with("pathfinding-")),
        "reference planners are left out"
    );
    let all = figures("--planners all --queries 3");
    assert_eq!(all.len(), throng::plan::PlannerChoice::NAMES.len());
}

#[test]
fn query_files_are_answered_and_checked() {
    let folder = folder();
    let (code, out, error) = run(folder.path(), "compare room.map --scen room.scen --planners all");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("queries  3, room.scen; seed 1, 3 rounds\n"), "{out}");
    assert_eq!(table(&out)[1][6], "3 of 3");

    // The file claims a longer way than there is.
    let (code, out, error) =
        run(folder.path(), "compare room.map --scen wrong.scen --planners astar,weighted-astar,dijkstra");
    assert_eq!(code, 1);
    assert!(out.contains("3 of 3"), "the table is printed all the same: {out}");
    let line = |planner| {
        format!(
            "broken promise: {planner}, query 1 (0,0 to 3,2): \
             found length 3.82843, expected 4, the optimal length of the query file\n"
        )
    };
    assert_eq!(error, line("astar") + &line("dijkstra"));
    let (code, _, _) = run(folder.path(), "compare room.map --scen wrong.scen --planners weighted-astar");
    assert_eq!(code, 0, "a bounded planner promises no such length");
}

#[test]
fn bad_query_files() {
    let scen = |name: &str| error(&format!("compare room.map --scen {name}"));
    assert_eq!(scen("."), "error: .: this is a folder, expected a query file (.scen); name a file in it\n");
    assert_eq!(
        scen("nothing.scen"),
        "error: nothing.scen: the file is empty; expected a query file, \"version 1\" first\n"
    );
    assert!(
        scen("room.map")
            .starts_with("error: room.map: this is a map (a Moving AI map), expected a query file (.scen); ")
    );
    assert_eq!(
        scen("noise.scen"),
        "error: noise.scen: this is binary data, expected a query file (.scen); check the path\n"
    );
    assert_eq!(scen("nowhere.scen"), "error: nowhere.scen: no such file; check the path\n");
    assert_eq!(
        scen("large.scen"),
        "error: large.scen:2: the query is for a map of 24 x 5 cells, this one has 12 x 5; name the query file of this map\n"
    );
    assert_eq!(scen("off.scen"), "error: off.scen:2: the goal 0,5 is off the map, which is 12 x 5 cells\n");
    assert_eq!(
        scen("wall.scen"),
        "error: wall.scen:2: the start 6,0 is in a wall of this map; name the query file of this map\n"
    );
    assert_eq!(
        scen("apart.scen"),
        "error: apart.scen:2: no route leads from 0,0 to 11,0 on this map; name the query file of this map\n"
    );
    assert_eq!(
        scen("bad.scen"),
        "error: bad.scen:2: found \"0 room.map 12 5 0 0 three 0 11\", \
         expected bucket, map, width, height, start x, start y, goal x, goal y, optimal length\n"
    );
    assert_eq!(scen("empty.scen"), "error: empty.scen: there is no query in the file; name another\n");
}

#[test]
fn bad_maps_and_outputs() {
    assert_eq!(error("compare nowhere.map"), "error: nowhere.map: no such file; check the path\n");
    assert_eq!(
        error("compare rock.map"),
        "error: no two cells of the map are joined by a route; take another map or a narrower unit\n"
    );
    assert_eq!(
        error("compare room.map --radius 9"),
        "error: no two cells of the map are joined by a route; take another map or a narrower unit\n"
    );
    for (option, file) in [("--csv", "/proc/no/a.csv"), ("--json", "/proc/no/a.json"), ("--plot", "/proc/no/a.svg")] {
        assert_eq!(
            error(&format!("compare room.map {option} {file}")),
            format!(
                "error: {file} cannot be written: No such file or directory (os error 2); choose another with {option}\n"
            )
        );
    }
    assert_eq!(
        error("compare room.map --scen room.scen --csv room.scen"),
        "error: room.scen is what is read here and would be overwritten; choose another with --csv\n"
    );
    assert_eq!(
        error("compare room.map --csv a --json a"),
        "error: a is named by --csv and by --json; choose two files\n"
    );
    assert_eq!(
        error("compare room.map --csv a --plot ./a.svg --json ./a.svg"),
        "error: ./a.svg is named by --json and by --plot; choose two files\n"
    );
    assert_eq!(
        error("compare room.map --csv a --json ./a"),
        "error: ./a is named by --csv and by --json; choose two files\n"
    );
    let folder = folder();
    std::fs::create_dir(folder.path().join("d.csv")).unwrap();
    assert_eq!(
        run(folder.path(), "compare room.map --csv d.csv").2,
        "error: d.csv cannot be written: is a directory; choose another with --csv\n"
    );
    assert_eq!(error("compare ."), "error: .: this is a folder, expected a map; name a file in it\n");
    assert_eq!(
        error("compare room.map --planners hpa:16,2"),
        "error: a hierarchy of 2 levels with clusters of 16 cells has clusters of 64 cells at the top, larger than the \
         map of 12 x 5; ask for fewer levels or smaller clusters\n"
    );
    assert_eq!(
        error("compare room.map --planners astar:manhattan"),
        "error: the manhattan estimate may be above the cost of steps to eight neighbours; use another, as octile\n"
    );
}

#[test]
fn bad_arguments() {
    for (args, message) in [
        ("--planners astra", "unknown planner \"astra\"; known are "),
        ("--planners astar,,dijkstra", "expected names separated by commas, as in astar,dijkstra"),
        ("--planners astar,dijkstra,astar", "the planner astar is named twice"),
        ("--planners weighted-astar:1,x", "the planner weighted-astar takes two weights"),
        ("--planners astar,all", "all means every planner; name it alone"),
        ("--planners weighted-astar:0,1", "w1 above 0, both at most 1000000; found w1 = 0, w2 = 1"),
        ("--planners ara:2,nan", "each from 1 to 1000 and lower than the one before; found 2, NaN"),
        ("--planners hpa:100000,1", "the side of a cluster must be 4 to 256 cells; found 100000"),
        ("--planners hpa:32,99", "a hierarchy over clusters of 32 cells must have 1 to"),
        ("--queries 0", "expected a whole number from 1 to 100000"),
        ("--queries -3", "expected a whole number from 1 to 100000"),
        ("--rounds 0", "expected a whole number from 1 to 1000"),
        ("--seed x", "expected a whole number from 0"),
        ("--radius nan", "expected a number from 0 to 1000"),
        ("--plot a.png", "expected a name that ends in .svg"),
    ] {
        let error = error(&format!("compare room.map {args}"));
        assert!(error.lines().next().unwrap().contains(message), "{args}: {error}");
    }
    let (code, _, error) = ended(throng(Path::new(".")).args(["compare", "room.map", "--planners", ""]));
    assert!(code == 2 && error.contains("expected names separated by commas"), "{error}");
}

#[test]
fn wide_units_have_other_ways() {
    let folder = folder();
    // The lengths of the file do not hold for them, and the trip into the corner cannot be made.
    let scen = "version 1\n2 room.map 12 5 1 1 4 1 9\n0 room.map 12 5 1 1 0 0 1.4142\n";
    std::fs::write(folder.path().join("wide.scen"), scen).unwrap();
    let (code, out, error) = run(folder.path(), "compare room.map --scen wide.scen --radius 0.6 --planners astar");
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    assert!(out.contains("queries  1, wide.scen"), "{out}");
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = folder();
    let (code, out, _) = run(folder.path(), "compare --help");
    assert_eq!(code, 0);
    let examples: Vec<_> = out.lines().filter_map(|line| line.strip_prefix("  throng ")).collect();
    assert_eq!(examples.len(), 8, "{out}");
    // Examples with a window need a user to close it.
    let examples = examples.into_iter().filter(|line| !line.contains("--window"));
    // On the maps of this repository.
    for example in examples.filter(|line| line.contains("maps/")) {
        let short = example.replace(" --queries 50", "") + " --queries 3 --rounds 1";
        let example = ["figures.json", "figures.csv", "plot.svg"]
            .iter()
            .fold(short, |line, name| line.replace(name, folder.path().join(name).to_str().unwrap()));
        let (code, _, error) = run(Path::new(env!("CARGO_MANIFEST_DIR")), &example);
        assert_eq!((code, error.as_str()), (0, ""), "{example}");
    }
}

#[test]
#[cfg(unix)]
fn figures_go_down_a_pipe() {
    let folder = folder();
    let (code, out, error) =
        run(folder.path(), "compare room.map --planners astar --queries 3 --json /dev/stdout --csv /dev/null");
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("\"planner\": \"astar\""), "{out}");
    assert!(out.ends_with("wrote /dev/null, /dev/stdout\n"), "{out}");
}

/// The benchmark maps, where they are at hand: the lengths of their query files hold for every planner.
#[test]
fn benchmark_maps_keep_their_lengths() {
    let Some(maps) = std::env::var_os("THRONG_MOVINGAI") else { return };
    for name in ["arena2", "AR0011SR", "ht_chantry"] {
        let map = Path::new(&maps).join(name).with_extension("map");
        let args = format!("compare {0} --scen {0}.scen --queries 20 --rounds 1", map.display());
        let (code, _, error) = run(Path::new("."), &args);
        assert_eq!((code, error.as_str()), (0, ""), "{name}");
    }
}
