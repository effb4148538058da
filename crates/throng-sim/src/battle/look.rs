//! The appearance of a unit in pictures.

use super::Unit;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The appearance of a unit in pictures and in the window; it changes nothing else.
///
/// ```
/// use throng_sim::battle::{Look, Unit};
/// assert_eq!("rider".parse(), Ok(Look::Rider));
/// let knight = Unit { radius: 0.7, speed: 5.0, ..Unit::default() };
/// assert_eq!(knight.look(), Look::Rider);
/// assert_eq!(Unit { look: Some(Look::Giant), ..knight }.look(), Look::Giant);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Look {
    /// A sword and a shield.
    #[default]
    Swordsman,
    /// A spear and a round shield.
    Spearman,
    /// A bow and a hood.
    Archer,
    /// A lance on horseback.
    Rider,
    /// Twice as high as the others, with a club.
    Giant,
    /// A battering ram on wheels, under a roof.
    Ram,
    /// A crest, a cloak and a banner.
    Leader,
    /// Unarmed.
    Civilian,
}

impl Look {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Swordsman,
        Self::Spearman,
        Self::Archer,
        Self::Rider,
        Self::Giant,
        Self::Ram,
        Self::Leader,
        Self::Civilian,
    ];

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Self::Swordsman => "swordsman",
            Self::Spearman => "spearman",
            Self::Archer => "archer",
            Self::Rider => "rider",
            Self::Giant => "giant",
            Self::Ram => "ram",
            Self::Leader => "leader",
            Self::Civilian => "civilian",
        }
    }
}

impl Unit {
    /// Its appearance: the one it was given, else the one that fits what it can do.
    ///
    /// | look | unit |
    /// |---|---|
    /// | ram | a radius from 0.8 m, and it does more to walls than to people |
    /// | civilian | it has neither a blow nor a shot that harms |
    /// | archer | it shoots |
    /// | giant | a radius from 1 m or a height from 3 m |
    /// | rider | a radius from 0.55 m and a speed from 3 m/s |
    /// | spearman | a reach from 1.15 m |
    /// | swordsman | any other |
    pub fn look(&self) -> Look {
        let is_tall = self.radius >= 1.0 || self.height >= 3.0;
        match self.look {
            Some(look) => look,
            None if self.is_ram() && self.radius >= 0.8 => Look::Ram,
            None if self.danger() <= 0.0 => Look::Civilian,
            None if is_tall => Look::Giant,
            None if self.radius >= 0.55 && self.speed >= 3.0 => Look::Rider,
            None if self.ranged.is_some() => Look::Archer,
            None if self.reach >= 1.15 => Look::Spearman,
            None => Look::Swordsman,
        }
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no [`Look`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown look {found:?}; known are swordsman, spearman, archer, rider, giant, ram, leader, civilian")]
#[non_exhaustive]
pub struct UnknownLook {
    /// The name that was found.
    pub found: String,
}

impl FromStr for Look {
    type Err = UnknownLook;

    fn from_str(text: &str) -> Result<Self, UnknownLook> {
        Self::ALL.into_iter().find(|look| look.name() == text).ok_or_else(|| UnknownLook { found: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::Ranged;

    #[test]
    fn units_look_like_what_they_do() {
        let soldier = Unit::default();
        assert_eq!(soldier.look(), Look::Swordsman);
        assert_eq!(Unit::pedestrian().look(), Look::Civilian);
        let spearman = Unit { reach: 1.6, ..soldier.clone() };
        let ram = Unit { breach: 300.0, radius: 1.6, ..soldier.clone() };
        let giant = Unit { radius: 1.3, height: 4.0, ..soldier.clone() };
        let archer = Unit { ranged: Some(Ranged::default()), reach: 1.6, ..soldier };
        let looks = [spearman, ram, giant, archer].map(|unit| unit.look());
        assert_eq!(looks, [Look::Spearman, Look::Ram, Look::Giant, Look::Archer]);
        assert!(Look::ALL.iter().all(|look| look.name().parse() == Ok(*look)));
    }
}
