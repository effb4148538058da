//! rstar: an R*-tree.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use rstar::{AABB, RTree, RTreeObject};
use std::error::Error;
use throng::spatial::Bodies;

/// Loaded in bulk every frame, since moving a body in the tree is a removal and an insertion. It is joined with itself,
/// which gives each pair both ways round and each body with itself.
#[derive(Default)]
pub struct Rstar;

struct Leaf {
    bounds: AABB<[f32; 2]>,
    row: u32,
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.bounds
    }
}

impl Frames for Rstar {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        let leaves = (0..bodies.len())
            .map(|row| {
                let (low, high) = boxes::of(&bodies, row);
                Leaf { bounds: AABB::from_corners(low, high), row: row as u32 }
            })
            .collect();
        let tree = RTree::bulk_load(leaves);
        let ready = clock::now();
        for (a, b) in tree.intersection_candidates_with_other_tree(&tree) {
            if a.row < b.row && overlap(&bodies, a.row, b.row) {
                found.push([a.row, b.row]);
            }
        }
        Ok(ready)
    }
}
