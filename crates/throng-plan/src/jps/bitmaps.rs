//! Where jumps stop: one bit a cell and direction.

use crate::jps::jump::Jumps;
use crate::jps::place::Place;
use throng_grid::{Cell, Direction, Ground, Lattice};

const NORTH: usize = Direction::North as usize;
const EAST: usize = Direction::East as usize;
const SOUTH: usize = Direction::South as usize;
const WEST: usize = Direction::West as usize;

/// Where the jumps of all cells stop, made once for a ground; 2 bytes a cell.
///
/// A straight jump stops on the next wall or jump point of its row or column: a cell beside which a wall ends. A diagonal
/// one stops on the next cell from which a straight jump to one of its two sides finds a jump point, and where the
/// diagonal ends. Eight bitmaps hold these stops, one a direction, each laid out along its own direction and running
/// with it: a jump is the way to the next set bit, some 60 cells at a look.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JumpBitmaps {
    ground: u64,
    stride: u32,
    /// A bit a direction: for straight ones, whether the jump finds a jump point; for diagonal ones, whether the step
    /// is legal.
    masks: Box<[u8]>,
    rays: [Ray; 8],
}

impl Jumps for JumpBitmaps {
    fn ground(&self) -> u64 {
        self.ground
    }

    #[inline]
    fn mask(&self, place: Place) -> u8 {
        self.masks[place.index(self.stride)]
    }

    #[inline]
    fn jump(&self, place: Place, d: usize) -> u32 {
        self.rays[d % 8].next(place)
    }
}

impl JumpBitmaps {
    pub(crate) fn new(ground: &Ground) -> Self {
        let lattice = ground.lattice();
        let masks = vec![0; lattice.len()].into_boxed_slice();
        let rays = std::array::from_fn(|d| Ray::new(lattice, d));
        let mut maps = Self { ground: ground.id(), stride: lattice.stride, masks, rays };
        let (width, height) = (lattice.width + 2, lattice.height + 2);
        maps.scan(ground, 1..height - 1, 1..width - 1);
        maps.mark_diagonals(0..height, 0..width);
        maps
    }

    /// The bitmaps of the ground after an edit of the `dirty` cells.
    pub(crate) fn updated(&self, ground: &Ground, dirty: &[Cell]) -> Self {
        let lattice = ground.lattice();
        // A wide unit feels a wall from afar; passable cells there decide the stops one cell further on.
        let reach = (ground.radius() / lattice.cell_size).ceil().max(0.0) as u32 + 1;
        let lines = |of: fn(Place) -> u32, count: u32| {
            let mut lines: Vec<u32> = Vec::new();
            for &cell in dirty {
                let line = of(Place::new(cell, lattice.stride));
                lines.extend(line.saturating_sub(reach).max(1)..=(line + reach).min(count));
            }
            lines.sort_unstable();
            lines.dedup();
            lines
        };
        let rows = lines(|place| place.y, lattice.height);
        let columns = lines(|place| place.x, lattice.width);
        let mut maps = Self { ground: ground.id(), ..self.clone() };
        maps.scan(ground, rows.iter().copied(), columns.iter().copied());
        for &row in &rows {
            maps.mark_diagonals(row..row + 1, 0..lattice.width + 2);
        }
        for &column in &columns {
            maps.mark_diagonals(0..lattice.height + 2, column..column + 1);
        }
        maps
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        self.masks.len() + self.rays.iter().map(|ray| ray.bits.len()).sum::<usize>()
    }

    /// Writes the stops of the straight jumps and the masks of these rows and columns, counted from the padding.
    fn scan(&mut self, ground: &Ground, rows: impl Iterator<Item = u32>, columns: impl Iterator<Item = u32>) {
        let lattice = ground.lattice();
        let moves = &ground.moves_layer().cells;
        let stride = lattice.stride as usize;
        let mut line = Line::new(stride);
        for y in rows {
            let first = y as usize * stride;
            line.scan(y, |y| moves[y as usize * stride..][..stride].iter().map(|&moves| moves != 0));
            line.write(&mut self.rays, [EAST, WEST], Place { x: 0, y });
            for (x, (mask, moves)) in self.masks[first..][..stride].iter_mut().zip(&moves[first..]).enumerate() {
                *mask = *mask & (1 << NORTH | 1 << SOUTH) | moves & 0xf0 | line.finds(x, [EAST, WEST]);
            }
        }
        let mut line = Line::new((lattice.height as usize + 2).next_multiple_of(8));
        for x in columns {
            line.scan(x, |x| moves[x as usize..].iter().step_by(stride).map(|&moves| moves != 0));
            line.write(&mut self.rays, [SOUTH, NORTH], Place { x, y: 0 });
            for (y, mask) in self.masks[x as usize..].iter_mut().step_by(stride).enumerate() {
                let moves = moves[y * stride + x as usize];
                *mask = *mask & (1 << EAST | 1 << WEST) | moves & 0xf0 | line.finds(y, [SOUTH, NORTH]);
            }
        }
    }

    /// Writes the stops of the diagonal jumps of these rows and columns.
    fn mark_diagonals(&mut self, rows: std::ops::Range<u32>, columns: std::ops::Range<u32>) {
        for (d, ray) in self.rays.iter_mut().enumerate().skip(4) {
            let sides = 1 << (d - 4) | 1 << ((d - 3) % 4);
            for y in rows.clone() {
                let first = Place { x: columns.start, y }.index(self.stride);
                let mut bit = ray.bit(Place { x: columns.start, y }).cast_signed();
                for &mask in &self.masks[first..][..columns.len()] {
                    ray.set(bit.cast_unsigned(), mask & sides != 0 || mask & 1 << d == 0);
                    bit += ray.dx;
                    bit += if bit < 0 { ray.wrap } else { 0 } - if bit >= ray.wrap { ray.wrap } else { 0 };
                }
            }
        }
    }
}

/// The stops of one direction. The bit after that of a cell belongs to the next cell in this direction.
#[derive(Clone, Debug, PartialEq)]
struct Ray {
    bits: Box<[u8]>,
    /// Bit of the cell (x, y): `start + x dx + y dy`, and `wrap` more where that is negative.
    start: isize,
    dx: isize,
    dy: isize,
    wrap: isize,
}

impl Ray {
    /// Bits without a stop.
    fn new(lattice: Lattice, d: usize) -> Self {
        let (width, height) = (lattice.width as isize + 2, lattice.height as isize + 2);
        // Diagonals run along the shorter side and leave the longer one at one end to come back at the other, with the
        // padding in between: as many lines as the longer side has cells.
        let (long, short) = (width.max(height), width.min(height).unsigned_abs().next_multiple_of(8).cast_signed());
        let pitch = height.unsigned_abs().next_multiple_of(8).cast_signed();
        let stride = lattice.stride as isize;
        // Bits of the cells for one of the two directions along a line.
        let (len, x, y, forward) = match Direction::ALL[d] {
            Direction::East | Direction::West => (stride * height, 1, stride, EAST),
            Direction::South | Direction::North => (pitch * width, pitch, 1, SOUTH),
            // Line x - y or y - x.
            Direction::SouthEast | Direction::NorthWest if width >= height => (long * short, short, 1 - short, 5),
            Direction::SouthEast | Direction::NorthWest => (long * short, 1 - short, short, 5),
            // Line x + y; the place on it is y or x.
            _ if width >= height => (long * short, short, 1 + short, 6),
            _ => (long * short, 1 + short, short, 4),
        };
        let sum = x > 0 && y > 0 && d >= 4;
        let (start, dx, dy) = if d == forward {
            (if sum { -len } else { 0 }, x, y)
        } else {
            (if sum || d < 4 { len - 1 } else { -1 }, -x, -y)
        };
        // Eight bytes more, so that the last ones can be read by a word.
        Self { bits: vec![0; len.unsigned_abs().div_ceil(8) + 8].into_boxed_slice(), start, dx, dy, wrap: len }
    }

    #[inline]
    fn bit(&self, place: Place) -> usize {
        let bit = self.start + self.dx * place.x as isize + self.dy * place.y as isize;
        (bit + (self.wrap & (bit >> (isize::BITS - 1)))).cast_unsigned()
    }

    /// Steps to the next stop.
    #[inline]
    fn next(&self, place: Place) -> u32 {
        let from = self.bit(place);
        let mut at = from + 1;
        loop {
            let byte = at / 8;
            // There is a stop before the end: the padding is closed.
            let word = self.bits[byte..].first_chunk().map_or(u64::MAX, |&word| u64::from_le_bytes(word)) >> (at % 8);
            if word != 0 {
                return (at - from) as u32 + word.trailing_zeros();
            }
            at = byte * 8 + 64;
        }
    }

    #[inline]
    fn set(&mut self, bit: usize, stop: bool) {
        let byte = &mut self.bits[bit / 8];
        *byte = *byte & !(1 << (bit % 8)) | u8::from(stop) << (bit % 8);
    }
}

/// A row or a column as words of bits, cells of lower coordinates first; `[0]` is for jumps to higher coordinates.
struct Line {
    bytes: usize,
    /// Which cells of the line before, of this one and of the one after are passable.
    free: [Vec<u64>; 3],
    /// The line in the middle of `free`.
    at: Option<u32>,
    /// Where jumps stop.
    stops: [Vec<u64>; 2],
    /// Where jumps start that find a jump point.
    finds: [Vec<u64>; 2],
}

impl Line {
    fn new(cells: usize) -> Self {
        let words = || vec![0; cells.div_ceil(64)];
        let (free, stops, finds) = (std::array::from_fn(|_| words()), [words(), words()], [words(), words()]);
        Self { bytes: cells / 8, free, at: None, stops, finds }
    }

    /// Finds the stops of a line.
    fn scan<I: Iterator<Item = bool>>(&mut self, line: u32, free: impl Fn(u32) -> I) {
        let before = self.at.replace(line);
        let known = if before.is_some_and(|before| before + 1 == line) {
            self.free.rotate_left(1);
            2
        } else {
            0
        };
        for (line, words) in (line - 1..).zip(&mut self.free).skip(known) {
            words.fill(0);
            for (i, free) in free(line).enumerate() {
                words[i / 64] |= u64::from(free) << (i % 64);
            }
        }
        let [above, here, below] = &self.free;
        let last = here.len() - 1;
        for i in 0..=last {
            // The cell before, and the one after.
            let lower = |line: &[u64]| line[i] << 1 | if i > 0 { line[i - 1] >> 63 } else { 0 };
            let higher = |line: &[u64]| line[i] >> 1 | if i < last { line[i + 1] << 63 } else { 0 };
            self.stops[0][i] = !here[i] | above[i] & !lower(above) | below[i] & !lower(below);
            self.stops[1][i] = !here[i] | above[i] & !higher(above) | below[i] & !higher(below);
        }
        // The finding of the jump from the cell at the end of the word next in line.
        let mut found = 0;
        for i in (0..=last).rev() {
            let next = if i < last { self.stops[0][i + 1] } else { 1 };
            let next_free = if i < last { here[i + 1] } else { 0 };
            let stop = self.stops[0][i];
            let mut go_on = !(stop >> 1 | next << 63);
            let mut finds = (stop & here[i]) >> 1 | (next & next_free | !next & found) << 63;
            for shift in [1, 2, 4, 8, 16, 32] {
                finds |= go_on & (finds >> shift);
                go_on &= go_on >> shift;
            }
            found = finds & 1;
            self.finds[0][i] = finds & here[i];
        }
        found = 0;
        for i in 0..=last {
            let next = if i > 0 { self.stops[1][i - 1] >> 63 } else { 1 };
            let next_free = if i > 0 { here[i - 1] >> 63 } else { 0 };
            let stop = self.stops[1][i];
            let mut go_on = !(stop << 1 | next);
            let mut finds = (stop & here[i]) << 1 | (next & next_free | !next & found);
            for shift in [1, 2, 4, 8, 16, 32] {
                finds |= go_on & (finds << shift);
                go_on &= go_on << shift;
            }
            found = finds >> 63;
            self.finds[1][i] = finds & here[i];
        }
    }

    /// Writes the stops of the line that begins in `start` into the bitmaps of its two directions.
    fn write(&self, rays: &mut [Ray; 8], [up, down]: [usize; 2], start: Place) {
        let bytes = |i: usize| self.stops[i].iter().flat_map(|word| word.to_le_bytes()).take(self.bytes);
        let first = rays[up].bit(start) / 8;
        for (byte, stops) in rays[up].bits[first..].iter_mut().zip(bytes(0)) {
            *byte = stops;
        }
        let last = rays[down].bit(start) / 8;
        for (byte, stops) in rays[down].bits[..=last].iter_mut().rev().zip(bytes(1)) {
            *byte = stops.reverse_bits();
        }
    }

    /// The bits of the two directions in which jumps from the `i`th cell find a jump point.
    #[inline]
    fn finds(&self, i: usize, [up, down]: [usize; 2]) -> u8 {
        let bit = |words: &[u64]| (words[i / 64] >> (i % 64) & 1) as u8;
        bit(&self.finds[0]) << up | bit(&self.finds[1]) << down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;
    use throng_grid::Grid;

    /// Steps of a jump, cell by cell; whether a straight one finds a jump point.
    fn jump(ground: &Ground, place: Place, d: usize) -> (u32, bool) {
        let stride = ground.lattice().stride;
        let moves = |place: Place| ground.moves(Cell(place.index(stride) as u32));
        let free = |place: Place| moves(place) != 0;
        let mut at = place;
        for steps in 1.. {
            let before = at;
            at = at.go(d, 1);
            if d < 4 {
                let beside = |side: usize| free(at.go(side, 1)) && !free(before.go(side, 1));
                let found = free(at) && (beside((d + 1) % 4) || beside((d + 3) % 4));
                if found || !free(at) {
                    return (steps, found);
                }
            } else if moves(at) & 1 << d == 0 || [d - 4, (d - 3) % 4].into_iter().any(|side| jump(ground, at, side).1) {
                return (steps, false);
            }
        }
        (0, false)
    }

    proptest! {
        #[test]
        fn jumps_stop_where_a_walk_cell_by_cell_does_also_after_edits(
            width in prop_oneof![1_u32..40, 60_u32..70], height in prop_oneof![1_u32..40, 60_u32..70], closed in 0_u32..60,
            radius in prop_oneof![Just(0.4), 0.6_f32..2.5], seed: u64,
        ) {
            let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
            let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
            let cells: Vec<Cell> = grid.lattice().cells().collect();
            for &cell in &cells {
                grid.set_open(cell, random.random_range(0..100) >= closed);
            }
            let ground = Ground::new(Arc::new(grid.clone()), radius).unwrap();
            let maps = JumpBitmaps::new(&ground);
            for &cell in cells.iter().filter(|&&cell| ground.moves(cell) != 0) {
                let place = Place::new(cell, maps.stride);
                for d in 0..8 {
                    if d < 4 || ground.moves(cell) & 1 << d != 0 {
                        let (steps, found) = jump(&ground, place, d);
                        prop_assert_eq!(maps.jump(place, d), steps, "{:?} {}", place, d);
                        prop_assert!(d >= 4 || (maps.mask(place) & 1 << d != 0) == found);
                    }
                }
                prop_assert_eq!(maps.mask(place) & 0xf0, ground.moves(cell) & 0xf0);
            }
            let dirty: Vec<Cell> = (0..3).map(|_| cells[random.random_range(0..cells.len())]).collect();
            for &cell in &dirty {
                grid.set_open(cell, !grid.is_open(cell));
            }
            let ground = Ground::new(grid.into(), radius).unwrap();
            prop_assert!(maps.updated(&ground, &dirty) == JumpBitmaps::new(&ground));
        }
    }

    #[test]
    fn a_cell_takes_two_bytes() {
        for (width, height) in [(1000, 1000), (1500, 300), (300, 1500)] {
            let ground = Ground::new(Grid::open_plain(Lattice::new(width, height, 1.0).unwrap()).into(), 0.4).unwrap();
            let bytes = JumpBitmaps::new(&ground).bytes() as f64 / f64::from(width * height);
            assert!((2.0..2.1).contains(&bytes), "{bytes}");
        }
    }
}
