//! The columns of fighting.

use crate::crowd::AgentId;
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
    /// The tick from which each may strike again.
    pub ready: Vec<u32>,
    /// The damage each does to its target in this tick (points); 0 = no blow.
    pub blow: Vec<f32>,
}

impl Soldiers {
    /// Makes room for `more` soldiers, and no more than that.
    pub fn reserve(&mut self, more: usize) {
        self.health.reserve_exact(more);
        self.target.reserve_exact(more);
        self.ready.reserve_exact(more);
        self.blow.reserve_exact(more);
    }

    /// A new soldier in `slot`.
    pub fn enlist(&mut self, slot: u32, health: f32) {
        let slot = slot as usize;
        if slot >= self.health.len() {
            self.health.resize(slot + 1, 0.0);
            self.target.resize(slot + 1, AgentId::NONE);
            self.ready.resize(slot + 1, 0);
            self.blow.resize(slot + 1, 0.0);
        }
        self.health[slot] = health;
        self.target[slot] = AgentId::NONE;
        self.ready[slot] = 0;
        self.blow[slot] = 0.0;
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.health.capacity() * (size_of::<f32>() + size_of::<AgentId>() + size_of::<u32>() + size_of::<f32>())
    }
}
