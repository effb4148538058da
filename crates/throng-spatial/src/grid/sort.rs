//! The counting sort that fills the buckets.
//!
//! Keys, histogram, sums, and a scatter from the end of each bucket backwards, which keeps the order of the input and
//! leaves the starts behind. Where there are too many bodies for the caches, or several threads, they are first dealt
//! to stripes of consecutive buckets in the order of the input. Then each stripe is sorted where it lies (as after the
//! most significant digit of a radix sort): the result is the same to the byte. Keys are found anew for each pass,
//! which is as fast as to keep them.

use super::DenseGrid;
use crate::Bodies;
use crate::simd::{self, CellGrid, Level, PADDING};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::ops::Range;

/// The most stripes.
const MAX_STRIPES: usize = 256;
/// Bodies a stripe.
const STRIPE_BODIES: usize = 4096;
/// From how many bodies on stripes are faster on one thread, and on several.
const STRIPED_BODIES: usize = 500_000;
const STRIPED_BODIES_THREADED: usize = 50_000;

/// Bodies whose buckets are found at a time.
const BLOCK_BODIES: usize = 1024;

/// The memory for dealing and sorting stripes.
#[derive(Clone, Debug, Default)]
pub(super) struct Deal {
    /// How many bodies of each part of the input fall into each stripe; bodies that are left out come last.
    counts: Vec<Counts>,
    /// For each thread, a copy of the stripe that it sorts.
    copies: Vec<Stripe>,
}

type Counts = [u32; MAX_STRIPES + 1];

#[derive(Clone, Debug, Default)]
struct Stripe {
    bucket: Vec<u32>,
    row: Vec<u32>,
    point: Vec<[f32; 2]>,
}

impl Deal {
    pub fn bytes(&self) -> usize {
        let stripe = |stripe: &Stripe| {
            (stripe.bucket.capacity() + stripe.row.capacity()) * size_of::<u32>()
                + stripe.point.capacity() * size_of::<[f32; 2]>()
        };
        self.counts.capacity() * size_of::<Counts>() + self.copies.iter().map(stripe).sum::<usize>()
    }
}

impl DenseGrid {
    /// Fills the columns by bucket; keeps the order of the input inside a bucket. The rows `not` come last. Runs on
    /// `threads` threads of the current rayon pool.
    pub(super) fn sort(&mut self, level: Level, bodies: Bodies<2>, not: &[u32], threads: usize) {
        let n = bodies.len();
        self.point.resize(n + PADDING, [0.0; 2]);
        self.row.resize(n + PADDING, 0);
        if n >= STRIPED_BODIES || threads > 1 {
            self.sort_stripes(level, bodies, not, threads);
        } else {
            self.sort_at_once(level, bodies, not);
        }
    }

    pub(super) fn sort_at_once(&mut self, level: Level, bodies: Bodies<2>, not: &[u32]) {
        let n = bodies.len();
        let cells = self.layout.cells;
        let keys = Keys { level, cells, points: bodies.position, not, nowhere: self.layout.nowhere() };
        self.start.clear();
        self.start.resize(self.layout.numbers(), 0);
        let mut buckets = [0; BLOCK_BODIES];
        for rows in blocks(0..n) {
            for &bucket in keys.find(rows, &mut buckets) {
                self.start[bucket as usize] += 1;
            }
        }
        add_up(&mut self.start, 0);
        let start = &mut self.start[..];
        let (points, names) = (&mut self.point[..n], &mut self.row[..n]);
        for rows in blocks(0..n).rev() {
            let buckets = keys.find(rows.clone(), &mut buckets);
            for (row, (&bucket, &point)) in rows.clone().zip(buckets.iter().zip(&bodies.position[rows])).rev() {
                let start = &mut start[bucket as usize];
                *start -= 1;
                points[*start as usize] = if cells.along == 0 { point } else { [point[1], point[0]] };
                names[*start as usize] = row as u32;
            }
        }
    }

    pub(super) fn sort_stripes(&mut self, level: Level, bodies: Bodies<2>, not: &[u32], threads: usize) {
        let n = bodies.len();
        let numbers = self.layout.numbers();
        // As many buckets a stripe as make about `STRIPE_BODIES` bodies, a power of two.
        let shift = numbers.div_ceil((n / STRIPE_BODIES).clamp(1, MAX_STRIPES)).next_power_of_two().ilog2();
        let stripes = numbers.div_ceil(1 << shift);
        let part = n.div_ceil(threads).max(1);
        let parts = || (0..n.div_ceil(part)).map(|i| i * part..n.min((i + 1) * part));
        let cells = self.layout.cells;
        // Bodies that are left out are a stripe of their own, behind all others.
        let keys = Keys { level, cells, points: bodies.position, not, nowhere: (stripes as u32) << shift };
        let Deal { counts, copies } = &mut self.deal;
        counts.resize(parts().len(), [0; MAX_STRIPES + 1]);
        counts.par_iter_mut().zip(parts().collect::<Vec<_>>()).for_each(|(counts, part)| {
            *counts = keys.count(part, shift);
        });
        let (mut point, mut row) = (&mut self.point[..n], &mut self.row[..n]);
        let mut pieces: Vec<Vec<Piece>> = parts().map(|_| Vec::with_capacity(stripes + 1)).collect();
        for stripe in 0..=stripes {
            for (pieces, counts) in pieces.iter_mut().zip(&*counts) {
                let held = counts[stripe] as usize;
                pieces.push(Piece {
                    point: point.split_off_mut(..held).unwrap_or_default(),
                    row: row.split_off_mut(..held).unwrap_or_default(),
                });
            }
        }
        pieces.into_par_iter().zip(parts().collect::<Vec<_>>()).for_each(|(mut pieces, part)| {
            keys.deal(part, shift, &mut pieces);
        });
        self.start.resize(numbers, 0);
        copies.resize(threads, Stripe::default());
        let held = |stripe: usize| counts.iter().map(|counts| counts[stripe]).sum::<u32>();
        let held: Vec<u32> = (0..stripes).map(held).collect();
        let sorter = Sorter { level, cells: CellGrid { along: 0, ..cells }, shift };
        let (point, row) = (&mut self.point[..n], &mut self.row[..n]);
        sorter.sort(&held, [0, 0], &mut self.start, point, row, copies);
        if let Some(end) = self.start.last_mut() {
            *end = n as u32;
        }
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
pub(crate) fn threads_for(bodies: usize) -> usize {
    if bodies < STRIPED_BODIES_THREADED { 1 } else { rayon::current_num_threads() }
}

/// Makes starts of counts: `start` becomes the number of bodies in a bucket and all before.
fn add_up(counts: &mut [u32], before: u32) {
    let mut sum = before;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Blocks of consecutive rows.
fn blocks(rows: Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> {
    rows.clone().step_by(BLOCK_BODIES).map(move |first| first..rows.end.min(first + BLOCK_BODIES))
}

/// Finds the buckets of bodies.
struct Keys<'a> {
    level: Level,
    cells: CellGrid,
    points: &'a [[f32; 2]],
    /// Rows that are left out, and their bucket.
    not: &'a [u32],
    nowhere: u32,
}

/// Where the bodies of one part of the input go that fall into one stripe.
struct Piece<'a> {
    point: &'a mut [[f32; 2]],
    row: &'a mut [u32],
}

impl Keys<'_> {
    /// The buckets of a block of rows.
    fn find<'a>(&self, rows: Range<usize>, buckets: &'a mut [u32; BLOCK_BODIES]) -> &'a [u32] {
        let buckets = &mut buckets[..rows.len()];
        simd::cells(self.level, &self.cells, &self.points[rows.clone()], buckets);
        let place = |row: usize| self.not.partition_point(|&left_out| (left_out as usize) < row);
        for &row in &self.not[place(rows.start)..place(rows.end)] {
            buckets[row as usize - rows.start] = self.nowhere;
        }
        buckets
    }

    /// How many bodies of a part of the input fall into each stripe.
    fn count(&self, part: Range<usize>, shift: u32) -> Counts {
        let (mut counts, mut buckets) = ([0; MAX_STRIPES + 1], [0; BLOCK_BODIES]);
        for rows in blocks(part) {
            for &bucket in self.find(rows, &mut buckets) {
                counts[((bucket >> shift) as usize).min(MAX_STRIPES)] += 1;
            }
        }
        counts
    }

    /// Deals the bodies of a part of the input to its pieces of the stripes, in their order.
    fn deal(&self, part: Range<usize>, shift: u32, pieces: &mut [Piece<'_>]) {
        let (mut dealt, mut buckets) = ([0; MAX_STRIPES + 1], [0; BLOCK_BODIES]);
        for rows in blocks(part) {
            let buckets = self.find(rows.clone(), &mut buckets);
            for (row, (&bucket, &point)) in rows.clone().zip(buckets.iter().zip(&self.points[rows])) {
                let stripe = ((bucket >> shift) as usize).min(MAX_STRIPES);
                let (place, piece) = (dealt[stripe], &mut pieces[stripe]);
                piece.point[place] = if self.cells.along == 0 { point } else { [point[1], point[0]] };
                piece.row[place] = row as u32;
                dealt[stripe] += 1;
            }
        }
    }
}

/// Sorts stripes whose bodies are in the order of the input.
struct Sorter {
    level: Level,
    /// For points that are turned.
    cells: CellGrid,
    shift: u32,
}

impl Sorter {
    /// Sorts consecutive stripes, which hold so many bodies each, in the columns of just these; before them are as many
    /// stripes and bodies as `before` says. Uses a thread a copy.
    fn sort(
        &self,
        held: &[u32],
        before: [usize; 2],
        mut start: &mut [u32],
        mut point: &mut [[f32; 2]],
        mut row: &mut [u32],
        copies: &mut [Stripe],
    ) {
        let [mut stripe, mut bodies] = before;
        if copies.len() > 1 && held.len() > 1 {
            // About the same number of bodies each.
            let all = held.iter().sum::<u32>() as usize;
            let mut lower = 0;
            let enough = |&count: &u32| {
                lower += count as usize;
                lower * copies.len() >= all * (copies.len() / 2)
            };
            let middle = (held.iter().position(enough).unwrap_or(0) + 1).min(held.len() - 1);
            let (held, held_after) = held.split_at(middle);
            let count = held.iter().sum::<u32>() as usize;
            let (start, start_after) = start.split_at_mut(middle << self.shift);
            let (point, point_after) = point.split_at_mut(count);
            let (row, row_after) = row.split_at_mut(count);
            let (copies, copies_after) = copies.split_at_mut(copies.len() / 2);
            let after = [stripe + middle, bodies + count];
            rayon::join(
                || self.sort(held, before, start, point, row, copies),
                || self.sort(held_after, after, start_after, point_after, row_after, copies_after),
            );
            return;
        }
        let [copy, ..] = copies else { return };
        for &count in held {
            let buckets = (1 << self.shift).min(start.len());
            let (start, count) = (start.split_off_mut(..buckets).unwrap_or_default(), count as usize);
            let (point, row) =
                (point.split_off_mut(..count).unwrap_or_default(), row.split_off_mut(..count).unwrap_or_default());
            self.sort_one(stripe << self.shift, bodies as u32, start, point, row, copy);
            stripe += 1;
            bodies += count;
        }
    }

    /// Sorts a stripe from bucket `first` on; `before` bodies are in stripes before.
    fn sort_one(
        &self,
        first: usize,
        before: u32,
        start: &mut [u32],
        point: &mut [[f32; 2]],
        row: &mut [u32],
        copy: &mut Stripe,
    ) {
        let Stripe { bucket: buckets, row: rows, point: points } = copy;
        points.clear();
        points.extend_from_slice(point);
        rows.clear();
        rows.extend_from_slice(row);
        buckets.resize(points.len(), 0);
        simd::cells(self.level, &self.cells, points, buckets);
        start.fill(0);
        for &bucket in &*buckets {
            start[bucket as usize - first] += 1;
        }
        add_up(start, before);
        let bodies = points.iter().zip(&*rows).zip(&*buckets);
        for ((&at, &name), &bucket) in bodies.rev() {
            let start = &mut start[bucket as usize - first];
            *start -= 1;
            point[(*start - before) as usize] = at;
            row[(*start - before) as usize] = name;
        }
    }
}
