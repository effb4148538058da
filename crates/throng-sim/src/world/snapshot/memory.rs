//! A world as it was between two ticks, in memory.

use super::saved::goals_of_fields;
use crate::walk::ModelUsage;
use crate::world::everyone::Everyone;
use crate::world::parts::PerGround;
use crate::world::parts::{Derived, Scratch, State};
use crate::world::recent::RecentEvents;
use crate::world::state::congestion::Congestion;
use crate::world::state::fields::Fields;
use crate::world::{Profile, Settings, World, WorldError};
use std::sync::Arc;
use throng_grid::{Cell, Crowding, Grid, Ground};
use throng_plan::{Counters, PlannerChoice, Request, RequestProgress};

/// A world as it was between two ticks, in memory. Map, grounds and tables of planners are shared with the world; the columns of
/// the agents and all else that a tick changes are copies.
///
/// [`World::snapshot`] takes one.
#[derive(Debug)]
pub struct Snapshot {
    settings: Settings,
    grid: Arc<Grid>,
    state: State,
    /// The goal of the field by which each squad walks.
    walks_to: Vec<Option<Cell>>,
    grounds: Vec<Arc<Ground>>,
    planners: Vec<(PlannerChoice, PerGround)>,
    counters: Counters,
    /// The searches under way, the first first.
    line: Vec<(RequestProgress, Request)>,
    /// The ground and the goal of each field. The fields themselves are not held: who has none that is held forgets it.
    fields: Vec<(u16, Cell)>,
    /// The last count of the crowd.
    crowding: Option<Arc<Crowding>>,
    usage: ModelUsage,
    widest: f32,
    threads: Arc<rayon::ThreadPool>,
    bytes: usize,
}

impl Snapshot {
    /// The tick after which it was taken.
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// Its map.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// Bytes of memory that are its own: without the map and what follows from it.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl World {
    /// Copies the world, to [go on](World::from_snapshot) from here later. Nothing of the world changes. O(agents), some 250 bytes
    /// for each: 10 to 15 ms for 100,000.
    pub fn snapshot(&self) -> Snapshot {
        let Self { settings, grid, state, derived, threads, .. } = self;
        let Derived { grounds, planners, fields, congestion, usage, widest, pool, .. } = derived;
        let walks_to = goals_of_fields(state);
        let mut copy = state.clone();
        copy.squads.iter_mut().for_each(|squad| squad.field = None);
        let (memory, harms) = (self.memory(), size_of_val(state.events.harms.as_slice()));
        Snapshot {
            settings: settings.clone(),
            grid: Arc::clone(grid),
            state: copy,
            walks_to,
            grounds: grounds.clone(),
            planners: planners.clone(),
            counters: pool.counters(),
            line: pool.line().map(|(progress, request)| (progress, request.clone())).collect(),
            fields: fields.keys(),
            crowding: congestion.last().cloned(),
            usage: *usage,
            widest: *widest,
            threads: Arc::clone(threads),
            bytes: memory.columns + state.routes.bytes() + harms,
        }
    }

    /// A world as it was at a snapshot: each later tick gives the same bytes as it did then. The snapshot can be used again.
    ///
    /// Searches that were under way are done again, and fields by which squads walk are built again. It shares the threads of the
    /// tick with the world that the snapshot is of, and has threads of its own for routes.
    ///
    /// # Errors
    /// Where threads cannot be started, or a field cannot be built.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_sim::world::{Settings, SquadSpec, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
    /// world.order(squad, Order::GoTo(Vec2::new(50.5, 30.5)))?;
    /// world.tick_until(|world| world.ticks() == 30)?;
    /// let then = world.snapshot();
    /// world.tick_until(|world| world.ticks() == 90)?;
    /// let mut again = World::from_snapshot(&then)?;
    /// assert_eq!(again.ticks(), 30);
    /// again.tick_until(|world| world.ticks() == 90)?;
    /// assert_eq!(again.position_hash(), world.position_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, WorldError> {
        let mut derived = Derived::empty(&snapshot.grid, &snapshot.settings)?;
        derived.grounds.clone_from(&snapshot.grounds);
        derived.planners.clone_from(&snapshot.planners);
        derived.fields = Fields::of(&derived.grounds, &snapshot.fields)?;
        derived.congestion = Congestion::after(snapshot.crowding.clone());
        (derived.usage, derived.widest) = (snapshot.usage, snapshot.widest);
        let mut state = snapshot.state.clone();
        for (squad, goal) in state.squads.iter_mut().zip(&snapshot.walks_to) {
            squad.field = goal.and_then(|goal| derived.fields.find((squad.ground, goal)));
        }
        derived.sleepers.rebuild(&state.crowd);
        derived.pool.go_on(snapshot.counters, snapshot.line.iter().cloned());
        Ok(Self {
            settings: snapshot.settings.clone(),
            grid: Arc::clone(&snapshot.grid),
            state,
            derived,
            scratch: Scratch::default(),
            threads: Arc::clone(&snapshot.threads),
            profile: Profile::default(),
            everyone: Everyone::default(),
            recent: RecentEvents::default(),
            log: None,
        })
    }
}
