//! Below which height each spot lies in the shadow of others; how much of the sun the ground has; the feet of walls.

use super::blur::Blur;
use super::frame::Frame;
use super::heights::Heights;
use crate::view::{FORESHORTENING, SHADOW};

/// Shadows in a frame of whole pixels.
#[derive(Clone, Debug)]
pub(super) struct Shadows {
    pub(super) frame: Frame,
    /// Height up to which a spot is in shadow (m); below 0: none.
    dark: Vec<f32>,
    /// How much of the ground is in shadow, 0 to 255, blurred.
    pub(super) shade: Vec<u8>,
    /// How much is built around, 0 to 255.
    pub(super) foot: Vec<u8>,
    /// The shadow's height of the row above, or the height itself where that is greater.
    above: Vec<f32>,
    high: Vec<f32>,
    scratch: Vec<u8>,
}

/// Shadows move so many columns for nine rows: 0.80 / (0.36 * 0.8) is 25 / 9.
const COLUMNS_FOR_NINE_ROWS: i32 = 25;

impl Shadows {
    pub(super) fn new() -> Self {
        Self {
            frame: Frame { scale: 1.0, x: 0, y: 0, width: 0, height: 0 },
            dark: Vec::new(),
            shade: Vec::new(),
            foot: Vec::new(),
            above: Vec::new(),
            high: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// From how far a pixel is shaded by blurs (pixels).
    pub(super) fn reach(scale: f32) -> i32 {
        edge(scale).reach().max(feet(scale).reach())
    }

    /// The shadows of what is built, in the frame of the heights.
    ///
    /// A row is the row above it, moved along the sun's rays and lowered: O(pixels), however long the shadows.
    #[inline(never)]
    pub(super) fn cast(&mut self, heights: &Heights) {
        let half = heights.frame;
        let frame = Frame {
            scale: half.scale / 2.0,
            x: half.x / 2,
            y: half.y / 2,
            width: half.width / 2,
            height: half.height / 2,
        };
        self.frame = frame;
        let width = frame.width as usize;
        for plane in [&mut self.shade, &mut self.foot] {
            plane.clear();
            plane.resize(frame.len(), 0);
        }
        self.dark.clear();
        self.dark.resize(frame.len(), -1.0);
        self.high.clear();
        self.high.resize(width, 0.0);
        self.above.clear();
        self.above.resize(width, -1.0);
        // Metres that a ray sinks from row to row, and from column to column.
        let sink = 1.0 / (SHADOW.y * FORESHORTENING * frame.scale);
        let sink_across = 1.0 / (SHADOW.x * frame.scale);
        for row in 0..frame.height {
            self.highest(heights, row as usize);
            let at = row as usize * width;
            let (dark, high) = (&mut self.dark[at..at + width], &self.high);
            let y = frame.y + row;
            let moved = columns_before(y) - columns_before(y - 1);
            let moved = (moved as usize).min(width);
            for (dark, above) in dark[moved..].iter_mut().zip(&self.above) {
                *dark = (above - sink).max(-1.0);
            }
            for side in 1..3 {
                let lower = sink_across * side as f32;
                for (dark, high) in dark[side.min(width)..].iter_mut().zip(high) {
                    *dark = dark.max(high - lower);
                }
            }
            let shade = &mut self.shade[at..at + width];
            let foot = &mut self.foot[at..at + width];
            for ((above, shade), (dark, high)) in self.above.iter_mut().zip(shade).zip(dark.iter().zip(high)) {
                *above = dark.max(*high);
                *shade = ((dark * 2.0).clamp(0.0, 1.0) * 255.0) as u8;
            }
            for (foot, high) in foot.iter_mut().zip(high) {
                *foot = if *high > 1.0 { 255 } else { 0 };
            }
        }
        edge(frame.scale).apply(&mut self.shade, width, &mut self.scratch);
        feet(frame.scale).apply(&mut self.foot, width, &mut self.scratch);
    }

    /// Shade of the ground and feet of walls, 0 to 255, in a row of a picture.
    pub(super) fn row(&self, frame: Frame, row: i32) -> (&[u8], &[u8]) {
        let at = (frame.y - self.frame.y + row) * self.frame.width + frame.x - self.frame.x;
        let here = at as usize..(at + frame.width) as usize;
        (&self.shade[here.clone()], &self.foot[here])
    }

    /// Height up to which a pixel is in shadow (m).
    #[inline]
    pub(super) fn dark(&self, column: i32, row: i32) -> f32 {
        self.dark[(row.min(self.frame.height - 1) * self.frame.width + column) as usize]
    }

    /// The greatest heights of a row of whole pixels.
    fn highest(&mut self, heights: &Heights, row: usize) {
        let width = heights.frame.width as usize;
        self.high.fill(0.0);
        for row in [2 * row, 2 * row + 1] {
            let [start, end] = heights.spans[row];
            if start < end {
                let (start, end) = (start as usize / 2, (end as usize).div_ceil(2));
                let z = &heights.z[row * width + 2 * start..row * width + 2 * end];
                for (high, z) in self.high[start..end].iter_mut().zip(z.chunks_exact(2)) {
                    *high = high.max(z[0].max(z[1]));
                }
            }
        }
    }
}

/// Columns that a shadow has moved to the east after so many rows.
fn columns_before(row: i32) -> i32 {
    (row * COLUMNS_FOR_NINE_ROWS).div_euclid(9)
}

fn edge(scale: f32) -> Blur {
    Blur::new((0.16 * scale).max(0.7))
}

fn feet(scale: f32) -> Blur {
    Blur::new(0.9 * scale)
}
