//! The counting sort that fills the buckets.

use super::DenseGrid;
use crate::simd::{self, Level, PADDING};
use crate::spatial::Bodies;

impl DenseGrid {
    /// Fills the columns by bucket; keeps the order of the input inside a bucket.
    pub(super) fn sort(&mut self, level: Level, bodies: Bodies<2>) {
        let n = bodies.len();
        let cells = self.layout.cells;
        self.bucket.resize(n, 0);
        simd::cells(level, &cells, bodies.position, &mut self.bucket);
        self.start.clear();
        self.start.resize(self.layout.numbers(), 0);
        for &bucket in &self.bucket {
            self.start[bucket as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.point.resize(n + PADDING, [0.0; 2]);
        self.row.resize(n + PADDING, 0);
        // From the end of each bucket backwards: keeps the order, and leaves the starts behind.
        let start = &mut self.start[..];
        let rows = self.bucket.iter().zip(bodies.position).enumerate().rev();
        let (points, names) = (&mut self.point[..n], &mut self.row[..n]);
        if cells.along == 0 {
            for (row, (&bucket, &point)) in rows {
                let start = &mut start[bucket as usize];
                *start -= 1;
                points[*start as usize] = point;
                names[*start as usize] = row as u32;
            }
        } else {
            for (row, (&bucket, &[x, y])) in rows {
                let start = &mut start[bucket as usize];
                *start -= 1;
                points[*start as usize] = [y, x];
                names[*start as usize] = row as u32;
            }
        }
    }

    /// The columns that only pairs need, where they are needed.
    pub(super) fn sort_rest(&mut self, bodies: Bodies<2>, equal: bool) {
        let rows = &self.row[..bodies.len()];
        self.radius.clear();
        if !equal {
            self.radius.extend(rows.iter().map(|&row| bodies.radius[row as usize]));
            self.radius.resize(rows.len() + PADDING, 0.0);
        }
        self.resting.clear();
        if !bodies.resting.is_empty() {
            self.resting.extend(rows.iter().map(|&row| bodies.resting[row as usize]));
            self.resting.resize(rows.len() + PADDING, false);
        }
    }
}
