//! `throng run`: without a window.

use super::file_kind::{self, Wanted};
use super::numbers::{default_threads, number, threads, whole};
use super::output::{JsonArgs, grouped, note, result, say, tell};
use super::pictures::{PictureArgs, Pictures, theme_of};
use super::progress::{Progress, busy};
use super::record::{Record, Sinks};
use super::records::RecordArgs;
use super::snapshots::{self, SnapshotArgs, Snapshots};
use super::stop::Stop;
use super::{CliError, Ended};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use throng::battle::Unit;
use throng::crowd::{Avoidance, AvoidanceSettings, Orca};
use throng::record::{Summary, Theme, Timings};
use throng::scenario::{CrowdTable, Scenario, Warning};
use throng::spatial::IndexSpec;
use throng::world::{ArmySpec, Resume, Settings, Verdict, World};

/// Ticks of a crowd where nothing else is said.
const CROWD_TICKS: u64 = 1500;

#[derive(Args, Debug)]
#[command(after_help = "\
Writes NAME.gif (NAME.apng with --film apng, NAME.y4m with --film y4m), NAME.png and NAME.json into the output folder, where NAME is that of the \
scenario or crowd file. Ctrl-C, SIGTERM and SIGHUP stop after the tick in progress and write what there is; a second Ctrl-C ends at once.

With --snapshot-every or --snapshot the whole world is kept in a file, and --resume goes on from there to the same end. \
NAME.json is then that of the whole battle, but for the times of ticks. With the same options, the files of --record, \
--statistics, --squads and --trajectories go on where the snapshot was, and become those of a run in one piece; pictures and \
--plot begin there.

Examples:
  throng run examples/siege.toml
  throng run examples/siege.toml --ticks 300 --seed 7 --threads 2 --out out
  throng run examples/siege.toml --avoidance push --squads squads.csv
  throng run examples/station.toml --ticks 600 --why 0,17
  throng run examples/siege.toml --statistics siege.csv --no-pictures
  throng run examples/siege.toml --trajectories siege.sqlite --trajectories-every 5
  throng run examples/siege.toml --record siege.throng --every 2
  throng run --agents crowd.csv --tick 0.1 --ticks 1500 --trajectories run.txt
  throng run examples/siege.toml --snapshot-every 500
  throng run examples/siege.toml --resume out/siege.snapshot

A crowd file has the header x,y,goal_x,goal_y and one agent a row, in metres.")]
#[group(id = "what", required = true, multiple = false, args = ["scenario", "agents"])]
pub(super) struct RunArgs {
    /// A scenario file (.toml)
    scenario: Option<PathBuf>,
    /// A crowd instead of a scenario: a CSV file of starts and goals on an open plain
    #[arg(long, value_name = "FILE")]
    agents: Option<PathBuf>,
    /// Stop after so many ticks [default: max_ticks of the scenario, 1500 for a crowd]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    ticks: Option<u64>,
    /// Seed of everything random [default: that of the scenario, 1 for a crowd]
    #[arg(long, value_name = "S", value_parser = whole, allow_negative_numbers = true, conflicts_with = "resume")]
    seed: Option<u64>,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// How agents avoid each other: none, push, separation, social-force, orca or gap; units that name their own keep it
    /// [default: that of the scenario, orca for a crowd]
    #[arg(long, value_name = "KIND", conflicts_with = "resume")]
    avoidance: Option<Avoidance>,
    /// Spatial index that finds neighbours; throng indices --help lists them [default: that of the scenario, grid for a crowd]
    #[arg(long, value_name = "KIND")]
    index: Option<IndexSpec>,
    /// Say of these agents at the end why they stand still; agents are numbered from 0 in the order in which they come, those of the file first
    #[arg(long, value_name = "AGENT,...", value_delimiter = ',', value_parser = agent, allow_negative_numbers = true)]
    why: Vec<u32>,
    #[command(flatten)]
    pictures: PictureArgs,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    snapshots: SnapshotArgs,
    #[command(flatten)]
    crowd: CrowdArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Crowds (with --agents)")]
struct CrowdArgs {
    /// Length of a tick (s)
    #[arg(long, value_name = "S", default_value_t = 0.1, conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.001, 10.0), allow_negative_numbers = true)]
    tick: f32,
    /// Unit that walks: pedestrian or soldier, as scenarios know them
    #[arg(long, value_name = "UNIT", default_value = "pedestrian", value_parser = preset,
        conflicts_with_all = ["scenario", "resume"])]
    unit: Unit,
    /// Radius of an agent (m) [default: that of its unit]
    #[arg(long, value_name = "M", conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.05, 10.0), allow_negative_numbers = true)]
    radius: Option<f32>,
    /// Mean of the speeds that agents like to walk at (m/s) [default: that of the unit]
    #[arg(long, value_name = "M/S", conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.0, 100.0), allow_negative_numbers = true)]
    speed: Option<f32>,
    /// Greatest speed (m/s) [default: that of the unit]
    #[arg(long, value_name = "M/S", conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.0, 100.0), allow_negative_numbers = true)]
    top_speed: Option<f32>,
    /// Neighbours an agent takes care of
    #[arg(long, value_name = "K", default_value_t = Orca::default().k, conflicts_with_all = ["scenario", "resume"],
        value_parser = neighbours, allow_negative_numbers = true)]
    neighbours: usize,
    /// How far away neighbours may be (m)
    #[arg(long, value_name = "M", default_value_t = Orca::default().reach, conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.01, 1000.0), allow_negative_numbers = true)]
    reach: f32,
    /// How far ahead collisions are avoided (s)
    #[arg(long, value_name = "S", default_value_t = Orca::default().horizon, conflicts_with_all = ["scenario", "resume"],
        value_parser = |text: &str| number(text, 0.01, 1000.0), allow_negative_numbers = true)]
    horizon: f32,
}

impl CrowdArgs {
    /// The unit that walks.
    fn walker(&self) -> Result<Unit, CliError> {
        let unit = self.unit.clone();
        let (speed, top_speed) = (self.speed.unwrap_or(unit.speed), self.top_speed.unwrap_or(unit.top_speed));
        if top_speed < speed {
            return Err(CliError::TopSpeed { speed, top_speed });
        }
        Ok(Unit { radius: self.radius.unwrap_or(unit.radius), speed, top_speed, ..unit })
    }
}

fn preset(name: &str) -> Result<Unit, String> {
    let presets = Unit::presets();
    let expected = format!("expected {} or {}", presets[1].name, presets[0].name);
    presets.into_iter().find(|unit| unit.name == name).ok_or(expected)
}

fn neighbours(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(neighbours @ 1..=255) => Ok(neighbours),
        _ => Err("expected a whole number from 1 to 255".into()),
    }
}

fn agent(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected whole numbers from 0, as in 0,17".into())
}

pub(super) fn warn(warnings: &[Warning]) {
    for warning in warnings {
        tell("warning", &warning.to_string());
    }
}

pub(super) fn run(args: &RunArgs) -> Result<Ended, CliError> {
    args.json.speak();
    match (&args.scenario, &args.agents) {
        (_, Some(agents)) => run_crowd(agents, args),
        (Some(path), None) => {
            file_kind::check(path, Wanted::Scenario)?;
            let (mut scenario, warnings) = busy("reading the map", || Scenario::load(path))?;
            warn(&warnings);
            scenario.settings.seed = args.seed.unwrap_or(scenario.settings.seed);
            if let Some(avoidance) = args.avoidance {
                scenario.set_avoidance(avoidance);
            }
            if let Some(index) = args.index {
                scenario.settings.index = index.into();
            }
            let threads = args.threads.unwrap_or_else(default_threads);
            let pictures = args.pictures.pictures(theme_of(&scenario));
            if let Some(resume) = &args.snapshots.resume {
                return resume_scenario(&scenario, resume, threads, pictures, args);
            }
            args.records.check(&[&scenario.file, &scenario.map])?;
            let record = Record::prepare(&scenario.file, &[&scenario.file, &scenario.map], &args.out, pictures)?;
            let snapshots = args.snapshots.prepare(&record, &[&scenario.file, &scenario.map])?;
            args.records.check_apart(&record, snapshots.file())?;
            run_recorded(scenario, args.ticks, threads, &record, snapshots, Some(args))
        }
        // clap sees to it that one of them is there.
        (None, None) => Ok(Ended::Well),
    }
}

/// Runs a scenario to its end, or for so many ticks.
pub(super) fn run_scenario(
    scenario: Scenario,
    ticks: Option<u64>,
    threads: usize,
    out: &Path,
    pictures: Option<Pictures>,
) -> Result<Ended, CliError> {
    let record = Record::prepare(&scenario.file, &[&scenario.file, &scenario.map], out, pictures)?;
    run_recorded(scenario, ticks, threads, &record, Snapshots::default(), None)
}

fn run_recorded(
    mut scenario: Scenario,
    ticks: Option<u64>,
    threads: usize,
    record: &Record,
    snapshots: Snapshots,
    args: Option<&RunArgs>,
) -> Result<Ended, CliError> {
    let ticks = ticks.unwrap_or(scenario.settings.max_ticks);
    // More ticks than the file allows are allowed here.
    scenario.settings.max_ticks = scenario.settings.max_ticks.max(ticks);
    let mut world = busy("making the world", || scenario.build(threads))?;
    let mut sinks = record.sinks(&world)?;
    if let Some(args) = args {
        sinks.all.extend(args.records.sinks(&scenario.name, &scenario.squad_names, &mut world, None)?);
    }
    let (json, why) = (record.json(), args.map_or_else(Vec::new, |args| args.why.clone()));
    drive(Job { name: scenario.name, threads, ticks, world, sinks, snapshots, json, why })
}

/// Goes on with a scenario from a snapshot.
fn resume_scenario(
    scenario: &Scenario,
    from: &Path,
    threads: usize,
    pictures: Option<Pictures>,
    args: &RunArgs,
) -> Result<Ended, CliError> {
    let inputs = [&*scenario.file, &*scenario.map];
    args.records.check(&[&inputs[..], &[from]].concat())?;
    let record = Record::prepare(&scenario.file, &[&inputs[..], &[from]].concat(), &args.out, pictures)?;
    let snapshots = args.snapshots.prepare(&record, &inputs)?;
    args.records.check_apart(&record, snapshots.file())?;
    let resume = Resume { threads, index: args.index.map(Into::into), map: Some(&scenario.grid), ..Resume::default() };
    let count = |army: &ArmySpec| army.squads.iter().map(|squad| squad.positions.len()).sum();
    let armies: Vec<_> = scenario.armies.iter().map(|army| (&*army.name, army.squads.len(), count(army))).collect();
    let (mut world, notes, ticks) =
        busy("reading the snapshot", || snapshots::go_on(from, &scenario.file, resume, &armies, args.ticks))?;
    let mut sinks = record.sinks(&world)?;
    sinks.all.extend(args.records.sinks(&scenario.name, &scenario.squad_names, &mut world, None)?);
    busy("going on with the records", || sinks.go_on(world.ticks(), &notes))?;
    let (name, json, why) = (scenario.name.clone(), record.json(), args.why.clone());
    drive(Job { name, threads, ticks, world, sinks, snapshots, json, why })
}

fn run_crowd(path: &Path, args: &RunArgs) -> Result<Ended, CliError> {
    let unit = args.crowd.walker()?;
    file_kind::check(path, Wanted::Crowd)?;
    let crowd = CrowdTable::load(path)?;
    let pictures = args.pictures.pictures(Theme::default()).map(|pictures| pictures.on_plain(crowd.origin()));
    let resume = args.snapshots.resume.as_deref();
    let inputs: Vec<&Path> = [path].into_iter().chain(resume).collect();
    args.records.check(&inputs)?;
    let record = Record::prepare(path, &inputs, &args.out, pictures)?;
    let snapshots = args.snapshots.prepare(&record, &[path])?;
    args.records.check_apart(&record, snapshots.file())?;
    let mut avoidance = AvoidanceSettings::new(args.avoidance.unwrap_or_default());
    avoidance.orca.k = args.crowd.neighbours;
    avoidance.orca.reach = args.crowd.reach;
    avoidance.orca.horizon = args.crowd.horizon;
    let seed = args.seed.unwrap_or(1);
    let threads = args.threads.unwrap_or_else(default_threads);
    let settings = Settings {
        seed,
        step: args.crowd.tick,
        max_ticks: u64::MAX,
        threads,
        index: args.index.unwrap_or_default().into(),
        avoidance,
        ..Settings::default()
    };
    let (mut world, notes, ticks) = match resume {
        None => (crowd.build(unit, settings)?, None, args.ticks.unwrap_or(CROWD_TICKS)),
        Some(from) => {
            let plain = crowd.plain();
            let how = Resume { threads, index: args.index.map(Into::into), map: Some(&plain), ..Resume::default() };
            let ticks = Some(args.ticks.unwrap_or(CROWD_TICKS));
            let armies = [(CrowdTable::ARMY, 0, crowd.len())];
            let (world, notes, ticks) =
                busy("reading the snapshot", || snapshots::go_on(from, path, how, &armies, ticks))?;
            (world, Some(notes), ticks)
        }
    };
    let mut sinks = record.sinks(&world)?;
    let plain = Some((crowd.origin(), crowd.size()));
    sinks.all.extend(args.records.sinks(&record.stem, &[], &mut world, plain)?);
    if let Some(notes) = notes {
        busy("going on with the records", || sinks.go_on(world.ticks(), &notes))?;
    }
    let (name, json, why) = (record.stem.clone(), record.json(), args.why.clone());
    drive(Job { name, threads, ticks, world, sinks, snapshots, json, why })
}

/// A run that is ready to go.
#[derive(Debug)]
struct Job {
    name: String,
    threads: usize,
    /// The most ticks.
    ticks: u64,
    world: World,
    sinks: Sinks,
    snapshots: Snapshots,
    json: PathBuf,
    /// Agents of which to say why they do not move.
    why: Vec<u32>,
}

/// Runs until the battle is decided, the ticks are done or a signal asks for the end; writes the records; says how it went.
fn drive(job: Job) -> Result<Ended, CliError> {
    let Job { name, threads, ticks, mut world, mut sinks, snapshots, json, why } = job;
    let stop = Stop::watch("the run");

    let mut timings = Timings::default();
    let mut progress = Progress::new("tick", ticks);
    let mut ran = sinks.show(&world);
    while ran.is_ok() && world.ticks() < ticks && world.verdict().is_none() && !stop.is_asked() {
        ran = world.tick().map_err(CliError::from);
        if ran.is_ok() {
            timings.add(world.profile());
            ran = sinks.show(&world);
        }
        if ran.is_ok() {
            ran = snapshots.tick(&world, &mut sinks);
        }
        progress.show(world.ticks(), || format!("{} agents", grouped(world.agents() as u64)));
    }
    progress.clear();
    // A signal that comes while the records are written changes nothing: they are whole.
    let ended = stop.ended();
    if ended != Ended::Well {
        note(&format!("stopped by {} after tick {}; writing what there is", stop.name(), world.ticks()));
    }

    // Also after an error: the record until then is kept.
    let mut written = Vec::new();
    match snapshots.end(&world, &mut sinks) {
        Ok(snapshot) => written.extend(snapshot),
        Err(error) => fail(&mut ran, error),
    }
    for entry in sinks.all {
        match entry.sink.finish() {
            Ok(path) => written.push(path),
            Err(error) => fail(&mut ran, error.into()),
        }
    }
    let summary = Summary::new(&name, world.settings().seed, threads, &world, &timings);
    match summary.write(&json) {
        Ok(()) => written.push(json),
        Err(error) => fail(&mut ran, error.into()),
    }
    report(&summary, &world, &why, &written);
    ran?;
    Ok(ended)
}

/// Another failure: the first one ends the program, those after it are told at once.
fn fail(ran: &mut Result<(), CliError>, error: CliError) {
    if ran.is_ok() {
        *ran = Err(error);
    } else {
        tell("error", &error.to_string());
    }
}

fn report(summary: &Summary, world: &World, why: &[u32], written: &[PathBuf]) {
    say(&format!(
        "{}: {} agents, seed {}, {} thread{}",
        summary.scenario,
        grouped(summary.agents),
        summary.seed,
        summary.threads,
        if summary.threads == 1 { "" } else { "s" }
    ));
    let ticks = format!("{} ticks ({:.1} s)", grouped(summary.ticks), world.seconds());
    say(&match (&summary.winner, world.verdict()) {
        (Some(winner), Some(Verdict::Winner(_))) => format!("{winner} won after {ticks}"),
        (_, Some(_)) => format!("a draw after {ticks}"),
        _ if !world.has_opponents() => format!("ran {ticks}"),
        _ => format!("undecided after {ticks}"),
    });
    if summary.alive.len() > 1 || world.armies().iter().any(|army| army.left + army.routed > 0) {
        for army in world.armies() {
            let some = |count: u32, what| if count == 0 { String::new() } else { format!(" {count:>9} {what}") };
            let (routed, left) = (some(army.routed, "routed"), some(army.left, "left"));
            say(&format!("  {:16} {:>9} alive {:>9} dead{routed}{left}", army.name, army.alive, army.dead()));
        }
    }
    for mission in &summary.missions {
        let left = match (mission.done, mission.objective.as_str()) {
            (true, _) => "done".to_owned(),
            (false, "kill") => format!("{} left to kill", mission.left),
            (false, _) => format!("{:.1} s to go", mission.left),
        };
        say(&format!("  {:16} {}: {left}", mission.army, mission.objective));
    }
    if !summary.standing.is_empty() {
        let counts = summary.standing.iter().map(|(name, count)| format!("{} {name}", grouped(*count)));
        say(&format!("standing: {}", counts.collect::<Vec<_>>().join(", ")));
    }
    let why: Vec<String> = why.iter().map(|&number| explained(world, number)).collect();
    for line in &why {
        say(line);
    }
    let ms = summary.tick_ms;
    say(&format!("tick: {:.2} ms median, {:.2} ms p99, {:.2} ms worst", ms.median, ms.p99, ms.worst));
    let files: Vec<_> = written.iter().map(|path| path.display().to_string()).collect();
    if !files.is_empty() {
        say(&format!("wrote {}", files.join(", ")));
    }
    result(&Report { summary, why, written: files });
}

/// The report of a run for programs.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    why: Vec<String>,
    written: Vec<String>,
}

/// Why an agent stands still.
fn explained(world: &World, number: u32) -> String {
    match world.crowd().numbered(number).and_then(|id| world.why(id)) {
        Some(standing) => format!("agent {number} {}", standing.told(world)),
        None if number < world.crowd().arrivals() => format!("agent {number} is gone"),
        None => format!("there is no agent {number}"),
    }
}
