//! An army and its counts.

use serde::{Deserialize, Serialize};

/// An army and what it has done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Army {
    /// Name.
    pub name: String,
    /// Soldiers it ever had, without [removed](super::World::remove) ones.
    pub spawned: u32,
    /// Living soldiers.
    pub alive: u32,
    /// Soldiers that have left the world at the end of their journey.
    pub left: u32,
    /// Soldiers that have fled over the edge of the map.
    pub routed: u32,
    /// Kills by each kind of its soldiers, by [`UnitId`](super::UnitId), but for those of friends.
    pub kills: Vec<u32>,
    /// The dead of each kind of its soldiers.
    pub losses: Vec<u32>,
    /// Damage that each kind of its soldiers has done (millionths of a point), to friends too.
    pub dealt: Vec<u64>,
    /// Damage that each kind of its soldiers has taken (millionths of a point).
    pub taken: Vec<u64>,
    /// How far all of them together have walked (µm), since [`World::count_walks`](super::World::count_walks).
    pub walked: u64,
    /// Red, green and blue in pictures, where it has a colour of its own.
    pub colour: Option<[u8; 3]>,
}

impl Army {
    /// The dead of all kinds of its soldiers.
    pub fn dead(&self) -> u32 {
        self.losses.iter().sum()
    }

    /// Makes room for another kind of soldier.
    pub(super) fn add_unit(&mut self) {
        self.kills.push(0);
        self.losses.push(0);
        self.dealt.push(0);
        self.taken.push(0);
    }
}
