//! Searches of throng.

use crate::trips::Trips;
use std::sync::Arc;
use throng::plan::{Path, PlanError, Planner, PlannerChoice, Progress, Scratch, plan};

/// A planner with its memory, ready for one map.
pub struct Ours<'a> {
    trips: &'a Trips,
    planner: Arc<dyn Planner>,
    scratch: Scratch,
    path: Path,
}

impl<'a> Ours<'a> {
    pub fn new(trips: &'a Trips, name: &str) -> Result<Self, PlanError> {
        let planner = name.parse::<PlannerChoice>()?.build(&trips.ground)?;
        Ok(Self { trips, planner, scratch: Scratch::default(), path: Path::default() })
    }

    /// Answers a query to the end: cost, and length in cells of the route with all its cells.
    pub fn solve(&mut self, query: usize) -> Result<f64, PlanError> {
        let Self { trips, planner, scratch, path } = self;
        plan(planner.as_ref(), &trips.ground, &trips.queries[query], scratch, path)?;
        Ok(path.length(trips.ground.lattice()))
    }

    /// As far as the first route.
    pub fn first(&mut self, query: usize) -> Result<f64, PlanError> {
        let Self { trips, planner, scratch, path } = self;
        let query = &trips.queries[query];
        planner.begin(&trips.ground, query, scratch)?;
        while planner.advance(&trips.ground, query, scratch, u64::MAX) == Progress::Running {}
        planner.path(&trips.ground, query, scratch, path);
        Ok(path.length(trips.ground.lattice()))
    }
}
