//! The geometry of a bounded grid of equal cells.

use crate::volume::Aabb;

/// A box cut into columns and rows. Points outside belong to the cells at the border.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raster {
    origin: [f32; 2],
    /// Sides of a cell (m), and their reciprocals.
    side: [f32; 2],
    scale: [f32; 2],
    /// Columns and rows.
    pub count: [u32; 2],
}

/// A rectangle of cells, its borders included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub left: u32,
    pub right: u32,
    pub top: u32,
    pub bottom: u32,
}

impl Default for Raster {
    fn default() -> Self {
        Self { origin: [0.0; 2], side: [1.0; 2], scale: [1.0; 2], count: [1; 2] }
    }
}

impl Raster {
    /// Squares of `side` metres over `bounds`, or larger ones where they would be more than `limit`.
    pub fn of_squares(bounds: &Aabb<2>, side: f64, limit: usize) -> Self {
        let lengths = [0, 1].map(|axis| f64::from(bounds.high[axis]) - f64::from(bounds.low[axis]));
        let limit = limit as f64;
        let mut side = if side > 0.0 { side } else { 1.0 };
        side = side.max(lengths[0].max(lengths[1]) / limit).max(1e-30);
        let count = |side: f64| lengths.map(|length| (length / side).floor() + 1.0);
        while count(side)[0] * count(side)[1] > limit {
            side *= 1.1;
        }
        let scale = (1.0 / side) as f32;
        Self {
            origin: bounds.low,
            side: [side as f32; 2],
            scale: [scale; 2],
            count: count(side).map(|count| count as u32),
        }
    }

    /// `count` columns and rows of equal width over `bounds`.
    pub fn split(bounds: &Aabb<2>, count: [u32; 2]) -> Self {
        let side = [0, 1].map(|axis| {
            let length = f64::from(bounds.high[axis]) - f64::from(bounds.low[axis]);
            (length / f64::from(count[axis])).max(1e-30)
        });
        Self {
            origin: bounds.low,
            side: side.map(|side| side as f32),
            scale: side.map(|side| (1.0 / side) as f32),
            count,
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.count[0] as usize * self.count[1] as usize
    }

    /// The longer side of a cell (m).
    pub fn side(&self) -> f32 {
        self.side[0].max(self.side[1])
    }

    /// The column (axis 0) or row (axis 1) of a coordinate (m). Never falls as the coordinate grows: rounding keeps the
    /// order of numbers.
    #[inline]
    pub fn along(&self, axis: usize, x: f32) -> u32 {
        // `as` saturates: negative and NaN become 0.
        (((x - self.origin[axis]) * self.scale[axis]) as u32).min(self.count[axis] - 1)
    }

    /// The number of the cell of a point.
    #[inline]
    pub fn of(&self, point: [f32; 2]) -> u32 {
        self.number(self.along(0, point[0]), self.along(1, point[1]))
    }

    /// The number of a cell: row by row.
    #[inline]
    pub fn number(&self, column: u32, row: u32) -> u32 {
        row * self.count[0] + column
    }

    /// The cells that can hold points whose coordinates differ from those of `point` by less than `reach`: exactly,
    /// since rounding keeps the order of numbers.
    #[inline]
    pub fn window(&self, point: [f32; 2], reach: f32) -> Window {
        Window {
            left: self.along(0, point[0] - reach),
            right: self.along(0, point[0] + reach),
            top: self.along(1, point[1] - reach),
            bottom: self.along(1, point[1] + reach),
        }
    }

    /// The cells of the points of a box that is made wider by `reach` on all sides.
    #[inline]
    pub fn meeting(&self, region: &Aabb<2>, reach: f32) -> Window {
        Window {
            left: self.along(0, region.low[0] - reach),
            right: self.along(0, region.high[0] + reach),
            top: self.along(1, region.low[1] - reach),
            bottom: self.along(1, region.high[1] + reach),
        }
    }

    /// The box of a cell.
    pub fn cell(&self, column: u32, row: u32) -> Aabb<2> {
        let low = [self.origin[0] + column as f32 * self.side[0], self.origin[1] + row as f32 * self.side[1]];
        Aabb { low, high: [low[0] + self.side[0], low[1] + self.side[1]] }
    }
}

impl Window {
    /// Columns and rows, row by row.
    pub fn cells(self) -> impl Iterator<Item = (u32, u32)> {
        (self.top..=self.bottom).flat_map(move |row| (self.left..=self.right).map(move |column| (column, row)))
    }
}
