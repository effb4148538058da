//! A grid of some of the bodies, for structures that consist of several.

use super::DenseGrid;
use crate::Bodies;
use crate::simd::{Kernel, Lanes, Level, SLACK};
use std::ops::ControlFlow;

/// Bodies tested between two looks at the room left.
const RUN_BODIES: usize = 64;
/// Findings between two rounds of visits.
const ROUND_FINDINGS: usize = 4 * RUN_BODIES + SLACK;

impl DenseGrid {
    /// Calls the bodies by other rows: row i becomes `rows[i]`. These must rise with i.
    pub(crate) fn rename(&mut self, rows: &[u32]) {
        for row in &mut self.row[..self.count] {
            *row = rows[*row as usize];
        }
    }

    /// The rows of the bodies, by bucket.
    pub(crate) fn held(&self) -> &[u32] {
        &self.row[..self.count]
    }

    /// Calls `visit` with each of some rows of `bodies` that are not here, and each row here that it overlaps. Rows
    /// that rest as that does are left out. Adds to `tests`.
    pub(crate) fn overlapping(
        &self,
        level: Level,
        bodies: Bodies<2>,
        others: &[u32],
        tests: &mut u64,
        visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 {
            return ControlFlow::Continue(());
        }
        level.run(Overlapping { grid: self, bodies, others, tests, visit })
    }
}

struct Overlapping<'a, V> {
    grid: &'a DenseGrid,
    bodies: Bodies<'a, 2>,
    others: &'a [u32],
    tests: &'a mut u64,
    visit: V,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<V: FnMut(u32, u32) -> ControlFlow<()>> Kernel for Overlapping<'_, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> ControlFlow<()> {
        let grid = self.grid;
        let mut found = [0; ROUND_FINDINGS];
        for &one in self.others {
            let (radius, rests) = (self.bodies.radius[one as usize], self.bodies.rests(one as usize));
            let (point, reach) = (grid.layout.turn(self.bodies.position[one as usize]), radius + grid.widest);
            let window = grid.layout.around(point, reach);
            let mut count = 0;
            for bucket_row in window.top..=window.bottom {
                let mut places = grid.places(bucket_row, window.left, window.right);
                *self.tests += if rests {
                    grid.resting[places.clone()].iter().map(|&rests| u64::from(!rests)).sum()
                } else {
                    places.len() as u64
                };
                while places.start < places.end {
                    let end = places.end.min(places.start + RUN_BODIES);
                    if count + (end - places.start) + SLACK > ROUND_FINDINGS {
                        self.visit(one, &found[..count])?;
                        count = 0;
                    }
                    let (points, rows) = (&grid.point[places.start..end], &grid.row[places.start..end]);
                    count = lanes.nearer(points, rows, point, reach * reach, &mut found, count);
                    places.start = end;
                }
            }
            self.visit(one, &found[..count])?;
        }
        ControlFlow::Continue(())
    }
}

impl<V: FnMut(u32, u32) -> ControlFlow<()>> Overlapping<'_, V> {
    /// Findings are as near as the widest body would have to be.
    #[inline]
    fn visit(&mut self, one: u32, found: &[u64]) -> ControlFlow<()> {
        let Bodies { radius, resting, .. } = self.bodies;
        let equal = self.grid.radius.is_empty();
        let rests = self.bodies.rests(one as usize);
        for &finding in found {
            let (row, squared) = (finding as u32, f32::from_bits((finding >> 32) as u32));
            let near = equal || {
                let reach = radius[one as usize] + radius[row as usize];
                squared < reach * reach
            };
            if near && !(rests && resting[row as usize]) {
                (self.visit)(one, row)?;
            }
        }
        ControlFlow::Continue(())
    }
}
