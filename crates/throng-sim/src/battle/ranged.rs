//! Bows, slings, engines: what is shot or thrown.

use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The pull of the earth (m/s²).
pub const GRAVITY: f32 = 9.81;

/// A weapon that shoots or throws. Who has one shoots while he has shots left and no enemy is within reach of his hand.
///
/// ```
/// use throng_sim::battle::{Ranged, Unit};
/// let bow = Ranged { range: 80.0, ..Ranged::default() };
/// let archer = Unit { name: "archer".into(), ranged: Some(bow.clone()), ..Unit::default() };
/// assert!(archer.check().is_ok());
/// let drunk = Unit { ranged: Some(Ranged { spread: 60.0, ..bow }), ..archer };
/// assert_eq!(
///     drunk.check().unwrap_err().to_string(),
///     "ranged.spread of unit \"archer\" must be between 0 and 45 (degrees), found 60"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranged {
    /// How far away an enemy is shot at (m).
    pub range: f32,
    /// How fast a shot leaves at most (m/s); it is lobbed more slowly over heads and walls.
    pub speed: f32,
    /// How far shots stray: the standard deviation of their direction, sideways and up (degrees).
    pub spread: f32,
    /// Shots at a time.
    pub salvo: u16,
    /// Shots in all.
    pub ammunition: u16,
    /// Mean damage of a shot (points); it does between half and one and a half times this.
    pub damage: f32,
    /// Time between two salvos (s).
    pub cooldown: f32,
    /// Radius around where a shot lands within which everybody is hurt, the less the further away (m); 0 = it hurts whom it hits.
    pub blast: f32,
}

impl Default for Ranged {
    /// A bow.
    fn default() -> Self {
        Self {
            range: 70.0,
            speed: 45.0,
            spread: 1.5,
            salvo: 1,
            ammunition: 40,
            damage: 20.0,
            cooldown: 4.0,
            blast: 0.0,
        }
    }
}

/// The ranges of whole numbers, for messages.
pub const SHOTS: &str = "a whole number from 1 to 65535";

impl Ranged {
    /// Each number with its range and its words.
    pub(super) fn ranges(&self) -> [(&'static str, f32, RangeInclusive<f32>, &'static str); 8] {
        [
            ("ranged.range", self.range, 0.1..=1000.0, "between 0.1 and 1000 (m)"),
            ("ranged.speed", self.speed, 1.0..=2000.0, "between 1 and 2000 (m/s)"),
            ("ranged.spread", self.spread, 0.0..=45.0, "between 0 and 45 (degrees)"),
            ("ranged.salvo", self.salvo.into(), 1.0..=65535.0, SHOTS),
            ("ranged.ammunition", self.ammunition.into(), 1.0..=65535.0, SHOTS),
            ("ranged.damage", self.damage, 0.0..=1e9, "between 0 and 1000000000 (points)"),
            ("ranged.cooldown", self.cooldown, 0.0..=3600.0, "between 0 and 3600 (s)"),
            ("ranged.blast", self.blast, 0.0..=100.0, "between 0 and 100 (m)"),
        ]
    }
}
