//! All that is needed to paint at one scale.

use super::canvas::Canvas;
use super::extra::Extra;
use super::extrude::Seen;
use super::frame::Frame;
use super::ground::Ground;
use super::heights::Heights;
use super::mend;
use super::raise::Built;
use super::row::Row;
use super::shade::Facades;
use super::shadows::Shadows;
use super::tile::Tile;
use super::water::Water;
use crate::land::Land;
use crate::view::FORESHORTENING;

/// All that is needed to paint at one scale; one for each thread.
#[derive(Clone, Debug)]
pub(super) struct Brush {
    heights: Heights,
    shadows: Shadows,
    ground: Ground,
    water: Water,
    seen: Seen,
    facades: Facades,
    row: Row,
}

impl Brush {
    pub(super) fn new(scale: f32) -> Self {
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

    pub(super) fn tile(&mut self, land: &Land, extra: &Extra, frame: Frame) -> Tile {
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

    pub(super) fn paint(&mut self, land: &Land, extra: &Extra, frame: Frame, canvas: &mut Canvas) {
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
pub(super) fn around(frame: Frame, tallest: f32) -> Frame {
    let soft = Shadows::reach(frame.scale) + 4;
    let shadow = crate::view::SHADOW * tallest;
    let below = frame.down(tallest * crate::view::RISE / FORESHORTENING);
    frame.grown(frame.across(shadow.x) + soft, frame.down(shadow.y) + soft, soft, below.max(soft) + 2)
}
