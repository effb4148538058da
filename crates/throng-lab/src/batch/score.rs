//! The results of the runs on a point.

use super::{Batch, Decimal, Row, wilson};
use std::collections::BTreeMap;

/// The results of all runs on a point.
///
/// ```
/// use throng_lab::batch::Score;
/// let score = Score { wins: vec![6, 1], draws: 1, runs: 8, ..Score::default() };
/// assert_eq!((score.rate(0), score.score(0), score.score(1)), (0.75, 0.8125, 0.1875));
/// let (low, high) = score.interval(0);
/// assert!(low < 0.41 && high > 0.92);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The values on the point, by the numbers that are varied.
    pub values: Vec<Decimal>,
    /// How many runs there are.
    pub runs: u64,
    /// How many each army has won.
    pub wins: Vec<u64>,
    /// Draws.
    pub draws: u64,
    /// Mean of the simulated times until the end (s).
    pub seconds_mean: f64,
    /// Median of these (s).
    pub seconds_median: f64,
    /// Mean of the winners' living soldiers; `None` where all are draws.
    pub survivors_mean: Option<f64>,
}

impl Score {
    /// One for each point that has rows, in the order of the points. The order of the rows does not show.
    pub fn of<'a>(batch: &Batch, rows: impl Iterator<Item = &'a Row>) -> Vec<Self> {
        let mut points: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            points.entry(row.run.point).or_default().push(row);
        }
        let score = |(point, mut rows): (usize, Vec<&Row>)| {
            rows.sort_by_key(|row| row.run);
            let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
            let survivors: Vec<f64> = rows.iter().filter_map(|row| row.survivors()).map(f64::from).collect();
            let wins = |army| rows.iter().filter(|row| row.winner == Some(army)).count() as u64;
            let seconds_mean = mean(&seconds).unwrap_or(0.0);
            seconds.sort_unstable_by(f64::total_cmp);
            Self {
                values: batch.point(point),
                runs: rows.len() as u64,
                wins: (0..batch.armies().len()).map(wins).collect(),
                draws: rows.iter().filter(|row| row.winner.is_none()).count() as u64,
                seconds_mean,
                seconds_median: median(&seconds),
                survivors_mean: mean(&survivors),
            }
        };
        points.into_iter().map(score).collect()
    }

    /// Share of the runs that an army has won.
    pub fn rate(&self, army: usize) -> f64 {
        self.wins.get(army).map_or(0.0, |&wins| wins as f64) / self.runs.max(1) as f64
    }

    /// The 95 % interval of its chance to win, by [`wilson`].
    pub fn interval(&self, army: usize) -> (f64, f64) {
        wilson(self.wins.get(army).copied().unwrap_or(0), self.runs)
    }

    /// Its share of the wins where a draw counts half.
    pub fn score(&self, army: usize) -> f64 {
        self.rate(army) + 0.5 * self.draws as f64 / self.runs.max(1) as f64
    }
}

/// Of sorted numbers; of an even number of them the mean of the two in the middle.
fn median(sorted: &[f64]) -> f64 {
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    f64::midpoint(at(sorted.len().saturating_sub(1) / 2), at(sorted.len() / 2))
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
