//! Paints a map as a landscape with its trees, and prints how long each part took.
//!
//! `cargo run --release -p throng-scene --example scenery -- maps/fortress.map out.png [SCALE [X Y WIDTH HEIGHT]]`
//!
//! The map is a file, or a kind of generated map (`maze`, `rooms`, `town`, ...) with sides of 256 cells and seed 1; `building:FILE`
//! is the floor plan of a building. Without a scale (pixels a metre) the whole map fits into 1280 x 720 pixels. X and Y are
//! the north-western corner of a window (m), WIDTH and HEIGHT its size (pixels).

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;
use throng_grid::Grid;
use throng_grid::generate::{Kind as Made, generate};
use throng_grid::geom::Vec2;
use throng_scene::land::{Disc, Land};
use throng_scene::scenery::{Extra, Scenery, Tile, paint};
use throng_scene::sprite::picture::{Sprite, trees};
use throng_scene::view::{FORESHORTENING, View};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [map, path, numbers @ ..] = &arguments[..] else {
        return Err("arguments: MAP OUT.png [SCALE [X Y WIDTH HEIGHT]]".into());
    };
    let numbers: Vec<f32> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let (is_building, map) = map.strip_prefix("building:").map_or((false, map.as_str()), |map| (true, map));
    let grid = load(map)?;
    let start = Instant::now();
    let land = if is_building { Land::building(&grid) } else { Land::of(&grid) };
    println!("{map}: {} x {} cells, land {:.0} ms", grid.lattice().width, grid.lattice().height, ms(start));
    let start = Instant::now();
    let fitting = Vec2::new(1280.0, 720.0 / FORESHORTENING) / (land.lattice.size() + 2.0 * Scenery::BORDER);
    let scale = numbers.first().copied().unwrap_or(fitting.min_element());
    let mut picture = match numbers[..] {
        [scale, x, y, width, height] => {
            let view = View { origin: Vec2::new(x, y), scale };
            Picture::of(view, &paint(&land, &Extra::default(), view, width as u32, height as u32))
        }
        _ => Picture::whole(&Scenery::paint(&land, &Extra::default(), scale)),
    };
    println!("  {} x {} pixels at {scale:.2} a metre: {:.0} ms", picture.width, picture.height, ms(start));
    let start = Instant::now();
    picture.plant(&land.trees);
    println!("  {} trees {:.0} ms", land.trees.len(), ms(start));
    let mut encoder = png::Encoder::new(std::fs::File::create(path)?, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(picture.pixels.as_flattened())?;
    Ok(())
}

/// A map from a file or a generator.
fn load(map: &str) -> Result<Grid, Box<dyn Error>> {
    Ok(match map.parse::<Made>() {
        Ok(kind) => generate(kind, 256, 256, 1)?,
        Err(_) => Grid::load(map)?,
    })
}

/// Milliseconds since then.
fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// A picture, and which foot each of its pixels belongs to (m on the ground; below 0 where that is the ground).
struct Picture {
    view: View,
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
    feet: Vec<f32>,
}

impl Picture {
    fn new(view: View, width: u32, height: u32) -> Self {
        let (width, height) = (width as usize, height as usize);
        Self { view, width, height, pixels: vec![[0; 3]; width * height], feet: vec![f32::MIN; width * height] }
    }

    fn of(view: View, tile: &Tile) -> Self {
        let mut picture = Self::new(view, tile.width, tile.height);
        picture.put(0, 0, view.origin.y, tile);
        picture
    }

    fn whole(scenery: &Scenery) -> Self {
        let (width, height) = scenery.size();
        let mut picture = Self::new(scenery.view(), width, height);
        for (x, y, corner, tile) in scenery.tiles() {
            picture.put(x as usize, y as usize, corner.y, tile);
        }
        picture
    }

    /// Copies a tile whose upper edge is at `north` (m).
    fn put(&mut self, x: usize, y: usize, north: f32, tile: &Tile) {
        for row in 0..tile.height as usize {
            for column in 0..tile.width as usize {
                let (from, to) = (row * tile.width as usize + column, (y + row) * self.width + x + column);
                let [red, green, blue, _] = tile.pixels[from];
                self.pixels[to] = [red, green, blue];
                self.feet[to] = tile.foot(from).map_or(f32::MIN, |foot| north + foot);
            }
        }
    }

    /// Stands trees where they grow, those in the north first.
    fn plant(&mut self, discs: &[Disc]) {
        let mut sprites: BTreeMap<u32, Vec<Sprite>> = BTreeMap::new();
        let mut discs = discs.to_vec();
        discs.sort_by(|a, b| a.centre.y.total_cmp(&b.centre.y));
        for (number, disc) in discs.iter().enumerate() {
            // Crowns of 2 m at half the scale are crowns of 1 m.
            let size = (disc.radius * 6.0).round().max(3.0) as u32;
            let variants = sprites.entry(size).or_insert_with(|| trees(self.view.scale * size as f32 / 12.0));
            self.stamp(&variants[number * 7 % variants.len()], disc.centre);
        }
    }

    /// Lays a sprite over the picture; what stands further south hides it.
    fn stamp(&mut self, sprite: &Sprite, foot: Vec2) {
        let at = self.view.to_pixel(foot.extend(0.0));
        let (left, top) =
            (at.x.round() as i32 - i32::from(sprite.anchor[0]), at.y.round() as i32 - i32::from(sprite.anchor[1]));
        for (row, pixels) in (top..).zip(sprite.pixels.chunks_exact(sprite.width)) {
            for (column, pixel) in (left..).zip(pixels) {
                if row < 0 || column < 0 || row as usize >= self.height || column as usize >= self.width {
                    continue;
                }
                let at = row as usize * self.width + column as usize;
                if self.feet[at] > foot.y {
                    continue;
                }
                let rest = 255 - u32::from(pixel[3]);
                for (below, above) in self.pixels[at].iter_mut().zip(pixel) {
                    *below = (u32::from(*above) + u32::from(*below) * rest / 255).min(255) as u8;
                }
            }
        }
    }
}
