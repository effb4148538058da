//! The counting sort that fills the buckets.
//!
//! Keys, histogram, sums, and a scatter from the end of each bucket backwards, which keeps the order of the input and
//! leaves the starts behind. Where there are too many bodies for the caches, or several threads, they are first dealt to
//! stripes of consecutive buckets in the order of the input, and each stripe is sorted by itself (as the most significant
//! digit of a radix sort): the result is the same to the byte.

use super::DenseGrid;
use crate::simd::{self, CellGrid, Level, PADDING};
use crate::spatial::Bodies;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use std::ops::Range;

/// The most stripes.
const STRIPES: usize = 256;
/// Bodies a stripe.
const STRIPE: usize = 4096;
/// From how many bodies on stripes are faster on one thread, and on several.
const MANY: usize = 500_000;
const MANY_FOR_THREADS: usize = 50_000;

/// What is dealt to stripes.
#[derive(Clone, Debug, Default)]
pub(super) struct Deal {
    /// The bodies of each part of the input, stripe by stripe.
    dealt: Vec<Dealt>,
    /// For each part, where its stripes start in it.
    starts: Vec<[u32; STRIPES + 1]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Dealt {
    bucket: u32,
    row: u32,
    point: [f32; 2],
}

impl Deal {
    pub fn bytes(&self) -> usize {
        self.dealt.capacity() * size_of::<Dealt>() + self.starts.capacity() * size_of::<[u32; STRIPES + 1]>()
    }
}

impl DenseGrid {
    /// Fills the columns by bucket; keeps the order of the input inside a bucket. The rows `not` come last. Runs on
    /// `threads` threads of the current rayon pool.
    pub(super) fn sort(&mut self, level: Level, bodies: Bodies<2>, not: &[u32], threads: usize) {
        let n = bodies.len();
        self.point.resize(n + PADDING, [0.0; 2]);
        self.row.resize(n + PADDING, 0);
        self.bucket.resize(n, 0);
        if n >= MANY || threads > 1 {
            self.sort_stripes(level, bodies, not, threads);
        } else {
            self.sort_at_once(level, bodies, not);
        }
    }

    pub(super) fn sort_at_once(&mut self, level: Level, bodies: Bodies<2>, not: &[u32]) {
        let n = bodies.len();
        let cells = self.layout.cells;
        simd::cells(level, &cells, bodies.position, &mut self.bucket);
        let nowhere = self.layout.nowhere();
        for &row in not {
            self.bucket[row as usize] = nowhere;
        }
        self.start.clear();
        self.start.resize(self.layout.numbers(), 0);
        for &bucket in &self.bucket {
            self.start[bucket as usize] += 1;
        }
        add_up(&mut self.start, 0);
        let start = &mut self.start[..];
        let (points, names) = (&mut self.point[..n], &mut self.row[..n]);
        let rows = self.bucket.iter().zip(bodies.position).enumerate().rev();
        for (row, (&bucket, &point)) in rows {
            let start = &mut start[bucket as usize];
            *start -= 1;
            points[*start as usize] = if cells.along == 0 { point } else { [point[1], point[0]] };
            names[*start as usize] = row as u32;
        }
    }

    pub(super) fn sort_stripes(&mut self, level: Level, bodies: Bodies<2>, not: &[u32], threads: usize) {
        let n = bodies.len();
        let numbers = self.layout.numbers();
        // As many buckets a stripe as make about `STRIPE` bodies, a power of two.
        let shift = numbers.div_ceil((n / STRIPE).clamp(1, STRIPES)).next_power_of_two().ilog2();
        let part = n.div_ceil(threads).max(1);
        let Deal { dealt, starts } = &mut self.deal;
        dealt.resize(n, Dealt::default());
        starts.resize(n.div_ceil(part), [0; STRIPES + 1]);
        let dealer = Dealer { level, cells: self.layout.cells, shift, not, nowhere: self.layout.nowhere() };
        if threads > 1 {
            (bodies.position.par_chunks(part).enumerate())
                .zip(self.bucket.par_chunks_mut(part))
                .zip(dealt.par_chunks_mut(part))
                .zip(starts.par_iter_mut())
                .for_each(|((((i, points), buckets), dealt), starts)| {
                    dealer.deal(points, i * part, buckets, dealt, starts);
                });
        } else {
            for starts in &mut *starts {
                dealer.deal(bodies.position, 0, &mut self.bucket, dealt, starts);
            }
        }
        self.start.resize(numbers, 0);
        Stripes { dealt, starts, part, shift, parallel: threads > 1 }.sort(
            0..numbers.div_ceil(1 << shift),
            0,
            &mut self.start,
            &mut self.point[..n],
            &mut self.row[..n],
        );
    }

    /// The columns that only pairs need, where they are needed.
    pub(super) fn sort_rest(&mut self, bodies: Bodies<2>, equal: bool) {
        let rows = &self.row[..self.count];
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

/// How many threads are worth it for so many bodies.
pub(in crate::spatial) fn threads_for(bodies: usize) -> usize {
    if bodies < MANY_FOR_THREADS { 1 } else { rayon::current_num_threads() }
}

/// Makes starts of counts: `start` becomes the number of bodies in a bucket and all before.
fn add_up(counts: &mut [u32], before: u32) {
    let mut sum = before;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// How bodies are dealt to stripes.
struct Dealer<'a> {
    level: Level,
    cells: CellGrid,
    shift: u32,
    /// Rows that are left out, and their bucket.
    not: &'a [u32],
    nowhere: u32,
}

impl Dealer<'_> {
    /// Deals the bodies of a part of the input, whose first row is `first`.
    fn deal(
        &self,
        points: &[[f32; 2]],
        first: usize,
        buckets: &mut [u32],
        dealt: &mut [Dealt],
        starts: &mut [u32; STRIPES + 1],
    ) {
        let &Self { level, cells, shift, not, nowhere } = self;
        simd::cells(level, &cells, points, buckets);
        let place = |row: usize| not.partition_point(|&left_out| (left_out as usize) < row);
        for &row in &not[place(first)..place(first + points.len())] {
            buckets[row as usize - first] = nowhere;
        }
        // The starts move one stripe up while the stripes are filled.
        let mut counts = [0; STRIPES + 1];
        for &bucket in &*buckets {
            counts[(bucket >> shift) as usize % STRIPES + 1] += 1;
        }
        add_up(&mut counts, 0);
        *starts = counts;
        for ((&bucket, &point), row) in buckets.iter().zip(points).zip(first..) {
            let place = &mut counts[(bucket >> shift) as usize % STRIPES];
            let point = if cells.along == 0 { point } else { [point[1], point[0]] };
            dealt[*place as usize] = Dealt { bucket, row: row as u32, point };
            *place += 1;
        }
    }
}

/// Stripes that are sorted by themselves.
struct Stripes<'a> {
    dealt: &'a [Dealt],
    starts: &'a [[u32; STRIPES + 1]],
    part: usize,
    shift: u32,
    parallel: bool,
}

impl Stripes<'_> {
    /// Sorts a range of stripes into the columns of just these; `before` bodies are in stripes before.
    fn sort(&self, stripes: Range<usize>, before: u32, start: &mut [u32], point: &mut [[f32; 2]], row: &mut [u32]) {
        if stripes.len() <= 1 {
            return self.sort_one(stripes.start, before, start, point, row);
        }
        let middle = stripes.start + stripes.len() / 2;
        let held = self.starts.iter().map(|starts| starts[middle] - starts[stripes.start]).sum::<u32>();
        let (start, start_after) = start.split_at_mut((middle - stripes.start) << self.shift);
        let (point, point_after) = point.split_at_mut(held as usize);
        let (row, row_after) = row.split_at_mut(held as usize);
        let mut lower = || self.sort(stripes.start..middle, before, start, point, row);
        let mut upper = || self.sort(middle..stripes.end, before + held, start_after, point_after, row_after);
        if self.parallel {
            rayon::join(lower, upper);
        } else {
            lower();
            upper();
        }
    }

    fn sort_one(&self, stripe: usize, before: u32, start: &mut [u32], point: &mut [[f32; 2]], row: &mut [u32]) {
        let first = stripe << self.shift;
        let parts = self.dealt.chunks(self.part).zip(self.starts);
        let parts = parts.map(|(dealt, starts)| &dealt[starts[stripe] as usize..starts[stripe + 1] as usize]);
        start.fill(0);
        for part in parts.clone() {
            for body in part {
                start[body.bucket as usize - first] += 1;
            }
        }
        add_up(start, before);
        for part in parts.rev() {
            for body in part.iter().rev() {
                let start = &mut start[body.bucket as usize - first];
                *start -= 1;
                point[(*start - before) as usize] = body.point;
                row[(*start - before) as usize] = body.row;
            }
        }
    }
}
