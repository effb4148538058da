//! Kinds of soldiers.

use super::{Look, Ranged, TargetPreference, UnitNumber};
use crate::crowd::Avoidance;
use crate::ids::ArmyId;
use serde::{Deserialize, Serialize};
use throng_grid::TerrainCosts;

/// The mask of an army: layers of units are the bits below 48, the bit 48 + a is on all agents of army a.
///
/// ```
/// use throng_sim::battle::{Unit, army_layer};
/// use throng_sim::world::ArmyId;
/// assert_eq!(army_layer(ArmyId(1)), 1 << 49);
/// let ghost = Unit { name: "ghost".into(), ignores: army_layer(ArmyId(1)), ..Unit::default() };
/// assert!(ghost.check().is_ok());
/// ```
pub fn army_layer(army: ArmyId) -> u64 {
    1 << (48 + u32::from(army.0.min(15)))
}

/// A kind of soldier or walker: what it can do, in metres, seconds and points of health.
///
/// ```
/// use throng_sim::battle::Unit;
/// let knight = Unit { name: "knight".into(), health: 200.0, damage: 25.0, ..Unit::default() };
/// assert!(knight.check().is_ok());
/// assert!(Unit { radius: f32::NAN, ..knight }.check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Name, for statistics and messages.
    pub name: String,
    /// Radius of the body (m).
    pub radius: f32,
    /// Height of the body (m): what shots fly over, and what stands in their way.
    pub height: f32,
    /// Speed it walks at by itself (m/s).
    pub speed: f32,
    /// Standard deviation of that speed among the agents of this kind (m/s); 0 = all walk alike. See [`Unit::speed_of`].
    pub speed_spread: f32,
    /// Greatest speed, when it has to get out of the way (m/s).
    pub top_speed: f32,
    /// The gap in time to the agent ahead that goes the same way (s): it slows down to keep it. 0 = it walks up to the other.
    pub headway: f32,
    /// Health (points).
    pub health: f32,
    /// Its armour, taken off each strike that hits it (points); a tenth of a strike goes through any armour.
    pub armour: f32,
    /// Mean damage of a strike (points); a strike does between half and one and a half times this.
    pub damage: f32,
    /// Damage of a strike to a wall or gate that [can be broken](super::Ramparts) (points); 0 = none.
    pub breach: f32,
    /// Reach of its weapon from the edge of its body (m).
    pub reach: f32,
    /// Time between two strikes (s).
    pub cooldown: f32,
    /// How much more a strike does at its top speed (times), less the slower it moves: a charge. 1 = no more than standing.
    pub charge: f32,
    /// How fast it turns (degrees/s); infinity = at once.
    pub turning: f32,
    /// How wide the sector before it is that it strikes in (degrees, both sides together); 360 = all around.
    pub arc: f32,
    /// How many enemies fight it hand to hand at most; others that do not reach it yet look for another target.
    pub attackers: u8,
    /// Its ranged weapon, if any.
    pub ranged: Option<Ranged>,
    /// How far it notices an enemy (m), from centre to centre; it notices an enemy within reach of its weapons anyhow.
    pub sight: f32,
    /// Its morale at the start (points); 0 = it never runs.
    pub morale: f32,
    /// Width of the sector before it in which it sees enemies (degrees, both sides together); 360 = all around. It notices an
    /// enemy within reach of its weapons anyhow.
    pub view: f32,
    /// The enemies in sight that it prefers to fight.
    pub prey: TargetPreference,
    /// Its appearance in pictures; `None` = [the one that fits](Unit::look).
    pub look: Option<Look>,
    /// Costs of terrain on its routes; `None` = all the same. They do not change its speed, nor where it can be pushed.
    pub terrain: Option<TerrainCosts>,
    /// Mass (kg): of two that meet or push each other, the lighter gives way more, each by the other's share.
    pub mass: f32,
    /// How fast its velocity may change (m/s²); infinity = at once. Walls stop it all the same. Below some 2 m/s² it
    /// brakes too late for others.
    pub acceleration: f32,
    /// Its right of way, from -3 to 3: one step counts as a thousand times the mass, both when avoiding and when pushed.
    pub priority: i8,
    /// The layers it is on, a bit each; those from bit 48 on are [those of its army](army_layer), and there without being
    /// set here.
    pub layers: u64,
    /// The layers it ignores when walking: it neither avoids nor is pushed by an agent on one of them. It is still avoided by
    /// agents that do not ignore it. It strikes at enemies all the same.
    pub ignores: u64,
    /// How it avoids others; `None` = as its world does.
    pub avoidance: Option<Avoidance>,
    /// How many times its length a way costs more where it is as crowded as can be; 0 = crowds do not count. Squads that mind
    /// crowds look for another gate where theirs is jammed.
    pub congestion: f32,
    /// Its cost (points), for setting up armies of equal worth.
    pub cost: f32,
}

impl Default for Unit {
    /// A foot soldier.
    fn default() -> Self {
        Self {
            name: "soldier".into(),
            radius: 0.4,
            height: 1.8,
            speed: 1.5,
            speed_spread: 0.0,
            top_speed: 2.0,
            headway: 0.0,
            health: 100.0,
            armour: 0.0,
            damage: 15.0,
            breach: 1.5,
            reach: 0.9,
            cooldown: 1.0,
            charge: 1.0,
            turning: f32::INFINITY,
            arc: 360.0,
            attackers: 6,
            ranged: None,
            sight: 12.0,
            morale: 0.0,
            view: 360.0,
            prey: TargetPreference::Nearest,
            look: None,
            terrain: None,
            mass: 80.0,
            acceleration: f32::INFINITY,
            priority: 0,
            layers: 1,
            ignores: 0,
            avoidance: None,
            congestion: 0.0,
            cost: 1.0,
        }
    }
}

/// A number of a unit that is out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{field} of unit {unit:?} must be {expected}, found {found}")]
#[non_exhaustive]
pub struct UnitError {
    /// Name of the unit.
    pub unit: String,
    /// Name of the number.
    pub field: &'static str,
    /// Its range.
    pub expected: String,
    /// The value that was found.
    pub found: f32,
}

impl Unit {
    /// How far from its centre it notices the centre of an enemy of a radius (m): its sight, but at least as far as it could
    /// strike or shoot.
    pub fn notices(&self, radius: f32) -> f32 {
        let range = self.ranged.as_ref().map_or(0.0, |ranged| ranged.range);
        self.sight.max(self.strikes(radius)).max(range)
    }

    /// How far from its centre the centre of an enemy of a radius (m) may be for it to strike it (m).
    pub fn strikes(&self, radius: f32) -> f32 {
        self.radius + self.reach + radius
    }

    /// The health that a strike of so much damage (points) takes from it.
    pub fn harm(&self, damage: f32) -> f32 {
        (damage - self.armour).max(0.1 * damage)
    }

    /// The damage that it can do in a second (points/s), by hand or by shots, whichever is more.
    pub fn danger(&self) -> f32 {
        // No weapon strikes twice within a hundredth of a second.
        let rate = |damage: f32, cooldown: f32| damage / cooldown.max(0.01);
        let by_hand = rate(self.damage, self.cooldown);
        let salvo = |ranged: &Ranged| rate(ranged.damage * f32::from(ranged.salvo), ranged.cooldown);
        self.ranged.as_ref().map_or(by_hand, |ranged| by_hand.max(salvo(ranged)))
    }

    /// True where it does more damage to walls than to bodies: it strikes at its wall before any enemy.
    pub fn is_ram(&self) -> bool {
        self.breach > self.damage
    }

    /// How little it gives way: its mass times 1000 to the power of its priority.
    pub fn weight(&self) -> f32 {
        const POWERS: [f32; 7] = [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9];
        self.mass * POWERS[(self.priority.clamp(-3, 3) + 3) as usize]
    }

    /// Checks that every number is in its range ([`UnitNumber`]).
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), UnitError> {
        let wrong = |field, expected, found| Err(UnitError { unit: self.name.clone(), field, expected, found });
        for number in UnitNumber::all() {
            if let Some(value) = number.value(self).filter(|&value| !number.range.contains(value)) {
                return wrong(number.key, number.range.to_string(), value as f32);
            }
        }
        if self.top_speed < self.speed {
            return wrong("top_speed", "between its speed and 100 (m/s)".into(), self.top_speed);
        }
        Ok(())
    }
}
