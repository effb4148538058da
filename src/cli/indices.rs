//! `throng indices`: spatial indices against each other.

use super::compare::svg;
use super::indices_window::{IndicesWindowArgs, show};
use super::numbers::{number, whole};
use super::output::{JsonArgs, aligned, check_file, grouped, result, same_file, say, tell};
use super::progress::Progress;
use super::stop::Stop;
use super::{CliError, Ended};
use clap::Args;
use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use throng::compare::CompareError;
use throng::compare::indices::{IndexFigures, IndexSettings, measure, write_csv, write_plot};
use throng::spatial::{IndexKind, IndexSpec, Parameter, Scene, SceneKind, Tuning};

/// An index that would take longer than this for a frame is left out.
const TOO_LONG: Duration = Duration::from_secs(8);

/// A crowd that is more than so many times as large as the last one measured is not begun without trials.
const GROWTH: u32 = 10;

/// Crowds up to this size are measured without trials.
const SMALL: u32 = 10_000;

#[derive(Args, Debug)]
#[command(after_help = format!("\
All indices get the same bodies: discs of radius 1 m that move 0.1 m a frame and bounce at the walls. Each frame they \
bring themselves up to date and find all pairs that overlap; all must find the same, else it is said and the exit code is \
1. Whatever else is wrong ends with 2. One thread.

Columns, the fastest index first: time to build and to find the pairs (ns per body and frame, medians), both together, \
frames a second if there were nothing else to do, exact tests made over the N (N - 1) of testing every body against \
every other, cells (buckets, nodes) that hold bodies, those of them that hold 5 or fewer, and memory. Tests and pairs \
are those of the second frame.

Indices, each with its parameters: {}.

An index may be named with parameters, as in kd-tree:capacity=8:cut=middle; a value without a name, as in sections:9, belongs to \
the first one. It is tried with each value of --cell, --capacity and so on that concerns it and that it is not named with. One \
that might take over 8 s for a frame is left out.

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
  throng indices --indices sections --sections 4,9,16
  throng indices --window --indices quadtree:capacity=4 --agents 5000", parameters()))]
pub(super) struct IndicesArgs {
    /// How many bodies
    #[arg(long, value_name = "N,...", default_value = "1000,10000", value_parser = List::<u32>::of(1, 4_000_000),
        allow_hyphen_values = true)]
    agents: List<u32>,
    /// How they lie: names separated by commas, or all [default: uniform,clustered,line,mixed]
    #[arg(long, value_name = "A,B,...", value_parser = |text: &str| names(text, &SceneKind::ALL))]
    scenes: Option<List<SceneKind>>,
    /// Indices to compare: names separated by commas, or all
    #[arg(long, value_name = "A,B,...", default_value = "all",
        value_parser = |text: &str| names(text, &IndexKind::ALL.map(IndexSpec::from)))]
    indices: List<IndexSpec>,
    /// The share of the ground that bodies cover
    #[arg(long, value_name = "SHARE", default_value_t = 0.15,
        value_parser = |text: &str| number(text, 1e-6, 10.0), allow_negative_numbers = true)]
    density: f32,
    #[command(flatten)]
    tuning: TuningArgs,
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

/// The parameters of indices.
#[derive(Args, Debug)]
struct TuningArgs {
    #[arg(long, value_name = "M,...", help = about("cell"), value_parser = tried("cell"), allow_hyphen_values = true)]
    cell: Option<Tried>,
    #[arg(long, value_name = "N,...", help = about("capacity"), value_parser = tried("capacity"), allow_hyphen_values = true)]
    capacity: Option<Tried>,
    #[arg(long, value_name = "N,...", help = about("sections"), value_parser = tried("sections"), allow_hyphen_values = true)]
    sections: Option<Tried>,
    #[arg(long, value_name = "X,...", help = about("looseness"), value_parser = tried("looseness"), allow_hyphen_values = true)]
    looseness: Option<Tried>,
    #[arg(long, value_name = "A,B,...", help = about("sort"), value_parser = tried("sort"))]
    sort: Option<Tried>,
    #[arg(long, value_name = "A,B,...", help = about("cut"), value_parser = tried("cut"))]
    cut: Option<Tried>,
    #[arg(long, value_name = "A,B,...", help = about("axis"), value_parser = tried("axis"))]
    axis: Option<Tried>,
    #[arg(long, value_name = "M,...", help = about("reach"), value_parser = tried("reach"), allow_hyphen_values = true)]
    reach: Option<Tried>,
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

/// Values of a parameter to try one after the other.
#[derive(Clone, Debug)]
struct Tried {
    parameter: Parameter,
    values: Vec<String>,
}

/// Reads values of a parameter, separated by commas; `all` is all names.
fn tried(name: &'static str) -> impl Fn(&str) -> Result<Tried, String> + Clone {
    move |text| {
        let parameter = Parameter::named(name).ok_or("no parameter")?;
        if !parameter.names().is_empty() && text.trim().eq_ignore_ascii_case("all") {
            return Ok(Tried { parameter, values: parameter.names().iter().map(|&name| name.to_owned()).collect() });
        }
        let kinds = || IndexKind::ALL.into_iter().filter(|&kind| parameter.concerns(kind));
        let mut values = Vec::new();
        for value in text.split(',').map(str::trim) {
            // In the form in which it is shown, so that 2 and 2.0 are one.
            let mut tuning = Tuning::default();
            if !kinds().any(|kind| parameter.read(kind, value, &mut tuning)) {
                if !parameter.names().is_empty() {
                    return Err(format!("unknown {name} {value:?}; known are {}", parameter.names().join(", ")));
                }
                let expected = kinds().next().map_or_else(String::new, |kind| parameter.expected(kind));
                return Err(format!("expected {expected}, or several separated by commas, found {value:?}"));
            }
            let value = parameter.value(&tuning).unwrap_or_default();
            if values.contains(&value) {
                return Err(format!("{value} is named twice"));
            }
            values.push(value);
        }
        Ok(Tried { parameter, values })
    }
}

/// The effect of a parameter, for the help.
fn about(name: &str) -> String {
    let Some(parameter) = Parameter::named(name) else { return String::new() };
    let about = parameter.about();
    let mut letters = about.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>()).unwrap_or_default();
    let values = match parameter.names() {
        [] => "several to try each".to_owned(),
        names => format!("{}; several to try each, or all", names.join(", ")),
    };
    format!("{first}{}: {values}", letters.as_str())
}

/// The indices, with their parameters, and the parameters of each kind, for the help.
fn parameters() -> String {
    let kind = |kind: IndexKind| {
        let names: Vec<&str> = Parameter::of(kind).map(Parameter::name).collect();
        if names.is_empty() { kind.to_string() } else { format!("{kind} ({})", names.join(", ")) }
    };
    IndexKind::ALL.map(kind).join("; ")
}

impl TuningArgs {
    fn given(&self) -> impl Iterator<Item = &Tried> {
        let Self { cell, capacity, sections, looseness, sort, cut, axis, reach } = self;
        [cell, capacity, sections, looseness, sort, cut, axis, reach].into_iter().flatten()
    }
}

/// Each index with each given value of each of its parameters. Parameters that are in its name are left out.
fn entrants(args: &IndicesArgs) -> Result<Vec<IndexSpec>, CliError> {
    let mut all: Vec<IndexSpec> = args.indices.0.clone();
    for Tried { parameter, values } in args.tuning.given() {
        let has = |spec: &IndexSpec| parameter.concerns(spec.kind) && parameter.value(&spec.tuning).is_none();
        if !all.iter().any(has) {
            let kinds = IndexKind::ALL.into_iter().filter(|&kind| parameter.concerns(kind));
            let those = kinds.map(IndexKind::name).collect::<Vec<_>>().join(", ");
            return Err(CliError::Idle { option: parameter.name(), those });
        }
        let mut next = Vec::new();
        for spec in all {
            if !has(&spec) {
                next.push(spec);
                continue;
            }
            for value in values {
                let text = format!("{spec}:{}={value}", parameter.name());
                next.push(text.parse().map_err(CliError::Index)?);
            }
        }
        all = next;
    }
    Ok(all)
}

/// The figures of the indices for the frames of one kind of scene.
struct Trials<'a> {
    args: &'a IndicesArgs,
    kind: SceneKind,
    entrants: &'a [IndexSpec],
    stop: &'a Stop,
    /// The time of an index for a frame of the last crowd (s), and how many were in that.
    last: HashMap<String, (f64, u32)>,
}

impl<'a> Trials<'a> {
    /// The figures of a crowd, and the indices that are left out because they would take too long.
    fn measure(
        &mut self,
        agents: u32,
        settings: &IndexSettings,
    ) -> Result<(Vec<IndexFigures>, Vec<&'a IndexSpec>), CliError> {
        let scene = Scene::new(self.kind, agents, self.args.density, self.args.seed)?;
        let hopeless = |entrant: &&IndexSpec| {
            self.last.get(&entrant.to_string()).is_some_and(|&last| takes_too_long(last, agents))
        };
        let (out, fit): (Vec<&IndexSpec>, Vec<&IndexSpec>) = self.entrants.iter().partition(hopeless);
        let mut progress = Progress::new("index", 0);
        let crowd = || format!("{}, {} bodies", self.kind.name(), grouped(u64::from(agents)));
        let fit: Vec<IndexSpec> = fit.into_iter().copied().collect();
        let measured = measure(self.kind.name(), &scene, &fit, settings, &mut |done, of| {
            progress.of(of as u64);
            progress.show(done as u64, crowd);
            self.stop.goes_on()
        });
        progress.clear();
        let figures = measured?;
        for row in &figures {
            self.last.insert(row.index.clone(), (row.total_ns * f64::from(agents) * 1e-9, agents));
        }
        Ok((figures, out))
    }

    /// Two frames of smaller crowds, so that it is known which index would take too long for one of `agents`.
    fn warm_up(&mut self, agents: u32, before: Option<u32>) -> Result<(), CliError> {
        for crowd in smaller_crowds(agents, before).take_while(|_| !self.stop.is_asked()) {
            self.measure(crowd, &IndexSettings { frames: 2, time: Duration::ZERO })?;
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
    let entrants = entrants(args)?;
    if args.shown.window {
        let scene = args.scenes.as_ref().map(|scenes| scenes.0[0]);
        let bodies = (args.density, args.seed);
        if show(args.agents.0[0], &entrants, scene, bodies, args.frames, &args.shown)? {
            return Ok(Ended::Well);
        }
    }
    let stop = Stop::watch("the figures");
    match compare(args, &entrants, &stop) {
        Err(CliError::Compare(error @ CompareError::Disagree { .. })) => {
            tell("broken promise", &error.to_string());
            Ok(Ended::Broken)
        }
        other => other.map(|()| stop.ended()),
    }
}

fn compare(args: &IndicesArgs, entrants: &[IndexSpec], stop: &Stop) -> Result<(), CliError> {
    let default = IndexSettings::default();
    let settings = IndexSettings { frames: args.frames.unwrap_or(default.frames), ..default };
    let mut all = Vec::new();
    let scenes = args.scenes.as_ref().map_or(&SCENES[..], |scenes| &scenes.0);
    for &kind in scenes {
        let mut trials = Trials { args, kind, entrants, stop, last: HashMap::new() };
        let mut before = None;
        for &agents in &args.agents.0 {
            trials.warm_up(agents, before)?;
            if stop.is_asked() {
                break;
            }
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
                say(&format!("left out: {entrant}: a frame might take over {} s", TOO_LONG.as_secs()));
            }
            all.extend(figures);
        }
    }
    stop.tell_rest(&format!("{} measurements", grouped(all.len() as u64)));
    result(&all);
    let mut written = Vec::new();
    if let Some(file) = &args.csv {
        write_csv(&all, file)?;
        written.push(file.display().to_string());
    }
    if let Some(file) = args.plot.as_ref().filter(|_| !all.is_empty()) {
        write_plot(&all, &format!("Spatial indices: all pairs of moving discs, density {}", args.density), file)?;
        written.push(file.display().to_string());
    }
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    Ok(())
}

/// Reports before the run files that cannot be written.
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

/// The measurements, and how many pairs each index has found.
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
    if figures.is_empty() { Vec::new() } else { aligned(&rows) }
}

/// A share in percent, two digits that count.
pub(super) fn share(of_one: f64) -> String {
    let percent = of_one * 100.0;
    if percent == 0.0 {
        return "0 %".into();
    }
    let decimals = (1.0 - percent.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{percent:.decimals$} %")
}

/// Four digits or so, the thousands set apart.
pub(super) fn time(ns: f64) -> String {
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
