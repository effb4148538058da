//! parry2d: a binary tree of boxes that is refitted every frame.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::error::Error;
use throng::spatial::Bodies;

/// Built once; then leaves are written in place, a small part of the tree is rebuilt and all boxes are refitted, which
/// also puts the nodes in the order of the traversal. No margins: they cost more tests than they save.
#[derive(Default)]
pub struct Parry {
    tree: Option<Bvh>,
    workspace: BvhWorkspace,
}

fn aabb(bodies: &Bodies<2>, row: usize) -> Aabb {
    let (low, high) = boxes::of(bodies, row);
    Aabb::new(Vector::new(low[0], low[1]), Vector::new(high[0], high[1]))
}

impl Frames for Parry {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        let Self { tree, workspace } = self;
        let tree = match tree {
            Some(tree) => {
                for row in 0..bodies.len() {
                    tree.insert_or_update_partially(aabb(&bodies, row), row as u32, 0.0);
                }
                tree.refit(workspace);
                tree.optimize_incremental(workspace);
                tree
            }
            None => tree.insert(Bvh::from_iter(
                BvhBuildStrategy::Binned,
                (0..bodies.len()).map(|row| (row, aabb(&bodies, row))),
            )),
        };
        let ready = clock::now();
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |i, j| {
            if overlap(&bodies, i, j) {
                found.push([i, j]);
            }
        });
        Ok(ready)
    }
}
