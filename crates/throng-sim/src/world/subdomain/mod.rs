//! A world cut into subdomains, which talk by packets alone.
//!
//! Each subdomain owns the agents in a box of the lattice that orders the rows. It moves them in a *window*: its own rows and the
//! ghosts in a ring around them. Whatever is not dealt out yet is gathered: packets of all are shared, so that the stages that
//! look at all agents run in each subdomain alike.
//!
//! | stage | window, and its ring |
//! |---|---|
//! | steer, neighbours | the reach of neighbours, and of the streams that an agent sees ahead |
//! | avoid, integrate | the reach of neighbours for each pass of the push, once for avoidance and once for a velocity turned aside |
//! | all others | gathered |

mod cuts;
mod wire;

pub use cuts::Cutting;
pub use wire::{Channels, Wire, WireError};

use super::parts::{Derived, Scratch, State};
use super::tick::{Parts, stages};
use super::{Settings, Stage, World, WorldError, avoidance, crossing, exchange, motion, neighbours, steering};
use crate::battle;
use crate::crowd::stream::{self, Extent};
use crate::crowd::{AgentRows, Aim, Crowd, RouteFollower};
use cuts::{CellBox, cut};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_spatial::{Index, Near, SpatialIndex};

/// It is cut anew after so many ticks.
const CUT_EVERY: u64 = 64;

/// A ring is wider by this (m), so that rounding leaves no ghost out.
const SLACK: f32 = 0.01;

/// A world cut into subdomains, each of which ticks on a thread of its own and has threads of its own.
///
/// The results are those of the world, to the last bit, wherever it is cut: positions, events, statistics, snapshots. So far each subdomain
/// holds all agents, and moves those in its own box.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Settings, SquadSpec, Subdomains, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let places: Vec<Vec2> = (0..40).map(|i| Vec2::new(4.5 + (i % 8) as f32, 4.5 + (i / 8) as f32)).collect();
/// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &places))?;
/// world.order(squad, Order::GoTo(Vec2::new(50.5, 30.5)))?;
/// let mut cut = Subdomains::cut(&world, 3)?;
/// for _ in 0..100 {
///     world.tick()?;
///     cut.tick()?;
/// }
/// assert_eq!(cut.world().position_hash(), world.position_hash());
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug)]
pub struct Subdomains {
    parts: Vec<(World, Subdomain)>,
    broken: Arc<AtomicBool>,
}

impl Subdomains {
    /// The most subdomains.
    pub const MOST: usize = 8;

    /// Cuts a world as it is now into `count` subdomains, 1 to [`Self::MOST`].
    ///
    /// # Errors
    /// [`WorldError::Setting`] for another count; where threads cannot be started.
    pub fn cut(world: &World, count: usize) -> Result<Self, WorldError> {
        if !(1..=Self::MOST).contains(&count) {
            return Err(WorldError::Setting { field: "subdomains", expected: "1 to 8", found: count as f64 });
        }
        let (wires, broken) = Channels::between(count);
        let snapshot = world.snapshot();
        let part = |(number, wire): (usize, Channels)| {
            let mut world = World::from_snapshot(&snapshot)?;
            world.start_threads()?;
            let index = world.settings.index.build()?;
            Ok((world, Subdomain::new(number, count, Box::new(wire), index)))
        };
        let parts: Result<_, WorldError> = wires.into_iter().enumerate().map(part).collect();
        Ok(Self { parts: parts?, broken })
    }

    /// Cuts along lines found in this way.
    #[must_use]
    pub fn with_cutting(mut self, cutting: Cutting) -> Self {
        self.parts.iter_mut().for_each(|(_, part)| part.cutting = cutting);
        self
    }

    /// The world as the first subdomain has it.
    pub fn world(&self) -> &World {
        &self.parts[0].0
    }

    /// Advances all subdomains by one tick.
    ///
    /// # Errors
    /// As [`World::tick`]. Where a subdomain cannot end its part of a tick, the error is the cause, and all later ticks return
    /// [`WorldError::Wire`].
    pub fn tick(&mut self) -> Result<(), WorldError> {
        let broken = &self.broken;
        if broken.load(Ordering::Relaxed) {
            let failed = self.parts.iter().position(|(_, part)| part.failed).unwrap_or(0);
            return Err(WireError::Gone(failed).into());
        }
        let tick = |(world, part): &mut (World, Subdomain)| {
            // Set where this thread cannot end its part: else the others would wait for it for ever.
            let alarm = Alarm(broken);
            let result = world.tick_in(part);
            if !part.failed {
                std::mem::forget(alarm);
            }
            result
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = self.parts.iter_mut().map(|part| scope.spawn(move || tick(part))).collect();
            let join = |(number, thread): (usize, std::thread::ScopedJoinHandle<'_, Result<(), WorldError>>)| {
                thread.join().unwrap_or(Err(WireError::Gone(number).into()))
            };
            threads.into_iter().enumerate().map(join).collect()
        });
        // The others know only that one has ended.
        let (consequences, causes): (Vec<_>, Vec<_>) =
            results.into_iter().filter_map(Result::err).partition(|error| matches!(error, WorldError::Wire(_)));
        causes.into_iter().chain(consequences).next().map_or(Ok(()), Err)
    }
}

/// Breaks all wires when dropped.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// One subdomain: its box, its wire and its memory.
#[derive(Debug)]
pub(super) struct Subdomain {
    number: usize,
    count: usize,
    cutting: Cutting,
    wire: Box<dyn Wire>,
    /// True while its agents walk, and for ever where that could not be ended.
    failed: bool,
    /// The boxes of all; none before the first tick.
    boxes: Vec<CellBox>,
    /// The index over a window.
    index: Index,
    /// The rows of the world while the crowd is a window, else those of the last window.
    spare: AgentRows,
    /// How many of them are awake.
    awake: usize,
    /// The awake rows of the world that each owns, in this tick.
    dealt: Vec<Vec<usize>>,
    /// The rows of a window, as they are numbered in the world.
    rows: Vec<u32>,
    /// True for the rows of a window that it owns.
    own: Vec<bool>,
    /// The lists of neighbours and the wishes to move of the world while the crowd is a window.
    near: Near,
    wants: Vec<bool>,
    /// The cold columns of the world while those outside a window are not numbers, for tests.
    cold: Option<Cold>,
}

/// The cold columns that the stages with windows read.
#[derive(Debug)]
struct Cold {
    aim: Vec<Aim>,
    pace: Vec<f32>,
    follower: Vec<RouteFollower>,
}

/// What a subdomain has found of its own rows by steering and looking around: all in the order of the rows.
#[derive(Debug, Serialize, Deserialize)]
struct Found {
    preferred_velocity: Vec<Vec2>,
    wants: Vec<bool>,
    /// How many neighbours each has, and their rows in the world.
    count: Vec<u8>,
    near: Vec<u32>,
    woken: Vec<u32>,
    /// How many of its agents have sleepers near.
    beside: usize,
}

/// Where the agents of a subdomain have gone.
#[derive(Debug, Serialize, Deserialize)]
struct Moved {
    position: Vec<Vec2>,
    velocity: Vec<Vec2>,
    preferred_velocity: Vec<Vec2>,
    progress: Vec<f32>,
}

impl Cold {
    /// Makes all figures of agents outside the window not numbers; returns the columns as they were.
    fn hide(crowd: &mut Crowd) -> Self {
        let kept = Self {
            aim: crowd.slots.aim.clone(),
            pace: crowd.slots.pace.clone(),
            follower: crowd.slots.follower.clone(),
        };
        for slot in (0..crowd.slots.aim.len()).filter(|&slot| crowd.slots.row_of[slot] == u32::MAX) {
            (crowd.slots.aim[slot], crowd.slots.pace[slot]) = (Aim { point: Vec2::NAN, stop: f32::NAN }, f32::NAN);
            crowd.slots.follower[slot] = RouteFollower::stay(Vec2::NAN);
        }
        kept
    }
}

impl Subdomain {
    fn new(number: usize, count: usize, wire: Box<dyn Wire>, index: Index) -> Self {
        Self {
            number,
            count,
            cutting: Cutting::Even,
            wire,
            failed: false,
            boxes: Vec::new(),
            index,
            spare: AgentRows::default(),
            awake: 0,
            dealt: Vec::new(),
            rows: Vec::new(),
            own: Vec::new(),
            near: Near::default(),
            wants: Vec::new(),
            cold: None,
        }
    }

    /// Reads aims; writes places and velocities of all agents: those of its own by its own work, the others by packets.
    pub(super) fn walk(
        &mut self,
        settings: &Settings,
        grid: &Grid,
        (derived, scratch, state): Parts<'_>,
        mut done: impl FnMut(Stage),
    ) -> Result<(), WorldError> {
        self.failed = true;
        self.recut(derived, state);
        self.deal(derived, state);
        self.find(settings, grid, (derived, scratch, state))?;
        done(Stage::Steer);
        crossing::exclude_crossers(state, &mut scratch.near);
        exchange::exchange(settings, grid, derived, scratch, state);
        done(Stage::Neighbours);
        motion::note_places(state, &mut scratch.stood);
        self.go(settings, grid, (derived, scratch, state))?;
        done(Stage::Integrate);
        self.failed = false;
        Ok(())
    }

    /// Cuts the world anew from time to time.
    fn recut(&mut self, derived: &Derived, state: &State) {
        if !self.boxes.is_empty() && !state.tick.is_multiple_of(CUT_EVERY) {
            return;
        }
        let (lattice, crowd) = (derived.home, &state.crowd);
        let mut agents = vec![0; lattice.len()];
        crowd.rows.position[..crowd.awake()].iter().for_each(|&at| agents[lattice.at(at).index()] += 1);
        let cutting = match self.cutting {
            Cutting::Even => Cutting::Even,
            Cutting::Random(seed) => Cutting::Random(seed.wrapping_add(state.tick)),
        };
        self.boxes = cut(lattice, &agents, self.count, cutting);
    }

    /// Notes which awake rows each subdomain owns.
    fn deal(&mut self, derived: &Derived, state: &State) {
        self.dealt.resize_with(self.count, Vec::new);
        self.dealt.iter_mut().for_each(Vec::clear);
        for (row, &at) in state.crowd.rows.position[..state.crowd.awake()].iter().enumerate() {
            let owner = self.boxes.iter().position(|part| part.owns(derived.home, at));
            self.dealt[owner.unwrap_or(0)].push(row);
        }
    }

    /// Makes the crowd a window: its own agents, and all in a ring (m) around them.
    fn enter(&mut self, ring: f32, derived: &mut Derived, state: &mut State) -> Result<(), WorldError> {
        let Self { number, cutting, boxes, rows, own, spare, index, cold, .. } = self;
        let (part, lattice, crowd) = (boxes[*number], derived.home, &mut state.crowd);
        rows.clear();
        own.clear();
        let mut awake = 0;
        for (row, &at) in crowd.rows.position.iter().enumerate() {
            let is_own = part.owns(lattice, at);
            if is_own || part.is_near(lattice, at, ring) {
                rows.push(row as u32);
                own.push(is_own);
                awake += usize::from(row < crowd.awake());
            }
        }
        spare.gather(&crowd.rows, rows);
        self.awake = crowd.exchange_rows(spare, awake);
        if let Cutting::Random(_) = cutting {
            *cold = Some(Cold::hide(crowd));
        }
        std::mem::swap(&mut derived.index, index);
        derived.index.rebuild(battle::bodies(crowd)).map_err(|error| {
            self.leave(derived, state);
            error.into()
        })
    }

    /// Makes the crowd that of the world again.
    fn leave(&mut self, derived: &mut Derived, state: &mut State) {
        if let Some(Cold { aim, pace, follower }) = self.cold.take() {
            (state.crowd.slots.aim, state.crowd.slots.pace, state.crowd.slots.follower) = (aim, pace, follower);
        }
        state.crowd.exchange_rows(&mut self.spare, self.awake);
        std::mem::swap(&mut derived.index, &mut self.index);
    }

    /// The awake rows of the window that it owns.
    fn own_rows(&self, awake: usize) -> impl Iterator<Item = usize> {
        (0..awake).filter(|&row| self.own[row])
    }

    /// Steers its own agents and finds their neighbours, then takes in what the others have found.
    fn find(
        &mut self,
        settings: &Settings,
        grid: &Grid,
        (derived, scratch, state): Parts<'_>,
    ) -> Result<(), WorldError> {
        let reach = derived.reach(settings);
        let extent = Extent::of(&state.crowd.rows.position[..state.crowd.awake()]);
        let ring = reach.max(stream::reach(&settings.avoidance.bias, extent)) + SLACK;
        self.enter(ring, derived, state)?;
        scratch.extent = Some(extent);
        steering::steer(settings, grid, scratch, state);
        scratch.extent = None;
        let waking = std::mem::take(&mut state.waking);
        let beside = neighbours::find(settings, derived, scratch, state, &|row| self.own[row]);
        let woken = std::mem::replace(&mut state.waking, waking);
        let awake = state.crowd.awake();
        let looks = derived.looks_around(settings);
        let mut found = Found {
            preferred_velocity: Vec::new(),
            wants: Vec::new(),
            count: Vec::new(),
            near: Vec::new(),
            woken,
            beside,
        };
        for row in self.own_rows(awake) {
            found.preferred_velocity.push(state.crowd.rows.preferred_velocity[row]);
            found.wants.push(scratch.wants[row]);
            if looks {
                let near = scratch.near.of(row);
                found.count.push(near.len() as u8);
                found.near.extend(near.iter().map(|&other| self.rows[other as usize]));
            }
        }
        let k = scratch.near.k();
        self.leave(derived, state);

        let awake = state.crowd.awake();
        scratch.wants.clear();
        scratch.wants.resize(state.crowd.len(), false);
        if looks {
            scratch.near.reset(awake, k);
        }
        let founds: Vec<Found> = self.share(&found)?;
        let mut beside = 0;
        for (rows, found) in self.dealt.iter().zip(founds) {
            let mut first = 0;
            for (i, &row) in rows.iter().enumerate() {
                (state.crowd.rows.preferred_velocity[row], scratch.wants[row]) =
                    (found.preferred_velocity[i], found.wants[i]);
                if looks {
                    let near = &found.near[first..first + usize::from(found.count[i])];
                    first += near.len();
                    scratch.near.set(row, near);
                }
            }
            state.waking.extend(found.woken);
            beside += found.beside;
        }
        neighbours::wake_where_many_are_beside(beside, state);
        Ok(())
    }

    /// Moves its own agents, then takes in where the others have gone.
    fn go(&mut self, settings: &Settings, grid: &Grid, (derived, scratch, state): Parts<'_>) -> Result<(), WorldError> {
        let hops = settings.avoidance.passes as f32 + 2.0;
        let ring = hops * derived.reach(settings) + SLACK;
        let len = state.crowd.len();
        self.enter(ring, derived, state)?;
        self.take_in(derived.looks_around(settings), len, scratch, state);
        neighbours::look_up_units(derived.usage, &state.crowd, &mut scratch.unit_of);
        avoidance::adapt(settings, grid, derived.usage, scratch, state);
        avoidance::avoid(settings, grid, derived.usage, scratch, state);
        crossing::stop_crossers(state);
        motion::integrate(settings, grid, derived.usage, scratch, state);
        std::mem::swap(&mut scratch.near, &mut self.near);
        std::mem::swap(&mut scratch.wants, &mut self.wants);
        let crowd = &state.crowd;
        let own: Vec<usize> = self.own_rows(crowd.awake()).collect();
        let moved = Moved {
            position: own.iter().map(|&row| crowd.rows.position[row]).collect(),
            velocity: own.iter().map(|&row| crowd.rows.velocity[row]).collect(),
            preferred_velocity: own.iter().map(|&row| crowd.rows.preferred_velocity[row]).collect(),
            progress: own.iter().map(|&row| crowd.rows.progress[row]).collect(),
        };
        self.leave(derived, state);

        let moves: Vec<Moved> = self.share(&moved)?;
        let crowd = &mut state.crowd;
        for (rows, moved) in self.dealt.iter().zip(moves) {
            for (i, &row) in rows.iter().enumerate() {
                (crowd.rows.position[row], crowd.rows.velocity[row]) = (moved.position[i], moved.velocity[i]);
                (crowd.rows.preferred_velocity[row], crowd.rows.progress[row]) =
                    (moved.preferred_velocity[i], moved.progress[i]);
            }
        }
        Ok(())
    }

    /// Takes the lists of neighbours and the wishes to move of the world, of `len` rows, into the window. Ghosts at its rim lose the
    /// neighbours that are not in it: nothing of what they do reaches an agent of its own.
    fn take_in(&mut self, looks: bool, len: usize, scratch: &mut Scratch, state: &State) {
        std::mem::swap(&mut scratch.near, &mut self.near);
        std::mem::swap(&mut scratch.wants, &mut self.wants);
        scratch.wants.clear();
        scratch.wants.extend(self.rows.iter().map(|&row| self.wants[row as usize]));
        if !looks {
            return;
        }
        let mut places = vec![u32::MAX; len];
        (0..).zip(&self.rows).for_each(|(place, &row)| places[row as usize] = place);
        scratch.near.reset(state.crowd.awake(), self.near.k());
        let mut list = Vec::new();
        for row in 0..state.crowd.awake() {
            let near = self.near.of(self.rows[row] as usize);
            list.clear();
            list.extend(near.iter().map(|&other| places[other as usize]).filter(|&place| place != u32::MAX));
            scratch.near.set(row, &list);
        }
    }

    /// Sends what it has found to all others, and returns what all have found.
    fn share<T: Serialize + DeserializeOwned>(&mut self, own: &T) -> Result<Vec<T>, WireError> {
        let packet = |number: usize, error: postcard::Error| WireError::Packet { number, what: error.to_string() };
        let bytes = postcard::to_extend(own, Vec::new()).map_err(|error| packet(self.number, error))?;
        let packets = self.wire.share(bytes)?;
        let read =
            |(number, bytes): (usize, Arc<[u8]>)| postcard::from_bytes(&bytes).map_err(|error| packet(number, error));
        packets.into_iter().enumerate().map(read).collect()
    }
}

impl World {
    /// The tick of a subdomain.
    fn tick_in(&mut self, part: &mut Subdomain) -> Result<(), WorldError> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| stages(self, Some(part)))
    }
}

/// Notes the time of a stage.
pub(super) fn note<'a>(profile: &'a mut super::Profile, clock: &'a mut Instant) -> impl FnMut(Stage) + 'a {
    move |stage| profile.add(stage, clock)
}
