//! Costs of terrain for a unit.

use super::ScenarioError;
use super::did_you_mean::name_hint;
use super::document::{Entry, Value};
use super::section::Source;
use throng_grid::{Grid, PLAIN, SWAMP, TerrainCosts};
use throng_sim::battle::{NumberRange, Unit};

/// The cost of a class.
const COST: NumberRange = NumberRange::whole(1.0, 1000.0, "times the cost of the best ground");

/// The class of this name or number.
fn class(key: &str) -> Option<u8> {
    match key {
        "plain" => Some(PLAIN),
        "swamp" => Some(SWAMP),
        number => number.parse().ok(),
    }
}

/// Checks classes and their costs.
///
/// # Errors
/// The first that is none.
pub(super) fn check(source: Source<'_>, entries: &[Entry]) -> Result<(), ScenarioError> {
    for Entry { key, span, node } in entries {
        if class(key).is_none() {
            let (at, hint) = (source.at(span.start), name_hint(key, &["plain", "swamp", "0 to 255"]));
            return Err(ScenarioError::UnknownKey { at, found: key.clone(), hint });
        }
        let found = match &node.value {
            Value::Text(word) if word == "closed" => continue,
            &Value::Whole(cost) if COST.contains(cost as f64) => continue,
            Value::Text(word) => format!("{word:?}"),
            _ => node.number().map_or_else(|| "another value".into(), |number| number.to_string()),
        };
        let at = source.at(node.span.start);
        return Err(ScenarioError::Value { at, key: key.clone(), expected: format!("{COST} or \"closed\""), found });
    }
    Ok(())
}

/// The costs that a checked table says; plain ground and swamp cost 1 where it says nothing of them.
pub(super) fn costs(entries: &[Entry]) -> TerrainCosts {
    let cost = |entry: &Entry| {
        let cost = if let Value::Whole(cost) = entry.node.value { Some(cost as u16) } else { None };
        Some((class(&entry.key)?, cost))
    };
    TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, Some(1))].into_iter().chain(entries.iter().filter_map(cost)))
}

/// Classes of terrain that the map has and a unit does not name cost it 1, if it minds terrain at all.
pub(super) fn name_classes(units: &mut [Unit], grid: &Grid) {
    let mut is_there = [false; 256];
    for &class in grid.terrain_layer().into_iter().flat_map(|layer| &layer.cells) {
        is_there[usize::from(class)] = true;
    }
    let classes = || (0..=u8::MAX).filter(|&class| is_there[usize::from(class)]);
    for costs in units.iter_mut().filter_map(|unit| unit.terrain.as_mut()) {
        let missing: Vec<u8> = classes().filter(|&class| costs.of(class).is_none()).collect();
        if !missing.is_empty() {
            *costs = TerrainCosts::new(costs.classes().chain(missing.into_iter().map(|class| (class, Some(1)))));
        }
    }
}
