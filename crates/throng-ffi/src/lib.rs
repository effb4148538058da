//! A C interface of throng: a world from a scenario, ticks, places, orders. `include/throng.h` documents each call.
//!
//! A call never unwinds: a panic is an error as any other, and [`throng_error`] tells it.
#![allow(unsafe_code)] // The one place beside the SIMD code: pointers come from C. Each use says what it relies on.
#![expect(clippy::missing_safety_doc, reason = "the header says what each pointer must be")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_scenario::Scenario;
use throng_sim::battle::Order;
use throng_sim::crowd::AgentId;
use throng_sim::world::{ArmyId, Frame, Resume, SquadId, UnitId, World};

/// A world, and the memory of its frames.
#[derive(Debug)]
pub struct ThrongWorld {
    world: World,
    frame: Frame,
}

/// An agent.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThrongAgent {
    /// Index into the columns.
    pub slot: u32,
    /// How many agents had the slot before.
    pub generation: u32,
}

/// A point (m), or a velocity (m/s).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrongPoint {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// An agent as it is seen after a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrongBody {
    /// Its id.
    pub agent: ThrongAgent,
    /// Its place (m).
    pub position: ThrongPoint,
    /// A unit vector of where it looks.
    pub heading: ThrongPoint,
    /// Of its body (m).
    pub radius: f32,
    /// A share of the full one.
    pub health: f32,
    /// Its squad; `u32::MAX` for a walker.
    pub squad: u32,
    /// Its kind of soldier.
    pub unit: u16,
    /// Its army.
    pub army: u8,
}

impl From<ThrongPoint> for Vec2 {
    fn from(point: ThrongPoint) -> Self {
        Self::new(point.x, point.y)
    }
}

impl From<Vec2> for ThrongPoint {
    fn from(point: Vec2) -> Self {
        Self { x: point.x, y: point.y }
    }
}

impl From<ThrongAgent> for AgentId {
    fn from(ThrongAgent { slot, generation }: ThrongAgent) -> Self {
        Self { slot, generation }
    }
}

impl From<AgentId> for ThrongAgent {
    fn from(AgentId { slot, generation }: AgentId) -> Self {
        Self { slot, generation }
    }
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// What a call returns; an error, or a panic, is kept for [`throng_error`], and `failed` returned in its place.
fn guarded<T>(failed: T, call: impl FnOnce() -> Result<T, String>) -> T {
    let panicked = |_| Err("throng panicked; please report it with a log of the commands".to_owned());
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked).unwrap_or_else(|error| {
        // A text of C ends at its first zero.
        let text = CString::new(error.replace('\0', " ")).unwrap_or_default();
        ERROR.with(|kept| kept.replace(text));
        failed
    })
}

/// As [`guarded`], of a call that returns 0 or -1.
fn done<E: ToString>(call: impl FnOnce() -> Result<(), E>) -> c_int {
    guarded(-1, || call().map(|()| 0).map_err(|error| error.to_string()))
}

/// A world that must be there.
unsafe fn there<'a>(world: *mut ThrongWorld) -> Result<&'a mut ThrongWorld, String> {
    // SAFETY: the caller gives a pointer of `throng_load` or `throng_restore` that was not freed, to one call at a time, or NULL.
    unsafe { world.as_mut() }.ok_or_else(|| "the world is NULL".to_owned())
}

/// A world that must be there, and is only read.
unsafe fn read<'a>(world: *const ThrongWorld) -> Result<&'a World, String> {
    // SAFETY: as above; nothing writes to it meanwhile.
    unsafe { world.as_ref() }.map(|world| &world.world).ok_or_else(|| "the world is NULL".to_owned())
}

/// A path, as text.
unsafe fn path<'a>(text: *const c_char) -> Result<&'a Path, String> {
    if text.is_null() {
        return Err("the path is NULL".to_owned());
    }
    // SAFETY: it is not NULL, and the caller gives a text that ends with a zero.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Path::new).map_err(|error| format!("the path is not UTF-8: {error}"))
}

/// Values of an array of the caller's.
unsafe fn values<'a, T>(first: *const T, count: usize) -> Result<&'a [T], String> {
    match (first.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err("the array is NULL".to_owned()),
        // SAFETY: it is not NULL, and the caller gives an array with so many values.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(first, count) }),
    }
}

/// Writes values into an array of the caller's that has room for some, and returns how many there are.
unsafe fn write<T>(all: impl ExactSizeIterator<Item = T>, to: *mut T, room: usize) -> usize {
    let count = all.len();
    if !to.is_null() {
        for (place, value) in all.take(room).enumerate() {
            // SAFETY: the caller gives an array with room for `room` values, and `place` is less.
            unsafe { to.add(place).write(value) };
        }
    }
    count
}

fn threads(wanted: u32) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted as usize,
    }
}

fn boxed(world: World) -> *mut ThrongWorld {
    Box::into_raw(Box::new(ThrongWorld { world, frame: Frame::default() }))
}

/// Why the last call on this thread that failed did.
#[unsafe(no_mangle)]
pub extern "C" fn throng_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_ptr())
}

/// The world of a scenario at tick 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_load(scenario: *const c_char, wanted: u32) -> *mut ThrongWorld {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: the header says what it must be.
        let (scenario, _) = Scenario::load(unsafe { path(scenario) }?).map_err(|error| error.to_string())?;
        scenario.build(threads(wanted)).map(boxed).map_err(|error| error.to_string())
    })
}

/// The world of a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_restore(snapshot: *const c_char, wanted: u32) -> *mut ThrongWorld {
    guarded(std::ptr::null_mut(), || {
        let resume = Resume { threads: threads(wanted), ..Resume::default() };
        // SAFETY: the header says what it must be.
        World::restore(unsafe { path(snapshot) }?, resume).map(boxed).map_err(|error| error.to_string())
    })
}

/// Writes the world into a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_save(world: *const ThrongWorld, snapshot: *const c_char) -> c_int {
    // SAFETY: the header says what they must be.
    done(|| unsafe { read(world) }?.save(unsafe { path(snapshot) }?).map_err(|error| error.to_string()))
}

/// Ends a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_free(world: *mut ThrongWorld) {
    if !world.is_null() {
        // SAFETY: it comes from `boxed`, and the caller frees it once.
        let world = unsafe { Box::from_raw(world) };
        guarded((), || {
            drop(world);
            Ok(())
        });
    }
}

/// Lets a tick pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_tick(world: *mut ThrongWorld) -> c_int {
    // SAFETY: the header says what it must be.
    done(|| unsafe { there(world) }?.world.tick().map_err(|error| error.to_string()))
}

/// Ticks done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_ticks(world: *const ThrongWorld) -> u64 {
    // SAFETY: the header says what it must be.
    guarded(0, || unsafe { read(world) }.map(World::ticks))
}

/// The simulated time (s).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_seconds(world: *const ThrongWorld) -> f64 {
    // SAFETY: the header says what it must be.
    guarded(0.0, || unsafe { read(world) }.map(World::seconds))
}

/// Width and height of the map (m).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_size(world: *const ThrongWorld) -> ThrongPoint {
    // SAFETY: the header says what it must be.
    guarded(ThrongPoint::default(), || unsafe { read(world) }.map(|world| world.grid().lattice().size().into()))
}

/// A hash of all places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_hash(world: *const ThrongWorld) -> u64 {
    // SAFETY: the header says what it must be.
    guarded(0, || unsafe { read(world) }.map(World::position_hash))
}

/// Living agents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_agents(world: *const ThrongWorld) -> usize {
    // SAFETY: the header says what it must be.
    guarded(0, || unsafe { read(world) }.map(World::agents))
}

/// Squads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_squads(world: *const ThrongWorld) -> usize {
    // SAFETY: the header says what it must be.
    guarded(0, || unsafe { read(world) }.map(|world| world.squads().len()))
}

/// Writes the bodies of all, and returns how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_bodies(world: *mut ThrongWorld, bodies: *mut ThrongBody, room: usize) -> usize {
    guarded(0, || {
        // SAFETY: the header says what it must be.
        let ThrongWorld { world, frame } = unsafe { there(world) }?;
        world.frame(frame);
        let body = |row: usize| ThrongBody {
            agent: world.crowd().id(frame.id[row]).into(),
            position: frame.position[row].into(),
            heading: frame.heading[row].into(),
            radius: frame.radius[row],
            health: frame.health[row],
            squad: frame.squad[row].map_or(u32::MAX, |squad| squad.0),
            unit: frame.unit[row].0,
            army: frame.army[row].0,
        };
        // SAFETY: the header says what it must be.
        Ok(unsafe { write((0..frame.id.len()).map(body), bodies, room) })
    })
}

/// Gives a squad an order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_order(world: *mut ThrongWorld, squad: u32, order: c_int, to: ThrongPoint) -> c_int {
    done(|| {
        let order = match order {
            0 => Order::Hold,
            1 => Order::Attack,
            2 => Order::Charge,
            3 => Order::Flee,
            4 => Order::GoTo(to.into()),
            5 => Order::Move(to.into()),
            found => return Err(format!("the order must be one of throng_order_kind, 0 to 5, found {found}")),
        };
        // SAFETY: the header says what it must be.
        unsafe { there(world) }?.world.order(SquadId(squad), order).map_err(|error| error.to_string())
    })
}

/// Adds walkers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_spawn(
    world: *mut ThrongWorld,
    army: u8,
    unit: u16,
    at: *const ThrongPoint,
    count: usize,
    ids: *mut ThrongAgent,
) -> c_int {
    done(|| {
        // SAFETY: the header says what they must be.
        let (world, at) = (unsafe { there(world) }?, unsafe { values(at, count) }?);
        let at: Vec<Vec2> = at.iter().map(|&at| at.into()).collect();
        let spawned = world.world.spawn_walkers(ArmyId(army), UnitId(unit), &at, &[]);
        let spawned = spawned.map_err(|error| error.to_string())?;
        // SAFETY: the header says what it must be.
        unsafe { write(spawned.into_iter().map(ThrongAgent::from), ids, count) };
        Ok::<(), String>(())
    })
}

/// Takes agents off the map; returns how many were there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_remove(world: *mut ThrongWorld, agents: *const ThrongAgent, count: usize) -> usize {
    guarded(0, || {
        // SAFETY: the header says what they must be.
        let (world, agents) = (unsafe { there(world) }?, unsafe { values(agents, count) }?);
        let agents: Vec<AgentId> = agents.iter().map(|&agent| agent.into()).collect();
        Ok(world.world.remove(&agents))
    })
}

/// Sends a walker to a point by a route.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_walk_to(world: *mut ThrongWorld, walker: ThrongAgent, to: ThrongPoint) -> c_int {
    // SAFETY: the header says what it must be.
    done(|| unsafe { there(world) }?.world.walk_to(walker.into(), to.into()).map_err(|error| error.to_string()))
}

/// Moves a walker from outside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_drive(
    world: *mut ThrongWorld,
    walker: ThrongAgent,
    at: ThrongPoint,
    velocity: ThrongPoint,
) -> c_int {
    done(|| {
        // SAFETY: the header says what it must be.
        let world = &mut unsafe { there(world) }?.world;
        world.drive(walker.into(), at.into(), velocity.into()).map_err(|error| error.to_string())
    })
}

/// A walker that was moved from outside moves itself again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_let_go(world: *mut ThrongWorld, walker: ThrongAgent) -> c_int {
    // SAFETY: the header says what it must be.
    done(|| unsafe { there(world) }.map(|world| world.world.let_go(walker.into())))
}

/// Writes the agents of some event of the last tick.
unsafe fn events(
    world: *const ThrongWorld,
    of: impl FnOnce(&World) -> Vec<AgentId>,
    agents: *mut ThrongAgent,
    room: usize,
) -> usize {
    guarded(0, || {
        // SAFETY: the header says what it must be.
        let found = of(unsafe { read(world) }?);
        // SAFETY: the header says what it must be.
        Ok(unsafe { write(found.into_iter().map(ThrongAgent::from), agents, room) })
    })
}

/// The agents that came to where they were sent in the last tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_arrived(world: *const ThrongWorld, agents: *mut ThrongAgent, room: usize) -> usize {
    // SAFETY: the header says what they must be.
    unsafe { events(world, |world| world.events().arrived.clone(), agents, room) }
}

/// The agents that died in the last tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_dead(world: *const ThrongWorld, agents: *mut ThrongAgent, room: usize) -> usize {
    // SAFETY: the header says what they must be.
    unsafe { events(world, |world| world.events().deaths.iter().map(|death| death.who).collect(), agents, room) }
}

/// The agents for which no route was found in the last tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_no_route(world: *const ThrongWorld, agents: *mut ThrongAgent, room: usize) -> usize {
    // SAFETY: the header says what they must be.
    unsafe { events(world, |world| world.events().no_route.clone(), agents, room) }
}
