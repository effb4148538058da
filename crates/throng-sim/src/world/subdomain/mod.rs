//! A world cut into subdomains, which talk by packets alone.
//!
//! Each subdomain owns the agents in a box of the lattice that orders the rows. It moves them in a *window*: its own rows and the
//! ghosts in a ring around them. Whatever is not dealt out yet is gathered: packets of all are shared, so that the stages that
//! look at all agents run in each subdomain alike.
//!
//! | stage | window, and its ring |
//! |---|---|
//! | steer, neighbours | the reach of neighbours, and of the streams that an agent sees ahead |
//! | avoid, integrate | the reach of neighbours for each pass of the push, once for avoidance, once for a velocity turned aside and once for a stage of the caller's |
//! | all others | gathered |

mod cuts;
mod window;
mod wire;

pub use cuts::Cutting;
pub use wire::{Channels, Wire, WireError};

use super::parts::{Derived, State, walking};
use super::tick::{Parts, stages};
use super::{Settings, Stage, World, WorldError, crossing, exchange, sleep, walks};
use crate::crowd::models::ModelFault;
use crate::crowd::stream::{self, Extent};
use crate::crowd::{AgentSlots, Aim, RouteFollower, gap};
use crate::walk::WalkScratch;
use cuts::{CellBox, cut};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_spatial::Index;
use window::Window;

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
    pub const MAX_COUNT: usize = 8;

    /// Cuts a world as it is now into `count` subdomains, 1 to [`Self::MAX_COUNT`].
    ///
    /// # Errors
    /// [`WorldError::Setting`] for another count; where threads cannot be started.
    pub fn cut(world: &World, count: usize) -> Result<Self, WorldError> {
        if !(1..=Self::MAX_COUNT).contains(&count) {
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
    /// The awake rows of the world that each owns, in this tick.
    dealt: Vec<Vec<usize>>,
    window: Window,
}

/// What a subdomain has found of its own rows by steering and looking around: all in the order of the rows.
#[derive(Debug, Serialize, Deserialize)]
struct Found {
    preferred_velocity: Vec<Vec2>,
    wants: Vec<bool>,
    /// Where each goes, where a model asks for it, and how far it bears aside.
    headings: Vec<Vec2>,
    aside: Vec<f32>,
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

impl Subdomain {
    fn new(number: usize, count: usize, wire: Box<dyn Wire>, index: Index) -> Self {
        Self {
            number,
            count,
            cutting: Cutting::Even,
            wire,
            failed: false,
            boxes: Vec::new(),
            dealt: Vec::new(),
            window: Window::new(index),
        }
    }

    /// Reads aims; writes places and velocities of all agents: those of its own by its own work, the others by packets. The inner
    /// result is that of the models of avoidance.
    pub(super) fn walk(
        &mut self,
        settings: &Settings,
        grid: &Grid,
        (derived, scratch, state): Parts<'_>,
        mut done: impl FnMut(Stage),
    ) -> Result<Result<(), ModelFault>, WorldError> {
        self.failed = true;
        self.recut(derived, state);
        self.deal(derived, state);
        self.find(settings, grid, (derived, scratch, state))?;
        done(Stage::Steer);
        crossing::exclude_crossers(state, &mut scratch.walk.near);
        exchange::exchange(settings, grid, derived, &scratch.walk.near, state);
        done(Stage::Neighbours);
        walks::note_places(state, &mut scratch.stood);
        let avoided = self.go(settings, grid, (derived, scratch, state))?;
        done(Stage::Integrate);
        self.failed = false;
        Ok(avoided)
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

    /// Takes its own agents, and all in a ring (m) around them, into the window.
    fn look(&mut self, ring: f32, derived: &Derived, state: &State) -> Result<(), WorldError> {
        let (part, lattice) = (self.boxes[self.number], derived.home);
        Ok(self.window.gather(&state.crowd, |at| part.owns(lattice, at), |at| part.is_near(lattice, at, ring))?)
    }

    /// The cold columns for the stages of a window. Where the world is cut anywhere, all figures of agents outside the window are not
    /// numbers: a test sees then whether a stage reads them.
    fn cold<'a>(&self, slots: &'a AgentSlots) -> Cow<'a, AgentSlots> {
        let Cutting::Random(_) = self.cutting else { return Cow::Borrowed(slots) };
        let mut hidden = slots.clone();
        for slot in (0..hidden.aim.len()).filter(|&slot| !self.window.has(slot)) {
            (hidden.aim[slot], hidden.pace[slot]) = (Aim { point: Vec2::NAN, stop: f32::NAN }, f32::NAN);
            hidden.follower[slot] = RouteFollower::stay(Vec2::NAN);
        }
        Cow::Owned(hidden)
    }

    /// Steers its own agents and finds their neighbours, then takes in what the others have found.
    fn find(
        &mut self,
        settings: &Settings,
        grid: &Grid,
        (derived, scratch, state): Parts<'_>,
    ) -> Result<(), WorldError> {
        let extent = Extent::of(&state.crowd.rows.position[..state.crowd.awake()]);
        let streams = stream::reach(&settings.avoidance.bias, extent);
        let lanes = derived.usage.people.map_or(0.0, |radii| gap::reach(extent, radii));
        self.look(derived.reach(settings).max(streams).max(lanes) + SLACK, derived, state)?;
        let (mut around, _) = walking(settings, grid, derived, &mut scratch.walk, state);
        let cold = self.cold(around.slots);
        around.slots = &cold;
        let (mut walkers, own) = self.window.walkers();
        walkers.steer(&around, Some(extent));
        let beside = walkers.find(&around, &|row| own[row]);
        let looks = around.reach.is_some();
        let found = self.found(looks, beside);

        let crowd = &mut state.crowd;
        let WalkScratch { wants, near, headings, .. } = &mut scratch.walk;
        wants.clear();
        wants.resize(crowd.len(), false);
        headings.clear();
        if derived.usage.people.is_some() {
            headings.resize(crowd.len(), Vec2::ZERO);
        }
        if looks {
            near.reset(crowd.awake(), self.window.lists().1.k());
        }
        let mut beside = 0;
        let founds: Vec<Found> = self.share(&found)?;
        for (rows, found) in self.dealt.iter().zip(founds) {
            let mut first = 0;
            for (i, &row) in rows.iter().enumerate() {
                (crowd.rows.preferred_velocity[row], wants[row]) = (found.preferred_velocity[i], found.wants[i]);
                if let Some(&heading) = found.headings.get(i) {
                    (headings[row], crowd.rows.aside[row]) = (heading, found.aside[i]);
                }
                if looks {
                    let list = &found.near[first..first + usize::from(found.count[i])];
                    first += list.len();
                    near.set(row, list);
                }
            }
            state.waking.extend(found.woken);
            beside += found.beside;
        }
        sleep::wake_where_many_are_beside(beside, state);
        Ok(())
    }

    /// What it has found of its own rows, of which `beside` have sleepers near.
    fn found(&mut self, looks: bool, beside: usize) -> Found {
        let woken = self.window.take_woken();
        let (rows, (wants, near)) = (self.window.rows(), self.window.lists());
        let own: Vec<usize> = self.window.own_rows().collect();
        let headings = self.window.headings();
        let mut found = Found {
            preferred_velocity: own.iter().map(|&row| rows.preferred_velocity[row]).collect(),
            wants: own.iter().map(|&row| wants[row]).collect(),
            headings: own.iter().filter_map(|&row| headings.get(row).copied()).collect(),
            aside: if headings.is_empty() { Vec::new() } else { own.iter().map(|&row| rows.aside[row]).collect() },
            count: Vec::new(),
            near: Vec::new(),
            woken,
            beside,
        };
        for row in own.into_iter().filter(|_| looks) {
            found.count.push(near.of(row).len() as u8);
            found.near.extend(self.window.in_world(near.of(row)));
        }
        found
    }

    /// Moves its own agents, then takes in where the others have gone.
    fn go(
        &mut self,
        settings: &Settings,
        grid: &Grid,
        (derived, scratch, state): Parts<'_>,
    ) -> Result<Result<(), ModelFault>, WorldError> {
        let hops = settings.avoidance.passes as f32 + if settings.stage.is_some() { 3.0 } else { 2.0 };
        self.look(hops * derived.reach(settings) + SLACK, derived, state)?;
        self.window.take_lists(&scratch.walk);
        let (mut around, _) = walking(settings, grid, derived, &mut scratch.walk, state);
        let cold = self.cold(around.slots);
        around.slots = &cold;
        let (mut walkers, _) = self.window.walkers();
        walkers.look_up_units(&around);
        let avoided = walkers.avoid(&around);
        walkers.integrate(&around);
        let (rows, own) = (self.window.rows(), || self.window.own_rows());
        let moved = Moved {
            position: own().map(|row| rows.position[row]).collect(),
            velocity: own().map(|row| rows.velocity[row]).collect(),
            preferred_velocity: own().map(|row| rows.preferred_velocity[row]).collect(),
            progress: own().map(|row| rows.progress[row]).collect(),
        };

        let moves: Vec<Moved> = self.share(&moved)?;
        let rows = &mut state.crowd.rows;
        for (dealt, moved) in self.dealt.iter().zip(moves) {
            for (i, &row) in dealt.iter().enumerate() {
                (rows.position[row], rows.velocity[row]) = (moved.position[i], moved.velocity[i]);
                (rows.preferred_velocity[row], rows.progress[row]) = (moved.preferred_velocity[i], moved.progress[i]);
            }
        }
        Ok(avoided)
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
