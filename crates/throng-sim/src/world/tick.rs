//! One tick: a list of stages, each of which reads some columns and writes one.

use super::parts::{Derived, MapView, Scratch, State, walking};
use super::routing::{congestion, delivery, fields, request, way_round};
use super::subdomain::{self, Subdomain};
use super::{
    Profile, Settings, Stage, World, WorldError, combat, command, crossing, edits, exchange, hand, morale, order_queue,
    ordering, pursuit, removal, siege, sleep, travel, trigger, verdict, walks,
};
use crate::crowd::models::ModelFault;
use std::sync::Arc;
use std::time::Instant;
use throng_grid::Grid;

impl World {
    /// Lets the time of one tick pass.
    ///
    /// O(n) in the number of agents, and as much planning as the budget allows.
    ///
    /// # Errors
    /// Where a planner, an index or a model of avoidance from outside panicked or broke its promise, or a unit cannot use the edited
    /// map. The tick was done all the same, without that route, neighbour, velocity or edit, and the world goes on.
    pub fn tick(&mut self) -> Result<(), WorldError> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| stages(self, None))
    }

    /// Lets ticks pass as [`World::tick`] does, until `stop`, which is asked before each, says that it is enough. In between
    /// no thread has to be woken, which counts where a tick takes some hundred microseconds.
    ///
    /// ```
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// world.tick_until(|world| world.ticks() == 30)?;
    /// assert_eq!(world.ticks(), 30);
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::tick`]; the tick with the first error is the last.
    pub fn tick_until(&mut self, mut stop: impl FnMut(&Self) -> bool + Send) -> Result<(), WorldError> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| {
            while !stop(self) {
                stages(self, None)?;
            }
            Ok(())
        })
    }
}

/// The stages of a tick, in their order. Each says in its first line what it reads and writes, and whether it is local: whether what it
/// writes of an agent depends on its neighbours alone.
pub(super) fn stages(world: &mut World, part: Option<&mut Subdomain>) -> Result<(), WorldError> {
    world.log_tick();
    world.recent.keep(world.state.tick, &world.state.events);
    let World { settings, grid, state, derived, scratch, profile, .. } = world;
    let settings = &*settings;
    *profile = Profile::default();
    state.events.clear();
    let mut clock = Instant::now();
    // The map as it is from now on, and the orders and waves that are due.
    let edited = edits::apply(settings, grid, derived, state);
    let grid = &**grid;
    trigger::fire(settings, grid, derived, state);
    profile.add(Stage::Edits, &mut clock);

    let (map, pool, _) = derived.split(settings, grid);
    let delivered = delivery::deliver(map, pool, state);
    profile.add(Stage::Deliver, &mut clock);

    removal::remove_dead(settings, derived, state);
    sleep::wake(derived, state);
    let indexed = ordering::sort(derived, state);
    profile.add(Stage::Reap, &mut clock);

    siege::advance_rams(settings, grid, derived, scratch, state);
    combat::strike_as_told(state);
    combat::fight(settings, grid, derived, state);
    combat::shoot_as_told(settings, grid, derived, state);
    siege::strike(settings, grid, derived, scratch, state);
    trigger::detect(settings, derived, state);
    profile.add(Stage::Battle, &mut clock);

    order_queue::advance(settings, derived, state);
    pursuit::advance(settings, derived, state);
    command::update_route_states(settings, grid, derived, state);
    travel::advance(MapView::new(settings, grid, derived), state);
    let escapes = morale::build_escape_fields(derived, state);
    let held = crossing::save_followers(state);
    command::aims(settings, grid, derived, state);
    crossing::begin(settings, grid, derived, state, held);
    profile.add(Stage::Command, &mut clock);

    let walked = match part {
        None => walk(settings, grid, (derived, scratch, state), subdomain::note(profile, &mut clock)),
        Some(part) => part.walk(settings, grid, (derived, scratch, state), subdomain::note(profile, &mut clock))?,
    };
    crossing::move_crossers(settings, state);
    hand::slow_down(settings, state);
    walks::sum(&scratch.stood, state);
    profile.add(Stage::Integrate, &mut clock);

    combat::advance_projectiles(settings, grid, derived, &scratch.stood, state);
    let routed = morale::update(settings, grid, derived, scratch, state);
    profile.add(Stage::Battle, &mut clock);

    congestion::update(settings, grid, derived, state);
    way_round::look(settings, grid, derived, state);
    let (map, pool, fields) = derived.split(settings, grid);
    let fielded = fields::request(map, fields, state);
    request::request(map, pool, state);
    profile.add(Stage::Ask, &mut clock);

    state.tick += 1;
    sleep::settle(settings, grid, derived, scratch, state);
    verdict::decide(settings, state);
    profile.add(Stage::Reap, &mut clock);
    let indexed = indexed.and(derived.index.fault().map_or(Ok(()), |fault| Err(fault.into())));
    world.log_places();
    edited
        .and(delivered)
        .and(indexed)
        .and(walked.map_err(WorldError::from))
        .and(escapes.and(routed).and(fielded).map_err(WorldError::from))
}

/// What the stages in which agents walk write.
pub(super) type Parts<'a> = (&'a mut Derived, &'a mut Scratch, &'a mut State);

/// The stages in which agents walk.
fn walk(
    settings: &Settings,
    grid: &Grid,
    (derived, scratch, state): Parts<'_>,
    mut done: impl FnMut(Stage),
) -> Result<(), ModelFault> {
    let (around, mut walkers) = walking(settings, grid, derived, &mut scratch.walk, state);
    walkers.steer(&around, None);
    done(Stage::Steer);

    let beside = walkers.find(&around, &|_| true);
    sleep::wake_where_many_are_beside(beside, state);
    crossing::exclude_crossers(state, &mut scratch.walk.near);
    exchange::exchange(settings, grid, derived, &scratch.walk.near, state);
    done(Stage::Neighbours);

    walks::note_places(state, &mut scratch.stood);
    let (around, mut walkers) = walking(settings, grid, derived, &mut scratch.walk, state);
    let avoided = walkers.avoid(&around);
    done(Stage::Avoid);

    walkers.integrate(&around);
    avoided
}
