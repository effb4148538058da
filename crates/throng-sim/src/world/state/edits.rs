//! Changes of the map that are asked for.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::{Cell, Edit, Grid};

/// A requested change of a cell.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) open: Option<bool>,
    pub(crate) terrain: Option<u8>,
    pub(crate) height: Option<u16>,
}

impl Change {
    /// The edits of a cell that make it so.
    pub(crate) fn edits(self, cell: Cell) -> impl Iterator<Item = Edit> {
        let open = self.open.map(|open| if open { Edit::Open(cell) } else { Edit::Close(cell) });
        let terrain = self.terrain.map(|class| Edit::Terrain(cell, class));
        [terrain, self.height.map(|height| Edit::Height(cell, height)), open].into_iter().flatten()
    }
}

/// Edits that wait for the next tick, or for an agent to step aside.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Edits {
    pub(crate) pending: BTreeMap<Cell, Change>,
}

impl Edits {
    /// True where a cell is to be closed.
    pub(crate) fn closes(&self, cell: Cell) -> bool {
        !self.pending.is_empty() && self.pending.get(&cell).is_some_and(|change| change.open == Some(false))
    }

    /// True where a cell is open once all edits are done.
    pub(crate) fn will_be_open(&self, grid: &Grid, cell: Cell) -> bool {
        self.pending.get(&cell).and_then(|change| change.open).unwrap_or_else(|| grid.is_open(cell))
    }

    /// Asks for an edit of a cell of the map.
    pub(crate) fn add(&mut self, edit: Edit) {
        let change = self.pending.entry(edit.cell()).or_default();
        match edit {
            Edit::Open(_) => change.open = Some(true),
            Edit::Close(_) => change.open = Some(false),
            Edit::Terrain(_, class) => change.terrain = Some(class),
            Edit::Height(_, height) => change.height = Some(height),
        }
    }
}
