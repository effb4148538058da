//! How agents avoid each other: the choice by name, and its settings.

use super::{Bias, Orca, Relaxation, Separation, SocialForce};
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
    /// Only by being pushed apart after the move ([`Relaxation`]): `push`. Cheapest, never
    /// jams, but bodies overlap and shake: for crowds far away.
    Push,
    /// Pushed away by all that are near ([`Separation`]): `separation`.
    Separation,
    /// The social force model ([`SocialForce`]): `social-force`. A reference
    /// to compare with.
    SocialForce,
    /// Reciprocal velocities ([`orca`](super::orca::orca)): `orca`.
    #[default]
    Orca,
    /// The model from outside that the world was given ([`CustomAvoidance`](super::models::CustomAvoidance)). It has no name in
    /// scenario files, and is in no list.
    Custom,
}

impl Avoidance {
    /// All kinds that have a name in scenario files.
    pub const ALL: [Avoidance; 5] =
        [Avoidance::None, Avoidance::Push, Avoidance::Separation, Avoidance::SocialForce, Avoidance::Orca];

    /// The name in scenario files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Avoidance::None => "none",
            Avoidance::Push => "push",
            Avoidance::Separation => "separation",
            Avoidance::SocialForce => "social-force",
            Avoidance::Orca => "orca",
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

/// Everything about avoidance that a scenario may set.
///
/// ```
/// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
/// let settings = AvoidanceSettings::new(Avoidance::Push);
/// assert!(settings.bias.is_off() && settings.passes == 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvoidanceSettings {
    /// Its kind.
    pub kind: Avoidance,
    /// Neighbours (`k`, `reach`) for all kinds; the time horizon for `orca`.
    pub orca: Orca,
    /// How `push` comes to its preferred.
    pub relaxation: Relaxation,
    /// How hard neighbours push with `separation`.
    pub separation: Separation,
    /// The constants of `social-force`.
    pub social_force: SocialForce,
    /// How blocked agents look aside ([`bias`](super::bias::bias)). [`Bias::default`] with `orca`, else off.
    pub bias: Bias,
    /// The share of its weight that an agent near its goal keeps, so that it gives way to those passing: of one passing and one
    /// arrived, the second takes 1 / (1 + this) of the duty. Default 0.2 with `orca`. At 1 none gives way, and late comers do not
    /// get through arrived ones; at 0.1 arrived ones are pushed about.
    pub settled: f32,
    /// Push-apart passes after the move ([`push`](super::push::push)). Default 2 with `orca` and
    /// `separation`, 3 with `push`, else 0. More passes gain nothing: pushes travel in chains.
    pub passes: u32,
    /// The furthest that one push-apart pass moves a body (m). Default 0.25. Small values let overlaps last longer,
    /// large ones make bodies jump.
    pub cap: f32,
}

impl AvoidanceSettings {
    /// The defaults of a kind.
    pub fn new(kind: Avoidance) -> Self {
        let (bias, passes) = match kind {
            // The social force as it was published; a model from outside as it is.
            Avoidance::None | Avoidance::SocialForce | Avoidance::Custom => (Bias::OFF, 0),
            Avoidance::Push => (Bias::OFF, 3),
            Avoidance::Separation | Avoidance::Orca => (Bias::default(), 2),
        };
        Self {
            kind,
            orca: Orca::default(),
            relaxation: Relaxation::default(),
            separation: Separation::default(),
            social_force: SocialForce::default(),
            bias,
            settled: 0.2,
            passes,
            cap: 0.25,
        }
    }

    /// The defaults of a kind where some units have models of their own. `bias` and `passes` are the same for all agents, as high
    /// as any of the models needs.
    ///
    /// ```
    /// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
    /// let mixed = AvoidanceSettings::mixed(Avoidance::None, [Avoidance::Push, Avoidance::Orca]);
    /// assert_eq!((mixed.kind, mixed.bias.is_off(), mixed.passes), (Avoidance::None, false, 3));
    /// ```
    pub fn mixed(kind: Avoidance, others: impl IntoIterator<Item = Avoidance>) -> Self {
        others.into_iter().map(Self::new).fold(Self::new(kind), |settings, other| Self {
            bias: if settings.bias.is_off() { other.bias } else { settings.bias },
            passes: settings.passes.max(other.passes),
            ..settings
        })
    }
}

impl Default for AvoidanceSettings {
    /// The defaults of `orca`.
    fn default() -> Self {
        Self::new(Avoidance::default())
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
        assert_eq!(error, "unknown avoidance \"rvo\"; known are none, push, separation, social-force, orca");
        let error = "social force".parse::<Avoidance>().unwrap_err().to_string();
        assert!(error.starts_with("unknown avoidance \"social force\"; known"), "{error}");
    }
}
