//! `throng compare`: planners against each other.

use super::compare_window::{CompareWindowArgs, show, side_by_side};
use super::file_kind::{self, Wanted};
use super::numbers::whole;
use super::output::{check_file, check_not_read, grouped, result, same_file, say, speak_json, tell};
use super::progress::{Progress, busy};
use super::stop::Stop;
use super::unit::UnitArgs;
use super::{CliError, Ended};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng::compare::{
    Comparison, Contender, Figures, Settings, compare as measure, random_trips, scen_trips, write_csv, write_json,
    write_plot,
};
use throng::grid::Ground;
use throng::plan::{PlanError, PlannerChoice, Query};

#[derive(Args, Debug)]
#[command(after_help = "\
All planners answer the same queries, in turns and in several rounds of which the quickest counts. Every route is \
checked: where a planner breaks its promise (a legal route, the optimal cost or a bounded one, the optimal length of the \
query file), it is said and the exit code is 1. Whatever else is wrong ends with 2.

Columns: time a query (mean, median, 99th percentile), nodes expanded, cost over the optimal cost, routes that cost no \
more than the optimal one, memory (- of planners of other crates, which allocate it for themselves in each search), time to make tables beforehand. Of planners that report a first route, or the first part of one, before they are done: \
its time, its length in steps, and its cost over that of the whole route in the end. Routes at any angle (theta, lazy-theta) may cost less than the optimal route of the grid. throng plan --help lists \
the planners.

Examples:
  throng compare maps/town.map
  throng compare maps/caverns.map --planners astar,weighted-astar:1,1.5
  throng compare maps/town.map --planners all --csv figures.csv --plot plot.svg
  throng compare maps/town.map --queries 50 --json
  throng compare arena2.map --scen arena2.map.scen
  throng compare maps/town.map --terrain 1,3 --steps four
  throng compare arena2.map --scen arena2.map.scen --window
  throng compare maps/fortress.map --window --planners dijkstra,astar,jps")]
pub(super) struct CompareArgs {
    /// A map: Moving AI .map, or .png with dark walls (brightness below 128 of 255)
    map: PathBuf,
    /// Take the queries from a Moving AI query file, and check its optimal lengths [default: random queries]
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,
    /// How many queries; of a query file at most so many, evenly from all of it
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = |text: &str| count(text, 100_000), allow_negative_numbers = true)]
    queries: usize,
    /// Seed of random queries and of the order in which they are asked
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Planners to compare: names separated by commas, or all [default: all but those of other crates]
    #[arg(long, value_name = "A,B,...", value_parser = Planners::parse)]
    planners: Option<Planners>,
    /// How often each query is asked; the least of the times counts
    #[arg(long, value_name = "N", default_value_t = 3,
        value_parser = |text: &str| count(text, 1000), allow_negative_numbers = true)]
    rounds: usize,
    /// Write the figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the figures as a list of objects; without FILE, print them instead of the table
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Draw time against length of the route (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    reading: super::map::Reading,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    shown: CompareWindowArgs,
}

/// The name that stands for standard output.
const PRINTED: &str = "-";

/// The planners to compare.
#[derive(Clone, Debug, PartialEq)]
struct Planners(Vec<PlannerChoice>);

impl Planners {
    /// The planners whose names pass.
    fn known(pass: impl Fn(&str) -> bool) -> Self {
        Self(PlannerChoice::NAMES.iter().filter(|name| pass(name)).filter_map(|name| name.parse().ok()).collect())
    }

    /// All of our own.
    fn ours() -> Self {
        Self::known(|name| !["pathfinding-", "petgraph-"].iter().any(|others| name.starts_with(others)))
    }

    fn parse(text: &str) -> Result<Self, String> {
        if text.trim().eq_ignore_ascii_case("all") {
            return Ok(Self::known(|_| true));
        }
        // A number goes on with what the last planner takes, as in weighted-astar:1,1.5.
        let goes_on = |part: &str| part.starts_with(|c: char| !c.is_alphabetic()) || part.parse::<f64>().is_ok();
        let mut names: Vec<String> = Vec::new();
        for part in text.split(',').map(str::trim) {
            match names.last_mut() {
                Some(name) if name.contains(':') && goes_on(part) => {
                    name.push(',');
                    name.push_str(part);
                }
                _ => names.push(part.to_owned()),
            }
        }
        let mut choices = Vec::with_capacity(names.len());
        for name in names {
            if name.is_empty() {
                return Err("expected names separated by commas, as in astar,dijkstra".into());
            }
            if name.eq_ignore_ascii_case("all") {
                return Err("all means every planner; name it alone".into());
            }
            let choice: PlannerChoice = name.parse().map_err(|error: PlanError| error.to_string())?;
            if choices.contains(&choice) {
                return Err(format!("the planner {choice} is named twice"));
            }
            choices.push(choice);
        }
        Ok(Self(choices))
    }
}

fn count(text: &str, most: usize) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(format!("expected a whole number from 1 to {most}")),
    }
}

pub(super) fn svg(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    let is_svg = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(file) } else { Err("expected a name that ends in .svg".into()) }
}

pub(super) fn compare(args: &CompareArgs) -> Result<Ended, CliError> {
    if args.json.as_deref() == Some(Path::new(PRINTED)) {
        speak_json();
    }
    check_outputs(args)?;
    args.scen.iter().try_for_each(|queries| file_kind::check(queries, Wanted::Queries))?;
    let grid = super::map::read(&args.map, &args.reading.options()?)?.grid;
    let ground = busy("measuring the ground", || args.unit.ground(grid))?;
    if args.shown.window {
        let planners = args.planners.clone().map_or_else(side_by_side, |planners| planners.0);
        if show(&args.map, &ground, planners, (args.scen.as_deref(), args.seed), &args.shown)? {
            return Ok(Ended::Well);
        }
    }
    let trips = match &args.scen {
        Some(file) => scen_trips(&ground, file, args.queries)?,
        None => random_trips(&ground, args.queries, args.seed)?,
    };

    let query = Query::new(trips[0].from, trips[0].to);
    let choices = args.planners.clone().unwrap_or_else(Planners::ours).0;
    let (contenders, left_out) =
        busy("making the planners' tables", || enlist(&choices, &ground, &query, args.planners.is_some()))?;

    let stop = Stop::watch("the figures");
    let (mut progress, mut answers) = (Progress::new("answer", 0), 0);
    let settings = Settings { seed: args.seed, rounds: args.rounds };
    let compared = measure(&ground, &contenders, &trips, &settings, &mut |done, of| {
        answers = done;
        progress.of(of as u64);
        progress.show(done as u64, String::new);
        stop.goes_on()
    });
    progress.clear();
    let comparison = compared?;
    stop.tell_rest(&format!("{} answers", grouped(answers as u64)));
    if comparison.scores.iter().all(|score| score.answers.is_empty()) && stop.is_asked() {
        return Ok(stop.ended());
    }
    let figures: Vec<_> = comparison.scores.iter().map(Figures::of).collect();

    let lattice = ground.lattice();
    say(&format!("map      {}, {} x {} cells", args.map.display(), lattice.width, lattice.height));
    let from = args.scen.as_ref().map_or("random".into(), |file| file.display().to_string());
    let rounds = if args.rounds == 1 { "round" } else { "rounds" };
    let queries = grouped(trips.len() as u64);
    say(&format!("queries  {queries}, {from}; seed {}, {} {rounds}", args.seed, args.rounds));
    say("");
    let remark = |contender: &Contender| Some(format!("{}: {}", contender.name, contender.planner.remark()?));
    let remarks: Vec<_> = contenders.iter().filter_map(remark).collect();
    for line in table(&figures).iter().chain(&left_out).chain(&remarks) {
        say(line);
    }
    let written = write(args, &comparison, &figures)?;
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    result(&figures);
    for breach in &comparison.breaches {
        tell("broken promise", &breach.to_string());
    }
    Ok(if comparison.breaches.is_empty() { stop.ended() } else { Ended::Broken })
}

/// The planners made for the ground, and a line for each that lacks a needed capability; that is an error where it was
/// `named`.
fn enlist(
    choices: &[PlannerChoice],
    ground: &Arc<Ground>,
    query: &Query,
    named: bool,
) -> Result<(Vec<Contender>, Vec<String>), PlanError> {
    let (mut contenders, mut left_out) = (Vec::new(), Vec::new());
    for choice in choices {
        let takes = |contender: Contender| contender.takes(ground, query).map(|()| contender);
        match Contender::new(choice, ground).and_then(takes) {
            Ok(contender) => contenders.push(contender),
            Err(error) if !named => left_out.push(format!("left out: {choice}: {error}")),
            Err(error) => return Err(error),
        }
    }
    Ok((contenders, left_out))
}

/// The files that are asked for, each with its option.
fn outputs(args: &CompareArgs) -> impl Iterator<Item = (&Path, &'static str)> {
    let all = [(&args.csv, "--csv"), (&args.json, "--json"), (&args.plot, "--plot")];
    let files = all.into_iter().filter_map(|(file, option)| Some((file.as_deref()?, option)));
    files.filter(|&(file, option)| option != "--json" || file != Path::new(PRINTED))
}

/// Reports before the run files that cannot be written.
fn check_outputs(args: &CompareArgs) -> Result<(), CliError> {
    let inputs: Vec<&Path> =
        [Some(&args.map), args.scen.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
    for (i, (file, option)) in outputs(args).enumerate() {
        if let Some((_, other)) = outputs(args).take(i).find(|(earlier, _)| same_file(earlier, file)) {
            return Err(CliError::Twice { file: file.to_path_buf(), option, other });
        }
        check_file(file, option)?;
        check_not_read(file, option, &inputs)?;
    }
    Ok(())
}

/// Writes the requested files; returns the names.
fn write(args: &CompareArgs, comparison: &Comparison, figures: &[Figures]) -> Result<Vec<String>, CliError> {
    let mut written = Vec::new();
    for (file, option) in outputs(args) {
        match option {
            "--csv" => write_csv(figures, file)?,
            "--json" => write_json(figures, file)?,
            _ => write_plot(comparison, &title(args, comparison), file)?,
        }
        written.push(file.display().to_string());
    }
    Ok(written)
}

fn title(args: &CompareArgs, comparison: &Comparison) -> String {
    let map = args.map.file_name().unwrap_or(args.map.as_os_str()).to_string_lossy();
    format!("{map}: {} queries", grouped(comparison.lengths.len() as u64))
}

/// The figures for people.
fn table(figures: &[Figures]) -> Vec<String> {
    let mut rows = vec![vec![
        "planner".to_owned(),
        "mean µs".into(),
        "p50 µs".into(),
        "p99 µs".into(),
        "expanded".into(),
        "cost ratio".into(),
        "optimal".into(),
        "bytes".into(),
        "prepared ms".into(),
    ]];
    for row in figures {
        rows.push(vec![
            row.planner.clone(),
            time(row.mean_us),
            time(row.p50_us),
            time(row.p99_us),
            grouped(row.expanded.round() as u64),
            format!("{:.4}", row.cost_ratio),
            format!("{} of {}", row.optimal, row.queries),
            row.bytes.map_or_else(|| "-".to_owned(), |bytes| grouped(bytes as u64)),
            format!("{:.1}", row.preprocess_ms),
        ]);
    }
    if figures.iter().any(|row| row.first_us.is_some()) {
        rows[0].extend(["first µs", "steps", "cost"].map(String::from));
        for (row, figures) in rows[1..].iter_mut().zip(figures) {
            let shown = |figure: Option<f64>, show: fn(f64) -> String| figure.map_or("-".into(), show);
            row.push(shown(figures.first_us, time));
            row.push(shown(figures.first_steps, |steps| format!("{steps:.0}")));
            row.push(shown(figures.first_cost, |cost| format!("{cost:.2}")));
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let name = format!("{:1$}", row[0], widths[0]);
        let cells = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}"));
        std::iter::once(name).chain(cells).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// Four digits or so, the thousands set apart.
fn time(us: f64) -> String {
    if us < 99.95 { format!("{us:.1}") } else { grouped(us.round() as u64) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_planners() {
        let names = |text: &str| {
            Planners::parse(text).map(|list| list.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names("astar"), Ok("astar".into()));
        assert_eq!(
            names("weighted-astar:1,1.5, dijkstra,weighted-astar"),
            Ok("weighted-astar:1,1.5 dijkstra weighted-astar:1,2".into())
        );
        assert_eq!(names("all").map(|names| names.split(' ').count()), Ok(PlannerChoice::NAMES.len()));
        assert_eq!(names("astar,astar"), Err("the planner astar is named twice".into()));
        assert_eq!(
            names("weighted-astar,weighted-astar:1,2"),
            Err("the planner weighted-astar:1,2 is named twice".into())
        );
        for empty in ["", ",", "astar,", "astar,,dijkstra"] {
            assert_eq!(names(empty), Err("expected names separated by commas, as in astar,dijkstra".into()));
        }
        assert_eq!(names("astar,all"), Err("all means every planner; name it alone".into()));
        assert!(names("ara:3,nan,1").unwrap_err().ends_with("found 3, NaN, 1"));
        assert!(names("astar,dikstra").unwrap_err().starts_with("unknown planner \"dikstra\"; known are"));
        assert!(Planners::ours().0.contains(&PlannerChoice::Dijkstra));
        assert!(!Planners::ours().0.contains(&PlannerChoice::PathfindingAStar));
    }

    #[test]
    fn who_cannot_is_left_out_unless_named() {
        let ground =
            Ground::new(throng::grid::Grid::open_plain(throng::grid::Lattice::new(8, 8, 1.0).unwrap()).into(), 0.4);
        let ground = Arc::new(ground.unwrap());
        let query = Query::new(ground.lattice().cell(0, 0), ground.lattice().cell(7, 3));
        let choices = Planners::parse("astar,astar:manhattan").unwrap().0;
        let why = "the manhattan estimate may be above the cost of steps to eight neighbours; use another, as octile";
        let (contenders, left_out) = enlist(&choices, &ground, &query, false).unwrap();
        assert_eq!(contenders.iter().map(|contender| contender.name.as_str()).collect::<Vec<_>>(), ["astar"]);
        assert_eq!(left_out, [format!("left out: astar:manhattan: {why}")]);
        assert_eq!(enlist(&choices, &ground, &query, true).unwrap_err().to_string(), why);
    }

    #[test]
    fn times_in_four_digits() {
        assert_eq!([0.04, 12.34, 123.4, 12_345.6].map(time), ["0.0", "12.3", "123", "12,346"]);
    }
}
