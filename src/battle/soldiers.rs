//! The columns of fighting.

use crate::crowd::AgentId;

/// A blow that is about to land.
///
/// ```
/// use throng::battle::Blow;
/// use throng::crowd::AgentId;
/// assert_eq!(Blow::default().target, AgentId::NONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blow {
    /// Who is struck; [`AgentId::NONE`] = no blow.
    pub target: AgentId,
    /// Damage (points).
    pub damage: f32,
}

impl Default for Blow {
    fn default() -> Self {
        Self { target: AgentId::NONE, damage: 0.0 }
    }
}

/// Cold columns of the soldiers, by slot.
///
/// ```
/// use throng::battle::Soldiers;
/// let mut soldiers = Soldiers::default();
/// soldiers.enlist(0, 100.0);
/// assert_eq!(soldiers.health, [100.0]);
/// ```
#[derive(Debug, Default)]
pub struct Soldiers {
    /// Health (points); at most 0 = dead.
    pub health: Vec<f32>,
    /// The enemy each has in mind.
    pub target: Vec<AgentId>,
    /// The tick from which each may strike again.
    pub ready: Vec<u32>,
    /// The blow each strikes in this tick.
    pub blow: Vec<Blow>,
}

impl Soldiers {
    /// A new soldier in `slot`.
    pub fn enlist(&mut self, slot: u32, health: f32) {
        let slot = slot as usize;
        if slot >= self.health.len() {
            self.health.resize(slot + 1, 0.0);
            self.target.resize(slot + 1, AgentId::NONE);
            self.ready.resize(slot + 1, 0);
            self.blow.resize(slot + 1, Blow::default());
        }
        self.health[slot] = health;
        self.target[slot] = AgentId::NONE;
        self.ready[slot] = 0;
        self.blow[slot] = Blow::default();
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.health.capacity() * (size_of::<f32>() + size_of::<AgentId>() + size_of::<u32>() + size_of::<Blow>())
    }
}
