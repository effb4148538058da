//! The agents: which of them are awake, and which slots are vacant.

mod rows;
mod saved;

use super::columns::{AgentRows, AgentSlots, make_room};
use super::order::cell_order;
use super::{AgentId, Newcomer};
use crate::ids::ArmyId;
use bytemuck::cast_slice_mut;
use serde::{Deserialize, Serialize};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// All agents: hot columns in rows, cold ones at the agent's slot.
///
/// The first [`awake`](Crowd::awake) rows are put in order each tick, by cell, then slot. The others sleep: they rest where
/// they are, in rows that they leave only as others fall asleep, wake or go.
///
/// ```
/// use throng_sim::crowd::{Crowd, Newcomer};
/// use throng_sim::world::{ArmyId, UnitId};
/// use throng_grid::geom::Vec2;
/// let mut crowd = Crowd::default();
/// let walker = Newcomer {
///     position: Vec2::ONE,
///     facing: Vec2::X,
///     radius: 0.4,
///     top_speed: 2.0,
///     weight: 1.0,
///     army: ArmyId(0),
///     unit: UnitId(0),
///     squad: None,
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
    pub fn army_of(&self, slot: u32) -> ArmyId {
        self.rows.army_of(self.slots.row_of[slot as usize] as usize)
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
