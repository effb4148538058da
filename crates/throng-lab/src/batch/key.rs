//! Which number of a scenario is varied.

use super::share::share;
use super::{BatchError, Decimal};
use throng_scenario::name_hint;
use throng_scenario::{Change, Scenario};
use throng_sim::battle::{Unit, UnitNumber};
use throng_sim::world::{ArmySpec, UnitId};

/// A number of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Key {
    /// Soldiers of some squads of an army together: place and count of each in the file.
    Count { army: usize, squads: Vec<(usize, u64)> },
    /// A number of a kind of soldier.
    Unit { unit: String, field: &'static str },
}

impl Key {
    /// The number that is called `key` in a scenario: `army.ARMY.UNIT.count`, `army.ARMY.squad.N.count` or `unit.UNIT.FIELD`.
    pub fn find(key: &str, scenario: &Scenario, library: &[Unit]) -> Result<Self, BatchError> {
        let count = key.strip_prefix("army.").and_then(|rest| rest.strip_suffix(".count"));
        if let Some(rest) = count.filter(|rest| rest.contains('.')) {
            return Self::count(key, rest, scenario);
        }
        let split = |rest: &'_ str| {
            // The projectiles of a unit have numbers of their own: the longest field that fits is meant.
            let fits = |field: &&str| rest.strip_suffix(*field).is_some_and(|unit| unit.ends_with('.'));
            let known = UnitNumber::all().map(|number| number.key).filter(fits).max_by_key(|field| field.len());
            known.map_or_else(|| rest.rfind('.'), |field| Some(rest.len() - field.len() - 1))
        };
        let rest = key.strip_prefix("unit.");
        match rest.and_then(|rest| split(rest).map(|point| (&rest[..point], &rest[point + 1..]))) {
            Some((unit, field)) if !unit.is_empty() && !field.is_empty() => {
                Self::unit(key, unit, field, (scenario, library))
            }
            _ => Err(BatchError::Key { found: key.to_owned() }),
        }
    }

    fn count(key: &str, rest: &str, scenario: &Scenario) -> Result<Self, BatchError> {
        // Names may have points in them: the longest that fits is meant.
        let of = |army: &ArmySpec| rest.strip_prefix(&army.name).is_some_and(|rest| rest.starts_with('.'));
        let armies = scenario.armies.iter().enumerate().filter(|(_, army)| of(army));
        let Some((place, army)) = armies.max_by_key(|(_, army)| army.name.len()) else {
            let name = rest.split('.').next().unwrap_or_default();
            return Err(unknown(key, "army", name, scenario.armies.iter().map(|army| army.name.as_str())));
        };
        let unit = &rest[army.name.len() + 1..];
        if let Some(number) = unit.strip_prefix("squad.") {
            let wrong =
                || BatchError::NoSquad { key: key.to_owned(), squads: army.squads.len(), found: number.to_owned() };
            let number = number.parse::<usize>().ok().filter(|number| (1..=army.squads.len()).contains(number));
            let squad = number.ok_or_else(wrong)? - 1;
            let count = army.squads[squad].positions.len() as u64;
            return Ok(Self::Count { army: place, squads: vec![(squad, count)] });
        }
        let name = |unit: UnitId| scenario.units.get(usize::from(unit.0)).map_or("", |unit| &unit.name);
        let squads = army.squads.iter().enumerate();
        let found: Vec<_> = squads
            .filter(|(_, squad)| name(squad.unit) == unit)
            .map(|(i, squad)| (i, squad.positions.len() as u64))
            .collect();
        if found.is_empty() {
            let units = scenario.units.iter().enumerate();
            let there = units.filter(|&(id, _)| army.squads.iter().any(|squad| usize::from(squad.unit.0) == id));
            return Err(unknown(key, "unit of this army", unit, there.map(|(_, unit)| unit.name.as_str())));
        }
        Ok(Self::Count { army: place, squads: found })
    }

    fn unit(key: &str, unit: &str, field: &str, (scenario, library): (&Scenario, &[Unit])) -> Result<Self, BatchError> {
        let is_there = library.iter().any(|known| known.name == unit);
        if !scenario.units.iter().any(|known| known.name == unit) {
            let own = scenario.units.iter().map(|unit| unit.name.as_str());
            // One of the library that is not there can be varied, but to no effect.
            let what = if is_there { "unit of a squad" } else { "unit" };
            return Err(unknown(key, what, unit, own));
        }
        let known = || UnitNumber::all().map(|number| number.key);
        match known().find(|known| *known == field) {
            Some(field) => Ok(Self::Unit { unit: unit.to_owned(), field }),
            None => Err(unknown(key, "number of a unit", field, known())),
        }
    }

    /// True where both say the same number of something.
    pub fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Count { army, squads }, Self::Count { army: other, squads: others }) => {
                army == other && squads.iter().any(|squad| others.contains(squad))
            }
            _ => self == other,
        }
    }

    /// The changes that a value of it makes in the scenario; `key` is its name.
    pub fn changes(&self, key: &str, value: Decimal) -> Result<Vec<Change>, BatchError> {
        match self {
            Self::Unit { unit, field } => {
                let (unit, value) = (unit.clone(), value.value());
                Ok(vec![Change::Unit { unit, field, value }])
            }
            Self::Count { army, squads } => {
                let weights: Vec<u64> = squads.iter().map(|&(_, count)| count).collect();
                let shares = value.count().and_then(|count| share(count, &weights)).ok_or_else(|| {
                    let least = squads.len();
                    let each = if least == 1 { String::new() } else { format!(", one for each of {least} squads") };
                    let message = format!("expected whole numbers of at least {least}{each}; found {value}");
                    BatchError::Values { key: key.to_owned(), message }
                })?;
                let change = |(&(squad, _), count)| Change::Count { army: *army, squad, count };
                Ok(squads.iter().zip(shares).map(change).collect())
            }
        }
    }
}

fn unknown<'a>(key: &str, what: &'static str, found: &str, known: impl Iterator<Item = &'a str>) -> BatchError {
    let hint = name_hint(found, &known.collect::<Vec<_>>());
    BatchError::Unknown { key: key.to_owned(), what, found: found.to_owned(), hint }
}
