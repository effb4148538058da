//! Where a route may pass from cluster to cluster.

use super::tiling::{Area, Tiling};
use crate::grid::{Cell, Direction, Ground};
use std::sync::Arc;

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
    /// The doors of a level; those of a level above others are some of the doors `below`, on every `factor`th line.
    pub(super) fn new(ground: &Ground, tiling: &Tiling, spacing: Spacing, below: Option<(&Lines, u32)>) -> Self {
        let upright = (1..tiling.columns).map(|line| {
            let below = below.map(|(lines, factor)| &*lines.upright[(line * factor - 1) as usize]);
            upright(ground, tiling, spacing, line, below)
        });
        let level = (1..tiling.rows).map(|line| {
            let below = below.map(|(lines, factor)| &*lines.level[(line * factor - 1) as usize]);
            level(ground, tiling, spacing, line, below)
        });
        Self { upright: upright.collect(), level: level.collect() }
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

    /// The same after an edit that changed steps inside `areas` only.
    pub(super) fn repaired(
        &self,
        ground: &Ground,
        tiling: &Tiling,
        spacing: Spacing,
        below: Option<(&Lines, u32)>,
        areas: &[Area],
    ) -> Self {
        let mut lines = self.clone();
        for line in 1..tiling.columns {
            let x = line * tiling.size;
            if areas.iter().any(|area| (area.left..=area.right).contains(&x)) {
                let below = below.map(|(lines, factor)| &*lines.upright[(line * factor - 1) as usize]);
                lines.upright[line as usize - 1] = upright(ground, tiling, spacing, line, below);
            }
        }
        for line in 1..tiling.rows {
            let y = line * tiling.size;
            if areas.iter().any(|area| (area.top..=area.bottom).contains(&y)) {
                let below = below.map(|(lines, factor)| &*lines.level[(line * factor - 1) as usize]);
                lines.level[line as usize - 1] = level(ground, tiling, spacing, line, below);
            }
        }
        lines
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

fn upright(ground: &Ground, tiling: &Tiling, spacing: Spacing, line: u32, below: Option<&[u16]>) -> Arc<[u16]> {
    let lattice = tiling.lattice;
    let moves = |y| ground.moves(lattice.cell(line * tiling.size, y));
    choose(moves, Direction::South, lattice.height, tiling.size, spacing, below)
}

fn level(ground: &Ground, tiling: &Tiling, spacing: Spacing, line: u32, below: Option<&[u16]>) -> Arc<[u16]> {
    let lattice = tiling.lattice;
    let moves = |x| ground.moves(lattice.cell(x, line * tiling.size));
    choose(moves, Direction::East, lattice.width, tiling.size, spacing, below)
}

/// The doors on a line of `length` cells: for each stretch between corners of clusters and each opening in it, a run of
/// cells that `along` joins, some of its cells, or of the doors `below`.
fn choose(
    moves: impl Fn(u32) -> u8,
    along: Direction,
    length: u32,
    size: u32,
    spacing: Spacing,
    below: Option<&[u16]>,
) -> Arc<[u16]> {
    let mut doors = Vec::new();
    let mut start = 0;
    loop {
        let end = (start + size).min(length - 1);
        let mut first = start;
        for at in start..=end {
            let mask = moves(at);
            if at < end && mask >> along as u8 & 1 == 1 {
                continue;
            }
            // A run ends here. A cell without any step is a wall.
            if mask != 0 || at > first {
                open(first, at, spacing, below, &mut doors);
            }
            first = at + 1;
        }
        start = end;
        if start + 1 >= length {
            break;
        }
    }
    doors.dedup();
    doors.into()
}

/// The doors of one opening.
fn open(first: u32, last: u32, spacing: Spacing, below: Option<&[u16]>, doors: &mut Vec<u16>) {
    let length = last - first;
    let gaps = if length < spacing.narrow { 0 } else { length.div_ceil(spacing.apart) };
    let below = below.map(|below| within(below, first, last));
    let nearest = |target: u32| match below {
        None => Some(target as u16),
        Some(below) => below.iter().copied().min_by_key(|&door| (u32::from(door).abs_diff(target), door)),
    };
    let middle = (gaps == 0).then_some(first + length / 2);
    let spread = (0..=gaps).filter(|_| gaps > 0).map(|gap| first + length * gap / gaps);
    doors.extend(middle.into_iter().chain(spread).filter_map(nearest));
}
