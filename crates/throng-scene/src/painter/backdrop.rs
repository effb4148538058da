//! All that stands still in a picture: the land, its trees, the fallen and stuck arrows.

use super::canvas::{Canvas, Screen, Stamp};
use super::depth::depth;
use super::grade::Grade;
use super::plants::Plants;
use crate::land::Land;
use crate::scenery::{self, Extra};
use crate::view::{FORESHORTENING, View};
use rayon::prelude::*;
use throng_grid::geom::Vec2;

/// A part of the world at one scale, in the pixels of a picture.
#[derive(Clone, Debug)]
pub struct Backdrop {
    /// Where its pixel (0, 0) is.
    pub view: View,
    /// Its pixels; the fourth byte is the light at the ground, as [`Tile::light`](scenery::Tile::light) tells it.
    pub canvas: Canvas,
    /// For each pixel 0 where the ground is seen, else how far south of the upper edge the foot of what hides it stands
    /// (1/16 m, plus one).
    pub front: Vec<u16>,
    plants: Plants,
}

/// Rows of pixels that one thread paints at a time, at least.
const STRIP: u32 = 96;

impl Backdrop {
    /// Paints a window of a land, `width` x `height` pixels; its corner is moved to the nearest whole pixel of the world.
    ///
    /// In parallel, the same for any number of threads. O(pixels, and points of the land times strips).
    pub fn paint(land: &Land, extra: &Extra, view: View, width: u32, height: u32, grade: &Grade) -> Self {
        let (view, mut plants) = (snapped(view), Plants::new(view.scale, grade));
        let (canvas, front) = planted(land, extra, view, (width, height), grade, &mut plants);
        Self { view, canvas, front, plants }
    }

    /// Paints again what changed inside of some rectangles of the ground (m), and around them as far as that is seen. What was
    /// laid on the ground there is gone.
    pub fn repaint(&mut self, land: &Land, extra: &Extra, rectangles: &[(Vec2, Vec2)], grade: &Grade) {
        for &(low, high) in rectangles {
            let [left, top] = (self.view.to_pixel((low - SEEN_AROUND).extend(0.0)).floor()).to_array();
            let [right, bottom] = (self.view.to_pixel((high + SEEN_AROUND).extend(0.0)).ceil()).to_array();
            let clip = |pixel: f32, limit: usize| pixel.clamp(0.0, limit as f32) as usize;
            let (left, right) = (clip(left, self.canvas.width), clip(right, self.canvas.width));
            let (top, bottom) = (clip(top, self.canvas.height), clip(bottom, self.canvas.height));
            if left >= right || top >= bottom {
                continue;
            }
            let per_pixel = Vec2::new(1.0, 1.0 / FORESHORTENING) / self.view.scale;
            let down = top as f32 * per_pixel.y;
            let corner = self.view.origin + Vec2::new(left as f32, top as f32) * per_pixel;
            let view = View { origin: corner, ..self.view };
            let size = ((right - left) as u32, (bottom - top) as u32);
            let (part, part_front) = planted(land, extra, view, size, grade, &mut self.plants);
            let lower = (down * 16.0) as u16;
            for row in 0..bottom - top {
                let from = row * (right - left)..(row + 1) * (right - left);
                let to = (top + row) * self.canvas.width + left;
                let to = to..to + right - left;
                self.canvas.pixels[to.clone()].copy_from_slice(&part.pixels[from.clone()]);
                for (front, &new) in self.front[to].iter_mut().zip(&part_front[from]) {
                    *front = if new > 0 { new.saturating_add(lower) } else { 0 };
                }
            }
        }
    }

    /// How far south of the upper edge a place of the ground is (1/16 m, plus one), as [`front`](Self::front) counts.
    #[inline]
    pub fn depth(&self, y: f32) -> u16 {
        depth(self.view, y)
    }

    /// How much sun the ground at a pixel has, 0 to 1; in the sun beyond the edge.
    #[inline]
    pub fn light(&self, x: i32, y: i32) -> f32 {
        let (width, height) = (self.canvas.width as i32, self.canvas.height as i32);
        if x < 0 || y < 0 || x >= width || y >= height {
            return 1.0;
        }
        f32::from(self.canvas.pixels[(y * width + x) as usize][3] >> 4) / 15.0
    }

    /// Copies a part of it whose upper left corner is at a pixel. The corner is moved so that the part lies in the picture, where
    /// that is large enough; returns the corner.
    pub fn copy(&self, x: i32, y: i32, canvas: &mut Canvas) -> (usize, usize) {
        let left = (x.max(0) as usize).min(self.canvas.width.saturating_sub(canvas.width));
        let top = (y.max(0) as usize).min(self.canvas.height.saturating_sub(canvas.height));
        let (width, height) = (canvas.width.min(self.canvas.width), canvas.height.min(self.canvas.height));
        for row in 0..height {
            let from = (top + row) * self.canvas.width + left;
            let to = row * canvas.width;
            canvas.pixels[to..to + width].copy_from_slice(&self.canvas.pixels[from..from + width]);
        }
        (left, top)
    }

    /// Lays a picture on the ground; what is built there stays in front of it.
    pub fn lay(&mut self, stamp: Stamp, x: i32, y: i32, depth: u16) {
        let screen = Screen { front: &self.front, stride: self.canvas.width, foot: depth, ghost: ([0; 3], 0) };
        self.canvas.blend_behind(stamp, &[], x, y, &screen, 256);
    }
}

/// The pixels of a window of a land and its front, with all that grows there.
fn planted(
    land: &Land,
    extra: &Extra,
    view: View,
    (width, height): (u32, u32),
    grade: &Grade,
    plants: &mut Plants,
) -> (Canvas, Vec<u16>) {
    let threads = rayon::current_num_threads() as u32;
    let strip = height.div_ceil(threads * 2).max(STRIP).min(height.max(1));
    let per_row = 1.0 / (view.scale * FORESHORTENING);
    let strips: Vec<_> = (0..height.div_ceil(strip))
        .into_par_iter()
        .map(|index| {
            let top = index * strip;
            let down = top as f32 * per_row;
            let corner = View { origin: view.origin + Vec2::new(0.0, down), ..view };
            let mut tile = scenery::paint(land, extra, corner, width, strip.min(height - top));
            let lower = (down * 16.0) as u16;
            for front in tile.front.iter_mut().filter(|front| **front > 0) {
                *front = front.saturating_add(lower);
            }
            grade.opaque(&mut tile.pixels);
            tile
        })
        .collect();
    let mut pixels = Vec::with_capacity(width as usize * height as usize);
    let mut front = Vec::with_capacity(pixels.capacity());
    for tile in strips {
        pixels.extend_from_slice(&tile.pixels);
        front.extend_from_slice(&tile.front);
    }
    let mut canvas = Canvas { width: width as usize, height: height as usize, pixels };
    plants.prepare(land, view.origin, view.to_ground(Vec2::new(width as f32, height as f32)));
    plants.plant(land, view, &mut canvas, &mut front);
    (canvas, front)
}

/// How far around a change of the land it is seen: by its height to the north, by its shadow to the south-east (m).
pub(super) const SEEN_AROUND: Vec2 = Vec2::new(12.0, 12.0);

/// The view whose corner is at a whole pixel of the world.
pub(super) fn snapped(view: View) -> View {
    let step = Vec2::new(1.0, 1.0 / FORESHORTENING) / view.scale;
    View { origin: (view.origin / step).round() * step, ..view }
}
