//! Guesses the land of a map, prints what was found and how long it took, and paints each cell by its kind.
//!
//! `cargo run --release -p throng-scene --example land -- maps/fortress.map land.png`
//!
//! The first argument is a map file, or a kind of generated map (`maze`, `rooms`, `town`, ...) with sides `768` and seed 1.

use std::error::Error;
use std::time::Instant;
use throng_grid::generate::{Kind as Made, generate};
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid};
use throng_scene::land::{Disc, Kind, Land, Outline};

/// Pixels a cell.
const SCALE: u32 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let map = arguments.next().unwrap_or_else(|| "maps/fortress.map".to_owned());
    let grid = match map.parse::<Made>() {
        Ok(kind) => generate(kind, 768, 768, 1)?,
        Err(_) => Grid::load(&map)?,
    };
    let mut best = f64::INFINITY;
    let mut land = Land::of(&grid);
    for _ in 0..3 {
        let start = Instant::now();
        land = Land::of(&grid);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let (mut cells, lattice) = ([0_u32; Kind::ALL.len()], grid.lattice());
    for cell in lattice.cells() {
        cells[land.kinds[cell] as usize] += 1;
    }
    println!("{map}: {} x {} cells, {:.0} ms", lattice.width, lattice.height, best * 1e3);
    println!(
        "  walls {} blocks {} towers {} breaches {} moats {} hedges {} houses {} trees {} rocks {} rubble {} cliffs {}",
        land.walls.len(),
        land.blocks.len(),
        land.towers.len(),
        land.breaches.len(),
        land.moats.len(),
        land.hedges.len(),
        land.houses.len(),
        land.trees.len(),
        land.rocks.len(),
        land.rubble.len(),
        land.cliffs.len()
    );
    let kinds = Kind::ALL.iter().zip(cells).filter(|&(_, cells)| cells > 0);
    println!("  cells: {}", kinds.map(|(kind, cells)| format!("{kind:?} {cells}")).collect::<Vec<_>>().join(", "));
    time_edits(&grid, &land);
    if let Some(path) = arguments.next() {
        let picture = Picture::of(&land);
        let mut encoder = png::Encoder::new(std::fs::File::create(path)?, picture.width as u32, picture.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header()?.write_image_data(&picture.pixels)?;
    }
    Ok(())
}

/// How long a brush of 5 x 5 cells takes, anywhere on the map.
fn time_edits(grid: &Grid, land: &Land) {
    let (mut grid, mut land, lattice) = (grid.clone(), land.clone(), grid.lattice());
    let (mut times, mut dirty) = (Vec::new(), Vec::new());
    for stroke in 0..60_i32 {
        let random = |what, most: u32| (throng_scene::noise::lattice(stroke, what, 7) * most as f32) as u32;
        let (x, y) = (random(0, lattice.width), random(1, lattice.height));
        let cells = (0..25).filter_map(|at| lattice.checked_cell(i64::from(x + at % 5), i64::from(y + at / 5)));
        let edits: Vec<Edit> =
            cells.map(|cell| if stroke % 2 == 0 { Edit::Open(cell) } else { Edit::Close(cell) }).collect();
        grid.edit(&edits, &mut dirty);
        let start = Instant::now();
        land.edit(&grid, &dirty);
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "  edits of 5 x 5 cells: half below {:.2} ms, the longest {:.2} ms",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}

struct Picture {
    width: usize,
    height: usize,
    /// Pixels a metre.
    scale: f32,
    pixels: Vec<u8>,
}

impl Picture {
    fn of(land: &Land) -> Self {
        let lattice = land.lattice;
        let (width, height) = ((lattice.width * SCALE) as usize, (lattice.height * SCALE) as usize);
        let scale = SCALE as f32 / lattice.cell_size;
        let mut pixels = Vec::with_capacity(width * height * 3);
        for y in 0..lattice.height * SCALE {
            for x in 0..lattice.width * SCALE {
                let cell = lattice.cell(x / SCALE, y / SCALE);
                let mut colour = ground(land.kinds[cell]);
                if land.kinds[cell] == Kind::Open {
                    let worn = land.road[cell];
                    colour = if land.court[cell] {
                        [200, 200, 205]
                    } else if land.inside[cell] {
                        [220, 200, 170]
                    } else {
                        colour
                    };
                    colour[2] = (f32::from(colour[2]) * (1.0 - 0.6 * worn)) as u8;
                    let wood = (land.wood[cell] * 2.0).min(1.0);
                    colour[0] = (f32::from(colour[0]) * (1.0 - 0.3 * wood)) as u8;
                }
                pixels.extend(colour);
            }
        }
        let mut picture = Self { width, height, scale, pixels };
        picture.fill(&land.cliffs, [120, 105, 90]);
        picture.fill(&land.moats, [60, 110, 200]);
        picture.fill(&land.hedges, [110, 160, 40]);
        picture.fill(&land.walls, [150, 140, 130]);
        picture.fill(&land.blocks, [110, 100, 130]);
        for (number, house) in land.houses.iter().enumerate() {
            for wing in &house.wings {
                let (u, v) = (wing.along * wing.half_length, wing.along.perp() * wing.half_width);
                let corners = [u + v, u - v, -u - v, v - u].map(|corner| wing.centre + corner);
                let tone = (number * 37 % 5) as u8 * 12;
                picture.fill(&[corners.to_vec()], [190 - tone, 90, 60]);
                let ridge = wing.along.perp() * 0.15;
                let corners = [u + ridge, u - ridge, -u - ridge, ridge - u].map(|corner| wing.centre + corner);
                picture.fill(&[corners.to_vec()], [230, 150, 110]);
            }
        }
        for tower in &land.towers {
            picture.discs(&[tower.disc], if tower.is_roofed { [200, 60, 60] } else { [230, 220, 200] });
        }
        picture.discs(&land.debris, [160, 160, 160]);
        picture.discs(&land.trees, [40, 130, 50]);
        picture.discs(&land.rocks, [100, 100, 105]);
        picture.discs(&land.rubble, [240, 230, 60]);
        picture.discs(
            &land.breaches.iter().map(|&centre| Disc { centre, radius: 0.6 }).collect::<Vec<_>>(),
            [255, 0, 255],
        );
        picture
    }

    /// Fills outlines together, by the rule of even and odd.
    fn fill(&mut self, lines: &[Outline], colour: [u8; 3]) {
        let mut crossings: Vec<Vec<f32>> = vec![Vec::new(); self.height];
        for line in lines {
            for (at, &a) in line.iter().enumerate() {
                let (a, b) = (a * self.scale, line[(at + 1) % line.len()] * self.scale);
                let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
                let first = (low.y - 0.5).ceil().max(0.0) as usize;
                let end = ((high.y - 0.5).ceil().max(0.0) as usize).min(self.height);
                for (y, row) in crossings.iter_mut().enumerate().take(end).skip(first) {
                    row.push(low.x + (y as f32 + 0.5 - low.y) * (high.x - low.x) / (high.y - low.y));
                }
            }
        }
        for (y, mut row) in crossings.into_iter().enumerate() {
            row.sort_by(f32::total_cmp);
            for pair in row.chunks_exact(2) {
                for x in
                    (pair[0] - 0.5).ceil().max(0.0) as usize..((pair[1] - 0.5).ceil().max(0.0) as usize).min(self.width)
                {
                    self.pixels[(y * self.width + x) * 3..][..3].copy_from_slice(&colour);
                }
            }
        }
    }

    fn discs(&mut self, discs: &[Disc], colour: [u8; 3]) {
        for disc in discs {
            let sides = (0..16).map(|side| throng_grid::geom::direction(side as f32 * 22.5));
            let line: Vec<Vec2> = sides.map(|side| disc.centre + side * disc.radius).collect();
            self.fill_small(&line, colour);
        }
    }

    /// As `fill`, for one outline of a few pixels.
    fn fill_small(&mut self, line: &[Vec2], colour: [u8; 3]) {
        let top = line.iter().fold(f32::INFINITY, |top, point| top.min(point.y)) * self.scale;
        let bottom = line.iter().fold(0.0_f32, |bottom, point| bottom.max(point.y)) * self.scale;
        for y in top.max(0.0) as usize..(bottom.ceil() as usize).min(self.height) {
            let mut row: Vec<f32> = Vec::new();
            for (at, &a) in line.iter().enumerate() {
                let (a, b) = (a * self.scale, line[(at + 1) % line.len()] * self.scale);
                let middle = y as f32 + 0.5;
                if (a.y > middle) != (b.y > middle) {
                    row.push(a.x + (middle - a.y) * (b.x - a.x) / (b.y - a.y));
                }
            }
            row.sort_by(f32::total_cmp);
            for pair in row.chunks_exact(2) {
                for x in
                    (pair[0] - 0.5).ceil().max(0.0) as usize..((pair[1] - 0.5).ceil().max(0.0) as usize).min(self.width)
                {
                    self.pixels[(y * self.width + x) * 3..][..3].copy_from_slice(&colour);
                }
            }
        }
    }
}

fn ground(kind: Kind) -> [u8; 3] {
    match kind {
        Kind::Open => [225, 228, 205],
        Kind::Water => [30, 60, 140],
        Kind::Tree => [130, 255, 130],
        Kind::Rock => [20, 20, 20],
        Kind::Rubble => [200, 190, 0],
        Kind::Hedge => [60, 90, 0],
        Kind::Wall => [255, 60, 255],
        Kind::House => [255, 0, 0],
        Kind::Block => [60, 0, 90],
        Kind::Partition => [0xB0, 0xA0, 0xC0],
        Kind::Cliff => [70, 55, 40],
    }
}
