//! Pairs of bodies that overlap.

use super::DenseGrid;
use crate::Pairs;
use crate::simd::{self, CellRows, Level, PAIR_ROOM, PairCursor};
use std::ops::ControlFlow;

/// Pairs found between two rounds of visits.
const ROUND_PAIRS: usize = 4 * PAIR_ROOM;

impl DenseGrid {
    /// The bodies as the kernels want them.
    fn rows(&self) -> CellRows<'_> {
        CellRows {
            grid: self.layout.cells,
            apart: self.layout.apart,
            start: &self.start,
            point: &self.point,
            name: &self.row,
            radius: &self.radius,
            widest: self.widest,
            rests: &self.resting,
        }
    }

    pub(super) fn visit_pairs(&self, level: Level, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut cursor = PairCursor::new(0..self.rows_of_buckets());
        let (mut first, mut second) = ([0; ROUND_PAIRS], [0; ROUND_PAIRS]);
        while !cursor.is_done() {
            let count = simd::pairs(level, &self.rows(), &mut cursor, &mut first, &mut second);
            for (&i, &j) in first[..count].iter().zip(&second[..count]) {
                if visit(i, j).is_break() {
                    return cursor.tests;
                }
            }
        }
        cursor.tests
    }

    /// Writes all pairs, on `threads` threads of the current rayon pool; the same ones in the same order for any number.
    pub(super) fn collect(&self, level: Level, threads: usize, found: &mut Pairs) -> u64 {
        let rows = self.rows_of_buckets();
        if threads <= 1 {
            return self.collect_rows(level, 0..rows, found);
        }
        let mut parts = std::mem::take(&mut found.parts);
        // Several parts a thread, so that a slower one holds up none for long.
        parts.resize_with(4 * threads, Pairs::default);
        let tests = self.collect_parts(level, 0, parts.len(), &mut parts);
        found.clear();
        for part in &parts {
            found.first.extend_from_slice(&part.first);
            found.second.extend_from_slice(&part.second);
        }
        found.parts = parts;
        tests
    }

    /// Fills some of `all` parts, of which `first` is the number of the first one.
    fn collect_parts(&self, level: Level, first: usize, all: usize, parts: &mut [Pairs]) -> u64 {
        match parts {
            [] => 0,
            [part] => self.collect_rows(level, self.row_at(first, all)..self.row_at(first + 1, all), part),
            _ => {
                let middle = parts.len() / 2;
                let (lower, upper) = parts.split_at_mut(middle);
                let (lower, upper) = rayon::join(
                    || self.collect_parts(level, first, all, lower),
                    || self.collect_parts(level, first + middle, all, upper),
                );
                lower + upper
            }
        }
    }

    /// The first row of buckets of one of `all` parts with about as many bodies each.
    fn row_at(&self, part: usize, all: usize) -> usize {
        let pitch = self.layout.cells.pitch();
        let bodies = self.count * part / all;
        let (mut low, mut high) = (0, self.rows_of_buckets());
        while low < high {
            let middle = low.midpoint(high);
            if (self.start[middle * pitch] as usize) < bodies {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if part == all { self.rows_of_buckets() } else { low }
    }

    /// Writes the pairs that the bodies of some rows of buckets make. The places of last time are used again.
    pub(super) fn collect_rows(&self, level: Level, rows: std::ops::Range<usize>, found: &mut Pairs) -> u64 {
        let mut cursor = PairCursor::new(rows);
        let Pairs { first, second, .. } = found;
        let mut count = 0;
        while !cursor.is_done() {
            if first.len() < count + PAIR_ROOM {
                let room = (count + count / 2).max(count + ROUND_PAIRS);
                first.resize(room, 0);
                second.resize(room, 0);
            }
            count += simd::pairs(level, &self.rows(), &mut cursor, &mut first[count..], &mut second[count..]);
        }
        first.truncate(count);
        second.truncate(count);
        cursor.tests
    }
}
