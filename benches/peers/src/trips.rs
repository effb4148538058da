//! A map with its queries.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use throng::grid::{Cell, Grid, Ground, Scen};
use throng::plan::Query;

/// Queries taken from each file.
const QUERIES: usize = 500;

/// A map with its queries, shuffled.
pub struct Trips {
    pub name: String,
    pub ground: Arc<Ground>,
    pub queries: Vec<Query>,
    /// Start and goal of each.
    pub ends: Vec<(Cell, Cell)>,
    /// Length of a shortest route of each, in cells.
    pub optimal: Vec<f64>,
}

impl Trips {
    pub fn load(map: &Path) -> Result<Self, Box<dyn Error>> {
        let grid = Grid::load(map)?;
        let lattice = grid.lattice();
        let problems = Scen::load(map.with_extension("map.scen"))?.problems;
        let step = (problems.len() / QUERIES).max(1);
        let mut problems: Vec<_> = problems.into_iter().step_by(step).take(QUERIES).collect();
        problems.shuffle(&mut rand_pcg::Pcg32::seed_from_u64(1));
        let cell = |(x, y)| lattice.cell(x, y);
        let ends: Vec<_> = problems.iter().map(|problem| (cell(problem.from), cell(problem.to))).collect();
        Ok(Self {
            name: map.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            ground: Arc::new(Ground::new(grid.into(), 0.4)?),
            queries: ends.iter().map(|&(from, to)| Query::new(from, to)).collect(),
            ends,
            optimal: problems.iter().map(|problem| problem.optimal).collect(),
        })
    }
}
