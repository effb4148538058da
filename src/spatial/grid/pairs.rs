//! Pairs of bodies that overlap.

use super::DenseGrid;
use crate::simd::{self, CellRows, Level, PAIR_ROOM, PairCursor};
use crate::spatial::Pairs;
use std::ops::ControlFlow;

/// Pairs found between two rounds of visits.
const ROUND: usize = 4 * PAIR_ROOM;

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
        let (mut first, mut second) = ([0; ROUND], [0; ROUND]);
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

    /// Writes the pairs that the bodies of some rows of buckets make. The places of last time are used again.
    pub(super) fn collect_rows(&self, level: Level, rows: std::ops::Range<usize>, found: &mut Pairs) -> u64 {
        let mut cursor = PairCursor::new(rows);
        let Pairs { first, second, .. } = found;
        let mut count = 0;
        while !cursor.is_done() {
            if first.len() < count + PAIR_ROOM {
                let room = (count + count / 2).max(count + ROUND);
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
