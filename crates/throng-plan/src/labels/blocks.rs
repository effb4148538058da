//! Labels of cells, shared by the cells of a block.

use crate::jps::place::Place;

/// Columns and rows of a block.
pub(super) const SIDE: u32 = 8;

/// An entry that several cells of a block share: a way over a subgoal to a hub.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockEntry {
    /// The cost from the subgoal to the hub.
    pub(super) cost: u32,
    pub(super) hub: u16,
    /// The subgoal's place among those of the block.
    pub(super) via: u16,
}

/// The labels of all cells.
///
/// A block has the subgoals that its cells walk to, each with a mask of those cells for which it counts; and entries, a hub
/// after the other. The cost from a cell to a hub is that to the subgoal on a map without walls and the entry's. An entry is
/// left out for a cell if a more important hub lies on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Blocks {
    /// Blocks in a row of them.
    columns: u32,
    /// Where the subgoals and the entries of each block begin.
    first: Vec<(u32, u32)>,
    masks: Vec<u64>,
    /// Column and row of the subgoals, counted from the padding.
    via_columns: Vec<i16>,
    via_rows: Vec<i16>,
    subgoals: Vec<u16>,
    entries: Vec<BlockEntry>,
}

/// A block as a query sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) masks: &'a [u64],
    pub(super) columns: &'a [i16],
    pub(super) rows: &'a [i16],
    pub(super) subgoals: &'a [u16],
    pub(super) entries: &'a [BlockEntry],
}

impl Blocks {
    /// The blocks of all rows of blocks, of which each has `columns`.
    pub(super) fn joined(columns: u32, parts: impl ExactSizeIterator<Item = Self>) -> Self {
        let mut blocks = Self { columns, ..Self::default() };
        blocks.first.reserve_exact(columns as usize * parts.len() + 1);
        for part in parts {
            let [vias, entries] = [blocks.masks.len(), blocks.entries.len()].map(|len| len as u32);
            blocks.first.extend(part.first.iter().map(|first| (first.0 + vias, first.1 + entries)));
            blocks.masks.extend_from_slice(&part.masks);
            blocks.via_columns.extend_from_slice(&part.via_columns);
            blocks.via_rows.extend_from_slice(&part.via_rows);
            blocks.subgoals.extend_from_slice(&part.subgoals);
            blocks.entries.extend_from_slice(&part.entries);
        }
        blocks.begin();
        blocks
    }

    /// Begins the next block.
    pub(super) fn begin(&mut self) {
        self.first.push((self.masks.len() as u32, self.entries.len() as u32));
    }

    /// Adds a subgoal to the last block, for the cells of this mask.
    pub(super) fn add_via(&mut self, mask: u64, place: Place, subgoal: u32) {
        self.masks.push(mask);
        self.via_columns.push(place.x as i16);
        self.via_rows.push(place.y as i16);
        self.subgoals.push(subgoal as u16);
    }

    /// Adds an entry to the last block.
    pub(super) fn add_entry(&mut self, entry: BlockEntry) {
        self.entries.push(entry);
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.first)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.via_columns)
            + size_of_val(&*self.via_rows)
            + size_of_val(&*self.subgoals)
            + size_of_val(&*self.entries)
    }

    /// The block of a cell, and the cell's bit in its masks.
    #[inline]
    pub(super) fn of(&self, place: Place) -> (Block<'_>, u32) {
        let (x, y) = (place.x - 1, place.y - 1);
        let number = (y / SIDE * self.columns + x / SIDE) as usize;
        let [(via, entry), (via_end, entry_end)] = [self.first[number], self.first[number + 1]];
        let (vias, entries) = (via as usize..via_end as usize, entry as usize..entry_end as usize);
        let block = Block {
            masks: &self.masks[vias.clone()],
            columns: &self.via_columns[vias.clone()],
            rows: &self.via_rows[vias.clone()],
            subgoals: &self.subgoals[vias],
            entries: &self.entries[entries],
        };
        (block, y % SIDE * SIDE + x % SIDE)
    }
}
