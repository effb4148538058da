//! How fast a simulation is shown.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How fast the simulation goes: powers of two of its own time, or as fast as it can.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(from = "i8")]
pub(crate) struct Speed(i8);

/// Twice as fast so many times, within what there is.
impl From<i8> for Speed {
    fn from(steps: i8) -> Self {
        Self(steps.clamp(Self::MIN_DOUBLINGS, Self::MAX_DOUBLINGS))
    }
}

impl Speed {
    /// How often the speed of life is doubled; below 0 it is halved.
    const MIN_DOUBLINGS: i8 = -3;
    const MAX_DOUBLINGS: i8 = 6;

    /// As in life.
    pub const REAL: Self = Self(0);

    /// Twice as fast; after 32 times comes as fast as possible.
    pub fn faster(self) -> Self {
        Self((self.0 + 1).min(Self::MAX_DOUBLINGS))
    }

    /// Half as fast.
    pub fn slower(self) -> Self {
        Self((self.0 - 1).max(Self::MIN_DOUBLINGS))
    }

    /// Time between two ticks of `step` seconds; zero for as fast as possible.
    pub fn interval(self, step: f32) -> Duration {
        if self.0 == Self::MAX_DOUBLINGS {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f32(step / 2.0_f32.powi(self.0.into())).unwrap_or_default()
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Self::MAX_DOUBLINGS => f.write_str("max"),
            0.. => write!(f, "{}x", 1 << self.0),
            _ => write!(f, "1/{}x", 1 << -self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_powers_of_two_up_to_as_fast_as_possible() {
        let mut speed = Speed::REAL;
        for _ in 0..9 {
            speed = speed.slower();
        }
        let mut names = Vec::new();
        for _ in 0..10 {
            names.push(format!("{speed} {}", speed.interval(0.1).as_millis()));
            speed = speed.faster();
        }
        assert_eq!(
            names,
            ["1/8x 800", "1/4x 400", "1/2x 200", "1x 100", "2x 50", "4x 25", "8x 12", "16x 6", "32x 3", "max 0"]
        );
    }
}
