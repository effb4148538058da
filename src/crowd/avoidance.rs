//! How agents avoid each other: the choice by name, and its settings.

use super::{Bias, Orca};
use std::fmt;
use std::str::FromStr;

/// How agents keep clear of each other.
///
/// ```
/// use throng::crowd::Avoidance;
/// assert_eq!("orca".parse::<Avoidance>()?, Avoidance::Orca);
/// # Ok::<(), throng::crowd::UnknownAvoidance>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Avoidance {
    /// Not at all: `none`.
    None,
    /// Only by being pushed apart after the move: `push`. Cheapest, never jams, but bodies overlap and shake.
    Push,
    /// Reciprocal velocities ([`orca`](super::orca::orca)): `orca`.
    #[default]
    Orca,
}

impl Avoidance {
    /// All kinds.
    pub const ALL: [Avoidance; 3] = [Avoidance::None, Avoidance::Push, Avoidance::Orca];

    /// The name in scenario files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Avoidance::None => "none",
            Avoidance::Push => "push",
            Avoidance::Orca => "orca",
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
#[error("unknown avoidance \"{found}\"; known are none, push and orca")]
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
/// use throng::crowd::{Avoidance, AvoidanceSettings};
/// let settings = AvoidanceSettings::new(Avoidance::Push);
/// assert!(settings.bias.is_off() && settings.passes == 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AvoidanceSettings {
    /// Which kind.
    pub kind: Avoidance,
    /// Neighbours (`k`, `reach`) for all kinds; the time horizon for `orca`.
    pub orca: Orca,
    /// How blocked agents look aside ([`bias`](super::bias::bias)). [`Bias::default`] with `orca`, else off.
    pub bias: Bias,
    /// What counts of the weight of those who are near their goal, so that they give way to those who pass: of two, one
    /// passing and one arrived, the second takes 1 / (1 + this) of the duty. Default 0.5 with `orca`. 1: nobody gives
    /// way; at 0.1 they are pushed about.
    pub settled: f32,
    /// Push-apart passes after the move ([`push`](super::push::push)). Default 2 with `orca`, 3 with `push`, else 0.
    /// More passes gain nothing: pushes travel in chains.
    pub passes: u32,
    /// The furthest that one push-apart pass moves a body (m). Default 0.25. Small values let overlaps last longer,
    /// large ones make bodies jump.
    pub cap: f32,
}

impl AvoidanceSettings {
    /// The defaults of a kind.
    pub fn new(kind: Avoidance) -> Self {
        let (bias, passes) = match kind {
            Avoidance::None => (Bias::OFF, 0),
            Avoidance::Push => (Bias::OFF, 3),
            Avoidance::Orca => (Bias::default(), 2),
        };
        Self { kind, orca: Orca::default(), bias, settled: 0.5, passes, cap: 0.25 }
    }
}

impl Default for AvoidanceSettings {
    /// Those of `orca`.
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
        assert_eq!(error, "unknown avoidance \"rvo\"; known are none, push and orca");
    }
}
