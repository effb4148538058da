//! What an agent is seen to do.

use super::{Soldiers, Unit};
use crate::crowd::Crowd;
use serde::{Deserialize, Serialize};

/// What an agent is seen to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Action {
    /// It walks, or stands.
    #[default]
    Walk,
    /// It strikes: an enemy is within its reach, or a wall that it breaks.
    Strike,
    /// It shoots: an enemy is in the range of its weapon, it has shots left, and it does not walk.
    Shoot,
}

impl Action {
    /// All of them, in the order of their numbers in recordings.
    pub const ALL: [Self; 3] = [Self::Walk, Self::Strike, Self::Shoot];
}

/// An agent slower than this share of its speed does not walk.
const STANDS: f32 = 0.3;

/// The squared distance to the enemy of the agent in a row, in a slot (m²), and how far it strikes that (m).
fn strikes(crowd: &Crowd, soldiers: &Soldiers, unit: &Unit, (row, slot): (usize, usize)) -> Option<(f32, f32)> {
    let enemy = crowd.row(soldiers.target(slot))?;
    let squared = crowd.rows.position[row].distance_squared(crowd.rows.position[enemy]);
    Some((squared, unit.strikes(crowd.rows.radius[enemy])))
}

/// True where the enemy of the agent in a row, in a slot, is within its reach. O(1).
pub(crate) fn fights(crowd: &Crowd, soldiers: &Soldiers, unit: &Unit, agent: (usize, usize)) -> bool {
    strikes(crowd, soldiers, unit, agent).is_some_and(|(squared, reach)| squared <= reach * reach)
}

/// The action of the agent in a row, in a slot. `besieges` is true where its squad breaks a way through a wall. O(1).
pub(crate) fn action(
    crowd: &Crowd,
    soldiers: &Soldiers,
    unit: &Unit,
    (row, slot): (usize, usize),
    tick: u64,
    besieges: bool,
) -> Action {
    if let Some((squared, reach)) = strikes(crowd, soldiers, unit, (row, slot)) {
        if squared <= reach * reach {
            return Action::Strike;
        }
        let slow = STANDS * unit.speed;
        let stands = crowd.rows.velocity[row].length_squared() <= slow * slow;
        let shoots = unit.ranged.as_ref().filter(|_| stands && soldiers.shoots(slot));
        if shoots.is_some_and(|ranged| squared < ranged.range * ranged.range) {
            return Action::Shoot;
        }
    }
    // Its weapon rests from a stroke: there was none but at the wall.
    let rests = soldiers.ready.get(slot).is_some_and(|&ready| ready > 0 && u64::from(ready) >= tick);
    if besieges && rests { Action::Strike } else { Action::Walk }
}
