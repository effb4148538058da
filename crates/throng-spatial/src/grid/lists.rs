//! The k nearest of many bodies.
//!
//! Bodies that come one after the other are near each other, as a rule: sixteen share one list of candidates. Each
//! candidate is shown to all sixteen at once, which sort eight of them, then merge these with the nearest so far, by a key: most
//! bits of the squared distance, then the place in the list. Where these bits do not tell two apart, as in ranks and files, a body
//! compares those few by all bits and by id; where the candidates do not reach far enough, it looks for itself.

use super::DenseGrid;
use crate::nearby::{LIST_FINDINGS, Nearby, write_list};
use crate::simd::{Kernel, LANES, Lanes, Level, NO_KEY};
use crate::{Bodies, NearRows};

/// Candidates that sixteen bodies share, at most: a key names 256.
const SHARED_CANDIDATES: usize = 256;
/// A list of candidates is gathered anew, further around, where more than this many of sixteen lack some.
const MAX_LACKING_BODIES: u32 = 3;
/// How much further candidates are gathered than the last sixteen needed.
const REACH_MARGIN: f32 = 1.12;
/// Candidates are sorted in by so many.
const SORTED_CANDIDATES: usize = 8;
/// Candidates that are compared by all bits, at most.
const EXACT_CANDIDATES: usize = 40;

impl DenseGrid {
    pub(super) fn write_lists(&self, level: Level, bodies: Bodies<2>, first: usize, reach: f32, near: NearRows<'_>) {
        if near.k == 0 || self.count == 0 || reach.is_nan() || reach <= 0.0 {
            near.count.fill(0);
            return;
        }
        // Each list has two more: the body itself, its own nearest, and the one that would come next.
        match near.k {
            0..=8 => level.run(Lists::<10> { grid: self, bodies, first, reach, near }),
            9..=10 => level.run(Lists::<12> { grid: self, bodies, first, reach, near }),
            _ => level.run(Lists::<22> { grid: self, bodies, first, reach, near }),
        }
    }
}

struct Lists<'a, const N: usize> {
    grid: &'a DenseGrid,
    bodies: Bodies<'a, 2>,
    first: usize,
    reach: f32,
    near: NearRows<'a>,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const N: usize> Kernel for Lists<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { grid, bodies, first, reach, near } = self;
        let k = near.k;
        let mut found = [0; LIST_FINDINGS];
        let mut shared = Shared::new();
        // Looking no further than needed is faster; the distance needed last time is a good guess.
        let mut guess = grid.first_look(k + 1).min(reach);
        let mut own = first;
        let NearRows { count: counts, rows, .. } = near;
        for (counts, rows) in counts.chunks_mut(LANES).zip(rows.chunks_mut(LANES * k)) {
            let len = counts.len();
            let mut left = u16::MAX >> (LANES - len);
            let mut again = true;
            while again && k + 2 <= N && shared.gather(lanes, grid, bodies, own, len, guess) {
                left = shared.write::<L, N>(lanes, guess, guess >= reach, (bodies.id, own), counts, rows);
                again = left.count_ones() > MAX_LACKING_BODIES && guess < reach;
                guess =
                    if left == 0 { shared.furthest * REACH_MARGIN } else { guess * 1.25 }.clamp(1e-3, reach.max(1e-3));
            }
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let list = &mut rows[lane * k..][..k];
                let (written, _) = write_list(lanes, grid, bodies, own + lane, [guess, reach], &mut found, list);
                counts[lane] = written as u8;
            }
            own += len;
        }
    }
}

/// All bodies near a few consecutive ones, in columns, with a vector more at the end.
struct Shared {
    x: [f32; SHARED_CANDIDATES + LANES],
    y: [f32; SHARED_CANDIDATES + LANES],
    row: [u32; SHARED_CANDIDATES + LANES],
    count: usize,
    /// The bodies that share them.
    point: [[f32; 2]; LANES],
    /// How far the candidates had to reach for the last sixteen (m).
    furthest: f32,
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl Shared {
    fn new() -> Self {
        Self {
            x: [0.0; SHARED_CANDIDATES + LANES],
            y: [0.0; SHARED_CANDIDATES + LANES],
            row: [0; SHARED_CANDIDATES + LANES],
            count: 0,
            point: [[0.0; 2]; LANES],
            furthest: 0.0,
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
        for (own, &point) in self.point.iter_mut().zip(&bodies.position[first..first + len]) {
            *own = grid.layout.turn(point);
            for axis in 0..2 {
                low[axis] = low[axis].min(own[axis]);
                high[axis] = high[axis].max(own[axis]);
            }
        }
        // Exactly: rounding does not change the order of numbers.
        let (low, high) = (low.map(|x| x - reach), high.map(|x| x + reach));
        let window = grid.layout.window(low, high);
        // Not in a closure, which would be compiled without the instructions.
        let (low, high) = ([lanes.splat(low[0]), lanes.splat(low[1])], [lanes.splat(high[0]), lanes.splat(high[1])]);
        self.count = 0;
        for row in window.top..=window.bottom {
            let mut places = grid.places(row, window.left, window.right);
            while places.start < places.end {
                // The columns of the grid are longer than there are bodies.
                let (Some(points), Some(rows)) =
                    (grid.point[places.start..].first_chunk(), grid.row[places.start..].first_chunk::<LANES>())
                else {
                    return false;
                };
                let (x, y) = lanes.split(points);
                let here = lanes.mask(u16::MAX >> (LANES - places.len().min(LANES)));
                let above = lanes.at_most(low[0], x) & lanes.at_most(low[1], y);
                let below = lanes.at_most(x, high[0]) & lanes.at_most(y, high[1]);
                let near = here & (above & below);
                let (Some(to_x), Some(to_y), Some(to_row)) = (
                    self.x[self.count..].first_chunk_mut(),
                    self.y[self.count..].first_chunk_mut(),
                    self.row[self.count..].first_chunk_mut(),
                ) else {
                    return false;
                };
                lanes.squeeze(near, x, rows, to_x, to_row);
                self.count += lanes.squeeze(near, y, rows, to_y, to_row);
                if self.count > SHARED_CANDIDATES {
                    return false;
                }
                places.start += LANES;
            }
        }
        true
    }

    /// Writes the lists of bodies of which all within `reach` are among the candidates. A bit for each whose list is not
    /// written: where fewer than `k` are so near, unless `all` that count are, or very many as near as the last. `ids` are all
    /// bodies' and the row of the first of these.
    #[inline(always)]
    fn write<L: Lanes, const N: usize>(
        &mut self,
        lanes: L,
        reach: f32,
        all: bool,
        ids: (&[u32], usize),
        counts: &mut [u8],
        rows: &mut [u32],
    ) -> u16 {
        let k = rows.len() / counts.len();
        let (x, y) = lanes.split(&self.point);
        let limit = lanes.splat(reach * reach);
        let nobody = lanes.load_keys(&[NO_KEY; LANES]);
        let mut nearest = [nobody; N];
        // Candidates that fill up the last eight are nowhere near.
        self.x[self.count..][..SORTED_CANDIDATES].fill(f32::INFINITY);
        let others = self.x.as_chunks::<SORTED_CANDIDATES>().0.iter().zip(self.y.as_chunks::<SORTED_CANDIDATES>().0);
        for (eight, (other_x, other_y)) in others.enumerate().take(self.count.div_ceil(SORTED_CANDIDATES)) {
            let mut next = [nobody; SORTED_CANDIDATES];
            for (i, next) in next.iter_mut().enumerate() {
                let (dx, dy) = (lanes.splat(other_x[i]) - x, lanes.splat(other_y[i]) - y);
                let squared = dx * dx + dy * dy;
                *next = lanes.keys(lanes.less(squared, limit), squared, (SORTED_CANDIDATES * eight + i) as u8);
            }
            sort(lanes, &mut next);
            merge(lanes, &mut nearest, &next);
        }
        let mut unclear = 0;
        for pair in nearest[..k + 2].windows(2) {
            unclear |= lanes.alike(pair[0], pair[1]) & !lanes.alike(pair[1], nobody);
        }
        self.furthest = 0.0;
        let mut lists = [[0; LANES]; N];
        let looked_at = if unclear == 0 { k + 1 } else { N };
        for (list, &keys) in lists[..looked_at].iter_mut().zip(&nearest) {
            *list = lanes.store_keys(keys);
        }
        let mut left = 0;
        for (lane, count) in counts.iter_mut().enumerate() {
            let mut written = k;
            if lists[k][lane] == NO_KEY {
                written = lists[1..].iter().position(|list| list[lane] == NO_KEY).unwrap_or(0);
            }
            let list = &mut rows[lane * k..][..k];
            let clear = unclear >> lane & 1 == 0;
            if (written < k && !all) || !(clear || self.settle(lane, &lists, reach, ids, &mut list[..written])) {
                left |= 1 << lane;
                continue;
            }
            *count = written as u8;
            if written == k {
                self.furthest = self.furthest.max(f32::from_bits(lists[k][lane]));
            } else {
                self.furthest = reach * reach;
            }
            if clear {
                for (keys, row) in lists[1..=written].iter().zip(list) {
                    *row = self.row[keys[lane] as usize % SHARED_CANDIDATES];
                }
            }
        }
        self.furthest = self.furthest.sqrt();
        left
    }
}

impl Shared {
    /// Writes the list of one body, where keys alone do not tell which is nearer: of all that are as near as the last of it, as far
    /// as keys tell, by squared distance and id. False where these are more than there is room for.
    #[cold]
    fn settle<const N: usize>(
        &self,
        lane: usize,
        lists: &[[u32; LANES]; N],
        reach: f32,
        (ids, first): (&[u32], usize),
        list: &mut [u32],
    ) -> bool {
        let own = self.point[lane];
        let mut found = [(0_u64, 0_u32); EXACT_CANDIDATES];
        let mut count = 0;
        // The body itself is no neighbour, and not always first: others may stand where it stands.
        let mut take = |place: usize| {
            let (dx, dy) = (self.x[place] - own[0], self.y[place] - own[1]);
            let (squared, row) = (dx * dx + dy * dy, self.row[place]);
            if row as usize != first + lane && count < EXACT_CANDIDATES {
                found[count] = (u64::from(squared.to_bits()) << 32 | u64::from(ids[row as usize]), row);
                count += 1;
            }
        };
        let last = lists[list.len()][lane];
        if lists[N - 1][lane] > last | 0xFF {
            let near = lists.iter().map(|keys| keys[lane]).take_while(|&key| key <= last | 0xFF && key != NO_KEY);
            near.for_each(|key| take(key as usize % SHARED_CANDIDATES));
        } else {
            let bound = f32::from_bits(last | 0xFF).min((reach * reach).next_down());
            for place in 0..self.count {
                let (dx, dy) = (self.x[place] - own[0], self.y[place] - own[1]);
                if dx * dx + dy * dy <= bound {
                    take(place);
                }
            }
        }
        if count == EXACT_CANDIDATES {
            return false;
        }
        found[..count].sort_unstable();
        for (row, &(_, found)) in list.iter_mut().zip(&found[..count]) {
            *row = found;
        }
        true
    }
}

/// Sorts eight keys: with the fewest comparisons there can be (D. E. Knuth, The Art of Computer Programming 3, 5.3.4).
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn sort<L: Lanes>(lanes: L, keys: &mut [L::Keys; SORTED_CANDIDATES]) {
    // Written out, so that all of them stay in registers.
    macro_rules! order {
        ($(($a:literal, $b:literal))*) => { $((keys[$a], keys[$b]) = lanes.order(keys[$a], keys[$b]);)* };
    }
    order!((0, 1)(2, 3)(4, 5)(6, 7)(0, 2)(1, 3)(4, 6)(5, 7)(1, 2)(5, 6));
    order!((0, 4)(3, 7)(1, 5)(2, 6)(1, 4)(3, 6)(2, 4)(3, 5)(3, 4));
}

/// Of two sorted lists, the least keys in order: a bitonic merge (K. E. Batcher, 1968) with as many least ones before it as
/// make the places a power of two, which need no exchange.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn merge<L: Lanes, const N: usize>(lanes: L, least: &mut [L::Keys; N], next: &[L::Keys; SORTED_CANDIDATES]) {
    for i in 0..SORTED_CANDIDATES {
        least[N - SORTED_CANDIDATES + i] =
            lanes.order(least[N - SORTED_CANDIDATES + i], next[SORTED_CANDIDATES - 1 - i]).0;
    }
    exchange::<L, N, 16>(lanes, least);
    exchange::<L, N, 8>(lanes, least);
    exchange::<L, N, 4>(lanes, least);
    exchange::<L, N, 2>(lanes, least);
    exchange::<L, N, 1>(lanes, least);
}

/// A stage of the merge: brings places so far apart in order, two and two.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn exchange<L: Lanes, const N: usize, const APART: usize>(lanes: L, least: &mut [L::Keys; N]) {
    let before = N.next_power_of_two() - N;
    for a in 0..N {
        if (a + before) & APART == 0 && a + APART < N {
            (least[a], least[a + APART]) = lanes.order(least[a], least[a + APART]);
        }
    }
}
