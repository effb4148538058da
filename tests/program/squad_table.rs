//! `--squads`: the figures of every squad, second by second.
#![allow(clippy::unwrap_used, missing_docs)]

use super::program::run;
use std::collections::BTreeMap;
use std::path::Path;

const BATTLE: &str = r#"
name = "meadow"
map = "meadow.map"
max_ticks = 400

[[unit]]
name = "archer"
ranged = { range = 25, damage = 20, cooldown = 1 }

[[unit]]
name = "rider"
speed = 4

[[army]]
name = "blue"
[[army.squad]]
name = "first, of foot"
count = 40
position = [10, 10]
order = "attack"
[[army.squad]]
unit = "archer"
count = 20
position = [8, 24]

[[army]]
name = "red"
[[army.squad]]
count = 50
position = [34, 14]
order = "charge"

[[trigger]]
name = "relief"
at = 3
[[trigger.squad]]
name = "riders"
army = "red"
unit = "rider"
count = 10
position = [38, 34]
order = "attack"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 40\nwidth 44\nmap\n".to_owned() + &(".".repeat(44) + "\n").repeat(40);
    std::fs::write(folder.path().join("meadow.map"), map).unwrap();
    std::fs::write(folder.path().join("meadow.toml"), BATTLE).unwrap();
    folder
}

/// Whether all went well, and its messages.
fn throng(folder: &Path, line: &str) -> (bool, String) {
    let (code, out, beside) = run(folder, line);
    (code == 0, out + &beside)
}

type Row = BTreeMap<String, String>;

fn rows(file: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let names = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| names.iter().zip(row.iter()).map(|(a, b)| (a.into(), b.into())).collect();
    reader.records().map(|found| row(found.unwrap())).collect()
}

fn number(row: &Row, name: &str) -> f64 {
    row[name].parse().unwrap()
}

#[test]
fn a_row_a_squad_and_second_and_their_sums_are_the_armies() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let run = "run meadow.toml --no-pictures --ticks 241";
    let (well, said) = throng(folder.path(), &format!("{run} --squads squads.csv --statistics run.csv"));
    assert!(well && said.contains("run.csv, squads.csv"), "{said}");
    let (squads, armies) = (rows(&path("squads.csv")), rows(&path("run.csv")));
    let ticks: Vec<&str> = squads.iter().filter(|row| row["squad"] == "0").map(|row| row["tick"].as_str()).collect();
    let seconds: Vec<String> = (0..=12).map(|second| (20 * second).to_string()).collect();
    assert_eq!(ticks, seconds, "a second is 20 ticks");
    let of = |squad: &str, tick: &str| squads.iter().find(|row| row["squad"] == squad && row["tick"] == tick);
    let told = |squad: &str| ["name", "army", "unit", "order"].map(|what| of(squad, "240").unwrap()[what].clone());
    assert_eq!(told("0"), ["first, of foot", "blue", "soldier", "attack"]);
    assert_eq!(told("1"), ["", "blue", "archer", "hold"]);
    assert_eq!(told("3"), ["riders", "red", "rider", "attack"]);
    assert!(of("3", "40").is_none() && of("3", "80").is_some(), "they come after three seconds");
    // All that is counted over the run only grows, and every kill is a loss of some squad.
    for (before, after) in squads
        .iter()
        .filter_map(|row| of(&row["squad"], &(number(row, "tick") + 20.0).to_string()).map(|next| (row, next)))
    {
        for what in ["losses", "kills", "dealt", "taken", "distance_m"] {
            assert!(number(before, what) <= number(after, what), "{before:?} {after:?}");
        }
    }
    let mut kills = 0.0;
    for army in ["blue", "red"] {
        for row in armies.iter().filter(|row| seconds.contains(&row["tick"])) {
            for (what, column) in
                [("alive", "alive"), ("losses", "dead"), ("kills", "kills"), ("dealt", "dealt"), ("taken", "taken")]
            {
                let own = squads.iter().filter(|squad| squad["tick"] == row["tick"] && squad["army"] == army);
                let (sum, whole) =
                    (own.map(|squad| number(squad, what)).sum::<f64>(), number(row, &format!("{army}_{column}")));
                // Each is rounded to a tenth of a point.
                assert!((sum - whole).abs() <= 0.21, "{army} {what} at {}: {sum}, {whole}", row["tick"]);
            }
            kills = number(row, "red_kills");
        }
    }
    assert!(kills > 3.0, "{kills}");
    // The riders have columns from the first row on.
    assert_eq!((armies[0]["red_rider_alive"].as_str(), armies[100]["red_rider_alive"].as_str()), ("0", "10"));
    // A squad that charges walks, a squad that holds stays.
    assert!(number(of("2", "240").unwrap(), "distance_m") > 50.0 * 8.0);
    assert!(number(of("1", "240").unwrap(), "distance_m") < 20.0 * 3.0);
    // The JSON has the same at the end.
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path("out/meadow.json")).unwrap()).unwrap();
    let of_json = json["squads"].as_array().unwrap();
    assert_eq!(of_json.len(), 4);
    for (number, squad) in of_json.iter().enumerate() {
        assert_eq!(squad["squad"], number);
        let unit = |units: &serde_json::Value| units["unit"] == squad["unit"] && units["army"] == squad["army"];
        let units = json["units"].as_array().unwrap().iter().find(|units| unit(units)).unwrap();
        for what in ["alive", "losses", "kills", "dealt", "taken"] {
            assert_eq!(squad[what].as_f64(), units[what].as_f64(), "each squad is the only one of its kind");
        }
        assert!(squad["distance_m"].as_f64().unwrap() > if squad["order"] == "hold" { -1.0 } else { 50.0 });
    }
    let (well, _) = throng(folder.path(), run);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path("out/meadow.json")).unwrap()).unwrap();
    assert!(well && json["squads"][0]["distance_m"].is_null() && json["squads"][0]["alive"].is_u64());
}

#[test]
fn a_run_that_goes_on_counts_on() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let run = "run meadow.toml --no-pictures --every 7";
    for line in [
        &format!("{run} --ticks 200 --squads whole.csv --threads 1"),
        &format!("{run} --ticks 90 --squads part.csv --snapshot a.snapshot"),
        &format!("{run} --ticks 200 --squads rest.csv --resume a.snapshot --threads 2"),
    ] {
        let (well, said) = throng(folder.path(), line);
        assert!(well, "{line}: {said}");
    }
    let (part, rest) = (read("part.csv"), read("rest.csv"));
    let (_, rest) = rest.split_once('\n').unwrap();
    assert!(part + rest == read("whole.csv"), "both parts are the whole");
}

#[test]
fn those_in_no_squad_share_a_row() {
    let folder = folder();
    std::fs::write(folder.path().join("crowd.csv"), "x,y,goal_x,goal_y\n0,0,9,0\n0,3,9,3\n").unwrap();
    let (well, said) = throng(folder.path(), "run --agents crowd.csv --no-pictures --ticks 100 --squads crowd_out.csv");
    assert!(well, "{said}");
    let rows = rows(&folder.path().join("crowd_out.csv"));
    assert_eq!(rows.len(), 11, "a second is ten ticks");
    assert_eq!((rows[10]["squad"].as_str(), rows[10]["army"].is_empty(), rows[10]["alive"].as_str()), ("", false, "2"));
    assert!((17.0..18.5).contains(&number(&rows[10], "distance_m")), "{rows:?}");
}

#[test]
fn what_cannot_be_is_said() {
    let folder = folder();
    for (options, expected) in [
        ("--squads meadow.toml", "meadow.toml"),
        ("--squads a.csv --statistics a.csv", "a.csv is named by --statistics and by --squads; choose two files"),
        ("--squads /proc/no/a.csv", "choose another with --squads"),
    ] {
        let (well, said) = throng(folder.path(), &format!("run meadow.toml --no-pictures --ticks 1 {options}"));
        assert!(!well && said.contains(expected), "{options}: {said}");
    }
    #[cfg(not(feature = "parquet"))]
    {
        let (well, said) = throng(folder.path(), "run meadow.toml --no-pictures --ticks 1 --squads a.parquet");
        assert!(!well && said.contains("a.parquet: this throng was built without Parquet"), "{said}");
    }
    assert!(!folder.path().join("a.csv").exists());
}

/// Rows of trajectories, of statistics and of squads, each thinned by its own option.
#[test]
fn each_record_is_thinned_by_its_own_option() {
    let folder = folder();
    let run = "run meadow.toml --no-pictures --ticks 120 --trajectories t.txt --statistics s.csv --squads q.csv";
    let ticks =
        |file: &str| rows(&folder.path().join(file)).iter().map(|row| number(row, "tick") as u64).max().unwrap();
    for (options, frames, samples) in
        [("", 121, 121), ("--every 20", 121, 7), ("--trajectories-every 20 --every 2", 7, 61)]
    {
        let (well, said) = throng(folder.path(), &format!("{run} {options}"));
        assert!(well, "{said}");
        let text = std::fs::read_to_string(folder.path().join("t.txt")).unwrap();
        let seen: std::collections::BTreeSet<&str> =
            text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').nth(1).unwrap()).collect();
        assert_eq!((seen.len(), rows(&folder.path().join("s.csv")).len()), (frames, samples), "{options}");
        assert_eq!(ticks("s.csv"), 120);
        assert!(text.starts_with(&format!("# framerate: {:?} fps", 20.0 * (frames - 1) as f64 / 120.0)), "{text}");
    }
    let (well, said) = throng(folder.path(), "run meadow.toml --no-pictures --ticks 9 --trajectories t.txt --every 3");
    assert!(!well && said.contains("for --trajectories give --trajectories-every"), "{said}");
}
