//! The columns of fighting.

use crate::crowd::{AgentId, make_room};
use serde::{Deserialize, Serialize};

/// Cold columns of the soldiers, by slot.
///
/// ```
/// use throng::battle::Soldiers;
/// use throng::crowd::AgentId;
/// let mut soldiers = Soldiers::default();
/// soldiers.enlist(0, 100.0);
/// assert_eq!((&soldiers.health[..], soldiers.target(0)), (&[100.0][..], AgentId::NONE));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Soldiers {
    /// Health (points); at most 0 = dead.
    pub health: Vec<f32>,
    /// The enemy each has in mind; those beyond the end of the column have none.
    pub target: Vec<AgentId>,
    /// The tick from which each may strike again; as long as `target`.
    pub ready: Vec<u32>,
    /// The blows of this tick, in the order of the strikers' slots.
    #[serde(skip)]
    pub blows: Vec<Blow>,
}

/// A blow that lands on the target of the striker.
///
/// ```
/// assert_eq!(throng::battle::Blow { by: 7, damage: 15.0 }.by, 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// Slot of the striker.
    pub by: u32,
    /// Damage (points).
    pub damage: f32,
}

impl Soldiers {
    /// Makes room for soldiers in `more` slots beyond those of now, and no more than that where they are many.
    pub fn reserve(&mut self, more: usize) {
        make_room(&mut self.health, more);
    }

    /// A new soldier in `slot`.
    pub fn enlist(&mut self, slot: u32, health: f32) {
        let slot = slot as usize;
        if slot >= self.health.len() {
            self.health.resize(slot + 1, 0.0);
        }
        self.health[slot] = health;
        if slot < self.target.len() {
            self.target[slot] = AgentId::NONE;
            self.ready[slot] = 0;
        }
    }

    /// Lets everybody have an enemy: in peace the columns for that stay empty.
    pub fn arm(&mut self) {
        let slots = self.health.len();
        let more = slots - self.target.len();
        make_room(&mut self.target, more);
        make_room(&mut self.ready, more);
        self.target.resize(slots, AgentId::NONE);
        self.ready.resize(slots, 0);
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
            + self.blows.capacity() * size_of::<Blow>()
    }
}
