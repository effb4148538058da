//! The columns of fighting.

use super::Unit;
use super::cell_bitmap::CellBitmap;
use crate::crowd::{AgentId, make_room};
use serde::{Deserialize, Serialize};

/// Cold columns of the soldiers, by slot.
///
/// ```
/// use throng_sim::battle::{Soldiers, Unit};
/// use throng_sim::crowd::AgentId;
/// let mut soldiers = Soldiers::default();
/// soldiers.add(0, &Unit::default());
/// assert_eq!((&soldiers.health[..], soldiers.target(0)), (&[100.0][..], AgentId::NONE));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Soldiers {
    /// Health (points); at most 0 = dead.
    pub health: Vec<f32>,
    /// The target of each; soldiers beyond the end of the column have none.
    pub target: Vec<AgentId>,
    /// The tick from which each may strike again; as long as `target`.
    pub ready: Vec<u32>,
    /// How many shots each has left; soldiers beyond the end of the column have none.
    pub ammunition: Vec<u16>,
    /// The morale that each has left (points); as long as `flees`. Soldiers beyond the end of the columns never run.
    pub morale: Vec<f32>,
    /// Whether each runs.
    pub flees: Vec<bool>,
    /// Scratch: slots and morale of the soldiers that were due, and whether they run.
    #[serde(skip)]
    pub(super) nerves: Vec<(u32, f32, bool)>,
    /// Scratch: the cells with running soldiers.
    #[serde(skip)]
    pub(super) runners: CellBitmap,
    #[serde(skip)]
    pub(super) turns: Vec<Turn>,
    /// How many reach each, or nearly do, and fight it hand to hand; written anew each tick.
    #[serde(skip)]
    pub attackers: Vec<u16>,
    /// Whether each is counted among the attackers of its target.
    #[serde(skip)]
    pub(super) engaged: Vec<bool>,
    /// Scratch: the slots of those who are fought, once for each that fights them.
    #[serde(skip)]
    pub(super) fought: Vec<u32>,
    /// The soldiers that found a new enemy in this tick, each with that enemy, in the order of the slots.
    #[serde(skip)]
    pub(super) found: Vec<(u32, AgentId)>,
    /// The hits of this tick by hand, in the order of the strikers' slots.
    #[serde(skip)]
    pub melee_hits: Vec<MeleeHit>,
}

/// A hit by hand on the target of the striker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeleeHit {
    /// Slot of the striker.
    pub by: u32,
    /// Damage (points).
    pub damage: f32,
}

/// A soldier that begins to run, or stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub slot: u32,
    pub flees: bool,
}

impl Soldiers {
    /// Makes room for soldiers in `more` further slots, and no more than that if they are many.
    pub fn reserve(&mut self, more: usize) {
        make_room(&mut self.health, more);
    }

    /// A new soldier of a kind in `slot`.
    pub fn add(&mut self, slot: u32, unit: &Unit) {
        let ammunition = unit.ranged.as_ref().map_or(0, |ranged| ranged.ammunition);
        let slot = slot as usize;
        if slot >= self.health.len() {
            self.health.resize(slot + 1, 0.0);
        }
        self.health[slot] = unit.health;
        self.hearten(slot, unit.morale);
        if ammunition > 0 && slot >= self.ammunition.len() {
            self.ammunition.resize(slot + 1, 0);
        }
        if let Some(left) = self.ammunition.get_mut(slot) {
            *left = ammunition;
        }
        if slot < self.target.len() {
            self.target[slot] = AgentId::NONE;
            self.ready[slot] = 0;
        }
    }

    /// Gives a new soldier in a slot its morale (points).
    fn hearten(&mut self, slot: usize, morale: f32) {
        if morale > 0.0 && slot >= self.morale.len() {
            self.morale.resize(slot + 1, 0.0);
            self.flees.resize(slot + 1, false);
        }
        if let (Some(courage), Some(flees)) = (self.morale.get_mut(slot), self.flees.get_mut(slot)) {
            (*courage, *flees) = (morale, false);
        }
    }

    /// Gives all soldiers a column for a target: in peace the columns for that stay empty.
    pub fn arm(&mut self) {
        let slots = self.health.len();
        let more = slots - self.target.len();
        make_room(&mut self.target, more);
        make_room(&mut self.ready, more);
        self.target.resize(slots, AgentId::NONE);
        self.ready.resize(slots, 0);
    }

    /// True where the soldier in a slot has shots left.
    #[inline]
    pub fn shoots(&self, slot: usize) -> bool {
        self.ammunition.get(slot).is_some_and(|&left| left > 0)
    }

    /// The enemy that the soldier in a slot has in mind, or [`AgentId::NONE`].
    #[inline]
    pub fn target(&self, slot: usize) -> AgentId {
        self.target.get(slot).copied().unwrap_or(AgentId::NONE)
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        (self.health.capacity() + self.ready.capacity()) * size_of::<u32>()
            + self.target.capacity() * size_of::<AgentId>()
            + (self.ammunition.capacity() + self.attackers.capacity()) * size_of::<u16>()
            + self.morale.capacity() * size_of::<f32>()
            + self.flees.capacity()
            + self.engaged.capacity()
            + self.nerves.capacity() * size_of::<(u32, f32, bool)>()
            + self.runners.bytes()
            + self.turns.capacity() * size_of::<Turn>()
            + self.fought.capacity() * size_of::<u32>()
            + self.found.capacity() * size_of::<(u32, AgentId)>()
            + self.melee_hits.capacity() * size_of::<MeleeHit>()
    }
}
