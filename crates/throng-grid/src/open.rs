//! Open cells, with the terrain and the height of their ground.

#[cfg(feature = "serde")]
mod saved;

#[cfg(feature = "serde")]
pub use saved::SavedGrid;

use super::{Cell, Lattice, Layer, WATER, clearance};
use crate::geom::Vec2;
use std::sync::{Arc, OnceLock};

/// The map: one bit a cell, set where the cell is open, and where they are not the same everywhere the class of the
/// terrain and the height. The padding is closed.
///
/// ```
/// use throng_grid::{Grid, Lattice};
/// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let wall = grid.lattice().cell(3, 3);
/// grid.set_open(wall, false);
/// assert!(!grid.is_open(wall));
/// assert_eq!(grid.open_cells(), 63);
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    lattice: Lattice,
    open: Box<[u64]>,
    terrain: Option<Layer<u8>>,
    heights: Option<Layer<u16>>,
    revision: u32,
    /// Made when it is first asked for, mended by edits, dropped when the map changes otherwise. Copies share it.
    clearance: OnceLock<Arc<Layer<f32>>>,
}

/// Two maps are equal where their cells are; their edits do not count.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        let plain = |grid: &Self| grid.terrain.as_ref().is_none_or(|layer| layer.cells.iter().all(|&class| class == 0));
        let terrain = match (&self.terrain, &other.terrain) {
            (Some(a), Some(b)) => a.cells == b.cells,
            _ => plain(self) && plain(other),
        };
        let level =
            |grid: &Self| grid.heights.as_ref().is_none_or(|layer| layer.cells.iter().all(|&height| height == 0));
        let heights = match (&self.heights, &other.heights) {
            (Some(a), Some(b)) => a.cells == b.cells,
            _ => level(self) && level(other),
        };
        self.lattice == other.lattice && self.open == other.open && terrain && heights
    }
}

/// A change of one cell of a [`Grid`].
///
/// ```
/// use throng_grid::{Edit, Grid, Lattice};
/// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let cell = grid.lattice().cell(3, 3);
/// let mut dirty = Vec::new();
/// grid.edit(&[Edit::Close(cell), Edit::Open(cell), Edit::Close(cell)], &mut dirty);
/// assert_eq!((grid.is_open(cell), grid.revision(), dirty), (false, 1, vec![cell]));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Edit {
    /// Opens a cell.
    Open(Cell),
    /// Closes a cell.
    Close(Cell),
    /// Gives a cell another class of terrain.
    Terrain(Cell, u8),
    /// Gives a cell another height (cm).
    Height(Cell, u16),
}

impl Edit {
    /// The cell that changes.
    pub fn cell(self) -> Cell {
        match self {
            Edit::Open(cell) | Edit::Close(cell) | Edit::Terrain(cell, _) | Edit::Height(cell, _) => cell,
        }
    }
}

impl Grid {
    /// A map without an open cell.
    pub fn closed(lattice: Lattice) -> Self {
        let open = vec![0; lattice.len().div_ceil(64)].into_boxed_slice();
        Self { lattice, open, terrain: None, heights: None, revision: 0, clearance: OnceLock::new() }
    }

    /// A map on which every cell is open.
    pub fn open_plain(lattice: Lattice) -> Self {
        let mut grid = Self::closed(lattice);
        for cell in lattice.cells() {
            grid.set_open(cell, true);
        }
        grid
    }

    /// The geometry.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// The same map with cells of another size (m).
    #[must_use]
    pub fn with_cell_size(mut self, cell_size: f32) -> Self {
        self.lattice.cell_size = cell_size;
        if let Some(terrain) = &mut self.terrain {
            terrain.lattice = self.lattice;
        }
        if let Some(heights) = &mut self.heights {
            heights.lattice = self.lattice;
        }
        self.clearance = OnceLock::new();
        self
    }

    /// The same map with more rows, which are closed, or without some of those, which must be as they were. Where cells are in
    /// memory depends on the width alone.
    pub(super) fn with_height(mut self, height: u32) -> Self {
        fn resized<T: Clone>(cells: &mut Box<[T]>, length: usize, value: T) {
            let mut all = std::mem::take(cells).into_vec();
            all.reserve_exact(length.saturating_sub(all.len()));
            all.resize(length, value);
            *cells = all.into_boxed_slice();
        }
        self.lattice.height = height;
        let length = self.lattice.len();
        resized(&mut self.open, length.div_ceil(64), 0);
        if let Some(terrain) = &mut self.terrain {
            resized(&mut terrain.cells, length, 0);
            terrain.lattice = self.lattice;
        }
        if let Some(heights) = &mut self.heights {
            resized(&mut heights.cells, length, 0);
            heights.lattice = self.lattice;
        }
        self.clearance = OnceLock::new();
        self
    }

    /// True where a cell is open. The padding is not.
    #[inline]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.open[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    /// True for deep water: closed cells of the class [`WATER`]. As with a wall, no agent enters it; pictures show it
    /// as water.
    #[inline]
    pub fn is_water(&self, cell: Cell) -> bool {
        !self.is_open(cell) && self.terrain(cell) == WATER
    }

    /// Opens or closes a cell of the map.
    pub fn set_open(&mut self, cell: Cell, open: bool) {
        debug_assert!(self.lattice.contains(cell), "{cell:?} is padding");
        self.clearance.take();
        let bit = 1 << (cell.index() % 64);
        if open {
            self.open[cell.index() / 64] |= bit;
        } else {
            self.open[cell.index() / 64] &= !bit;
        }
    }

    /// Class of the terrain of a cell: 0 unless said otherwise.
    #[inline]
    pub fn terrain(&self, cell: Cell) -> u8 {
        self.terrain.as_ref().map_or(0, |layer| layer[cell])
    }

    /// The class of the terrain of every cell; `None` where all are 0.
    pub fn terrain_layer(&self) -> Option<&Layer<u8>> {
        self.terrain.as_ref()
    }

    /// Sets the class of terrain of a cell. The units that walk the classes give them their meaning and cost:
    /// [`TerrainCosts`](super::TerrainCosts).
    pub fn set_terrain(&mut self, cell: Cell, class: u8) {
        debug_assert!(self.lattice.contains(cell), "{cell:?} is padding");
        if class != 0 || self.terrain.is_some() {
            self.terrain.get_or_insert_with(|| Layer::new(self.lattice, 0))[cell] = class;
        }
    }

    /// Height of a cell (cm) above the lowest there may be: 0 unless said otherwise.
    #[inline]
    pub fn height(&self, cell: Cell) -> u16 {
        self.heights.as_ref().map_or(0, |layer| layer[cell])
    }

    /// The height of every cell (cm); `None` where all are 0.
    ///
    /// Whole centimetres: two bytes a cell, differences are exact, and the effect of a slope on a step is looked up by
    /// the difference.
    pub fn height_layer(&self) -> Option<&Layer<u16>> {
        self.heights.as_ref()
    }

    /// Sets the height of a cell (cm). Every agent is slower uphill and faster downhill: [`pace`](super::pace).
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
    /// for y in 0..8 {
    ///     grid.set_height(grid.lattice().cell(4, y), 30);
    /// }
    /// assert!((grid.slope(Vec2::new(4.0, 3.0), Vec2::X) - 0.3).abs() < 1e-6);
    /// # Ok::<(), throng_grid::LatticeError>(())
    /// ```
    pub fn set_height(&mut self, cell: Cell, height: u16) {
        debug_assert!(self.lattice.contains(cell), "{cell:?} is padding");
        if height != 0 || self.heights.is_some() {
            self.heights.get_or_insert_with(|| Layer::new(self.lattice, 0))[cell] = height;
        }
    }

    /// How often the map was edited since it was made.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Edits the map, writes the cells that are different now into `dirty`, in their order, and counts up the
    /// revision where there are any. Edits of cells off the map do nothing.
    ///
    /// O(k log k) for k edits, and where [`Grid::clearance`] was asked for before, the time to mend that: it is not made
    /// anew but where that is sooner.
    pub fn edit(&mut self, edits: &[Edit], dirty: &mut Vec<Cell>) {
        dirty.clear();
        let mut before: Vec<(Cell, bool, (u8, u16))> = edits
            .iter()
            .map(|edit| edit.cell())
            .filter(|&cell| self.lattice.contains(cell))
            .map(|cell| (cell, self.is_open(cell), (self.terrain(cell), self.height(cell))))
            .collect();
        before.sort_unstable();
        before.dedup();
        let lattice = self.lattice;
        let clearance = self.clearance.take();
        for &edit in edits.iter().filter(|edit| lattice.contains(edit.cell())) {
            match edit {
                Edit::Open(cell) => self.set_open(cell, true),
                Edit::Close(cell) => self.set_open(cell, false),
                Edit::Terrain(cell, class) => self.set_terrain(cell, class),
                Edit::Height(cell, height) => self.set_height(cell, height),
            }
        }
        let now = |cell: Cell| (self.is_open(cell), (self.terrain(cell), self.height(cell)));
        let changed = before.iter().filter(|&&(cell, open, ground)| now(cell) != (open, ground));
        dirty.extend(changed.map(|&(cell, ..)| cell));
        let walls = before.iter().any(|&(cell, open, _)| self.is_open(cell) != open);
        if let Some(mut layer) = clearance
            && (!walls || clearance::mend(Arc::make_mut(&mut layer), self, dirty))
        {
            self.clearance = layer.into();
        }
        self.revision += u32::from(!dirty.is_empty());
    }

    /// The distance (m) from each cell's centre to the nearest wall; see [`clearance`](super::clearance::clearance).
    /// O(cells) when it is first asked for.
    pub fn clearance(&self) -> &Layer<f32> {
        self.clearance.get_or_init(|| Arc::new(clearance::clearance(self)))
    }

    /// How many cells are open.
    pub fn open_cells(&self) -> u32 {
        self.open.iter().map(|word| word.count_ones()).sum()
    }

    /// The bits, 64 cells a word, in the order of the cells.
    pub fn words(&self) -> &[u64] {
        &self.open
    }

    /// The open cell whose centre is nearest to a point (m), ties by the smaller cell; `None` where nothing is open.
    ///
    /// Looks at rings of cells around the point, so it costs O(d²) for the distance d in cells.
    pub fn nearest_open(&self, point: Vec2) -> Option<Cell> {
        self.nearest(point, |cell| self.is_open(cell))
    }

    /// As [`Grid::nearest_open`], among the cells that `accept` takes.
    ///
    /// A point further off the map than the map is wide counts as one on the way there: so far away, rounding would make
    /// all cells equally near.
    pub fn nearest(&self, point: Vec2, accept: impl Fn(Cell) -> bool) -> Option<Cell> {
        let lattice = self.lattice;
        let point = point.clamp(-lattice.size(), lattice.size() * 2.0);
        let (column, row) = lattice.column_row(lattice.at(point));
        let (column, row) = (i64::from(column), i64::from(row));
        let mut best: Option<(f32, Cell)> = None;
        for ring in 0..i64::from(lattice.width.max(lattice.height)) {
            // Every cell of a further ring is at least this far away.
            let bound = (ring - 1).max(0) as f32 * lattice.cell_size;
            if best.is_some_and(|(distance, _)| distance < bound * bound) {
                break;
            }
            for y in row - ring..=row + ring {
                let whole_row = (y - row).abs() == ring;
                let step = if whole_row || ring == 0 { 1 } else { 2 * ring };
                for x in (column - ring..=column + ring).step_by(step as usize) {
                    let Some(cell) = lattice.checked_cell(x, y).filter(|&cell| accept(cell)) else { continue };
                    let candidate = (lattice.centre(cell).distance_squared(point), cell);
                    if best.is_none_or(|best| candidate < best) {
                        best = Some(candidate);
                    }
                }
            }
        }
        best.map(|(_, cell)| cell)
    }
}
