//! The columns of fighting.

use crate::crowd::{AgentId, make_room};
use serde::{Deserialize, Serialize};

/// Cold columns of the soldiers, by slot.
///
/// ```
/// use throng::battle::Soldiers;
/// let mut soldiers = Soldiers::default();
/// soldiers.enlist(0, 100.0);
/// assert_eq!(soldiers.health, [100.0]);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Soldiers {
    /// Health (points); at most 0 = dead.
    pub health: Vec<f32>,
    /// The enemy each has in mind.
    pub target: Vec<AgentId>,
    /// Whether each can walk straight to that enemy, as it saw when it looked last.
    pub charges: Vec<bool>,
    /// The tick from which each may strike again.
    pub ready: Vec<u32>,
    /// The damage each does to its target in this tick (points); 0 = no blow.
    pub blow: Vec<f32>,
}

impl Soldiers {
    /// Makes room for soldiers in `more` slots beyond those of now, and no more than that where they are many.
    pub fn reserve(&mut self, more: usize) {
        make_room(&mut self.health, more);
        make_room(&mut self.target, more);
        make_room(&mut self.charges, more);
        make_room(&mut self.ready, more);
        make_room(&mut self.blow, more);
    }

    /// A new soldier in `slot`.
    pub fn enlist(&mut self, slot: u32, health: f32) {
        let slot = slot as usize;
        if slot >= self.health.len() {
            self.health.resize(slot + 1, 0.0);
            self.target.resize(slot + 1, AgentId::NONE);
            self.charges.resize(slot + 1, false);
            self.ready.resize(slot + 1, 0);
            self.blow.resize(slot + 1, 0.0);
        }
        self.health[slot] = health;
        self.target[slot] = AgentId::NONE;
        self.charges[slot] = false;
        self.ready[slot] = 0;
        self.blow[slot] = 0.0;
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.health.capacity()
            * (size_of::<f32>() + size_of::<AgentId>() + size_of::<bool>() + size_of::<u32>() + size_of::<f32>())
    }
}
