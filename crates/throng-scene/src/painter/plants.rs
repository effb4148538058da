//! Trees in the sizes that a land has, and small things on its ground.

use super::grade::Grade;
use crate::land::Land;
use crate::noise::lattice;
use crate::sprite::Sprite;
use crate::sprite::picture::{TREES, trees};
use std::collections::BTreeMap;

/// Trees by size.
#[derive(Clone, Debug, Default)]
pub(super) struct Plants {
    sizes: BTreeMap<u32, Vec<Sprite>>,
}

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
        Self { sizes }
    }

    /// The picture of a tree; `None` of a size that the land did not have.
    pub fn tree(&self, tree: &crate::land::Disc) -> Option<&Sprite> {
        let which = lattice((tree.centre.x * 4.0) as i32, (tree.centre.y * 4.0) as i32, 61);
        let sprites = self.sizes.get(&size(tree.radius))?;
        sprites.get(((which * TREES as f32) as usize).min(TREES - 1))
    }
}
