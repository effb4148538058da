//! The map as it is stored, and the mark that tells maps apart.

use super::{Cell, Edit, Grid, Lattice, Layer};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// A map as it is stored, by any format of serde: `SavedGrid::from(&grid)` takes it, `Grid::try_from(saved)` checks it and
/// gives the same map of the same revision back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGrid {
    width: u32,
    height: u32,
    cell_size: f32,
    /// The bits, eight cells a byte.
    open: Vec<u8>,
    terrain: Option<Vec<u8>>,
    /// In centimetres.
    heights: Option<Vec<u16>>,
    revision: u32,
}

impl From<&Grid> for SavedGrid {
    fn from(grid: &Grid) -> Self {
        let Grid { lattice, open, terrain, heights, revision, clearance: _ } = grid;
        Self {
            width: lattice.width,
            height: lattice.height,
            cell_size: lattice.cell_size,
            open: open.iter().flat_map(|word| word.to_le_bytes()).collect(),
            terrain: terrain.as_ref().map(|layer| layer.cells.to_vec()),
            heights: heights.as_ref().map(|layer| layer.cells.to_vec()),
            revision: *revision,
        }
    }
}

impl TryFrom<SavedGrid> for Grid {
    type Error = String;

    fn try_from(saved: SavedGrid) -> Result<Self, String> {
        let SavedGrid { width, height, cell_size, open, terrain, heights, revision } = saved;
        let lattice = Lattice::new(width, height, cell_size).map_err(|error| error.to_string())?;
        let bytes = lattice.len().div_ceil(64) * 8;
        let layers = [terrain.as_ref().map(Vec::len), heights.as_ref().map(Vec::len)];
        if open.len() != bytes || layers.into_iter().flatten().any(|cells| cells != lattice.len()) {
            return Err(format!("a map of {width} x {height} cells is stored in {} bytes", open.len()));
        }
        let (words, _) = open.as_chunks::<8>();
        let open: Box<[u64]> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let terrain = terrain.map(|cells| Layer { lattice, cells: cells.into() });
        let heights = heights.map(|cells| Layer { lattice, cells: cells.into() });
        let grid = Self { lattice, open, terrain, heights, revision, clearance: OnceLock::new() };
        let on_map: u32 = (0..height).map(|y| open_in_row(&grid, y)).sum();
        if on_map != grid.open_cells() {
            return Err("a cell beside the map is open".into());
        }
        Ok(grid)
    }
}

/// The open cells of a row of the map.
fn open_in_row(grid: &Grid, y: u32) -> u32 {
    (0..grid.lattice.width).map(|x| u32::from(grid.is_open(grid.lattice.cell(x, y)))).sum()
}

impl Grid {
    /// The edits that make another map of the same size, `other`, of this one, in the order of the cells.
    pub fn edits_to(&self, other: &Self) -> Vec<Edit> {
        let Self { lattice, open, terrain: _, heights: _, revision: _, clearance: _ } = other;
        let mut edits = Vec::new();
        for (place, (&theirs, &ours)) in open.iter().zip(&self.open).enumerate() {
            let mut differ = theirs ^ ours;
            while differ != 0 {
                let cell = Cell(place as u32 * 64 + differ.trailing_zeros());
                edits.push(if other.is_open(cell) { Edit::Open(cell) } else { Edit::Close(cell) });
                differ &= differ - 1;
            }
        }
        if self.terrain_layer().is_some() || other.terrain_layer().is_some() {
            let classes = lattice.cells().filter(|&cell| self.terrain(cell) != other.terrain(cell));
            edits.extend(classes.map(|cell| Edit::Terrain(cell, other.terrain(cell))));
        }
        if self.height_layer().is_some() || other.height_layer().is_some() {
            let moved = lattice.cells().filter(|&cell| self.height(cell) != other.height(cell));
            edits.extend(moved.map(|cell| Edit::Height(cell, other.height(cell))));
        }
        edits
    }

    /// This map after edits, as the one of another revision.
    #[must_use]
    pub fn at_revision(&self, revision: u32, edits: &[Edit]) -> Self {
        let mut grid = self.clone();
        grid.edit(edits, &mut Vec::new());
        grid.revision = revision;
        grid
    }

    /// A checksum (CRC-32) of the content of the map: that of equal maps is equal. O(cells).
    pub fn checksum(&self) -> u32 {
        let Self { lattice, open, terrain, heights, revision: _, clearance: _ } = self;
        let mut sum = crc32fast::Hasher::new();
        for number in [lattice.width, lattice.height, lattice.cell_size.to_bits()] {
            sum.update(&number.to_le_bytes());
        }
        let mut bytes = [0; 512];
        for words in open.chunks(bytes.len() / 8) {
            for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
                to.copy_from_slice(&word.to_le_bytes());
            }
            sum.update(&bytes[..words.len() * 8]);
        }
        if let Some(layer) = terrain.as_ref().filter(|layer| layer.cells.iter().any(|&class| class != 0)) {
            sum.update(&layer.cells);
        }
        if let Some(layer) = heights.as_ref().filter(|layer| layer.cells.iter().any(|&height| height != 0)) {
            layer.cells.iter().for_each(|height| sum.update(&height.to_le_bytes()));
        }
        sum.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_map_is_stored_and_made_of_another(
            (width, height) in (1_u32..90, 1_u32..40),
            changes in prop::collection::vec((any::<u32>(), any::<u32>(), 0..4_u8), 0..60),
            split in any::<prop::sample::Index>(),
        ) {
            let mut grid = Grid::open_plain(Lattice::new(width, height, 1.5).unwrap());
            let edits: Vec<Edit> = changes
                .iter()
                .map(|&(x, y, what)| match (grid.lattice().cell(x % width, y % height), what) {
                    (cell, 0) => Edit::Open(cell),
                    (cell, 1) => Edit::Close(cell),
                    (cell, class) => Edit::Terrain(cell, class - 2),
                })
                .collect();
            let (before, after) = edits.split_at(if edits.is_empty() { 0 } else { split.index(edits.len()) });
            grid.edit(before, &mut Vec::new());
            let old = grid.clone();
            grid.edit(after, &mut Vec::new());
            let back = Grid::try_from(SavedGrid::from(&grid)).unwrap();
            prop_assert_eq!(&back, &grid);
            prop_assert_eq!(back.revision(), grid.revision());
            prop_assert_eq!(back.checksum(), grid.checksum());
            let made = back.at_revision(old.revision(), &grid.edits_to(&old));
            prop_assert_eq!(&made, &old);
            prop_assert_eq!(made.revision(), old.revision());
            prop_assert_eq!(made.checksum() == grid.checksum(), old == grid);
        }
    }

    #[test]
    fn a_map_of_another_size_than_its_bytes_is_refused() {
        let grid = Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
        let refused = |change: &dyn Fn(&mut SavedGrid)| {
            let mut saved = SavedGrid::from(&grid);
            change(&mut saved);
            Grid::try_from(saved).unwrap_err()
        };
        let much = refused(&|saved| saved.width = 16_384);
        assert_eq!(much, "a map of 16384 x 9 cells is stored in 24 bytes");
        assert_eq!(refused(&|saved| saved.open[0] |= 1), "a cell beside the map is open");
        assert!(refused(&|saved| saved.terrain = Some(vec![0; 3])).starts_with("a map of 9 x 9 cells"));
        assert!(refused(&|saved| saved.height = 0).starts_with("a map needs at least one column"));
    }
}
