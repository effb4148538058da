//! The picture of the map: ground in the colours of its terrain, slopes that the light falls on, stone walls with a lit edge, a
//! face and a shadow, and smaller versions of it in which thin walls stay visible.

use super::int_rect::IntRect;
use super::palette::{self, Lights};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Lattice, WATER};

/// The largest side of the finest level (texels).
const MAX_LEVEL_SIDE_TEXELS: u32 = 4096;
/// How many cells into the rock the light reaches.
const LIT_DEPTH_CELLS: u8 = 5;

const WALL_TOP: [f32; 3] = [122.0, 112.0, 100.0];
const WALL_LIT: [f32; 3] = [158.0, 147.0, 130.0];
const WALL_FACE: [f32; 3] = [74.0, 66.0, 58.0];
const ROCK: [f32; 3] = [52.0, 47.0, 43.0];

/// The picture in halving sizes, down to one texel. Texels are red, green, blue as in a paint program, and how much of
/// the texel is wall.
pub(crate) struct MapImage {
    /// Texels a cell at the finest level.
    detail: u32,
    levels: Vec<Level>,
    /// How many of the finest levels are too large for a card.
    skipped: usize,
    lights: Lights,
}

/// One size of the picture.
struct Level {
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

impl Level {
    fn clear(width: u32, height: u32) -> Self {
        Self { width, height, texels: vec![[0; 4]; width as usize * height as usize] }
    }

    /// Writes texels of the rows and columns of `area`.
    fn fill(&mut self, area: IntRect, texel: impl Fn(u32, u32) -> [u8; 4] + Sync) {
        let rows = self.texels.par_chunks_mut(self.width as usize).enumerate();
        rows.skip(area.top as usize).take(area.height() as usize).for_each(|(row, texels)| {
            for column in area.left..area.right {
                texels[column as usize] = texel(column, row as u32);
            }
        });
    }
}

impl MapImage {
    /// Paints the map. O(texels).
    pub fn new(grid: &Grid) -> Self {
        let lattice = grid.lattice();
        let side = lattice.width.max(lattice.height);
        // Four texels a cell leave room for edges; large maps make do with fewer.
        let detail = [4, 2, 1].into_iter().find(|detail| side * detail <= MAX_LEVEL_SIDE_TEXELS).unwrap_or(1);
        let mut levels = vec![Level::clear(lattice.width * detail, lattice.height * detail)];
        while let Some(level) = levels.last().filter(|level| level.width.max(level.height) > 1) {
            levels.push(Level::clear((level.width / 2).max(1), (level.height / 2).max(1)));
        }
        // The card's limit; only maps of more than that many cells come here.
        let skipped = levels.iter().filter(|level| level.width.max(level.height) > 2 * MAX_LEVEL_SIDE_TEXELS).count();
        let mut image = Self { detail, levels, skipped, lights: Lights::new() };
        image.repaint(grid, IntRect::whole(lattice.width, lattice.height));
        image
    }

    /// Paints what cells of `changed` have to do with; what that is, by level. O(texels of it).
    pub fn repaint(&mut self, grid: &Grid, changed: IntRect) -> Vec<IntRect> {
        let lattice = grid.lattice();
        let bounds = IntRect::whole(lattice.width, lattice.height);
        // A cell is seen in its neighbours' shadows, and in the depth of the rock up to there.
        let cells = changed.grown(u32::from(LIT_DEPTH_CELLS) + 1, bounds);
        let depths = Depths::new(grid, cells.grown(u32::from(LIT_DEPTH_CELLS) + 1, bounds));
        let detail = self.detail;
        let mut area = cells.scaled(detail);
        self.levels[0].fill(area, |column, row| paint(grid, &depths, column, row, detail));
        let mut areas = vec![area];
        for smaller in 1..self.levels.len() {
            let (larger, rest) = self.levels.split_at_mut(smaller);
            let (larger, level) = (&larger[smaller - 1], &mut rest[0]);
            area = area.halved().within(IntRect::whole(level.width, level.height));
            level.fill(area, |column, row| halve(larger, column, row, &self.lights));
            areas.push(area);
        }
        areas.split_off(self.skipped)
    }

    /// Width of the finest level (texels).
    pub fn width(&self) -> u32 {
        self.levels[self.skipped].width
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.levels.len() - self.skipped
    }

    /// Width, height and bytes of a level.
    pub fn level(&self, level: usize) -> (u32, u32, &[u8]) {
        let Level { width, height, texels } = &self.levels[level + self.skipped];
        (*width, *height, bytemuck::cast_slice(texels))
    }
}

/// True for walls; water is closed as well.
fn is_rock(grid: &Grid, cell: Cell) -> bool {
    !grid.is_open(cell) && !grid.is_water(cell)
}

/// How deep in the rock each cell of an area lies, row by row: 0 open, 1 a wall beside an open cell, and so on up to
/// [`LIT_DEPTH_CELLS`]. Less than [`LIT_DEPTH_CELLS`] cells from the area's edge it may be too deep, unless the map ends there.
struct Depths {
    area: IntRect,
    values: Vec<u8>,
}

impl Depths {
    fn new(grid: &Grid, area: IntRect) -> Self {
        let lattice = grid.lattice();
        let (width, height) = (area.width() as usize, area.height() as usize);
        let cells = (area.top..area.bottom).flat_map(|y| (area.left..area.right).map(move |x| lattice.cell(x, y)));
        let mut depth: Vec<u8> = cells.map(|cell| if is_rock(grid, cell) { LIT_DEPTH_CELLS } else { 0 }).collect();
        for layer in 1..LIT_DEPTH_CELLS {
            let before = depth.clone();
            depth.par_chunks_mut(width.max(1)).enumerate().for_each(|(y, row)| {
                for (x, value) in row.iter_mut().enumerate().filter(|(_, value)| **value == LIT_DEPTH_CELLS) {
                    let rows = y.saturating_sub(1)..(y + 2).min(height);
                    let columns = x.saturating_sub(1)..(x + 2).min(width);
                    let near = |y: usize| before[y * width..][columns.clone()].iter().any(|&d| d + 1 == layer);
                    if rows.into_iter().any(near) {
                        *value = layer;
                    }
                }
            });
        }
        Self { area, values: depth }
    }

    /// The depth between the centres of cells; `x` and `y` in cells.
    fn at(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (u, v) = (x - x.floor(), y - y.floor());
        let [left, top, right, bottom] =
            [self.area.left, self.area.top, self.area.right, self.area.bottom].map(|edge| edge as i32);
        let at = |dx: i32, dy: i32| {
            let column = (x.floor() as i32 + dx).clamp(left, right - 1) - left;
            let row = (y.floor() as i32 + dy).clamp(top, bottom - 1) - top;
            f32::from(self.values[row as usize * self.area.width() as usize + column as usize])
        };
        let row = |dy| at(0, dy) + (at(1, dy) - at(0, dy)) * u;
        row(0) + (row(1) - row(0)) * v
    }
}

fn mix(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
}

/// A number from 0 to 1 that looks random, the same for the same place.
fn noise(x: i32, y: i32) -> f32 {
    let mut hash = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0x297A_2D39);
    (hash >> 8) as f32 / (1 << 24) as f32
}

/// Noise that changes smoothly over `scale` units.
fn clouds(x: f32, y: f32, scale: f32) -> f32 {
    let (x, y) = (x / scale, y / scale);
    let (x0, y0) = (x.floor(), y.floor());
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (u, v) = (ease(x - x0), ease(y - y0));
    let (i, j) = (x0 as i32, y0 as i32);
    let row = |j| noise(i, j) + (noise(i + 1, j) - noise(i, j)) * u;
    row(j) + (row(j + 1) - row(j)) * v
}

/// The texel in `column` and `row`, with `detail` texels a cell.
fn paint(grid: &Grid, depths: &Depths, column: u32, row: u32, detail: u32) -> [u8; 4] {
    let lattice = grid.lattice();
    // The texel's centre, in cells.
    let (x, y) = ((column as f32 + 0.5) / detail as f32, (row as f32 + 0.5) / detail as f32);
    let (cx, cy) = (i64::from(column / detail), i64::from(row / detail));
    let beside = |dx: i64, dy: i64| lattice.checked_cell(cx + dx, cy + dy);
    let is_wall = |dx: i64, dy: i64| beside(dx, dy).is_some_and(|cell| is_rock(grid, cell));
    let is_open = |dx: i64, dy: i64| beside(dx, dy).is_some_and(|cell| !is_rock(grid, cell));
    let (fx, fy) = (x.fract(), y.fract());
    let grain = noise(column as i32, row as i32) - 0.5;
    let colour = if is_wall(0, 0) {
        let deep = (depths.at(x, y) - 1.0).max(0.0) / f32::from(LIT_DEPTH_CELLS - 1);
        let stone = clouds(x, y, 3.0) - 0.5;
        let mut top = mix(mix(WALL_TOP, WALL_LIT, 0.35 * stone), ROCK, deep.powf(0.7));
        if detail > 1 {
            let edge = 1.0 / detail as f32;
            if is_open(0, 1) && fy > 0.5 {
                // The face that looks down the map, in courses of stone.
                let joint = noise((x * 1.5).floor() as i32, cy as i32 * 2 + i32::from(fy > 0.75)) - 0.5;
                top = mix(WALL_FACE, WALL_TOP, 0.3 * joint);
            } else if (is_open(0, -1) && fy < edge) || (is_open(-1, 0) && fx < edge) {
                top = WALL_LIT;
            } else if is_open(1, 0) && fx > 1.0 - edge {
                top = mix(top, WALL_FACE, 0.7);
            }
        }
        top.map(|value| value + 7.0 * grain)
    } else {
        let ground = ground(grid, [x, y], grain);
        // The light comes from the upper left: a wall throws its shadow a cell far to the lower right.
        let shaded = |reach: f32| {
            let (sx, sy) = ((x - reach).floor() as i64 - cx, (y - reach).floor() as i64 - cy);
            is_wall(sx, sy)
        };
        let shadow = [0.2, 0.4, 0.6, 0.8].into_iter().filter(|&reach| shaded(reach)).count() as f32 / 4.0;
        // And it is a little darker wherever a wall is near.
        let near = |wall: bool, distance: f32| if wall { (1.0 - distance * 1.6).max(0.0) } else { 0.0 };
        let corner = near(is_wall(-1, 0), fx)
            .max(near(is_wall(1, 0), 1.0 - fx))
            .max(near(is_wall(0, -1), fy))
            .max(near(is_wall(0, 1), 1.0 - fy));
        let dark = if detail > 1 { (0.42 * shadow + 0.18 * corner).min(0.5) } else { 0.0 };
        mix(ground, [64.0, 54.0, 52.0], dark)
    };
    let [red, green, blue] = colour.map(|value| value.clamp(0.0, 255.0) as u8);
    [red, green, blue, if is_wall(0, 0) { 255 } else { 0 }]
}

/// The ground at a place (in cells), with its terrain and in its light.
fn ground(grid: &Grid, [x, y]: [f32; 2], grain: f32) -> [f32; 3] {
    let lattice = grid.lattice();
    let class = grid.terrain_layer().map_or(0, |layer| {
        // The border between two terrains is ragged.
        let stray = |at: f32, other: f32| at + 0.7 * (clouds(at * 5.0, other * 5.0, 2.0) - 0.5);
        let own = nearest(lattice, x, y);
        let near = nearest(lattice, stray(x, y), stray(y, x));
        // Open ground beside a wall does not take the colour of the ground under the wall.
        layer[if is_rock(grid, near) { own } else { near }]
    });
    let meadow = 0.6 * clouds(x, y, 23.0) + 0.4 * clouds(x + 71.0, y, 7.0) - 0.5;
    let texture = if class == WATER {
        // Ripples lie across the wind.
        14.0 * (clouds(0.35 * x, 1.6 * y, 1.0) - 0.5)
    } else {
        15.0 * meadow + 5.0 * grain
    };
    let slope = slope(grid, x, y);
    // The light comes from the upper left: what rises to the lower right is bright.
    let lit = 1.0 + LIGHT_PER_SLOPE * (slope.x + slope.y).clamp(MIN_DARK_SLOPE, MAX_BRIGHT_SLOPE);
    palette::ground(class).map(|value| (f32::from(value) + texture) * lit)
}

/// The cell at a place (in cells), on the map.
fn nearest(lattice: Lattice, x: f32, y: f32) -> Cell {
    lattice.cell((x.max(0.0) as u32).min(lattice.width - 1), (y.max(0.0) as u32).min(lattice.height - 1))
}

/// How much brighter ground is that rises by 1, to the right and downwards together, and the slopes beyond which no more is told
/// apart: plain ground is bright enough to leave less above than below.
const LIGHT_PER_SLOPE: f32 = 0.55;
const MAX_BRIGHT_SLOPE: f32 = 0.35;
const MIN_DARK_SLOPE: f32 = -0.8;

/// How much the ground rises to the right and downwards at a place (in cells).
fn slope(grid: &Grid, x: f32, y: f32) -> Vec2 {
    let Some(layer) = grid.height_layer() else { return Vec2::ZERO };
    let lattice = grid.lattice();
    let height = |dx: f32, dy: f32| f32::from(layer[nearest(lattice, x + dx, y + dy)]) / 100.0;
    Vec2::new(height(0.5, 0.0) - height(-0.5, 0.0), height(0.0, 0.5) - height(0.0, -0.5)) / lattice.cell_size
}

/// A texel of the picture at half its size. Walls weigh three times as much as the ground, so that a wall one cell thick
/// stays a line where a cell is much smaller than a pixel.
fn halve(larger: &Level, column: u32, row: u32, lights: &Lights) -> [u8; 4] {
    let mut sum = [0.0_f32; 4];
    let mut weights = 0.0;
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (x, y) = ((2 * column + dx).min(larger.width - 1), (2 * row + dy).min(larger.height - 1));
        let [red, green, blue, wall] = larger.texels[y as usize * larger.width as usize + x as usize];
        let wall = f32::from(wall) / 255.0;
        let weight = 1.0 + 2.0 * wall;
        let [red, green, blue] = [red, green, blue].map(|channel| lights.light(channel));
        let parts = [red, green, blue, wall];
        for (sum, part) in sum.iter_mut().zip(parts) {
            *sum += weight * part;
        }
        weights += weight;
    }
    let [red, green, blue, wall] = sum.map(|sum| sum / weights);
    let [red, green, blue] = [red, green, blue].map(|light| lights.channel(light));
    [red, green, blue, (wall * 255.0 + 0.5) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    fn map(width: u32, height: u32, wall: impl Fn(u32, u32) -> bool) -> Grid {
        let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            let (x, y) = grid.lattice().column_row(cell);
            grid.set_open(cell, !wall(x, y));
        }
        grid
    }

    fn brightness(texel: &[u8]) -> u32 {
        texel[..3].iter().map(|&part| u32::from(part)).sum()
    }

    #[test]
    fn walls_are_darker_than_the_ground_and_thin_ones_stay_when_the_map_shrinks() {
        let image = MapImage::new(&map(64, 64, |x, _| x == 30));
        assert_eq!(image.width(), 256);
        for level in 0..6 {
            let (width, height, bytes) = image.level(level);
            let row = &bytes[(height / 2 * width * 4) as usize..][..(width * 4) as usize];
            let wall = brightness(&row[(30 * width / 64 * 4) as usize..]);
            let ground = brightness(&row[(8 * width / 64 * 4) as usize..]);
            assert!(wall + 60 < ground, "level {level}: wall {wall}, ground {ground}");
        }
        assert_eq!(image.level(image.levels() - 1).0, 1);
    }

    #[test]
    fn odd_and_long_maps_have_all_their_levels() {
        for (width, height) in [(1, 1), (3, 700), (1025, 5), (2100, 3), (8200, 2)] {
            let image = MapImage::new(&map(width, height, |x, y| (x + y) % 5 == 0));
            let (w, h, bytes) = image.level(image.levels() - 1);
            assert_eq!((w, h, bytes.len()), (1, 1, 4));
            for level in 0..image.levels() {
                let (w, h, bytes) = image.level(level);
                assert_eq!(bytes.len(), (w * h * 4) as usize);
                assert!(level == 0 || w == (image.level(level - 1).0 / 2).max(1));
            }
        }
    }

    #[test]
    fn depth_counts_cells_from_the_nearest_open_one() {
        let depths = Depths::new(&map(20, 1, |x, _| x > 2), IntRect::whole(20, 1));
        assert_eq!(&depths.values[..9], &[0, 0, 0, 1, 2, 3, 4, 5, 5]);
    }

    #[test]
    fn terrain_has_its_colour_and_water_is_no_wall() {
        let mut grid = map(40, 10, |_, _| false);
        let plain = MapImage::new(&grid);
        for cell in grid.lattice().cells() {
            match grid.lattice().column_row(cell).0 {
                0..10 => grid.set_terrain(cell, 1),
                10..20 => {
                    grid.set_open(cell, false);
                    grid.set_terrain(cell, WATER);
                }
                30.. => grid.set_height(cell, 200),
                _ => {}
            }
        }
        let image = MapImage::new(&grid);
        let at = |image: &MapImage, column: usize| -> [u8; 4] {
            let (width, _, bytes) = image.level(0);
            let at = 4 * (20 * width as usize + 4 * column);
            std::array::from_fn(|part| bytes[at + part])
        };
        let [swamp, water, flat] = [5, 15, 25].map(|column| at(&image, column));
        assert!(swamp[2] + 40 < swamp[1], "olive: {swamp:?}");
        assert!(water[2] > water[0] + 10 && water[3] == 0, "blue: {water:?}");
        assert_eq!(flat, at(&plain, 25));
        assert_eq!(at(&image, 35), at(&plain, 35), "high, but level");
        assert!(brightness(&at(&image, 30)) > brightness(&at(&plain, 30)) + 40, "it rises here");
    }

    #[test]
    fn what_is_repainted_is_as_painted_anew_and_no_more_is_touched() {
        let wall = |x: u32, y: u32| (x / 7 + y / 5).is_multiple_of(3);
        let mut grid = map(61, 40, wall);
        let mut image = MapImage::new(&grid);
        for (x, y, open) in [(0, 0, true), (30, 20, false), (31, 21, true), (60, 39, false), (20, 2, true)] {
            let before: Vec<Vec<u8>> = (0..image.levels()).map(|level| image.level(level).2.to_vec()).collect();
            let cell = grid.lattice().cell(x, y);
            grid.set_open(cell, open);
            grid.set_terrain(cell, (x % 5) as u8);
            grid.set_height(cell, (10 * y) as u16);
            let areas = image.repaint(&grid, IntRect::around([(x, y)]).unwrap());
            let fresh = MapImage::new(&grid);
            assert_eq!(areas.len(), fresh.levels());
            for (level, area) in areas.into_iter().enumerate() {
                let (width, _, texels) = fresh.level(level);
                assert!(image.level(level).2 == texels, "level {level} after ({x}, {y})");
                for (at, (old, new)) in before[level].chunks(4).zip(texels.chunks(4)).enumerate() {
                    let (column, row) = (at as u32 % width, at as u32 / width);
                    let inside = (area.left..area.right).contains(&column) && (area.top..area.bottom).contains(&row);
                    assert!(inside || old == new, "level {level} at {column}, {row} after ({x}, {y})");
                }
            }
        }
    }
}
