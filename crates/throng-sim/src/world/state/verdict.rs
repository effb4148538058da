//! The end of a battle.

use crate::ids::ArmyId;
use serde::{Deserialize, Serialize};

/// How a battle ended.
///
/// See [`World::verdict`](crate::world::World::verdict).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// This army holds the field: none of its enemies lives. Of allies that hold it together it is the first.
    Winner(ArmyId),
    /// Time is up, or no army that fought has a soldier left.
    Draw,
}
