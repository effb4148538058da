//! Keys, points, tables: the tests that need a scenario.

use super::*;
use std::sync::atomic::AtomicBool;
use throng_scenario::{Change, Template};

const BATTLE: &str = r#"map = "field.map"
max_ticks = 300
[[unit]]
name = "spear"
speed = 3
health = 30
[[army]]
name = "red"
[[army.squad]]
unit = "spear"
count = 2
position = [4, 4]
order = "attack"
[[army.squad]]
unit = "spear"
count = 6
position = [4, 12]
order = "attack"
[[army]]
name = "blue"
[[army.squad]]
count = 3
position = [10, 8]
order = "attack"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let map = format!("type octile\nheight 16\nwidth 16\nmap\n{}", (".".repeat(16) + "\n").repeat(16));
    std::fs::write(folder.path().join("field.map"), map).unwrap();
    std::fs::write(folder.path().join("battle.toml"), BATTLE).unwrap();
    folder
}

fn batch_of(folder: &tempfile::TempDir, varies: &[&str], seeds: &str) -> Result<Batch, String> {
    let template = Template::load(folder.path().join("battle.toml")).unwrap();
    let varies = varies.iter().map(|vary| vary.parse().unwrap()).collect();
    let seeds = seeds.parse::<Seeds>().unwrap().list(None).unwrap();
    Batch::new(template, varies, seeds, Some(120)).map(|(batch, _)| batch).map_err(|error| error.to_string())
}

fn batch(varies: &[&str], seeds: &str) -> Result<Batch, String> {
    batch_of(&folder(), varies, seeds)
}

fn error(vary: &str) -> String {
    batch(&[vary], "1..2").unwrap_err()
}

#[test]
fn bad_keys_are_named() {
    let form = "is no number of a scenario; expected army.ARMY.UNIT.count, army.ARMY.squad.N.count or unit.UNIT.FIELD";
    for key in ["foo", "army.red.count", "army.red.spear", "unit.spear", "unit..health", "army.count"] {
        assert_eq!(error(&format!("{key}=1,2")), format!("\"{key}\" {form}"));
    }
    for (vary, expected) in [
        ("army.redd.spear.count=1,2", "army.redd.spear.count: unknown army \"redd\"; did you mean \"red\"?"),
        ("army.red.sper.count=1,2", "army.red.sper.count: unknown unit of this army \"sper\"; did you mean \"spear\"?"),
        (
            "army.red.soldier.count=1,2",
            "army.red.soldier.count: unknown unit of this army \"soldier\"; known are spear",
        ),
        ("army.red.squad.3.count=1,2", "army.red.squad.3.count: the army has 2 squads, counted from 1; found 3"),
        ("army.red.squad.0.count=1,2", "army.red.squad.0.count: the army has 2 squads, counted from 1; found 0"),
        ("unit.spaer.health=1,2", "unit.spaer.health: unknown unit \"spaer\"; did you mean \"spear\"?"),
        ("unit.spear.helth=1,2", "unit.spear.helth: unknown number of a unit \"helth\"; did you mean \"health\"?"),
        (
            "army.red.spear.count=1,2",
            "values of army.red.spear.count: expected whole numbers of at least 2, one for each of 2 squads; found 1",
        ),
        (
            "army.red.squad.1.count=1,1.5",
            "values of army.red.squad.1.count: expected whole numbers of at least 1; found 1.5",
        ),
    ] {
        assert_eq!(error(vary), expected);
    }
    assert_eq!(
        batch(&["army.red.spear.count=2,3", "army.red.squad.2.count=2"], "1").unwrap_err(),
        "army.red.squad.2.count and army.red.spear.count say the same number; vary it once"
    );
    assert_eq!(
        batch(&["unit.spear.health=0..10000:1", "unit.spear.mass=1..10000:1"], "1..5").unwrap_err(),
        "500050000 runs in all; the limit is 10000000; vary fewer values, or take fewer seeds"
    );
}

#[test]
fn points_that_cannot_be_are_named() {
    let folder = folder();
    let check = |vary: &str| {
        let batch = batch_of(&folder, &["unit.soldier.health=50", vary], "1").unwrap();
        let points: Vec<usize> = (0..batch.points()).collect();
        let error = batch.check(&points, 2, &AtomicBool::new(false), || ()).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert!(
        check("army.blue.soldier.count=5,2000,3000")
            .starts_with("at unit.soldier.health=50 army.blue.soldier.count=2000: battle.toml:23:12: only ")
    );
    assert_eq!(
        check("unit.spear.radius=0.5,20"),
        "at unit.soldier.health=50 unit.spear.radius=20: battle.toml:4:8: radius of unit \"spear\" must be between 0.05 and \
         10 (m), found 20"
    );
    assert_eq!(
        check("army.blue.soldier.count=200001"),
        "at unit.soldier.health=50 army.blue.soldier.count=200001: battle.toml:22:9: count must be a whole number between 1 and 200000 \
         (soldiers a squad), found 200001"
    );
}

#[test]
fn a_point_is_what_the_file_would_be() {
    let batch = batch(&["army.red.spear.count=4..12:4", "unit.spear.health=30,45.5"], "1..2").unwrap();
    assert_eq!((batch.points(), batch.runs(Shard::default()).len()), (6, 12));
    let values = |point| batch.point(point).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!((0..6).map(values).collect::<Vec<_>>(), ["4 30", "4 45.5", "8 30", "8 45.5", "12 30", "12 45.5"]);
    assert!((0..6).all(|point| batch.point_of(&batch.point(point)) == Some(point)));
    let scenario = batch.scenario(5).unwrap();
    let counts: Vec<_> = scenario.armies[0].squads.iter().map(|squad| squad.positions.len()).collect();
    assert_eq!((counts, scenario.units[0].health), (vec![3, 9], 45.5));
    let changes = [Change::Count { army: 0, squad: 0, count: 3 }, Change::Count { army: 0, squad: 1, count: 9 }];
    let (written, _) = batch.template.scenario(&changes).unwrap();
    assert_eq!(scenario.armies, written.armies);
    // All worlds look at one map.
    let grid = batch.template.grid();
    assert!(std::sync::Arc::ptr_eq(scenario.build(1).unwrap().grid(), grid));
}

/// Does these runs.
fn run(batch: &Batch, shard: &str, jobs: usize) -> Vec<String> {
    let mut table = Table::in_memory(batch, batch.runs(shard.parse().unwrap()));
    let todo = table.todo();
    batch.work(&todo, jobs, &AtomicBool::new(false), |place, row| table.add(place, row), || ()).unwrap();
    table.rows().map(|row| row.line(batch)).collect()
}

#[test]
fn parts_together_are_the_whole() {
    let batch = batch(&["army.red.spear.count=2,9"], "1..3").unwrap();
    let whole = run(&batch, "1/1", 2);
    assert_eq!(whole.len(), 6);
    assert_eq!(whole, run(&batch, "1/1", 1));
    let [first, second] = ["1/2", "2/2"].map(|shard| run(&batch, shard, 1));
    let woven: Vec<_> = first.iter().zip(&second).flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
    assert_eq!(woven, whole);
    // Every written row is read again.
    for line in &whole {
        assert_eq!(Row::read(line, &batch).unwrap().line(&batch), *line);
    }
}

/// A row that was not run.
fn made_up(run: Run, winner: Option<usize>, seconds: f64) -> Row {
    let armies = [9, 4].map(|alive| ArmyResult { spawned: 10, alive, dead: 10 - alive, ..ArmyResult::default() });
    Row { run, winner, ticks: 7, seconds, armies: armies.to_vec() }
}

#[test]
fn rows_that_come_early_wait_and_are_not_lost() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let batch = batch_of(&folder, &[], "1..4").unwrap();
    let runs = batch.runs(Shard::default());
    let rows: Vec<Row> = runs.iter().map(|&run| made_up(run, None, 1.5)).collect();
    let names = |name: &str| std::fs::read_to_string(folder.path().join(name)).map(|text| text.lines().count());
    {
        let mut table = Table::open(&batch, runs.clone(), path("a.csv")).unwrap();
        assert!(matches!(Table::open(&batch, runs.clone(), path("a.csv")), Err(BatchError::Busy { .. })));
        table.add(2, rows[2].clone()).unwrap();
        table.add(1, rows[1].clone()).unwrap();
        assert_eq!((names("a.csv").unwrap(), names("a.csv.ahead").unwrap(), table.rows().count()), (2, 4, 2));
        // Here the program is killed.
    }
    let mut table = Table::open(&batch, runs.clone(), path("a.csv")).unwrap();
    assert_eq!(table.todo(), [(0, runs[0]), (3, runs[3])]);
    table.add(0, rows[0].clone()).unwrap();
    assert_eq!((names("a.csv").unwrap(), names("a.csv.ahead").unwrap()), (5, 2));
    table.add(3, rows[3].clone()).unwrap();
    assert!(table.todo().is_empty());
    drop(table);
    assert!(!path("a.csv.ahead").exists());
    // All in order, as if they had come so.
    let mut straight = Table::open(&batch, runs.clone(), path("b.csv")).unwrap();
    rows.iter().enumerate().for_each(|(place, row)| straight.add(place, row.clone()).unwrap());
    assert_eq!(std::fs::read(path("a.csv")).unwrap(), std::fs::read(path("b.csv")).unwrap());
    // A row that waits and is of no run that is wanted now is written all the same.
    let mut early = Table::open(&batch, runs.clone(), path("c.csv")).unwrap();
    early.add(3, rows[3].clone()).unwrap();
    drop(early);
    let less = Table::open(&batch, runs[..1].to_vec(), path("c.csv")).unwrap();
    assert_eq!((less.todo(), less.rows().count()), (vec![(0, runs[0])], 1));
    assert_eq!(names("c.csv").unwrap(), 3);
}

#[test]
fn scores_sum_up_the_runs_of_a_point() {
    let batch = batch(&["unit.spear.health=10,20"], "1..4").unwrap();
    let runs = batch.runs(Shard::default());
    let mut rows: Vec<Row> = [(Some(0), 1.0), (Some(0), 2.0), (Some(1), 4.0), (None, 9.0)]
        .into_iter()
        .zip(&runs)
        .map(|((winner, seconds), &run)| made_up(run, winner, seconds))
        .collect();
    rows.push(made_up(runs[4], None, 3.0));
    rows.reverse();
    let scores = Score::of(&batch, rows.iter());
    let values = |text: &str| vec![text.parse::<Decimal>().unwrap()];
    let first = Score {
        values: values("10"),
        runs: 4,
        wins: vec![2, 1],
        draws: 1,
        seconds_mean: 4.0,
        seconds_median: 3.0,
        survivors_mean: Some((9.0 + 9.0 + 4.0) / 3.0),
    };
    let second = Score {
        values: values("20"),
        runs: 1,
        wins: vec![0, 0],
        draws: 1,
        seconds_mean: 3.0,
        seconds_median: 3.0,
        survivors_mean: None,
    };
    assert_eq!((first.score(0), first.score(1), second.score(0)), (0.625, 0.375, 0.5));
    assert_eq!(scores, [first, second]);
}
