//! The agents: who they are, which of them are awake, and which slots are vacant.

mod rows;
mod saved;

use super::columns::{AgentRows, AgentSlots, make_room};
use super::order::cell_order;
use super::{Lane, RouteId, RouteProgress};
use bytemuck::cast_slice_mut;
use serde::{Deserialize, Serialize};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// An agent: a place in the cold columns, and which of its successive tenants is meant.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_sim::crowd::{Crowd, Newcomer};
/// let mut crowd = Crowd::default();
/// let walker = Newcomer {
///     position: Vec2::ONE, facing: Vec2::X, radius: 0.4, top_speed: 2.0, weight: 1.0, army: 0, unit: 0, squad: u32::MAX,
/// };
/// let first = crowd.spawn(walker);
/// crowd.remove(&[first]);
/// let second = crowd.spawn(walker);
/// assert_eq!((second.slot, second.generation), (first.slot, first.generation + 1));
/// assert_eq!((crowd.row(first), crowd.row(second)), (None, Some(0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AgentId {
    /// Index into the cold columns.
    pub slot: u32,
    /// How many agents had the slot before.
    pub generation: u32,
}

impl AgentId {
    /// No agent.
    pub const NONE: AgentId = AgentId { slot: u32::MAX, generation: u32::MAX };
}

/// So near to its final place (m), an agent has arrived.
pub const ARRIVAL_RADIUS: f32 = 0.5;

/// How far an agent has followed its route, and where it stands in the end; a cold column.
///
/// ```
/// use throng_sim::crowd::{RouteFollower, RouteId, RouteProgress};
/// use throng_grid::geom::Vec2;
/// let stay = RouteFollower::stay(Vec2::ONE);
/// assert!(stay.route == RouteId::NONE && !stay.is_lost());
/// assert!(RouteFollower { route_progress: RouteProgress::Lost, ..stay }.is_lost());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteFollower {
    /// The route it follows, shared with others.
    pub route: RouteId,
    /// The point of `route` it walks to; by a flow field, the cell.
    pub waypoint_index: u32,
    /// Whether it sees its route, and if not, what is done about it.
    pub route_progress: RouteProgress,
    /// Whether it can walk straight to its enemy, as it saw when it looked last.
    pub charges: bool,
    /// True from when it is sent to its post until it has come there.
    pub is_sent: bool,
    /// It has come there, and the events do not say so yet.
    pub has_come: bool,
    /// Its lane among the agents that share its route.
    pub lane: Lane,
    /// The place where it stands in the end (m); it does not depend on its route.
    pub post: Vec2,
}

impl RouteFollower {
    /// True where it needs a route of its own, or another than it has.
    pub fn is_lost(&self) -> bool {
        matches!(self.route_progress, RouteProgress::Lost | RouteProgress::Cut)
    }

    /// Forgets the checks that it missed, unless it needs a route of its own or waits for one.
    pub(crate) fn clear_misses(&mut self) {
        if self.route_progress < RouteProgress::Lost {
            self.route_progress = RouteProgress::OnRoute;
        }
    }

    /// It is sent to a post (m), or is only given one.
    pub(crate) fn send(&mut self, post: Vec2, is_sent: bool) {
        (self.post, self.is_sent) = (post, is_sent);
        self.has_come &= !is_sent;
    }

    /// Nowhere to go: stays at `post`.
    pub fn stay(post: Vec2) -> Self {
        let (is_sent, has_come, lane) = (false, false, Lane::default());
        Self {
            route: RouteId::NONE,
            waypoint_index: 0,
            route_progress: RouteProgress::OnRoute,
            charges: false,
            is_sent,
            has_come,
            lane,
            post,
        }
    }
}

/// The point that an agent walks to now; a cold column, written anew each tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The point (m).
    pub point: Vec2,
    /// Distance from the point at which it is content (m); negative where it walks on past the point.
    pub stop: f32,
}

impl Aim {
    /// On to a point (m), there, and no further.
    pub fn at(point: Vec2) -> Self {
        Self { point, stop: 0.0 }
    }

    /// To a point (m) and on past it.
    pub fn past(point: Vec2) -> Self {
        Self { stop: -1.0, ..Self::at(point) }
    }
}

impl Default for Aim {
    /// Nowhere yet: content wherever it is.
    fn default() -> Self {
        Self { stop: f32::INFINITY, ..Self::at(Vec2::ZERO) }
    }
}

/// An agent so near to its post (m) that it sees it may take another.
pub(crate) const NEAR_POST: f32 = 40.0;

/// How long an agent has been at rest, or held up; a cold column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rest {
    /// Its place when it was last seen to move (m).
    pub place: Vec2,
    /// At how many looks in a row it was there, and wanted to be.
    pub looks: u16,
    /// How near it has come to its post (m), once it is within 40 m of it.
    pub nearest: f32,
    /// At how many looks in a row it wanted to go on, and came no nearer.
    pub held_up: u16,
    /// A place from which it has not gone (m), though it may swing there.
    pub anchor: Vec2,
    /// At how many looks in a row it was within [`SWING`](Rest::SWING) of there.
    pub swings: u16,
}

impl Rest {
    /// Has just moved.
    pub fn none(place: Vec2) -> Self {
        Self { place, looks: 0, nearest: f32::INFINITY, held_up: 0, anchor: place, swings: 0 }
    }

    /// An agent that goes no further than this to and fro (m) goes nowhere.
    pub const SWING: f32 = 0.5;

    /// True for an agent at a place (m) that has gone nowhere for three seconds, whatever its velocity.
    pub fn goes_nowhere(&self, at: Vec2) -> bool {
        self.swings >= 3 && at.distance_squared(self.anchor) < Self::SWING * Self::SWING
    }
}

/// The properties of a new agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newcomer {
    /// Centre (m).
    pub position: Vec2,
    /// Unit vector of where it looks.
    pub facing: Vec2,
    /// Radius (m).
    pub radius: f32,
    /// Greatest speed (m/s).
    pub top_speed: f32,
    /// How little it gives way: of two that meet, each takes the other's share of both weights as its duty. Positive, 1
    /// for all alike.
    pub weight: f32,
    /// Army.
    pub army: u8,
    /// Kind of soldier.
    pub unit: u16,
    /// Squad, or `u32::MAX`.
    pub squad: u32,
}

/// All agents: hot columns in rows, cold ones at the agent's slot.
///
/// The first [`awake`](Crowd::awake) rows are put in order each tick, by cell, then slot. The others sleep: they rest where
/// they are, in rows that they leave only as others fall asleep, wake or go.
///
/// ```
/// use throng_sim::crowd::{Crowd, Newcomer};
/// use throng_grid::geom::Vec2;
/// let mut crowd = Crowd::default();
/// let walker = Newcomer {
///     position: Vec2::ONE, facing: Vec2::X, radius: 0.4, top_speed: 2.0, weight: 1.0, army: 0, unit: 0, squad: u32::MAX,
/// };
/// let id = crowd.spawn(walker);
/// assert_eq!((crowd.row(id), &crowd.rows.position[..]), (Some(0), &[Vec2::ONE][..]));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Crowd {
    /// The hot columns.
    pub rows: AgentRows,
    /// The cold columns.
    pub slots: AgentSlots,
    awake: usize,
    /// How many were ever there.
    arrivals: u32,
    vacant: Vec<u32>,
    /// What rows are put in order with.
    #[serde(skip)]
    arena: Arena,
}

/// Memory to put rows in order with.
#[derive(Clone, Debug, Default)]
struct Arena {
    /// The rows of the awake agents, in order.
    order: Vec<u32>,
    /// For a column that is put in order.
    spare: Vec<Vec2>,
    /// The first row of each cell, while they are sorted.
    start: Vec<u32>,
}

impl Crowd {
    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.rows.position.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.position.is_empty()
    }

    /// The row of an agent; `None` once it is gone.
    #[inline]
    pub fn row(&self, id: AgentId) -> Option<usize> {
        let slot = id.slot as usize;
        (*self.slots.generation.get(slot)? == id.generation && self.slots.row_of[slot] != u32::MAX)
            .then(|| self.slots.row_of[slot] as usize)
    }

    /// The agent in a slot now.
    #[inline]
    pub fn id(&self, slot: u32) -> AgentId {
        AgentId { slot, generation: self.slots.generation[slot as usize] }
    }

    /// The agent of a number among all that were ever there; `None` where it is gone, or yet to come. O(1) where none has left before
    /// it came, else O(slots).
    pub fn numbered(&self, person: u32) -> Option<AgentId> {
        let is_it = |&slot: &usize| self.slots.person.get(slot) == Some(&person) && self.slots.row_of[slot] != u32::MAX;
        let slot = Some(person as usize).filter(is_it).or_else(|| (0..self.slots.person.len()).find(is_it))?;
        Some(self.id(slot as u32))
    }

    /// How many agents were ever there: their numbers are below.
    pub fn arrivals(&self) -> u32 {
        self.arrivals
    }

    /// The army of the agent in a slot.
    ///
    /// # Panics
    /// Where the slot holds no agent.
    #[inline]
    pub fn army_of(&self, slot: u32) -> u8 {
        self.rows.army[self.slots.row_of[slot as usize] as usize]
    }

    /// Makes room for `more` agents, and no more than that where they are many.
    pub fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
        // Slots that fell vacant are taken first.
        self.slots.reserve(more.saturating_sub(self.vacant.len()));
    }

    /// Adds an agent, awake, in the slot that fell vacant last, or a new one.
    pub fn spawn(&mut self, new: Newcomer) -> AgentId {
        let row = self.len() as u32;
        let slot = self.vacant.pop().unwrap_or(self.slots.row_of.len() as u32);
        self.rows.push(&new, slot);
        if slot as usize == self.slots.row_of.len() {
            self.slots.push(&new, row);
        } else {
            self.slots.put(slot as usize, &new, row);
        }
        self.slots.person[slot as usize] = self.arrivals;
        self.arrivals = self.arrivals.wrapping_add(1);
        self.swap_rows(row as usize, self.awake);
        self.awake += 1;
        self.id(slot)
    }

    /// Puts the rows of awake agents in their canonical order: by cell of `lattice`, then by slot. O(awake + cells).
    pub fn sort(&mut self, lattice: Lattice) {
        let Self { rows, slots, awake, arena: Arena { order, spare, start }, .. } = self;
        let (len, awake) = (rows.len(), ..*awake);
        if spare.len() != len {
            resize(order, len, 0);
            resize(spare, len, Vec2::ZERO);
        }
        let (order, keys) = (&mut order[awake], cast_slice_mut(&mut spare[awake]));
        if !cell_order(lattice, &rows.position[awake], &rows.slot[awake], order, keys, start) {
            return;
        }
        rows.permute(order, spare);
        for (row, &slot) in rows.slot[awake].iter().enumerate() {
            slots.row_of[slot as usize] = row as u32;
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let Arena { order, spare, start } = &self.arena;
        self.rows.position.capacity() * AgentRows::BYTES
            + self.slots.row_of.capacity() * AgentSlots::BYTES
            + spare.capacity() * size_of::<Vec2>()
            + (order.capacity() + start.capacity()) * size_of::<u32>()
    }
}

/// Brings a column to a length, with no more memory than it needs where it grows much.
fn resize<T: Copy>(column: &mut Vec<T>, len: usize, value: T) {
    make_room(column, len.saturating_sub(column.len()));
    column.resize(len, value);
}
