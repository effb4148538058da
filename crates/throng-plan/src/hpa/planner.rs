//! The search in steps: levels from the lowest that helps to the highest, then the refinement.

use super::Hpa;
use super::cluster::children;
use super::field::Spread;
use super::itinerary::{Itinerary, ItineraryKind};
use super::search::{self, Doors, End, Trip};
use super::straight::{Sight, Straight};
use super::tiling::Area;
use super::trim;
use crate::capabilities::{Capabilities, Guarantee};
use crate::memory::SearchMemory;
use crate::{
    Cancel, Hierarchy, Outcome, Path, PlanError, Planner, Progress, Query, Scratch, Status, search as plan_search,
};
use std::sync::Arc;
use throng_grid::{Cell, Ground};

/// Expansions between two looks at the cancel switch.
const CANCEL_CHECK_EXPANSIONS: u64 = 256;

/// The memory of hierarchical searches.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    doors: Doors,
    pub(super) spread: Spread,
    itinerary: Itinerary,
    phase: HpaPhase,
}

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HpaPhase {
    /// Searching this level; `begun` once it was started.
    Search { level: usize, begun: bool },
    /// The way is known, and no cell of it.
    Settled(Status),
    /// The first part is refined.
    Refine(Status),
}

impl Default for HpaPhase {
    fn default() -> Self {
        Self::Settled(Status::NoRoute)
    }
}

/// The end of a piece of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    Found,
    Budget,
    Limit,
    Cancelled,
}

impl SearchMemory for Memory {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.doors.bytes() + self.spread.bytes() + self.itinerary.bytes()
    }
}

impl Memory {
    /// The level that is searched, or was last.
    pub(super) fn level(&self) -> Option<usize> {
        self.doors.level
    }

    /// The doors that were seen on that level, as the cluster, the number there, what it costs to get there, and whether
    /// the search went on from there.
    pub(super) fn seen(&self) -> Vec<(u32, u16, u32, bool)> {
        self.doors.seen()
    }

    /// The way that was found.
    pub(super) fn way(&self) -> &Itinerary {
        &self.itinerary
    }
}

impl Hpa {
    /// Searches a way over doors and writes it into `itinerary`, whose parts can then be refined one by one. The outcome
    /// tells the cost of the way before it is pulled straight, and the route is at most that long.
    ///
    /// # Errors
    /// Where the planner lacks a capability that the query needs, or was made for another ground, or the start or the
    /// goal is off the map or closed.
    pub fn itinerary(
        &self,
        ground: &Ground,
        query: &Query,
        scratch: &mut Scratch,
        itinerary: &mut Itinerary,
    ) -> Result<Outcome, PlanError> {
        std::mem::swap(&mut scratch.memory::<Memory>().itinerary, itinerary);
        let begun = self.begin(ground, query, scratch);
        let Scratch { state, memories, .. } = scratch;
        let memory = memories.of::<Memory>();
        if begun.is_err() {
            memory.itinerary.restart(ItineraryKind::None, 0);
        }
        memory.itinerary.made_for = Some((self.ground, self.settings));
        let found = begun.map(|()| {
            if let HpaPhase::Search { .. } = memory.phase {
                let halt = self.search(query, memory, &mut state.counters.expanded, u64::MAX);
                settle(halt, memory);
            }
            let Memory { itinerary: way, phase, .. } = &*memory;
            let status = if let HpaPhase::Settled(status) = *phase { status } else { Status::NoRoute };
            outcome(status, way.cost, way.least(ground), state.counters.expanded)
        });
        std::mem::swap(&mut memory.itinerary, itinerary);
        found
    }

    /// The part of a level in which ends that are near to each other are searched for: the clusters above around both;
    /// `None` where they are too far apart, and everything on the highest level.
    fn window(&self, number: usize, from: &End, to: &End) -> Option<Area> {
        let level = &self.levels[number];
        let Some(above) = self.levels.get(number + 1) else {
            return Some(Area { left: 0, top: 0, right: level.tiling.columns - 1, bottom: level.tiling.rows - 1 });
        };
        let [a, b] = [from, to].map(|end| above.tiling.place(end.clusters[number + 1]));
        let near = a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)) <= 1;
        let inside = |end: &End| children(level, &above.tiling, end.clusters[number + 1]);
        near.then(|| inside(from).hull(inside(to)))
    }

    /// Goes on with the search over doors.
    fn search(&self, query: &Query, memory: &mut Memory, expanded: &mut u64, expansions: u64) -> Halt {
        let Memory { doors, itinerary: way, phase, .. } = memory;
        let limit = query.limits.expansions;
        let end = expanded.saturating_add(expansions).min(limit);
        while let HpaPhase::Search { level: number, begun } = *phase {
            let Some(level) = self.levels.get(number) else { break };
            let Some(window) = self.window(number, &way.from, &way.to) else {
                *phase = HpaPhase::Search { level: number + 1, begun: false };
                continue;
            };
            let trip = Trip { level, number, window, from: &way.from, to: &way.to, known: way.cost };
            if !begun {
                doors.begin(&trip);
                *phase = HpaPhase::Search { level: number, begun: true };
            }
            let halt = loop {
                if query.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
                    return Halt::Cancelled;
                }
                let slice = CANCEL_CHECK_EXPANSIONS.min(end.saturating_sub(*expanded));
                if doors.advance(&trip, slice, expanded) {
                    break Halt::Found;
                }
                if *expanded >= limit {
                    break Halt::Limit;
                }
                if *expanded >= end {
                    return Halt::Budget;
                }
            };
            if let Some((cost, id)) = doors.best {
                doors.way(id, &mut way.doors);
                way.restart(ItineraryKind::Doors { level: number, goal: true }, cost);
            } else if let Some((cost, id)) =
                doors.nearest().filter(|_| halt == Halt::Limit && way.kind == ItineraryKind::None)
            {
                doors.way(id, &mut way.doors);
                way.restart(ItineraryKind::Doors { level: number, goal: false }, cost);
            }
            if halt == Halt::Limit {
                return halt;
            }
            *phase = HpaPhase::Search { level: number + 1, begun: false };
        }
        Halt::Found
    }
}

/// Ends the search over doors.
fn settle(halt: Halt, memory: &mut Memory) {
    let way = &mut memory.itinerary;
    let status = match (halt, way.kind) {
        (Halt::Cancelled, _) => {
            way.restart(ItineraryKind::None, 0);
            Status::Cancelled
        }
        (Halt::Limit, ItineraryKind::None) => {
            // Nothing was expanded: the route ends where it starts.
            way.restart(ItineraryKind::Straight(Straight::NONE), 0);
            Status::Partial
        }
        (_, ItineraryKind::None) => {
            way.restart(ItineraryKind::None, 0);
            Status::NoRoute
        }
        (_, ItineraryKind::Doors { goal: false, .. }) => Status::Partial,
        _ => Status::Found,
    };
    memory.phase = HpaPhase::Settled(status);
}

fn outcome(status: Status, cost: u32, least: u32, expanded: u64) -> Outcome {
    let bound = if least == 0 || status != Status::Found { 1.0 } else { f64::from(cost) / f64::from(least) };
    Outcome { status, cost: cost.into(), bound, expanded }
}

impl Planner for Hpa {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: Self::CAN }
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(super::levels::Level::bytes).sum()
    }

    fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        Some(self)
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        let search = plan_search::begin(self, ground, query, scratch)?;
        if self.ground != ground.id() {
            return Err(PlanError::OtherGround { planner: Self::NAME });
        }
        let Scratch { goals, state, memories } = scratch;
        let memory = memories.of::<Memory>();
        let way = &mut memory.itinerary;
        way.restart(ItineraryKind::None, u32::MAX);
        memory.phase = HpaPhase::default();
        memory.doors.level = None;
        if !search {
            way.restart(ItineraryKind::None, 0);
            return Ok(());
        }
        let (lattice, to) = (ground.lattice(), goals.first());
        way.from.place(lattice, query.from);
        way.to.place(lattice, to);
        let sight = Sight::new(ground);
        if let Some(straight) = sight.straight(query.from, to) {
            way.restart(ItineraryKind::Straight(straight), sight.estimate(query.from, to));
            memory.phase = HpaPhase::Settled(Status::Found);
            return Ok(());
        }
        way.from.connect(&self.levels);
        way.to.connect(&self.levels);
        memory.phase = HpaPhase::Search { level: 0, begun: false };
        let cluster = way.from.clusters[0];
        if cluster == way.to.clusters[0] {
            let area = self.levels[0].tiling.area(cluster);
            let (ends, expanded) = ((&way.from, &way.to), &mut state.counters.expanded);
            if let Some(cost) = search::inside(ground, area, ends, &mut memory.spread, expanded) {
                way.restart(ItineraryKind::Inside, cost);
            }
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let Scratch { state, memories, .. } = scratch;
        if let Some(outcome) = state.outcome {
            return Progress::Done(outcome);
        }
        let memory = memories.of::<Memory>();
        if let HpaPhase::Search { .. } = memory.phase {
            let halt = self.search(query, memory, &mut state.counters.expanded, expansions);
            if halt == Halt::Budget {
                return Progress::Running;
            }
            settle(halt, memory);
        } else if query.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            settle(Halt::Cancelled, memory);
        }
        let Memory { spread, itinerary: way, phase, .. } = memory;
        let (least, expanded) = (way.least(ground), state.counters.expanded);
        let status = match *phase {
            HpaPhase::Search { .. } => return Progress::Running,
            HpaPhase::Settled(status) => {
                *phase = HpaPhase::Refine(status);
                if way.begin(self, ground, spread) {
                    let cost = trim::cost(ground.lattice(), way.given());
                    return Progress::Route(Outcome { status, cost: cost.into(), bound: f64::INFINITY, expanded });
                }
                status
            }
            HpaPhase::Refine(status) => status,
        };
        let mut left = expansions;
        while way.parts_left() > 0 {
            if left == 0 {
                return Progress::Running;
            }
            left -= 1;
            way.refine(self, ground, spread);
        }
        way.give(ground);
        let outcome = outcome(status, trim::cost(ground.lattice(), way.given()), least, expanded);
        state.outcome = Some(outcome);
        Progress::Done(outcome)
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clear();
        let given = scratch.memory_of::<Memory>().map(|memory| memory.itinerary.given());
        path.cells.extend_from_slice(given.unwrap_or_default());
    }

    fn updated(&self, ground: &Arc<Ground>, dirty: &[Cell]) -> Result<Option<Arc<dyn Planner>>, PlanError> {
        Ok(Some(Arc::new(self.repaired(ground, dirty)?)))
    }
}
