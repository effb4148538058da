//! Bows, slings, engines: what is shot or thrown.

use serde::{Deserialize, Serialize};

/// The pull of the earth (m/s²).
pub const GRAVITY: f32 = 9.81;

/// A weapon that shoots or throws. Its bearer uses it while it has shots left and no enemy is within reach of its hand.
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
    /// Radius around an impact within which all are hurt, the less the further away (m); 0 = only the body that is hit.
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
