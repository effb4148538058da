//! Trees in the sizes that a land has, tufts and stones on its ground, and what stands along its houses.

use super::grade::Grade;
use crate::land::{Disc, Land};
use crate::noise::lattice;
use crate::sprite::Sprite;
use crate::sprite::picture::{Props, TREES, trees};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;

/// Trees by size, and small things.
#[derive(Clone, Debug, Default)]
pub(super) struct Plants {
    sizes: BTreeMap<u32, Vec<Sprite>>,
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

fn size(radius: f32) -> u32 {
    ((radius * SIZES_A_METRE + 0.5) as u32).clamp(2, 15)
}

impl Plants {
    /// Bakes the trees of a land at so many pixels a metre.
    pub fn bake(land: &Land, scale: f32, grade: &Grade) -> Self {
        let mut sizes = BTreeMap::new();
        for tree in &land.trees {
            let size = size(tree.radius);
            sizes.entry(size).or_insert_with(|| {
                let mut sprites = trees(scale * size as f32 / (SIZES_A_METRE * CROWN));
                for sprite in &mut sprites {
                    grade.premultiplied(&mut sprite.pixels);
                }
                sprites
            });
        }
        let props = (scale >= PROPS_FROM).then(|| {
            let mut props = Props::bake(scale);
            for sprite in props.tufts.iter_mut().chain(&mut props.stones).chain(&mut props.yard) {
                grade.premultiplied(&mut sprite.pixels);
            }
            props
        });
        Self { sizes, props }
    }

    /// Tufts and stones of the ground between two corners (m): each with its place, and whether it grows. A tuft needs as much
    /// grass, 0 to 1, as stands with it.
    pub fn strewn(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = (Vec2, &Sprite, Option<f32>)> {
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
    pub fn yards(&self, land: &Land) -> Vec<(Vec2, &Sprite)> {
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

    /// The picture of a tree; `None` of a size that the land did not have.
    pub fn tree(&self, tree: &Disc) -> Option<&Sprite> {
        let which = lattice((tree.centre.x * 4.0) as i32, (tree.centre.y * 4.0) as i32, 61);
        let sprites = self.sizes.get(&size(tree.radius))?;
        sprites.get(((which * TREES as f32) as usize).min(TREES - 1))
    }
}
