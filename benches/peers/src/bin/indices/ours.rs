//! Indices of throng.

use crate::clock;
use crate::side::{Asked, Found, Frames, Hits, Nearest};
use std::error::Error;
use std::ops::{ControlFlow, Range};
use throng::spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
use throng::volume::distance_squared;

/// An index by its name.
pub struct Ours {
    index: Index,
    found: Vec<(u32, f32)>,
    near: Near,
}

impl Ours {
    pub fn new(kind: IndexKind) -> Self {
        Self { index: Index::new(kind), found: Vec::new(), near: Near::default() }
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

    fn others(
        &mut self,
        bodies: Bodies<2>,
        rows: Range<usize>,
        k: usize,
        nearest: &mut Nearest,
    ) -> Result<(), Box<dyn Error>> {
        self.near.reset(rows.len(), k);
        for stretch in self.near.stretches(rows.len()) {
            self.index.neighbours(bodies, rows.start, f32::INFINITY, stretch);
        }
        for (i, row) in rows.enumerate() {
            for &other in self.near.of(i) {
                nearest.add(distance_squared(bodies.position[row], bodies.position[other as usize]));
            }
            nearest.next();
        }
        Ok(())
    }
}
