//! The enemy that a soldier prefers to fight.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The enemy in sight that a soldier prefers to fight; ties go to the nearest, then to the smaller slot.
///
/// ```
/// use throng_sim::battle::TargetPreference;
/// assert_eq!("weakest".parse(), Ok(TargetPreference::Weakest));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetPreference {
    /// The nearest.
    #[default]
    Nearest,
    /// The one with the least health left (points).
    Weakest,
    /// The one that does the most damage a second, by hand or by shots.
    MostDangerous,
}

impl TargetPreference {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nearest, Self::Weakest, Self::MostDangerous];

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Weakest => "weakest",
            Self::MostDangerous => "most-dangerous",
        }
    }
}

impl fmt::Display for TargetPreference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of a choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown prey {found:?}; known are nearest, weakest, most-dangerous")]
#[non_exhaustive]
pub struct UnknownTargetPreference {
    /// The text that was found.
    pub found: String,
}

impl FromStr for TargetPreference {
    type Err = UnknownTargetPreference;

    fn from_str(text: &str) -> Result<Self, UnknownTargetPreference> {
        Self::ALL
            .into_iter()
            .find(|prey| prey.name() == text)
            .ok_or_else(|| UnknownTargetPreference { found: text.into() })
    }
}
