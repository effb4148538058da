//! The parts of a world: its state, the data derived from that, and the scratch of a tick.

use super::army::Army;
use super::events::Events;
use super::settings::{Settings, WorldError};
use super::snapshot::MapMark;
use super::state::congestion::Congestion;
use super::state::edits::Edits;
use super::state::fields::Fields;
use super::state::fire::Fire;
use super::state::given::Given;
use super::state::links::WorldLinks;
use super::state::mission::Mission;
use super::state::obstacles::Obstacles;
use super::state::requests::RouteRequests;
use super::state::travels::Travels;
use super::state::triggers::Triggers;
use super::state::verdict::Verdict;
use crate::battle::{ArmyOccupancy, Ramparts, Relations, Shots, Soldiers, Squad, Unit, WallHit};
use crate::crowd::{AgentId, Crowd, RouteFollower, RouteView, Routes, Sleepers, UpdateSchedule};
use crate::walk::{Driven, ModelUsage, Surroundings, WalkScratch, Walkers};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground, Lattice};
use throng_plan::{FlowField, Planner, PlannerChoice, Pool};
use throng_spatial::Index;

/// The state from which a tick goes on: beside the map and the settings, the content of a snapshot.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Tells the map that the world was made with from others.
    pub(super) origin: MapMark,
    pub(super) units: Vec<Unit>,
    pub(super) armies: Vec<Army>,
    pub(super) relations: Relations,
    pub(super) squads: Vec<Squad>,
    #[serde(serialize_with = "sleepers_by_slot")]
    pub(super) crowd: Crowd,
    pub(super) soldiers: Soldiers,
    pub(super) shots: Shots,
    /// Whether the distances that agents walk are [summed up](super::World::count_walks).
    pub(super) counts_walks: bool,
    pub(super) routes: Routes,
    pub(super) requests: RouteRequests,
    pub(super) edits: Edits,
    pub(super) obstacles: Obstacles,
    /// The walls and gates that can be broken.
    pub(super) ramparts: Ramparts,
    pub(super) travels: Travels,
    /// Bodies that are moved from outside, by slot.
    pub(super) driven: BTreeMap<u32, Driven>,
    /// Requests for single agents from outside.
    pub(super) given: Given,
    /// Doors, jumps and drops, and the agents on them.
    pub(super) links: WorldLinks,
    /// Slots of agents that others at rest held up at the last look, in their order.
    pub(super) pressing: Vec<u32>,
    pub(super) missions: Vec<Mission>,
    pub(super) triggers: Triggers,
    /// The agents that died in the last tick.
    pub(super) dead: Vec<AgentId>,
    /// The agents that left in the last tick.
    pub(super) left: Vec<AgentId>,
    pub(super) events: Events,
    pub(super) tick: u64,
    pub(super) verdict: Option<Verdict>,
    /// Fires, for show.
    pub(super) fires: Vec<Fire>,
    /// Slots of agents that are to wake; none between two ticks.
    #[serde(skip)]
    pub(super) waking: Vec<u32>,
}

/// Stores a crowd with its sleepers in the order of their slots: how they fell asleep leaves no trace.
fn sleepers_by_slot<S: Serializer>(crowd: &Crowd, serializer: S) -> Result<S::Ok, S::Error> {
    if crowd.rows.slot[crowd.awake()..].is_sorted() {
        return crowd.serialize(serializer);
    }
    let mut ordered = crowd.clone();
    ordered.order_sleepers();
    ordered.serialize(serializer)
}

/// Data that follows from the state, the map and the settings: a fresh start makes equal ones.
#[derive(Debug)]
pub(super) struct Derived {
    /// The lattice whose cells order the rows.
    pub(super) home: Lattice,
    pub(super) grounds: Vec<Arc<Ground>>,
    /// Each with the planner for every ground it is used on.
    pub(super) planners: Vec<(PlannerChoice, PerGround)>,
    pub(super) index: Index,
    /// The agents that sleep.
    pub(super) sleepers: Sleepers,
    pub(super) occupancy: ArmyOccupancy,
    /// The greatest radius of the units (m).
    pub(super) widest: f32,
    pub(super) fields: Fields,
    /// The fields by which fleeing agents leave the map, by ground.
    pub(super) escape_fields: BTreeMap<u16, Arc<FlowField>>,
    pub(super) congestion: Congestion,
    pub(super) usage: ModelUsage,
    pub(super) pool: Pool,
}

/// Data that one stage of a tick writes and a later one reads, and [`World::why`](super::World::why) after it.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The places of awake agents before they moved (m), where a later stage asks for them.
    pub(super) stood: Vec<Vec2>,
    pub(super) walk: WalkScratch,
    /// Hits on walls.
    pub(super) wall_hits: Vec<WallHit>,
}

/// The map over which routes are planned and walked. Stages that deal with routes read it.
#[derive(Clone, Copy)]
pub(super) struct MapView<'a> {
    pub(super) settings: &'a Settings,
    pub(super) grid: &'a Grid,
    pub(super) grounds: &'a [Arc<Ground>],
    pub(super) planners: &'a [(PlannerChoice, PerGround)],
}

impl<'a> MapView<'a> {
    pub(super) fn new(settings: &'a Settings, grid: &'a Grid, derived: &'a Derived) -> Self {
        Self { settings, grid, grounds: &derived.grounds, planners: &derived.planners }
    }

    /// The view by which agents follow their routes in this tick.
    pub(super) fn route_view(self, state: &'a State) -> RouteView<'a> {
        route_view(self.grid, &state.routes, self.settings.schedule(state.tick))
    }

    /// A time (s) to the nearest tick, one at least.
    pub(super) fn ticks(self, seconds: f32) -> u64 {
        ((f64::from(seconds) / f64::from(self.settings.step)).round() as u64).max(1)
    }
}

/// The view by which agents follow their routes: the map, the routes, the schedule.
pub(super) fn route_view<'a>(grid: &'a Grid, routes: &'a Routes, schedule: UpdateSchedule) -> RouteView<'a> {
    // A short cut may lead over a hill.
    RouteView { grid, clearance: grid.clearance(), routes, schedule, firm: grid.height_layer().is_some() }
}

/// What the agents of a world read when they walk, and what they write.
pub(super) fn walking<'a>(
    settings: &'a Settings,
    grid: &'a Grid,
    derived: &'a Derived,
    scratch: &'a mut WalkScratch,
    state: &'a mut State,
) -> (Surroundings<'a>, Walkers<'a>) {
    let State { units, squads, soldiers, driven, given, links, crowd, waking, pressing, tick, .. } = state;
    let awake = crowd.awake();
    let Crowd { rows, slots, .. } = crowd;
    let around = Surroundings {
        step: settings.step,
        seed: settings.seed,
        schedule: settings.schedule(*tick),
        grid,
        avoidance: &settings.avoidance,
        model: settings.model.as_ref(),
        stage: settings.stage.as_ref(),
        sleep: settings.sleep,
        usage: derived.usage,
        reach: derived.looks_around(settings).then(|| derived.reach(settings)),
        widest: derived.widest,
        units,
        squads,
        soldiers,
        slots,
        sleepers: &derived.sleepers,
        driven,
        speeds: &given.speeds,
        shoves: &given.shoves,
        pressing,
        // A driven body stands where it was put while the others are pushed.
        still: links
            .crossing()
            .chain(driven.values().map(|driven| driven.id))
            .chain(given.shoves.values().map(|shove| shove.id))
            .collect(),
    };
    (around, Walkers { rows, awake, row_of: &slots.row_of, index: &derived.index, scratch, woken: waking })
}

/// A bit for each army.
pub(super) fn army_mask(armies: impl Iterator<Item = usize>) -> u16 {
    armies.fold(0, |mask, army| mask | 1 << army)
}

/// A planner for each ground on which it is used.
pub(super) type PerGround = BTreeMap<u16, Arc<dyn Planner>>;

/// Side of the cells that order the rows (m): neighbours in space are then neighbours in memory.
const HOME_CELL: f32 = 4.0;

impl State {
    /// True between the death of an agent, or its leaving, and the tick in which its body goes.
    pub(super) fn is_dead(&self, slot: u32) -> bool {
        !(self.dead.is_empty() && self.left.is_empty()) && self.soldiers.health[slot as usize] <= 0.0
    }

    /// The row of an agent that lives.
    pub(super) fn living_row(&self, agent: AgentId) -> Option<usize> {
        self.crowd.row(agent).filter(|_| !self.is_dead(agent.slot))
    }

    /// The kind of soldier in a slot.
    pub(super) fn unit_of(&self, slot: usize) -> &Unit {
        &self.units[usize::from(self.crowd.slots.unit[slot])]
    }

    /// The squad of the agent in a slot.
    pub(super) fn squad_of(&self, slot: usize) -> Option<&Squad> {
        self.squads.get(self.crowd.slots.squad[slot] as usize)
    }

    /// True where the agent in a slot makes for where the map ends. No route is searched for it.
    pub(super) fn escapes(&self, slot: usize) -> bool {
        self.squad_of(slot).is_some_and(|squad| self.soldiers.escapes(slot, squad))
    }

    /// True where two armies are enemies, whether they have soldiers or not.
    pub(super) fn is_at_war(&self) -> bool {
        self.relations.has_enmity(army_mask(0..self.armies.len()))
    }

    /// Takes the routes of agents that walk them no more: they stay where they are.
    pub(super) fn release_routes(&mut self, agents: &[AgentId]) {
        release(agents, &mut self.crowd, &mut self.routes, &mut self.requests);
    }
}

/// Releases the routes of agents, which stay where they are.
pub(super) fn release(agents: &[AgentId], crowd: &mut Crowd, routes: &mut Routes, requests: &mut RouteRequests) {
    for &id in agents {
        requests.backoffs.remove(&id);
        requests.withdraw_agent(id);
        if let Some(row) = crowd.row(id) {
            let stay = RouteFollower::stay(crowd.rows.position[row]);
            let old = std::mem::replace(&mut crowd.slots.follower[id.slot as usize], stay);
            routes.release(old.route);
        }
    }
}

impl Derived {
    /// The map as routes see it, the pool that plans them, and the flow fields.
    pub(super) fn split<'a>(
        &'a mut self,
        settings: &'a Settings,
        grid: &'a Grid,
    ) -> (MapView<'a>, &'a mut Pool, &'a mut Fields) {
        let Self { grounds, planners, pool, fields, .. } = self;
        (MapView { settings, grid, grounds, planners }, pool, fields)
    }

    /// True where a stage needs lists of neighbours.
    pub(super) fn looks_around(&self, settings: &Settings) -> bool {
        let avoidance = &settings.avoidance;
        self.usage.looks()
            || settings.stage.is_some()
            || self.usage.headway
            || avoidance.passes > 0
            || !avoidance.bias.is_off()
    }

    /// How far neighbours are looked for (m), where a stage needs lists of them.
    pub(super) fn reach(&self, settings: &Settings) -> f32 {
        // Wide bodies touch at two radii, and should know of each other before.
        settings.avoidance.orca.reach.max(3.0 * self.widest)
    }

    /// Of a world without agents on a map.
    ///
    /// # Errors
    /// Where the threads that plan cannot be started.
    pub(super) fn empty(grid: &Grid, settings: &Settings) -> Result<Self, WorldError> {
        let size = grid.lattice().size();
        let side = HOME_CELL.max(size.max_element() / Lattice::MAX_SIDE as f32);
        let cells = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(Lattice::MAX_SIDE as f32));
        Ok(Self {
            home: Lattice::new(cells.x as u32, cells.y as u32, side)?,
            grounds: Vec::new(),
            planners: Vec::new(),
            index: settings.index.build()?,
            sleepers: Sleepers::default(),
            occupancy: ArmyOccupancy::new(size)?,
            widest: 0.0,
            fields: Fields::default(),
            escape_fields: BTreeMap::new(),
            congestion: Congestion::default(),
            usage: ModelUsage::default(),
            pool: Pool::new(settings.threads)?,
        })
    }
}
