//! Who hurt whom.

use super::Soldiers;
use crate::crowd::{AgentId, Crowd};
use serde::{Deserialize, Serialize};

/// The agent that does harm, as it was then: it may be dead when the harm is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Who.
    pub who: AgentId,
    /// Its army.
    pub army: u8,
    /// Its kind.
    pub unit: u16,
    /// Its squad, or `u32::MAX`.
    pub squad: u32,
}

impl Origin {
    /// The one in a slot and a row.
    pub(super) fn of(crowd: &Crowd, slot: u32, row: usize) -> Self {
        let place = slot as usize;
        Self { who: crowd.id(slot), army: crowd.army[row], unit: crowd.unit[place], squad: crowd.squad[place] }
    }
}

/// A strike or a shot that has hurt somebody.
///
/// See [`Events::harms`](crate::world::Events::harms).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Harm {
    /// Who did it.
    pub by: Origin,
    /// Whom it was done to.
    pub to: Origin,
    /// What it took of its health (points), of that which was left to it.
    pub damage: f32,
    /// From afar, not by hand.
    pub is_shot: bool,
    /// The agent died of it.
    pub is_fatal: bool,
}

/// A soldier who died in this tick.
///
/// See [`Events::deaths`](crate::world::Events::deaths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// Who died.
    pub who: AgentId,
    /// The agent that made the last hit.
    pub by: AgentId,
}

/// Takes `damage` (points, its armour taken off) from the health of one in a row, and notes it. The dead are not hurt again.
pub(super) fn hurt(
    (crowd, by, row): (&Crowd, Origin, usize),
    (damage, is_shot): (f32, bool),
    soldiers: &mut Soldiers,
    (harms, deaths): (&mut Vec<Harm>, &mut Vec<Death>),
) {
    let slot = crowd.slot[row];
    let health = &mut soldiers.health[slot as usize];
    let before = *health;
    *health -= damage;
    if before <= 0.0 {
        return;
    }
    let (to, is_fatal) = (Origin::of(crowd, slot, row), *health <= 0.0);
    harms.push(Harm { by, to, damage: damage.min(before), is_shot, is_fatal });
    if is_fatal {
        deaths.push(Death { who: to.who, by: by.who });
    }
}
