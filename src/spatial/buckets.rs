//! Static buckets: a regular grid whose members are in linked lists.

use super::extent::{Extent, cell_side};
use super::raster::Raster;
use super::sizes::Sizes;
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::{Aabb, distance_squared};
use std::ops::ControlFlow;

/// A regular grid of buckets, each the head of a list of its members; the links lie in flat arrays.
///
/// A body belongs to the bucket of its centre. `update` relinks the bodies that left their bucket, O(1) each, and
/// refreshes the positions of the others. Each body looks for partners at the later members of its own bucket, and, where
/// it sticks out of that by its own radius and the greatest one, into buckets to the right and below: half of its
/// neighbourhood, so that each pair is met once. Where a few bodies are much larger than most, these look in all
/// directions, and the others only for each other.
///
/// Lists that are relinked lead criss-cross through memory, which is what makes such a grid slow. So members are kept in
/// the order of the buckets, and put back into it when a quarter of them was relinked since.
///
/// There are at most some four buckets a body. `rebuild` is O(n), a query costs O(bodies and buckets it meets). Crowds
/// much denser in some places than on the average have long lists there. Where bounds are given, bodies outside are an
/// error.
///
/// The classical grid of collision detection: C. Ericson, "Real-Time Collision Detection", 2005, section 7.1.
///
/// ```
/// use std::ops::ControlFlow;
/// use throng::spatial::{Bodies, Buckets, SpatialIndex};
/// let mut position = [[0.0, 0.0], [0.8, 0.0], [9.0, 9.0]];
/// let mut index = Buckets::default();
/// index.rebuild(Bodies::new(&position, &[0.5; 3], &[0, 1, 2]))?;
/// position[2] = [0.0, 0.9];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// index.update(bodies)?;
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| {
///     pairs.push((i, j));
///     ControlFlow::Continue(())
/// });
/// pairs.sort();
/// assert_eq!(pairs, [(0, 1), (0, 2)]);
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    /// Wanted side of a bucket (m).
    wanted: Option<f32>,
    bounds: Option<Aabb<2>>,
    raster: Raster,
    extent: Extent<2>,
    sizes: Sizes,
    /// The first member of each bucket.
    head: Vec<u32>,
    /// Members, about in the order of their buckets.
    member: Vec<Member>,
    /// The member before each in its list.
    previous: Vec<u32>,
    /// The row of each member, and the place of the member of each row.
    row: Vec<u32>,
    place: Vec<u32>,
    /// How many were linked anew since members were put in order, and of what the raster was made.
    relinked: usize,
    made_of: (usize, Extent<2>),
}

/// A body in its list.
#[derive(Clone, Copy, Debug, Default)]
struct Member {
    position: [f32; 2],
    radius: f32,
    /// The next one in the same bucket.
    next: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

impl Buckets {
    const PER_BODY: usize = 4;
    const SPARE: usize = 64;

    /// An empty grid with the cells, reach and bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let wanted = tuning.cell.or_else(|| tuning.reach.map(|reach| reach * 0.5));
        Self { wanted: wanted.filter(|side| side.is_finite() && *side > 0.0), bounds: tuning.bounds, ..Self::default() }
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.head.clear();
        self.head.resize(1, NONE);
        self.raster = Raster::default();
        self.member.clear();
        self.previous.clear();
        self.row.clear();
        self.place.clear();
        self.relinked = 0;
        self.made_of = (0, Extent::default());
    }

    /// Buckets over all bodies.
    fn lay_out(&mut self, bodies: Bodies<2>) {
        let n = bodies.len();
        self.sizes = Sizes::split(bodies, &self.extent);
        let hull = self.bounds.unwrap_or(self.extent.hull);
        let sides = Extent { hull, ..self.extent }.sides();
        let side = self.wanted.map_or_else(
            || {
                // About one body a bucket; contacts in adjacent buckets where that costs little.
                let (side, diameter) = (cell_side(sides, n.max(1) as f64), 2.0 * f64::from(self.sizes.small));
                if diameter < 2.0 * side || side == 0.0 { side.max(diameter) } else { side }
            },
            f64::from,
        );
        self.raster = Raster::of_squares(&hull, side, Self::PER_BODY * n + Self::SPARE);
        self.made_of = (n, self.extent);
    }

    /// True where the buckets do not suit the bodies any more: far more or fewer, elsewhere, or much larger.
    fn unfit(&self, n: usize) -> bool {
        let (made_for, then) = &self.made_of;
        let (now, size) = (&self.extent, n.max(1));
        if size > 2 * made_for || 2 * size < *made_for || now.widest > 2.0 * then.widest {
            return true;
        }
        self.bounds.is_none()
            && (0..2).any(|axis| {
                let (side, old) = (now.sides()[axis], then.sides()[axis]);
                let allowed = 0.1 * then.sides()[0].max(then.sides()[1]);
                let beyond = f64::from(now.hull.high[axis]) - f64::from(then.hull.high[axis]);
                let before = f64::from(then.hull.low[axis]) - f64::from(now.hull.low[axis]);
                beyond.max(before) > allowed || side + allowed < 0.5 * old
            })
    }

    fn link(&mut self, place: u32, bucket: u32) {
        let next = std::mem::replace(&mut self.head[bucket as usize], place);
        self.member[place as usize].next = next;
        self.previous[place as usize] = NONE;
        if next != NONE {
            self.previous[next as usize] = place;
        }
    }

    fn unlink(&mut self, place: u32, bucket: u32) {
        let (previous, next) = (self.previous[place as usize], self.member[place as usize].next);
        self.point_at(previous, bucket, next);
        if next != NONE {
            self.previous[next as usize] = previous;
        }
    }

    /// Makes `place` follow `previous`, or be the head of its bucket.
    fn point_at(&mut self, previous: u32, bucket: u32, place: u32) {
        if previous == NONE {
            self.head[bucket as usize] = place;
        } else {
            self.member[previous as usize].next = place;
        }
    }

    /// Takes the last row out; the last member takes its place.
    fn remove_last_row(&mut self) {
        let Some(place) = self.place.pop() else { return };
        self.unlink(place, self.raster.of(self.member[place as usize].position));
        let last = self.member.len() as u32 - 1;
        if place != last {
            let member = self.member[last as usize];
            let (previous, row) = (self.previous[last as usize], self.row[last as usize]);
            self.member[place as usize] = member;
            self.previous[place as usize] = previous;
            self.row[place as usize] = row;
            self.place[row as usize] = place;
            self.point_at(previous, self.raster.of(member.position), place);
            if member.next != NONE {
                self.previous[member.next as usize] = place;
            }
        }
        self.member.pop();
        self.previous.pop();
        self.row.pop();
    }

    /// Puts all bodies into buckets: a counting sort, so that members lie in the order of the buckets, those of one
    /// bucket in the order of their rows.
    fn fill(&mut self, bodies: Bodies<2>) {
        let n = bodies.len();
        self.head.clear();
        self.head.resize(self.raster.cells() + 1, 0);
        // The buckets of the rows stand where their places will.
        self.place.clear();
        self.place.extend(bodies.position.iter().map(|&position| self.raster.of(position)));
        for &bucket in &self.place {
            self.head[bucket as usize] += 1;
        }
        let mut sum = 0;
        for head in &mut self.head {
            sum += *head;
            *head = sum;
        }
        self.member.resize(n, Member::default());
        self.previous.resize(n, NONE);
        self.row.resize(n, 0);
        for (row, place) in self.place.iter_mut().enumerate().rev() {
            let head = &mut self.head[*place as usize];
            *head -= 1;
            *place = *head;
            self.member[*head as usize] =
                Member { position: bodies.position[row], radius: bodies.radius[row], next: *head + 1 };
            self.previous[*head as usize] = head.wrapping_sub(1);
            self.row[*head as usize] = row as u32;
        }
        // Starts of stretches become heads of lists.
        for bucket in 0..self.head.len() - 1 {
            let (first, end) = (self.head[bucket], self.head[bucket + 1]);
            if first == end {
                self.head[bucket] = NONE;
            } else {
                self.previous[first as usize] = NONE;
                self.member[end as usize - 1].next = NONE;
            }
        }
        self.head.pop();
        self.relinked = 0;
    }

    /// The members of a list.
    #[inline]
    fn list(&self, column: u32, row: u32) -> impl Iterator<Item = u32> {
        let mut at = self.head[self.raster.number(column, row) as usize];
        std::iter::from_fn(move || {
            let place = at;
            let member = self.member.get(place as usize)?;
            at = member.next;
            Some(place)
        })
    }

    /// [`pairs`](SpatialIndex::pairs), with a look at who rests only where anyone does.
    #[inline]
    fn find_pairs<const RESTING: bool>(
        &self,
        bodies: Bodies<2>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        let sizes = &self.sizes;
        for (place, member) in self.member.iter().enumerate() {
            let row = self.row[place];
            let rests = RESTING && bodies.rests(row as usize);
            // Walks a list, and meets those whose radius is above the one limit and up to the other.
            let mut meet = |mut at: u32, above: f32, limit: f32| {
                while let Some(other) = self.member.get(at as usize) {
                    let place = at;
                    at = other.next;
                    let left_out = other.radius > limit || other.radius <= above;
                    if left_out || RESTING && rests && bodies.rests(self.row[place as usize] as usize) {
                        continue;
                    }
                    *tests += 1;
                    let reach = member.radius + other.radius;
                    if distance_squared(member.position, other.position) < reach * reach {
                        let other = self.row[place as usize];
                        visit(row.min(other), row.max(other))?;
                    }
                }
                ControlFlow::Continue(())
            };
            let large = member.radius > sizes.limit;
            let (limit, others) = if large { (f32::MAX, self.extent.widest) } else { (sizes.limit, sizes.small) };
            let window = self.raster.window(member.position, member.radius + others);
            let (column, line) = (self.raster.along(0, member.position[0]), self.raster.along(1, member.position[1]));
            let heads = |line: u32, from: u32, to: u32| {
                let first = self.raster.number(0, line);
                &self.head[(first + from) as usize..(first + to) as usize]
            };
            if large {
                // The small ones behind and here: they look for small ones only.
                for &head in (window.top..line).flat_map(|line| heads(line, window.left, window.right + 1)) {
                    meet(head, -1.0, sizes.limit)?;
                }
                for &head in heads(line, window.left, column + 1) {
                    meet(head, -1.0, sizes.limit)?;
                }
                meet(member.next, sizes.limit, limit)?;
            } else {
                meet(member.next, -1.0, limit)?;
            }
            for &head in heads(line, column + 1, window.right + 1) {
                meet(head, -1.0, limit)?;
            }
            for &head in (line + 1..=window.bottom).flat_map(|line| heads(line, window.left, window.right + 1)) {
                meet(head, -1.0, limit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl SpatialIndex<2> for Buckets {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        if let Some(bounds) = &self.bounds {
            bodies.check_inside(bounds)?;
        }
        self.extent = Extent::of(bodies);
        self.lay_out(bodies);
        self.fill(bodies);
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        let fit = bodies.check().and_then(|()| match &self.bounds {
            Some(bounds) => bodies.check_inside(bounds),
            None => Ok(()),
        });
        if fit.is_err() {
            self.clear();
            return fit;
        }
        let n = bodies.len();
        self.extent = Extent::of(bodies);
        if self.unfit(n) {
            self.lay_out(bodies);
            self.relinked = n;
        } else {
            self.sizes = self.sizes.measured(bodies);
        }
        if self.relinked >= n / 4 {
            self.fill(bodies);
            return Ok(());
        }
        while self.place.len() > n {
            self.remove_last_row();
        }
        for place in 0..self.member.len() {
            let row = self.row[place] as usize;
            let (old, new) = (self.member[place].position, bodies.position[row]);
            let (from, to) = (self.raster.of(old), self.raster.of(new));
            if from != to {
                self.unlink(place as u32, from);
                self.link(place as u32, to);
                self.relinked += 1;
            }
            self.member[place].position = new;
            self.member[place].radius = bodies.radius[row];
        }
        for row in self.place.len()..n {
            let (position, radius) = (bodies.position[row], bodies.radius[row]);
            let place = self.member.len() as u32;
            self.member.push(Member { position, radius, next: NONE });
            self.previous.push(NONE);
            self.row.push(row as u32);
            self.place.push(place);
            self.link(place, self.raster.of(position));
            self.relinked += 1;
        }
        Ok(())
    }

    fn pairs(&self, bodies: Bodies<2>, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        let _ = if bodies.resting.is_empty() {
            self.find_pairs::<false>(bodies, &mut visit, &mut tests)
        } else {
            self.find_pairs::<true>(bodies, &mut visit, &mut tests)
        };
        tests
    }

    fn touching(
        &self,
        _: Bodies<2>,
        region: &Aabb<2>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.member.is_empty() {
            return ControlFlow::Continue(());
        }
        let window = self.raster.meeting(region, self.extent.reach());
        for (column, row) in window.cells() {
            for place in self.list(column, row) {
                visit(self.row[place as usize])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.member.is_empty() {
            return ControlFlow::Continue(());
        }
        for (column, row) in self.raster.meeting(region, 0.0).cells() {
            let held = self.list(column, row).count();
            if held > 0 {
                visit(&self.raster.cell(column, row), held)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.raster.side()
    }

    fn bytes(&self) -> usize {
        let words = self.head.capacity() + self.previous.capacity() + self.row.capacity() + self.place.capacity();
        words * size_of::<u32>() + self.member.capacity() * size_of::<Member>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::tests::{Crowd, Lie, Size, suite};

    /// Every member is in the list of its bucket, once, and the lists lead back as they lead on.
    fn check(index: &Buckets, bodies: Bodies<2>) {
        let mut members = 0;
        for (bucket, &head) in index.head.iter().enumerate() {
            let (mut at, mut before) = (head, NONE);
            while at != NONE {
                assert_eq!(index.previous[at as usize], before);
                assert_eq!(index.raster.of(index.member[at as usize].position) as usize, bucket);
                let row = index.row[at as usize];
                assert_eq!(index.member[at as usize].position, bodies.position[row as usize]);
                assert_eq!(index.place[row as usize], at);
                (before, at) = (at, index.member[at as usize].next);
                members += 1;
            }
        }
        assert_eq!(members, bodies.len());
        assert_eq!((index.place.len(), index.member.len()), (members, members));
    }

    #[test]
    fn agrees_with_brute_force() {
        let tunings = [
            Tuning::default(),
            Tuning { cell: Some(0.3), ..Tuning::default() },
            Tuning { cell: Some(50.0), ..Tuning::default() },
            Tuning { reach: Some(3.0), ..Tuning::default() },
        ];
        let mut tunings = tunings.iter().cycle();
        suite::<2, _>("buckets", || Buckets::new(tunings.next().unwrap()));
    }

    #[test]
    fn lists_stay_whole_while_few_are_relinked() {
        for (lie, cell) in [(Lie::Uniform, Some(2.0)), (Lie::Clustered, None), (Lie::Scattered, None)] {
            let mut crowd = Crowd::<2>::new(lie, Size::Mixed, 400, 8);
            let mut index = Buckets::new(&Tuning { cell, ..Tuning::default() });
            index.rebuild(crowd.bodies()).unwrap();
            let mut kept = 0;
            for _ in 0..200 {
                crowd.stir();
                index.update(crowd.bodies()).unwrap();
                check(&index, crowd.bodies());
                kept += u32::from(index.relinked > 0);
            }
            assert!(kept > 50, "{lie:?}: sorted anew in all but {kept} of 200 updates");
        }
    }

    #[test]
    fn bounds_are_kept() {
        let bounds = Some(Aabb { low: [0.0, 0.0], high: [10.0, 10.0] });
        let mut index = Buckets::new(&Tuning { bounds, ..Tuning::default() });
        let inside = Bodies::new(&[[0.0, 10.0], [10.0, 5.0]], &[1.0; 2], &[4, 8]);
        index.rebuild(inside).unwrap();
        check(&index, inside);
        let outside = Bodies::new(&[[0.0, 10.0], [10.5, 5.0]], &[1.0; 2], &[4, 8]);
        let error = index.update(outside).unwrap_err();
        assert_eq!(
            error.to_string(),
            "body 8 (row 1) is at x = 10.5 m, outside the index, which spans 0 to 10 m; make its bounds wider, or use \
             one without bounds"
        );
        assert_eq!(index.member.len(), 0);
    }
}
