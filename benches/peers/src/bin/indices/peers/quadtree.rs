//! aabb-quadtree: a quadtree of boxes, each in every leaf that it touches.

use super::boxes;
use crate::clock;
use crate::side::{Found, Frames, overlap};
use aabb_quadtree::{ItemId, QuadTree};
use euclid::{TypedPoint2D, TypedRect, TypedSize2D};
use std::error::Error;
use throng::spatial::Bodies;

type Rect = TypedRect<f32, ()>;

/// Filled anew every frame; asked by `custom_query` for each body, which does not sort what it finds. A body found
/// twice is known by a stamp.
pub struct Quadtree {
    depth: usize,
    stamp: Vec<u32>,
}

impl Quadtree {
    pub fn new(depth: usize) -> Self {
        Self { depth, stamp: Vec::new() }
    }
}

fn area(bodies: &Bodies<2>, row: usize) -> Rect {
    let (low, high) = boxes::of(bodies, row);
    Rect::new(TypedPoint2D::new(low[0], low[1]), TypedSize2D::new(high[0] - low[0], high[1] - low[1]))
}

impl Frames for Quadtree {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        // Corners that are powers of two, so that halving is exact: where it is not, a box may fall between the quarters.
        let furthest = bodies.position.as_flattened().iter().fold(1.0_f32, |furthest, x| furthest.max(x.abs()));
        let widest = bodies.radius.iter().copied().fold(0.0, f32::max);
        let half = (furthest + widest + 1.0).log2().ceil().exp2();
        let square = Rect::new(TypedPoint2D::new(-half, -half), TypedSize2D::new(2.0 * half, 2.0 * half));
        let mut tree: QuadTree<u32, (), [(ItemId, Rect); 16]> =
            QuadTree::new(square, true, 4, 16, self.depth, bodies.len());
        for row in 0..bodies.len() {
            tree.insert_with_box(row as u32, area(&bodies, row)).ok_or("not inserted")?;
        }
        let ready = clock::now();
        self.stamp.clear();
        self.stamp.resize(bodies.len(), u32::MAX);
        for row in 0..bodies.len() as u32 {
            let _: Result<(), ()> = tree.custom_query(area(&bodies, row as usize), &mut |item, _| {
                if let Some(&other) = tree.get(item)
                    && other > row
                    && self.stamp[other as usize] != row
                {
                    self.stamp[other as usize] = row;
                    if overlap(&bodies, row, other) {
                        found.push([row, other]);
                    }
                }
                Ok(())
            });
        }
        Ok(ready)
    }
}
