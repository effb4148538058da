//! Where a route may pass from cluster to cluster.

use super::cluster::CLUSTERS_PER_SIDE;
use super::levels::Level;
use super::tiling::{Area, Tiling};
use crate::{Estimate, Octile};
use std::sync::Arc;
use throng_grid::{Cell, Direction, Ground};

/// An entrance of a cluster: a cell of its border line, seen from this cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Door {
    pub(super) cell: Cell,
    pub(super) x: u16,
    pub(super) y: u16,
    /// The next cluster, round the cell, of the two to four that share it, and the number of this door there.
    pub(super) twin: (u32, u16),
    /// The first of these clusters, and the number of this door there: that is where it is counted.
    pub(super) owner: (u32, u16),
}

/// How close doors lie: in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spacing {
    /// An opening of at most as many cells gets one door, in its middle. Wider ones get one at each end, ...
    pub(super) narrow: u32,
    /// ... and others between, at most this far apart.
    pub(super) apart: u32,
    /// A door is dropped again that is at most this far from another, where they are joined nearby on both sides of the
    /// line.
    pub(super) joined: u32,
}

/// The doors on every line between clusters, sorted along the line. A line has its doors for itself, so that an edit
/// changes those of the lines it touches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    /// Rows of the doors on the line right of each column of clusters but the last.
    upright: Vec<Arc<[u16]>>,
    /// Columns of the doors on the line below each row of clusters but the last.
    level: Vec<Arc<[u16]>>,
}

impl Lines {
    /// The doors of a level; those of a level above another are some of the doors `below`.
    pub(super) fn new(ground: &Ground, tiling: &Tiling, spacing: Spacing, below: Option<&Level>) -> Self {
        let line = |axis, number| Line { ground, tiling, spacing, below, axis, number }.doors();
        Self {
            upright: (1..tiling.columns).map(|number| line(Axis::Upright, number)).collect(),
            level: (1..tiling.rows).map(|number| line(Axis::Level, number)).collect(),
        }
    }

    /// The same after an edit that changed steps inside `areas` only.
    pub(super) fn repaired(
        &self,
        ground: &Ground,
        tiling: &Tiling,
        spacing: Spacing,
        below: Option<&Level>,
        areas: &[Area],
    ) -> Self {
        // So far from a line anything can change whether two of its doors are joined.
        let near = below.map_or(DEPTH, |below| below.tiling.size);
        let touched = |first: u32, last: u32, at: u32| (first.saturating_sub(near)..=last + near).contains(&at);
        let line = |axis, number| Line { ground, tiling, spacing, below, axis, number }.doors();
        let mut lines = self.clone();
        for (number, doors) in (1..).zip(&mut lines.upright) {
            if areas.iter().any(|area| touched(area.left, area.right, number * tiling.size)) {
                *doors = line(Axis::Upright, number);
            }
        }
        for (number, doors) in (1..).zip(&mut lines.level) {
            if areas.iter().any(|area| touched(area.top, area.bottom, number * tiling.size)) {
                *doors = line(Axis::Level, number);
            }
        }
        lines
    }

    fn on(&self, axis: Axis, number: u32) -> &[u16] {
        match axis {
            Axis::Upright => &self.upright[number as usize - 1],
            Axis::Level => &self.level[number as usize - 1],
        }
    }

    /// The cells of all doors of a cluster, sorted by cell.
    pub(super) fn of(&self, tiling: &Tiling, cluster: u32, cells: &mut Vec<(u32, u32)>) {
        cells.clear();
        let (column, row) = tiling.place(cluster);
        let area = tiling.area(cluster);
        for line in [column, column + 1] {
            if let Some(doors) = (line as usize).checked_sub(1).and_then(|line| self.upright.get(line)) {
                cells.extend(within(doors, area.top, area.bottom).iter().map(|&y| (u32::from(y), line * tiling.size)));
            }
        }
        for line in [row, row + 1] {
            if let Some(doors) = (line as usize).checked_sub(1).and_then(|line| self.level.get(line)) {
                cells.extend(within(doors, area.left, area.right).iter().map(|&x| (line * tiling.size, u32::from(x))));
            }
        }
        // A door in a corner may be on both lines, or on one of another cluster's that ends there.
        for (x, y) in
            [(area.left, area.top), (area.right, area.top), (area.left, area.bottom), (area.right, area.bottom)]
        {
            if self.contains(tiling, x, y) {
                cells.push((y, x));
            }
        }
        cells.sort_unstable();
        cells.dedup();
    }

    fn contains(&self, tiling: &Tiling, x: u32, y: u32) -> bool {
        let on = |lines: &[Arc<[u16]>], at: u32, along: u32| {
            at > 0
                && at.is_multiple_of(tiling.size)
                && lines.get((at / tiling.size - 1) as usize).is_some_and(|l| l.binary_search(&(along as u16)).is_ok())
        };
        on(&self.upright, x, y) || on(&self.level, y, x)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.upright.iter().chain(&self.level).map(|line| size_of_val(line) + size_of_val(&**line)).sum()
    }
}

fn within(doors: &[u16], first: u32, last: u32) -> &[u16] {
    let start = doors.partition_point(|&door| u32::from(door) < first);
    let end = doors.partition_point(|&door| u32::from(door) <= last);
    &doors[start..end]
}

/// How a line runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Upright,
    Level,
}

/// Cells on each side of a line in which its doors may be joined.
const DEPTH: u32 = 5;

/// A line between clusters: the last of the clusters of column or row `number` - 1 and the first of the next.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    ground: &'a Ground,
    tiling: &'a Tiling,
    spacing: Spacing,
    below: Option<&'a Level>,
    axis: Axis,
    number: u32,
}

impl Line<'_> {
    /// Column and row of a cell on the line.
    fn place(&self, at: u32) -> (u32, u32) {
        let line = self.number * self.tiling.size;
        match self.axis {
            Axis::Upright => (line, at),
            Axis::Level => (at, line),
        }
    }

    /// The doors: for each stretch between corners of clusters, and each opening in it, some of the opening's cells, or
    /// of the doors below. An opening is a run of cells that steps along the line join.
    fn doors(self) -> Arc<[u16]> {
        let lattice = self.tiling.lattice;
        let (along, length) = match self.axis {
            Axis::Upright => (Direction::South, lattice.height),
            Axis::Level => (Direction::East, lattice.width),
        };
        let mut doors = Vec::new();
        let mut start = 0;
        loop {
            let (end, first_door) = ((start + self.tiling.size).min(length - 1), doors.len());
            let mut first = start;
            for at in start..=end {
                let (x, y) = self.place(at);
                let mask = self.ground.moves(lattice.cell(x, y));
                if at < end && mask >> along as u8 & 1 == 1 {
                    continue;
                }
                // A run ends here. A cell without any step is a wall.
                if mask != 0 || at > first {
                    self.open(first, at, &mut doors);
                }
                first = at + 1;
            }
            self.thin(start, first_door, &mut doors);
            start = end;
            if start + 1 >= length {
                break;
            }
        }
        doors.dedup();
        doors.into()
    }

    /// The doors of one opening.
    fn open(&self, first: u32, last: u32, doors: &mut Vec<u16>) {
        let length = last - first;
        let gaps = if length < self.spacing.narrow { 0 } else { length.div_ceil(self.spacing.apart) };
        let below =
            self.below.map(|below| within(below.lines.on(self.axis, self.number * CLUSTERS_PER_SIDE), first, last));
        let nearest = |target: u32| match below {
            None => Some(target as u16),
            Some(below) => below.iter().copied().min_by_key(|&door| (u32::from(door).abs_diff(target), door)),
        };
        let middle = (gaps == 0).then_some(first + length / 2);
        let spread = (0..=gaps).filter(|_| gaps > 0).map(|gap| first + length * gap / gaps);
        doors.extend(middle.into_iter().chain(spread).filter_map(nearest));
    }

    /// Drops doors of a stretch, those from `first` on, that are joined to the one kept before.
    fn thin(&self, start: u32, first: usize, doors: &mut Vec<u16>) {
        let mut kept = first;
        for next in first + 1..doors.len() {
            let (a, b) = (u32::from(doors[kept]), u32::from(doors[next]));
            if b - a > self.spacing.joined || !self.joined(start, a, b) {
                kept += 1;
                doors[kept] = doors[next];
            }
        }
        doors.truncate(doors.len().min(kept + 1));
    }

    /// True where two doors are joined nearby on both sides.
    fn joined(&self, start: u32, a: u32, b: u32) -> bool {
        let (x, y) = self.place(start);
        let tiling = self.below.map_or(self.tiling, |below| &below.tiling);
        let (from, to) = (self.place(a), self.place(b));
        let Some(below) = self.below else {
            let line = self.number * self.tiling.size;
            let (column, row) = self.tiling.tile(x, y);
            let areas = match self.axis {
                Axis::Upright => [(column - 1, row), (column, row)],
                Axis::Level => [(column, row - 1), (column, row)],
            };
            return areas.into_iter().all(|tile| {
                let mut area = tiling.area(tiling.number(tile));
                let clip = |first: &mut u32, last: &mut u32, low: u32, high: u32| {
                    *first = low.saturating_sub(2).max(*first);
                    *last = (high + 2).min(*last);
                };
                let across = |first: &mut u32, last: &mut u32| {
                    *first = line.saturating_sub(DEPTH).max(*first);
                    *last = (line + DEPTH).min(*last);
                };
                match self.axis {
                    Axis::Upright => {
                        clip(&mut area.top, &mut area.bottom, a, b);
                        across(&mut area.left, &mut area.right);
                    }
                    Axis::Level => {
                        clip(&mut area.left, &mut area.right, a, b);
                        across(&mut area.top, &mut area.bottom);
                    }
                }
                flows(self.ground, area, from, to)
            });
        };
        // The clusters below that have both: two, one on each side, or none.
        let (first, last) = (tiling.sharing(from.0, from.1), tiling.sharing(to.0, to.1));
        let (left, top) = (first.left.max(last.left), first.top.max(last.top));
        let (right, bottom) = (first.right.min(last.right), first.bottom.min(last.bottom));
        if left > right || top > bottom {
            return false;
        }
        let most = 2 * Octile::cost(from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        let [from, to] = [from, to].map(|(x, y)| tiling.lattice.cell(x, y));
        (top..=bottom).all(|row| {
            (left..=right).all(|column| {
                let cluster = &below.clusters[tiling.number((column, row)) as usize];
                let doors = cluster.door(from).zip(cluster.door(to));
                doors.is_some_and(|(from, to)| cluster.cost(from, to) <= most)
            })
        })
    }
}

/// True where steps inside an area of at most 128 cells lead from one cell to another.
fn flows(ground: &Ground, area: Area, from: (u32, u32), to: (u32, u32)) -> bool {
    if area.len() > 128 {
        return false;
    }
    let lattice = ground.lattice();
    let (mut seen, mut open) = (1_u128 << area.index(from.0, from.1), 1_u128 << area.index(from.0, from.1));
    while open != 0 {
        let at = open.trailing_zeros();
        open &= open - 1;
        let (x, y) = (area.left + at % area.width(), area.top + at / area.width());
        if (x, y) == to {
            return true;
        }
        let mask = ground.moves(lattice.cell(x, y));
        for d in Direction::ALL.into_iter().filter(|&d| mask >> d as u8 & 1 == 1) {
            let (dx, dy) = d.step();
            let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if area.contains(x, y) && seen >> area.index(x, y) & 1 == 0 {
                seen |= 1 << area.index(x, y);
                open |= 1 << area.index(x, y);
            }
        }
    }
    false
}
