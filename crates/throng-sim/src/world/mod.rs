//! The world and its tick.
//!
//! A [`World`] holds the map, everybody on it, and the routes they walk. [`World::tick`] lets a tick pass;
//! [`World::frame`] copies out what can be seen. The same settings, calls and seed give the same bytes, whatever the
//! number of threads and the index.

mod army;
mod breach;
mod congestion;
mod direct;
mod drive;
mod edits;
mod events;
mod fields;
mod frame;
mod insight;
mod journey;
mod mission;
mod mix;
mod muster;
mod posts;
mod profile;
mod removal;
mod rout;
mod routes;
mod settings;
mod sleep;
mod snapshot;
#[cfg(test)]
mod tests;
mod tick;
mod time;
mod travel;
mod trigger;
mod walks;
mod ways;
mod why;

pub use crate::battle::JourneyId;
pub use crate::crowd::ARRIVAL_RADIUS;
pub use army::Army;
pub use events::Events;
pub use frame::{ArmyCount, Flight, Frame, SquadCount, Verdict};
pub use insight::Insight;
pub use journey::{Area, GAP, Journey, Leader, Queue, Stop, Task, Then, Until};
pub use mission::{Mission, Objective};
pub use profile::{Profile, Stage};
pub use settings::{Muster, Settings, WorldError};
pub use snapshot::{MapMark, Resume, SnapshotError};
pub use time::{as_written, seconds};
pub use trigger::cycle;
pub use trigger::{Cause, Effect, Repeat, Trigger, TriggerId, Wave};
pub use ways::Way;
pub use why::Standing;

use crate::battle::{Hit, Presence, Ramparts, Relations, Shots, Soldiers, Squad, Unit};
use crate::crowd::{self, AgentId, Crowd, Routes, Sleepers};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground, Lattice};
use throng_plan::{FlowField, Planner, PlannerChoice, Pool};
use throng_spatial::{Index, Near, SpatialIndex};

/// An army of a world: its place in [`Frame::armies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ArmyId(pub u8);

/// A kind of soldier of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(pub u16);

/// A squad of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SquadId(pub u32);

/// Bytes that a world uses for its agents; the map, its layers and the memory of searches are apart.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::Unit;
/// use throng_sim::world::{Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(128, 128, 1.0)?), Settings::default())?;
/// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
/// let places: Vec<Vec2> = (0..10_000).map(|i| Vec2::new(1.0 + (i % 100) as f32, 1.0 + (i / 100) as f32)).collect();
/// world.walkers(all, walker, &places, &[])?;
/// world.tick()?;
/// assert!(world.memory().total() / places.len() < 250, "bytes an agent");
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Columns of agents and soldiers, the squads, journeys and who is on them.
    pub columns: usize,
    /// The spatial index.
    pub index: usize,
    /// Lists of neighbours.
    pub neighbours: usize,
    /// Routes, and the fields of squads that walk by these.
    pub routes: usize,
}

impl Memory {
    /// All together (bytes).
    pub fn total(&self) -> usize {
        self.columns + self.index + self.neighbours + self.routes
    }
}

/// Everything: the map, the agents, their routes, the index, the clock.
///
/// ```
/// use throng_sim::battle::{Order, Unit};
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{Muster, Settings, World};
///
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let squad = world.muster(Muster::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
/// world.order(squad, Order::GoTo(Vec2::new(24.5, 8.5)))?;
/// for _ in 0..300 {
///     world.tick()?;
/// }
/// assert!(world.positions().next().is_some_and(|(_, at)| at.distance(Vec2::new(24.5, 8.5)) < 0.5));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug)]
pub struct World {
    settings: Settings,
    /// Tells the map that the world was made with from others.
    origin: MapMark,
    grid: Arc<Grid>,
    /// The lattice whose cells order the rows.
    home: Lattice,
    units: Vec<Unit>,
    armies: Vec<Army>,
    relations: Relations,
    squads: Vec<Squad>,
    grounds: Vec<Arc<Ground>>,
    /// Each with the planner for every ground it is used on.
    planners: Vec<(PlannerChoice, PerGround)>,
    crowd: Crowd,
    soldiers: Soldiers,
    shots: Shots,
    /// Where those awake stood before they moved (m), where that is asked for after it.
    stood: Vec<Vec2>,
    /// Whether the ways that everybody walks are [summed up](World::count_walks).
    counts_walks: bool,
    index: Index,
    /// Those who sleep.
    sleepers: Sleepers,
    /// Slots of those who are to wake.
    waking: Vec<u32>,
    near: Near,
    presence: Presence,
    /// The greatest radius of the units (m).
    widest: f32,
    routes: Routes,
    desk: routes::Desk,
    fields: fields::Fields,
    /// The fields by which those who run leave the map, by ground.
    refuges: BTreeMap<u16, Arc<FlowField>>,
    congestion: congestion::Congestion,
    edits: edits::Edits,
    /// What can be broken.
    ramparts: Ramparts,
    /// Strikes at walls; scratch.
    hits: Vec<Hit>,
    travels: travel::Travels,
    /// Bodies that are moved from outside, by slot.
    driven: BTreeMap<u32, drive::Driven>,
    missions: Vec<Mission>,
    triggers: trigger::Triggers,
    pool: Pool,
    threads: Arc<rayon::ThreadPool>,
    dead: Vec<AgentId>,
    /// Who left in the last tick.
    left: Vec<AgentId>,
    wants: Vec<bool>,
    /// A number of each row, anew for each stage: its weight in this tick, since those near their goal give way; then how
    /// far from every wall it is at least (m), while it moves.
    scratch: Vec<f32>,
    /// Where the crowd wants to go; scratch.
    streams: crowd::stream::Streams,
    mix: mix::Mix,
    /// Unit of each row, where units differ in how they move.
    unit_of: Vec<u16>,
    /// Where each row was before the move (m), and its velocity (m/s), where that is asked for after it.
    before: Vec<(Vec2, Vec2)>,
    events: Events,
    profile: Profile,
    tick: u64,
    verdict: Option<Verdict>,
}

/// A planner for each ground on which it is used.
type PerGround = BTreeMap<u16, Arc<dyn Planner>>;

/// Side of the cells that order the rows (m): neighbours in space are then neighbours in memory.
const HOME_CELL: f32 = 4.0;

impl World {
    /// A world on `grid`, empty. Worlds may share a map: an edit gives a world one of its own.
    ///
    /// # Errors
    /// Where a setting is out of range, or threads cannot be started.
    pub fn new(grid: impl Into<Arc<Grid>>, settings: Settings) -> Result<Self, WorldError> {
        Self::on(grid.into(), settings)
    }

    fn on(grid: Arc<Grid>, settings: Settings) -> Result<Self, WorldError> {
        settings.check()?;
        let size = grid.lattice().size();
        let side = HOME_CELL.max(size.max_element() / Lattice::MAX_SIDE as f32);
        let cells = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(Lattice::MAX_SIDE as f32));
        let home = Lattice::new(cells.x as u32, cells.y as u32, side)?;
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(settings.threads)
            .build()
            .map_err(|error| WorldError::Threads(error.to_string()))?;
        let index = Index::new(settings.index);
        let pool = Pool::new(settings.threads)?;
        Ok(Self {
            presence: Presence::new(size)?,
            origin: MapMark::of(&grid),
            grid,
            home,
            units: Vec::new(),
            armies: Vec::new(),
            relations: Relations::default(),
            squads: Vec::new(),
            grounds: Vec::new(),
            planners: Vec::new(),
            crowd: Crowd::default(),
            soldiers: Soldiers::default(),
            shots: Shots::default(),
            stood: Vec::new(),
            counts_walks: false,
            index,
            sleepers: Sleepers::default(),
            waking: Vec::new(),
            near: Near::default(),
            widest: 0.0,
            routes: Routes::default(),
            desk: routes::Desk::default(),
            fields: fields::Fields::default(),
            refuges: BTreeMap::new(),
            congestion: congestion::Congestion::default(),
            edits: edits::Edits::default(),
            ramparts: Ramparts::default(),
            hits: Vec::new(),
            travels: travel::Travels::default(),
            driven: BTreeMap::new(),
            missions: Vec::new(),
            triggers: trigger::Triggers::default(),
            pool,
            threads: Arc::new(threads),
            dead: Vec::new(),
            left: Vec::new(),
            wants: Vec::new(),
            scratch: Vec::new(),
            streams: crowd::stream::Streams::default(),
            mix: mix::Mix::default(),
            unit_of: Vec::new(),
            before: Vec::new(),
            events: Events::default(),
            profile: Profile::default(),
            tick: 0,
            verdict: None,
            settings,
        })
    }

    /// What the world was set up with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The map.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The kinds of soldiers, by [`UnitId`].
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The armies, by [`ArmyId`].
    pub fn armies(&self) -> &[Army] {
        &self.armies
    }

    /// The squads, by [`SquadId`].
    pub fn squads(&self) -> &[Squad] {
        &self.squads
    }

    /// The columns of the agents. Those who died in the last tick are still in them.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Who of those awake is near whom: made of where they were at the beginning of the newest tick. Who sleeps is in a
    /// grid of its own.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The shots in the air.
    pub fn shots(&self) -> &Shots {
        &self.shots
    }

    /// Living agents.
    pub fn agents(&self) -> usize {
        self.crowd.len() - self.dead.len() - self.left.len()
    }

    /// True where an agent runs from the enemy: see [`Unit::morale`].
    pub fn flees(&self, agent: AgentId) -> bool {
        self.crowd.row(agent).is_some() && self.soldiers.flees(agent.slot as usize)
    }

    /// Ticks done.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// What happened in the last tick.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// How long the stages of the last tick took.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How the battle ended; `None` while it goes on, and before there were [two sides](World::has_opponents), unless a mission
    /// is done. Once there, it stays, though ticks may go on.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The routes that are walked.
    pub fn routes(&self) -> &Routes {
        &self.routes
    }

    /// Routes that have been asked for and are not yet due.
    pub fn routes_pending(&self) -> usize {
        self.desk.len()
    }

    /// How often squads and agents have asked for a route so far, each of those who share one counted.
    pub fn routes_asked(&self) -> u64 {
        self.desk.asked
    }

    /// Where every living agent is (m), by slot.
    pub fn positions(&self) -> impl Iterator<Item = (AgentId, Vec2)> {
        (0..)
            .zip(&self.crowd.row_of)
            .filter(|&(slot, &row)| row != u32::MAX && !self.is_dead(slot))
            .map(|(slot, &row)| (self.crowd.id(slot), self.crowd.position[row as usize]))
    }

    /// True between the death of an agent, or its leaving, and the tick in which its body goes.
    fn is_dead(&self, slot: u32) -> bool {
        !(self.dead.is_empty() && self.left.is_empty()) && self.soldiers.health[slot as usize] <= 0.0
    }

    /// A hash (FNV-1a) of who is where, to the last bit.
    pub fn position_hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for (id, at) in self.positions() {
            for word in [id.slot, at.x.to_bits(), at.y.to_bits()] {
                for byte in word.to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        hash
    }

    /// Bytes that the agents use.
    pub fn memory(&self) -> Memory {
        let squads: usize = self.squads.iter().map(Squad::bytes).sum();
        Memory {
            columns: self.crowd.bytes()
                + self.soldiers.bytes()
                + self.shots.bytes()
                + self.stood.capacity() * size_of::<Vec2>()
                + self.wants.capacity()
                + self.scratch.capacity() * size_of::<f32>()
                + self.unit_of.capacity() * size_of::<u16>()
                + self.before.capacity() * size_of::<(Vec2, Vec2)>()
                + self.presence.bytes()
                + self.streams.bytes()
                + self.waking.capacity() * size_of::<u32>()
                + squads
                + self.travels.bytes(),
            index: SpatialIndex::bytes(&self.index) + self.sleepers.bytes(),
            neighbours: self.near.bytes(),
            routes: self.routes.bytes() + self.fields.bytes(),
        }
    }
}
