//! The kinds of soldiers that can be told apart, and which of them a unit is.

/// How a soldier is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Sword and kite shield.
    Swordsman,
    /// Spear, round shield and a hat of iron.
    Spearman,
    /// Bow, quiver and a hood.
    Archer,
    /// A horse in a caparison, with a lancer on it.
    Rider,
    /// Twice as high as a man, with horns and a club.
    Giant,
    /// A battering ram under a roof.
    Ram,
    /// A sword, a cloak, a crest and a banner.
    Leader,
    /// A dress, a straw hat and a basket; no arms and no armour.
    Civilian,
}

/// What a unit is, as far as it decides what it looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Whether it shoots or throws.
    pub ranged: bool,
    /// Reach of its weapon from the edge of its body (m).
    pub reach: f32,
    /// Radius of its body (m).
    pub radius: f32,
    /// Height of its body (m).
    pub height: f32,
    /// Speed it walks at (m/s).
    pub speed: f32,
    /// Its mass (kg).
    pub mass: f32,
    /// Whether it does no harm to anyone.
    pub harmless: bool,
    /// Whether it does more to walls than to people.
    pub breaks_walls: bool,
}

impl Kind {
    /// All kinds, in the order of their numbers.
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

    /// Its place in [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name, as [`from_name`](Self::from_name) reads it.
    pub const fn name(self) -> &'static str {
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

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that a unit looks like; never [`Leader`](Self::Leader), which is one of a squad rather than a unit.
    ///
    /// What does no harm is a civilian. A body from 0.7 m of radius on is a ram where it breaks walls or is slow, heavy and low, a
    /// giant where it is high or slow, else a rider. A smaller one is an archer, a spearman from 1.4 m of reach on, or a swordsman.
    pub fn of(look: &Look) -> Self {
        if look.harmless {
            return Self::Civilian;
        }
        if look.radius >= MOUNTED_RADIUS {
            let tall = look.height >= GIANT_HEIGHT;
            let engine = look.speed <= ENGINE_SPEED && look.mass >= ENGINE_MASS && !tall;
            return if look.breaks_walls || engine {
                Self::Ram
            } else if tall || look.speed < MOUNTED_SPEED {
                Self::Giant
            } else {
                Self::Rider
            };
        }
        if look.ranged {
            Self::Archer
        } else if look.reach >= SPEAR_REACH {
            Self::Spearman
        } else {
            Self::Swordsman
        }
    }

    /// How high it is without what it holds (m): above this, signs over its head do not cover it.
    pub const fn height(self) -> f32 {
        match self {
            Self::Swordsman | Self::Spearman | Self::Archer | Self::Civilian => 1.9,
            Self::Rider => 2.7,
            Self::Giant => 4.2,
            Self::Ram => 2.4,
            Self::Leader => 2.2,
        }
    }

    /// How many times the size of a man on foot it is modelled at.
    pub(crate) const fn size(self) -> f32 {
        match self {
            Self::Giant => 2.15,
            Self::Leader => 1.12,
            _ => 1.0,
        }
    }
}

/// From this radius of a body on (m) it is not a man on foot.
const MOUNTED_RADIUS: f32 = 0.7;
/// A wide body slower than this (m/s) is on foot.
const MOUNTED_SPEED: f32 = 3.0;
/// A body as high as this (m) is a giant.
const GIANT_HEIGHT: f32 = 3.0;
/// An engine is pushed by people, no faster than this (m/s).
const ENGINE_SPEED: f32 = 1.8;
/// An engine has at least this mass (kg).
const ENGINE_MASS: f32 = 1000.0;
/// A weapon of this reach (m) is a spear.
const SPEAR_REACH: f32 = 1.4;

#[cfg(test)]
mod tests {
    use super::*;

    const MAN: Look = Look {
        ranged: false,
        reach: 0.8,
        radius: 0.35,
        height: 1.8,
        speed: 2.4,
        mass: 80.0,
        harmless: false,
        breaks_walls: false,
    };

    #[test]
    fn a_unit_looks_like_what_it_is() {
        let wide = |radius, speed, mass, height| Look { radius, height, speed, mass, ..MAN };
        for (look, kind) in [
            (MAN, Kind::Swordsman),
            (Look { reach: 1.6, ..MAN }, Kind::Spearman),
            (Look { ranged: true, reach: 1.6, ..MAN }, Kind::Archer),
            (Look { harmless: true, ..MAN }, Kind::Civilian),
            (wide(0.95, 5.0, 80.0, 2.2), Kind::Rider),
            (wide(1.3, 2.0, 2000.0, 4.0), Kind::Giant),
            (wide(1.6, 1.6, 3000.0, 2.5), Kind::Ram),
            (Look { breaks_walls: true, ..wide(1.2, 2.5, 80.0, 1.8) }, Kind::Ram),
            (Look { breaks_walls: true, ..MAN }, Kind::Swordsman),
        ] {
            assert_eq!(Kind::of(&look), kind, "{look:?}");
        }
    }

    #[test]
    fn names_lead_back() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), index);
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(Kind::from_name("dragon"), None);
    }
}
