//! The k nearest of many bodies.
//!
//! Bodies that come one after the other are near each other, as a rule: sixteen share one list of candidates, in which
//! each looks for its own.

use super::DenseGrid;
use super::layout::Window;
use crate::simd::{Kernel, LANES, Lanes, Level};
use crate::spatial::nearby::{Alone, Nearby};
use crate::spatial::{Bodies, NearRows};

/// Candidates that sixteen bodies share, at most: where there are more, each looks for itself.
const SHARED: usize = 256;
/// The most findings that are put in order by comparing each with each, two vectors of them.
const RANKED: usize = 2 * LANES;
/// The longest lists that are searched for together: well below [`RANKED`].
const MOST_SHARED: usize = 20;
/// How much further than the guess candidates are gathered: far enough for nearly all.
const WIDER: f32 = 1.25;
/// How many findings are aimed at for each that is wanted.
const SPARE: f32 = 1.3;

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
        let mut alone = Alone::new(grid, bodies, reach);
        let mut shared = Shared::new();
        // Looking no further than needed is faster; what was needed last time is a good guess.
        let mut guess = grid.first_look(k + 1).min(reach);
        let mut own = first;
        for (count, rows) in near.count.chunks_mut(LANES).zip(near.rows.chunks_mut(LANES * k)) {
            let guesses = [guess, (guess * WIDER).min(reach)];
            let shares = k <= MOST_SHARED && shared.gather(lanes, grid, bodies, own, count.len(), guesses[1]);
            let (mut hits, len) = (0, count.len());
            for (count, rows) in count.iter_mut().zip(rows.chunks_mut(k)) {
                let found = if shares { shared.write(lanes, own, guesses, reach, &mut hits, rows) } else { None };
                *count = found.unwrap_or_else(|| {
                    let (written, needed) = alone.write(lanes, own, guess, rows);
                    if !shares {
                        guess = alone.next_guess(guess, needed);
                    }
                    written
                }) as u8;
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
        self.count = 0;
        if (window.bottom - window.top) as usize > SHARED / 4 {
            return false;
        }
        for row in window.top..=window.bottom {
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
        self.x[self.count..][..LANES].fill(f32::INFINITY);
        true
    }

    /// As [`Alone::write`], or nothing where the further one of the guesses, up to which there are all candidates, is too
    /// near, or two are equally far. Adds to `seen` how many are within the nearer guess.
    #[inline(always)]
    fn write<L: Lanes>(
        &mut self,
        lanes: L,
        own: usize,
        guesses: [f32; 2],
        reach: f32,
        seen: &mut usize,
        rows: &mut [u32],
    ) -> Option<usize> {
        let k = rows.len();
        let mut hits = self.nearer(lanes, own - self.first, guesses[0]);
        *seen += hits;
        if hits <= k && guesses[0] < guesses[1] {
            hits = self.nearer(lanes, own - self.first, guesses[1]);
        }
        if hits > RANKED || (hits <= k && guesses[1] < reach) {
            return None;
        }
        let ranked = self.rank(lanes, hits);
        // Where two are equally far, a place is left empty.
        let whole = !ranked[..hits.min(k + 2)].contains(&NOBODY);
        // The body itself is the first.
        let written = k.min(hits.checked_sub(1)?);
        if !whole || ranked[0] != own as u32 {
            return None;
        }
        rows[..written].copy_from_slice(&ranked[1..=written]);
        Some(written)
    }

    /// Finds the candidates nearer than a distance to one of those who share them, itself too.
    #[inline(always)]
    fn nearer<L: Lanes>(&mut self, lanes: L, who: usize, distance: f32) -> usize {
        let limit = lanes.splat(distance * distance);
        let (x, y) = (lanes.splat(self.point[who][0]), lanes.splat(self.point[who][1]));
        let columns = self.x.as_chunks().0.iter().zip(self.y.as_chunks().0).zip(self.row.as_chunks().0);
        let mut hits = 0;
        for ((other_x, other_y), rows) in columns.take(self.count.div_ceil(LANES)) {
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

    /// The rows of the first findings by distance; [`NOBODY`] after those equally far.
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
                ranked[rank as usize % RANKED] = name;
            }
        }
        ranked
    }
}

/// The name of nobody.
const NOBODY: u32 = u32::MAX;
