//! Indices of throng.

use crate::clock;
use crate::side::{Asked, Found, Frames, Hits, Nearest};
use std::error::Error;
use std::ops::ControlFlow;
use throng::spatial::{Bodies, Index, IndexKind, SpatialIndex};

/// An index by its name.
pub struct Ours {
    index: Index,
    found: Vec<(u32, f32)>,
}

impl Ours {
    pub fn new(kind: IndexKind) -> Self {
        Self { index: Index::new(kind), found: Vec::new() }
    }
}

impl Frames for Ours {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Found) -> Result<f64, Box<dyn Error>> {
        self.index.update(bodies)?;
        let ready = clock::now();
        self.index.collect_pairs(bodies, &mut found.columns);
        Ok(ready)
    }
}

impl Asked for Ours {
    fn build(&mut self, bodies: Bodies<2>) -> Result<(), Box<dyn Error>> {
        Ok(self.index.rebuild(bodies)?)
    }

    fn within(
        &mut self,
        bodies: Bodies<2>,
        points: &[[f32; 2]],
        radius: f32,
        hits: &mut Hits,
    ) -> Result<(), Box<dyn Error>> {
        for &point in points {
            let _ = self.index.within(bodies, point, radius, |row, _| {
                hits.add(row);
                ControlFlow::Continue(())
            });
            hits.next();
        }
        Ok(())
    }

    fn nearest(
        &mut self,
        bodies: Bodies<2>,
        points: &[[f32; 2]],
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>> {
        for &point in points {
            self.index.k_nearest(bodies, point, k, f32::INFINITY, |_| true, &mut self.found);
            for &(_, squared) in &self.found {
                nearest.add(squared);
            }
            nearest.next();
        }
        Ok(())
    }
}
