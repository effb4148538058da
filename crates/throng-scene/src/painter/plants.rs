//! Trees in the sizes that a land has, tufts and stones on its ground, and what stands along its houses.

use super::canvas::{Canvas, Screen, Stamp};
use super::depth::depth;
use super::grade::Grade;
use crate::land::{Disc, Land};
use crate::noise::lattice;
use crate::sprite::Sprite;
use crate::sprite::picture::{Props, TREES, tree};
use crate::view::View;
use rayon::prelude::*;
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;

/// Trees by size, and small things, at one scale.
#[derive(Clone, Debug)]
pub struct Plants {
    scale: f32,
    grade: Grade,
    /// By size and kind.
    trees: BTreeMap<(u32, usize), Sprite>,
    /// From [`PROPS_FROM`] on.
    props: Option<Props>,
}

/// From this zoom on small things are seen (pixels a metre).
const PROPS_FROM: f32 = 8.0;

/// Tufts and stones lie on a lattice of this pitch (m), each somewhere in its square.
const PITCH: f32 = 1.5;

/// Sizes to a metre of the radius of a crown.
const SIZES_A_METRE: f32 = 3.0;

/// Radius of a crown that sprites are drawn with (m).
const CROWN: f32 = 2.0;

/// How far from its foot a tree is seen (m).
const TREE_REACH_M: f32 = 9.0;

/// The size and the kind of a tree.
fn key(tree: &Disc) -> (u32, usize) {
    let size = ((tree.radius * SIZES_A_METRE + 0.5) as u32).clamp(2, 15);
    let which = lattice((tree.centre.x * 4.0) as i32, (tree.centre.y * 4.0) as i32, 61);
    (size, ((which * TREES as f32) as usize).min(TREES - 1))
}

/// The trees of a land of which something is seen between two corners (m).
fn near(land: &Land, low: Vec2, high: Vec2) -> impl Iterator<Item = &Disc> {
    let (low, high) = (low - TREE_REACH_M, high + TREE_REACH_M);
    land.trees.iter().filter(move |tree| tree.centre.cmpge(low).all() && tree.centre.cmple(high).all())
}

impl Plants {
    /// At so many pixels a metre. Trees are drawn when they are [prepared](Self::prepare).
    pub fn new(scale: f32, grade: &Grade) -> Self {
        let props = (scale >= PROPS_FROM).then(|| {
            let mut props = Props::bake(scale);
            for sprite in props.tufts.iter_mut().chain(&mut props.stones).chain(&mut props.yard) {
                grade.premultiplied(&mut sprite.pixels);
            }
            props
        });
        Self { scale, grade: grade.clone(), trees: BTreeMap::new(), props }
    }

    /// Pixels a metre.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Draws the trees of a land that are seen between two corners (m) and were not drawn yet, in parallel.
    pub fn prepare(&mut self, land: &Land, low: Vec2, high: Vec2) {
        let mut missing: Vec<_> = near(land, low, high).map(key).filter(|key| !self.trees.contains_key(key)).collect();
        missing.sort_unstable();
        missing.dedup();
        let draw = |&(size, kind): &(u32, usize)| {
            let mut sprite = tree(kind, self.scale * size as f32 / (SIZES_A_METRE * CROWN));
            self.grade.premultiplied(&mut sprite.pixels);
            ((size, kind), sprite)
        };
        let drawn: Vec<_> = missing.par_iter().map(draw).collect();
        self.trees.extend(drawn);
    }

    /// Draws all that grows or lies on the ground of a view, from the northernmost on: what is prepared, on the pixels of a
    /// graded [`Tile`](crate::scenery::Tile) and its `front`. O(trees + pixels).
    pub fn plant(&self, land: &Land, view: View, canvas: &mut Canvas, front: &mut [u16]) {
        let far = view.to_ground(Vec2::new(canvas.width as f32, canvas.height as f32));
        let corner = |place: Vec2, sprite: &Sprite| {
            let foot = view.to_pixel(place.extend(0.0)).round();
            let [right, down] = sprite.anchor.map(i32::from);
            (foot.x as i32 - right, foot.y as i32 - down, depth(view, place.y))
        };
        for (place, sprite, grass) in self.strewn(view.origin - 1.0, far + 1.0) {
            if grows(canvas, view, place, grass) {
                let (x, y, foot) = corner(place, sprite);
                let screen = Screen { front, stride: canvas.width, foot, ghost: ([0; 3], 0) };
                canvas.blend_behind(Stamp::new(sprite.width, &sprite.pixels), &[], x, y, &screen, 256);
            }
        }
        let trees = near(land, view.origin, far).filter_map(|tree| Some((tree.centre, self.trees.get(&key(tree))?)));
        let mut standing: Vec<_> = trees.chain(self.yards(land)).collect();
        standing.sort_by(|(a, _), (b, _)| a.y.total_cmp(&b.y));
        for (place, sprite) in standing {
            let (x, y, foot) = corner(place, sprite);
            canvas.stand(Stamp::new(sprite.width, &sprite.pixels), x, y, foot, front);
        }
    }

    /// Tufts and stones of the ground between two corners (m): each with its place, and whether it grows. A tuft needs as much
    /// grass, 0 to 1, as stands with it.
    fn strewn(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = (Vec2, &Sprite, Option<f32>)> {
        let [left, top] = (low / PITCH).floor().to_array().map(|at| at as i32);
        let [right, bottom] = (high / PITCH).ceil().to_array().map(|at| at as i32);
        let places = (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y)));
        let props = self.props.as_ref();
        props.into_iter().flat_map(move |props| {
            places.clone().filter_map(move |(x, y)| {
                let random = |what: u32| lattice(x + 50, y + 50, 80 + what);
                let place = (Vec2::new(x as f32, y as f32) + Vec2::new(random(0), random(1))) * PITCH;
                let (chance, which) = (random(2), ((random(3) * 8.0) as usize).min(7));
                // A tuft grows with a chance of 0.08, and of 0.44 in deep grass.
                let grass = ((chance - 0.08) / 0.36).max(0.15);
                if grass < 1.0 {
                    Some((place, &props.tufts[which], Some(grass)))
                } else {
                    (chance > 0.90).then(|| (place, &props.stones[which], None))
                }
            })
        })
    }

    /// Barrels, logs and crates along the south of the houses of a land.
    fn yards(&self, land: &Land) -> Vec<(Vec2, &Sprite)> {
        let Some(props) = &self.props else { return Vec::new() };
        let mut out = Vec::new();
        for wing in land.houses.iter().flat_map(|house| &house.wings) {
            let across = Vec2::new(-wing.along.y, wing.along.x);
            let across = if across.y < 0.0 { -across } else { across };
            for spot in 0..3 {
                let random =
                    |what: u32| lattice((wing.centre.x * 4.0) as i32 + spot, (wing.centre.y * 4.0) as i32, 90 + what);
                let along = wing.half_length * (0.75 * (spot as f32 - 1.0) + 0.3 * random(1));
                let place = wing.centre + wing.along * along + across * (wing.half_width + 0.55);
                let is_inside = |other: &crate::land::Wing| {
                    let from = place - other.centre;
                    from.dot(other.along).abs() < other.half_length
                        && from.perp_dot(other.along).abs() < other.half_width
                };
                let is_free = !land.houses.iter().flat_map(|house| &house.wings).any(is_inside);
                if random(0) < 0.42 && is_free {
                    out.push((place, &props.yard[((random(2) * 6.0) as usize).min(5)]));
                }
            }
        }
        out
    }
}

/// Whether the ground at a place (m) has as much grass, 0 to 1; `None` = it is dry.
fn grows(canvas: &Canvas, view: View, place: Vec2, grass: Option<f32>) -> bool {
    let pixel = view.to_pixel(place.extend(0.0)).round();
    let (x, y) = (pixel.x as i32, pixel.y as i32);
    if x < 0 || y < 0 || x >= canvas.width as i32 || y >= canvas.height as i32 {
        return false;
    }
    let found = canvas.pixels[y as usize * canvas.width + x as usize][3] & 15;
    found > 0 && grass.is_none_or(|grass| f32::from(found - 1) / 14.0 > grass)
}
