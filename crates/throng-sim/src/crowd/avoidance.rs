//! How agents avoid each other: the choice by name, and its settings.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How agents keep clear of each other.
///
/// ```
/// use throng_sim::crowd::Avoidance;
/// assert_eq!("orca".parse::<Avoidance>()?, Avoidance::Orca);
/// # Ok::<(), throng_sim::crowd::UnknownAvoidance>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Avoidance {
    /// Not at all: `none`.
    None,
    /// Only by being pushed apart after the move ([`Relaxation`](super::Relaxation)): `push`. Cheapest, never
    /// jams, but bodies overlap and shake: for crowds far away.
    Push,
    /// Pushed away by all that are near ([`Separation`](super::Separation)): `separation`.
    Separation,
    /// The social force model ([`SocialForce`](super::SocialForce)): `social-force`. A reference
    /// to compare with.
    SocialForce,
    /// Reciprocal velocities ([`orca`](super::orca::orca)): `orca`.
    #[default]
    Orca,
    /// A gap in time to those ahead that go the same way, reciprocal velocities for all others ([`gap`](super::gap::gap)): `gap`.
    /// For people on foot.
    Gap,
    /// The model from outside that the world was given ([`CustomModel`](super::models::CustomModel)). It has no name in
    /// scenario files, and is in no list.
    Custom,
}

impl Avoidance {
    /// All kinds that have a name in scenario files.
    pub const ALL: [Avoidance; 6] = [
        Avoidance::None,
        Avoidance::Push,
        Avoidance::Separation,
        Avoidance::SocialForce,
        Avoidance::Orca,
        Avoidance::Gap,
    ];

    /// The name in scenario files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Avoidance::None => "none",
            Avoidance::Push => "push",
            Avoidance::Separation => "separation",
            Avoidance::SocialForce => "social-force",
            Avoidance::Orca => "orca",
            Avoidance::Gap => "gap",
            Avoidance::Custom => "custom",
        }
    }
}

impl fmt::Display for Avoidance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kind of avoidance of an unknown name was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown avoidance {found:?}; known are {}", Avoidance::ALL.map(Avoidance::name).join(", "))]
#[non_exhaustive]
pub struct UnknownAvoidance {
    /// The name.
    pub found: String,
}

impl FromStr for Avoidance {
    type Err = UnknownAvoidance;

    fn from_str(name: &str) -> Result<Self, UnknownAvoidance> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownAvoidance { found: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for kind in Avoidance::ALL {
            assert_eq!(kind.to_string().parse::<Avoidance>().unwrap(), kind);
        }
        let error = "rvo".parse::<Avoidance>().unwrap_err().to_string();
        assert_eq!(error, "unknown avoidance \"rvo\"; known are none, push, separation, social-force, orca, gap");
        let error = "social force".parse::<Avoidance>().unwrap_err().to_string();
        assert!(error.starts_with("unknown avoidance \"social force\"; known"), "{error}");
    }
}
