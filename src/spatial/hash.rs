//! The spatial hash of an unbounded world.

use super::extent::Extent;
use super::middle::Middle;
use super::sizes::Sizes;
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::{Aabb, distance_squared};
use std::ops::{ControlFlow, Range};

/// A grid without bounds: a hashed table knows the blocks of cells that hold bodies.
///
/// Cells come in blocks of 64 (8 by 8, or 4 by 4 by 4), each with a small dense table of its own, so that the hash is asked
/// once a block and not once a cell. The table is open addressing with a fixed hash function. Blocks that hold bodies are
/// sorted by place, bodies by block and cell, so that all bodies of a stretch of cells lie together and pairs are found once,
/// by looking only at later ones.
///
/// `rebuild` is O(n + b log b) for b ≤ n blocks and allocates nothing once the memory suffices. A query costs O(bodies and
/// blocks it meets). Slower than [`DenseGrid`](super::DenseGrid) where that suits; a few bodies far away do no harm here,
/// and memory grows with the bodies (at most some 300 bytes each), not with the world. Crowds much
/// denser in some places than in most have full cells there.
///
/// M. Teschner et al., "Optimized spatial hashing for collision detection of deformable objects", 2003; blocks after
/// M. Nießner et al., "Real-time 3D reconstruction at scale using voxel hashing", 2013.
///
/// ```
/// use throng::spatial::{Bodies, HashGrid, SpatialIndex};
/// let position = [[0.0, 0.0, 0.0], [1e9, 0.0, 0.0], [0.0, 0.7, 0.0]];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// let mut index = HashGrid::default();
/// index.rebuild(bodies)?;
/// assert_eq!(index.nearest(bodies, [9e8, 0.0, 0.0], 1e9, |_| true).map(|(row, _)| row), Some(1));
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HashGrid<const D: usize> {
    /// Wanted side of a cell (m).
    wanted: Option<f32>,
    bounds: Option<Aabb<D>>,
    extent: Extent<D>,
    sizes: Sizes,
    origin: [f32; D],
    side: f32,
    /// 1 / side.
    scale: f32,
    /// How many cells two small bodies that overlap may be apart on any axis.
    apart: i32,
    /// The number of the block at each place of the hash; its length is a power of two.
    table: Vec<u32>,
    /// Coordinates of the blocks, in order; the last axis counts most.
    block: Vec<[i32; D]>,
    /// `start[c]..start[c + 1]` are the places of the bodies of cell c.
    start: Vec<u32>,
    member: Vec<Member<D>>,
    /// Cell of each row; only used while rebuilding, as is the order of the blocks.
    cell: Vec<u32>,
    order: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Member<const D: usize> {
    position: [f32; D],
    radius: f32,
    row: u32,
}

/// Cells from one corner to the other, both included.
#[derive(Clone, Copy, Debug)]
struct Window<const D: usize> {
    low: [i32; D],
    high: [i32; D],
}

const NONE: u32 = u32::MAX;

impl<const D: usize> Default for HashGrid<D> {
    fn default() -> Self {
        Self {
            wanted: None,
            bounds: None,
            extent: Extent::default(),
            sizes: Sizes::default(),
            origin: [0.0; D],
            side: 1.0,
            scale: 1.0,
            apart: 1,
            table: vec![NONE; 16],
            block: Vec::new(),
            start: Vec::new(),
            member: Vec::new(),
            cell: Vec::new(),
            order: Vec::new(),
        }
    }
}

impl HashGrid<2> {
    /// An empty grid with the cells, reach and bounds of `tuning`. No bounds are needed; where there are some, bodies
    /// outside are an error.
    pub fn new(tuning: &Tuning) -> Self {
        let wanted = tuning.cell.or_else(|| tuning.reach.map(|reach| reach * 0.5));
        let mut grid = wanted.map_or_else(Self::default, |side| Self::default().with_cell(side));
        grid.bounds = tuning.bounds;
        grid
    }
}

impl<const D: usize> HashGrid<D> {
    /// Cells of a block along an axis: 2 to the power of this.
    const SHIFT: u32 = 6 / (D as u32);
    const MASK: i32 = (1 << Self::SHIFT) - 1;
    /// Cells of a block.
    const CELLS: usize = 1 << (Self::SHIFT as usize * D);
    /// The furthest cell from the origin on any axis: what lies beyond is counted there.
    const FURTHEST: f32 = (1 << 29) as f32;

    /// The same grid with cells of a given side (m).
    #[must_use]
    pub fn with_cell(mut self, side: f32) -> Self {
        self.wanted = (side.is_finite() && side > 0.0).then_some(side);
        self
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.table.fill(NONE);
        self.block.clear();
        self.start.clear();
        self.member.clear();
    }

    /// Chooses origin and side of the cells.
    fn lay_out(&mut self, bodies: Bodies<D>) {
        let middle = Middle::of(bodies.position, &self.extent.hull);
        let side = self.wanted.unwrap_or(middle.cell_side(bodies.len(), self.sizes.small) as f32);
        self.origin = std::array::from_fn(|axis| (middle.bounds.low[axis] + middle.bounds.high[axis]) * 0.5);
        self.side = if side > 1e-30 { side } else { 1.0 };
        self.scale = 1.0 / self.side;
        // A coordinate in cells is rounded twice: it is off by 2⁻²³ of its size at most.
        let hull = &self.extent.hull;
        let furthest = (0..D).flat_map(|axis| [self.along(axis, hull.low[axis]), self.along(axis, hull.high[axis])]);
        let furthest = f64::from(furthest.fold(0, |furthest, x| x.abs().max(furthest)));
        let apart = 2.0 * f64::from(self.sizes.small) * f64::from(self.scale) * (1.0 + 1e-6) + furthest * 5e-7;
        self.apart = apart.ceil().clamp(1.0, f64::from(Self::FURTHEST)) as i32;
    }

    /// The cell of a coordinate (m). Never falls as the coordinate grows: rounding keeps the order of numbers.
    #[inline]
    fn along(&self, axis: usize, x: f32) -> i32 {
        let x = ((x - self.origin[axis]) * self.scale).clamp(-Self::FURTHEST, Self::FURTHEST);
        let whole = x as i32;
        whole - i32::from(whole as f32 > x)
    }

    #[inline]
    fn window(&self, low: [f32; D], high: [f32; D], reach: f32) -> Window<D> {
        Window {
            low: std::array::from_fn(|axis| self.along(axis, low[axis] - reach)),
            high: std::array::from_fn(|axis| self.along(axis, high[axis] + reach)),
        }
    }

    /// Where the search for a block begins. The multipliers are those of Teschner et al.; the last one spreads their bits.
    #[inline]
    fn hash(&self, block: [i32; D]) -> usize {
        const PRIMES: [u32; 4] = [73_856_093, 19_349_663, 83_492_791, 67_867_979];
        let mixed = (0..D).fold(0, |hash: u32, axis| hash ^ (block[axis] as u32).wrapping_mul(PRIMES[axis % 4]));
        let bits = self.table.len().trailing_zeros();
        (u64::from(mixed.wrapping_mul(0x9E37_79B9)) >> (32 - bits)) as usize
    }

    /// The place in the table of a block, or the free one where it belongs.
    #[inline]
    fn slot(&self, block: [i32; D]) -> usize {
        let mut slot = self.hash(block);
        while self.table[slot] != NONE && self.block[self.table[slot] as usize] != block {
            slot = (slot + 1) & (self.table.len() - 1);
        }
        slot
    }

    /// The number of a block that may be new.
    #[inline]
    fn number(&mut self, block: [i32; D]) -> u32 {
        let mut slot = self.slot(block);
        if self.table[slot] == NONE {
            if (self.block.len() + 1) * 2 > self.table.len() {
                let size = self.table.len() * 2;
                self.enter_all(size);
                slot = self.slot(block);
            }
            self.table[slot] = self.block.len() as u32;
            self.block.push(block);
        }
        self.table[slot]
    }

    /// Fills the table anew.
    fn enter_all(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, NONE);
        for number in 0..self.block.len() {
            let slot = self.slot(self.block[number]);
            self.table[slot] = number as u32;
        }
    }

    /// Sorts the blocks and writes into `order` what became of their numbers.
    fn sort_blocks(&mut self) {
        self.order.clear();
        self.order.extend((0..self.block.len() as u32).map(|number| (number, 0)));
        let block = &self.block;
        self.order.sort_unstable_by(|&(a, _), &(b, _)| {
            let (a, b) = (&block[a as usize], &block[b as usize]);
            a.iter().rev().cmp(b.iter().rev())
        });
        for rank in 0..self.order.len() {
            let number = self.order[rank].0;
            self.order[number as usize].1 = rank as u32;
        }
        self.block.sort_unstable_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        for number in self.table.iter_mut().filter(|number| **number != NONE) {
            *number = self.order[*number as usize].1;
        }
    }

    /// Calls `visit` with the blocks that meet a window, their number not below `from`, in any order.
    #[inline]
    fn blocks(
        &self,
        window: &Window<D>,
        from: usize,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if (0..D).any(|axis| window.low[axis] > window.high[axis]) {
            return ControlFlow::Continue(());
        }
        let (low, high) = (window.low.map(|x| x >> Self::SHIFT), window.high.map(|x| x >> Self::SHIFT));
        if low == high {
            return match self.table[self.slot(low)] {
                number if number != NONE && number as usize >= from => visit(number as usize),
                _ => ControlFlow::Continue(()),
            };
        }
        let count = (0..D).fold(1.0, |count, axis| count * (f64::from(high[axis]) - f64::from(low[axis]) + 1.0));
        if count > self.block.len() as f64 {
            // Fewer blocks than places where one could be.
            for number in from..self.block.len() {
                let block = self.block[number];
                if (0..D).all(|axis| (low[axis]..=high[axis]).contains(&block[axis])) {
                    visit(number)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let mut at = low;
        loop {
            let number = self.table[self.slot(at)];
            if number != NONE && number as usize >= from {
                visit(number as usize)?;
            }
            let mut axis = 0;
            while at[axis] == high[axis] {
                at[axis] = low[axis];
                axis += 1;
                if axis == D {
                    return ControlFlow::Continue(());
                }
            }
            at[axis] += 1;
        }
    }

    /// Calls `visit` with the places of the bodies in the cells of a block that meet a window: a stretch for each row.
    #[inline]
    fn stretches(
        &self,
        number: usize,
        window: &Window<D>,
        mut visit: impl FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let block = self.block[number];
        let low: [i32; D] = std::array::from_fn(|axis| (window.low[axis] - (block[axis] << Self::SHIFT)).max(0));
        let high: [i32; D] =
            std::array::from_fn(|axis| (window.high[axis] - (block[axis] << Self::SHIFT)).min(Self::MASK));
        let mut at = low;
        loop {
            let line = (1..D)
                .fold(number * Self::CELLS, |line, axis| line + ((at[axis] as usize) << (Self::SHIFT as usize * axis)));
            let (first, end) = (self.start[line + low[0] as usize], self.start[line + high[0] as usize + 1]);
            visit(first as usize..end as usize)?;
            let mut axis = 1;
            loop {
                if axis >= D {
                    return ControlFlow::Continue(());
                }
                at[axis] += 1;
                if at[axis] <= high[axis] {
                    break;
                }
                at[axis] = low[axis];
                axis += 1;
            }
        }
    }

    /// Tests one member with those at some places, but for large ones up to `known`.
    #[inline]
    fn test<const RESTING: bool>(
        &self,
        bodies: Bodies<D>,
        one: &Member<D>,
        places: Range<usize>,
        known: usize,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        let rests = RESTING && bodies.rests(one.row as usize);
        for other in places {
            let candidate = &self.member[other];
            let left_out = candidate.radius > self.sizes.limit && other <= known;
            if left_out || RESTING && rests && bodies.rests(candidate.row as usize) {
                continue;
            }
            *tests += 1;
            let reach = one.radius + candidate.radius;
            if distance_squared(one.position, candidate.position) < reach * reach {
                visit(one.row.min(candidate.row), one.row.max(candidate.row))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// [`pairs`](SpatialIndex::pairs) of small bodies, with a look at who rests only where anyone does: each cell with the
    /// later ones near it.
    #[inline]
    fn pairs_of_small<const RESTING: bool>(
        &self,
        bodies: Bodies<D>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        for number in 0..self.block.len() {
            let origin = self.block[number].map(|x| x << Self::SHIFT);
            let mut first = self.start[number * Self::CELLS] as usize;
            for local in 0..Self::CELLS {
                let own = first..self.start[number * Self::CELLS + local + 1] as usize;
                if own.is_empty() {
                    continue;
                }
                first = own.end;
                let at: [i32; D] =
                    std::array::from_fn(|axis| (local >> (Self::SHIFT as usize * axis)) as i32 & Self::MASK);
                let window = Window {
                    low: std::array::from_fn(|axis| origin[axis] + at[axis] - self.apart),
                    high: std::array::from_fn(|axis| origin[axis] + at[axis] + self.apart),
                };
                let mut meet = |places: Range<usize>| {
                    own.clone().filter(|&one| self.member[one].radius <= self.sizes.limit).try_for_each(|one| {
                        let later = places.start.max(one + 1)..places.end;
                        self.test::<RESTING>(bodies, &self.member[one], later, usize::MAX, visit, tests)
                    })
                };
                // In this block all rows before are done; in others nothing is.
                let mut here = window;
                here.low[D - 1] = origin[D - 1] + at[D - 1];
                self.stretches(number, &here, &mut meet)?;
                if at.iter().any(|&x| x < self.apart || x + self.apart > Self::MASK) {
                    self.blocks(&window, number + 1, |number| self.stretches(number, &window, &mut meet))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// [`pairs`](SpatialIndex::pairs) of large bodies with all others: each with all small ones and the later large ones.
    fn pairs_of_large(
        &self,
        bodies: Bodies<D>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        if self.sizes.count == self.member.len() {
            return ControlFlow::Continue(());
        }
        for (place, member) in self.member.iter().enumerate().filter(|(_, member)| member.radius > self.sizes.limit) {
            let window = self.window(member.position, member.position, member.radius + self.extent.widest);
            self.blocks(&window, 0, |number| {
                self.stretches(number, &window, |places| self.test::<true>(bodies, member, places, place, visit, tests))
            })?;
        }
        ControlFlow::Continue(())
    }
}

impl<const D: usize> SpatialIndex<D> for HashGrid<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        let n = bodies.len();
        self.extent = Extent::of(bodies);
        self.sizes = Sizes::split(bodies, &self.extent);
        self.lay_out(bodies);
        if self.table.len() > 8 * n + 64 {
            // Made for a much larger crowd.
            self.table.truncate(16);
        }
        self.cell.clear();
        // Neighbouring rows are often neighbours: they ask for the same block.
        let (mut last, mut known) = ([i32::MIN; D], NONE);
        for &position in bodies.position {
            let at: [i32; D] = std::array::from_fn(|axis| self.along(axis, position[axis]));
            let block = at.map(|x| x >> Self::SHIFT);
            if block != last {
                (last, known) = (block, self.number(block));
            }
            let local = (0..D).fold(0, |local, axis| local | (at[axis] & Self::MASK) << (Self::SHIFT * axis as u32));
            self.cell.push(known * Self::CELLS as u32 + local as u32);
        }
        self.sort_blocks();
        self.start.resize(self.block.len() * Self::CELLS + 1, 0);
        for cell in &mut self.cell {
            let (block, local) = (*cell / Self::CELLS as u32, *cell % Self::CELLS as u32);
            *cell = self.order[block as usize].1 * Self::CELLS as u32 + local;
            self.start[*cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.start {
            sum += *start;
            *start = sum;
        }
        self.member.resize(n, Member { position: [0.0; D], radius: 0.0, row: 0 });
        // From the end of each cell backwards: keeps the order, and leaves the starts behind.
        for (row, &cell) in self.cell.iter().enumerate().rev() {
            let start = &mut self.start[cell as usize];
            *start -= 1;
            self.member[*start as usize] =
                Member { position: bodies.position[row], radius: bodies.radius[row], row: row as u32 };
        }
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        let flow = if bodies.resting.is_empty() {
            self.pairs_of_small::<false>(bodies, &mut visit, &mut tests)
        } else {
            self.pairs_of_small::<true>(bodies, &mut visit, &mut tests)
        };
        if flow.is_continue() {
            let _ = self.pairs_of_large(bodies, &mut visit, &mut tests);
        }
        tests
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.member.is_empty() {
            return ControlFlow::Continue(());
        }
        let window = self.window(region.low, region.high, self.extent.reach());
        self.blocks(&window, 0, |number| {
            self.stretches(number, &window, |places| {
                self.member[places].iter().try_for_each(|member| visit(member.row))
            })
        })
    }

    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        let window = self.window(region.low, region.high, 0.0);
        self.blocks(&window, 0, |number| {
            for local in 0..Self::CELLS {
                let cell = number * Self::CELLS + local;
                let held = (self.start[cell + 1] - self.start[cell]) as usize;
                let at: [i32; D] = std::array::from_fn(|axis| {
                    (self.block[number][axis] << Self::SHIFT)
                        + (local >> (Self::SHIFT as usize * axis)) as i32 % (1 << Self::SHIFT)
                });
                if held > 0 && (0..D).all(|axis| (window.low[axis]..=window.high[axis]).contains(&at[axis])) {
                    let low = std::array::from_fn(|axis| self.origin[axis] + at[axis] as f32 * self.side);
                    visit(&Aabb { low, high: low.map(|x| x + self.side) }, held)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    fn spacing(&self) -> f32 {
        self.side
    }

    fn bytes(&self) -> usize {
        (self.table.capacity() + self.start.capacity() + self.cell.capacity()) * size_of::<u32>()
            + self.order.capacity() * size_of::<(u32, u32)>()
            + self.block.capacity() * size_of::<[i32; D]>()
            + self.member.capacity() * size_of::<Member<D>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::tests::{Crowd, Lie, Size, suite};

    #[test]
    fn agrees_with_brute_force_in_the_plane() {
        let mut sides = [None, Some(0.3), Some(40.0), Some(1e-20)].iter().cycle();
        suite::<2, _>("hash", || HashGrid::new(&Tuning { cell: *sides.next().unwrap(), ..Tuning::default() }));
    }

    #[test]
    fn agrees_with_brute_force_in_space() {
        let mut sides = [0.0, 0.3, 40.0].iter().cycle();
        suite::<3, _>("hash", || HashGrid::<3>::default().with_cell(*sides.next().unwrap()));
    }

    #[test]
    fn bodies_are_where_the_table_says() {
        for lie in [Lie::Uniform, Lie::Scattered, Lie::Far(1e6), Lie::Coincident] {
            let mut crowd = Crowd::<3>::new(lie, Size::Mixed, 500, 4);
            let mut index = HashGrid::<3>::default();
            for _ in 0..5 {
                crowd.stir();
                index.rebuild(crowd.bodies()).unwrap();
                assert!(index.block.is_sorted_by(|a, b| a.iter().rev().lt(b.iter().rev())));
                assert!(index.table.len() >= 2 * index.block.len());
                for (number, &block) in index.block.iter().enumerate() {
                    assert_eq!(index.table[index.slot(block)] as usize, number);
                }
                let mut members = 0;
                for cell in 0..index.block.len() * 64 {
                    for member in &index.member[index.start[cell] as usize..index.start[cell + 1] as usize] {
                        let at: [i32; 3] = std::array::from_fn(|axis| index.along(axis, member.position[axis]));
                        assert_eq!(at.map(|x| x >> 2), index.block[cell / 64]);
                        assert_eq!((at[0] & 3 | (at[1] & 3) << 2 | (at[2] & 3) << 4) as usize, cell % 64);
                        assert_eq!(member.position, crowd.position[member.row as usize]);
                        members += 1;
                    }
                }
                assert_eq!(members, crowd.position.len());
            }
        }
    }

    #[test]
    fn one_far_away_does_no_harm() {
        let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Equal, 600, 3);
        let mut index = HashGrid::default();
        index.rebuild(crowd.bodies()).unwrap();
        let (fullest, bytes) = (index.census().fullest, index.bytes());
        crowd.position[17] = [1e18, -1e18];
        index.rebuild(crowd.bodies()).unwrap();
        assert!(index.census().fullest <= fullest + 1);
        assert!(index.bytes() < 2 * bytes + 2000);
    }
}
