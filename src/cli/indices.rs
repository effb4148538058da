//! `throng indices`: spatial indices against each other.

use super::compare::svg;
use super::indices_window::{IndicesWindowArgs, show};
use super::numbers::{number, whole};
use super::output::{JsonArgs, check_file, grouped, result, same_file, say, tell};
use super::progress::Progress;
use super::{CliError, Ended};
use clap::Args;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use throng::compare::CompareError;
use throng::compare::indices::{Entrant, IndexFigures, Settings, measure, write_csv, write_plot};
use throng::spatial::{IndexKind, Scene, SceneKind, Sort, Tuning};

/// An index that would take longer than this for a frame is left out.
const TOO_LONG: Duration = Duration::from_secs(8);

/// A crowd that is more than so many times as large as the last one measured is not begun without trials.
const GROWTH: u32 = 10;

/// Crowds up to this size are measured without trials.
const SMALL: u32 = 10_000;

#[derive(Args, Debug)]
#[command(after_help = "\
All indices get the same bodies: discs of radius 1 m that move 0.1 m a frame and bounce at the walls. Each frame they \
bring themselves up to date and find all pairs that overlap; all must find the same, else it is said and the exit code is \
1. Whatever else is wrong ends with 2. One thread.

Columns, the fastest index first: time to build and to find the pairs (ns per body and frame, medians), both together, \
frames a second if there were nothing else to do, exact tests made over the N (N - 1) of testing every body against \
every other, cells (buckets, nodes) that hold bodies, those of them that hold 5 or fewer, and memory. Tests and pairs \
are those of the second frame.

Indices: brute-force, grid, quadtree, quadtree-leaves, linear-quadtree, loose-quadtree, kd-tree, axis-bsp, bsp, \
closest-pair, sweep, bvh, sections, buckets, dynamic-buckets, hash, two-level.

Sorts of closest-pair: quick, bubble, recursive-bubble, insertion, recursive-insertion. An index is tried with each \
--cell, --capacity and --sort that concern it. One that might take over 8 s for a frame is left out.

Scenes: uniform; clustered (64 clumps); line (one column); mixed (one in a hundred is 20 times as wide); diagonal (a \
slanted line); stadium (uniform, and four bodies very far out).

In a window, the first of --indices, --agents and --scenes is what is shown at first (without --scenes: discs that \
bounce). Where no window can be opened, it says why and compares as without --window.

Examples:
  throng indices
  throng indices --agents 1000,10000,100000 --scenes uniform --plot plot.svg
  throng indices --indices grid --cell 1,2,4,8 --agents 100000
  throng indices --indices quadtree,kd-tree --capacity 4,8,16,32 --density 0.4
  throng indices --indices closest-pair --sort all --scenes line
  throng indices --window --indices quadtree --agents 5000")]
pub(super) struct IndicesArgs {
    /// How many bodies
    #[arg(long, value_name = "N,...", default_value = "1000,10000", value_parser = List::<u32>::of(1, 4_000_000),
        allow_hyphen_values = true)]
    agents: List<u32>,
    /// How they lie: names separated by commas, or all [default: uniform,clustered,line,mixed]
    #[arg(long, value_name = "A,B,...", value_parser = |text: &str| names(text, &SceneKind::ALL))]
    scenes: Option<List<SceneKind>>,
    /// Indices to compare: names separated by commas, or all
    #[arg(long, value_name = "A,B,...", default_value = "all", value_parser = |text: &str| names(text, &IndexKind::ALL))]
    indices: List<IndexKind>,
    /// The share of the ground that bodies cover
    #[arg(long, value_name = "SHARE", default_value_t = 0.15,
        value_parser = |text: &str| number(text, 1e-6, 10.0), allow_negative_numbers = true)]
    density: f32,
    /// Sides of a cell (m) to try, of indices that have some
    #[arg(long, value_name = "M,...", value_parser = List::<f32>::of(0.01, 1e6), allow_hyphen_values = true)]
    cell: Option<List<f32>>,
    /// How many bodies a cell holds before it is split, to try, of indices that split
    #[arg(long, value_name = "N,...", value_parser = List::<usize>::of(1, 1_000_000), allow_hyphen_values = true)]
    capacity: Option<List<usize>>,
    /// How bodies are sorted, to try, of closest-pair: names separated by commas, or all
    #[arg(long, value_name = "A,B,...", value_parser = |text: &str| names(text, &Sort::ALL))]
    sort: Option<List<Sort>>,
    /// Frames, at most [default: 20]; slow indices do fewer. A window is closed after so many
    #[arg(long, value_name = "N", value_parser = frames, allow_negative_numbers = true)]
    frames: Option<u32>,
    /// Seed of the bodies
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Write the figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
    /// Draw frames per second against the number of bodies (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    shown: IndicesWindowArgs,
}

/// The scenes where none is named.
const SCENES: [SceneKind; 4] = [SceneKind::Uniform, SceneKind::Clustered, SceneKind::Line, SceneKind::Mixed];

/// Things that are separated by commas.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T: FromStr + PartialOrd + Copy + Display + Send + Sync + 'static> List<T> {
    /// Numbers from `low` to `high`.
    pub(super) fn of(low: T, high: T) -> impl Fn(&str) -> Result<Self, String> + Clone {
        move |text: &str| {
            let mut found = Vec::new();
            for part in text.split(',').map(str::trim) {
                match part.parse() {
                    Ok(number) if found.contains(&number) => return Err(format!("{number} is named twice")),
                    Ok(number) if number >= low && number <= high => found.push(number),
                    _ => {
                        return Err(format!(
                            "expected numbers from {low} to {high} separated by commas, found {part:?}"
                        ));
                    }
                }
            }
            Ok(Self(found))
        }
    }
}

fn frames(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(frames @ 2..=100_000) => Ok(frames),
        _ => Err("expected a whole number from 2 to 100000".into()),
    }
}

/// Names separated by commas, each once; `all` is all.
pub(super) fn names<T: FromStr<Err: Display> + PartialEq + Copy + Display>(
    text: &str,
    all: &[T],
) -> Result<List<T>, String> {
    if text.trim().eq_ignore_ascii_case("all") {
        return Ok(List(all.to_vec()));
    }
    let mut found = Vec::new();
    for name in text.split(',').map(str::trim) {
        let one: T = name.parse().map_err(|error: T::Err| error.to_string())?;
        if found.contains(&one) {
            return Err(format!("{one} is named twice"));
        }
        found.push(one);
    }
    Ok(List(found))
}

/// The options that tune, and a tuning by each alone.
fn tunings() -> [(&'static str, Tuning); 3] {
    let none = Tuning::default;
    [
        ("--cell", Tuning { cell: Some(1.0), ..none() }),
        ("--capacity", Tuning { capacity: Some(1), ..none() }),
        ("--sort", Tuning { sort: Sort::Quick, ..none() }),
    ]
}

/// True where a kind heeds all of a tuning.
fn heeds(kind: IndexKind, tuning: &Tuning) -> bool {
    tuning.heeded_by(kind) == *tuning
}

/// What is tried of an option: all that was named, or nothing by those that it does not concern.
fn tried<T: Copy>(list: Option<&List<T>>, concerns: bool) -> Vec<Option<T>> {
    list.filter(|_| concerns).map_or(vec![None], |list| list.0.iter().copied().map(Some).collect())
}

/// Each index with each tuning that is to be tried and concerns it.
fn entrants(args: &IndicesArgs) -> Vec<Entrant> {
    let mut all = Vec::new();
    for &kind in &args.indices.0 {
        let [by_cell, by_capacity, by_sort] = tunings().map(|(_, tuning)| heeds(kind, &tuning));
        for cell in tried(args.cell.as_ref(), by_cell) {
            for capacity in tried(args.capacity.as_ref(), by_capacity) {
                for sort in tried(args.sort.as_ref(), by_sort) {
                    let side = cell.map_or(String::new(), |cell| format!(" {cell} m"));
                    let most = capacity.map_or(String::new(), |capacity| format!(" of {capacity}"));
                    let by = sort.map_or(String::new(), |sort| format!(" {sort}"));
                    let name = format!("{kind}{side}{most}{by}");
                    let tuning = Tuning { cell, capacity, sort: sort.unwrap_or_default(), ..Tuning::default() };
                    all.push(Entrant { name, kind, tuning });
                }
            }
        }
    }
    all
}

/// An option that concerns none of the indices chosen is a mistake.
fn check_tunings(args: &IndicesArgs) -> Result<(), CliError> {
    let given = [args.cell.is_some(), args.capacity.is_some(), args.sort.is_some()];
    for ((option, tuning), given) in tunings().into_iter().zip(given) {
        if given && !args.indices.0.iter().any(|&kind| heeds(kind, &tuning)) {
            let those: Vec<&str> =
                IndexKind::ALL.into_iter().filter(|&kind| heeds(kind, &tuning)).map(IndexKind::name).collect();
            return Err(CliError::Idle { option, those: those.join(", ") });
        }
    }
    Ok(())
}

/// What the indices have taken for the frames of one kind of scene.
struct Trials<'a> {
    args: &'a IndicesArgs,
    kind: SceneKind,
    entrants: &'a [Entrant],
    /// What an index took for a frame of the last crowd (s), and how many were in that.
    last: HashMap<&'a str, (f64, u32)>,
}

impl<'a> Trials<'a> {
    /// The figures of a crowd, and the indices that are left out: those that would take too long.
    fn measure(&mut self, agents: u32, settings: &Settings) -> Result<(Vec<IndexFigures>, Vec<&'a Entrant>), CliError> {
        let scene = Scene::new(self.kind, agents, self.args.density, self.args.seed)?;
        let hopeless =
            |entrant: &&Entrant| self.last.get(entrant.name.as_str()).is_some_and(|&last| takes_too_long(last, agents));
        let (out, fit): (Vec<&Entrant>, Vec<&Entrant>) = self.entrants.iter().partition(hopeless);
        let mut progress = Progress::new("index", 0);
        let crowd = || format!("{}, {} bodies", self.kind.name(), grouped(u64::from(agents)));
        let fit: Vec<Entrant> = fit.into_iter().cloned().collect();
        let measured = measure(self.kind.name(), &scene, &fit, settings, &mut |done, of| {
            progress.of(of as u64);
            progress.show(done as u64, crowd);
        });
        progress.clear();
        let figures = measured?;
        for row in &figures {
            if let Some(entrant) = self.entrants.iter().find(|entrant| entrant.name == row.index) {
                self.last.insert(&entrant.name, (row.total_ns * f64::from(agents) * 1e-9, agents));
            }
        }
        Ok((figures, out))
    }

    /// Two frames of smaller crowds, so that it is known which index would take too long for one of `agents`.
    fn warm_up(&mut self, agents: u32, before: Option<u32>) -> Result<(), CliError> {
        for crowd in smaller_crowds(agents, before) {
            self.measure(crowd, &Settings { frames: 2, time: Duration::ZERO })?;
        }
        Ok(())
    }
}

/// The crowds to try between the one `before` and one of `agents`.
fn smaller_crowds(agents: u32, before: Option<u32>) -> impl Iterator<Item = u32> {
    let next = |crowd: &u32| crowd.checked_mul(GROWTH);
    std::iter::successors(Some(before.unwrap_or(SMALL / GROWTH)), next).skip(1).take_while(move |&crowd| crowd < agents)
}

/// Whether a frame of `agents` might take too long, after one that took some seconds for so many: up to the square of
/// the growth.
fn takes_too_long((seconds, before): (f64, u32), agents: u32) -> bool {
    let growth = f64::from(agents) / f64::from(before);
    growth > 1.0 && seconds * growth * growth > TOO_LONG.as_secs_f64()
}

pub(super) fn indices(args: &IndicesArgs) -> Result<Ended, CliError> {
    args.json.speak();
    check_outputs(args)?;
    check_tunings(args)?;
    if args.shown.window {
        let scene = args.scenes.as_ref().map(|scenes| scenes.0[0]);
        let bodies = (args.density, args.seed);
        if show(args.agents.0[0], &args.indices.0, scene, bodies, args.frames, &args.shown)? {
            return Ok(Ended::Well);
        }
    }
    match compare(args) {
        Err(CliError::Compare(error @ CompareError::Disagree { .. })) => {
            tell("broken promise", &error.to_string());
            Ok(Ended::Broken)
        }
        other => other.map(|()| Ended::Well),
    }
}

fn compare(args: &IndicesArgs) -> Result<(), CliError> {
    let entrants = entrants(args);
    let default = Settings::default();
    let settings = Settings { frames: args.frames.unwrap_or(default.frames), ..default };
    let mut all = Vec::new();
    let scenes = args.scenes.as_ref().map_or(&SCENES[..], |scenes| &scenes.0);
    for &kind in scenes {
        let mut trials = Trials { args, kind, entrants: &entrants, last: HashMap::new() };
        let mut before = None;
        for &agents in &args.agents.0 {
            trials.warm_up(agents, before)?;
            before = Some(agents);
            let (figures, out) = trials.measure(agents, &settings)?;
            if !all.is_empty() {
                say("");
            }
            say(&caption(kind, agents, &figures, args));
            for line in table(&figures) {
                say(&line);
            }
            for entrant in out {
                say(&format!("left out: {}: a frame might take over {} s", entrant.name, TOO_LONG.as_secs()));
            }
            all.extend(figures);
        }
    }
    result(&all);
    let mut written = Vec::new();
    if let Some(file) = &args.csv {
        write_csv(&all, file)?;
        written.push(file.display().to_string());
    }
    if let Some(file) = &args.plot {
        write_plot(&all, &format!("Spatial indices: all pairs of moving discs, density {}", args.density), file)?;
        written.push(file.display().to_string());
    }
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    Ok(())
}

/// Says before the run what cannot be written.
fn check_outputs(args: &IndicesArgs) -> Result<(), CliError> {
    let all: Vec<(&Path, &'static str)> = [(&args.csv, "--csv"), (&args.plot, "--plot")]
        .into_iter()
        .filter_map(|(file, option)| Some((file.as_deref()?, option)))
        .collect();
    for (i, &(file, option)) in all.iter().enumerate() {
        if let Some(&(_, other)) = all[..i].iter().find(|(earlier, _)| same_file(earlier, file)) {
            return Err(CliError::Twice { file: file.to_path_buf(), option, other });
        }
        check_file(file, option)?;
    }
    Ok(())
}

/// What was measured, and how many pairs each index has found.
fn caption(kind: SceneKind, agents: u32, figures: &[IndexFigures], args: &IndicesArgs) -> String {
    let counted = |count: u64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", grouped(count)),
    };
    let bodies = counted(u64::from(agents), "body", "bodies");
    let pairs = figures.first().map_or(String::new(), |row| format!(", {}", counted(row.pairs, "pair", "pairs")));
    format!("{kind}: {bodies}{pairs}; density {}, seed {}", args.density, args.seed)
}

/// The figures for people, the fastest first.
fn table(figures: &[IndexFigures]) -> Vec<String> {
    let head = ["index", "build ns", "pairs ns", "total ns", "frames/s", "tests", "cells", "≤ 5", "KB"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let mut sorted: Vec<&IndexFigures> = figures.iter().collect();
    sorted.sort_by(|a, b| a.total_ns.total_cmp(&b.total_ns));
    for row in sorted {
        rows.push(vec![
            row.index.clone(),
            time(row.build_ns),
            time(row.pairs_ns),
            time(row.total_ns),
            grouped(row.frames_per_second().round() as u64),
            share(row.share_of_tests()),
            grouped(row.cells as u64),
            grouped(row.sparse as u64),
            grouped(row.bytes.div_ceil(1000) as u64),
        ]);
    }
    if figures.is_empty() {
        return Vec::new();
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let name = format!("{:1$}", row[0], widths[0]);
        let cells = row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}"));
        std::iter::once(name).chain(cells).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

/// A share in percent, two digits that count.
fn share(of_one: f64) -> String {
    let percent = of_one * 100.0;
    if percent == 0.0 {
        return "0 %".into();
    }
    let decimals = (1.0 - percent.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{percent:.decimals$} %")
}

/// Four digits or so, the thousands set apart.
fn time(ns: f64) -> String {
    if ns < 99.95 { format!("{ns:.1}") } else { grouped(ns.round() as u64) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(List::<u32>::of(1, 100)("1, 20,100"), Ok(List(vec![1, 20, 100])));
        for (text, found) in [("1,200", "200"), ("", ""), ("3,,4", ""), ("1k", "1k"), ("-1", "-1")] {
            let expected = format!("expected numbers from 1 to 100 separated by commas, found {found:?}");
            assert_eq!(List::<u32>::of(1, 100)(text), Err(expected));
        }
        assert_eq!(List::<u32>::of(1, 100)("7,8,7"), Err("7 is named twice".into()));
        assert_eq!(names("all", &SceneKind::ALL).unwrap().0, SceneKind::ALL);
        assert_eq!(names("line,mixed", &SceneKind::ALL).unwrap().0, [SceneKind::Line, SceneKind::Mixed]);
        assert_eq!(names("line,line", &SceneKind::ALL), Err("line is named twice".into()));
        let unknown = names("line,lime", &SceneKind::ALL).unwrap_err();
        assert!(unknown.starts_with("unknown scene \"lime\"; known are uniform"), "{unknown}");
    }

    #[test]
    fn shares_have_two_digits() {
        assert_eq!([0.5, 0.0123, 0.000_001_23, 0.0].map(share), ["50 %", "1.2 %", "0.00012 %", "0 %"]);
    }
    #[test]
    fn large_crowds_are_approached_by_tens() {
        let crowds = |agents, before| smaller_crowds(agents, before).collect::<Vec<_>>();
        assert!(crowds(10_000, None).is_empty());
        assert_eq!(crowds(10_001, None), [10_000]);
        assert_eq!(crowds(4_000_000, None), [10_000, 100_000, 1_000_000]);
        assert!(crowds(50_000, Some(5000)).is_empty());
        assert_eq!(crowds(1_000_000, Some(5000)), [50_000, 500_000]);
        assert!(crowds(10, Some(4_000_000)).is_empty());
        // All pairs of 10,000 in 5 ms: of a million in 50 s.
        assert!(!takes_too_long((0.005, 10_000), 100_000) && takes_too_long((0.005, 10_000), 1_000_000));
        assert!(!takes_too_long((9.0, 10_000), 10_000));
    }
}
