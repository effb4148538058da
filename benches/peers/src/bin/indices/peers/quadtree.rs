//! aabb-quadtree: a quadtree of boxes, each in every leaf that it touches.

use super::boxes;
use crate::side::{Frames, Pairs, overlap};
use aabb_quadtree::{ItemId, QuadTree};
use euclid::{TypedPoint2D, TypedRect, TypedSize2D};
use std::error::Error;
use std::time::Instant;
use throng::spatial::Bodies;

type Rect = TypedRect<f32, ()>;

/// Filled anew every frame; asked by `custom_query` for each body, which does not sort what it finds. A body found
/// twice is known by a stamp.
#[derive(Default)]
pub struct Quadtree {
    stamp: Vec<u32>,
}

fn area(bodies: &Bodies<2>, row: usize) -> Rect {
    let (low, high) = boxes::of(bodies, row);
    Rect::new(TypedPoint2D::new(low[0], low[1]), TypedSize2D::new(high[0] - low[0], high[1] - low[1]))
}

impl Frames for Quadtree {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Pairs) -> Result<Instant, Box<dyn Error>> {
        let mut hull = area(&bodies, 0);
        for row in 0..bodies.len() {
            hull = hull.union(&area(&bodies, row));
        }
        // Of the depths from 5 to 12 and capacities from 4 to 32 its own choice of 8 and 16 is the best or near it.
        let mut tree: QuadTree<u32, (), [(ItemId, Rect); 16]> = QuadTree::new(hull.inflate(1.0, 1.0), true, 4, 16, 8, bodies.len());
        for row in 0..bodies.len() {
            tree.insert_with_box(row as u32, area(&bodies, row)).ok_or("not inserted")?;
        }
        let ready = Instant::now();
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
