//! `throng batch`: the same scenario many times.

use super::file_kind::{self, Wanted};
use super::numbers::{default_threads, positive, threads};
use super::output::{JsonArgs, check_file, check_not_read, grouped, note, result, say};
use super::progress::{Progress, busy};
use super::run::warn;
use super::stop::Stop;
use super::{CliError, Ended};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use throng::batch::{Batch, BatchError, Run, Score, Seeds, Shard, Table, Vary};
use throng::scenario::Template;

#[derive(Args, Debug)]
#[command(after_help = "\
Runs the scenario for each seed, on each point of the grid of all --vary, each world on one thread. Results do not depend \
on --jobs. The table at the end has a line a point: runs, wins of each army, draws, share of the runs that the first army \
has won with its 95 % interval (Wilson 1927), its score (a draw counts half), time until the end, living soldiers of the \
winner.

What may be varied, from LOW to HIGH (LOW..HIGH:STEP, both counted) or over some values (A,B,C):
  army.ARMY.UNIT.count     soldiers of a unit of an army, shared as in the file
  army.ARMY.squad.N.count  soldiers of the N-th squad of an army, from 1
  unit.UNIT.FIELD          a number of a unit

FIELD is radius, height, speed, speed_spread, top_speed, headway, health, armour, damage, breach, reach, cooldown, charge, \
turning, arc, attackers, sight, view, morale, mass, acceleration, priority, congestion or cost; of what the unit shoots \
ranged.range, ranged.speed, ranged.spread, ranged.salvo, ranged.ammunition, ranged.damage, ranged.cooldown or ranged.blast.

With --csv each row is written as soon as its run ends. Started again, the batch goes on where it stopped, even after a \
kill -9. --shard 2/4 does the second of four parts, as for the machines of a cluster; the rows of the parts, put into one \
file below its first two lines, are the whole.

Examples:
  throng batch examples/arena.toml --runs 20 --csv arena.csv
  throng batch examples/arena.toml --vary army.red.brawler.count=800..1200:100
  throng batch examples/siege.toml --seeds 1..9 --vary unit.guard.health=60,80
  throng batch examples/siege.toml --runs 100 --shard 2/4 --csv part2.csv")]
pub(super) struct BatchArgs {
    /// A scenario file (.toml)
    scenario: PathBuf,
    /// Runs of each point [default: as many as seeds are named, else 100]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    runs: Option<u64>,
    /// Seeds: from A on (A..), from A to B (A..B), or these (A,B,C)
    #[arg(long, value_name = "SEEDS", default_value = "1..", value_parser = |text: &str| told::<Seeds>(text),
        allow_hyphen_values = true)]
    seeds: Seeds,
    /// A number that is varied, and its values; may be given several times
    #[arg(long, value_name = "KEY=VALUES", value_parser = |text: &str| told::<Vary>(text), allow_hyphen_values = true)]
    vary: Vec<Vary>,
    /// How many runs at once [default: one a core]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    jobs: Option<usize>,
    /// Write a row a run into this table, and go on with what it holds
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// A battle is a draw after so many ticks [default: max_ticks of the scenario]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    ticks: Option<u64>,
    /// Do every N-th run alone, beginning with the I-th
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = |text: &str| told::<Shard>(text),
        allow_hyphen_values = true)]
    shard: Shard,
    #[command(flatten)]
    json: JsonArgs,
}

fn told<T: std::str::FromStr<Err = BatchError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: BatchError| error.to_string())
}

pub(super) fn batch(args: &BatchArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let seeds = args.seeds.list(args.runs)?;
    file_kind::check(&args.scenario, Wanted::Scenario)?;
    let template = busy("reading the map", || Template::load(&args.scenario)).map_err(BatchError::from)?;
    let (batch, warnings) = Batch::new(template, args.vary.clone(), seeds, args.ticks)?;
    warn(&warnings);
    let jobs = args.jobs.unwrap_or_else(default_threads);
    let runs = batch.runs(args.shard);
    let stop = Stop::watch("the runs in progress");

    if let Some(file) = &args.csv {
        check_not_read(file, "--csv", &[&args.scenario])?;
        check_file(file, "--csv")?;
    }
    // Errors are reported before a file is made.
    check(&batch, &runs, jobs, stop.flag())?;
    let mut table = match &args.csv {
        Some(file) => Table::open(&batch, runs, file)?,
        None => Table::in_memory(&batch, runs),
    };
    let todo = table.todo();
    let before = table.rows().count();
    if before > 0 {
        note(&format!("{} rows are there, {} runs to do", grouped(before as u64), grouped(todo.len() as u64)));
    }
    let done = AtomicU64::new(0);
    let mut progress = Progress::new("run", todo.len() as u64);
    let ran = batch.work(
        &todo,
        jobs,
        stop.flag(),
        |place, row| {
            done.fetch_add(1, Ordering::Relaxed);
            table.add(place, row)
        },
        || progress.show(done.load(Ordering::Relaxed), String::new),
    );
    progress.clear();
    let ended = stop.ended();
    if ended != Ended::Well {
        let left = todo.len() as u64 - done.load(Ordering::Relaxed);
        note(&format!("stopped by {} with {} runs to do", stop.name(), grouped(left)));
    }
    report(&batch, &Score::of(&batch, table.rows()), args);
    ran?;
    Ok(ended)
}

/// Reports a bad point before anything is run.
fn check(batch: &Batch, runs: &[Run], jobs: usize, stop: &AtomicBool) -> Result<(), CliError> {
    let mut points: Vec<usize> = runs.iter().map(|run| run.point).collect();
    points.dedup();
    let seen = AtomicU64::new(0);
    let progress = std::sync::Mutex::new(Progress::new("point checked", points.len() as u64));
    let told = || {
        let seen = seen.fetch_add(1, Ordering::Relaxed) + 1;
        if let Ok(mut progress) = progress.lock() {
            progress.show(seen, String::new);
        }
    };
    Ok(batch.check(&points, jobs, stop, told)?)
}

fn report(batch: &Batch, scores: &[Score], args: &BatchArgs) {
    let runs: u64 = scores.iter().map(|score| score.runs).sum();
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let points = scores.len() as u64;
    say(&format!(
        "{}: {} run{} on {} point{}, a draw after {} ticks",
        batch.name(),
        grouped(runs),
        plural(runs),
        grouped(points),
        plural(points),
        grouped(batch.ticks())
    ));
    for line in lines(batch, scores) {
        say(&line);
    }
    let written: Vec<String> = args.csv.iter().map(|file| file.display().to_string()).collect();
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    let points = scores.iter().map(|score| Point::new(batch, score)).collect();
    let varied = batch.varies().iter().map(ToString::to_string).collect();
    let (scenario, shard) = (batch.name(), args.shard.to_string());
    result(&Report { scenario, ticks: batch.ticks(), shard, varied, runs, points, written });
}

/// The table for people.
fn lines(batch: &Batch, scores: &[Score]) -> Vec<String> {
    let armies = batch.armies();
    let mut head: Vec<String> = batch.varies().iter().map(|vary| vary.key.clone()).collect();
    head.push("runs".into());
    head.extend(armies.iter().map(|army| format!("{army} wins")));
    head.push("draws".into());
    if let Some(first) = armies.first() {
        head.extend([format!("{first} %"), "95 % interval".into(), "score %".into()]);
    }
    head.extend(["mean s", "median s", "survivors"].map(String::from));
    let mut rows = vec![head];
    for score in scores {
        let mut row: Vec<String> = score.values.iter().map(ToString::to_string).collect();
        row.push(grouped(score.runs));
        row.extend(score.wins.iter().map(|&wins| grouped(wins)));
        row.push(grouped(score.draws));
        if !armies.is_empty() {
            let (low, high) = score.interval(0);
            row.push(format!("{:.1}", 100.0 * score.rate(0)));
            row.push(format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high));
            row.push(format!("{:.1}", 100.0 * score.score(0)));
        }
        row.extend([score.seconds_mean, score.seconds_median].map(|seconds| format!("{seconds:.1}")));
        row.push(score.survivors_mean.map_or("-".into(), |mean| format!("{mean:.1}")));
        rows.push(row);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// The report of a batch for programs (`--json`).
#[derive(Serialize)]
struct Report<'a> {
    scenario: &'a str,
    ticks: u64,
    shard: String,
    varied: Vec<String>,
    runs: u64,
    points: Vec<Point<'a>>,
    written: Vec<String>,
}

#[derive(Serialize)]
struct Point<'a> {
    values: Map<String, Value>,
    runs: u64,
    draws: u64,
    armies: Vec<Chance<'a>>,
    seconds_mean: f64,
    seconds_median: f64,
    survivors_mean: Option<f64>,
}

/// How an army did on a point.
#[derive(Serialize)]
struct Chance<'a> {
    army: &'a str,
    wins: u64,
    rate: f64,
    low: f64,
    high: f64,
    score: f64,
}

impl<'a> Point<'a> {
    fn new(batch: &'a Batch, score: &Score) -> Self {
        let values = batch.varies().iter().zip(&score.values);
        let chance = |(army, name): (usize, &'a String)| {
            let (low, high) = score.interval(army);
            Chance { army: name, wins: score.wins[army], rate: score.rate(army), low, high, score: score.score(army) }
        };
        Self {
            values: values.map(|(vary, value)| (vary.key.clone(), json!(value.value()))).collect(),
            runs: score.runs,
            draws: score.draws,
            armies: batch.armies().iter().enumerate().map(chance).collect(),
            seconds_mean: score.seconds_mean,
            seconds_median: score.seconds_median,
            survivors_mean: score.survivors_mean,
        }
    }
}
