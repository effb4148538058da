//! Static buckets: a regular grid whose members are in linked lists.

use super::extent::Extent;
use super::lists::{Lists, Member, NONE};
use super::middle::Middle;
use super::raster::Raster;
use super::sizes::Sizes;
use super::{Bodies, SpatialError, SpatialIndex, Tuning};
use crate::volume::{Aabb, distance_squared};
use std::ops::ControlFlow;

/// A regular grid of buckets, each the head of a list of its members; the links lie in flat arrays.
///
/// A body belongs to the bucket of its centre. `update` relinks the bodies that left their bucket, O(1) each, and
/// refreshes the positions of the others. Each body looks for partners at the later members of its own bucket. Where it
/// sticks out of that by its own radius and the greatest one, it looks into buckets to the right and below as well:
/// half of its neighbourhood, so that each pair is met once. Where a few bodies are much larger than most, these look
/// in all directions, and the others only for each other.
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
/// use throng_spatial::{Bodies, Buckets, SpatialIndex};
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
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    /// Wanted side of a bucket (m).
    wanted: Option<f32>,
    bounds: Option<Aabb<2>>,
    raster: Raster,
    extent: Extent<2>,
    sizes: Sizes,
    lists: Lists,
    /// How many were linked anew since members were put in order, and the source of the raster.
    relinked: usize,
    made_of: (usize, Extent<2>),
}

impl Buckets {
    const MAX_CELLS_PER_BODY: usize = 4;
    const EXTRA_CELLS: usize = 64;

    /// An empty grid with the cells, reach and bounds of `tuning`.
    pub fn new(tuning: &Tuning) -> Self {
        let wanted = tuning.cell.or_else(|| tuning.reach.map(|reach| reach * 0.5));
        Self { wanted: wanted.filter(|side| side.is_finite() && *side > 0.0), bounds: tuning.bounds, ..Self::default() }
    }

    /// Forgets all bodies.
    fn clear(&mut self) {
        self.lists.clear();
        self.raster = Raster::default();
        self.relinked = 0;
        self.made_of = (0, Extent::default());
    }

    /// Buckets over all bodies.
    fn lay_out(&mut self, bodies: Bodies<2>) {
        let n = bodies.len();
        self.sizes = Sizes::split(bodies, &self.extent);
        let middle = Middle::of(bodies.position, &self.extent.hull);
        let side = self.wanted.map_or_else(|| middle.cell_side(n, self.sizes.small), f64::from);
        self.raster = Raster::of_squares(&middle.bounds, side, Self::MAX_CELLS_PER_BODY * n + Self::EXTRA_CELLS);
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

    /// Puts all bodies into buckets: a counting sort, so that members lie in the order of the buckets, those of one
    /// bucket in the order of their rows.
    fn fill(&mut self, bodies: Bodies<2>) {
        let n = bodies.len();
        let Lists { head, member, previous, row: rows, place: places } = &mut self.lists;
        head.clear();
        head.resize(self.raster.cells() + 1, 0);
        // The buckets of the rows stand where their places will.
        places.clear();
        places.extend(bodies.position.iter().map(|&position| self.raster.of(position)));
        for &bucket in &*places {
            head[bucket as usize] += 1;
        }
        let mut sum = 0;
        for head in &mut *head {
            sum += *head;
            *head = sum;
        }
        member.resize(n, Member::default());
        previous.resize(n, NONE);
        rows.resize(n, 0);
        for (row, place) in places.iter_mut().enumerate().rev() {
            let start = &mut head[*place as usize];
            *start -= 1;
            *place = *start;
            member[*start as usize] =
                Member { position: bodies.position[row], radius: bodies.radius[row], next: *start + 1 };
            previous[*start as usize] = start.wrapping_sub(1);
            rows[*start as usize] = row as u32;
        }
        // Starts of stretches become heads of lists.
        for bucket in 0..head.len() - 1 {
            let (first, end) = (head[bucket], head[bucket + 1]);
            if first == end {
                head[bucket] = NONE;
            } else {
                previous[first as usize] = NONE;
                member[end as usize - 1].next = NONE;
            }
        }
        head.pop();
        self.relinked = 0;
    }

    /// [`pairs`](SpatialIndex::pairs), with a look at rest only where a body rests.
    #[inline]
    fn find_pairs<const RESTING: bool>(
        &self,
        bodies: Bodies<2>,
        visit: &mut impl FnMut(u32, u32) -> ControlFlow<()>,
        tests: &mut u64,
    ) -> ControlFlow<()> {
        let (sizes, lists) = (&self.sizes, &self.lists);
        for (place, member) in lists.member.iter().enumerate() {
            let row = lists.row[place];
            let rests = RESTING && bodies.rests(row as usize);
            // Walks a list, and meets those whose radius is above the one limit and up to the other.
            let mut meet = |mut at: u32, above: f32, limit: f32| {
                while let Some(other) = lists.member.get(at as usize) {
                    let place = at;
                    at = other.next;
                    let left_out = other.radius > limit || other.radius <= above;
                    if left_out || RESTING && rests && bodies.rests(lists.row[place as usize] as usize) {
                        continue;
                    }
                    *tests += 1;
                    let reach = member.radius + other.radius;
                    if distance_squared(member.position, other.position) < reach * reach {
                        let other = lists.row[place as usize];
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
                &lists.head[(first + from) as usize..(first + to) as usize]
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
        let (lists, raster) = (&mut self.lists, &self.raster);
        while lists.place.len() > n {
            lists.pop(|_, member| raster.of(member.position));
        }
        for place in 0..lists.len() {
            let row = lists.row[place] as usize;
            let (old, new) = (lists.member[place].position, bodies.position[row]);
            let (from, to) = (raster.of(old), raster.of(new));
            if from != to {
                lists.unlink(place as u32, from);
                lists.link(place as u32, to);
                self.relinked += 1;
            }
            lists.member[place].position = new;
            lists.member[place].radius = bodies.radius[row];
        }
        for row in lists.len()..n {
            lists.push(bodies, raster.of(bodies.position[row]));
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
        if self.lists.is_empty() {
            return ControlFlow::Continue(());
        }
        let window = self.raster.meeting(region, self.extent.reach());
        for (column, row) in window.cells() {
            for place in self.lists.list(self.raster.number(column, row)) {
                visit(self.lists.row[place as usize])?;
            }
        }
        ControlFlow::Continue(())
    }

    fn cells(&self, region: &Aabb<2>, mut visit: impl FnMut(&Aabb<2>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.lists.is_empty() {
            return ControlFlow::Continue(());
        }
        for (column, row) in self.raster.meeting(region, 0.0).cells() {
            let held = self.lists.list(self.raster.number(column, row)).count();
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
        self.lists.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Crowd, Lie, Size, suite};

    fn check(index: &Buckets, bodies: Bodies<2>) {
        index.lists.check(bodies, |_, member| index.raster.of(member.position));
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
        assert!(index.lists.is_empty());
    }
}
