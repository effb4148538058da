//! Single sprites: trees, tufts, stones, and what stands in yards.

use super::model::{plant, prop};
use super::primitive::Model;
use super::shade::{Finish, Scratch};
use rayon::prelude::*;

/// A picture with a point that stands on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprite {
    /// Its width (pixels).
    pub width: usize,
    /// Its height (pixels).
    pub height: usize,
    /// The point on the ground that it stands on, from its upper left corner (pixels).
    pub anchor: [i16; 2],
    /// Premultiplied red, green, blue and opacity, row by row.
    pub pixels: Vec<[u8; 4]>,
}

impl Sprite {
    /// Draws a model. `grain` roughens its colours, each number in another way.
    pub fn draw(model: &Model, finish: &Finish, grain: Option<u32>) -> Self {
        let mut scratch = Scratch::default();
        let drawing = scratch.draw(model.0.iter().copied(), finish, grain);
        Self { width: drawing.width, height: drawing.height, anchor: drawing.anchor, pixels: drawing.pixels.to_vec() }
    }
}

/// How many trees there are: every fifth is a fir.
pub const TREES: usize = 10;

/// Trees at so many pixels a metre, with crowns of 2 m of radius.
pub fn trees(scale: f32) -> Vec<Sprite> {
    (0..TREES).into_par_iter().map(|kind| tree(kind, scale)).collect()
}

/// A tree of a kind (modulo [`TREES`]), as those of [`trees`].
pub fn tree(kind: usize, scale: f32) -> Sprite {
    // Small crowns keep their shape by more samples, large ones need fewer.
    let samples = if scale < 15.0 { 3 } else { 2 };
    let finish = Finish { scale, samples, fat: 0.0, contrast: 1.05, outline: 0.55, simple: 0.0, shadow: 1.0 };
    let kind = (kind % TREES) as u32;
    Sprite::draw(&plant::tree(kind), &finish, Some(kind))
}

/// Small things that lie or stand around.
#[derive(Clone, Debug, PartialEq)]
pub struct Props {
    /// Eight tufts of grass.
    pub tufts: Vec<Sprite>,
    /// Eight stones.
    pub stones: Vec<Sprite>,
    /// Six things along houses: barrels, logs, crates.
    pub yard: Vec<Sprite>,
}

impl Props {
    /// All of them at so many pixels a metre. Below 8 they are too small to be worth it.
    pub fn bake(scale: f32) -> Self {
        let fat = if scale > 20.0 { 0.0 } else { 0.02 };
        let low = Finish { scale, samples: 3, fat, contrast: 0.9, outline: 0.0, simple: 0.0, shadow: 0.62 };
        let high = Finish { outline: 0.8, ..low };
        let all = |models: Vec<Model>, finish: &Finish| {
            models.par_iter().map(|model| Sprite::draw(model, finish, None)).collect::<Vec<_>>()
        };
        Self {
            tufts: all((0..8).map(plant::tuft).collect(), &low),
            stones: all((0..8).map(prop::stone).collect(), &low),
            yard: all(prop::yard(), &high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_whole(sprite: &Sprite) -> bool {
        sprite.pixels.len() == sprite.width * sprite.height && sprite.pixels.iter().any(|pixel| pixel[3] == 255)
    }

    #[test]
    fn trees_grow_with_the_scale_and_differ() {
        let (small, large) = (trees(3.0), trees(9.0));
        assert_eq!((small.len(), large.len()), (TREES, TREES));
        for (small, large) in small.iter().zip(&large) {
            assert!(is_whole(small) && is_whole(large));
            let ratio = large.height as f32 / small.height as f32;
            assert!((2.0..4.0).contains(&ratio), "{ratio}");
        }
        assert_ne!(large[0], large[5]);
    }

    #[test]
    fn things_are_there() {
        let props = Props::bake(30.0);
        assert_eq!((props.tufts.len(), props.stones.len(), props.yard.len()), (8, 8, 6));
        assert!(props.yard.iter().chain(&props.stones).all(is_whole));
        assert!(props.tufts.iter().all(|tuft| tuft.pixels.iter().any(|pixel| pixel[3] > 100)));
        assert_eq!(props, Props::bake(30.0));
    }
}
