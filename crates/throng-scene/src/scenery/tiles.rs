//! A whole map at one scale, in tiles that are painted in parallel.

use super::brush::{Brush, around};
use super::canvas::Canvas;
use super::frame::Frame;
use super::raise;
use super::reduce::reduction;
use super::{Extra, Tile};
use crate::land::Land;
use crate::view::{FORESHORTENING, View};
use rayon::prelude::*;
use throng_grid::geom::Vec2;

/// A whole map, painted at one scale, with [`BORDER`](Self::BORDER) around it. Six bytes a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenery {
    frame: Frame,
    columns: u32,
    rows: u32,
    /// Size of all tiles but those at the right and lower edges (pixels).
    size: [i32; 2],
    tiles: Vec<Tile>,
}

impl Scenery {
    /// How much is painted on each side of the map (m): what stands at its northern edge reaches up into it.
    pub const BORDER: f32 = 8.0;

    /// Tiles are not wider or higher (pixels).
    pub const TILE: u32 = 512;

    /// A picture has no more pixels: 192 MB.
    pub const MOST_PIXELS: usize = 1 << 25;

    /// Paints a land at so many pixels a metre on all threads of the current pool of rayon.
    ///
    /// Any scale will do: those above 40, below a hundredth of a pixel a map, or with more than
    /// [`MOST_PIXELS`](Self::MOST_PIXELS) are replaced by the nearest that can be painted, which [`view`](Self::view) says.
    /// Below 1.5 pixels a metre it is painted larger, tile by tile, and reduced.
    ///
    /// The same for any number of threads. O(pixels, and points of the land times tiles). Needs 6 bytes a pixel, and for each
    /// thread about 30 MB while it paints.
    pub fn paint(land: &Land, extra: &Extra, scale: f32) -> Self {
        let (size, border) = (land.lattice.size(), Vec2::splat(Self::BORDER));
        let scale = possible(size + 2.0 * border, scale);
        let pixels = (size + 2.0 * border) * Vec2::new(scale, scale * FORESHORTENING);
        let (width, height) = (libm::ceilf(pixels.x) as u32, libm::ceilf(pixels.y) as u32);
        let frame = Frame::of(View { origin: -border, scale }, width, height);
        let (columns, rows) = (width.div_ceil(Self::TILE), height.div_ceil(Self::TILE));
        let size = [width.div_ceil(columns) as i32, height.div_ceil(rows) as i32];
        let mut scenery = Self { frame, columns, rows, size, tiles: Vec::new() };
        let brush = Brush::new(scale * reduction(scale) as f32);
        let frames: Vec<Frame> = (0..columns * rows).map(|index| scenery.tile_frame(index)).collect();
        scenery.tiles = frames
            .into_par_iter()
            .map_init(|| brush.clone(), |brush, frame| brush.reduced(land, extra, frame))
            .collect();
        scenery
    }

    /// Where its pixel (0, 0) is, and its scale.
    pub fn view(&self) -> View {
        let [west, north, _, _] = self.frame.bounds();
        View { origin: Vec2::new(west, north), scale: self.frame.scale }
    }

    /// Columns and rows of pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.frame.width as u32, self.frame.height as u32)
    }

    /// The tiles row by row, each with the column and the row of its upper left pixel, and where that is on the ground (m).
    pub fn tiles(&self) -> impl Iterator<Item = (u32, u32, Vec2, &Tile)> {
        (0..).zip(&self.tiles).map(|(index, tile)| {
            let frame = self.tile_frame(index);
            let [west, north, _, _] = frame.bounds();
            ((frame.x - self.frame.x) as u32, (frame.y - self.frame.y) as u32, Vec2::new(west, north), tile)
        })
    }

    /// Paints again where a land has changed inside of some rectangles (m; corners in the north-west and the south-east),
    /// and around them as far as that is seen. Returns the indices of the tiles that were touched, ascending.
    ///
    /// Then it is as if the whole land were painted anew, if nothing else of it has changed. O(pixels painted, and points
    /// of the land).
    pub fn repaint(&mut self, land: &Land, extra: &Extra, rectangles: &[[Vec2; 2]]) -> Vec<usize> {
        let areas: Vec<[f32; 4]> = rectangles.iter().map(|&[low, high]| reach(low, high, self.frame)).collect();
        let frames: Vec<Frame> = (0..self.columns * self.rows).map(|index| self.tile_frame(index)).collect();
        let scale = self.frame.scale;
        let by = reduction(scale);
        let touched = self.tiles.par_iter_mut().zip(frames).enumerate().filter_map(|(index, (tile, frame))| {
            let mut parts: Vec<Frame> = areas.iter().filter_map(|area| part(frame, area)).collect();
            parts.dedup();
            let mut brush = (!parts.is_empty()).then(|| Brush::new(scale * by as f32))?;
            if by > 1 {
                *tile = brush.reduced(land, extra, frame);
                return Some(index);
            }
            for part in parts {
                let mut canvas = Canvas {
                    first: ((part.y - frame.y) * frame.width + part.x - frame.x) as usize,
                    stride: frame.width as usize,
                    width: part.width as usize,
                    north: frame.bounds()[1],
                    pixels: &mut tile.pixels,
                    front: &mut tile.front,
                };
                brush.paint(land, extra, part, &mut canvas);
            }
            Some(index)
        });
        touched.collect()
    }

    fn tile_frame(&self, index: u32) -> Frame {
        let (column, row) = ((index % self.columns) as i32, (index / self.columns) as i32);
        let (x, y) = (column * self.size[0], row * self.size[1]);
        Frame {
            scale: self.frame.scale,
            x: self.frame.x + x,
            y: self.frame.y + y,
            width: self.size[0].min(self.frame.width - x),
            height: self.size[1].min(self.frame.height - y),
        }
    }
}

/// The nearest scale at which an area (m) can be painted.
pub(super) fn possible(size: Vec2, scale: f32) -> f32 {
    let area = size.x * size.y * FORESHORTENING;
    let most = (Scenery::MOST_PIXELS as f32 / area).sqrt().min(40.0);
    let least = 8.0 / size.max_element();
    if scale.is_nan() { least.min(most) } else { scale.clamp(least.min(most), most) }
}

/// Where a change of the land in a rectangle is seen (m): west, north, east, south.
fn reach(low: Vec2, high: Vec2, frame: Frame) -> [f32; 4] {
    // As a picture looks around for what is seen in it, so a thing is seen around.
    let seen = around(Frame { x: 0, y: 0, width: 0, height: 0, ..frame }, raise::MAX_USUAL_HEIGHT_M).bounds();
    let margin = raise::DAMAGE;
    [low.x - seen[2] - margin, low.y - seen[3] - margin, high.x - seen[0] + margin, high.y - seen[1] + margin]
}

/// The part of a frame in an area (m).
fn part(frame: Frame, area: &[f32; 4]) -> Option<Frame> {
    let [left, above, right, below] = frame.cut(area[0], area[1], area[2], area[3]);
    let part = Frame { x: frame.x + left, y: frame.y + above, width: right - left, height: below - above, ..frame };
    (part.width > 0 && part.height > 0).then_some(part)
}
