//! Armies of other names: all that names one in a scenario file names it by its new name.

use super::Scenario;
use super::schema::{ARMY, BREAKABLE, ENTERS, Kind, SCENARIO, SQUAD, Table, UNIT};
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, TableLike, Value};

/// The keys that name an army, or several.
static NAMING: [(&Table, &str); 6] = [
    (&ARMY, "allies"),
    (&ARMY, "neutral"),
    (&UNIT, "ignores"),
    (&BREAKABLE, "army"),
    (&ENTERS, "army"),
    (&SQUAD, "army"),
];

/// Has everything that names an army of the scenario name it as it is called now. A name in `ignores` that a unit has too is that of
/// the unit.
pub(super) fn write(scenario: &Scenario, document: &mut DocumentMut, now: &[(String, Option<[u8; 3]>)]) {
    let pairs = scenario.armies.iter().zip(now).map(|(army, (name, _))| (army.name.as_str(), name.as_str()));
    let renamed: BTreeMap<&str, &str> = pairs.filter(|(before, now)| before != now).collect();
    if renamed.is_empty() {
        return;
    }
    let is_unit = |name: &str| scenario.units.iter().any(|unit| unit.name == name);
    let new = |table: &'static Table, name: &str| {
        let is_meant = !std::ptr::eq(table, &raw const UNIT) || !is_unit(name);
        renamed.get(name).filter(|_| is_meant).map(|&name| name.to_owned())
    };
    walk(&SCENARIO, document.as_table_mut(), &new);
}

/// Renames in a table and in all in it.
fn walk(table: &'static Table, found: &mut dyn TableLike, new: &dyn Fn(&'static Table, &str) -> Option<String>) {
    for key in table.keys {
        let Some(item) = found.get_mut(key.name) else { continue };
        if NAMING.iter().any(|(owner, name)| std::ptr::eq(*owner, table) && *name == key.name) {
            if let Some(value) = item.as_value_mut() {
                rename(value, &|name| new(table, name));
            }
        } else if let Some(inner) = table_of(key.kind) {
            for found in tables(item) {
                walk(inner, found, new);
            }
        }
    }
}

/// The table that a kind of value is, or is a list of; orders name no army.
fn table_of(kind: Kind) -> Option<&'static Table> {
    match kind {
        Kind::Table(table) => Some(table),
        Kind::List(&kind) => table_of(kind),
        _ => None,
    }
}

/// The tables that an item is, however they are written.
fn tables(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::Table(table) => vec![table],
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|table| table as &mut dyn TableLike).collect(),
        Item::Value(Value::InlineTable(table)) => vec![table],
        Item::Value(Value::Array(list)) => {
            list.iter_mut().filter_map(Value::as_inline_table_mut).map(|table| table as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// Renames a name, or those in a list; the text around stays.
fn rename(value: &mut Value, new: &dyn Fn(&str) -> Option<String>) {
    match value {
        Value::String(name) => {
            if let Some(renamed) = new(name.value()) {
                let around = value.decor().clone();
                *value = renamed.into();
                *value.decor_mut() = around;
            }
        }
        Value::Array(names) => names.iter_mut().for_each(|name| rename(name, new)),
        _ => {}
    }
}
