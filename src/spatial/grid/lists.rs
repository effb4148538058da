//! The k nearest of many bodies.
//!
//! Bodies that come one after the other are near each other, as a rule: sixteen share one list of candidates, in which
//! each looks for its own.

use super::DenseGrid;
use super::layout::Window;
use crate::simd::{Kernel, LANES, Lanes, Level};
use crate::spatial::nearby::{Nearby, ROOM_FOR_LISTS, next_look, write_list};
use crate::spatial::{Bodies, NearRows};

/// Candidates that sixteen bodies share, at most: where there are more, each looks for itself.
const SHARED: usize = 256;
/// The most findings that are put in order by comparing each with each, two vectors of them.
const RANKED: usize = 2 * LANES;
/// The most rows of buckets that they come from.
const LINES: usize = 32;
/// The longest lists that are searched for together: well below [`RANKED`].
const MOST_SHARED: usize = 20;
/// How much further than the guess candidates are gathered: far enough for nearly all.
const WIDER: f32 = 1.25;
/// How many findings are aimed at for each that is wanted.
const SPARE: f32 = 1.2;

impl DenseGrid {
    pub(super) fn write_lists(&self, level: Level, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        if near.k == 0 || self.count == 0 || reach.is_nan() || reach <= 0.0 {
            near.count.fill(0);
            return;
        }
        level.run(Lists { grid: self, bodies, first, reach, near });
    }
}

struct Lists<'a> {
    grid: &'a DenseGrid,
    bodies: Bodies<'a, 2>,
    first: usize,
    reach: f32,
    near: NearRows<'a>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Kernel for Lists<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { grid, bodies, first, reach, near } = self;
        let k = near.k;
        let mut found = [0; ROOM_FOR_LISTS];
        let mut shared = Shared::new();
        // Looking no further than needed is faster; what was needed last time is a good guess.
        let mut guess = grid.first_look(k + 1).min(reach);
        let mut own = first;
        let NearRows { count: counts, rows, .. } = near;
        for (block, counts) in counts.chunks_mut(LANES).enumerate() {
            let guesses = [guess, (guess * WIDER).min(reach)];
            let len = counts.len();
            let shares = k <= MOST_SHARED && shared.gather(lanes, grid, bodies, own, len, guesses[1]);
            let mut hits = 0;
            for (i, count) in counts.iter_mut().enumerate() {
                let rows = &mut rows[(block * LANES + i) * k..];
                let mut written = None;
                if shares {
                    written = shared.write(lanes, grid, own, guesses, reach, &mut hits, k, rows);
                }
                // Not in a closure, which would be compiled without the instructions.
                *count = if let Some(written) = written {
                    written
                } else {
                    let list = &mut rows[..k];
                    let (written, needed) = write_list(lanes, grid, bodies, own, [guess, reach], &mut found, list);
                    if !shares {
                        guess = next_look(guess, needed, reach);
                    }
                    written
                } as u8;
                own += 1;
            }
            if shares {
                // As many as are wanted and a few more, if the next ones stand as close as these.
                let wanted = ((k + 1) * len) as f32 * SPARE / hits.max(1) as f32;
                guess = (guess * wanted.clamp(0.25, 2.0).sqrt()).clamp(1e-3, reach.max(1e-3));
            }
        }
    }
}

/// All bodies in the buckets around a few, in columns, with a vector more at the end that nobody finds.
struct Shared {
    x: [f32; SHARED + LANES],
    y: [f32; SHARED + LANES],
    row: [u32; SHARED + LANES],
    count: usize,
    /// Where the candidates of each row of buckets begin, from row `top` on, and where the last ones end.
    begin: [u32; LINES + 1],
    top: u32,
    /// Those who share them, from this row on.
    first: usize,
    point: [[f32; 2]; LANES],
    /// Squared distances (m²) and rows of what one of them finds.
    far: [f32; SHARED + LANES],
    name: [u32; SHARED + LANES],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Shared {
    fn new() -> Self {
        Self {
            x: [0.0; SHARED + LANES],
            y: [0.0; SHARED + LANES],
            row: [0; SHARED + LANES],
            count: 0,
            begin: [0; LINES + 1],
            top: 0,
            first: 0,
            point: [[0.0; 2]; LANES],
            far: [0.0; SHARED + LANES],
            name: [0; SHARED + LANES],
        }
    }

    /// Gathers all bodies that may be within `reach` of some in consecutive rows; false where these are too far apart, or
    /// the others too many.
    #[inline(always)]
    fn gather<L: Lanes>(
        &mut self,
        lanes: L,
        grid: &DenseGrid,
        bodies: Bodies<2>,
        first: usize,
        len: usize,
        reach: f32,
    ) -> bool {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        self.first = first;
        for (own, &point) in self.point.iter_mut().zip(&bodies.position[first..first + len]) {
            *own = grid.layout.turn(point);
            for axis in 0..2 {
                low[axis] = low[axis].min(own[axis]);
                high[axis] = high[axis].max(own[axis]);
            }
        }
        let window: Window = grid.layout.window(low.map(|x| x - reach), high.map(|x| x + reach));
        (self.count, self.top) = (0, window.top);
        if (window.bottom - window.top) as usize >= LINES {
            return false;
        }
        for (row, begin) in (window.top..=window.bottom).zip(&mut self.begin) {
            *begin = self.count as u32;
            let mut places = grid.places(row, window.left, window.right);
            if self.count + places.len() > SHARED {
                return false;
            }
            while places.start < places.end {
                // The columns of the grid are longer than there are bodies.
                let (Some(points), Some(rows)) =
                    (grid.point[places.start..].first_chunk(), grid.row[places.start..].first_chunk::<LANES>())
                else {
                    return false;
                };
                let (x, y) = lanes.split(points);
                self.x[self.count..][..LANES].copy_from_slice(&lanes.store(x));
                self.y[self.count..][..LANES].copy_from_slice(&lanes.store(y));
                self.row[self.count..][..LANES].copy_from_slice(rows);
                self.count += places.len().min(LANES);
                places.start += LANES;
            }
        }
        self.begin[(window.bottom - window.top) as usize + 1..].fill(self.count as u32);
        self.x[self.count..][..LANES].fill(f32::INFINITY);
        true
    }

    /// Writes the list of a body to the first `k` of `rows`, and what is not needed after it. Nothing where the further one of the guesses, up to which there are all candidates, is too
    /// near, or two are equally far; else how many there are. Adds to `seen` how many are within the nearer guess.
    #[allow(clippy::too_many_arguments, reason = "the grid, distances and the list")]
    #[inline(always)]
    fn write<L: Lanes>(
        &mut self,
        lanes: L,
        grid: &DenseGrid,
        own: usize,
        guesses: [f32; 2],
        reach: f32,
        seen: &mut usize,
        k: usize,
        rows: &mut [u32],
    ) -> Option<usize> {
        let mut hits = self.nearer(lanes, grid, own - self.first, guesses[0]);
        *seen += hits;
        if hits <= k && guesses[0] < guesses[1] {
            hits = self.nearer(lanes, grid, own - self.first, guesses[1]);
        }
        if hits >= RANKED || hits == 0 || (hits <= k && guesses[1] < reach) {
            return None;
        }
        let (written, ranked) = (k.min(hits - 1), self.rank(lanes, hits));
        // Where two are equally far, a place is left empty.
        let empty = ranked.iter().filter(|&&row| row == NOBODY).count();
        if empty != RANKED - hits || ranked[RANKED - 1] != own as u32 {
            return None;
        }
        // What is written beyond the list is written over by the next one.
        if let Some(room) = rows.first_chunk_mut() {
            *room = ranked;
        } else {
            rows[..written].copy_from_slice(&ranked[..written]);
        }
        Some(written)
    }

    /// Finds the candidates nearer than a distance to one of those who share them, itself too.
    #[inline(always)]
    fn nearer<L: Lanes>(&mut self, lanes: L, grid: &DenseGrid, who: usize, distance: f32) -> usize {
        let limit = lanes.splat(distance * distance);
        let [x, y] = self.point[who];
        // Only the rows of buckets within reach, and what shares a vector with them.
        let line = |y: f32| (grid.layout.cells.step(1, y).saturating_sub(self.top) as usize).min(LINES - 1);
        let (begin, end) = (self.begin[line(y - distance)], self.begin[line(y + distance) + 1]);
        let (begin, end) = (begin as usize / LANES, (end as usize).div_ceil(LANES));
        let (x, y) = (lanes.splat(x), lanes.splat(y));
        let columns = self.x.as_chunks().0.iter().zip(self.y.as_chunks().0).zip(self.row.as_chunks().0);
        let mut hits = 0;
        for ((other_x, other_y), rows) in columns.take(end).skip(begin) {
            let (dx, dy) = (lanes.sub(lanes.load(other_x), x), lanes.sub(lanes.load(other_y), y));
            let squared = lanes.add(lanes.mul(dx, dx), lanes.mul(dy, dy));
            let near = lanes.less(squared, limit);
            let (Some(far), Some(name)) =
                (self.far[hits..].first_chunk_mut(), self.name[hits..].first_chunk_mut::<LANES>())
            else {
                break;
            };
            hits += lanes.squeeze(near, squared, rows, far, name);
        }
        hits
    }

    /// The rows of the findings by distance, the first of all, the body itself, at the end; [`NOBODY`] after those equally
    /// far.
    #[inline(always)]
    fn rank<L: Lanes>(&self, lanes: L, hits: usize) -> [u32; RANKED] {
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        let mut ranked = [NOBODY; RANKED];
        let vectors = self.far.as_chunks().0.iter().zip(self.name.as_chunks::<LANES>().0);
        for (v, (far, names)) in vectors.take(hits.div_ceil(LANES)).enumerate() {
            let far = lanes.load(far);
            // Two sums, since each addition waits for the one before.
            let (mut even, mut odd) = (zero, zero);
            for pair in self.far[..hits].chunks(2) {
                even = lanes.select(lanes.less(lanes.splat(pair[0]), far), lanes.add(even, one), even);
                let other = lanes.splat(pair.get(1).copied().unwrap_or(f32::INFINITY));
                odd = lanes.select(lanes.less(other, far), lanes.add(odd, one), odd);
            }
            let rank = lanes.whole(lanes.add(even, odd));
            for (&rank, &name) in rank.iter().zip(names).take(hits - v * LANES) {
                ranked[rank.wrapping_sub(1) as usize % RANKED] = name;
            }
        }
        ranked
    }
}

/// The name of nobody.
const NOBODY: u32 = u32::MAX;
