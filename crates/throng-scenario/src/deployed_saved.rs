//! Armies of other names, and squads that stand elsewhere, as they are written into a scenario file.

use super::{Edited, Scenario, ScenarioError};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

/// Keys of a squad that say where its soldiers are; places say it of a squad that was deployed.
const PLACING: [&str; 11] =
    ["count", "position", "area", "columns", "spacing", "places", "facing", "formation", "order", "then", "planner"];

/// The army of the file at a place.
pub(super) fn army_of(document: &mut DocumentMut, place: usize) -> Option<&mut dyn TableLike> {
    match document.get_mut("army")? {
        Item::ArrayOfTables(armies) => armies.get_mut(place).map(|army| army as &mut dyn TableLike),
        Item::Value(Value::Array(armies)) => {
            armies.get_mut(place)?.as_inline_table_mut().map(|army| army as &mut dyn TableLike)
        }
        _ => None,
    }
}

/// Adds a squad to an army, as its last.
pub(super) fn add(army: &mut dyn TableLike, squad: Table, is_inline: bool) {
    match army.get_mut("squad") {
        Some(Item::ArrayOfTables(squads)) => squads.push(squad),
        Some(Item::Value(Value::Array(squads))) if is_inline || !squads.is_empty() => {
            squads.push(squad.into_inline_table());
        }
        // It had none.
        _ => drop(army.insert("squad", Item::ArrayOfTables(ArrayOfTables::from_iter([squad])))),
    }
}

/// True where the armies of a file stand in a line each.
pub(super) fn is_inline(document: &DocumentMut) -> bool {
    matches!(document.get("army"), Some(Item::Value(_)))
}

/// Writes names and colours of armies, new armies, and the squads that were deployed or removed.
pub(super) fn write(scenario: &Scenario, document: &mut DocumentMut, edited: &Edited) -> Result<(), ScenarioError> {
    let unfit = |message: String| ScenarioError::File { file: scenario.file.clone(), message };
    for (place, (name, colour)) in edited.armies.iter().enumerate() {
        let known = scenario.armies.get(place);
        if known.is_none() {
            let mut army = Table::new();
            army.insert("name", Item::Value(name.as_str().into()));
            army.insert("squad", Item::Value(Value::Array(Array::new())));
            match document.get_mut("army") {
                Some(Item::ArrayOfTables(armies)) => armies.push(army),
                Some(Item::Value(Value::Array(armies))) => armies.push(army.into_inline_table()),
                _ => return Err(unfit("it has no armies to add one to".to_owned())),
            }
        }
        let army = army_of(document, place).ok_or_else(|| unfit(format!("it has no army {}", place + 1)))?;
        if known.is_some_and(|known| known.name != *name) {
            army.insert("name", Item::Value(name.as_str().into()));
        }
        if known.and_then(|known| known.colour) != *colour {
            match colour {
                Some([r, g, b]) => army.insert("colour", Item::Value(format!("#{r:02X}{g:02X}{b:02X}").into())),
                None => army.remove("colour"),
            };
        }
    }
    // From the last on, so that those before keep their places.
    let mut deployed: Vec<_> = edited.deployed.iter().collect();
    deployed.sort_by_key(|(squad, _)| std::cmp::Reverse(*squad));
    for (squad, spec) in deployed {
        let (mut army, mut place) = (0, *squad);
        while let Some(known) = scenario.armies.get(army).filter(|known| known.squads.len() <= place) {
            place -= known.squads.len();
            army += 1;
        }
        let new = spec.as_ref().map(|spec| scenario.table(document, edited, spec));
        let squads = army_of(document, army).and_then(|army| army.get_mut("squad"));
        let squads = squads.ok_or_else(|| unfit(format!("it has no squad {squad}")))?;
        match (squads, new) {
            (Item::ArrayOfTables(squads), Some(new)) => {
                if let Some(old) = squads.get_mut(place) {
                    renew(old, &new);
                }
            }
            (Item::Value(Value::Array(squads)), Some(new)) => {
                if let Some(old) = squads.get_mut(place).and_then(Value::as_inline_table_mut) {
                    renew(old, &new.into_inline_table());
                }
            }
            (Item::ArrayOfTables(squads), None) => drop(squads.remove(place)),
            (Item::Value(Value::Array(squads)), None) => drop(squads.remove(place)),
            _ => {}
        }
    }
    for place in 0..edited.armies.len().max(scenario.armies.len()) {
        let Some(army) = army_of(document, place) else { continue };
        if army.get("squad").and_then(Item::as_array_of_tables).is_some_and(ArrayOfTables::is_empty) {
            army.insert("squad", Item::Value(Value::Array(Array::new())));
        }
    }
    Ok(())
}

/// Has a squad stand as a new table says; its name, its unit and what is not known here stay.
fn renew(old: &mut dyn TableLike, new: &dyn TableLike) {
    for key in PLACING {
        old.remove(key);
    }
    for (key, value) in new.iter() {
        old.insert(key, value.clone());
    }
}
