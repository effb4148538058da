//! The counts of a squad.

use serde::{Deserialize, Serialize};

/// The counts of a squad so far, its dead included. A hit or a shot counts for the squad that the soldier was in at that
/// time.
///
/// ```
/// use throng_sim::battle::SquadStats;
/// let tally = SquadStats { spawned: 40, losses: 12, left: 2, routed: 1, walked: 1_500_000, ..SquadStats::default() };
/// assert_eq!((tally.alive(), tally.metres()), (25, 1.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SquadStats {
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
    /// Damage that it has done (millionths of a point), to friends too.
    pub dealt: u64,
    /// Damage that its members have taken (millionths of a point).
    pub taken: u64,
    /// How far its members together have walked (µm), since
    /// [`World::count_walks`](crate::world::World::count_walks).
    pub walked: u64,
}

impl SquadStats {
    /// Living members.
    pub fn alive(&self) -> u32 {
        self.spawned.saturating_sub(self.left).saturating_sub(self.routed).saturating_sub(self.losses)
    }

    /// Damage that it has done, and that its members have taken (points).
    pub fn damage(&self) -> [f64; 2] {
        [self.dealt, self.taken].map(points)
    }

    /// How far its members together have walked (m).
    pub fn metres(&self) -> f64 {
        self.walked as f64 / 1e6
    }
}

/// Damage (points) in whole millionths of a point: their sum is the same in any order.
pub fn micropoints(damage: f32) -> u64 {
    (f64::from(damage) * 1e6).round() as u64
}

/// Millionths of a point as points.
pub fn points(micropoints: u64) -> f64 {
    micropoints as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_kept_in_millionths() {
        assert_eq!(micropoints(12.5), 12_500_000);
        assert_eq!(points(micropoints(0.3) + micropoints(0.1)), 0.4);
    }
}
