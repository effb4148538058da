//! A grid of some of the bodies, for structures that consist of several.

use super::DenseGrid;
use crate::simd::{self, Level};
use crate::spatial::Bodies;
use std::ops::ControlFlow;

/// Bodies tested between two rounds of visits.
const STRETCH: usize = 256;

impl DenseGrid {
    /// Calls the bodies by other rows: row i becomes `rows[i]`. These must rise with i.
    pub(in crate::spatial) fn rename(&mut self, rows: &[u32]) {
        for row in &mut self.row[..self.count] {
            *row = rows[*row as usize];
        }
    }

    /// Calls `visit` with the rows of the bodies here that overlap one of `bodies` that is not here, but for those that
    /// rest as that does. Adds to `tests`.
    pub(in crate::spatial) fn overlapping(
        &self,
        level: Level,
        bodies: Bodies<2>,
        one: u32,
        tests: &mut u64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 {
            return ControlFlow::Continue(());
        }
        let (radius, rests) = (bodies.radius[one as usize], bodies.rests(one as usize));
        let (point, reach) = (self.layout.turn(bodies.position[one as usize]), radius + self.widest);
        let window = self.layout.around(point, reach);
        let mut found = [0; STRETCH + simd::SLACK];
        for bucket_row in window.top..=window.bottom {
            let places = self.places(bucket_row, window.left, window.right);
            for first in places.clone().step_by(STRETCH) {
                let stretch = first..places.end.min(first + STRETCH);
                *tests += if rests {
                    self.resting[stretch.clone()].iter().map(|&rests| u64::from(!rests)).sum()
                } else {
                    stretch.len() as u64
                };
                let points = &self.point[stretch];
                let count = simd::nearer(level, points, first as u32, point, reach * reach, &mut found, 0);
                for &finding in &found[..count] {
                    let (row, squared) = (self.row[finding as u32 as usize], f32::from_bits((finding >> 32) as u32));
                    let reach = radius + bodies.radius[row as usize];
                    if squared < reach * reach && !(rests && bodies.rests(row as usize)) {
                        visit(row)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
