//! Pictures of less than 1.5 pixels a metre: painted larger, and the mean of each square of pixels taken.

use super::brush::Brush;
use super::frame::Frame;
use super::{Extra, Tile};
use crate::land::Land;

/// Pictures of fewer pixels a metre are painted larger and reduced.
const MIN_PIXELS_PER_METRE: f32 = 1.5;

/// A picture is not painted more times larger: that of 16,384 metres in 1,024 pixels is painted so much larger.
const MAX_REDUCTION: f32 = 24.0;

/// How many times larger a picture of this scale is painted.
pub(super) fn reduction(scale: f32) -> i32 {
    if scale >= MIN_PIXELS_PER_METRE { 1 } else { libm::ceilf(MIN_PIXELS_PER_METRE / scale).min(MAX_REDUCTION) as i32 }
}

/// No strip is wider or higher when it is painted (pixels): so long are the rows of a thread's buffers.
const MAX_STRIP_PIXELS: i32 = 1024;

impl Brush {
    /// A tile of any scale; the brush is one for the scale times its [`reduction`].
    pub(super) fn reduced(&mut self, land: &Land, extra: &Extra, frame: Frame) -> Tile {
        let by = reduction(frame.scale);
        if by == 1 {
            return self.tile(land, extra, frame);
        }
        let (width, height) = (frame.width as u32, frame.height as u32);
        let mut tile = Tile { width, height, pixels: vec![[0; 4]; frame.len()], front: vec![0; frame.len()] };
        let north = frame.bounds()[1];
        let step = (MAX_STRIP_PIXELS / by).max(1);
        for top in (0..frame.height).step_by(step as usize) {
            for left in (0..frame.width).step_by(step as usize) {
                let part = Frame {
                    x: frame.x + left,
                    y: frame.y + top,
                    width: step.min(frame.width - left),
                    height: step.min(frame.height - top),
                    ..frame
                };
                let large = Frame {
                    scale: frame.scale * by as f32,
                    x: part.x * by,
                    y: part.y * by,
                    width: part.width * by,
                    height: part.height * by,
                };
                let from = self.tile(land, extra, large);
                // Feet are counted from the upper edge of the tile.
                let deeper = ((part.bounds()[1] - north) * 16.0 + 0.5) as u32;
                for row in 0..part.height {
                    for column in 0..part.width {
                        let at = ((top + row) * frame.width + left + column) as usize;
                        (tile.pixels[at], tile.front[at]) = mean(&from, column * by, row * by, by, deeper);
                    }
                }
            }
        }
        tile
    }
}

/// The mean of a square of pixels, and the foot of what covers most of it.
fn mean(tile: &Tile, left: i32, top: i32, by: i32, deeper: u32) -> ([u8; 4], u16) {
    let (mut sum, mut covered, mut foot) = ([0_u32; 5], 0, 0);
    for row in top..top + by {
        let at = (row * tile.width as i32 + left) as usize;
        for (pixel, &front) in tile.pixels[at..at + by as usize].iter().zip(&tile.front[at..]) {
            for (sum, channel) in sum.iter_mut().zip([pixel[0], pixel[1], pixel[2], pixel[3] >> 4, pixel[3] & 15]) {
                *sum += u32::from(channel);
            }
            covered += i32::from(front > 0);
            foot = foot.max(u32::from(front));
        }
    }
    let [red, green, blue, light, grass] = sum.map(|sum| ((sum + (by * by / 2) as u32) / (by * by) as u32) as u8);
    let front = if covered * 2 > by * by { (foot + deeper).min(65535) as u16 } else { 0 };
    ([red, green, blue, light << 4 | grass], front)
}
