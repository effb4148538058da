//! Places of jump point search.

use crate::{DIAGONAL, STRAIGHT};
use throng_grid::Cell;

/// Column and row of a cell, counted from the padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) x: u32,
    pub(crate) y: u32,
}

impl Place {
    pub(crate) fn new(cell: Cell, stride: u32) -> Self {
        Self { x: cell.0 % stride, y: cell.0 / stride }
    }

    #[inline]
    pub(crate) fn index(self, stride: u32) -> usize {
        self.y as usize * stride as usize + self.x as usize
    }

    /// The place `steps` further in direction `d`.
    #[inline]
    pub(crate) fn go(self, d: usize, steps: u32) -> Self {
        let (dx, dy) = STEPS[d % 8];
        Self { x: self.x.wrapping_add_signed(dx * steps as i32), y: self.y.wrapping_add_signed(dy * steps as i32) }
    }

    /// Both in one word.
    #[inline]
    pub(crate) fn pack(self) -> u32 {
        self.y << 16 | self.x
    }

    #[inline]
    pub(crate) fn unpack(packed: u32) -> Self {
        Self { x: packed & 0xffff, y: packed >> 16 }
    }

    /// Cost on a map without walls.
    #[inline]
    pub(crate) fn octile(self, to: Self) -> u32 {
        let (dx, dy) = (self.x.abs_diff(to.x), self.y.abs_diff(to.y));
        STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
    }
}

/// Change of column and row of the directions.
const STEPS: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
