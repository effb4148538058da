//! The density of the crowd, as colours on the ground.

use super::{Camera, Picture, palette};
use throng_grid::Grid;
use throng_grid::geom::Vec2;

/// Agents a square metre from one colour to the next; below the first nothing is drawn.
pub(super) const HEAT_STEP_PER_M2: f32 = 0.5;

/// Side of the blocks in which agents are counted (m), unless a pixel is larger.
const MIN_BLOCK_SIDE_M: f32 = 1.0;

/// The blocks around the picture that count at its edge.
const MARGIN_BLOCKS: usize = 2;

/// A block with less open ground than this share tells nothing.
const MIN_OPEN_SHARE: f32 = 0.1;

/// Agents a square metre of open ground, in blocks of a metre and smoothed over two metres around each.
///
/// Agents and open ground are smoothed alike, so that it is as crowded at a wall as away from it.
#[derive(Clone, Debug)]
pub(super) struct Density {
    /// The corner of the first block (m).
    origin: Vec2,
    side: f32,
    columns: usize,
    rows: usize,
    /// One over the open ground (1/m²) of each block, smoothed; 0 where there is hardly any.
    per_metre: Vec<f32>,
    values: Vec<f32>,
    scratch: Vec<f32>,
}

impl Density {
    /// For pictures of `width` x `height` pixels.
    pub fn new(grid: &Grid, camera: Camera, width: u32, height: u32) -> Self {
        let side = MIN_BLOCK_SIDE_M.max(2.0 / camera.scale);
        let blocks = |pixels: u32| (pixels as f32 / camera.scale / side).ceil() as usize + 2 * MARGIN_BLOCKS;
        let (columns, rows) = (blocks(width), blocks(height));
        let origin = camera.origin - Vec2::splat(MARGIN_BLOCKS as f32 * side);
        let mut density = Self {
            origin,
            side,
            columns,
            rows,
            per_metre: Vec::new(),
            values: vec![0.0; columns * rows],
            scratch: Vec::new(),
        };
        let lattice = grid.lattice();
        let size = lattice.size();
        // The number of probes a side at the cells of a block.
        let probes = (side / lattice.cell_size).ceil().clamp(1.0, 8.0);
        let step = side / probes;
        for (i, open) in density.values.iter_mut().enumerate() {
            let corner = origin + Vec2::new((i % columns) as f32, (i / columns) as f32) * side;
            for probe in 0..(probes * probes) as u32 {
                let place = Vec2::new((probe % probes as u32) as f32 + 0.5, (probe / probes as u32) as f32 + 0.5);
                let point = corner + place * step;
                let on_map = point.cmpge(Vec2::ZERO).all() && point.cmplt(size).all();
                if on_map && grid.is_open(lattice.at(point)) {
                    *open += step * step;
                }
            }
        }
        density.smooth();
        let least = MIN_OPEN_SHARE * side * side;
        density.per_metre = density.values.iter().map(|&open| if open < least { 0.0 } else { 1.0 / open }).collect();
        density
    }

    /// Each value becomes the mean of those around it, weighed 1 : 4 : 6 : 4 : 1 along rows and columns.
    fn smooth(&mut self) {
        let (columns, rows) = (self.columns, self.rows);
        self.scratch.clear();
        self.scratch.resize(columns * rows, 0.0);
        let weighed = |a: f32, b: f32, c: f32, d: f32, e: f32| (a + e + 4.0 * (b + d) + 6.0 * c) / 16.0;
        for (from, to) in self.values.chunks_exact(columns).zip(self.scratch.chunks_exact_mut(columns)) {
            for (window, out) in from.windows(5).zip(&mut to[2..]) {
                *out = weighed(window[0], window[1], window[2], window[3], window[4]);
            }
        }
        self.values.fill(0.0);
        for row in 2..rows.saturating_sub(2) {
            let line = |row: usize| &self.scratch[row * columns..][..columns];
            let [a, b, c, d, e] = [row - 2, row - 1, row, row + 1, row + 2].map(line);
            let out = &mut self.values[row * columns..][..columns];
            for x in 0..columns {
                out[x] = weighed(a[x], b[x], c[x], d[x], e[x]);
            }
        }
    }

    /// Counts agents (m).
    fn count(&mut self, positions: &[Vec2]) {
        self.values.fill(0.0);
        let scale = 1.0 / self.side;
        for &position in positions {
            let place = (position - self.origin) * scale;
            // `as` saturates; positions left of the first block must not land in it.
            if place.x >= 0.0 && place.y >= 0.0 {
                let (x, y) = (place.x as usize, place.y as usize);
                if x < self.columns && y < self.rows {
                    self.values[y * self.columns + x] += 1.0;
                }
            }
        }
        self.smooth();
        for (value, per_metre) in self.values.iter_mut().zip(&self.per_metre) {
            *value *= per_metre;
        }
    }

    /// Colours the open ground of a picture by how crowded it is there, and three of four pixels of the agents drawn on
    /// it.
    pub fn draw(&mut self, picture: &mut Picture, camera: Camera, positions: &[Vec2]) {
        self.count(positions);
        let to_block = |pixel: u32, origin: f32, from: f32, most: usize| {
            let at = (from + (pixel as f32 + 0.5) / camera.scale - origin) / self.side - 0.5;
            let block = (at.max(0.0) as usize).min(most - 2);
            (block, at - block as f32)
        };
        let across: Vec<(usize, f32)> =
            (0..picture.width).map(|x| to_block(x, self.origin.x, camera.origin.x, self.columns)).collect();
        let mut line = vec![0.0; self.columns];
        let width = picture.width as usize;
        for (y, out) in picture.pixels.chunks_exact_mut(width).enumerate() {
            let (row, part) = to_block(y as u32, self.origin.y, camera.origin.y, self.rows);
            let [above, below] = [row, row + 1].map(|row| &self.values[row * self.columns..][..self.columns]);
            let mut most = 0.0_f32;
            for ((value, &above), &below) in line.iter_mut().zip(above).zip(below) {
                *value = (above + (below - above) * part) / HEAT_STEP_PER_M2;
                most = most.max(*value);
            }
            if most < 1.0 {
                continue;
            }
            for (x, (pixel, &(block, part))) in out.iter_mut().zip(&across).enumerate() {
                let (left, right) = (line[block], line[block + 1]);
                let steps = left + (right - left) * part;
                let shows = palette::is_wall(*pixel) || palette::is_army(*pixel) && (x | y).is_multiple_of(2);
                if steps >= 1.0 && !shows {
                    *pixel = palette::HEAT + (steps as u8 - 1).min(palette::HEATS - 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    /// A lattice of agents, `apart` metres from each other, everywhere on a map.
    fn crowd(size: Vec2, apart: f32) -> Vec<Vec2> {
        let (columns, rows) = ((size.x / apart) as u32, (size.y / apart) as u32);
        let at = |i: u32| (Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5) * apart;
        (0..columns * rows).map(at).collect()
    }

    #[test]
    fn an_even_crowd_is_as_dense_at_the_walls() {
        for (apart, density) in [(0.5, 4.0), (1.0, 1.0), (0.25, 16.0)] {
            let grid = Grid::open_plain(Lattice::new(30, 20, 1.0).unwrap());
            let camera = Camera { origin: Vec2::ZERO, scale: 4.0 };
            let mut map = Density::new(&grid, camera, 120, 80);
            map.count(&crowd(Vec2::new(30.0, 20.0), apart));
            for y in MARGIN_BLOCKS..20 + MARGIN_BLOCKS {
                for x in MARGIN_BLOCKS..30 + MARGIN_BLOCKS {
                    let found = map.values[y * map.columns + x];
                    assert!((found - density).abs() < 1e-3 * density, "{found} at {x}, {y}");
                }
            }
        }
    }

    #[test]
    fn large_blocks_where_pixels_are_large() {
        let grid = Grid::open_plain(Lattice::new(400, 400, 1.0).unwrap());
        let camera = Camera { origin: Vec2::ZERO, scale: 0.25 };
        let mut map = Density::new(&grid, camera, 100, 100);
        assert_eq!((map.side, map.columns), (8.0, 54));
        let mut picture = Picture::new(100, 100, palette::FLOOR);
        map.draw(&mut picture, camera, &crowd(Vec2::new(200.0, 400.0), 0.8));
        // 1.5625 a square metre on the left half.
        assert_eq!(picture.pixels[50 * 100 + 20], palette::HEAT + 2);
        assert_eq!(picture.pixels[50 * 100 + 80], palette::FLOOR);
    }
}
