//! A batch: the runs and their scenario.

use super::fnv::{OFFSET, fnv};
use super::key::Key;
use super::{BatchError, Decimal, Shard, Vary};
use throng_scenario::{Scenario, Template, Warning};

/// The most runs of a batch.
const MAX_RUNS: usize = 10_000_000;

/// A scenario, the numbers that are varied, and the seeds. Its points are all combinations of the values, those of the last
/// number changing first; on each point there is a run for every seed.
///
/// See the [example](crate::batch) of the module.
#[derive(Debug)]
pub struct Batch {
    pub(super) template: Template,
    pub(super) varies: Vec<Vary>,
    keys: Vec<Key>,
    pub(super) seeds: Vec<u64>,
    pub(super) ticks: u64,
    name: String,
    pub(super) armies: Vec<String>,
    /// Units of the scenario, also units that are not in its file, as a number.
    pub(super) units: u64,
}

/// A run of a batch. Runs are in order by point, then as the seeds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// Number of the point, from 0.
    pub point: usize,
    /// Seed.
    pub seed: u64,
}

impl Batch {
    /// A batch of a scenario; `ticks` stands for its `max_ticks`, and the corrections of its file are reported.
    ///
    /// # Errors
    /// [`BatchError`] where a key names no number of the scenario, a value cannot be, a number is varied twice, or there are
    /// more than ten million runs. [`Batch::check`] tells whether the scenarios of all points can be.
    pub fn new(
        template: Template,
        varies: Vec<Vary>,
        seeds: Vec<u64>,
        ticks: Option<u64>,
    ) -> Result<(Self, Vec<Warning>), BatchError> {
        let (scenario, warnings) = template.scenario(&[])?;
        let keys = varies
            .iter()
            .map(|vary| Key::find(&vary.key, &scenario, template.library()))
            .collect::<Result<Vec<_>, _>>()?;
        for (i, key) in keys.iter().enumerate() {
            if let Some(first) = keys[..i].iter().position(|other| key.meets(other)) {
                let [key, other] = [i, first].map(|i| varies[i].key.clone());
                return Err(BatchError::Twice { key, other });
            }
            let Vary { key: name, values } = &varies[i];
            values.iter().try_for_each(|&value| key.changes(name, value).map(drop))?;
        }
        if scenario.armies.iter().any(|army| army.name == "draw") {
            return Err(BatchError::Draw);
        }
        let points: u128 = varies.iter().map(|vary| vary.values.len() as u128).product();
        let found = points.saturating_mul(seeds.len() as u128);
        if found > MAX_RUNS as u128 {
            return Err(BatchError::TooMany { found, limit: MAX_RUNS });
        }
        let units = fnv(format!("{:?}", scenario.units).as_bytes(), OFFSET);
        let armies = scenario.armies.into_iter().map(|army| army.name).collect();
        let ticks = ticks.unwrap_or(scenario.settings.max_ticks);
        Ok((Self { template, varies, keys, seeds, ticks, name: scenario.name, armies, units }, warnings))
    }

    /// Name of the scenario.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The varied numbers and their values.
    pub fn varies(&self) -> &[Vary] {
        &self.varies
    }

    /// Names of the armies.
    pub fn armies(&self) -> &[String] {
        &self.armies
    }

    /// After so many ticks a battle is a draw.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How many points there are; 1 where nothing is varied.
    pub fn points(&self) -> usize {
        self.varies.iter().map(|vary| vary.values.len()).product()
    }

    /// The values on a point, by the numbers that are varied.
    pub fn point(&self, mut point: usize) -> Vec<Decimal> {
        let mut values = Vec::with_capacity(self.varies.len());
        for vary in self.varies.iter().rev() {
            values.push(vary.values[point % vary.values.len()]);
            point /= vary.values.len();
        }
        values.reverse();
        values
    }

    /// The point with these values, as far as there is one.
    pub(super) fn point_of(&self, values: &[Decimal]) -> Option<usize> {
        let mut point = 0;
        for (vary, value) in self.varies.iter().zip(values) {
            point = point * vary.values.len() + vary.values.iter().position(|known| known == value)?;
        }
        Some(point)
    }

    /// A point for messages.
    pub(super) fn label(&self, point: usize) -> String {
        let values = self.varies.iter().zip(self.point(point));
        let values: Vec<_> = values.map(|(vary, value)| format!("{}={value}", vary.key)).collect();
        if values.is_empty() { "the only point".into() } else { values.join(" ") }
    }

    /// All runs of a part of the batch, in their order.
    pub fn runs(&self, shard: Shard) -> Vec<Run> {
        let runs = (0..self.points()).flat_map(|point| self.seeds.iter().map(move |&seed| Run { point, seed }));
        runs.enumerate().filter(|&(number, _)| shard.has(number)).map(|(_, run)| run).collect()
    }

    /// The scenario of a point, all squads in place, with the seed of its file.
    ///
    /// # Errors
    /// [`BatchError::Point`] where it cannot be, as where an army finds no room.
    pub fn scenario(&self, point: usize) -> Result<Scenario, BatchError> {
        let mut changes = Vec::new();
        for ((key, vary), value) in self.keys.iter().zip(&self.varies).zip(self.point(point)) {
            changes.extend(key.changes(&vary.key, value)?);
        }
        let made = self.template.scenario(&changes);
        let (mut scenario, _) = made.map_err(|source| self.refused(point, source))?;
        scenario.settings.max_ticks = self.ticks;
        Ok(scenario)
    }

    pub(super) fn refused(&self, point: usize, source: throng_scenario::ScenarioError) -> BatchError {
        if self.varies.is_empty() {
            return source.into();
        }
        BatchError::Point { point: self.label(point), source: Box::new(source) }
    }
}
