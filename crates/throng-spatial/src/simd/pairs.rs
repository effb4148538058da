//! All overlapping pairs of discs that are sorted by cell.

use super::{CellGrid, Kernel, LANES, Lanes, Level};

/// Elements that must follow the last one in the columns of [`CellRows`]; their values do not matter.
pub const PADDING: usize = 64;

/// Room that [`pairs`] needs to go on: the most pairs it finds before it looks again, and a vector.
pub const PAIR_ROOM: usize = CHUNK * LANES + LANES;

/// Others tested between two looks at the room left.
const CHUNK: usize = 32;

/// Discs sorted by cell, row of cells after row of cells, in columns; each with [`PADDING`] after its end.
///
/// Cell (c, r) is number `r * pitch + c + 1`, so that there is a column of empty cells between any two rows.
#[derive(Clone, Copy, Debug)]
pub struct CellRows<'a> {
    /// The cells.
    pub grid: CellGrid,
    /// How many columns and rows the cells of two discs that overlap may be apart: at least 1.
    pub apart: [u32; 2],
    /// The places of the discs of cell k are `start[k]..start[k + 1]`.
    pub start: &'a [u32],
    /// Centres: the coordinate along the rows of cells, and the one across.
    pub point: &'a [[f32; 2]],
    /// The names of the discs.
    pub name: &'a [u32],
    /// Radii, or nothing where all are `widest`.
    pub radius: &'a [f32],
    /// The greatest radius.
    pub widest: f32,
    /// Which discs rest: two of these are no pair. Nothing where none does.
    pub rests: &'a [bool],
}

/// Where [`pairs`] goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCursor {
    row: usize,
    end: usize,
    place: usize,
    /// The next offset along the row; 0 when that is done.
    ahead: usize,
    /// How many rows below is looked, 0 where that has not begun, and the next place there.
    below: usize,
    across: usize,
    /// How many pairs of discs were tested.
    pub tests: u64,
}

impl PairCursor {
    /// For the discs in some rows of cells, and the pairs that they make with each other and with those in rows after.
    pub fn new(rows: std::ops::Range<usize>) -> Self {
        Self { row: rows.start, end: rows.end, place: 0, ahead: 1, below: 0, across: 0, tests: 0 }
    }

    /// True where all pairs are found.
    pub fn is_done(&self) -> bool {
        self.row >= self.end
    }
}

/// Finds pairs of discs that overlap until there is no more room, or there are no more: the lesser name of each pair goes
/// to `low`, the greater one to `high`. Returns how many; call again until `cursor` is done.
///
/// Sixteen consecutive discs at a time are tested against the discs 1, 2, 3 … places further on, until all of these are
/// too far along the row. Then they are tested against each disc near them in the next row. A hit is a bit, and only
/// the few masks that are not empty are looked at. So hardly any branch depends on which discs hit.
///
/// ```
/// use throng_spatial::simd::{CellGrid, CellRows, Level, PADDING, PAIR_ROOM, PairCursor, pairs};
/// let (mut point, mut name) = (vec![[0.0, 0.0], [1.5, 0.0]], vec![7, 4]);
/// point.resize(2 + PADDING, [0.0, 0.0]);
/// name.resize(2 + PADDING, 0);
/// let cells = CellRows {
///     grid: CellGrid { origin: [0.0, 0.0], scale: [0.5, 0.5], count: [1, 1], along: 0 },
///     apart: [1, 1],
///     start: &[0, 0, 2, 2],
///     point: &point,
///     name: &name,
///     radius: &[],
///     widest: 1.0,
///     rests: &[],
/// };
/// let (mut low, mut high) = (vec![0; PAIR_ROOM], vec![0; PAIR_ROOM]);
/// let mut cursor = PairCursor::new(0..1);
/// let count = pairs(Level::detect(), &cells, &mut cursor, &mut low, &mut high);
/// assert!(cursor.is_done() && cursor.tests == 1);
/// assert_eq!((&low[..count], &high[..count]), (&[4][..], &[7][..]));
/// ```
///
/// # Panics
/// Where there is less room than [`PAIR_ROOM`], or the columns do not fit together.
pub fn pairs(level: Level, cells: &CellRows<'_>, cursor: &mut PairCursor, low: &mut [u32], high: &mut [u32]) -> usize {
    assert!(low.len() >= PAIR_ROOM && high.len() >= PAIR_ROOM, "no room for pairs");
    level.run(FindPairs { cells, cursor, low, high })
}

struct FindPairs<'a> {
    cells: &'a CellRows<'a>,
    cursor: &'a mut PairCursor,
    low: &'a mut [u32],
    high: &'a mut [u32],
}

#[allow(clippy::inline_always, reason = "must be compiled anew inside each function that has the instructions")]
impl Kernel for FindPairs<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { cells, cursor, low, high } = self;
        match (cells.radius.is_empty(), cells.rests.is_empty()) {
            (true, true) => run::<L, false, false>(lanes, cells, cursor, low, high),
            (true, false) => run::<L, false, true>(lanes, cells, cursor, low, high),
            (false, true) => run::<L, true, false>(lanes, cells, cursor, low, high),
            (false, false) => run::<L, true, true>(lanes, cells, cursor, low, high),
        }
    }
}

/// The `N` elements from `at` on.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn window<T, const N: usize>(column: &[T], at: usize) -> &[T; N] {
    let (window, _) = column[at..at + N].as_chunks::<N>();
    &window[0]
}

#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn window_mut<T, const N: usize>(column: &mut [T], at: usize) -> &mut [T; N] {
    let (window, _) = column[at..at + N].as_chunks_mut::<N>();
    &mut window[0]
}

/// Where a coordinate is, in columns of cells, as the cells were made.
#[allow(clippy::inline_always, reason = "as above")]
#[inline(always)]
fn along<L: Lanes>(lanes: L, x: L::Numbers, origin: L::Numbers, scale: L::Numbers, width: L::Numbers) -> L::Numbers {
    lanes.min(lanes.max((x - origin) * scale, lanes.splat(0.0)), width)
}

/// The lowest `count` lanes.
#[inline]
fn first_lanes(count: usize) -> u16 {
    ((1_u32 << count.min(LANES)) - 1) as u16
}

/// A bit for each disc that rests.
#[inline]
fn resting(rests: &[bool; LANES]) -> u16 {
    (0..LANES).fold(0, |bits, lane| bits | u16::from(rests[lane]) << lane)
}

#[allow(clippy::inline_always, reason = "as above")]
#[allow(clippy::too_many_lines, reason = "one loop nest; in pieces its registers would be spilled")]
#[inline(always)]
fn run<L: Lanes, const MIXED: bool, const REST: bool>(
    lanes: L,
    cells: &CellRows<'_>,
    cursor: &mut PairCursor,
    low: &mut [u32],
    high: &mut [u32],
) -> usize {
    let &CellRows { grid, apart, start, point, name, radius, rests, .. } = cells;
    let (pitch, columns, rows) = (grid.pitch(), grid.count[0] as usize, grid.count[1] as usize);
    let (aside, deep) = (apart[0] as usize, apart[1] as usize);
    let (origin, scale) = (lanes.splat(grid.origin[0]), lanes.splat(grid.scale[0]));
    let (zero, width) = (lanes.splat(0.0), lanes.splat(columns as f32));
    let beyond = lanes.splat((aside + 1) as f32);
    let same = lanes.splat((cells.widest + cells.widest) * (cells.widest + cells.widest));
    // Masks that are not empty, with the offset they belong to in the upper half.
    let mut hits = [0_u32; CHUNK];
    let (mut count, mut tests) = (0, 0);
    let room = low.len().min(high.len()) - PAIR_ROOM;
    'all: while cursor.row < cursor.end {
        let line = &start[cursor.row * pitch..][..=pitch];
        let (first, last) = (line[0] as usize, line[pitch] as usize);
        cursor.place = cursor.place.max(first);
        while cursor.place < last {
            let place = cursor.place;
            let own: &[[f32; 2]; LANES] = window(point, place);
            let own_name: &[u32; LANES] = window(name, place);
            let (x, y) = lanes.split(own);
            let r = if MIXED { lanes.load(window(radius, place)) } else { zero };
            let rest = if REST { resting(window(rests, place)) } else { 0 };
            let alive = (last - place).min(LANES);
            if cursor.ahead > 0 {
                let position = along(lanes, x, origin, scale, width);
                loop {
                    if count > room {
                        break 'all;
                    }
                    let ahead = cursor.ahead;
                    let others: &[[f32; 2]; CHUNK + LANES] = window(point, place + ahead);
                    let mut found = 0;
                    let mut done = false;
                    for k in 0..CHUNK {
                        let (ox, oy) = lanes.split(window(others, k));
                        let (dx, dy) = (ox - x, oy - y);
                        let squared = dx * dx + dy * dy;
                        let limit = if MIXED {
                            let reach = r + lanes.load(window(radius, place + ahead + k));
                            reach * reach
                        } else {
                            same
                        };
                        let inside = first_lanes((last - place).saturating_sub(ahead + k));
                        let mut tested = inside;
                        if REST {
                            tested &= !(rest & resting(window(rests, place + ahead + k)));
                        }
                        let mask = lanes.below(squared, limit) & tested;
                        hits[found % CHUNK] = (k as u32) << 16 | u32::from(mask);
                        found += usize::from(mask != 0);
                        tests += tested.count_ones() as usize;
                        if k % 2 == 1 {
                            // A disc too many cells further along the row is too far, and so is all that follows.
                            let far = lanes.below(beyond, along(lanes, ox, origin, scale, width) - position);
                            if far | !inside == u16::MAX {
                                done = true;
                                break;
                            }
                        }
                    }
                    for &hit in &hits[..found] {
                        let others = window(name, place + ahead + (hit >> 16) as usize);
                        let (low, high) = (window_mut(low, count), window_mut(high, count));
                        lanes.pairs(hit as u16, own_name, others, low, high);
                        count += (hit as u16).count_ones() as usize;
                    }
                    if done {
                        break;
                    }
                    cursor.ahead += CHUNK;
                }
                cursor.ahead = 0;
            }
            let left = (grid.step(0, own[0][0]) as usize).saturating_sub(aside);
            let right = (grid.step(0, own[alive - 1][0]) as usize + aside).min(columns - 1);
            let tested = first_lanes(alive);
            while cursor.below <= deep && cursor.row + cursor.below < rows {
                let line = &start[(cursor.row + cursor.below) * pitch..][..pitch + 2];
                let end = if cursor.below == 0 { 0 } else { line[right + 2] as usize };
                while cursor.across < end {
                    if count > room {
                        break 'all;
                    }
                    let others = cursor.across..end.min(cursor.across + CHUNK);
                    let mut found = 0;
                    for (k, other) in point[others.clone()].iter().enumerate() {
                        let (dx, dy) = (lanes.splat(other[0]) - x, lanes.splat(other[1]) - y);
                        let squared = dx * dx + dy * dy;
                        let limit = if MIXED {
                            let reach = r + lanes.splat(radius[others.start + k]);
                            reach * reach
                        } else {
                            same
                        };
                        let mut tested = tested;
                        if REST && rests[others.start + k] {
                            tested &= !rest;
                        }
                        if REST {
                            tests += tested.count_ones() as usize;
                        }
                        let mask = lanes.below(squared, limit) & tested;
                        hits[found % CHUNK] = (k as u32) << 16 | u32::from(mask);
                        found += usize::from(mask != 0);
                    }
                    if !REST {
                        tests += alive * others.len();
                    }
                    for &hit in &hits[..found] {
                        let other = name[others.start + (hit >> 16) as usize];
                        let (low, high) = (window_mut(low, count), window_mut(high, count));
                        lanes.pairs_with(hit as u16, own_name, other, low, high);
                        count += (hit as u16).count_ones() as usize;
                    }
                    cursor.across = others.end;
                }
                cursor.below += 1;
                if cursor.row + cursor.below < rows {
                    cursor.across = start[(cursor.row + cursor.below) * pitch + left + 1] as usize;
                }
            }
            (cursor.ahead, cursor.below) = (1, 0);
            cursor.place = last.min(place + LANES);
        }
        cursor.row += 1;
    }
    cursor.tests += tests as u64;
    count
}
