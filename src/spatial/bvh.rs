//! A bounding-volume hierarchy that is refitted, not rebuilt.

use super::bodies::{around, meet};
use super::runs::{Columns, Runs};
use super::sorts::ascending;
use super::{Bodies, SpatialError, SpatialIndex};
use crate::simd::prefetch;
use crate::volume::{Aabb, Ray, Sweep, distance_squared};
use std::ops::ControlFlow;

/// A bounding-volume hierarchy (Ericson 2005): a binary tree of boxes whose leaves hold a few bodies each.
///
/// The leaves lie in a row in memory, and each node covers a range of them that it halves for its children, so that
/// neither links nor nodes on the heap are needed. A build splits the bodies at the median along the axis on which they
/// are spread widest, O(n log n). An update refits the boxes from the leaves up, O(n), and mends what has suffered:
///
/// - a body that has left the surroundings of its leaf goes to the leaf whose way down grows least;
/// - a leaf that overflows is spread over the smallest subtree that has room, as in a packed array (Bender et al. 2000);
/// - a subtree whose boxes, all sides added up, have grown by half since it was built is built anew;
/// - where many bodies came, went or left their leaves, all is built anew.
///
/// Pairs are found by descending into both of two nodes that overlap: O(n + pairs) for most crowds. Queries go down from
/// the root, O(log n + found). Large bodies make large boxes in all nodes above them: many of them make both slow, as
/// do bodies on one point, whose pairs are O(n²) anyway.
///
/// ```
/// use throng::spatial::{Bodies, Bvh, SpatialIndex};
/// let mut position = vec![[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
/// let mut index = Bvh::default();
/// index.rebuild(Bodies::new(&position, &[0.5; 3], &[0, 1, 2]))?;
/// position[1] = [8.0, 0.0, 0.0];
/// let bodies = Bodies::new(&position, &[0.5; 3], &[0, 1, 2]);
/// index.update(bodies)?;
/// assert_eq!(index.nearest(bodies, [6.0, 0.0, 0.0], 9.0, |_| true), Some((1, 4.0)));
/// # Ok::<(), throng::spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bvh<const D: usize> {
    /// In preorder: the left child of a node comes next, the right one after the whole left subtree.
    nodes: Vec<Node<D>>,
    /// By leaf: how many bodies it holds, and around what it was built.
    count: Vec<u32>,
    home: Vec<Aabb<D>>,
    /// By place, [`ROOM`] of them a leaf.
    centre: Vec<[f32; D]>,
    radius: Vec<f32>,
    row: Vec<u32>,
    /// 1 for bodies that rest.
    rests: Vec<u8>,
    bounds: Vec<Aabb<D>>,
    /// How many bodies there are.
    bodies: usize,
    spacing: f32,
    /// Who needs a new leaf, and bodies to be split: a coordinate in an order of integers above the row.
    lost: Vec<u32>,
    split: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Node<const D: usize> {
    bounds: Aabb<D>,
    /// The sides of all boxes of the subtree added up (m): now, and when it was built.
    cost: f32,
    built: f32,
    /// A body in it does not rest.
    moves: bool,
}

/// A node, and the leaves from `first` to before `end` that it covers.
#[derive(Clone, Copy)]
struct Spot {
    node: usize,
    first: usize,
    end: usize,
}

/// Places in a leaf.
const ROOM: usize = 16;
/// How many of them a build fills, and the most that spreading fills on average.
const FILL: usize = 11;
const TIGHT: usize = 14;
/// Subtrees of fewer leaves are not built anew: what ails them comes from outside.
const GROVE: usize = 8;
/// Levels: each halves a number of leaves below 2^32.
const DEEPEST: usize = 40;

impl Spot {
    #[inline]
    fn is_leaf(self) -> bool {
        self.end - self.first == 1
    }

    #[inline]
    fn children(self) -> [Self; 2] {
        let cut = self.first + (self.end - self.first) / 2;
        [
            Self { node: self.node + 1, first: self.first, end: cut },
            Self { node: self.node + 2 * (cut - self.first), first: cut, end: self.end },
        ]
    }

    fn leaves(self) -> usize {
        self.end - self.first
    }

    /// The children, or twice itself where it is a leaf.
    #[inline]
    fn parts(self) -> [Self; 2] {
        if self.is_leaf() { [self; 2] } else { self.children() }
    }
}

impl<const D: usize> Node<D> {
    const EMPTY: Self = Self {
        bounds: Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] },
        cost: 0.0,
        built: 0.0,
        moves: false,
    };

    /// A node above two others.
    #[inline]
    fn above(left: &Self, right: &Self) -> Self {
        let bounds = union(&left.bounds, &right.bounds);
        let cost = left.cost + right.cost + sides(&bounds);
        Self { bounds, cost, built: 0.0, moves: left.moves | right.moves }
    }
}

#[inline]
fn union<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> Aabb<D> {
    let mut hull = *a;
    for axis in 0..D {
        hull.low[axis] = hull.low[axis].min(b.low[axis]);
        hull.high[axis] = hull.high[axis].max(b.high[axis]);
    }
    hull
}

/// [`meet`], counted rather than decided axis by axis: branches that nobody can predict take longer than all comparisons.
#[inline]
fn overlay<const D: usize>(a: &Aabb<D>, b: &Aabb<D>) -> bool {
    let mut shared = 0;
    for axis in 0..D {
        shared += usize::from(a.low[axis] <= b.high[axis]) + usize::from(b.low[axis] <= a.high[axis]);
    }
    shared == 2 * D
}

/// All sides of a box added up: 0 for an empty one.
#[inline]
fn sides<const D: usize>(bounds: &Aabb<D>) -> f32 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += (bounds.high[axis] - bounds.low[axis]).max(0.0);
    }
    sum
}

impl<const D: usize> Bvh<D> {
    fn clear(&mut self) {
        self.nodes.clear();
        self.bodies = 0;
        self.spacing = 0.0;
    }

    #[inline]
    fn root(&self) -> Spot {
        Spot { node: 0, first: 0, end: self.nodes.len().div_ceil(2) }
    }

    /// The places of a leaf that are taken.
    #[inline]
    fn places(&self, leaf: usize) -> std::ops::Range<usize> {
        leaf * ROOM..leaf * ROOM + self.count[leaf] as usize
    }

    fn build_all(&mut self, bodies: Bodies<D>) {
        self.clear();
        let n = bodies.len();
        if n == 0 {
            return;
        }
        let leaves = n.div_ceil(FILL);
        self.nodes.resize(2 * leaves - 1, Node::EMPTY);
        self.count.resize(leaves, 0);
        self.home.resize(leaves, Node::EMPTY.bounds);
        let places = leaves * ROOM;
        self.centre.resize(places, [0.0; D]);
        self.radius.resize(places, 0.0);
        self.row.resize(places, 0);
        self.rests.resize(places, 0);
        self.bounds.resize(places, Node::EMPTY.bounds);
        self.bodies = n;
        let mut split = std::mem::take(&mut self.split);
        split.clear();
        split.extend(0..n as u64);
        self.build(bodies, self.root(), &mut split);
        self.split = split;
        self.spacing = self.home.iter().map(|home| sides(home) / D as f32).sum::<f32>() / leaves as f32;
    }

    /// Builds a subtree of the rows in `split`, for which it has room.
    fn build(&mut self, bodies: Bodies<D>, at: Spot, split: &mut [u64]) {
        if at.is_leaf() {
            self.count[at.first] = split.len() as u32;
            for (place, &entry) in (at.first * ROOM..).zip(&*split) {
                self.put(bodies, place, entry as u32);
            }
            self.refit_leaf(at);
            self.home[at.first] = self.nodes[at.node].bounds;
        } else {
            let mut hull = Node::<D>::EMPTY.bounds;
            for &entry in &*split {
                let centre = bodies.position[entry as u32 as usize];
                hull = union(&hull, &Aabb { low: centre, high: centre });
            }
            let widest = (0..D).fold(0, |best, axis| if hull.side(axis) > hull.side(best) { axis } else { best });
            for entry in &mut *split {
                let row = *entry as u32;
                *entry = u64::from(ascending(bodies.position[row as usize][widest])) << 32 | u64::from(row);
            }
            let children = at.children();
            let cut = split.len() * children[0].leaves() / at.leaves();
            if cut < split.len() {
                split.select_nth_unstable(cut);
            }
            let (left, right) = split.split_at_mut(cut);
            self.build(bodies, children[0], left);
            self.build(bodies, children[1], right);
            self.nodes[at.node] = Node::above(&self.nodes[children[0].node], &self.nodes[children[1].node]);
        }
        self.nodes[at.node].built = self.nodes[at.node].cost;
    }

    #[inline]
    fn put(&mut self, bodies: Bodies<D>, place: usize, row: u32) {
        self.row[place] = row;
        self.centre[place] = bodies.position[row as usize];
        self.radius[place] = bodies.radius[row as usize];
        self.rests[place] = u8::from(bodies.rests(row as usize));
        self.bounds[place] = around(self.centre[place], self.radius[place]);
    }

    /// The node of a leaf, from the bodies it holds.
    fn refit_leaf(&mut self, at: Spot) {
        let mut node = Node::EMPTY;
        for place in self.places(at.first) {
            node.bounds = union(&node.bounds, &self.bounds[place]);
            node.moves |= self.rests[place] == 0;
        }
        node.cost = sides(&node.bounds);
        node.built = self.nodes[at.node].built;
        self.nodes[at.node] = node;
    }

    /// Refits a subtree to the bodies as they are now. Those that are gone are dropped, those that have left the
    /// surroundings of their leaf are dropped and noted as lost.
    fn refit(&mut self, bodies: Bodies<D>, at: Spot) {
        if at.is_leaf() {
            let leaf = at.first;
            let home = &self.home[leaf];
            let mut surroundings = *home;
            let margin = sides(home) * (0.5 / D as f32);
            for axis in 0..D {
                surroundings.low[axis] -= margin;
                surroundings.high[axis] += margin;
            }
            let mut kept = leaf * ROOM;
            for place in self.places(leaf) {
                let row = self.row[place];
                // Of the leaf after the next: rows lie anywhere.
                if let Some(&later) = self.row.get(place + 2 * ROOM) {
                    prefetch(bodies.position, later as usize);
                    prefetch(bodies.radius, later as usize);
                }
                let Some(centre) = bodies.position.get(row as usize) else { continue };
                if meet(&surroundings, &Aabb { low: *centre, high: *centre }) {
                    self.put(bodies, kept, row);
                    kept += 1;
                } else {
                    self.lost.push(row);
                }
            }
            self.count[leaf] = (kept - leaf * ROOM) as u32;
            self.refit_leaf(at);
            return;
        }
        let [left, right] = at.children();
        self.refit(bodies, left);
        self.refit(bodies, right);
        let mut node = Node::above(&self.nodes[left.node], &self.nodes[right.node]);
        node.built = self.nodes[at.node].built;
        self.nodes[at.node] = node;
        // From below: where that does not help, the cost above has grown as well.
        if at.leaves() >= GROVE && node.cost > 1.5 * node.built {
            self.rebuild_below(bodies, at, None);
        }
    }

    /// Builds a subtree anew, and of one row more.
    fn rebuild_below(&mut self, bodies: Bodies<D>, at: Spot, more: Option<u32>) {
        let mut split = std::mem::take(&mut self.split);
        split.clear();
        split.extend(more.map(u64::from));
        for leaf in at.first..at.end {
            split.extend(self.places(leaf).map(|place| u64::from(self.row[place])));
        }
        self.build(bodies, at, &mut split);
        self.split = split;
    }

    /// Puts a body into the leaf whose way down grows least. False where there is no room in the whole tree.
    fn insert(&mut self, bodies: Bodies<D>, row: u32) -> bool {
        let bounds = around(bodies.position[row as usize], bodies.radius[row as usize]);
        let moves = !bodies.rests(row as usize);
        let (mut way, mut depth) = ([self.root(); DEEPEST], 0);
        loop {
            let at = way[depth];
            let node = &mut self.nodes[at.node];
            node.bounds = union(&node.bounds, &bounds);
            node.moves |= moves;
            if at.is_leaf() {
                break;
            }
            let children = at.children();
            let growth = children.map(|child| {
                let box_now = &self.nodes[child.node].bounds;
                if box_now.low[0] > box_now.high[0] {
                    sides(&bounds)
                } else {
                    sides(&union(box_now, &bounds)) - sides(box_now)
                }
            });
            depth += 1;
            way[depth] = children[usize::from(growth[1] < growth[0])];
        }
        let leaf = way[depth].first;
        let count = self.count[leaf] as usize;
        if count < ROOM {
            if count == 0 {
                self.home[leaf] = bounds;
            }
            self.put(bodies, leaf * ROOM + count, row);
            self.count[leaf] += 1;
            return true;
        }
        for &at in way[..depth].iter().rev() {
            let held: u32 = self.count[at.first..at.end].iter().sum();
            if (held as usize) < TIGHT * at.leaves() {
                self.rebuild_below(bodies, at, Some(row));
                return true;
            }
        }
        false
    }

    /// Finds the pairs inside of a subtree.
    fn join<V: FnMut(u32, u32) -> ControlFlow<()>>(&self, at: Spot, runs: &mut Runs<'_, D, V>) -> ControlFlow<()> {
        if !self.nodes[at.node].moves {
            return ControlFlow::Continue(());
        }
        if at.is_leaf() {
            let mut places = self.places(at.first);
            let end = places.end;
            return places.try_for_each(|place| runs.push_if(place + 1 < end, place, place + 1, end));
        }
        let [left, right] = at.children();
        self.join(left, runs)?;
        self.join(right, runs)?;
        if self.may_hold_pairs(left, right) { self.cross(left, right, runs) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn may_hold_pairs(&self, a: Spot, b: Spot) -> bool {
        let (a, b) = (&self.nodes[a.node], &self.nodes[b.node]);
        (a.moves | b.moves) && overlay(&a.bounds, &b.bounds)
    }

    /// Finds the pairs of a body in one subtree and one in another.
    fn cross<V: FnMut(u32, u32) -> ControlFlow<()>>(
        &self,
        a: Spot,
        b: Spot,
        runs: &mut Runs<'_, D, V>,
    ) -> ControlFlow<()> {
        if a.is_leaf() && b.is_leaf() {
            let (others, region) = (self.places(b.first), self.nodes[b.node].bounds);
            let mut places = self.places(a.first);
            return places.try_for_each(|place| {
                runs.push_if(overlay(&self.bounds[place], &region), place, others.start, others.end)
            });
        }
        let (ones, others) = (a.parts(), b.parts());
        for &a in &ones[usize::from(a.is_leaf())..] {
            for &b in &others[usize::from(b.is_leaf())..] {
                if self.may_hold_pairs(a, b) {
                    self.cross(a, b, runs)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Goes down from the root, the nearer child first: `bound` gives a number for a box that none for a body in it is
    /// less than, `leaf` looks at a leaf and returns the greatest number that still matters.
    fn descend(&self, start: f64, bound: impl Fn(&Aabb<D>) -> f64, mut leaf: impl FnMut(usize) -> f64) {
        if self.nodes.is_empty() {
            return;
        }
        let mut limit = start;
        let mut stack = [(self.root(), 0.0); DEEPEST];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (at, least) = stack[height];
            if least > limit {
                continue;
            }
            if at.is_leaf() {
                limit = leaf(at.first);
                continue;
            }
            let mut children = at.children().map(|child| (child, bound(&self.nodes[child.node].bounds)));
            if children[0].1 < children[1].1 {
                children.swap(0, 1);
            }
            for child in children {
                if child.1 <= limit {
                    stack[height] = child;
                    height += 1;
                }
            }
        }
    }
}

impl<const D: usize> SpatialIndex<D> for Bvh<D> {
    fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        self.build_all(bodies);
        Ok(())
    }

    fn update(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check() {
            self.clear();
            return Err(error);
        }
        let (n, then) = (bodies.len(), self.bodies);
        if n.abs_diff(then) > then / 4 || n == 0 || then == 0 {
            self.build_all(bodies);
            return Ok(());
        }
        self.lost.clear();
        self.bodies = n;
        self.refit(bodies, self.root());
        self.lost.extend(then as u32..n as u32);
        if self.lost.len() > n / 4 {
            self.build_all(bodies);
            return Ok(());
        }
        for i in 0..self.lost.len() {
            let row = self.lost[i];
            if !self.insert(bodies, row) {
                self.build_all(bodies);
                break;
            }
        }
        Ok(())
    }

    fn pairs(&self, _: Bodies<D>, visit: impl FnMut(u32, u32) -> ControlFlow<()>) -> u64 {
        if self.nodes.is_empty() {
            return 0;
        }
        let columns = Columns {
            centre: &self.centre,
            radius: &self.radius,
            mark: &self.rests,
            row: &self.row,
            low: &[],
            high: &[],
        };
        let mut runs = Runs::new(columns, visit);
        if self.join(self.root(), &mut runs).is_break() { runs.tests() } else { runs.finish() }
    }

    fn touching(
        &self,
        _: Bodies<D>,
        region: &Aabb<D>,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = [self.root(); DEEPEST];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height];
            if !meet(&self.nodes[at.node].bounds, region) {
                continue;
            }
            if at.is_leaf() {
                for place in self.places(at.first) {
                    if meet(&self.bounds[place], region) {
                        visit(self.row[place])?;
                    }
                }
            } else {
                let [left, right] = at.children();
                stack[height] = right;
                stack[height + 1] = left;
                height += 2;
            }
        }
        ControlFlow::Continue(())
    }

    /// The leaves.
    fn cells(&self, region: &Aabb<D>, mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = [self.root(); DEEPEST];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let at = stack[height];
            let bounds = &self.nodes[at.node].bounds;
            if !meet(bounds, region) {
                continue;
            }
            if at.is_leaf() {
                if self.count[at.first] > 0 {
                    visit(bounds, self.count[at.first] as usize)?;
                }
            } else {
                let [left, right] = at.children();
                stack[height] = right;
                stack[height + 1] = left;
                height += 2;
            }
        }
        ControlFlow::Continue(())
    }

    fn spacing(&self) -> f32 {
        self.spacing
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.home.capacity() * size_of::<Aabb<D>>()
            + self.centre.capacity() * size_of::<[f32; D]>()
            + (self.count.capacity() + self.radius.capacity() + self.row.capacity() + self.lost.capacity())
                * size_of::<u32>()
            + self.rests.capacity()
            + self.bounds.capacity() * size_of::<Aabb<D>>()
            + self.split.capacity() * size_of::<u64>()
    }

    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        if reach.is_nan() || reach <= 0.0 {
            return None;
        }
        // Bits of the squared distance (they order like the distance), id, row.
        let mut best: Option<(u32, u32, u32)> = None;
        // Rounding keeps the order of numbers: the squared distance of a box is never above that of a point in it.
        let bound = |bounds: &Aabb<D>| f64::from(bounds.distance_squared(point));
        self.descend(f64::from(reach * reach), bound, |leaf| {
            for place in self.places(leaf) {
                let squared = distance_squared(self.centre[place], point);
                let row = self.row[place];
                if squared < reach * reach && best.is_none_or(|best| squared.to_bits() <= best.0) {
                    let candidate = (squared.to_bits(), bodies.id[row as usize], row);
                    if best.is_none_or(|best| candidate < best) && accept(row) {
                        best = Some(candidate);
                    }
                }
            }
            f64::from(best.map_or(reach * reach, |best| f32::from_bits(best.0)))
        });
        best.map(|(squared, _, row)| (row, f32::from_bits(squared)))
    }

    fn k_nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        k: usize,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
        found: &mut Vec<(u32, f32)>,
    ) {
        found.clear();
        if k == 0 || reach.is_nan() || reach <= 0.0 {
            return;
        }
        let key = |&(row, squared): &(u32, f32)| (squared.to_bits(), bodies.id[row as usize]);
        let mut limit = reach * reach;
        let mut full = false;
        let bound = |bounds: &Aabb<D>| f64::from(bounds.distance_squared(point));
        self.descend(f64::from(limit), bound, |leaf| {
            for place in self.places(leaf) {
                let squared = distance_squared(self.centre[place], point);
                let row = self.row[place];
                // Among those as far as the last of k the id decides.
                if squared < reach * reach && (!full || squared <= limit) && accept(row) {
                    found.push((row, squared));
                }
            }
            if found.len() > k + k / 2 + ROOM {
                found.select_nth_unstable_by_key(k - 1, key);
                found.truncate(k);
                limit = found[k - 1].1;
                full = true;
            }
            f64::from(limit)
        });
        if found.len() > k {
            found.select_nth_unstable_by_key(k - 1, key);
            found.truncate(k);
        }
        found.sort_unstable_by_key(key);
    }

    fn cast(&self, bodies: Bodies<D>, sweep: &Sweep<D>, mut accept: impl FnMut(u32) -> bool) -> Option<(u32, f64)> {
        // Wider than what rounding may cost the exact test far from the origin.
        let furthest = sweep.ray.from.iter().fold(0.0_f64, |most, &x| most.max(x.abs()));
        let wider = f64::from(sweep.radius) + (furthest + f64::from(sweep.radius)) * 1e-6;
        let bound = |bounds: &Aabb<D>| entry(&sweep.ray, bounds, wider);
        let mut best: Option<(f64, u32, u32)> = None;
        self.descend(sweep.ray.until, bound, |leaf| {
            for place in self.places(leaf) {
                let row = self.row[place];
                if let Some(time) = sweep.time_to_ball(&bodies.ball(row as usize)) {
                    let candidate = (time, bodies.id[row as usize], row);
                    if best.is_none_or(|best| candidate < best) && accept(row) {
                        best = Some(candidate);
                    }
                }
            }
            best.map_or(sweep.ray.until, |best| best.0)
        });
        best.map(|(time, _, row)| (row, time))
    }
}

/// When a ray enters a box made wider (Kay & Kajiya 1986); infinite where it does not.
fn entry<const D: usize>(ray: &Ray<D>, bounds: &Aabb<D>, wider: f64) -> f64 {
    let (mut enter, mut leave) = (0.0_f64, ray.until);
    for axis in 0..D {
        let (from, way) = (ray.from[axis], ray.along[axis]);
        let (low, high) = (f64::from(bounds.low[axis]) - wider, f64::from(bounds.high[axis]) + wider);
        if way == 0.0 {
            if from < low || from > high {
                return f64::INFINITY;
            }
        } else {
            let (a, b) = ((low - from) / way, (high - from) / way);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    if enter <= leave { enter } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::tests::suite;

    #[test]
    fn agrees_with_brute_force() {
        suite::<2, _>("bvh", Bvh::default);
        suite::<3, _>("bvh", Bvh::default);
    }
}
