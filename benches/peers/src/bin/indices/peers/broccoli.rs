//! broccoli: a k-d tree whose nodes are swept along the other axis.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use broccoli::aabb::BBox;
use broccoli::{Tree, bbox, rect};
use std::error::Error;
use throng::spatial::Bodies;

/// Rebuilt every frame, as its author advises, from boxes with small numbers: in the order in which the last tree left
/// them, which is nearly the one wanted, or in that of the bodies, which is read faster.
pub struct Broccoli {
    keep_order: bool,
    bots: Vec<BBox<f32, u32>>,
}

impl Broccoli {
    pub fn new(keep_order: bool) -> Self {
        Self { keep_order, bots: Vec::new() }
    }
}

impl Frames for Broccoli {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        let bot = |row: u32| {
            let (low, high) = boxes::of(&bodies, row as usize);
            bbox(rect(low[0], high[0], low[1], high[1]), row)
        };
        if self.keep_order && self.bots.len() == bodies.len() {
            for place in &mut self.bots {
                *place = bot(place.inner);
            }
        } else {
            self.bots.clear();
            self.bots.extend((0..bodies.len() as u32).map(bot));
        }
        let mut tree = Tree::new(&mut self.bots);
        let ready = clock::now();
        tree.find_colliding_pairs(|a, b| {
            let (i, j) = (*a.unpack_inner(), *b.unpack_inner());
            if overlap(&bodies, i, j) {
                found.push([i, j]);
            }
        });
        Ok(ready)
    }
}
