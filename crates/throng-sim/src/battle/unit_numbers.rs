//! The numbers of a unit: a row for each, from which checks, files, batches and documentation take its range.

use super::{Ranged, Unit};
use std::fmt;

/// The range of a number, and the unit that it is in.
///
/// ```
/// use throng_sim::battle::NumberRange;
/// let range = NumberRange::new(0.05, 10.0, "m");
/// assert!(range.contains(0.05) && !range.contains(f64::NAN));
/// assert_eq!(range.to_string(), "between 0.05 and 10 (m)");
/// assert_eq!(NumberRange::whole(1.0, f64::INFINITY, "").to_string(), "a whole number of at least 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// Whether it has to be a whole number.
    pub is_whole: bool,
    /// The unit of measurement, as in "m/s"; empty where there is none.
    pub unit: &'static str,
}

impl NumberRange {
    /// The range of a number that need not be whole.
    pub const fn new(least: f64, most: f64, unit: &'static str) -> Self {
        Self { least, most, is_whole: false, unit }
    }

    /// The range of a whole number.
    pub const fn whole(least: f64, most: f64, unit: &'static str) -> Self {
        Self { is_whole: true, ..Self::new(least, most, unit) }
    }

    /// True where a number is in the range, as `f32`; a whole one exactly.
    pub fn contains(&self, number: f64) -> bool {
        if self.is_whole {
            number.fract() == 0.0 && (self.least..=self.most).contains(&number)
        } else {
            (self.least as f32..=self.most as f32).contains(&(number as f32))
        }
    }
}

/// The range as messages name it.
impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { least, most, is_whole, unit } = self;
        let (whole, of) = if *is_whole { ("a whole number ", "of ") } else { ("", "") };
        if most.is_finite() {
            write!(f, "{whole}between {least} and {most}")?;
        } else {
            write!(f, "{whole}{of}at least {least}")?;
        }
        if unit.is_empty() { Ok(()) } else { write!(f, " ({unit})") }
    }
}

/// A number of a [`Unit`], or of its weapon: name, range, documentation, and how it is read and set.
///
/// ```
/// use throng_sim::battle::{Unit, UnitNumber};
/// let speed = UnitNumber::all().find(|number| number.key == "ranged.speed").unwrap();
/// let mut archer = Unit::default();
/// assert_eq!(speed.value(&archer), None);
/// speed.set(&mut archer, 60.0);
/// assert_eq!(archer.ranged.unwrap().speed, 60.0);
/// assert_eq!(speed.range.to_string(), "between 1 and 2000 (m/s)");
/// ```
#[derive(Debug)]
pub struct UnitNumber {
    /// Its name; those of the weapon begin with `ranged.`.
    pub key: &'static str,
    /// Its range.
    pub range: NumberRange,
    /// The value without a word of it, where that is not the one of [`Unit::default`] or [`Ranged::default`].
    pub default: &'static str,
    /// Its documentation, in Markdown.
    pub doc: &'static str,
    value: fn(&Unit) -> Option<f64>,
    set: fn(&mut Unit, f64),
}

impl UnitNumber {
    /// Its value; `None` where it is one of a weapon that the unit does not have.
    pub fn value(&self, unit: &Unit) -> Option<f64> {
        (self.value)(unit)
    }

    /// Sets it; a unit without a weapon gets a bow, the default one, where it is one of a weapon.
    pub fn set(&self, unit: &mut Unit, value: f64) {
        (self.set)(unit, value);
    }
}

/// Rows of `field: range, default, documentation;`. The casts are exact for values that are in range.
macro_rules! rows {
    ($($field:ident $(. $inner:ident)?: $range:expr, $default:literal, $doc:literal;)*) => {
        &[$(UnitNumber {
            key: rows!(@key $field $($inner)?),
            range: $range,
            default: $default,
            doc: $doc,
            value: rows!(@value $field $($inner)?),
            set: rows!(@set $field $($inner)?),
        }),*]
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $inner:ident) => { concat!(stringify!($field), ".", stringify!($inner)) };
    (@value $field:ident) => { |unit| Some(unit.$field.into()) };
    (@value $field:ident $inner:ident) => { |unit| unit.$field.as_ref().map(|weapon| weapon.$inner.into()) };
    (@set $field:ident) => { |unit, value| unit.$field = value as _ };
    (@set $field:ident $inner:ident) => { |unit, value| unit.$field.get_or_insert_with(Ranged::default).$inner = value as _ };
}

const fn number(least: f64, most: f64, unit: &'static str) -> NumberRange {
    NumberRange::new(least, most, unit)
}

const fn whole(least: f64, most: f64) -> NumberRange {
    NumberRange::whole(least, most, "")
}

const INFINITE: f64 = f64::INFINITY;

impl UnitNumber {
    /// All numbers of a unit, those of its weapon last.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Self::BODY.iter().chain(Self::WEAPON)
    }

    /// The numbers of a unit but for those of its weapon.
    pub const BODY: &'static [Self] = rows! {
        radius: number(0.05, 10.0, "m"), "", "Radius of the body. A wide body does not fit through a narrow gate.";
        speed: number(0.0, 100.0, "m/s"), "", "Speed at which it walks by itself.";
        speed_spread: number(0.0, 100.0, "m/s"), "", "Standard deviation of `speed` among the agents of this unit; 0 = all walk alike. Each agent gets its own speed from the seed: at most two deviations away, at least 0.1 and at most `top_speed`.";
        top_speed: number(0.0, 100.0, "m/s"), "4/3 of `speed`", "Speed when it has to get out of the way; at least `speed`.";
        headway: number(0.0, 60.0, "s"), "", "Gap in time to the agent ahead that goes the same way: it slows down to keep it. With 0 it walks up to the other.";
        health: number(1e-3, 1e9, "points"), "", "Health at the start.";
        height: number(0.05, 100.0, "m"), "", "Height of the body: shots fly over it or are stopped by it.";
        armour: number(0.0, 1e9, "points"), "", "Damage that its armour takes off each strike. A tenth of a strike goes through any armour.";
        damage: number(0.0, 1e9, "points"), "", "Mean damage of a strike. A strike does between half and one and a half times this.";
        breach: number(0.0, 1e9, "points"), "a tenth of `damage`; with `like` that of the other unit", "Damage of a strike to walls and gates that [can be broken](#breakable-walls-and-gates-that-can-be-broken), always the same; 0 = it cannot break any.";
        reach: number(0.0, 100.0, "m"), "", "Reach of its weapon, from the edge of its body.";
        cooldown: number(0.0, 3600.0, "s"), "", "Time between two strikes; at least 0.05 s. Where it is no multiple of a tick, the mean is kept.";
        charge: number(1.0, 1000.0, "times"), "", "How much more a strike does at its top speed, less the slower it moves.";
        turning: number(1.0, INFINITE, "degrees/s"), "", "How fast it turns.";
        arc: number(1.0, 360.0, "degrees"), "", "Width of the sector in front of it in which it strikes, both sides together.";
        attackers: whole(1.0, 255.0), "", "How many agents fight it hand to hand at most. Others that do not reach it yet look for another target.";
        sight: number(0.0, 1000.0, "m"), "", "How far it notices an enemy. It always notices an enemy that it can strike or shoot at.";
        view: number(1.0, 360.0, "degrees"), "", "Width of the sector in front of it in which it sees enemies. It always notices an enemy that it can strike.";
        morale: number(0.0, 1e6, "points"), "", "Morale at the start; [without any left it runs](#morale). 0 = it never runs.";
        cost: number(0.0, 1e9, "points"), "", "Its cost, for armies of equal worth.";
        congestion: number(0.0, 1000.0, "times"), "that at the top", "How much more a way costs this unit where it is full of agents; see [Crowds at gates](#crowds-at-gates).";
        mass: number(0.1, 1e6, "kg"), "", "Mass. When two meet or push each other, the lighter one gives way more, each by the other's share.";
        acceleration: number(0.01, INFINITE, "m/s²"), "", "How fast its velocity may change. Below some 2 it brakes too late for others; walls always stop it.";
        priority: whole(-3.0, 3.0), "", "Right of way: one step counts as a thousand times the mass.";
    };

    /// The numbers of its weapon.
    pub const WEAPON: &'static [Self] = rows! {
        ranged.range: number(0.1, 1000.0, "m"), "", "Distance from which it shoots at an enemy.";
        ranged.speed: number(1.0, 2000.0, "m/s"), "", "Greatest speed of a shot: 45 m/s carry 206 m.";
        ranged.spread: number(0.0, 45.0, "degrees"), "", "Standard deviation of the direction of a shot.";
        ranged.salvo: whole(1.0, 1000.0), "", "Shots at a time.";
        ranged.ammunition: whole(1.0, 65535.0), "", "Shots in all.";
        ranged.damage: number(0.0, 1e9, "points"), "", "Mean damage of a shot, which does between half and one and a half times this.";
        ranged.cooldown: number(0.0, 3600.0, "s"), "", "Time between two salvos; at least 0.05 s.";
        ranged.blast: number(0.0, 100.0, "m"), "", "Radius around the place where a shot lands within which all are hurt, less the further away; walls shield. 0 = only the one that it hits.";
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_set_and_read_by_its_row_alone() {
        let plain = Unit { ranged: Some(Ranged::default()), ..Unit::default() };
        for number in UnitNumber::all() {
            let before = number.value(&plain).unwrap();
            assert!(number.range.contains(before), "{}: the default {before} is out of range", number.key);
            let other = [number.range.least, number.range.most.min(1e9)].into_iter().find(|&value| value != before);
            let mut unit = plain.clone();
            number.set(&mut unit, other.unwrap());
            for read in UnitNumber::all() {
                assert_eq!(read.value(&unit) != read.value(&plain), read.key == number.key, "{}", read.key);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused_and_named() {
        for number in UnitNumber::all().filter(|number| !number.range.is_whole) {
            for value in [f64::NAN, -1.0, number.range.most * 1.001] {
                let mut unit = Unit::default();
                number.set(&mut unit, value);
                let refused = unit.check().err().map(|error| error.field);
                assert_eq!(refused, (!value.is_infinite()).then_some(number.key), "{value}");
            }
        }
    }
}
