//! Paints all kinds of soldiers, in eight directions and all poses, near and middle, and a melee at each level of detail.
//!
//! `cargo run --release -p throng-scene --example looks -- looks.png`

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use throng_scene::noise::{Noise, lattice};
use throng_scene::sprite::picture::{Props, trees};
use throng_scene::sprite::{Atlas, Level, Pose, Puff, Sprite};
use throng_scene::view::FORESHORTENING;
use throng_sim::battle::Look;

const WIDTH: usize = 1920;
const HEIGHT: usize = 1240;
const ARMIES: [[u8; 3]; 2] = [[0xFF, 0x4F, 0x12], [0x21, 0x78, 0xFF]];
const STRIP: i32 = 1080;

/// An atlas, and its pixels in the colours of both armies.
type Painted = (Atlas, [Vec<[u8; 4]>; 2]);

struct Sheet {
    pixels: Vec<[u8; 4]>,
    atlases: BTreeMap<Level, Painted>,
}

impl Sheet {
    fn new() -> Self {
        let coarse = Noise::new(3.0, 1, 4);
        let fine = Noise { aspect: 2.6, ..Noise::new(0.16, 2, 2) };
        let mut pixels = Vec::new();
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let (x, y) = (x as f32 / 28.0, y as f32 / 28.0);
                let light = 1.0 + 0.05 * coarse.at(x, y) + 0.05 * fine.at(x, y);
                let [r, g, b] = [0.43, 0.46, 0.28].map(|c: f32| (c * light * 255.0) as u8);
                pixels.push([r, g, b, 255]);
            }
        }
        let baked = |level: Level| {
            let atlas = Atlas::bake(level.scale(), &Look::ALL);
            let tinted = ARMIES.map(|army| atlas.tinted(army));
            (level, (atlas, tinted))
        };
        Self { pixels, atlases: Level::ALL.into_iter().map(baked).collect() }
    }

    fn one(&mut self, level: Level, look: Look, direction: u8, pose: Pose, place: (f32, f32), army: usize) {
        let Some((atlas, tinted)) = self.atlases.get(&level) else { return };
        let Some(&cell) = atlas.cell(look, direction, pose) else { return };
        let (left, top) = (place.0 as i32 - i32::from(cell.anchor[0]), place.1 as i32 - i32::from(cell.anchor[1]));
        for row in 0..usize::from(cell.height) {
            let from = atlas.index(&cell, row);
            for (column, &source) in tinted[army][from..from + usize::from(cell.width)].iter().enumerate() {
                blend(&mut self.pixels, left + column as i32, top + row as i32, source);
            }
        }
    }

    fn sprite(&mut self, sprite: &Sprite, x: i32, y: i32) {
        for (row, line) in sprite.pixels.chunks_exact(sprite.width).enumerate() {
            for (column, &source) in line.iter().enumerate() {
                let [left, top] = sprite.anchor.map(i32::from);
                blend(&mut self.pixels, x - left + column as i32, y - top + row as i32, source);
            }
        }
    }
}

fn blend(pixels: &mut [[u8; 4]], x: i32, y: i32, source: [u8; 4]) {
    if x < 0 || y < 0 || x as usize >= WIDTH || y as usize >= HEIGHT {
        return;
    }
    let target = &mut pixels[y as usize * WIDTH + x as usize];
    let kept = 255 - u32::from(source[3]);
    for (target, source) in target.iter_mut().zip(source).take(3) {
        *target = (u32::from(source) + (u32::from(*target) * kept + 127) / 255).min(255) as u8;
    }
}

/// The rows of the sheet: kind, height of its near and of its middle figures, pitch of directions, left of the poses, their pitch.
const ROWS: [(Look, f32, f32, f32, f32, f32); 8] = [
    (Look::Swordsman, 58.0, 32.0, 64.0, 752.0, 73.0),
    (Look::Spearman, 58.0, 32.0, 64.0, 752.0, 73.0),
    (Look::Archer, 58.0, 32.0, 64.0, 752.0, 73.0),
    (Look::Civilian, 58.0, 32.0, 64.0, 752.0, 73.0),
    (Look::Leader, 80.0, 30.0, 64.0, 752.0, 73.0),
    (Look::Rider, 88.0, 40.0, 92.0, 968.0, 94.0),
    (Look::Giant, 120.0, 50.0, 92.0, 968.0, 94.0),
    (Look::Ram, 98.0, 50.0, 122.0, 1190.0, 108.0),
];

fn looks(sheet: &mut Sheet) {
    let poses: Vec<Pose> = Pose::all().collect();
    let mut y = 30.0;
    for (look, high, low, pitch, right, step) in ROWS {
        let is_big = matches!(look, Look::Rider | Look::Giant | Look::Ram);
        let (near, middle) =
            (y + high - if is_big { 26.0 } else { 10.0 }, y + high + low - if is_big { 14.0 } else { 10.0 });
        let shown: Vec<usize> = match look {
            Look::Ram => vec![0, 3, 6, 7, 8, 14],
            _ if is_big => vec![0, 2, 4, 6, 7, 8, 9, 13, 14, 15],
            _ => (0..16).collect(),
        };
        let turned = (0..8_u8).map(|i| (214.0 + f32::from(i) * pitch, 2 * i, usize::from(look != Look::Ram), 0));
        let looks = if is_big { 2 } else { 1 };
        let posed = shown.iter().enumerate().map(|(i, &pose)| (right + i as f32 * step, looks, pose, 1));
        for (x, direction, pose, army) in turned.chain(posed) {
            sheet.one(Level::Near, look, direction, poses[pose], (x, near), army);
            sheet.one(Level::Middle, look, direction, poses[pose], (x, middle), 1 - army);
        }
        y += high + low + 2.0;
    }
}

fn melees(sheet: &mut Sheet) {
    let mut x = 190.0;
    for (level, wide, ranks) in
        [(Level::Near, 14_u8, 3_u8), (Level::Middle, 26, 6), (Level::Far, 64, 14), (Level::Splat, 110, 28)]
    {
        let s = level.scale();
        for j in 0..ranks {
            for i in 0..wide {
                let army = usize::from(i >= wide / 2);
                let random = |seed| lattice(i32::from(i), i32::from(j), seed);
                let look = if (i, j) == (wide / 4, ranks / 2) {
                    Look::Leader
                } else if j < ranks / 2 {
                    Look::Spearman
                } else {
                    Look::Swordsman
                };
                let is_front = i.abs_diff(wide / 2) < 2;
                let pose = if is_front { Pose::strike((random(1) * 4.0) as usize) } else { Pose::walk(random(1)) };
                let off = |seed| 0.5 * (random(seed) - 0.5);
                let place = (
                    x + (f32::from(i) + 0.5 * army as f32 + off(2)) * s,
                    STRIP as f32 - 12.0 + (f32::from(j) - f32::from(ranks) + off(3)) * s * FORESHORTENING,
                );
                sheet.one(level, look, 8 * army as u8, pose, place, army);
            }
        }
        x += (f32::from(wide) + 1.5) * s + 30.0;
    }
}

fn things(sheet: &mut Sheet) {
    for (i, tree) in trees(14.0).iter().enumerate() {
        sheet.sprite(tree, 60 + 95 * i as i32, HEIGHT as i32 - 40);
    }
    let props = Props::bake(30.0);
    for (i, sprite) in props.tufts.iter().chain(&props.stones).enumerate() {
        sheet.sprite(sprite, 1030 + 42 * (i as i32 % 8), HEIGHT as i32 - 70 + 42 * (i as i32 / 8));
    }
    for (i, sprite) in props.yard.iter().enumerate() {
        sheet.sprite(sprite, 1390 + 70 * i as i32, HEIGHT as i32 - 30);
    }
    for (i, puff) in Puff::all().iter().enumerate() {
        for (place, (&density, &brightness)) in puff.density.iter().zip(&puff.brightness).enumerate() {
            let colour = [0xCC_u32, 0xB5, 0x8A]
                .map(|c| (c * u32::from(brightness) / u32::from(Puff::PLAIN)).min(255) * u32::from(density) / 255);
            let [r, g, b] = colour.map(|c| c as u8);
            let (x, y) = (place % Puff::SIZE, place / Puff::SIZE);
            blend(&mut sheet.pixels, 1240 + 100 * i as i32 + x as i32, 1085 + y as i32, [r, g, b, density]);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "looks.png".into());
    let mut sheet = Sheet::new();
    looks(&mut sheet);
    melees(&mut sheet);
    things(&mut sheet);
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header()?.write_image_data(sheet.pixels.as_flattened())?;
    Ok(())
}
