//! The geometry of cells.

use crate::geom::Vec2;

/// A cell of a [`Lattice`], as an index into any [`Layer`](super::Layer) over it.
///
/// Cells are numbered row by row and the lattice is padded all round, so the eight neighbours of a cell on the map
/// always exist and need no range check.
///
/// ```
/// use throng_grid::Lattice;
/// let lattice = Lattice::new(4, 3, 1.0)?;
/// let cell = lattice.cell(2, 1);
/// assert_eq!(lattice.column_row(cell), (2, 1));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Cell(pub u32);

impl Cell {
    /// The padding in the corner: on every lattice, never on the map.
    pub const NONE: Cell = Cell(0);

    /// This cell as an index into a layer.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A lattice that cannot be made.
///
/// ```
/// let error = throng_grid::Lattice::new(0, 5, 1.0).unwrap_err();
/// assert_eq!(error.to_string(), "a map needs at least one column and one row, found 0 x 5");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// Width or height is zero.
    #[error("a map needs at least one column and one row, found {width} x {height}")]
    Empty {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// Wider or higher than [`Lattice::MAX_SIDE`].
    #[error("a map may have at most {limit} columns and {limit} rows, found {width} x {height}", limit = Lattice::MAX_SIDE)]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
    /// The side of a cell is not a positive, finite number.
    #[error("the side of a cell must be a positive number of metres, found {0}")]
    CellSize(f32),
}

/// The geometry of a map's cells: how many, how large, and where in memory.
///
/// Metres become cells in [`Lattice::at`] and cells become metres in [`Lattice::centre`], nowhere else. The origin is
/// the upper left corner of the map; y grows downwards.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::Lattice;
/// let lattice = Lattice::new(40, 30, 0.5)?; // 20 m × 15 m
/// let cell = lattice.at(Vec2::new(1.2, 0.3));
/// assert_eq!(lattice.column_row(cell), (2, 0));
/// assert_eq!(lattice.centre(cell), Vec2::new(1.25, 0.25));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Distance in memory between a cell and the one below it; at least `width + 2`.
    pub stride: u32,
    /// Side of a cell (m).
    pub cell_size: f32,
}

impl Lattice {
    /// The most columns and the most rows a lattice may have.
    pub const MAX_SIDE: u32 = 16_384;

    /// A lattice of `width` x `height` cells with a side of `cell_size` metres.
    ///
    /// # Errors
    /// Where a side is zero or above [`Lattice::MAX_SIDE`], or the cell size is no positive number.
    pub fn new(width: u32, height: u32, cell_size: f32) -> Result<Self, LatticeError> {
        if width == 0 || height == 0 {
            return Err(LatticeError::Empty { width, height });
        }
        if width > Self::MAX_SIDE || height > Self::MAX_SIDE {
            return Err(LatticeError::TooLarge { width, height });
        }
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(LatticeError::CellSize(cell_size));
        }
        // Rows start on whole bytes of a bitmap.
        Ok(Self { width, height, stride: (width + 2).next_multiple_of(8), cell_size })
    }

    /// Cells in memory, padding included: the length of every layer.
    #[inline]
    pub fn len(&self) -> usize {
        self.stride as usize * (self.height as usize + 2)
    }

    /// Always false: a lattice has at least one cell.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The cell in column `x` and row `y`, which must be on the map.
    #[inline]
    pub fn cell(&self, x: u32, y: u32) -> Cell {
        debug_assert!(x < self.width && y < self.height, "({x}, {y}) is off a {} x {} map", self.width, self.height);
        Cell((y + 1) * self.stride + x + 1)
    }

    /// The cell in column `x` and row `y`, or `None` off the map.
    pub fn checked_cell(&self, x: i64, y: i64) -> Option<Cell> {
        ((0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y))
            .then(|| self.cell(x as u32, y as u32))
    }

    /// Column and row of a cell on the map.
    #[inline]
    pub fn column_row(&self, cell: Cell) -> (u32, u32) {
        ((cell.0 % self.stride).wrapping_sub(1), (cell.0 / self.stride).wrapping_sub(1))
    }

    /// True where `cell` is on the map, not in the padding.
    pub fn contains(&self, cell: Cell) -> bool {
        let (x, y) = self.column_row(cell);
        x < self.width && y < self.height
    }

    /// The cell under a point (m); points off the map, and NaN, give the nearest cell on it.
    #[inline]
    pub fn at(&self, point: Vec2) -> Cell {
        let scale = 1.0 / self.cell_size;
        // `as` saturates: negative and NaN become 0.
        let x = ((point.x * scale) as u32).min(self.width - 1);
        let y = ((point.y * scale) as u32).min(self.height - 1);
        Cell((y + 1) * self.stride + x + 1)
    }

    /// The centre of a cell (m).
    #[inline]
    pub fn centre(&self, cell: Cell) -> Vec2 {
        let (x, y) = self.column_row(cell);
        Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * self.cell_size
    }

    /// Width and height of the map (m).
    pub fn size(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * self.cell_size
    }

    /// True where a point (m) lies on the map.
    pub fn covers(&self, point: Vec2) -> bool {
        let size = self.size();
        point.x >= 0.0 && point.y >= 0.0 && point.x < size.x && point.y < size.y
    }

    /// All cells of the map, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let lattice = *self;
        (0..lattice.height).flat_map(move |y| (0..lattice.width).map(move |x| lattice.cell(x, y)))
    }

    /// Offsets in memory to the eight neighbours, in the order of [`Direction`](super::Direction).
    #[inline]
    pub fn offsets(&self) -> [i32; 8] {
        let s = self.stride as i32;
        [-s, 1, s, -1, 1 - s, 1 + s, s - 1, -1 - s]
    }
}
