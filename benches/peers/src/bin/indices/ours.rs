//! Indices of throng.

use crate::side::{Asked, Frames, Hits, Nearest, Pairs};
use std::error::Error;
use std::time::Instant;
use throng::spatial::{Bodies, Index, IndexKind, SpatialIndex};

/// An index by its name.
pub struct Ours {
    index: Index,
}

impl Ours {
    pub fn new(kind: IndexKind) -> Self {
        Self { index: Index::new(kind) }
    }
}

impl Frames for Ours {
    fn frame(&mut self, bodies: Bodies<2>, found: &mut Pairs) -> Result<Instant, Box<dyn Error>> {
        self.index.rebuild(bodies);
        let ready = Instant::now();
        self.index.pairs(bodies, |i, j| found.push([i, j]));
        Ok(ready)
    }
}

impl Asked for Ours {
    fn build(&mut self, bodies: Bodies<2>) -> Result<(), Box<dyn Error>> {
        self.index.rebuild(bodies);
        Ok(())
    }

    fn within(&mut self, bodies: Bodies<2>, points: &[[f32; 2]], radius: f32, hits: &mut Hits) -> Result<(), Box<dyn Error>> {
        for &point in points {
            self.index.within(bodies, point, radius, |row, _| hits.add(row));
            hits.next();
        }
        Ok(())
    }

    fn nearest(&mut self, _: Bodies<2>, _: &[[f32; 2]], _: usize, _: &mut Nearest) -> Result<(), Box<dyn Error>> {
        Err("not there yet".into())
    }
}
