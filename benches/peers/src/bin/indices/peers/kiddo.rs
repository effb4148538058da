//! kiddo: a k-d tree.

use crate::clock;
use crate::side::{Asked, Found, Frames, Hits, Nearest, overlap};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use std::error::Error;
use std::num::NonZero;
use std::ops::Range;
use throng::spatial::Bodies;

/// The tree that cannot be changed, with the parameters its author recommends, built anew every frame. Queries visit what
/// they find, unsorted, with a scratch of the caller's: nothing is allocated.
#[derive(Default)]
pub struct Kiddo {
    tree: Option<ImmutableKdTree<f32, 2>>,
}

impl Kiddo {
    fn tree(&self) -> Result<&ImmutableKdTree<f32, 2>, &'static str> {
        self.tree.as_ref().ok_or("no tree yet")
    }
}

impl Asked for Kiddo {
    fn build(&mut self, bodies: Bodies<2>) -> Result<(), Box<dyn Error>> {
        self.tree = Some(ImmutableKdTree::new_from_slice(bodies.position).map_err(|error| format!("{error:?}"))?);
        Ok(())
    }

    fn within(
        &mut self,
        _: Bodies<2>,
        points: &[[f32; 2]],
        radius: f32,
        hits: &mut Hits,
    ) -> Result<(), Box<dyn Error>> {
        let tree = self.tree()?;
        let mut scratch = tree.create_scratch::<SquaredEuclidean<f32>>();
        for point in points {
            tree.query(point)
                .within::<SquaredEuclidean<f32>>(radius * radius)
                .unsorted()
                .exclusive_boundaries()
                .without_distances()
                .with_scratch(&mut scratch)
                .visit(|found| hits.add(found.item));
            hits.next();
        }
        Ok(())
    }

    fn nearest(
        &mut self,
        _: Bodies<2>,
        points: &[[f32; 2]],
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>> {
        let tree = self.tree()?;
        let mut scratch = tree.create_scratch::<SquaredEuclidean<f32>>();
        let k = NonZero::new(k).ok_or("none are wanted")?;
        for point in points {
            let found = tree.query(point).nearest_n::<SquaredEuclidean<f32>>(k).with_scratch(&mut scratch).execute();
            for found in &found {
                nearest.add(found.distance);
            }
            nearest.next();
        }
        Ok(())
    }

    fn others(
        &mut self,
        bodies: Bodies<2>,
        rows: Range<usize>,
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>> {
        let tree = self.tree()?;
        let mut scratch = tree.create_scratch::<SquaredEuclidean<f32>>();
        // The body itself is the first one.
        let k = NonZero::new(k + 1).ok_or("none are wanted")?;
        for point in &bodies.position[rows] {
            let found = tree.query(point).nearest_n::<SquaredEuclidean<f32>>(k).with_scratch(&mut scratch).execute();
            for found in &found[1..] {
                nearest.add(found.distance);
            }
            nearest.next();
        }
        Ok(())
    }
}

impl Frames for Kiddo {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        self.build(bodies)?;
        let widest = bodies.radius.iter().copied().fold(0.0, f32::max);
        let ready = clock::now();
        let tree = self.tree()?;
        let mut scratch = tree.create_scratch::<SquaredEuclidean<f32>>();
        for row in 0..bodies.len() as u32 {
            let reach = (bodies.radius[row as usize] + widest) * 1.000_001;
            tree.query(&bodies.position[row as usize])
                .within::<SquaredEuclidean<f32>>(reach * reach)
                .unsorted()
                .without_distances()
                .with_scratch(&mut scratch)
                .visit(|other| {
                    if other.item > row && overlap(&bodies, row, other.item) {
                        found.push([row, other.item]);
                    }
                });
        }
        Ok(ready)
    }
}
