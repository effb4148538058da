//! `throng experiment`: crowds on trial.

use super::compare::svg;
use super::indices::{List, names};
use super::numbers::{default_threads, number, threads, whole};
use super::output::{JsonArgs, check_file, grouped, result, same_file, say};
use super::progress::Progress;
use super::stop::Stop;
use super::{CliError, Ended};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use throng::battle::Unit;
use throng::crowd::{Avoidance, AvoidanceSettings};
use throng::experiment::{
    CrowdFigures, CrowdKind, CrowdScene, DiagramFigures, DiagramSettings, ExperimentError, LanchesterBattle,
    LanchesterFigures, Law, Outcome, RVO2, lanchester, observe, ring_speed, weidmann, write_crowd_csv,
    write_diagram_csv, write_diagram_plot, write_lanchester_plot,
};
use throng::world::Settings;

/// Length of a tick (s).
const STEP: f32 = 0.1;

/// So often it is asked whether a signal has come.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

#[derive(Subcommand, Debug)]
pub(super) enum ExperimentCommand {
    /// How well crowds get through scenes that are hard for them
    Crowd(CrowdArgs),
    /// Speed against density in a corridor without end
    FundamentalDiagram(DiagramArgs),
    /// Survivors of the larger side of a battle, against Lanchester's laws
    Lanchester(LanchesterArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Every tick of 0.1 s is measured. Agents that arrive stay. Where no number of agents is given, the open scenes have 1000, \
blocks 100, door 500, corridor 300, corner 200, crossing 400.

Columns: agents that were at their goal in some frame; when half of those had arrived; their time over that of a straight \
walk; overlapping pairs per 1000 agents and frame (nearer than 98 % of both radii); their mean and greatest depth in % of \
both radii; mean change of velocity of those on their way (m/s2), which is how much they shake. The figures are means of \
the seeds; the row below is RVO2 2.0.2 with 10 neighbours within 5 m and a horizon of 2 s on a scene of the same kind with \
1000 agents, over 150 s.

Scenes: circle, armies, rand15, rand30, rand60 (open plain); blocks, door, corridor, corner, crossing (walls). The door \
adds the flow through it (agents per metre and second; pedestrians reach 1.2 to 2.0) and the longest time in which no agent \
got through; the corridor the order of its lanes (1 = no agent meets another in its lane).

Examples:
  throng experiment crowd
  throng experiment crowd --scenes circle,rand30 --seeds 1..5 --csv crowd.csv
  throng experiment crowd --scenes door,corridor --seeds 7
  throng experiment crowd --scenes door --door 1.2 --agents 200 --seeds 1..3")]
pub(super) struct CrowdArgs {
    /// Which scenes: names separated by commas, or all
    #[arg(long, value_name = "A,B,...", default_value = "circle,armies,rand15,rand30",
        value_parser = |text: &str| names(text, &CrowdKind::ALL))]
    scenes: List<CrowdKind>,
    /// How many agents
    #[arg(long, value_name = "N", value_parser = agents, allow_negative_numbers = true)]
    agents: Option<usize>,
    /// Width of the door in steps of 0.4 m (m) [default: 2]
    #[arg(long, value_name = "M", value_parser = |text: &str| number(text, 0.4, 20.0), allow_negative_numbers = true)]
    door: Option<f32>,
    /// The model by which all move: none, push, separation, social-force, orca or gap [default: that of the unit]
    #[arg(long, value_name = "KIND")]
    avoidance: Option<Avoidance>,
    /// Seeds of the scenes: one, or the first and the last, both counted
    #[arg(long, value_name = "A..B", default_value = "1..5", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Seeds,
    /// For how long each scene is watched (s) [default: 150; blocks 300, door 240]
    #[arg(long, value_name = "S", value_parser = |text: &str| number(text, 1.0, 100_000.0),
        allow_negative_numbers = true)]
    seconds: Option<f32>,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Write the figures of every scene and seed as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Pedestrians (radius 0.2 m, 1.34 m/s) walk round a ring-shaped corridor, 2.5 m wide and 63 m long in its middle. After \
20 s their mean speed is taken over 30 s. Beside it stands that of U. Weidmann, Transporttechnik der Fussgaenger, 1993:

  v = 1.34 (1 - exp(-1.913 (1/density - 1/5.4)))

Examples:
  throng experiment fundamental-diagram --plot diagram.svg
  throng experiment fundamental-diagram --densities 1,2,3 --csv diagram.csv")]
pub(super) struct DiagramArgs {
    /// Densities (agents per square metre)
    #[arg(long, value_name = "D,...", default_value = "0.25,0.5,0.75,1,1.5,2,2.5,3,3.5,4",
        value_parser = List::<f32>::of(0.05, 5.0), allow_hyphen_values = true)]
    densities: List<f32>,
    /// The model by which they move: none, push, separation, social-force, orca or gap [default: that of pedestrians]
    #[arg(long, value_name = "KIND")]
    avoidance: Option<Avoidance>,
    /// Seed of the places where they start
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Write the figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw speed against density (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Two sides of equal soldiers fight to the end, in unequal numbers. Square: two lines of soldiers that stand 6 m apart shoot \
at each other from 60 m, few shots hit, hits kill, and of A against B the root of A2 - B2 should be left. Linear: two \
columns meet in a corridor 16 m wide, one against one, five times as many, since the last ranks are surrounded in the end; \
and A - B should be left (F. W. Lanchester, Aircraft in Warfare, 1916). The figures are means of the seeds.

Examples:
  throng experiment lanchester --plot lanchester.svg
  throng experiment lanchester --soldiers 200 --odds 1.5,2 --seeds 1..20")]
pub(super) struct LanchesterArgs {
    /// Soldiers of the larger side where they shoot; hand to hand five times as many
    #[arg(long, value_name = "N", default_value = "120", value_parser = agents, allow_negative_numbers = true)]
    soldiers: usize,
    /// How many times as many the larger side has
    #[arg(long, value_name = "R,...", default_value = "1.25,1.5,2,3", value_parser = List::<f32>::of(1.01, 8.0),
        allow_hyphen_values = true)]
    odds: List<f32>,
    /// Seeds: one, or the first and the last, both counted
    #[arg(long, value_name = "A..B", default_value = "1..20", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Seeds,
    /// Threads [default: one a core]; results do not depend on them
    #[arg(long, value_name = "T", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,
    /// Draw the survivors against the odds (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The first and the last seed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seeds(u64, u64);

fn seeds(text: &str) -> Result<Seeds, String> {
    let range = match text.split_once("..") {
        Some((first, last)) => first.trim().parse().ok().zip(last.trim().parse().ok()),
        None => text.trim().parse().ok().map(|seed| (seed, seed)),
    };
    match range {
        Some((first, last)) if first <= last && last - first < 1000 => Ok(Seeds(first, last)),
        _ => Err("expected a seed, or two as in 1..5, at most 1000 of them".into()),
    }
}

fn agents(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(agents @ 8..=1_000_000) => Ok(agents),
        _ => Err("expected a whole number from 8 to 1000000".into()),
    }
}

pub(super) fn experiment(command: &ExperimentCommand) -> Result<Ended, CliError> {
    match command {
        ExperimentCommand::Crowd(args) => crowd(args),
        ExperimentCommand::FundamentalDiagram(args) => diagram(args),
        ExperimentCommand::Lanchester(args) => battles(args),
    }
}

/// Does jobs on threads, each by its number; the results are in their order, and where a signal stops it, those so far. Progress
/// is counted as so many of `unit`.
fn spread<T: Send + 'static>(
    unit: &'static str,
    jobs: usize,
    threads: usize,
    stop: &Stop,
    job: impl Fn(usize) -> Result<T, ExperimentError> + Send + Sync + 'static,
) -> Result<Vec<(usize, T)>, ExperimentError> {
    let (next, job) = (Arc::new(AtomicUsize::new(0)), Arc::new(job));
    let (tell, told) = mpsc::channel();
    // A job may take minutes, and none can be asked to stop: where a signal comes, they end with the program.
    for _ in 0..threads.min(jobs) {
        let (next, job, tell) = (Arc::clone(&next), Arc::clone(&job), tell.clone());
        std::thread::spawn(move || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= jobs || tell.send((number, job(number))).is_err() {
                    break;
                }
            }
        });
    }
    drop(tell);
    let (mut done, mut progress) = (Vec::with_capacity(jobs), Progress::new(unit, jobs as u64));
    while !stop.is_asked() {
        match told.recv_timeout(BETWEEN_LOOKS) {
            Ok(result) => done.push(result),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        progress.show(done.len() as u64, String::new);
    }
    progress.clear();
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(number, result)| Ok((number, result?))).collect()
}

fn settings(seed: u64, avoidance: Option<Avoidance>) -> Settings {
    let avoidance = AvoidanceSettings::new(avoidance.unwrap_or_default());
    // One world a thread: many small crowds are done sooner than one after the other on all threads.
    Settings { seed, step: STEP, threads: 1, max_ticks: u64::MAX, avoidance, ..Settings::default() }
}

fn crowd(args: &CrowdArgs) -> Result<Ended, CliError> {
    args.json.speak();
    if let Some(file) = &args.csv {
        check_file(file, "--csv")?;
    }
    let Seeds(first, last) = args.seeds;
    let threads = args.threads.unwrap_or_else(default_threads);
    let stop = Stop::watch("the figures");
    let mut all = Vec::new();
    for (i, &kind) in args.scenes.0.iter().enumerate() {
        let agents = args.agents.unwrap_or(kind.agents());
        let (door, avoidance) = (args.door, args.avoidance);
        let make = move |seed: u64| {
            let mut scene = match door {
                Some(width) if kind == CrowdKind::Door => {
                    CrowdScene::bottleneck(Unit::pedestrian(), width, agents, seed)?
                }
                _ => CrowdScene::new(kind, agents, seed)?,
            };
            scene.unit.avoidance = avoidance.or(scene.unit.avoidance);
            Ok::<CrowdScene, ExperimentError>(scene)
        };
        // Reports errors before anything is run.
        let scene = make(first)?;
        let seconds = args.seconds.unwrap_or(scene.seconds);
        let count = (last - first + 1) as usize;
        let outcomes = spread("seed", count, threads, &stop, move |number| {
            let seed = first + number as u64;
            observe(&make(seed)?, settings(seed, avoidance), seconds)
        })?;
        if outcomes.is_empty() {
            break;
        }
        if i > 0 {
            say("");
        }
        let which = if first == last { format!("seed {first}") } else { format!("seeds {first} to {last}") };
        say(&format!("{kind}: {} agents, {seconds} s, {which}", scene.len()));
        let row = |(number, outcome): &(usize, Outcome)| {
            CrowdFigures::new(kind, scene.len(), first + *number as u64, outcome)
        };
        all.extend(outcomes.iter().map(row));
        let outcomes: Vec<Outcome> = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
        for line in table(kind, &outcomes) {
            say(&line);
        }
    }
    stop.tell_rest(&format!("{} runs done", grouped(all.len() as u64)));
    let has_some = !all.is_empty();
    result(&all);
    if let Some(file) = args.csv.as_ref().filter(|_| has_some) {
        write_crowd_csv(&all, file)?;
        say(&format!("wrote {}", file.display()));
    }
    Ok(stop.ended())
}

/// The figures for people.
fn table(kind: CrowdKind, outcomes: &[Outcome]) -> Vec<String> {
    let head = ["", "arrived %", "t50 s", "time ratio", "pairs", "depth %", "max %", "accel"];
    let row = |name: &str, q: [f64; 7]| {
        let cells = q.iter().zip([1, 1, 2, 1, 1, 1, 2]).map(|(value, digits)| format!("{value:.digits$}"));
        std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    let mean = Outcome::mean(outcomes);
    let mut rows = vec![head.map(str::to_owned).to_vec(), row("throng", mean.quality.figures())];
    if let Some((_, figures)) = RVO2.iter().find(|(scene, _)| *scene == kind) {
        rows.push(row("RVO2", *figures));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}"));
        std::iter::once(format!("{:1$}", row[0], widths[0])).chain(cells).collect::<Vec<_>>().join("  ")
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if let Some(door) = mean.door {
        lines.push(format!(
            "door: {:.2} agents per metre and second; longest standstill {:.1} s",
            door.flow, door.standstill
        ));
    }
    if let Some(order) = mean.lanes {
        lines.push(format!("lanes: order {order:.2}"));
    }
    lines
}

fn diagram(args: &DiagramArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let outputs = [(&args.csv, "--csv"), (&args.plot, "--plot")];
    for (file, option) in outputs {
        if let Some(file) = file {
            check_file(file, option)?;
        }
    }
    if let (Some(csv), Some(plot)) = (&args.csv, &args.plot)
        && same_file(csv, plot)
    {
        return Err(CliError::Twice { file: plot.clone(), option: "--plot", other: "--csv" });
    }
    let threads = args.threads.unwrap_or_else(default_threads);
    let (densities, seed, avoidance) = (args.densities.0.clone(), args.seed, args.avoidance);
    let stop = Stop::watch("the figures");
    let figures = spread("density", densities.len(), threads, &stop, move |number| {
        ring_speed(&DiagramSettings { density: densities[number], seed, avoidance, ..DiagramSettings::default() })
    })?;
    let figures: Vec<DiagramFigures> = figures.into_iter().map(|(_, figures)| figures).collect();
    stop.tell_rest(&format!("{} densities done", grouped(figures.len() as u64)));
    say("agents  per m²  speed m/s  Weidmann  difference  overlapping pairs");
    for row in &figures {
        let expected = weidmann(row.density);
        say(&format!(
            "{:>6}  {:>6.2}  {:>9.3}  {:>8.3}  {:>9.0} %  {:>17.1}",
            row.agents,
            row.density,
            row.speed,
            expected,
            100.0 * (row.speed / expected - 1.0),
            row.pairs
        ));
    }
    let has_some = !figures.is_empty();
    result(&figures);
    let mut written = Vec::new();
    if let Some(file) = args.csv.as_ref().filter(|_| has_some) {
        write_diagram_csv(&figures, file)?;
        written.push(file.display().to_string());
    }
    if let Some(file) = args.plot.as_ref().filter(|_| has_some) {
        write_diagram_plot(&figures, file)?;
        written.push(file.display().to_string());
    }
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    Ok(stop.ended())
}

fn battles(args: &LanchesterArgs) -> Result<Ended, CliError> {
    args.json.speak();
    if let Some(file) = &args.plot {
        check_file(file, "--plot")?;
    }
    let threads = args.threads.unwrap_or_else(default_threads);
    let Seeds(first, last) = args.seeds;
    let count = (last - first + 1) as usize;
    let shooting = args.soldiers;
    let soldiers = move |law: Law| if law == Law::Linear { 5 * shooting } else { shooting };
    let fewer = |law: Law, odds: f32| ((soldiers(law) as f32 / odds).round() as usize).max(1);
    let points: Vec<(Law, usize)> =
        Law::ALL.into_iter().flat_map(|law| args.odds.0.iter().map(move |&odds| (law, fewer(law, odds)))).collect();
    let stop = Stop::watch("the figures");
    let figures = spread("battle", points.len() * count, threads, &stop, move |number| {
        let ((law, fewer), seed) = (points[number / count], first + (number % count) as u64);
        lanchester(&LanchesterBattle { law, more: soldiers(law), fewer, seed })
    })?;
    say("law     soldiers  survivors  by the law  difference  seconds");
    for battles in figures.chunk_by(|(one, _), (other, _)| one / count == other / count) {
        let mean = |of: &dyn Fn(&LanchesterFigures) -> f64| {
            battles.iter().map(|(_, battle)| of(battle)).sum::<f64>() / battles.len() as f64
        };
        let (left, seconds) = (mean(&|battle| f64::from(battle.survivors)), mean(&|battle| battle.seconds));
        let LanchesterFigures { law, more, fewer, expected, .. } = battles[0].1;
        let law = law.map(|law| law.to_string()).unwrap_or_default();
        let difference = 100.0 * (left / expected - 1.0);
        say(&format!(
            "{law:<6}  {:>8}  {left:>9.1}  {expected:>10.1}  {difference:>8.1} %  {seconds:>7.1}",
            format!("{more}:{fewer}")
        ));
    }
    stop.tell_rest(&format!("{} battles done", grouped(figures.len() as u64)));
    let figures: Vec<LanchesterFigures> = figures.into_iter().map(|(_, battle)| battle).collect();
    let has_some = !figures.is_empty();
    result(&figures);
    if let Some(file) = args.plot.as_ref().filter(|_| has_some) {
        write_lanchester_plot(&figures, file)?;
        say(&format!("wrote {}", file.display()));
    }
    Ok(stop.ended())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_one_or_a_range() {
        assert_eq!(seeds("7"), Ok(Seeds(7, 7)));
        assert_eq!(seeds("1..5"), Ok(Seeds(1, 5)));
        for text in ["", "5..1", "1..", "a", "1..2..3", "0..1000", "-1"] {
            assert_eq!(seeds(text), Err("expected a seed, or two as in 1..5, at most 1000 of them".into()), "{text}");
        }
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let squares = spread("number", 20, 3, &Stop::default(), |number| Ok(number * number)).unwrap();
        assert_eq!(squares, (0..20).map(|number| (number, number * number)).collect::<Vec<_>>());
    }
}
