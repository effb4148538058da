//! Dynamic buckets: a grid that splits where it fills and coalesces where it empties.

mod corner_stitching;
mod pairs;

use super::extent::Extent;
use super::lists::{Lists, Member, NONE};
use super::middle::Middle;
use super::raster::Raster;
use super::sizes::Sizes;
use super::trees::interleave;
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::Aabb;
use corner_stitching::{Border, CornerStitching, ROOT_LEVEL, Units};
use std::ops::ControlFlow;

/// A grid of square buckets that are cut into four where more bodies gather than they shall hold, and made one again where
/// few are left. Each bucket knows its neighbours on each side, whatever their sizes, so that bodies that move on, and
/// searches, go from neighbour to neighbour; there is no tree.
///
/// A body belongs to the bucket of its centre; members are in linked lists, as in [`Buckets`](super::Buckets). Each bucket
/// looks for partners of its bodies among the later buckets that these reach, so that each pair is tested once.
///
/// `update` costs O(1) for a body that stays in its bucket, O(buckets on the way) for one that leaves it, and O(neighbours)
/// for each bucket cut or made; members are put in order anew when a quarter of them moved on. `rebuild` is O(n log n). Good
/// where density differs from place to place; slower than a plain grid where it does not. Buckets are never smaller than
/// the small bodies, nor than 1/65536 of the side of the middle of the crowd: where more gather in less room, lists grow long.
/// Where bounds are given, bodies outside are an error.
///
/// Neighbours are linked by corner stitching (J. K. Ousterhout, 1984); grids that adapt: H. Samet, "The quadtree and
/// related hierarchical data structures", 1984.
///
/// ```
/// use throng_spatial::{Bodies, DynamicBuckets, SpatialIndex, Tuning};
/// let mut position: Vec<[f32; 2]> = (0..100_u16).map(|i| [f32::from(i % 10), f32::from(i / 10)]).collect();
/// let (radius, id) = ([0.4; 100], (0..100).collect::<Vec<u32>>());
/// let mut index = DynamicBuckets::new(&Tuning { capacity: Some(10), ..Tuning::default() });
/// index.rebuild(Bodies::new(&position, &radius, &id))?;
/// assert_eq!(index.census().cells, 16);
/// for place in &mut position {
///     *place = place.map(|x| 9.0 * x / (x + 1.0));
/// }
/// index.update(Bodies::new(&position, &radius, &id))?;
/// assert!(index.census().fullest <= 10);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DynamicBuckets {
    capacity: u32,
    /// The least side of a bucket (m) that was asked for.
    smallest: Option<f32>,
    bounds: Option<Aabb<2>>,
    extent: Extent<2>,
    sizes: Sizes,
    /// The plane in units.
    raster: Raster,
    made_of: Extent<2>,
    /// How far bodies are apart, where they are (m).
    spacing: f32,
    stitching: CornerStitching,
    /// Buckets of this level are not cut.
    floor: u32,
    lists: Lists,
    /// The bucket of each place in `lists`.
    bucket: Vec<u32>,
    /// Some bucket near each field of a coarse board, row by row: where searches begin.
    entrance: Vec<u32>,
    /// The board has 2 to the power of this columns and rows.
    board: u32,
    relinked: usize,
    /// Room for sorting, for neighbours while they are linked anew, and for buckets that are to be cut.
    order: Vec<u64>,
    borders: Vec<Border>,
    full: Vec<u32>,
}

impl Default for DynamicBuckets {
    fn default() -> Self {
        let mut lists = Lists::default();
        lists.clear();
        Self {
            capacity: Self::CAPACITY,
            smallest: None,
            bounds: None,
            extent: Extent::default(),
            sizes: Sizes::default(),
            raster: Raster::default(),
            made_of: Extent::default(),
            spacing: 1.0,
            stitching: CornerStitching::default(),
            floor: 0,
            lists,
            bucket: Vec::new(),
            entrance: vec![0],
            board: 0,
            relinked: 0,
            order: Vec::new(),
            borders: Vec::new(),
            full: Vec::new(),
        }
    }
}

impl DynamicBuckets {
    /// How many bodies a bucket holds where nothing is said.
    pub const CAPACITY: u32 = 8;

    /// An empty index with the capacity, the least bucket and the bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let capacity = tuning.capacity.map_or(Self::CAPACITY, |capacity| capacity.clamp(1, 1 << 20) as u32);
        let smallest = tuning.cell.filter(|side| side.is_finite() && *side > 0.0);
        Self { capacity, smallest, bounds: tuning.bounds, ..Self::default() }
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.stitching.clear();
        self.lists.clear();
        self.bucket.clear();
        self.enter();
        self.relinked = 0;
    }

    /// The unit of a point.
    #[inline]
    fn unit(&self, point: [f32; 2]) -> [u32; 2] {
        [self.raster.along(0, point[0]), self.raster.along(1, point[1])]
    }

    #[inline]
    fn window(&self, low: [f32; 2], high: [f32; 2], reach: f32) -> Units {
        let ([left, top], [right, bottom]) =
            (self.unit([low[0] - reach, low[1] - reach]), self.unit([high[0] + reach, high[1] + reach]));
        Units { left, right, top, bottom }
    }

    /// A bucket near a unit.
    #[inline]
    fn near(&self, x: u32, y: u32) -> u32 {
        let shift = ROOT_LEVEL - self.board;
        self.entrance[((y >> shift) << self.board | x >> shift) as usize]
    }

    /// Makes the entrances, about one for eight buckets.
    fn enter(&mut self) {
        self.board = (self.stitching.cell.len() / 8 + 1).ilog2() / 2;
        self.entrance.clear();
        let mut from = 0;
        for row in 0..1_u32 << self.board {
            for column in 0..1_u32 << self.board {
                let shift = ROOT_LEVEL - self.board;
                from = self.stitching.find(from, column << shift, row << shift);
                self.entrance.push(from);
            }
        }
    }

    /// Lays units over the middle of all bodies.
    fn lay_out(&mut self, bodies: Bodies<2>) {
        self.sizes = Sizes::split(bodies, &self.extent);
        self.made_of = self.extent;
        let middle = Middle::of(bodies.position, &self.extent.hull);
        self.spacing = middle.cell_side(bodies.len(), self.sizes.small) as f32;
        let middle = middle.bounds;
        let low = middle.low;
        let side = (middle.high[0] - low[0]).max(middle.high[1] - low[1]);
        let square = Aabb { low, high: [low[0] + side, low[1] + side] };
        self.raster = Raster::split(&square, [1 << ROOT_LEVEL; 2]);
        let smallest = self.smallest.unwrap_or(self.sizes.small) / self.raster.side();
        self.floor = if smallest > 1.0 { (libm::log2f(smallest).ceil() as u32).min(ROOT_LEVEL) } else { 0 };
    }

    /// True where units do not suit the bodies any more.
    fn unfit(&self) -> bool {
        let (now, then) = (&self.extent, &self.made_of);
        let (side, old) = (now.sides()[0].max(now.sides()[1]), then.sides()[0].max(then.sides()[1]));
        let beyond = (0..2).fold(0.0_f64, |beyond, axis| {
            let after = f64::from(now.hull.high[axis]) - f64::from(then.hull.high[axis]);
            beyond.max(after).max(f64::from(then.hull.low[axis]) - f64::from(now.hull.low[axis]))
        });
        beyond > 0.1 * old || side < 0.5 * old || now.widest > 2.0 * then.widest || 2.0 * now.widest < then.widest
    }

    /// Sorts the bodies along Morton's curve and cuts buckets top down.
    fn fill(&mut self, bodies: Bodies<2>) {
        let n = bodies.len();
        self.order.clear();
        for (row, &position) in bodies.position.iter().enumerate() {
            self.order.push(interleave(self.unit(position)) << 32 | row as u64);
        }
        self.order.sort_unstable();
        self.clear();
        let Lists { head, member, previous, row, place } = &mut self.lists;
        place.resize(n, 0);
        for (at, &key) in self.order.iter().enumerate() {
            let of = key as u32 as usize;
            member.push(Member { position: bodies.position[of], radius: bodies.radius[of], next: NONE });
            row.push(of as u32);
            place[of] = at as u32;
        }
        previous.resize(n, NONE);
        // Until all are cut, the head of a bucket is where its stretch begins.
        let stitching = &mut self.stitching;
        stitching.cell[0].count = n as u32;
        head[0] = 0;
        let mut number = 0;
        while number < stitching.cell.len() {
            let cell = *stitching.at(number as u32);
            if cell.count <= self.capacity || cell.level <= self.floor {
                number += 1;
                continue;
            }
            let stretch = head[number] as usize..(head[number] + cell.count) as usize;
            let quarters = stitching.split(number as u32, &mut self.borders);
            head.resize(stitching.cell.len(), 0);
            let shift = 32 + 2 * (cell.level - 1);
            let mut first = stretch.start;
            for (which, quarter) in quarters.into_iter().enumerate() {
                let rest = &self.order[first..stretch.end];
                let count = rest.partition_point(|key| (key >> shift & 3) as usize <= which);
                head[quarter as usize] = first as u32;
                stitching.cell[quarter as usize].count = count as u32;
                first += count;
            }
        }
        self.bucket.resize(n, 0);
        for (number, head) in head.iter_mut().enumerate() {
            let stretch = *head as usize..(*head + stitching.cell[number].count) as usize;
            for at in stretch.clone() {
                self.bucket[at] = number as u32;
                member[at].next = if at + 1 < stretch.end { at as u32 + 1 } else { NONE };
                previous[at] = if at > stretch.start { at as u32 - 1 } else { NONE };
            }
            if stretch.is_empty() {
                *head = NONE;
            }
        }
        self.enter();
        self.relinked = 0;
    }

    /// Cuts a bucket that is too full, and shares its members out.
    fn cut(&mut self, number: u32) -> [u32; 4] {
        let quarters = self.stitching.split(number, &mut self.borders);
        self.lists.head.resize(self.stitching.cell.len(), NONE);
        let mut at = std::mem::replace(&mut self.lists.head[number as usize], NONE);
        let middle = self.stitching.at(quarters[3]);
        let (x, y) = (middle.x, middle.y);
        while at != NONE {
            let member = self.lists.member[at as usize];
            let unit = self.unit(member.position);
            let quarter = quarters[usize::from(unit[0] >= x) + 2 * usize::from(unit[1] >= y)];
            self.lists.link(at, quarter);
            self.bucket[at as usize] = quarter;
            self.stitching.cell[quarter as usize].count += 1;
            at = member.next;
        }
        quarters
    }

    /// Makes one bucket of four.
    fn join(&mut self, quarters: [u32; 4]) {
        for quarter in &quarters[1..] {
            let mut at = std::mem::replace(&mut self.lists.head[*quarter as usize], NONE);
            while at != NONE {
                let next = self.lists.member[at as usize].next;
                self.lists.link(at, quarters[0]);
                self.bucket[at as usize] = quarters[0];
                at = next;
            }
        }
        self.stitching.merge(quarters, &mut self.borders);
    }

    /// Whether a bucket is to be cut.
    fn too_full(&self, number: u32) -> bool {
        let cell = self.stitching.at(number);
        cell.count > self.capacity && cell.level > self.floor
    }

    /// Cuts cells that are too full, and joins cells that are too empty.
    fn adapt(&mut self) {
        for number in 0..self.stitching.cell.len() as u32 {
            if !self.stitching.at(number).is_free() && self.too_full(number) {
                self.full.push(number);
            }
            while let Some(number) = self.full.pop() {
                let quarters = self.cut(number);
                for quarter in quarters {
                    if self.too_full(quarter) {
                        self.full.push(quarter);
                    }
                }
            }
        }
        // Well below what they would be cut for, lest they are cut again at once.
        let few = self.capacity / 2;
        for number in 0..self.stitching.cell.len() as u32 {
            while !self.stitching.at(number).is_free() && self.stitching.at(number).count <= few {
                let held = |four: &[u32; 4]| four.iter().map(|&one| self.stitching.at(one).count).sum::<u32>();
                match self.stitching.quarters(number).filter(|four| held(four) <= few) {
                    Some(four) => self.join(four),
                    None => break,
                }
            }
        }
    }

    /// Calls `visit` with the places of all members of buckets that meet a window.
    fn visit(&self, from: u32, window: &Units, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        self.stitching.meeting(from, window, |bucket| {
            flow = self.lists.list(bucket).try_for_each(&mut visit);
            flow.is_continue()
        });
        flow
    }
}

impl SpatialIndex<2> for DynamicBuckets {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check_for(self.bounds.as_ref())?;
        self.extent = Extent::of(bodies);
        self.lay_out(bodies);
        self.fill(bodies);
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check_for(self.bounds.as_ref()) {
            self.clear();
            return Err(error);
        }
        let n = bodies.len();
        self.extent = Extent::of(bodies);
        if self.relinked >= n / 4 || self.lists.is_empty() || self.unfit() {
            self.lay_out(bodies);
            self.fill(bodies);
            return Ok(());
        }
        self.sizes = self.sizes.measured(bodies);
        while self.lists.len() > n {
            if let Some(place) = self.lists.pop(|place, _| self.bucket[place as usize]) {
                let bucket = self.bucket.swap_remove(place as usize);
                self.stitching.cell[bucket as usize].count -= 1;
            }
        }
        for place in 0..self.lists.len() {
            let row = self.lists.row[place] as usize;
            let ([x, y], from) = (self.unit(bodies.position[row]), self.bucket[place]);
            let member = &mut self.lists.member[place];
            (member.position, member.radius) = (bodies.position[row], bodies.radius[row]);
            if !self.stitching.at(from).contains(x, y) {
                let to = self.stitching.find(from, x, y);
                self.lists.unlink(place as u32, from);
                self.lists.link(place as u32, to);
                self.bucket[place] = to;
                self.stitching.cell[from as usize].count -= 1;
                self.stitching.cell[to as usize].count += 1;
                self.relinked += 1;
            }
        }
        for row in self.lists.len()..n {
            let [x, y] = self.unit(bodies.position[row]);
            let bucket = self.stitching.find(self.near(x, y), x, y);
            self.lists.push(bodies, bucket);
            self.bucket.push(bucket);
            self.stitching.cell[bucket as usize].count += 1;
            self.relinked += 1;
        }
        self.adapt();
        self.enter();
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
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
        _: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let window = self.window(region.low, region.high, self.extent.reach());
        self.visit(self.near(window.left, window.top), &window, |place| visit(self.lists.row[place as usize]))
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        let window = self.window(region.low, region.high, 0.0);
        let mut flow = ControlFlow::Continue(());
        self.stitching.meeting(self.near(window.left, window.top), &window, |number| {
            let cell = self.stitching.at(number);
            if cell.count > 0 {
                let [right, bottom] = cell.last();
                let (low, high) = (self.raster.cell(cell.x, cell.y).low, self.raster.cell(right, bottom).high);
                flow = visit(&Aabb { low, high }, cell.count as usize);
            }
            flow.is_continue()
        });
        flow
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        self.lists.bytes()
            + self.stitching.bytes()
            + (self.bucket.capacity() + self.entrance.capacity()) * size_of::<u32>()
            + self.order.capacity() * size_of::<u64>()
            + self.borders.capacity() * size_of::<Border>()
    }
}

#[cfg(test)]
mod tests;
