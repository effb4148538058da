//! Where a brush paints.

use super::colours::{Colour, SHADY, SUNNY};
use super::row::Row;

/// Where a brush paints: a part of a tile.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    pub(super) pixels: &'a mut [[u8; 4]],
    pub(super) front: &'a mut [u16],
    pub(super) stride: usize,
    /// The index of its upper left pixel.
    pub(super) first: usize,
    pub(super) width: usize,
    /// The upper edge of the tile on the ground (m).
    pub(super) north: f32,
}

impl Canvas<'_> {
    /// Puts a row of ground into the light.
    #[inline(never)]
    pub(super) fn ground(&mut self, row: usize, ground: &Row, shade: &[u8], foot: &[u8]) {
        let at = self.first + row * self.stride;
        self.front[at..at + self.width].fill(0);
        let [red, green, blue] = &ground.rgb;
        let light = shade.iter().zip(foot).zip(&ground.grass);
        let rgb = red.iter().zip(green).zip(blue);
        for ((pixel, ((red, green), blue)), ((shade, foot), grass)) in
            self.pixels[at..at + self.width].iter_mut().zip(rgb).zip(light)
        {
            let part = f32::from(*shade) / 255.0;
            let level = 255.0 * (1.0 - 0.50 * (f32::from(*foot) * (1.5 / 255.0)).min(0.8));
            let sky = |k: usize| level * (SUNNY[k] + (SHADY[k] - SUNNY[k]) * part);
            let grass = if *grass < 0.0 { 0 } else { 1 + (grass * 14.0 + 0.5) as u8 };
            *pixel = [
                (red * sky(0) + 0.5) as u8,
                (green * sky(1) + 0.5) as u8,
                (blue * sky(2) + 0.5) as u8,
                (255 - shade) & 0xF0 | grass,
            ];
        }
    }

    /// Covers quarters of a pixel; their colours come as a sum.
    pub(super) fn cover(&mut self, column: i32, row: i32, sum: Colour, quarters: f32, foot: f32) {
        let at = self.first + row as usize * self.stride + column as usize;
        let ground = 1.0 - quarters * 0.25;
        let pixel = &mut self.pixels[at];
        for (channel, sum) in pixel.iter_mut().zip(sum) {
            *channel = (f32::from(*channel) * ground + sum * (255.0 / 4.0) + 0.5) as u8;
        }
        if quarters >= 4.0 {
            // No ground is left there, and where a whole row is covered none was painted.
            pixel[3] = 0xF0;
        }
        self.front[at] = ((foot - self.north) * 16.0 + 1.0).clamp(1.0, 65535.0) as u16;
    }
}
