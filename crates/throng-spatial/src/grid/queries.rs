//! Questions about places: bodies within a distance, and the nearest ones.

use super::DenseGrid;
use super::layout::Window;
use crate::Bodies;
use crate::nearby::{Nearby, Sink};
use crate::simd::{Kernel, Lanes, Level, SLACK};
use crate::volume::distance_squared;
use std::ops::ControlFlow;

/// Bodies tested between two looks at the room left.
const RUN_BODIES: usize = 64;
/// Findings between two rounds of visits.
const ROUND_FINDINGS: usize = 2 * RUN_BODIES + SLACK;

impl DenseGrid {
    pub(super) fn visit_within(
        &self,
        level: Level,
        point: [f32; 2],
        radius: f32,
        mut visit: impl FnMut(u32, f32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.count == 0 || radius.is_nan() || radius <= 0.0 {
            return ControlFlow::Continue(());
        }
        let point = self.layout.turn(point);
        let window = self.layout.around(point, radius);
        let mut next = Next { row: window.top, done: 0 };
        let mut found = [0; ROUND_FINDINGS];
        while next.row <= window.bottom {
            let squared = radius * radius;
            let kernel = Within { grid: self, window, next: &mut next, point, squared, found: &mut found };
            let count = level.run(kernel);
            for &finding in &found[..count] {
                visit(finding as u32, f32::from_bits((finding >> 32) as u32))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Ring after ring of buckets.
    pub(super) fn nearest_by_rings(
        &self,
        bodies: Bodies<2>,
        point: [f32; 2],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        if self.count == 0 || reach.is_nan() || reach <= 0.0 {
            return None;
        }
        let layout = &self.layout;
        let point = layout.turn(point);
        let window = layout.around(point, reach);
        let centre = [layout.cells.step(0, point[0]), layout.cells.step(1, point[1])];
        // The best so far: squared distance, row, id.
        let mut best: Option<(f32, u32, u32)> = None;
        let mut limit = reach * reach;
        let mut scan = |places: std::ops::Range<usize>| {
            for place in places {
                let squared = distance_squared(self.point[place], point);
                // Beyond the first finding equally near ones still compete by id.
                let rival = best.is_some_and(|best| squared.to_bits() == best.0.to_bits());
                if squared < limit || rival {
                    let row = self.row[place];
                    let id = bodies.id[row as usize];
                    if (!rival || best.is_some_and(|best| id < best.2)) && accept(row) {
                        best = Some((squared, row, id));
                        limit = squared;
                    }
                }
            }
            limit
        };
        let mut ring = 0;
        loop {
            let (left, right) = (centre[0].saturating_sub(ring).max(window.left), (centre[0] + ring).min(window.right));
            let (top, bottom) = (centre[1].saturating_sub(ring).max(window.top), (centre[1] + ring).min(window.bottom));
            let mut limit = f32::INFINITY;
            for row in top..=bottom {
                if row + ring == centre[1] || row == centre[1] + ring {
                    limit = scan(self.places(row, left, right));
                } else {
                    if left + ring == centre[0] {
                        limit = scan(self.places(row, left, left));
                    }
                    if right == centre[0] + ring {
                        limit = scan(self.places(row, right, right));
                    }
                }
            }
            let bound = layout.bound(point, centre, ring);
            let whole = left == window.left && right == window.right && top == window.top && bottom == window.bottom;
            // Strictly further: equally near ones compete by id.
            if whole || (bound > 0.0 && bound * bound > limit) {
                return best.map(|(squared, row, _)| (row, squared));
            }
            ring += 1;
        }
    }
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Nearby<2> for DenseGrid {
    fn count(&self) -> usize {
        self.count
    }

    fn first_look(&self, k: usize) -> f32 {
        self.layout.side * (k as f32 * 0.5).sqrt()
    }

    #[inline(always)]
    fn show<L: Lanes, S: Sink<2>>(&self, lanes: L, point: [f32; 2], reach: f32, sink: &mut S) -> ControlFlow<()> {
        if self.count == 0 {
            return ControlFlow::Continue(());
        }
        let point = self.layout.turn(point);
        let window = self.layout.around(point, reach);
        for row in window.top..=window.bottom {
            let places = self.places(row, window.left, window.right);
            sink.take(lanes, &self.point[places.clone()], &self.row[places], point)?;
        }
        ControlFlow::Continue(())
    }
}

/// Where a search goes on: a row of buckets, and how many of its bodies are done.
struct Next {
    row: u32,
    done: usize,
}

struct Within<'a> {
    grid: &'a DenseGrid,
    window: Window,
    next: &'a mut Next,
    point: [f32; 2],
    squared: f32,
    found: &'a mut [u64; ROUND_FINDINGS],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for Within<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { grid, window, next, point, squared, found } = self;
        let mut count = 0;
        while next.row <= window.bottom {
            let places = grid.places(next.row, window.left, window.right);
            let mut first = places.start + next.done;
            while first < places.end {
                let end = places.end.min(first + RUN_BODIES);
                if count + (end - first) + SLACK > ROUND_FINDINGS {
                    next.done = first - places.start;
                    return count;
                }
                count = lanes.nearer(&grid.point[first..end], &grid.row[first..end], point, squared, found, count);
                first = end;
            }
            (next.row, next.done) = (next.row + 1, 0);
        }
        count
    }
}
