//! Damage: the attacker, the victim, and the deaths that follow.

use super::Soldiers;
use crate::crowd::{AgentId, Crowd};
use crate::ids::{ArmyId, SquadId, UnitId};
use serde::{Deserialize, Serialize};

/// The agent that does harm, as it was then: it may be dead when the harm is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The agent.
    pub who: AgentId,
    /// Its army.
    pub army: ArmyId,
    /// Its kind.
    pub unit: UnitId,
    /// Its squad.
    pub squad: Option<SquadId>,
}

impl Origin {
    /// The one in a slot and a row.
    pub(crate) fn of(crowd: &Crowd, slot: u32, row: usize) -> Self {
        let place = slot as usize;
        Self {
            who: crowd.id(slot),
            army: ArmyId(crowd.rows.army[row]),
            unit: UnitId(crowd.slots.unit[place]),
            squad: crowd.slots.squad_of(place),
        }
    }
}

/// One hit or shot that has hurt an agent.
///
/// See [`Events::harms`](crate::world::Events::harms).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DamageEvent {
    /// The attacker.
    pub by: Origin,
    /// The victim.
    pub to: Origin,
    /// The health that it took (points): at most the health that was left.
    pub damage: f32,
    /// From afar, not by hand.
    pub is_shot: bool,
    /// The agent died of it.
    pub is_fatal: bool,
}

/// The death of a soldier in this tick.
///
/// See [`Events::deaths`](crate::world::Events::deaths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Death {
    /// The agent that died.
    pub who: AgentId,
    /// The agent that made the last hit.
    pub by: AgentId,
}

/// Takes `damage` (points, its armour taken off) from the health of one in a row, and notes it. The dead are not hurt again.
pub(crate) fn hurt(
    (crowd, by, row): (&Crowd, Origin, usize),
    (damage, is_shot): (f32, bool),
    soldiers: &mut Soldiers,
    (harms, deaths): (&mut Vec<DamageEvent>, &mut Vec<Death>),
) {
    let slot = crowd.rows.slot[row];
    let health = &mut soldiers.health[slot as usize];
    let before = *health;
    *health -= damage;
    if before <= 0.0 {
        return;
    }
    let (to, is_fatal) = (Origin::of(crowd, slot, row), *health <= 0.0);
    harms.push(DamageEvent { by, to, damage: damage.min(before), is_shot, is_fatal });
    if is_fatal {
        deaths.push(Death { who: to.who, by: by.who });
    }
}
