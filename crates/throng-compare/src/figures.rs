//! The figures of a planner, and the files they become.

use super::{CompareError, First, Score};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use throng_grid::Cost;
use throng_grid::whole_file::WholeFile;

/// How a planner did, in figures: a row of the table, an object of the JSON file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Name of the planner.
    pub planner: String,
    /// Queries it found a route for.
    pub queries: usize,
    /// Mean time of a query (µs).
    pub mean_us: f64,
    /// Half of the queries took at most this (µs).
    pub p50_us: f64,
    /// 99 of 100 queries took at most this (µs).
    pub p99_us: f64,
    /// Mean number of nodes expanded.
    pub expanded: f64,
    /// Mean of the costs, each over the least cost.
    pub cost_ratio: f64,
    /// Queries answered as cheaply as can be.
    pub optimal: usize,
    /// Memory (bytes) of its searches, and of its tables between them; `None` of planners of other crates, whose searches
    /// allocate for themselves.
    pub bytes: Option<usize>,
    /// How long it took to make the planner for the ground (ms).
    pub preprocess_ms: f64,
    /// Mean time to the first route, or the first part of one (µs); `None` for planners that report none before they are done.
    pub first_us: Option<f64>,
    /// Mean length of that (steps).
    pub first_steps: Option<f64>,
    /// Mean cost of that, each over the cost of the whole route in the end: below 1 for a part, above 1 for a worse route.
    pub first_cost: Option<f64>,
}

impl Figures {
    /// The figures of this score: times to a nanosecond.
    pub fn of(score: &Score) -> Self {
        let answers = || score.answers.iter().map(|(_, answer)| answer);
        let queries = score.answers.len();
        let mean = |sum: f64| if queries == 0 { 0.0 } else { sum / queries as f64 };
        let mut times: Vec<f64> = answers().map(|answer| answer.time.as_secs_f64() * 1e6).collect();
        times.sort_unstable_by(f64::total_cmp);
        // The smallest time that is at least as long as the share of all.
        let at = |percent: usize| {
            let place = (queries * percent).div_ceil(100).saturating_sub(1);
            times.get(place).map_or(0.0, |&time| rounded(time, 1e3))
        };
        let firsts: Vec<(First, Cost)> =
            answers().filter_map(|answer| answer.first.map(|first| (first, answer.cost))).collect();
        let of_firsts = |figure: fn(&(First, Cost)) -> f64, parts: f64| {
            let sum: f64 = firsts.iter().map(figure).sum();
            (!firsts.is_empty()).then(|| rounded(sum / firsts.len() as f64, parts))
        };
        Self {
            first_us: of_firsts(|(first, _)| first.time.as_secs_f64() * 1e6, 1e3),
            first_steps: of_firsts(|(first, _)| first.steps as f64, 1e1),
            first_cost: of_firsts(|(first, whole)| first.cost as f64 / (*whole).max(1) as f64, 1e4),
            planner: score.planner.clone(),
            queries,
            mean_us: rounded(mean(times.iter().sum()), 1e3),
            p50_us: at(50),
            p99_us: at(99),
            expanded: rounded(mean(answers().map(|answer| answer.expanded as f64).sum()), 1e1),
            cost_ratio: rounded(mean(answers().map(|answer| answer.ratio).sum()), 1e6),
            optimal: answers().filter(|answer| answer.optimal).count(),
            bytes: score.bytes,
            preprocess_ms: rounded(score.preprocess.as_secs_f64() * 1e3, 1e6),
        }
    }
}

/// To so many parts of one.
fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

/// Writes the figures as a JSON list of objects, whole or not at all.
///
/// # Errors
/// [`CompareError::Write`] where the file cannot be written.
pub fn write_json(figures: &[Figures], path: impl AsRef<Path>) -> Result<(), CompareError> {
    write_json_at(figures, path.as_ref())
}

fn write_json_at(figures: &[Figures], path: &Path) -> Result<(), CompareError> {
    write(path, |out| {
        serde_json::to_writer_pretty(&mut *out, figures)?;
        out.write_all(b"\n")
    })
}

/// Writes the figures as a CSV table with the keys of the JSON file as its header, whole or not at all.
///
/// # Errors
/// [`CompareError::Write`] where the file cannot be written.
pub fn write_csv(figures: &[Figures], path: impl AsRef<Path>) -> Result<(), CompareError> {
    write_csv_at(figures, path.as_ref())
}

fn write_csv_at(figures: &[Figures], path: &Path) -> Result<(), CompareError> {
    write(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        figures.iter().try_for_each(|row| table.serialize(row))?;
        table.flush()
    })
}

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, fill: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), CompareError> {
    let attempt = || {
        let mut out = WholeFile::create(path)?;
        fill(&mut out)?;
        out.finish()
    };
    attempt().map_err(|source| CompareError::Write { file: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use std::time::Duration;

    #[test]
    fn figures_of_known_times() {
        let answer = |us: u64| Answer {
            time: Duration::from_micros(us),
            first: (us > 100).then_some(First { time: Duration::from_micros(us / 2), cost: us, steps: 12 }),
            cost: 2 * us,
            expanded: us + 1,
            ratio: if us == 200 { 1.5 } else { 1.0 },
            optimal: us != 200,
        };
        let answers = (1..=200).rev().map(|us| (us as usize, answer(us))).collect();
        let score = Score { planner: "a".into(), preprocess: Duration::from_micros(1500), bytes: Some(8), answers };
        let expected = Figures {
            planner: "a".into(),
            queries: 200,
            mean_us: 100.5,
            p50_us: 100.0,
            p99_us: 198.0,
            expanded: 101.5,
            cost_ratio: 1.0025,
            optimal: 199,
            bytes: Some(8),
            preprocess_ms: 1.5,
            first_us: Some(75.0),
            first_steps: Some(12.0),
            first_cost: Some(0.5),
        };
        assert_eq!(Figures::of(&score), expected);
    }
}
