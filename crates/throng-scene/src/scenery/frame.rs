//! A window on the pixels of the whole world, which all lie on one lattice: so neighbouring windows join.

use crate::view::{FORESHORTENING, View};

/// Some pixels of the world, at one scale.
///
/// Pixel (0, 0) of the world has its upper left corner at the origin of the map. What is painted into a pixel depends on
/// its place in the world alone, down to the last bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// Pixels a metre to the east.
    pub(super) scale: f32,
    /// Columns of the world left of the frame.
    pub(super) x: i32,
    /// Rows of the world above the frame.
    pub(super) y: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// A corner is at most so many pixels from the origin of the map, so that no sum of pixels overflows.
const MAX_CORNER_PIXELS: f32 = (1 << 26) as f32;

impl Frame {
    /// The whole pixels nearest to a view.
    pub(super) fn of(view: View, width: u32, height: u32) -> Self {
        let round = |v: f32| libm::roundf(v).clamp(-MAX_CORNER_PIXELS, MAX_CORNER_PIXELS) as i32;
        Self {
            scale: view.scale,
            x: round(view.origin.x * view.scale),
            y: round(view.origin.y * view.scale * FORESHORTENING),
            width: width as i32,
            height: height as i32,
        }
    }

    /// With more pixels on its four sides.
    pub(super) fn grown(self, left: i32, above: i32, right: i32, below: i32) -> Self {
        Self {
            x: self.x - left,
            y: self.y - above,
            width: self.width + left + right,
            height: self.height + above + below,
            ..self
        }
    }

    /// The same part of the world in pixels of half the size.
    pub(super) fn doubled(self) -> Self {
        Self { scale: self.scale * 2.0, x: self.x * 2, y: self.y * 2, width: self.width * 2, height: self.height * 2 }
    }

    /// How many pixels it has.
    pub(super) fn len(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The middle of a column (m), counted from the frame's left edge.
    #[inline]
    pub(super) fn x_at(self, column: i32) -> f32 {
        ((self.x + column) as f32 + 0.5) / self.scale
    }

    /// The middle of a row on the ground (m), counted from the frame's upper edge.
    #[inline]
    pub(super) fn y_at(self, row: i32) -> f32 {
        ((self.y + row) as f32 + 0.5) / (self.scale * FORESHORTENING)
    }

    /// The first column whose middle is not left of `x` (m); within `0..=width`.
    pub(super) fn column(self, x: f32) -> i32 {
        clamped(x * self.scale - 0.5, self.x, self.width)
    }

    /// The first row whose middle is not above `y` (m); within `0..=height`.
    pub(super) fn row(self, y: f32) -> i32 {
        clamped(y * self.scale * FORESHORTENING - 0.5, self.y, self.height)
    }

    /// The columns and rows of a box (m): `[left, above, right, below]`, the last two excluded.
    pub(super) fn cut(self, west: f32, north: f32, east: f32, south: f32) -> [i32; 4] {
        [self.column(west), self.row(north), self.column(east), self.row(south)]
    }

    /// Its edges on the ground (m): west, north, east, south.
    pub(super) fn bounds(self) -> [f32; 4] {
        let (across, down) = (1.0 / self.scale, 1.0 / (self.scale * FORESHORTENING));
        [
            self.x as f32 * across,
            self.y as f32 * down,
            (self.x + self.width) as f32 * across,
            (self.y + self.height) as f32 * down,
        ]
    }

    /// Whole pixels that are not fewer than so many metres to the east.
    pub(super) fn across(self, metres: f32) -> i32 {
        libm::ceilf(metres * self.scale) as i32
    }

    /// Whole pixels that are not fewer than so many metres to the south.
    pub(super) fn down(self, metres: f32) -> i32 {
        libm::ceilf(metres * self.scale * FORESHORTENING) as i32
    }
}

fn clamped(at: f32, first: i32, count: i32) -> i32 {
    (libm::ceilf(at) as i32).saturating_sub(first).clamp(0, count)
}
