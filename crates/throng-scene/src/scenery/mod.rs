//! A land as one sees it: ground, water, shadows, and all that is built, painted into tiles.
//!
//! What a pixel shows depends on its place in the world alone, so pictures of neighbouring windows join without a seam, and
//! a part that is painted again has the bytes it would have had at first. Everything built is a map of heights at twice the
//! resolution; each half pixel of the picture shows the southernmost spot that reaches up to it.

mod blur;
#[cfg(test)]
mod cell_tests;
mod colours;
mod extrude;
mod frame;
mod ground;
mod heights;
mod house;
mod mend;
mod octave;
mod octaves;
mod patch;
mod raise;
mod reduce;
mod shade;
mod shadows;
mod soil;
mod stone;
#[cfg(test)]
mod tests;
mod tiles;
mod water;

pub use tiles::Scenery;

use crate::land::{Disc, Land};
use crate::view::{FORESHORTENING, View};
use colours::{SHADY, SUNNY};
use extrude::Seen;
use frame::Frame;
use ground::{Ground, Row};
use heights::Heights;
use raise::Built;
use shade::Facades;
use shadows::Shadows;
use throng_grid::Layer;
use water::Water;

/// A painted part of a land.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Columns of pixels.
    pub width: u32,
    /// Rows of pixels.
    pub height: u32,
    /// Row by row: red, green, blue; and the ground that lies there, as [`light`](Self::light) and [`grass`](Self::grass)
    /// tell it. Read as a number, the fourth byte is the light to a sixteenth: 255 in the sun, 0 in the shade.
    pub pixels: Vec<[u8; 4]>,
    /// Row by row: 0 where the ground is seen. Else how far south of the tile's upper edge on the ground the foot of what
    /// is built there stands, in sixteenths of a metre, plus one. It hides all that stands north of that foot.
    pub front: Vec<u16>,
}

impl Tile {
    /// How much sun the ground at a pixel has, 0 to 1. A figure that stands there is `0.74 + 0.30 * light` as bright as in
    /// its sprite.
    #[inline]
    pub fn light(&self, index: usize) -> f32 {
        f32::from(self.pixels[index][3] >> 4) / 15.0
    }

    /// How much grass grows at a pixel, 0 to 1; `None` on water and on floors, where no tuft and no stone belongs.
    #[inline]
    pub fn grass(&self, index: usize) -> Option<f32> {
        let grass = self.pixels[index][3] & 15;
        (grass > 0).then(|| f32::from(grass - 1) / 14.0)
    }

    /// How far south of the tile's upper edge on the ground the foot of what is built at a pixel stands (m).
    #[inline]
    pub fn foot(&self, index: usize) -> Option<f32> {
        let front = self.front[index];
        (front > 0).then(|| f32::from(front - 1) / 16.0)
    }
}

/// What happened to the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra<'a> {
    /// How worn by armies each cell is, 0 to 1; a layer of another lattice than the land's is left out.
    pub trample: Option<&'a Layer<f32>>,
    /// Where it burned.
    pub scorched: &'a [Disc],
}

/// Paints a window of a land, `width` x `height` pixels; its corner is moved to the nearest whole pixel of the world.
///
/// Scales are above 0 and up to 40 pixels a metre; below 1.5 the window is painted larger and reduced, at most 24 times. O(pixels
/// painted, and points of the land). For a whole map see [`Scenery`], which paints in parallel.
pub fn paint(land: &Land, extra: &Extra, view: View, width: u32, height: u32) -> Tile {
    let view = View { scale: view.scale.clamp(1e-6, 40.0), ..view };
    let frame = Frame::of(view, width, height);
    Brush::new(view.scale * reduce::reduction(view.scale) as f32).reduced(land, extra, frame)
}

/// All that is needed to paint at one scale; one for each thread.
#[derive(Clone, Debug)]
struct Brush {
    heights: Heights,
    shadows: Shadows,
    ground: Ground,
    water: Water,
    seen: Seen,
    facades: Facades,
    row: Row,
}

impl Brush {
    fn new(scale: f32) -> Self {
        Self {
            heights: Heights::new(),
            shadows: Shadows::new(),
            ground: Ground::new(scale),
            water: Water::new(scale),
            seen: Seen::default(),
            facades: Facades::new(scale),
            row: Row::default(),
        }
    }

    fn tile(&mut self, land: &Land, extra: &Extra, frame: Frame) -> Tile {
        let (width, height) = (frame.width as u32, frame.height as u32);
        let mut tile = Tile { width, height, pixels: vec![[0; 4]; frame.len()], front: vec![0; frame.len()] };
        let north = frame.bounds()[1];
        let mut canvas = Canvas {
            pixels: &mut tile.pixels,
            front: &mut tile.front,
            stride: frame.width as usize,
            first: 0,
            width: frame.width as usize,
            north,
        };
        self.paint(land, extra, frame, &mut canvas);
        tile
    }

    fn paint(&mut self, land: &Land, extra: &Extra, frame: Frame, canvas: &mut Canvas) {
        let built = Built::around(land, frame);
        let is_built = built.tallest > 0.0;
        if is_built {
            // Half of a cell at the edge may have to be mended.
            let cell = frame.across(land.lattice.cell_size.min(3.0));
            self.heights.begin(around(frame, built.tallest).grown(cell, cell, cell, cell).doubled());
            built.raise(&mut self.heights);
            mend::mend(&mut self.heights, land);
            self.shadows.cast(&self.heights);
            self.seen.look(&self.heights, frame.doubled());
        }
        self.ground.begin(land, extra, frame, &mut self.row);
        self.water.begin(land, frame);
        let sunny = vec![0; frame.width as usize];
        for row in 0..frame.height {
            if is_built && self.seen.is_covered(row) {
                continue;
            }
            self.ground.row(row, &mut self.row);
            if self.water.is_there {
                self.water.row(frame, row, &mut self.row);
            }
            self.ground.decks(row, &mut self.row);
            self.ground.scorch(row, &mut self.row);
            let (shade, foot) = if is_built { self.shadows.row(frame, row) } else { (&sunny[..], &sunny[..]) };
            canvas.ground(row as usize, &self.row, shade, foot);
        }
        if is_built {
            self.facades.paint(frame, &self.heights, &self.shadows, &self.seen, canvas);
        }
    }
}

/// A frame with all around it that can be seen in it or cast a shadow into it, where nothing is taller than this (m).
fn around(frame: Frame, tallest: f32) -> Frame {
    let soft = Shadows::reach(frame.scale) + 4;
    let shadow = crate::view::SHADOW * tallest;
    let below = frame.down(tallest * crate::view::RISE / FORESHORTENING);
    frame.grown(frame.across(shadow.x) + soft, frame.down(shadow.y) + soft, soft, below.max(soft) + 2)
}

/// Where a brush paints: a part of a tile.
#[derive(Debug)]
struct Canvas<'a> {
    pixels: &'a mut [[u8; 4]],
    front: &'a mut [u16],
    stride: usize,
    /// The index of its upper left pixel.
    first: usize,
    width: usize,
    /// The upper edge of the tile on the ground (m).
    north: f32,
}

impl Canvas<'_> {
    /// Puts a row of ground into the light.
    #[inline(never)]
    fn ground(&mut self, row: usize, ground: &Row, shade: &[u8], foot: &[u8]) {
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
    fn cover(&mut self, column: i32, row: i32, sum: colours::Colour, quarters: f32, foot: f32) {
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
