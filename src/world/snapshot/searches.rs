//! Searches under way, stored as what was asked for: whoever goes on searches anew.
//!
//! Answers fall due by counting expansions, and the same search on the same map expands the same nodes. So it is enough to
//! know what each request has paid for. The map must be the one that was searched: where it was edited since, the edits
//! that lead back to it are stored.

use super::saved::Failure;
use crate::grid::{Edit, Grid, Ground};
use crate::plan::{Counters, Planner, Pool, Query, Request, Standing};
use crate::world::routes::Journey;
use crate::world::{World, WorldError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The searches under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Searches {
    counters: Counters,
    /// The first in line first.
    line: Vec<Standing>,
    /// Revisions of the map that are still searched: the edits that make each of the one there is.
    before: BTreeMap<u32, Vec<Edit>>,
}

impl Searches {
    /// The searches of a pool; `grid` is the map as it is now.
    pub(super) fn of(grid: &Grid, pool: &Pool) -> Self {
        let mut before = BTreeMap::new();
        let mut line = Vec::new();
        for (standing, request) in pool.line() {
            line.push(standing);
            let searched = request.ground.grid();
            if searched.revision() != grid.revision() {
                before.entry(searched.revision()).or_insert_with(|| grid.edits_to(searched));
            }
        }
        Self { counters: pool.counters(), line, before }
    }

    /// Asks for them anew.
    pub(super) fn go_on(self, world: &mut World) -> Result<(), Failure> {
        let Self { counters, line, before } = self;
        if line.len() != world.desk.pending.len() {
            let (asked, awaited) = (line.len(), world.desk.pending.len());
            return Err(Failure::Content(format!("{asked} routes are searched for and {awaited} waited for")));
        }
        let mut places =
            Places { world, before, grids: BTreeMap::new(), grounds: BTreeMap::new(), planners: BTreeMap::new() };
        let mut requests = Vec::with_capacity(line.len());
        for standing in line {
            let pending = places.world.desk.pending.get(&standing.ticket);
            let pending =
                pending.ok_or_else(|| Failure::Content("a route is searched for that nobody waits for".into()))?;
            let Journey { planner, ground, from, to, goal: _ } = pending.trip;
            let (planner, ground) = places.of(planner, ground, pending.revision)?;
            requests.push((standing, Request::new(planner, ground, Query::new(from, to))));
        }
        world.pool.go_on(counters, requests);
        Ok(())
    }
}

/// Planners and grounds by their numbers and the revision of the map, each made once: requests for the same share a
/// search.
struct Places<'w> {
    world: &'w World,
    before: BTreeMap<u32, Vec<Edit>>,
    grids: BTreeMap<u32, Arc<Grid>>,
    grounds: BTreeMap<(u32, u16), Arc<Ground>>,
    planners: BTreeMap<(u32, u16, u16), Arc<dyn Planner>>,
}

impl Places<'_> {
    /// A planner and the ground it searches, at a revision of the map.
    fn of(&mut self, planner: u16, ground: u16, revision: u32) -> Result<(Arc<dyn Planner>, Arc<Ground>), Failure> {
        let World { grid, grounds, planners, .. } = self.world;
        let (choice, ready) = &planners[usize::from(planner)];
        if revision == grid.revision() {
            return Ok((ready[&ground].clone(), grounds[usize::from(ground)].clone()));
        }
        let searched = self.ground(ground, revision)?;
        if let Some(made) = self.planners.get(&(revision, planner, ground)) {
            return Ok((made.clone(), searched));
        }
        let made = choice.build(&searched).map_err(WorldError::from)?;
        self.planners.insert((revision, planner, ground), made.clone());
        Ok((made, searched))
    }

    fn ground(&mut self, ground: u16, revision: u32) -> Result<Arc<Ground>, Failure> {
        if let Some(made) = self.grounds.get(&(revision, ground)) {
            return Ok(made.clone());
        }
        let mobility = self.world.grounds[usize::from(ground)].mobility().clone();
        let made = Arc::new(Ground::build(self.map(revision)?, mobility).map_err(WorldError::from)?);
        self.grounds.insert((revision, ground), made.clone());
        Ok(made)
    }

    fn map(&mut self, revision: u32) -> Result<Arc<Grid>, Failure> {
        if let Some(made) = self.grids.get(&revision) {
            return Ok(made.clone());
        }
        let Some(edits) = self.before.get(&revision) else {
            return Err(Failure::Content(format!("revision {revision} of the map is searched and not there")));
        };
        let made = Arc::new(self.world.grid.at_revision(revision, edits));
        self.grids.insert(revision, made.clone());
        Ok(made)
    }
}
