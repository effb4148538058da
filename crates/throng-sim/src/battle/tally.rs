//! What a squad has done.

use serde::{Deserialize, Serialize};

/// What a squad has done so far, its dead included: hits and shots count for the squad that the soldier was in when it struck
/// or shot.
///
/// ```
/// use throng_sim::battle::Tally;
/// let tally = Tally { spawned: 40, losses: 12, left: 3, walked: 1_500_000, ..Tally::default() };
/// assert_eq!((tally.alive(), tally.metres()), (25, 1.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Members it ever had, but for those who were [removed](crate::world::World::remove).
    pub spawned: u32,
    /// Those who have left the world.
    pub left: u32,
    /// Those who died.
    pub losses: u32,
    /// Enemies slain.
    pub kills: u32,
    /// What it has taken of the health of others (points), friends too.
    pub dealt: f64,
    /// What others have taken of its members' (points).
    pub taken: f64,
    /// How far its members together have walked (µm), since
    /// [`World::count_walks`](crate::world::World::count_walks).
    pub walked: u64,
}

impl Tally {
    /// Living members.
    pub fn alive(&self) -> u32 {
        self.spawned.saturating_sub(self.left).saturating_sub(self.losses)
    }

    /// How far its members together have walked (m).
    pub fn metres(&self) -> f64 {
        self.walked as f64 / 1e6
    }
}
