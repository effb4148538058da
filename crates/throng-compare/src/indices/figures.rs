//! The figures of an index, and the table they become.

use super::super::CompareError;
use super::super::figures::write;
use std::path::Path;

/// The figures of an index for the crowd of one scene.
///
/// ```
/// use throng_compare::indices::IndexFigures;
/// let figures = IndexFigures { agents: 1000, total_ns: 20.0, tests: 4995, ..IndexFigures::default() };
/// assert_eq!(figures.frames_per_second(), 50_000.0);
/// assert_eq!(figures.share_of_tests(), 0.005);
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct IndexFigures {
    /// Name of the scene.
    pub scene: String,
    /// How many bodies.
    pub agents: u32,
    /// Name of the index.
    pub index: String,
    /// To bring the index up to date (ns per body and frame).
    pub build_ns: f64,
    /// To find all pairs that overlap (ns per body and frame).
    pub pairs_ns: f64,
    /// Both (ns per body and frame).
    pub total_ns: f64,
    /// Exact tests of two bodies in the second frame, which every index has done.
    pub tests: u64,
    /// Pairs that overlap in the second frame: the same for all.
    pub pairs: u64,
    /// Cells (buckets, nodes) that hold bodies.
    pub cells: usize,
    /// Cells that hold 5 or fewer.
    pub sparse: usize,
    /// Memory.
    pub bytes: usize,
}

impl IndexFigures {
    /// How many frames could be done in a second, if there were nothing else to do.
    pub fn frames_per_second(&self) -> f64 {
        1e9 / (self.total_ns * f64::from(self.agents)).max(1.0)
    }

    /// The tests made, over those of every agent against every other in both directions, N (N - 1). Testing each pair
    /// once is a half.
    pub fn share_of_tests(&self) -> f64 {
        let n = f64::from(self.agents);
        self.tests as f64 / (n * (n - 1.0)).max(1.0)
    }
}

/// Writes the figures as a CSV table with the header `scene,agents,index,build_ns,pairs_ns,total_ns,tests,pairs`, whole or
/// not at all.
///
/// # Errors
/// [`CompareError::Write`] where the file cannot be written.
pub fn write_csv(figures: &[IndexFigures], path: impl AsRef<Path>) -> Result<(), CompareError> {
    write_csv_at(figures, path.as_ref())
}

fn write_csv_at(figures: &[IndexFigures], path: &Path) -> Result<(), CompareError> {
    write(path, |out| {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(["scene", "agents", "index", "build_ns", "pairs_ns", "total_ns", "tests", "pairs"])?;
        for row in figures {
            let [build, pairs, total] = [row.build_ns, row.pairs_ns, row.total_ns].map(|ns| format!("{ns:.3}"));
            let [agents, tests, found] = [u64::from(row.agents), row.tests, row.pairs].map(|count| count.to_string());
            table.write_record([&row.scene, &agents, &row.index, &build, &pairs, &total, &tests, &found])?;
        }
        table.flush()
    })
}
