//! The counts of a squad.

use serde::{Deserialize, Serialize};

/// The counts of a squad so far, its dead included. A hit or a shot counts for the squad that the soldier was in at that
/// time.
///
/// ```
/// use throng_sim::battle::Tally;
/// let tally = Tally { spawned: 40, losses: 12, left: 2, routed: 1, walked: 1_500_000, ..Tally::default() };
/// assert_eq!((tally.alive(), tally.metres()), (25, 1.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Members it ever had, without [removed](crate::world::World::remove) ones.
    pub spawned: u32,
    /// Members that have left the world at the end of their journey.
    pub left: u32,
    /// Members that have fled over the edge of the map.
    pub routed: u32,
    /// Members that died.
    pub losses: u32,
    /// Enemies killed.
    pub kills: u32,
    /// Damage that it has done (points), to friends too.
    pub dealt: f64,
    /// Damage that its members have taken (points).
    pub taken: f64,
    /// How far its members together have walked (µm), since
    /// [`World::count_walks`](crate::world::World::count_walks).
    pub walked: u64,
}

impl Tally {
    /// Living members.
    pub fn alive(&self) -> u32 {
        self.spawned.saturating_sub(self.left).saturating_sub(self.routed).saturating_sub(self.losses)
    }

    /// How far its members together have walked (m).
    pub fn metres(&self) -> f64 {
        self.walked as f64 / 1e6
    }
}
