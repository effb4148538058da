//! Relations between armies.

use crate::ids::ArmyId;
use serde::{Deserialize, Serialize};

/// The most armies of a world: a bit each in a mask.
pub const MAX_ARMIES: usize = 16;

/// The relation of two armies.
///
/// See [`Relations`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    /// They look for each other and fight.
    #[default]
    Enemy,
    /// They fight side by side: where one holds the field, the other does.
    Ally,
    /// They let each other be.
    Neutral,
}

/// The relations of all pairs of armies, which are symmetric. At first all are enemies.
///
/// ```
/// use throng_sim::battle::{Relation, Relations};
/// use throng_sim::world::ArmyId;
/// let mut relations = Relations::default();
/// relations.set(ArmyId(0), ArmyId(2), Relation::Ally);
/// assert_eq!(relations.of(ArmyId(2), ArmyId(0)), Relation::Ally);
/// assert_eq!(relations.enemies(ArmyId(0)) & 0b1111, 0b1010, "1 and 3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relations {
    /// A bit an army.
    enemies: [u16; MAX_ARMIES],
    allies: [u16; MAX_ARMIES],
}

impl Default for Relations {
    fn default() -> Self {
        let own = std::array::from_fn(|army| 1 << army);
        Self { enemies: own.map(|own: u16| !own), allies: own }
    }
}

impl Relations {
    /// The relation of two armies, each below [`MAX_ARMIES`]; an army is its own ally.
    pub fn of(&self, one: ArmyId, other: ArmyId) -> Relation {
        let is_in = |mask: u16| mask >> other.0 & 1 == 1;
        match one {
            _ if is_in(self.enemies(one)) => Relation::Enemy,
            _ if is_in(self.allies(one)) => Relation::Ally,
            _ => Relation::Neutral,
        }
    }

    /// Sets the relation of two armies. That of an army to itself stays.
    pub fn set(&mut self, one: ArmyId, other: ArmyId, relation: Relation) {
        if one == other || one.max(other).index() >= MAX_ARMIES {
            return;
        }
        for (a, b) in [(one, other), (other, one)] {
            let (a, bit) = (a.index(), 1 << b.0);
            self.enemies[a] &= !bit;
            self.allies[a] &= !bit;
            match relation {
                Relation::Enemy => self.enemies[a] |= bit,
                Relation::Ally => self.allies[a] |= bit,
                Relation::Neutral => {}
            }
        }
    }

    /// The enemies of an army: bit `a` for army `a`, of armies that are not there too.
    #[inline]
    pub fn enemies(&self, army: ArmyId) -> u16 {
        self.enemies[army.index() % MAX_ARMIES]
    }

    /// The allies of an army, itself among them.
    pub fn allies(&self, army: ArmyId) -> u16 {
        self.allies[army.index() % MAX_ARMIES]
    }

    /// True where two of these armies (a bit each) are enemies.
    pub fn has_enmity(&self, armies: u16) -> bool {
        (0..MAX_ARMIES as u8).any(|army| armies >> army & 1 == 1 && self.enemies(ArmyId(army)) & armies != 0)
    }

    /// True where both ways are alike, and every army is its own ally: what comes out of a file may be anything.
    pub(crate) fn is_sound(&self) -> bool {
        let armies = || (0..MAX_ARMIES as u8).map(ArmyId);
        armies().all(|a| {
            let both = self.enemies(a) & self.allies(a);
            both == 0 && self.of(a, a) == Relation::Ally && armies().all(|b| self.of(a, b) == self.of(b, a))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn they_are_as_they_were_said_last(said in prop::collection::vec((0_u8..16, 0_u8..16, 0_u8..3), 0..60)) {
            let mut relations = Relations::default();
            let mut table = [[Relation::Enemy; 16]; 16];
            (0..16).for_each(|army| table[army][army] = Relation::Ally);
            for (a, b, relation) in said {
                let relation = [Relation::Enemy, Relation::Ally, Relation::Neutral][usize::from(relation)];
                relations.set(ArmyId(a), ArmyId(b), relation);
                if a != b {
                    table[usize::from(a)][usize::from(b)] = relation;
                    table[usize::from(b)][usize::from(a)] = relation;
                }
                prop_assert!(relations.is_sound());
            }
            for (a, row) in (0_u8..).zip(&table) {
                for (b, &relation) in (0_u8..).zip(row) {
                    prop_assert_eq!(relations.of(ArmyId(a), ArmyId(b)), relation);
                    let pair = 1 << a | 1 << b;
                    prop_assert_eq!(relations.has_enmity(pair), relation == Relation::Enemy);
                }
            }
        }
    }
}
