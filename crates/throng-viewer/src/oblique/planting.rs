//! Trees, tufts and stones, set into the painted ground: they stand still, so they cost nothing afterwards.

use super::tiles::{Area, Sheet};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;
use throng_scene::land::{Disc, Land};
use throng_scene::noise::lattice;
use throng_scene::scenery::Tile;
use throng_scene::sprite::Sprite;
use throng_scene::sprite::model::plant;
use throng_scene::sprite::picture::{Props, TREES};
use throng_scene::sprite::shade::Finish;
use throng_scene::view::FORESHORTENING;

/// The radius of the crowns that trees are drawn with (m).
const CROWN: f32 = 2.0;
/// Radii of crowns are rounded to this (m).
const STEP: f32 = 0.3;
/// From this scale on tufts and stones are worth it (pixels a metre).
const PROPS_SCALE: f32 = 9.0;
/// Tufts and stones stand on a grid of this width (m).
const PROPS_GRID: f32 = 1.5;
/// Above this opacity a pixel of a tree hides what is behind it.
const SOLID: u8 = 128;
/// How far from its foot a tree is seen (m).
const REACH: f32 = 9.0;

/// Pictures of what grows, at one scale.
pub struct Plants {
    scale: f32,
    /// By the radius of the crown, in steps, and the kind.
    trees: BTreeMap<(u32, u32), Sprite>,
    props: Option<Props>,
}

impl Plants {
    /// For a scale (pixels a metre); trees are drawn when they are needed.
    pub fn new(scale: f32) -> Self {
        Self { scale, trees: BTreeMap::new(), props: (scale >= PROPS_SCALE).then(|| Props::bake(scale)) }
    }

    /// Pixels a metre.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Draws all trees that are seen in a tile and were not drawn yet.
    pub fn prepare(&mut self, land: &Land, sheet: &Sheet, area: Area) {
        let samples = if self.scale < 15.0 { 3 } else { 2 };
        let finish =
            Finish { scale: self.scale, samples, fat: 0.0, contrast: 1.05, outline: 0.55, simple: 0.0, shadow: 1.0 };
        for tree in near(land, bounds(sheet, area)) {
            let key = key(tree);
            self.trees.entry(key).or_insert_with(|| {
                let finish = Finish { scale: self.scale * key.0 as f32 * STEP / CROWN, ..finish };
                Sprite::draw(&plant::tree(key.1), &finish, Some(key.1))
            });
        }
    }

    /// Sets all that grows into a tile.
    pub fn plant(&self, land: &Land, sheet: &Sheet, area: Area, tile: &mut Tile) {
        let (north, west) = (sheet.view(area).origin.y, sheet.view(area).origin.x);
        let to_pixel = |point: Vec2| {
            let at = (point - Vec2::new(west, north)) * Vec2::new(self.scale, self.scale * FORESHORTENING);
            at.round().to_array().map(|part| part as i32)
        };
        let bounds = bounds(sheet, area);
        if let Some(props) = &self.props {
            strew(props, bounds, tile, to_pixel);
        }
        let mut near: Vec<_> = near(land, bounds).collect();
        near.sort_by(|one, other| one.centre.y.total_cmp(&other.centre.y));
        for tree in near {
            let Some(picture) = self.trees.get(&key(tree)) else { continue };
            let foot = ((tree.centre.y - north) * 16.0 + 1.0).clamp(1.0, 65535.0) as u16;
            stamp(tile, picture, to_pixel(tree.centre), Some(foot));
        }
    }
}

/// Strews tufts where grass grows, and stones.
fn strew(props: &Props, [low, high]: [Vec2; 2], tile: &mut Tile, to_pixel: impl Fn(Vec2) -> [i32; 2]) {
    let clean = tile.clone();
    let [from, to] = [low, high].map(|corner| (corner / PROPS_GRID).to_array().map(|part| part.floor() as i32));
    for y in from[1]..=to[1] {
        for x in from[0]..=to[0] {
            let off = Vec2::new(lattice(x, y, 11), lattice(x, y, 12));
            let at = (Vec2::new(x as f32, y as f32) + off) * PROPS_GRID;
            let pixel = to_pixel(at);
            let inside = (0..clean.width as i32).contains(&pixel[0]) && (0..clean.height as i32).contains(&pixel[1]);
            if !inside {
                continue;
            }
            let index = pixel[1] as usize * clean.width as usize + pixel[0] as usize;
            let (Some(grass), 0) = (clean.grass(index), clean.front[index]) else { continue };
            let (luck, kind) = (lattice(x, y, 13), (lattice(x, y, 14) * 8.0) as usize % 8);
            if luck < 0.34 * grass * grass {
                stamp(tile, &props.tufts[kind], pixel, None);
            } else if luck > 0.955 {
                stamp(tile, &props.stones[kind], pixel, None);
            }
        }
    }
}

/// The part of the ground of which something is seen in a tile (m).
fn bounds(sheet: &Sheet, area: Area) -> [Vec2; 2] {
    let view = sheet.view(area);
    let size = Vec2::new(area.size[0] as f32, area.size[1] as f32 / FORESHORTENING) / view.scale;
    [view.origin - REACH, view.origin + size + REACH]
}

fn near(land: &Land, [low, high]: [Vec2; 2]) -> impl Iterator<Item = &Disc> {
    land.trees.iter().filter(move |tree| tree.centre.cmpge(low).all() && tree.centre.cmple(high).all())
}

/// The radius of a tree's crown, in steps, and its kind.
fn key(tree: &Disc) -> (u32, u32) {
    let [x, y] = tree.centre.to_array().map(|part| libm::roundf(part * 8.0) as i32);
    let kind = (lattice(x, y, 71) * TREES as f32) as usize;
    ((tree.radius / STEP).round().clamp(2.0, 20.0) as u32, kind.min(TREES - 1) as u32)
}

/// Lays a picture on a tile, its anchor at a pixel; where it stands at a foot, it hides what is behind it.
fn stamp(tile: &mut Tile, sprite: &Sprite, [x, y]: [i32; 2], foot: Option<u16>) {
    let (left, top) = (x - i32::from(sprite.anchor[0]), y - i32::from(sprite.anchor[1]));
    let (width, height) = (tile.width as i32, tile.height as i32);
    for row in top.max(0)..(top + sprite.height as i32).min(height) {
        for column in left.max(0)..(left + sprite.width as i32).min(width) {
            let [r, g, b, a] = sprite.pixels[(row - top) as usize * sprite.width + (column - left) as usize];
            if a == 0 {
                continue;
            }
            let index = (row * width + column) as usize;
            if let Some(foot) = foot {
                // Behind a house that stands further south.
                if tile.front[index] > foot {
                    continue;
                }
                if a >= SOLID {
                    tile.front[index] = foot;
                }
            } else if tile.front[index] > 0 {
                continue;
            }
            let keep = u16::from(255 - a);
            let pixel = &mut tile.pixels[index];
            for (under, over) in pixel.iter_mut().zip([r, g, b]) {
                *under = (u16::from(*under) * keep / 255) as u8 + over.min(a);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};
    use throng_scene::scenery::{Extra, paint};

    /// Two tiles next to one another, planted.
    #[test]
    fn trees_are_seen_across_the_edges_of_tiles_and_hide_what_is_behind_them() {
        let map = Vec2::new(160.0, 40.0);
        let mut land = Land::of(&Grid::open_plain(Lattice::new(160, 40, 1.0).unwrap()));
        let sheet = Sheet::new(map, 6.0);
        let keys: Vec<_> = sheet.touched([Vec2::ZERO, map]).collect();
        // On the edge between the first two tiles.
        let edge = sheet.area(keys[1]).corner[0] as f32 / 6.0;
        land.trees.push(Disc { centre: Vec2::new(edge, 20.0), radius: 2.0 });
        let mut plants = Plants::new(6.0);
        for key in &keys[..2] {
            let area = sheet.area(*key);
            let mut tile = paint(&land, &Extra::default(), sheet.view(area), area.size[0] as u32, area.size[1] as u32);
            assert!(tile.front.iter().all(|&front| front == 0));
            plants.prepare(&land, &sheet, area);
            plants.plant(&land, &sheet, area, &mut tile);
            let built = tile.front.iter().filter(|&&front| front > 0).count();
            assert!(built > 60, "{built} pixels of a tree");
            let foot = ((20.0 - sheet.view(area).origin.y) * 16.0 + 1.0) as u16;
            assert!(tile.front.iter().all(|&front| front == 0 || front == foot));
        }
    }
}
