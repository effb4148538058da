//! The columns of the agents.

mod hot_rows;
mod rows;
mod saved;

pub(crate) use hot_rows::HotRows;

use super::order::cell_order;
use super::simd_batch::alike;
use super::{Lane, PIECE, RouteId, RouteProgress};
use bytemuck::{Pod, cast_slice_mut};
use rayon::prelude::*;
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

/// The columns of all agents: hot ones in rows, cold ones at the agent's slot.
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
/// assert_eq!(crowd.row(id), Some(0));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Crowd {
    /// Hot: centres (m).
    pub position: Vec<Vec2>,
    /// Hot: velocity (m/s).
    pub velocity: Vec<Vec2>,
    /// Hot: the velocity at which it would move if it were alone (m/s). Written anew each tick: until then [`Crowd::sort`] works with its memory.
    #[serde(skip)]
    pub preferred_velocity: Vec<Vec2>,
    /// Hot: the velocity that avoids collisions (m/s). Written anew each tick.
    #[serde(skip)]
    pub new_velocity: Vec<Vec2>,
    /// Hot: radius (m).
    pub radius: Vec<f32>,
    /// Hot: greatest speed (m/s).
    pub top_speed: Vec<f32>,
    /// Hot: how little it gives way, beside others.
    pub weight: Vec<f32>,
    /// Hot: the share of its preferred velocity that it has done of late, 0 to 1; see [`bias`](super::bias::bias).
    pub progress: Vec<f32>,
    /// Hot: army.
    pub army: Vec<u8>,
    /// Hot: slot; the identity of the agent among the living.
    pub slot: Vec<u32>,
    /// Cold: row of the agent, `u32::MAX` where the slot is vacant.
    pub row_of: Vec<u32>,
    /// Cold: how many agents had the slot before.
    pub generation: Vec<u32>,
    /// Cold: the number of the agent among all that were ever there, from 0 in the order in which they came.
    pub person: Vec<u32>,
    /// Cold: kind of soldier.
    pub unit: Vec<u16>,
    /// Cold: squad, or `u32::MAX`.
    pub squad: Vec<u32>,
    /// Cold: unit vector of where it looks.
    pub facing: Vec<Vec2>,
    /// Cold: the way it goes.
    pub follower: Vec<RouteFollower>,
    /// Cold: where it walks now.
    #[serde(skip)]
    pub aim: Vec<Aim>,
    /// Cold: how fast it may go now (m/s), so that it can stop at its aim, or turn; less than its top speed for agents that brake slowly.
    #[serde(skip)]
    pub pace: Vec<f32>,
    /// Cold: how long it has been at rest.
    pub rest: Vec<Rest>,
    awake: usize,
    /// How many were ever there.
    arrivals: u32,
    vacant: Vec<u32>,
    /// The first row of each cell, while they are sorted.
    #[serde(skip)]
    start: Vec<u32>,
}

impl Crowd {
    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// The row of an agent; `None` once it is gone.
    #[inline]
    pub fn row(&self, id: AgentId) -> Option<usize> {
        let slot = id.slot as usize;
        (*self.generation.get(slot)? == id.generation && self.row_of[slot] != u32::MAX)
            .then(|| self.row_of[slot] as usize)
    }

    /// The agent in a slot now.
    #[inline]
    pub fn id(&self, slot: u32) -> AgentId {
        AgentId { slot, generation: self.generation[slot as usize] }
    }

    /// The agent of a number among all that were ever there; `None` where it is gone, or yet to come. O(1) where none has left before
    /// it came, else O(slots).
    pub fn numbered(&self, person: u32) -> Option<AgentId> {
        let is_it = |&slot: &usize| self.person.get(slot) == Some(&person) && self.row_of[slot] != u32::MAX;
        let slot = Some(person as usize).filter(is_it).or_else(|| (0..self.person.len()).find(is_it))?;
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
        self.army[self.row_of[slot as usize] as usize]
    }

    /// Makes room for `more` agents, and no more than that where they are many.
    pub fn reserve(&mut self, more: usize) {
        for column in [&mut self.position, &mut self.velocity, &mut self.preferred_velocity, &mut self.new_velocity] {
            make_room(column, more);
        }
        for column in [&mut self.radius, &mut self.top_speed, &mut self.weight, &mut self.progress] {
            make_room(column, more);
        }
        make_room(&mut self.slot, more);
        make_room(&mut self.army, more);
        // Slots that fell vacant are taken first.
        let slots = more.saturating_sub(self.vacant.len());
        for column in [&mut self.row_of, &mut self.generation, &mut self.person, &mut self.squad] {
            make_room(column, slots);
        }
        make_room(&mut self.facing, slots);
        make_room(&mut self.unit, slots);
        make_room(&mut self.follower, slots);
        make_room(&mut self.aim, slots);
        make_room(&mut self.pace, slots);
        make_room(&mut self.rest, slots);
    }

    /// Adds an agent, awake, in the slot that fell vacant last, or a new one.
    pub fn spawn(&mut self, new: Newcomer) -> AgentId {
        let row = self.len() as u32;
        self.position.push(new.position);
        self.velocity.push(Vec2::ZERO);
        self.preferred_velocity.push(Vec2::ZERO);
        self.new_velocity.push(Vec2::ZERO);
        self.radius.push(new.radius);
        self.top_speed.push(new.top_speed);
        self.weight.push(new.weight);
        self.progress.push(1.0);
        self.army.push(new.army);
        let slot = self.vacant.pop().unwrap_or(self.row_of.len() as u32);
        self.slot.push(slot);
        let s = slot as usize;
        if s == self.row_of.len() {
            self.row_of.push(row);
            self.generation.push(0);
            self.person.push(self.arrivals);
            self.unit.push(new.unit);
            self.squad.push(new.squad);
            self.facing.push(new.facing);
            self.follower.push(RouteFollower::stay(new.position));
            self.aim.push(Aim::default());
            self.pace.push(f32::INFINITY);
            self.rest.push(Rest::none(new.position));
        } else {
            self.row_of[s] = row;
            self.person[s] = self.arrivals;
            self.unit[s] = new.unit;
            self.squad[s] = new.squad;
            self.facing[s] = new.facing;
            self.follower[s] = RouteFollower::stay(new.position);
            self.aim[s] = Aim::default();
            self.pace[s] = f32::INFINITY;
            self.rest[s] = Rest::none(new.position);
        }
        self.arrivals = self.arrivals.wrapping_add(1);
        self.swap_rows(row as usize, self.awake);
        self.awake += 1;
        self.id(slot)
    }

    /// Puts the rows of awake agents in their canonical order: by cell of `lattice`, then by slot. Their preferred and new
    /// velocities are lost. O(awake + cells).
    pub fn sort(&mut self, lattice: Lattice) {
        let awake = ..self.awake;
        let order = &mut cast_slice_mut(&mut self.preferred_velocity[awake])[awake];
        let keys = cast_slice_mut(&mut self.new_velocity[awake]);
        if !cell_order(lattice, &self.position[awake], &self.slot[awake], order, keys, &mut self.start) {
            return;
        }
        let (order, spare) = (&*order, &mut self.new_velocity);
        permute_points(&mut self.position, spare, order);
        permute_points(&mut self.velocity, spare, order);
        let spare = &mut spare[awake];
        for column in [&mut self.radius, &mut self.top_speed, &mut self.weight, &mut self.progress] {
            permute_unless_alike(&mut column[awake], spare, order);
        }
        permute_unless_alike(&mut self.army[awake], spare, order);
        permute(&mut self.slot[awake], spare, order);
        for (row, &slot) in self.slot[awake].iter().enumerate() {
            self.row_of[slot as usize] = row as u32;
        }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let hot = 4 * size_of::<Vec2>() + 4 * size_of::<f32>() + size_of::<u8>() + size_of::<u32>();
        let cold = 4 * size_of::<u32>()
            + size_of::<u16>()
            + size_of::<Vec2>()
            + size_of::<RouteFollower>()
            + size_of::<Aim>()
            + size_of::<f32>()
            + size_of::<Rest>();
        self.position.capacity() * hot + self.row_of.capacity() * cold + self.start.capacity() * size_of::<u32>()
    }
}

/// Makes room for `more`: exactly that where they are many, else for an eighth of all, so that a column that grows one by
/// one is moved seldom and has little to spare.
pub(crate) fn make_room<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity() - column.len() < more {
        column.reserve_exact(more.max(column.len() / 8));
    }
}

/// Puts the first points of `column` in the order of `rows`; those behind them stay. `spare` has other points afterwards,
/// but for those behind.
fn permute_points(column: &mut Vec<Vec2>, spare: &mut Vec<Vec2>, rows: &[u32]) {
    let ordered = &mut spare[..rows.len()];
    ordered.par_iter_mut().zip(rows).with_min_len(PIECE).for_each(|(to, &row)| *to = column[row as usize]);
    if rows.len() == column.len() {
        std::mem::swap(column, spare);
    } else {
        column[..rows.len()].copy_from_slice(ordered);
    }
}

/// Puts the values of `column`, none larger than a point, in the order of `rows`. The memory of `spare` is used for that.
fn permute<T: Pod + Send + Sync>(column: &mut [T], spare: &mut [Vec2], rows: &[u32]) {
    let ordered: &mut [T] = &mut cast_slice_mut(spare)[..rows.len()];
    ordered.par_iter_mut().zip(rows).with_min_len(PIECE).for_each(|(to, &row)| *to = column[row as usize]);
    column.copy_from_slice(ordered);
}

/// Radii, weights, armies: often the same for all, which is seen faster than moved.
fn permute_unless_alike<T: Pod + PartialEq + Send + Sync>(column: &mut [T], spare: &mut [Vec2], rows: &[u32]) {
    if !alike(column) {
        permute(column, spare, rows);
    }
}
