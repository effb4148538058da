//! parry2d: a binary tree of boxes that is refitted every frame.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::error::Error;
use throng::spatial::Bodies;

/// Built once; then leaves are written in place, all boxes are refitted, and the tree is kept good in one of two ways. No
/// margins: they cost more tests than they save. Putting the nodes in the order of the traversal each frame (`refit`)
/// costs more than it saves, too: 10 to 20 ns a body.
#[derive(Default)]
pub struct Parry {
    tree: Option<Bvh>,
    workspace: BvhWorkspace,
    /// Build anew after so many frames; mend a part of the tree every frame where this is 0.
    rebuild: u32,
    frames: u32,
}

impl Parry {
    /// Built anew now and then: where everything moves its own way, cheaper in the mean than mending. (Every 15, 30 or 60
    /// frames cost the same within a few percent.)
    pub fn rebuilt() -> Self {
        Self { rebuild: 30, ..Self::default() }
    }
}

fn aabb(bodies: &Bodies<2>, row: usize) -> Aabb {
    let (low, high) = boxes::of(bodies, row);
    Aabb::new(Vector::new(low[0], low[1]), Vector::new(high[0], high[1]))
}

impl Frames for Parry {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        let Self { tree, workspace, rebuild, frames } = self;
        *frames += 1;
        let tree = match tree {
            Some(tree) => {
                for row in 0..bodies.len() {
                    tree.insert_or_update_partially(aabb(&bodies, row), row as u32, 0.0);
                }
                tree.refit_without_opt();
                if *rebuild == 0 {
                    tree.optimize_incremental(workspace);
                } else if frames.is_multiple_of(*rebuild) {
                    tree.rebuild(workspace, BvhBuildStrategy::Binned);
                    tree.refit(workspace);
                }
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
