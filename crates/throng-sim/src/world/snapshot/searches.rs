//! Searches under way, stored as their requests: a world that goes on searches anew.
//!
//! Answers fall due by counting expansions, and the same search on the same map expands the same nodes. So it is enough to
//! know what each request has paid for. The map must be the one that was searched: where it was edited since, the edits
//! that lead back to it are stored; so is the count of the crowd that it minds, where that was taken anew since.

use super::crowding::{count, in_crowd};
use super::error::Failure;
use crate::world::parts::Derived;
use crate::world::state::requests::Pending;
use crate::world::{World, WorldError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::{Crowding, Edit, Grid, Ground};
use throng_plan::{Counters, Planner, Pool, RequestProgress};

/// The searches under way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Searches {
    counters: Counters,
    /// The first in line first.
    line: Vec<RequestProgress>,
    /// Revisions of the map that are still searched: the edits that make each of the one there is.
    before: BTreeMap<u32, Vec<Edit>>,
    /// Earlier counts of the crowd that are still searched with.
    counts: Vec<Vec<u8>>,
    /// Index of the one with which each request in the line is searched; `None` = the last, or none.
    with: Vec<Option<u32>>,
}

impl Searches {
    /// The searches of a pool; `grid` is the map as it is now, `last` the last count of the crowd.
    pub(super) fn of(grid: &Grid, last: Option<&Arc<Crowding>>, pool: &Pool) -> Self {
        let mut before = BTreeMap::new();
        let (mut line, mut with) = (Vec::new(), Vec::new());
        let mut counts: Vec<&Arc<Crowding>> = Vec::new();
        for (standing, request) in pool.line() {
            line.push(standing);
            let earlier = request.ground.crowding().filter(|&one| !last.is_some_and(|last| Arc::ptr_eq(one, last)));
            with.push(earlier.map(|one| {
                let known = counts.iter().position(|known| Arc::ptr_eq(known, one));
                known.unwrap_or_else(|| {
                    counts.push(one);
                    counts.len() - 1
                }) as u32
            }));
            let searched = request.ground.grid();
            if searched.revision() != grid.revision() {
                before.entry(searched.revision()).or_insert_with(|| grid.edits_to(searched));
            }
        }
        let counts = counts.into_iter().map(|count| count.blocks().to_vec()).collect();
        Self { counters: pool.counters(), line, before, counts, with }
    }

    /// Asks for them anew.
    pub(super) fn go_on(self, world: &mut World) -> Result<(), Failure> {
        let Self { counters, line, before, counts, with } = self;
        if line.len() != world.state.requests.pending.len() {
            let (asked, awaited) = (line.len(), world.state.requests.pending.len());
            return Err(Failure::Content(format!("{asked} routes are searched for and {awaited} waited for")));
        }
        if with.len() != line.len() {
            return Err(Failure::Content(format!("{} routes are searched for with {} counts", line.len(), with.len())));
        }
        let counts = counts.iter().map(|blocks| count(&world.grid, blocks)).collect::<Result<_, _>>()?;
        let (grids, grounds, planners) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut places = Places { world, before, grids, counts, grounds, planners };
        let (mut requests, mut fields) = (Vec::with_capacity(line.len()), Vec::new());
        for (standing, with) in line.into_iter().zip(with) {
            let pending = places.world.state.requests.pending.get(&standing.ticket);
            let pending =
                pending.ok_or_else(|| Failure::Content("a search has no request that waits for it".into()))?;
            let (key, revision) = (pending.key, pending.revision);
            let (planner, ground) = places.of(key.planner, key.ground, (revision, with))?;
            let pending = Pending::new(key, revision);
            requests.push((standing, pending.request(&planner, &ground)));
            fields.extend(pending.field.map(|field| (standing.ticket, field)));
        }
        world.derived.pool.go_on(counters, requests);
        for (ticket, field) in fields {
            world.state.requests.pending.entry(ticket).and_modify(|pending| pending.field = Some(field));
        }
        Ok(())
    }
}

/// The revision of the map, and which earlier count of the crowd.
type Then = (u32, Option<u32>);

/// Planners and grounds by their numbers and when they were made, each made once: requests for the same share a
/// search.
struct Places<'w> {
    world: &'w World,
    before: BTreeMap<u32, Vec<Edit>>,
    grids: BTreeMap<u32, Arc<Grid>>,
    counts: Vec<Arc<Crowding>>,
    grounds: BTreeMap<(Then, u16), Arc<Ground>>,
    planners: BTreeMap<(Then, u16, u16), Arc<dyn Planner>>,
}

impl Places<'_> {
    /// A planner and the ground it searches, as it was then.
    fn of(&mut self, planner: u16, ground: u16, then: Then) -> Result<(Arc<dyn Planner>, Arc<Ground>), Failure> {
        let World { grid, derived, .. } = self.world;
        let Derived { grounds, planners, .. } = derived;
        let (choice, ready) = &planners[usize::from(planner)];
        if then == (grid.revision(), None) {
            return Ok((ready[&ground].clone(), grounds[usize::from(ground)].clone()));
        }
        let searched = self.ground(ground, then)?;
        if let Some(made) = self.planners.get(&(then, planner, ground)) {
            return Ok((made.clone(), searched));
        }
        let made = choice.build(&searched).map_err(WorldError::from)?;
        self.planners.insert((then, planner, ground), made.clone());
        Ok((made, searched))
    }

    fn ground(&mut self, ground: u16, then: Then) -> Result<Arc<Ground>, Failure> {
        if let Some(made) = self.grounds.get(&(then, ground)) {
            return Ok(made.clone());
        }
        let (revision, with) = then;
        let now = &self.world.derived.grounds[usize::from(ground)];
        let crowding = match with {
            None => now.crowding(),
            Some(with) => Some(self.counts.get(with as usize).ok_or_else(|| {
                Failure::Content(format!("a route is searched for with count {with} of {}", self.counts.len()))
            })?),
        };
        let crowding = crowding.cloned();
        let made = Ground::build(self.map(revision)?, now.mobility().clone()).map_err(WorldError::from)?;
        let made = Arc::new(in_crowd(made, crowding.as_ref()));
        self.grounds.insert((then, ground), made.clone());
        Ok(made)
    }

    fn map(&mut self, revision: u32) -> Result<Arc<Grid>, Failure> {
        if revision == self.world.grid.revision() {
            return Ok(self.world.grid.clone());
        }
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
