//! Rectangles, discs, lines and triangles in pixels. A pixel is painted where its centre lies inside.

use super::Picture;
use throng_grid::geom::{Vec2, cross, unit};

impl Picture {
    /// Paints a rectangle, cut off at the picture's edges.
    pub(super) fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, colour: u8) {
        let clip = |from: i32, length: i32, limit: u32| {
            let to = from.saturating_add(length).clamp(0, limit as i32);
            from.clamp(0, limit as i32) as usize..to as usize
        };
        let columns = clip(x, width, self.width);
        for y in clip(y, height, self.height) {
            let start = y * self.width as usize;
            self.pixels[start + columns.start..start + columns.end.max(columns.start)].fill(colour);
        }
    }

    /// Paints the pixels of a rectangle (pixels) whose centres `inside` takes.
    fn paint(&mut self, least: Vec2, most: Vec2, colour: u8, inside: impl Fn(Vec2) -> bool) {
        // `as` saturates, and NaN becomes 0.
        let (left, top) = (least.x.max(0.0) as u32, least.y.max(0.0) as u32);
        let right = (most.x.ceil().max(0.0) as u32).min(self.width);
        let bottom = (most.y.ceil().max(0.0) as u32).min(self.height);
        for y in top..bottom {
            for x in left..right {
                if inside(Vec2::new(x as f32 + 0.5, y as f32 + 0.5)) {
                    self.pixels[y as usize * self.width as usize + x as usize] = colour;
                }
            }
        }
    }

    /// Paints a disc.
    pub(super) fn draw_disc(&mut self, centre: Vec2, radius: f32, colour: u8) {
        let reach = Vec2::splat(radius);
        self.paint(centre - reach, centre + reach, colour, |point| point.distance_squared(centre) <= radius * radius);
    }

    /// Paints a line with round ends.
    pub(super) fn draw_line(&mut self, from: Vec2, to: Vec2, thickness: f32, colour: u8) {
        let radius = thickness * 0.5;
        // Walking along the line keeps the cost at its length, where its bounding box may be the whole picture.
        let steps = (from.distance(to) * 2.0).ceil().clamp(1.0, 1e5);
        for i in 0..=steps as u32 {
            self.draw_disc(from.lerp(to, i as f32 / steps), radius, colour);
        }
    }

    /// Paints a triangle.
    pub(super) fn draw_triangle(&mut self, corners: [Vec2; 3], colour: u8) {
        let [a, b, c] = corners;
        let turn = cross(b - a, c - a).signum();
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        self.paint(least, most, colour, |point| {
            let side = |from: Vec2, to: Vec2| cross(unit(to - from), point - from) * turn >= -0.2;
            side(a, b) && side(b, c) && side(c, a)
        });
    }
}
