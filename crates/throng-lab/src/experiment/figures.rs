//! Figures of many runs, and the tables they become.

use super::{CrowdKind, DiagramFigures, DoorFlow, ExperimentError, Outcome, Quality};
use std::io;
use std::path::Path;
use throng_grid::whole_file::WholeFile;

/// Results of RVO2 (J. van den Berg et al., version 2.0.2) on scenes of the same kinds with 1000 agents: 10 neighbours
/// within 5 m, time horizon 2 s, ticks of 0.1 s, 150 s, one seed; measured as [`Quality`], in the order of
/// [`Quality::figures`].
pub const RVO2: [(CrowdKind, [f64; 7]); 5] = [
    (CrowdKind::Circle, [22.5, 134.2, 2.71, 104.2, 9.1, 39.3, 0.16]),
    (CrowdKind::Armies, [97.7, 80.0, 4.69, 34.9, 5.3, 14.2, 0.19]),
    (CrowdKind::Rand15, [99.9, 32.5, 1.42, 0.7, 2.8, 6.7, 0.41]),
    (CrowdKind::Rand30, [53.5, 35.2, 4.13, 22.1, 3.8, 13.5, 0.18]),
    (CrowdKind::Rand60, [23.8, 97.6, 14.24, 9.6, 2.8, 7.4, 0.09]),
];

impl Quality {
    /// All figures, in the order in which they are declared.
    pub fn figures(&self) -> [f64; 7] {
        let Self { arrived, t50, time_ratio, pairs, mean_depth, max_depth, acceleration } = *self;
        [arrived, t50, time_ratio, pairs, mean_depth, max_depth, acceleration]
    }

    fn of([arrived, t50, time_ratio, pairs, mean_depth, max_depth, acceleration]: [f64; 7]) -> Self {
        Self { arrived, t50, time_ratio, pairs, mean_depth, max_depth, acceleration }
    }
}

impl Outcome {
    /// The mean of every figure; of the longest standstill the greatest. All zero where there are none.
    pub fn mean(outcomes: &[Self]) -> Self {
        let count = outcomes.len().max(1) as f64;
        let mean = |figure: &dyn Fn(&Self) -> f64| outcomes.iter().map(figure).sum::<f64>() / count;
        let quality = Quality::of(std::array::from_fn(|i| mean(&|outcome| outcome.quality.figures()[i])));
        let flow = |outcome: &Self| outcome.door.unwrap_or_default();
        let standstill = outcomes.iter().map(|outcome| flow(outcome).standstill).fold(0.0, f64::max);
        let has_door = outcomes.iter().any(|outcome| outcome.door.is_some());
        let has_lanes = outcomes.iter().any(|outcome| outcome.lanes.is_some());
        Self {
            quality,
            door: has_door.then(|| DoorFlow { flow: mean(&|outcome| flow(outcome).flow), standstill }),
            lanes: has_lanes.then(|| mean(&|outcome| outcome.lanes.unwrap_or(0.0))),
            ticking: mean(&|outcome| outcome.ticking),
        }
    }
}

/// A row of the table of [`write_crowd_csv`].
///
/// ```
/// use throng_lab::experiment::{CrowdFigures, CrowdKind, Outcome, write_crowd_csv};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("crowds.csv");
/// let row = CrowdFigures::new(CrowdKind::Circle, 1000, 7, &Outcome::default());
/// write_crowd_csv(&[row], &path)?;
/// let text = std::fs::read_to_string(&path)?;
/// assert!(text.starts_with("scene,agents,seed,arrived_pct,t50_s,time_ratio,overlap_pairs_per_1000,"));
/// assert!(text.ends_with("\ncircle,1000,7,0.0,0.0,0.0,0.0,0.0,0.0,0.0,,,\n"), "no door and no lanes: {text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct CrowdFigures {
    /// Name of the scene.
    pub scene: String,
    /// How many agents.
    pub agents: usize,
    /// Seed of the scene.
    pub seed: u64,
    /// See [`Quality::arrived`].
    pub arrived_pct: f64,
    /// See [`Quality::t50`].
    pub t50_s: f64,
    /// See [`Quality::time_ratio`].
    pub time_ratio: f64,
    /// See [`Quality::pairs`].
    pub overlap_pairs_per_1000: f64,
    /// See [`Quality::mean_depth`].
    pub mean_depth_pct: f64,
    /// See [`Quality::max_depth`].
    pub max_depth_pct: f64,
    /// See [`Quality::acceleration`].
    pub mean_acceleration: f64,
    /// See [`DoorFlow::flow`].
    pub flow_per_metre_and_second: Option<f64>,
    /// See [`DoorFlow::standstill`].
    pub standstill_s: Option<f64>,
    /// See [`Outcome::lanes`].
    pub lane_order: Option<f64>,
}

impl CrowdFigures {
    /// The figures of one run.
    pub fn new(kind: CrowdKind, agents: usize, seed: u64, outcome: &Outcome) -> Self {
        let q = outcome.quality;
        Self {
            scene: kind.name().into(),
            agents,
            seed,
            arrived_pct: q.arrived,
            t50_s: q.t50,
            time_ratio: q.time_ratio,
            overlap_pairs_per_1000: q.pairs,
            mean_depth_pct: q.mean_depth,
            max_depth_pct: q.max_depth,
            mean_acceleration: q.acceleration,
            flow_per_metre_and_second: outcome.door.map(|door| door.flow),
            standstill_s: outcome.door.map(|door| door.standstill),
            lane_order: outcome.lanes,
        }
    }
}

/// Writes the figures of scenes as a CSV table with their names as the header, whole or not at all.
///
/// # Errors
/// [`ExperimentError::Write`] where the file cannot be written.
pub fn write_crowd_csv(figures: &[CrowdFigures], path: impl AsRef<Path>) -> Result<(), ExperimentError> {
    write_table(figures, path.as_ref())
}

/// Writes the figures of a fundamental diagram as a CSV table with their names as the header, whole or not at all.
///
/// # Errors
/// [`ExperimentError::Write`] where the file cannot be written.
pub fn write_diagram_csv(figures: &[DiagramFigures], path: impl AsRef<Path>) -> Result<(), ExperimentError> {
    write_table(figures, path.as_ref())
}

fn write_table(rows: &[impl serde::Serialize], path: &Path) -> Result<(), ExperimentError> {
    write(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        rows.iter().try_for_each(|row| table.serialize(row))?;
        table.flush()
    })
}

/// Writes a file whole or not at all.
pub(super) fn write(path: &Path, fill: impl FnOnce(&mut WholeFile) -> io::Result<()>) -> Result<(), ExperimentError> {
    let attempt = || {
        let mut out = WholeFile::create(path)?;
        fill(&mut out)?;
        out.finish()
    };
    attempt().map_err(|source| ExperimentError::Write { file: path.to_path_buf(), source })
}
