//! The map under a camera, painted by the processor as `map.wgsl` does it on a card: a driver in software pays for every
//! pixel of every picture, and the ground stays the same until the camera moves.

use super::map_image::MapImage;
use super::palette::{DESK, Lights};
use crate::shell::camera::Camera;
use rayon::prelude::*;
use std::ops::Range;
use throng_grid::geom::Vec2;

/// The ground and the desk that it lies on, pixel by pixel.
pub(super) struct Backdrop {
    /// The camera and the size of the window (pixels) that it was painted for.
    seen: Option<(Camera, [u32; 2])>,
    pixels: Vec<[u8; 4]>,
    lights: Lights,
}

impl Backdrop {
    pub fn new() -> Self {
        Self { seen: None, pixels: Vec::new(), lights: Lights::new() }
    }

    /// The map has changed.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// Its pixels as in a paint program, row by row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// Light and numbers.
    pub fn lights(&self) -> &Lights {
        &self.lights
    }

    /// Paints a map of this size (m) as `camera` sees it in a window (pixels); false if it is there
    /// already. O(pixels).
    pub fn paint(&mut self, image: &MapImage, map: Vec2, camera: &Camera, window: [u32; 2]) -> bool {
        let sees = |(seen, size): &(Camera, [u32; 2])| seen == camera && *size == window;
        if self.seen.as_ref().is_some_and(sees) {
            return false;
        }
        self.seen = Some((camera.clone(), window));
        let [width, height] = window.map(|side| side as usize);
        let [red, green, blue] = DESK;
        self.pixels.clear();
        self.pixels.resize(width * height, [red, green, blue, 255]);

        let density = image.width() as f32 / (map.x * camera.zoom);
        // The difference of two places would be too coarse a step on large maps.
        let (first, step) = (camera.to_world(Vec2::splat(0.5)) / map, 1.0 / (camera.scale() * map));
        let levels = sizes(image, density).map(|(level, weight)| {
            let (columns, rows, texels) = image.level(level);
            let across = Axis::new(window[0], first.x, step.x, columns, density);
            let down = Axis::new(window[1], first.y, step.y, rows, density);
            ShownLevel { texels: bytemuck::cast_slice(texels), width: columns as usize, across, down, weight }
        });
        let [finer, coarser] = &levels;
        let (rows, columns) = (finer.down.pixels.clone(), finer.across.pixels.clone());
        let lights = &self.lights;
        let lines = self.pixels.par_chunks_mut(width.max(1)).skip(rows.start).take(rows.len()).enumerate();
        lines.for_each(|(row, line)| {
            for (column, pixel) in line[columns.clone()].iter_mut().enumerate() {
                let mut sum = [0.0; 3];
                finer.add(column, row, lights, &mut sum);
                if coarser.weight > 0.0 {
                    coarser.add(column, row, lights, &mut sum);
                }
                let [red, green, blue] = sum.map(|light| lights.channel(light));
                *pixel = [red, green, blue, 255];
            }
        });
        true
    }
}

/// The two sizes of a map's picture that are mixed where it has `density` texels a pixel, with their shares.
fn sizes(image: &MapImage, density: f32) -> [(usize, f32); 2] {
    let last = image.levels() - 1;
    let at = density.max(1.0).log2().min(last as f32);
    let finer = at as usize;
    [(finer, 1.0 - at.fract()), ((finer + 1).min(last), at.fract())]
}

/// One size of the map's picture, and where each pixel looks in it.
struct ShownLevel<'a> {
    texels: &'a [[u8; 4]],
    width: usize,
    across: Axis,
    down: Axis,
    weight: f32,
}

impl ShownLevel<'_> {
    /// Adds its share of the light of a pixel, counted from the first on the map.
    fn add(&self, column: usize, row: usize, lights: &Lights, sum: &mut [f32; 3]) {
        let (x, y) = (self.across.taps[column], self.down.taps[row]);
        let [above, below] = [y.low, y.high].map(|row| &self.texels[row * self.width..][..self.width]);
        for (part, sum) in sum.iter_mut().enumerate() {
            let at = |line: &[[u8; 4]], column: usize| lights.light(line[column][part]);
            let across = |line| at(line, x.low) + (at(line, x.high) - at(line, x.low)) * x.share;
            *sum += self.weight * (across(above) + (across(below) - across(above)) * y.share);
        }
    }
}

/// Two texels between which a pixel lies, and how near it is to the second (0 to 1).
#[derive(Clone, Copy)]
struct Tap {
    low: usize,
    high: usize,
    share: f32,
}

/// The places that the pixels of one direction show.
struct Axis {
    /// The pixels on the map.
    pixels: Range<usize>,
    taps: Vec<Tap>,
}

impl Axis {
    /// For so many pixels, the first of which lies at `first` (a share of the map) and the others `step` apart. The picture has
    /// so many `texels`, and at its finest `density` a pixel.
    fn new(pixels: u32, first: f32, step: f32, texels: u32, density: f32) -> Self {
        let at = |pixel: u32| first + step * pixel as f32;
        let begin = (0..pixels).find(|&pixel| at(pixel) >= 0.0).unwrap_or(pixels);
        let end = (begin..pixels).find(|&pixel| at(pixel) >= 1.0).unwrap_or(pixels);
        let last = texels as usize - 1;
        let tap = |pixel| {
            let texel = at(pixel) * texels as f32 - 0.5;
            // Seen from near, texels are kept crisp: the change from one to the next takes one pixel, not one texel.
            let share = ((texel - texel.floor() - 0.5) / density.clamp(0.001, 1.0) + 0.5).clamp(0.0, 1.0);
            let low = texel.floor() as i64;
            Tap { low: (low.max(0) as usize).min(last), high: ((low + 1).max(0) as usize).min(last), share }
        };
        Self { pixels: begin as usize..end as usize, taps: (begin..end).map(tap).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Cell, Grid, Lattice};

    /// A map of 40 x 20 cells with a wall in the middle, and its picture in a window of 100 x 60 pixels.
    fn painted(zooms: u32, backdrop: &mut Backdrop) -> (Camera, bool) {
        let mut grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
        let lattice = grid.lattice();
        let wall: Vec<Cell> = lattice.cells().filter(|&cell| lattice.column_row(cell).0.abs_diff(20) < 4).collect();
        for cell in wall {
            grid.set_open(cell, false);
        }
        let mut camera = Camera::new(lattice.size(), Vec2::new(100.0, 60.0), 0.0);
        (0..zooms).for_each(|_| camera.zoom_at(Vec2::new(50.0, 30.0), 1.5));
        let is_new = backdrop.paint(&MapImage::new(&grid), lattice.size(), &camera, [100, 60]);
        (camera, is_new)
    }

    fn brightness(backdrop: &Backdrop, x: usize, y: usize) -> u32 {
        backdrop.pixels()[y * 100 + x][..3].iter().map(|&part| u32::from(part)).sum()
    }

    #[test]
    fn ground_wall_and_desk_are_where_the_camera_has_them() {
        for zooms in [0, 3, 6] {
            let mut backdrop = Backdrop::new();
            let (camera, _) = painted(zooms, &mut backdrop);
            for y in 0..60 {
                for x in 0..100 {
                    let at = camera.to_world(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
                    let pixel = backdrop.pixels()[y * 100 + x];
                    if at.cmplt(Vec2::ZERO).any() || at.cmpge(Vec2::new(40.0, 20.0)).any() {
                        assert_eq!(pixel[..3], DESK, "{x},{y}");
                    } else if (at.x - 20.5).abs() < 2.0 {
                        assert!(brightness(&backdrop, x, y) < 380, "wall at {x},{y}: {pixel:?}");
                    } else if at.x < 15.0 {
                        assert!(brightness(&backdrop, x, y) > 480, "ground at {x},{y}: {pixel:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn seen_from_near_the_ground_lies_where_the_card_puts_it() {
        let grid = Grid::open_plain(Lattice::new(4000, 40, 1.0).unwrap());
        let (map, wall) = (grid.lattice().size(), 3000.0);
        for zooms in [6, 12, 20, 30] {
            let mut camera = Camera::new(map, Vec2::new(1280.0, 720.0), 0.0);
            camera.look_at(Vec2::new(wall, 20.0));
            (0..zooms).for_each(|_| camera.zoom_at(Vec2::new(200.0, 300.0), 1.3));
            let first = camera.to_world(Vec2::splat(0.5)) / map;
            let axis = Axis::new(1280, first.x, 1.0 / (camera.zoom * map.x), 4000, 1.0 / camera.zoom);
            for (pixel, tap) in axis.pixels.clone().zip(&axis.taps) {
                let at = f64::from(camera.centre.x) + (pixel as f64 + 0.5 - 640.0) / f64::from(camera.zoom);
                let off = (at - 0.5 - tap.low as f64).abs().min((at - 0.5 - tap.high as f64).abs());
                assert!(
                    off < 0.51 + 0.5 / f64::from(camera.zoom),
                    "pixel {pixel}, zoom {}: {off} texels off",
                    camera.zoom
                );
            }
        }
    }

    #[test]
    fn it_is_painted_once_for_a_camera_and_a_map() {
        let mut backdrop = Backdrop::new();
        assert!(painted(1, &mut backdrop).1);
        let first = backdrop.pixels().to_vec();
        assert!(!painted(1, &mut backdrop).1);
        assert!(painted(2, &mut backdrop).1 && first != backdrop.pixels());
        backdrop.forget();
        assert!(painted(1, &mut backdrop).1 && first == backdrop.pixels());
    }

    #[test]
    fn a_texel_a_pixel_is_the_texel() {
        let grid = Grid::open_plain(Lattice::new(16, 16, 1.0).unwrap());
        let image = MapImage::new(&grid);
        assert_eq!(image.width(), 64);
        let camera = Camera::new(grid.lattice().size(), Vec2::splat(64.0), 0.0).with_margin(0.0);
        let mut backdrop = Backdrop::new();
        backdrop.paint(&image, grid.lattice().size(), &camera, [64, 64]);
        let (_, _, texels) = image.level(0);
        for (pixel, texel) in backdrop.pixels().iter().zip(texels.chunks_exact(4)) {
            // The tables are of 4,096 steps: dark shades may come out one off.
            assert!(pixel[..3].iter().zip(texel).all(|(a, b)| a.abs_diff(*b) <= 1), "{pixel:?} {texel:?}");
        }
    }
}
