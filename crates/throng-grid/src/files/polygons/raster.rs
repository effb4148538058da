//! Polygons into cells.
//!
//! A cell is open where its centre is on free ground, so a door is as wide as it is drawn, to a cell. And two cells side by
//! side are both open only where all of the line between their centres is free: of two with a wall between them, however
//! thin, the one nearer to the wall is closed. So no wall vanishes between two cells, and none gets thicker than it is by
//! more than a cell.

use super::inside::{Crossing, Inside, inside};
use super::{Plan, Rings};
use crate::files::{lattice, polygons::FARTHEST};
use crate::{Grid, Lattice, MapError};
use std::ops::Range;
use std::path::Path;

/// The most places where outlines cross the lines through the centres of cells.
const MAX_CROSSINGS: usize = 1 << 24;

/// Lines that are looked at together: few enough for what crosses them to stay near at hand.
const BAND: u32 = 256;

/// Points nearer to each other than this part of a cell touch, and a stretch that is shorter is none.
const TOUCHING: f64 = 1e-6;

/// So much of a cell at the far margin may be missing.
const ROUNDING: f64 = 0.01;

/// The lines through the centres of cells, across the map or down.
#[derive(Clone, Copy)]
struct Lines {
    /// 0 = lines of one y that run along x, 1 = lines of one x.
    along: usize,
    origin: [f64; 2],
    cell: f64,
    count: u32,
}

/// A free stretch of a line.
type Stretch = (f64, f64);

/// The map of a plan.
pub(super) fn grid(plan: &Plan, [x0, y0, x1, y1]: [f64; 4], cell_size: f32, file: &Path) -> Result<Grid, MapError> {
    let cell = f64::from(cell_size);
    let cells = |extent: f64| (extent / cell - ROUNDING).ceil().clamp(1.0, FARTHEST) as u64;
    let lattice = Lattice { cell_size, ..lattice(cells(x1 - x0), cells(y1 - y0), file)? };
    let rows = Lines { along: 0, origin: [x0, y0], cell, count: lattice.height };
    let columns = Lines { along: 1, count: lattice.width, ..rows };
    let too_much = || MapError::Plan {
        file: file.to_path_buf(),
        found: "outlines of too many corners for cells this small".to_owned(),
        expected: "larger cells, or a simpler plan".to_owned(),
    };
    let mut grid = Grid::closed(lattice);
    let mut thin = Vec::new();
    rows.free(plan, |row, stretches| {
        for &(from, to) in stretches {
            for column in rows.centres(from, to, lattice.width) {
                grid.set_open(lattice.cell(column, row), true);
            }
        }
        rows.walls(stretches, lattice.width, |column| thin.push(lattice.cell(column, row)));
    })
    .ok_or_else(too_much)?;
    columns
        .free(plan, |column, stretches| {
            columns.walls(stretches, lattice.height, |row| thin.push(lattice.cell(column, row)));
        })
        .ok_or_else(too_much)?;
    for cell in thin {
        grid.set_open(cell, false);
    }
    rows.sweep(&plan.painted.iter().map(|(_, rings)| rings), |row, stretches| {
        // Of polygons on each other the last counts.
        for &Inside { polygon, from, to } in stretches {
            let class = plan.painted[polygon as usize].0;
            let columns = rows.centres(from, to, lattice.width);
            columns.for_each(|column| grid.set_terrain(lattice.cell(column, row), class));
        }
    })
    .ok_or_else(too_much)?;
    Ok(grid)
}

impl Lines {
    /// Calls `line` with the number of each line and its free stretches, in order; `None` where there are too many.
    fn free(self, plan: &Plan, mut line: impl FnMut(u32, &[Stretch])) -> Option<()> {
        let obstacles = plan.walkable.len();
        let is_bare = plan.walkable.is_empty();
        let (mut events, mut stretches) = (Vec::new(), Vec::new());
        self.sweep(&plan.walkable.iter().chain(&plan.obstacles), |number, insides| {
            events.clear();
            for &Inside { polygon, from, to } in insides {
                let (ground, walls) = if (polygon as usize) < obstacles { (1, 0) } else { (0, 1) };
                events.push((from, ground, walls));
                events.push((to, -ground, -walls));
            }
            events.sort_by(|a: &(f64, i32, i32), b| a.0.total_cmp(&b.0));
            stretches.clear();
            let (mut ground, mut walls) = (i32::from(is_bare), 0);
            let mut from = is_bare.then_some(f64::NEG_INFINITY);
            for event in events.chunk_by(|a, b| a.0 == b.0) {
                ground += event.iter().map(|event| event.1).sum::<i32>();
                walls += event.iter().map(|event| event.2).sum::<i32>();
                let is_free = ground > 0 && walls == 0;
                if let (Some(start), false) = (from, is_free) {
                    self.add((start, event[0].0), &mut stretches);
                    from = None;
                } else if is_free {
                    from = from.or(Some(event[0].0));
                }
            }
            if let Some(start) = from {
                self.add((start, f64::INFINITY), &mut stretches);
            }
            stretches.retain(|(from, to)| to - from > TOUCHING * self.cell);
            line(number, &stretches);
        })
    }

    /// Calls `line` with the number of each line and its stretches inside polygons, polygon after polygon, each from end to
    /// end; `None` where there are too many.
    fn sweep<'p>(
        self,
        polygons: &(impl Iterator<Item = &'p Rings> + Clone),
        mut line: impl FnMut(u32, &[Inside]),
    ) -> Option<()> {
        let (mut events, mut stretches) = (Vec::new(), Vec::new());
        let mut band: Vec<Vec<Crossing>> = vec![Vec::new(); BAND as usize];
        let mut left = MAX_CROSSINGS;
        for first in (0..self.count).step_by(BAND as usize) {
            let lines = first..self.count.min(first + BAND);
            for (rings, polygon) in polygons.clone().zip(0..) {
                self.crossings(rings, polygon, lines.clone(), &mut band, &mut left)?;
            }
            for (number, crossings) in lines.zip(&mut band) {
                stretches.clear();
                for polygon in crossings.chunk_by_mut(|a, b| a.polygon == b.polygon) {
                    inside(polygon, &mut events, &mut stretches);
                }
                line(number, &stretches);
                crossings.clear();
            }
        }
        Some(())
    }

    /// Adds a stretch to those before it: stretches that touch are one.
    fn add(self, (from, to): Stretch, stretches: &mut Vec<Stretch>) {
        match stretches.last_mut() {
            Some(last) if from - last.1 <= TOUCHING * self.cell => last.1 = to,
            _ => stretches.push((from, to)),
        }
    }

    /// Adds where a polygon crosses the lines of a band; `None` where more than are left.
    fn crossings(
        self,
        rings: &Rings,
        polygon: u32,
        lines: Range<u32>,
        band: &mut [Vec<Crossing>],
        left: &mut usize,
    ) -> Option<()> {
        let (along, across) = (self.along, 1 - self.along);
        // Rounding may be wrong by one.
        let (start, end) = (self.centre(across, lines.start) - self.cell, self.centre(across, lines.end));
        for (ring, number) in rings.iter().zip(0..) {
            let ends = ring.iter().skip(1).chain(ring.first());
            for (a, b) in ring.iter().zip(ends) {
                let (low, high) = (a[across].min(b[across]), a[across].max(b[across]));
                if high < start || low > end {
                    continue;
                }
                let line = |at: f64| (at - self.origin[across]) / self.cell - 0.5;
                // As a float first: casts keep to the range.
                let first = ((line(low) - 1.0).max(0.0) as u32).max(lines.start);
                let last = ((line(high) + 3.0).max(0.0) as u32).min(lines.end);
                for row in first..last {
                    let at = self.centre(across, row);
                    if (a[across] <= at) == (b[across] <= at) {
                        continue;
                    }
                    *left = left.checked_sub(1)?;
                    let part = (at - a[across]) / (b[across] - a[across]);
                    let place = a[along] + part * (b[along] - a[along]);
                    let is_back = b[across] < a[across];
                    band[(row - lines.start) as usize].push(Crossing::new(polygon, number, is_back, place));
                }
            }
        }
        Some(())
    }

    fn centre(self, axis: usize, number: u32) -> f64 {
        self.origin[axis] + (f64::from(number) + 0.5) * self.cell
    }

    /// The cells of a line whose centres are at or after `from` and before `to`.
    fn centres(self, from: f64, to: f64, count: u32) -> std::ops::Range<u32> {
        // The first centre at or after a place.
        let first = |at: f64| {
            let near = ((at - self.origin[self.along]) / self.cell - 0.5).ceil().clamp(0.0, count.into()) as u32;
            let is_before = |cell: u32| self.centre(self.along, cell) < at;
            // Rounding may be wrong by one.
            if near > 0 && !is_before(near - 1) {
                near - 1
            } else if near < count && is_before(near) {
                near + 1
            } else {
                near
            }
        };
        first(from)..first(to)
    }

    /// Calls `close` with the cell that is nearer, of each two side by side that are free with a wall between them.
    fn walls(self, stretches: &[Stretch], count: u32, mut close: impl FnMut(u32)) {
        // The one before: its end, and the first cell after it.
        let mut before: Option<(f64, u32)> = None;
        for &(from, to) in stretches {
            let cells = self.centres(from, to, count);
            // Between two walls that stand close.
            if cells.is_empty() {
                continue;
            }
            if let Some((end, right)) = before.replace((to, cells.end)).filter(|&(_, right)| right == cells.start) {
                let (left, middle) = (right - 1, f64::midpoint(end, from));
                let is_left = middle - self.centre(self.along, left) < self.centre(self.along, right) - middle;
                close(if is_left { left } else { right });
            }
        }
    }
}
