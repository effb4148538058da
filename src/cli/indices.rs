//! `throng indices`: spatial indices against each other.

use super::compare::svg;
use super::output::{check_file, grouped, note, same_file, say};
use super::run::{number, whole};
use super::{CliError, Ended};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use throng::compare::CompareError;
use throng::compare::indices::{Entrant, IndexFigures, Settings, measure, write_csv, write_plot};
use throng::spatial::{IndexKind, Scene, SceneKind, Tuning};

/// An index that would take longer than this for a frame is left out.
const TOO_LONG: Duration = Duration::from_secs(8);

#[derive(Args, Debug)]
#[command(after_help = "\
All indices get the same bodies: discs of radius 1 m that move 0.1 m a frame and bounce at
the walls. Each frame they bring themselves up to date and find all pairs that overlap; all must find the same,
else it is said and the exit code is 1. Whatever else is wrong ends with 2. One thread.

Columns, the fastest index first: time to build and to find the pairs (ns per body and frame,
medians), both together, frames a second if there were nothing else to do, exact tests made over the
N (N - 1) of testing everybody against everybody else, cells (buckets, nodes) that hold bodies, those
of them that hold 5 or fewer, and memory. Tests and pairs are those of the second frame.

Indices: brute-force, grid, quadtree, quadtree-leaves, linear-quadtree, loose-quadtree, kd-tree,
axis-bsp, bsp, closest-pair, sweep, bvh, sections, buckets, dynamic-buckets, hash, two-level.

Scenes: uniform; clustered (64 clumps); line (one column); mixed (one in a hundred is 20 times as
wide); diagonal (a slanted line); stadium (uniform, and four bodies very far out).

Examples:
  throng indices
  throng indices --agents 1000,10000,100000 --scenes uniform,line --plot plot.svg --csv figures.csv
  throng indices --indices grid --cell 1,2,4,8 --agents 100000
  throng indices --indices quadtree,kd-tree --capacity 4,8,16,32 --density 0.4")]
pub(super) struct IndicesArgs {
    /// How many bodies
    #[arg(long, value_name = "N,...", default_value = "1000,10000", value_parser = List::<u32>::of(1, 4_000_000),
        allow_hyphen_values = true)]
    agents: List<u32>,
    /// How they lie: names separated by commas, or all
    #[arg(long, value_name = "A,B,...", default_value = "uniform,clustered,line,mixed",
        value_parser = |text: &str| names(text, &SceneKind::ALL))]
    scenes: List<SceneKind>,
    /// Who is compared: names separated by commas, or all
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
    /// Frames, at most; slow indices do fewer
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = frames, allow_negative_numbers = true)]
    frames: u32,
    /// Seed of the bodies
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Write the figures as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw frames per second against the number of bodies (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    plot: Option<PathBuf>,
}

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
                            "expected numbers from {low} to {high} separated by commas, found \"{part}\""
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

/// Each index with each tuning that is to be tried.
fn entrants(args: &IndicesArgs) -> Vec<Entrant> {
    let cells = args.cell.as_ref().map_or(vec![None], |list| list.0.iter().copied().map(Some).collect());
    let capacities = args.capacity.as_ref().map_or(vec![None], |list| list.0.iter().copied().map(Some).collect());
    let mut all = Vec::new();
    for &kind in &args.indices.0 {
        for &cell in &cells {
            for &capacity in &capacities {
                let side = cell.map_or(String::new(), |cell| format!(" {cell} m"));
                let most = capacity.map_or(String::new(), |capacity| format!(" of {capacity}"));
                let name = format!("{kind}{side}{most}");
                all.push(Entrant { name, kind, tuning: Tuning { cell, capacity, ..Tuning::default() } });
            }
        }
    }
    all
}

pub(super) fn indices(args: &IndicesArgs) -> Result<Ended, CliError> {
    check_outputs(args)?;
    let entrants = entrants(args);
    let settings = Settings { frames: args.frames, ..Settings::default() };
    let mut all = Vec::new();
    for kind in &args.scenes.0 {
        // What an index took for a frame of the last crowd, and how many were in that.
        let mut last: HashMap<&str, (f64, u32)> = HashMap::new();
        for &agents in &args.agents.0 {
            let scene = Scene::new(*kind, agents, args.density, args.seed)?;
            let hopeless = |entrant: &Entrant| {
                last.get(entrant.name.as_str()).is_some_and(|&(seconds, before)| {
                    let growth = f64::from(agents) / f64::from(before);
                    growth > 1.0 && seconds * growth * growth > TOO_LONG.as_secs_f64()
                })
            };
            let (out, fit): (Vec<Entrant>, Vec<Entrant>) = entrants.iter().cloned().partition(hopeless);
            let bar = bar(kind.name(), agents);
            let measured = measure(kind.name(), &scene, &fit, &settings, &mut |done, of| {
                bar.set_length(of as u64);
                bar.set_position(done as u64);
            });
            bar.finish_and_clear();
            let figures = match measured {
                Err(error @ CompareError::Disagree { .. }) => {
                    note(&format!("broken promise: {error}"));
                    return Ok(Ended::Broken);
                }
                other => other?,
            };
            if !all.is_empty() {
                say("");
            }
            say(&caption(*kind, agents, &figures, args));
            for line in table(&figures) {
                say(&line);
            }
            for entrant in &out {
                say(&format!("left out: {}: a frame might take over {} s", entrant.name, TOO_LONG.as_secs()));
            }
            for row in &figures {
                if let Some(entrant) = entrants.iter().find(|entrant| entrant.name == row.index) {
                    last.insert(&entrant.name, (row.total_ns * f64::from(agents) * 1e-9, agents));
                }
            }
            all.extend(figures);
        }
    }
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
    Ok(Ended::Well)
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

/// A bar where a person looks at the terminal, otherwise nothing.
fn bar(scene: &str, agents: u32) -> ProgressBar {
    let bar = ProgressBar::new(0).with_message(format!("{scene}, {} bodies", grouped(u64::from(agents))));
    match ProgressStyle::with_template("{msg} {bar:32} index {pos} of {len}  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What was measured, and how many pairs everybody has found.
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
            let expected = format!("expected numbers from 1 to 100 separated by commas, found \"{found}\"");
            assert_eq!(List::<u32>::of(1, 100)(text), Err(expected));
        }
        assert_eq!(List::<u32>::of(1, 100)("7,8,7"), Err("7 is named twice".into()));
        assert_eq!(names("all", &SceneKind::ALL).unwrap().0, SceneKind::ALL);
        assert_eq!(names("line,mixed", &SceneKind::ALL).unwrap().0, [SceneKind::Line, SceneKind::Mixed]);
        assert_eq!(names("line,line", &SceneKind::ALL), Err("line is named twice".into()));
        let unknown = names("line,lime", &SceneKind::ALL).unwrap_err();
        assert!(unknown.starts_with("unknown scene \"lime\"; did you mean \"line\"? known are uniform"), "{unknown}");
    }

    #[test]
    fn shares_have_two_digits() {
        assert_eq!([0.5, 0.0123, 0.000_001_23, 0.0].map(share), ["50 %", "1.2 %", "0.00012 %", "0 %"]);
    }
}
