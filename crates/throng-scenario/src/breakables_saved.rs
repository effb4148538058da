//! Breakable walls, written into a scenario file.

use super::breakables::breakables;
use super::document::Node;
use super::schema::SCENARIO;
use super::section::{Section, Source};
use super::values_saved::number;
use super::{Scenario, ScenarioError};
use std::collections::{BTreeMap, BTreeSet};
use throng_grid::{Cell, Grid, Lattice};
use throng_sim::world::{ArmyId, Breakable};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

/// Health of a cell, and the army that keeps it.
type Wall = (f32, Option<ArmyId>);

/// Makes the tables of a file describe the breakable walls of a map. Tables that are still true stay, others go, and
/// the walls of no table come as rectangles.
///
/// # Errors
/// Where the tables cannot be read.
pub(super) fn write(
    scenario: &Scenario,
    document: &mut DocumentMut,
    grid: &Grid,
    now: &[Breakable],
) -> Result<(), ScenarioError> {
    let mut left = BTreeMap::<Cell, Wall>::new();
    for Breakable { cells, health, keeper } in now {
        left.extend(cells.iter().map(|&cell| (cell, (*health, *keeper))));
    }
    let source = Source { text: &scenario.text, file: &scenario.file };
    let node = Node::parse(&scenario.text, &scenario.file)?;
    SCENARIO.check(source, &node)?;
    let file = Section { source, schema: &SCENARIO, node: &node };
    // The walls that each table describes on the map as it is now, with walls that were built in its area since.
    let says = breakables(file, grid, &scenario.areas);
    let is_true =
        |table: &Breakable| table.cells.iter().all(|cell| left.get(cell) == Some(&(table.health, table.keeper)));
    let tables: Vec<Option<Breakable>> = says.map(|table| table.ok().filter(is_true)).collect();
    for table in tables.iter().flatten() {
        table.cells.iter().for_each(|cell| _ = left.remove(cell));
    }
    for index in (0..tables.len()).rev().filter(|&index| tables[index].is_none()) {
        match document.get_mut("breakable") {
            Some(Item::ArrayOfTables(tables)) if index < tables.len() => _ = tables.remove(index),
            Some(Item::Value(Value::Array(tables))) if index < tables.len() => _ = tables.remove(index),
            _ => {}
        }
    }
    let lattice = grid.lattice();
    while let Some((_, &wall)) = left.first_key_value() {
        let alike: BTreeSet<Cell> = left.iter().filter(|(_, other)| **other == wall).map(|(&cell, _)| cell).collect();
        left.retain(|_, other| *other != wall);
        for corners in rectangles(lattice, &alike) {
            push(document, table(scenario, lattice, corners, wall));
        }
    }
    Ok(())
}

/// Disjoint rectangles that cover these cells and no others: of each the first and the last column and row.
fn rectangles(lattice: Lattice, cells: &BTreeSet<Cell>) -> Vec<[(u32, u32); 2]> {
    let mut rows = BTreeMap::<u32, Vec<u32>>::new();
    for &cell in cells {
        let (x, y) = lattice.column_row(cell);
        rows.entry(y).or_default().push(x);
    }
    let mut all: Vec<[(u32, u32); 2]> = Vec::new();
    for (y, mut columns) in rows {
        columns.sort_unstable();
        for run in columns.chunk_by(|one, next| one + 1 == *next) {
            let (first, last) = (run[0], run[run.len() - 1]);
            // It goes on where there is one as wide right above.
            let above = all.iter_mut().find(|[from, to]| (from.0, to.0, to.1 + 1) == (first, last, y));
            match above {
                Some([_, to]) => to.1 = y,
                None => all.push([(first, y), (last, y)]),
            }
        }
    }
    all
}

fn table(scenario: &Scenario, lattice: Lattice, [from, to]: [(u32, u32); 2], (health, keeper): Wall) -> Table {
    let at = |(x, y): (u32, u32)| -> Value {
        [x, y].map(|cells| number(cells as f32 * lattice.cell_size)).into_iter().collect()
    };
    let mut table = Table::new();
    table.insert("from", at(from).into());
    table.insert("to", at((to.0 + 1, to.1 + 1)).into());
    table.insert("health", number(health).into());
    if let Some(army) = keeper.and_then(|army| scenario.armies.get(usize::from(army.0))) {
        table.insert("army", army.name.as_str().into());
    }
    table
}

fn push(document: &mut DocumentMut, table: Table) {
    match document.get_mut("breakable") {
        Some(Item::ArrayOfTables(tables)) => tables.push(table),
        Some(Item::Value(Value::Array(tables))) => tables.push(table.into_inline_table()),
        _ => document["breakable"] = Item::ArrayOfTables(ArrayOfTables::from_iter([table])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rectangles_cover_the_cells_once_and_nothing_else(places in proptest::collection::btree_set((0..12_u32, 0..9_u32), 0..60)) {
            let lattice = Lattice::new(12, 9, 1.0).unwrap();
            let cells: BTreeSet<Cell> = places.iter().map(|&(x, y)| lattice.cell(x, y)).collect();
            let mut covered: Vec<(u32, u32)> = Vec::new();
            for [(left, top), (right, bottom)] in rectangles(lattice, &cells) {
                covered.extend((left..=right).flat_map(|x| (top..=bottom).map(move |y| (x, y))));
            }
            covered.sort_unstable();
            prop_assert_eq!(covered, places.into_iter().collect::<Vec<_>>());
        }
    }
}
