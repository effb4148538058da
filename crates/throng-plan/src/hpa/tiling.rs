//! How a level cuts the map into clusters.

use throng_grid::Lattice;

/// Cells from one corner to the other, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) right: u32,
    pub(super) bottom: u32,
}

impl Area {
    pub(super) fn contains(self, x: u32, y: u32) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The smallest area that holds both.
    pub(super) fn hull(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Cells from side to side.
    pub(super) fn width(self) -> u32 {
        self.right - self.left + 1
    }

    /// Cells from top to bottom.
    pub(super) fn height(self) -> u32 {
        self.bottom - self.top + 1
    }

    /// How many cells.
    pub(super) fn len(self) -> usize {
        self.width() as usize * self.height() as usize
    }

    /// Number of a cell, row by row.
    pub(super) fn index(self, x: u32, y: u32) -> usize {
        ((y - self.top) * self.width() + x - self.left) as usize
    }

    /// Change of the number of a cell by a step, in the order of [`Direction`](throng_grid::Direction).
    pub(super) fn offsets(self) -> [i32; 8] {
        let width = self.width() as i32;
        [-width, 1, width, -1, 1 - width, 1 + width, width - 1, -1 - width]
    }
}

/// The clusters of one level, row by row: squares of `size` steps a side. Neighbours share the line of cells between
/// them, every step of the map lies inside a cluster, and a route can only leave a cluster through such a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tiling {
    pub(super) lattice: Lattice,
    pub(super) size: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
}

impl Tiling {
    pub(super) fn new(lattice: Lattice, size: u32) -> Self {
        let along = |cells: u32| (cells - 1).div_ceil(size).max(1);
        Self { lattice, size, columns: along(lattice.width), rows: along(lattice.height) }
    }

    /// How many clusters there are.
    pub(super) fn len(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Column and row of the cluster that holds a cell; of those that share it the last.
    #[inline]
    pub(super) fn tile(&self, x: u32, y: u32) -> (u32, u32) {
        ((x / self.size).min(self.columns - 1), (y / self.size).min(self.rows - 1))
    }

    /// Number of the cluster in this column and row.
    #[inline]
    pub(super) fn number(&self, (column, row): (u32, u32)) -> u32 {
        row * self.columns + column
    }

    /// Column and row of a cluster.
    #[inline]
    pub(super) fn place(&self, cluster: u32) -> (u32, u32) {
        (cluster % self.columns, cluster / self.columns)
    }

    /// The cells of a cluster.
    pub(super) fn area(&self, cluster: u32) -> Area {
        let (column, row) = self.place(cluster);
        let (left, top) = (column * self.size, row * self.size);
        Area {
            left,
            top,
            right: (left + self.size).min(self.lattice.width - 1),
            bottom: (top + self.size).min(self.lattice.height - 1),
        }
    }

    /// The clusters that hold a cell, as columns and rows from corner to corner.
    pub(super) fn sharing(&self, x: u32, y: u32) -> Area {
        let (right, bottom) = self.tile(x, y);
        let first = |last: u32, at: u32| if last > 0 && at == last * self.size { last - 1 } else { last };
        Area { left: first(right, x), top: first(bottom, y), right, bottom }
    }
}
