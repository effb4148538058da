//! The world itself: made, and asked.

use super::army::Army;
use super::events::Events;
use super::everyone::Everyone;
use super::log::CommandLog;
use super::parts::{Derived, Scratch, State};
use super::profile::Profile;
use super::recent::RecentEvents;
use super::settings::{Settings, WorldError};
use super::snapshot::MapMark;
use super::state::verdict::Verdict;
use super::time::seconds;
use crate::battle::{Shots, Squad, Unit};
use crate::crowd::{AgentId, Crowd, Routes};
use crate::mixed::mixed;
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_spatial::{Index, SpatialIndex};

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
/// world.spawn_walkers(all, walker, &places, &[])?;
/// world.tick()?;
/// assert!(world.memory().total() / places.len() < 265, "bytes an agent");
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// Columns of agents and soldiers, the squads, journeys and the agents on them.
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
/// use throng_sim::world::{SquadSpec, Settings, World};
///
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
/// world.order(squad, Order::GoTo(Vec2::new(24.5, 8.5)))?;
/// for _ in 0..300 {
///     world.tick()?;
/// }
/// assert!(world.positions().next().is_some_and(|(_, at)| at.distance(Vec2::new(24.5, 8.5)) < 0.5));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug)]
pub struct World {
    pub(super) settings: Settings,
    /// The map as it is now.
    pub(super) grid: Arc<Grid>,
    pub(super) state: State,
    pub(super) derived: Derived,
    pub(super) scratch: Scratch,
    pub(super) threads: Arc<rayon::ThreadPool>,
    pub(super) profile: Profile,
    pub(super) everyone: Everyone,
    pub(super) recent: RecentEvents,
    pub(super) log: Option<CommandLog>,
}

/// The threads of a tick.
fn threads_for(settings: &Settings) -> Result<Arc<rayon::ThreadPool>, WorldError> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build();
    threads.map(Arc::new).map_err(|error| WorldError::Threads(error.to_string()))
}

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
        let threads = threads_for(&settings)?;
        Ok(Self {
            state: State { origin: MapMark::of(&grid), ..State::default() },
            derived: Derived::empty(&grid, &settings)?,
            scratch: Scratch::default(),
            threads,
            profile: Profile::default(),
            everyone: Everyone::default(),
            recent: RecentEvents::default(),
            log: None,
            grid,
            settings,
        })
    }

    /// The world with threads of its caller, which it shares with others: its ticks run on these from now on, whatever
    /// [`Settings::threads`] says, and its own end. No result depends on it. Searches have threads of their own still.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let threads = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build()?);
    /// let grid = Arc::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?));
    /// for _ in 0..3 {
    ///     let mut world = World::new(Arc::clone(&grid), Settings::default())?.with_pool(Arc::clone(&threads));
    ///     world.tick()?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_pool(mut self, threads: Arc<rayon::ThreadPool>) -> Self {
        self.threads = threads;
        self
    }

    /// Gives the world threads of its own.
    pub(super) fn start_threads(&mut self) -> Result<(), WorldError> {
        self.threads = threads_for(&self.settings)?;
        Ok(())
    }

    /// The settings of the world.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The map.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The kinds of soldiers, by [`UnitId`](super::UnitId).
    pub fn units(&self) -> &[Unit] {
        &self.state.units
    }

    /// The armies, by [`ArmyId`](super::ArmyId).
    pub fn armies(&self) -> &[Army] {
        &self.state.armies
    }

    /// The squads, by [`SquadId`](super::SquadId).
    pub fn squads(&self) -> &[Squad] {
        &self.state.squads
    }

    /// The columns of the agents. Agents that died in the last tick are still in them.
    pub fn crowd(&self) -> &Crowd {
        &self.state.crowd
    }

    /// The index of the awake agents, of their places at the beginning of the newest tick. Sleeping agents are in a
    /// grid of their own.
    pub fn index(&self) -> &Index {
        &self.derived.index
    }

    /// The shots in the air.
    pub fn shots(&self) -> &Shots {
        &self.state.shots
    }

    /// Living agents.
    pub fn agents(&self) -> usize {
        self.state.crowd.len() - self.state.dead.len() - self.state.left.len()
    }

    /// True where an agent runs from the enemy: see [`Unit::morale`].
    pub fn flees(&self, agent: AgentId) -> bool {
        self.state.crowd.row(agent).is_some() && self.state.soldiers.flees(agent.slot as usize)
    }

    /// Ticks done.
    pub fn ticks(&self) -> u64 {
        self.state.tick
    }

    /// The events of the last tick.
    pub fn events(&self) -> &Events {
        &self.state.events
    }

    /// How long the stages of the last tick took.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How the battle ended; `None` while it goes on, and before there were [two sides](World::has_opponents), unless a mission
    /// is done. Once there, it stays, though ticks may go on.
    pub fn verdict(&self) -> Option<Verdict> {
        self.state.verdict
    }

    /// The routes that are walked.
    pub fn routes(&self) -> &Routes {
        &self.state.routes
    }

    /// Routes that have been asked for and are not yet due.
    pub fn routes_pending(&self) -> usize {
        self.state.requests.len()
    }

    /// Number of requests for routes so far by squads and agents, shared ones included.
    pub fn routes_asked(&self) -> u64 {
        self.state.requests.asked
    }

    /// The position of every living agent (m), by slot.
    pub fn positions(&self) -> impl Iterator<Item = (AgentId, Vec2)> {
        (0..)
            .zip(&self.state.crowd.slots.row_of)
            .filter(|&(slot, &row)| row != u32::MAX && !self.state.is_dead(slot))
            .map(|(slot, &row)| (self.state.crowd.id(slot), self.state.crowd.rows.position[row as usize]))
    }

    /// A hash of all slots and positions, to the last bit: the sum of one for each agent, so that parts of the agents can be
    /// hashed in any order.
    pub fn position_hash(&self) -> u64 {
        let hash = |(id, at): (AgentId, Vec2)| {
            let [x, y] = [at.x, at.y].map(|part| u64::from(part.to_bits()));
            mixed(mixed(u64::from(id.slot)) ^ (x << 32 | y))
        };
        self.positions().map(hash).fold(0, u64::wrapping_add)
    }

    /// Simulated time (s): see [`seconds`].
    pub fn seconds(&self) -> f64 {
        seconds(self.state.tick, self.settings.step)
    }

    /// Bytes that the agents use.
    pub fn memory(&self) -> Memory {
        let squads: usize = self.state.squads.iter().map(Squad::bytes).sum();
        Memory {
            columns: self.state.crowd.bytes()
                + self.state.soldiers.bytes()
                + self.state.shots.bytes()
                + self.scratch.stood.capacity() * size_of::<Vec2>()
                + self.scratch.walk.bytes()
                + self.derived.occupancy.bytes()
                + self.state.waking.capacity() * size_of::<u32>()
                + squads
                + self.state.travels.bytes(),
            index: SpatialIndex::bytes(&self.derived.index) + self.derived.sleepers.bytes(),
            neighbours: self.scratch.walk.near.bytes(),
            routes: self.state.routes.bytes() + self.derived.fields.bytes(),
        }
    }
}
