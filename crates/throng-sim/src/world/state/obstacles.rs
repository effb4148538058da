//! Obstacles that come, move and go.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use throng_grid::{Cell, Edit};

/// All obstacles, and the map under them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Obstacles {
    /// The cells that each covers, in their order.
    pub(crate) placed: BTreeMap<u32, Vec<Cell>>,
    /// The number of the next one.
    pub(crate) next: u32,
    /// How many cover each cell.
    pub(crate) covers: BTreeMap<Cell, u32>,
    /// The covered cells that are open without them.
    pub(crate) under: BTreeSet<Cell>,
}

impl Obstacles {
    /// An edit of the map: of a covered cell it opens or closes what lies under the obstacles, and there is nothing else to do.
    pub(crate) fn takes(&mut self, edit: Edit) -> bool {
        match edit {
            Edit::Open(cell) if self.covers.contains_key(&cell) => self.under.insert(cell),
            Edit::Close(cell) if self.covers.contains_key(&cell) => self.under.remove(&cell),
            _ => return false,
        };
        true
    }
}
